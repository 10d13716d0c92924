"""Host: the clock, chance and GUIDs of an instance, handed in once and asked by everyone.

No other module of the engine may call time, random or uuid for "now" or "new". A virtual host makes a run repeat
exactly: the same seed gives the same GUIDs, and time moves only when the driver moves it.
"""

from __future__ import annotations

import os
import random
import time
from datetime import datetime, timedelta
from typing import ClassVar, Final, Protocol
from uuid import UUID

__all__ = ["Host", "SystemHost", "VirtualHost", "guid_key", "host_of", "local_time", "seeded"]


_RANDOM_BITS: Final = (1 << 128) - 1 & ~(0xF << 76) & ~(0b11 << 62)
_VERSION_AND_VARIANT: Final = 4 << 76 | 0b10 << 62


class Host(Protocol):
    """Times are seconds since 1970-01-01 UTC. `repeats`: the same seed gives the same values,
    so that each must come from here."""

    repeats: ClassVar[bool]

    def now(self) -> float: ...

    def shown(self) -> float:
        """Now, for a program that asks for it (GETDATE and its kin): asking again and again must not be for ever."""
        ...

    def utc_offset_minutes(self) -> int:
        """Offset of local time (GETDATE) from UTC."""
        ...

    def new_guid(self) -> UUID: ...

    def new_message_id(self) -> bytes:
        """The 16 bytes of a new GUID: every message has one, and a UUID costs twice as much as all else about it."""
        ...

    def random(self) -> float:
        """Uniform in [0, 1)."""
        ...

    def random_bytes(self, count: int) -> bytes:
        """Bytes for keys: nobody can foresee them, but on a virtual host."""
        ...


class SystemHost:
    """The real thing."""

    repeats: ClassVar[bool] = False

    def __init__(self) -> None:
        self._random = random.SystemRandom()
        self._bits = random.Random(self._random.getrandbits(128))

    def now(self) -> float:
        return time.time()

    def shown(self) -> float:
        return time.time()

    def utc_offset_minutes(self) -> int:
        return time.localtime().tm_gmtoff // 60

    def new_guid(self) -> UUID:
        return UUID(int=_guid(self._bits))

    def new_message_id(self) -> bytes:
        return _guid(self._bits).to_bytes(16)

    def random(self) -> float:
        return self._bits.random()

    def random_bytes(self, count: int) -> bytes:
        return os.urandom(count)


class VirtualHost:
    """A clock that stands still until `advance_to`, and chance from a seed. Local time is UTC.

    A program that has been shown one moment PATIENT times waits for the next one without saying so, as in
    `WHILE GETDATE() < @end …`: from then on each look moves the clock by CREEP seconds.
    """

    START: ClassVar[float] = 1767225600.0  # 2026-01-01 00:00:00 UTC
    repeats: ClassVar[bool] = True
    PATIENT: ClassVar[int] = 100_000
    CREEP: ClassVar[float] = 0.01

    def __init__(self, seed: int = 0, start: float = START) -> None:
        self._now = start
        self._looks = 0
        self._bits = random.Random(seed)

    def again(self, seed: int | None = None) -> VirtualHost:
        """Another one that goes on from here: at the same moment, and with the same
        chance, or with that of another seed."""
        host = VirtualHost(0 if seed is None else seed, self._now)
        if seed is None:
            host._bits.setstate(self._bits.getstate())
        return host

    def now(self) -> float:
        return self._now

    def shown(self) -> float:
        self._looks += 1
        if self._looks > self.PATIENT:
            self._now += self.CREEP
        return self._now

    def advance_to(self, moment: float) -> None:
        """Move on to `moment`; never back."""
        if moment > self._now:
            self._now, self._looks = moment, 0

    def utc_offset_minutes(self) -> int:
        return 0

    def new_guid(self) -> UUID:
        return UUID(int=_guid(self._bits))

    def new_message_id(self) -> bytes:
        return _guid(self._bits).to_bytes(16)

    def random(self) -> float:
        return self._bits.random()

    def random_bytes(self, count: int) -> bytes:
        return self._bits.randbytes(count)


def _guid(bits: random.Random) -> int:
    """A random GUID (RFC 9562, 5.4: version 4, variant 10)."""
    return bits.getrandbits(128) & _RANDOM_BITS | _VERSION_AND_VARIANT


def guid_key(host: Host) -> UUID:
    """Random bits without version and variant: XOR with them makes of random GUIDs others, which are still such."""
    return UUID(int=host.new_guid().int & _RANDOM_BITS)


def host_of(clock: str, seed: int, start: float | None) -> Host:
    """The clock and chance that a name means: "system", or "virtual", from `seed` and from the
    moment `start`. Raises ValueError."""
    if clock not in ("system", "virtual"):
        raise ValueError(f"clock is 'system' or 'virtual', not {clock!r}")
    return VirtualHost(seed, VirtualHost.START if start is None else start) if clock == "virtual" else SystemHost()


def seeded(seed: int) -> random.Random:
    """Chance that repeats."""
    return random.Random(seed)


def local_time(host: Host, seconds: float) -> datetime:
    """A moment as the server's local time, as GETDATE would have given it then."""
    return datetime(1970, 1, 1) + timedelta(seconds=seconds, minutes=host.utc_offset_minutes())
