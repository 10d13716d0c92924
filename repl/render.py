"""Outcomes as text: result tables, row counts, messages, errors with their place in the script.

It decides how things look, with sqlcmd's habits: a header, a line of dashes, `NULL`, `(2 rows affected)`, `Msg 208,
Level 16, State 1, Line 3`. Columns are as wide as what is in them, not as wide as their type. Errors go where results
go, because they belong between them. It must not know where the text goes (`write` is handed in) nor who runs the
batch.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultColumn, ResultSet, RowsAffected
from sbql.grammar.batches import Break
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType
from sbql.grammar.values.display import to_display

__all__ = ["Place", "Renderer", "Style", "caret", "display", "error_text", "log_text", "table"]

_NUMBERS = frozenset(
    {"tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney", "float", "real"}
)


@dataclass(frozen=True, slots=True)
class Style:
    """How tables look: the options -s, -W and -h of the command line.

    `headers`: 0 prints the header once, n > 0 again after every n rows, -1 never. `cell_limit` cuts longer values, for
    a terminal; None never cuts.
    """

    separator: str = " "
    trim: bool = False
    headers: int = 0
    cell_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a batch stands: its file (as the user named it), the line of the file that is its line 1, and where it goes on
    elsewhere (see BatchText)."""

    file: str
    first_line: int = 1
    breaks: tuple[Break, ...] = ()

    def at(self, line: int) -> tuple[str, int]:
        """The file and its line of a line of the batch."""
        begin, file, first = next((b for b in reversed(self.breaks) if b[0] <= line), (1, self.file, self.first_line))
        return file, first + line - begin

    def of(self, error: SqlError) -> str:
        """`file:line` of an error; an error inside a procedure has the place of the batch that called it."""
        if error.procedure is not None or error.line < 1:
            return f"{self.file}, batch at line {self.first_line}"
        file, line = self.at(error.line)
        return f"{file}:{line}"


def display(value: Any, sql_type: SqlType) -> str:
    """One value as every door of sbql prints it."""
    return "NULL" if value is None else to_display(value, sql_type)


def error_text(error: SqlError, place: Place | None = None) -> str:
    """`Msg 208, Level 16, State 1, Line 2 (demo.sql:14)` and the text below it."""
    head, _, text = str(error).partition("\n")
    return f"{head} ({place.of(error)})\n{text}" if place is not None else f"{head}\n{text}"


def caret(text: str, error: SqlError) -> str | None:
    """The line of `text` that an error points at, with a caret below; None when the error is not about a word of it."""
    lines = text.split("\n")  # as the parser counts: no other character ends a line there
    if error.column < 1 or not 1 <= error.line <= len(lines):
        return None
    line = lines[error.line - 1].rstrip("\r")
    before = "".join(char if char == "\t" else " " * _width(char) for char in line[: error.column - 1])
    return f"{line}\n{before}^"


def log_text(record: Any) -> str:
    """A line of the instance's error log."""
    return f"[log] {record.text}"


def table(result: ResultSet, style: Style = Style()) -> Iterable[str]:
    """The lines of a result set, header included."""
    names = [column.name or ("" if style.trim else "(No column name)") for column in result.columns]
    cells = [_cells(row, result.columns, style.cell_limit) for row in result.rows]
    if style.trim:
        widths = [0] * len(names)
    else:
        shown = cells if style.headers < 0 else [names, *cells]
        widths = [max((_width(row[index]) for row in shown), default=0) for index in range(len(names))]
    rights = [column.type.name in _NUMBERS and not style.trim for column in result.columns]
    header = _header(names, widths, rights, style)
    if style.headers >= 0:
        yield from header
    for index, row in enumerate(cells):
        if style.headers > 0 and index and index % style.headers == 0:
            yield ""
            yield from header
        yield _line(row, widths, rights, style)


def _header(names: list[str], widths: list[int], rights: list[bool], style: Style) -> list[str]:
    dashes = ["-" * (width or max(_width(name), 1)) for name, width in zip(names, widths, strict=True)]
    return [_line(names, widths, rights, style), _line(dashes, widths, rights, style)]


def _cells(row: Sequence[Any], columns: Sequence[ResultColumn], limit: int | None) -> list[str]:
    texts = [display(value, column.type) for value, column in zip(row, columns, strict=True)]
    if limit is not None:
        texts = [text if len(text) <= limit else text[: limit - 1] + "…" for text in texts]
    return texts


def _line(texts: Sequence[str], widths: list[int], rights: list[bool], style: Style) -> str:
    parts = []
    for text, width, right in zip(texts, widths, rights, strict=True):
        if style.trim:
            text = text.rstrip(" ")
        blanks = " " * (width - _width(text))
        parts.append(blanks + text if right else text + blanks)
    return style.separator.join(parts).rstrip(" ")


def _width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Renderer:
    """Shows the outcomes of batches, one after the other, through `write` (which takes text with its newlines)."""

    def __init__(self, write: Callable[[str], object], style: Style = Style()) -> None:
        self.write = write
        self.style = style
        self.place: Place | None = None
        """Where the running batch stands; None when it has no file, as at the prompt."""
        self.source: str | None = None
        """Text of the running batch, to draw a caret below the word that an error is about; None draws none."""

    def show(self, outcome: Outcome) -> None:
        match outcome:
            case ResultSet():
                self.write("".join(f"{line}\n" for line in table(outcome, self.style)))
            case RowsAffected(count):
                self.write(f"\n({count} rows affected)\n")
            case InfoMessage(text):
                self.write(f"{text}\n")
            case ErrorOutcome(error):
                self.write(self._error(error))

    def _error(self, error: SqlError) -> str:
        pointed = caret(self.source, error) if self.source is not None and error.procedure is None else None
        return error_text(error, self.place) + (f"\n{pointed}\n" if pointed is not None else "\n")
