"""Result sets as text, and where an error points: what the command line, notebooks and pictures share.

It decides how a table looks, with sqlcmd's habits: a header, a line of dashes, `NULL`; columns are as wide as what is
in them, not as wide as their type. Who shows it, and what stands around it, is decided elsewhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.grammar.errors import SqlError
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.checkpoints import checked_rows
from sbql.grammar.values.display import to_display

__all__ = ["NUMBERS", "Style", "caret", "display", "table", "text_width"]

NUMBERS: Final = frozenset(
    {"tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney", "float", "real"}
)


class Style(Struct, frozen=True):
    """How tables look: the options -s, -W and -h of the command line.

    `headers`: 0 prints the header once, n > 0 again after every n rows, -1 never. `cell_limit` cuts longer values, for
    a terminal; None never cuts. `variable_width` cuts values of types without a length, such as nvarchar(max),
    `fixed_width` those of types with one; 0 never cuts. `controls`: what becomes of control characters: None leaves
    them, "" leaves them out, "each" makes a blank of each, "run" of several.
    """

    separator: str = " "
    trim: bool = False
    headers: int = 0
    cell_limit: int | None = None
    variable_width: int = 0
    fixed_width: int = 0
    controls: str | None = None


def display(value: Any, sql_type: SqlType) -> str:
    """One value as every door of sbql prints it."""
    return "NULL" if value is None else to_display(value, sql_type)


_LONGEST_LINE = 76
"""Characters of a line that are shown around an error."""


def caret(text: str, error: SqlError) -> str | None:
    """The line of `text` that an error points at, with a caret below; None when the error is not about
    a word of it. Of a long line only what stands around the word is shown: where a terminal breaks it,
    the caret would be below nothing."""
    lines = text.split("\n")  # as the parser counts: no other character ends a line there
    number = error.column_line or error.line
    if error.column < 1 or not 1 <= number <= len(lines):
        return None
    line, place = lines[number - 1].rstrip("\r"), error.column - 1
    if len(line) > _LONGEST_LINE:
        start = max(0, min(place - _LONGEST_LINE // 2, len(line) - _LONGEST_LINE))
        end = start + _LONGEST_LINE
        line = ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
        place += (1 if start else 0) - start
    before = "".join(char if char == "\t" else " " * text_width(char) for char in line[:place])
    return f"{line}\n{before}^"


def table(result: ResultSet, style: Style = Style()) -> Iterable[str]:
    """The lines of a result set, header included."""
    names = [column.name or ("" if style.trim else "(No column name)") for column in result.columns]
    cells = [_cells(row, result.columns, style) for row in checked_rows(result.rows)]
    if style.trim:
        widths = [0] * len(names)
    else:
        shown = cells if style.headers < 0 else [names, *cells]
        widths = [max((text_width(row[index]) for row in shown), default=0) for index in range(len(names))]
    rights = [column.type.name in NUMBERS and not style.trim for column in result.columns]
    header = _header(names, widths, rights, style)
    if style.headers >= 0:
        yield from header
    for index, row in enumerate(cells):
        if style.headers > 0 and index and index % style.headers == 0:
            yield ""
            yield from header
        yield _line(row, widths, rights, style)


def _header(names: list[str], widths: list[int], rights: list[bool], style: Style) -> list[str]:
    dashes = ["-" * (width or max(text_width(name), 1)) for name, width in zip(names, widths, strict=True)]
    return [_line(names, widths, rights, style), _line(dashes, widths, rights, style)]


_FIXED: Final = frozenset({"char", "nchar", "varchar", "nvarchar", "sql_variant"})
_VARIABLE: Final = frozenset({"varchar", "nvarchar", "varbinary", "xml", "text", "ntext", "image"})


def _cells(row: Sequence[Any], columns: Sequence[ResultColumn], style: Style) -> list[str]:
    texts = [display(value, column.type) for value, column in zip(row, columns, strict=True)]
    if style.controls is not None:
        texts = [_without_controls(text, style.controls) for text in texts]
    if style.variable_width or style.fixed_width:
        texts = [text[: _width_of(column.type, style) or None] for text, column in zip(texts, columns, strict=True)]
    limit = style.cell_limit
    if limit is not None:
        texts = [text if len(text) <= limit else text[: limit - 1] + "…" for text in texts]
    return texts


def _width_of(sql_type: SqlType, style: Style) -> int:
    """How much of a value is shown, as -y and -Y have it; 0 for all."""
    if sql_type.name in _VARIABLE and (sql_type.length in (None, MAX)):
        return style.variable_width
    return style.fixed_width if sql_type.name in _FIXED else 0


def _without_controls(text: str, mode: str) -> str:
    if text.isprintable():
        return text
    if mode == "run":
        parts = "".join("\0" if _is_control(sign) else sign for sign in text).split("\0")
        return " ".join([parts[0], *(part for part in parts[1:-1] if part), parts[-1]] if len(parts) > 1 else parts)
    return "".join(({"each": " "}.get(mode, "")) if _is_control(sign) else sign for sign in text)


def _is_control(sign: str) -> bool:
    return unicodedata.category(sign) == "Cc"


def _line(texts: Sequence[str], widths: list[int], rights: list[bool], style: Style) -> str:
    parts = []
    for text, width, right in zip(texts, widths, rights, strict=True):
        if style.trim:
            text = text.rstrip(" ")
        blanks = " " * (width - text_width(text))
        parts.append(blanks + text if right else text + blanks)
    return style.separator.join(parts).rstrip(" ")


def text_width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
