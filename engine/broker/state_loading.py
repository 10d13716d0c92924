"""The broker's memory from what a store has: when an instance opens, and again when the store has lost commits.

Decides what of it becomes objects at once. Must not know how the store keeps its rows.

Of many conversations most are at rest (resting.py), and stay where they are in the store. Only what is read behind
the back of its tables, on a disk that is full, goes to rest from here: beyond a number, and those of which something
waits come back when that is taken in.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final
from uuid import UUID

from sbql.catalog.changes import StoredState
from sbql.catalog.records import (
    Consumer,
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)
from sbql.catalog.records.broker import HELD_BIT
from sbql.catalog.stored_messages import HeldNumbers, TransmissionNumbers
from sbql.catalog.unread_messages import UnreadMessages
from sbql.engine.broker import monolog
from sbql.engine.broker.answered_requests import Requests
from sbql.engine.broker.delivery_log import DeliveryLog, HeldRun
from sbql.engine.broker.idle_endpoint import IdleEndpoint
from sbql.engine.broker.memory_keys import group_key
from sbql.engine.broker.resting import HORIZON, deadline, may_ever_rest
from sbql.engine.broker.state import BrokerState, Conversation, Group
from sbql.engine.broker.stored_run import StoredRun, in_turn

__all__ = ["fill", "known", "take_in_monologs"]

_PART: Final = 1_000
"""Endpoints that go to rest at once."""


def fill(state: BrokerState, stored: StoredState, queue_of_service: Callable[[int, int], int]) -> None:
    """Take in what is stored. `queue_of_service(database_id, service_id)` gives the queue of a service."""
    if stored.unread is not None:
        state.resting.leave(stored.unread, stored.unread_messages, queue_of_service)
    _Conversations(state, stored.groups, queue_of_service).take_in(
        stored.endpoints, are_awake=stored.unread is not None
    )
    for message in sorted(stored.messages, key=lambda m: (m.message_sequence_number, m.message_key)):
        _take_in_message(state, message)
    if stored.unread_messages is not None:
        _take_in_unread(state, stored, stored.unread_messages)
    _take_in_logs(state, stored.consumers, stored.held)
    state.sent_batches = {(batch.database_id, batch.writer): batch for batch in stored.sent_batches}
    state.sink_dialogs = {(d.database_id, d.writer, d.dialog_key): d.conversation_handle for d in stored.sink_dialogs}
    state.requests = Requests(stored.requests)
    for row in sorted(stored.transmissions, key=lambda t: t.message_sequence_number):
        _take_in_transmission(state, row)
    for rows in stored.waiting:
        _take_in_waiting(state, rows)
    take_in_monologs(state, stored.members, stored.retained)


class _Conversations:
    """Endpoints and groups on their way from the store."""

    def __init__(
        self, state: BrokerState, groups: Iterable[ConversationGroup], queue_of_service: Callable[[int, int], int]
    ) -> None:
        self.state = state
        self.queue_of_service = queue_of_service
        self.of_system: set[int] = set()
        for record in groups:
            if record.is_system:
                self.of_system.add(group_key(record.database_id, record.conversation_group_id))

    def take_in(self, endpoints: Sequence[ConversationEndpoint], *, are_awake: bool) -> None:
        """They become conversations in memory; unless somebody has to look after each (`are_awake`) only the first do,
        and those that may never rest: the others rest."""
        most = len(endpoints) if are_awake else self.state.resting.least
        for endpoint in endpoints[:most]:
            self._make(endpoint)
        for endpoint in list(self._let_rest(endpoints[most:])):
            self._make(endpoint)

    def _let_rest(self, endpoints: Iterable[ConversationEndpoint]) -> Iterator[ConversationEndpoint]:
        """Put them to rest. Gives those that have to be in memory, with their groups."""
        resting = self.state.resting
        source = iter(endpoints)
        while part := list(itertools.islice(source, _PART)):
            rows = []
            for endpoint in part:
                key = group_key(endpoint.database_id, endpoint.conversation_group_id)
                is_known = key in self.state.groups
                if is_known or key in self.of_system or not may_ever_rest(endpoint):
                    yield endpoint
                    continue
                due, queue_id = deadline(endpoint), self.queue_of_service(endpoint.database_id, endpoint.service_id)
                rows.append(IdleEndpoint(endpoint, due if due < HORIZON else None, queue_id))
            if not resting.put(rows):
                yield from (row.endpoint for row in rows)

    def _make(self, endpoint: ConversationEndpoint) -> None:
        key = group_key(endpoint.database_id, endpoint.conversation_group_id)
        state = self.state
        group = state.find_group(endpoint.database_id, endpoint.conversation_group_id)
        if group is None:
            record = ConversationGroup(
                endpoint.conversation_group_id, endpoint.database_id, endpoint.service_id, key in self.of_system
            )
            queue = state.queue(self.queue_of_service(record.database_id, record.service_id), record.database_id)
            group = Group(record, queue)
            group.stored = True
            state.groups[key] = group
        conversation = Conversation(endpoint, group)
        conversation.stored = True
        state.add(conversation)
        state.schedule(conversation)


def take_in_monologs(state: BrokerState, members: Iterable[MonologMember], retained: Iterable[MonologMessage]) -> None:
    """Put monologs together whose endpoints and messages are here."""
    kept = list(retained)
    state.last_key = max([state.last_key, *(message.message_key for message in kept)])
    for conversation in monolog.load(state.monologs, partial(known, state), members, kept):
        state.schedule(conversation)
        if conversation.monolog is not None and conversation.monolog.is_order:
            state.orders[conversation] = None


def known(state: BrokerState, database_id: int, handle: UUID) -> Conversation:
    """The endpoint that something stored belongs to."""
    found = state.find(database_id, handle)
    assert found is not None, "what is stored belongs to an endpoint"
    return found


def _take_in_message(state: BrokerState, message: QueuedMessage) -> None:
    state.last_key = max(state.last_key, message.message_key)
    conversation = known(state, message.database_id, message.conversation_handle)
    queue = conversation.queue
    queue.next_order = max(queue.next_order, message.queuing_order + 1)
    if message.status == 1:
        conversation.put(message)
        queue.index(conversation)
    elif message.status == 2:
        conversation.incomplete = [*conversation.incomplete, message]
    else:
        conversation.retain(message)


def _take_in_unread(state: BrokerState, stored: StoredState, messages: UnreadMessages) -> None:
    """Ready messages that stay in the store: those of conversations in memory are numbers there."""
    for position, number in messages.among(stored.places):
        endpoint = stored.endpoints[position]
        conversation = known(state, endpoint.database_id, endpoint.conversation_handle)
        keys, orders = messages.of(number)
        conversation.run = StoredRun(in_turn(array("q", keys.tobytes()), array("q", orders.tobytes())))
        conversation.queue.index(conversation)
    for database_id, queue_id, last_order, last_key in messages.last:
        queue = state.queue(queue_id, database_id)
        queue.next_order = max(queue.next_order, last_order + 1)
        state.last_key = max(state.last_key, last_key)


def _take_in_transmission(state: BrokerState, row: TransmissionMessage) -> None:
    state.last_key = max(state.last_key, row.message_key)
    sender = known(state, row.database_id, row.conversation_handle)
    row.next_attempt = _attempt_as_loaded(row.next_attempt)
    sender.rows(held=bool(row.status & HELD_BIT)).add(row)
    state.delayed[sender] = None
    state.schedule(sender)


def _take_in_waiting(state: BrokerState, part: TransmissionNumbers) -> None:
    """Rows of the transmission queue that stay in the store."""
    conversation = known(state, part.database_id, part.conversation_handle)
    rows = conversation.rows(held=part.is_held)
    rows.extend(part.keys, part.numbers, _attempt_as_loaded(part.next_attempt))
    state.last_key = max(state.last_key, max(part.keys))
    state.delayed[conversation] = None
    state.schedule(conversation)


def _take_in_logs(state: BrokerState, consumers: Iterable[Consumer], held: Iterable[HeldNumbers]) -> None:
    """Consumers, and what they hold: it is out of the queues."""
    before, state.logs = state.logs, {record.log_id: DeliveryLog(record) for record in consumers}
    for log in before.values():
        log.wake()
    for part in held:
        log, run = state.logs[part.range.log_id], HeldRun.stored(part)
        log.runs.append(run)
        state.hold(log, run.database_id, run.group_id)
        state.last_key = max(state.last_key, part.range.last_key)
        queue = state.queue(log.record.queue_id, log.record.database_id)
        queue.next_order = max(queue.next_order, max(part.orders, default=-1) + 1)


def _attempt_as_loaded(next_attempt: float) -> float:
    """A row without a next attempt was the network's, which knows nothing of it any more;
    or is for a queue that may be ON."""
    return 0.0 if next_attempt >= HORIZON else next_attempt
