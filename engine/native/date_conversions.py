"""Native forms of conversions between dates, times and datetimes, with and without an offset, and between them and
numbers of days.

Years 1 to 9999 only: DuckDB's calendar has more. What might be rounded out of it, or out of what the target holds, is
odd. A datetime shows milliseconds and stands for 300ths of a second: types with more digits are made of these, a
smalldatetime of what is shown.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import duck_type, in_ticks
from sbql.engine.native.forms import Form
from sbql.engine.native.moments import (
    as_stored,
    counted,
    digits_of,
    packed,
    rounded,
    ticks_at,
    to_300ths_of,
    to_minutes,
)
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import digits_after, digits_before, kind

__all__ = ["date_from_number", "date_from_whole_days", "from_date"]

_LAST_DAY: Final = "9999-12-31"
_LAST_SECOND: Final = "9999-12-31 23:59:59"
_LAST_OFFSETS: Final = "9999-12-29"
"""Behind it the local time of some offset is none."""


def from_date(source: SqlType, target: SqlType) -> Form | None:
    """A date or time as another type, or as a number of days."""
    if kind(target) in ("int", "float", "decimal", "money"):
        return _days(target) if source.name in ("datetime", "smalldatetime") else None
    if target.name == "date":
        return None if source.name == "time" else Form("CAST({d0} AS DATE)")
    if target.name == "datetime":
        return _datetime(source)
    if target.name == "smalldatetime":
        return _smalldatetime(source)
    if target.name == "datetimeoffset":
        return _with_offset(source, target)
    return _rounded(source, target) if target.name in ("datetime2", "time") else None


def _rounded(source: SqlType, target: SqlType) -> Form:
    """datetime2 or time."""
    shown, digits = digits_of(source), digits_of(target)
    if source.name == "datetime":
        shown = 7
    plain = "{0}"
    if target.name == "time" and source.name != "time" and shown <= digits < 7:
        return Form("CAST({m0} AS TIME)")
    if shown <= digits < 7 and source.name in ("date", "smalldatetime", target.name):
        return Form("CAST({0} AS TIMESTAMP)" if source.name == "date" else plain)
    found = as_stored(rounded(counted(source, plain), digits, shown), target)
    is_at_end = digits < shown and source.name != "time" and target.name == "datetime2"
    last = _LAST_OFFSETS if source.name == "datetimeoffset" else _LAST_SECOND
    return Form(found, _behind(source, last) if is_at_end else "")


def _behind(source: SqlType, moment: str) -> str:
    """The condition that a date is later than a moment."""
    return f"{_instant(source)} > {_literal(source, moment)}"


def _before(source: SqlType, day: str) -> str:
    return f"{_instant(source)} < {_literal(source, day)}"


def _instant(source: SqlType) -> str:
    return "({0}).utc" if source.name == "datetimeoffset" else "{0}"


def _literal(source: SqlType, moment: str) -> str:
    return ticks_at(moment) if in_ticks(source) else f"TIMESTAMP '{moment}'"


def _datetime(source: SqlType) -> Form:
    if source.name == "smalldatetime":
        return Form("{0}")
    if source.name == "time":
        return Form(to_300ths_of(counted(source, "{0}")))
    first = "1753-01-03" if source.name == "datetimeoffset" else "1753-01-01"
    if source.name == "date":
        return Form("CAST({0} AS TIMESTAMP)", f"{{0}} < DATE '{first}'")
    odd = _before(source, first)
    if digits_of(source) == 0:
        return Form("{m0}", odd)
    last = _LAST_OFFSETS if source.name == "datetimeoffset" else _LAST_DAY
    return Form(to_300ths_of(counted(source, "{0}")), f"{odd} OR {_behind(source, last)}")


def _smalldatetime(source: SqlType) -> Form:
    if source.name == "time":
        return Form(to_minutes(counted(source, "{0}")))
    first, last = ("1900-01-03", "2079-06-03") if source.name == "datetimeoffset" else ("1900-01-01", "2079-06-06")
    odd = f"{_before(source, first)} OR {_behind(source, last)}"
    if source.name == "date":
        return Form("CAST({0} AS TIMESTAMP)", odd)
    return Form(to_minutes(counted(source, "{0}", as_shown=True)), odd)


def _with_offset(source: SqlType, target: SqlType) -> Form:
    """What has no offset has the offset 0."""
    digits = digits_of(target)
    is_moved = source.name == "datetimeoffset"
    shown = 7 if source.name == "datetime" else digits_of(source)
    minutes, end = ("({0}).minutes", _LAST_OFFSETS) if is_moved else ("0", _LAST_SECOND)
    odd = _behind(source, end) if digits < shown and source.name != "time" else ""
    instant = SqlType("datetime2", scale=digits)
    if is_moved:  # minutes are whole: UTC is rounded as local time is
        given = SqlType("datetime2", scale=shown)
        utc = (
            as_stored(rounded(counted(given, "({0}).utc"), digits, shown), instant) if digits != shown else "({0}).utc"
        )
    else:
        utc = as_stored(rounded(counted(source, "{0}"), digits, shown), instant)
    return Form(packed(utc, minutes), odd)


# --- days --------------------------------------------------------------------------------------------------

_DAY_IN_300THS: Final = 25_920_000
_IN_300THS: Final = "round(epoch_us({0}) * 0.0003::DOUBLE)"
"""The 300ths of a second from 1970 to a datetime, which shows milliseconds: a float that is next to a whole number, far
from the middle of two. DuckDB's // takes longer."""
_BEFORE_1970: Final = 25_567 * _DAY_IN_300THS
"""From 1900."""
_DAY_IN_MICROSECONDS: Final = 86_400_000_000
_NOON_OF_1900: Final = 25_567 * _DAY_IN_MICROSECONDS + _DAY_IN_MICROSECONDS // 2
"""The microseconds from the noon before 1900-01-01 to 1970. What is shown of a 300th is before noon if it is."""
_AS_FLOAT: Final = f"(({_IN_300THS} + {_BEFORE_1970}.0::DOUBLE) / {_DAY_IN_300THS}.0::DOUBLE)"


def _days(target: SqlType) -> Form | None:
    """Days since 1900 of a datetime; as a whole number the nearest one. Noon before 1900 goes to the day before. Of an
    exact number, what is near the middle between two of its last digits is odd."""
    if kind(target) == "float":
        return Form(_AS_FLOAT if target.name == "float" else f"CAST({_AS_FLOAT} AS FLOAT)")
    if target.name in ("int", "bigint"):
        nearest = f"(epoch_us({{0}}) + {_NOON_OF_1900}) // {_DAY_IN_MICROSECONDS}"
        return Form(f"CAST({nearest} AS {duck_type(target)})", "{0} < TIMESTAMP '1900-01-01'")
    before, after = (14, 4) if kind(target) == "money" else (digits_before(target), digits_after(target))
    if kind(target) == "int" or target.name == "smallmoney" or before < 7 or after > 8:
        return None
    scaled = f"x * {10**after}"
    is_clear = f"abs({scaled} - floor({scaled}) - 0.5) > 0.01"
    found = f"CASE WHEN {is_clear} THEN CAST(x AS {duck_type(target)}) END"
    return Form(f"invoke(lambda x: {found}, {_AS_FLOAT})", misses=True)


def date_from_whole_days(target: SqlType) -> Form:
    """A whole number of days since 1900."""
    low, high = _DAYS[target.name]
    return Form("(TIMESTAMP '1900-01-01' + to_days(CAST({0} AS INTEGER)))", f"{{0}} < {low} OR {{0}} > {high}")


_DAYS: Final = {"datetime": (-53_690, 2_958_462), "smalldatetime": (0, 65_534)}
"""Numbers of days that are a datetime, whatever their fraction."""


def date_from_number(target: SqlType) -> Form:
    """Days since 1900, of which a part is a part of a day: in the nearest 300th of a second or, of a smalldatetime, in
    the nearest minute. What is near the middle between two is odd: it is rounded to microseconds first."""
    low, high = _DAYS[target.name]
    day, part = "CAST(floor(x) AS BIGINT)", "(x - floor(x))"
    if target.name == "datetime":
        steps, milliseconds = f"{part} * {_DAY_IN_300THS}", "floor((10 * n + 1) / 3)"
    else:
        steps, milliseconds = f"{part} * 1440 + 0.0000166666666", "n * 60000"
    is_clear = f"x >= {low} AND x <= {high} AND abs({steps} - floor({steps}) - 0.5) > 0.005"
    moment = f"make_timestamp_ms({day} * 86400000 + CAST({milliseconds} AS BIGINT) - {25_567 * 86_400_000})"
    found = f"CASE WHEN {is_clear} THEN invoke(lambda n: {moment}, floor({steps} + 0.5)) END"
    return Form(f"invoke(lambda x: {found}, CAST({{0}} AS DOUBLE))", misses=True)
