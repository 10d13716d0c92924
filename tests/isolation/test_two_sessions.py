"""Everything that a session can do to a table against everything that another one has done and not committed, at every
level, the first one committing and rolling back.

Who waits, the rules of `two_sessions.py` say. What comes out is compared with the same two one after the other.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from two_sessions import FIRSTS, LEVELS, SECONDS, First, Second, is_conflict, is_refused, waits

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet, RowsAffected

Told = tuple[Any, ...]
"""What a statement has said: rows, counts, numbers of errors."""


class World:
    """An instance with the table, and as many sessions as are asked for."""

    def __init__(self) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        admin = self.instance.connect()
        admin.run("CREATE DATABASE Iso; ALTER DATABASE Iso SET ALLOW_SNAPSHOT_ISOLATION ON")
        self.admin = self.session()
        self.admin.run("CREATE TABLE dbo.T (id int PRIMARY KEY, v int)")
        self.admin.run("CREATE VIEW dbo.Inner_V AS SELECT id, v FROM T")
        self.admin.run("CREATE VIEW dbo.V AS SELECT i.id, i.v FROM Inner_V AS i")
        self.admin.run(
            "CREATE FUNCTION dbo.F(@least int) RETURNS TABLE AS RETURN (SELECT id, v FROM V WHERE id >= @least)"
        )
        self.admin.run(
            "CREATE FUNCTION dbo.M() RETURNS @r TABLE (id int, v int) AS BEGIN INSERT @r SELECT id, v FROM F(0); RETURN END"
        )
        self.admin.run("CREATE FUNCTION dbo.S() RETURNS int AS BEGIN RETURN (SELECT SUM(v) FROM dbo.M()) END")

    def session(self) -> Any:
        return self.instance.connect(database="Iso")

    def reset(self) -> None:
        if self.table() != ([(1, 10), (2, 20)], 2):
            self.admin.run("DELETE dbo.T; INSERT dbo.T VALUES (1, 10), (2, 20)")

    def table(self) -> Told:
        return told(self.admin.run("SELECT id, v FROM dbo.T ORDER BY id"))


def told(outcomes: list[Outcome]) -> Told:
    found: list[Any] = []
    for outcome in outcomes:
        if isinstance(outcome, ResultSet):
            found.append([tuple(row) for row in outcome.rows])
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
        elif isinstance(outcome, ErrorOutcome):
            found.append(f"error {outcome.error.number}")
    return tuple(found)


@cache
def shared_world() -> World:
    return World()


@cache
def one_after_the_other(first: str, second: str) -> tuple[Told, Told, Told]:
    """What each says when the second begins after the first has ended, and the table then. '' for nothing."""
    world = shared_world()
    world.reset()
    session = world.session()
    said = [told(session.run(text)) if text else () for text in (first, second)]
    return said[0], said[1], world.table()


@pytest.mark.matrix
@pytest.mark.parametrize("name", FIRSTS)
@pytest.mark.spec(
    "ISOLATION-1", "ISOLATION-2", "ISOLATION-3", "ISOLATION-4", "ISOLATION-5", "ISOLATION-9", "ISOLATION-10"
)
@pytest.mark.spec(
    "ISOLATION-20",
    "ISOLATION-22",
    "ISOLATION-23",
    "ISOLATION-25",
    "ISOLATION-26",
    "ISOLATION-27",
    "ISOLATION-30",
    "ISOLATION-31",
    "ISOLATION-32",
    "ISOLATION-33",
)
def test_everything_against(name: str) -> None:
    first, world = FIRSTS[name], World()
    wrong = []
    one, two = world.session(), world.session()
    for level in LEVELS:
        two.run(f"SET TRANSACTION ISOLATION LEVEL {level}")
        for other, second in SECONDS.items():
            for end in ("COMMIT", "ROLLBACK"):
                world.reset()
                found = run(world, one, two, first, second, end)
                wanted = expected(first, second, level, end)
                if found != wanted:
                    wrong.append(f"{name} / {other} at {level} / {end}:\n  found  {found}\n  wanted {wanted}")
    world.instance.close()
    assert not wrong, "\n".join(wrong)


def run(world: World, one: Any, two: Any, first: First, second: Second, end: str) -> tuple[bool, Told, Told]:
    """Whether the second waited, what it said, and the table when both have ended."""
    one.run(f"SET TRANSACTION ISOLATION LEVEL {first.level}; BEGIN TRAN; {first.text}")
    two.run("BEGIN TRAN")
    loop = world.instance.loop
    task = loop.start(two, second.text)
    loop.settle()
    waited = not task.done
    one.run(end)
    loop.settle()
    assert task.done, "it waits for nobody"
    two.run("IF @@TRANCOUNT > 0 COMMIT")
    return waited, told(task.outcomes), world.table()


def expected(first: First, second: Second, level: str, end: str) -> tuple[bool, Told, Told]:
    waited = waits(first, second, level)
    effect = first.text if end == "COMMIT" else ""
    if is_refused(second, level):
        return waited, ("error 650",), one_after_the_other(effect, "")[2]
    if level == "SNAPSHOT" and waited and effect and (not second.reads or second.hint == "UPDLOCK"):
        number = is_conflict(first, second)
        if number:
            return waited, (f"error {number}",), one_after_the_other(effect, "")[2]
    if second.hint == "READPAST" and not waited and first.old:
        return past(first, second, effect)
    is_old = level == "SNAPSHOT" and second.hint == "UPDLOCK"  # it reads the snapshot that it had before it waited
    if waited and not is_old:
        _, said, table = one_after_the_other(effect, second.text)
    else:
        said, _, table = one_after_the_other(second.text, effect)
    return waited, said, table


def past(first: First, second: Second, effect: str) -> tuple[bool, Told, Told]:
    """READPAST sees the row that is not locked: the second of the two."""
    if second.reads:
        return False, ([(2, 20)], 1), one_after_the_other(effect, "")[2]
    return False, (1,), one_after_the_other("UPDATE dbo.T SET v += 1 WHERE id = 2", effect)[2]
