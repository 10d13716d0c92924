"""Who waits for the messages of a conversation or group learns that it is gone: the statement says then what one that
begins now says (reference: "RECEIVE", errors 8426 and 8436)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance

SETUP = """CREATE DATABASE D
GO
USE D; CREATE QUEUE a; CREATE QUEUE b; CREATE SERVICE a ON QUEUE a; CREATE SERVICE b ON QUEUE b ([DEFAULT]); CREATE TABLE handles (side char(1), h uniqueidentifier, g uniqueidentifier)
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'b' WITH ENCRYPTION = OFF
{send}
INSERT handles SELECT IIF(is_initiator = 1, 'a', 'b'), conversation_handle, conversation_group_id FROM sys.conversation_endpoints"""
ENDS = {"END": "", "WITH ERROR": " WITH ERROR = 7 DESCRIPTION = 'x'", "WITH CLEANUP": " WITH CLEANUP"}
WAITS = {
    "handle": "DECLARE @x uniqueidentifier = (SELECT h FROM handles WHERE side = '{side}'); WAITFOR (RECEIVE * FROM {side} WHERE conversation_handle = @x){timeout}",
    "group": "DECLARE @x uniqueidentifier = (SELECT g FROM handles WHERE side = '{side}'); WAITFOR (RECEIVE * FROM {side} WHERE conversation_group_id = @x){timeout}",
}


class World:
    def __init__(self, has_sent: bool) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        send = "SEND ON CONVERSATION @h (0x01)" if has_sent else ""
        admin = self.instance.connect()
        for batch in SETUP.format(send=send).split("GO\n"):
            assert told(admin, batch) == []
        self.reader, self.ender, self.other = (self.instance.connect("D") for _ in range(3))
        told(self.ender, "RECEIVE * FROM b")

    def start(self, session: Any, text: str) -> Any:
        task = self.instance.loop.start(session, text)
        self.instance.loop.settle()
        return task


@pytest.fixture(params=[True, False], ids=["CONVERSING", "STARTED_OUTBOUND"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    made = World(request.param)
    yield made
    made.instance.close()


def numbers(task: Any) -> list[int]:
    return [outcome.error.number for outcome in task.outcomes if hasattr(outcome, "error")]


def end(side: str, how: str) -> str:
    return (
        f"DECLARE @h uniqueidentifier = (SELECT h FROM handles WHERE side = '{side}'); END CONVERSATION @h{ENDS[how]}"
    )


@pytest.mark.parametrize("timeout", ["", ", TIMEOUT 60000"])
@pytest.mark.parametrize("side", "ab")
@pytest.mark.parametrize("by", WAITS)
@pytest.mark.parametrize("how", ENDS)
def test_the_wait_ends_as_one_that_begins_now(world: World, how: str, by: str, side: str, timeout: str) -> None:
    """What a new RECEIVE would be refused, the waiting one is; where a new one would wait, it waits on."""
    if not told(world.other, f"SELECT h FROM handles WHERE side = '{side}'"):
        pytest.skip("a side that is not there: nothing was sent to it")
    waits = world.start(world.reader, WAITS[by].format(side=side, timeout=timeout))
    undone = world.start(world.ender, f"BEGIN TRAN; {end(side, how)}; ROLLBACK")
    assert undone.done and not numbers(undone) and not waits.done
    ended = world.start(world.ender, end(side, how))
    assert ended.done and not numbers(ended)
    new = world.start(world.other, WAITS[by].format(side=side, timeout=", TIMEOUT 1"))
    world.instance.loop.advance(0.01)
    assert new.done
    if numbers(new):
        assert waits.done and numbers(waits) == numbers(new) == [8426 if by == "handle" else 8436]
    else:
        assert not waits.done


def test_others_wait_on(world: World) -> None:
    """Readers of the whole queue, and of other conversations of it."""
    told(
        world.ender,
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'b' WITH ENCRYPTION = OFF; INSERT handles VALUES ('o', @h, NULL)",
    )
    whole = world.start(world.reader, "WAITFOR (RECEIVE * FROM a)")
    one = world.start(world.other, WAITS["handle"].format(side="o", timeout="").replace("FROM o", "FROM a"))
    ended = world.start(world.ender, end("a", "WITH CLEANUP"))
    assert ended.done and not whole.done and not one.done
    world.start(
        world.ender,
        "DECLARE @h uniqueidentifier = (SELECT h FROM handles WHERE side = 'o'); SEND ON CONVERSATION @h (0x07)",
    )
    told(
        world.ender,
        "DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM b; SEND ON CONVERSATION @h (0x08)",
    )
    world.instance.loop.settle()
    assert one.done or whole.done
