"""How long the locks of a statement outside a transaction are kept: to its end, whatever that is, and no longer. And
what they are for: numbers that several sessions draw at once (documentation: "Table hints", "SET
IMPLICIT_TRANSACTIONS", "Deadlocks guide").
"""

from __future__ import annotations

import threading
from typing import Any

import pytest
from two_tables import World, told

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet


@pytest.mark.spec("ISOLATION-28")
@pytest.mark.parametrize("hint", ["HOLDLOCK", "UPDLOCK", "TABLOCKX", "UPDLOCK, HOLDLOCK"])
def test_locks_are_kept_to_the_end_of_the_statement(hint: str) -> None:
    """One holds a key that the statement wants after it has read; a third one wants what was read."""
    world = World()
    one, two, three = (world.session() for _ in range(3))
    one.run("BEGIN TRAN; INSERT U VALUES (100, 1)")
    waits = world.start(two, f"INSERT U SELECT 100, v FROM T WITH ({hint}) WHERE id = 1; WAITFOR DELAY '00:01:00'")
    behind = world.start(three, "UPDATE T SET v = 0 WHERE id = 1")
    reader = world.start(world.session(), "SELECT v FROM T WHERE id = 1")
    assert not waits.done and not behind.done and told(reader.outcomes) == [[(10,)], 1]
    one.run("ROLLBACK")
    world.goes_on()
    assert not waits.done and told(behind.outcomes) == [1]
    assert world.tables()[2] == [(1, 1), (2, 2), (3, 3), (100, 10)]


@pytest.mark.parametrize("hint", ["HOLDLOCK", "UPDLOCK", "TABLOCKX", "UPDLOCK, HOLDLOCK"])
def test_a_condition_is_a_statement(hint: str) -> None:
    """Its locks are gone when its branch runs; a loop takes them anew each time."""
    world = World()
    one, two, three = (world.session() for _ in range(3))
    first = world.start(one, f"IF EXISTS (SELECT 1 FROM T WITH ({hint}) WHERE id = 1) WAITFOR DELAY '00:00:10'")
    assert not first.done and told(two.run("UPDATE T SET v = 12 WHERE id = 1")) == [1]
    loop = f"DECLARE @n int = 0; WHILE EXISTS (SELECT 1 FROM T WITH ({hint}) WHERE id = 1) BEGIN SET @n += 1; WAITFOR DELAY '00:00:10' END; SELECT @n"
    rounds = world.start(three, loop)
    two.run("BEGIN TRAN; DELETE T WHERE id = 1")
    world.instance.loop.advance(30)
    assert first.done and not rounds.done
    two.run("ROLLBACK")
    world.instance.loop.advance(15)
    two.run("DELETE T WHERE id = 1")
    world.instance.loop.advance(30)
    assert told(rounds.outcomes) == [[(3,)], 1]


def test_a_write_is_committed_before_it_shows_its_output() -> None:
    world = World()
    seen: list[Any] = []

    def sink(outcome: Any) -> None:
        if isinstance(outcome, ResultSet):
            seen.append(dict(world.instance.locks._locks))

    world.session().run(
        "INSERT U OUTPUT inserted.id SELECT 9, v FROM T WITH (UPDLOCK, HOLDLOCK) WHERE id = 1", sink=sink
    )
    assert seen == [{}]


@pytest.mark.parametrize("hint", ["HOLDLOCK", "UPDLOCK", "TABLOCKX"])
@pytest.mark.parametrize("end", ["error", "cancel", "ended", "timeout"])
def test_nothing_is_kept_of_what_fails(hint: str, end: str) -> None:
    world = World()
    one, two = world.session(), world.session()
    if end == "error":
        said = told(two.run(f"INSERT U SELECT 1, v FROM T WITH ({hint}) WHERE id = 1; SELECT @@TRANCOUNT"))
        assert said == [2627, [(0,)], 1]
    else:
        one.run("BEGIN TRAN; UPDATE T SET v = 11 WHERE id = 1")
        task = world.start(two, f"SET LOCK_TIMEOUT 5000; SELECT v FROM T WITH ({hint}) WHERE id = 1")
        assert not task.done
        if end == "timeout":
            world.instance.loop.advance(6)
        else:
            two.cancel() if end == "cancel" else two.end()
            world.goes_on()
        assert task.done
        one.run("ROLLBACK")
    assert not world.instance.locks._locks


def test_implicit_transactions() -> None:
    """What begins one keeps its locks; SET and conditions begin none."""
    world = World()
    one, two = world.session(), world.session()
    one.run("SET IMPLICIT_TRANSACTIONS ON")
    for text in ("DECLARE @v int; SET @v = (SELECT v FROM T WITH (HOLDLOCK) WHERE id = 1)",
                 "IF EXISTS (SELECT 1 FROM T WITH (UPDLOCK, HOLDLOCK)) PRINT 'yes'"):  # fmt: skip
        assert told(one.run(f"{text}; SELECT @@TRANCOUNT")) == [[(0,)], 1]
        assert told(two.run("UPDATE T SET v = 10 WHERE id = 1")) == [1]
    assert told(one.run("SELECT v FROM T WITH (UPDLOCK) WHERE id = 1; SELECT @@TRANCOUNT")) == [[(10,)], 1, [(1,)], 1]
    task = world.start(two, "UPDATE T SET v = 13 WHERE id = 1")
    assert not task.done
    one.run("COMMIT")
    world.goes_on()
    assert task.done


def test_a_deadlock_with_a_statement() -> None:
    """It has the table and wants a key; who has the key wants the table."""
    for victim in ("statement", "transaction"):
        world = World()
        one, two = world.session(), world.session()
        one.run("BEGIN TRAN; INSERT U VALUES (9, 9)")
        low = "SET DEADLOCK_PRIORITY LOW; " if victim == "statement" else ""
        task = world.start(two, f"{low}INSERT U SELECT 9, v FROM T WITH (TABLOCKX) WHERE id = 1")
        other = world.start(one, "UPDATE T SET v = 11 WHERE id = 1; IF @@TRANCOUNT > 0 COMMIT")
        assert task.done and other.done
        assert (told(task.outcomes), told(other.outcomes)) == (([1205], [1]) if low else ([1], [1205]))
        assert not world.instance.locks._locks


def test_a_definition_locks_nothing() -> None:
    world = World()
    one, two = world.session(), world.session()
    one.run("BEGIN TRAN; UPDATE T SET v = 11 WHERE id = 1")
    text = "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; EXEC ('CREATE VIEW W AS SELECT v FROM T WITH (UPDLOCK, HOLDLOCK)')"
    assert world.start(two, text).done
    assert not world.start(two, "SELECT v FROM W").done


def test_a_view_that_is_altered() -> None:
    """The same text, compiled once: what it names has got a hint since then."""
    world = World()
    one, two = world.session(), world.session()
    world.admin.run("CREATE VIEW W AS SELECT v FROM T")
    assert told(two.run("SELECT COUNT(*) FROM W")) == [[(3,)], 1]
    one.run("BEGIN TRAN; UPDATE T SET v = 11 WHERE id = 1")
    assert world.start(two, "SELECT COUNT(*) FROM W").done
    world.admin.run("ALTER VIEW W AS SELECT v FROM T WITH (HOLDLOCK)")
    task = world.start(two, "SELECT COUNT(*) FROM W")
    assert not task.done
    one.run("COMMIT")
    world.goes_on()
    assert task.done


def test_many_rows_are_their_table() -> None:
    """As the locks of a write: past 5,000 one lock stands for them, if nobody else works on the table."""
    world = World()
    world.admin.run("CREATE TABLE Big (id int PRIMARY KEY); INSERT Big SELECT value FROM GENERATE_SERIES(1, 6000)")
    one, two = world.session(), world.session()
    assert told(one.run("BEGIN TRAN; SELECT COUNT(*) FROM Big WITH (UPDLOCK)")) == [[(6000,)], 1]
    assert len(world.instance.locks._locks) == 1
    task = world.start(two, "INSERT Big VALUES (0)")
    assert not task.done
    one.run("COMMIT")
    world.goes_on()
    assert task.done
    two.run("BEGIN TRAN; INSERT Big VALUES (-1)")
    assert told(one.run("SELECT COUNT(*) FROM Big WITH (UPDLOCK) WHERE id > 0")) == [[(6000,)], 1]


# --- threads -----------------------------------------------------------------------------------------------

NEXT = {
    "UPDLOCK, HOLDLOCK": "INSERT N (n) SELECT ISNULL(MAX(n), 0) + 1 FROM N WITH (UPDLOCK, HOLDLOCK)",
    "TABLOCKX": "INSERT N (n) SELECT ISNULL(MAX(n), 0) + 1 FROM N WITH (TABLOCKX)",
    "a subquery": "INSERT N (n) VALUES ((SELECT ISNULL(MAX(n), 0) + 1 FROM N WITH (XLOCK, SERIALIZABLE)))",
    "WHERE NOT EXISTS": "INSERT N (n) SELECT (SELECT ISNULL(MAX(n), 0) + 1 FROM N WITH (UPDLOCK, HOLDLOCK))"
    " WHERE NOT EXISTS (SELECT 1 FROM N WITH (UPDLOCK, HOLDLOCK) WHERE n < 0)",
    "a function": "INSERT N (n) VALUES (dbo.NextN())",
    "MERGE": "MERGE N WITH (HOLDLOCK) USING (SELECT ISNULL(MAX(n), 0) + 1 AS n FROM N) AS s ON s.n = N.n"
    " WHEN NOT MATCHED THEN INSERT (n) VALUES (s.n);",
    "a counter": "INSERT N (n) SELECT v FROM (UPDATE C SET v = v + 1 OUTPUT inserted.v) AS d",
    "SERIALIZABLE": "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; INSERT N (n) SELECT ISNULL(MAX(n), 0) + 1 FROM N",
}


@pytest.mark.parametrize("how", NEXT)
def test_numbers_without_gaps(how: str) -> None:
    """Eight sessions at once, 200 numbers each: no number comes twice, and none is left out. Two that share the table
    and then write it are a deadlock (SERIALIZABLE): the victim tries again."""
    instance = Instance.open()
    admin = instance.connect()
    admin.run("CREATE DATABASE D")
    admin.run("USE D; CREATE TABLE N (n int PRIMARY KEY); CREATE TABLE C (v int); INSERT C VALUES (0)")
    admin.run(
        "CREATE FUNCTION NextN() RETURNS int AS BEGIN RETURN (SELECT ISNULL(MAX(n), 0) + 1 FROM N WITH (UPDLOCK, HOLDLOCK)) END"
    )
    errors: list[int] = []

    def insert() -> None:
        session = instance.connect(database="D")
        done = 0
        while done < 200:
            said = [one for one in session.run(NEXT[how]) if isinstance(one, ErrorOutcome)]
            done += not said
            errors.extend(one.error.number for one in said)
            if set(errors) - {1205}:
                return

    threads = [threading.Thread(target=insert) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(errors) <= ({1205} if how == "SERIALIZABLE" else set())
    assert told(admin.run("SELECT COUNT(*), MIN(n), MAX(n) FROM N")) == [[(1600, 1, 1600)], 1]
    assert not instance.locks._locks
    instance.close()
