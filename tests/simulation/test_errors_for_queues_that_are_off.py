"""Errors of the broker for a conversation whose queue is OFF: it is over at once, and its message waits until the queue
is ON, as all that comes for such a queue does. Nothing goes into a queue that is OFF."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import sbql

SETUP = """CREATE MESSAGE TYPE [//xml] VALIDATION = {validation}; CREATE CONTRACT talk ([DEFAULT] SENT BY ANY, [//xml] SENT BY ANY);
CREATE QUEUE desk; CREATE SERVICE [//{name}] ON QUEUE desk (talk); GRANT SEND ON SERVICE::[//{name}] TO public"""
BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//near] TO SERVICE '//far' ON CONTRACT talk
WITH ENCRYPTION = OFF, LIFETIME = 1000; {send} SELECT @h"""
SEND = "SEND ON CONVERSATION @h ('1'); SEND ON CONVERSATION @h ('2');"
CODES = """WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
    SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM desk WHERE message_type_id = 1"""
NOT_XML = "USE {database}; SEND ON CONVERSATION '{handle}' MESSAGE TYPE [//xml] ('<a>')"

CAUSES = {
    # cause: (what is done, the code at near, the code at far; 0: none)
    "lifetime": ("", -8489, -8489),
    "DROP SERVICE far": ("USE far; DROP SERVICE [//far]", -8470, 0),
    "DROP SERVICE near": ("USE near; DROP SERVICE [//near]", 0, -8470),
    "DROP CONTRACT far": ("USE far; ALTER SERVICE [//far] (DROP CONTRACT talk); DROP CONTRACT talk", -8487, -8425),
    "DROP CONTRACT near": ("USE near; ALTER SERVICE [//near] (DROP CONTRACT talk); DROP CONTRACT talk", -8425, -8487),
    "ERROR_BROKER far": ("ALTER DATABASE far SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE", -9720, -9719),
    "ERROR_BROKER near": ("ALTER DATABASE near SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE", -9719, -9720),
    "body from near": (NOT_XML, -9615, -9616),
    "body from far": (NOT_XML, -9616, -9615),
}


class World:
    def __init__(self) -> None:
        self.connection = sbql.connect(clock="virtual")
        for name, validation in (("near", "NONE"), ("far", "WELL_FORMED_XML")):
            self.run("master", f"CREATE DATABASE {name}")
            self.run(name, SETUP.format(name=name, validation=validation))
        self.handles: dict[str, str] = {}

    def run(self, database: str, text: str) -> list[Any]:
        cursor = self.connection.execute(f"USE {database}; {text}")
        found = cursor.fetchall() if cursor.description else []
        self.connection.execute("USE master")
        return found

    def begin(self, send: str = SEND) -> None:
        self.handles["near"] = self.run("near", BEGIN.format(send=send))[0][0]
        for (handle,) in self.run("far", "SELECT conversation_handle FROM sys.conversation_endpoints"):
            self.handles["far"] = handle

    def switch(self, name: str, status: str) -> None:
        self.run(name, f"ALTER QUEUE desk WITH STATUS = {status}")

    def wait(self, seconds: float = 100) -> None:
        self.connection.advance(seconds)
        self.connection.settle()

    def state(self, name: str) -> list[str]:
        return [state for (state,) in self.run(name, "SELECT state FROM sys.conversation_endpoints")]

    def errors(self, name: str) -> list[int]:
        return [code for (code,) in self.run(name, CODES)]

    def count(self, name: str) -> int:
        return int(self.run(name, "SELECT COUNT(*) FROM desk")[0][0])

    def waiting(self, name: str) -> list[Any]:
        text = """SELECT is_conversation_error, message_sequence_number, message_type_name, conversation_handle
            FROM sys.transmission_queue WHERE is_conversation_error = 1"""
        return self.run(name, text)


@pytest.fixture
def world() -> Iterator[World]:
    found = World()
    yield found
    found.connection.close()


@pytest.mark.spec("OFF-16", "OFF-15")
@pytest.mark.matrix
@pytest.mark.parametrize("off", ["near", "far"])
@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("then", ["ON", "END", "END, ON"])
def test_the_conversation_is_over_and_the_message_waits(world: World, cause: str, off: str, then: str) -> None:
    act, *codes = CAUSES[cause]
    code = codes[off == "far"]
    if not code:
        pytest.skip("this side is gone")
    if cause.startswith("body"):  # is taken by a queue that is ON
        sender = cause.removeprefix("body from ")
        if sender != off:
            pytest.skip("it does not come to a queue that is OFF")
        if sender == "far":
            world.run("near", "ALTER MESSAGE TYPE [//xml] VALIDATION = WELL_FORMED_XML")
    world.begin()
    world.switch(off, "OFF")
    before = world.count(off)
    if cause == "lifetime":
        world.wait(1000)
    else:
        world.run("master", act.format(database=off, handle=world.handles[off]))
    world.wait()
    assert (world.count(off), world.state(off)) == (before, ["ER"])
    error = "http://schemas.microsoft.com/SQL/ServiceBroker/Error"
    assert world.waiting(off) == [(True, 0, error, world.handles[off])]
    with pytest.raises(sbql.Error) as refused:
        world.run(off, f"SEND ON CONVERSATION '{world.handles[off]}' ('more')")
    assert refused.value.number == 8429
    if then.startswith("END"):
        world.run(off, f"END CONVERSATION '{world.handles[off]}'")
        assert world.waiting(off) == []
    if then.endswith("ON"):
        world.switch(off, "ON")
        world.wait()
    assert world.errors(off) == ([code] if then == "ON" else [])
    assert world.waiting(off) == []
    if then == "ON":
        (row,) = world.run(
            off, f"RECEIVE TOP (1) message_type_name FROM desk WHERE conversation_handle = '{world.handles[off]}'"
        )
        assert row == (error,)  # an Error goes before messages


@pytest.mark.spec("OFF-16")
def test_a_refusal_of_the_target_waits_too(world: World) -> None:
    world.run("far", "ALTER SERVICE [//far] (DROP CONTRACT talk)")
    world.switch("near", "OFF")
    world.begin("SEND ON CONVERSATION @h ('1');")
    world.wait()
    assert (world.count("near"), world.state("near")) == (0, ["ER"])
    world.switch("near", "ON")
    world.wait()
    assert world.errors("near") == [-8408]
