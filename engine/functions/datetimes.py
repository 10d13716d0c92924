"""Date and time functions that make or change whole values: GETDATE, SYSDATETIME, EOMONTH, DATEFROMPARTS, SWITCHOFFSET
…

The clock is the host's. Local time is UTC plus the host's offset.
"""

from __future__ import annotations

import calendar
import datetime as dt
from typing import Any, Final

from sbql.engine.functions.date_parts import add_part
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import any_date
from sbql.engine.statement_moment import seconds_of
from sbql.grammar.digits import is_whole
from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATE, DATETIME, INT, SqlType, datetime2, datetimeoffset, time
from sbql.grammar.values.dates import as_datetime, checked_offset, in_range, round_datetime, round_smalldatetime
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.ticks import with_tick

__all__ = ["CLOCKS", "parsed_zone"]

_EPOCH = dt.datetime(1970, 1, 1)

CLOCKS: Final = frozenset(
    {
        "CURRENT_DATE", "CURRENT_TIMESTAMP", "GETDATE", "GETUTCDATE", "SYSDATETIME", "SYSDATETIMEOFFSET", "SYSUTCDATETIME"
    }
)  # fmt: skip
"""The functions that ask for the time."""


def utc_now(frame: Frame) -> dt.datetime:
    """Now in UTC, without zone: one moment for all of a statement."""
    session = frame.session
    return _EPOCH + dt.timedelta(seconds=seconds_of(session, session.instance.host.shown))


def _offset(frame: Frame) -> dt.timedelta:
    return dt.timedelta(minutes=frame.session.instance.host.utc_offset_minutes())


def local_now(frame: Frame) -> dt.datetime:
    """Now in local time, without zone."""
    return utc_now(frame) + _offset(frame)


@function("GETDATE", DATETIME, needs_frame=True)
def _getdate(frame: Frame) -> dt.datetime:
    return round_datetime(local_now(frame))


@function("CURRENT_TIMESTAMP", DATETIME, needs_frame=True)
def _current_timestamp(frame: Frame) -> dt.datetime:
    return round_datetime(local_now(frame))


@function("GETUTCDATE", DATETIME, needs_frame=True)
def _getutcdate(frame: Frame) -> dt.datetime:
    return round_datetime(utc_now(frame))


@function("SYSDATETIME", datetime2(7), needs_frame=True)
def _sysdatetime(frame: Frame) -> dt.datetime:
    return local_now(frame)


@function("SYSUTCDATETIME", datetime2(7), needs_frame=True)
def _sysutcdatetime(frame: Frame) -> dt.datetime:
    return utc_now(frame)


@function("SYSDATETIMEOFFSET", datetimeoffset(7), needs_frame=True)
def _sysdatetimeoffset(frame: Frame) -> dt.datetime:
    return local_now(frame).replace(tzinfo=dt.timezone(_offset(frame)))


@function("CURRENT_DATE", DATE, needs_frame=True)
def _current_date(frame: Frame) -> dt.date:
    return local_now(frame).date()


@function("CURRENT_TIMEZONE", SqlType("varchar", length=100), needs_frame=True)
def _current_timezone(frame: Frame) -> str:
    minutes = frame.session.instance.host.utc_offset_minutes()
    if minutes == 0:
        return "(UTC) Coordinated Universal Time"
    sign = "-" if minutes < 0 else "+"
    return f"(UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d})"


@function("CURRENT_TIMEZONE_ID", SqlType("varchar", length=100), needs_frame=True)
def _current_timezone_id(frame: Frame) -> str:
    minutes = frame.session.instance.host.utc_offset_minutes()
    return "UTC" if minutes == 0 else f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}"


@function("EOMONTH", DATE, [any_date, INT], optional=1, null_on_null=False)
def _eomonth(value: Any, months: int | None = 0) -> dt.date | None:
    """The last day of the month, `months` further on. A NULL number counts as 0."""
    if value is None:
        return None
    try:
        moved = add_part("month", months or 0, as_datetime(value))
    except OverflowError:
        raise sql_error(517, "date") from None
    return moved.date().replace(day=calendar.monthrange(moved.year, moved.month)[1])


def _built(name: str, year: int, month: int, day: int, *time: int) -> dt.datetime:
    hour, minute, second, microsecond = (*time, 0, 0, 0, 0)[:4]
    try:
        return dt.datetime(year, month, day, hour, minute, second, microsecond)
    except ValueError:
        raise sql_error(289, name) from None


@function("DATEFROMPARTS", DATE, [INT, INT, INT])
def _datefromparts(year: int, month: int, day: int) -> dt.date:
    return _built("date", year, month, day).date()


@function("DATETIMEFROMPARTS", DATETIME, [INT] * 7)
def _datetimefromparts(
    year: int, month: int, day: int, hour: int, minute: int, second: int, milliseconds: int
) -> dt.datetime:
    value = _built("datetime", year, month, day, hour, minute, second, milliseconds * 1000)
    if not in_range(value, "datetime"):
        raise sql_error(289, "datetime")
    return round_datetime(value)


@function("SMALLDATETIMEFROMPARTS", SqlType("smalldatetime"), [INT] * 5)
def _smalldatetimefromparts(year: int, month: int, day: int, hour: int, minute: int) -> dt.datetime:
    value = _built("smalldatetime", year, month, day, hour, minute)
    if not in_range(value, "smalldatetime"):
        raise sql_error(289, "smalldatetime")
    return round_smalldatetime(value)


def _with_fraction(name: str, fraction: int, precision: int, *parts: int) -> dt.datetime:
    if not 0 <= precision <= 7 or not 0 <= fraction < 10**precision:
        raise sql_error(289, name)
    ticks = fraction * int(10 ** (7 - precision))
    return with_tick(_built(name, *parts, ticks // 10), ticks % 10)


@function("DATETIME2FROMPARTS", datetime2(7), [INT] * 8)
def _datetime2fromparts(
    year: int, month: int, day: int, hour: int, minute: int, second: int, fraction: int, precision: int
) -> dt.datetime:
    return _with_fraction("datetime2", fraction, precision, year, month, day, hour, minute, second)


@function("TIMEFROMPARTS", time(7), [INT] * 5)
def _timefromparts(hour: int, minute: int, second: int, fraction: int, precision: int) -> dt.time:
    return _with_fraction("time", fraction, precision, 1900, 1, 1, hour, minute, second).time()


@function("DATETIMEOFFSETFROMPARTS", datetimeoffset(7), [INT] * 10)
def _datetimeoffsetfromparts(*parts: int) -> dt.datetime:
    year, month, day, hour, minute, second, fraction, offset_hour, offset_minute, precision = parts
    minutes = offset_hour * 60 + offset_minute
    if abs(minutes) > 840 or abs(offset_minute) > 59 or offset_hour * offset_minute < 0:
        raise sql_error(289, "datetimeoffset")
    value = _with_fraction("datetimeoffset", fraction, precision, year, month, day, hour, minute, second)
    return checked_offset(value.replace(tzinfo=dt.timezone(dt.timedelta(minutes=minutes))), 289, "datetimeoffset")


def _zone_type(sql_type: SqlType, position: int, name: str) -> SqlType:
    """An offset is text (`+02:00`) or minutes."""
    return sql_type if kind(sql_type) == "string" else INT


def parsed_zone(offset: Any, name: str) -> dt.timezone:
    """Raises 9812, in the name of a function."""
    minutes: int | None = None
    if isinstance(offset, int):
        minutes = offset
    elif len(offset.strip()) == 6 and offset.strip()[0] in "+-" and offset.strip()[3] == ":":
        text = offset.strip()
        if is_whole(text[1:3]) and is_whole(text[4:]) and int(text[4:]) < 60:
            minutes = (int(text[1:3]) * 60 + int(text[4:])) * (-1 if text[0] == "-" else 1)
    if minutes is None or abs(minutes) > 840:
        raise sql_error(9812, name)
    return dt.timezone(dt.timedelta(minutes=minutes))


def _scale_of(types: tuple[SqlType, ...]) -> SqlType:
    first = types[0]
    return datetimeoffset(7 if first.scale is None else first.scale)


def _offset_value(sql_type: SqlType, position: int, name: str) -> SqlType:
    return (
        sql_type
        if sql_type.name == "datetimeoffset"
        else datetimeoffset(7 if sql_type.scale is None else sql_type.scale)
    )


@function("SWITCHOFFSET", _scale_of, [_offset_value, _zone_type])
def _switchoffset(value: dt.datetime, offset: Any) -> dt.datetime:
    try:
        return value.astimezone(parsed_zone(offset, "switchoffset"))
    except OverflowError:
        raise sql_error(9813, "switchoffset") from None


def _plain_date(sql_type: SqlType, position: int, name: str) -> SqlType:
    return datetime2(7) if kind(sql_type) == "string" else any_date(sql_type, position, name)


@function("TODATETIMEOFFSET", _scale_of, [_plain_date, _zone_type])
def _todatetimeoffset(value: Any, offset: Any) -> dt.datetime:
    return checked_offset(
        as_datetime(value).replace(tzinfo=parsed_zone(offset, "todatetimeoffset")), 9813, "todatetimeoffset"
    )
