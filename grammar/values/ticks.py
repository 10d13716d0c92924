"""Ticks: the 100 ns that SQL Server counts and that Python's dates, which end at microseconds, do not.

Decides how a value carries a seventh fractional digit. Most have none: they are plain `datetime` and `time`. The others
are a `TickDatetime` or `TickTime`, which compare, hash, print and move with their digit and are otherwise the value
without it; `tick_of` reads the digit of any value. It also counts: a moment as ticks since 0001-01-01, a time of day as
ticks since midnight. It must not know SQL types.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar, TypeVar

__all__ = [
    "TICKS_A_DAY",
    "TICKS_A_SECOND",
    "TickDatetime",
    "TickTime",
    "add_ticks",
    "datetime_from_ticks",
    "datetime_ticks",
    "fraction_of",
    "tick_of",
    "time_from_ticks",
    "time_ticks",
    "with_tick",
]

TICKS_A_SECOND = 10_000_000
TICKS_A_DAY = 86_400 * TICKS_A_SECOND

_FIRST = dt.datetime(1, 1, 1)
_MICROSECOND_END = 7
"""Where a seventh digit goes, counted from the point."""

Clock = TypeVar("Clock", dt.datetime, dt.time)


class _Fine:
    """What datetime and time share. `_plain` is the class without the digit; its methods are called by name, because
    what they give back knows nothing of ticks."""

    __slots__ = ()
    _plain: ClassVar[Any]
    tick: int

    @property
    def nanosecond(self) -> int:
        """The nanoseconds beyond `microsecond`, as pandas.Timestamp has them."""
        return self.tick * 100

    def __eq__(self, other: object) -> Any:
        same = self._plain.__eq__(self, other)
        return same if same is NotImplemented else same and self.tick == tick_of(other)

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __lt__(self, other: Any) -> Any:
        return self._ordered("__lt__", other, self.tick < tick_of(other))

    def __le__(self, other: Any) -> Any:
        return self._ordered("__lt__", other, self.tick <= tick_of(other))

    def __gt__(self, other: Any) -> Any:
        return self._ordered("__gt__", other, self.tick > tick_of(other))

    def __ge__(self, other: Any) -> Any:
        return self._ordered("__gt__", other, self.tick >= tick_of(other))

    def _ordered(self, strictly: str, other: Any, by_tick: bool) -> Any:
        found = getattr(self._plain, strictly)(self, other)
        if found is NotImplemented or found:
            return found
        return by_tick and self._plain.__eq__(self, other)

    def __hash__(self) -> int:
        return int(self._plain.__hash__(self)) + self.tick

    def __repr__(self) -> str:
        return f"{self._plain.__repr__(self)[:-1]}, tick={self.tick})"

    def _iso(self, *args: str, timespec: str) -> str:
        """With all seven digits, unless `timespec` asks for fewer."""
        if timespec != "auto":
            return str(self._plain.isoformat(self, *args, timespec))
        text = self._plain.isoformat(self, *args, "microseconds")
        end = text.index(".") + _MICROSECOND_END
        return f"{text[:end]}{self.tick}{text[end:]}"

    def plain(self) -> Any:
        """The value without its seventh digit."""
        raise NotImplementedError

    def replace(self, *args: Any, **changes: Any) -> Any:
        """A new microsecond leaves no tick; everything else keeps it."""
        changed = self.plain().replace(*args, **changes)
        is_whole = "microsecond" in changes or len(args) > self._microsecond_at
        return changed if is_whole else with_tick(changed, self.tick)

    __replace__ = replace
    _microsecond_at: ClassVar[int]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return with_tick, (self.plain(), self.tick)


class TickDatetime(_Fine, dt.datetime):
    """A datetime2 or datetimeoffset whose seventh digit, `tick`, is not 0."""

    __slots__ = ("tick",)
    _plain = dt.datetime
    _microsecond_at = 6

    def __new__(cls, *args: Any, tick: int = 0, **parts: Any) -> TickDatetime:
        self = super().__new__(cls, *args, **parts)
        self.tick = tick
        return self

    def plain(self) -> dt.datetime:
        return dt.datetime(
            self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond, self.tzinfo, fold=self.fold
        )  # fmt: skip

    def __str__(self) -> str:
        return self.isoformat(" ")

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        return self._iso(sep, timespec=timespec)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, dt.timedelta):
            return NotImplemented
        return with_tick(self.plain() + other, self.tick)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        """Minus a timedelta it keeps its tick; the difference to another moment is a timedelta, in microseconds."""
        found = self.plain() - other
        return with_tick(found, self.tick) if isinstance(found, dt.datetime) else found

    def astimezone(self, tz: dt.tzinfo | None = None) -> Any:
        return with_tick(self.plain().astimezone(tz), self.tick)

    def time(self) -> Any:
        return with_tick(self.plain().time(), self.tick)

    def timetz(self) -> Any:
        return with_tick(self.plain().timetz(), self.tick)


class TickTime(_Fine, dt.time):
    """A time whose seventh digit, `tick`, is not 0."""

    __slots__ = ("tick",)
    _plain = dt.time
    _microsecond_at = 3

    def __new__(cls, *args: Any, tick: int = 0, **parts: Any) -> TickTime:
        self = super().__new__(cls, *args, **parts)
        self.tick = tick
        return self

    def plain(self) -> dt.time:
        return dt.time(self.hour, self.minute, self.second, self.microsecond, self.tzinfo, fold=self.fold)

    def __str__(self) -> str:
        return self.isoformat()

    def isoformat(self, timespec: str = "auto") -> str:
        return self._iso(timespec=timespec)


def tick_of(value: object) -> int:
    """The seventh fractional digit of a value."""
    return value.tick if isinstance(value, TickDatetime | TickTime) else 0


def with_tick(value: Clock, tick: int) -> Clock:
    """A plain value with a seventh digit."""
    if not tick:
        return value
    if isinstance(value, dt.time):
        return TickTime(
            value.hour, value.minute, value.second, value.microsecond, value.tzinfo, fold=value.fold, tick=tick
        )
    return TickDatetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, value.tzinfo,
        fold=value.fold, tick=tick,
    )  # fmt: skip


def fraction_of(value: dt.datetime | dt.time) -> int:
    """The ticks of the second."""
    return value.microsecond * 10 + tick_of(value)


def time_ticks(value: dt.datetime | dt.time) -> int:
    """The ticks since midnight."""
    return (value.hour * 3600 + value.minute * 60 + value.second) * TICKS_A_SECOND + fraction_of(value)


def datetime_ticks(value: dt.datetime) -> int:
    """The ticks since 0001-01-01 00:00, by the value's own clock: an offset does not count."""
    return (value.toordinal() - 1) * TICKS_A_DAY + time_ticks(value)


def datetime_from_ticks(ticks: int) -> dt.datetime:
    """The moment so many ticks after 0001-01-01. Raises OverflowError beyond years 1 to 9999."""
    micros, tick = divmod(ticks, 10)
    found = _FIRST + dt.timedelta(0, 0, micros)
    return with_tick(found, tick) if tick else found


def time_from_ticks(ticks: int) -> dt.time:
    """The time of day so many ticks after midnight. Raises ValueError when the day is shorter."""
    seconds, fraction = divmod(ticks, TICKS_A_SECOND)
    micros, tick = divmod(fraction, 10)
    found = dt.time(seconds // 3600, seconds // 60 % 60, seconds % 60, micros)
    return with_tick(found, tick) if tick else found


def add_ticks(value: dt.datetime, ticks: int) -> dt.datetime:
    """`value` some ticks later, or earlier. Raises OverflowError beyond years 1 to 9999."""
    micros, tick = divmod(tick_of(value) + ticks, 10)
    plain = value.plain() if isinstance(value, TickDatetime) else value
    found: dt.datetime = plain + dt.timedelta(microseconds=micros)
    return with_tick(found, tick)
