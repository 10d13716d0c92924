"""Brokers that are disabled, ended with errors, or may not receive, while another instance sends to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_held_arrivals import Pair

from sbql.engine.simulated_network import Machine

DISABLE, ENABLE = (f"USE master; ALTER DATABASE shop SET {word}_BROKER" for word in ("DISABLE", "ENABLE"))
DESK = "SELECT CAST(message_body AS varchar(20)) FROM shop.dbo.desk WHERE message_type_name = 'DEFAULT' ORDER BY message_sequence_number"
ENDPOINT = "SELECT state, end_dialog_sequence FROM shop.sys.conversation_endpoints"
WAITING = "SELECT COUNT(*) FROM shop.sys.transmission_queue WHERE from_service_name = "


@pytest.fixture
def pair() -> Iterator[Pair]:
    found = Pair()
    with found.network:
        yield found


def desk(machine: Machine) -> list[Any]:
    return [row[0] for row in machine.execute(DESK)[0]]


def waiting(machine: Machine) -> int:
    return int(machine.execute(f"{WAITING}'//{machine.name}'")[0][0][0])


def target(pair: Pair) -> str:
    return str(pair.b.execute("SELECT conversation_handle FROM shop.sys.conversation_endpoints")[0][0][0])


def send(machine: Machine, handle: str, text: str) -> None:
    machine.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('{text}')")


@pytest.mark.parametrize("what", ["message", "end", "error"])
@pytest.mark.parametrize("frozen", ["initiator", "target"])
def test_what_comes_for_a_disabled_broker_waits_unacknowledged(pair: Pair, frozen: str, what: str) -> None:
    handle = pair.begin()
    pair.network.deliver()
    sender, receiver, own = (pair.a, pair.b, handle) if frozen == "target" else (pair.b, pair.a, target(pair))
    before = desk(receiver)
    receiver.execute(DISABLE)
    if what == "message":
        send(sender, own, "late")
    else:
        error = " WITH ERROR = 7 DESCRIPTION = 'x'" if what == "error" else ""
        sender.execute(f"USE shop; END CONVERSATION '{own}'{error}")
    pair.network.advance(100)
    assert (desk(receiver), pair.state(receiver), waiting(sender)) == (before, ["CO"], 1)
    receiver.execute(ENABLE)
    pair.network.deliver()
    assert waiting(sender) == 0
    assert desk(receiver) == before + ["late"] * (what == "message")
    assert pair.state(receiver) == [{"message": "CO", "end": "DI", "error": "ER"}[what]]


@pytest.mark.parametrize("frozen", ["initiator", "target"])
def test_what_a_disabled_broker_has_given_to_the_network_stays(pair: Pair, frozen: str) -> None:
    handle = pair.begin()
    pair.network.deliver()
    sender, receiver, own = (pair.a, pair.b, handle) if frozen == "initiator" else (pair.b, pair.a, target(pair))
    before = desk(receiver)
    pair.network.partition(["A"], ["B"])
    send(sender, own, "late")
    pair.network.advance(10)
    sender.execute(DISABLE)
    pair.network.heal()
    pair.network.advance(200)
    assert (desk(receiver), waiting(sender)) == (before, 1)
    sender.execute(ENABLE)
    pair.network.deliver()
    assert (desk(receiver), waiting(sender)) == ([*before, "late"], 0)


def test_a_receipt_that_comes_for_a_disabled_broker_comes_again(pair: Pair) -> None:
    pair.b.execute("USE shop; DROP ROUTE there")
    pair.begin()
    pair.network.advance(10)
    pair.a.execute(DISABLE)
    pair.b.execute("USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'")
    send(pair.b, target(pair), "answer")
    pair.network.advance(200)
    assert (desk(pair.a), waiting(pair.a), waiting(pair.b)) == ([], 1, 1)
    pair.a.execute(ENABLE)
    pair.network.deliver()
    assert (desk(pair.a), desk(pair.b)) == (["answer"], ["first"])


@pytest.mark.parametrize("idle", [1, 1000], ids=["connected", "idle"])
@pytest.mark.parametrize("who", ["initiator", "target"])
def test_error_broker_conversations_tells_peers_in_other_instances(pair: Pair, who: str, idle: int) -> None:
    pair.begin()
    pair.network.deliver()
    pair.network.advance(idle)
    ended, other = (pair.a, pair.b) if who == "initiator" else (pair.b, pair.a)
    ended.execute("USE master; ALTER DATABASE shop SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE")
    pair.network.advance(10)
    assert (pair.error(ended), pair.error(other)) == ("-9719", "-9720")
    assert [machine.execute(ENDPOINT) for machine in (ended, other)] == [[[("ER", -1)]]] * 2


@pytest.mark.parametrize("idle", [1, 1000], ids=["connected", "idle"])
def test_a_dropped_service_tells_them_too(pair: Pair, idle: int) -> None:
    """And the error of a broker has no number in the sequence, whichever side it comes from."""
    pair.begin()
    pair.network.deliver()
    pair.network.advance(idle)
    pair.b.execute("USE shop; DROP SERVICE [//B]")
    pair.network.advance(10)
    assert pair.error(pair.a) == "-8470" and pair.a.execute(ENDPOINT) == [[("ER", -1)]]


def test_an_expired_dialog_and_one_that_was_refused_look_alike(pair: Pair) -> None:
    pair.b.execute("USE shop; REVOKE SEND ON SERVICE::[//B] FROM public")
    pair.begin()
    pair.begin(", LIFETIME = 1")
    pair.network.advance(100)
    assert pair.a.execute(ENDPOINT) == [[("ER", -1), ("ER", -1)]]


@pytest.mark.spec("ERROR-8401")
def test_the_owner_of_the_target_has_to_be_allowed_to_receive(pair: Pair) -> None:
    """Until then the sender repeats the first message."""
    pair.b.execute(
        "USE shop; CREATE USER u WITHOUT LOGIN; ALTER AUTHORIZATION ON SERVICE::[//B] TO u; GRANT SEND ON SERVICE::[//B] TO public"
    )
    assert pair.b.instance is not None
    reasons: list[str] = []
    pair.b.instance.trace(lambda event: reasons.append(event.text), "Broker:Message Undeliverable")
    pair.begin()
    pair.network.advance(30)
    assert (desk(pair.b), pair.state(pair.b), pair.status()) == ([], [], [""])
    assert reasons and all("no permission to receive from the queue 'desk'" in reason for reason in reasons)
    pair.b.execute("USE shop; GRANT RECEIVE ON desk TO u")
    pair.network.deliver()
    assert desk(pair.b) == ["first"]


FREEZES = {
    "disabled": ("DISABLE_BROKER", "ENABLE_BROKER"),
    "single user": ("SINGLE_USER WITH ROLLBACK IMMEDIATE", "MULTI_USER"),
    "read-only": ("READ_ONLY WITH ROLLBACK IMMEDIATE", "READ_WRITE WITH ROLLBACK IMMEDIATE"),
}
CODES = """WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
    SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'varchar(9)') FROM shop.dbo.desk WHERE message_type_id = 1"""


@pytest.mark.spec("ALTERDB-40")
@pytest.mark.parametrize("stops", ["", "crashed", "closed"])
@pytest.mark.parametrize("how", FREEZES)
def test_an_error_of_the_other_broker_waits_until_the_database_takes_part(tmp_path: Path, how: str, stops: str) -> None:
    """It is sent once. What is kept of it survives the instance."""
    pair = Pair(tmp_path)
    with pair.network:
        pair.begin()
        pair.network.deliver()
        pair.b.execute(f"USE master; ALTER DATABASE shop SET {FREEZES[how][0]}")
        pair.a.execute("USE shop; DROP SERVICE [//A]; USE master")
        pair.network.advance(100)
        assert (pair.state(pair.b), pair.b.execute(CODES)[0], waiting(pair.b)) == (["CO"], [], 0)
        if stops:
            pair.b.crash() if stops == "crashed" else pair.b.close()
            pair.b.open()
            pair.network.advance(100)
            assert (pair.state(pair.b), pair.b.execute(CODES)[0]) == (["CO"], [])
        pair.b.execute(f"USE master; ALTER DATABASE shop SET {FREEZES[how][1]}")
        pair.network.advance(100)
        assert (pair.state(pair.b), pair.b.execute(CODES)[0]) == (["ER"], [("-8470",)])
