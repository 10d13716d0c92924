"""What is different when delivery serves a monolog (docs/monologs.md, rules 7, 8, 21 to 26).

Decides four questions that delivery asks of a leg, where a dialog's initiator would answer otherwise: may this go out
any more, what keeps it back, what comes of what the subscriber tells, what becomes of an error. Must not know
statements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID
from xml.etree import ElementTree

from sbql.catalog.records import NO_GUID
from sbql.engine.broker import delivery, system_messages, targets, trace
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.conversation_state import Event
from sbql.engine.broker.monolog import is_leg
from sbql.grammar.messages import message as catalogue_message

if TYPE_CHECKING:
    from sbql.engine.broker.ready_index import Conversation, Member
    from sbql.engine.broker.transaction import BrokerTransaction

__all__ = ["deliver", "fail", "goes_out"]


def goes_out(transaction: BrokerTransaction, arrival: Arrival) -> bool:
    """Before anything of a leg is delivered or kept back. Nothing follows an end; an end WITH ERROR overtakes what
    waits."""
    leg = arrival.sender
    state = leg.endpoint.state
    if arrival.kind == Kind.MESSAGE:
        is_heard = leg.monolog is not None and leg.monolog.heard_to_end is transaction.owner
        return state == "CO" or (state == "DI" and is_heard)
    if state not in ("CO", "DI"):
        return False
    transaction.set_by_arrival(leg, "state", "DO")
    if arrival.kind == Kind.ERROR:
        for row in list(leg.transmission):
            transaction.delete_transmission(leg, row)
    return True


def deliver(transaction: BrokerTransaction, peer: Conversation, arrival: Arrival, visible: bool) -> str | None:
    """Between a leg and its subscriber, in either direction. Returns why it has to stay, None when it is done."""
    sender = arrival.sender
    waits = _obstacle(transaction, sender, peer)
    if waits is not None:
        return waits
    if is_leg(peer):
        _hear(transaction, peer, arrival, visible or peer.group.locked_by is transaction.owner)
        return None
    delivery.accept(transaction, peer, arrival, visible)
    if arrival.kind in (Kind.END, Kind.ERROR):
        delivery.close(transaction, sender, remove=True)
    return None


def _obstacle(transaction: BrokerTransaction, sender: Conversation, peer: Conversation) -> str | None:
    """Why `sender` of a monolog cannot reach `peer` now: rights that a dialog's first message needs too, or the
    publisher is just ending."""
    if is_leg(sender):
        if peer.endpoint.state != "SI":
            return None
        index = transaction.index
        service = index.service_by_id[peer.endpoint.database_id, peer.endpoint.service_id]
        queue = index.queues[service.queue_id]
        if not transaction.rights.may_receive(service.principal_id, queue):
            return delivery.status_text(
                targets.NO_RIGHT_TO_RECEIVE, service.principal_id, service.database_id, queue.name
            )
        return targets.between_databases(transaction, sender, service)
    publisher = _publisher(peer.monolog)
    if (
        publisher is not None
        and publisher.toucher not in (None, transaction)
        and (publisher.removed or publisher.ended_by is not None)
    ):
        publisher.awaited_by = sender
        return delivery.status_text(delivery.QUEUE_BUSY)
    return None


def _hear(transaction: BrokerTransaction, leg: Conversation, arrival: Arrival, visible: bool) -> None:
    """A subscriber has ended, or an error has ended it: the publisher learns of errors only, and goes on."""
    trace.emit_conversation(transaction.state.trace, "Subscriber Left", leg, text=leg.endpoint.far_service)
    if arrival.kind != Kind.END:
        _tell_publisher(transaction, leg, arrival.body, arrival.message_id, visible)
    if leg.toucher in (None, transaction):
        delivery.close(transaction, leg, remove=True)
    else:  # somebody else is changing it: it goes when that is over
        transaction.set_by_arrival(leg, "state", "CD")
        transaction.set_by_arrival(leg, "security_timestamp", transaction.host.now())
        transaction.reschedule[leg] = None
    if arrival.kind != Kind.BROKER_ERROR:
        delivery.close(transaction, arrival.sender)


def fail(
    transaction: BrokerTransaction, leg: Conversation, event: Event, number: int, arguments: tuple[object, ...]
) -> None:
    """An error of the broker ends a leg. What ends the publisher too (LIFETIME, DROP CONTRACT …) it hears for
    itself."""
    if event == Event.PEER_ERROR:
        trace.emit_conversation(transaction.state.trace, "Broker Initiated Error", leg, text=str(number))
        _tell_publisher(transaction, leg, system_messages.broker_error_body(number, *arguments), NO_GUID, visible=False)
    delivery.close(transaction, leg, remove=True)


def _publisher(member: Member | None) -> Conversation | None:
    return member.monolog.publisher if member is not None and member.monolog is not None else None


def _tell_publisher(
    transaction: BrokerTransaction, leg: Conversation, body: bytes | None, message_id: UUID, visible: bool
) -> None:
    """An Error message for the publisher, which stays as it is. Its description begins with the subscriber's name."""
    publisher = _publisher(leg.monolog)
    if publisher is None or publisher.removed or publisher.endpoint.state not in ("SO", "CO"):
        return
    code, description = _read(body)
    text = catalogue_message(49936).format(leg.endpoint.far_service, description)
    visible = visible or publisher.group.locked_by is transaction.owner
    named = system_messages.error_body(code, text)
    put = delivery.put_system_message
    put(transaction, publisher, system_messages.ERROR_ID, named, 0, message_id, visible)
    trace.emit_conversation(transaction.state.trace, "Received Broker Error Message", publisher)


def _read(body: bytes | None) -> tuple[int, str]:
    """Code and description of an Error document."""
    if body is None:
        return 0, ""
    root = ElementTree.fromstring(body.decode("utf-16").split("?>", 1)[-1])
    space = f"{{{system_messages.ERROR_NAMESPACE}}}"
    return int(root.findtext(f"{space}Code") or 0), root.findtext(f"{space}Description") or ""
