"""Built-in functions are tried as T-SQL text: `value('LEN(''abc'')')` gives the value of an expression without a
database."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.host import VirtualHost
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.session_options import SessionOptions
from sbql.grammar.parser import parse_batch
from sbql.grammar.values.display import to_display


def make_session() -> SimpleNamespace:
    options = SessionOptions()
    return SimpleNamespace(
        instance=SimpleNamespace(host=VirtualHost(1), user_message=lambda number: None), spid=51, rowcount=3, error_number=0, trancount=0,
        fetch_status=0, identity=None, nest_level=0, errors=[], options=options, transaction=None, cursors={}, context_values={},
        program_name="test", database_id=1, database=SimpleNamespace(id=1), catalog=CatalogSnapshot(), user=SimpleNamespace(default_schema="dbo", id=1, name="dbo"),
    )  # fmt: skip


@pytest.fixture
def show() -> Callable[[str], str]:
    """An expression's value as the command line prints it."""
    session = make_session()

    def run(text: str) -> str:
        statement: Any = parse_batch("SELECT " + text).statements[0]
        scalar = compile_scalar(statement.query.query.items[0].expression, Scope(session))
        return to_display(scalar.run(Frame(session, 0)), scalar.type)

    return run
