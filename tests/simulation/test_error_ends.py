"""END CONVERSATION WITH ERROR between instances: it deletes what has not been brought over, so the Error comes behind
numbers that never come. Both sides are done all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tampering import Withheld
from test_held_arrivals import OFF, ON, Pair
from test_late_receipts import SHOP

from sbql.engine.simulated_network import Machine, Mischief, Network

ENDPOINTS = "shop.sys.conversation_endpoints"
HANDLES = f"SELECT conversation_handle FROM {ENDPOINTS}"
DESK = """SELECT CASE message_type_name WHEN 'DEFAULT' THEN CAST(message_body AS varchar(20)) ELSE 'error' END, status
    FROM shop.dbo.desk ORDER BY message_sequence_number"""
SENT = (
    "SELECT message_sequence_number, is_conversation_error FROM shop.sys.transmission_queue WHERE from_service_name = "
)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    found = Pair.__new__(Pair)
    found.network = Network(3, folder=tmp_path)
    found.a, found.b = (found.network.add(name, on_disk=True) for name in "AB")
    found.a.execute(SHOP.format(me="A", you="B"))
    found.b.execute(SHOP.format(me="B", you="A"))
    with found.network:
        yield found


def give_up(machine: Machine, handle: str) -> None:
    machine.execute(f"USE shop; END CONVERSATION '{handle}' WITH ERROR = 7 DESCRIPTION = 'enough'")


def say(machine: Machine, handle: str, *texts: str) -> None:
    machine.execute("USE shop; " + "; ".join(f"SEND ON CONVERSATION '{handle}' ('{text}')" for text in texts))


def handle_of(machine: Machine) -> str:
    ((found,),) = machine.execute(HANDLES)[0]
    return str(found)


def desk(machine: Machine) -> list[Any]:
    return [tuple(row) for row in machine.execute(DESK)[0]]


def crash(pair: Pair) -> None:
    for machine in (pair.a, pair.b):
        machine.crash()
        machine.open()


@pytest.mark.parametrize("restarts", [False, True], ids=["on", "restarted"])
@pytest.mark.parametrize("queue", ["ON", "OFF"])
@pytest.mark.parametrize("who", ["initiator", "target", "both"])
def test_the_error_is_heard_behind_what_was_deleted(pair: Pair, who: str, queue: str, restarts: bool) -> None:
    handle = pair.begin()
    pair.network.deliver()
    sides = {"initiator": (pair.a, handle), "target": (pair.b, handle_of(pair.b))}
    say(pair.b, sides["target"][1], "answer")
    pair.network.deliver()
    enders = [sides[name] for name in sides if who in (name, "both")]
    hearers = [sides[name] for name in sides if who not in (name, "both")]
    pair.network.partition(["A"], ["B"])
    for machine, own in enders:
        say(machine, own, "lost", "lost too")
        pair.network.advance(1)
        give_up(machine, own)
        assert machine.execute(f"{SENT}'//{machine.name}'") == [[(3, True)]]
    for machine, _ in hearers:
        machine.execute(f"USE shop; ALTER QUEUE desk WITH STATUS = {queue}")
    if restarts:
        crash(pair)
    pair.network.heal()
    pair.network.deliver() if queue == "ON" else pair.network.advance(300)
    for machine, own in hearers:
        machine.execute(ON)
        pair.network.deliver()
        text = "first" if machine is pair.b else "answer"
        assert (desk(machine), pair.state(machine)) == ([(text, 1), ("error", 1)], ["ER"])
        machine.execute(f"USE shop; END CONVERSATION '{own}'")
    pair.network.advance(300)
    assert (pair.state(pair.a), pair.state(pair.b)) == ([], ["CD"])


def test_what_was_kept_behind_the_gap_goes_and_what_comes_later_is_a_duplicate(pair: Pair) -> None:
    """The second message does not arrive, the third waits for it; then the dialog ends, and the second comes."""
    handle = pair.begin()
    pair.network.deliver()
    withheld = Withheld(b"late")
    pair.network.spoil(Mischief(rewrite=withheld.rewrite))
    say(pair.a, handle, "late", "kept")
    pair.network.advance(1)
    assert desk(pair.b) == [("first", 1), ("kept", 2)]
    give_up(pair.a, handle)
    pair.network.deliver()
    expected = [("first", 1), ("error", 1)]
    assert (desk(pair.b), pair.state(pair.b), pair.state(pair.a)) == (expected, ["ER"], [])
    assert withheld.count
    withheld.let_go()
    pair.begin()  # something goes that way
    pair.network.advance(300)
    assert withheld.count == 0
    assert pair.b.execute(f"SELECT receive_sequence FROM {ENDPOINTS} WHERE state = 'ER'") == [[(4,)]]
    assert desk(pair.b) == [("first", 1), ("first", 1), ("error", 1)]


@pytest.mark.parametrize("queue", ["ON", "OFF"])
def test_an_error_overtakes_what_was_held_for_it(pair: Pair, queue: str) -> None:
    """What the receiver has on disk is received before it, what it has not is not missed."""
    handle = pair.begin()
    pair.network.deliver()
    if queue == "OFF":
        pair.b.execute(OFF)
    say(pair.a, handle, "second")
    pair.network.advance(1)
    pair.network.partition(["A"], ["B"])
    say(pair.a, handle, "third")
    give_up(pair.a, handle)
    pair.network.heal()
    pair.network.advance(100)
    pair.b.execute(ON)
    pair.network.deliver()
    assert desk(pair.b) == [("first", 1), ("second", 1), ("error", 1)]
    assert (pair.state(pair.a), pair.state(pair.b)) == ([], ["ER"])


@pytest.mark.parametrize("restarts", [False, True], ids=["on", "restarted"])
@pytest.mark.parametrize("has_arrived", [True, False], ids=["arrived", "lost"])
def test_a_dialog_whose_first_message_was_never_acknowledged_ends_on_both_sides(
    pair: Pair, has_arrived: bool, restarts: bool
) -> None:
    """Its sender cannot know whether it has arrived: it is done when the other side says so."""
    pair.b.execute("USE shop; DROP ROUTE there")
    if not has_arrived:
        pair.network.partition(["A"], ["B"])
    handle = pair.begin()
    pair.network.advance(10)
    assert desk(pair.b) == ([("first", 1)] if has_arrived else [])
    pair.network.partition(["A"], ["B"])
    give_up(pair.a, handle)
    assert pair.state(pair.a) == ["DO"] and pair.a.execute(f"{SENT}'//A'") == [[(1, True)]]
    if restarts:
        crash(pair)
    pair.network.heal()
    pair.network.advance(100)
    assert pair.state(pair.a) == ["DO"]
    pair.b.execute("USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'")
    pair.network.deliver()
    expected = [("first", 1), ("error", 1)], ["ER"]
    assert (desk(pair.b), pair.state(pair.b)) == (expected if has_arrived else ([], ["CD"]))
    assert pair.state(pair.a) == []
    pair.network.advance(1900)
    assert pair.state(pair.b) == (["ER"] if has_arrived else [])


def test_a_first_message_that_comes_after_the_error_begins_nothing(pair: Pair) -> None:
    withheld = Withheld(b"first")
    pair.network.spoil(Mischief(rewrite=withheld.rewrite))
    handle = pair.begin()
    pair.network.advance(1)
    assert withheld.count and pair.state(pair.b) == []
    give_up(pair.a, handle)
    pair.network.deliver()
    assert (pair.state(pair.a), pair.state(pair.b), desk(pair.b)) == ([], ["CD"], [])
    withheld.let_go()
    pair.begin()
    pair.network.deliver()
    assert withheld.count == 0
    assert (pair.state(pair.b), desk(pair.b)) == (["CD", "CO"], [("first", 1)])


def test_a_dialog_that_never_went_anywhere_is_gone_at_once(pair: Pair) -> None:
    pair.a.execute("USE shop; DROP ROUTE there")
    handle = pair.begin()
    give_up(pair.a, handle)
    assert (pair.state(pair.a), pair.status()) == ([], [])


def test_a_lifetime_ends_a_side_that_nobody_answers(pair: Pair) -> None:
    pair.network.partition(["A"], ["B"])
    handle = pair.begin(", LIFETIME = 60")
    pair.network.advance(10)
    give_up(pair.a, handle)
    assert pair.state(pair.a) == ["DO"]
    pair.network.advance(100)
    assert (pair.state(pair.a), pair.status()) == ([], [])


@pytest.mark.parametrize("problem", ["contract", "right"])
def test_a_target_that_refuses_the_dialog_refuses_its_end(pair: Pair, problem: str) -> None:
    pair.network.partition(["A"], ["B"])
    pair.a.execute("USE shop; CREATE CONTRACT own ([DEFAULT] SENT BY ANY)")
    contract = "ON CONTRACT own " if problem == "contract" else ""
    begin = f"""USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' {contract}WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h ('first'); SELECT @h"""
    handle = str(pair.a.execute(begin)[0][0][0])
    pair.network.advance(10)
    give_up(pair.a, handle)
    if problem == "right":
        pair.b.execute("USE shop; REVOKE SEND ON SERVICE::[//B] FROM public")
    pair.network.heal()
    pair.network.deliver()
    assert (pair.state(pair.a), pair.state(pair.b)) == ([], [])
