"""Acceptance: what an arrival does to the endpoint that it reaches, according to its state.

Decides whether it becomes a message of the queue, an error for both sides, or is dropped. Must not know how it got
there, nor whether it may (delivery does); the target's lock is left alone.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records.broker import HELD_BIT
from sbql.engine.broker import conversation_state, monolog_errors, monolog_retention, system_messages, trace
from sbql.engine.broker.arrival import KIND_OF_STATUS, Arrival, Kind
from sbql.engine.broker.conversation_state import CLOSED, DISCARD, Event
from sbql.engine.broker.endpoint_changes import (
    HELD_BY_END,
    HELD_BY_ERROR,
    close,
    note_seen,
    put_system_message,
    queued_message,
    status_text,
)
from sbql.engine.broker.far_side import FarSide
from sbql.engine.broker.held_errors import put_error
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.monolog import is_leg
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.resting import SECURITY_PERIOD
from sbql.engine.broker.validation import invalid_body
from sbql.grammar.messages import message as catalogue_message

__all__ = ["accept", "accept_held", "body_problem", "give_error", "held_end", "state_to_come", "undeliverable"]


def accept(transaction: Holdings, peer: Conversation, arrival: Arrival) -> None:
    """The endpoint `peer` takes an arrival, according to its state."""
    endpoint = peer.endpoint
    kind = arrival.kind
    if not endpoint.is_initiator and arrival.has_seen_first and not endpoint.security_timestamp:
        note_seen(transaction, peer)
    if kind == Kind.MESSAGE:
        if arrival.many is not None:
            arrival.many.accept(transaction, peer, SECURITY_PERIOD)
        else:
            _accept_message(transaction, peer, arrival)
        return
    event = Event.PEER_END if kind == Kind.END else Event.PEER_ERROR
    found = conversation_state.outcome(endpoint.state, event)
    if kind != Kind.BROKER_ERROR:
        transaction.set_by_arrival(peer, "receive_sequence", max(endpoint.receive_sequence, arrival.sequence + 1))
    if found == DISCARD:
        return
    if found == CLOSED:
        close(transaction, peer)
        if kind != Kind.BROKER_ERROR:
            close(transaction, arrival.sender)
        return
    assert isinstance(found, str)
    transaction.set_by_arrival(peer, "state", found)
    if kind != Kind.BROKER_ERROR:
        transaction.set_by_arrival(peer, "end_dialog_sequence", arrival.sequence)
    transaction.reschedule[peer] = None
    if peer.transmission:
        status = status_text(HELD_BY_END if found == "DI" else HELD_BY_ERROR)
        transaction.set_by_arrival(peer, "transmission_status", status)
    type_id = system_messages.END_DIALOG_ID if kind == Kind.END else system_messages.ERROR_ID
    if kind == Kind.BROKER_ERROR:
        put_error(transaction, peer, arrival.body)
    else:
        put_system_message(transaction, peer, type_id, arrival.body, arrival.sequence, arrival.message_id)
    if transaction.state.trace is not None:
        names = {Kind.END: "Received END CONVERSATION", Kind.ERROR: "Received END CONVERSATION WITH ERROR"}
        subclass, number = names.get(Kind(kind), "Received Broker Error Message"), arrival.sequence
        name = system_messages.NAMES[type_id]
        trace.emit_conversation(transaction.state.trace, subclass, peer, message_type=name, message_number=number)


def _accept_message(transaction: Holdings, peer: Conversation, arrival: Arrival) -> None:
    endpoint = peer.endpoint
    sequence = arrival.sequence
    if sequence < endpoint.receive_sequence:
        conversation_id = str(endpoint.conversation_id).upper()
        undeliverable(transaction, peer, 11218, conversation_id, int(endpoint.is_initiator), sequence, 0)
        return
    state = endpoint.state
    found = state if state == "CO" else conversation_state.outcome(state, Event.MESSAGE)
    if found == DISCARD:
        transaction.set_by_arrival(peer, "receive_sequence", sequence + 1)
        undeliverable(transaction, peer, 11212)
        return
    problem = body_problem(transaction, arrival, endpoint.database_id, endpoint.contract_id)
    if problem is not None:
        give_error(transaction, arrival.sender, *problem)
        number = 9616 if problem[0] == 9615 else problem[0]
        give_error(transaction, peer, number, *problem[1:])
        return
    transaction.set_by_arrival(peer, "receive_sequence", sequence + 1)
    if state != "CO":
        transaction.set_by_arrival(peer, "state", found)
    _put(transaction, peer, arrival)


def _put(transaction: Holdings, peer: Conversation, arrival: Arrival) -> None:
    endpoint, name, number = peer.endpoint, arrival.type_name, arrival.sequence
    index = transaction.index
    usage = index.usages.get((endpoint.database_id, endpoint.contract_id), {}).get(name)
    # The contract of what was held may be gone, and its type may be there all the same.
    found = usage.type if usage is not None else index.message_types.get((endpoint.database_id, name))
    kind = (found.id, name, found.validation) if found is not None else (0, name, "N")
    message = queued_message(transaction, peer, kind, arrival.body, number, arrival.message_id)
    transaction.enqueue(peer, message)
    if transaction.state.trace is not None:
        emit = trace.emit_conversation
        emit(transaction.state.trace, "Received Sequenced Message", peer, message_type=name, message_number=number)


def accept_held(transaction: Holdings, peer: Conversation, arrival: Arrival) -> None:
    """What was held for a queue that was OFF goes into it as if that had been ON: it was acknowledged,
    and looked at, when it came. An error that has ended the conversation since, or a contract that is
    gone, takes it away from nobody."""
    endpoint = peer.endpoint
    if conversation_state.is_over(endpoint.state) or (arrival.kind != Kind.MESSAGE and endpoint.state != "ER"):
        accept(transaction, peer, arrival)
    elif arrival.kind == Kind.MESSAGE:
        if endpoint.state != "ER":
            transaction.set_by_arrival(peer, "state", "CO")
        _put(transaction, peer, arrival)
    else:
        transaction.set_by_arrival(peer, "end_dialog_sequence", arrival.sequence)
        type_id = system_messages.END_DIALOG_ID if arrival.kind == Kind.END else system_messages.ERROR_ID
        put_system_message(transaction, peer, type_id, arrival.body, arrival.sequence, arrival.message_id)


def held_end(transaction: Holdings, conversation: Conversation) -> Kind | None:
    """END or ERROR when the other side has ended, which the application hears of when its queue is ON again."""
    held = conversation.held
    if not held:
        return None
    (last,) = transaction.state.row_paging.read(held, [held.last_number])
    kind = KIND_OF_STATUS[last.status & ~HELD_BIT]
    return None if kind == Kind.MESSAGE else kind


def state_to_come(transaction: Holdings, conversation: Conversation) -> str:
    """The state that an endpoint would be in if its queue were ON."""
    state = conversation.endpoint.state
    end = held_end(transaction, conversation) if state in ("SI", "CO") else None
    return state if end is None else "DI" if end == Kind.END else "ER"


def undeliverable(
    transaction: Holdings, peer: Conversation, number: int, *arguments: object, subclass: str = "sequenced"
) -> None:
    """Trace of a message that was dropped; `number` is the reason, one of the 112xx."""
    transaction.state.counters.dropped += 1
    if transaction.state.trace is not None:
        text = catalogue_message(number).format(*arguments)
        trace.emit_conversation(transaction.state.trace, subclass, peer, "Broker:Message Undeliverable", text)


def body_problem(transaction: Holdings, arrival: Arrival, database_id: int, contract_id: int) -> tuple[Any, ...] | None:
    """The number and arguments of the broker error for a message that the receiving side cannot take."""
    if arrival.many is not None:
        arrival.many.check_types(transaction, database_id, contract_id)
        return None
    index = transaction.index
    name = arrival.type_name
    usage = index.usages.get((database_id, contract_id), {}).get(name)
    if usage is None:
        number = 8498 if (database_id, name) in index.message_types else 8428
        return number, name
    if arrival.sender.endpoint.is_initiator and not usage.by_initiator:
        return 8457, name
    if not arrival.sender.endpoint.is_initiator and not usage.by_target:
        return 8437, name
    kind = usage.type
    if arrival.body is None or kind.validation == "N":
        return None
    invalid = invalid_body(kind, arrival.body, transaction.catalog(), transaction.state.xml_validator)
    if invalid is None:
        return None
    if invalid[0] == 8430:
        return (8430,)
    sender = arrival.sender.endpoint
    conversation_id = str(sender.conversation_id).upper()
    return invalid[0], name, invalid[1], conversation_id, int(sender.is_initiator), arrival.sequence


def give_error(
    transaction: Holdings,
    conversation: Conversation,
    number: int,
    *arguments: object,
    event: Event = Event.PEER_ERROR,
) -> None:
    """An error of the broker ends a conversation on this side: state ER and an Error message with the negated number.

    A side that has already ended (DO) never learns of it: its endpoint just closes.
    """
    if isinstance(conversation, FarSide):
        conversation.problem = number, catalogue_message(number).format(*arguments)
        return
    if is_leg(conversation):
        monolog_errors.fail(transaction, conversation, event, number, arguments)
        return
    endpoint = conversation.endpoint
    if conversation.monolog is not None and conversation.monolog.is_order and not endpoint.is_initiator:
        close(transaction, conversation, remove=True)  # no application knows it
        return
    to_come = state_to_come(transaction, conversation)
    found = conversation_state.outcome(to_come, event)
    if found == DISCARD:
        if to_come == "ER" != endpoint.state:  # the other side's Error is held, and is the one that is received
            transaction.set_by_arrival(conversation, "state", "ER")
            transaction.reschedule[conversation] = None
        return
    if found in (CLOSED, conversation_state.REMOVED):
        close(transaction, conversation, remove=found != CLOSED)
        return
    transaction.set_by_arrival(conversation, "state", found)
    transaction.reschedule[conversation] = None
    body = system_messages.broker_error_body(number, *arguments)
    put_error(transaction, conversation, body)
    if conversation.monolog is not None:
        monolog_retention.drop_expired(transaction, conversation, transaction.host.now())
    if transaction.state.trace is not None:
        detail = catalogue_message(number).format(*arguments)
        trace.emit_conversation(
            transaction.state.trace, "Broker Initiated Error", conversation, text=str(number), detail=detail
        )
