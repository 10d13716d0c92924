"""Two instances that connect to each other at the same moment: two connections come of it, of which one goes. Nothing
that went over either is lost, nobody waits for a repetition, and errors are heard as over one connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_held_through_errors import SETUP
from test_network import SHOP, Two

from sbql.engine.network.sending import FIRST_RETRY
from sbql.engine.simulated_network import Machine, Mischief, Network

STOP, START = (f"ALTER ENDPOINT broker STATE = {state}" for state in ("STOPPED", "STARTED"))
BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//{me}] TO SERVICE '//{you}' ON CONTRACT docs WITH ENCRYPTION = OFF;
{sends}"""
SEND = "SEND ON CONVERSATION @h MESSAGE TYPE doc ('{}')"
BODIES = "SELECT CAST(message_body AS varchar(max)) FROM shop.dbo.desk WHERE message_type_name = 'doc' ORDER BY message_sequence_number"
CODES = """SELECT CAST(message_body AS xml).value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int')
FROM shop.dbo.desk WHERE message_type_name LIKE '%/Error'"""
WAITING = "SELECT message_sequence_number, transmission_status FROM shop.sys.transmission_queue"
FAR = "SELECT is_initiator, far_broker_instance FROM shop.sys.conversation_endpoints"
OWN = "SELECT CAST(service_broker_guid AS varchar(36)) FROM sys.databases WHERE name = 'shop'"
COUNT = "SELECT COUNT(*) FROM sys.dm_broker_connections WHERE state_desc = 'LOGGED_IN'"
SENT_WRONG, GOT_WRONG = -9615, -9616
LARGE = "<a>" + "x" * 100_000 + "</a>"


class Both(Two):
    """Each has something to say to the other while both endpoints are stopped."""

    def __init__(self, seed: int, folder: Path | None = None) -> None:
        self.network = Network(seed, folder=folder)
        self.a, self.b = (self.network.add(name, on_disk=folder is not None) for name in "AB")
        for me, you in (self.a, self.b), (self.b, self.a):
            me.execute(SHOP.format(me=me.name, you=you.name))
            me.execute(SETUP.format(me=me.name, validation="NONE" if me is self.a else "WELL_FORMED_XML"))
            me.execute(STOP)

    def say(self, me: Machine, *bodies: str) -> None:
        """In a dialog of its own."""
        you = self.b if me is self.a else self.a
        sends = ";\n".join(SEND.format(LARGE if body == "large" else body) for body in bodies)
        me.execute(BEGIN.format(me=me.name, you=you.name, sends=sends))

    def start(self, apart: float) -> None:
        first, second = self.network.chance.sample([self.a, self.b], 2)
        first.execute(START)
        self.network.advance(apart)
        second.execute(START)

    def bodies(self, machine: Machine) -> list[str]:
        return ["large" if body == LARGE else body for (body,) in machine.execute(BODIES)[0]]


@pytest.fixture(params=range(6))
def both(request: pytest.FixtureRequest) -> Iterator[Both]:
    found = Both(request.param)
    with found.network:
        yield found


def connections(both: Both) -> list[int]:
    return [machine.execute(COUNT)[0][0][0] for machine in (both.a, both.b)]


@pytest.mark.spec("NETWORK-2")
@pytest.mark.parametrize("most_delay", [0.001, 0.005, 0.3])
def test_nobody_waits_for_a_repetition(both: Both, most_delay: float) -> None:
    both.network.spoil(Mischief(0.001, most_delay))
    sent = {machine: [f"<{machine.name}{number}/>" for number in range(5)] + ["large"] for machine in (both.a, both.b)}
    for machine, bodies in sent.items():
        both.say(machine, *bodies)
    both.start(0.0)
    both.network.run_until(lambda: connections(both) == [2, 2], 3.0)
    for machine in (both.a, both.b):
        both.say(machine, "<behind/>")
    both.network.advance(FIRST_RETRY - 0.1)
    assert [machine.execute(WAITING)[0] for machine in (both.a, both.b)] == [[], []]
    for me, you in (both.a, both.b), (both.b, both.a):
        assert sorted(both.bodies(you)) == sorted([*sent[me], "<behind/>"])
    both.network.advance(10)
    assert connections(both) == [1, 1]


@pytest.mark.spec("NETWORK-2")
@pytest.mark.parametrize("moment", [0.0, 0.001, 0.002, 0.004, 0.02])
def test_what_the_one_that_goes_carried_is_due_when_it_breaks(both: Both, moment: float) -> None:
    """Either of two connections breaks while something is on its way."""
    for machine in (both.a, both.b):
        both.say(machine, "<first/>", "large")
    both.start(0.0)
    both.network.run_until(lambda: connections(both) == [2, 2], 3.0)
    both.network.advance(moment)
    both.network.chance.choice(both.network.board.wires).break_("cut")
    both.network.advance(1.0)
    assert [sorted(both.bodies(machine)) for machine in (both.a, both.b)] == [["<first/>", "large"]] * 2
    assert [machine.execute(WAITING)[0] for machine in (both.a, both.b)] == [[], []]


@pytest.mark.spec("NETWORK-2", "NETWORK-15")
@pytest.mark.parametrize("before", [0.0, 0.001, 0.003, 1.0], ids=str)
def test_an_error_is_from_the_broker_that_has_the_dialog(both: Both, before: float) -> None:
    """What is wrong goes before its sender knows which broker that is; the error comes when it may know."""
    both.say(both.a, "<first/>", "<not well-formed>")
    both.say(both.b, "<mine/>")
    both.start(before)
    both.network.advance(FIRST_RETRY - 0.1)
    assert both.a.execute(CODES)[0] == [(SENT_WRONG,)]
    ((guid,),) = both.b.execute(OWN)[0]
    far = {str(row[1]).upper() for row in both.a.execute(FAR)[0] if row[0]}
    assert far == {str(guid).upper()}
    both.network.advance(100)
    assert [machine.execute(CODES)[0] for machine in (both.a, both.b)] == [[(SENT_WRONG,)], [(GOT_WRONG,)]]


@pytest.mark.spec("NETWORK-2")
@pytest.mark.parametrize("moment", [0.0, 0.0005, 0.0015, 0.01])
def test_an_endpoint_that_stops_while_it_connects(both: Both, moment: float) -> None:
    """The way that comes in the end belongs to nobody: the other side does not wait for its login."""
    both.say(both.a, "<first/>")
    both.b.execute(START)
    both.a.execute(START)
    both.network.advance(moment)
    both.a.execute(STOP)
    both.network.advance(0.1)
    assert both.b.execute("SELECT COUNT(*) FROM sys.dm_broker_connections")[0] == [(0,)]
    both.a.execute(START)
    both.network.advance(1)
    assert both.bodies(both.b) == ["<first/>"]
