"""Neighbours: the wires of an instance with the connections on them, and where its destinations are reached.

Decides what the news of a wire means for its connection, which connection a destination has, and what the log and the
trace say of logins. It is where other threads leave their news (`WireEvents`); everything else happens in the work of
the transmitter. Must not know what frames of dialogs say.
"""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

import msgspec

from sbql.catalog.live_relations import BrokerConnection
from sbql.catalog.records import Certificate, InstanceEndpoint
from sbql.engine.broker import trace
from sbql.engine.broker.counters import TransportTotals
from sbql.engine.network.address_map import AddressMap
from sbql.engine.network.adjacent import (
    Closed,
    Connection,
    ConnectionOutcome,
    LoggedIn,
    Received,
    StartTls,
    Traffic,
)
from sbql.engine.network.credentials import CERTIFICATE, methods_of
from sbql.engine.network.dialogs import Dialog
from sbql.engine.network.frames import DialogFrame
from sbql.engine.network.identity import Credentials
from sbql.engine.network.links import AFTER_DISCONNECT, AFTER_FAILURE, Destination, Link, stays
from sbql.engine.network.wires import Transport, Wire
from sbql.engine.ports import Instance
from sbql.engine.security.background_keys import MASTER
from sbql.grammar.messages import message

__all__ = ["MOST_STRANGERS", "MakeCredentials", "MakeTransport", "Neighbours"]

MakeCredentials = Callable[[InstanceEndpoint], Credentials]
MakeTransport = Callable[[], Transport]

LISTENING: Final = 9690
STOPPED: Final = 9691
PORT_IN_USE: Final = 9692
CANNOT_LISTEN: Final = 9693
TOO_MANY: Final = 9758
LOGIN_SUCCEEDED: Final = 28046
LOGIN_FAILED: Final = 28047
LOGIN_OF_USER_FAILED: Final = 28048
CONFIGURATION_CHANGED: Final = 11295
KEYS_CHANGED: Final = 11296
_NAME: Final = "Service Broker"
_NARROWER: Final = "LISTENER_IP = (127.0.0.1) in ALTER ENDPOINT … AS TCP opens it to programs of this machine only."
MOST_STRANGERS: Final = 64
"""Connections of others whose login is not over; with one more the oldest of them ends."""
_FAILURES: Final = {
    9757: "Message Format Error", 28027: "Negotiate Failure", 28034: "Authorization Failure",
    **dict.fromkeys((9751, 9762, 9763, 9765, 28035, 28036, 28038, 28045), "Authentication Failure"),
}  # fmt: skip
"""What a login that ended with this message is to the audit; any other is an error of the protocol."""


class Neighbours:
    """`wake` is called when there are news. `destinations` by address (`host:port`)."""

    def __init__(
        self,
        instance: Instance,
        make_transport: MakeTransport,
        make_credentials: MakeCredentials,
        addresses: AddressMap,
        wake: Callable[[], None],
    ) -> None:
        self._instance = instance
        self._transport = make_transport()
        self._make_credentials = make_credentials
        self._addresses = addresses
        self._wake = wake
        self._news: deque[tuple[str, Wire, Any]] = deque()
        self._links: dict[Wire, Link] = {}
        self._online: dict[UUID, Link] = {}
        self._lost: list[tuple[Destination, str]] = []
        self._own_id: UUID | None = None
        self._endpoint: InstanceEndpoint | None = None
        self._known_keys: tuple[tuple[bytes, bytes | None, int], ...] = ()
        self.destinations: dict[str, Destination] = {}
        self.places: dict[UUID, str] = {}
        """The address where an instance has answered last; its id is another one at each start."""
        self._past = TransportTotals()
        """What has gone over connections that are closed."""

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

    def lost(self, wire: Wire, text: str, *, by_sending: bool = False) -> None:
        self._note("lost by sending" if by_sending else "lost", wire, text)

    def _note(self, what: str, wire: Wire, more: Any = None) -> None:
        self._news.append((what, wire, more))
        self._wake()

    # --- the endpoint --------------------------------------------------------------------------------------

    def configure(self, endpoint: InstanceEndpoint | None, now: float) -> None:
        """The endpoint is this one now (None: none that is started). Connections that were made under another one, or
        with other certificates in master, end."""
        keys = self._keys(endpoint)
        if (endpoint, keys) == (self._endpoint, self._known_keys):
            return
        if self._endpoint is not None:
            number = (
                STOPPED if endpoint is None else CONFIGURATION_CHANGED if endpoint != self._endpoint else KEYS_CHANGED
            )
            text = message(number).format(*([_NAME] if endpoint is None else []))
            self._transport.stop_listening()
            for link in list(self._links.values()):
                self._handle(link, link.connection.close(number, text), now)
            self._instance.log(number, text)
        self._endpoint, self._known_keys = endpoint, keys
        if endpoint is None:
            return
        self._try_at_once(now)
        if self._own_id is None:
            self._own_id = self._instance.host.new_guid()
        own = self._addresses.own(endpoint.ip_address, endpoint.port)
        try:
            self._transport.listen(*own, self)
        except OSError as error:
            is_taken = error.errno == errno.EADDRINUSE
            number, why = (PORT_IN_USE, own[1]) if is_taken else (CANNOT_LISTEN, error)
            self._instance.log(number, message(number).format(_NAME, why))
            return
        self._instance.log(LISTENING, message(LISTENING).format(_NAME))
        if introduction := self._make_credentials(endpoint).introduction:
            self._instance.log(0, introduction)
        if own[0] is None:
            self._instance.log(0, f"Port {own[1]} is open on all interfaces of this machine. {_NARROWER}")

    def _keys(self, endpoint: InstanceEndpoint | None) -> tuple[tuple[bytes, bytes | None, int], ...]:
        """What logins by certificate rest on."""
        if endpoint is None or CERTIFICATE not in methods_of(endpoint.authentication):
            return ()
        certificates = self._instance.catalog.all(Certificate, MASTER)
        return tuple((c.certificate_der, c.private_key, c.principal_id) for c in certificates)

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
            elif what in ("lost", "lost by sending"):
                was_open = connection.state != "NEW"
                io_error = "Receive IO Error" if what == "lost" else "Send IO Error"
                self._trace(io_error if was_open else "Connect Failed", wire, more)
                outcomes = connection.lost(more, by_sending=what != "lost")
                self._handle(link, outcomes, now, AFTER_DISCONNECT if was_open else AFTER_FAILURE)
        return frames

    def _new_link(self, wire: Wire, address: str, now: float) -> Link | None:
        if self._endpoint is None or self._own_id is None:
            wire.close()
            return None
        if not address:
            self._make_room(now)
        nonce = self._instance.host.random_bytes(32)
        credentials = self._make_credentials(self._endpoint)
        connection = Connection(address == "", self._own_id, nonce, credentials, now)
        link = self._links[wire] = Link(wire, connection, self._instance.host.new_guid(), address)
        return link

    def _make_room(self, now: float) -> None:
        """Who has not said who he is may not keep others out: the oldest of them goes."""
        strangers = [x for x in self._links.values() if x.connection.is_acceptor and not x.connection.was_online]
        for link in strangers[: max(0, len(strangers) + 1 - MOST_STRANGERS)]:
            text = message(TOO_MANY).format(f"more than {MOST_STRANGERS} logins at once", 4)
            self._handle(link, link.connection.close(TOO_MANY, text, is_error=True), now)

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
                self._logged_in(link, now)
            else:
                self._closed(link, outcome, now, pause)
        link.flush()
        return frames

    def _logged_in(self, link: Link, now: float) -> None:
        peer, own = link.peer_id, self._own_id
        assert peer is not None and own is not None
        self._audit("Login Success", link, "")
        connection = link.connection
        text = message(LOGIN_SUCCEEDED).format(
            _NAME, connection.who.principal, connection.method, f"[{link.wire.address}]"
        )
        self._instance.log(LOGIN_SUCCEEDED, text)
        destination = self.destinations.get(link.destination_address)
        if destination is not None:
            destination.peer_id = peer
            self.places[peer] = destination.address
        elif peer not in self._online:
            self._try_at_once(now)
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
            loser.connection.retire(True)

    def _closed(self, link: Link, closed: Closed, now: float, pause: float) -> None:
        if self._links.pop(link.wire, None) is not None:
            _add(self._past, link.connection.traffic)
        self._trace("Closing", link.wire)
        link.wire.close()
        self._trace("Closed", link.wire, closed.text)
        if closed.is_error:
            sink = self._instance.broker.trace
            trace.emit(sink, "Broker:Transmission", "", text=f"{closed.number} {link.wire.address} {closed.text}")
        peer = link.peer_id
        if closed.is_error and not link.connection.was_online and (peer is not None or link.connection.is_acceptor):
            self._audit(_FAILURES.get(closed.number, "Login Protocol Error"), link, closed.text)
            self._log_failure(link, closed.text)
        other = self._left_with(peer, link) if peer is not None else None
        for destination in self.destinations.values():
            if destination.link is link:
                destination.link = other
                if closed.is_error and other is None:
                    destination.failed(now, pause)
                self._lost.append((destination, closed.text if closed.is_error and other is None else ""))
            elif closed.is_error and link.connection.was_online and other is not None and destination.link is other:
                self._lost.append((destination, ""))  # what it carried before it lost the arbitration

    def _left_with(self, peer: UUID, gone: Link) -> Link | None:
        """The connection with a neighbour when this one is gone. One that lost the arbitration and is still there
        carries what there is again."""
        if self._online.get(peer) is gone:
            del self._online[peer]
            for link in self._links.values():
                if link.peer_id == peer and link.is_online:
                    link.connection.retire(False)
                    self._online[peer] = link
        return self._online.get(peer)

    def _log_failure(self, link: Link, why: str) -> None:
        address, user = f"[{link.wire.address}]", link.connection.refused_user
        if user:
            text = message(LOGIN_OF_USER_FAILED).format(_NAME, user, why, address)
            self._instance.log(LOGIN_OF_USER_FAILED, text)
        else:
            self._instance.log(LOGIN_FAILED, message(LOGIN_FAILED).format(_NAME, why, address))

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

    def _try_at_once(self, now: float) -> None:
        """The network may be another one: the endpoint was started, or somebody has come, perhaps from where nobody
        answered. He has another id after a restart, so it is not asked who."""
        for destination in self.destinations.values():
            destination.not_before = min(destination.not_before, now)

    def leave(self, dialog: Dialog) -> None:
        """A dialog goes nowhere, or elsewhere: it has no turn at its address any more."""
        destination = self.destinations.get(dialog.address)
        if destination is not None:
            destination.forget(dialog)

    def tick(self, now: float) -> None:
        """Silence, idleness, logins that take too long; and destinations that are to be connected to."""
        for link in list(self._links.values()):
            self._handle(link, link.connection.tick(now), now)
        if self._lost:
            self._wake()
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
        wire = self._transport.connect(self._addresses.far(destination.place), self)
        self._trace("Connecting", wire)
        destination.link = self._new_link(wire, destination.address, now)

    def next_time(self) -> float | None:
        """When `tick` has something to do."""
        times = [time for link in self._links.values() if (time := link.connection.next_time()) is not None]
        if self._endpoint is not None:
            times += [d.not_before for d in self.destinations.values() if d.link is None and d.has_ready]
        return min(times, default=None)

    def way_back(self, link: Link) -> Link:
        """The connection that carries what goes to who is at the other end of this one now."""
        found = self._online.get(link.peer_id) if link.peer_id is not None else None
        return link if found is None else found

    def links(self) -> list[Link]:
        return list(self._links.values())

    def connections(self) -> list[BrokerConnection]:
        """The rows of sys.dm_broker_connections; from any thread."""
        return [link.row() for link in self.links()]

    def traffic(self) -> TransportTotals:
        """Of all connections there were, and what waits on those there are; from any thread."""
        links = self.links()
        found = msgspec.structs.replace(self._past)
        for link in links:
            _add(found, link.connection.traffic)
            found.current_bytes += link.wire.backlog
            found.pending_bytes += link.connection.bytes_to_send
            found.pending_fragments += link.connection.frames_waiting
        found.connections = sum(link.is_online for link in links)
        return found

    # --- telling -------------------------------------------------------------------------------------------

    def _trace(self, subclass: str, wire: Wire, text: str = "") -> None:
        trace.emit(self._instance.broker.trace, "Broker:Connection", subclass, text=f"{wire.address} {text}".strip())

    def _audit(self, subclass: str, link: Link, text: str) -> None:
        trace.emit(
            self._instance.broker.trace, "Audit Broker Login", subclass, text=f"{link.connection.who.principal} {link.wire.address} {text}".strip()
        )  # fmt: skip


def _add(totals: TransportTotals, traffic: Traffic) -> None:
    totals.bytes_sent += traffic.bytes_sent
    totals.bytes_received += traffic.bytes_received
    totals.sends += traffic.sends
    totals.receives += traffic.receives
    totals.fragments_sent += traffic.fragments_sent
    totals.fragments_received += traffic.fragments_received
    totals.fragment_bytes_sent += traffic.fragment_bytes_sent
    totals.fragment_bytes_received += traffic.fragment_bytes_received
