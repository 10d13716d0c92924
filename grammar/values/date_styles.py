"""Writing dates as text: the CONVERT styles 0 to 131 and the default spelling of each type.

It decides the layout only. Styles 130 and 131 use the Hijri calendar (`hijri`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.dates import as_datetime
from sbql.grammar.values.hijri import HIJRI_MONTHS, to_hijri
from sbql.grammar.values.languages import US_ENGLISH
from sbql.grammar.values.ticks import fraction_of

__all__ = ["date_to_text", "fraction_text", "names_months", "offset_text"]

Value = dt.date | dt.time | dt.datetime


def fraction_text(value: dt.datetime | dt.time, digits: int) -> str:
    """The first `digits` fractional digits."""
    return f"{fraction_of(value):07d}"[:digits]


def offset_text(value: dt.datetime) -> str:
    """`+02:00`."""
    delta = value.utcoffset() or dt.timedelta()
    minutes = int(delta.total_seconds() // 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _digits(sql_type: SqlType) -> int:
    """Fractional digits that the type shows."""
    if sql_type.name == "datetime":
        return 3
    if sql_type.name in ("time", "datetime2", "datetimeoffset"):
        return 7 if sql_type.scale is None else sql_type.scale
    return 0


def _clock(value: dt.datetime, digits: int, mark: str = ".") -> str:
    text = f"{value:%H:%M:%S}"
    return text + mark + fraction_text(value, digits) if digits else text


def _twelve_hours(value: dt.datetime, digits: int | None, mark: str = ":") -> str:
    """` 3:04PM`, or with seconds ` 3:04:05:006PM`; the hour is two wide."""
    hour = value.hour % 12 or 12
    text = f"{hour:2d}:{value.minute:02d}"
    if digits is not None:
        text += f":{value.second:02d}"
        if digits:
            text += mark + fraction_text(value, digits)
    return text + ("PM" if value.hour >= 12 else "AM")


_DATE_PARTS: dict[int, Callable[[dt.datetime], str]] = {
    1: lambda v: f"{v:%m/%d/}{v.year % 100:02d}",
    2: lambda v: f"{v.year % 100:02d}.{v:%m.%d}",
    3: lambda v: f"{v:%d/%m/}{v.year % 100:02d}",
    4: lambda v: f"{v:%d.%m.}{v.year % 100:02d}",
    5: lambda v: f"{v:%d-%m-}{v.year % 100:02d}",
    10: lambda v: f"{v:%m-%d-}{v.year % 100:02d}",
    11: lambda v: f"{v.year % 100:02d}/{v:%m/%d}",
    12: lambda v: f"{v.year % 100:02d}{v:%m%d}",
    101: lambda v: f"{v:%m/%d/}{v.year:04d}",
    102: lambda v: f"{v.year:04d}.{v:%m.%d}",
    103: lambda v: f"{v:%d/%m/}{v.year:04d}",
    104: lambda v: f"{v:%d.%m.}{v.year:04d}",
    105: lambda v: f"{v:%d-%m-}{v.year:04d}",
    110: lambda v: f"{v:%m-%d-}{v.year:04d}",
    111: lambda v: f"{v.year:04d}/{v:%m/%d}",
    112: lambda v: f"{v.year:04d}{v:%m%d}",
    23: lambda v: f"{v.year:04d}-{v:%m-%d}",
}
"""Styles that show a date in digits and no time."""

_NAMED_PARTS: dict[int, Callable[[dt.datetime, str], str]] = {
    6: lambda v, month: f"{v:%d} {month} {v.year % 100:02d}",
    7: lambda v, month: f"{month} {v:%d}, {v.year % 100:02d}",
    106: lambda v, month: f"{v:%d} {month} {v.year:04d}",
    107: lambda v, month: f"{month} {v:%d}, {v.year:04d}",
}
"""Styles that show a date with the short name of its month, and no time."""

_NAMED_MOMENTS = frozenset({0, 100, 9, 109, 13, 113})
"""Styles that show such a date and a time."""


def names_months(source: SqlType, style: int | None) -> bool:
    """Whether CONVERT of the type in this style writes the name of a month: then the language counts."""
    if style is None or style == 0:
        return source.name in ("datetime", "smalldatetime")
    return style in _NAMED_PARTS or style in _NAMED_MOMENTS


def _style_parts(
    value: dt.datetime, style: int, digits: int, months: Sequence[str] = US_ENGLISH.short_months
) -> tuple[str, str]:
    """The date and the time part of a style. Raises 281 for a style that is not one."""
    name = months[value.month - 1]
    if style in (0, 100):
        return f"{name} {value.day:2d} {value.year:04d}", _twelve_hours(value, None)
    if style in (9, 109):
        return f"{name} {value.day:2d} {value.year:04d}", _twelve_hours(value, digits, ":" if digits == 3 else ".")
    if style in (13, 113):
        return f"{value:%d} {name} {value.year:04d}", _clock(value, digits, ":" if digits == 3 else ".")
    if style in (8, 24, 108):
        return _DATE_PARTS[23](value), f"{value:%H:%M:%S}"
    if style in (14, 114):
        return _DATE_PARTS[23](value), _clock(value, digits, ":" if digits == 3 else ".")
    if style in (20, 120):
        return _DATE_PARTS[23](value), f"{value:%H:%M:%S}"
    if style in (21, 25, 121):
        return _DATE_PARTS[23](value), _clock(value, digits)
    if style == 22:
        return _DATE_PARTS[1](value), f"{_twelve_hours(value, 0)[:-2]} {'PM' if value.hour >= 12 else 'AM'}"
    if style in (126, 127):
        shown = digits if fraction_of(value) else 0
        return _DATE_PARTS[23](value), _clock(value, shown)
    if style in (130, 131):
        year, month, day = to_hijri(value)
        middle = f" {HIJRI_MONTHS[month - 1]} " if style == 130 else None
        shown_date = f"{day:2d}{middle}{year}" if middle else f"{day:2d}/{month:02d}/{year}"
        return shown_date, _twelve_hours(value, digits, ":" if digits == 3 else ".")
    if style in _DATE_PARTS:
        return _DATE_PARTS[style](value), ""
    if style in _NAMED_PARTS:
        return _NAMED_PARTS[style](value, name), ""
    raise sql_error(281, style, "datetime")


_TIME_ONLY = frozenset({8, 24, 108, 14, 114})


def date_to_text(
    value: Value, source: SqlType, style: int | None = None, months: Sequence[str] = US_ENGLISH.short_months
) -> str:
    """A date value as CONVERT(varchar, value, style) gives it; `months` are the short names of the language.

    Without a style datetime and smalldatetime use 0 (`Oct 25 2024  1:05PM`), the newer types 121 in the digits of their
    scale. Raises 281 for an unknown style.
    """
    name = source.name
    if style is None or (style == 0 and name not in ("datetime", "smalldatetime")):
        style = 0 if name in ("datetime", "smalldatetime") else 121
    plain = as_datetime(value)
    date_part, time_part = _style_parts(plain, style, _digits(source), months)
    if name == "date":
        if style in _TIME_ONLY:
            raise sql_error(281, style, "date")
        return date_part
    if name == "time":
        if style in _DATE_PARTS or style in _NAMED_PARTS:
            raise sql_error(281, style, "time")
        return time_part
    if style == 127 and name != "datetimeoffset":
        return f"{date_part}T{time_part}"
    if style == 127:
        assert isinstance(value, dt.datetime)
        in_utc = value.astimezone(dt.UTC)
        utc_date, utc_time = _style_parts(as_datetime(in_utc), style, _digits(source))
        return f"{utc_date}T{utc_time}Z"
    if style in _TIME_ONLY:
        text = time_part
    elif style == 126:
        text = f"{date_part}T{time_part}"
    else:
        text = f"{date_part} {time_part}" if time_part else date_part
    if name == "datetimeoffset" and time_part:
        assert isinstance(value, dt.datetime)
        text += ("" if style == 126 else " ") + offset_text(value)
    return text
