"""Native forms of datetimeoffset to and from text.

Decides which styles and spellings DuckDB writes and reads: those in the order of year, month and day, with the offset
behind the time. Digits of a fraction that would be rounded, and what lies near the ends of the calendar, are Python's.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.date_texts import DateText, date_text
from sbql.engine.native.forms import FIRST_MICROSECOND, Form
from sbql.engine.native.text_dates import date_from_text
from sbql.grammar.types import SqlType
from sbql.grammar.values.languages import DateFormat

__all__ = ["offset_from_text", "offset_text"]


def offset_text(source: SqlType, style: int | None, dates: DateFormat) -> DateText | None:
    """The text of a datetimeoffset in a style: behind a time stands its offset, or a Z behind that of UTC."""
    found = date_text(source, style, dates, None)
    if found is None or style in _DATES:
        return found
    if style == 127:
        return DateText(f"({found.sql} || 'Z')", found.longest + 1, is_ordered=False)
    minutes = "to_minutes(abs(CAST(({0}).minutes AS INTEGER)))"
    blank = "" if style == 126 else " "
    sign = f"CASE WHEN ({{0}}).minutes < 0 THEN '{blank}-' ELSE '{blank}+' END"
    shown = f"{sign} || strftime(TIMESTAMP '2000-01-01' + {minutes}, '%H:%M')"
    return DateText(f"({found.sql} || {shown})", found.longest + 6 + len(blank), is_ordered=False)


_DATES: Final = frozenset({*range(1, 8), 10, 11, 12, 23, *range(101, 108), 110, 111, 112})
"""Styles of a date alone."""


def offset_from_text(value: str, target: SqlType, style: int | None, dates: DateFormat) -> Form:
    """`2024-02-29 12:30:00 +02:00`, with a T, with three or six digits of a fraction, or without an offset, which is 0
    then, as what is a datetime2 has none."""
    digits = 7 if target.scale is None else target.scale
    known = [(length, clock) for fine, (length, clock) in _MOMENTS.items() if fine <= digits]
    plain = " ".join(f"WHEN {length} THEN {_read(clock)}" for length, clock in known)
    is_apart = "substring(z, 2, 1) = ' '"
    zoned = " ".join(
        f"WHEN {length + 6} THEN CASE WHEN NOT {is_apart} THEN {_read(clock, length)} END WHEN {length + 7} THEN CASE WHEN {is_apart} THEN {_read(clock, length)} END"
        for length, clock in known
    )
    passed = "(CAST(substring(z, 4, 2) AS INTEGER) * 60 + CAST(substring(z, 7, 2) AS INTEGER))"
    minutes = f"CASE WHEN h THEN CASE WHEN substring(z, 3, 1) = '-' THEN - {passed} ELSE {passed} END ELSE 0 END"
    moment = f"CASE WHEN w < '0' OR suffix(w, ' ') THEN NULL WHEN h THEN CASE strlen(w) {zoned} END ELSE CASE strlen(w) {plain} END END"
    utc = f"m - o * {_MINUTE}::BIGINT"
    utc = f"({utc} + {FIRST_MICROSECOND}) * 10" if in_ticks(target) else f"make_timestamp({utc})"
    fits = f"abs(o) < 840 AND m BETWEEN {3 * _DAY - FIRST_MICROSECOND} AND {_LAST_DAYS}"
    found = f"CASE WHEN {fits} THEN struct_pack(utc := {utc}, minutes := CAST(o AS SMALLINT)) END"
    inner = f"invoke(lambda h: invoke(lambda m, o: {found}, {moment}, {minutes}), z GLOB '[0-9][0-9 ][-+][0-1][0-9]:[0-5][0-9]')"
    found = f"invoke(lambda w: invoke(lambda z: {inner}, substring(w, strlen(w) - 7)), {value})"
    moment_alone = date_from_text(value, SqlType("datetime2", scale=target.scale), style, dates)
    if moment_alone is None:
        return Form(found, misses=True)
    at_zero = "CASE WHEN u IS NOT NULL THEN struct_pack(utc := u, minutes := CAST(0 AS SMALLINT)) END"
    return Form(f"coalesce({found}, invoke(lambda u: {at_zero}, {moment_alone.sql}))", misses=True)


_MINUTE: Final = 60_000_000
_DAY: Final = 1440 * _MINUTE
"""Microseconds."""
_LAST_DAYS: Final = 253_402_300_800_000_000 - 3 * _DAY
"""Before the year 10000."""
_MOMENTS: Final = {0: (19, "%H:%M:%S"), 3: (23, "%H:%M:%S.%g"), 6: (26, "%H:%M:%S.%f")}
"""Digits of a fraction to the length of a moment, and to the format of its time. A text of that length in which a part
had fewer digits would have a blank at an end."""


def _read(clock: str, length: int = 0) -> str:
    """The microseconds from 1970 of the moment that the text is, or its first so many characters. With the offset in
    the format (%z) there would be a 30 February."""
    text = f"substring(w, 1, {length})" if length else "w"
    return f"epoch_us(TRY_STRPTIME({text}, ['%Y-%m-%d {clock}', '%Y-%m-%dT{clock}']))"
