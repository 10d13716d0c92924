"""BrokerState: endpoints, groups, queues, transmission queues and timers of an instance, in memory.

Decides how these are found, and what is due next. Must not know what a statement is allowed to do, nor transactions:
operations change it through a BrokerTransaction, under `mutex`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import heapify, heappush
from typing import Any
from uuid import UUID

from sbql.catalog.records import (
    ConversationEndpoint,
    ConversationGroup,
    SentBatch,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stored_messages import (
    read_messages,
    read_transmissions,
)
from sbql.engine.broker import monolog, trace
from sbql.engine.broker.answered_requests import Requests
from sbql.engine.broker.brake import Brake
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.conversation_state import is_over
from sbql.engine.broker.counters import BrokerCounters
from sbql.engine.broker.delivery_log import DeliveryLog
from sbql.engine.broker.dialog_security import NO_SECURITY, DialogSecurity
from sbql.engine.broker.idle_endpoint import IdleEndpoint
from sbql.engine.broker.memory_keys import endpoint_key, group_key, side_key
from sbql.engine.broker.mutex import Mutex, approach, new_mutex
from sbql.engine.broker.paging import Paging
from sbql.engine.broker.ready_index import NOTHING, Conversation, Group, Monolog, QueueStore, ReadyIndex
from sbql.engine.broker.resting import HORIZON, Resting, deadline
from sbql.engine.broker.row_paging import RowPaging
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.broker.trace import TraceSink
from sbql.engine.broker.validation import XmlValidator
from sbql.engine.locks import LockTable
from sbql.engine.work import Waiter
from sbql.grammar.errors import SqlError

__all__ = ["BrokerState", "Conversation", "Group", "QueueStore"]


class BrokerState:
    """The broker's memory. One `mutex` guards all of it; whoever calls an operation holds it."""

    def __init__(self, locks: LockTable | None = None, xml_validator: XmlValidator | None = None) -> None:
        self._mutex = new_mutex()
        self.locks = locks or LockTable()
        self.endpoints: dict[int, Conversation] = {}
        """Those in memory: `find` knows the others too."""
        self.by_conversation: dict[int, Conversation] = {}
        """By `side_key`."""
        self.groups: dict[int, Group] = {}
        """By `group_key`."""
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
        self.transactions: dict[Any, None] = {}  # of BrokerTransaction, which knows the state
        """Those that may have changed something."""
        self.spare_transactions: list[Any] = []
        """Those that were published and are empty: the next ones."""
        self.xml_validator = xml_validator
        self.resting = Resting(self.endpoints, self.groups, self.transactions, self.locks, self.ready.first_turns)
        self.brake = Brake(self.endpoints)
        self.ready.wake_turns = self._wake_turns
        self.monitors: dict[int, Any] = {}
        self.monologs: dict[Conversation, Monolog] = {}
        self.orders: dict[Conversation, None] = {}
        """What tells other instances of subscriptions, either side of it."""
        self.logs: dict[UUID, DeliveryLog] = {}
        self.sent_batches: dict[tuple[int, str], SentBatch] = {}
        self.sink_dialogs: dict[tuple[int, str, str], UUID] = {}
        """The dialog that a writer has begun for a key: by database, writer and key."""
        self.requests = Requests()
        self.holders: dict[int, DeliveryLog] = {}
        """Who holds messages of a group, by the key of `groups`: the group itself may have gone and come back."""
        self.route_requests: dict[tuple[int, str], Any] = {}
        self.notification_handles: dict[int, UUID] = {}
        self.ended_inside: dict[Conversation, None] = {}
        """Conversations of the instance's own whose other side, or the broker, may have ended them:
        somebody looks and ends them here."""
        self.has_transport = False
        self.dialog_security: DialogSecurity = NO_SECURITY
        """Messages for other instances can be sent: there is an endpoint, and it is started."""
        self.outbox: list[Any] = []  # of Departure
        """What commits have left for the network, in their order."""
        self.prepared_by: Any = None
        self.last_key = 0
        self._indexes: list[CatalogIndex] = []

    @property
    def mutex(self) -> Mutex:
        """For a `with` that follows at once: asking may already wait for others."""
        return approach(self._mutex)

    @mutex.setter
    def mutex(self, mutex: Mutex) -> None:
        self._mutex = mutex

    @property
    def mutex_in_turn(self) -> Mutex:
        """The same for who must not be overtaken again and again: a background work beside busy sessions, and no more
        than one. It sleeps in the mutex, and is handed it."""
        return self._mutex

    def renew_mutex(self) -> None:
        """In the child of a fork: whoever has the old one may not be there."""
        self._mutex = new_mutex()

    def forget(self, error: SqlError) -> None:
        """The store has lost commits: everything uncommitted is rolled back, for it may rest on them, and nobody else
        than `fill` knows what is committed. Transactions that go on get `error`."""
        for transaction in list(self.transactions):
            transaction.lose(error)
        for part in (
            self.endpoints, self.by_conversation, self.groups, self.delayed, self.monologs, self.orders,
            self.route_requests, self.notification_handles, self.ended_inside, self.ready.parked, self.ready.candidates,
            self.holders,
        ):  # fmt: skip
            part.clear()
        self.resting.clear()
        self.deadlines.clear()
        self.outbox.clear()
        self.prepared_by = None
        for queue in self.queues.values():
            queue.ready.clear()

    def read_pages_by(self, read_rows: Callable[..., Any]) -> None:
        """What is not in memory is read by this method of the store."""
        self.paging.fetch = partial(read_rows, read_messages)
        self.row_paging.fetch = partial(read_rows, read_transmissions)

    def after_fold(self, ready: Any, waiting: Any) -> None:
        """What `paging` and `row_paging` have found before a fold may leave the memory, and
        then conversations (`rest_some`)."""
        self.paging.after_fold(ready)
        self.row_paging.after_fold(waiting)
        self.resting.begin()

    # Conversations and groups, wherever they are

    def find(self, database_id: int, handle: UUID) -> Conversation | None:
        """The endpoint of a handle."""
        key = endpoint_key(database_id, handle)
        found = self.endpoints.get(key)
        if found is None and (rows := self.resting.of(database_id, handle)):
            self._wake(rows)
            found = self.endpoints.get(key)
        return found

    def find_side(self, conversation_id: UUID, is_initiator: bool, database_id: int) -> Conversation | None:
        """One side of a conversation."""
        key = side_key(database_id, conversation_id, is_initiator)
        found = self.by_conversation.get(key)
        if found is None and (rows := self.resting.of_side(conversation_id, is_initiator, database_id)):
            self._wake(rows)
            found = self.by_conversation.get(key)
        return found

    def find_group(self, database_id: int, group_id: UUID) -> Group | None:
        key = group_key(database_id, group_id)
        found = self.groups.get(key)
        if found is None and (rows := self.resting.of_group(database_id, group_id)):
            self._wake(rows)
            found = self.groups.get(key)
        return found

    def wake_all_of(self, database_id: int, service_id: int | None = None, contract_id: int | None = None) -> None:
        """Everything of a database, or of a service or contract there, comes into
        memory: something is to be done to it."""
        for part in self.resting.all_of(database_id, service_id, contract_id):
            self._wake(part)

    def wake_due(self, now: float, limit: int) -> None:
        """Those for which something is to be done come into memory, and are on the timer heap."""
        self._wake(self.resting.due(now, limit))

    def _wake_turns(self, queue_id: int) -> None:
        self._wake(self.resting.turns(queue_id))

    def records(self) -> Iterator[ConversationEndpoint]:
        """All endpoints, in memory or at rest."""
        for conversation in self.endpoints.values():
            yield conversation.endpoint
        for row in self.resting.rows():
            yield row.endpoint

    def at_rest(self) -> Iterator[Conversation]:
        """Those at rest, to look at: what is changed of them is lost."""
        for row in self.resting.rows():
            yield self._conversation(row, row.endpoint, self._group_of(row, row.endpoint))

    def rest_some(self) -> bool:
        """After a fold: let a few conversations rest. Returns whether to go on; the
        mutex may be given away in between."""
        return self.resting.some(self._let_go)

    def _wake(self, rows: Iterable[IdleEndpoint]) -> None:
        for row in rows:
            endpoint = row.endpoint
            key = group_key(endpoint.database_id, endpoint.conversation_group_id)
            group = self.groups.get(key)
            if group is None:
                group = self.groups[key] = self._group_of(row, endpoint)
                self.adopt_hold(group)
            conversation = self._conversation(row, endpoint, group)
            self.add(conversation)
            if row.due is not None:
                self.schedule(conversation)
            if row.numbers:
                group.queue.index(conversation)

    @staticmethod
    def _conversation(row: IdleEndpoint, endpoint: ConversationEndpoint, group: Group) -> Conversation:
        conversation = Conversation(endpoint, group)
        conversation.stored = True
        conversation.seat = row.seat
        if row.numbers:
            conversation.run = StoredRun(row.numbers)
        return conversation

    def _group_of(self, row: IdleEndpoint, endpoint: ConversationEndpoint) -> Group:
        database_id = endpoint.database_id
        record = ConversationGroup(endpoint.conversation_group_id, database_id, endpoint.service_id)
        group = Group(record, self.queue(row.queue_id, database_id))
        group.stored = True
        return group

    def _let_go(self, group: Group) -> None:
        """A group rests: nothing in memory leads to it or to its conversations."""
        for conversation in group.members:
            endpoint, peer = conversation.endpoint, conversation.peer
            del self.endpoints[endpoint_key(endpoint.database_id, endpoint.conversation_handle)]
            by_id = side_key(endpoint.database_id, endpoint.conversation_id, endpoint.is_initiator)
            if self.by_conversation.get(by_id) is conversation:
                del self.by_conversation[by_id]
            if peer is not None:
                peer.peer = conversation.peer = None
            conversation.deadline_serial = 0
            conversation.entry = None
            self.ready.candidates.pop(conversation, None)
            self.delayed.pop(conversation, None)
        group.queue.forget(group)
        record = group.record
        del self.groups[group_key(record.database_id, record.conversation_group_id)]
        group.empty()  # what leads in a circle would wait for Python's collector
        group.ready = NOTHING

    def hold(self, log: DeliveryLog, database_id: int, group_id: UUID) -> None:
        """`log` has got a range of a group: nobody else receives from it."""
        key = group_key(database_id, group_id)
        log.groups[key] = log.groups.get(key, 0) + 1
        self.holders[key] = log
        group = self.find_group(database_id, group_id)
        if group is not None:
            self.adopt_hold(group)

    def adopt_hold(self, group: Group) -> None:
        """A group that is new in memory: perhaps a consumer holds messages of one with the same id."""
        if not self.holders:
            return
        log = self.holders.get(group_key(group.record.database_id, group.record.conversation_group_id))
        if log is not None:
            group.held_by, group.parked, group.entry = log, True, None

    def let_go(self, log: DeliveryLog, database_id: int, group_id: UUID) -> Group | None:
        """A range of a group is done. Returns the group when it was the last one and messages of it are ready."""
        key = group_key(database_id, group_id)
        log.groups[key] -= 1
        if log.groups[key]:
            return None
        del log.groups[key], self.holders[key]
        group = self.find_group(database_id, group_id)
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
        found = self.find(database_id, handle)
        return None if found is None or found.removed else found.endpoint

    def transmission_status(self, database_id: int, handle: UUID) -> str:
        """GET_TRANSMISSION_STATUS; empty for an unknown handle."""
        found = self.find(database_id, handle)
        return "" if found is None or found.removed else monolog.transmission_status(found)

    def add(self, conversation: Conversation) -> None:
        endpoint = conversation.endpoint
        database_id = endpoint.database_id
        self.endpoints[endpoint_key(database_id, endpoint.conversation_handle)] = conversation
        self.by_conversation[side_key(database_id, endpoint.conversation_id, endpoint.is_initiator)] = conversation
        conversation.group.take_in(conversation)

    def drop(self, conversation: Conversation) -> None:
        """Forget an endpoint, and its group when it was the last member."""
        endpoint = conversation.endpoint
        key = endpoint_key(endpoint.database_id, endpoint.conversation_handle)
        if self.endpoints.get(key) is conversation:  # else a restored copy has taken its place
            del self.endpoints[key]
        by_id = side_key(endpoint.database_id, endpoint.conversation_id, endpoint.is_initiator)
        if self.by_conversation.get(by_id) is conversation:
            del self.by_conversation[by_id]
        conversation.deadline_serial = 0
        if conversation.seat:
            self.resting.store.stand_up(conversation.seat)
            conversation.seat = 0
        self.ready.candidates.pop(conversation, None)
        if conversation.monolog is not None:
            monolog.forget(self.monologs, conversation)
            self.orders.pop(conversation, None)
        group = conversation.group
        group.let_out(conversation)
        self.drop_if_empty(group)

    def drop_if_empty(self, group: Group) -> None:
        if group.members:
            return
        record = group.record
        key = group_key(record.database_id, record.conversation_group_id)
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
        found = self.find(database_id, handle)
        if found is None or is_over(found.endpoint.state):
            return True
        return found.group.held_by is None and found.first_order() >= 0

    def group_has_message(self, database_id: int, group_id: UUID) -> bool:
        """The same for a conversation group."""
        group = self.find_group(database_id, group_id)
        return group is None or (group.held_by is None and group.next_conversation() is not None)

    def stop_waiting(self, queue_id: int, waiter: Waiter) -> None:
        """Always called when a wait ends, however it ends. One who was woken passes the hint on while more is ready."""
        queue = self.queues.get(queue_id)
        if queue is None:
            return
        queue.waiters.pop(waiter, None)
        if waiter.woken and queue.waiters and queue.is_any_free(self.locks):
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
        due = deadline(endpoint)
        if conversation.transmission and endpoint.state not in ("DI", "ER"):
            due = min(due, conversation.transmission.next_attempt)
        if conversation.held:
            due = min(due, conversation.held.next_attempt)
        if conversation.monolog is not None:
            due = min(due, conversation.monolog.due(endpoint))
        return due

    def notify(self, event: str, queue_id: int) -> None:
        """Tell the instance: 'ready' (queue), 'launch' (queue), 'deadline', 'disable'
        (queue), 'transmit'. Must be quick."""
        for listener in self.listeners:
            listener(event, queue_id)
