"""Links: the connections of an instance to its neighbours, and the destinations that conversations go to.

Decides when a destination is connected to, how long it is left alone after a failure,
which of two connections with the same neighbour stays, and whose turn it is on a connection. Must not
know what frames say, nor transactions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Final
from uuid import UUID

from sbql.catalog.live_relations import BrokerConnection
from sbql.engine.network.adjacent import Connection
from sbql.engine.network.connection_state import CONNECTION_STATES, login_state
from sbql.engine.network.credentials import NEGOTIATE
from sbql.engine.network.dialogs import Dialog
from sbql.engine.network.sending import FIRST_RETRY
from sbql.engine.network.wires import Wire

__all__ = ["AFTER_DISCONNECT", "AFTER_FAILURE", "HIGH_WATER", "PIECE", "Destination", "Link", "stays"]

AFTER_DISCONNECT: Final = 15.0
AFTER_FAILURE: Final = 60.0
"""Seconds that a destination is left alone after a connection broke, and after one could not be made."""
HIGH_WATER: Final = 256 * 1024
"""Bytes that wait in a wire; with more, nothing new is given to it."""
PIECE: Final = 64 * 1024
"""Bytes that are given to a wire at once, if there are so many."""
_LEVELS: Final = range(10, 0, -1)
_ENOUGH: Final = 1024 * 1024
"""Bytes for a neighbour, and then it is looked who else has something to send, or has sent something."""
_TURN_OF_THE_LAST: Final = 8
"""Each so many turns the lowest priority has one: nobody starves."""


class Link:
    """One connection. `destination_address`: the address that it was made for, empty for one that was accepted."""

    __slots__ = ("connection", "connection_id", "destination_address", "wire")

    def __init__(self, wire: Wire, connection: Connection, connection_id: UUID, destination_address: str = "") -> None:
        self.wire = wire
        self.connection = connection
        self.connection_id = connection_id
        self.destination_address = destination_address

    @property
    def peer_id(self) -> UUID | None:
        return self.connection.peer.instance_id if self.connection.peer is not None else None

    @property
    def is_online(self) -> bool:
        return self.connection.state == "ONLINE"

    @property
    def backlog(self) -> int:
        """Bytes that have not gone yet: in the wire, and here."""
        return self.wire.backlog + self.connection.bytes_to_send

    def flush(self) -> None:
        """Give the wire what the connection has to say."""
        frames = self.connection.frames_to_send()
        if frames:
            self.wire.send(frames)

    def row(self) -> BrokerConnection:
        """Of sys.dm_broker_connections."""
        connection, traffic = self.connection, self.connection.traffic
        is_acceptor, by_account = connection.is_acceptor, connection.method == NEGOTIATE
        number, name = login_state(connection.state, is_acceptor=is_acceptor, by_account=by_account)
        state, state_name = CONNECTION_STATES[connection.state]
        return BrokerConnection(
            connection_id=self.connection_id, state=state, state_desc=state_name, connect_time=connection.since,
            login_time=connection.login_time if connection.was_online else None, authentication_method=connection.method or None,
            principal_name=connection.who.principal or None, last_activity_time=connection.last_dialog, is_accept=is_acceptor,
            login_state=number, login_state_desc=name, peer_certificate_id=connection.who.certificate_id or None,
            encryption_algorithm=3 if connection.is_encrypted else 0, encryption_algorithm_desc="AES" if connection.is_encrypted else "NONE",
            is_send_flow_controlled=self.wire.backlog >= HIGH_WATER, total_bytes_sent=traffic.bytes_sent,
            total_bytes_received=traffic.bytes_received, total_fragments_sent=traffic.fragments_sent,
            total_fragments_received=traffic.fragments_received, total_sends=traffic.sends, total_receives=traffic.receives,
            peer_arbitration_id=self.peer_id,
        )  # fmt: skip


def stays(one: Link, other: Link, own_id: UUID) -> Link:
    """Of two connections with the same neighbour, the one that the instance with the smaller id has made: both sides
    decide alike. Of two that were made by the same one, the newer: the older may be dead."""

    def maker(link: Link) -> int:
        peer = link.peer_id
        assert peer is not None
        return peer.int if link.connection.is_acceptor else own_id.int

    if maker(one) != maker(other):
        return min(one, other, key=maker)
    return max(one, other, key=lambda link: link.connection.since)


class Destination:
    """An address that routes lead to, with the dialogs that have something to send there. Of a mirrored route it is
    both addresses, separated by a comma."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._places = address.split(",")
        self._failures = 0
        self.link: Link | None = None
        self.peer_id: UUID | None = None
        """Who answered there last."""
        self.not_before = 0.0
        """It is left alone until then."""
        self._arrived_until = self._heard = 0.0
        self.forwards = 0
        """Frames of others that wait for it."""
        self.dialogs: dict[Dialog, None] = {}
        self._lines: dict[int, deque[Dialog]] = {}
        self._turns = 0

    @property
    def place(self) -> str:
        """Where it is connected to next."""
        return self._places[self._failures % len(self._places)]

    def failed(self, now: float, pause: float) -> None:
        """A connection could not be made, or broke. The next address is tried at once; after the last
        one it is left alone for a while."""
        self._failures += 1
        self.peer_id = None
        self.not_before = now + (pause if self._failures % len(self._places) == 0 else 0.0)

    @property
    def has_ready(self) -> bool:
        return self.forwards > 0 or any(self._lines.values())

    def heard(self, dialog: Dialog, now: float) -> None:
        """A receipt of it has come."""
        self._heard, self._arrived_until = now, max(self._arrived_until, dialog.sender.last_sent)

    def arrived_until(self, now: float) -> float:
        """What went later is with a receiver that works, and has much to do: receipts of what went
        before come. Infinite: none come."""
        return self._arrived_until if now < self._heard + FIRST_RETRY else inf

    def ready(self, dialog: Dialog, priority: int) -> None:
        """Put a dialog at the end of the line of its priority."""
        if not dialog.is_ready:
            dialog.is_ready = True
            self._lines.setdefault(priority, deque()).append(dialog)

    def next_dialog(self) -> Dialog | None:
        """Whose turn it is; it leaves the line."""
        levels = [level for level in _LEVELS if self._lines.get(level)]
        if not levels:
            return None
        self._turns += 1
        level = levels[-1] if self._turns % _TURN_OF_THE_LAST == 0 else levels[0]
        dialog = self._lines[level].popleft()
        dialog.is_ready = False
        return dialog

    def turns(self, link: Link, wake: Callable[[], None]) -> Iterator[Dialog]:
        """Whose turn it is, again and again, as long as the wire takes more. After a megabyte it is enough, and `wake`
        is called: a wire that is faster than who fills it would let nobody else come in line."""
        end = link.connection.traffic.bytes_sent + _ENOUGH
        while link.backlog < HIGH_WATER and (dialog := self.next_dialog()) is not None:
            yield dialog
            if link.connection.traffic.bytes_sent >= end:
                wake()
                return

    def line(self) -> Iterator[Dialog]:
        """Who is in line, in the order in which turns come, nearly."""
        for level in _LEVELS:
            yield from self._lines.get(level, ())

    def forget(self, dialog: Dialog) -> None:
        self.dialogs.pop(dialog, None)
        if dialog.is_ready:
            for line in self._lines.values():
                if dialog in line:
                    line.remove(dialog)
            dialog.is_ready = False

    def is_due(self, now: float) -> bool:
        """It is to be connected to."""
        return self.link is None and self.has_ready and self.not_before <= now
