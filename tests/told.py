"""What a session was told, in a form that two of them can be compared in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sbql.catalog import function_errors
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet, RowsAffected
from sbql.engine.session import Session

__all__ = ["calls_of_python", "last_rows", "prepared", "told", "told_whole"]


@contextmanager
def prepared(*batches: str) -> Iterator[Session]:
    """A session of an instance in memory that has run these, each without a row or an error."""
    instance = Instance.open(clock="virtual", seed=1)
    try:
        session = instance.connect()
        for batch in batches:
            assert told(session, batch) == [], batch
        yield session
    finally:
        instance.close()


def told(session: Session, text: str) -> list[object]:
    """The rows of a batch, and the numbers of its errors, in their order."""
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)
        elif isinstance(outcome, ResultSet):
            found += [tuple(row) for row in outcome.rows]
    return found


def last_rows(session: Session, text: str) -> Any:
    """The rows of the last result set of a batch, None when it has none. Raises AssertionError for an error."""
    found = None
    for outcome in session.run(text):
        assert not isinstance(outcome, ErrorOutcome), (text, outcome)
        found = outcome.rows if isinstance(outcome, ResultSet) else found
    return found


def told_whole(session: Session, text: str) -> list[Any]:
    """The same with the types of the rows' values, the texts of errors, and how many rows each statement affected."""
    found: list[Any] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.state, outcome.error.message))
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
        elif isinstance(outcome, ResultSet):
            found += [tuple(map(repr, row)) for row in outcome.rows]
    return found


def calls_of_python(patch: pytest.MonkeyPatch) -> list[None]:
    """One for each call of a Python function by DuckDB, as long as the patch holds."""
    found: list[None] = []
    patch.setattr(function_errors, "checkpoint", lambda: found.append(None))
    return found
