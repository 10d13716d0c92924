"""Conversations at rest, out of memory as objects: records of 128 bytes each, in slots (slots.py) that are
found by the ids that statements name.

Decides how they are kept and found again. Must not know when a conversation is at rest, nor what it is to be in memory.
Nothing here has to be durable: the store has every endpoint, and whoever opens it again has them from there. Waking
one, or putting it here, takes a few microseconds: a statement that names any of a million hardly notices.

A slot has what an endpoint does not share with others (packed_endpoint.py) and, behind it, the numbers of the messages
that wait; what does not fit is kept beside it. The slot of one that leaves stays its seat, under the same ids, until
the endpoint is gone: most come back.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from struct import Struct
from typing import Final
from uuid import UUID

from sbql.catalog.records import ConversationEndpoint
from sbql.engine.broker.agenda import Agenda
from sbql.engine.broker.chains import Chains
from sbql.engine.broker.idle_endpoint import NO_NUMBERS, IdleEndpoint
from sbql.engine.broker.packed_endpoint import Common, common_of, endpoint_of, own_of
from sbql.engine.broker.slots import Slots

__all__ = ["IdleStore"]

_IN_MEMORY: Final = 512 << 20
"""Bytes that are not in a file, of four million endpoints."""

_HEAD: Final = Struct("<dqIIB")
"""When it is due, its turn in the queue (-1: no message is ready), which of the common values are its own (0: it has
them beside its slot), and the bytes of the numbers and of what it does not share (0: it is not here)."""
_LENGTH_AT: Final = _HEAD.size - 1
_Head = tuple[float, int, int, int, int]
_SIZE: Final = 128
_ROOM: Final = _SIZE - _HEAD.size
"""What is not shared takes 70 to 90 bytes, and no more than 120, a message 16."""

_MOST_COMMON: Final = 1 << 16
"""So many values are kept once; of more each has its own."""

_MICROSECONDS: Final = 1_000_000
_ORDERS: Final = 1 << 50
"""Queuing orders are lower."""
_LOWEST: Final = 10
"""Priorities are not higher."""
_PART: Final = 1_000
_TURNS: Final = 1_024
"""Turns, and"""
_MINUTES: Final = 128 * _MICROSECONDS
"""moments that an agenda has in a bucket."""


class IdleStore:
    """Endpoints at rest, a group always as a whole. Calls come one at a time (the broker's mutex is held). `put` raises
    OSError when there is no room: nothing of what it was given is kept then."""

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._forget_all()

    def _forget_all(self) -> None:
        self.count = 0
        """Endpoints that are here."""
        self.closed = 0
        """Those of them that are CLOSED."""
        self.turns: dict[int, tuple[int, int]] = {}
        """Of each queue for which messages of them are ready: no `IdleEndpoint.turn` is lower."""
        self._slots = Slots(_SIZE, self._in_memory)
        self._common: list[_Alike] = []
        """What many have, each once."""
        self._numbers: dict[Common, int] = {}
        """Which place it has there, counted from 1."""
        self._odd: dict[int, _Alike] = {}
        """What had no room there, by the place of the endpoint."""
        self._large: dict[int, bytes] = {}
        """What has no room in its slot."""
        self._handles, self._conversations, self._groups = Chains(), Chains(), Chains()
        self._dues = Agenda(_MINUTES, self._is_due)
        self._lines: dict[int, Agenda] = {}
        """The turns of each queue."""

    # In

    def put(self, rows: Sequence[IdleEndpoint]) -> None:
        """Keep these endpoints: all of their groups."""
        new: list[int] = []
        try:
            for _ in range(sum(not row.seat for row in rows)):
                new.append(self._slots.take())
        except OSError:
            for place in new:
                self._slots.give(place)
            raise
        for row in rows:
            place = row.seat or new.pop()
            self._seat(place, row.endpoint, is_new=not row.seat)
            self._write(place, row)

    def _seat(self, place: int, e: ConversationEndpoint, is_new: bool) -> None:
        """See to it that it is found."""
        if is_new:
            self._handles.put(place, _hash(e.conversation_handle))
            self._conversations.put(place, _hash(e.conversation_id))
        elif not self._groups.has(place, _hash(e.conversation_group_id)):  # MOVE CONVERSATION
            self._groups.remove(place)
            is_new = True
        if is_new:
            self._groups.put(place, _hash(e.conversation_group_id))

    def _write(self, place: int, row: IdleEndpoint) -> None:
        e, due, numbers = row.endpoint, row.due, row.numbers
        common = common_of(row)
        number = self._numbers.get(common, 0) or self._number(common, e.far_broker_instance)
        if not number:
            self._odd[place] = _Alike(common, e.far_broker_instance)
        own, behind, turn = own_of(e), b"", -1
        if numbers:
            behind, turn = numbers.tobytes(), (_LOWEST - e.priority) * _ORDERS + numbers[1]
        data, begin = self._slots.at(place)
        _HEAD.pack_into(data, begin, math.inf if due is None else due, turn, number, len(behind), len(own))
        size = len(own) + len(behind)
        if size <= _ROOM:
            begin += _HEAD.size
            data[begin : begin + size] = own + behind
        else:
            self._large[place] = own + behind
        self.count += 1
        self.closed += e.state == "CD"
        if due is not None:
            self._dues.put(_moment(due), place)
        if turn >= 0:
            self._line(row.queue_id).put(turn, place)
            first = -e.priority, numbers[1]
            self.turns[row.queue_id] = min(first, self.turns.get(row.queue_id, first))

    def _number(self, common: Common, far_broker_instance: UUID | None) -> int:
        """The number of a new one, 0 when there are too many."""
        if len(self._common) >= _MOST_COMMON:
            return 0
        self._common.append(_Alike(common, far_broker_instance))
        self._numbers[common] = number = len(self._common)
        return number

    def stand_up(self, seat: int) -> None:
        """Whoever has this seat does not come back."""
        for chains in (self._handles, self._conversations, self._groups):
            chains.remove(seat)
        self._slots.give(seat)
        if not self.count and not self._handles.count:
            self._forget_all()  # and gives the memory back

    def _line(self, queue_id: int) -> Agenda:
        found = self._lines.get(queue_id)
        if found is None:
            found = self._lines[queue_id] = Agenda(_TURNS, lambda turn, place: self._has_turn(place, queue_id, turn))
        return found

    # Out: whoever is asked for leaves with all of its group

    def take(self, database_id: int, handle: UUID) -> list[IdleEndpoint]:
        """The group of the endpoint with this handle; nothing when it is not here."""
        for place in self._handles.of(_hash(handle)):
            row = self._read(place)
            if row is None:
                continue
            e = row.endpoint
            if e.conversation_handle.int == handle.int and e.database_id == database_id:
                e.conversation_handle = handle
                return self._take_group_of(place, row)
        return []

    def take_side(self, conversation_id: UUID, is_initiator: bool, database_id: int) -> list[IdleEndpoint]:
        """The group of one side of a conversation."""
        for place in self._conversations.of(_hash(conversation_id)):
            row = self._read(place)
            if row is None:
                continue
            e = row.endpoint
            if (
                e.is_initiator == is_initiator
                and e.conversation_id.int == conversation_id.int
                and e.database_id == database_id
            ):
                e.conversation_id = conversation_id  # one object for both sides
                return self._take_group_of(place, row)
        return []

    def take_group(self, database_id: int, group_id: UUID) -> list[IdleEndpoint]:
        for place in self._groups.of(_hash(group_id)):
            row = self._read(place)
            if row is not None and _group(row.endpoint) == (database_id, group_id):
                return self._take_group_of(place, row)
        return []

    def _take_group_of(self, place: int, row: IdleEndpoint) -> list[IdleEndpoint]:
        """The endpoint at a place, and all others of its group."""
        self._leave(place, row)
        if row.is_alone:
            return [row]
        group = _group(row.endpoint)
        taken = [row]
        for other in self._groups.of(_hash(group[1])):
            found = self._read(other)
            if found is not None and _group(found.endpoint) == group:
                self._leave(other, found)
                taken.append(found)
        return taken

    def _leave(self, place: int, row: IdleEndpoint) -> None:
        data, begin = self._slots.at(place)
        data[begin + _LENGTH_AT] = 0
        if self._large:
            self._large.pop(place, None)
        if self._odd:
            self._odd.pop(place, None)
        self.count -= 1
        if self.closed and row.endpoint.state == "CD":
            self.closed -= 1
        if self._dues.live and row.due is not None:
            self._dues.remove()
        if self._lines and row.numbers:
            line = self._lines[row.queue_id]
            line.remove()
            if not line.live:
                del self._lines[row.queue_id], self.turns[row.queue_id]

    @property
    def next_due(self) -> float | None:
        """The first moment at which something is to be done for one of them."""
        first = self._dues.first()
        return None if first is None else self._head(first[1])[0]

    def take_due(self, now: float, limit: int) -> list[IdleEndpoint]:
        """The groups of the first `limit` endpoints that are due."""
        taken: list[IdleEndpoint] = []
        for _ in range(limit):
            first = self._dues.first()
            if first is None or self._head(first[1])[0] > now:
                break
            taken += self._take_at(first[1])
        return taken

    def take_turns(self, queue_id: int, limit: int) -> list[IdleEndpoint]:
        """The groups of the first `limit` endpoints of a queue that have messages there."""
        taken: list[IdleEndpoint] = []
        for _ in range(limit):
            first = self._lines[queue_id].first() if queue_id in self._lines else None
            if first is None:
                return taken
            taken += self._take_at(first[1])
        first = self._lines[queue_id].first() if queue_id in self._lines else None
        if first is not None:
            urgency, order = divmod(first[0], _ORDERS)
            self.turns[queue_id] = urgency - _LOWEST, order
        return taken

    def take_parts(
        self, database_id: int, service_id: int | None, contract_id: int | None
    ) -> Iterator[list[IdleEndpoint]]:
        """All of a database, of one service or contract where that is given, with their groups, in parts."""
        taken: list[IdleEndpoint] = []
        for place in self._slots.taken:
            row = self._read(place) if self.count else None
            if row is None or row.endpoint.database_id != database_id:
                continue
            if service_id in (None, row.endpoint.service_id) and contract_id in (None, row.endpoint.contract_id):
                taken += self._take_group_of(place, row)
                if len(taken) >= _PART:
                    yield taken
                    taken = []
        if taken:
            yield taken

    def rows(self) -> Iterator[IdleEndpoint]:
        """All of them, which stay here. Nothing may be put or taken meanwhile."""
        for place in self._slots.taken:
            if (row := self._read(place)) is not None:
                yield row

    def clear(self) -> None:
        """Forget all of them."""
        self._forget_all()

    def _take_at(self, place: int) -> list[IdleEndpoint]:
        row = self._read(place)
        assert row is not None, "it counts on an agenda"
        return self._take_group_of(place, row)

    # Slots

    def _head(self, place: int) -> _Head:
        found: _Head = _HEAD.unpack_from(*self._slots.at(place))
        return found

    def _read(self, place: int) -> IdleEndpoint | None:
        """Who is at a place, None for nobody."""
        data, begin = self._slots.at(place)
        due, _, number, behind, own = _HEAD.unpack_from(data, begin)
        if not own:
            return None
        begin += _HEAD.size
        size = own + behind
        found = data[begin : begin + size] if size <= _ROOM else self._large[place]
        alike = self._common[number - 1] if number else self._odd[place]
        endpoint = endpoint_of(found[:own] if behind else found, alike.common, alike.far_broker_instance)
        numbers = array("q", found[own:]) if behind else NO_NUMBERS
        return IdleEndpoint(endpoint, None if due == math.inf else due, alike.queue_id, numbers, place, alike.is_alone)

    def _is_due(self, moment: int, place: int) -> bool:
        due, _, _, _, own = self._head(place)
        return own != 0 and due != math.inf and _moment(due) == moment

    def _has_turn(self, place: int, queue_id: int, turn: int) -> bool:
        _, its, number, _, own = self._head(place)
        if not own or its != turn:
            return False
        return (self._common[number - 1] if number else self._odd[place]).queue_id == queue_id


class _Alike:
    """What many have, with what is asked for of it at each look."""

    __slots__ = ("common", "far_broker_instance", "is_alone", "queue_id")

    def __init__(self, common: Common, far_broker_instance: UUID | None) -> None:
        self.common = common
        self.far_broker_instance = far_broker_instance
        """One object for all that have it: Python's collector looks at every UUID that lives."""
        self.queue_id = common.queue_id
        self.is_alone = common.is_alone


def _group(e: ConversationEndpoint) -> tuple[int, UUID]:
    return e.database_id, e.conversation_group_id


def _moment(due: float) -> int:
    return int(due * _MICROSECONDS)


def _hash(guid: UUID) -> int:
    return hash(guid.int) & 0xFFFFFFFF
