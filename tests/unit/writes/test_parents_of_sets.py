"""Foreign keys in writes of many rows: as row by row, whatever the keys are of, and without Python for each row."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from told import told_whole as told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

NUMBERS = itertools.count()
KEYS = {
    "int": ("int", "value"),
    "nvarchar": ("nvarchar(20)", "CONCAT(N'Müller', value)"),
    "varchar": ("varchar(20)", "CONCAT('Item ', value)"),
    "binary": ("varchar(20) COLLATE Latin1_General_BIN2", "CONCAT('Item ', value)"),
    "char": ("char(12)", "CONCAT('Item ', value)"),
    "date": ("date", "DATEADD(day, value, CAST('20200101' AS date))"),
    "datetime2": ("datetime2(7)", "DATEADD(ns, value * 100, CAST('20200101' AS datetime2))"),
    "decimal": ("decimal(9,2)", "value / 4.0"),
    "guid": ("uniqueidentifier", "CAST(HASHBYTES('MD5', CONCAT(value, '')) AS uniqueidentifier)"),
    "varbinary": ("varbinary(10)", "CAST(value AS varbinary(10))"),
}
OTHERS = {"nvarchar": "UPPER(k) + N'  '", "varchar": "UPPER(k) + '  '", "char": "UPPER(k)"}
"""The same key to a collation that tells no cases apart."""
STATEMENTS = {
    "INSERT": "INSERT child SELECT {k}, {n} FROM parent WHERE n < 40",
    "INSERT of NULL": "INSERT child SELECT IIF(n % 3 = 0, NULL, {k}), {n} FROM parent WHERE n < 40",
    "INSERT without a parent": "INSERT child SELECT {k}, {n} FROM parent UNION ALL SELECT k, n FROM stray",
    "UPDATE": "INSERT child SELECT NULL, n FROM parent; UPDATE child SET k = (SELECT {k} FROM parent AS p WHERE p.n = child.n)",
    "UPDATE FROM": "INSERT child SELECT NULL, n FROM parent; UPDATE child SET k = p.k FROM child JOIN parent AS p ON p.n = child.n",
    "UPDATE without a parent": "INSERT child SELECT k, n FROM parent; UPDATE child SET k = (SELECT k FROM stray)",
    "UPDATE of an old value": "ALTER TABLE child NOCHECK CONSTRAINT fk; INSERT child SELECT k, 0 FROM stray; INSERT child SELECT k, n FROM parent; ALTER TABLE child CHECK CONSTRAINT fk; UPDATE child SET k = k",
    "UPDATE of another column": "ALTER TABLE child NOCHECK CONSTRAINT fk; INSERT child SELECT k, 0 FROM stray; INSERT child SELECT k, n FROM parent; ALTER TABLE child CHECK CONSTRAINT fk; UPDATE child SET n = n + 1",
    "DELETE of parents": "INSERT child SELECT k, n FROM parent WHERE n % 2 = 0; DELETE parent WHERE n % 2 = 1",
    "DELETE with children": "INSERT child SELECT k, n FROM parent WHERE n % 2 = 0; DELETE parent WHERE n > 30",
    "DELETE of both": "BEGIN TRANSACTION; INSERT child SELECT k, n FROM parent; DELETE child WHERE n > 30; DELETE parent WHERE n > 30; ROLLBACK; DELETE parent WHERE n = 3; DELETE parent",
    "MERGE": "INSERT child SELECT NULL, n FROM parent WHERE n < 20; MERGE child USING parent AS p ON p.n = child.n WHEN MATCHED THEN UPDATE SET k = p.k WHEN NOT MATCHED THEN INSERT (k, n) VALUES (p.k, p.n);",
}  # fmt: skip
SETS = {"INSERT", "INSERT of NULL", "UPDATE", "UPDATE FROM", "UPDATE of another column", "DELETE of parents"}
"""What fails is told by the rows, and MERGE changes no foreign key as a set."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    yield instance.connect()
    instance.close()


def both(session: Session, by_sets: list[bool], tables: str, text: str) -> tuple[list[Any], bool]:
    """What the statements tell and leave behind, the same in both ways, and whether all were sets."""
    found = []
    for sets_from in (1, sys.maxsize):
        session.instance.locks.sets_from = 1
        told(session, "DROP TABLE IF EXISTS child; DROP TABLE IF EXISTS parent, stray")
        made = told(session, tables)
        assert not any(isinstance(part, tuple) for part in made), made
        session.instance.locks.sets_from = sets_from
        by_sets.clear()
        done = told(session, f"{text} -- {next(NUMBERS)}")
        is_set = by_sets != [] and all(by_sets)
        found.append(
            (done, told(session, "SELECT k, n FROM child ORDER BY n, k; SELECT k, n FROM parent ORDER BY n"), is_set)
        )
    assert found[0][:2] == found[1][:2]
    return found[0][0], found[0][2]


@pytest.mark.matrix
@pytest.mark.parametrize("action", ["", " ON DELETE CASCADE", " ON DELETE SET NULL ON UPDATE CASCADE"])
@pytest.mark.parametrize("way", STATEMENTS)
@pytest.mark.parametrize("name", KEYS)
def test_children_have_parents(session: Session, by_sets: list[bool], name: str, way: str, action: str) -> None:
    sql_type, value = KEYS[name]
    tables = (
        f"CREATE TABLE parent (k {sql_type} PRIMARY KEY, n int); CREATE TABLE child (k {sql_type} NULL CONSTRAINT fk REFERENCES parent{action}, n int); CREATE TABLE stray (k {sql_type}, n int);"
        f" INSERT parent SELECT {value}, value FROM GENERATE_SERIES(1, 40); INSERT stray SELECT {value}, value FROM GENERATE_SERIES(99, 99)"
    )
    done, is_set = both(session, by_sets, tables, STATEMENTS[way].format(k=OTHERS.get(name, "k"), n="n"))
    assert is_set or way not in SETS
    fails = "without" in way or (way in ("DELETE with children",) and not action)
    assert any(isinstance(part, tuple) and part[0] == 547 for part in done) == fails


@pytest.mark.parametrize("way", [way for way in STATEMENTS if "stray" not in STATEMENTS[way] and "UPDATE" not in way])
def test_keys_of_two_columns(session: Session, by_sets: list[bool], way: str) -> None:
    tables = (
        "CREATE TABLE parent (k varchar(9), n int, PRIMARY KEY (n, k)); CREATE TABLE child (k varchar(9) NULL, n int NULL, CONSTRAINT fk FOREIGN KEY (n, k) REFERENCES parent (n, k));"
        " INSERT parent SELECT CONCAT('x', value / 2), value FROM GENERATE_SERIES(1, 40)"
    )
    _, is_set = both(session, by_sets, tables, STATEMENTS[way].format(k="UPPER(k)", n="n"))
    assert is_set or way not in SETS


def test_others_wait_for_the_parent(session: Session) -> None:
    """Who writes children as a set keeps their parents until the end, and a row of another transaction that has no
    parent yet makes the set go row by row, which waits."""
    session.instance.locks.sets_from = 10
    told(
        session,
        "DROP TABLE IF EXISTS child; DROP TABLE IF EXISTS parent, stray; CREATE TABLE parent (k int PRIMARY KEY, n int); CREATE TABLE child (k int REFERENCES parent, n int)",
    )
    told(session, "INSERT parent SELECT value, value FROM GENERATE_SERIES(1, 40)")
    other = session.instance.connect()
    told(other, "SET LOCK_TIMEOUT 0")
    told(session, f"BEGIN TRANSACTION; INSERT child SELECT k, n FROM parent -- {next(NUMBERS)}")
    assert [part[0] for part in told(other, "DELETE parent WHERE k = 3")] == [1222]
    told(session, "ROLLBACK")
    assert told(other, "DELETE parent WHERE k = 3") == [1]
    told(other, "BEGIN TRANSACTION; INSERT child VALUES (4, 4)")
    told(session, "SET LOCK_TIMEOUT 0")
    assert [part[0] for part in told(session, f"DELETE parent -- {next(NUMBERS)}")] == [1222]
    told(other, "ROLLBACK")
    assert told(session, f"SET LOCK_TIMEOUT -1; DELETE parent -- {next(NUMBERS)}") == [39]


COMPUTED = {
    "one column": ("k AS n * 2 PERSISTED, b int NOT NULL DEFAULT 1", "k", "a int PRIMARY KEY", "value * 2"),
    "beside a plain one": ("k AS n * 2 PERSISTED, b int NOT NULL DEFAULT 1", "k, b", "a int, b int, PRIMARY KEY (a, b)", "value * 2, 1"),
    "two of which one changes": ("m int NOT NULL DEFAULT 1, k AS n * 2 PERSISTED, b AS m % 2 PERSISTED", "k, b", "a int, b int, PRIMARY KEY (a, b)", "value * 2, 1"),
}  # fmt: skip
CHANGES = {
    "UPDATE": "UPDATE c SET n = n + 100000",
    "UPDATE FROM": "UPDATE c SET n = v.n FROM c JOIN (SELECT value AS id, value + 100000 AS n FROM GENERATE_SERIES(1, 40)) AS v ON v.id = c.id",
    "MERGE": "MERGE c USING (SELECT value AS v FROM GENERATE_SERIES(1, 40)) AS s ON s.v = c.id WHEN MATCHED THEN UPDATE SET n = v + 100000;",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("key", COMPUTED)
@pytest.mark.parametrize("sets_from", [1, sys.maxsize], ids=["set", "rows"])
def test_keys_with_computed_columns(session: Session, key: str, change: str, sets_from: int) -> None:
    """What is computed of a column that changes may leave its parent: 547, in either way."""
    columns, foreign, parent, values = COMPUTED[key]
    made = (
        f"CREATE TABLE p ({parent}); INSERT p SELECT {values} FROM GENERATE_SERIES(1, 40);"
        f"CREATE TABLE c (id int PRIMARY KEY, n int, {columns}, FOREIGN KEY ({foreign}) REFERENCES p);"
        "INSERT c (id, n) SELECT value, value FROM GENERATE_SERIES(1, 40)"
    )
    session.instance.locks.sets_from = sets_from
    told(session, "DROP TABLE IF EXISTS c; DROP TABLE IF EXISTS p")
    assert told(session, made) == [40, 40]
    failed = told(session, f"{CHANGES[change]} -- {next(NUMBERS)}")
    assert [part[0] for part in failed if isinstance(part, tuple)] == [547]
    assert told(session, "SELECT COUNT(*) FROM c WHERE n > 100000")[0] == ("0",)
    assert told(session, f"UPDATE c SET n = 41 - n -- {next(NUMBERS)}") == [40]
    session.instance.locks.sets_from = 1
