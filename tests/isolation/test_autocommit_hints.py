"""Hints and levels outside a transaction: each statement is a transaction of its own, which takes the locks of what it
reads, waits for those of others, and keeps them to its end (documentation: "Table hints", "SET TRANSACTION ISOLATION
LEVEL").

Every hint in every kind of statement meets everything that another session may hold. What each locks is the table
below; what comes out is what comes out when the other one has ended before.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from two_tables import World, told

PLAIN = {"": "", "UPDLOCK": "row", "HOLDLOCK": "shared", "TABLOCKX": "alone", "UPDLOCK, HOLDLOCK": "alone"}
"""What a hint locks: the rows that are read, the table with others, or the table alone."""

OTHERS = {
    "NOLOCK": "",
    "ROWLOCK": "",
    "READCOMMITTED": "",
    "XLOCK": "row",
    "UPDLOCK, ROWLOCK": "row",
    "XLOCK, PAGLOCK": "row",
    "UPDLOCK, REPEATABLEREAD": "row",
    "SERIALIZABLE": "shared",
    "REPEATABLEREAD": "shared",
    "TABLOCK": "shared",
    "TABLOCK, HOLDLOCK": "shared",
    "XLOCK, SERIALIZABLE": "alone",
    "UPDLOCK, TABLOCK": "alone",
}
"""The same of others, which are tried in some kinds of statements only."""

LOCKS = PLAIN | OTHERS
SOME = ("SELECT", "INSERT SELECT", "UPDATE FROM", "IF EXISTS")

HELD = {
    "nothing": ("SELECT 1", ()),
    "a changed row": ("UPDATE T SET v = 11 WHERE id = 1", ("row", "shared", "alone")),
    "a row that would be read": ("UPDATE T SET v = 5 WHERE id = 3", ("row", "shared", "alone")),
    "a row that was read": ("SELECT v FROM T WITH (UPDLOCK) WHERE id = 1", ("row", "shared", "alone")),
    "another row": ("UPDATE T SET v = 21 WHERE id = 2", ("shared", "alone")),
    "the table with others": ("SELECT COUNT(*) FROM T WITH (HOLDLOCK)", ("row", "alone")),
    "the table alone": ("SELECT COUNT(*) FROM T WITH (TABLOCKX)", ("row", "shared", "alone")),
}
"""What the other one does in its open transaction, and which locks wait then."""

KINDS = {
    "SELECT": "SELECT v FROM T{} WHERE v < 15",
    "SELECT of a variable": "DECLARE @v int; SELECT @v = v FROM T{} WHERE v < 15; SELECT @v",
    "TOP": "SELECT TOP (1) v FROM T{} WHERE v < 15 ORDER BY v",
    "aggregate": "SELECT SUM(v) FROM T{} WHERE v < 15",
    "SELECT INTO": "SELECT v INTO #n FROM T{} WHERE v < 15; SELECT v FROM #n",
    "INSERT SELECT": "INSERT U (id, v) SELECT id, v FROM T{} WHERE v < 15",
    "INSERT VALUES": "INSERT U (id, v) VALUES (7, (SELECT v FROM T{} WHERE v < 15))",
    "INSERT of a #table": "CREATE TABLE #i (v int); INSERT #i SELECT v FROM T{} WHERE v < 15; SELECT v FROM #i",
    "INSERT of a table variable": "DECLARE @i TABLE (v int); INSERT @i SELECT v FROM T{} WHERE v < 15; SELECT v FROM @i",
    "INSERT WHERE NOT EXISTS": "INSERT U (id, v) SELECT 8, 8 WHERE NOT EXISTS (SELECT 1 FROM T{} WHERE v < 15)",
    "UPDATE FROM": "UPDATE u SET v = t.v FROM U AS u JOIN T AS t{} ON t.id = u.id WHERE t.v < 15",
    "UPDATE by a subquery": "UPDATE U SET v = (SELECT v FROM T{} WHERE v < 15) OUTPUT inserted.v WHERE id = 1",
    "DELETE FROM": "DELETE u FROM U AS u JOIN T AS t{} ON t.id = u.id WHERE t.v < 15",
    "MERGE": "MERGE U USING (SELECT id, v FROM T{} WHERE v < 15) AS s ON s.id = U.id WHEN MATCHED THEN UPDATE SET v = s.v;",
    "DECLARE": "DECLARE @v int = (SELECT v FROM T{} WHERE v < 15); SELECT @v",
    "SET": "DECLARE @v int; SET @v = (SELECT v FROM T{} WHERE v < 15); SELECT @v",
    "IF": "IF (SELECT v FROM T{} WHERE v < 15) > 10 SELECT 'more' ELSE SELECT 'less'",
    "IF EXISTS": "IF EXISTS (SELECT 1 FROM T{} WHERE v < 15) UPDATE U SET v = 5 ELSE SELECT 'less'",
    "WHILE": "DECLARE @n int = 0; WHILE @n < 3 AND EXISTS (SELECT 1 FROM T{} WHERE v < 15) SET @n += 1; SELECT @n",
    "common table expression": "WITH c AS (SELECT v FROM T{} WHERE v < 15) SELECT v FROM c",
    "derived table": "SELECT d.v FROM (SELECT v FROM T{} WHERE v < 15) AS d",
    "UNION ALL": "SELECT v FROM U WHERE id = 1 UNION ALL SELECT v FROM T{} WHERE v < 15",
    "EXEC of a text": "EXEC ('SELECT v FROM T{} WHERE v < 15')",
    "TRY": "BEGIN TRY SELECT v FROM T{} WHERE v < 15 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH",
}  # fmt: skip
"""Each reads row 1 of T, whose v is 10, with the hints in the place of {}."""

WHOLE = {
    "view": "SELECT v FROM V{} WHERE v < 15",
    "correlated subquery": "SELECT (SELECT t.v FROM T AS t{} WHERE t.id = u.id AND t.v < 15) FROM U AS u",
}
"""The same, where nobody can tell the rows beforehand."""

BODIES = {
    "in a view": ("CREATE VIEW X{n} AS SELECT id, v FROM T{hint}", "SELECT v FROM X{n} WHERE v < 15"),
    "in a scalar function": (
        "CREATE FUNCTION X{n}() RETURNS int AS BEGIN RETURN (SELECT v FROM T{hint} WHERE v < 15) END",
        "INSERT U VALUES (7, dbo.X{n}())",
    ),
    "in a function of several statements": (
        "CREATE FUNCTION X{n}() RETURNS @r TABLE (v int) AS BEGIN DECLARE @v int; SELECT @v = v FROM T{hint} WHERE v < 15; IF @v > 0 INSERT @r VALUES (@v); RETURN END",
        "SELECT v FROM dbo.X{n}()",
    ),
    "in an inline function": (
        "CREATE FUNCTION X{n}() RETURNS TABLE AS RETURN (SELECT v FROM T{hint} WHERE v < 15)",
        "DECLARE @v int = (SELECT v FROM dbo.X{n}()); SELECT @v",
    ),
    "in a function that a condition calls": (
        "CREATE FUNCTION X{n}() RETURNS int AS BEGIN RETURN (SELECT v FROM T{hint} WHERE v < 15) END",
        "IF dbo.X{n}() > 10 SELECT 'more' ELSE SELECT 'less'",
    ),
}  # fmt: skip
"""Hints that the statement's own text does not show: what makes the module, and what runs it."""


@cache
def shared_world() -> World:
    return World()


def with_hint(text: str, hint: str) -> str:
    return text.replace("{}", f" WITH ({hint})" if hint else "")


def meet(world: World, held: str, text: str, end: str) -> tuple[bool, list[Any], list[Any]]:
    """Whether the statement waited for what is held, what it said, and the tables when both have ended."""
    one, two = world.session(), world.session()
    world.reset()
    one.run(f"BEGIN TRAN; {HELD[held][0]}")
    task = world.start(two, text)
    waited = not task.done
    one.run(end)
    world.goes_on()
    assert task.done, (held, text, "waits for nobody")
    found = waited, told(task.outcomes), world.tables()
    assert not world.instance.locks._locks, (held, text, "keeps a lock")
    one.close()
    two.close()
    return found


@cache
def one_after_the_other(first: str, second: str) -> tuple[list[Any], list[Any], list[Any]]:
    """What each says when the second begins after the first has ended, and the tables then. '' for nothing."""
    world = shared_world()
    world.reset()
    session = world.session()
    said = [told(session.run(text)) if text else [] for text in (first, second)]
    session.close()
    return said[0], said[1], world.tables()


def check(world: World, text: str, lock: str, about: str) -> list[str]:
    wrong = []
    for held, (first, waiting) in HELD.items():
        for end in ("COMMIT", "ROLLBACK") if held == "a changed row" else ("COMMIT",):
            effect = first if end == "COMMIT" else ""
            found = meet(world, held, text, end)
            if lock in waiting:
                _, said, tables = one_after_the_other(effect, text)
            else:  # what others have not committed is not seen
                said, _, tables = one_after_the_other(text, effect)
            if found != (lock in waiting, said, tables):
                wrong.append(f"{about}, {held}, {end}:\n  found  {found}\n  wanted {(lock in waiting, said, tables)}")
    return wrong


@pytest.mark.matrix
@pytest.mark.spec("ISOLATION-21", "ISOLATION-28")
@pytest.mark.parametrize("hint", LOCKS)
def test_hints_of_the_statement(hint: str) -> None:
    world, lock = shared_world(), LOCKS[hint]
    wrong = []
    for kind in KINDS if hint in PLAIN else SOME:
        wrong += check(world, with_hint(KINDS[kind], hint), lock, kind)
    for kind, text in WHOLE.items():
        wrong += check(world, with_hint(text, hint), "alone" if lock == "row" else lock, kind)
    assert not wrong, "\n".join(wrong)


@pytest.mark.matrix
@pytest.mark.spec("ISOLATION-29")
@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("hint", ["", "NOLOCK", "UPDLOCK", "HOLDLOCK", "TABLOCK", "TABLOCKX", "UPDLOCK, HOLDLOCK"])
def test_hints_of_what_it_names(kind: str, hint: str) -> None:
    world, lock = shared_world(), LOCKS[hint]
    made, text = BODIES[kind]
    number = world.module(made.replace("{hint}", f" WITH ({hint})" if hint else ""))
    text, lock = text.replace("{n}", str(number)), "alone" if lock == "row" else lock
    wrong = check(world, text, lock, kind)
    wrong += check(world, f"BEGIN TRAN; {text}; COMMIT", lock, f"{kind} in a transaction")
    assert not wrong, "\n".join(wrong)


@pytest.mark.matrix
@pytest.mark.spec("ISOLATION-28", "ISOLATION-30", "ISOLATION-34")
@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_levels(level: str) -> None:
    world, wrong = shared_world(), []
    setting = f"SET TRANSACTION ISOLATION LEVEL {level}; "
    for kind, text in (KINDS | WHOLE).items():
        wrong += check(world, setting + with_hint(text, ""), "shared", f"{kind} at {level}")
        if kind not in WHOLE:
            wrong += check(world, setting + with_hint(text, "UPDLOCK"), "alone", f"{kind} with UPDLOCK at {level}")
        for hint in ("READCOMMITTED", "NOLOCK") if kind in (*SOME, *WHOLE) else ():
            wrong += check(world, setting + with_hint(text, hint), "", f"{kind} with {hint} at {level}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("hint", [hint for hint, lock in LOCKS.items() if lock])
def test_nowait_and_timeout(hint: str) -> None:
    """1222 where it would wait, at once or after LOCK_TIMEOUT, and nothing is kept or done."""
    world = shared_world()
    for kind in KINDS if hint in PLAIN else SOME:
        text = KINDS[kind]
        for held in ("nothing", "a changed row"):
            for given, before in ((f"{hint}, NOWAIT", ""), (hint, "SET LOCK_TIMEOUT 0; ")):
                one, two = world.session(), world.session()
                world.reset()
                one.run(f"BEGIN TRAN; {HELD[held][0]}")
                task = world.start(two, before + with_hint(text, given))
                assert task.done, (kind, given)
                said = told(task.outcomes)
                if held == "nothing":
                    assert 1222 not in said, (kind, given, said)
                else:
                    assert 1222 in said or [(1222,)] in said, (kind, given, said)
                one.run("ROLLBACK")
                assert not world.instance.locks._locks, (kind, given)
                one.close()
                two.close()


WRITES = {
    "INSERT": ("INSERT T{} VALUES (9, 90)", ("HOLDLOCK", "TABLOCK", "TABLOCKX")),
    "UPDATE": ("UPDATE T{} SET v = 31 WHERE id = 3", ("HOLDLOCK", "SERIALIZABLE", "TABLOCK", "TABLOCKX")),
    "DELETE": ("DELETE T{} WHERE id = 3", ("HOLDLOCK", "SERIALIZABLE", "TABLOCK", "TABLOCKX")),
    "MERGE": (
        "MERGE T{} AS t USING (VALUES (9, 90)) AS s(id, v) ON s.id = t.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v);",
        ("HOLDLOCK", "SERIALIZABLE", "TABLOCK", "TABLOCKX"),
    ),
    "DELETE of a common table expression": ("WITH c AS (SELECT id, v FROM T{} WHERE id = 3) DELETE c", ("HOLDLOCK", "TABLOCKX")),
    "UPDATE of an alias": ("UPDATE t SET v = 31 FROM T AS t{} WHERE t.id = 3", ("HOLDLOCK", "TABLOCKX")),
}  # fmt: skip


@pytest.mark.parametrize("kind", WRITES)
def test_hints_of_what_is_written(kind: str) -> None:
    """Those of ranges and tables lock the target as a whole; UPDLOCK and XLOCK say nothing more than the write."""
    text, locking = WRITES[kind]
    world, wrong = shared_world(), []
    for hint in ("", "UPDLOCK", "XLOCK", "ROWLOCK", "UPDLOCK, ROWLOCK", *locking):
        wrong += check_write(world, with_hint(text, hint), waits=hint in locking, about=f"{kind} WITH ({hint})")
    assert not wrong, "\n".join(wrong)


def check_write(world: World, text: str, *, waits: bool, about: str) -> list[str]:
    one, two = world.session(), world.session()
    world.reset()
    one.run("BEGIN TRAN; UPDATE T SET v = 11 WHERE id = 1")
    task = world.start(two, text)
    waited = not task.done
    one.run("COMMIT")
    world.goes_on()
    said = told(task.outcomes)
    kept = dict(world.instance.locks._locks)
    one.close()
    two.close()
    return [f"{about}: waited {waited}, said {said}, keeps {kept}"] if waited != waits or said != [1] or kept else []
