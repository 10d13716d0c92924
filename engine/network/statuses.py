"""Transmission statuses: how the last transmission of a conversation went, noted where everybody can read it.

Decides which conversations are told. Must not know why something went as it did, nor wires.
"""

from __future__ import annotations

from collections.abc import Iterable

from sbql.catalog.interrupts import held
from sbql.catalog.store import StoreSession
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.network.dialogs import STAYS
from sbql.engine.ports import Instance
from sbql.engine.transaction.transaction import Transaction

__all__ = ["set_status"]


def set_status(
    instance: Instance,
    store: StoreSession,
    conversations: Iterable[Conversation],
    text: str,
    *,
    of_receipt: bool = False,
) -> None:
    """Note how the last transmission went. Without rows in the transmission queue it is the receipt's
    (`of_receipt`), which GET_TRANSMISSION_STATUS tells."""
    found = [c for c in conversations if c.endpoint.transmission_status != text and c.endpoint.state not in STAYS]
    if not found:
        return
    transaction = Transaction(instance, store, "broker")
    broker = transaction.broker

    def note() -> None:
        for conversation in found:
            if not conversation.removed and (conversation.transmission or of_receipt):
                broker.set_by_arrival(conversation, "transmission_status", text)

    broker.incoming = note
    with held:
        transaction.commit()
