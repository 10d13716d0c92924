"""Deadlines: lifetimes, dialog timers, retries of delayed messages, closed rows
(docs/spec: TIMER, CLOSED, LIFETIME, DELAY).

Decides what falls due when, and does it inside a transaction of its own. Must not wait: a group that somebody else has
locked is looked at again when that transaction ends. Must not know who drives the clock.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from sbql.catalog.records import NEVER, NO_MESSAGE_ID, TransmissionMessage
from sbql.engine.broker import delivery, held_arrivals, monolog_publisher, queue_monitor, system_messages, trace
from sbql.engine.broker.acceptance import give_error
from sbql.engine.broker.arrival import KIND_OF_STATUS, Arrival
from sbql.engine.broker.conversation_state import Event
from sbql.engine.broker.delivery import FIRST_RETRY
from sbql.engine.broker.endpoint_changes import close, put_system_message
from sbql.engine.broker.priority import DEFAULT_LEVEL
from sbql.engine.broker.resting import HORIZON, closed_until
from sbql.engine.broker.state import BrokerState, Conversation
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.broker.transmission_rows import TransmissionRows

if TYPE_CHECKING:
    from sbql.engine.broker.catalog_index import CatalogIndex

__all__ = ["next_deadline", "retry_delayed", "run_due"]

LAST_RETRY: Final = 64.0
"""Retries come after 4, 8, 16, 32, 64 seconds, then every 64."""

BATCH: Final = 500
PAGE: Final = 10_000
"""Delayed messages of one conversation that one transaction delivers."""
LATER: Final = 1.0


def next_deadline(state: BrokerState) -> float | None:
    """The moment at which `run_due` or `queue_monitor.tick` has something to do, None when nothing is planned."""
    heap = state.deadlines
    while heap and heap[0][2].deadline_serial != heap[0][1]:
        heappop(heap)
    due = min(heap[0][0] if heap else HORIZON, queue_monitor.next_tick(state), state.resting.next_due)
    return due if due < HORIZON else None


def run_due(transaction: BrokerTransaction, limit: int = BATCH) -> int:
    """Do what is due, at most `limit` endpoints, in `transaction`, which the caller then commits. Returns how many were
    handled: at `limit`, call again in a new transaction. Does not run the queue monitors' tick."""
    state = transaction.state
    now = transaction.host.now()
    state.wake_due(now, limit)
    heap = state.deadlines
    due: list[Conversation] = []
    while heap and heap[0][0] <= now and len(due) < limit:
        _, serial, conversation = heappop(heap)
        if conversation.deadline_serial == serial:
            conversation.deadline_serial = 0
            due.append(conversation)
    due.sort(key=partial(_transmission_rank, transaction.index))
    try:
        _do(transaction, due, now)
    except BaseException:  # the store could not be read
        for conversation in due:
            _put_off(state, conversation, now)
        raise
    return len(due)


def _do(transaction: BrokerTransaction, due: list[Conversation], now: float) -> None:
    state = transaction.state
    state.row_paging.bring_first(due)
    for conversation in due:
        if not transaction.index.is_broker_enabled(conversation.endpoint.database_id):
            continue  # frozen: it is scheduled again when the broker takes part again
        group = conversation.group
        if group not in transaction.locked:
            if not transaction.locks.try_acquire(transaction.owner, group.resource):
                _put_off(state, conversation, now)
                continue
            transaction.lock(group)
        if not conversation.removed:
            _handle(transaction, conversation, now)
            transaction.reschedule[conversation] = None


def _transmission_rank(index: CatalogIndex, conversation: Conversation) -> int:
    """The conversations of the highest priority transmit first where HONOR_BROKER_PRIORITY is ON; else all count as
    5."""
    endpoint = conversation.endpoint
    database = index.databases.get(endpoint.database_id)
    is_honored = database is not None and database.is_honor_broker_priority_on and conversation.transmission
    return -endpoint.priority if is_honored else -DEFAULT_LEVEL


def _put_off(state: BrokerState, conversation: Conversation, now: float) -> None:
    """The group is locked: look again when the lock is released, at the latest in a second."""
    conversation.group.overdue = [*conversation.group.overdue, conversation]
    conversation.deadline_serial = serial = state.next_serial()
    heappush(state.deadlines, (now + LATER, serial, conversation))


def _handle(transaction: BrokerTransaction, conversation: Conversation, now: float) -> None:
    endpoint = conversation.endpoint
    if conversation.held and conversation.held.next_attempt <= now:
        held_arrivals.let_go(transaction, conversation)
        if conversation.removed:
            return
    if endpoint.state == "CD":
        if closed_until(endpoint) <= now:
            transaction.empty_queue_of(conversation)
            close(transaction, conversation, remove=True)
        return
    if endpoint.lifetime <= now:
        if endpoint.state != "ER":
            if 0.0 < endpoint.dialog_timer <= endpoint.lifetime:  # it was due before, while nobody looked
                _fire_timer(transaction, conversation)
            transaction.touch(conversation)
            give_error(transaction, conversation, 8489, event=Event.LIFETIME)
        return
    if conversation.monolog is not None:
        monolog_publisher.run_due(transaction, conversation, now)
    if 0.0 < endpoint.dialog_timer <= now:
        _fire_timer(transaction, conversation)
    if conversation.transmission and conversation.transmission.next_attempt <= now:
        _retry(transaction, conversation, now)


def _fire_timer(transaction: BrokerTransaction, conversation: Conversation) -> None:
    """A DialogTimer message for the local queue. While the queue is disabled the timer waits."""
    queue = transaction.index.queues.get(conversation.queue.queue_id)
    if queue is None or not queue.is_enabled:
        transaction.set(conversation, "dialog_timer", transaction.host.now() + FIRST_RETRY)
        return
    transaction.set(conversation, "dialog_timer", 0.0)
    type_id = system_messages.DIALOG_TIMER_ID
    put_system_message(transaction, conversation, type_id, None, 0, NO_MESSAGE_ID)
    if transaction.state.trace is not None:
        trace.emit_conversation(transaction.state.trace, "Conversation Timer Expired", conversation)


def _retry(transaction: BrokerTransaction, conversation: Conversation, now: float) -> None:
    """Deliver the delayed messages of a conversation in order, up to the first that
    still has to wait, or a page of them."""
    rows = conversation.transmission
    read = transaction.state.row_paging.read
    for row in itertools.chain(read(rows, rows.after(-1, 1)), _following(transaction, rows)):
        if row.message_sequence_number not in rows:  # gone with its side of the dialog
            return
        conversation.route = None  # after a failure the conversation is classified again
        refusal = delivery.deliver(transaction, _arrival(conversation, row))
        if refusal is not None and conversation.goes_out:
            _leave_to_network(transaction, conversation)
            return
        if refusal is not None:
            following = now + min(LAST_RETRY, FIRST_RETRY * 2.0 ** min(row.attempts, 10))
            change = transaction.change_transmission
            change(conversation, row, following, transmission_status=refusal, attempts=row.attempts + 1)
            if conversation.endpoint.transmission_status != refusal:
                transaction.set(conversation, "transmission_status", refusal)
            return
        if row.message_sequence_number in rows:
            transaction.delete_transmission(conversation, rows, row.message_sequence_number)
    if rows:
        rows.next_attempt = now
    if conversation.endpoint.transmission_status and not conversation.removed:
        transaction.set(conversation, "transmission_status", "")


def _following(transaction: BrokerTransaction, rows: TransmissionRows) -> Iterator[TransmissionMessage]:
    """A page of what stands first when the first one has gone."""
    yield from transaction.state.row_paging.read(rows, rows.after(-1, PAGE))


def _leave_to_network(transaction: BrokerTransaction, conversation: Conversation) -> None:
    """All that waits is for another instance, which the network brings there. It looks at the time itself."""
    conversation.transmission.next_attempt = NEVER
    transaction.depart(conversation, conversation.transmission.last_number)
    if conversation.endpoint.transmission_status:
        transaction.set(conversation, "transmission_status", "")


def _arrival(conversation: Conversation, row: TransmissionMessage) -> Arrival:
    kind = KIND_OF_STATUS[row.status]
    body, sequence = row.message_body, row.message_sequence_number
    return Arrival(conversation, kind, row.message_type_name, body, sequence, row.message_id)


def retry_delayed(state: BrokerState, now: float) -> None:
    """Something changed that may let delayed messages go (queue or broker enabled, service, route or key created): all
    are due at once."""
    for conversation in list(state.delayed):
        if not conversation.transmission and not conversation.held:
            del state.delayed[conversation]
            continue
        for rows in (conversation.transmission, conversation.held):
            if rows:
                rows.next_attempt = now
        state.schedule(conversation)
