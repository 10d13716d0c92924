"""Activated tasks whose queue, or its activation, is switched off or dropped: those that wait in RECEIVE are ended, and
the error log says so of these alone. One that works learns it as an error when it looks again; a loop that goes on over
the error is ended, too, and does not spin for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import sbql

SETUP = """CREATE QUEUE asks; CREATE QUEUE work; CREATE SERVICE asks ON QUEUE asks; CREATE SERVICE work ON QUEUE work ([DEFAULT]);
CREATE TABLE rounds (n int); INSERT rounds VALUES (0)"""
LOOP = """CREATE PROCEDURE reader AS
BEGIN
    DECLARE @h uniqueidentifier, @name sysname;
    WHILE 1 = 1
    BEGIN
        {before}
        SET @h = NULL;
        {look};
        {after}
        UPDATE rounds SET n += 1;
        {at_work}
    END
END"""
RECEIVE = "RECEIVE TOP (1) @h = conversation_handle, @name = message_type_name FROM work"
LOOKS = {
    "WAITFOR RECEIVE": f"WAITFOR ({RECEIVE}), TIMEOUT 60000",
    "WAITFOR RECEIVE for ever": f"WAITFOR ({RECEIVE})",
    "WAITFOR GET": f"WAITFOR (GET CONVERSATION GROUP @h FROM work), TIMEOUT 60000; IF @h IS NOT NULL {RECEIVE}",
}
ERRORS = {"through": ("", ""), "TRY": ("BEGIN TRY", "END TRY BEGIN CATCH SET @h = NULL; END CATCH")}
SWITCHES = {
    "STATUS = OFF": "ALTER QUEUE work WITH STATUS = OFF",
    "ACTIVATION OFF": "ALTER QUEUE work WITH ACTIVATION (STATUS = OFF)",
    "DROP": "DROP SERVICE work; DROP QUEUE work",
}


class World:
    def __init__(self, look: str, errors: str, at_work: str = "") -> None:
        self.connection = sbql.connect(clock="virtual")
        self.connection.execute("CREATE DATABASE d")
        self.connection.execute("USE d")
        self.run(SETUP)
        before, after = ERRORS[errors]
        self.run(LOOP.format(look=LOOKS[look], before=before, after=after, at_work=at_work))
        self.run(
            "ALTER QUEUE work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
        )
        self.run(
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE asks TO SERVICE 'work' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('1')"
        )

    def run(self, text: str) -> list[Any]:
        cursor = self.connection.execute(text)
        return cursor.fetchall() if cursor.description else []

    @property
    def tasks(self) -> int:
        return int(self.run("SELECT COUNT(*) FROM sys.dm_broker_activated_tasks")[0][0])

    @property
    def rounds(self) -> int:
        return int(self.run("SELECT n FROM rounds")[0][0])

    def logged(self) -> list[str]:
        return [text for _, _, text in self.run("EXEC sp_readerrorlog")]


@pytest.fixture
def worlds() -> Iterator[list[World]]:
    found: list[World] = []
    yield found
    for world in found:
        world.connection.close()


@pytest.mark.spec("OFF-12", "QUEUE-33", "QUEUE-45")
@pytest.mark.matrix
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("errors", ERRORS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_a_task_that_waits_is_ended(worlds: list[World], look: str, errors: str, switch: str) -> None:
    world = World(look, errors)
    worlds.append(world)
    world.connection.settle()
    assert (world.tasks, world.rounds) == (1, 1)
    text = SWITCHES[switch]
    before = world.logged()
    world.run(text)
    world.connection.settle()
    world.connection.advance(10)
    assert (world.tasks, world.rounds) == (0, 1)
    news = world.logged()[len(before) :]
    assert len(news) == 1 and "was ended" in news[0], news


@pytest.mark.spec("OFF-12", "OFF-17", "QUEUE-45")
@pytest.mark.matrix
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("errors", ERRORS)
@pytest.mark.parametrize("switch", ["STATUS = OFF", "DROP"])
def test_a_task_that_works_learns_it_when_it_looks_again(
    worlds: list[World], look: str, errors: str, switch: str
) -> None:
    world = World(look, errors, "WAITFOR DELAY '00:00:30';")
    worlds.append(world)
    world.connection.settle()
    world.connection.advance(1)
    world.run(SWITCHES[switch])
    world.connection.settle()
    assert (world.tasks, world.rounds) == (1, 1)
    assert not any("was ended" in text for text in world.logged())  # it is not
    world.connection.advance(300)
    assert world.tasks == 0 and world.rounds <= 3
    assert sum("was ended" in text for text in world.logged()) == 1
    assert not any("queue '6" in text for text in world.logged())  # its name, and no number


@pytest.mark.spec("OFF-17")
def test_a_queue_that_is_on_again_in_time_ends_nobody(worlds: list[World]) -> None:
    world = World("WAITFOR RECEIVE", "through", "WAITFOR DELAY '00:00:30';")
    worlds.append(world)
    world.connection.settle()
    for _ in range(3):
        world.connection.advance(1)
        world.run("ALTER QUEUE work WITH STATUS = OFF")
        world.connection.advance(31)  # one look
        world.run("ALTER QUEUE work WITH STATUS = ON")
        assert world.tasks == 1
        world.connection.advance(100)
    assert world.tasks == 1 and not any("was ended" in text for text in world.logged())
