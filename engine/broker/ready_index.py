"""The ready index: conversations with all that hangs on them, their groups and monologs,
and the queues that choose among them.

Decides which group of a queue is next and which conversation of a group, without looking at all of them. Must not know
transactions: operations change it, with the state's mutex held.

Two levels of heaps with lazy entries. A queue's heap holds groups, a group's heap conversations, both by (priority
descending, queuing order). An entry may be outdated: it is put right when it comes to the top. A group found locked by
somebody else is parked with that owner and comes back when the owner's transaction ends, so a locked group costs one
look, not one at each RECEIVE.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, MutableSequence
from heapq import heapify, heappop, heappush, heapreplace
from math import ceil
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import (
    NEVER,
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
)
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.delivery_log import DeliveryLog
from sbql.engine.broker.group_members import GroupMembers
from sbql.engine.broker.memory_keys import group_resource
from sbql.engine.broker.queue_waiters import QueueWaiters
from sbql.engine.broker.ready_messages import Messages, with_first, with_last, without
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.broker.transmission_rows import TransmissionRows
from sbql.engine.locks import LockOwner, LockTable

__all__ = [
    "ERROR_TYPE", "LEG", "NOTHING", "ORDER", "PUBLISHER", "SUBSCRIBER", "TIMER_TYPE", "Conversation", "Group", "Member", "Monolog", "QueueStore",
    "ReadyIndex",
]  # fmt: skip

ERROR_TYPE: Final = 1
TIMER_TYPE: Final = 5

PUBLISHER: Final = "P"
LEG: Final = "L"
SUBSCRIBER: Final = "S"
ORDER: Final = "O"
"""Roles in a monolog, and: either side of what tells another instance of a subscription."""

NOTHING: Any = ()
"""Stands for an empty list or deque: most conversations never need theirs, and there may be a million of them. What may
hold it is no `list` by its annotation, which the compiled build checks."""

Entry = tuple[Any, ...]
"""(negative priority: int, queuing order: int, serial number: int, conversation or group).
Which entry counts is told by `is`."""


def _entry(negative_priority: int, order: int, serial: int, of: Conversation | Group) -> Entry:
    """In the compiled build only a tuple whose length nobody knows has an identity: the others are taken apart."""
    return negative_priority, order, serial, of


def _entry_of(conversation: Conversation, order: int, serial: int = 0) -> Entry:
    return _entry(-conversation.endpoint.priority, order, serial, conversation)


class Group(GroupMembers):
    """A conversation group: its record, its conversations, those with ready messages."""

    __slots__ = ("entry", "held_by", "overdue", "parked", "queue", "ready", "record", "stored")

    def __init__(self, record: ConversationGroup, queue: QueueStore) -> None:
        super().__init__()
        self.record = record
        self.queue = queue
        self.ready: Any = NOTHING
        """A heap of entries, once there have been two conversations in it and one of them had something."""
        self.entry: Entry | None = None
        self.parked = False
        """It is in no queue's heap: somebody has it locked, or a consumer holds messages of it."""
        self.held_by: DeliveryLog | None = None
        self.overdue: MutableSequence[Conversation] = NOTHING
        self.stored = False

    @property
    def resource(self) -> tuple[str, int, int]:
        """What is locked of it."""
        return group_resource(self.record.database_id, self.record.conversation_group_id)

    def next_conversation(self) -> Entry | None:
        """The heap entry of the conversation to read first, None when nothing is ready."""
        only: Conversation | None = self._only
        if only is not None:
            order = only.first_order()
            return None if order < 0 else _entry_of(only, order)
        heap = self.ready
        while heap:
            entry: Entry = heap[0]
            conversation: Conversation = entry[3]
            if conversation.entry is not entry:
                heappop(heap)
                continue
            order = conversation.first_order()
            if order < 0:
                heappop(heap)
                conversation.entry = None
            elif order != entry[1]:
                conversation.entry = moved = _entry(entry[0], order, entry[2], conversation)
                heapreplace(heap, moved)
            else:
                return entry
        return None

    def likely_next(self) -> Conversation | None:
        """The same as a guess, of those that have got messages."""
        only: Conversation | None = self._only
        return self.ready[0][3] if self.ready else only

    def take_in(self, conversation: object) -> None:
        first: Conversation | None = self._only
        super().take_in(conversation)
        if first is not None and self._only is None and (order := first.first_order()) >= 0:
            first.entry = entry = _entry_of(first, order, self.queue.shared.next_serial())
            self.ready = [entry]

    def is_alive(self) -> bool:
        return any(not c.removed for c in self.members)

    def is_alive_for(self, transaction: object) -> bool:
        """Whether the row stays when `transaction` commits: others' uncommitted members and removals do not count."""
        for member in self.members:
            is_mine = member.toucher is transaction
            if not (member.removed and is_mine) and (member.stored or is_mine):
                return True
        return False


class Conversation:
    """One endpoint with what hangs on it: ready and retained messages, pending transmissions, pending changes.

    `committed` is the endpoint as last committed while the transaction `toucher` has changes on it. `ended_by` is the
    transaction with an uncommitted END; `awaited_by` a sender whose messages wait for that to be over.
    """

    __slots__ = (
        "awaited_by", "committed", "deadline_serial", "ended_by", "endpoint", "entry", "goes_out", "group", "held",
        "incomplete", "messages", "monolog", "peer", "queue", "removed", "retained", "route", "route_index", "run",
        "seat", "stored", "toucher", "transmission", "urgent",
    )  # fmt: skip

    is_far = False
    """It stands for the other side, which is in another instance (`far_side`)."""

    def __init__(self, endpoint: ConversationEndpoint, group: Group) -> None:
        self.endpoint = endpoint
        self.group = group
        self.queue = group.queue
        self.messages: Messages = NOTHING
        self.run: StoredRun | None = None
        """What stands behind `messages` and is not in memory (paging.py)."""
        self.urgent: MutableSequence[QueuedMessage] = NOTHING
        self.incomplete: MutableSequence[QueuedMessage] = NOTHING
        self.retained: MutableSequence[QueuedMessage] = NOTHING
        self.transmission: TransmissionRows = NOTHING
        self.held: TransmissionRows = NOTHING
        """What has come for it while its queue was OFF (held_arrivals.py)."""
        self.entry: Entry | None = None
        self.seat = 0
        """Where it rested last (`idle_store.IdleEndpoint`)."""
        self.stored = False
        self.removed = False
        self.committed: ConversationEndpoint | None = None
        self.toucher: object | None = None
        self.ended_by: object | None = None
        self.awaited_by: Conversation | None = None
        self.peer: Conversation | None = None
        self.route: Any = None
        self.route_index: CatalogIndex | None = None
        self.deadline_serial = 0
        self.monolog: Member | None = None
        self.goes_out = False
        """Its transmission queue is the network's to send: the other side is in another instance."""

    def first_order(self) -> int:
        """Queuing order of the oldest ready message, -1 when there is none."""
        if self.messages:
            order = self.messages[0].queuing_order
        else:
            order = self.run.first_order if self.run is not None else -1
        if self.urgent:
            oldest = min(m.queuing_order for m in self.urgent)
            return oldest if order < 0 else min(oldest, order)
        return order

    def in_memory(self) -> list[QueuedMessage]:
        """All that the queue holds for this endpoint but what is only in the store."""
        ready = [*self.messages, *self.run.later] if self.run is not None else self.messages
        return [*self.urgent, *ready, *self.incomplete, *self.retained]

    def put(self, message: QueuedMessage, front: bool = False) -> None:
        """Add a ready message: a DialogTimer before an Error before all others (docs/spec: RECEIVE)."""
        kind = message.message_type_id
        if kind != TIMER_TYPE and kind != ERROR_TYPE:
            if self.run is not None and not front:
                self.run.add_later((message,))
                return
            self.messages = with_first(self.messages, message) if front else with_last(self.messages, message)
            return
        if self.urgent is NOTHING:
            self.urgent = []
        timers = sum(1 for m in self.urgent if m.message_type_id == TIMER_TYPE)
        if front:
            place = 0 if kind == TIMER_TYPE else timers
        else:
            place = timers if kind == TIMER_TYPE else len(self.urgent)
        self.urgent.insert(place, message)

    def retain(self, message: QueuedMessage) -> None:
        """RETENTION: keep a sent or received message until the conversation ends."""
        if self.retained is NOTHING:
            self.retained = []
        self.retained.append(message)

    def rows(self, *, held: bool) -> TransmissionRows:
        """Its rows of the transmission queue, to add to them: what it has sent, or what has come
        for its queue while that was OFF."""
        if held:
            if self.held is NOTHING:
                self.held = TransmissionRows()
            return self.held
        if self.transmission is NOTHING:
            self.transmission = TransmissionRows()
        return self.transmission

    def take(self, message: QueuedMessage) -> None:
        """Remove one ready message, wherever it stands (undo of an arrival: it is the last)."""
        if message in self.urgent:
            self.urgent.remove(message)
        elif self.run is not None and self.run.later:
            self.run.later.remove(message)
        else:
            self.messages = without(self.messages, message)


class Monolog:
    """One monolog: its publisher's endpoint (None when that is gone and legs still deliver), legs, retained messages in
    order."""

    __slots__ = ("legs", "publisher", "retained")

    def __init__(self) -> None:
        self.publisher: Conversation | None = None
        self.legs: dict[Conversation, None] = {}
        self.retained: deque[MonologMessage] = deque()


class Member:
    """What a conversation is to a monolog: `Conversation.monolog`. A subscriber's `monolog` is None: its publisher may
    be anywhere.

    `serial` orders legs and SENDs of this run of the instance; what was loaded has 0. A leg in state DI has been left
    while `heard_to_end`, a transaction of the publisher, was open.
    """

    __slots__ = ("heard_to_end", "is_leg", "is_order", "is_publisher", "monolog", "record", "serial")

    def __init__(self, record: MonologMember, monolog: Monolog | None = None, serial: int = 0) -> None:
        self.record = record
        self.monolog = monolog
        self.serial = serial
        self.heard_to_end: LockOwner | None = None
        self.is_leg = record.role == LEG
        self.is_publisher = record.role == PUBLISHER
        self.is_order = record.role == ORDER

    @property
    def monolog_id(self) -> UUID:
        return self.record.monolog_id

    def due(self, endpoint: ConversationEndpoint) -> float:
        """When there is something to do: to drop what a publisher has retained long enough (counted in whole seconds),
        to end a leg that its subscriber has left."""
        if self.is_leg:
            return endpoint.security_timestamp if endpoint.state == "DI" else NEVER
        retained = self.monolog.retained if self.monolog is not None else None
        if not retained or self.record.retention >= NEVER:
            return NEVER
        return float(ceil(retained[0].enqueue_time + self.record.retention))


class ReadyIndex:
    """What the queues of an instance share: a counter, who parked which groups, and which conversations have ready
    messages in memory. `first_turns` has the queues for which messages wait at rest, with the turn of the first:
    negative priority and queuing order."""

    __slots__ = ("candidates", "first_turns", "next_serial", "parked", "slack", "wake_turns")

    def __init__(self) -> None:
        self.next_serial: Callable[[], int] = itertools.count(1).__next__
        self.parked: dict[LockOwner, list[Group]] = {}
        self.candidates: dict[Conversation, None] = {}
        self.first_turns: dict[int, tuple[int, int]] = {}
        self.wake_turns: Callable[[int], None] = lambda queue_id: None
        """Bring the first that wait at rest for a queue into memory."""
        self.slack = 1_000
        """So many outdated entries may stand in a queue's heap, and as many as others."""

    def park(self, group: Group, holder: LockOwner) -> None:
        group.parked = True
        self.parked.setdefault(holder, []).append(group)

    def unpark(self, owner: LockOwner) -> None:
        """Put the groups parked with `owner` back into their queues' heaps."""
        for group in self.parked.pop(owner, ()):
            group.parked = group.held_by is not None
            if group.parked:
                continue
            best = group.next_conversation()
            if best is not None:
                group.queue.push(group, best)


class QueueStore(QueueWaiters):
    """A queue's ready index and counters. The messages themselves stand at their conversations."""

    __slots__ = (
        "database_id", "next_order", "outdated", "queue_id", "ready", "rollbacks", "services_moved", "shared",
    )  # fmt: skip

    def __init__(self, shared: ReadyIndex, queue_id: int, database_id: int) -> None:
        super().__init__()
        self.shared = shared
        self.queue_id = queue_id
        self.database_id = database_id
        self.ready: list[Entry] = []
        self.outdated = 0
        """Entries of groups that have left the memory, at most."""
        self.next_order = 0
        self.rollbacks = 0
        self.services_moved = 0

    def index(self, conversation: Conversation) -> None:
        """Make sure that a conversation whose first ready message is new (or older than before) is found."""
        order = conversation.first_order()
        if order < 0:
            return
        self.shared.candidates[conversation] = None
        group, entry = conversation.group, conversation.entry
        if group.is_alone(conversation):
            entry = _entry_of(conversation, order)
        elif entry is None or order < entry[1]:
            conversation.entry = entry = _entry_of(conversation, order, self.shared.next_serial())
            if group.ready is NOTHING:
                group.ready = []
            heappush(group.ready, entry)
        if group.parked:
            if group.held_by is not None:
                group.held_by.wake()
        elif group.entry is None or entry[:2] < group.entry[:2]:
            self.push(group, entry)

    def push(self, group: Group, entry: Entry) -> None:
        group.entry = placed = _entry(entry[0], entry[1], self.shared.next_serial(), group)
        heappush(self.ready, placed)

    def forget(self, group: Group) -> None:
        """A group leaves the memory: nothing may lead to it from here for long."""
        if group.entry is None:
            return
        group.entry = None
        self.outdated += 1
        if self.outdated > self.shared.slack and self.outdated * 2 > len(self.ready):
            self.ready[:] = [entry for entry in self.ready if entry[3].entry is entry]
            heapify(self.ready)
            self.outdated = 0

    def is_any_free(self, locks: LockTable) -> bool:
        """Whether a message is ready that nobody holds."""
        return self.queue_id in self.shared.first_turns or self.next_group(None, locks, lock=False) is not None

    def next_group(self, owner: LockOwner | None, locks: LockTable, lock: bool) -> Group | None:
        """The first group with a ready message that nobody but `owner` holds; with `lock`, locked for `owner`."""
        shared = self.shared
        if owner is not None and owner in shared.parked:
            shared.unpark(owner)
        heap, turns = self.ready, shared.first_turns
        while heap or turns:
            if turns:
                turn = turns.get(self.queue_id)
                if turn is not None and (not heap or turn < heap[0][:2]):
                    shared.wake_turns(self.queue_id)
                    continue
                if not heap:
                    break
            entry = heap[0]
            group: Group = entry[3]
            if group.entry is not entry:
                heappop(heap)
                continue
            best = group.next_conversation()
            if best is None or group.queue is not self:
                heappop(heap)
                group.entry = None
            elif best[1] != entry[1] or best[0] != entry[0]:
                heappop(heap)
                self.push(group, best)
            elif (
                locks.try_acquire(owner, group.resource)
                if lock and owner is not None
                else self._is_free(group, owner, locks)
            ):
                return group
            else:
                holder = locks.holder(group.resource)
                if holder is not None:
                    heappop(heap)
                    group.entry = None
                    shared.park(group, holder)
        return None

    @staticmethod
    def _is_free(group: Group, owner: LockOwner | None, locks: LockTable) -> bool:
        holder = locks.holder(group.resource)
        return holder is None or holder is owner
