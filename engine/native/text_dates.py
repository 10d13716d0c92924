"""Dates that DuckDB reads from text: the digits of a date in the order of a style, with
a time of day behind it or without.

How long a text is says which format it may have; a text of that length in which no part has fewer digits has
them all. What is shorter, has blanks at its ends, names of months, other signs between or an offset, Python
reads (`grammar.values.date_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.catalog.duck_types import in_ticks, quote_literal
from sbql.engine.native.forms import FIRST_MICROSECOND, Form
from sbql.engine.native.moments import to_300ths
from sbql.grammar.types import SqlType
from sbql.grammar.values.languages import DateFormat

__all__ = ["date_from_text"]

_ISO: Final = frozenset({None, 0, 20, 21, 23, 120, 121, 126})
_ORDERED: Final = {
    101: "%m/%d/%Y", 102: "%Y.%m.%d", 103: "%d/%m/%Y", 104: "%d.%m.%Y", 105: "%d-%m-%Y", 110: "%m-%d-%Y", 111: "%Y/%m/%d", 112: "%Y%m%d",
}  # fmt: skip
"""Styles of dates in digits, in the marks of strptime."""
_BY_ORDER: Final = {"mdy": "%m/%d/%Y", "dmy": "%d/%m/%Y", "ymd": "%Y/%m/%d"}


def date_from_text(
    value: str, target: SqlType, style: int | None, dates: DateFormat, *, is_parsed: bool = False
) -> Form | None:
    """The form for `value`, a text without blanks at its end, or None. `is_parsed`: as PARSE reads it, where what
    begins with a year has the month next in any order, and digits alone are no date."""
    if target.name not in ("date", "datetime", "datetime2"):
        return None
    is_fixed = is_parsed or target.name != "datetime" or dates.order.find("m") < dates.order.find("d")
    if style in _ISO:
        marks = ["%Y-%m-%d"] if is_fixed else []
        marks += [_BY_ORDER[dates.order]] if style in (None, 0) and dates.order in _BY_ORDER else []
    elif style in _ORDERED:
        marks = [_ORDERED[style]]
    else:
        return None
    found = " ".join(f"WHEN {length} THEN {read}" for length, read in _formats(marks, target, is_parsed).items())
    stored = "m"
    if target.name == "date":
        stored = "CAST(m AS DATE)"
    elif in_ticks(target):
        stored = f"((epoch_us(m) + {FIRST_MICROSECOND}) * 10)"
    low, high = ("1753-01-02" if target.name == "datetime" else "0001-01-01"), "9999-12-31"  # rounding may cross an end
    is_plain = f"m >= TIMESTAMP '{low}' AND m < TIMESTAMP '{high}'"
    first = "w >= '0' AND right(w, 1) BETWEEN '0' AND '9'"
    sql = f"invoke(lambda w: invoke(lambda m: CASE WHEN {is_plain} THEN {stored} END, CASE WHEN {first} THEN CASE strlen(w) {found} END END), {value})"
    return Form(sql, misses=True)


def _formats(marks: Sequence[str], target: SqlType, is_parsed: bool) -> dict[int, str]:
    """Lengths of texts to the moments that they may be; digits alone are in one order wherever they are a date."""
    found = {} if is_parsed else {8: _read("%Y%m%d"), 17: _read("%Y%m%d %H:%M:%S")}
    dated = [mark for mark in marks if mark != "%Y%m%d"]
    if not dated:
        return found
    found |= {10: _read(*dated), 16: _read(*(f"{mark} %H:%M" for mark in dated))}
    found[19] = _read(*(f"{mark} %H:%M:%S" for mark in dated), *([_WITH_T] if "%Y-%m-%d" in marks else []))
    fine = _read(*(f"{mark} %H:%M:%S.%g" for mark in dated))
    if target.name == "datetime":
        fine = to_300ths(f"epoch_us({fine})")
    if target.name != "datetime2" or target.scale is None or target.scale >= 3:
        found[23] = fine
    return found


_WITH_T: Final = "%Y-%m-%dT%H:%M:%S"


def _read(*formats: str) -> str:
    return f"TRY_STRPTIME(w, [{', '.join(map(quote_literal, formats))}])"
