"""Outgoing: what a transaction sends, from SEND to delivery.

Decides when it is delivered: at once when the transaction holds the target's group, or comes to hold it, else at
commit, in the order in which it was sent. Must not know what happens there (delivery does).
"""

from __future__ import annotations

from sbql.engine.broker import delivery, targets
from sbql.engine.broker.arrival import Arrival
from sbql.engine.broker.endpoint_changes import find_peer
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Group, QueueStore

__all__ = ["apply_lockable", "apply_to", "apply_to_held", "pending", "send_out"]


def send_out(transaction: Holdings, arrival: Arrival) -> None:
    """What goes to the other side: applied at once when its group is ours, else kept until commit."""
    arrival.serial = transaction.state.next_serial()
    peer = find_peer(transaction, arrival.sender)
    if peer is not None and peer.group in transaction.locked:
        delivery.apply(transaction, arrival)
    else:
        transaction.arrivals[arrival] = None
        transaction.undo.append((transaction.arrivals.pop, arrival, None))


def pending(transaction: Holdings) -> list[Arrival]:
    """The arrivals in the order in which they were sent (undo may have put one back at the end)."""
    return sorted(transaction.arrivals, key=_sent_order)


def apply_to(transaction: Holdings, group: Group) -> None:
    """Deliver the arrivals for a group that has been locked."""
    for arrival in pending(transaction):
        peer = find_peer(transaction, arrival.sender)
        if peer is not None and peer.group is group:
            _apply_now(transaction, arrival)


def apply_to_held(transaction: Holdings) -> None:
    """Deliver the arrivals for all groups that are held."""
    for arrival in pending(transaction):
        peer = find_peer(transaction, arrival.sender)
        if peer is not None and peer.group in transaction.locked and arrival in transaction.arrivals:
            _apply_now(transaction, arrival)


def apply_lockable(transaction: Holdings, queue: QueueStore | None = None) -> bool:
    """Apply own arrivals whose target nobody else has locked (to one queue), taking the locks. True if any was."""
    done = False
    for arrival in pending(transaction):
        if arrival not in transaction.arrivals:
            continue
        peer = find_peer(transaction, arrival.sender)
        if peer is None:
            if queue is not None and targets.queue_for(transaction, arrival) is not queue:
                continue
        else:
            if queue is not None and peer.queue is not queue:
                continue
            if not transaction.locks.try_acquire(transaction.owner, peer.group.resource):
                continue
            transaction.locked[peer.group] = None
        _apply_now(transaction, arrival)
        done = True
    return done


def _apply_now(transaction: Holdings, arrival: Arrival) -> None:
    del transaction.arrivals[arrival]
    transaction.undo.append((transaction.arrivals.setdefault, arrival, None))
    delivery.apply(transaction, arrival)


def _sent_order(arrival: Arrival) -> int:
    return arrival.serial
