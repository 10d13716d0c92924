"""Native forms of the functions of dates and times.

Years 1 to 9999 only: DuckDB's calendar has more. What is added is odd when it may lead out of the calendar, or out of
what the type holds; the Python form knows for sure. A datetime shows milliseconds and stands for 300ths of a second, so
its parts below the second are Python's.
"""

from __future__ import annotations

from typing import Final

import msgspec

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.forms import FIRST_MICROSECOND, Call, Form, Forms, Row, any_of, not_between, to_300ths
from sbql.engine.native.offsets import offset_moved, ticks_at
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import US_ENGLISH
from sbql.grammar.values.ticks import TICKS_A_DAY, TICKS_A_SECOND

__all__ = ["DATES"]

_DATED: Final = "date|datetime|datetime2|datetimeoffset"

_PARTS: Final = {
    "year": "year({m0})", "quarter": "quarter({m0})", "month": "month({m0})", "dayofyear": "dayofyear({m0})", "day": "day({m0})",
    "iso_week": "weekofyear({m0})", "hour": "hour({m0})", "minute": "minute({m0})", "second": "second({m0})",
}  # fmt: skip
_CLOCK: Final = frozenset({"hour", "minute", "second"})


def _part(call: Call) -> str | None:
    """The number of a date part, as BIGINT."""
    family = kind(call.types[0])
    if call.part == "weekday" and family != "time":
        return f"((isodow({{m0}}) - {call.datefirst} + 7) % 7 + 1)"
    if call.part == "week" and family != "time":  # 379 is 1 after whole weeks: the day of the week of January 1
        lead = f"(isodow({{m0}}) + 379 - dayofyear({{m0}}) - {call.datefirst}) % 7"
        return f"((dayofyear({{m0}}) - 1 + {lead}) // 7 + 1)"
    if (family == "time" and call.part not in _CLOCK) or (family == "date" and call.part in _CLOCK):
        return None
    return _PARTS.get(call.part)


def _datepart(call: Call) -> Form | None:
    found = _part(call)
    return Form(f"CAST({found} AS INTEGER)") if found is not None else None


def _datename(call: Call) -> Form | None:
    if call.part in ("month", "weekday"):
        if call.dates.language is not US_ENGLISH or kind(call.types[0]) == "time":
            return None
        return Form("monthname({m0})" if call.part == "month" else "dayname({m0})", is_distinct=True)
    found = _part(call)
    return Form(f"CAST({found} AS VARCHAR)", is_distinct=True) if found is not None else None


# --- differences -------------------------------------------------------------------------------------------

_FIRST_SUNDAY: Final = "DATE '0000-12-31'"
"""Weeks are counted from a Sunday."""

_FITTING: Final = frozenset({"year", "quarter", "month", "week", "day", "dayofyear", "weekday", "hour"})
"""Of these parts all of the calendar has no more than an int."""


def _difference(call: Call) -> str | None:
    """The boundaries crossed, as BIGINT."""
    part = call.part
    families = {kind(t) for t in call.types}
    if "time" in families and families != {"time"}:
        return None  # a time is on 1900-01-01
    if families == {"time"}:
        return f"date_diff('{part}', {{u0}}, {{u1}})" if part in ("hour", "minute", "second", "millisecond") else None
    if part == "week":
        first, second = (f"(date_diff('day', {_FIRST_SUNDAY}, {{u{i}}}) // 7)" for i in (0, 1))
        return f"({second} - {first})"
    if part in ("day", "dayofyear", "weekday"):
        return "date_diff('day', {u0}, {u1})"
    if part in ("year", "quarter", "month", "hour", "minute", "second", "millisecond"):
        return f"date_diff('{part}', {{u0}}, {{u1}})"
    return None


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


# --- sums --------------------------------------------------------------------------------------------------

_UNITS: Final = {
    "year": ("months", 12), "quarter": ("months", 3), "month": ("months", 1), "week": ("days", 7), "day": ("days", 1),
    "dayofyear": ("days", 1), "weekday": ("days", 1), "hour": ("seconds", 3600), "minute": ("seconds", 60), "second": ("seconds", 1), "millisecond": ("seconds", 1),
}  # fmt: skip
"""What DuckDB adds, and how many of it."""

_NEARBY: Final = {"months": 1200, "days": 36_500, "seconds": 3_000_000_000}
"""So many of them are no more than a century."""

_AHEAD: Final = 40
"""Forward it may be so many centuries: the days or months since 1900 are added to 1900 wherever a date is cut off."""

_MIDDLE: Final = {
    "datetime": ("1853-02-01", "5899-12-01"), "smalldatetime": ("1910-02-01", "2069-01-01"), "datetime2": ("0101-02-01", "5899-12-01"),
    "datetimeoffset": ("0101-02-01", "5899-12-01"), "date": ("0101-02-01", "5899-12-01"),
}  # fmt: skip
"""As far away from the ends of the type; ten years for smalldatetime."""


def _dateadd(call: Call) -> Form | None:
    moved = call.types[1]
    name, unit = moved.name, _UNITS.get(call.part)
    if unit is None or (name == "smalldatetime" and call.part == "second"):
        return None
    what, factor = unit
    if call.part == "millisecond":
        return _milliseconds_added(moved)
    limit = _NEARBY[what] // factor // (10 if name == "smalldatetime" else 1)
    number = f"({{0}}::BIGINT * {factor})"
    far = f"{{0}} > {limit if name == 'smalldatetime' else limit * _AHEAD} OR {{0}} < -{limit}"
    if name == "datetimeoffset":
        return offset_moved(call, what, number, far, _interval(what, number), _MIDDLE[name])
    if name == "time":
        return _time_moved(call, what, number, far)
    if name == "date" and what == "seconds":
        return None
    low, high = _MIDDLE[name]
    if in_ticks(moved):
        edges = f"{{1}} < {ticks_at(low)} OR {{1}} > {ticks_at(high)}"
        return Form(_ticks_moved(what, number), f"{far} OR {edges}")
    literal = "DATE" if name == "date" else "TIMESTAMP"
    odd = f"{far} OR {{1}} < {literal} '{low}' OR {{1}} > {literal} '{high}'"
    if name == "date" and what == "days":
        return Form(f"({{1}} + CAST({number} AS INTEGER))", odd)
    sum_ = f"({{1}} + {_interval(what, number)})"
    return Form(f"CAST({sum_} AS DATE)" if name == "date" else sum_, odd)


def _milliseconds_added(moved: SqlType) -> Form | None:
    """An int of them is 25 days at most. A datetime is rounded to a 300th of a second, as it is shown."""
    if moved.name == "datetime":
        low, high = _MIDDLE["datetime"]
        rounded = to_300ths("make_timestamp(epoch_us({1}) + {0}::BIGINT * 1000)")
        return Form(
            rounded,
            f"{{0}} NOT BETWEEN -2147483647 AND 2147483647 OR {{1}} < TIMESTAMP '{low}' OR {{1}} > TIMESTAMP '{high}'",
        )
    if moved.name == "datetime2" and in_ticks(moved):
        low, high = _MIDDLE["datetime2"]
        edges = f"{{1}} < {ticks_at(low)} OR {{1}} > {ticks_at(high)}"
        return Form("({1} + {0}::BIGINT * 10000)", f"{{0}} NOT BETWEEN -2147483647 AND 2147483647 OR {edges}")
    return None


def _interval(what: str, number: str) -> str:
    if what == "seconds":
        return f"to_microseconds({number} * 1000000::BIGINT)"
    return f"to_{what}(CAST({number} AS INTEGER))"


def _ticks_moved(what: str, number: str) -> str:
    if what == "months":
        moved = f"{{m1}} + {_interval(what, number)}"
        return f"((epoch_us({moved}) + {FIRST_MICROSECOND}) * 10 + {{1}} % 10)"
    return f"({{1}} + {number} * {TICKS_A_DAY if what == 'days' else TICKS_A_SECOND})"


def _time_moved(call: Call, what: str, number: str, far: str) -> Form | None:
    """A time of day turns round at midnight."""
    if what != "seconds":
        return None
    if in_ticks(call.types[1]):
        sum_ = f"({{1}} + {number} * {TICKS_A_SECOND})"
        return Form(f"(({sum_} % {TICKS_A_DAY} + {TICKS_A_DAY}) % {TICKS_A_DAY})", far)
    return Form(f"({{1}} + {_interval(what, number)})", far)


# --- whole dates -------------------------------------------------------------------------------------------


def _eomonth(call: Call) -> Form | None:
    if len(call.types) == 1:
        return Form("last_day({m0})")
    odd = "{1} > 1200 OR {1} < -1200 OR {m0} < DATE '0101-02-01' OR {m0} > DATE '9899-12-01'"
    return Form("last_day({m0} + to_months(coalesce({1}, 0)))", odd)


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

_TRUNCATED: Final = frozenset({"year", "quarter", "month", "day", "dayofyear", "hour", "minute", "second"})


def _datetrunc(call: Call) -> Form | None:
    sql_type = call.types[0]
    if call.part not in _TRUNCATED or kind(sql_type) not in ("date", "datetime", "datetime2"):
        return None
    part = "day" if call.part == "dayofyear" else call.part
    if kind(sql_type) == "date":
        return Form(f"CAST(date_trunc('{part}', {{0}}) AS DATE)") if part not in _CLOCK else None
    return _as_type(f"date_trunc('{part}', {{m0}})", sql_type)


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
    if kind(sql_type) == "date":
        return Form(f"CAST({moment} AS DATE)", odd)
    return msgspec.structs.replace(_as_type(moment, sql_type), odd=odd)


_FROM_1900: Final = 25_567 * 86_400_000_000
"""Microseconds to 1970."""


def _as_type(moment: str, sql_type: SqlType) -> Form:
    return Form(
        f"((epoch_us({moment}) + {FIRST_MICROSECOND}) * 10)" if in_ticks(sql_type) else f"CAST({moment} AS TIMESTAMP)"
    )


def _isdate(call: Call) -> Form | None:
    """1 for what is written plainly, if year, month and day have this order."""
    if call.dates.order.find("m") > call.dates.order.find("d"):
        return None
    shapes = "{0} LIKE '____-__-__' OR {0} LIKE '____-__-__ __:__:__' AND NOT contains({0}, ' 24:')"
    known = f"({shapes}) AND coalesce(TRY_CAST({{0}} AS TIMESTAMP) >= TIMESTAMP '1753-01-01', false)"
    return Form("CASE WHEN {0} IS NULL THEN 0 ELSE 1 END", f"{{0}} IS NOT NULL AND NOT ({known})")


DATES: Final[Forms] = {
    "YEAR": (Row(_DATED, Form("CAST(year({m0}) AS INTEGER)")),),
    "MONTH": (Row(_DATED, Form("CAST(month({m0}) AS INTEGER)")),),
    "DAY": (Row(_DATED, Form("CAST(day({m0}) AS INTEGER)")),),
    "DATEPART": (Row(f"{_DATED}|time", _datepart),),
    "DATENAME": (Row(f"{_DATED}|time", _datename),),
    "DATEDIFF": (Row(f"{_DATED}|time {_DATED}|time", _datediff),),
    "DATEDIFF_BIG": (Row(f"{_DATED}|time {_DATED}|time", _datediff_big),),
    "DATEADD": (Row(f"int {_DATED}|time", _dateadd),),
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
    "DATETRUNC": (Row(_DATED, _datetrunc),),
    "DATE_BUCKET": (Row("int date|datetime|datetime2", _date_bucket),),
    "ISDATE": (Row("string", _isdate),),
}
"""Functions to their forms; a date part is not counted among the arguments."""
