"""Whereabouts: at which of the addresses that routes name a broker is met (docs/spec: MATCH, CHOICE).

Several routes may lead to one service in several instances. A dialog belongs to the one that has
acknowledged it: decides where it goes when nothing of it waited meanwhile, and which address is tried next
when nobody answers. Nothing of it is stored: after a start the addresses are tried in turn. Must not know
what frames say, but for whom they are from.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.engine.broker import routing
from sbql.engine.broker.endpoint_changes import BROKER_DISABLED
from sbql.engine.network.dialogs import Dialog
from sbql.engine.network.links import Link
from sbql.engine.network.neighbours import Neighbours
from sbql.engine.network.sending import FIRST_RETRY
from sbql.engine.ports import Instance

__all__ = ["Whereabouts"]

PATIENCE: Final = 2 * FIRST_RETRY
"""Seconds after a receipt of a dialog in which what is not acknowledged is not looked for elsewhere."""
TRUST: Final = 300.0
"""Seconds that a broker may be silent at its address before others are tried."""
MOST: Final = 10_000
"""Brokers that are remembered; with more, all are forgotten."""


class Whereabouts:
    """At which address each broker has answered last."""

    def __init__(self, instance: Instance, neighbours: Neighbours) -> None:
        self._instance = instance
        self._neighbours = neighbours
        self._places: dict[UUID, tuple[str, float]] = {}
        """Of a broker: the address where its instance answers, and when something came from it."""

    def heard(self, link: Link, broker: UUID, now: float) -> None:
        """A frame of a database has come over a connection."""
        address = self._neighbours.places.get(link.peer_id) if link.peer_id is not None else None
        if address is not None:
            if len(self._places) >= MOST:
                self._places.clear()
            self._places[broker] = address, now

    def classify(self, dialog: Dialog, broker: UUID | None) -> routing.Classification:
        """Where the messages of a dialog for this broker go. Those of a disabled one
        wait, but for what tells a problem."""
        index = self._instance.broker.index(self._instance.catalog)
        e = dialog.conversation.endpoint
        if dialog.problem is None and not index.is_broker_enabled(e.database_id):
            return routing.Classification("Delayed", reason=BROKER_DISABLED)
        host, place = self._instance.host, self.place(dialog)
        return routing.classify(index, e.database_id, e.far_service, broker, host, place)

    def place(self, dialog: Dialog) -> str:
        """The address that a dialog is to have, if a route leads there; empty: any."""
        broker = dialog.conversation.endpoint.far_broker_instance
        if dialog.kept or broker is None:
            return dialog.kept
        return self._places.get(broker, ("", 0.0))[0]

    def look_elsewhere(self, dialog: Dialog, now: float) -> None:
        """What has gone to the address of a dialog is not acknowledged, or does not get there: it goes to another
        one, if its broker may be there."""
        endpoint = dialog.conversation.endpoint
        broker = endpoint.far_broker_instance
        if broker is None or not dialog.address or now < dialog.heard + PATIENCE:
            return
        known, since = self._places.get(broker, ("", 0.0))
        is_trusted = now < since + TRUST
        if is_trusted and known == dialog.address:
            return
        index = self._instance.broker.index(self._instance.catalog)
        found = routing.network_addresses(
            index, endpoint.database_id, endpoint.far_service, broker, self._instance.host
        )
        if len(found) < 2 or dialog.address not in found:
            return
        following = found[(found.index(dialog.address) + 1) % len(found)]
        self._move(dialog, known if is_trusted and known in found else following, now)

    def _move(self, dialog: Dialog, address: str, now: float) -> None:
        self._neighbours.leave(dialog)
        dialog.address = dialog.kept = address
        dialog.sender.way_lost(now)
