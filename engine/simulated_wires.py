"""Simulated wires: the transport of instances that stand in one process, over ways that a test may spoil.

Decides what becomes of each piece that is sent: it takes its time, gets lost, doubled, changed, overtaken, or
the way breaks; chance comes from a seed. Moments are those of the simulated network. Must not know what the
pieces say: encryption is only played.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from sbql.engine.network.wires import Wire, WireEvents

__all__ = ["Mischief", "SimulatedTransport", "Switchboard"]

_BINDING: Final = b"a certificate that is only played"
_HASTE: Final = 0.0001
"""Seconds to the machine itself."""


class Mischief(Struct):
    """How bad a way is: seconds that a piece takes, and the share of pieces that get lost, come twice, come changed,
    are overtaken by later ones; the share after which the connection breaks. `rewrite`: what somebody on the way makes
    of each piece from one machine to another, for ways without encryption."""

    least_delay: float = 0.001
    most_delay: float = 0.005
    lost: float = 0.0
    doubled: float = 0.0
    changed: float = 0.0
    overtaken: float = 0.0
    broken: float = 0.0
    rewrite: Callable[[str, str, bytes], bytes] | None = None
    """What somebody on the way makes of each piece from one machine to another. Where the way
    is encrypted this is only played."""


class Switchboard:
    """All machines, and what lies between them. `later(delay, call)` has something
    called, `clock` is the common time."""

    def __init__(
        self,
        chance: random.Random,
        later: Callable[[float, Callable[[], None]], None],
        clock: Callable[[], float],
    ) -> None:
        self.chance = chance
        self.later = later
        self.clock = clock
        self.mischief = Mischief()
        self.listeners: dict[str, tuple[SimulatedTransport, WireEvents]] = {}
        self.wires: list[SimulatedWire] = []
        self._apart: set[frozenset[str]] = set()

    def separate(self, one: str, other: str) -> None:
        """Nothing gets from one machine to the other any more; nobody is told."""
        self._apart.add(frozenset((one, other)))

    def heal(self) -> None:
        """Everybody reaches everybody, and nothing bad happens on the way any more."""
        self._apart.clear()
        self.mischief = Mischief()

    def is_apart(self, one: str, other: str) -> bool:
        return frozenset((one, other)) in self._apart

    def connect(self, wire: SimulatedWire, address: str) -> None:
        if wire.is_closed:  # whoever began to connect has given up
            return
        listener = self.listeners.get(address)
        if listener is None:
            wire.events.lost(wire, "connection refused")
            return
        transport, events = listener
        if self.is_apart(wire.machine, transport.machine):
            self.later(20.0, lambda: wire.break_("timed out"))
            return
        other = SimulatedWire(self, transport.machine, f"{wire.machine}:0", events, is_acceptor=True)
        wire.other, other.other = other, wire
        self.wires += (wire, other)
        events.accepted(other)
        wire.events.opened(wire)

    def carry(self, wire: SimulatedWire, data: bytes) -> None:
        """Bring one piece across, or not."""
        other, bad, chance = wire.other, self.mischief, self.chance
        if other is None or self.is_apart(wire.machine, other.machine):
            return
        if wire.machine == other.machine:
            bad = Mischief(_HASTE, _HASTE)
        if chance.random() < bad.broken:
            self.later(bad.most_delay, lambda: wire.break_("connection reset"))
            return
        for _ in range(1 + (chance.random() < bad.doubled)):
            if chance.random() < bad.lost:
                continue
            piece = data if bad.rewrite is None else bad.rewrite(wire.machine, other.machine, data)
            if chance.random() < bad.changed:
                place = chance.randrange(len(data))
                piece = data[:place] + bytes([data[place] ^ (1 + chance.randrange(255))]) + data[place + 1 :]
            delay = chance.uniform(bad.least_delay, bad.most_delay)
            if chance.random() >= bad.overtaken:
                now = self.clock()
                delay = max(delay, wire.busy_until - now)
                wire.busy_until = now + delay
            self.later(delay, lambda piece=piece: other.arrive(piece))  # type: ignore[misc]


class SimulatedWire:
    """One end of a way."""

    def __init__(
        self, board: Switchboard, machine: str, address: str, events: WireEvents, *, is_acceptor: bool = False
    ) -> None:
        self._board = board
        self.machine = machine
        self._address = address
        self.events = events
        self.other: SimulatedWire | None = None
        self.busy_until = 0.0
        self._is_acceptor = is_acceptor
        self.is_closed = self._is_changing = False
        self._kept: list[bytes] = []

    @property
    def address(self) -> str:
        return self._address

    @property
    def backlog(self) -> int:
        return 0

    def send(self, frames: list[bytes]) -> None:
        """Each frame is a piece with a fate of its own."""
        for frame in frames:
            if not self.is_closed:
                self._board.carry(self, frame)

    def consumed(self, count: int) -> None:
        """There is no bound here."""

    def arrive(self, data: bytes) -> None:
        if self.is_closed:
            return
        if self._is_changing:
            self._kept.append(data)
        else:
            self.events.received(self, data)

    def start_tls(self, rest: bytes) -> None:
        if rest:
            self._kept.append(rest)
        if not self._is_changing:
            self._is_changing = True
            self._board.later(_HASTE, self._secured)

    def _secured(self) -> None:
        self._is_changing = False
        self.events.secured(self, _BINDING)
        kept, self._kept = self._kept, []
        for data in kept:
            self.arrive(data)

    def break_(self, text: str) -> None:
        """The way is gone; both ends learn it."""
        for end in (self, self.other):
            if end is not None and not end.is_closed:
                end.is_closed = True
                end.events.lost(end, text)

    def close(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        other = self.other
        if other is not None and not self._board.is_apart(self.machine, other.machine):
            self._board.later(self._board.mischief.most_delay, lambda: other.break_("closed by the other side"))


class SimulatedTransport:
    """The transport of one machine."""

    def __init__(self, board: Switchboard, machine: str) -> None:
        self._board = board
        self.machine = machine
        self._mine: list[SimulatedWire] = []
        self._addresses: list[str] = []

    def connect(self, address: str, events: WireEvents) -> Wire:
        wire = SimulatedWire(self._board, self.machine, address, events)
        self._mine.append(wire)
        own = address.lower().replace("localhost:", f"{self.machine.lower()}:")
        self._board.later(self._board.mischief.least_delay, lambda: self._board.connect(wire, own))
        return wire

    def listen(self, ip_address: str | None, port: int, events: WireEvents) -> None:
        address = f"{self.machine}:{port}".lower()
        self._board.listeners[address] = self, events
        self._addresses.append(address)

    def stop_listening(self) -> None:
        for address in self._addresses:
            self._board.listeners.pop(address, None)
        self._addresses.clear()

    def close(self) -> None:
        self.stop_listening()
        for wire in [w for w in self._board.wires if w.machine == self.machine] + self._mine:
            wire.close()
        self._board.wires = [w for w in self._board.wires if w.machine != self.machine]
