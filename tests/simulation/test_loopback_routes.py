"""Two databases of one instance, between which a route leads out to the network and back in: each message comes once
and in order, and nothing waits for ever, whichever way the other direction takes and whenever the routes change."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest
from prefix_store import PrefixDisk
from test_network_routing import SERVICE

from sbql.catalog.store_image import StoreImage
from sbql.engine.simulated_network import Mischief, Network

INSTANCE = """CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = DISABLED)
GO
CREATE DATABASE near
GO
CREATE DATABASE far"""
LOOPBACK = "TCP://A:4022"
BEGIN = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//near] TO SERVICE '//far' WITH ENCRYPTION = OFF; SELECT @h"
DESK = """SELECT CASE message_type_name WHEN 'DEFAULT' THEN CAST(message_body AS varchar(10)) ELSE RIGHT(message_type_name, 5) END, status FROM desk ORDER BY message_sequence_number"""
WITH_ERROR = "WITH ERROR = 7 DESCRIPTION = 'enough'"
BACK = {"none": "", "local": "LOCAL", "loopback": LOOPBACK, "nowhere": "TCP://nowhere:4022"}
CHANGES = {
    "stays": "",
    "dropped": "DROP ROUTE there",
    "local": "ALTER ROUTE there WITH ADDRESS = 'LOCAL'",
}


@cache
def _image() -> StoreImage:
    with Network() as network:
        machine = network.add("A")
        machine.execute(INSTANCE)
        for name in ("near", "far"):
            machine.execute("CREATE QUEUE desk", name)
            machine.execute(SERVICE.format(name=f"//{name}"), name)
        assert machine.instance is not None
        return StoreImage(machine.instance.store)


class World:
    """`near` reaches `far` over the network of its own instance."""

    def __init__(self, back: str, seed: int = 3) -> None:
        self.network = Network(seed)
        self.a = self.network.add("A", disk=PrefixDisk(_image(), random.Random(seed)))
        self.route("near", "far", LOOPBACK)
        if back:
            self.route("far", "near", back)
        self.handle = str(self.a.execute(BEGIN, "near")[0][0][0])
        self.sent = 0

    def route(self, database: str, other: str, address: str) -> None:
        self.a.execute(f"CREATE ROUTE there WITH SERVICE_NAME = '//{other}', ADDRESS = '{address}'", database)

    def say(self, count: int) -> None:
        for number in range(self.sent, self.sent + count):
            self.a.execute(f"SEND ON CONVERSATION '{self.handle}' ('{number}')", "near")
        self.sent += count

    def change(self, text: str, *, is_crashed: bool) -> None:
        if is_crashed:
            self.a.crash()
            self.a.open()
        if text:
            self.a.execute(text, "near")

    def end(self, how: str = "") -> None:
        self.a.execute(f"END CONVERSATION '{self.handle}' {how}", "near")
        self.network.advance(300)

    def desk(self) -> list[tuple[str, int]]:
        return list(self.a.execute(DESK, "far")[0])

    def end_target(self) -> None:
        """The one that there is."""
        [[(handle,)]] = self.a.execute("SELECT conversation_handle FROM sys.conversation_endpoints", "far")
        self.a.execute(f"END CONVERSATION '{handle}'", "far")
        self.network.advance(300)

    def left(self) -> list[tuple[object, ...]]:
        views = "SELECT 0 FROM sys.conversation_endpoints UNION ALL SELECT 1 FROM sys.transmission_queue"
        closed = "SELECT state FROM sys.conversation_endpoints WHERE state <> 'CD' UNION ALL SELECT '' FROM sys.transmission_queue"
        return [*self.a.execute(views, "near")[0], *self.a.execute(closed, "far")[0]]


@pytest.fixture
def worlds() -> Iterator[list[World]]:
    found: list[World] = []
    yield found
    for world in found:
        world.network.close()


@pytest.mark.spec("CHOICE-14", "CHOICE-15")
@pytest.mark.matrix
@pytest.mark.parametrize(
    ("is_crashed", "end"), [(False, ""), (True, ""), (False, WITH_ERROR)], ids=["runs", "crashes", "error"]
)
@pytest.mark.parametrize(
    ("back", "change"),
    [(b, c) for b in BACK for c in CHANGES if (b, c) != ("nowhere", "stays")],  # there no receipt has a way back
)
def test_each_message_comes_once_and_nothing_is_left(
    worlds: list[World], back: str, change: str, is_crashed: bool, end: str
) -> None:
    world = World(BACK[back])
    worlds.append(world)
    world.say(3)
    world.network.advance(1.0)
    assert len(world.desk()) == 3, "over the network"
    world.change(CHANGES[change], is_crashed=is_crashed)
    world.say(2)
    world.network.advance(300)
    assert world.desk() == [(str(n), 1) for n in range(5)]
    world.end(end)
    last = "Error" if end else "ialog"
    assert world.desk() == [*((str(n), 1) for n in range(5)), (last, 1)]
    world.end_target()
    assert world.left() == []


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("end", ["", WITH_ERROR], ids=["end", "error"])
def test_what_came_too_early_over_the_network_is_delivered_when_the_gap_is_filled_inside(
    worlds: list[World], seed: int, end: str
) -> None:
    world = World("", seed)
    worlds.append(world)
    world.say(1)
    world.network.advance(1.0)
    world.network.spoil(Mischief(0.001, 0.01, lost=0.3, doubled=0.2, overtaken=0.4))
    world.say(12)
    world.network.advance(0.1)
    world.change("DROP ROUTE there", is_crashed=seed % 2 == 1)
    if end:
        world.end(end)
        *bodies, (last, status) = world.desk()
        assert (last, status) == ("Error", 1)
        assert bodies == [(str(n), 1) for n in range(len(bodies))]
    else:
        world.network.advance(300)
        world.end()
        assert world.desk() == [*((str(n), 1) for n in range(13)), ("ialog", 1)]
    world.end_target()
    assert world.left() == []


def test_a_receipt_that_had_no_way_ends_a_side_that_has_ended(worlds: list[World]) -> None:
    """BEGIN, SEND and END at once; only then the routes lead inside."""
    world = World(BACK["nowhere"])
    worlds.append(world)
    world.say(2)
    world.end()
    assert world.desk() == [("0", 1), ("1", 1), ("ialog", 1)] and world.left() != []
    world.change(CHANGES["dropped"], is_crashed=False)
    world.network.advance(300)
    assert world.desk() == [("0", 1), ("1", 1), ("ialog", 1)]
    world.end_target()
    assert world.left() == []
