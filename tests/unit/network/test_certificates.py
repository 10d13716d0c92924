"""Logins by certificate: who is let in; and that nothing on the way can change, repeat, reflect or relay
one, by certificate or by account."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
import pytest
from login_pair import Pair

from sbql.catalog.records import Certificate, InstanceEndpoint
from sbql.engine.instance import Instance
from sbql.engine.network.adjacent import LOGIN_TIME, Closed, Connection, ConnectionOutcome
from sbql.engine.network.credentials import Domain, EndpointCredentials, methods_of
from sbql.engine.network.frames import Frame, Hello, Proof, decode, encode
from sbql.engine.network.framing import FrameReader, framed
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.security import cryptography as crypto

SETUP = """CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
CREATE CERTIFICATE mine WITH SUBJECT = 'Machine {me}', EXPIRY_DATE = '2027-01-01'
CREATE ENDPOINT broker AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE mine)
CREATE LOGIN {you} WITH PASSWORD = 'Strong1!'
CREATE USER {you} FOR LOGIN {you}"""
KNOW = """CREATE CERTIFICATE theirs AUTHORIZATION {you} FROM BINARY = 0x{der}
GRANT CONNECT ON ENDPOINT::broker TO {you}"""


class Machine:
    """One side: an instance with an endpoint, and its credentials."""

    def __init__(self, me: str, you: str) -> None:
        self.instance = Instance.open(None, clock="virtual", seed=len(me))
        self.late = 0.0
        self.domain = Domain("D\\service", lambda: b"secret")
        self.session = self.instance.connect()
        self.run(SETUP.format(me=me, you=you))

    def run(self, text: str) -> None:
        for line in text.splitlines():
            for outcome in self.session.run(line):
                assert not isinstance(outcome, ErrorOutcome), outcome.error

    def certificate(self, name: str = "mine") -> Certificate:
        found = self.instance.catalog.find(Certificate, 1, name)
        assert found is not None
        return found

    def credentials(self, authentication: str = "CERTIFICATE", encryption: str = "REQUIRED") -> EndpointCredentials:
        endpoint = self.instance.catalog.find(InstanceEndpoint, 0, "broker")
        assert endpoint is not None
        endpoint = msgspec.structs.replace(endpoint, authentication=authentication, encryption=encryption)
        return EndpointCredentials(
            endpoint, lambda: self.instance.catalog, lambda: self.instance.host.now() + self.late, self.domain
        )


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Machine, Machine]]:
    one, other = Machine("One", "Another"), Machine("Another", "One")
    one.run(KNOW.format(you="Another", der=other.certificate().certificate_der.hex()))
    other.run(KNOW.format(you="One", der=one.certificate().certificate_der.hex()))
    yield one, other
    for machine in (one, other):
        machine.instance.close()


def login(both: tuple[Machine, Machine], **bindings: Any) -> Pair:
    pair = Pair(both[0].credentials(), both[1].credentials(), **bindings)
    pair.carry()
    return pair


def reasons(pair: Pair) -> set[int]:
    """Why the two sides have closed."""
    return {outcome.number for side in pair.seen for outcome in pair.seen[side] if isinstance(outcome, Closed)}


def test_each_is_known_as_the_owner_of_its_certificate(both: tuple[Machine, Machine]) -> None:
    pair = login(both)
    assert pair.states() == ("ONLINE", "ONLINE")
    assert (pair.initiator.who.principal, pair.acceptor.who.principal) == ("Another", "One")
    assert pair.initiator.who.certificate_id == both[0].certificate("theirs").id
    assert pair.initiator.is_encrypted and pair.acceptor.is_encrypted


ORDERS = ("WINDOWS NEGOTIATE", "CERTIFICATE", "WINDOWS NTLM CERTIFICATE", "CERTIFICATE WINDOWS KERBEROS")


@pytest.mark.spec("WIRE-2", "WIRE-12")
@pytest.mark.parametrize(("one", "other"), list(itertools.product(ORDERS, ORDERS)))
def test_the_acceptors_first_method_that_both_allow(both: tuple[Machine, Machine], one: str, other: str) -> None:
    pair = Pair(both[0].credentials(one), both[1].credentials(other))
    pair.carry()
    common = [method for method in methods_of(other) if method in methods_of(one)]
    if common:
        assert pair.states() == ("ONLINE", "ONLINE")
        assert pair.initiator.method == pair.acceptor.method == common[0]
    else:
        assert reasons(pair) == {28027}


# --- somebody on the way -----------------------------------------------------------------------------------

METHODS = ("CERTIFICATE", "WINDOWS NEGOTIATE")


def changed(frame: Frame) -> Iterator[Frame]:
    """A frame of the login with one part of it changed, each in turn, in every way that still is a frame."""
    for name in frame.__struct_fields__:
        value = getattr(frame, name)
        others: list[Any] = []
        if name in ("method", "encryption"):
            others = [("NEGOTIATE" if value == "CERTIFICATE" else "CERTIFICATE") if name == "method" else "DISABLED"]
        elif isinstance(value, str):
            others = [value + "x", value[:-1]] if value else ["x"]
        elif isinstance(value, bytes):
            others = [bytes([value[0] ^ 1]) + value[1:], value[:-1] + bytes([value[-1] ^ 1])] if value else [b"x"]
        elif isinstance(value, UUID):
            others = [UUID(int=value.int ^ 1)]
        elif isinstance(value, tuple):
            others = [(*value, 2 if name == "versions" else "NEW")]
        for other in (other for other in others if other != value):
            yield msgspec.structs.replace(frame, **{name: other})


def frames_in(data: bytes) -> list[Frame]:
    reader, found = FrameReader(), []
    reader.add(data)
    while (payload := reader.take()) is not None:
        found.append(decode(payload))
    return found


class Spoiler:
    """Changes the part of this number in what one side says; `what` it has changed."""

    def __init__(self, side: Connection, kind: type[Frame], place: int) -> None:
        self.side, self.kind, self.place = side, kind, place
        self.what = ""

    def __call__(self, side: Connection, data: bytes) -> bytes:
        return b"".join(framed(encode(self.spoiled(frame))) for frame in frames_in(data)) if side is self.side else data

    def spoiled(self, frame: Frame) -> Frame:
        others = list(changed(frame)) if isinstance(frame, self.kind) else []
        if self.place >= len(others):
            return frame
        self.what = f"{others[self.place]}"
        return others[self.place]


def alterations(both: tuple[Machine, Machine], how: str, encryption: str) -> Iterator[tuple[str, Pair]]:
    """Logins in which one part of one frame was changed on its way."""
    for from_initiator, kind in itertools.product((True, False), (Hello, Proof)):
        place = 0
        while True:
            pair = Pair(both[0].credentials(how, encryption), both[1].credentials(how, encryption))
            spoiler = Spoiler(pair.initiator if from_initiator else pair.acceptor, kind, place)
            pair.on_the_way = spoiler
            pair.carry()
            if not spoiler.what:
                break
            yield spoiler.what, pair
            place += 1


@pytest.mark.spec("WIRE-3")
@pytest.mark.parametrize("encryption", ["DISABLED", "REQUIRED"])
@pytest.mark.parametrize("how", METHODS)
def test_whatever_part_of_a_login_is_changed_nobody_is_online(
    both: tuple[Machine, Machine], how: str, encryption: str
) -> None:
    """Hellos go in the clear: with encryption only they can be changed in fact, and TLS keeps the rest."""
    count = 0
    for what, pair in alterations(both, how, encryption):
        assert "ONLINE" not in pair.states(), what
        for side in pair.seen:
            side.tick(LOGIN_TIME)
        assert pair.states() == ("CLOSED", "CLOSED"), what
        count += 1
    assert count > 20


def carried(both: tuple[Machine, Machine], how: str) -> tuple[Pair, dict[bool, bytes]]:
    """A good login without encryption, and what each side has said (True: the initiator)."""
    pair = Pair(both[0].credentials(how, "DISABLED"), both[1].credentials(how, "DISABLED"))
    said = {True: b"", False: b""}

    def note(side: Connection, data: bytes) -> bytes:
        said[side is pair.initiator] += data
        return data

    pair.on_the_way = note
    pair.carry()
    assert pair.states() == ("ONLINE", "ONLINE")
    return pair, said


def talk(one: Connection, words: bytes) -> list[ConnectionOutcome]:
    one.start(0.0)
    return one.receive(words, 0.0)


@pytest.mark.spec("WIRE-3")
@pytest.mark.parametrize("is_acceptor", [True, False])
@pytest.mark.parametrize("how", METHODS)
def test_a_login_that_is_said_again_is_refused(both: tuple[Machine, Machine], how: str, is_acceptor: bool) -> None:
    """Replay: all that the other side said once, to a side with a new nonce."""
    _, said = carried(both, how)
    credentials = both[is_acceptor].credentials(how, "DISABLED")
    side = Connection(is_acceptor, UUID(int=5), b"n" * 32, credentials, 0.0)
    (closed,) = talk(side, said[is_acceptor])
    assert isinstance(closed, Closed) and closed.number == 28038


@pytest.mark.spec("WIRE-3")
@pytest.mark.parametrize("is_acceptor", [True, False])
@pytest.mark.parametrize("how", METHODS)
def test_a_login_that_is_reflected_is_refused(both: tuple[Machine, Machine], how: str, is_acceptor: bool) -> None:
    """Even where one's own certificate is in master, as it always is, and one's own account is let in."""
    side = Connection(is_acceptor, UUID(int=5), b"n" * 32, both[0].credentials(how, "DISABLED"), 0.0)
    side.start(0.0)
    for _ in range(4):
        side.receive(side.data_to_send(), 0.0)
    assert side.state == "CLOSED"


@pytest.mark.spec("WIRE-3")
@pytest.mark.parametrize("how", METHODS)
def test_a_proof_for_one_side_is_none_for_the_other(both: tuple[Machine, Machine], how: str) -> None:
    """Somebody opens a second connection in the other direction and hands the proofs of the first over."""
    _, said = carried(both, how)
    frames = frames_in(said[True])
    side = Connection(False, UUID(int=20), b"b" * 32, both[1].credentials(how, "DISABLED"), 0.0)
    outcomes = talk(side, b"".join(framed(encode(frame)) for frame in frames))
    assert [type(outcome) for outcome in outcomes] == [Closed]


@pytest.mark.spec("WIRE-3")
@pytest.mark.parametrize("how", METHODS)
def test_somebody_between_two_encryptions_is_found(both: tuple[Machine, Machine], how: str) -> None:
    pair = Pair(both[0].credentials(how), both[1].credentials(how), bindings=(b"of the relay", b"of the acceptor"))
    pair.carry()
    assert (pair.states(), 28038 in reasons(pair)) == (("CLOSED", "CLOSED"), True)


# --- certificates that are not good ------------------------------------------------------------------------


@pytest.mark.spec("WIRE-13")
@pytest.mark.parametrize(
    ("late", "numbers"), [(366 * 86400.0, {9763, 28035}), (-400 * 86400.0, {9763, 28035}), (3600.0, set())]
)
@pytest.mark.parametrize("who", [0, 1])
def test_dates_are_those_of_the_own_clock(
    both: tuple[Machine, Machine], who: int, late: float, numbers: set[int]
) -> None:
    both[who].late = late
    try:
        pair = login(both)
    finally:
        both[who].late = 0.0
    assert reasons(pair) <= numbers and bool(reasons(pair)) == bool(numbers)


def attempt(both: tuple[Machine, Machine], change: str, back: str) -> Pair:
    both[1].run(change)
    try:
        return login(both)
    finally:
        both[1].run(back)


CHANGES = {
    "no CONNECT": ("REVOKE CONNECT ON ENDPOINT::broker FROM One", "GRANT CONNECT ON ENDPOINT::broker TO One", 28034),
    "denied": (
        "DENY CONNECT ON ENDPOINT::broker TO One",
        "REVOKE CONNECT ON ENDPOINT::broker FROM One\nGRANT CONNECT ON ENDPOINT::broker TO One",
        28034,
    ),
    "login disabled": ("ALTER LOGIN One DISABLE", "ALTER LOGIN One ENABLE", 28034),
    "dropped": ("DROP CERTIFICATE theirs", "CREATE CERTIFICATE theirs AUTHORIZATION One FROM BINARY = 0x{der}", 28036),
    "own closed": ("ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY", "", 9765),
}


@pytest.mark.spec("WIRE-13")
@pytest.mark.parametrize("name", list(CHANGES))
def test_who_may_not_is_refused(both: tuple[Machine, Machine], name: str) -> None:
    change, back, number = CHANGES[name]
    kept = both[1].certificate()
    der = both[0].certificate().certificate_der.hex()
    if name == "own closed":
        key = both[1].instance.catalog
        both[1].run(change)
        pair = login(both)
        both[1].instance.publish_catalog(key)
        assert both[1].certificate() == kept
    else:
        pair = attempt(both, change, back.format(der=der))
    assert (pair.states(), number in reasons(pair)) == (("CLOSED", "CLOSED"), True)
    assert login(both).states() == ("ONLINE", "ONLINE")


@pytest.mark.spec("WIRE-13")
@pytest.mark.parametrize(("shows_it", "number"), [(True, 28045), (False, 28038)])
def test_another_certificate_of_the_same_name_and_number(
    both: tuple[Machine, Machine], shows_it: bool, number: int
) -> None:
    """Anybody can make one with any issuer and serial number."""
    theirs = both[0].certificate()
    private = crypto.new_private_key()
    forged = crypto.new_certificate(private, "Machine One", theirs.start_date, theirs.expiry_date, b"\1" * 16)

    class Forger(EndpointCredentials):
        def prove(self, method: str, statement: bytes) -> Proof:
            proof = super().prove(method, statement)
            shown = forged if shows_it else b""
            return msgspec.structs.replace(proof, proof=crypto.sign(private, statement), certificate=shown)

    good = both[0].credentials()
    forger = Forger(good._endpoint, good._look, good._now, good._domain)
    pair = Pair(forger, both[1].credentials())
    pair.carry()
    assert (pair.states(), number in reasons(pair)) == (("CLOSED", "CLOSED"), True)


@pytest.mark.spec("WIRE-14")
def test_a_stranger_comes_in_where_everybody_may_connect(both: tuple[Machine, Machine]) -> None:
    """As nobody in particular; his certificate still has to be his."""
    der = both[0].certificate().certificate_der.hex()
    both[1].run("DROP CERTIFICATE theirs\nGRANT CONNECT ON ENDPOINT::broker TO public")
    try:
        pair = login(both)
        assert pair.states() == ("ONLINE", "ONLINE")
        assert (pair.acceptor.who.principal, pair.acceptor.who.certificate_id) == ("public", 0)
        assert login(both, bindings=(b"relay", b"acceptor")).states() == ("CLOSED", "CLOSED")
        both[1].late = 500 * 86400.0
        stranger = Pair(both[0].credentials(), both[1].credentials("CERTIFICATE"))
        stranger.carry()
        assert "ONLINE" not in stranger.states()
    finally:
        both[1].late = 0.0
        both[1].run("REVOKE CONNECT ON ENDPOINT::broker FROM public")
        both[1].run(f"CREATE CERTIFICATE theirs AUTHORIZATION One FROM BINARY = 0x{der}")


def test_a_short_key_works(both: tuple[Machine, Machine]) -> None:
    """1024 bits, as scripts of the time have them."""
    private = crypto.new_private_key(1024)
    kept = both[0].certificate()
    der = crypto.new_certificate(private, "Short", kept.start_date, kept.expiry_date, b"\2" * 16)
    signature = crypto.sign(private, b"statement")
    both[1].run(f"CREATE CERTIFICATE short AUTHORIZATION One FROM BINARY = 0x{der.hex()}")
    facts = crypto.certificate_facts(der)
    proof = Proof("CERTIFICATE", signature, facts.issuer, facts.serial, der)
    assert both[1].credentials().check(proof, b"statement").principal == "One"
    both[1].run("DROP CERTIFICATE short")
