"""Routes that expire, and routes and endpoints of forwarders that change, while messages wait: nothing goes on to where
no route leads any more, wherever it waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sbql.engine.simulated_network import Machine, Network

ENDPOINT = "CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS{more})"
SHOP = """
CREATE DATABASE shop
GO
USE shop
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
"""
LIFE = 100


class World:
    """A, F between and B; `route` of A leads to B, perhaps over F, and lives for a while."""

    def __init__(self, network: Network, first: str) -> None:
        self.network = network
        self.a, self.f, self.b = (network.add(name) for name in "AFB")
        for machine in (self.a, self.b):
            machine.execute(ENDPOINT.format(more="") + "\nGO" + SHOP.format(me=machine.name))
        self.f.execute(ENDPOINT.format(more=", MESSAGE_FORWARDING = ENABLED"))
        self.f.execute("CREATE ROUTE b WITH SERVICE_NAME = '//B', ADDRESS = 'TCP://B:4022'", "msdb")
        self.f.execute("CREATE ROUTE a WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'", "msdb")
        self.b.execute("CREATE ROUTE back WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'", "shop")
        self.a.execute(
            f"CREATE ROUTE away WITH SERVICE_NAME = '//B', ADDRESS = 'TCP://{first}:4022', LIFETIME = {LIFE}", "shop"
        )

    def begin(self, more: str = "") -> str:
        rows = self.a.execute(f"""DECLARE @h uniqueidentifier
            BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF{more}
            SEND ON CONVERSATION @h ('first'); SELECT @h""", "shop")  # fmt: skip
        return str(rows[0][0][0])

    def status(self, machine: Machine) -> list[str]:
        return [row[0] for row in machine.execute("SELECT transmission_status FROM sys.transmission_queue", "shop")[0]]

    def queue(self, machine: Machine) -> list[str]:
        text = "SELECT CAST(message_body AS varchar(20)) FROM desk ORDER BY queuing_order"
        return [row[0] for row in machine.execute(text, "shop")[0]]

    def dropped(self) -> list[str]:
        texts: list[str] = []
        assert self.f.instance is not None
        self.f.instance.trace(lambda event: texts.append(event.text), "Broker:Forwarded Message Dropped")
        return texts

    def forwarded(self) -> list[tuple[Any, ...]]:
        return self.f.execute("SELECT adjacent_broker_address, time_to_live FROM sys.dm_broker_forwarded_messages")[0]


def never_reached(world: World) -> None:
    """Nobody is at the address."""
    world.begin()


def not_acknowledged(world: World) -> None:
    """It has gone, and its receipt has not come: the way is cut in both directions."""
    world.network.partition(["A"], ["B"])
    world.begin()


def more_behind_what_has_arrived(world: World) -> None:
    """The target has the first message; the next ones cannot get there."""
    handle = world.begin()
    world.network.deliver()
    world.network.partition(["A"], ["B"])
    world.a.execute(f"SEND ON CONVERSATION '{handle}' ('second')", "shop")


WAITING = ((never_reached, "nowhere"), (not_acknowledged, "B"), (more_behind_what_has_arrived, "B"))


@pytest.mark.spec("ROUTE-11", "ROUTE-12", "ROUTE-34")
@pytest.mark.parametrize(("wait", "first"), WAITING)
def test_what_waits_for_an_expired_route_goes_nowhere(wait: Callable[[World], None], first: str) -> None:
    """The status says so at once, also when the way is good again; ALTER ROUTE revives it."""
    with Network(1) as network:
        world = World(network, first)
        wait(world)
        before = world.queue(world.b)
        network.advance(LIFE - 10)
        assert "could not be found" not in world.status(world.a)[0]
        network.advance(20)
        assert "service name could not be found" in world.status(world.a)[0]
        network.heal()
        network.advance(300)
        assert world.queue(world.b) == before and "service name could not be found" in world.status(world.a)[0]
        world.a.execute("ALTER ROUTE away WITH ADDRESS = 'TCP://B:4022', LIFETIME = 1000", "shop")
        network.deliver()
        assert world.queue(world.b) == (["first", "second"] if before else ["first"])


@pytest.mark.spec("ROUTE-11", "ROUTE-34")
@pytest.mark.parametrize(("wait", "first"), WAITING)
def test_what_waits_for_an_expired_route_takes_another(wait: Callable[[World], None], first: str) -> None:
    with Network(1) as network:
        world = World(network, first)
        world.a.execute("CREATE ROUTE any_service WITH ADDRESS = 'TCP://F:4022'", "shop")
        wait(world)
        network.advance(LIFE - 10)
        assert world.status(world.a)
        network.advance(90)
        assert "first" in world.queue(world.b)
        network.heal()
        network.deliver()
        assert world.status(world.a) == []


@pytest.mark.spec("ROUTE-34")
def test_answers_and_receipts_do_not_take_an_expired_route() -> None:
    with Network(1) as network:
        world = World(network, "B")
        world.a.execute("ALTER ROUTE away WITH LIFETIME = 10000", "shop")
        world.b.execute(f"ALTER ROUTE back WITH LIFETIME = {LIFE}", "shop")
        world.begin()
        network.deliver()
        network.partition(["A"], ["B"])
        answer = "DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM desk); SEND ON CONVERSATION @h ('answer')"
        world.b.execute(answer, "shop")
        network.advance(LIFE + 10)
        network.heal()
        network.advance(300)
        assert world.queue(world.a) == [] and "service name could not be found" in world.status(world.b)[0]
        world.b.execute("ALTER ROUTE back WITH LIFETIME = 1000", "shop")
        network.deliver()
        assert world.queue(world.a) == ["answer"]


@pytest.mark.spec("ROUTE-34")
def test_a_local_route_that_has_expired_delivers_nothing() -> None:
    """What waits in the instance itself, for a queue that is OFF."""
    with Network(1) as network:
        machine = network.add("M")
        machine.execute(SHOP.format(me="M") + "CREATE SERVICE [//N] ON QUEUE desk ([DEFAULT])")
        machine.execute(
            f"DROP ROUTE AutoCreatedLocal; CREATE ROUTE n WITH SERVICE_NAME = '//N', ADDRESS = 'LOCAL', LIFETIME = {LIFE}",
            "shop",
        )
        machine.execute("ALTER QUEUE desk WITH STATUS = OFF", "shop")
        machine.execute("""DECLARE @h uniqueidentifier
            BEGIN DIALOG @h FROM SERVICE [//M] TO SERVICE '//N' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x')""", "shop")  # fmt: skip
        network.advance(LIFE + 70)
        machine.execute("ALTER QUEUE desk WITH STATUS = ON", "shop")
        network.advance(70)
        ((status,),) = machine.execute("SELECT transmission_status FROM sys.transmission_queue", "shop")[0]
        assert "service name could not be found" in status
        machine.execute("ALTER ROUTE n WITH LIFETIME = 1000", "shop")
        network.advance(70)
        assert machine.execute("SELECT COUNT(*) FROM desk", "shop") == [[(1,)]]


# --- forwarders --------------------------------------------------------------------------------------------

CHANGES = (
    ("ALTER ROUTE b WITH ADDRESS = 'TCP://B:4022'", "msdb", ""),
    ("DROP ROUTE b; CREATE ROUTE other WITH SERVICE_NAME = '//B', ADDRESS = 'TCP://B:4022'", "msdb", ""),
    ("DROP ROUTE b", "msdb", "route is not valid"),
    ("ALTER ROUTE b WITH ADDRESS = 'LOCAL'", "msdb", "route is not valid"),
    ("ALTER ENDPOINT broker FOR SERVICE_BROKER (MESSAGE_FORWARDING = DISABLED)", "master", "forwarding is disabled"),
    ("ALTER ENDPOINT broker STATE = STOPPED", "master", "forwarding is disabled"),
    ("DROP ENDPOINT broker", "master", "forwarding is disabled"),
)  # fmt: skip


@pytest.mark.spec("NETWORK-23")
@pytest.mark.parametrize(("change", "database", "reason"), CHANGES)
def test_what_a_forwarder_keeps_follows_its_routes(change: str, database: str, reason: str) -> None:
    """At once, and not when it is too late for the frame."""
    with Network(1) as network:
        world = World(network, "F")
        world.f.execute("ALTER ROUTE b WITH ADDRESS = 'TCP://nowhere:4022'", "msdb")
        texts = world.dropped()
        world.begin()
        network.advance(2)
        assert world.forwarded() == [("nowhere:4022", 60)]
        texts.clear()
        world.f.execute(change, database)
        network.advance(1)
        assert world.forwarded() == [] and world.queue(world.b) == ([] if reason else ["first"])
        assert any(reason in text for text in texts) if reason else texts == []


@pytest.mark.spec("NETWORK-23")
def test_what_a_forwarder_keeps_does_not_take_an_expired_route() -> None:
    with Network(1) as network:
        world = World(network, "F")
        world.f.execute("ALTER ROUTE b WITH ADDRESS = 'TCP://nowhere:4022', LIFETIME = 20", "msdb")
        world.f.execute("CREATE ROUTE any_service WITH ADDRESS = 'TCP://B:4022'", "msdb")
        world.begin()
        network.advance(15)
        assert world.forwarded() == [("nowhere:4022", 60)]
        network.advance(6)
        assert world.queue(world.b) == ["first"]


@pytest.mark.spec("NETWORK-24")
def test_time_that_a_forwarder_keeps_a_message_counts_in_its_life() -> None:
    """Nothing arrives whose dialog is over, and what does arrive has no more time left than its initiator."""
    with Network(1) as network:
        world = World(network, "F")
        texts = world.dropped()
        reached = "ALTER ROUTE b WITH ADDRESS = 'TCP://B:4022'"
        for life, waits in ((10, 15), (40, 15)):
            world.f.execute("ALTER ROUTE b WITH ADDRESS = 'TCP://nowhere:4022'", "msdb")
            texts.clear()
            world.begin(f", LIFETIME = {life}")
            network.advance(1)
            assert world.forwarded() == [("nowhere:4022", life)]
            network.advance(waits)
            world.f.execute(reached, "msdb")
            network.advance(1)
            assert world.queue(world.b) == (["first"] if life > waits else [])
            assert any("time to live" in text for text in texts) == (life <= waits)
        moments = "SELECT lifetime FROM sys.conversation_endpoints WHERE lifetime > GETUTCDATE()"
        ((begun,),), ((target,),) = world.a.execute(moments, "shop")[0], world.b.execute(moments, "shop")[0]
        assert abs((target - begun).total_seconds()) < 2
