"""Delivery: what a SEND, END or error brings to the other side of a dialog.

Decides whether it is put into the target's queue, answered with an Error message, or kept in the sender's transmission
queue with the reason as its status. Must not know statements; it works inside the sender's transaction, which has the
sender's group locked, and leaves the target's lock alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from sbql.catalog.records import NO_GUID, Database, QueuedMessage, TransmissionMessage
from sbql.engine.broker import conversation_state, system_messages, trace
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.conversation_state import CLOSED, DISCARD, Event
from sbql.engine.broker.monolog import is_leg
from sbql.engine.broker.state import Conversation
from sbql.engine.broker.validation import invalid_body
from sbql.grammar.messages import message as catalogue_message

if TYPE_CHECKING:
    from sbql.engine.broker.state import QueueStore
    from sbql.engine.broker.transaction import BrokerTransaction

__all__ = [
    "FIRST_RETRY",
    "QUEUE_BUSY",
    "SECURITY_PERIOD",
    "accept",
    "apply",
    "close",
    "deliver",
    "find_peer",
    "first_queue",
    "give_error",
    "hold",
    "put_system_message",
    "status_text",
]

FIRST_RETRY: Final = 4.0
SECURITY_PERIOD: Final = 1800.0
"""A closed target keeps its row for 30 minutes after the first message of the initiator that says that the
acknowledgement of message 0 was seen (reference 3.4): here the first after message 0."""

ERROR_BIT: Final = 2
END_BIT: Final = 4

BROKER_DISABLED: Final = 9791
SENDER_SINGLE_USER: Final = 28075
SINGLE_USER: Final = 28015
BROKER_UNAVAILABLE: Final = 28012
QUEUE_BUSY: Final = 9749
TARGET_UNAVAILABLE: Final = 28021
NO_TARGET_BROKER: Final = 9795
HELD_BY_END: Final = 9779
HELD_BY_ERROR: Final = 9784


def status_text(number: int, *arguments: object) -> str:
    """A transmission status: the text of a message."""
    return catalogue_message(number).format(*arguments)


def find_peer(transaction: BrokerTransaction, sender: Conversation) -> Conversation | None:
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
    peer = transaction.state.by_conversation.get((endpoint.conversation_id.int, not endpoint.is_initiator, database.id))
    if peer is not None:
        sender.peer = peer
        peer.peer = sender
    return peer


def _database_of(transaction: BrokerTransaction, own: int, far: UUID) -> Database | None:
    """The database of a broker id: the own one, or the one that has it enabled. A disabled copy of a database reaches
    nobody else."""
    index = transaction.index
    database = index.databases.get(own)
    if database is not None and (database.service_broker_guid == far or database.broker_problem):
        return database if database.service_broker_guid == far else None
    return index.by_guid.get(far.int)


def first_queue(transaction: BrokerTransaction, arrival: Arrival) -> QueueStore | None:
    """The queue that the first message of a dialog would open a target on, None when that is not possible now."""
    from sbql.engine.broker import targets

    return targets.queue_for(transaction, arrival)


def apply(transaction: BrokerTransaction, arrival: Arrival, visible: bool) -> None:
    """Deliver an arrival, or put it into the transmission queue. `visible`: this transaction sees it at once."""
    sender = arrival.sender
    kind = arrival.kind
    if kind == Kind.CLOSED:
        _peer_closed(transaction, sender)
        return
    if kind == Kind.BROKER_ERROR:
        _tell(transaction, arrival, visible)
        return
    if sender.removed or (sender.monolog is not None and not _goes_out(transaction, arrival)):
        return
    if sender.transmission:
        hold(transaction, arrival, sender.endpoint.transmission_status)
        return
    refusal = deliver(transaction, arrival, visible)
    if refusal is not None:
        hold(transaction, arrival, refusal)
    elif sender.endpoint.transmission_status:
        transaction.set(sender, "transmission_status", "")


def _tell(transaction: BrokerTransaction, arrival: Arrival, visible: bool) -> None:
    """A broker error is kept in no transmission queue (its sender may be about to go): the other side learns it also
    while its queue or its broker is off."""
    sender = arrival.sender
    peer = find_peer(transaction, sender)
    if peer is None or peer.removed or peer.ended_by not in (None, transaction):
        return
    if sender.monolog is not None:
        from sbql.engine.broker import monolog_delivery

        monolog_delivery.deliver(transaction, peer, arrival, visible)
    else:
        accept(transaction, peer, arrival, visible)


def _goes_out(transaction: BrokerTransaction, arrival: Arrival) -> bool:
    from sbql.engine.broker import monolog_delivery

    return not is_leg(arrival.sender) or monolog_delivery.goes_out(transaction, arrival)


def hold(transaction: BrokerTransaction, arrival: Arrival, status: str) -> None:
    """Keep something back in the sender's transmission queue."""
    sender = arrival.sender
    transaction.add_transmission(sender, _row(transaction, arrival, status))
    if sender.endpoint.transmission_status != status:
        transaction.set(sender, "transmission_status", status)


def _row(transaction: BrokerTransaction, arrival: Arrival, status: str) -> TransmissionMessage:
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
        status={Kind.ERROR: ERROR_BIT, Kind.END: END_BIT}.get(Kind(arrival.kind), 0),
        message_body=arrival.body,
        message_id=arrival.message_id,
        transmission_status=status,
        priority=endpoint.priority,
        next_attempt=now + FIRST_RETRY,
        attempts=1,
    )


def deliver(transaction: BrokerTransaction, arrival: Arrival, visible: bool) -> str | None:
    """Bring an arrival to the other side. Returns None when that is done (also by an error), else why it has to
    stay."""
    from sbql.engine.broker import targets

    sender = arrival.sender
    endpoint = sender.endpoint
    index = transaction.index
    problem = index.databases[endpoint.database_id].broker_problem
    if problem:
        return status_text(SENDER_SINGLE_USER if problem == SINGLE_USER else BROKER_DISABLED)
    if endpoint.state == "ER" and arrival.kind == Kind.MESSAGE:
        return status_text(HELD_BY_ERROR)
    peer = find_peer(transaction, sender)
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
        from sbql.engine.broker import monolog_delivery

        return monolog_delivery.deliver(transaction, peer, arrival, visible)
    accept(transaction, peer, arrival, visible)
    return None


def accept(transaction: BrokerTransaction, peer: Conversation, arrival: Arrival, visible: bool) -> None:
    """The endpoint `peer` takes an arrival, according to its state."""
    visible = visible or peer.group.locked_by is transaction.owner
    endpoint = peer.endpoint
    kind = arrival.kind
    is_first = kind == Kind.MESSAGE and arrival.sequence == 0
    if not (endpoint.is_initiator or is_first or endpoint.security_timestamp):
        transaction.set_by_arrival(peer, "security_timestamp", transaction.host.now() + SECURITY_PERIOD)
    if kind == Kind.MESSAGE:
        _accept_message(transaction, peer, arrival, visible)
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
    transaction.set_by_arrival(peer, "end_dialog_sequence", arrival.sequence)
    transaction.reschedule[peer] = None
    if peer.transmission:
        status = status_text(HELD_BY_END if found == "DI" else HELD_BY_ERROR)
        transaction.set_by_arrival(peer, "transmission_status", status)
        for row in list(peer.transmission):
            transaction.change_transmission(peer, row, transmission_status=status)
    type_id = system_messages.END_DIALOG_ID if kind == Kind.END else system_messages.ERROR_ID
    put_system_message(transaction, peer, type_id, arrival.body, arrival.sequence, arrival.message_id, visible)
    if transaction.state.trace is not None:
        names = {Kind.END: "Received END CONVERSATION", Kind.ERROR: "Received END CONVERSATION WITH ERROR"}
        subclass, number = names.get(Kind(kind), "Received Broker Error Message"), arrival.sequence
        name = system_messages.NAMES[type_id]
        trace.emit_conversation(transaction.state.trace, subclass, peer, message_type=name, message_number=number)


def _accept_message(transaction: BrokerTransaction, peer: Conversation, arrival: Arrival, visible: bool) -> None:
    endpoint = peer.endpoint
    sequence = arrival.sequence
    if sequence < endpoint.receive_sequence:
        conversation_id = str(endpoint.conversation_id).upper()
        _undeliverable(transaction, peer, 11218, conversation_id, int(endpoint.is_initiator), sequence, 0)
        return
    state = endpoint.state
    found = state if state == "CO" else conversation_state.outcome(state, Event.MESSAGE)
    if found == DISCARD:
        transaction.set_by_arrival(peer, "receive_sequence", sequence + 1)
        _undeliverable(transaction, peer, 11212)
        return
    problem = body_problem(transaction, arrival, endpoint.database_id, endpoint.contract_id)
    if problem is not None:
        give_error(transaction, arrival.sender, *problem)
        number = 9616 if problem[0] == 9615 else problem[0]
        give_error(transaction, peer, number, *problem[1:], visible=visible)
        return
    usage = transaction.index.usages[endpoint.database_id, endpoint.contract_id][arrival.type_name]
    transaction.set_by_arrival(peer, "receive_sequence", sequence + 1)
    if state != "CO":
        transaction.set_by_arrival(peer, "state", found)
    queue = peer.queue
    order = queue.next_order
    queue.next_order = order + 1
    message = QueuedMessage(
        transaction.state.next_key(),
        queue.queue_id,
        endpoint.database_id,
        1,
        endpoint.priority,
        order,
        endpoint.conversation_handle,
        sequence,
        endpoint.service_id,
        endpoint.contract_id,
        usage.type.id,
        arrival.type_name,
        usage.type.validation,
        arrival.body,
        arrival.message_id,
        transaction.host.now(),
    )
    transaction.add_message(peer, message, visible)
    if transaction.state.trace is not None:
        emit = trace.emit_conversation
        number, name = arrival.sequence, arrival.type_name
        emit(transaction.state.trace, "Received Sequenced Message", peer, message_type=name, message_number=number)


def _undeliverable(transaction: BrokerTransaction, peer: Conversation, number: int, *arguments: object) -> None:
    """Trace of a message that was dropped; `number` is the reason, one of the 112xx."""
    transaction.state.counters.dropped += 1
    if transaction.state.trace is not None:
        text = catalogue_message(number).format(*arguments)
        trace.emit_conversation(transaction.state.trace, "sequenced", peer, "Broker:Message Undeliverable", text)


def body_problem(
    transaction: BrokerTransaction, arrival: Arrival, database_id: int, contract_id: int
) -> tuple[Any, ...] | None:
    """The number and arguments of the broker error for a message that the receiving side cannot take."""
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
    invalid = invalid_body(kind, arrival.body, transaction.xml_validator)
    if invalid is None:
        return None
    if invalid[0] == 8430:
        return (8430,)
    sender = arrival.sender.endpoint
    conversation_id = str(sender.conversation_id).upper()
    return invalid[0], name, invalid[1], conversation_id, int(sender.is_initiator), arrival.sequence


def put_system_message(
    transaction: BrokerTransaction,
    conversation: Conversation,
    type_id: int,
    body: bytes | None,
    sequence: int,
    message_id: UUID,
    visible: bool,
) -> None:
    """An Error, EndDialog or DialogTimer message for the local queue of an endpoint."""
    endpoint = conversation.endpoint
    queue = conversation.queue
    order = queue.next_order
    queue.next_order = order + 1
    message = QueuedMessage(
        transaction.state.next_key(),
        queue.queue_id,
        endpoint.database_id,
        1,
        endpoint.priority,
        order,
        endpoint.conversation_handle,
        sequence,
        endpoint.service_id,
        endpoint.contract_id,
        type_id,
        system_messages.NAMES[type_id],
        system_messages.VALIDATION[type_id],
        body,
        message_id if message_id != NO_GUID else transaction.host.new_guid(),
        transaction.host.now(),
    )
    transaction.add_message(conversation, message, visible)


def give_error(
    transaction: BrokerTransaction,
    conversation: Conversation,
    number: int,
    *arguments: object,
    visible: bool = True,
    event: Event = Event.PEER_ERROR,
) -> None:
    """An error of the broker ends a conversation on this side: state ER and an Error message with the negated number.

    A side that has already ended (DO) never learns of it: its endpoint just closes.
    """
    if is_leg(conversation):
        from sbql.engine.broker import monolog_delivery

        monolog_delivery.fail(transaction, conversation, event, number, arguments)
        return
    endpoint = conversation.endpoint
    found = conversation_state.outcome(endpoint.state, event)
    if found == DISCARD:
        return
    if found in (CLOSED, conversation_state.REMOVED):
        close(transaction, conversation, remove=found != CLOSED)
        return
    transaction.set_by_arrival(conversation, "state", found)
    transaction.reschedule[conversation] = None
    body = system_messages.broker_error_body(number, *arguments)
    put_system_message(transaction, conversation, system_messages.ERROR_ID, body, 0, NO_GUID, visible)
    if conversation.monolog is not None:
        from sbql.engine.broker import monolog_publisher

        monolog_publisher.drop_expired(transaction, conversation, transaction.host.now())
    if transaction.state.trace is not None:
        detail = catalogue_message(number).format(*arguments)
        trace.emit_conversation(
            transaction.state.trace, "Broker Initiated Error", conversation, text=str(number), detail=detail
        )


def close(transaction: BrokerTransaction, conversation: Conversation, remove: bool = False) -> None:
    """Both sides are done: an initiator's row goes, a target's becomes CD. Pending transmissions go with it."""
    if conversation.removed:
        return
    if conversation.toucher not in (None, transaction):
        return
    for row in list(conversation.transmission):
        transaction.delete_transmission(conversation, row)
    endpoint = conversation.endpoint
    if remove or endpoint.is_initiator:
        transaction.remove_conversation(conversation)
    elif endpoint.state != "CD":
        transaction.set(conversation, "state", "CD")
        if not endpoint.security_timestamp:
            transaction.set(conversation, "security_timestamp", transaction.host.now() + SECURITY_PERIOD)
    transaction.reschedule[conversation] = None


def _peer_closed(transaction: BrokerTransaction, sender: Conversation) -> None:
    peer = find_peer(transaction, sender)
    if peer is None or peer.removed:
        return
    if conversation_state.outcome(peer.endpoint.state, Event.PEER_CLOSED) == CLOSED:
        close(transaction, peer)
