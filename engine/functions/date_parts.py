"""Date parts: DATEADD, DATEDIFF, DATEPART, DATENAME, DATETRUNC, DATE_BUCKET (documentation: "Date and time functions").

DATEDIFF counts boundaries crossed, not time passed; weeks begin on Sunday for DATEDIFF whatever SET DATEFIRST says, but
DATEPART(week) and DATEPART(weekday) follow it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import any_date, date_or_text, integer_or_bigint, only_date
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import BIGINT, INT, SqlType, datetimeoffset, nvarchar
from sbql.grammar.values.date_styles import offset_text
from sbql.grammar.values.dates import (
    as_datetime,
    checked_offset,
    in_range,
    nanoseconds_of,
    round_datetime,
    round_fraction,
    round_smalldatetime,
)
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import Language
from sbql.grammar.values.ticks import TICKS_A_DAY, TICKS_A_SECOND, add_ticks, datetime_ticks, time_ticks

__all__ = ["add_part"]

Types = tuple[SqlType, ...]
Moment = dt.date | dt.time | dt.datetime

_PARTS = {
    "year": ("year", "yy", "yyyy"), "quarter": ("quarter", "qq", "q"), "month": ("month", "mm", "m"),
    "dayofyear": ("dayofyear", "dy", "y"), "day": ("day", "dd", "d"), "week": ("week", "wk", "ww"),
    "weekday": ("weekday", "dw", "w"), "hour": ("hour", "hh"), "minute": ("minute", "mi", "n"), "second": ("second", "ss", "s"),
    "millisecond": ("millisecond", "ms"), "microsecond": ("microsecond", "mcs"), "nanosecond": ("nanosecond", "ns"),
    "tzoffset": ("tzoffset", "tz"), "iso_week": ("iso_week", "isowk", "isoww"),
}  # fmt: skip
_BY_NAME = {name: part for part, names in _PARTS.items() for name in names}
_TIME_PARTS = frozenset({"hour", "minute", "second", "millisecond", "microsecond", "nanosecond"})
_REFUSED = {
    "DATEADD": {"tzoffset", "iso_week"}, "DATEDIFF": {"tzoffset", "iso_week"}, "DATEDIFF_BIG": {"tzoffset", "iso_week"},
    "DATETRUNC": {"weekday", "tzoffset", "nanosecond"},
    "DATE_BUCKET": {"dayofyear", "weekday", "tzoffset", "iso_week", "microsecond", "nanosecond"},
}  # fmt: skip


def canonical_part(name: str, function_name: str) -> str:
    """The part that a name or abbreviation means. Raises 155 for one that is none."""
    part = _BY_NAME.get(name.lower())
    if part is None:
        advice = did_you_mean(name, _BY_NAME) or f"It takes {', '.join(_PARTS)}."
        raise sql_error(155, name, function_name.lower()).advise(advice)
    return part


def _refuse_part(part: str, sql_type: SqlType, name: str) -> None:
    """Raises 9810 for what the function has of no type."""
    if part in _REFUSED[name.upper()]:
        raise sql_error(9810, part, name, sql_type.name)


def _check_has_part(part: str, sql_type: SqlType, name: str) -> None:
    """Raises 9810 for the hour of a date and the month of a time."""
    family = kind(sql_type)
    if (family == "date" and part in _TIME_PARTS) or (
        family == "time"
        and part in ("year", "quarter", "month", "dayofyear", "day", "week", "weekday", "iso_week", "tzoffset")
    ):
        raise sql_error(9810, part, name, sql_type.name)


# --- adding ------------------------------------------------------------------------------------------------


def _add_months(value: dt.datetime, months: int) -> dt.datetime:
    month = value.year * 12 + value.month - 1 + months
    year, month = month // 12, month % 12 + 1
    if not 1 <= year <= 9999:
        raise OverflowError
    last = (
        (dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)).day
        if (year, month) != (9999, 12)
        else 31
    )
    return value.replace(year=year, month=month, day=min(value.day, last))


_UNITS = {
    "day": TICKS_A_DAY, "dayofyear": TICKS_A_DAY, "weekday": TICKS_A_DAY, "week": 7 * TICKS_A_DAY,
    "hour": 3600 * TICKS_A_SECOND, "minute": 60 * TICKS_A_SECOND, "second": TICKS_A_SECOND, "millisecond": 10_000, "microsecond": 10,
}  # fmt: skip
"""Ticks of 100 ns of the parts that are a fixed time."""


def add_part(part: str, number: int, value: dt.datetime) -> dt.datetime:
    """`value` plus `number` parts. Raises OverflowError beyond years 1 to 9999."""
    if part in ("year", "quarter", "month"):
        return _add_months(value, number * {"year": 12, "quarter": 3, "month": 1}[part])
    if part == "nanosecond":  # rounded to what the types can hold, half away from zero
        return add_ticks(value, (abs(number) + 50) // 100 * (1 if number >= 0 else -1))
    return add_ticks(value, number * _UNITS[part])


def _dateadd_result(types: Types) -> SqlType:
    return types[1]


def _added_type(sql_type: SqlType, position: int, name: str) -> SqlType:
    """A string is taken as datetime; the rest as any_date."""
    return SqlType("datetime") if kind(sql_type) == "string" else any_date(sql_type, position, name)


@function("DATEADD", _dateadd_result, [integer_or_bigint, _added_type], takes_part=canonical_part, typed=True)
def _dateadd(types: Types, part: str) -> Callable[[int, Any], Any]:
    sql_type = types[1]
    _refuse_part(part, sql_type, "dateadd")
    _check_has_part(part, sql_type, "dateadd")
    name = sql_type.name
    if name in ("datetime", "smalldatetime") and part in ("microsecond", "nanosecond"):
        raise sql_error(9810, part, "dateadd", name)

    def add(number: int, value: Any) -> Any:
        try:
            found = add_part(part, number, as_datetime(value))
        except OverflowError:
            raise sql_error(517, name) from None
        if name == "datetimeoffset":
            return checked_offset(round_fraction(found, sql_type.scale).replace(tzinfo=value.tzinfo), 517, name)
        if name in ("datetime", "smalldatetime"):
            if not in_range(found, name):
                raise sql_error(517, name)
            try:
                return round_datetime(found) if name == "datetime" else round_smalldatetime(found)
            except OverflowError:  # the last moments of all, rounded up
                raise sql_error(517, name) from None
        if name == "date":
            return found.date()
        rounded = round_fraction(found, sql_type.scale)
        return rounded.time() if name == "time" else rounded

    return add


# --- differences -------------------------------------------------------------------------------------------


def difference(types: Types, part: str, start: Moment, end: Moment) -> int:
    """The number of `part` boundaries between two moments; offsets are turned to UTC first. The 300ths of a second of
    a datetime count in microseconds and nanoseconds."""
    first, second = _in_utc(start), _in_utc(end)
    if part == "year":
        return second.year - first.year
    if part == "quarter":
        return (second.year * 4 + (second.month - 1) // 3) - (first.year * 4 + (first.month - 1) // 3)
    if part == "month":
        return (second.year * 12 + second.month) - (first.year * 12 + first.month)
    if part == "week":
        return second.toordinal() // 7 - first.toordinal() // 7
    days = second.toordinal() - first.toordinal()
    if part in ("day", "dayofyear", "weekday"):
        return days
    if part in ("microsecond", "nanosecond"):
        unit = 1000 if part == "microsecond" else 1
        early, late = (_nanoseconds(m, t) // unit for m, t in zip((first, second), types, strict=True))
        return days * (86_400_000_000_000 // unit) + late - early
    unit = _UNITS[part]
    return days * (TICKS_A_DAY // unit) + time_ticks(second) // unit - time_ticks(first) // unit


def _in_utc(value: Moment) -> dt.datetime:
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = value.astimezone(dt.UTC)
    return as_datetime(value)


def _nanoseconds(value: dt.datetime, sql_type: SqlType) -> int:
    """The nanoseconds since midnight."""
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return seconds * 1_000_000_000 + nanoseconds_of(value, sql_type.name)


@function("DATEDIFF", INT, [any_date, any_date], takes_part=canonical_part, typed=True)
def _datediff(types: Types, part: str) -> Callable[[Any, Any], int]:
    _refuse_part(part, types[0], "datediff")

    def count(start: Any, end: Any) -> int:
        found = difference(types, part, start, end)
        if not -(2**31) <= found < 2**31:
            raise sql_error(535, "datediff", "datediff")
        return found

    return count


@function("DATEDIFF_BIG", BIGINT, [any_date, any_date], takes_part=canonical_part, typed=True)
def _datediff_big(types: Types, part: str) -> Callable[[Any, Any], int]:
    _refuse_part(part, types[0], "datediff_big")

    def count(start: Any, end: Any) -> int:
        found = difference(types, part, start, end)
        if not -(2**63) <= found < 2**63:
            raise sql_error(535, "datediff_big", "datediff_big")
        return found

    return count


# --- parts -------------------------------------------------------------------------------------------------


def _week(value: dt.datetime, datefirst: int) -> int:
    """Week 1 holds January 1; weeks begin on the DATEFIRST day."""
    january = dt.date(value.year, 1, 1)
    lead = (january.isoweekday() - datefirst) % 7
    return (value.timetuple().tm_yday - 1 + lead) // 7 + 1


_NANOSECONDS = {"millisecond": 1_000_000, "microsecond": 1000, "nanosecond": 1}


def part_value(types: Types, part: str, value: Moment, datefirst: int) -> int:
    """DATEPART. `datefirst` is 1 (Monday) to 7 (Sunday)."""
    plain = as_datetime(value)
    if part == "week":
        return _week(plain, datefirst)
    if part == "weekday":
        return (plain.isoweekday() - datefirst) % 7 + 1
    if part == "iso_week":
        return plain.isocalendar()[1]
    if part == "quarter":
        return (plain.month + 2) // 3
    if part == "dayofyear":
        return plain.timetuple().tm_yday
    if part in _NANOSECONDS:
        return nanoseconds_of(plain, types[0].name) // _NANOSECONDS[part]
    if part == "tzoffset":
        offset = value.utcoffset() if isinstance(value, dt.datetime) else None
        return int(offset.total_seconds() // 60) if offset is not None else 0
    found: int = getattr(plain, part)
    return found


def _datefirst(frame: Frame) -> int:
    datefirst: int = frame.session.options.datefirst
    return datefirst


def _language(frame: Frame) -> Language:
    language: Language = frame.session.options.dates.language
    return language


def _read_date(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Text keeps its offset, for the part tzoffset; the rest as any_date."""
    return datetimeoffset(7) if kind(sql_type) == "string" else any_date(sql_type, position, name)


def _read_parts(types: Types, part: str, name: str) -> None:
    _check_has_part(part, types[0], name)


@function("DATEPART", INT, [_read_date], takes_part=canonical_part, typed=True, needs_options=True)
def _datepart(types: Types, part: str) -> Callable[[Frame, Any], int]:
    _read_parts(types, part, "datepart")
    return lambda frame, value: part_value(types, part, value, _datefirst(frame))


@function("DATENAME", nvarchar(30), [_read_date], takes_part=canonical_part, typed=True, needs_options=True)
def _datename(types: Types, part: str) -> Callable[[Frame, Any], str]:
    _read_parts(types, part, "datename")

    def name(frame: Frame, value: Any) -> str:
        if part == "month":
            return _language(frame).months[as_datetime(value).month - 1]
        if part == "weekday":
            return _language(frame).days[as_datetime(value).weekday()]
        if part == "tzoffset":
            return offset_text(value) if isinstance(value, dt.datetime) and value.tzinfo else "+00:00"
        return str(part_value(types, part, value, _datefirst(frame)))

    return name


def _with_date(sql_type: SqlType, position: int, name: str) -> SqlType:
    """As any_date, but a time has no day. Raises 9810."""
    if sql_type.name == "time":
        raise sql_error(9810, name, name, "time")
    return any_date(sql_type, position, name)


@function("YEAR", INT, [_with_date])
def _year(value: Any) -> int:
    return as_datetime(value).year


@function("MONTH", INT, [_with_date])
def _month(value: Any) -> int:
    return as_datetime(value).month


@function("DAY", INT, [_with_date])
def _day(value: Any) -> int:
    return as_datetime(value).day


# --- truncation --------------------------------------------------------------------------------------------


def _truncated(part: str, value: dt.datetime, datefirst: int) -> dt.datetime:
    midnight = value.replace(hour=0, minute=0, second=0, microsecond=0)
    if part == "year":
        return midnight.replace(month=1, day=1)
    if part == "quarter":
        return midnight.replace(month=(value.month - 1) // 3 * 3 + 1, day=1)
    if part == "month":
        return midnight.replace(day=1)
    if part in ("day", "dayofyear"):
        return midnight
    if part in ("week", "iso_week"):
        first = 1 if part == "iso_week" else datefirst
        return midnight - dt.timedelta(days=(value.isoweekday() - first) % 7)
    return add_ticks(value, -(time_ticks(value) % _UNITS[part]))


_DIGITS = {"millisecond": 3, "microsecond": 6}
"""The fractional digits that a type needs for DATETRUNC to have the part."""


@function(
    "DATETRUNC", lambda types: types[0], [date_or_text], takes_part=canonical_part, typed=True, needs_options=True
)
def _datetrunc(types: Types, part: str) -> Callable[[Frame, Any], Any]:
    sql_type = types[0]
    _refuse_part(part, sql_type, "datetrunc")
    _check_has_part(part, sql_type, "datetrunc")
    digits = 3 if sql_type.name == "datetime" else 7 if sql_type.scale is None else sql_type.scale
    if sql_type.name in ("time", "datetime", "datetime2", "datetimeoffset") and digits < _DIGITS.get(part, 0):
        raise sql_error(9810, part, "datetrunc", sql_type.name)

    def truncate(frame: Frame, value: Any) -> Any:
        try:
            return _like(value, _truncated(part, as_datetime(value), _datefirst(frame)))
        except OverflowError:
            raise sql_error(9837) from None

    return truncate


def _like(value: Any, found: dt.datetime) -> Any:
    """`found` as the kind of date that `value` is. Raises OverflowError where its UTC is not in the calendar."""
    if isinstance(value, dt.datetime):
        zoned = found.replace(tzinfo=value.tzinfo)
        if value.tzinfo is not None:
            zoned.astimezone(dt.UTC)
        return zoned
    return found.time() if isinstance(value, dt.time) else found.date()


@function(
    "DATE_BUCKET",
    lambda types: types[1],
    [integer_or_bigint, only_date, only_date],
    optional=1,
    takes_part=canonical_part,
    typed=True,
)
def _date_bucket(types: Types, part: str) -> Callable[..., Any]:
    """The start of the bucket of `width` parts that holds the value, counted from the origin (default 1900-01-01)."""
    _refuse_part(part, types[1], "date_bucket")

    def start(width: int, value: Any, origin: Any = None) -> Any:
        if width <= 0:
            raise sql_error(9834)
        try:
            return _bucket_start(part, width, value, origin)
        except (OverflowError, ValueError):  # it would begin before year 1 or after 9999
            raise sql_error(517, "date" if type(value) is dt.date else "datetime2") from None

    return start


def _bucket_start(part: str, width: int, value: Any, origin: Any) -> Any:
    moment = as_datetime(value)
    start = as_datetime(origin) if origin is not None else dt.datetime(1900, 1, 1)
    if part in ("year", "quarter", "month"):
        months = width * {"year": 12, "quarter": 3, "month": 1}[part]
        passed = (moment.year - start.year) * 12 + moment.month - start.month
        if _add_months(start, passed) > moment:
            passed -= 1
        return _like(value, _add_months(start, passed // months * months))
    unit = width * _UNITS[part]
    passed_ticks = datetime_ticks(moment) - datetime_ticks(start)
    return _like(value, add_ticks(start, passed_ticks // unit * unit))
