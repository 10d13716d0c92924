"""The network of an instance on the system's clock, as long as nobody needs it: most instances never start an endpoint.

Decides when the network begins: with the first endpoint that is started. Only then sockets, TLS, certificates
and the protocols are loaded (`tcp_network`), which would take a tenth of the time in which `sbql` starts. It
must not know what the network does.
"""

from __future__ import annotations

from sbql.catalog.live_relations import BrokerConnection, ForwardedMessage
from sbql.engine.broker.counters import TransportTotals
from sbql.engine.network.address_map import AddressMap
from sbql.engine.network.endpoint import started_endpoint
from sbql.engine.ports import Instance, Transmitter

__all__ = ["BrokerNetwork"]


class BrokerNetwork:
    """A transmitter that costs nothing until there is an endpoint that is started. `addresses`:
    where names in routes are in fact."""

    def __init__(self, instance: Instance, addresses: AddressMap | None = None) -> None:
        self._instance = instance
        self._addresses = addresses or AddressMap()
        self._begun: Transmitter | None = None

    def account(self) -> str:
        """Who this instance is in its domain, or will be."""
        if self._begun is not None:
            return self._begun.account()
        from sbql.engine.server.domain import domain_of_process

        return domain_of_process(self._instance.host).account

    def start(self) -> None:
        with self._instance.broker.mutex:
            self.catalog_changed()

    def catalog_changed(self) -> None:
        """The broker's mutex is held."""
        if self._begun is None and started_endpoint(self._instance.catalog) is not None:
            from sbql.engine.server.tcp_network import make_transmitter

            self._begun = make_transmitter(self._instance, self._addresses)
        if self._begun is not None:
            self._begun.catalog_changed()

    def reloaded(self) -> None:
        if self._begun is not None:
            self._begun.reloaded()

    def connections(self) -> list[BrokerConnection]:
        return self._begun.connections() if self._begun is not None else []

    def forwarded(self) -> list[ForwardedMessage]:
        return self._begun.forwarded() if self._begun is not None else []

    def forwarded_waiting(self) -> tuple[int, int]:
        return self._begun.forwarded_waiting() if self._begun is not None else (0, 0)

    def traffic(self) -> TransportTotals:
        return self._begun.traffic() if self._begun is not None else TransportTotals()

    def stop(self) -> None:
        if self._begun is not None:
            self._begun.stop()
