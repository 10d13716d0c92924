"""The adjacent broker protocol: one connection between two instances, from the first byte to the last.

Bytes and the time go in, events and bytes come out. Decides what the two sides agree on, who is let in, when a silent
connection is tested and an idle one closed. Must not know sockets, dialogs or certificates: who somebody is, the
`Credentials` that are handed in know.

Both sides say hello at once, agree (the initiator of the connection and the acceptor by the same rules, from the same
two hellos), encrypt if they have agreed to, prove who they are, and accept each other's proof. Each proof covers both
hellos as they were received, the role of the prover and the certificate of the encryption, so that nobody in the middle
can change what is agreed, or use the proof elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final
from uuid import UUID

from msgspec import Struct

from sbql.engine.network.connection_state import ConnectionEvent, next_state
from sbql.engine.network.frames import (
    PROTOCOL_VERSION,
    Accepted,
    DialogFrame,
    Frame,
    Goodbye,
    Hello,
    Malformed,
    Ping,
    Pong,
    Proof,
    decode,
    encode,
)
from sbql.engine.network.framing import LARGEST, LARGEST_BEFORE_LOGIN, FrameReader, framed
from sbql.engine.network.identity import Credentials, Peer, Refused
from sbql.grammar.messages import message

__all__ = [
    "IDLE", "LOGIN_TIME", "RETIRED", "SILENCE", "Closed", "Connection", "ConnectionOutcome", "LoggedIn", "Received", "StartTls", "Traffic",
]  # fmt: skip

IDLE: Final = 90.0
"""Seconds without a frame of a dialog after which a connection is closed."""
RETIRED: Final = 5.0
"""The same for one that lost the arbitration: another one with the same neighbour carries the dialogs now."""
SILENCE: Final = 30.0
"""Seconds without any frame after which the other side is asked whether it is there; as many again, and it is not."""
LOGIN_TIME: Final = 30.0
"""Seconds that the other side has for its login."""
PROTOCOL_ERROR: Final = 9757
SEND_ERROR: Final = 9759
LOGIN_ERROR: Final = 9758
INCOMPATIBLE: Final = 28027
UNEXPECTED: Final = 28029
NOT_PUT_TOGETHER: Final = 28082
IDLE_CLOSE: Final = 9760
LOST_ARBITRATION: Final = 28032
CONNECT_ERROR: Final = 9754
RECEIVE_ERROR: Final = 9755


class OutOfTurn(Malformed):
    """A frame that is well formed, at a moment at which it means nothing."""


class StartTls(Struct, frozen=True):
    """Encrypt the way from here on, then call `secured`. `rest`: bytes that belong to the
    encryption already. Again: more of them."""

    rest: bytes


class LoggedIn(Struct, frozen=True):
    """The connection may carry dialogs."""

    instance_id: UUID
    principal: str
    method: str


class Received(Struct, frozen=True):
    """A frame of a dialog."""

    frame: DialogFrame


class Traffic(Struct):
    """What has gone over a connection, as sys.dm_broker_connections counts it."""

    bytes_sent: int = 0
    bytes_received: int = 0
    sends: int = 0
    receives: int = 0
    fragments_sent: int = 0
    fragments_received: int = 0
    fragment_bytes_sent: int = 0
    fragment_bytes_received: int = 0


class Closed(Struct, frozen=True):
    """The connection is over, once what is left in `data_to_send` has gone. `is_error`: not as it should be."""

    number: int
    text: str
    is_error: bool


ConnectionOutcome = StartTls | LoggedIn | Received | Closed


class Connection:
    """One side of a connection. Every method that returns outcomes may have left bytes in `data_to_send`."""

    def __init__(
        self, is_acceptor: bool, instance_id: UUID, nonce: bytes, credentials: Credentials, now: float
    ) -> None:
        self.is_acceptor = is_acceptor
        self.state = "NEW"
        self.peer: Hello | None = None
        self.who = Peer("")
        self.refused_user = ""
        """Whom we have not let in, where that is known."""
        self.traffic = Traffic()
        self.method = ""
        self.is_encrypted = self.was_online = False
        self.since = self.login_time = self.last_dialog = self._last_heard = now
        self._is_asking = False
        self._idle = IDLE
        self._credentials = credentials
        self._hello = Hello((PROTOCOL_VERSION,), instance_id, nonce, credentials.methods, credentials.encryption)
        self._reader = FrameReader()
        self._out: list[bytes] = []
        self.bytes_to_send = 0
        self._statement = b""
        self._heard_hello = b""

    # --- our side ------------------------------------------------------------------------------------------

    def start(self, now: float) -> None:
        """There is a way for bytes: say hello."""
        self._step(ConnectionEvent.START)
        self._last_heard = now
        self._put(self._hello)

    def secured(self, binding: bytes) -> list[ConnectionOutcome]:
        """The way is encrypted. `binding`: digest of the certificate of the acceptor's TLS, as this side sees it."""
        self._step(ConnectionEvent.SECURED)
        self.is_encrypted = True
        return self._guarded(lambda: self._prove(binding))

    def send(self, frame: DialogFrame, now: float) -> None:
        """A frame of a dialog. Only while ONLINE."""
        self._step(ConnectionEvent.TRAFFIC)
        self.last_dialog = now
        self.traffic.fragments_sent += 1
        before = self.bytes_to_send
        self._put(frame)
        self.traffic.fragment_bytes_sent += self.bytes_to_send - before

    @property
    def frames_waiting(self) -> int:
        """Frames that `frames_to_send` would give."""
        return len(self._out)

    def frames_to_send(self) -> list[bytes]:
        """What is to be written to the other side; it counts as written."""
        frames = self._out
        if frames:
            self.traffic.bytes_sent += self.bytes_to_send
            self.traffic.sends += 1
            self._out = []
            self.bytes_to_send = 0
        return frames

    def data_to_send(self) -> bytes:
        """The same in one piece."""
        return b"".join(self.frames_to_send())

    def close(self, number: int, text: str, *, is_error: bool = False) -> list[ConnectionOutcome]:
        """Say goodbye."""
        if self.state == "CLOSED":
            return []
        if self.state != "TLS":
            self._put(Goodbye(number, text[:4000]))
        return self._over(number, text, is_error)

    def retire(self, is_retired: bool) -> None:
        """It lost the arbitration: what is on its way may still arrive. False: there is no other one any more."""
        self._idle = RETIRED if is_retired else IDLE

    def lost(self, text: str, *, by_sending: bool = False) -> list[ConnectionOutcome]:
        """The way for bytes is gone, or never was. `by_sending`: that was found out when something was sent."""
        found = SEND_ERROR if by_sending else RECEIVE_ERROR
        number = CONNECT_ERROR if self.state == "NEW" else found
        return [] if self.state == "CLOSED" else self._over(number, _text(number, text), True)

    def tick(self, now: float) -> list[ConnectionOutcome]:
        """Look at the time: see `next_time`."""
        if self.state == "CLOSED":
            return []
        if self.state != "ONLINE":
            if now < self.since + LOGIN_TIME:
                return []
            return self.close(LOGIN_ERROR, _text(LOGIN_ERROR, "the login took too long", 1), is_error=True)
        if now >= self.last_dialog + self._idle:
            if self._idle == RETIRED:
                return self.close(LOST_ARBITRATION, _text(LOST_ARBITRATION))
            return self.close(IDLE_CLOSE, _text(IDLE_CLOSE, int(self._idle)))
        if now >= self._last_heard + 2 * SILENCE:
            return self.lost("the other side does not answer")
        if now >= self._last_heard + SILENCE and not self._is_asking:
            self._is_asking = True
            self._put(Ping())
        return []

    def next_time(self) -> float | None:
        """When `tick` has something to do next."""
        if self.state == "CLOSED":
            return None
        if self.state != "ONLINE":
            return self.since + LOGIN_TIME
        silence = 2 * SILENCE if self._is_asking else SILENCE
        return min(self.last_dialog + self._idle, self._last_heard + silence)

    # --- the other side ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> list[ConnectionOutcome]:
        """Bytes have come."""
        outcomes: list[ConnectionOutcome] = []
        if self.state == "CLOSED":
            return outcomes
        self._reader.add(data)
        self.traffic.bytes_received += len(data)
        self.traffic.receives += 1
        self._last_heard, self._is_asking = now, False
        try:
            while self.state not in ("TLS", "CLOSED") and (payload := self._reader.take()) is not None:
                outcomes += self._handle(payload, now)
        except OutOfTurn as error:
            number = PROTOCOL_ERROR if self.state == "ONLINE" else LOGIN_ERROR
            outcomes += self.close(number, _text(number, error, 3), is_error=True)
        except Malformed as error:
            outcomes += self.close(PROTOCOL_ERROR, _text(PROTOCOL_ERROR, error, 2), is_error=True)
        if self.state == "TLS":
            outcomes.append(StartTls(self._reader.rest()))
        return outcomes

    def _handle(self, payload: bytes, now: float) -> list[ConnectionOutcome]:
        frame = decode(payload)
        if isinstance(frame, Goodbye):
            return self._over(frame.number, frame.text, self.state != "ONLINE")
        if isinstance(frame, Hello):
            self._heard_hello = payload
            return self._guarded(lambda: self._agree(frame))
        if isinstance(frame, Proof):
            return self._guarded(lambda: self._check(frame))
        if isinstance(frame, Accepted):
            self._step(ConnectionEvent.ACCEPTED)
            self._reader.largest = LARGEST
            self.login_time = self.last_dialog = now
            self.was_online = True
            assert self.peer is not None
            return [LoggedIn(self.peer.instance_id, self.who.principal, self.method)]
        self._step(ConnectionEvent.TRAFFIC)
        if isinstance(frame, Ping):
            self._put(Pong())
        elif not isinstance(frame, Pong):
            self.last_dialog = now
            self.traffic.fragments_received += 1
            self.traffic.fragment_bytes_received += len(payload)
            return [Received(frame)]
        return []

    def _guarded(self, call: Callable[[], None]) -> list[ConnectionOutcome]:
        try:
            call()
        except Refused as refused:
            self.refused_user = refused.user
            return self.close(refused.number, refused.text, is_error=True)
        return []

    def _agree(self, theirs: Hello) -> None:
        ours, is_tls = self._hello, False
        if self.state == "HELLO":
            if not set(ours.versions) & set(theirs.versions):
                raise _incompatible("version of the protocol", 1)
            acceptor, initiator = (ours, theirs) if self.is_acceptor else (theirs, ours)
            method = next((m for m in acceptor.methods if m in initiator.methods), None)
            if method is None:
                raise _incompatible("authentication protocol", 2)
            levels = {ours.encryption, theirs.encryption}
            if levels == {"DISABLED", "REQUIRED"}:
                raise _incompatible("encryption", 3)
            self.method, is_tls = method, "DISABLED" not in levels
            if theirs.instance_id == ours.instance_id and theirs.nonce == ours.nonce:
                raise Refused(UNEXPECTED, _text(UNEXPECTED, "our own hello", 4))
        self._step(ConnectionEvent.AGREED_TLS if is_tls else ConnectionEvent.AGREED)
        self.peer = theirs
        if not is_tls:
            self._prove(b"")

    def _prove(self, binding: bytes) -> None:
        mine = encode(self._hello)
        hellos = (self._heard_hello, mine) if self.is_acceptor else (mine, self._heard_hello)
        digest = sha256(b"sbql adjacent broker protocol")
        for part in (*hellos, binding):
            digest.update(len(part).to_bytes(4, "big") + part)
        self._statement = digest.digest()
        proof = self._credentials.prove(self.method, self._said_by(self.is_acceptor))
        _check_fits(proof)
        self._put(proof)

    def _said_by(self, is_acceptor: bool) -> bytes:
        return (b"acceptor:" if is_acceptor else b"initiator:") + self._statement

    def _check(self, proof: Proof) -> None:
        if self.state == "PROOF":
            if proof.method != self.method:
                raise Refused(UNEXPECTED, _text(UNEXPECTED, f"a proof by {proof.method}", 5))
            self.who = self._credentials.check(proof, self._said_by(not self.is_acceptor))
        self._step(ConnectionEvent.PROVEN)
        self._put(Accepted())

    def _step(self, event: ConnectionEvent) -> None:
        found = next_state(self.state, event)
        if found is None:
            raise OutOfTurn(f"{event} in state {self.state}")
        self.state = found

    def _over(self, number: int, text: str, is_error: bool) -> list[ConnectionOutcome]:
        self._step(ConnectionEvent.END)
        return [Closed(number, _line(text), is_error)]

    def _put(self, frame: Frame) -> None:
        data = framed(encode(frame))
        self._out.append(data)
        self.bytes_to_send += len(data)


def _line(text: str) -> str:
    """Words of others stand in logs: on one line, whatever is in them."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _text(number: int, *arguments: object) -> str:
    return message(number).format(*arguments)


def _check_fits(proof: Proof) -> None:
    """Names and keys come from certificates and settings of any size. Raises Refused, so that the reason is known where
    it can be mended, not only at the other side."""
    try:
        payload = encode(proof)
        decode(payload)
        if len(payload) > LARGEST_BEFORE_LOGIN:
            raise Malformed(f"{len(payload)} bytes, where at most {LARGEST_BEFORE_LOGIN} are allowed")
    except (Malformed, UnicodeError) as error:
        raise Refused(NOT_PUT_TOGETHER, _text(NOT_PUT_TOGETHER, error, 6)) from None


def _incompatible(what: str, state: int) -> Refused:
    return Refused(INCOMPATIBLE, _text(INCOMPATIBLE, what, state))
