"""Native forms of what makes or moves a datetimeoffset: SWITCHOFFSET, TODATETIMEOFFSET, DATETIMEOFFSETFROMPARTS,
DATEADD, and of conversions between it and other dates that need no rounding.

It is a structure of its instant and its minutes. Offsets that the statement names only; near the ends of the calendar,
where local time may lead out of it, Python knows.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.functions.datetimes import parsed_zone
from sbql.engine.native.forms import FIRST_MICROSECOND, Call, Form, Forms, Row
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType
from sbql.grammar.values.ticks import TICKS_A_DAY, TICKS_A_SECOND

__all__ = ["OFFSETS", "as_ticks", "from_offset", "offset_moved", "ticks_at", "to_offset"]

_FIRST: Final = "0001-01-03"
_LAST: Final = "9999-12-29"
"""Whatever the offset, local time is within the calendar between them."""


def ticks_at(day: str) -> str:
    """Ticks at the beginning of a day, as DuckDB folds them."""
    return f"((epoch_us(TIMESTAMP '{day}') + {FIRST_MICROSECOND}) * 10)"


def as_ticks(moment: str) -> str:
    """Ticks of a timestamp."""
    return f"((epoch_us({moment}) + {FIRST_MICROSECOND}) * 10)"


def from_offset(source: SqlType, target: SqlType) -> Form | None:
    """The local time of what is stored with an offset, or the same with more digits."""
    if target.name == "date":
        return Form("CAST({m0} AS DATE)")
    if target.name == "datetime":
        odd = "{m0} < TIMESTAMP '1753-01-01' OR {m0} <> date_trunc('second', {m0})"
        return Form("{m0}", odd + (" OR ({0}).utc % 10 <> 0" if in_ticks(source) else ""))
    if target.scale not in (7, None) and (source.scale is None or source.scale > target.scale):
        return None
    if target.name == "datetimeoffset":
        return Form(_packed(as_ticks("({0}).utc") if in_ticks(target) else "({0}).utc", "({0}).minutes"))
    local = "{m0}"
    if in_ticks(target):
        exact = f"(({{0}}).utc + ({{0}}).minutes * {60 * TICKS_A_SECOND}::BIGINT)"
        local = exact if in_ticks(source) else as_ticks("{m0}")
    if target.name == "datetime2":
        return Form(local)
    if target.name == "time":
        return Form(f"({local} % {TICKS_A_DAY})" if in_ticks(target) else "CAST({m0} AS TIME)")
    return None


def to_offset(source: SqlType, target: SqlType) -> Form | None:
    """A date or time of day without an offset has the offset 0."""
    scale = 7 if target.scale is None else target.scale
    if source.name not in ("date", "smalldatetime") and not (
        source.name == "datetime2" and (7 if source.scale is None else source.scale) <= scale
    ):
        return None
    if in_ticks(source):
        return Form(_packed("{0}", "0"))
    moment = "CAST({0} AS TIMESTAMP)"
    return Form(_packed(as_ticks(moment) if in_ticks(target) else moment, "0"))


def _packed(utc: str, minutes: str) -> str:
    return f"CASE WHEN {{0}} IS NOT NULL THEN struct_pack(utc := {utc}, minutes := CAST({minutes} AS SMALLINT)) END"


def _outside(moment: str, ticks: bool, first: str, last: str) -> str:
    low, high = (ticks_at(day) if ticks else f"TIMESTAMP '{day}'" for day in (first, last))
    return f"{moment} < {low} OR {moment} > {high}"


def _beyond(moment: str, ticks: bool, minutes: int) -> str:
    """The condition that a moment of the calendar, so many minutes later, may be none."""
    if not minutes:
        return ""
    low, high = (ticks_at(day) if ticks else f"TIMESTAMP '{day}'" for day in (_FIRST, _LAST))
    return f"{moment} > {high}" if minutes > 0 else f"{moment} < {low}"


def _minutes(call: Call) -> int | None:
    """Those of an offset that is known and right."""
    zone = call.values[1]
    if not isinstance(zone, int | str):
        return None
    try:
        found = parsed_zone(zone, "").utcoffset(None)
    except SqlError:
        return None
    return round(found.total_seconds() / 60)


def _switched(call: Call) -> Form | None:
    minutes = _minutes(call)
    if minutes is None or call.types[0] != call.result:
        return None
    found = f"struct_pack(utc := ({{0}}).utc, minutes := CAST({minutes} AS SMALLINT))"
    odd = _beyond("({0}).utc", in_ticks(call.result), minutes)
    return Form(f"CASE WHEN {{0}} IS NOT NULL THEN {found} END", odd)


def _with_offset(call: Call) -> Form | None:
    minutes, given = _minutes(call), call.types[0]
    if minutes is None or given.name not in ("date", "datetime", "smalldatetime", "datetime2"):
        return None
    if not in_ticks(call.result):
        utc = "CAST({m0} AS TIMESTAMP)" + (f" - to_minutes({minutes})" if minutes else "")
    elif in_ticks(given):
        utc = f"{{0}} - {60 * minutes * TICKS_A_SECOND}"
    else:
        utc = f"{as_ticks('{m0}')} - {60 * minutes * TICKS_A_SECOND}"
    found = f"struct_pack(utc := {utc}, minutes := CAST({minutes} AS SMALLINT))"
    odd = "" if given.name == "smalldatetime" else _beyond("{m0}", False, -minutes)
    return Form(f"CASE WHEN {{0}} IS NOT NULL THEN {found} END", odd)


def offset_moved(call: Call, what: str, number: str, far: str, interval: str, middle: tuple[str, str]) -> Form | None:
    """DATEADD: days and seconds of local time are those of the instant, months may be
    longer in one than in the other."""
    if what == "months":
        return None
    moved = f"({{1}}).utc + {interval}"
    if in_ticks(call.types[1]):
        moved = f"({{1}}).utc + {number} * {TICKS_A_DAY if what == 'days' else TICKS_A_SECOND}"
    found = f"struct_pack(utc := {moved}, minutes := ({{1}}).minutes)"
    odd = _outside("({1}).utc", in_ticks(call.types[1]), *middle)
    return Form(f"CASE WHEN {{0}} IS NOT NULL AND {{1}} IS NOT NULL THEN {found} END", f"{far} OR {odd}")


def _from_parts(call: Call) -> Form | None:
    """Whole seconds, at an offset and of a precision that the statement names."""
    hours, minutes, precision = call.values[7:]
    if not isinstance(hours, int) or not isinstance(minutes, int) or precision not in range(8):
        return None
    if abs(hours * 60 + minutes) > 840 or abs(minutes) > 59 or hours * minutes < 0:
        return None
    utc = f"make_timestamp({{0}}, {{1}}, {{2}}, {{3}}, {{4}}, {{5}}) - to_minutes({hours * 60 + minutes})"
    if in_ticks(call.result):
        utc = as_ticks(utc)
    known = " AND ".join(f"{{{place}}} IS NOT NULL" for place in range(7))
    sql = f"CASE WHEN {known} THEN struct_pack(utc := {utc}, minutes := CAST({hours * 60 + minutes} AS SMALLINT)) END"
    odd = (
        "{0} < 2 OR {0} > 9998 OR {1} < 1 OR {1} > 12 OR {2} < 1 OR {2} > 28 OR {3} NOT BETWEEN 0 AND 23 OR {4} NOT BETWEEN 0 AND 59 "
        "OR {5} NOT BETWEEN 0 AND 59 OR {6} <> 0"
    )
    return Form(sql, odd)


OFFSETS: Final[Forms] = {
    "SWITCHOFFSET": (Row("* *", _switched),),
    "TODATETIMEOFFSET": (Row("* *", _with_offset),),
    "DATETIMEOFFSETFROMPARTS": (Row(" ".join(["int"] * 10), _from_parts),),
}
"""Functions to their forms."""
