"""Monologs whose subscribers are in other instances (docs/monologs.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sbql.engine.simulated_network import Machine, Mischief, Network

ENDPOINT = """CREATE DATABASE shop
GO
USE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED)
CREATE MESSAGE TYPE price VALIDATION = WELL_FORMED_XML
CREATE CONTRACT prices (price SENT BY INITIATOR)
CREATE QUEUE desk
GO
CREATE SERVICE [//{me}] ON QUEUE desk (prices); GRANT SEND ON SERVICE::[//{me}] TO public
"""
ROUTE = "USE shop; CREATE ROUTE [to {to}] WITH SERVICE_NAME = '//{to}', ADDRESS = 'TCP://{to}:4022'"
BEGIN = """USE shop; DECLARE @h uniqueidentifier
BEGIN MONOLOG @h FROM SERVICE [//P] ON CONTRACT prices WITH ENCRYPTION = OFF, RETENTION = {retention}; SELECT @h"""
SUBSCRIBE = """USE shop; DECLARE @h uniqueidentifier
BEGIN SUBSCRIPTION @h FOR SERVICE [//{me}] TO SERVICE '//P' ON CONTRACT prices WITH START = {start}; SELECT @h"""
DESK = """SELECT message_type_name, message_sequence_number, CAST(message_body AS varchar(200)) FROM shop.dbo.desk ORDER BY queuing_order"""


class World:
    """P publishes, S and T subscribe."""

    def __init__(self, folder: Path) -> None:
        self.network = Network(3, folder=folder)
        self.p, self.s, self.t = (self.network.add(name, on_disk=True) for name in "PST")
        for machine in (self.p, self.s, self.t):
            machine.execute(ENDPOINT.format(me=machine.name))
        for machine in (self.s, self.t):
            machine.execute(ROUTE.format(to="P"))
            self.p.execute(ROUTE.format(to=machine.name))

    def begin(self, retention: str = "0") -> str:
        return str(self.p.execute(BEGIN.format(retention=retention))[0][0][0])

    def subscribe(self, machine: Machine, start: str = "NOW") -> str:
        handle = str(machine.execute(SUBSCRIBE.format(me=machine.name, start=start))[0][0][0])
        self.network.advance(1)
        return handle

    def say(self, handle: str, *numbers: int) -> None:
        for n in numbers:
            self.p.execute(f"USE shop; SEND ON CONVERSATION '{handle}' MESSAGE TYPE price ('<p>{n}</p>')")

    def heard(self, machine: Machine) -> list[object]:
        """What is in its queue: prices by number and text, other messages by their names."""
        return [
            (number, int(body[3:-4])) if name == "price" else name.rsplit("/", 1)[-1]
            for name, number, body in machine.execute(DESK)[0]
        ]

    def subscribers(self) -> int:
        return int(self.p.execute("SELECT COUNT(*) FROM shop.sys.monolog_subscribers")[0][0][0])

    def handles(self, machine: Machine) -> list[str]:
        text = "SELECT conversation_handle FROM shop.sys.conversation_endpoints WHERE is_system = 0 ORDER BY state"
        return [str(row[0]) for row in machine.execute(text)[0]]

    def is_quiet(self) -> bool:
        """Nothing waits anywhere."""
        counts = [m.execute("SELECT COUNT(*) FROM shop.sys.transmission_queue") for m in (self.p, self.s, self.t)]
        return counts == [[[(0,)]]] * 3 or all(c == [[(0,)]] for c in counts)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    found = World(tmp_path)
    with found.network:
        yield found


@pytest.mark.spec("MONOLOG-34")
def test_subscribers_of_two_instances_hear_everything_from_their_joining_on(world: World) -> None:
    monolog = world.begin()
    world.say(monolog, 1)
    world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 2, 3)
    world.network.deliver()
    world.subscribe(world.t)
    world.network.deliver()
    world.say(monolog, 4)
    world.network.deliver()
    assert world.heard(world.s) == [(1, 2), (2, 3), (3, 4)] and world.heard(world.t) == [(3, 4)]
    assert world.subscribers() == 2 and world.is_quiet()


def test_retained_messages_come_first_and_monologs_to_come_are_joined(world: World) -> None:
    old = world.begin("ON")
    world.say(old, 1, 2)
    world.subscribe(world.s, "RETAINED")
    world.network.deliver()
    new = world.begin()
    world.say(new, 7)
    world.say(old, 3)
    world.network.deliver()
    assert world.heard(world.s) == [(0, 1), (1, 2), (0, 7), (2, 3)]
    assert len(world.handles(world.s)) == 2
    assert world.s.execute("SELECT joined FROM shop.sys.monolog_subscriptions")[0] == [(2,)]


@pytest.mark.spec("MONOLOG-33")
def test_a_subscription_waits_for_route_publisher_and_network(world: World) -> None:
    world.s.execute("USE shop; DROP ROUTE [to P]")
    world.subscribe(world.s, "RETAINED")
    monolog = world.begin("ON")
    world.say(monolog, 1)
    world.network.advance(100)
    assert world.subscribers() == 0
    world.network.partition(["P"], ["S"])
    world.s.execute(ROUTE.format(to="P"))
    world.network.advance(100)
    assert world.subscribers() == 0
    world.network.heal()
    world.network.run_until(lambda: world.subscribers() == 1)
    world.network.deliver()
    assert world.heard(world.s) == [(0, 1)]


@pytest.mark.spec("MONOLOG-34")
def test_messages_are_exactly_once_and_in_order_over_a_bad_network_with_crashes(world: World) -> None:
    world.network.spoil(Mischief(lost=0.1, doubled=0.2, overtaken=0.2, broken=0.01, least_delay=0.0, most_delay=0.5))
    monolog = world.begin("ON")
    world.subscribe(world.s, "RETAINED")
    world.subscribe(world.t, "RETAINED")
    world.network.run_until(lambda: world.subscribers() == 2)
    for n in range(40):
        world.say(monolog, n)
        world.network.advance(0.3)
        if n % 10 == 5:
            machine = (world.p, world.s, world.t)[n // 10 % 3]
            machine.crash()
            world.network.advance(1)
            machine.open()
    world.network.spoil(Mischief())
    world.p.execute(f"USE shop; END CONVERSATION '{monolog}'")
    world.network.deliver()
    for machine in (world.s, world.t):
        assert world.heard(machine) == [*((n, n) for n in range(40)), "EndDialog"]
        (handle,) = world.handles(machine)
        machine.execute(f"USE shop; END CONVERSATION '{handle}'")
    world.network.deliver()
    assert world.subscribers() == 0 and world.is_quiet()


@pytest.mark.spec("MONOLOG-36")
def test_the_end_comes_also_to_whom_nothing_was_sent(world: World) -> None:
    monolog = world.begin()
    world.say(monolog, 1)
    world.subscribe(world.s)
    world.network.deliver()
    world.p.execute(f"USE shop; END CONVERSATION '{monolog}'")
    world.network.deliver()
    assert world.heard(world.s) == ["EndDialog"] and world.is_quiet()


def test_an_end_with_error_reaches_them(world: World) -> None:
    monolog = world.begin()
    world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 1)
    world.network.deliver()
    world.p.execute(f"USE shop; END CONVERSATION '{monolog}' WITH ERROR = 5 DESCRIPTION = 'closed'")
    world.network.deliver()
    assert world.heard(world.s) == [(0, 1), "Error"]


@pytest.mark.spec("MONOLOG-22")
@pytest.mark.parametrize("before", [0, 1])
def test_an_end_with_error_overtakes_what_has_not_come(world: World, before: int) -> None:
    """That is deleted: the subscriber does not wait for it. Who has heard nothing of the
    monolog hears nothing of its end."""
    monolog = world.begin()
    world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, *range(before))
    world.network.deliver()
    world.network.partition(["P"], ["S"])
    world.say(monolog, 8, 9)
    world.network.advance(5)
    world.p.execute(f"USE shop; END CONVERSATION '{monolog}' WITH ERROR = 5 DESCRIPTION = 'closed'")
    world.network.heal()
    world.network.deliver()
    assert world.heard(world.s) == [(0, 0), "Error"][: 2 * before] and world.is_quiet()
    assert world.subscribers() == 0


@pytest.mark.spec("MONOLOG-37")
def test_a_subscription_ends_with_its_legs(world: World) -> None:
    monolog = world.begin()
    subscription = world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 1)
    world.s.execute(f"USE shop; END SUBSCRIPTION '{subscription}'")
    world.network.deliver()
    world.say(monolog, 2)
    world.network.deliver()
    assert world.heard(world.s) == [(0, 1), "EndDialog"]
    assert world.subscribers() == 0 and world.is_quiet()
    assert world.p.execute("SELECT COUNT(*) FROM shop.sys.conversation_endpoints WHERE state <> 'CD'")[0] == [(1,)]
    again = world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 3)
    world.network.deliver()
    assert again != subscription and world.heard(world.s)[-1] == (2, 3)


@pytest.mark.spec("MONOLOG-37")
def test_a_subscriber_leaves_one_monolog_and_the_publisher_goes_on(world: World) -> None:
    first, second = world.begin(), world.begin()
    world.subscribe(world.s)
    world.network.deliver()
    world.say(first, 1)
    world.network.deliver()
    (handle,) = world.handles(world.s)
    world.s.execute(f"USE shop; RECEIVE * FROM desk; END CONVERSATION '{handle}'")
    world.network.deliver()
    world.say(first, 2)
    world.say(second, 3)
    world.network.deliver()
    assert world.heard(world.s) == [(0, 3)] and world.heard(world.p) == [] and world.subscribers() == 1


@pytest.mark.spec("MONOLOG-37")
def test_an_error_of_one_subscriber_is_told_to_the_publisher(world: World) -> None:
    monolog = world.begin()
    for machine in (world.s, world.t):
        world.subscribe(machine)
    world.network.deliver()
    world.say(monolog, 1)
    world.network.deliver()
    (handle,) = world.handles(world.s)
    world.s.execute(f"USE shop; END CONVERSATION '{handle}' WITH ERROR = 9 DESCRIPTION = 'too much'")
    world.network.deliver()
    assert world.heard(world.p) == ["Error"] and world.subscribers() == 1
    world.say(monolog, 2)
    world.network.deliver()
    assert world.heard(world.t) == [(0, 1), (1, 2)]


def test_what_the_subscriber_cannot_take_ends_its_part(world: World) -> None:
    world.s.execute("USE shop; ALTER MESSAGE TYPE price VALIDATION = EMPTY")
    monolog = world.begin()
    world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 1)
    world.network.deliver()
    assert world.heard(world.s) == ["Error"] and world.heard(world.p) == ["Error"] and world.subscribers() == 0


@pytest.mark.spec("MONOLOG-36")
def test_a_queue_that_is_off_holds_them(world: World) -> None:
    world.s.execute("USE shop; ALTER QUEUE desk WITH STATUS = OFF")
    monolog = world.begin()
    world.subscribe(world.s)
    world.network.advance(10)
    world.say(monolog, 1, 2)
    world.network.advance(2)  # nothing is sent a second time yet
    assert world.heard(world.s) == []
    waiting = "SELECT message_sequence_number FROM shop.sys.transmission_queue ORDER BY 1"
    assert world.p.execute(waiting)[0] == [], "all of it has been received there"
    assert world.s.execute(waiting)[0] == [(0,), (1,)]
    world.s.execute("USE shop; ALTER QUEUE desk WITH STATUS = ON")
    world.network.deliver()
    assert world.heard(world.s) == [(0, 1), (1, 2)]


@pytest.mark.spec("MONOLOG-35")
def test_without_send_on_the_publishers_service_the_subscription_is_refused(world: World) -> None:
    world.p.execute("USE shop; REVOKE SEND ON SERVICE::[//P] FROM public")
    subscription = world.subscribe(world.s)
    world.network.advance(100)
    assert world.heard(world.s) == ["Error"] and world.subscribers() == 0
    with pytest.raises(Exception, match="not"):
        world.s.execute(f"USE shop; END CONVERSATION '{subscription}'")
    world.s.execute(f"USE shop; END SUBSCRIPTION '{subscription}'")
    assert world.heard(world.s) == [] and world.is_quiet()


@pytest.mark.spec("MONOLOG-35")
def test_without_send_on_the_subscribers_service_the_publisher_hears_of_it(world: World) -> None:
    world.s.execute("USE shop; REVOKE SEND ON SERVICE::[//S] FROM public")
    monolog = world.begin()
    world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 1)
    world.network.deliver()
    assert world.heard(world.s) == [] and world.heard(world.p) == ["Error"] and world.subscribers() == 0


@pytest.mark.spec("MONOLOG-34")
def test_a_transaction_that_sends_while_somebody_joins_is_heard_as_a_whole(world: World) -> None:
    monolog = world.begin()
    session = world.p.connect("shop")
    session.run(f"BEGIN TRANSACTION; SEND ON CONVERSATION '{monolog}' MESSAGE TYPE price ('<p>1</p>')")
    world.subscribe(world.s)
    world.network.advance(5)
    assert world.subscribers() == 1
    session.run(f"SEND ON CONVERSATION '{monolog}' MESSAGE TYPE price ('<p>2</p>'); COMMIT")
    world.network.deliver()
    assert world.heard(world.s) == [(0, 1), (1, 2)]


@pytest.mark.spec("MONOLOG-38")
def test_nobody_makes_a_subscriber_of_what_has_not_subscribed(world: World) -> None:
    """A leg for a subscription that is gone, as a publisher's instance restored from a backup has it: it ends
    there, and no application hears of it."""
    monolog = world.begin()
    subscription = world.subscribe(world.s)
    world.network.deliver()
    world.network.partition(["P"], ["S"])
    world.say(monolog, 1)
    world.s.execute(f"USE shop; END SUBSCRIPTION '{subscription}'")
    world.network.advance(100)
    world.network.heal()
    world.network.deliver()
    assert world.subscribers() == 0 and world.heard(world.p) == [] and world.is_quiet()


@pytest.mark.spec("MONOLOG-37")
def test_an_order_that_comes_again_after_its_end_subscribes_nobody(world: World) -> None:
    """Its receipt was late, and it was sent once more: what has ended is still known."""
    said: list[bytes] = []

    def keep(one: str, _other: str, data: bytes) -> bytes:
        if one == "S" and b"Monologs/Subscribe" in data:
            said.append(data)
        return data

    world.network.spoil(Mischief(rewrite=keep))
    monolog = world.begin()
    subscription = world.subscribe(world.s)
    world.network.deliver()
    world.s.execute(f"USE shop; END SUBSCRIPTION '{subscription}'")
    world.network.deliver()
    assert said and world.subscribers() == 0
    assert world.s.instance is not None and world.s.instance.transmitter is not None
    (link,) = [link for link in world.s.instance.transmitter.neighbours.links() if link.is_online]
    link.wire.send(said[:1])
    world.network.advance(1)
    world.say(monolog, 1)
    world.begin()
    assert world.subscribers() == 0
    world.network.deliver()
    assert world.heard(world.s) == ["EndDialog"] and world.is_quiet()


@pytest.mark.spec("MONOLOG-37")
def test_an_end_stands_behind_what_was_acknowledged_out_of_order(world: World) -> None:
    monolog = world.begin()
    subscription = world.subscribe(world.s)
    world.network.deliver()
    world.say(monolog, 0)
    world.network.deliver()
    world.network.spoil(Mischief(rewrite=lambda _one, _other, data: b"" if b"<p>1</p>" in data else data))
    world.say(monolog, 1, 2, 3)
    world.network.advance(2)
    world.s.execute(f"USE shop; END SUBSCRIPTION '{subscription}'")
    world.network.advance(2)
    world.network.heal()
    world.network.deliver()
    assert world.heard(world.s) == [(0, 0), (1, 1), (2, 2), (3, 3), "EndDialog"] and world.subscribers() == 0
