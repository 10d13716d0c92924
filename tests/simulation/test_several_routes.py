"""Several routes to one service in several instances: a dialog stays with the one that has acknowledged it, also when
nothing of it waits for a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_network_routing import DESK, SERVICE, SHOP

from sbql.engine.simulated_network import Machine, Network

BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//X' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('{number}:0'); SELECT @h"""
TARGETS = "SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0"
DIALOGS = 8


class World:
    """A has routes to //X in B and in C; both have routes to //A in A, and where nothing is."""

    def __init__(self, folder: Path) -> None:
        self.network = Network(2, folder=folder)
        self.a, self.b, self.c = (self.network.add(name, on_disk=True) for name in "ABC")
        self.machines = (self.a, self.b, self.c)
        for machine in self.machines:
            machine.execute(SHOP)
        self.a.execute(SERVICE.format(name="//A"), "shop")
        for machine, other in ((self.b, "C"), (self.c, "B")):
            machine.execute(SERVICE.format(name="//X"), "shop")
            self.route(self.a, "//X", machine.name)
            self.route(machine, "//A", "A")
            self.route(machine, "//A", other)

    def route(self, machine: Machine, service: str, address: str) -> None:
        machine.execute(
            f"CREATE ROUTE [{service} {address}] WITH SERVICE_NAME = '{service}', ADDRESS = 'TCP://{address}:4022'",
            "shop",
        )

    def begin(self) -> list[str]:
        handles = [str(self.a.execute(BEGIN.format(number=n), "shop")[0][0][0]) for n in range(DIALOGS)]
        self.network.deliver()
        assert all(self.texts(machine) for machine in (self.b, self.c))
        return handles

    def say(self, handles: list[str], part: int) -> None:
        for number, handle in enumerate(handles):
            self.a.execute(f"SEND ON CONVERSATION '{handle}' ('{number}:{part}')", "shop")

    def texts(self, machine: Machine) -> list[str]:
        return [row[0] for row in machine.execute(DESK, "shop")[0]]

    def places(self) -> dict[str, str]:
        """Of each dialog that has begun."""
        return {text: m.name for m in (self.b, self.c) for text in self.texts(m) if text.endswith(":0")}

    def is_whole(self, parts: int) -> bool:
        """Each dialog has got all in one place."""
        found = {m.name: sorted(self.texts(m)) for m in (self.b, self.c)}
        expected = {name: [f"{n}:{part}" for n in range(DIALOGS) for part in range(parts) if self.places()[f"{n}:0"] == name] for name in "BC"}  # fmt: skip
        return found == expected


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    found = World(tmp_path)
    with found.network:
        yield found


@pytest.mark.spec("CHOICE-13")
@pytest.mark.parametrize("pause", [10.0, 1000.0], ids=["connected", "idle"])
def test_a_dialog_stays_where_it_was_acknowledged(world: World, pause: float) -> None:
    """What is known is used at once: nothing is tried in vain."""
    handles = world.begin()
    for part in (1, 2, 3):
        world.network.advance(pause)
        world.say(handles, part)
        world.network.advance(3)
        assert world.is_whole(part + 1)


@pytest.mark.parametrize("who", ["A", "all"])
def test_it_stays_there_after_a_restart(world: World, who: str) -> None:
    handles = world.begin()
    for machine in world.machines if who == "all" else (world.a,):
        machine.crash()
        machine.open()
    world.say(handles, 1)
    world.network.advance(15)  # addresses are tried in turn
    assert world.is_whole(2)
    world.say(handles, 2)
    world.network.advance(3)
    assert world.is_whole(3)


@pytest.mark.parametrize("restarts", [False, True], ids=["on", "restarted"])
@pytest.mark.parametrize("minutes", [1, 30])
def test_it_waits_for_its_instance(world: World, minutes: int, restarts: bool) -> None:
    """The other one does not take it, however long that takes."""
    handles = world.begin()
    world.b.crash()
    if restarts:
        world.a.crash()
        world.a.open()
    world.say(handles, 1)
    world.network.advance(60.0 * minutes)
    of_c = sorted(world.texts(world.c))
    assert {text[:-2] for text in of_c} == {text[:-2] for text in of_c if text.endswith(":0")}
    assert sum(text.endswith(":1") for text in of_c) == len(of_c) // 2
    world.b.open()
    world.network.advance(200)
    assert world.is_whole(2)


def test_answers_and_receipts_find_the_way_back(world: World) -> None:
    """Of the two routes to the initiator one leads to an instance that does not know it."""
    world.begin()
    for machine in (world.b, world.c):
        machine.crash()
        machine.open()
    for part in range(3):
        for machine in (world.b, world.c):
            for (handle,) in machine.execute(TARGETS, "shop")[0]:
                machine.execute(f"SEND ON CONVERSATION '{handle}' ('{part}')", "shop")
        world.network.advance(15)
        assert sorted(world.texts(world.a)) == sorted(str(p) for p in range(part + 1) for _ in range(DIALOGS))
        assert all(m.execute("SELECT COUNT(*) FROM sys.transmission_queue", "shop") == [[(0,)]] for m in world.machines)
        world.network.advance(500)


@pytest.mark.parametrize("end", ["", " WITH ERROR = 7 DESCRIPTION = 'x'"], ids=["end", "error"])
def test_the_end_gets_there(world: World, end: str) -> None:
    handles = world.begin()
    world.a.crash()
    world.a.open()
    for handle in handles:
        world.a.execute(f"END CONVERSATION '{handle}'{end}", "shop")
    world.network.advance(15)
    for machine, state in ((world.a, None), (world.b, "ER" if end else "DI"), (world.c, "ER" if end else "DI")):
        found = {row[0] for row in machine.execute("SELECT state FROM sys.conversation_endpoints", "shop")[0]}
        assert found == ({state} if state else set())


def test_a_route_that_comes_later_takes_nothing_away(world: World) -> None:
    """It leads nowhere."""
    handles = world.begin()
    world.network.advance(200)
    world.route(world.a, "//X", "D")
    world.say(handles, 1)
    world.network.advance(3)
    assert world.is_whole(2)
