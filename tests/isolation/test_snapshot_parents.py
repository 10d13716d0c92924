"""Foreign keys under SNAPSHOT rest on what is committed now, not on what the snapshot shows:
no row is left without its parent."""

from __future__ import annotations

import pytest
from told import told

from sbql.engine.instance import Instance

SETUP = """ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON
CREATE TABLE p (id int PRIMARY KEY); INSERT p VALUES (1), (2), (3)
CREATE TABLE e (n int IDENTITY PRIMARY KEY, pid int REFERENCES p {action}); INSERT e VALUES (1)
CREATE TABLE x (a int)"""
ORPHANS = "SELECT COUNT(*) FROM e WHERE pid NOT IN (SELECT id FROM p)"
BEFORE = {
    "nothing": "",
    "elsewhere": "INSERT x VALUES (1)",
    "a child": "INSERT e VALUES (3)",
    "a child that goes": "INSERT e VALUES (3); DELETE e WHERE pid = 3",
}
"""What the transaction has written before."""


@pytest.fixture
def sessions():
    instance = Instance.open(clock="virtual", seed=1)
    found = instance.connect(), instance.connect()
    yield found
    instance.close()


@pytest.mark.parametrize("before", BEFORE)
def test_a_parent_that_is_gone_is_none(sessions, before: str) -> None:
    one, two = sessions
    assert told(one, SETUP.format(action="")) == []
    told(two, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM p; {BEFORE[before]}")
    assert told(one, "DELETE p WHERE id = 2") == []
    assert told(two, "INSERT e VALUES (2)") == [547]
    told(two, "IF @@TRANCOUNT > 0 COMMIT")
    assert told(one, ORPHANS) == [(0,)]


@pytest.mark.parametrize("before", BEFORE)
def test_a_parent_that_is_new_is_one(sessions, before: str) -> None:
    one, two = sessions
    assert told(one, SETUP.format(action="")) == []
    told(two, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM p; {BEFORE[before]}")
    assert told(one, "INSERT p VALUES (4)") == []
    assert told(two, "INSERT e VALUES (4); COMMIT") == []
    assert told(one, ORPHANS) == [(0,)]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize(("action", "number"), [("", 547), ("ON DELETE CASCADE", 3960), ("ON DELETE SET NULL", 3960)])
def test_a_child_that_came_later_is_one(sessions, action: str, number: int, before: str) -> None:
    one, two = sessions
    assert told(one, SETUP.format(action=action)) == []
    told(two, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM e; {BEFORE[before]}")
    assert told(one, "INSERT e VALUES (2)") == []
    assert told(two, "DELETE p WHERE id = 2") == [number]
    told(two, "IF @@TRANCOUNT > 0 COMMIT")
    assert told(one, ORPHANS) == [(0,)]


def test_its_own_rows_count(sessions) -> None:
    one, two = sessions
    assert told(one, SETUP.format(action="")) == []
    told(
        two,
        "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; INSERT p VALUES (9); INSERT e VALUES (9); DELETE e WHERE pid = 1; DELETE p WHERE id = 1",
    )
    assert told(two, "COMMIT; SELECT id FROM p ORDER BY id; SELECT pid FROM e") == [(2,), (3,), (9,), (9,)]
    assert told(one, ORPHANS) == [(0,)]
