"""Computed columns, row versions and NEWID() in writes of many rows: the same rows, counts and errors as row by row,
and no row that Python has to make."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from told import told_whole as told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SOURCE = """CREATE TABLE s (id int, n int, w nvarchar(20), d datetime2(3), p decimal(9,2));
INSERT s SELECT value, NULLIF(value % 11, 5) - 3, CHOOSE(value % 4 + 1, N'Müller', N'a😀', NULL, N'x  '), DATEADD(minute, value, '20240101'), value / 7.0 FROM GENERATE_SERIES(1, 60)"""
COMPUTED = {
    "stored": "n * 2",
    "persisted": "n * 2 PERSISTED",
    "not null": "ISNULL(n, 0) + id PERSISTED NOT NULL",
    "text": "UPPER(w) + N'-' + CAST(id AS nvarchar(10)) PERSISTED",
    "date": "CAST(d AS date) PERSISTED",
    "part": "YEAR(d) * 100 + MONTH(d)",
    "condition": "CASE WHEN n > 2 THEN 'high' WHEN n IS NULL THEN 'none' ELSE 'low' END PERSISTED",
    "amount": "ROUND(p * n, 1) PERSISTED",
    "now": "DATEDIFF(day, d, GETDATE())",
    "overflow": "n * 1000000000",
    "division": "10 / n PERSISTED",
    "conversion": "CAST(w AS int)",
    "checked": "n + 1 PERSISTED CONSTRAINT ck CHECK (c < 12)",
    "checked wrong": "n + 1 PERSISTED CONSTRAINT ck CHECK (c < 5)",
    "unique": "id * 2 PERSISTED CONSTRAINT uq UNIQUE",
    "unique wrong": "id / 2 PERSISTED CONSTRAINT uq UNIQUE",
    "hash": "HASHBYTES('SHA2_256', w) PERSISTED",
    "function": "dbo.twice(n)",
}
ROW_BY_ROW = {"now", "function", "overflow", "division", "conversion", "checked wrong", "unique wrong"}
"""What is not computed once for all, what calls a function of a user, and what fails."""
TABLE = "CREATE TABLE t (id int PRIMARY KEY, n int, w nvarchar(20), d datetime2(3), p decimal(9,2), c AS {computed})"
INSERT = "INSERT t (id, n, w, d, p) SELECT id, n, w, d, p FROM s"
HALF = "INSERT t (id, w, d, p, n) SELECT id, w, d, p, 1 FROM s WHERE id % 2 = 0 AND w IS NOT NULL"
STATEMENTS = {
    "INSERT": ("", INSERT),
    "UPDATE": (INSERT.replace("id, n, w, d, p FROM", "id, 1, N'7', d, p FROM"), "UPDATE t SET n = id % 9 - 2, w = w + N'1'"),
    "UPDATE of others": (INSERT.replace("id, n, w, d, p FROM", "id, 1, N'7', d, p FROM"), "UPDATE t SET p = p + 1"),
    "UPDATE FROM": (INSERT.replace("id, n, w, d, p FROM", "id, 1, N'7', d, p FROM"), "UPDATE t SET n = s.n, w = s.w FROM t JOIN s ON s.id = t.id"),
    "MERGE": (
        INSERT.replace("id, n, w, d, p FROM", "id, 1, N'7', d, p FROM") + " WHERE id % 2 = 0",
        "MERGE t USING s ON s.id = t.id WHEN MATCHED AND s.id % 6 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET n = s.n, w = s.w WHEN NOT MATCHED THEN INSERT (id, n, w, d, p) VALUES (s.id, s.n, s.w, s.d, s.p);",
    ),
}  # fmt: skip


NUMBERS = itertools.count()
"""A text that is new expects nothing of how many rows it is about."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    opened = instance.connect()
    assert told(opened, SOURCE) == [60]
    assert told(opened, "CREATE FUNCTION dbo.twice (@n int) RETURNS int AS BEGIN RETURN @n * 2 END") == []
    yield opened
    instance.close()


def both(
    session: Session, by_sets: list[bool], table: str, before: str, statement: str, rows: str
) -> tuple[list[Any], bool]:
    """What the statement tells and which rows there are then, the same in both ways, and whether it was a set."""
    found = []
    for sets_from in (1, sys.maxsize):
        session.instance.locks.sets_from = 1
        told(session, "DROP TABLE IF EXISTS t")
        told(session, table)
        told(session, before)
        session.instance.locks.sets_from = sets_from
        by_sets.clear()
        found.append(
            (told(session, f"{statement} -- {next(NUMBERS)}"), told(session, rows), by_sets != [] and all(by_sets))
        )
    assert found[0][:2] == found[1][:2]
    assert not found[1][2]
    return found[0][0] + found[0][1], found[0][2]


@pytest.mark.parametrize("way", STATEMENTS)
@pytest.mark.parametrize("name", COMPUTED)
def test_computed_columns(session: Session, by_sets: list[bool], name: str, way: str) -> None:
    before, statement = STATEMENTS[way]
    table = TABLE.format(computed=COMPUTED[name])
    found, is_set = both(session, by_sets, table, before, statement, "SELECT * FROM t ORDER BY id")
    assert len(found) > 1 or isinstance(found[0], tuple)
    if way == "UPDATE" and name == "text":
        assert found[1][-1] == repr("71-1")
    assert is_set or name in ROW_BY_ROW


ROLLED = "BEGIN TRANSACTION; {statement}; ROLLBACK; {statement}"


@pytest.mark.parametrize("more", ["", ", c AS n * 2 PERSISTED"])
@pytest.mark.parametrize("way", [way for way in STATEMENTS if way != "UPDATE of others"])
def test_row_versions(session: Session, by_sets: list[bool], way: str, more: str) -> None:
    """Each row that is written has a new one of its own, greater than all before; others keep theirs."""
    before, statement = STATEMENTS[way]
    table = f"CREATE TABLE t (id int PRIMARY KEY, n int, w nvarchar(20), d datetime2(3), p decimal(9,2), v rowversion{more})"
    rows = "SELECT id, n, w, IIF(v > @@DBTS, 'beyond', 'there') FROM t ORDER BY id; SELECT COUNT(*) - COUNT(DISTINCT v) FROM t"
    for text in (statement, ROLLED.format(statement=statement)):
        found, is_set = both(session, by_sets, table, before, text, rows)
        assert is_set
        assert found[-2] == ("0",) and not any("'beyond'" in row for row in found if isinstance(row, tuple))
    told(session, f"DROP TABLE t; {table}")
    session.instance.locks.sets_from = 1
    told(session, before)
    told(session, "SELECT id, v INTO #before FROM t; SELECT @@DBTS AS v INTO #last")
    told(session, statement)
    changed = "SELECT COUNT(*) FROM t LEFT JOIN #before AS b ON b.id = t.id CROSS JOIN #last AS l WHERE t.v = b.v OR t.v <= l.v"
    assert told(session, changed) == [("0",), 1]
    told(session, "DROP TABLE #before, #last")


def test_guids_of_defaults(session: Session, by_sets: list[bool]) -> None:
    """Each row has another one, and what is computed of it is of the same."""
    session.instance.locks.sets_from = 1
    told(session, "DROP TABLE IF EXISTS t")
    told(
        session,
        "CREATE TABLE t (id int, g uniqueidentifier DEFAULT NEWID() PRIMARY KEY, h AS CAST(g AS varchar(36)) PERSISTED, v rowversion, k int DEFAULT 7, w nvarchar(20))",
    )
    by_sets.clear()
    assert told(session, "INSERT t (id, w) SELECT id, w FROM s") == [60]
    assert by_sets == [True]
    text = "SELECT COUNT(DISTINCT g), COUNT(DISTINCT v), SUM(k), SUM(IIF(h = CAST(g AS varchar(36)), 1, 0)) FROM t"
    assert told(session, text) == [("60", "60", "420", "60"), 1]
    assert told(
        session, "SELECT COUNT(*) FROM t JOIN s ON s.id = t.id WHERE s.w = t.w OR s.w IS NULL AND t.w IS NULL"
    ) == [("60",), 1]


def test_what_was_found_goes(session: Session) -> None:
    """The rows as they were found and as they were completed are gone with the transaction."""
    session.instance.locks.sets_from = 1
    for way, (before, statement) in STATEMENTS.items():
        told(session, "DROP TABLE IF EXISTS t")
        told(session, TABLE.format(computed="10 / n PERSISTED").replace("PRIMARY KEY", ""))
        told(session, before)
        for text in (
            statement,
            statement.replace("s.n", "1")
            .replace("id, n, w, d, p FROM", "id, 2, w, d, p FROM")
            .replace("id % 9 - 2", "3"),
        ):
            told(session, text)
        with session.instance.store.scratch() as connection:
            kept = connection.execute("SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, 'found_')")
            assert kept.fetchall() == [], way


SEQUENCES = {
    "up": ("AS int START WITH 5", "int", "", True),
    "by three": ("AS bigint START WITH 5 INCREMENT BY 3", "bigint", "", True),
    "down": ("AS int START WITH -5 INCREMENT BY -2", "int", "", True),
    "decimal": ("AS decimal(18,0) START WITH 5", "decimal(18,0)", "", True),
    "wider": ("AS tinyint START WITH 5", "decimal(9,2)", "", True),
    "narrower": ("AS int START WITH 200", "tinyint", "", False),
    "to its end": ("AS int START WITH 5 MAXVALUE 64", "int", "", True),
    "beyond its end": ("AS int START WITH 5 MAXVALUE 30", "int", "", False),
    "anew": ("AS int START WITH 5 MINVALUE 1 MAXVALUE 30 CYCLE", "int", "", False),
    "twice": ("AS int START WITH 5", "int", ", e int DEFAULT NEXT VALUE FOR numbers", True),
    "two": ("AS int START WITH 5", "int", ", e int DEFAULT NEXT VALUE FOR others", True),
    "computed": ("AS int START WITH 5", "int", ", e AS c * 2 PERSISTED", True),
    "in text": ("AS int START WITH 5", "varchar(9)", "", False),
    "wrong": ("AS int START WITH 5", "int CHECK (c < 40)", "", False),
    "wrong at its end": ("AS int START WITH 5 MAXVALUE 64", "int CHECK (c < 40)", "", False),
    "duplicate": ("AS int START WITH 5", "int", ", CONSTRAINT pk PRIMARY KEY (n)", False),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_of_defaults(session: Session, by_sets: list[bool], name: str) -> None:
    """Each row gets what it would get alone, and the next one comes behind."""
    sequence, sql_type, more, takes_sets = SEQUENCES[name]
    table = f"CREATE TABLE t (id int, n int NOT NULL, c {sql_type.replace('int ', 'int DEFAULT NEXT VALUE FOR numbers CONSTRAINT ck ', 1) if ' ' in sql_type else sql_type + ' DEFAULT NEXT VALUE FOR numbers'}{more})"
    found = []
    for sets_from in (1, sys.maxsize):
        session.instance.locks.sets_from = sets_from
        told(session, "DROP TABLE IF EXISTS t")
        told(session, "DROP SEQUENCE IF EXISTS numbers, others")
        assert told(session, f"CREATE SEQUENCE numbers {sequence}; CREATE SEQUENCE others AS int START WITH 1") == []
        assert told(session, table) == []
        by_sets.clear()
        done = told(session, f"INSERT t (id, n) SELECT id, ISNULL(n, 0) FROM s -- {next(NUMBERS)}")
        found.append(
            (
                done,
                told(session, "SELECT * FROM t ORDER BY id"),
                told(session, "SELECT NEXT VALUE FOR others"),
                told(session, "SELECT current_value FROM sys.sequences ORDER BY name"),
                True in by_sets,
            )
        )
    first, second = found
    assert first[:2] == second[:2]
    if takes_sets:
        assert first[:4] == second[:4]
    assert first[4] == takes_sets
