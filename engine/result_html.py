"""Result sets as HTML tables, for notebooks.

It decides how values look there: as the command line prints them, NULL dim, numbers to the right, binary
values with the text that they carry. Everything that comes from data is escaped. Styles are attributes, for a
notebook that is looked at elsewhere loses style sheets; colours are such that they can be read on dark
ground, too. A large result is cut, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final, Protocol

from sbql.grammar.types import SqlType
from sbql.grammar.values.display import to_display
from sbql.grammar.values.kinds import kind

__all__ = ["html_note", "html_table"]

_ROWS: Final = 100
_CELL: Final = 300
_DIM: Final = "color:#8a94a0"
_CELL_STYLE: Final = "padding:2px 10px;border-bottom:1px solid rgba(128,128,128,.3);vertical-align:top"


class _Column(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> SqlType: ...


def html_note(text: str) -> str:
    """A line for people, such as (2 rows affected)."""
    return f'<div class="sbql-note" style="{_DIM}">({escape(text)})</div>'


def html_table(columns: Sequence[_Column], rows: Sequence[tuple[Any, ...]], limit: int = _ROWS) -> str:
    """The first `limit` rows, and a line that says how many there are."""
    sides = ["right" if kind(column.type) in ("int", "decimal", "money", "float") else "left" for column in columns]
    heads = "".join(
        f'<th style="{_CELL_STYLE};text-align:{side}" title="{escape(str(column.type))}">{_name(column.name)}</th>'
        for column, side in zip(columns, sides, strict=True)
    )
    lines = [
        "<tr>" + "".join(
            f'<td style="{_CELL_STYLE};text-align:{side}">{_cell(value, column.type)}</td>'
            for value, column, side in zip(row, columns, sides, strict=True)
        ) + "</tr>"
        for row in rows[:limit]
    ]  # fmt: skip
    count = f"{len(rows)} row{'' if len(rows) == 1 else 's'}"
    if len(rows) > limit:
        count = f"the first {limit} of {count}"
    return (
        f'<table class="sbql-result" style="border-collapse:collapse"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>{html_note(count)}"
    )


def _name(name: str) -> str:
    return escape(_shown(name)) if name else f'<span style="{_DIM}">(No column name)</span>'


def _cell(value: Any, sql_type: SqlType) -> str:
    if value is None:
        return f'<span style="{_DIM};font-style:italic">NULL</span>'
    if kind(sql_type) != "binary":
        return _text(to_display(value, sql_type))
    text = _carried(bytes(value))
    shown = _text(to_display(value, sql_type), 42 if text is not None else _CELL)
    return shown if text is None else f'{shown}<br><span style="{_DIM}" title="the text in it">{_text(text)}</span>'


def _carried(data: bytes) -> str | None:
    """The text of a message body, when it looks like one: UTF-16 as nvarchar sends it, else UTF-8."""
    if len(data) < 2:
        return None
    for encoding in ("utf-16-le", "utf-8"):
        try:
            text = data.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError:
            continue
        if text and all(char.isprintable() or char in "\r\n\t" for char in text) and _is_likely(text, encoding):
            return text
    return None


def _is_likely(text: str, encoding: str) -> bool:
    """Two letters of UTF-8 read as UTF-16 are one rare character: most of a text is from the first pages of Unicode."""
    return encoding == "utf-8" or sum(char < "\u0600" for char in text) * 2 > len(text)


def _text(text: str, most: int = _CELL) -> str:
    cut = f"{text[:most]}…" if len(text) > most else text
    return escape(_shown(cut)).replace("\n", "<br>")


def _shown(text: str) -> str:
    """Control characters and halves of pairs, which HTML cannot carry, as a replacement character."""
    return "".join(
        char if char >= " " and not "\ud800" <= char <= "\udfff" and char != "\x7f" or char in "\n\t" else "�"
        for char in text
    )
