"""Neighbours: the wires of an instance with the connections on them, and where its destinations are reached.

Decides what the news of a wire means for its connection, which connection a destination has, and what the log and the trace say of logins. It is where other threads
leave their news (`WireEvents`); everything else happens in the work of the transmitter. Must not know what frames of dialogs say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import InstanceEndpoint
from sbql.engine.broker import trace
from sbql.engine.network.adjacent import (
    Closed,
    Connection,
    ConnectionOutcome,
    Credentials,
    LoggedIn,
    Received,
    StartTls,
)
from sbql.engine.network.frames import DialogFrame
from sbql.engine.network.links import AFTER_DISCONNECT, AFTER_FAILURE, Destination, Link, stays
from sbql.engine.network.wires import Transport, Wire
from sbql.engine.ports import Instance
from sbql.grammar.messages import message

__all__ = ["MakeCredentials", "MakeTransport", "Neighbours"]

MakeCredentials = Callable[[InstanceEndpoint], Credentials]
MakeTransport = Callable[[], Transport]

LISTENING: Final = 9690
STOPPED: Final = 9691
CANNOT_LISTEN: Final = 9693
LOGIN_FAILED: Final = 28047
_NAME: Final = "Service Broker"


class Neighbours:
    """`wake` is called when there are news. `destinations` by address (`host:port`)."""

    def __init__(
        self,
        instance: Instance,
        make_transport: MakeTransport,
        make_credentials: MakeCredentials,
        wake: Callable[[], None],
    ) -> None:
        self._instance = instance
        self._transport = make_transport()
        self._make_credentials = make_credentials
        self._wake = wake
        self._news: deque[tuple[str, Wire, Any]] = deque()
        self._links: dict[Wire, Link] = {}
        self._online: dict[UUID, Link] = {}
        self._lost: list[tuple[Destination, str]] = []
        self._own_id: UUID | None = None
        self._endpoint: InstanceEndpoint | None = None
        self.destinations: dict[str, Destination] = {}

    # --- news, from any thread -----------------------------------------------------------------------------

    def accepted(self, wire: Wire) -> None:
        self._note("accepted", wire)

    def opened(self, wire: Wire) -> None:
        self._note("opened", wire)

    def received(self, wire: Wire, data: bytes) -> None:
        self._note("received", wire, data)

    def secured(self, wire: Wire, binding: bytes) -> None:
        self._note("secured", wire, binding)

    def drained(self, wire: Wire) -> None:
        self._note("drained", wire)

    def lost(self, wire: Wire, text: str) -> None:
        self._note("lost", wire, text)

    def _note(self, what: str, wire: Wire, more: Any = None) -> None:
        self._news.append((what, wire, more))
        self._wake()

    # --- the endpoint --------------------------------------------------------------------------------------

    def configure(self, endpoint: InstanceEndpoint | None, now: float) -> None:
        """The endpoint is this one now (None: none that is started). Connections that were made under another one end."""
        if endpoint == self._endpoint:
            return
        if self._endpoint is not None:
            self._transport.stop_listening()
            for link in list(self._links.values()):
                self._handle(link, link.connection.close(STOPPED, message(STOPPED).format(_NAME)), now)
            self._instance.log(STOPPED, message(STOPPED).format(_NAME))
        self._endpoint = endpoint
        if endpoint is None:
            return
        if self._own_id is None:
            self._own_id = self._instance.host.new_guid()
        try:
            self._transport.listen(endpoint.ip_address, endpoint.port, self)
        except OSError as error:
            self._instance.log(CANNOT_LISTEN, message(CANNOT_LISTEN).format(_NAME, error))
            return
        self._instance.log(LISTENING, message(LISTENING).format(_NAME))

    def close(self) -> None:
        self._transport.close()

    # --- connections ---------------------------------------------------------------------------------------

    def take_events(self, now: float) -> list[tuple[Link, DialogFrame]]:
        """The frames of dialogs that the news bring."""
        frames: list[tuple[Link, DialogFrame]] = []
        while self._news:
            what, wire, more = self._news.popleft()
            link = self._links.get(wire)
            if what == "accepted":
                link = self._new_link(wire, "", now)
            if link is None:
                continue
            connection = link.connection
            if what in ("accepted", "opened"):
                connection.start(now)
                self._trace("Accept" if what == "accepted" else "Connected", wire)
                link.flush()
            elif what == "received":
                frames += self._handle(link, connection.receive(more, now), now)
                wire.consumed(len(more))
            elif what == "secured":
                self._handle(link, connection.secured(more), now)
            elif what == "lost":
                was_open = connection.state != "NEW"
                self._handle(link, connection.lost(more), now, AFTER_DISCONNECT if was_open else AFTER_FAILURE)
        return frames

    def _new_link(self, wire: Wire, address: str, now: float) -> Link | None:
        if self._endpoint is None or self._own_id is None:
            wire.close()
            return None
        nonce = self._instance.host.random_bytes(32)
        credentials = self._make_credentials(self._endpoint)
        link = self._links[wire] = Link(wire, Connection(address == "", self._own_id, nonce, credentials, now), address)
        return link

    def _handle(
        self, link: Link, outcomes: list[ConnectionOutcome], now: float, pause: float = AFTER_DISCONNECT
    ) -> list[tuple[Link, DialogFrame]]:
        """What a connection says; its bytes go to the wire."""
        frames: list[tuple[Link, DialogFrame]] = []
        for outcome in outcomes:
            if isinstance(outcome, Received):
                frames.append((link, outcome.frame))
                continue
            link.flush()
            if isinstance(outcome, StartTls):
                link.wire.start_tls(outcome.rest)
            elif isinstance(outcome, LoggedIn):
                self._logged_in(link)
            else:
                self._closed(link, outcome, now, pause)
        link.flush()
        return frames

    def _logged_in(self, link: Link) -> None:
        peer, own = link.peer_id, self._own_id
        assert peer is not None and own is not None
        self._audit("Login Success", link, "")
        destination = self.destinations.get(link.destination_address)
        if destination is not None:
            destination.peer_id = peer
        if peer == own:  # a route to oneself: both ends are here
            return
        other = self._online.get(peer)
        winner = link if other is None or not other.is_online else stays(link, other, own)
        self._online[peer] = winner
        for destination in self.destinations.values():
            if destination.peer_id == peer:
                destination.link = winner
        loser = link if winner is other else other
        if loser is not None:
            loser.connection.retire()

    def _closed(self, link: Link, closed: Closed, now: float, pause: float) -> None:
        self._links.pop(link.wire, None)
        link.wire.close()
        self._trace("Closed", link.wire, closed.text)
        peer = link.peer_id
        if closed.is_error and peer is None and link.connection.is_acceptor:
            self._audit("Login Protocol Error", link, closed.text)
        elif closed.is_error and link.connection.login_time == link.connection.since and peer is not None:
            self._audit("Authentication Failure", link, closed.text)
            self._instance.log(LOGIN_FAILED, message(LOGIN_FAILED).format(_NAME, closed.text, f"[{link.wire.address}]"))
        if peer is not None and self._online.get(peer) is link:
            del self._online[peer]
        for destination in self.destinations.values():
            if destination.link is link:
                destination.link = self._online.get(peer) if peer is not None else None
                if closed.is_error and destination.link is None:
                    destination.not_before = now + pause
                self._lost.append((destination, closed.text if closed.is_error else ""))

    def lost_links(self) -> list[tuple[Destination, str]]:
        """Destinations whose way is gone since the last call, with the reason; empty: nothing is wrong."""
        lost, self._lost = self._lost, []
        return lost

    # --- destinations --------------------------------------------------------------------------------------

    def destination(self, address: str) -> Destination:
        found = self.destinations.get(address)
        if found is None:
            found = self.destinations[address] = Destination(address)
        return found

    def tick(self, now: float) -> None:
        """Silence, idleness, logins that take too long; and destinations that are to be connected to."""
        for link in list(self._links.values()):
            self._handle(link, link.connection.tick(now), now)
        if self._endpoint is None:
            return
        for destination in list(self.destinations.values()):
            if destination.is_due(now):
                self._connect(destination, now)
            elif destination.link is None and not destination.dialogs and not destination.has_ready:
                del self.destinations[destination.address]

    def _connect(self, destination: Destination, now: float) -> None:
        known = self._online.get(destination.peer_id) if destination.peer_id is not None else None
        if known is not None and known.is_online:
            destination.link = known
            return
        wire = self._transport.connect(destination.address, self)
        self._trace("Connecting", wire)
        destination.link = self._new_link(wire, destination.address, now)

    def next_time(self) -> float | None:
        """When `tick` has something to do."""
        times = [time for link in self._links.values() if (time := link.connection.next_time()) is not None]
        if self._endpoint is not None:
            times += [d.not_before for d in self.destinations.values() if d.link is None and d.has_ready]
        return min(times, default=None)

    def links(self) -> list[Link]:
        return list(self._links.values())

    # --- telling -------------------------------------------------------------------------------------------

    def _trace(self, subclass: str, wire: Wire, text: str = "") -> None:
        trace.emit(self._instance.broker.trace, "Broker:Connection", subclass, text=f"{wire.address} {text}".strip())

    def _audit(self, subclass: str, link: Link, text: str) -> None:
        trace.emit(
            self._instance.broker.trace, "Audit Broker Login", subclass, text=f"{link.connection.principal} {link.wire.address} {text}".strip()
        )  # fmt: skip
