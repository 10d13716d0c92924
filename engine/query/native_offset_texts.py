"""Native forms of datetimeoffset to and from text.

Decides which styles and spellings DuckDB writes and reads: those in the order of year, month and day, with the offset behind the time. Digits of a fraction that would be
rounded, and what lies near the ends of the calendar, are Python's.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.query.native import FIRST_MICROSECOND, Form
from sbql.engine.query.native_date_texts import date_text
from sbql.grammar.types import SqlType
from sbql.grammar.values.languages import DateFormat

__all__ = ["offset_from_text", "offset_text"]

_WHOLE: Final = frozenset({20, 120})
_DATES: Final = frozenset({*range(1, 8), 10, 11, 12, 23, *range(101, 108), 110, 111, 112})
"""Styles of a date alone."""
_FINE: Final = frozenset({None, 0, 21, 25, 121})


def offset_text(source: SqlType, style: int | None, dates: DateFormat) -> tuple[str, int] | None:
    """The text of a datetimeoffset in a style, with {0} and {m0} for the value, and how long it is."""
    if style in _DATES:
        return date_text(source, style, dates, None)
    if style not in _WHOLE | _FINE:
        return None
    digits = 0 if style in _WHOLE else 7 if source.scale is None else source.scale
    clock = "strftime({m0}, '%Y-%m-%d %H:%M:%S.%f')" if digits else "strftime({m0}, '%Y-%m-%d %H:%M:%S')"
    if digits == 7:
        clock += " || ({0}).utc % 10"
    elif 0 < digits < 6:
        clock = f"left({clock}, {20 + digits})"
    minutes = "to_minutes(abs(CAST(({0}).minutes AS INTEGER)))"
    shown = f"CASE WHEN ({{0}}).minutes < 0 THEN ' -' ELSE ' +' END || strftime(TIMESTAMP '2000-01-01' + {minutes}, '%H:%M')"
    return f"({clock} || {shown})", (20 + digits if digits else 19) + 7


def offset_from_text(value: str, target: SqlType) -> Form:
    """`2024-02-29 12:30:00 +02:00`, with a T, a fraction or without an offset, which is 0 then."""
    digits = min(6, 7 if target.scale is None else target.scale)
    fraction = f"([.][0-9]{{{{1,{digits}}}}})?" if digits else ""
    hours = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    shape = f"[0-9]{{{{4}}}}-[0-9]{{{{2}}}}-[0-9]{{{{2}}}}[ T]{hours}{fraction}( ?[-+](0[0-9]|1[0-3]):[0-5][0-9])?"
    zone = f"right({value}, 6)"
    has_zone = f"regexp_matches({zone}, '^[-+]')"
    number = f"(CAST(substring({zone}, 2, 2) AS INTEGER) * 60 + CAST(right({value}, 2) AS INTEGER))"
    minutes = f"CASE WHEN NOT {has_zone} THEN 0 WHEN {zone} LIKE '-%' THEN - {number} ELSE {number} END"
    moment = f"TRY_CAST(CASE WHEN {has_zone} THEN rtrim(left({value}, length({value}) - 6), ' ') ELSE {value} END AS TIMESTAMP)"
    utc = "m - to_minutes(o)"
    if in_ticks(target):
        utc = f"(epoch_us({utc}) + {FIRST_MICROSECOND}) * 10"
    found = f"CASE WHEN m BETWEEN TIMESTAMP '0001-01-03' AND TIMESTAMP '9999-12-29' THEN struct_pack(utc := {utc}, minutes := CAST(o AS SMALLINT)) END"
    sql = f"CASE WHEN regexp_full_match({value}, '{shape}') THEN invoke(lambda m, o: {found}, {moment}, {minutes}) END"
    return Form(sql, misses=True)
