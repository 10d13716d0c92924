"""How pictures ask for live state: batches of T-SQL through whatever runs them.

Decides that views are asked and not the engine's memory, so that permissions count and a session elsewhere will do. A
source is anything with `run(text) -> outcomes`: a Session, a Connection, a session of another process.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet

__all__ = ["Runs", "rows", "time_text"]


class Runs(Protocol):
    def run(self, text: str, /) -> Sequence[Outcome]: ...


def rows(source: Runs, text: str) -> list[tuple[Any, ...]]:
    """The rows of the first result set. Raises the first SqlError."""
    outcomes = source.run(text)
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
    return next((outcome.rows for outcome in outcomes if isinstance(outcome, ResultSet)), [])


def time_text(value: Any) -> str:
    """The time of day to the millisecond; '' for 1900, the time that never was."""
    if not isinstance(value, datetime) or value.year <= 1900:
        return ""
    return value.strftime("%H:%M:%S.%f")[:-3]
