"""An error of a broker is told to the other instance once, in a frame that may get lost. Who has not heard of it is
told when it next says something: nothing is acknowledged that nobody receives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tampering import each
from test_late_receipts import SHOP

from sbql.engine.network.frames import BrokerError, Frame
from sbql.engine.simulated_network import Machine, Mischief, Network

OPEN = "SELECT state FROM shop.sys.conversation_endpoints WHERE state <> 'CD'"
HANDLE = "SELECT conversation_handle FROM shop.sys.conversation_endpoints"
CODES = "SELECT CAST(message_body AS nvarchar(400)) FROM shop.dbo.desk WHERE message_type_name LIKE '%/Error'"
TYPES = """USE shop; CREATE MESSAGE TYPE xml VALIDATION = WELL_FORMED_XML
CREATE CONTRACT talk ([DEFAULT] SENT BY ANY, xml SENT BY ANY); ALTER SERVICE [//{me}] (ADD CONTRACT talk); USE master"""
BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' ON CONTRACT talk WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [DEFAULT] ('0'); USE master"""


class Lost:
    """Errors of brokers get lost on their way, until it is over."""

    def __init__(self) -> None:
        self.count = 0
        self.is_over = False

    def rewrite(self, _one: str, _other: str, data: bytes) -> bytes:
        return each(data, self._look_at)

    def _look_at(self, frame: Frame) -> Frame | None:
        if self.is_over or not isinstance(frame, BrokerError):
            return frame
        self.count += 1
        return None


class Cause(NamedTuple):
    """What B does, or A says, and the codes that either side has in the end."""

    at_b: str
    said: str
    here: str
    there: str


CAUSES = {
    "contract dropped": Cause(
        "USE shop; ALTER SERVICE [//B] (DROP CONTRACT talk); DROP CONTRACT talk; USE master", "", "-8425", "-8487"
    ),
    "restored": Cause("ALTER DATABASE shop SET ERROR_BROKER_CONVERSATIONS", "", "-9719", "-8462"),
    "not valid": Cause(
        "", "MESSAGE TYPE xml ('no')", "-9616", "-9615"
    ),
}  # fmt: skip


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    with Network(5, folder=tmp_path) as network:
        for me, you in ("AB", "BA"):
            machine = network.add(me, on_disk=True)
            machine.execute(SHOP.format(me=me, you=you) + "\nGO\nUSE master")
            machine.execute(TYPES.format(me=me))
        yield network


def codes(machine: Machine) -> list[str]:
    return [re.findall("<Code>(.*)</Code>", body)[0] for (body,) in machine.execute(CODES)[0]]


@pytest.mark.spec("RESTORED-6")
@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("crashes", [False, True])
@pytest.mark.parametrize("cause", CAUSES)
def test_who_has_not_heard_of_an_error_is_told_when_it_says_something(
    network: Network, cause: str, crashes: bool, ends: bool
) -> None:
    what, lost = CAUSES[cause], Lost()
    a, b = network.machines["A"], network.machines["B"]
    a.execute(BEGIN)
    network.deliver()
    ((own,),), ((theirs,),) = a.execute(HANDLE)[0], b.execute(HANDLE)[0]
    network.spoil(Mischief(rewrite=lost.rewrite))
    b.execute(what.at_b)
    if what.said:
        a.execute("USE shop; ALTER MESSAGE TYPE xml VALIDATION = NONE; USE master")
        a.execute(f"USE shop; SEND ON CONVERSATION '{own}' {what.said}; USE master")
    network.run_until(lambda: lost.count > 0)
    lost.is_over = True
    assert (codes(b), codes(a)) == ([what.here], [])
    if crashes:
        b.crash()
        b.open()
    if ends:
        b.execute(f"USE shop; END CONVERSATION '{theirs}'; USE master")
    if not what.said:  # else it is sent again
        a.execute(f"USE shop; SEND ON CONVERSATION '{own}' MESSAGE TYPE [DEFAULT] ('1'); USE master")
    network.advance(300)
    assert codes(a) == [what.there]
    a.execute(f"USE shop; END CONVERSATION '{own}'; USE master")
    assert a.execute("SELECT COUNT(*) FROM shop.sys.transmission_queue") == [[(0,)]]
