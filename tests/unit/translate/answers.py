"""What a session answers, word for word, with a form of queries that need no DuckDB and without it."""

from __future__ import annotations

from typing import Any

import pytest

from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

__all__ = ["asked", "with_and_without"]


def asked(session: Session, text: str) -> Any:
    """Rows with the types of their values and what is said of the columns; number, text and line of errors."""
    found: list[Any] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.message, outcome.error.line))
        elif isinstance(outcome, ResultSet):
            rows = [tuple((type(value), repr(value)) for value in row) for row in outcome.rows]
            found.append((rows, [(column.name, column.type, column.nullable) for column in outcome.columns]))
    return found


def with_and_without(session: Session, text: str, form: type, answered: list[Any]) -> tuple[Any, Any]:
    """The answers where queries of this `form` need no DuckDB, and where all are DuckDB's. What the form gave, None for
    nothing, comes behind `answered`."""
    run: Any = form.__call__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(form, "__call__", lambda self, frame: answered.append(run(self, frame)) or answered[-1])
        here = asked(session, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(form, "__call__", lambda self, frame: None)
        return here, asked(session, text)
