"""Dates that DuckDB reads from text: the digits of a date in the order of a style, with
a time of day behind it or without, and a time alone where that is wanted.

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
    if target.name not in _FIRST:
        return None
    is_old = target.name in ("datetime", "smalldatetime")
    is_fixed = is_parsed or not is_old or dates.order.find("m") < dates.order.find("d")
    if style in _ISO:
        marks = ["%Y-%m-%d"] if is_fixed else []
        marks += [_BY_ORDER[dates.order]] if style in (None, 0) and dates.order in _BY_ORDER else []
    elif style in _ORDERED:
        marks = [_ORDERED[style]]
    else:
        return None
    low, high = _FIRST[target.name], "2079-06-06" if target.name == "smalldatetime" else "9999-12-31"
    is_plain = f"m >= TIMESTAMP '{low}' AND m < TIMESTAMP '{high}'"
    first = "w >= '0' AND right(w, 1) BETWEEN '0' AND '9'"
    sql = f"invoke(lambda w: invoke(lambda m: CASE WHEN {is_plain} THEN {_stored(target)} END, CASE WHEN {first} THEN {_moment(marks, target, is_parsed)} END), {value})"
    return Form(sql, misses=True)


_FIRST: Final = {
    "date": "0001-01-01",
    "time": "0001-01-01",
    "datetime": "1753-01-02",
    "datetime2": "0001-01-01",
    "smalldatetime": "1900-01-02",
}
"""Types to the first of the days that are read here: rounding may cross an end. The last one is never read."""


def _stored(target: SqlType) -> str:
    """The moment m of the text w as its type stores it."""
    if target.name == "date":
        return "CAST(m AS DATE)"
    if not in_ticks(target):
        return "CAST(m AS TIME)" if target.name == "time" else "m"
    ticks = f"(epoch_us(m) + {FIRST_MICROSECOND})"
    if target.name == "time":
        return f"({ticks} % {_DAY} * 10 + {_tick(9, 20)})"
    return f"({ticks} * 10 + {_tick(20)})"


_DAY: Final = 86_400_000_000
"""In microseconds."""


def _tick(*points: int) -> str:
    """The seventh digit behind the point of the text w, which may stand at these places."""
    lengths = " OR ".join(f"strlen(w) = {point + 7} AND substring(w, {point}, 1) = '.'" for point in points)
    return f"CASE WHEN {lengths} THEN CAST(right(w, 1) AS BIGINT) ELSE 0 END"


def _moment(marks: Sequence[str], target: SqlType, is_parsed: bool) -> str:
    """The moment that the text w is, by its length; digits alone are in one order wherever they are a date."""
    found = {} if is_parsed else {8: ["%Y%m%d"], 17: ["%Y%m%d %H:%M:%S"]}
    dated, is_time = [mark for mark in marks if mark != "%Y%m%d"], target.name == "time"
    if is_time:
        found |= {5: ["%H:%M"], 8: ["%H:%M:%S", "%Y%m%d"]}
    begins = [f"{mark} " for mark in dated] + (["%Y-%m-%dT"] if "%Y-%m-%d" in marks else [])
    if dated:
        found |= {10: dated, 16: [f"{mark} %H:%M" for mark in dated], 19: [f"{begin}%H:%M:%S" for begin in begins]}
    minute = _to_minute if target.name == "smalldatetime" else str
    whole = " ".join(f"WHEN {length} THEN {minute(_read(*formats))}" for length, formats in sorted(found.items()))
    if not dated:
        return f"CASE strlen(w) {whole} END"
    if is_parsed:
        if target.scale is None or target.scale >= 3:
            whole += f" WHEN 23 THEN {_rounded([f'{mark} %H:%M:%S.%g' for mark in dated], 20, target, 3)}"
        return f"CASE strlen(w) {whole} END"
    most = 23 if target.name in ("datetime", "smalldatetime") else 27
    fine = _rounded([f"{begin}%H:%M:%S.%f" for begin in begins], 20, target)
    moment = (
        f"CASE strlen(w) {whole} ELSE CASE WHEN substring(w, 20, 1) = '.' AND strlen(w) <= {most} THEN {fine} END END"
    )
    if is_time:
        clock = f"CASE WHEN strlen(w) <= 16 THEN {_rounded(['%H:%M:%S.%f'], 9, target)} END"
        return f"CASE WHEN substring(w, 9, 1) = '.' THEN {clock} ELSE {moment} END"
    return moment


def _to_minute(moment: str) -> str:
    """29.998 seconds go down, 29.999 up."""
    return f"date_trunc('minute', {moment} + INTERVAL 30001 MILLISECONDS)"


def _rounded(formats: Sequence[str], point: int, target: SqlType, digits: int = 7) -> str:
    """The text w with a point at that place and up to so many digits behind it, rounded to what the type has."""
    has_tick = digits == 7 and target.name not in ("datetime", "smalldatetime")
    moment = _read(*formats, text=f"substring(w, 1, {point + 6})" if has_tick else "w")
    if target.name == "datetime":
        return to_300ths(f"epoch_us({moment})")
    if target.name == "smalldatetime":
        return _to_minute(moment)
    if target.name == "date" or target.scale is None or target.scale >= digits:
        return moment
    unit = 10 ** (7 - target.scale)
    ticks = f"(epoch_us({moment}) + {FIRST_MICROSECOND}) * 10 + {_tick(point)} + {unit // 2}"
    return f"make_timestamp(({ticks}) // {unit} * {unit // 10} - {FIRST_MICROSECOND})"


def _read(*formats: str, text: str = "w") -> str:
    return f"TRY_STRPTIME({text}, [{', '.join(map(quote_literal, formats))}])"
