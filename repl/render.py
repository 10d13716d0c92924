"""Outcomes as text: result tables, row counts, messages, errors with their place in the script.

It decides how things look beside the tables of `engine.result_text`, with sqlcmd's habits: `(2 rows affected)`,
`Msg 208, Level 16, State 1, Line 3`. Errors go where results go, because they belong between them. It must not know
where the text goes (`write` is handed in) nor who runs the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet, RowsAffected
from sbql.engine.result_text import Style, caret, table
from sbql.grammar.batches import Place
from sbql.grammar.errors import SqlError
from sbql.grammar.values.checkpoints import checked

__all__ = ["Renderer", "error_text", "log_text"]


def error_text(error: SqlError, place: Place | None = None) -> str:
    """`Msg 208, Level 16, State 1, Line 2 (demo.sql:14)` and the text below it."""
    head, _, text = str(error).partition("\n")
    return f"{head} ({place.of(error)})\n{text}" if place is not None else f"{head}\n{text}"


def log_text(record: Any) -> str:
    """A line of the instance's error log."""
    return f"[log] {record.text}"


class Renderer:
    """Shows the outcomes of batches, one after the other, through `write` (which takes text with its newlines)."""

    def __init__(self, write: Callable[[str], object], style: Style = Style()) -> None:
        self.write = write
        self.style = style
        self.place: Place | None = None
        """Where the running batch stands; None when it has no file, as at the prompt."""
        self.told: Callable[[Iterable[str]], Iterable[str]] = checked
        """What the lines of a table go through: somebody may count them; long ones can be cancelled."""
        self.source: str | None = None
        """Text of the running batch, to draw a caret below the word that an error is about; None draws none."""

    def show(self, outcome: Outcome) -> None:
        match outcome:
            case ResultSet():
                for line in self.told(table(outcome, self.style)):
                    self.write(f"{line}\n")
            case RowsAffected(count):
                self.write(f"\n({count} rows affected)\n")
            case InfoMessage(text):
                self.write(f"{text}\n")
            case ErrorOutcome(error):
                self.write(self._error(error))

    def _error(self, error: SqlError) -> str:
        pointed = caret(self.source, error) if self.source is not None and error.is_in_batch else None
        return error_text(error, self.place) + (f"\n{pointed}\n" if pointed is not None else "\n")
