"""Forwarding: frames of dialogs between other instances, which msdb's routes send on (docs/spec: NETWORK).

They are kept in memory only, as they are, until there is a way; nobody acknowledges them here: whoever has sent
them sends them again. Decides what is for somebody else, how much of it may wait and for how long, and what the
trace says. Must not know connections.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil, inf
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from sbql.catalog.live_relations import ForwardedMessage
from sbql.catalog.records import InstanceEndpoint
from sbql.engine.broker import remote, routing, trace
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.state import BrokerState
from sbql.engine.host import Host
from sbql.engine.network.frames import DialogFrame, Fragment, Sealed, encode
from sbql.engine.network.links import HIGH_WATER, Destination, Link
from sbql.grammar.messages import message

__all__ = ["PRIORITY", "Forwarder"]

TIME: Final = 60.0
"""Seconds that a frame may wait for a way."""
NO_HOPS: Final = 11285
DUPLICATE: Final = 11288
NO_ROOM: Final = 11289
TOO_LATE: Final = 11290
OVER: Final = 11291
NO_ROUTE: Final = 11294
DISABLED: Final = 9792
_PLACES: Final = 10_000

Key = tuple[UUID, bool, int, int]
PRIORITY: Final = 5
"""What is sent for others, and wherever priorities do not count, is of this level."""


class _Waiting(NamedTuple):
    frame: DialogFrame
    key: Key
    size: int
    since: float


def _lifetime(frame: DialogFrame) -> float:
    """Seconds that its dialog had left when it came; infinite where nobody on the way can see that."""
    return frame.lifetime if isinstance(frame, Fragment) and frame.lifetime is not None else inf


def _aged(entry: _Waiting, now: float) -> DialogFrame | None:
    """A frame after the time that it has waited here. None: its dialog is over."""
    left = _lifetime(entry.frame) - (now - entry.since)
    if left == inf or not isinstance(entry.frame, Fragment):
        return entry.frame
    return msgspec.structs.replace(entry.frame, lifetime=left) if left > 0 else None


class Forwarder:
    """Of one instance."""

    def __init__(self, state: BrokerState, host: Host) -> None:
        self._state = state
        self._host = host
        self._waiting: dict[Destination, deque[_Waiting]] = {}
        self._keys: set[Key] = set()
        self._places: OrderedDict[tuple[UUID, bool], str] = OrderedDict()
        self.bytes_waiting = 0

    def address(self, index: CatalogIndex, frame: DialogFrame) -> str:
        """Where a frame goes on to; empty: it is for this instance, or for nobody."""
        envelope = frame.envelope
        if envelope.to_broker is not None and envelope.to_broker.int in index.by_guid:
            return ""
        with self._state.mutex:
            if remote.look_up(
                self._state, index, envelope.conversation_id, not envelope.from_initiator, envelope.to_broker
            ):
                return ""
        dialog = envelope.conversation_id, envelope.from_initiator
        kept = self._places.get(dialog, "")
        place = routing.classify(index, remote.MSDB, envelope.to_service, envelope.to_broker, self._host, kept)
        if place.kind != "Remote":
            return ""
        self._places[dialog] = place.address
        while len(self._places) > _PLACES:
            self._places.popitem(last=False)
        return routing.network_address(place)

    def keep(self, destination: Destination, frame: DialogFrame, endpoint: InstanceEndpoint, now: float) -> None:
        """Keep a frame until it can go on, or drop it."""
        envelope = frame.envelope
        size = len(encode(frame))
        sequence, number = (frame.sequence, frame.number) if isinstance(frame, Fragment | Sealed) else (-1, -1)
        key = envelope.conversation_id, envelope.from_initiator, sequence, number
        most = endpoint.message_forwarding_size << 20
        if not endpoint.is_message_forwarding_enabled:
            self._dropped(DISABLED)
        elif envelope.hops <= 1:
            self._dropped(NO_HOPS)
        elif key in self._keys:
            self._dropped(DUPLICATE)
        elif self.bytes_waiting + size > most:
            self._dropped(NO_ROOM, most)
        else:
            frame = msgspec.structs.replace(frame, envelope=msgspec.structs.replace(envelope, hops=envelope.hops - 1))
            self._waiting.setdefault(destination, deque()).append(_Waiting(frame, key, size, now))
            destination.forwards += 1
            self.bytes_waiting += size
            if sequence >= 0:
                self._keys.add(key)

    def look_anew(
        self, index: CatalogIndex, endpoint: InstanceEndpoint | None, destination_of: Callable[[str], Destination]
    ) -> None:
        """Routes or the endpoint have changed: what waits goes where they lead now, or is dropped."""
        before, self._waiting = self._waiting, {}
        is_enabled = endpoint is not None and endpoint.is_message_forwarding_enabled
        moved: set[Destination] = set()
        for old, waiting in before.items():
            for entry in waiting:
                old.forwards -= 1
                address = self.address(index, entry.frame) if is_enabled else ""
                if not address:
                    self._forget(entry)
                    self._dropped(NO_ROUTE if is_enabled else DISABLED)
                    continue
                destination = destination_of(address)
                self._waiting.setdefault(destination, deque()).append(entry)
                destination.forwards += 1
                if destination is not old:
                    moved.add(destination)
        for destination in moved:
            self._waiting[destination] = deque(sorted(self._waiting[destination], key=lambda entry: entry.since))

    def send(self, destination: Destination, link: Link, now: float) -> None:
        """What waits for a destination goes, as far as the wire takes it."""
        waiting = self._waiting.get(destination)
        while waiting and link.wire.backlog < HIGH_WATER:
            entry = self._take(destination, waiting)
            frame = _aged(entry, now)
            if frame is None:
                self._dropped(OVER)
                continue
            link.connection.send(frame, now)
            counters = self._state.counters
            counters.sent_fragments[PRIORITY] += 1
            counters.forwarded += 1
            counters.forwarded_bytes += entry.size
            link.flush()
            envelope, spent = entry.frame.envelope, int(now - entry.since)
            text = f"{destination.address} hops {envelope.hops} time consumed {spent}"
            trace.emit(
                self._state.trace,
                "Broker:Forwarded Message Sent",
                "",
                text=text,
                conversation_id=envelope.conversation_id,
            )

    def expire(self, now: float) -> None:
        """Drop what has waited too long."""
        for destination, waiting in list(self._waiting.items()):
            while waiting and waiting[0].since + TIME <= now:
                self._take(destination, waiting)
                self._dropped(TOO_LATE)
            if not waiting:
                del self._waiting[destination]

    def next_time(self) -> float | None:
        return min((waiting[0].since + TIME for waiting in self._waiting.values() if waiting), default=None)

    @property
    def count_waiting(self) -> int:
        return sum(len(waiting) for waiting in list(self._waiting.values()))

    def rows(self, now: float) -> list[ForwardedMessage]:
        """Of sys.dm_broker_forwarded_messages; from any thread."""
        return [
            ForwardedMessage(
                conversation_id=e.conversation_id, is_initiator=e.from_initiator, to_service_name=e.to_service,
                to_broker_instance=str(e.to_broker).upper() if e.to_broker is not None else None, from_service_name=e.from_service,
                from_broker_instance=str(e.from_broker).upper(), adjacent_broker_address=destination.address,
                message_sequence_number=entry.key[2], message_fragment_number=entry.key[3], hops_remaining=e.hops,
                time_to_live=ceil(min(TIME, _lifetime(entry.frame))), time_consumed=int(now - entry.since), message_id=e.message_id,
            )
            for destination, waiting in list(self._waiting.items())
            for entry in list(waiting)
            for e in (entry.frame.envelope,)
        ]  # fmt: skip

    def _take(self, destination: Destination, waiting: deque[_Waiting]) -> _Waiting:
        entry = waiting.popleft()
        destination.forwards -= 1
        self._forget(entry)
        return entry

    def _forget(self, entry: _Waiting) -> None:
        self.bytes_waiting -= entry.size
        self._keys.discard(entry.key)

    def _dropped(self, number: int, *arguments: object) -> None:
        self._state.counters.dropped += 1
        self._state.counters.forwarded_discarded += 1
        text = message(number).format(*arguments)
        trace.emit(self._state.trace, "Broker:Forwarded Message Dropped", "", text=text)
