"""Conversations that come back with a copy of their database, as a backup or a detached database has them.

Decides how they are placed into the broker's memory. The records are those of the copy, already with the ids that their
database has here; message keys are given anew. Must not know where the copy came from, nor whether its broker will be
enabled.
"""

from __future__ import annotations

from collections.abc import Iterable

from sbql.catalog.records import (
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)
from sbql.engine.broker.memory_keys import group_key
from sbql.engine.broker.state import Conversation, Group
from sbql.engine.broker.state_loading import known, take_in_monologs
from sbql.engine.broker.transaction import BrokerTransaction

__all__ = ["put_back"]


def put_back(
    transaction: BrokerTransaction,
    endpoints: Iterable[ConversationEndpoint],
    groups: Iterable[ConversationGroup],
    messages: Iterable[QueuedMessage],
    transmissions: Iterable[TransmissionMessage],
    members: Iterable[MonologMember],
    retained: Iterable[MonologMessage],
) -> None:
    """Take these in, in `transaction`, which holds all their groups until it ends."""
    state = transaction.state
    for record in groups:
        _put_group(transaction, record)
    for endpoint in endpoints:
        _put_endpoint(transaction, endpoint)
    for message in sorted(messages, key=lambda m: (m.queuing_order, m.message_sequence_number)):
        conversation = state.find(message.database_id, message.conversation_handle)
        if conversation is None:  # a consumer held it: its conversation had ended before the copy was made
            continue
        _put_message(transaction, conversation, message)
    for row in sorted(transmissions, key=lambda t: t.message_key):
        row.message_key = state.next_key()
        transaction.add_transmission(known(state, row.database_id, row.conversation_handle), row)
        state.counters.enqueued_transmissions -= 1
    kept = sorted(retained, key=lambda m: m.message_key)
    for monolog_message in kept:
        monolog_message.message_key = state.next_key()
        transaction.retained[monolog_message.message_key] = monolog_message
    take_in_monologs(state, members, kept)


def _put_group(transaction: BrokerTransaction, record: ConversationGroup) -> None:
    state = transaction.state
    service = transaction.index.service_by_id[record.database_id, record.service_id]
    group = Group(record, state.queue(service.queue_id, record.database_id))
    transaction.lock(group)
    state.groups[group_key(record.database_id, record.conversation_group_id)] = group
    state.adopt_hold(group)
    transaction.groups[group] = None


def _put_endpoint(transaction: BrokerTransaction, endpoint: ConversationEndpoint) -> None:
    group = transaction.state.groups[group_key(endpoint.database_id, endpoint.conversation_group_id)]
    transaction.adopt(Conversation(endpoint, group))


def _put_message(transaction: BrokerTransaction, conversation: Conversation, message: QueuedMessage) -> None:
    queue = conversation.queue
    message.message_key = transaction.state.next_key()
    message.queue_id = queue.queue_id
    queue.next_order = max(queue.next_order, message.queuing_order + 1)
    if message.status == 1:
        transaction.enqueue(conversation, message)
        transaction.state.counters.enqueued[message.priority] -= 1
        return
    transaction.save_message(message, new=True)
    if message.status == 2:
        conversation.incomplete = [*conversation.incomplete, message]
    else:
        conversation.retain(message)
