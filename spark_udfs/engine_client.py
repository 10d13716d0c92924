"""The way from a Spark process to the owner of the store.

Spark runs our code in several processes: the planner, a long-lived one for each stream, tasks. Each has its own client,
made when it is needed first; what travels between them is the options alone. It must not know what is asked.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar, cast

from sbql.grammar.digits import is_whole
from sbql.grammar.errors import SqlError
from sbql.spark_udfs.options import ConnectionOptions

__all__ = ["Engine", "SparkFacingError", "engine_at", "sql_error", "told"]

F = TypeVar("F", bound=Callable[..., Any])


class Engine(Protocol):
    """What the data source needs of an owner: a client of `engine.server`, or a stand-in in tests."""

    def call(self, operation: str, request: dict[str, Any]) -> Any: ...

    def read(self, operation: str, request: dict[str, Any]) -> Any: ...

    def write(self, operation: str, request: dict[str, Any], rows: Any) -> Any: ...

    def session(self, database: str) -> Any: ...

    def ping(self) -> Any: ...


def engine_at(options: ConnectionOptions) -> Engine:
    """This process's client. Raises SqlError 10061 when nobody serves the store."""
    from sbql.engine.server.client import client_at, client_of_store

    if options.endpoint:
        return client_at(options.endpoint, options.token)
    assert options.database is not None
    client = client_of_store(options.database)
    if client is None and not os.path.exists(options.database):
        raise SqlError(
            10061,
            f"Nobody serves the store '{options.database}', and there is no such file: the option database is the file of a store, not a T-SQL database. "
            f"Start its owner with: sbql serve --store {options.database}",
        )
    if client is None:
        raise SqlError(
            10061,
            f"Nobody serves the store '{options.database}'. Start its owner with: sbql serve --store {options.database}, or in a program "
            "that has it open, sbql.serve(connection).",
        )
    return client


class SparkFacingError(Exception):
    """An error of the engine as Spark shows it: of an exception in its processes only the text survives."""


_HEAD: Final = "Msg "
_ENDS: Final = (" SQLSTATE: ", "\n\tat ", "\n=== Streaming Query ===", "\n\nJVM stacktrace")
"""What Spark writes behind the text of an exception."""


def told(function: F) -> F:
    """Decorator: a SqlError goes on as text that says number, severity and state, as the command line prints it."""

    @functools.wraps(function)
    def run(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except SqlError as error:
            raise SparkFacingError(
                f"{_HEAD}{error.number}, Level {error.severity}, State {error.state}: {error.message}"
            ) from None

    return cast(F, run)


def sql_error(error: BaseException) -> SqlError | None:
    """The engine's error in the text of an exception that Spark has raised, whether one of its processes had it or the
    function of a foreachBatch; None when there is none."""
    if isinstance(error, SqlError):
        return error
    text = str(error)
    _, mark, found = text.rpartition(f"Error: {_HEAD}")
    if not mark:
        return None
    place, _, message = min((found.partition(sign) for sign in (": ", "\n")), key=lambda parts: len(parts[0]))
    number, *rest = place.split(", ")
    facts = dict(part.split(" ", 1) for part in rest if " " in part)
    level, state, line = (facts.get(name, "0") for name in ("Level", "State", "Line"))
    if not all(map(is_whole, (number, level, state, line))):
        return None
    for end in _ENDS:
        message = message.partition(end)[0]
    return SqlError(
        int(number),
        message.strip(),
        severity=int(level),
        state=int(state),
        line=int(line),
        procedure=facts.get("Procedure"),
    )
