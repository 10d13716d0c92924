"""A write reaches tables by foreign keys, and a definition makes, changes or takes away such a key, or one of its
tables: whoever comes first, the other one waits, and both tell and leave what they do one after the other."""

from __future__ import annotations

from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance

SETUP = """CREATE TABLE g (id int PRIMARY KEY); INSERT g VALUES (1), (2), (3)
CREATE TABLE p (a int, id int PRIMARY KEY, gid int REFERENCES g ON DELETE CASCADE ON UPDATE CASCADE); INSERT p VALUES (0, 1, 1), (0, 2, 2), (0, 3, 3)
CREATE TABLE q (id int PRIMARY KEY); INSERT q VALUES (1), (2)
CREATE TABLE c (a int, pid int, qid int); INSERT c VALUES (0, 1, 1), (0, 2, 2)
CREATE TABLE d (a int, pid int, CONSTRAINT fd FOREIGN KEY (pid) REFERENCES p {action}); INSERT d VALUES (0, 1), (0, 2); ALTER TABLE d NOCHECK CONSTRAINT fd
CREATE TABLE e (a int, pid int, CONSTRAINT fe FOREIGN KEY (pid) REFERENCES p {action}); INSERT e VALUES (0, 1), (0, 2)
GO
CREATE SCHEMA x"""
DEFINITIONS = {
    "new key": "ALTER TABLE c ADD CONSTRAINT f FOREIGN KEY (pid) REFERENCES p (id) {action}",
    "new key, not checked": "ALTER TABLE c WITH NOCHECK ADD CONSTRAINT f FOREIGN KEY (pid) REFERENCES p {action}",
    "new key of a column": "ALTER TABLE c ADD k int NOT NULL DEFAULT 1 REFERENCES p {action}",
    "another key": "ALTER TABLE c ADD CONSTRAINT f FOREIGN KEY (qid) REFERENCES q {action}",
    "new table": "CREATE TABLE n (pid int REFERENCES p {action}); INSERT n VALUES (1)",
    "enabled": "ALTER TABLE d WITH CHECK CHECK CONSTRAINT fd",
    "enabled, not checked": "ALTER TABLE d CHECK CONSTRAINT ALL",
    "disabled": "ALTER TABLE e NOCHECK CONSTRAINT fe",
    "key gone": "ALTER TABLE e DROP CONSTRAINT fe",
    "child gone": "DROP TABLE e",
    "child's column gone": "ALTER TABLE e DROP COLUMN a",
    "child's column renamed": "EXEC sp_rename 'e.pid', 'r', 'COLUMN'",
    "child moved": "ALTER SCHEMA x TRANSFER e",
    "child renamed": "EXEC sp_rename 'e', 'other'",
    "parent's column gone": "ALTER TABLE p DROP COLUMN a",
    "parent's column renamed": "EXEC sp_rename 'p.id', 'r', 'COLUMN'",
    "parent moved": "ALTER SCHEMA x TRANSFER p",
}
WRITES = {
    "parent deleted": "DELETE p WHERE gid = 1",
    "parents deleted": "DELETE p",
    "parent moved": "UPDATE p SET id = id + 10 WHERE gid = 2",
    "grandparent deleted": "DELETE g WHERE id = 1",
    "grandparent moved": "UPDATE g SET id = 7 WHERE id = 2",
    "merge": "MERGE p AS t USING (VALUES (1), (2)) AS s(i) ON s.i = t.gid WHEN MATCHED THEN DELETE;",
    "child": "INSERT e VALUES (0, 3)",
    "orphan": "INSERT e VALUES (0, 99)",
    "orphans": "INSERT c SELECT 0, value, value FROM GENERATE_SERIES(90, 95)",
    "child moved": "UPDATE e SET pid = 3",
    "another parent deleted": "DELETE q WHERE id = 1",
    "truncate": "TRUNCATE TABLE q",
}
LOOK = """DECLARE @text nvarchar(max) = (SELECT STRING_AGG(CONCAT('SELECT ''', s.name, '.', t.name, ''', * FROM ', s.name, '.', t.name), '; ') WITHIN GROUP (ORDER BY s.name, t.name)
FROM sys.tables t JOIN sys.schemas s ON s.schema_id = t.schema_id); EXEC (@text)
SELECT name, is_disabled, is_not_trusted FROM sys.foreign_keys WHERE name LIKE 'f_' OR name = 'f' ORDER BY name"""


ACTIONS = ("", "ON DELETE CASCADE ON UPDATE CASCADE", "ON DELETE SET NULL")


class World:
    def __init__(self) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        self.action = ""
        self.admin = self.instance.connect()
        self.count = 0

    def sessions(self) -> tuple[Any, Any]:
        self.count += 1
        told(self.admin, f"CREATE DATABASE D{self.count}")
        one, two = (self.instance.connect(database=f"D{self.count}") for _ in range(2))
        for batch in SETUP.format(action=self.action).split("GO\n"):
            assert told(one, batch) == []
        return one, two

    def in_turn(self, first: str, second: str) -> tuple[list[object], list[object]]:
        one, two = self.sessions()
        if first:
            told(one, first)
        return told(two, second), look(two)

    def together(self, first: str, second: str, end: str) -> tuple[list[object], list[object]]:
        one, two = self.sessions()
        told(two, f"BEGIN TRAN; {second}")  # its plan is there
        told(two, "IF @@TRANCOUNT > 0 ROLLBACK")
        told(one, "BEGIN TRAN")
        told(one, first)
        loop = self.instance.loop
        task = loop.start(two, second)
        loop.settle()
        told(one, f"IF @@TRANCOUNT > 0 {end}")
        loop.settle()
        assert task.done, "it waits for nobody"
        found: list[object] = [o.error.number for o in task.outcomes if hasattr(o, "error")]
        return found, look(two)


def look(session: Any) -> list[object]:
    return sorted(told(session, LOOK), key=str)


@pytest.mark.matrix
@pytest.mark.parametrize("first", ["definition", "write"])
@pytest.mark.parametrize("name", WRITES)
def test_it_is_what_it_is_in_turn(name: str, first: str) -> None:
    """Each definition with one action of its keys, in turn; each fourth pair also
    with a ROLLBACK of what came first."""
    world, wrong = World(), []
    for number, (what, definition) in enumerate(DEFINITIONS.items(), list(WRITES).index(name)):
        world.action = ACTIONS[number % len(ACTIONS)]
        pair = [definition.format(action=world.action), WRITES[name]]
        if first == "write":
            pair.reverse()
        for end in ("COMMIT", "ROLLBACK")[: 1 + (number % 4 == 0)]:
            wanted = world.in_turn(pair[0] if end == "COMMIT" else "", pair[1])
            found = world.together(*pair, end)
            if found != wanted:
                wrong.append(f"{name} / {what} {world.action} / {end}:\n  found  {found}\n  wanted {wanted}")
    world.instance.close()
    assert not wrong, "\n".join(wrong)
