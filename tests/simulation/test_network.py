"""Dialogs between instances over a bad network: from seeds, and the cases that need a look from near."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import network_simulation
import pytest

from sbql.engine.network import assembly, frames
from sbql.engine.network.neighbours import MOST_STRANGERS
from sbql.engine.simulated_network import Machine, Mischief, Network
from sbql.engine.simulated_wires import SimulatedTransport

SEEDS = int(os.environ.get("NETWORK_SEEDS", "300"))
FIRST = int(os.environ.get("NETWORK_FIRST", "0"))
DISK = int(os.environ.get("NETWORK_DISK", "10"))
"""One seed in so many is on files of DuckDB (0: none); the others on disks of which the test
says what survives (prefix_store)."""


@pytest.mark.spec("NETWORK-1", "NETWORK-2", "NETWORK-3", "NETWORK-7", "PLACE-4")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_whatever_the_network_does_every_message_arrives_once_and_in_order(seed: int) -> None:
    network_simulation.run(seed, on_disk=DISK > 0 and seed % DISK == DISK - 1)


def test_a_run_repeats_exactly() -> None:
    for seed in (3, 8):  # with monologs, and without
        first, second = (network_simulation.run(seed).story for _ in range(2))
        assert first == second
        beside = network_simulation.NetworkSimulation(seed)
        with Network(9, start=0.0):  # another network has another clock
            beside.run()
        assert beside.story == first


def test_machines_that_crash(tmp_path: Path) -> None:
    """As the seeds on disk, of which a usual run has few."""
    network_simulation.run(19, on_disk=True)


SHOP = """
CREATE DATABASE shop
GO
USE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)
GO
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
"""
BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//{me}] TO SERVICE '//{you}' WITH ENCRYPTION = OFF{more};
SEND ON CONVERSATION @h ('first'); SELECT @h"""

SEND_ON = """USE shop; DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints)
SEND ON CONVERSATION @h ('more')"""
WAITING = "SELECT transmission_status FROM shop.sys.transmission_queue"


class Two:
    """Two machines, A and B, that know each other."""

    def __init__(self, folder: Path | None = None) -> None:
        self.network = Network(1, folder=folder)
        self.a, self.b = (self.network.add(name, on_disk=folder is not None) for name in "AB")
        self.a.execute(SHOP.format(me="A", you="B"))
        self.b.execute(SHOP.format(me="B", you="A"))

    def begin(self, more: str = "") -> str:
        return str(self.a.execute(BEGIN.format(me="A", you="B", more=more))[0][0][0])

    def state(self, machine: Machine) -> list[str]:
        return [
            row[0] for row in machine.execute("SELECT state FROM shop.sys.conversation_endpoints ORDER BY state")[0]
        ]

    def status(self) -> list[str]:
        rows = self.a.execute(
            "SELECT transmission_status FROM shop.sys.transmission_queue ORDER BY message_sequence_number"
        )
        return [row[0] for row in rows[0]]

    def queue(self, machine: Machine) -> list[tuple[str, str]]:
        text = "SELECT message_type_name, CAST(message_body AS varchar(900)) FROM shop.dbo.desk ORDER BY queuing_order"
        return [(name.rsplit("/", 1)[-1], body) for name, body in machine.execute(text)[0]]

    def error(self, machine: Machine) -> str:
        """The code of the one Error message in its queue."""
        text = """SELECT CAST(message_body AS xml).value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int')
            FROM shop.dbo.desk WHERE message_type_name LIKE '%/Error'"""
        ((code,),) = machine.execute(text)[0]
        return str(code)


@pytest.fixture
def two() -> Iterator[Two]:
    found = Two()
    with found.network:
        yield found


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("stops", ["endpoint", "instance"])
def test_who_is_there_again_hears_at_once_what_waits(tmp_path: Path, side: str, stops: str) -> None:
    """The other one has found nobody meanwhile, and would leave him alone for a minute."""
    two = Two(tmp_path)
    with two.network:
        two.begin()
        two.network.deliver()
        gone, there = (two.a, two.b) if side == "a" else (two.b, two.a)
        gone.execute("ALTER ENDPOINT broker STATE = STOPPED")
        gone.execute(SEND_ON)
        if stops == "instance":
            gone.close()
        for _ in range(2):
            there.execute(SEND_ON)
        two.network.advance(5)
        assert len(there.execute(WAITING)[0]) == 2
        if stops == "instance":
            gone.open()
        gone.execute("ALTER ENDPOINT broker STATE = STARTED")
        two.network.advance(1)
        assert gone.execute(WAITING)[0] == there.execute(WAITING)[0] == []
        assert [len(two.queue(machine)) for machine in (gone, there)] == ([2, 2] if side == "a" else [3, 1])


def test_a_large_message_is_hashed_once_on_each_side(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each of its fragments, of which it has more, the larger it is."""
    hashed: list[int] = []
    integrity = frames.integrity

    def counted(*arguments: Any) -> bytes:
        hashed.append(len(arguments[-1]))
        return integrity(*arguments)

    for module in (frames, assembly):
        monkeypatch.setattr(module, "integrity", counted)
    handle, size = two.begin(), 4_000_000
    two.network.deliver()
    text = "DECLARE @b varbinary(max) = CAST(REPLICATE(CAST('{letter}' AS varchar(max)), {size}) AS varbinary(max)); SEND ON CONVERSATION '{handle}' (@b)"
    for letter in "xyx":
        two.a.execute(f"USE shop; {text.format(letter=letter, size=size, handle=handle)}")
    two.network.deliver()
    ((count, bodies, total),) = two.b.execute(
        "SELECT COUNT(*), COUNT(DISTINCT message_body), SUM(DATALENGTH(message_body)) FROM shop.dbo.desk"
    )[0]
    assert (count, bodies, total) == (4, 3, 3 * size + 5)
    assert sum(hashed) == 2 * total


@pytest.mark.spec("NETWORK-4", "NETWORK-5")
def test_the_first_receipt_tells_who_has_taken_the_dialog(two: Two) -> None:
    two.begin()
    assert two.status() == [""]
    two.network.deliver()
    assert two.queue(two.b) == [("DEFAULT", "first")]
    ((far,),) = two.a.execute("SELECT far_broker_instance FROM shop.sys.conversation_endpoints")[0]
    ((broker,),) = two.b.execute(
        "SELECT CAST(service_broker_guid AS varchar(36)) FROM sys.databases WHERE name = 'shop'"
    )[0]
    assert far == broker


@pytest.mark.spec("NETWORK-6")
def test_a_side_that_has_ended_is_done_with_the_receipt(two: Two) -> None:
    handle = two.begin()
    two.network.deliver()
    two.a.execute(f"USE shop; END CONVERSATION '{handle}'")
    two.network.deliver()
    assert (two.state(two.a), two.state(two.b)) == ([], ["DI"])
    two.b.execute(
        "USE shop; DECLARE @h uniqueidentifier; SELECT @h = conversation_handle FROM desk; END CONVERSATION @h"
    )
    two.network.advance(1)
    assert two.state(two.b) == ["CD"]


def test_an_error_of_the_application_crosses_the_network(two: Two) -> None:
    two.begin()
    two.network.deliver()
    two.b.execute(
        "USE shop; DECLARE @h uniqueidentifier; SELECT @h = conversation_handle FROM desk; END CONVERSATION @h WITH ERROR = 7 DESCRIPTION = 'no'"
    )
    two.network.deliver()
    assert two.error(two.a) == "7"
    assert (two.state(two.a), two.state(two.b)) == (["ER"], ["CD"])


@pytest.mark.spec("NETWORK-8")
@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("REVOKE SEND ON SERVICE::[//B] FROM public", "-8494"),
        ("ALTER SERVICE [//B] (DROP CONTRACT [DEFAULT])", "-8408"),
    ],
)
def test_what_the_target_refuses_comes_back_as_an_error(two: Two, statement: str, code: str) -> None:
    two.b.execute(f"USE shop; {statement}")
    two.begin()
    two.network.advance(1)
    assert two.error(two.a) == code
    assert two.state(two.b) == []


def test_a_target_that_is_gone_for_good_is_told(two: Two) -> None:
    handle = two.begin()
    two.network.deliver()
    two.b.execute(
        "USE shop; DECLARE @h uniqueidentifier; SELECT @h = conversation_handle FROM desk; END CONVERSATION @h WITH CLEANUP"
    )
    two.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('second')")
    two.network.advance(1)
    assert two.error(two.a) == "-8462"


def test_an_error_of_the_broker_crosses_the_network(two: Two) -> None:
    two.begin()
    two.network.deliver()
    two.b.execute("USE shop; DROP SERVICE [//B]")
    two.network.advance(1)
    assert two.error(two.a) == "-8470"


@pytest.mark.spec("NETWORK-10")
def test_the_status_says_why_nothing_gets_there(two: Two) -> None:
    two.b.execute("ALTER ENDPOINT broker STATE = STOPPED")
    two.begin()
    two.network.advance(1)
    (status,) = two.status()
    assert "refused" in status
    two.b.execute("ALTER ENDPOINT broker STATE = STARTED")
    two.network.advance(58)
    assert two.queue(two.b) == []  # it is left alone for a minute
    two.network.advance(2)
    assert two.queue(two.b) == [("DEFAULT", "first")]
    assert two.status() == []


@pytest.mark.spec("NETWORK-11")
def test_without_an_endpoint_that_is_started_nothing_leaves(two: Two) -> None:
    two.a.execute("ALTER ENDPOINT broker STATE = STOPPED")
    two.begin()
    two.network.advance(100)
    (status,) = two.status()
    assert "not configured" in status
    two.a.execute("ALTER ENDPOINT broker STATE = STARTED")
    two.network.deliver(1)
    assert two.queue(two.b) == [("DEFAULT", "first")]


@pytest.mark.spec("NETWORK-12")
def test_dialog_security_is_asked_for_and_not_to_be_had(two: Two) -> None:
    two.a.execute(
        "USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B'; SEND ON CONVERSATION @h ('x')"
    )
    two.network.advance(10)
    (status,) = two.status()
    assert "remote service binding" in status
    assert two.queue(two.b) == []


def test_a_lifetime_ends_both_sides_by_their_own_clocks(two: Two) -> None:
    two.begin(", LIFETIME = 100")
    two.network.deliver()
    two.network.partition(["A"], ["B"])
    two.network.advance(101)
    assert (two.error(two.a), two.error(two.b)) == ("-8489", "-8489")


def test_a_large_message_lets_small_ones_pass(two: Two) -> None:
    """It is cut into fragments, and each dialog has its turn."""
    two.network.spoil(Mischief(0.01, 0.01))
    two.a.execute(
        "USE shop; DECLARE @h uniqueidentifier, @i uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF; "
        "BEGIN DIALOG @i FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF; BEGIN TRANSACTION; "
        "SEND ON CONVERSATION @h (CAST(REPLICATE(CAST('x' AS varchar(max)), 3000000) AS varbinary(max))); SEND ON CONVERSATION @i ('small'); COMMIT"
    )
    two.network.deliver()
    assert [len(body) for _, body in two.queue(two.b)] == [5, 900]


def test_a_route_to_oneself_goes_over_the_network(two: Two) -> None:
    two.a.execute(
        "USE shop; DROP ROUTE there; CREATE ROUTE there WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://localhost:4022'"
    )
    two.a.execute(BEGIN.format(me="A", you="A", more=""))
    assert two.queue(two.a) == []
    two.network.deliver()
    assert two.queue(two.a) == [("DEFAULT", "first")]


def test_an_endpoint_for_certificates_lets_nobody_in(two: Two) -> None:
    two.b.execute(
        "USE master; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Str0ng!'; CREATE CERTIFICATE us WITH SUBJECT = 'B', EXPIRY_DATE = '2030-01-01'"
    )
    two.b.execute("ALTER ENDPOINT broker FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE us)")
    two.begin()
    two.network.advance(5)
    (status,) = two.status()
    assert "authentication protocol" in status
    assert two.queue(two.b) == []


def test_one_connection_is_left_of_two(two: Two) -> None:
    """Both connect at the same time."""
    two.begin()
    two.b.execute(BEGIN.format(me="B", you="A", more=""))
    two.network.deliver()
    two.network.advance(6)
    for machine in (two.a, two.b):
        assert machine.instance is not None and machine.instance.transmitter is not None
        assert [link.is_online for link in machine.instance.transmitter.neighbours.links()] == [True]
    two.network.advance(100)
    assert machine.instance.transmitter.neighbours.links() == []


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "network.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    for network in names["network"].__wrapped__(tmp_path):
        names["test_an_order_survives_a_partition_and_a_crash"](network)


# --- who is let in -----------------------------------------------------------------------------------------

CERTIFIED = """
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
CREATE CERTIFICATE mine WITH SUBJECT = 'Machine {me}'
BACKUP CERTIFICATE mine TO FILE = '{folder}/{me}.cer'
GO
CREATE LOGIN {you} WITH PASSWORD = 'Strong1!'; CREATE USER {you} FOR LOGIN {you}
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE mine)
GRANT CONNECT ON ENDPOINT::broker TO {you}
GO
CREATE DATABASE shop
GO
USE shop; CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
"""
KNOW = "USE master; CREATE CERTIFICATE theirs AUTHORIZATION {you} FROM FILE = '{folder}/{you}.cer'"


class Certified(Two):
    """The same, and they know each other by certificates that they have exchanged as files."""

    def __init__(self, folder: Path) -> None:
        self.network = Network(1)
        self.a, self.b = self.network.add("A"), self.network.add("B")
        self.events: list[str] = []
        for machine, you in ((self.a, "B"), (self.b, "A")):
            machine.execute(CERTIFIED.format(me=machine.name, you=you, folder=folder))
            assert machine.instance is not None
            machine.instance.trace(lambda event: self.events.append(event.subclass), "Audit Broker Login")
        self.a.execute(KNOW.format(you="B", folder=folder))
        self.b.execute(KNOW.format(you="A", folder=folder))

    def log(self, machine: Machine, number: int) -> bool:
        assert machine.instance is not None
        return any(record.number == number for record in machine.instance.error_log)


@pytest.mark.spec("WIRE-12", "WIRE-13")
def test_certificates_exchanged_as_files_let_in_until_they_are_dropped(tmp_path: Path) -> None:
    pair = Certified(tmp_path)
    with pair.network:
        pair.begin()
        pair.network.deliver()
        assert pair.queue(pair.b) == [("DEFAULT", "first")]
        assert set(pair.events) == {"Login Success"}
        pair.events.clear()
        pair.b.execute("USE master; DROP CERTIFICATE theirs")
        pair.begin()
        pair.network.advance(100)
        assert pair.log(pair.b, 11296) and pair.log(pair.b, 28047)
        assert pair.queue(pair.b) == [("DEFAULT", "first")]
        assert "Authentication Failure" in pair.events
        assert "28036" not in pair.status()[0] and "was not found" in pair.status()[0]
        pair.b.execute(KNOW.format(you="A", folder=tmp_path))
        pair.network.deliver()
        assert len(pair.queue(pair.b)) == 2


@pytest.mark.spec("WIRE-13", "ENDPOINT-19", "ENDPOINT-20")
@pytest.mark.parametrize(
    ("change", "event", "number"),
    [
        ("REVOKE CONNECT ON ENDPOINT::broker FROM A", "Authorization Failure", 28048),
        ("ALTER ENDPOINT broker FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)", "Negotiate Failure", 28047),
        ("ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = DISABLED)", "Negotiate Failure", 28047),
    ],
)
def test_a_login_that_fails_is_in_trace_and_log_and_nothing_arrives(
    tmp_path: Path, change: str, event: str, number: int
) -> None:
    pair = Certified(tmp_path)
    with pair.network:
        pair.b.execute(f"USE master; {change}")
        pair.begin()
        pair.network.advance(100)
        assert pair.queue(pair.b) == []
        assert event in pair.events and pair.log(pair.b, number)
        assert pair.status() != [""]


@pytest.mark.spec("NETWORK-16", "VIEW-24", "VIEW-25")
def test_connections_are_shown_with_who_and_how_and_how_much(tmp_path: Path) -> None:
    pair = Certified(tmp_path)
    text = """SELECT state_desc, login_state_desc, authentication_method, principal_name, is_accept, encryption_algorithm_desc, peer_certificate_id, login_time - connect_time,
        total_bytes_sent, total_bytes_received, total_fragments_sent, total_fragments_received FROM sys.dm_broker_connections"""
    with pair.network:
        pair.b.execute("USE master; ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED)")
        assert pair.a.execute(text) == [[]]
        pair.begin()
        pair.network.deliver()
        assert pair.a.execute("SELECT DISTINCT remote_user_name FROM sys.dm_broker_connections") == [[(None,)]]
        mine = next(
            row for row in pair.a.execute(text)[0] if not row[4]
        )  # the one that A has made; B has made one, too
        theirs = next(row for row in pair.b.execute(text)[0] if row[4])
        assert list(mine[:6]) == ["LOGGED_IN", "ONLINE", "CERTIFICATE", "B", False, "AES"]
        assert list(theirs[:6]) == ["LOGGED_IN", "ONLINE", "CERTIFICATE", "A", True, "AES"]
        numbers = pair.a.execute("SELECT state, login_state, encryption_algorithm FROM sys.dm_broker_connections")
        assert numbers[0][0] == (4, 12, 3)
        (known,) = pair.a.execute("USE master; SELECT certificate_id FROM sys.certificates WHERE name = 'theirs'")[0]
        assert mine[6] == known[0]
        assert (mine[8], mine[9]) == (theirs[9], theirs[8]) and mine[8] > 500
        assert (mine[10], mine[11]) == (theirs[11], theirs[10]) and mine[10] >= 1
        pair.network.advance(200)
        assert pair.a.execute(text) == pair.b.execute(text) == [[]]


def test_an_endpoint_with_rc4_alone_is_kept_and_does_not_start(two: Two) -> None:
    two.b.execute("ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM RC4)")
    two.begin()
    two.network.advance(10)
    assert two.queue(two.b) == []
    for both in ("AES RC4", "RC4 AES"):
        two.b.execute(f"ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM {both})")
        two.begin()
        two.network.deliver()
    assert len(two.queue(two.b)) == 3


@pytest.mark.spec("WIRE-4")
def test_those_who_never_log_in_keep_nobody_out(two: Two) -> None:
    """Many connections that say nothing: the oldest go, and whoever logs in gets in."""
    assert two.b.instance is not None
    events: list[str] = []
    two.b.instance.trace(lambda event: events.append(event.subclass), "Audit Broker Login")
    silent = SimulatedTransport(two.network.board, "X")
    wires = [silent.connect("b:4022", Silence()) for _ in range(200)]
    two.network.advance(1)
    assert events.count("Login Protocol Error") == 200 - MOST_STRANGERS
    two.begin()
    two.network.deliver()
    assert two.queue(two.b) == [("DEFAULT", "first")] and len(wires) == 200


class Silence:
    """Hears and says nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


# --- others' messages --------------------------------------------------------------------------------------

HUB = """
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, MESSAGE_FORWARDING = ENABLED, MESSAGE_FORWARD_SIZE = 1)
GO
USE msdb
CREATE ROUTE a WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://{a}:4022'
CREATE ROUTE b WITH SERVICE_NAME = '//B', ADDRESS = 'TCP://{b}:4022'
"""


class Chain(Two):
    """A and B, which know only the hubs between them, in a row."""

    def __init__(self, hubs: int) -> None:
        self.network = Network(1)
        names = ["A", *(f"H{number}" for number in range(hubs)), "B"]
        machines = [self.network.add(name) for name in names]
        self.a, self.b, self.hubs = machines[0], machines[-1], machines[1:-1]
        for machine, near, you in ((self.a, names[1], "B"), (self.b, names[-2], "A")):
            setup = SHOP.format(me=machine.name, you=you).replace(f"TCP://{you}:", f"TCP://{near}:")
            machine.execute(setup)
        for place, hub in enumerate(self.hubs, 1):
            hub.execute(HUB.format(a=names[place - 1], b=names[place + 1]))

    def forwarded(self) -> list[tuple[Any, ...]]:
        text = "SELECT to_service_name, adjacent_broker_address, hops_remaining, message_sequence_number FROM sys.dm_broker_forwarded_messages"
        return self.hubs[0].execute(text)[0]


@pytest.mark.spec("NETWORK-17", "MATCH-15")
@pytest.mark.parametrize("hubs", [1, 3])
def test_messages_go_on_over_instances_in_a_row(hubs: int) -> None:
    """Both ways, whole and in fragments; each arrives once, and is acknowledged by its target only."""
    chain = Chain(hubs)
    with chain.network:
        handle = chain.begin()
        chain.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' (REPLICATE(CAST('x' AS varchar(max)), 200000))")
        chain.network.deliver()
        bodies = [body for _, body in chain.queue(chain.b)]
        assert bodies == ["first", "x" * 900]
        chain.b.execute(
            "USE shop; DECLARE @h uniqueidentifier; SELECT TOP (1) @h = conversation_handle FROM desk; SEND ON CONVERSATION @h ('back'); END CONVERSATION @h"
        )
        chain.network.deliver()
        assert next(body for _, body in chain.queue(chain.a)) == "back"
        assert chain.forwarded() == []


@pytest.mark.spec("NETWORK-18")
def test_what_is_forwarded_waits_in_memory_for_a_way() -> None:
    chain = Chain(1)
    with chain.network:
        dropped: list[str] = []
        assert chain.hubs[0].instance is not None
        chain.hubs[0].instance.trace(lambda event: dropped.append(event.text), "Broker:Forwarded Message Dropped")
        chain.network.partition(["H0"], ["B"])
        handle = chain.begin()
        chain.network.advance(2)
        assert chain.forwarded() == [("//B", "b:4022", 9, 0)]
        chain.network.advance(10)
        assert any("a duplicate of it" in text for text in dropped)
        chain.a.execute(
            f"USE shop; SEND ON CONVERSATION '{handle}' (CAST(REPLICATE(CAST('x' AS varchar(max)), 3000000) AS varbinary(max)))"
        )
        chain.network.advance(5)
        assert any("memory limit" in text for text in dropped)
        assert chain.status()[0] == ""
        chain.network.advance(70)
        assert any("within its time" in text for text in dropped)
        chain.network.heal()
        chain.network.deliver(1200)
        assert next(body for _, body in chain.queue(chain.b)) == "first"


@pytest.mark.spec("NETWORK-17")
def test_frames_that_go_in_circles_are_dropped_when_the_hops_are_used_up() -> None:
    chain = Chain(2)
    with chain.network:
        texts: list[str] = []
        for hub in chain.hubs:
            assert hub.instance is not None
            hub.instance.trace(lambda event: texts.append(event.text), "Broker:Forwarded Message Dropped")
        chain.hubs[1].execute("USE msdb; ALTER ROUTE b WITH ADDRESS = 'TCP://H0:4022'")
        chain.begin()
        chain.network.advance(3)
        assert any("hop count" in text for text in texts)
        assert chain.queue(chain.b) == []


@pytest.mark.spec("NETWORK-17")
def test_without_message_forwarding_it_is_dropped() -> None:
    chain = Chain(1)
    with chain.network:
        texts: list[str] = []
        assert chain.hubs[0].instance is not None
        chain.hubs[0].instance.trace(lambda event: texts.append(event.text), "Broker:Forwarded Message Dropped")
        chain.hubs[0].execute("USE master; ALTER ENDPOINT broker FOR SERVICE_BROKER (MESSAGE_FORWARDING = DISABLED)")
        chain.begin()
        chain.network.advance(3)
        assert chain.queue(chain.b) == [] and any("forwarding is disabled" in text for text in texts)
