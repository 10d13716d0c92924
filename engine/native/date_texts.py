"""Dates written as text by DuckDB: the formats of CONVERT's styles.

Styles of digits, and those with the short name of a month in English. The Hijri calendar (130, 131) and style 22 are
Python's. What is written is local time; `offset_texts` puts an offset behind it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.moments import digits_of
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import US_ENGLISH, DateFormat

__all__ = ["DateText", "date_text"]


class DateText(NamedTuple):
    """A form with {0} and {m0} or {u0} for the value, the length of the longest text, and whether the bytes of the
    texts have the order of every collation (`typed_sql.Typed.ordered`)."""

    sql: str
    longest: int
    is_ordered: bool = True


class _Style(NamedTuple):
    """The marks of strftime for day and time; a tilde stands before two digits of which the first is no zero but a
    blank, and `|` where the fraction of the second is. `is_bare`: a fraction of 0 is not shown."""

    day: str
    time: str = ""
    between: str = " "
    is_bare: bool = False


_TWELVE: Final = "~%I:%M:%S|%p"
_STYLES: Final = {
    1: _Style("%m/%d/%y"), 2: _Style("%y.%m.%d"), 3: _Style("%d/%m/%y"), 4: _Style("%d.%m.%y"), 5: _Style("%d-%m-%y"), 10: _Style("%m-%d-%y"),
    11: _Style("%y/%m/%d"), 12: _Style("%y%m%d"), 101: _Style("%m/%d/%Y"), 102: _Style("%Y.%m.%d"), 103: _Style("%d/%m/%Y"),
    104: _Style("%d.%m.%Y"), 105: _Style("%d-%m-%Y"), 110: _Style("%m-%d-%Y"), 111: _Style("%Y/%m/%d"), 112: _Style("%Y%m%d"), 23: _Style("%Y-%m-%d"),
    6: _Style("%d %b %y"), 7: _Style("%b %d, %y"), 106: _Style("%d %b %Y"), 107: _Style("%b %d, %Y"),
    0: _Style("%b ~%d %Y", "~%I:%M%p"), 100: _Style("%b ~%d %Y", "~%I:%M%p"), 9: _Style("%b ~%d %Y", _TWELVE), 109: _Style("%b ~%d %Y", _TWELVE),
    13: _Style("%d %b %Y", "%H:%M:%S|"), 113: _Style("%d %b %Y", "%H:%M:%S|"), 8: _Style("", "%H:%M:%S"), 24: _Style("", "%H:%M:%S"),
    108: _Style("", "%H:%M:%S"), 14: _Style("", "%H:%M:%S|"), 114: _Style("", "%H:%M:%S|"), 20: _Style("%Y-%m-%d", "%H:%M:%S"),
    120: _Style("%Y-%m-%d", "%H:%M:%S"), 21: _Style("%Y-%m-%d", "%H:%M:%S|"), 25: _Style("%Y-%m-%d", "%H:%M:%S|"), 121: _Style("%Y-%m-%d", "%H:%M:%S|"),
    126: _Style("%Y-%m-%d", "%H:%M:%S|", "T", is_bare=True), 127: _Style("%Y-%m-%d", "%H:%M:%S|", "T", is_bare=True),
}  # fmt: skip
_COLON: Final = frozenset({9, 109, 13, 113, 14, 114})
"""Styles that have a colon before three digits of a fraction."""
_WIDTHS: Final = {"%Y": "0000", "%b": "Jan", "~": "", "%g": "000", "%f": "000000"}


def date_text(source: SqlType, style: int | None, dates: DateFormat, length: int | None) -> DateText | None:
    """The text of a date in a style. `length`: no more characters are wanted. A datetimeoffset is written without its
    offset, in style 127 as UTC."""
    is_old = source.name in ("datetime", "smalldatetime")
    if style is None or (style == 0 and not is_old):
        style = 0 if is_old else 121
    found, family = _STYLES.get(style), kind(source)
    if found is None or ("%b" in found.day and family != "time" and dates.language is not US_ENGLISH):
        return None
    if not (found.time if family == "time" else found.day or family != "date"):
        return None  # refused
    marks = _marks(found, family, length)
    digits = digits_of(source) if "|" in marks else 0
    moment = "(DATE '2000-01-01' + {u0})" if family == "time" else "{u0}" if style == 127 else "{m0}"
    point = ":" if style in _COLON and digits == 3 else "."
    shown = _written(source, moment, marks, point, digits)
    if found.is_bare and digits:
        plain = _written(source, moment, marks, point, 0)
        shown = f"CASE WHEN {_is_whole(source)} THEN {plain} ELSE {shown} END"
    longest = _length(marks.replace("|", "")) + (digits + 1 if digits else 0)
    return DateText(shown, longest, is_ordered="%b" not in marks and "%p" not in marks)


def _marks(style: _Style, family: str, length: int | None) -> str:
    if family == "date" or (style.day == "%Y-%m-%d" and family != "time" and length is not None and length <= 10):
        return style.day
    if family == "time" or not style.day:
        return style.time
    return f"{style.day}{style.between}{style.time}" if style.time else style.day


def _written(source: SqlType, moment: str, marks: str, point: str, digits: int) -> str:
    """The text of a moment with so many digits of its second. strftime has three or six of them."""
    head, _, tail = marks.partition("|")
    if digits in (0, 3, 6):
        fraction = f"{point}%g" if digits == 3 else f"{point}%f" if digits else ""
        return _without_tildes(f"strftime({moment}, '{head}{fraction}{tail}')", marks)
    found = f"strftime({moment}, '{head}{point}%f')"
    if digits == 7:
        ticks = "({0}).utc" if source.name == "datetimeoffset" else "{0}"
        found = f"{found} || ({ticks} % 10)"
    else:
        found = f"left({found}, {_length(head, tildes=True) + 1 + digits})"
    if tail:
        found = f"{found} || strftime({moment}, '{tail}')"
    return _without_tildes(f"({found})" if "||" in found else found, marks)


def _without_tildes(text: str, marks: str) -> str:
    return f"replace(replace({text}, '~0', ' '), '~', '')" if "~" in marks else text


def _length(marks: str, *, tildes: bool = False) -> int:
    """Of the longest text: a mark that is not among the widths is as long as its digits."""
    for mark, text in _WIDTHS.items():
        marks = marks.replace(mark, mark if tildes and mark == "~" else text)
    return len(marks)


def _is_whole(source: SqlType) -> str:
    """Whether a second has no fraction."""
    value = "({0}).utc" if source.name == "datetimeoffset" else "{0}"
    return f"{value} % 10000000 = 0" if in_ticks(source) else f"microsecond({value}) % 1000000 = 0"
