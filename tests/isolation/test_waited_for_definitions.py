"""A write that waited while another session changed its table does what it would have done behind it: it is
bound anew, as SQL Server compiles anew.

Each write against each definition, committed and rolled back, row by row and as a set; what comes out is compared
with the same two one after the other.
"""

from __future__ import annotations

from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance

SETUP = """CREATE SCHEMA x
GO
CREATE TABLE dbo.t (id int NOT NULL, n int, q int); INSERT dbo.t VALUES (1, 10, 0), (2, 20, 0), (3, 30, 0)
CREATE TABLE dbo.s (k int NOT NULL PRIMARY KEY, v int); INSERT dbo.s VALUES (1, 7), (2, 7), (3, 7)
CREATE TABLE dbo.o (k int, v int)"""

DEFINITIONS = {
    "unique index": "CREATE UNIQUE INDEX u ON dbo.t (n)",
    "key": "ALTER TABLE dbo.t ADD CONSTRAINT k PRIMARY KEY (id)",
    "check": "ALTER TABLE dbo.t ADD CONSTRAINT c CHECK (n <> 7)",
    "type": "ALTER TABLE dbo.t ALTER COLUMN n decimal(9,2)",
    "not null": "ALTER TABLE dbo.t ALTER COLUMN n int NOT NULL",
    "new column": "ALTER TABLE dbo.t ADD d int NOT NULL DEFAULT 5",
    "column gone": "ALTER TABLE dbo.t DROP COLUMN n",
    "columns turned": "DROP TABLE dbo.t; CREATE TABLE dbo.t (n int, id int NOT NULL, q int); INSERT dbo.t VALUES (10, 1, 0), (20, 2, 0)",
    "gone": "DROP TABLE dbo.t",
    "moved": "ALTER SCHEMA x TRANSFER dbo.t",
    "renamed": "EXEC sp_rename 'dbo.t', 'other'",
    "column renamed": "EXEC sp_rename 'dbo.t.n', 'm', 'COLUMN'",
    "foreign key": "ALTER TABLE dbo.t ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES dbo.s (k)",
}
WRITES = {
    "insert": "INSERT dbo.t (id, n) VALUES (1, 7), (9, 7)",
    "insert null": "INSERT dbo.t (id, q) VALUES (4, 1)",
    "insert all": "INSERT dbo.t VALUES (4, 40, 1)",
    "insert select": "INSERT dbo.t (id, n) SELECT k, v FROM dbo.s",
    "update": "UPDATE dbo.t SET n = 7",
    "update join": "UPDATE t SET n = s.v FROM dbo.t AS t JOIN dbo.s AS s ON s.k = t.id",
    "update one": "UPDATE dbo.t SET n = 20 WHERE id = 1",
    "delete": "DELETE dbo.t WHERE n >= 20",
    "delete all": "DELETE dbo.t",
    "in from": "INSERT dbo.o (k, v) SELECT w.id, w.n FROM (UPDATE dbo.t SET n = 7 OUTPUT inserted.id, inserted.n) AS w",
    "output into": "UPDATE dbo.s SET v = 8 OUTPUT inserted.k, deleted.v INTO dbo.t (id, n)",
    "merge": "MERGE dbo.t AS t USING dbo.s AS s ON t.id = s.k WHEN MATCHED THEN UPDATE SET n = s.v WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.k, s.v);",
}
ROWS = """SELECT * FROM dbo.o ORDER BY k; SELECT * FROM dbo.s ORDER BY k
IF OBJECT_ID('dbo.t') IS NOT NULL EXEC('SELECT * FROM dbo.t ORDER BY id, n')
IF OBJECT_ID('x.t') IS NOT NULL EXEC('SELECT * FROM x.t ORDER BY id, n')
IF OBJECT_ID('dbo.other') IS NOT NULL EXEC('SELECT * FROM dbo.other ORDER BY id, n')"""


class World:
    """An instance with a database for each pair, whose table is new."""

    def __init__(self, *, sets: bool) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        if sets:
            self.instance.locks.sets_from = 0
        self.admin = self.instance.connect()
        self.count = 0

    def sessions(self) -> tuple[Any, Any]:
        self.count += 1
        name = f"D{self.count}"
        told(self.admin, f"CREATE DATABASE {name}")
        one, two = self.instance.connect(database=name), self.instance.connect(database=name)
        for batch in SETUP.split("GO\n"):
            assert told(one, batch) == []
        return one, two

    def behind(self, definition: str, write: str) -> tuple[list[object], list[object]]:
        one, two = self.sessions()
        told(one, definition)
        return told(two, write + "; SELECT @@ROWCOUNT"), told(two, ROWS)

    def waiting(self, definition: str, write: str, end: str, *, before: bool) -> tuple[list[object], list[object]]:
        """`before`: the write has run before, so that its plan is there."""
        one, two = self.sessions()
        text = write + "; SELECT @@ROWCOUNT"
        if before:
            told(two, f"BEGIN TRAN; {text}")
            told(two, "ROLLBACK")
        assert told(one, f"BEGIN TRAN; {definition}") == []
        loop = self.instance.loop
        task = loop.start(two, text)
        loop.settle()
        assert not task.done, "it waits for the definition"
        told(one, end)
        loop.settle()
        assert task.done, "it waits for nobody"
        found: list[object] = []
        for outcome in task.outcomes:
            if hasattr(outcome, "error"):
                found.append(outcome.error.number)
            elif hasattr(outcome, "rows"):
                found += [tuple(row) for row in outcome.rows]
        return found, told(two, ROWS)


@pytest.mark.matrix
@pytest.mark.parametrize("sets", [False, True], ids=["rows", "set"])
@pytest.mark.parametrize("name", WRITES)
def test_it_is_what_it_is_behind_the_definition(name: str, sets: bool) -> None:
    world, write, wrong = World(sets=sets), WRITES[name], []
    for what, definition in DEFINITIONS.items():
        for end, before in (("COMMIT", True), ("ROLLBACK", False)):
            wanted = world.behind(definition if end == "COMMIT" else "", write)
            found = world.waiting(definition, write, end, before=before)
            if found != wanted:
                wrong.append(f"{name} / {what} / {end}:\n  found  {found}\n  wanted {wanted}")
    world.instance.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("definition", "write", "number"),
    [
        ("unique index", "update", 2601),
        ("key", "insert", 2627),
        ("check", "update join", 547),
        ("not null", "insert null", 515),
        ("column gone", "update", 207),
        ("gone", "delete", 208),
        ("moved", "merge", 208),
        ("foreign key", "insert", 547),
        ("columns turned", "update join", None),
    ],
)
def test_its_error_is_that_of_the_new_table(definition: str, write: str, number: int | None) -> None:
    """The numbers, so that two that are wrong alike are found."""
    world = World(sets=True)
    said, _ = world.waiting(DEFINITIONS[definition], WRITES[write], "COMMIT", before=True)
    assert said[0] == ((2,) if number is None else number)
    world.instance.close()


def test_a_key_of_the_source_that_goes_meanwhile_makes_nothing_sure() -> None:
    """Each row is changed once and counted once, however often it is met."""
    world = World(sets=True)
    one, two = world.sessions()
    third = world.instance.connect(database=one.database_name)
    told(
        one,
        "CREATE TABLE dbo.w (k int NOT NULL CONSTRAINT pk_w PRIMARY KEY, v int); INSERT dbo.w VALUES (1, 5), (2, 5), (3, 5)",
    )
    write = "UPDATE t SET n = w.v FROM dbo.t AS t JOIN dbo.w AS w ON w.k = t.id; SELECT @@ROWCOUNT"
    assert told(two, write) == [(3,)]
    assert told(one, "BEGIN TRAN; SELECT COUNT(*) FROM dbo.t WITH (TABLOCKX)") == [(3,)]
    task = world.instance.loop.start(two, write)
    world.instance.loop.settle()
    assert told(third, "ALTER TABLE dbo.w DROP CONSTRAINT pk_w; INSERT dbo.w VALUES (3, 5), (3, 5)") == []
    told(one, "COMMIT")
    world.instance.loop.settle()
    assert task.done
    assert [outcome.rows for outcome in task.outcomes if hasattr(outcome, "rows")] == [[(3,)]]
    assert told(third, "SELECT n FROM dbo.t ORDER BY id") == [(5,), (5,), (5,)]
    world.instance.close()
