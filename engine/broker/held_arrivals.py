"""Held arrivals: what has come from another instance for a queue that is OFF waits in the transmission queue of the
receiving database (docs/spec: OFF, DELAY).

It was acknowledged, so its sender has forgotten it: it is on disk, and is let go in its order when the queue is ON
again, or given up when nobody wants it any more. Decides what is held, and what of it is let go. Must not know frames,
nor when it is looked at (deadlines does).
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.records import NEVER, TransmissionMessage
from sbql.catalog.records.broker import HELD_BIT, UNSEQUENCED_BIT
from sbql.engine.broker import conversation_state
from sbql.engine.broker.acceptance import accept_held
from sbql.engine.broker.arrival import KIND_OF_STATUS, Arrival
from sbql.engine.broker.conversation_state import DISCARD, Event
from sbql.engine.broker.endpoint_changes import QUEUE_DISABLED, note_seen, status_text
from sbql.engine.broker.far_side import FarSide
from sbql.engine.broker.held_errors import held_row, is_on, let_error_go
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.incoming import Incoming
from sbql.engine.broker.ready_index import Conversation

__all__ = ["hold_arrival", "is_to_be_held", "let_go"]

BATCH: Final = 500
"""Messages that one transaction lets go."""


def is_to_be_held(transaction: Holdings, conversation: Conversation) -> bool:
    """Whether what comes next for an endpoint cannot go into its queue yet: that is OFF,
    or there is something before it."""
    if conversation_state.outcome(conversation.endpoint.state, Event.MESSAGE) == DISCARD:
        return False
    return bool(conversation.held) or not is_on(transaction, conversation)


def hold_arrival(transaction: Holdings, conversation: Conversation, arrival: Arrival) -> None:
    """Keep the next message of the other side. It counts as received."""
    number, name, body, own_id = arrival.sequence, arrival.type_name, arrival.body, arrival.message_id
    status = status_text(QUEUE_DISABLED, conversation.queue.queue_id)
    row = held_row(transaction, conversation, arrival.kind, number, name, body, own_id, status)
    transaction.add_transmission(conversation, row)
    transaction.set_by_arrival(conversation, "receive_sequence", arrival.sequence + 1)
    if arrival.has_seen_first:
        note_seen(transaction, conversation)
    if is_on(transaction, conversation):  # what is before it is being let go
        conversation.held.next_attempt = transaction.host.now()


def let_go(transaction: Holdings, conversation: Conversation) -> None:
    """Deliver what is held, up to a batch of it, when its queue is ON, or its side has ended. The group is locked."""
    held, endpoint = conversation.held, conversation.endpoint
    if not conversation_state.is_over(endpoint.state) and not is_on(transaction, conversation):
        held.next_attempt = NEVER
        return
    received = endpoint.receive_sequence
    for row in transaction.state.row_paging.read(held, held.after(-1, BATCH)):
        if conversation.removed or not held:  # the other side's end has closed it
            break
        transaction.delete_transmission(conversation, held, row.message_sequence_number)
        if row.status & UNSEQUENCED_BIT:
            let_error_go(transaction, conversation, row)
            continue
        transaction.set_by_arrival(conversation, "receive_sequence", row.message_sequence_number)
        message = _as_sent(conversation, row)
        accept_held(transaction, conversation, FarSide(message, transaction.host.now()).arrival(message))
    if not conversation.removed:
        transaction.set_by_arrival(conversation, "receive_sequence", received)
        if held:
            held.next_attempt = transaction.host.now()
        transaction.reschedule[conversation] = None


def _as_sent(conversation: Conversation, row: TransmissionMessage) -> Incoming:
    endpoint = conversation.endpoint
    assert endpoint.far_broker_instance is not None
    return Incoming(
        endpoint.conversation_id, not endpoint.is_initiator, row.to_service_name, None, endpoint.far_service, endpoint.far_broker_instance,
        KIND_OF_STATUS[row.status & ~HELD_BIT], row.message_sequence_number, row.message_type_name, row.service_contract_name,
        row.message_id, body=row.message_body,
    )  # fmt: skip
