"""BrokerState: endpoints, groups, queues, transmission queues and timers of an instance, in memory.

Decides how these are found, and what is due next. Must not know what a statement is allowed to do, nor transactions:
operations change it through a BrokerTransaction, under `mutex`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from heapq import heapify, heappush
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import (
    NEVER,
    AnsweredRequest,
    Consumer,
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    SentBatch,
    SinkDialog,
    TransmissionMessage,
)
from sbql.catalog.records.broker import HELD_BIT
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stored_messages import (
    HeldNumbers,
    MessageNumbers,
    TransmissionNumbers,
    read_messages,
    read_transmissions,
)
from sbql.engine.broker import monolog, trace
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.counters import BrokerCounters
from sbql.engine.broker.delivery_log import DeliveryLog, HeldRun
from sbql.engine.broker.dialog_security import NO_SECURITY, DialogSecurity
from sbql.engine.broker.paging import Paging
from sbql.engine.broker.ready_index import Conversation, Group, Monolog, QueueStore, ReadyIndex
from sbql.engine.broker.requests import Requests
from sbql.engine.broker.row_paging import RowPaging
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.broker.trace import TraceSink
from sbql.engine.locks import LockTable
from sbql.engine.work import Waiter
from sbql.grammar.errors import SqlError

__all__ = ["BrokerState", "Conversation", "Group", "QueueStore", "endpoint_key"]

HORIZON: Final = 3_500_000_000.0
"""Deadlines after this moment (in 2080), such as the default LIFETIME of 68 years, are not put on the timer heap."""


def endpoint_key(database_id: int, handle: UUID) -> int:
    """Where `BrokerState.endpoints` has an endpoint. A handle alone will not do: a restored copy of a database has the
    same handles."""
    return database_id << 128 | handle.int


class BrokerState:
    """The broker's memory. One `mutex` guards all of it; whoever calls an operation holds it."""

    def __init__(self, locks: LockTable | None = None) -> None:
        self.mutex = threading.RLock()
        self.locks = locks or LockTable()
        self.endpoints: dict[int, Conversation] = {}
        self.by_conversation: dict[tuple[int, bool, int], Conversation] = {}
        self.groups: dict[tuple[int, int], Group] = {}
        self.queues: dict[int, QueueStore] = {}
        self.deadlines: list[tuple[float, int, Conversation]] = []
        self.delayed: dict[Conversation, None] = {}
        self.listeners: list[Callable[[str, int], None]] = []
        self.trace: TraceSink | None = None
        self.counters = BrokerCounters()
        self.ready = ReadyIndex()
        self.next_serial = self.ready.next_serial
        self.paging = Paging(self.ready.candidates, self.locks)
        self.row_paging = RowPaging(self.delayed, self.locks)
        self.monitors: dict[int, Any] = {}
        self.monologs: dict[Conversation, Monolog] = {}
        self.orders: dict[Conversation, None] = {}
        """What tells other instances of subscriptions, either side of it."""
        self.logs: dict[UUID, DeliveryLog] = {}
        self.sent_batches: dict[tuple[int, str], SentBatch] = {}
        self.sink_dialogs: dict[tuple[int, str, str], UUID] = {}
        """The dialog that a writer has begun for a key: by database, writer and key."""
        self.requests = Requests()
        self.holders: dict[tuple[int, int], DeliveryLog] = {}
        """Who holds messages of a group, by database and id: the group itself may have gone and come back."""
        self.route_requests: dict[tuple[int, str], Any] = {}
        self.notification_handles: dict[int, UUID] = {}
        self.ended_inside: dict[Conversation, None] = {}
        """Conversations of the instance's own whose other side, or the broker, may have ended them: somebody looks and ends them here."""
        self.has_transport = False
        self.dialog_security: DialogSecurity = NO_SECURITY
        """Messages for other instances can be sent: there is an endpoint, and it is started."""
        self.outbox: list[Any] = []  # of Departure
        """What commits have left for the network, in their order."""
        self.prepared_by: Any = None
        self.transactions: dict[Any, None] = {}  # of BrokerTransaction, which knows the state
        """Those that may have changed something."""
        self.last_key = 0
        self._indexes: list[CatalogIndex] = []

    @classmethod
    def load(
        cls,
        *stored: Any,
        locks: LockTable | None = None,
        **more: Any,
    ) -> BrokerState:
        """A new state: see `fill`."""
        state = cls(locks)
        state.fill(*stored, **more)
        return state

    def forget(self, error: SqlError) -> None:
        """The store has lost commits: everything uncommitted is rolled back, for it may rest on them, and nobody else than
        `fill` knows what is committed. Transactions that go on get `error`."""
        for transaction in list(self.transactions):
            transaction.lose(error)
        for part in (
            self.endpoints, self.by_conversation, self.groups, self.delayed, self.monologs, self.orders,
            self.route_requests, self.notification_handles, self.ended_inside, self.ready.parked, self.ready.candidates,
            self.holders,
        ):  # fmt: skip
            part.clear()
        self.deadlines.clear()
        self.outbox.clear()
        self.prepared_by = None
        for queue in self.queues.values():
            queue.ready.clear()

    def fill(
        self,
        endpoints: Iterable[ConversationEndpoint],
        groups: Iterable[ConversationGroup],
        messages: Iterable[QueuedMessage],
        transmissions: Iterable[TransmissionMessage],
        queue_of_service: Callable[[int, int], int],
        members: Iterable[MonologMember] = (),
        retained: Iterable[MonologMessage] = (),
        numbers: Iterable[MessageNumbers] = (),
        consumers: Iterable[Consumer] = (),
        held: Iterable[HeldNumbers] = (),
        sent_batches: Iterable[SentBatch] = (),
        sink_dialogs: Iterable[SinkDialog] = (),
        requests: Iterable[AnsweredRequest] = (),
        waiting: Iterable[TransmissionNumbers] = (),
    ) -> None:
        """Take in what is stored. `queue_of_service(database_id, service_id)` gives the queue of a service."""
        state = self
        for record in groups:
            queue = state.queue(queue_of_service(record.database_id, record.service_id), record.database_id)
            group = Group(record, queue)
            group.stored = True
            state.groups[record.database_id, record.conversation_group_id.int] = group
        for endpoint in endpoints:
            conversation = Conversation(
                endpoint, state.groups[endpoint.database_id, endpoint.conversation_group_id.int]
            )
            conversation.stored = True
            state.add(conversation)
            state.schedule(conversation)
        for message in sorted(messages, key=lambda m: (m.message_sequence_number, m.message_key)):
            state._load_message(message)
        for part in numbers:
            state._load_numbers(part)
        state._load_logs(consumers, held)
        state.sent_batches = {(batch.database_id, batch.writer): batch for batch in sent_batches}
        state.sink_dialogs = {(d.database_id, d.writer, d.dialog_key): d.conversation_handle for d in sink_dialogs}
        state.requests = Requests(requests)
        for row in sorted(transmissions, key=lambda t: t.message_sequence_number):
            state.last_key = max(state.last_key, row.message_key)
            sender = state.endpoints[endpoint_key(row.database_id, row.conversation_handle)]
            row.next_attempt = _attempt_as_loaded(row.next_attempt)
            sender.rows(held=bool(row.status & HELD_BIT)).add(row)
            state.delayed[sender] = None
            state.schedule(sender)
        for rows in waiting:
            state._load_waiting(rows)
        state.take_in_monologs(members, retained)

    def read_pages_by(self, read_rows: Callable[..., Any]) -> None:
        """What is not in memory is read by this method of the store."""
        self.paging.fetch = partial(read_rows, read_messages)
        self.row_paging.fetch = partial(read_rows, read_transmissions)

    def after_fold(self, ready: Any, waiting: Any) -> None:
        """What `paging` and `row_paging` have found before a fold may leave the memory."""
        self.paging.after_fold(ready)
        self.row_paging.after_fold(waiting)

    def take_in_monologs(self, members: Iterable[MonologMember], retained: Iterable[MonologMessage]) -> None:
        """Put monologs together whose endpoints and messages are here."""
        kept = list(retained)
        self.last_key = max([self.last_key, *(message.message_key for message in kept)])

        def find(database_id: int, handle: UUID) -> Conversation:
            return self.endpoints[endpoint_key(database_id, handle)]

        for conversation in monolog.load(self.monologs, find, members, kept):
            self.schedule(conversation)
            if conversation.monolog is not None and conversation.monolog.is_order:
                self.orders[conversation] = None

    def _load_message(self, message: QueuedMessage) -> None:
        self.last_key = max(self.last_key, message.message_key)
        conversation = self.endpoints[endpoint_key(message.database_id, message.conversation_handle)]
        queue = conversation.queue
        queue.next_order = max(queue.next_order, message.queuing_order + 1)
        if message.status == 1:
            conversation.put(message)
            queue.index(conversation)
        elif message.status == 2:
            conversation.incomplete = [*conversation.incomplete, message]
        else:
            conversation.retain(message)

    def _load_numbers(self, part: MessageNumbers) -> None:
        """Ready messages of a conversation that stay in the store."""
        conversation = self.endpoints[endpoint_key(part.database_id, part.conversation_handle)]
        queue = conversation.queue
        if conversation.run is None:
            conversation.run = StoredRun()
        conversation.run.extend(part.keys, part.orders)
        self.last_key = max(self.last_key, max(part.keys))
        queue.next_order = max(queue.next_order, max(part.orders) + 1)
        queue.index(conversation)

    def _load_waiting(self, part: TransmissionNumbers) -> None:
        """Rows of the transmission queue that stay in the store."""
        conversation = self.endpoints[endpoint_key(part.database_id, part.conversation_handle)]
        rows = conversation.rows(held=part.is_held)
        rows.extend(part.keys, part.numbers, _attempt_as_loaded(part.next_attempt))
        self.last_key = max(self.last_key, max(part.keys))
        self.delayed[conversation] = None
        self.schedule(conversation)

    def _load_logs(self, consumers: Iterable[Consumer], held: Iterable[HeldNumbers]) -> None:
        """Consumers, and what they hold: it is out of the queues."""
        before, self.logs = self.logs, {record.log_id: DeliveryLog(record) for record in consumers}
        for log in before.values():
            log.wake()
        for part in held:
            log, run = self.logs[part.range.log_id], HeldRun.stored(part)
            log.runs.append(run)
            self.hold(log, run.database_id, run.group_id)
            self.last_key = max(self.last_key, part.range.last_key)
            queue = self.queue(log.record.queue_id, log.record.database_id)
            queue.next_order = max(queue.next_order, max(part.orders, default=-1) + 1)

    def hold(self, log: DeliveryLog, database_id: int, group_id: UUID) -> None:
        """`log` has got a range of a group: nobody else receives from it."""
        key = (database_id, group_id.int)
        log.groups[key] = log.groups.get(key, 0) + 1
        self.holders[key] = log
        group = self.groups.get(key)
        if group is not None:
            self.adopt_hold(group)

    def adopt_hold(self, group: Group) -> None:
        """A group that is new in memory: perhaps a consumer holds messages of one with the same id."""
        log = self.holders.get((group.record.database_id, group.record.conversation_group_id.int))
        if log is not None:
            group.held_by, group.parked, group.entry = log, True, None

    def let_go(self, log: DeliveryLog, database_id: int, group_id: UUID) -> Group | None:
        """A range of a group is done. Returns the group when it was the last one and messages of it are ready."""
        key = (database_id, group_id.int)
        log.groups[key] -= 1
        if log.groups[key]:
            return None
        del log.groups[key], self.holders[key]
        group = self.groups.get(key)
        if group is None:
            return None
        group.held_by, group.parked = None, False
        best = group.next_conversation()
        if best is None:
            return None
        group.queue.push(group, best)
        return group

    def index(self, snapshot: CatalogSnapshot) -> CatalogIndex:
        """The derived look-ups of a catalog snapshot; the last four are kept."""
        for found in self._indexes:
            if found.snapshot is snapshot:
                return found
        found = CatalogIndex(snapshot)
        self._indexes = [found, *self._indexes[:3]]
        return found

    def next_key(self) -> int:
        """A message key that no stored row has."""
        self.last_key += 1
        return self.last_key

    def queue(self, queue_id: int, database_id: int) -> QueueStore:
        found = self.queues.get(queue_id)
        if found is None:
            found = self.queues[queue_id] = QueueStore(self.ready, queue_id, database_id)
        return found

    def endpoint(self, database_id: int, handle: UUID) -> ConversationEndpoint | None:
        """The live endpoint record of a handle (its uncommitted changes included)."""
        found = self.endpoints.get(endpoint_key(database_id, handle))
        return None if found is None or found.removed else found.endpoint

    def transmission_status(self, database_id: int, handle: UUID) -> str:
        """GET_TRANSMISSION_STATUS; empty for an unknown handle."""
        found = self.endpoints.get(endpoint_key(database_id, handle))
        return "" if found is None or found.removed else monolog.transmission_status(found)

    def add(self, conversation: Conversation) -> None:
        endpoint = conversation.endpoint
        self.endpoints[endpoint_key(endpoint.database_id, endpoint.conversation_handle)] = conversation
        self.by_conversation[endpoint.conversation_id.int, endpoint.is_initiator, endpoint.database_id] = conversation
        conversation.group.members[endpoint.conversation_handle.int] = conversation

    def drop(self, conversation: Conversation) -> None:
        """Forget an endpoint, and its group when it was the last member."""
        endpoint = conversation.endpoint
        key = endpoint_key(endpoint.database_id, endpoint.conversation_handle)
        if self.endpoints.get(key) is conversation:  # else a restored copy has taken its place
            del self.endpoints[key]
        by_id = (endpoint.conversation_id.int, endpoint.is_initiator, endpoint.database_id)
        if self.by_conversation.get(by_id) is conversation:
            del self.by_conversation[by_id]
        conversation.deadline_serial = 0
        self.ready.candidates.pop(conversation, None)
        if conversation.monolog is not None:
            monolog.forget(self.monologs, conversation)
            self.orders.pop(conversation, None)
        group = conversation.group
        group.members.pop(endpoint.conversation_handle.int, None)
        self.drop_if_empty(group)

    def drop_if_empty(self, group: Group) -> None:
        if group.members:
            return
        record = group.record
        key = (record.database_id, record.conversation_group_id.int)
        if self.groups.get(key) is not group:
            return
        del self.groups[key]
        if self.trace is not None:
            ids = {"database_id": record.database_id, "conversation_group_id": record.conversation_group_id}
            trace.emit(self.trace, "Broker:Conversation Group", "Drop", **ids)

    def queue_waiters(self, queue_id: int, database_id: int) -> dict[Waiter, Callable[[], bool] | None]:
        """Waiters of WAITFOR on this queue. Register with `waiters[waiter] = None`, or what tells whether the message
        that is wanted is there; leave with `stop_waiting`."""
        return self.queue(queue_id, database_id).waiters

    def has_message(self, database_id: int, handle: UUID) -> bool:
        """A conversation has a ready message, or is gone: who waits for it has to look."""
        found = self.endpoints.get(endpoint_key(database_id, handle))
        return found is None or (found.group.held_by is None and found.first_order() >= 0)

    def group_has_message(self, database_id: int, group_id: UUID) -> bool:
        """The same for a conversation group."""
        group = self.groups.get((database_id, group_id.int))
        return group is None or (group.held_by is None and group.next_conversation() is not None)

    def stop_waiting(self, queue_id: int, waiter: Waiter) -> None:
        """Always called when a wait ends, however it ends. One who was woken passes the hint on while more is ready."""
        queue = self.queues.get(queue_id)
        if queue is None:
            return
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
            due = min(due, conversation.transmission.next_attempt)
        if conversation.held:
            due = min(due, conversation.held.next_attempt)
        if conversation.monolog is not None:
            due = min(due, conversation.monolog.due(endpoint))
        return due

    def notify(self, event: str, queue_id: int) -> None:
        """Tell the instance: 'ready' (queue), 'launch' (queue), 'deadline', 'disable' (queue), 'transmit'. Must be quick."""
        for listener in self.listeners:
            listener(event, queue_id)


def _attempt_as_loaded(next_attempt: float) -> float:
    """A row without a next attempt was the network's, which knows nothing of it any more; or is for a queue that may be ON."""
    return 0.0 if next_attempt >= HORIZON else next_attempt
