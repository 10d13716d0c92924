"""Dates and times: rounding to what a type can hold, its range, and the arithmetic of date parts.

datetime counts 1/300 seconds, smalldatetime minutes, datetime2, time and datetimeoffset 0 to 7 fractional digits (see
ticks). A datetime value is kept in the milliseconds that it shows; `raw_datetime` gives what it stands for. It decides
nothing about text: see date_text and date_styles.
"""

from __future__ import annotations

import datetime as dt

from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.ticks import TICKS_A_SECOND, TickTime, fraction_of, with_tick

__all__ = [
    "BASE_DATE",
    "as_datetime",
    "checked_offset",
    "datetime_from_seconds",
    "days_since_1900",
    "from_days_since_1900",
    "in_range",
    "nanoseconds_of",
    "raw_datetime",
    "round_datetime",
    "round_fraction",
    "round_smalldatetime",
    "to_date_type",
]

BASE_DATE = dt.datetime(1900, 1, 1)
_DATETIME_MIN = dt.datetime(1753, 1, 1)
_SMALL_MIN, _SMALL_END = dt.datetime(1900, 1, 1), dt.datetime(2079, 6, 6, 23, 59, 29, 999_000)
"""From here on a value would be rounded up to a day that the type has not."""


def round_datetime(value: dt.datetime) -> dt.datetime:
    """To the nearest 1/300 second, shown as .000, .003 or .007."""
    fraction = fraction_of(value)
    parts = (fraction * 3 + 50_000) // 100_000
    shown = (parts * 10 + 1) // 3  # milliseconds: 0 3 7 10 13 17 …
    if parts == 300:
        return value.replace(microsecond=0) + dt.timedelta(seconds=1)
    return value if fraction == shown * 10_000 else value.replace(microsecond=shown * 1000)


def _parts_of_second(value: dt.datetime) -> int:
    """The 300ths of the second of a datetime."""
    return (value.microsecond * 3 + 5000) // 10_000


def raw_datetime(value: dt.datetime) -> dt.datetime:
    """A datetime to 100 ns: .003 is a 300th of a second, .0033333."""
    ticks = (_parts_of_second(value) * 100_000 + 1) // 3
    return with_tick(value.replace(microsecond=ticks // 10), ticks % 10)


def nanoseconds_of(value: dt.datetime, type_name: str) -> int:
    """The nanoseconds of the second. Those of a datetime are what its 300ths are worth, cut off."""
    if type_name == "datetime":
        return _parts_of_second(value) * 10_000_000 // 3
    return fraction_of(value) * 100


def round_smalldatetime(value: dt.datetime) -> dt.datetime:
    """To the nearest minute: 29.998 seconds go down, 29.999 up."""
    down = value.replace(second=0, microsecond=0)
    return down + dt.timedelta(minutes=1) if value - down >= dt.timedelta(seconds=29, microseconds=999_000) else down


def round_fraction(value: dt.datetime, scale: int | None) -> dt.datetime:
    """To `scale` fractional digits, half up."""
    if scale is None or scale == 7:
        return value
    unit: int = 10 ** (7 - scale)
    fraction = (fraction_of(value) + unit // 2) // unit * unit
    if fraction == TICKS_A_SECOND:
        try:
            return value.replace(microsecond=0) + dt.timedelta(seconds=1)
        except OverflowError:
            fraction -= unit
    return value.replace(microsecond=fraction // 10)


def in_range(value: dt.datetime, type_name: str) -> bool:
    """Whether a datetime or smalldatetime can hold the value; other types hold all of years 1 to 9999."""
    if type_name == "datetime":
        return value >= _DATETIME_MIN
    return _SMALL_MIN <= value < _SMALL_END if type_name == "smalldatetime" else True


def as_datetime(value: dt.date | dt.time | dt.datetime) -> dt.datetime:
    """Any date value as a datetime without zone: a time is on 1900-01-01, an offset keeps its local time."""
    if isinstance(value, dt.datetime):
        return value if value.tzinfo is None else value.replace(tzinfo=None)
    if isinstance(value, dt.time):
        plain = dt.datetime.combine(BASE_DATE, value)
        return with_tick(plain, value.tick) if isinstance(value, TickTime) else plain
    return dt.datetime(value.year, value.month, value.day)


def checked_offset(value: dt.datetime, number: int, *arguments: object) -> dt.datetime:
    """A value with an offset whose UTC exists, too. Raises the error `number`."""
    try:
        value.astimezone(dt.UTC)
    except OverflowError:
        raise sql_error(number, *arguments) from None
    return value


def to_date_type(value: dt.date | dt.time | dt.datetime, target: SqlType, source_name: str) -> dt.date | dt.time:
    """A date value as the type `target`. Raises 242 or 296 when it is out of range.

    To datetimeoffset a value without zone is taken as UTC; from datetimeoffset the local time counts, except to types
    with an offset. A datetime becomes another type from its 300ths of a second, not from the milliseconds it shows.
    """
    name = target.name
    plain = as_datetime(value)
    if source_name == "datetime" and name in ("time", "datetime2", "datetimeoffset"):
        plain = raw_datetime(plain)
    if name == "datetimeoffset":
        zone = value.tzinfo if isinstance(value, dt.datetime) and value.tzinfo is not None else dt.UTC
        return checked_offset(round_fraction(plain, target.scale).replace(tzinfo=zone), 242, source_name, name)
    if name == "date":
        return plain.date()
    if name == "time":
        return round_fraction(plain.replace(year=1900, month=1, day=1), target.scale).time()
    if name == "datetime2":
        return round_fraction(plain, target.scale)
    if not in_range(plain, name):
        raise sql_error(242, source_name, name)
    try:
        return round_datetime(plain) if name == "datetime" else round_smalldatetime(plain)
    except OverflowError:  # the last day of all, rounded up
        raise sql_error(242, source_name, name) from None


def days_since_1900(value: dt.datetime) -> float:
    """What a datetime or smalldatetime is as a number."""
    days, seconds = divmod((value.replace(microsecond=0) - BASE_DATE) // dt.timedelta(seconds=1), 86_400)
    return ((days * 86_400 + seconds) * 300 + _parts_of_second(value)) / 25_920_000


def from_days_since_1900(days: float, type_name: str) -> dt.datetime:
    """What a number is as a datetime. Raises 8115 when out of range."""
    try:
        found = BASE_DATE + dt.timedelta(days=days)
    except OverflowError:
        raise sql_error(8115, "expression", type_name) from None
    if not in_range(found, type_name):
        raise sql_error(8115, "expression", type_name)
    return round_datetime(found) if type_name == "datetime" else round_smalldatetime(found)


def datetime_from_seconds(seconds: float) -> dt.datetime:
    """Seconds since 1970-01-01 UTC as a datetime value, rounded to 1/300 s."""
    return round_datetime(dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds))
