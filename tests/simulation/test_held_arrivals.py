"""A queue that is OFF while messages come from another instance: the receiver holds them in its transmission queue, and
lets them go when the queue is ON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_network import SHOP, Two

from sbql.engine.simulated_network import Network

HELD = """SELECT message_sequence_number, CAST(message_body AS varchar(20)), from_service_name, to_service_name, is_end_of_dialog, transmission_status, message_type_name
    FROM shop.sys.transmission_queue ORDER BY message_sequence_number, is_conversation_error"""
ERROR = "http://schemas.microsoft.com/SQL/ServiceBroker/Error"
OFF, ON = (f"USE shop; ALTER QUEUE desk WITH STATUS = {word}" for word in ("OFF", "ON"))


class Pair(Two):
    """A, and B, which may be on disk."""

    def __init__(self, folder: Path | None = None) -> None:
        self.network = Network(1, folder=folder)
        self.a, self.b = self.network.add("A"), self.network.add("B", on_disk=folder is not None)
        self.a.execute(SHOP.format(me="A", you="B"))
        self.b.execute(SHOP.format(me="B", you="A"))

    def say(self, handle: str, *texts: str) -> None:
        self.a.execute("USE shop; " + "; ".join(f"SEND ON CONVERSATION '{handle}' ('{text}')" for text in texts))

    def held(self) -> list[tuple[int, str | None]]:
        return [(row[0], row[1]) for row in self.b.execute(HELD)[0] if row[2] == "//A"]

    def held_types(self) -> list[str]:
        return [row[6] for row in self.b.execute(HELD)[0]]

    def endpoint(self, what: str) -> Any:
        ((found,),) = self.b.execute(f"SELECT {what} FROM shop.sys.conversation_endpoints")[0]
        return found


@pytest.fixture
def pair() -> Iterator[Pair]:
    found = Pair()
    with found.network:
        yield found


@pytest.mark.spec("NETWORK-9", "PLACE-3", "OFF-8")
def test_a_dialog_can_begin_end_and_be_forgotten_by_its_sender_while_the_queue_is_off(pair: Pair) -> None:
    pair.b.execute(OFF)
    handle = pair.begin()
    pair.network.advance(1)
    assert pair.status() == []  # acknowledged
    (row,) = pair.b.execute(HELD)[0]
    assert row[:5] == (0, "first", "//A", "//B", False) and "queue is disabled" in row[5]
    assert (pair.endpoint("state"), pair.endpoint("receive_sequence"), pair.queue(pair.b)) == ("SI", 1, [])
    pair.say(handle, "second", "third")
    pair.a.execute(f"USE shop; END CONVERSATION '{handle}'")
    pair.network.advance(1)
    assert pair.state(pair.a) == []  # done: B has its end on disk
    assert pair.held() == [(0, "first"), (1, "second"), (2, "third"), (3, None)]
    pair.b.execute(ON)
    pair.network.advance(1)
    assert pair.queue(pair.b) == [
        ("DEFAULT", "first"),
        ("DEFAULT", "second"),
        ("DEFAULT", "third"),
        ("EndDialog", None),
    ]
    assert (pair.endpoint("state"), pair.endpoint("receive_sequence"), pair.held()) == ("DI", 4, [])


@pytest.mark.spec("NETWORK-9")
@pytest.mark.parametrize(("how", "count"), [("crash", 3), ("close", 1100)])
def test_what_is_held_survives_reopening_and_nothing_overtakes_it(tmp_path: Path, how: str, count: int) -> None:
    """1,100 are more than may be ahead, and than one transaction lets go."""
    pair = Pair(tmp_path)
    with pair.network:
        _reopen(pair, how, count)


def _reopen(pair: Pair, how: str, count: int) -> None:
    handle = pair.begin()
    pair.network.deliver()
    pair.b.execute(OFF)
    pair.say(handle, *(f"n{n}" for n in range(count)))
    pair.network.advance(5)
    assert len(pair.held()) == count and pair.status() == []
    getattr(pair.b, how)()
    pair.b.open()
    assert len(pair.held()) == count and len(pair.queue(pair.b)) == 1
    pair.say(handle, "last")
    pair.network.advance(100)
    assert len(pair.held()) == count + 1
    pair.b.execute(ON)
    pair.say(handle, "very last")
    pair.network.deliver()
    expected = ["first", *(f"n{n}" for n in range(count)), "last", "very last"]
    assert pair.queue(pair.b) == [("DEFAULT", body) for body in expected]


def test_the_same_comes_twice_and_is_held_once(pair: Pair) -> None:
    """The receipt got lost: the sender repeats what is held already."""
    handle = pair.begin()
    pair.network.deliver()
    pair.b.execute(OFF)
    pair.say(handle, "second")
    pair.network.run_until(lambda: bool(pair.held()))
    pair.network.cut("A", "B")
    pair.network.advance(200)
    assert pair.held() == [(1, "second")] and pair.status() == []
    pair.b.execute(ON)
    pair.network.advance(1)
    assert [body for _, body in pair.queue(pair.b)] == ["first", "second"]


def test_the_receiver_ends_while_messages_are_held_for_it(pair: Pair) -> None:
    """They go with the dialog, and an end among them is heard: both sides are done."""
    handles = [pair.begin() for _ in range(4)]
    pair.network.deliver()
    others = [
        row[0] for row in pair.b.execute("SELECT conversation_handle FROM shop.dbo.desk ORDER BY queuing_order")[0]
    ]
    pair.b.execute(OFF)
    for handle in handles:
        pair.say(handle, "second")
    pair.a.execute(f"USE shop; END CONVERSATION '{handles[3]}'")
    pair.network.advance(1)
    assert len(pair.held()) == 5
    for other, way in zip(others, ("", " WITH CLEANUP", " WITH ERROR = 1 DESCRIPTION = 'x'", ""), strict=True):
        before = pair.held()
        pair.b.execute(f"USE shop; BEGIN TRANSACTION; END CONVERSATION '{other}'{way}; ROLLBACK")
        assert pair.held() == before
        pair.b.execute(f"USE shop; END CONVERSATION '{other}'{way}")
        pair.network.advance(1)
        assert len(pair.held()) == len(before) - (1 if other != others[3] else 2)
    pair.network.deliver()
    assert (pair.queue(pair.b), pair.b.execute(HELD)[0], pair.state(pair.b)) == ([], [], ["CD"] * 3)


@pytest.mark.spec("NETWORK-9")
@pytest.mark.parametrize("is_reopened", [False, True], ids=["runs", "reopened"])
@pytest.mark.parametrize(("how", "kind"), [("", "EndDialog"), (" WITH ERROR = 7 DESCRIPTION = 'x'", "Error")])
def test_what_is_held_is_received_though_the_receiver_writes_to_a_side_that_is_gone(
    tmp_path: Path, how: str, kind: str, is_reopened: bool
) -> None:
    """What it writes is answered with 8462. It would know that the other side has ended, were its queue ON."""
    pair = Pair(tmp_path)
    with pair.network:
        handle = pair.begin()
        pair.network.deliver()
        ((other,),) = pair.b.execute("SELECT conversation_handle FROM shop.sys.conversation_endpoints")[0]
        pair.b.execute(OFF)
        pair.say(handle, "second")
        pair.network.advance(1)
        pair.a.execute(f"USE shop; END CONVERSATION '{handle}'{how}")
        pair.network.advance(1)
        assert pair.state(pair.a) == [] and len(pair.held()) == 2
        if is_reopened:
            pair.b.crash()
            pair.b.open()
        pair.b.execute(f"USE shop; SEND ON CONVERSATION '{other}' ('late')")
        pair.network.advance(100)
        assert len(pair.held()) == 2 and pair.state(pair.b) == ["CO"]
        pair.b.execute(ON)
        pair.network.advance(100)
        assert pair.queue(pair.b)[:2] == [("DEFAULT", "first"), ("DEFAULT", "second")]
        assert [name for name, _ in pair.queue(pair.b)[2:]] == [kind]
        pair.b.execute(f"USE shop; END CONVERSATION '{other}'")
        assert (pair.state(pair.b), pair.b.execute(HELD)[0]) == (["CD"], [])


def test_a_message_that_is_refused_is_refused_while_the_queue_is_off(pair: Pair) -> None:
    """The sender hears of it at once: nobody keeps what can never be received."""
    for machine in pair.a, pair.b:
        machine.execute(
            f"USE shop; CREATE MESSAGE TYPE doc VALIDATION = {'NONE' if machine is pair.a else 'WELL_FORMED_XML'}; CREATE CONTRACT docs (doc SENT BY ANY)"
        )
    pair.b.execute("USE shop; ALTER SERVICE [//B] (ADD CONTRACT docs)")
    text = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' ON CONTRACT docs WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h MESSAGE TYPE doc ('<a/>'); SELECT @h"""
    handle = pair.a.execute(text)[0][0][0]
    pair.network.deliver()
    pair.b.execute(OFF)
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' MESSAGE TYPE doc ('<a>')")
    pair.network.advance(5)
    assert pair.error(pair.a) == "-9615"
    assert pair.held_types() == [ERROR]  # B's own, -9616


def test_a_lifetime_ends_while_messages_are_held(pair: Pair) -> None:
    pair.b.execute(OFF)
    pair.begin(", LIFETIME = 60")
    pair.network.advance(100)
    assert pair.endpoint("state") == "ER" and pair.held_types() == ["DEFAULT", ERROR]
    pair.b.execute(ON)
    pair.network.advance(10)
    assert pair.held() == [] and pair.error(pair.b) == "-8489"


def test_the_service_moves_to_a_queue_that_is_on(pair: Pair) -> None:
    pair.b.execute(OFF)
    pair.begin()
    pair.network.advance(1)
    pair.b.execute("USE shop; CREATE QUEUE other; ALTER SERVICE [//B] ON QUEUE other")
    pair.network.advance(1)
    assert pair.held() == []
    assert pair.b.execute("SELECT CAST(message_body AS varchar(20)) FROM shop.dbo.other") == [[("first",)]]
