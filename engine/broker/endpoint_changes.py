"""One endpoint of a dialog: who is on its other side, what the broker puts into its own queue, how it closes.

Decides nothing about what arrives: delivery and acceptance do, and statements, and all of them come here. It works
inside a transaction that may change the endpoint.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.catalog.records import NO_MESSAGE_ID, ConversationEndpoint, Database, QueuedMessage
from sbql.engine.broker import system_messages
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.resting import SECURITY_PERIOD
from sbql.grammar.messages import message as catalogue_message

__all__ = [
    "BROKER_DISABLED",
    "BROKER_UNAVAILABLE",
    "HELD_BY_END",
    "HELD_BY_ERROR",
    "NO_TARGET_BROKER",
    "QUEUE_BUSY",
    "QUEUE_DISABLED",
    "SENDER_SINGLE_USER",
    "SINGLE_USER",
    "TARGET_UNAVAILABLE",
    "Problem",
    "close",
    "find_peer",
    "forget_transmissions",
    "note_seen",
    "problem_of",
    "put_system_message",
    "queued_message",
    "status_text",
]

Problem = tuple[int, str]
"""What the other side is told: an error's number and text."""

BROKER_DISABLED: Final = 9791
SENDER_SINGLE_USER: Final = 28075
SINGLE_USER: Final = 28015
BROKER_UNAVAILABLE: Final = 28012
QUEUE_BUSY: Final = 9749
TARGET_UNAVAILABLE: Final = 28021
QUEUE_DISABLED: Final = 11219
NO_TARGET_BROKER: Final = 9795
HELD_BY_END: Final = 9779
HELD_BY_ERROR: Final = 9784
"""Statuses of what is kept back, by the numbers of their texts."""


def status_text(number: int, *arguments: object) -> str:
    """A transmission status: the text of a message."""
    return catalogue_message(number).format(*arguments)


def problem_of(number: int, *arguments: object) -> Problem:
    return number, status_text(number, *arguments)


def find_peer(transaction: Holdings, sender: Conversation) -> Conversation | None:
    """The other side of a dialog, when it is an endpoint of this instance."""
    peer = sender.peer
    if peer is not None:
        return peer
    endpoint = sender.endpoint
    far = endpoint.far_broker_instance
    if far is None:
        return None
    database = _database_of(transaction, endpoint.database_id, far)
    if database is None:
        return None
    peer = transaction.state.find_side(endpoint.conversation_id, not endpoint.is_initiator, database.id)
    if peer is not None:
        sender.peer = peer
        peer.peer = sender
    return peer


def _database_of(transaction: Holdings, own: int, far: UUID) -> Database | None:
    """The database of a broker id: the own one, or the one that has it enabled. A copy of a database
    reaches nobody else while its own id is another's; one whose broker takes no part for a while does:
    that it has ended too is no message."""
    index = transaction.index
    database = index.databases.get(own)
    if database is not None and database.service_broker_guid == far:
        return database
    if (
        database is not None
        and database.broker_problem
        and index.by_guid.get(database.service_broker_guid.int) is not database
    ):
        return None
    return index.by_guid.get(far.int)


def queued_message(
    transaction: Holdings,
    conversation: Conversation,
    kind: tuple[int, str, str],
    body: bytes | None,
    sequence: int,
    message_id: bytes,
    status: int = 1,
) -> QueuedMessage:
    """A new last message of the queue of an endpoint, not yet put there. `kind`: id,
    name and validation of its type."""
    endpoint, queue = conversation.endpoint, conversation.queue
    order = queue.next_order
    queue.next_order = order + 1
    type_id, type_name, validation = kind
    return QueuedMessage(
        message_key=transaction.state.next_key(),
        queue_id=queue.queue_id,
        database_id=endpoint.database_id,
        status=status,
        priority=endpoint.priority,
        queuing_order=order,
        conversation_handle=endpoint.conversation_handle,
        message_sequence_number=sequence,
        service_id=endpoint.service_id,
        contract_id=endpoint.contract_id,
        message_type_id=type_id,
        message_type_name=type_name,
        validation=validation,
        message_body=body,
        message_id=message_id,
        message_enqueue_time=transaction.host.now(),
    )


def put_system_message(
    transaction: Holdings,
    conversation: Conversation,
    type_id: int,
    body: bytes | None,
    sequence: int,
    message_id: bytes,
) -> None:
    """An Error, EndDialog or DialogTimer message for the local queue of an endpoint."""
    kind = (type_id, system_messages.NAMES[type_id], system_messages.VALIDATION[type_id])
    own_id = message_id if message_id != NO_MESSAGE_ID else transaction.host.new_message_id()
    message = queued_message(transaction, conversation, kind, body, sequence, own_id)
    transaction.enqueue(conversation, message)
    endpoint = conversation.endpoint
    if endpoint.is_system and endpoint.is_initiator:
        transaction.state.ended_inside[conversation] = None


def _is_near(transaction: Holdings, endpoint: ConversationEndpoint) -> bool:
    """The other side is in this instance: it sends no first message again. One elsewhere may, as long as it does
    not say that it was acknowledged."""
    far = endpoint.far_broker_instance
    return far is None or far.int in transaction.index.by_guid


def note_seen(transaction: Holdings, conversation: Conversation) -> None:
    """The initiator has said that it has seen the acknowledgement of its first message."""
    endpoint = conversation.endpoint
    if not endpoint.is_initiator and not endpoint.security_timestamp:
        transaction.set_by_arrival(conversation, "security_timestamp", transaction.host.now() + SECURITY_PERIOD)
        if endpoint.state == "CD":
            transaction.reschedule[conversation] = None


def forget_transmissions(transaction: Holdings, conversation: Conversation) -> None:
    """Nobody wants any more what waits in the transmission queue, in either direction."""
    for rows in (conversation.transmission, conversation.held):
        transaction.delete_transmissions(conversation, rows)


def close(transaction: Holdings, conversation: Conversation, remove: bool = False) -> None:
    """Both sides are done: an initiator's row goes, a target's becomes CD. Pending transmissions go with it."""
    if conversation.removed or conversation.is_far:
        return
    if conversation.toucher not in (None, transaction):
        return
    forget_transmissions(transaction, conversation)
    endpoint = conversation.endpoint
    if remove or endpoint.is_initiator:
        transaction.remove_conversation(conversation)
    elif endpoint.state != "CD":
        transaction.set(conversation, "state", "CD")
        if not endpoint.security_timestamp and _is_near(transaction, endpoint):
            transaction.set(conversation, "security_timestamp", transaction.host.now() + SECURITY_PERIOD)
    transaction.reschedule[conversation] = None
