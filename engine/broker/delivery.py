"""Delivery: what a SEND, END or error brings to the other side of a dialog.

Decides whether it gets there, is refused, or is kept in the sender's transmission queue with the reason as its
status. Must not know statements; it works inside the sender's transaction, which has the sender's group locked,
and leaves the target's lock alone.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.records import NEVER, TransmissionMessage
from sbql.engine.broker import conversation_state, monolog_delivery, targets
from sbql.engine.broker.acceptance import accept, state_to_come
from sbql.engine.broker.arrival import KIND_OF_TYPE, STATUS_OF_KIND, Arrival, Kind
from sbql.engine.broker.conversation_state import CLOSED, DISCARD, Event
from sbql.engine.broker.endpoint_changes import (
    BROKER_DISABLED,
    BROKER_UNAVAILABLE,
    HELD_BY_ERROR,
    QUEUE_BUSY,
    SENDER_SINGLE_USER,
    SINGLE_USER,
    TARGET_UNAVAILABLE,
    close,
    find_peer,
    status_text,
)
from sbql.engine.broker.held_errors import hold_back, is_frozen
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.monolog import is_leg
from sbql.engine.broker.out_of_step import Found, take_out_of_step
from sbql.engine.broker.ready_index import Conversation

__all__ = ["FIRST_RETRY", "apply", "deliver"]

FIRST_RETRY: Final = 4.0


def apply(transaction: Holdings, arrival: Arrival) -> None:
    """Deliver an arrival, or put it into the transmission queue."""
    sender = arrival.sender
    kind = arrival.kind
    if kind != Kind.MESSAGE:  # one look at the commonest
        if kind == Kind.CLOSED:
            _peer_closed(transaction, sender)
            return
        if kind == Kind.BROKER_ERROR:
            _tell(transaction, arrival)
            return
    if sender.removed or (sender.monolog is not None and not _goes_out(transaction, arrival)):
        return
    if sender.transmission:
        hold(transaction, arrival, sender.endpoint.transmission_status)
        return
    refusal = deliver(transaction, arrival)
    if refusal is not None:
        hold(transaction, arrival, refusal)
    elif sender.endpoint.transmission_status:
        transaction.set(sender, "transmission_status", "")


def _tell(transaction: Holdings, arrival: Arrival) -> None:
    """A broker error is kept in no transmission queue of its sender, which may be about to go. While the
    database of the other side takes no part it is kept there."""
    sender = arrival.sender
    peer = find_peer(transaction, sender)
    if peer is None and sender.endpoint.far_broker_instance is not None:
        transaction.depart(sender, problem=arrival.problem)
    if peer is None or peer.removed or peer.ended_by not in (None, transaction):
        return
    if sender.monolog is not None:
        monolog_delivery.deliver(transaction, peer, arrival)
    elif is_frozen(transaction, peer):
        hold_back(transaction, peer, state_to_come(transaction, peer), Kind.BROKER_ERROR, arrival.body)
    else:
        accept(transaction, peer, arrival)


def _goes_out(transaction: Holdings, arrival: Arrival) -> bool:
    return not is_leg(arrival.sender) or monolog_delivery.goes_out(transaction, arrival)


def hold(transaction: Holdings, arrival: Arrival, status: str) -> None:
    """Keep something back in the sender's transmission queue."""
    sender = arrival.sender
    row = _row(transaction, arrival, status)
    transaction.add_transmission(sender, row)
    if is_leg(sender) and sender.peer is None:  # its end has the number behind the last message
        transaction.set_by_arrival(sender, "send_sequence", arrival.sequence + 1)
    if sender.goes_out:
        transaction.depart(sender, row.message_sequence_number)
    if sender.endpoint.transmission_status != status:
        transaction.set(sender, "transmission_status", status)


def _row(transaction: Holdings, arrival: Arrival, status: str) -> TransmissionMessage:
    """A row of the sender database's transmission queue, first retried after 4 seconds."""
    sender = arrival.sender
    endpoint = sender.endpoint
    index = transaction.index
    now = transaction.host.now()
    far = endpoint.far_broker_instance
    service = index.service_by_id.get((endpoint.database_id, endpoint.service_id))
    return TransmissionMessage(
        message_key=transaction.state.next_key(),
        database_id=endpoint.database_id,
        conversation_handle=endpoint.conversation_handle,
        to_service_name=endpoint.far_service,
        to_broker_instance=str(far).upper() if far is not None else endpoint.asked_broker_instance or None,
        from_service_name=service.name if service is not None else "",
        service_contract_name=endpoint.contract_name,
        enqueue_time=now,
        message_sequence_number=arrival.sequence,
        message_type_name=arrival.type_name,
        status=STATUS_OF_KIND[arrival.kind],
        message_body=arrival.body,
        message_id=arrival.message_id,
        transmission_status=status,
        priority=endpoint.priority,
        next_attempt=NEVER if sender.goes_out else now + FIRST_RETRY,
        attempts=1,
    )


def deliver(transaction: Holdings, arrival: Arrival) -> str | None:
    """Bring an arrival to the other side. Returns None when that is done (also by an error), else why it has to
    stay: empty when the network takes it, or it is too far ahead of what is expected there."""
    sender = arrival.sender
    if sender.goes_out:
        transaction.take_from_network(sender)
    endpoint = sender.endpoint
    index = transaction.index
    problem = index.databases[endpoint.database_id].broker_problem
    if problem:
        return status_text(SENDER_SINGLE_USER if problem == SINGLE_USER else BROKER_DISABLED)
    if endpoint.state == "ER" and arrival.kind == Kind.MESSAGE:
        return status_text(HELD_BY_ERROR)
    peer = find_peer(transaction, sender) or targets.find_opened(transaction, sender)
    if peer is None or peer.removed:
        if peer is not None and peer.toucher is not transaction:
            peer.awaited_by = sender
            return status_text(QUEUE_BUSY)
        return targets.open_or_refuse(transaction, arrival)
    if peer.ended_by is not None and peer.ended_by is not transaction:
        peer.awaited_by = sender
        return status_text(QUEUE_BUSY)
    problem = index.databases[peer.endpoint.database_id].broker_problem
    if problem:
        return status_text(BROKER_UNAVAILABLE, status_text(problem))
    queue = index.queues.get(peer.queue.queue_id)
    is_enabled = queue is not None and queue.is_enabled
    if not is_enabled and conversation_state.outcome(peer.endpoint.state, Event.MESSAGE) != DISCARD:
        return status_text(TARGET_UNAVAILABLE)
    if sender.monolog is not None:
        return monolog_delivery.deliver(transaction, peer, arrival)
    far = peer.endpoint
    if arrival.sequence != far.receive_sequence or endpoint.receive_sequence > far.send_sequence:
        found = take_out_of_step(transaction, peer, arrival)
        if found is not Found.TO_ACCEPT:
            return None if found is Found.DONE else ""
    accept(transaction, peer, arrival)
    if peer.incomplete and not peer.removed:
        _give_kept(transaction, peer, arrival)
    return None


def _give_kept(transaction: Holdings, peer: Conversation, arrival: Arrival) -> None:
    """What the network had brought too early, over a route that led out and back in, follows what fills the gap. An
    error has deleted what would fill it."""
    sender = arrival.sender
    kept = sorted(peer.incomplete, key=lambda m: m.message_sequence_number)
    while kept and (arrival.kind == Kind.ERROR or kept[0].message_sequence_number <= peer.endpoint.receive_sequence):
        row = kept.pop(0)
        transaction.keep_incomplete(peer, list(kept))
        transaction.delete_message(row.message_key)
        if arrival.kind == Kind.ERROR:
            continue
        kind = KIND_OF_TYPE.get(row.message_type_id, Kind.MESSAGE)
        sequence, message_id = row.message_sequence_number, row.message_id
        accept(transaction, peer, Arrival(sender, kind, row.message_type_name, row.message_body, sequence, message_id))
        if peer.removed:
            return


def _peer_closed(transaction: Holdings, sender: Conversation) -> None:
    peer = find_peer(transaction, sender)
    if peer is None or peer.removed:
        return
    if peer.monolog is None and is_frozen(transaction, peer):
        hold_back(transaction, peer, peer.endpoint.state, Kind.CLOSED, None)
    elif conversation_state.outcome(peer.endpoint.state, Event.PEER_CLOSED) == CLOSED:
        close(transaction, peer)
