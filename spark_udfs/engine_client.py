"""The way from a Spark process to the owner of the store.

Spark runs our code in several processes: the planner, a long-lived one for each stream, tasks. Each has its own client, made when it is
needed first; what travels between them is the options alone. It must not know what is asked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

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
    if client is None:
        raise SqlError(
            10061,
            f"Nobody serves the store '{options.database}'. Start its owner with: sbql serve --store {options.database}, or in a program "
            "that has it open, sbql.serve(connection).",
        )
    return client


class SparkFacingError(Exception):
    """An error of the engine as Spark shows it: of an exception in its processes only the text survives."""


_HEAD = "Msg "


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
    """The engine's error in the text of an exception that Spark has raised; None when there is none."""
    _, head, text = str(error).rpartition(f"{SparkFacingError.__name__}: {_HEAD}")
    if not head:
        return None
    place, _, message = text.partition(": ")
    parts = [part.rpartition(" ")[2] for part in place.split(",")]
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    return SqlError(int(parts[0]), message.splitlines()[0], severity=int(parts[1]), state=int(parts[2]))
