"""AT TIME ZONE in SQL: natively where the statement names the zone, for the years in
which its clocks change twice at most.

Decides by a table of the zone's changes, a row a year, which offset a moment has; it is read from the same data as the
Python form reads, so that both say the same. Before 1971 and behind 2037, and in years of more changes, Python knows.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from sbql.catalog.duck_types import in_ticks
from sbql.engine.functions.time_zones import zone_named
from sbql.engine.native.forms import Form, guarded
from sbql.engine.query.context import EXPRESSIONS, Context, registers
from sbql.engine.query.row_functions import row_function
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType, datetimeoffset
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.ticks import TICKS_A_SECOND

__all__: list[str] = []

_FIRST, _LAST = 1971, 2037
_NEVER: Final = 4_000_000_000
"""Seconds since 1970, behind the last year."""


class _Year(Struct, frozen=True):
    """The seconds at which the clocks change, and the minutes of the three offsets around."""

    changes: tuple[int, int]
    offsets: tuple[int, int, int]


@registers(EXPRESSIONS, ast.AtTimeZone)
def at_time_zone(node: ast.AtTimeZone, cx: Context) -> Typed:
    zone = _named(node.zone)
    if zone is None:
        return row_function(node, cx)
    value = cx.expression(node.operand)
    if kind(value.type) not in ("datetime", "datetime2", "datetimeoffset") or value.stands_once:
        return row_function(node, cx, value)
    scale = {"datetime": 3, "smalldatetime": 0}.get(value.type.name, value.type.scale)
    result = datetimeoffset(7 if scale is None else scale)
    sql, stands_once = guarded(_form(value.type, zone), [value], lambda: row_function(node, cx, value).sql)
    return Typed(sql, result, True, stands_once=stands_once)


def _named(node: ast.Expression) -> ZoneInfo | None:
    if not isinstance(node, ast.StringLiteral):
        return None
    try:
        return zone_named(node.value)
    except SqlError:
        return None


def _form(source: SqlType, zone: ZoneInfo) -> Form:
    years = _years(zone.key)
    odd = f"year({{u0}}) NOT BETWEEN {_FIRST} AND {_LAST}"
    missing = [str(year) for year, known in years.items() if known is None]
    if missing:
        odd += f" OR year({{u0}}) IN ({', '.join(missing)})"
    known = [year or _Year((_NEVER, _NEVER), (0, 0, 0)) for year in years.values()]
    if source.name == "datetimeoffset":
        shown = _offset(known, [year.changes for year in known])
        found = f"struct_pack(utc := ({{0}}).utc, minutes := CAST({shown} AS SMALLINT))"
    else:
        shown = _offset(known, [_shown_changes(year) for year in known])
        real = _offset(known, [_real_changes(year) for year in known])
        utc = f"{{0}} - ({real}) * {60 * TICKS_A_SECOND}::BIGINT" if in_ticks(source) else f"{{0}} - to_minutes({real})"
        found = f"struct_pack(utc := {utc}, minutes := CAST({shown} AS SMALLINT))"
    found = f"CASE WHEN {{0}} IS NOT NULL THEN {found} END"
    if all(set(year.offsets) == {0} for year in known):
        return Form(found) if not missing and zone.key == "Etc/UTC" else Form(found, odd)
    return Form(found, odd)


def _shown_changes(year: _Year) -> tuple[int, int]:
    """In local time: when the offset before counts no longer. In the gap of spring the new one is shown."""
    (first, second), (before, between, _) = year.changes, year.offsets
    return first + 60 * before, second + 60 * between


def _real_changes(year: _Year) -> tuple[int, int]:
    """In the gap a moment is moved on, so that it is the instant that it is by the offset before."""
    (first, second), (before, between, behind) = year.changes, year.offsets
    return first + 60 * max(before, between), second + 60 * max(between, behind)


def _offset(years: list[_Year], changes: list[tuple[int, int]]) -> str:
    """The minutes of the offset by the table of the years, as SQL."""
    before, between, behind = (_listed([year.offsets[place] for year in years]) for place in range(3))
    if {before} == {between} == {behind} and before.lstrip("-").isdigit():
        return before
    first, second = (_listed([change[place] for change in changes]) for place in (0, 1))
    seconds = "(epoch_us({u0}) // 1000000)"
    return f"CASE WHEN {seconds} < {first} THEN {before} WHEN {seconds} < {second} THEN {between} ELSE {behind} END"


def _listed(values: list[int]) -> str:
    """The value of the year; one that all years have stands alone."""
    if len(set(values)) == 1:
        return str(values[0])
    return f"list_extract([{', '.join(map(str, values))}], year({{u0}}) - {_FIRST - 1})"


@lru_cache(maxsize=32)
def _years(key: str) -> dict[int, _Year | None]:
    """Each year's changes, None where they are more than two, near its ends, or no whole minutes."""
    zone = ZoneInfo(key)
    changes: dict[int, list[int]] = {year: [] for year in range(_FIRST - 1, _LAST + 2)}
    day = _seconds(_FIRST) - 86_400
    end = _seconds(_LAST + 1) + 86_400
    while day < end:
        if _at(zone, day) != _at(zone, day + 86_400):
            change = _change(zone, day, day + 86_400)
            changes[dt.datetime.fromtimestamp(change, dt.UTC).year].append(change)
        day += 86_400
    return {year: _row(zone, year, changes[year]) for year in range(_FIRST, _LAST + 1)}


def _row(zone: ZoneInfo, year: int, changes: list[int]) -> _Year | None:
    first, last = _seconds(year), _seconds(year + 1)
    offsets = [_at(zone, first), *(_at(zone, change) for change in changes)]
    if len(changes) > 2 or any(offset % 60 for offset in offsets) or _at(zone, last - 1) != offsets[-1]:
        return None
    if any(_at(zone, edge - 86_400) != _at(zone, edge + 86_400) for edge in (first, last)):
        return None
    padded = [*changes, _NEVER, _NEVER][:2]
    minutes = [*(offset // 60 for offset in offsets), offsets[-1] // 60, offsets[-1] // 60][:3]
    return _Year((padded[0], padded[1]), (minutes[0], minutes[1], minutes[2]))


def _change(zone: ZoneInfo, low: int, high: int) -> int:
    """The first second that has not the offset of `low`."""
    before = _at(zone, low)
    while high - low > 1:
        middle = (low + high) // 2
        if _at(zone, middle) == before:
            low = middle
        else:
            high = middle
    return high


def _at(zone: ZoneInfo, second: int) -> int:
    """The seconds of the offset at an instant."""
    offset = dt.datetime.fromtimestamp(second, zone).utcoffset()
    assert offset is not None
    return round(offset.total_seconds())


def _seconds(year: int) -> int:
    return round(dt.datetime(year, 1, 1, tzinfo=dt.UTC).timestamp())
