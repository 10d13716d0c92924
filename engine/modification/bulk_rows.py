"""The text of a data file to fields: terminators, and CSV with quotes.

It decides where fields and rows end, as BULK INSERT's options say it. It must not know types or tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from sbql.grammar.errors import sql_error

__all__ = ["Layout", "records", "terminator"]

_ESCAPES = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\0": "\0", "\\\\": "\\"}
LINE = re.compile("\r?\n")


class Layout(Struct, frozen=True):
    """`row` None: a line, ended by LF or CR LF. `quote` '' for files without quotes; `is_csv` for rows of any width."""

    field: str
    row: str | None
    quote: str = ""
    is_csv: bool = False


def terminator(text: str) -> str | None:
    """A terminator as written in an option: escapes and 0x… become characters; a line end (also
    `\\n`, which means CR LF too) None."""
    if re.fullmatch(r"0[xX](?:[0-9A-Fa-f]{2})+", text):
        return bytes.fromhex(text[2:]).decode("latin-1")
    plain = re.sub(r"\\[tnr0\\]", lambda m: _ESCAPES[m[0]], text)
    return None if plain in ("\n", "\r\n") else plain


def records(text: str, layout: Layout, width: int) -> Iterator[tuple[str, list[str]]]:
    """Each row of the file: its text and its fields. Raises 4832 when the file ends inside of a row."""
    position = 0
    read = _quoted if layout.is_csv else _plain
    while position < len(text):
        fields, end = read(text, position, layout, width)
        yield text[position:end], fields
        position = end


def _plain(text: str, position: int, layout: Layout, width: int) -> tuple[list[str], int]:
    """Fields by their terminators alone: all but the last end at the field terminator, wherever lines end."""
    fields = []
    for _ in range(width - 1):
        end = text.find(layout.field, position)
        if end < 0:
            raise sql_error(4832)
        fields.append(text[position:end])
        position = end + len(layout.field)
    last, position = _to_row_end(text, position, layout)
    fields.append(last)
    return fields, position


def _to_row_end(text: str, position: int, layout: Layout) -> tuple[str, int]:
    if layout.row is None:
        found = LINE.search(text, position)
        return (text[position:], len(text)) if found is None else (text[position : found.start()], found.end())
    end = text.find(layout.row, position)
    return (text[position:], len(text)) if end < 0 else (text[position:end], end + len(layout.row))


def _row_end(text: str, position: int, layout: Layout) -> int:
    """Where the row ends behind `position`, if it ends there; else -1."""
    if position >= len(text):
        return position
    if layout.row is None:
        found = LINE.match(text, position)
        return found.end() if found is not None else -1
    return position + len(layout.row) if text.startswith(layout.row, position) else -1


def _quoted(text: str, position: int, layout: Layout, width: int) -> tuple[list[str], int]:
    """RFC 4180: fields in quotes hold terminators, and quotes twice."""
    fields: list[str] = []
    while True:
        if layout.quote and text.startswith(layout.quote, position):
            value, position = _in_quotes(text, position, layout.quote)
        else:
            value, position = _bare(text, position, layout)
        fields.append(value)
        end = _row_end(text, position, layout)
        if end >= 0:
            return fields, end
        if not text.startswith(layout.field, position):
            raise sql_error(4832)
        position += len(layout.field)


def _in_quotes(text: str, position: int, quote: str) -> tuple[str, int]:
    parts = []
    position += 1
    while True:
        end = text.find(quote, position)
        if end < 0:
            raise sql_error(4832)
        parts.append(text[position:end])
        position = end + 1
        if not text.startswith(quote, position):
            return quote.join(parts), position
        position += 1


def _bare(text: str, position: int, layout: Layout) -> tuple[str, int]:
    start = position
    while position < len(text) and _row_end(text, position, layout) < 0 and not text.startswith(layout.field, position):
        position += 1
    return text[start:position], position
