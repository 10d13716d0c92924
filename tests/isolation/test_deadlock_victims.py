"""Who is the victim of a deadlock, and how long one waits: by the options of the session that waits, as they are by
then (documentation: "SET DEADLOCK_PRIORITY", "SET LOCK_TIMEOUT", "sp_getapplock")."""

from __future__ import annotations

import random
from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance

LOCKS = {
    "row": "UPDATE t SET v += 1 WHERE k = {n}",
    "table": "UPDATE t{n} WITH (TABLOCKX) SET v += 1",
    "group": "DECLARE @g uniqueidentifier = (SELECT g FROM groups WHERE n = {n}); RECEIVE TOP (1) status FROM target WHERE conversation_group_id = @g",
    "applock": "DECLARE @r int; EXEC @r = sp_getapplock 'a{n}', 'Exclusive'; IF @r < 0 THROW 50000, 'victim', 1",
}
SETUP = """CREATE DATABASE D
GO
USE D; CREATE TABLE t (k int PRIMARY KEY, v int); INSERT t VALUES (0, 0), (1, 0), (2, 0), (3, 0)
CREATE TABLE t0 (v int); CREATE TABLE t1 (v int); CREATE TABLE t2 (v int); CREATE TABLE t3 (v int)
CREATE TABLE groups (n int, g uniqueidentifier)
CREATE QUEUE source; CREATE QUEUE target; CREATE SERVICE source ON QUEUE source; CREATE SERVICE target ON QUEUE target ([DEFAULT])
DECLARE @h uniqueidentifier, @n int = 0
WHILE @n < 4 BEGIN
    BEGIN DIALOG @h FROM SERVICE source TO SERVICE 'target' WITH ENCRYPTION = OFF
    SEND ON CONVERSATION @h (0x01); SEND ON CONVERSATION @h (0x02)
    SET @n += 1
END
INSERT groups SELECT ROW_NUMBER() OVER (ORDER BY conversation_group_id) - 1, conversation_group_id FROM (SELECT DISTINCT conversation_group_id FROM target) AS g"""
WORDS = {-5: "LOW", 0: "NORMAL", 5: "HIGH"}


class World:
    def __init__(self, sessions: int) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        admin = self.instance.connect()
        for batch in SETUP.split("GO\n"):
            assert told(admin, batch) == []
        self.sessions: list[Any] = [self.instance.connect(database="D") for _ in range(sessions)]

    def start(self, session: Any, text: str) -> Any:
        task = self.instance.loop.start(session, text)
        self.instance.loop.settle()
        return task


def numbers(task: Any) -> list[int]:
    return [outcome.error.number for outcome in task.outcomes if hasattr(outcome, "error")]


@pytest.mark.parametrize("kind", LOCKS)
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_lowest_priority_is_the_victim(kind: str, count: int, seed: int) -> None:
    """Sessions in a ring, each of which has one lock and wants that of the next; the last to ask closes it."""
    chance = random.Random(f"{kind} {count} {seed}")
    world = World(count)
    priorities = [chance.choice([-10, -5, -1, 0, 0, 5, 10]) for _ in range(count)]
    for n, (session, priority) in enumerate(zip(world.sessions, priorities, strict=True)):
        in_transaction = chance.random() < 0.5
        option = f"SET DEADLOCK_PRIORITY {WORDS.get(priority, priority)}"
        assert (
            told(session, f"{'' if in_transaction else option}; BEGIN TRAN; {option if in_transaction else ''}") == []
        )
        first = world.start(session, LOCKS[kind].format(n=n))
        assert first.done and not numbers(first)
    order = list(range(count))
    chance.shuffle(order)
    tasks = {n: world.start(world.sessions[n], LOCKS[kind].format(n=(n + 1) % count)) for n in order}
    refused = [n for n in order if tasks[n].done and set(numbers(tasks[n])) & {1205, 50000}]
    lowest = [n for n in order if priorities[n] == min(priorities)]
    assert len(refused) == 1 and refused[0] in lowest, (priorities, order, refused)
    assert order[-1] not in lowest or refused == [order[-1]], "of the lowest the one who asked last"
    if kind == "applock":  # no transaction is rolled back for it
        assert numbers(tasks[refused[0]]) == [50000]
        assert told(world.sessions[refused[0]], "SELECT @@TRANCOUNT; ROLLBACK") == [(1,)]
    else:
        assert told(world.sessions[refused[0]], "SELECT @@TRANCOUNT") == [(0,)]
    world.instance.loop.settle()
    left = [n for n in order if n not in refused]
    while left:  # each that has both of its locks commits, and so lets the one before it have his
        ready = [n for n in left if tasks[n].done]
        assert ready, "somebody waits for ever"
        for n in ready:
            assert numbers(tasks[n]) == []
            assert told(world.sessions[n], "COMMIT") == []
            left.remove(n)
        world.instance.loop.settle()
    assert not world.instance.locks._locks or kind == "group"
    world.instance.close()


def test_a_victim_that_sleeps_may_catch_it() -> None:
    """Its batch goes on in CATCH, and its transaction is doomed until it is rolled back."""
    world = World(2)
    low, other = world.sessions
    assert told(low, "SET DEADLOCK_PRIORITY LOW; BEGIN TRAN; UPDATE t SET v = 1 WHERE k = 0") == []
    assert told(other, "BEGIN TRAN; UPDATE t SET v = 2 WHERE k = 1") == []
    task = world.start(
        low,
        "BEGIN TRY UPDATE t SET v = 1 WHERE k = 1 END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE(); ROLLBACK END CATCH",
    )
    assert not task.done
    second = world.start(other, "UPDATE t SET v = 2 WHERE k = 0; COMMIT; SELECT v FROM t WHERE k < 2")
    assert task.done and [o.rows for o in task.outcomes if hasattr(o, "rows")] == [[(1205, -1)]]
    assert second.done and [o.rows for o in second.outcomes if hasattr(o, "rows")] == [[(2,), (2,)]]
    world.instance.close()


@pytest.mark.parametrize("place", ["before", "in the transaction", "in a procedure"])
@pytest.mark.parametrize("kind", ["row", "table", "group"])
def test_the_time_to_wait_is_that_of_the_moment(kind: str, place: str) -> None:
    world = World(2)
    one, two = world.sessions
    lock = LOCKS[kind].format(n=1)
    assert numbers(world.start(one, f"BEGIN TRAN; {lock}")) == []
    option = "SET LOCK_TIMEOUT 2000"
    text = {"before": f"{option}; BEGIN TRAN; {lock}", "in the transaction": f"BEGIN TRAN; {option}; {lock}"}.get(place)
    if text is None:
        assert told(two, f"CREATE PROCEDURE waits AS {option}; {lock}") == []
        text = "BEGIN TRAN; EXEC waits"
    task = world.start(two, text)
    assert not task.done
    world.instance.loop.advance(1.9)
    assert not task.done
    world.instance.loop.advance(0.2)
    assert task.done and numbers(task)[0] == 1222
    if place == "in a procedure":  # behind it the option is what it was
        again = world.start(two, lock)
        world.instance.loop.advance(60)
        assert not again.done
    world.instance.close()
