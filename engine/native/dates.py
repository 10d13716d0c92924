"""Native forms of the functions of dates and times.

Years 1 to 9999 only: DuckDB's calendar has more. Parts of a fixed length are counted where a type is stored as a count.
A datetime shows milliseconds and stands for 300ths of a second. DATEADD is in `date_sums`.
"""

from __future__ import annotations

from typing import Final

import msgspec

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.date_sums import dateadd
from sbql.engine.native.forms import Call, Form, Forms, Row, any_of, not_between
from sbql.engine.native.moments import as_ticks, counted, digits_of, packed
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import US_ENGLISH
from sbql.grammar.values.ticks import TICKS_A_SECOND

__all__ = ["DATES"]

_DATED: Final = "date|datetime|datetime2|datetimeoffset"

_DAYS: Final = {
    "year": "year({d0})", "quarter": "quarter({d0})", "month": "month({d0})", "dayofyear": "dayofyear({d0})", "day": "day({d0})",
    "iso_week": "weekofyear({d0})",
}  # fmt: skip
_CLOCK: Final = {"hour": (3600, 24), "minute": (60, 60), "second": (1, 60)}
"""Parts of a day: seconds, and how many there are."""
_FRACTIONS: Final = {"millisecond": 1000, "microsecond": 1_000_000, "nanosecond": 1_000_000_000}
"""How many a second has."""


def _part(call: Call) -> str | None:
    """The number of a date part, as BIGINT."""
    source, part = call.types[0], call.part
    if part == "tzoffset":
        return "({0}).minutes" if source.name == "datetimeoffset" else None
    if part in _FRACTIONS:
        return _fraction(source, _FRACTIONS[part])
    if part in _CLOCK:
        return _clock_part(source, part)
    if kind(source) == "time":
        return None
    if part == "weekday":
        return f"((isodow({{d0}}) - {call.datefirst} + 7) % 7 + 1)"
    if part == "week":  # 379 is 1 after whole weeks: the day of the week of January 1
        lead = f"(isodow({{d0}}) + 379 - dayofyear({{d0}}) - {call.datefirst}) % 7"
        return f"((dayofyear({{d0}}) - 1 + {lead}) // 7 + 1)"
    return _DAYS.get(part)


def _clock_part(source: SqlType, part: str) -> str | None:
    if kind(source) == "date":
        return None
    if not in_ticks(source):
        return f"{part}({{m0}})"
    seconds, limit = _CLOCK[part]
    count = (
        f"({counted(source, '{0}').sql} // {seconds * TICKS_A_SECOND})"
        if source.name != "time"
        else f"({{0}} // {seconds * TICKS_A_SECOND})"
    )
    return count if source.name == "time" and part == "hour" else f"({count} % {limit})"


def _fraction(source: SqlType, a_second: int) -> str | None:
    """What is behind the second. An offset is whole minutes."""
    value = "({0}).utc" if source.name == "datetimeoffset" else "{0}"
    if kind(source) == "date":
        return None
    if source.name == "datetime":
        parts = "round(microsecond({0}) % 1000000 * 0.0003::DOUBLE)"
        return f"CAST(floor({parts} * {a_second} / 300) AS BIGINT)"
    ticks = TICKS_A_SECOND if in_ticks(source) else 1_000_000
    fraction = f"({value} % {ticks})" if in_ticks(source) else f"(microsecond({value}) % 1000000)"
    if a_second == ticks:
        return fraction
    return f"({fraction} // {ticks // a_second})" if a_second < ticks else f"({fraction} * {a_second // ticks})"


def _datepart(call: Call) -> Form | None:
    found = _part(call)
    return Form(f"CAST({found} AS INTEGER)") if found is not None else None


def _datename(call: Call) -> Form | None:
    if call.part in ("month", "weekday"):
        if call.dates.language is not US_ENGLISH or kind(call.types[0]) == "time":
            return None
        return Form("monthname({d0})" if call.part == "month" else "dayname({d0})", is_distinct=True)
    found = _part(call) if call.part != "tzoffset" else None
    return Form(f"CAST({found} AS VARCHAR)", is_distinct=True) if found is not None else None


# --- differences -------------------------------------------------------------------------------------------

_FIRST_SUNDAY: Final = "DATE '0000-12-31'"
"""Weeks are counted from a Sunday."""

_FITTING: Final = frozenset({"year", "quarter", "month", "week", "day", "dayofyear", "weekday", "hour"})
"""Of these parts all of the calendar has no more than an int."""


def _difference(call: Call) -> str | None:
    """The boundaries crossed, as BIGINT, between moments of UTC. A time of day is one of 1900-01-01."""
    part = call.part
    if part in _CLOCK or part in ("millisecond", "microsecond"):
        unit = 1_000_000 * _CLOCK[part][0] if part in _CLOCK else 1000 if part == "millisecond" else 1
        if unit >= 1000 and not any(in_ticks(t) for t in call.types):
            return f"date_diff('{part}', {_moment(call, 0)}, {_moment(call, 1)})"
        first, second = (_whole(call.types[place], place, unit) for place in (0, 1))
        return f"({second} - {first})"
    first, second = _day(call, 0), _day(call, 1)
    if part == "week":
        first, second = (f"(date_diff('day', {_FIRST_SUNDAY}, {day}) // 7)" for day in (first, second))
        return f"({second} - {first})"
    if part in ("day", "dayofyear", "weekday"):
        return f"date_diff('day', {first}, {second})"
    return f"date_diff('{part}', {first}, {second})" if part in ("year", "quarter", "month") else None


def _moment(call: Call, place: int) -> str:
    return f"(DATE '1900-01-01' + {{u{place}}})" if call.types[place].name == "time" else f"{{u{place}}}"


def _day(call: Call, place: int) -> str:
    """As a TIMESTAMP or DATE of which the day counts."""
    if call.types[place].name == "time":
        return _moment(call, place)
    return f"{{u{place}}}" if call.types[place].name == "datetimeoffset" else f"{{d{place}}}"


def _whole(source: SqlType, place: int, unit: int) -> str:
    """So many units of microseconds there are until a moment of UTC."""
    if source.name == "datetimeoffset":
        count = counted(SqlType("datetime2", scale=digits_of(source)), f"({{{place}}}).utc")
    else:
        count = counted(source, f"{{{place}}}", as_shown=unit >= 1000)
    unit *= count.a_second // 1_000_000
    return f"({count.sql} // {unit})" if unit > 1 else count.sql


def _datediff(call: Call) -> Form | None:
    found = _difference(call)
    if found is None:
        return None
    if call.part in _FITTING:
        return Form(f"CAST({found} AS INTEGER)")
    return Form(f"TRY_CAST({found} AS INTEGER)", misses=True)


def _datediff_big(call: Call) -> Form | None:
    found = _difference(call)
    return Form(found) if found is not None else None


# --- whole dates -------------------------------------------------------------------------------------------


def _eomonth(call: Call) -> Form | None:
    if len(call.types) == 1:
        return Form("last_day({d0})")
    odd = "{1} > 1200 OR {1} < -1200 OR {d0} < DATE '0101-02-01' OR {d0} > DATE '9899-12-01'"
    return Form("last_day({d0} + to_months(coalesce({1}, 0)))", odd)


_FROM_PARTS: Final = "{0} < 1 OR {0} > 9999 OR {1} < 1 OR {1} > 12 OR {2} < 1 OR {2} > 28"
"""Days beyond the 28th are there in some months only."""

_MOMENT_FROM_PARTS: Final = (
    f"{_FROM_PARTS} OR {{0}} < 1753 OR {{3}} NOT BETWEEN 0 AND 23 OR {{4}} NOT BETWEEN 0 AND 59 "
    "OR {5} NOT BETWEEN 0 AND 59 OR coalesce({6}, 1) <> 0"
)
"""Milliseconds are rounded to 300ths of a second."""

_CLOCK_FROM_PARTS: Final = "{{{0}}} NOT BETWEEN 0 AND 23 OR {{{1}}} NOT BETWEEN 0 AND 59 OR {{{2}}} NOT BETWEEN 0 AND 59 OR coalesce({{{3}}}, 1) <> 0"


def _datefromparts(call: Call) -> Form:
    parts = not_between(call, 0, 1, 9999), not_between(call, 1, 1, 12), not_between(call, 2, 1, 28)
    return Form("make_date({0}, {1}, {2})", any_of(*parts))


def _timefromparts(call: Call) -> Form | None:
    """Whole seconds, and a precision that the statement names."""
    if call.values[4] not in range(8):
        return None
    sql = "make_time({0}, {1}, {2})"
    if in_ticks(call.result):
        sql = f"((({{0}}::BIGINT * 60 + {{1}}) * 60 + {{2}}) * {TICKS_A_SECOND})"
    return Form(sql, _CLOCK_FROM_PARTS.format(0, 1, 2, 3))


def _datetime2fromparts(call: Call) -> Form | None:
    if call.values[7] not in range(8):
        return None
    moment = "make_timestamp({0}, {1}, {2}, {3}, {4}, {5})"
    odd = f"{_FROM_PARTS} OR {_CLOCK_FROM_PARTS.format(3, 4, 5, 6)}"
    return msgspec.structs.replace(_as_type(moment, call.result), odd=odd)


_SMALL_FROM_PARTS: Final = (
    f"{_FROM_PARTS} OR {{0}} NOT BETWEEN 1900 AND 2078 OR {{3}} NOT BETWEEN 0 AND 23 OR {{4}} NOT BETWEEN 0 AND 59"
)

_LENGTHS: Final = {
    "day": 86_400_000_000, "dayofyear": 86_400_000_000, "hour": 3_600_000_000, "minute": 60_000_000, "second": 1_000_000, "millisecond": 1000, "microsecond": 1,
}  # fmt: skip
"""Parts that are always as long, in microseconds."""


def _datetrunc(call: Call) -> Form | None:
    sql_type, part = call.types[0], call.part
    if kind(sql_type) == "string":
        return None
    if sql_type.name == "datetimeoffset":
        return _offset_truncated(call)
    if part in _LENGTHS:
        return _truncated_by_count(sql_type, part)
    if sql_type.name == "time":
        return None
    if part in ("week", "iso_week"):
        first = call.datefirst if part == "week" else "1"
        day = f"(CAST({{d0}} AS DATE) - CAST((isodow({{d0}}) - {first} + 7) % 7 AS INTEGER))"
        return msgspec.structs.replace(_as_type(day, sql_type), odd="{d0} < DATE '0001-01-08'")
    return _as_type(f"date_trunc('{part}', {{d0}})", sql_type) if part in ("year", "quarter", "month") else None


def _truncated_by_count(sql_type: SqlType, part: str) -> Form | None:
    """A datetime is cut off as it is shown."""
    length = _LENGTHS[part]
    if sql_type.name == "datetime" and length <= 1000:
        return Form("{0}")
    if in_ticks(sql_type):
        return Form(f"({{0}} - {{0}} % {10 * length})")
    if kind(sql_type) == "date":
        return Form("{0}") if length >= _LENGTHS["day"] else None
    name = "day" if part == "dayofyear" else part
    if sql_type.name == "time":
        return Form(f"CAST(date_trunc('{name}', DATE '2000-01-01' + {{0}}) AS TIME)")
    return Form(f"CAST(date_trunc('{name}', {{0}}) AS TIMESTAMP)")


def _offset_truncated(call: Call) -> Form | None:
    """Local time is cut off, and the instant by as much."""
    sql_type, part = call.types[0], call.part
    if part in _LENGTHS:
        local = counted(sql_type, "{0}")
        length = _LENGTHS[part] * local.a_second // 1_000_000
        utc = "({0}).utc" if in_ticks(sql_type) else "epoch_us(({0}).utc)"
        moved = f"({utc} - {local.sql} % {length})"
        found = moved if in_ticks(sql_type) else f"make_timestamp({moved})"
    else:
        day = f"date_trunc('{part}', {{d0}})"
        if part in ("week", "iso_week"):
            first = call.datefirst if part == "week" else "1"
            day = f"(CAST({{d0}} AS DATE) - CAST((isodow({{d0}}) - {first} + 7) % 7 AS INTEGER))"
        elif part not in ("year", "quarter", "month"):
            return None
        minutes = "({0}).minutes"
        found = (
            f"({as_ticks(day)} - {minutes} * 600000000::BIGINT)"
            if in_ticks(sql_type)
            else f"make_timestamp(epoch_us({day}) - {minutes} * 60000000::BIGINT)"
        )
    return Form(packed(found, "({0}).minutes"), f"{{u0}} < TIMESTAMP '{_FIRST_OFFSETS}'")


_FIRST_OFFSETS: Final = "0001-01-10"
"""Behind it a week of the calendar begins, whatever the offset."""


_BUCKETS: Final = {
    "year": 12, "quarter": 3, "month": 1, "week": 604_800_000_000, "day": 86_400_000_000, "hour": 3_600_000_000, "minute": 60_000_000, "second": 1_000_000,
    "millisecond": 1000,
}  # fmt: skip
"""Months, and microseconds."""


def _date_bucket(call: Call) -> Form | None:
    """Buckets of a width that the statement names, from 1900 on."""
    width, sql_type = call.values[0], call.types[1]
    unit = _BUCKETS.get(call.part)
    if unit is None or not isinstance(width, int) or not 0 < width <= 1_000_000:
        return None
    if kind(sql_type) == "date" and call.part not in ("year", "quarter", "month", "week", "day"):
        return None
    size = unit * width
    if unit <= 12:
        months = f"date_diff('month', DATE '1900-01-01', {{m1}}) // {size} * {size}"
        moment = f"(TIMESTAMP '1900-01-01' + to_months(CAST({months} AS INTEGER)))"
    else:
        passed = f"(epoch_us({{m1}}) + {_FROM_1900}) // {size} * {size} - {_FROM_1900}"
        moment = f"make_timestamp({passed})"
    odd = "{m1} < DATE '1900-01-01'"
    return msgspec.structs.replace(_as_type(moment, sql_type), odd=odd)


_FROM_1900: Final = 25_567 * 86_400_000_000
"""Microseconds to 1970."""


def _as_type(moment: str, sql_type: SqlType) -> Form:
    if kind(sql_type) == "date":
        return Form(f"CAST({moment} AS DATE)")
    return Form(as_ticks(moment) if in_ticks(sql_type) else f"CAST({moment} AS TIMESTAMP)")


DATES: Final[Forms] = {
    "YEAR": (Row(_DATED, Form("CAST(year({d0}) AS INTEGER)")),),
    "MONTH": (Row(_DATED, Form("CAST(month({d0}) AS INTEGER)")),),
    "DAY": (Row(_DATED, Form("CAST(day({d0}) AS INTEGER)")),),
    "DATEPART": (Row(f"{_DATED}|time", _datepart),),
    "DATENAME": (Row(f"{_DATED}|time", _datename),),
    "DATEDIFF": (Row(f"{_DATED}|time {_DATED}|time", _datediff),),
    "DATEDIFF_BIG": (Row(f"{_DATED}|time {_DATED}|time", _datediff_big),),
    "DATEADD": (Row(f"int {_DATED}|time", dateadd),),
    "EOMONTH": (Row(_DATED, _eomonth), Row(f"{_DATED} int", _eomonth)),
    "DATEFROMPARTS": (Row("int int int", _datefromparts),),
    "DATETIMEFROMPARTS": (
        Row("int int int int int int int", Form("make_timestamp({0}, {1}, {2}, {3}, {4}, {5})", _MOMENT_FROM_PARTS)),
    ),
    "DATETIME2FROMPARTS": (Row("int int int int int int int int", _datetime2fromparts),),
    "SMALLDATETIMEFROMPARTS": (
        Row("int int int int int", Form("make_timestamp({0}, {1}, {2}, {3}, {4}, 0)", _SMALL_FROM_PARTS)),
    ),
    "TIMEFROMPARTS": (Row("int int int int int", _timefromparts),),
    "DATETRUNC": (Row(f"{_DATED}|time", _datetrunc),),
    "DATE_BUCKET": (Row("int date|datetime|datetime2", _date_bucket),),
}
"""Functions to their forms; a date part is not counted among the arguments."""
