"""Built-in functions are tried as T-SQL text: `value('LEN(''abc'')')` gives the value of an expression without a
database."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.client import Client
from sbql.engine.host import VirtualHost
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.session_state import SessionState
from sbql.grammar.parser import parse_batch
from sbql.grammar.values.display import to_display


class FunctionSession(SessionState):
    """What functions ask of a session."""

    def __init__(self) -> None:
        super().__init__(51, 1, client=Client("test"))
        self.instance = SimpleNamespace(name="here", host=VirtualHost(1), user_message=lambda number: None)
        self.rowcount = 3
        self.database, self.catalog = SimpleNamespace(id=1), CatalogSnapshot()
        self.user = SimpleNamespace(default_schema="dbo", id=1, name="dbo")


def make_session() -> Any:
    return FunctionSession()


@pytest.fixture
def show() -> Callable[[str], str]:
    """An expression's value as the command line prints it."""
    session = make_session()

    def run(text: str) -> str:
        statement: Any = parse_batch("SELECT " + text).statements[0]
        scalar = compile_scalar(statement.query.query.items[0].expression, Scope(session))
        return to_display(scalar.run(Frame(session, 0)), scalar.type)

    return run
