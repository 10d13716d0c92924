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
OF_THE_DATABASE = {
    "ERROR_BROKER": "ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE",
    "NEW_BROKER": "NEW_BROKER WITH ROLLBACK IMMEDIATE",
}
ALL_ACTS = [*ACTS, "END WITH CLEANUP", *OF_THE_DATABASE, "DROP DATABASE"]
HELD_ERRORS = {"DROP SERVICE": "-8470", "DROP CONTRACT": "-8487", "ERROR_BROKER": "-9720"}
NOT_CLOSING = {"DROP CONTRACT"}
"""What does not close a side that has ended before: the other one has not ended yet."""
CODES = """WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
    SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'varchar(9)') FROM desk WHERE message_type_id = 1"""
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

    def act_of(self, name: str, act: str) -> None:
        """Any of ALL_ACTS, of a database that takes part."""
        if act == "END WITH CLEANUP":
            self.run(name, f"END CONVERSATION '{self.handles[name]}' WITH CLEANUP")
        elif act == "DROP DATABASE":
            self.connection.execute(f"USE master; DROP DATABASE {name}")
        elif act in OF_THE_DATABASE:
            self.alter(name, OF_THE_DATABASE[act])
        else:
            assert self.act(name, act)

    def everything(self, name: str) -> list[Any]:
        """Of a database's side of the dialog, also while nobody may look into it."""
        instance = self.connection.instance
        broker = instance.broker
        return [
            (c.endpoint.state, c.endpoint.send_sequence, c.endpoint.receive_sequence, len(c.transmission), [m.message_type_name for m in c.in_memory()])
            for c in broker.endpoints.values()
            if broker.index(instance.catalog).databases[c.endpoint.database_id].name == name
        ]  # fmt: skip

    def shown(self, name: str) -> list[Any]:
        texts = (
            "SELECT message_type_name FROM desk",
            "SELECT state FROM sys.conversation_endpoints",
            "SELECT 'waits' FROM sys.transmission_queue",
        )
        return [self.run(name, text) for text in texts]

    def errors(self, name: str) -> list[str]:
        return [code for (code,) in self.run(name, CODES)]

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


@pytest.mark.spec("ALTERDB-40", "ALTERDB-3", "ALTERDB-16", "ALTERDB-18", "ALTERDB-19")
@pytest.mark.matrix
@pytest.mark.parametrize("before", ["open", "frozen side ended", "other side ended"])
@pytest.mark.parametrize("frozen", ["near", "far"])
@pytest.mark.parametrize("how", FREEZES)
@pytest.mark.parametrize("act", ALL_ACTS)
def test_nothing_of_a_frozen_database_changes_until_it_takes_part(
    world: World, act: str, how: str, frozen: str, before: str
) -> None:
    other = "far" if frozen == "near" else "near"
    if before != "open":
        first = frozen if before == "frozen side ended" else other
        world.act(first, "END")
    if before == "other side ended" and act in ("END", "END WITH ERROR"):
        pytest.skip("it has ended")
    world.alter(frozen, FREEZES[how][0])
    world.wait()
    kept = world.everything(frozen)
    assert len(kept) == 1
    shown = world.shown(frozen) if how != "offline" else []
    world.act_of(other, act)
    world.wait()
    assert world.everything(frozen) == kept
    if how != "offline":
        assert world.shown(frozen) == shown
    world.alter(frozen, FREEZES[how][1])
    world.wait()
    if before == "open" and act in HELD_ERRORS:
        assert world.errors(frozen) == [HELD_ERRORS[act]]
    if before == "frozen side ended" and act not in NOT_CLOSING:
        assert [state for state, *_ in world.everything(frozen)] in ([], ["CD"])
