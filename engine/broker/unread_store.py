"""Conversations at rest that nobody has asked for since the store was opened: they are where the store keeps them, and a few numbers of each in memory.

Decides how they are found by these numbers, and which of them have left: whoever takes an endpoint takes its group, and nobody here looks at what the store says of it from then on.
Opening a store with a million of them takes a second so; the first look at one takes DuckDB a millisecond, where IdleStore needs microseconds for the second, so who looks at many has them brought there a page at a time.
That one is not here is told from memory, for it is asked whenever a conversation begins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from sbql.catalog.records import ConversationEndpoint
from sbql.catalog.unread_endpoints import UnreadEndpoints, guid_key
from sbql.engine.broker.idle_store import IdleEndpoint

__all__ = ["UnreadStore"]

Found = dict[int, ConversationEndpoint]
"""Endpoints by their numbers: where they are in each array."""


class UnreadStore:
    """The same to its callers as IdleStore, but that nothing is put here. Raises SqlError when the store cannot be read: nothing has been taken then."""

    def __init__(self, unread: UnreadEndpoints, queues: Mapping[tuple[int, int], int]) -> None:
        """`queues`: of each service, by database and id, the queue."""
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
        """Those that were near the one that was taken last when the store was opened, with their groups: a thousand cost little more than one."""
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
        """Those of the endpoints that are here, by their numbers: a row of one that has been taken is old, or of another that came later."""
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
        for endpoint, due in zip(found.values(), dues, strict=True):
            queue_id = self._queues.get((endpoint.database_id, endpoint.service_id), 0)
            rows.append(IdleEndpoint(endpoint, None if due == math.inf else due, queue_id))
        return rows

    def _find_next_due(self) -> None:
        first = float(self._due.min(initial=math.inf))
        self.next_due = None if first == math.inf else first


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
