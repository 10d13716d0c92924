"""Two sides of a connection, and what carries bytes between them in a test."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from uuid import UUID

from sbql.engine.network.adjacent import (
    Closed,
    Connection,
    ConnectionOutcome,
    StartTls,
)
from sbql.engine.network.frames import Proof
from sbql.engine.network.identity import Credentials, Peer, Refused


class Secret:
    """Both sides know a secret."""

    introduction = ""

    def __init__(
        self, secret: bytes = b"s", methods: tuple[str, ...] = ("SECRET",), encryption: str = "SUPPORTED"
    ) -> None:
        self.secret, self.methods, self.encryption = secret, methods, encryption

    def prove(self, method: str, statement: bytes) -> Proof:
        return Proof(method, hmac.digest(self.secret, statement, hashlib.sha256))

    def check(self, proof: Proof, statement: bytes) -> Peer:
        if proof.proof != hmac.digest(self.secret, statement, hashlib.sha256):
            raise Refused(28035, "not ours")
        return Peer("friend")


class Pair:
    """Two sides; `carry` brings bytes across until there are no more, each piece as `on_the_way` leaves it. TLS is
    played: the binding is what each side sees."""

    def __init__(
        self,
        one: Credentials | None = None,
        other: Credentials | None = None,
        *,
        bindings: tuple[bytes, bytes] = (b"c", b"c"),
    ) -> None:
        self.initiator = Connection(False, UUID(int=10), b"a" * 32, one or Secret(encryption="DISABLED"), 0.0)
        self.acceptor = Connection(True, UUID(int=20), b"b" * 32, other or Secret(encryption="DISABLED"), 0.0)
        self.bindings = {self.initiator: bindings[0], self.acceptor: bindings[1]}
        self.seen: dict[Connection, list[ConnectionOutcome]] = {self.initiator: [], self.acceptor: []}
        self.on_the_way: Callable[[Connection, bytes], bytes] = lambda _, data: data
        self.initiator.start(0.0)
        self.acceptor.start(0.0)

    def carry(self, now: float = 0.0) -> None:
        both = (self.initiator, self.acceptor)
        waiting_for_tls = dict.fromkeys(both, False)
        while True:
            moved = False
            for side, other in (both, both[::-1]):
                data = side.data_to_send()
                if data:
                    moved = True
                    data = self.on_the_way(side, data)
                    self.note(other, other.receive(data, now), waiting_for_tls)
            if all(waiting_for_tls.values()):
                for side in both:
                    waiting_for_tls[side] = False
                    self.seen[side] += side.secured(self.bindings[side])
                moved = True
            if not moved:
                return

    def note(self, side: Connection, outcomes: list[ConnectionOutcome], waiting: dict[Connection, bool]) -> None:
        for outcome in outcomes:
            if isinstance(outcome, StartTls):
                if outcome.rest:  # the other side does not speak TLS
                    self.seen[side] += side.lost("no TLS")
                waiting[side] = True
        self.seen[side] += [outcome for outcome in outcomes if not isinstance(outcome, StartTls)]

    def states(self) -> tuple[str, str]:
        return self.initiator.state, self.acceptor.state

    def closed(self, side: Connection) -> Closed:
        (found,) = (outcome for outcome in self.seen[side] if isinstance(outcome, Closed))
        return found
