"""How many ticks or microseconds a date or time is, and which one so many are, in DuckDB's SQL.

Both are counted from 0001-01-01, of local time, so that nothing is below zero: there DuckDB divides to the other side.
Decides how a count is rounded to fewer digits of a second, to 300ths of one (datetime) and to minutes (smalldatetime).
It must not know which conversion or function asks, nor what is too near the ends of the calendar.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.forms import FIRST_MICROSECOND
from sbql.grammar.types import SqlType
from sbql.grammar.values.ticks import TICKS_A_SECOND

__all__ = [
    "Count", "as_stored", "as_ticks", "counted", "digits_of", "packed", "rounded", "ticks_at", "to_300ths", "to_300ths_of", "to_minutes",
]  # fmt: skip

_MICROSECONDS: Final = 1_000_000
_BEFORE_1900: Final = 693_595 * 86_400
_BEFORE_1753: Final = 639_905 * 86_400
"""Seconds from 0001-01-01."""


class Count(NamedTuple):
    """BIGINT text, and how many of what it counts a second has: ticks of 100 ns, or microseconds."""

    sql: str
    a_second: int

    def plus(self, seconds: int) -> Count:
        return Count(f"({self.sql} + {seconds * self.a_second})", self.a_second) if seconds else self

    def in_ticks(self) -> str:
        return self.sql if self.a_second == TICKS_A_SECOND else f"({self.sql} * 10)"


def ticks_at(day: str) -> str:
    """Ticks at a moment that is a literal, as DuckDB folds them."""
    return as_ticks(f"TIMESTAMP '{day}'")


def as_ticks(moment: str) -> str:
    """Ticks of a timestamp."""
    return f"((epoch_us({moment}) + {FIRST_MICROSECOND}) * 10)"


def digits_of(sql_type: SqlType) -> int:
    """The digits of a second that a type of dates shows."""
    if sql_type.name in ("date", "smalldatetime"):
        return 0
    return 3 if sql_type.name == "datetime" else 7 if sql_type.scale is None else sql_type.scale


def counted(source: SqlType, operand: str, *, as_shown: bool = False) -> Count:
    """The exact local time of a date or time: a time of day is one of 1900-01-01, and a datetime stands for 300ths of a
    second unless it is taken `as_shown`, in milliseconds."""
    if source.name == "datetimeoffset":
        utc, minutes = f"({operand}).utc", f"({operand}).minutes"
        if in_ticks(source):
            return Count(f"({utc} + {minutes} * {60 * TICKS_A_SECOND}::BIGINT)", TICKS_A_SECOND)
        return Count(
            f"(epoch_us({utc}) + {minutes} * {60 * _MICROSECONDS}::BIGINT + {FIRST_MICROSECOND})", _MICROSECONDS
        )
    if source.name == "time":
        found = Count(operand, TICKS_A_SECOND) if in_ticks(source) else Count(f"epoch_us({operand})", _MICROSECONDS)
        return found.plus(_BEFORE_1900)
    if in_ticks(source):
        return Count(operand, TICKS_A_SECOND)
    micros = f"(epoch_us({operand}) + {FIRST_MICROSECOND})"
    if source.name == "datetime" and not as_shown:
        return Count(in_300ths(micros), TICKS_A_SECOND)
    return Count(micros, _MICROSECONDS)


def in_300ths(micros: str) -> str:
    """The ticks of a datetime with these microseconds: .003 is a 300th of a second, .0033333, and .007 are two."""
    return f"({micros} * 10 + CASE {micros} % 10000 WHEN 3000 THEN 3333 WHEN 7000 THEN -3333 ELSE 0 END)"


def rounded(count: Count, digits: int, shown: int) -> Count:
    """To so many digits of a second, half up, of a count that has `shown`; microseconds but for seven digits."""
    if digits == 7:
        return Count(count.in_ticks(), TICKS_A_SECOND)
    unit = count.a_second // 10**digits  # what is counted to one of the last digit
    micros = 10 ** (6 - digits)
    if shown <= digits:
        return count if count.a_second == _MICROSECONDS else Count(f"({count.sql} // 10)", _MICROSECONDS)
    times = f" * {micros}" if micros > 1 else ""
    return Count(f"(({count.sql} + {unit // 2}) // {unit}{times})", _MICROSECONDS)


def moment_of(micros: str) -> str:
    """The timestamp of microseconds."""
    return f"make_timestamp({micros} - {FIRST_MICROSECOND})"


def to_300ths(micros: str) -> str:
    """The timestamp of a datetime with these microseconds from 1970, which are whole milliseconds: their last digit
    becomes 0, 3 or 7. Half a millisecond more keeps doubles that have lost their last bits on the right side."""
    parts = f"floor((3 * ({micros} / 1000) + 5.5::DOUBLE) / 10)"
    return f"make_timestamp_ms(CAST(floor((10 * {parts} + 1) / 3) AS BIGINT))"


def to_300ths_of(count: Count) -> str:
    """The timestamp that a datetime shows: the nearest 300th of a second, from 1753 on. A quotient of doubles is exact
    for so few milliseconds, and takes DuckDB less than one of whole numbers."""
    unit = count.a_second // 100
    parts = f"(3 * ({count.sql} - {_BEFORE_1753 * count.a_second}) + {unit // 2}) // {unit}"
    return f"make_timestamp_ms(CAST(floor((10 * ({parts}) + 1) / 3) AS BIGINT) - {(719_162 - 639_905) * 86_400_000})"


def to_minutes(count: Count) -> str:
    """The timestamp of a smalldatetime: the nearest minute, of which 29.998 seconds go down and 29.999 up."""
    minute, up = 60 * count.a_second, 30_001 * (count.a_second // 1000)
    micros = f"({count.sql} + {up}) // {minute} * {60 * _MICROSECONDS}"
    return moment_of(micros)


def as_stored(count: Count, target: SqlType) -> str:
    """What is stored of a datetime2 or time with this count, which is rounded to the digits of the type."""
    if target.name == "time":
        if in_ticks(target):
            return f"({count.sql} % {86_400 * TICKS_A_SECOND})"
        return f"(TIME '00:00:00' + to_microseconds({count.sql}))"
    return count.sql if in_ticks(target) else moment_of(count.sql)


def packed(utc: str, minutes: str, operand: str = "{0}") -> str:
    """A datetimeoffset of what is stored of its instant and its minutes, where the operand is not NULL."""
    return f"CASE WHEN {operand} IS NOT NULL THEN struct_pack(utc := {utc}, minutes := CAST({minutes} AS SMALLINT)) END"
