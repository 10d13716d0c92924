"""Subscribing: monologs of publishers in other instances are ordered there.

Decides when subscriptions are looked at: `transmitter` asks after each change of the catalog. What becomes of one,
the broker decides (`far_monologs`).
"""

from __future__ import annotations

from sbql.catalog.interrupts import held
from sbql.catalog.store import StoreSession
from sbql.engine.broker import far_monologs
from sbql.engine.ports import Instance
from sbql.engine.transaction.transaction import Transaction

__all__ = ["subscribe"]


def subscribe(instance: Instance, store: StoreSession) -> None:
    """Order for all subscriptions whose publishers are elsewhere and have not heard of them yet."""
    if not instance.broker.index(instance.catalog).subscriptions:
        return
    transaction = Transaction(instance, store, "broker")
    broker = transaction.broker

    def order() -> None:
        for subscription in far_monologs.wanted(broker):
            far_monologs.ask(broker, subscription)

    broker.incoming = order
    with held:
        transaction.commit()
