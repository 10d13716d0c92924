"""RECEIVE: messages of one conversation group (docs/spec: RECEIVE, BATCH).

Decides which group, which of its messages and in which order, and what becomes of the rows. Must not know columns,
variables or WAITFOR: an empty list means that nothing was receivable.
"""

from __future__ import annotations

from uuid import UUID

from sbql.catalog.records import ConversationEndpoint, ConversationGroup, Queue, QueuedMessage
from sbql.engine.broker import queue_monitor
from sbql.engine.broker.conversation_state import Event, outcome, refusal
from sbql.engine.broker.ready_messages import first_taken
from sbql.engine.broker.state import BrokerState, Conversation, Group, QueueStore
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import sql_error

__all__ = ["Received", "enabled_queue", "executed", "receive"]

Received = tuple[QueuedMessage, ConversationEndpoint, ConversationGroup]


def receive(
    transaction: BrokerTransaction,
    queue_id: int,
    top: int | None = None,
    *,
    conversation_handle: UUID | None = None,
    conversation_group_id: UUID | None = None,
) -> list[Received]:
    """Receive up to `top` messages (None: all that is ready) of one group, and lock the group.

    Without a WHERE argument the group is chosen; locked ones are skipped. With one, the group of that handle or id,
    which may have to be waited for. Errors: 9617 queue disabled, 8426 handle, 8436 group not of this queue.
    """
    queue = enabled_queue(transaction, queue_id)
    store = transaction.state.queue(queue_id, queue.database_id)
    conversation: Conversation | None = None
    group: Group | None
    if conversation_handle is not None:
        conversation = _by_handle(transaction, store, conversation_handle)
        group = conversation.group
    elif conversation_group_id is not None:
        group = _by_group(transaction, store, conversation_group_id)
    else:
        group = transaction.next_group(store) if top is None or top > 0 else None
    found: list[Received] = []
    if group is not None and group.held_by is None:
        _take_from(transaction, group, conversation, top, queue.is_retention_enabled, found)
    if found and queue_id not in transaction.received_queues:
        transaction.received_queues.add(queue_id)
        transaction.undo.append((transaction.received_queues.discard, queue_id))
    return found


def executed(state: BrokerState, queue_id: int, with_rows: bool, now: float) -> None:
    """A RECEIVE has done all that it had to do, its expressions and its own commit included. One that failed was none
    to the monitor of the queue (docs/spec: MONITOR): this is called for the others only."""
    if queue_id in state.monitors:
        queue_monitor.receive_executed(state, queue_id, with_rows, now)


def enabled_queue(transaction: BrokerTransaction, queue_id: int) -> Queue:
    """The queue's record; 208 when it is gone, 8442 in a database without a broker, 9617 when it is disabled. Checks
    the right to RECEIVE."""
    queue = transaction.index.queues.get(queue_id)
    if queue is None:
        raise sql_error(208, queue_id)
    transaction.index.require_broker(queue.database_id)
    transaction.rights.require("RECEIVE", queue)
    if not queue.is_enabled:
        raise sql_error(9617, queue.name)
    return queue


def _by_handle(transaction: BrokerTransaction, store: QueueStore, handle: UUID) -> Conversation:
    conversation = transaction.conversation(handle, store.database_id)
    state = conversation.endpoint.state
    number = outcome(state, Event.RECEIVE)
    if isinstance(number, int):
        raise refusal(number, state, handle)
    if conversation.queue is not store:
        raise sql_error(8426, str(handle).upper())
    return conversation


def _by_group(transaction: BrokerTransaction, store: QueueStore, group_id: UUID) -> Group:
    group = transaction.state.find_group(store.database_id, group_id)
    if group is None:
        raise sql_error(8436, str(group_id).upper())
    transaction.lock(group)
    if group.queue is not store or not group.is_alive():
        raise sql_error(8436, str(group_id).upper())
    return group


def _take_from(
    transaction: BrokerTransaction,
    group: Group,
    only: Conversation | None,
    top: int | None,
    retention: bool,
    found: list[Received],
) -> None:
    """Take conversation after conversation, the one of highest priority and oldest message first."""
    if only is not None:
        _take(transaction, only, top, retention, found)
        return
    while True:
        entry = group.next_conversation()
        if entry is None:
            return
        _take(transaction, entry[3], None if top is None else top - len(found), retention, found)
        if top is not None and len(found) >= top:
            return


def _take(
    transaction: BrokerTransaction,
    conversation: Conversation,
    limit: int | None,
    retention: bool,
    found: list[Received],
) -> None:
    taken: list[QueuedMessage] = []
    urgent = conversation.urgent
    if conversation.run is not None:
        transaction.state.paging.page_in(conversation, None if limit is None else limit - len(urgent))
    while urgent and (limit is None or len(taken) < limit):
        taken.append(urgent.pop(0))
    if messages := conversation.messages:
        room = len(messages) if limit is None else min(limit - len(taken), len(messages))
        ready, conversation.messages = first_taken(messages, room)
        taken += ready
    changed, created = transaction.messages, transaction.created
    endpoint, group = conversation.endpoint, conversation.group.record
    for message in taken:
        message.status = 0
        key = message.message_key
        if retention:
            changed[key] = message
            conversation.retain(message)
        elif key in created:
            changed.pop(key, None)
        else:
            changed[key] = None
        found.append((message, endpoint, group))
    if taken:
        transaction.undo.append((_put_back, transaction, conversation, taken, retention))


def _put_back(
    transaction: BrokerTransaction, conversation: Conversation, taken: list[QueuedMessage], retention: bool
) -> None:
    """Undo: the messages are ready again, before all that arrived since."""
    changed, created = transaction.messages, transaction.created
    if retention:
        del conversation.retained[len(conversation.retained) - len(taken) :]
    for message in reversed(taken):
        message.status = 1
        if message.message_key in created:
            changed[message.message_key] = message
        else:
            changed.pop(message.message_key, None)
        conversation.put(message, front=True)
    conversation.queue.index(conversation)
