"""Conversations at rest that nobody has asked for since the store was opened: they are where the store keeps them,
and a few numbers of each in memory.

Decides how they are found by these numbers, and which of them have left: whoever takes an endpoint takes its
group, and nobody here looks at what the store says of it from then on.

So a store with a million of them opens in a second. The first look at one takes DuckDB a millisecond, where a look into
the IdleStore takes microseconds; so whoever looks at many has them brought there a page at a time. That one is not here
is told from memory, for it is asked whenever a conversation begins.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from msgspec import Struct

from sbql.catalog.records import ConversationEndpoint
from sbql.catalog.unread_endpoints import UnreadEndpoints, guid_key
from sbql.catalog.unread_messages import UnreadMessages
from sbql.engine.broker.idle_endpoint import NO_NUMBERS, IdleEndpoint
from sbql.engine.broker.stored_run import in_turn

__all__ = ["UnreadStore"]

Found = dict[int, ConversationEndpoint]
"""Endpoints by their numbers: where they are in each array."""


class UnreadStore:
    """The same to its callers as IdleStore, but that nothing is put here. Raises SqlError when the store cannot be
    read: nothing has been taken then."""

    def __init__(
        self,
        unread: UnreadEndpoints,
        queues: Mapping[tuple[int, int], int],
        messages: UnreadMessages | None = None,
    ) -> None:
        """`queues`: of each service, by database and id, the queue. `messages`: those that
        are ready, of these and of others."""
        self._rows, self._queues = unread.rows, queues
        self._databases = {database_id for database_id, _ in queues}
        self._handles, self._sides, self._groups = _Index(unread.handle), _Index(unread.side), _Index(unread.grp)
        self._places, self._due = unread.place, unread.due
        self._is_here = unread.closed | True
        self.count = len(unread.place)
        self.closed = int(unread.closed.sum())
        self.next_due: float | None = None
        self._last = 0
        """Of the endpoint that was taken last."""
        self._find_next_due()
        self._messages = messages if messages is not None and len(messages.place) else None
        self._lines: dict[int, _Line] = {}
        self.turns: dict[int, tuple[int, int]] = {}
        """Of each queue for which messages of them are ready: no `IdleEndpoint.turn` is lower."""
        if self._messages is not None:
            self._of_messages, self._has_messages = self._messages.find(unread.place)
            self._lines = _lines(self._messages, self._has_messages.nonzero()[0], self._of_messages, queues)
            self.turns = {queue_id: line.turn(0) for queue_id, line in self._lines.items()}

    def take(self, database_id: int, handle: UUID) -> list[IdleEndpoint]:
        """The group of the endpoint with this handle; nothing when it is not here."""
        found = self._read(self._handles.of(guid_key(handle, database_id)))
        return self._take({n: e for n, e in found.items() if (e.database_id, e.conversation_handle) == (database_id, handle)})  # fmt: skip

    def take_side(self, conversation_id: UUID, is_initiator: bool, database_id: int) -> list[IdleEndpoint]:
        """The group of one side of a conversation."""
        found = self._read(self._sides.of(guid_key(conversation_id, database_id * 2 + is_initiator)))
        side = conversation_id, is_initiator, database_id
        return self._take({n: e for n, e in found.items() if (e.conversation_id, e.is_initiator, e.database_id) == side})  # fmt: skip

    def take_group(self, database_id: int, group_id: UUID) -> list[IdleEndpoint]:
        found = self._read(self._groups.of(guid_key(group_id, database_id)))
        return self._leave({n: e for n, e in found.items() if _group(e) == (database_id, group_id)})

    def take_due(self, now: float, limit: int) -> list[IdleEndpoint]:
        """The groups of the first `limit` endpoints that are due."""
        if self.next_due is None or self.next_due > now:
            return []
        numbers = (self._due <= now).nonzero()[0]
        first = numbers[self._due[numbers].argsort(kind="stable")][:limit]
        return self._take(self._read(first.tolist()))

    def take_turns(self, queue_id: int, limit: int) -> list[IdleEndpoint]:
        """The groups of the first endpoints of a queue that have messages there, of at most `limit`."""
        line = self._lines.get(queue_id)
        while line is not None and line.waiting:
            end = min(line.next + limit, len(line.numbers))
            near = line.numbers[line.next : end]
            taken = self._take(self._read(near[self._is_here[near]].tolist()))
            line.next = end
            if taken:
                if queue_id in self.turns:
                    self.turns[queue_id] = line.turn(end - 1)
                return taken
        return []

    def take_parts(
        self, database_id: int, service_id: int | None, contract_id: int | None
    ) -> Iterator[list[IdleEndpoint]]:
        """All of a database, of one service or contract where that is given, with their groups, in parts."""
        if database_id not in self._databases:
            return
        for part in self._rows.some(database_id, service_id, contract_id):
            if taken := self._take(self._numbered(part)):
                yield taken

    def take_page(self, size: int) -> list[IdleEndpoint]:
        """Those that were near the one that was taken last when the store was opened, with their groups: a
        thousand cost little more than one."""
        first = self._last - self._last % size
        near = self._is_here[first : first + size].nonzero()[0] + first
        return self._take(self._read(near.tolist()))

    def rows(self) -> Iterator[IdleEndpoint]:
        """All of them, which stay here."""
        for part in self._rows.some():
            yield from self._as_rows(self._numbered(part))

    # Reading

    def _read(self, numbers: Iterable[int]) -> Found:
        """Those of the numbers that are here."""
        wanted = [number for number in numbers if self._is_here[number]]
        found = self._read_where_they_stood(wanted)
        if len(found) < len(wanted):  # the store has moved rows together
            self._find_places()
            found = self._read_where_they_stood(wanted)
            assert len(found) == len(wanted), "what nobody has taken stands in the store"
        return found

    def _read_where_they_stood(self, wanted: list[int]) -> Found:
        if not wanted:
            return {}
        found = self._numbered(self._rows.at([int(self._places[number]) for number in wanted]))
        return {number: found[number] for number in wanted if number in found}

    def _numbered(self, endpoints: list[ConversationEndpoint]) -> Found:
        """Those of the endpoints that are here, by their numbers: a row of one that has been taken is
        old, or of another that came later."""
        keys = [guid_key(endpoint.conversation_handle, endpoint.database_id) for endpoint in endpoints]
        numbers = self._handles.first_of(keys)
        return {n: e for n, e in zip(numbers, endpoints, strict=True) if n is not None and self._is_here[n]}

    def _find_places(self) -> None:
        keys, places = self._rows.places()
        order = keys.argsort()
        at = keys[order].searchsorted(self._handles.keys).clip(max=len(keys) - 1)
        self._places[self._handles.order] = places[order[at]]

    # Leaving

    def _take(self, found: Found) -> list[IdleEndpoint]:
        """These, and the others of their groups."""
        groups = {_group(endpoint) for endpoint in found.values()}
        numbers = (n for database_id, group_id in groups for n in self._groups.of(guid_key(group_id, database_id)))
        others = self._read([number for number in numbers if number not in found])
        return self._leave(found | {n: e for n, e in others.items() if _group(e) in groups})

    def _leave(self, found: Found) -> list[IdleEndpoint]:
        taken, numbers = self._as_rows(found), list(found)
        for row in taken:
            if row.numbers:
                self._lines[row.queue_id].waiting -= 1
                if not self._lines[row.queue_id].waiting:
                    del self.turns[row.queue_id], self._lines[row.queue_id]
        self._is_here[numbers] = False
        self._last = numbers[0] if numbers else self._last
        self._due[numbers] = math.inf
        self.count -= len(taken)
        self.closed -= sum(row.endpoint.state == "CD" for row in taken)
        if self.next_due is not None and self.next_due in [row.due for row in taken]:
            self._find_next_due()
        return taken

    def _as_rows(self, found: Found) -> list[IdleEndpoint]:
        dues = self._due[list(found)].tolist()
        rows = []
        for (number, endpoint), due in zip(found.items(), dues, strict=True):
            queue_id = self._queues.get((endpoint.database_id, endpoint.service_id), 0)
            rows.append(IdleEndpoint(endpoint, None if due == math.inf else due, queue_id, self._numbers_of(number)))
        return rows

    def _numbers_of(self, number: int) -> array[int]:
        if self._messages is None or not self._has_messages[number]:
            return NO_NUMBERS
        keys, orders = self._messages.of(int(self._of_messages[number]))
        return in_turn(array("q", keys.tobytes()), array("q", orders.tobytes()))

    def _find_next_due(self) -> None:
        first = float(self._due.min(initial=math.inf))
        self.next_due = None if first == math.inf else first


class _Line(Struct):
    """Endpoints with messages in one queue, by their numbers, in the order in which their turns come."""

    numbers: Any
    urgency: Any
    order: Any
    waiting: int
    """So many of them are still here,"""
    next: int = 0
    """and none before this place."""

    def turn(self, place: int) -> tuple[int, int]:
        return int(self.urgency[place]), int(self.order[place])


def _lines(
    messages: UnreadMessages, numbers: Any, of_messages: Any, queues: Mapping[tuple[int, int], int]
) -> dict[int, _Line]:
    """The line of each queue. `of_messages` says which conversation of `messages` an endpoint is."""
    if not len(numbers):
        return {}
    which = of_messages[numbers]
    urgency, order = -messages.priority[which].astype("int64"), messages.first_orders()[which]
    service = messages.database_id[which].astype("int64") << 32 | messages.service_id[which]
    queue = service.copy()
    for same in _runs(service, service.argsort(kind="stable")):
        queue[same] = queues.get(divmod(int(service[same[0]]), 1 << 32), 0)
    sorted_ = order.argsort(kind="stable")
    for key in (urgency, queue):
        sorted_ = sorted_[key[sorted_].argsort(kind="stable")]
    return {
        int(queue[run[0]]): _Line(numbers[run], urgency[run], order[run], len(run)) for run in _runs(queue, sorted_)
    }


def _runs(values: Any, places: Any) -> Iterator[Any]:
    """Parts of `places` that have one value each."""
    values = values[places]
    begin = 0
    for end in (*((values[1:] != values[:-1]).nonzero()[0] + 1).tolist(), len(values)):
        yield places[begin:end]
        begin = end


class _Index:
    """Numbers of endpoints by a key, which a few may have in common."""

    def __init__(self, keys: Any) -> None:
        self.order = keys.argsort().astype("int32")
        self.keys = keys[self.order]

    def of(self, key: int) -> list[int]:
        first, end = self.keys.searchsorted(key), self.keys.searchsorted(key, side="right")
        found: list[int] = self.order[first:end].tolist()
        return found

    def first_of(self, keys: list[int]) -> list[int | None]:
        """For each key the first that has it, None where none has."""
        if not len(self.keys) or not keys:
            return [None] * len(keys)
        at = self.keys.searchsorted(keys).clip(max=len(self.keys) - 1)
        is_found = self.keys[at] == keys
        return [number if found else None for number, found in zip(self.order[at].tolist(), is_found, strict=True)]


def _group(endpoint: ConversationEndpoint) -> tuple[int, UUID]:
    return endpoint.database_id, endpoint.conversation_group_id
