"""Held errors: what the broker has to tell an endpoint that must not change now, because its database takes no part in
delivery (docs/spec: ALTERDB), and messages about errors for a queue that is OFF (docs/spec: OFF).

Whoever it is from may be gone by then, so that it is kept with the endpoint that it is for, as what has come from
another instance for a queue that is OFF. Decides what is kept, and what becomes of it when it is let go. Must not know
when that is (held_arrivals and deadlines do).
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.records import NEVER, NO_MESSAGE_ID, TransmissionMessage
from sbql.catalog.records.broker import HELD_BIT
from sbql.engine.broker import conversation_state, system_messages
from sbql.engine.broker.arrival import KIND_OF_STATUS, STATUS_OF_KIND, Kind
from sbql.engine.broker.conversation_state import CLOSED, DISCARD, Event
from sbql.engine.broker.endpoint_changes import (
    BROKER_UNAVAILABLE,
    HELD_BY_ERROR,
    QUEUE_DISABLED,
    close,
    put_system_message,
    status_text,
)
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Conversation

__all__ = ["held_row", "hold_back", "is_frozen", "is_on", "let_error_go", "put_error"]

NUMBER: Final = 1 << 62
"""Of what is not in sequence: behind all that is held in sequence."""


def is_frozen(transaction: Holdings, conversation: Conversation) -> int:
    """Why the database of an endpoint takes no part, as a message number; 0 when it does, or is gone."""
    database = transaction.index.databases.get(conversation.endpoint.database_id)
    return database.broker_problem if database is not None else 0


def hold_back(transaction: Holdings, conversation: Conversation, to_come: str, kind: Kind, body: bytes | None) -> None:
    """Keep a BROKER_ERROR, or that the other side has ended too (CLOSED), for an endpoint that is frozen. `to_come`:
    the state in which it will be told."""
    found = conversation_state.outcome(to_come, Event.PEER_CLOSED if kind == Kind.CLOSED else Event.PEER_ERROR)
    if found == DISCARD or NUMBER in conversation.held:
        return
    if found == CLOSED:
        kind, body = Kind.CLOSED, None
    status = status_text(BROKER_UNAVAILABLE, status_text(is_frozen(transaction, conversation)))
    row = held_row(transaction, conversation, kind, NUMBER, system_messages.ERROR, body, NO_MESSAGE_ID, status)
    transaction.add_transmission(conversation, row)


def put_error(transaction: Holdings, conversation: Conversation, body: bytes | None) -> None:
    """The message of an error of the broker that has ended this side. Nothing goes into a queue that is OFF: the
    endpoint is in ER, and the message waits."""
    if is_on(transaction, conversation):
        put_system_message(transaction, conversation, system_messages.ERROR_ID, body, 0, NO_MESSAGE_ID)
        return
    status, own_id = status_text(QUEUE_DISABLED, conversation.queue.queue_id), transaction.host.new_message_id()
    kind, name = Kind.BROKER_ERROR, system_messages.ERROR
    row = held_row(transaction, conversation, kind, NUMBER, name, body, own_id, status)
    transaction.add_transmission(conversation, row)


def is_on(transaction: Holdings, conversation: Conversation) -> bool:
    queue = transaction.index.queues.get(conversation.queue.queue_id)
    return queue is not None and queue.is_enabled


def held_row(
    transaction: Holdings, conversation: Conversation, kind: int, number: int, type_name: str, body: bytes | None, message_id: bytes, status: str
) -> TransmissionMessage:  # fmt: skip
    """What has come for an endpoint and has to wait, as a row of its own database's transmission queue."""
    endpoint, index = conversation.endpoint, transaction.index
    own = index.service_by_id.get((endpoint.database_id, endpoint.service_id))
    return TransmissionMessage(
        message_key=transaction.state.next_key(),
        database_id=endpoint.database_id,
        conversation_handle=endpoint.conversation_handle,
        to_service_name=own.name if own is not None else "",
        to_broker_instance=index.guid(endpoint.database_id),
        from_service_name=endpoint.far_service,
        service_contract_name=endpoint.contract_name,
        enqueue_time=transaction.host.now(),
        message_sequence_number=number,
        message_type_name=type_name,
        status=STATUS_OF_KIND[kind] | HELD_BIT,
        message_body=body,
        message_id=message_id,
        transmission_status=status,
        priority=endpoint.priority,
        next_attempt=NEVER,
    )


def let_error_go(transaction: Holdings, conversation: Conversation, row: TransmissionMessage) -> None:
    """The endpoint is told what was kept for it. An error that has ended it since takes the message away from
    nobody."""
    endpoint, kind = conversation.endpoint, KIND_OF_STATUS[row.status & ~HELD_BIT]
    if endpoint.state != "ER":
        event = Event.PEER_CLOSED if kind == Kind.CLOSED else Event.PEER_ERROR
        found = conversation_state.outcome(endpoint.state, event)
        if found == CLOSED:
            close(transaction, conversation)
        if found in (CLOSED, DISCARD):
            return
        transaction.set_by_arrival(conversation, "state", "ER")
        if conversation.transmission:
            transaction.set_by_arrival(conversation, "transmission_status", status_text(HELD_BY_ERROR))
    put_system_message(transaction, conversation, system_messages.ERROR_ID, row.message_body, 0, row.message_id)
