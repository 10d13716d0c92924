"""Native forms of what makes a datetimeoffset: SWITCHOFFSET, TODATETIMEOFFSET,
DATETIMEOFFSETFROMPARTS.

It is a structure of its instant and its minutes. Offsets that the statement names only; near the ends of the calendar,
where local time may lead out of it, Python knows.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.functions.datetimes import parsed_zone
from sbql.engine.native.forms import Call, Form, Forms, Row
from sbql.engine.native.moments import as_ticks, ticks_at
from sbql.grammar.errors import SqlError
from sbql.grammar.values.ticks import TICKS_A_SECOND

__all__ = ["OFFSETS"]

_FIRST: Final = "0001-01-03"
_LAST: Final = "9999-12-29"
"""Whatever the offset, local time is within the calendar between them."""


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
