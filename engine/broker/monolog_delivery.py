"""What is different when delivery serves a monolog (docs/monologs.md, rules 7, 8, 21 to 26).

Decides three questions that delivery asks of a leg, where a dialog's initiator would answer otherwise: may this go out
any more, what keeps it back, what comes of what the subscriber tells. Must not know statements.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.broker import targets, trace
from sbql.engine.broker.acceptance import accept
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.endpoint_changes import QUEUE_BUSY, close, status_text
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.monolog import is_leg
from sbql.engine.broker.monolog_errors import code_of, publisher_of, tell_publisher
from sbql.engine.broker.ready_index import Conversation

__all__ = ["NO_SUBSCRIPTION", "deliver", "goes_out", "hear"]

NO_SUBSCRIPTION: Final = 49933
"""What another instance answers to a leg for a subscription that has ended there meanwhile."""


def goes_out(transaction: Holdings, arrival: Arrival) -> bool:
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
        transaction.delete_transmissions(leg, leg.transmission)
    return True


def deliver(transaction: Holdings, peer: Conversation, arrival: Arrival) -> str | None:
    """Between a leg and its subscriber, in either direction. Returns why it has to stay, None when it is done."""
    sender = arrival.sender
    waits = _obstacle(transaction, sender, peer)
    if waits is not None:
        return waits
    if is_leg(peer):
        hear(transaction, peer, arrival)
        return None
    accept(transaction, peer, arrival)
    if arrival.kind in (Kind.END, Kind.ERROR):
        close(transaction, sender, remove=True)
    return None


def _obstacle(transaction: Holdings, sender: Conversation, peer: Conversation) -> str | None:
    """Why `sender` of a monolog cannot reach `peer` now: rights that a dialog's first message needs too, or the
    publisher is just ending."""
    if is_leg(sender):
        if peer.endpoint.state != "SI":
            return None
        index = transaction.index
        service = index.service_by_id[peer.endpoint.database_id, peer.endpoint.service_id]
        queue = index.queues[service.queue_id]
        if not transaction.rights.may_receive(service.principal_id, queue):
            return status_text(targets.NO_RIGHT_TO_RECEIVE, service.principal_id, service.database_id, queue.name)
        return targets.between_databases(transaction, sender, service)
    publisher = publisher_of(peer.monolog)
    if (
        publisher is not None
        and publisher.toucher not in (None, transaction)
        and (publisher.removed or publisher.ended_by is not None)
    ):
        publisher.awaited_by = sender
        return status_text(QUEUE_BUSY)
    return None


def hear(transaction: Holdings, leg: Conversation, arrival: Arrival) -> None:
    """A subscriber has ended, or an error has ended it: the publisher learns of errors only, and goes on."""
    trace.emit_conversation(transaction.state.trace, "Subscriber Left", leg, text=leg.endpoint.far_service)
    is_gone = arrival.kind == Kind.BROKER_ERROR and code_of(arrival.body) == -NO_SUBSCRIPTION
    if arrival.kind != Kind.END and not is_gone:
        tell_publisher(transaction, leg, arrival.body, arrival.message_id)
    if leg.toucher in (None, transaction):
        close(transaction, leg, remove=True)
    else:  # somebody else is changing it: it goes when that is over
        transaction.set_by_arrival(leg, "state", "CD")
        transaction.set_by_arrival(leg, "security_timestamp", transaction.host.now())
        transaction.reschedule[leg] = None
    if arrival.kind != Kind.BROKER_ERROR:
        close(transaction, arrival.sender)
