"""Native forms of DATEADD.

A part that is always as long is added to the count of ticks or microseconds that a date is, and what comes out rounded
as the type is; months are added by the calendar. Odd is what may lead out of the calendar, or of what the type holds:
the Python form knows for sure.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.forms import FIRST_MICROSECOND, Call, Form
from sbql.engine.native.moments import (
    Count,
    as_stored,
    as_ticks,
    digits_of,
    packed,
    rounded,
    ticks_at,
    to_300ths,
    to_minutes,
)
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.ticks import TICKS_A_DAY, TICKS_A_SECOND

__all__ = ["dateadd"]

_MONTHS: Final = {"year": 12, "quarter": 3, "month": 1}
_DAY: Final = 86_400_000_000
_LENGTHS: Final = {
    "week": 7 * _DAY, "day": _DAY, "dayofyear": _DAY, "weekday": _DAY, "hour": 3_600_000_000, "minute": 60_000_000, "second": 1_000_000,
    "millisecond": 1000, "microsecond": 1,
}  # fmt: skip
"""Microseconds. A nanosecond is rounded to ticks."""

_CENTURY: Final = {"months": 1200, "days": 36_500, "seconds": 3_000_000_000}
"""So many of them are no more than one."""
_AHEAD: Final = 40
"""Forward it may be so many centuries: the days or months since 1900 are added to 1900 wherever a date is cut off."""
_MIDDLE: Final = {
    "datetime": ("1853-02-01", "5899-12-01"), "smalldatetime": ("1910-02-01", "2069-01-01"), "datetime2": ("0101-02-01", "5899-12-01"),
    "datetimeoffset": ("0101-02-01", "5899-12-01"), "date": ("0101-02-01", "5899-12-01"),
}  # fmt: skip
"""As far away from the ends of the type; ten years for smalldatetime."""


def dateadd(call: Call) -> Form | None:
    """The form for one date part. A whole number that is no bigint has too few parts of a second to lead far away."""
    part, moved = call.part, call.types[1]
    if part in _MONTHS:
        return _months_added(call, _MONTHS[part])
    if part not in _LENGTHS and part != "nanosecond":
        return None
    length = _LENGTHS.get(part, 0)
    if (length < _DAY and kind(moved) == "date") or (length < 1000 and kind(moved) == "datetime"):
        return None
    odd = _far(call, length)
    if moved.name != "time":
        odd.append(_edges(moved))
    return Form(_added(moved, length), " OR ".join(odd))


def _far(call: Call, length: int) -> list[str]:
    """Numbers of parts that may lead far away."""
    if length < 1_000_000:
        return ["{0} NOT BETWEEN -2147483647 AND 2147483647"] if call.types[0].name == "bigint" else []
    limit = _CENTURY["days"] * _DAY // length if length >= _DAY else _CENTURY["seconds"] * 1_000_000 // length
    return _beyond(call, limit)


def _beyond(call: Call, limit: int) -> list[str]:
    if call.types[1].name == "smalldatetime":
        return [f"{{0}} > {limit // 10} OR {{0}} < -{limit // 10}"]
    return [f"{{0}} > {limit * _AHEAD} OR {{0}} < -{limit}"]


def _edges(moved: SqlType) -> str:
    low, high = _MIDDLE[moved.name]
    value = "({1}).utc" if moved.name == "datetimeoffset" else "{1}"
    if in_ticks(moved):
        return f"{value} < {ticks_at(low)} OR {value} > {ticks_at(high)}"
    literal = "DATE" if moved.name == "date" else "TIMESTAMP"
    return f"{value} < {literal} '{low}' OR {value} > {literal} '{high}'"


def _added(moved: SqlType, length: int) -> str:
    """The text of a sum with parts of so many microseconds, or of a nanosecond (0)."""
    number = f"{{0}}::BIGINT * {length}"
    if kind(moved) == "date":
        return f"({{1}} + CAST({{0}}::BIGINT * {length // _DAY} AS INTEGER))"
    if moved.name == "datetime" and length == 1000:
        return to_300ths(f"(epoch_us({{1}}) + {number})")
    if moved.name == "smalldatetime" and length < 60_000_000:
        return to_minutes(Count(f"(epoch_us({{1}}) + {number} + {FIRST_MICROSECOND})", 1_000_000))
    if moved.name == "time":
        return _turned(moved, length)
    if moved.name == "datetimeoffset":
        instant = SqlType("datetime2", scale=digits_of(moved))
        utc = _moved(instant, "({1}).utc", length)
        return packed(utc, "({1}).minutes", "{0} IS NOT NULL AND {1}")
    return _moved(moved, "{1}", length)


def _moved(moved: SqlType, value: str, length: int) -> str:
    """What is stored of a sum."""
    if in_ticks(moved):
        return f"({value} + {_ticks(length)})"
    digits = digits_of(moved)
    if moved.name != "datetime2" or (length and length * 10**digits % 1_000_000 == 0):
        return f"make_timestamp(epoch_us({value}) + {{0}}::BIGINT * {length})"
    return as_stored(rounded(Count(f"({as_ticks(value)} + {_ticks(length)})", TICKS_A_SECOND), digits, 7), moved)


def _ticks(length: int) -> str:
    """Nanoseconds are rounded, half away from zero."""
    if length:
        return f"{{0}}::BIGINT * {length * 10}"
    return "CASE WHEN {0} < 0 THEN - ((50 - {0}::BIGINT) // 100) ELSE ({0}::BIGINT + 50) // 100 END"


def _turned(moved: SqlType, length: int) -> str:
    """A time of day turns round at midnight. What is divided is not below zero."""
    digits = digits_of(moved)
    if digits < 7 and length and length * 10**digits % 1_000_000 == 0:
        return f"({{1}} + to_microseconds({{0}}::BIGINT * {length}))"
    ticks = "{1}" if digits == 7 else "(epoch_us({1}) * 10)"
    turned = f"((({ticks} + {_ticks(length)}) % {TICKS_A_DAY} + {TICKS_A_DAY}) % {TICKS_A_DAY})"
    return turned if digits == 7 else as_stored(rounded(Count(turned, TICKS_A_SECOND), digits, 7), moved)


def _months_added(call: Call, factor: int) -> Form | None:
    """By the calendar, of local time: a month may be longer in one place than in another."""
    moved = call.types[1]
    if moved.name == "time":
        return None
    sum_ = f"({{m1}} + to_months(CAST({{0}}::BIGINT * {factor} AS INTEGER)))"
    odd = " OR ".join([*_beyond(call, _CENTURY["months"] // factor), _edges(moved)])
    if moved.name == "datetimeoffset":
        minutes = "({1}).minutes"
        if in_ticks(moved):
            utc = f"({as_ticks(sum_)} + ({{1}}).utc % 10 - {minutes} * {60 * TICKS_A_SECOND}::BIGINT)"
        else:
            utc = f"make_timestamp(epoch_us({sum_}) - {minutes} * 60000000::BIGINT)"
        return Form(packed(utc, minutes, "{0} IS NOT NULL AND {1}"), odd)
    if in_ticks(moved):
        return Form(f"({as_ticks(sum_)} + {{1}} % 10)", odd)
    return Form(f"CAST({sum_} AS DATE)" if kind(moved) == "date" else sum_, odd)
