"""A database whose broker takes no part for a while ends its sides of dialogs with another database of the instance:
the other sides hear of it, at the latest when it takes part again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import sbql

FREEZES = {
    "disabled": ("DISABLE_BROKER WITH ROLLBACK IMMEDIATE", "ENABLE_BROKER WITH ROLLBACK IMMEDIATE"),
    "single user": ("SINGLE_USER WITH ROLLBACK IMMEDIATE", "MULTI_USER"),
    "read-only": ("READ_ONLY WITH ROLLBACK IMMEDIATE", "READ_WRITE WITH ROLLBACK IMMEDIATE"),
    "offline": ("OFFLINE WITH ROLLBACK IMMEDIATE", "ONLINE"),
}
SETUP = """CREATE CONTRACT talk ([DEFAULT] SENT BY ANY); CREATE QUEUE desk; CREATE SERVICE [//{name}] ON QUEUE desk (talk);
GRANT SEND ON SERVICE::[//{name}] TO public"""
BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//near] TO SERVICE '//far' ON CONTRACT talk WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('first'); SEND ON CONVERSATION @h ('second'); SELECT @h"""
ACTS = {
    "END": "END CONVERSATION '{handle}'",
    "END WITH ERROR": "END CONVERSATION '{handle}' WITH ERROR = 7 DESCRIPTION = 'enough'",
    "DROP SERVICE": "DROP SERVICE [//{name}]",
    "DROP CONTRACT": "ALTER SERVICE [//{name}] (DROP CONTRACT talk); DROP CONTRACT talk",
}
READ_ONLY, OFFLINE = 3906, 942


class World:
    def __init__(self) -> None:
        self.connection = sbql.connect(clock="virtual")
        for name in ("near", "far"):
            self.connection.execute(f"CREATE DATABASE {name}")
            self.run(name, SETUP.format(name=name))
        handle = self.run("near", BEGIN)[0][0]
        self.handles = {"near": handle, "far": self.run("far", "RECEIVE conversation_handle FROM desk")[0][0]}

    def run(self, database: str, text: str) -> list[Any]:
        cursor = self.connection.execute(f"USE {database}; {text}")
        return cursor.fetchall() if cursor.description else []

    def alter(self, database: str, text: str) -> None:
        self.connection.execute(f"USE master; ALTER DATABASE {database} SET {text}")

    def wait(self) -> None:
        self.connection.advance(100)
        self.connection.settle()

    def act(self, name: str, act: str) -> bool:
        """Whether it could be done."""
        try:
            self.run(name, ACTS[act].format(handle=self.handles[name], name=name))
        except sbql.Error as error:
            if error.number not in (READ_ONLY, OFFLINE):
                raise
            return False
        return True

    def finish(self) -> None:
        """Whoever has heard of an end ends, too."""
        for name in ("near", "far"):
            for handle, kind in self.run(name, "RECEIVE conversation_handle, message_type_name FROM desk"):
                if kind != "DEFAULT":
                    self.run(name, f"END CONVERSATION '{handle}'")
        self.wait()

    def left(self) -> list[Any]:
        return [
            (name, row)
            for name in ("near", "far")
            for row in self.run(
                name,
                """SELECT state FROM sys.conversation_endpoints WHERE state <> 'CD' OR is_initiator = 1
                UNION ALL SELECT 'waits' FROM sys.transmission_queue""",
            )
        ]


@pytest.fixture
def world() -> Iterator[World]:
    found = World()
    yield found
    found.connection.close()


@pytest.mark.spec("ALTERDB-38", "CHANGE-19")
@pytest.mark.parametrize("last", ["near", "far"])
@pytest.mark.parametrize("frozen", ["near", "far"])
@pytest.mark.parametrize("how", FREEZES)
def test_the_second_end_closes_the_first_side(world: World, how: str, frozen: str, last: str) -> None:
    """It has got the end already, so that nothing is left to be sent."""
    first = "far" if last == "near" else "near"
    world.act(first, "END")
    world.run(last, "RECEIVE message_type_name FROM desk")
    world.alter(frozen, FREEZES[how][0])
    is_done = world.act(last, "END")
    world.wait()
    world.alter(frozen, FREEZES[how][1])
    world.wait()
    if not is_done:
        assert world.act(last, "END")
        world.wait()
    assert world.left() == []


@pytest.mark.matrix
@pytest.mark.parametrize("who", ["near", "far"])
@pytest.mark.parametrize("frozen", ["near", "far"])
@pytest.mark.parametrize("how", FREEZES)
@pytest.mark.parametrize("act", ACTS)
def test_what_ends_a_dialog_reaches_the_other_side(world: World, act: str, how: str, frozen: str, who: str) -> None:
    world.alter(frozen, FREEZES[how][0])
    is_done = world.act(who, act)
    world.wait()
    world.alter(frozen, FREEZES[how][1])
    world.wait()
    if not is_done:
        assert world.act(who, act)
        world.wait()
    world.finish()
    assert world.left() == []
