"""Dates written as text by DuckDB: the formats of CONVERT's styles.

Styles of digits only, and those with the short name of a month in English. The Hijri calendar (130, 131), styles of
datetimeoffset and rare ones are Python's.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import US_ENGLISH, DateFormat

__all__ = ["DateText", "date_text"]


class DateText(NamedTuple):
    """A form with {0} and {m0} for the value, the length of the longest text, and whether the bytes of the texts have
    the order of every collation (`typed_sql.Typed.ordered`)."""

    sql: str
    longest: int
    is_ordered: bool = True


_DAYS: Final = {
    1: "%m/%d/%y", 2: "%y.%m.%d", 3: "%d/%m/%y", 4: "%d.%m.%y", 5: "%d-%m-%y", 10: "%m-%d-%y", 11: "%y/%m/%d", 12: "%y%m%d",
    101: "%m/%d/%Y", 102: "%Y.%m.%d", 103: "%d/%m/%Y", 104: "%d.%m.%Y", 105: "%d-%m-%Y", 110: "%m-%d-%Y", 111: "%Y/%m/%d",
    112: "%Y%m%d", 23: "%Y-%m-%d",
}  # fmt: skip
"""Styles that show a date in digits and no time, in the marks of strftime."""

_NAMED: Final = {6: "%d %b %y", 7: "%b %d, %y", 106: "%d %b %Y", 107: "%b %d, %Y"}
"""Those with the name of the month."""

_DATED: Final = frozenset({20, 120, 21, 25, 121, 126})
"""Styles of a date and a time; a date alone shows its own part."""


def date_text(source: SqlType, style: int | None, dates: DateFormat, length: int | None) -> DateText | None:
    """The text of a date in a style. `length`: no more characters are wanted."""
    is_old = source.name in ("datetime", "smalldatetime")
    if style is None or (style == 0 and not is_old):
        style = 0 if is_old else 121
    family = kind(source)
    if family == "time":
        return _clock(source, style)
    marks = _DAYS.get(style) or (_NAMED.get(style) if dates.language is US_ENGLISH else None)
    if marks is not None:
        return _formatted(marks)
    if style in (0, 100) and is_old and dates.language is US_ENGLISH:
        return _with_blanks()
    if style not in _DATED and (style not in (8, 24, 108) or family == "date"):
        return None
    if family == "date":
        return DateText("strftime({0}, '%Y-%m-%d')", 10)
    if style in _DATED and length is not None and length <= 10:
        return _formatted("%Y-%m-%d")
    return _moment(source, style)


def _formatted(marks: str) -> DateText:
    longest = len(marks.replace("%Y", "0000").replace("%b", "Jan").replace("%", "."))
    count = marks.count("%") - marks.count("%Y") - marks.count("%b")
    return DateText(f"strftime({{m0}}, '{marks}')", longest - count, is_ordered="%b" not in marks)


def _with_blanks() -> DateText:
    """`Oct  5 2024  1:05PM`: day and hour are two wide."""
    marked = "strftime({m0}, '%b ~%d %Y ~%I:%M%p')"
    return DateText(f"replace(replace({marked}, '~0', ' '), '~', '')", 19, is_ordered=False)


def _moment(source: SqlType, style: int) -> DateText | None:
    digits = {"datetime": 3, "smalldatetime": 0}.get(source.name, 7 if source.scale is None else source.scale)
    if style in (8, 24, 108):
        return DateText("strftime({m0}, '%H:%M:%S')", 8)
    mark = "T" if style == 126 else " "
    seconds = f"strftime({{m0}}, '%Y-%m-%d{mark}%H:%M:%S')"
    if style in (20, 120) or digits == 0:
        return DateText(seconds, 19)
    fine = f"strftime({{m0}}, '%Y-%m-%d{mark}%H:%M:%S.%f')"
    if digits == 7:
        whole, fraction = f"({fine} || ({{0}} % 10))", "{0} % 10000000 = 0"
    elif digits == 3:
        whole, fraction = f"strftime({{m0}}, '%Y-%m-%d{mark}%H:%M:%S.%g')", "epoch_us({0}) % 1000000 = 0"
    else:
        whole = f"left({fine}, {20 + digits})" if digits < 6 else fine
        fraction = "epoch_us({0}) % 1000000 = 0"
    if style == 126:  # a fraction of 0 is not shown
        return DateText(f"CASE WHEN {fraction} THEN {seconds} ELSE {whole} END", 20 + digits)
    return DateText(whole, 20 + digits)


def _clock(source: SqlType, style: int) -> DateText | None:
    """A time of day; one in ticks shows all of its seven digits."""
    digits = 7 if source.scale is None else source.scale
    moment = "(DATE '2000-01-01' + {u0})"
    if style in (8, 24, 108, 20, 120):
        return DateText(f"strftime({moment}, '%H:%M:%S')", 8)
    if style not in (21, 25, 121, 14, 114) or (style in (14, 114) and digits == 3):
        return None
    if digits == 0:
        return DateText(f"strftime({moment}, '%H:%M:%S')", 8)
    fine = f"strftime({moment}, '%H:%M:%S.%f')"
    if digits == 7:
        return DateText(f"({fine} || ({{0}} % 10))", 16)
    return DateText(f"left({fine}, {9 + digits})" if digits < 6 else fine, 9 + digits)
