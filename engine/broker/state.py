"""BrokerState: endpoints, groups, queues, transmission queues and timers of an instance, in memory.

Decides how these are found quickly: which group of a queue is next, which conversation of a group, which peer. Must
not know what a statement is allowed to do, nor transactions: operations change it through a BrokerTransaction, under
`mutex`.

The ready index has two levels of heaps with lazy entries. A queue's heap holds groups, a group's heap conversations,
both by (priority descending, queuing order). An entry may be outdated: it is put right when it comes to the top. A
group found locked by somebody else is parked with that owner and comes back when the owner's transaction ends, so a
locked group costs one look, not one at each RECEIVE.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush, heapreplace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from sbql.catalog.records import NEVER, ConversationEndpoint, ConversationGroup, QueuedMessage, TransmissionMessage
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.locks import LockOwner, LockTable
from sbql.engine.steps import Waiter

if TYPE_CHECKING:
    from sbql.catalog.snapshot import CatalogSnapshot
    from sbql.engine.broker.trace import TraceSink

__all__ = ["BrokerState", "Conversation", "Group", "QueueStore"]

ERROR_TYPE: Final = 1
TIMER_TYPE: Final = 5

HORIZON: Final = 3_500_000_000.0
"""Deadlines after this moment (in 2080), such as the default LIFETIME of 68 years, are not put on the timer heap."""

Entry = tuple[int, int, int, Any]


class Group:
    """A conversation group: its record, its lock resource, its conversations with ready messages."""

    __slots__ = ("entry", "locked_by", "members", "overdue", "parked", "queue", "ready", "record", "resource", "stored")

    def __init__(self, record: ConversationGroup, queue: QueueStore) -> None:
        self.record = record
        self.queue = queue
        self.resource = ("group", record.database_id, record.conversation_group_id)
        self.members: dict[int, Conversation] = {}
        self.ready: list[Entry] = []
        self.entry: Entry | None = None
        self.parked = False
        self.overdue: list[Conversation] = []
        self.stored = False
        self.locked_by: LockOwner | None = None

    def next_conversation(self) -> Entry | None:
        """The heap entry of the conversation to read first, None when nothing is ready."""
        heap = self.ready
        while heap:
            entry = heap[0]
            conversation: Conversation = entry[3]
            if conversation.entry is not entry:
                heappop(heap)
                continue
            order = conversation.first_order()
            if order < 0:
                heappop(heap)
                conversation.entry = None
            elif order != entry[1]:
                conversation.entry = replacement = (entry[0], order, entry[2], conversation)
                heapreplace(heap, replacement)
            else:
                return entry
        return None

    def is_alive(self) -> bool:
        return any(not c.removed for c in self.members.values())


class Conversation:
    """One endpoint with what hangs on it: ready and retained messages, pending transmissions, pending changes.

    `committed` is the endpoint as last committed while the transaction `toucher` has changes on it. `ended_by` is the
    transaction with an uncommitted END; `prepared_by` one between prepare and publish.
    """

    __slots__ = (
        "awaited_by", "committed", "deadline_serial", "ended_by", "endpoint", "entry", "group", "incomplete", "messages",
        "peer", "prepared_by", "queue", "removed", "retained", "route", "route_index", "stored", "toucher",
        "transmission", "urgent",
    )

    def __init__(self, endpoint: ConversationEndpoint, group: Group) -> None:
        self.endpoint = endpoint
        self.group = group
        self.queue = group.queue
        self.messages: deque[QueuedMessage] = deque()
        self.urgent: list[QueuedMessage] = []
        self.incomplete: dict[int, QueuedMessage] = {}
        self.retained: list[QueuedMessage] = []
        self.transmission: deque[TransmissionMessage] = deque()
        self.entry: Entry | None = None
        self.stored = False
        self.removed = False
        self.committed: ConversationEndpoint | None = None
        self.toucher: object | None = None
        self.ended_by: object | None = None
        self.prepared_by: Any = None
        self.awaited_by: Conversation | None = None
        self.peer: Conversation | None = None
        self.route: Any = None
        self.route_index: CatalogIndex | None = None
        self.deadline_serial = 0

    def first_order(self) -> int:
        """Queuing order of the oldest ready message, -1 when there is none."""
        if self.urgent:
            oldest = min(m.queuing_order for m in self.urgent)
            return min(oldest, self.messages[0].queuing_order) if self.messages else oldest
        return self.messages[0].queuing_order if self.messages else -1

    def all_messages(self) -> list[QueuedMessage]:
        return [*self.urgent, *self.messages, *self.incomplete.values(), *self.retained]

    def put(self, message: QueuedMessage, front: bool = False) -> None:
        """Add a ready message: a DialogTimer before an Error before all others (reference 2.15)."""
        kind = message.message_type_id
        if kind != TIMER_TYPE and kind != ERROR_TYPE:
            if front:
                self.messages.appendleft(message)
            else:
                self.messages.append(message)
            return
        timers = sum(1 for m in self.urgent if m.message_type_id == TIMER_TYPE)
        if front:
            place = 0 if kind == TIMER_TYPE else timers
        else:
            place = timers if kind == TIMER_TYPE else len(self.urgent)
        self.urgent.insert(place, message)

    def take(self, message: QueuedMessage) -> None:
        """Remove one ready message, wherever it stands (undo of an arrival: it is the last)."""
        if message in self.urgent:
            self.urgent.remove(message)
        elif self.messages and self.messages[-1] is message:
            self.messages.pop()
        else:
            self.messages.remove(message)


class QueueStore:
    """A queue's ready index, waiters and counters. The messages themselves stand at their conversations."""

    __slots__ = ("database_id", "next_order", "queue_id", "ready", "rollbacks", "state", "waiters")

    def __init__(self, state: BrokerState, queue_id: int, database_id: int) -> None:
        self.state = state
        self.queue_id = queue_id
        self.database_id = database_id
        self.ready: list[Entry] = []
        self.waiters: dict[Waiter, None] = {}
        self.next_order = 0
        self.rollbacks = 0

    def index(self, conversation: Conversation) -> None:
        """Make sure that a conversation whose first ready message is new (or older than before) is found."""
        order = conversation.first_order()
        if order < 0:
            return
        entry = conversation.entry
        if entry is None or order < entry[1]:
            negative = -conversation.endpoint.priority
            conversation.entry = entry = (negative, order, self.state.next_serial(), conversation)
            heappush(conversation.group.ready, entry)
        group = conversation.group
        if not group.parked and (group.entry is None or entry[:2] < group.entry[:2]):
            self.push(group, entry)

    def push(self, group: Group, entry: Entry) -> None:
        group.entry = placed = (entry[0], entry[1], self.state.next_serial(), group)
        heappush(self.ready, placed)

    def next_group(self, owner: LockOwner | None, locks: LockTable, lock: bool) -> Group | None:
        """The first group with a ready message that nobody but `owner` holds; with `lock`, locked for `owner`."""
        state = self.state
        if owner is not None and owner in state.parked:
            state.unpark(owner)
        heap = self.ready
        while heap:
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
            elif (group.locked_by is owner and owner is not None) or (lock and owner is not None and locks.try_acquire(owner, group.resource)) or (not lock and self._is_free(group, owner, locks)):
                return group
            else:
                holder = locks.holder(group.resource)
                if holder is not None:
                    heappop(heap)
                    group.entry = None
                    state.park(group, holder)
        return None

    @staticmethod
    def _is_free(group: Group, owner: LockOwner | None, locks: LockTable) -> bool:
        holder = locks.holder(group.resource)
        return holder is None or holder is owner

    def wake(self, count: int = 1) -> None:
        """Wake waiting receivers in the order they came, each once."""
        while count > 0 and self.waiters:
            waiter = next(iter(self.waiters))
            del self.waiters[waiter]
            count -= 1
            waiter.wake()

    def wake_all(self) -> None:
        self.wake(len(self.waiters))


class BrokerState:
    """The broker's memory. One `mutex` guards all of it; whoever calls an operation holds it."""

    def __init__(self, locks: LockTable | None = None) -> None:
        self.mutex = threading.RLock()
        self.locks = locks or LockTable()
        self.endpoints: dict[int, Conversation] = {}
        self.by_conversation: dict[tuple[int, bool, int], Conversation] = {}
        self.groups: dict[tuple[int, int], Group] = {}
        self.queues: dict[int, QueueStore] = {}
        self.transmission: dict[int, dict[int, TransmissionMessage]] = {}
        self.deadlines: list[tuple[float, int, Conversation]] = []
        self.delayed: dict[Conversation, None] = {}
        self.parked: dict[LockOwner, list[Group]] = {}
        self.listeners: list[Callable[[str, int], None]] = []
        self.trace: TraceSink | None = None
        self.monitors: dict[int, Any] = {}
        self.notification_handles: dict[int, UUID] = {}
        self.prepared = 0
        self.last_key = 0
        self._serial = 0
        self._indexes: list[CatalogIndex] = []

    @classmethod
    def load(
        cls,
        endpoints: Iterable[ConversationEndpoint],
        groups: Iterable[ConversationGroup],
        messages: Iterable[QueuedMessage],
        transmissions: Iterable[TransmissionMessage],
        queue_of_service: Callable[[int, int], int],
        locks: LockTable | None = None,
    ) -> BrokerState:
        """The state as stored. `queue_of_service(database_id, service_id)` gives the queue of a service."""
        state = cls(locks)
        for record in groups:
            queue = state.queue(queue_of_service(record.database_id, record.service_id), record.database_id)
            group = Group(record, queue)
            group.stored = True
            state.groups[record.database_id, record.conversation_group_id.int] = group
        for endpoint in endpoints:
            conversation = Conversation(endpoint, state.groups[endpoint.database_id, endpoint.conversation_group_id.int])
            conversation.stored = True
            state.add(conversation)
            state.schedule(conversation)
        for message in sorted(messages, key=lambda m: (m.message_sequence_number, m.message_key)):
            state._load_message(message)
        for row in sorted(transmissions, key=lambda t: t.message_sequence_number):
            state.last_key = max(state.last_key, row.message_key)
            sender = state.endpoints[row.conversation_handle.int]
            sender.transmission.append(row)
            state.delayed[sender] = None
            state.transmission.setdefault(row.database_id, {})[row.message_key] = row
            state.schedule(sender)
        return state

    def _load_message(self, message: QueuedMessage) -> None:
        self.last_key = max(self.last_key, message.message_key)
        conversation = self.endpoints[message.conversation_handle.int]
        queue = conversation.queue
        queue.next_order = max(queue.next_order, message.queuing_order + 1)
        if message.status == 1:
            conversation.put(message)
            queue.index(conversation)
        elif message.status == 2:
            conversation.incomplete[message.message_sequence_number] = message
        else:
            conversation.retained.append(message)

    def index(self, snapshot: CatalogSnapshot) -> CatalogIndex:
        """The derived look-ups of a catalog snapshot; the last four are kept."""
        for found in self._indexes:
            if found.snapshot is snapshot:
                return found
        found = CatalogIndex(snapshot)
        self._indexes = [found, *self._indexes[:3]]
        return found

    def next_serial(self) -> int:
        self._serial += 1
        return self._serial

    def next_key(self) -> int:
        """A message key that no stored row has."""
        self.last_key += 1
        return self.last_key

    def queue(self, queue_id: int, database_id: int) -> QueueStore:
        found = self.queues.get(queue_id)
        if found is None:
            found = self.queues[queue_id] = QueueStore(self, queue_id, database_id)
        return found

    def endpoint(self, handle: UUID) -> ConversationEndpoint | None:
        """The live endpoint record of a handle (its uncommitted changes included)."""
        found = self.endpoints.get(handle.int)
        return None if found is None or found.removed else found.endpoint

    def add(self, conversation: Conversation) -> None:
        endpoint = conversation.endpoint
        key = endpoint.conversation_handle.int
        self.endpoints[key] = conversation
        self.by_conversation[endpoint.conversation_id.int, endpoint.is_initiator, endpoint.database_id] = conversation
        conversation.group.members[key] = conversation

    def drop(self, conversation: Conversation) -> None:
        """Forget an endpoint, and its group when it was the last member."""
        endpoint = conversation.endpoint
        key = endpoint.conversation_handle.int
        self.endpoints.pop(key, None)
        by_id = (endpoint.conversation_id.int, endpoint.is_initiator, endpoint.database_id)
        if self.by_conversation.get(by_id) is conversation:
            del self.by_conversation[by_id]
        conversation.deadline_serial = 0
        group = conversation.group
        group.members.pop(key, None)
        self.drop_if_empty(group)

    def drop_if_empty(self, group: Group) -> None:
        if not group.members:
            self.groups.pop((group.record.database_id, group.record.conversation_group_id.int), None)

    def park(self, group: Group, holder: LockOwner) -> None:
        group.parked = True
        self.parked.setdefault(holder, []).append(group)

    def unpark(self, owner: LockOwner) -> None:
        """Put the groups parked with `owner` back into their queues' heaps."""
        for group in self.parked.pop(owner, ()):
            group.parked = False
            best = group.next_conversation()
            if best is not None:
                group.queue.push(group, best)

    def queue_waiters(self, queue_id: int) -> dict[Waiter, None]:
        """Waiters of WAITFOR on this queue. Register with `waiters[waiter] = None`, leave with `stop_waiting`."""
        return self.queue(queue_id, 0).waiters

    def stop_waiting(self, queue_id: int, waiter: Waiter) -> None:
        """Always called when a wait ends, however it ends. One who was woken passes the hint on while more is ready."""
        queue = self.queue(queue_id, 0)
        queue.waiters.pop(waiter, None)
        if waiter.woken and queue.waiters and queue.next_group(None, self.locks, lock=False) is not None:
            queue.wake()

    def schedule(self, conversation: Conversation) -> None:
        """Put the next deadline of an endpoint on the timer heap: dialog timer, lifetime, retry, end of CD."""
        due = self.due(conversation)
        if due >= HORIZON:
            conversation.deadline_serial = 0
            return
        conversation.deadline_serial = serial = self.next_serial()
        first = not self.deadlines or due < self.deadlines[0][0]
        heappush(self.deadlines, (due, serial, conversation))
        if len(self.deadlines) > 2 * len(self.endpoints) + 1000:
            self.deadlines = [entry for entry in self.deadlines if entry[2].deadline_serial == entry[1]]
            heapify(self.deadlines)
        if first:
            self.notify("deadline", 0)

    @staticmethod
    def due(conversation: Conversation) -> float:
        """When something is to be done for an endpoint next; NEVER when nothing is."""
        endpoint = conversation.endpoint
        due = NEVER
        if endpoint.state == "CD":
            due = endpoint.security_timestamp or endpoint.lifetime
        elif endpoint.state != "ER":
            due = endpoint.lifetime
            if endpoint.dialog_timer and endpoint.state != "DO":
                due = min(due, endpoint.dialog_timer)
        if conversation.transmission and endpoint.state not in ("DI", "ER"):
            due = min(due, conversation.transmission[0].next_attempt)
        return due

    def notify(self, event: str, queue_id: int) -> None:
        """Tell the instance: 'ready' (queue), 'launch' (queue), 'deadline', 'disable' (queue). Must be quick."""
        for listener in self.listeners:
            listener(event, queue_id)
