"""One connection between two instances, as bytes: who is let in, what is agreed, and when it ends."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
import pytest
from login_pair import Pair, Secret

from sbql.engine.network import adjacent
from sbql.engine.network.adjacent import Closed, Connection, ConnectionOutcome, LoggedIn, Received
from sbql.engine.network.connection_state import STATES, TABLE, ConnectionEvent, login_state
from sbql.engine.network.frames import (
    LARGEST_CERTIFICATE,
    Acknowledgement,
    Envelope,
    Goodbye,
    Hello,
    Proof,
    Receipt,
    decode,
    encode,
)
from sbql.engine.network.framing import LARGEST_BEFORE_LOGIN, framed

FRAME = Acknowledgement(Envelope(UUID(int=1), True, "//t", None, "//i", UUID(int=2)), Receipt(3))


def test_the_table_names_every_pair() -> None:
    assert set(TABLE) == {(state, event) for state in STATES for event in ConnectionEvent}
    assert set(TABLE.values()) <= {*STATES, "-"}
    assert all(TABLE["CLOSED", event] == "CLOSED" for event in ConnectionEvent)


@pytest.mark.spec("VIEW-24")
def test_a_login_by_account_has_states_of_its_own() -> None:
    """The four numbers that a login by certificate never has."""

    def numbers(*, by_account: bool) -> set[int]:
        return {login_state(s, is_acceptor=a, by_account=by_account)[0] for s in STATES for a in (False, True)}

    assert numbers(by_account=False) == {0, 1, 9, 10, 11, 12, 13}
    assert numbers(by_account=True) == {0, 1, 2, 3, 6, 7, 9, 12, 13}
    assert login_state("PROOF", is_acceptor=False, by_account=True) == (2, "ONE ISC")


@pytest.mark.spec("WIRE-1")
@pytest.mark.parametrize("one", ["DISABLED", "SUPPORTED", "REQUIRED"])
@pytest.mark.parametrize("other", ["DISABLED", "SUPPORTED", "REQUIRED"])
def test_encryption_is_agreed(one: str, other: str) -> None:
    pair = Pair(Secret(encryption=one), Secret(encryption=other))
    pair.carry()
    if {one, other} == {"DISABLED", "REQUIRED"}:
        assert pair.states() == ("CLOSED", "CLOSED")
        assert {pair.closed(side).number for side in pair.seen} == {28027}
        return
    assert pair.states() == ("ONLINE", "ONLINE")
    assert pair.initiator.is_encrypted == pair.acceptor.is_encrypted == ("DISABLED" not in (one, other))
    assert pair.seen[pair.initiator] == [LoggedIn(UUID(int=20), "friend", "SECRET")]
    assert pair.seen[pair.acceptor] == [LoggedIn(UUID(int=10), "friend", "SECRET")]


@pytest.mark.spec("WIRE-2")
def test_the_acceptors_order_of_methods_decides() -> None:
    pair = Pair(Secret(methods=("A", "B")), Secret(methods=("C", "B", "A")), bindings=(b"", b""))
    pair.carry()
    assert (pair.initiator.method, pair.acceptor.method, pair.initiator.state) == ("B", "B", "ONLINE")


def test_without_a_common_method_nobody_gets_in() -> None:
    pair = Pair(Secret(methods=("A",)), Secret(methods=("B",)))
    pair.carry()
    assert pair.states() == ("CLOSED", "CLOSED")


def test_a_wrong_proof_is_refused_on_both_sides() -> None:
    pair = Pair(Secret(b"1"), Secret(b"2"))
    pair.carry()
    assert pair.states() == ("CLOSED", "CLOSED")
    assert 28035 in {pair.closed(side).number for side in pair.seen}
    assert not any(isinstance(outcome, LoggedIn) for side in pair.seen for outcome in pair.seen[side])


@pytest.mark.spec("WIRE-3")
def test_somebody_in_the_middle_of_the_encryption_is_found() -> None:
    """The two sides see different certificates."""
    pair = Pair(Secret(), Secret(), bindings=(b"of the relay", b"of the acceptor"))
    pair.carry()
    assert pair.states() == ("CLOSED", "CLOSED")


@pytest.mark.spec("WIRE-3")
@pytest.mark.parametrize(
    "change", [{"encryption": "DISABLED"}, {"methods": ("B",)}, {"options": ("x",)}, {"nonce": b"z" * 32}]
)
def test_a_changed_hello_is_found(change: dict[str, object]) -> None:
    """Both sides agree on something weaker, and their proofs do not fit."""
    methods = ("A", "B")
    pair = Pair(Secret(methods=methods), Secret(methods=methods))
    hello = decode(pair.initiator.data_to_send()[20:])
    assert isinstance(hello, Hello)
    fields = {name: getattr(hello, name) for name in hello.__struct_fields__} | change
    pair.acceptor.receive(framed(encode(Hello(**fields))), 0.0)
    for _ in range(4):
        pair.initiator.receive(pair.acceptor.data_to_send(), 0.0)
        pair.acceptor.receive(pair.initiator.data_to_send(), 0.0)
    assert "ONLINE" not in pair.states()


@pytest.mark.spec("WIRE-3")
def test_a_proof_that_is_reflected_is_refused() -> None:
    """Somebody without a secret answers with our own words."""
    one = Connection(False, UUID(int=10), b"a" * 32, Secret(encryption="DISABLED"), 0.0)
    one.start(0.0)
    outcomes: list[ConnectionOutcome] = []
    for _ in range(4):
        outcomes += one.receive(one.data_to_send(), 0.0)
    assert one.state == "CLOSED"
    assert [type(outcome) for outcome in outcomes] == [Closed]


def online() -> Pair:
    pair = Pair()
    pair.carry()
    assert pair.states() == ("ONLINE", "ONLINE")
    pair.seen = {side: [] for side in pair.seen}
    return pair


def test_dialogs_travel_in_any_pieces() -> None:
    pair = online()
    for _ in range(3):
        pair.initiator.send(FRAME, 1.0)
    for byte in pair.initiator.data_to_send():
        pair.seen[pair.acceptor] += pair.acceptor.receive(bytes([byte]), 1.0)
    assert pair.seen[pair.acceptor] == [Received(FRAME)] * 3


@pytest.mark.spec("WIRE-4")
def test_no_dialog_before_the_login() -> None:
    pair = Pair()
    assert [type(outcome) for outcome in pair.acceptor.receive(framed(encode(FRAME)), 0.0)] == [Closed]


@pytest.mark.spec("WIRE-4")
def test_a_stranger_costs_little() -> None:
    pair = Pair()
    (closed,) = pair.acceptor.receive((LARGEST_BEFORE_LOGIN + 1).to_bytes(4, "big") + b"x" * 100, 0.0)
    assert isinstance(closed, Closed)
    assert pair.acceptor.receive(b"x" * 1_000_000, 0.0) == []


@pytest.mark.spec("WIRE-4")
def test_a_login_that_does_not_end_is_ended() -> None:
    pair = Pair()
    assert pair.acceptor.next_time() == adjacent.LOGIN_TIME
    assert pair.acceptor.tick(adjacent.LOGIN_TIME - 1) == []
    assert [type(outcome) for outcome in pair.acceptor.tick(adjacent.LOGIN_TIME)] == [Closed]


def test_damage_ends_the_connection() -> None:
    pair = online()
    pair.initiator.send(FRAME, 1.0)
    data = bytearray(pair.initiator.data_to_send())
    data[-1] ^= 1
    (closed,) = pair.acceptor.receive(bytes(data), 1.0)
    assert isinstance(closed, Closed) and closed.is_error and closed.number == 9757


@pytest.mark.spec("WIRE-5")
def test_an_idle_connection_is_closed_and_an_answering_one_is_not_taken_for_dead() -> None:
    pair = online()
    now = 0.0
    while pair.states() == ("ONLINE", "ONLINE"):
        now = min(time for side in pair.seen if (time := side.next_time()) is not None)
        for side in pair.seen:
            pair.seen[side] += side.tick(now)
        pair.carry(now)
    assert now == adjacent.IDLE
    assert {(pair.closed(side).number, pair.closed(side).is_error) for side in pair.seen} == {(9760, False)}


def test_a_connection_that_lost_the_arbitration_ends_soon() -> None:
    pair = online()
    pair.initiator.retire(True)
    assert pair.initiator.next_time() == adjacent.RETIRED
    (closed,) = pair.initiator.tick(adjacent.RETIRED)
    assert isinstance(closed, Closed) and not closed.is_error and closed.number == 28032


@pytest.mark.spec("WIRE-6")
def test_a_silent_peer_is_taken_for_dead() -> None:
    pair = online()
    pair.initiator.send(FRAME, 55.0)
    assert pair.initiator.tick(adjacent.SILENCE) == []
    assert pair.initiator.next_time() == 2 * adjacent.SILENCE
    (closed,) = pair.initiator.tick(2 * adjacent.SILENCE)
    assert isinstance(closed, Closed) and closed.is_error


def test_a_lost_way_is_told_once() -> None:
    pair = online()
    assert [type(outcome) for outcome in pair.initiator.lost("reset")] == [Closed]
    assert pair.initiator.lost("reset") == pair.initiator.close(9760, "") == pair.initiator.tick(1e9) == []


@pytest.mark.parametrize("words", ["first\nsecond", "a\r\n\x1b[2Jb\0", "\u2028\u202e"])
def test_words_of_strangers_are_one_line(words: str) -> None:
    """They go into the error log, and its lines are looked at on terminals."""
    pair = Pair()
    (closed,) = pair.acceptor.receive(framed(encode(Goodbye(28036, words))), 0.0)
    assert isinstance(closed, Closed) and closed.text.isprintable() and len(closed.text) == len(words)


@pytest.mark.spec("WIRE-17")
@pytest.mark.parametrize(
    "more",
    [
        {"issuer": "CN=" + "x" * 2000},
        {"serial_number": "0a " * 50},
        {"proof": b"p" * 2049},
        {"account": "D\\" + "x" * 127},
        {"account": "D\\\udcff"},
    ],
)
def test_a_proof_that_does_not_fit_is_told_where_it_is_made(more: dict[str, Any]) -> None:
    """Names of certificates, keys and accounts have no bound where they come from."""

    class Long(Secret):
        def prove(self, method: str, statement: bytes) -> Proof:
            return msgspec.structs.replace(super().prove(method, statement), **more)

    pair = Pair(Long(encryption="DISABLED"), Secret(encryption="DISABLED"))
    pair.carry()
    assert pair.states() == ("CLOSED", "CLOSED")
    assert [pair.closed(side).number for side in pair.seen] == [28082, 28082]


def test_the_longest_proof_fits() -> None:
    """With the largest certificate that goes along."""

    class Longest(Secret):
        def prove(self, method: str, statement: bytes) -> Proof:
            proof = super().prove(method, statement)
            return msgspec.structs.replace(proof, serial_number="0a " * 42, certificate=b"c" * LARGEST_CERTIFICATE)

    pair = Pair(Longest(encryption="DISABLED"), Secret(encryption="DISABLED"))
    pair.carry()
    assert pair.states() == ("ONLINE", "ONLINE")
