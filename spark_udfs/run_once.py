"""A text that the engine runs once, under a name: the client's side of `engine/streaming/idempotent_requests`.

Decides what an answer is: the rows of the first result set as the protocol packs them, or the last
number of rows. It must not know Spark.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultColumn, ResultSet, RowsAffected
from sbql.engine.server.messages import OutcomeReader, messages_of, pack, unpack
from sbql.grammar.types import SqlType

__all__ = ["described", "run_once"]


class _Session(Protocol):
    def run(
        self, text: str, *, sink: Callable[[Outcome], None] | None = None, parameters: dict[str, Any] | None = None
    ) -> list[Outcome]: ...

    def call(self, name: str, request: dict[str, Any]) -> Any: ...

    def close(self) -> None: ...


class Door(Protocol):
    """What opens sessions: a client of `engine.server`, or a stand-in in tests."""

    def session(self, database: str) -> _Session: ...


def described(door: Door, database: str, text: str) -> tuple[list[ResultColumn] | None, float]:
    """The columns of the first result set of a batch, which is not run, None when it gives none; and the
    moment of the engine. Raises SqlError."""
    session = door.session(database)
    try:
        found = session.call("request.describe", {"text": text})
    finally:
        session.close()
    columns = found["columns"]
    if columns is not None:
        columns = [ResultColumn(name, SqlType(*parts), nullable) for name, parts, nullable in columns]
    return columns, float(found["now"])


def run_once(door: Door, database: str, text: str, request: str, issued: float | None = None) -> ResultSet | int:
    """Run a batch in one transaction, or get the answer of the run that was before under this name: its first
    result set, or the number of rows that it has affected. Raises SqlError, and then nothing was done, unless the
    way to the engine broke: ask again."""
    session = door.session(database)
    try:
        _run(session, "BEGIN TRANSACTION")
        asked = {"request": request, "text": text}
        found = session.call("request.begin", {**asked, "issued": issued})
        answer = found["answer"]
        if found["is_new"]:
            answer = _packed(_run(session, text))
            session.call("request.end", {**asked, "answer": answer})
            _run(session, "COMMIT TRANSACTION")
    finally:
        session.close()
    return _answer(answer)


def _run(session: _Session, text: str) -> list[Outcome]:
    outcomes = session.run(text)
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
    return outcomes


def _packed(outcomes: list[Outcome]) -> bytes:
    result = next((o for o in outcomes if isinstance(o, ResultSet)), None)
    if result is not None:
        return pack(list(messages_of(result)))
    return pack(next((o.count for o in reversed(outcomes) if isinstance(o, RowsAffected)), 0))


def _answer(packed: bytes) -> ResultSet | int:
    found = unpack(packed)
    if isinstance(found, int):
        return found
    reader = OutcomeReader()
    for message in found:
        result = reader.read(unpack(message))
    assert isinstance(result, ResultSet), "the last piece ends it"
    return result
