"""MERGE … INSERT DEFAULT VALUES adds the row that INSERT … DEFAULT VALUES adds: every kind of default, row by row and
as a set, into every kind of target."""

from __future__ import annotations

import sys

import pytest
from told import told

from sbql.engine.instance import Instance

COLUMNS = {
    "constant": "int NOT NULL DEFAULT (7)",
    "text": "varchar(5) NOT NULL DEFAULT 'abc'",
    "typed": "decimal(9, 2) DEFAULT 1.5",
    "offset": "datetimeoffset DEFAULT '2026-01-01 10:00 +02:00'",
    "function": "int NOT NULL DEFAULT (DB_ID())",
    "moment": "datetime NOT NULL DEFAULT GETDATE()",
    "guid": "uniqueidentifier NOT NULL DEFAULT NEWID()",
    "sequence": "int NOT NULL DEFAULT (NEXT VALUE FOR dbo.numbers)",
    "own": "int DEFAULT (dbo.three())",
    "identity": "int IDENTITY (5, 10)",
    "rowversion": "rowversion",
    "computed": "AS (1 + 1)",
    "none": "int NULL",
    "no_null": "int NOT NULL",
    "key": "int DEFAULT 3 PRIMARY KEY",
    "check": "int DEFAULT 3 CHECK (x > 5)",
}
FRESH = {"guid", "rowversion", "sequence"}
"""Each row has a value of its own."""
TARGETS = ("table", "#temp", "@variable", "view")


@pytest.fixture(scope="module", params=[0, sys.maxsize], ids=["set", "rows"])
def session(request: pytest.FixtureRequest):
    instance = Instance.open(clock="virtual", seed=1)
    instance.locks.sets_from = request.param
    found = instance.connect()
    assert told(found, "CREATE DATABASE d") == told(found, "USE d; CREATE SEQUENCE numbers AS int START WITH 1") == []
    assert told(found, "CREATE FUNCTION three() RETURNS int AS BEGIN RETURN 3 END") == []
    yield found
    instance.close()


def declared(target: str, column: str) -> tuple[str, str, str]:
    """What makes a target of this name, what does away with it, and its name."""
    body = f"(x {column}, y AS (2))" if column.startswith("AS") else f"(x {column}, z varchar(3) NULL)"
    if target == "@variable":
        return f"DECLARE @t TABLE {body}", "", "@t"
    if target == "#temp":
        return f"CREATE TABLE #t {body}", "DROP TABLE #t", "#t"
    if target == "view":
        return f"CREATE TABLE base {body}; EXEC ('CREATE VIEW t AS SELECT * FROM base')", "DROP VIEW t; DROP TABLE base", "t"  # fmt: skip
    return f"CREATE TABLE t {body}", "DROP TABLE t", "t"


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("target", TARGETS)
def test_the_same_row_as_insert(session, target: str, kind: str) -> None:
    if target == "@variable" and kind in ("sequence", "own"):
        pytest.skip("a table variable has no such defaults")
    make, drop, name = declared(target, COLUMNS[kind])
    if target == "view" and kind in ("computed", "rowversion"):
        make = make.replace("SELECT *", "SELECT z" if "z " in make else "SELECT x")
    merge = f"MERGE {name} AS t USING (VALUES (1)) AS s (n) ON 1 = 0 WHEN NOT MATCHED THEN INSERT DEFAULT VALUES"
    look = f"SELECT * FROM {name.replace('t', 'base') if target == 'view' else name}"
    found = []
    for write in (f"INSERT {name} DEFAULT VALUES", f"{merge};", f"{merge} WHEN NOT MATCHED BY SOURCE THEN DELETE;"):
        found.append(told(session, f"{make}; {write} {look}; {drop}"))
        if isinstance(found[-1][0], int):
            told(session, drop)
    assert found[0]
    if kind in FRESH:
        assert len({rows[0][0] for rows in found}) == 3
        assert all(rows[0][0] is not None and rows[0][1:] == found[0][0][1:] for rows in found)
    else:
        assert found[0] == found[1] == found[2]


def test_several_rows(session) -> None:
    """Each has the defaults, and values of its own of what differs from row to row."""
    told(session, "CREATE TABLE many (id int IDENTITY PRIMARY KEY, a int NOT NULL DEFAULT 4, g uniqueidentifier DEFAULT NEWID(), b int)")  # fmt: skip
    found = told(
        session,
        "MERGE many AS t USING GENERATE_SERIES(1, 3) AS s ON 1 = 0 WHEN NOT MATCHED THEN INSERT DEFAULT VALUES;"
        "SELECT id, a, b FROM many; SELECT COUNT(DISTINCT g) FROM many; SELECT SCOPE_IDENTITY()",
    )
    assert found == [(1, 4, None), (2, 4, None), (3, 4, None), (3,), (3,)]


def test_identity_insert(session) -> None:
    """545, as of INSERT: no identity value is given."""
    told(session, "CREATE TABLE given (id int IDENTITY, a int DEFAULT 4); SET IDENTITY_INSERT given ON")
    merge = "MERGE given USING (VALUES (1)) AS s (n) ON 1 = 0 WHEN NOT MATCHED THEN INSERT DEFAULT VALUES;"
    assert told(session, "INSERT given DEFAULT VALUES") == told(session, merge) == [545]
    assert told(session, "SET IDENTITY_INSERT given OFF; SELECT * FROM given") == []


def test_view_of_some_columns(session) -> None:
    """The columns that a view does not show, or computes, have their defaults, too."""
    told(session, "CREATE TABLE wide (a int NOT NULL DEFAULT 1, b int NOT NULL DEFAULT 2, c int DEFAULT 3)")
    assert told(session, "CREATE VIEW narrow AS SELECT b, b + 1 AS more FROM wide") == []
    merge = "MERGE narrow USING (VALUES (1)) AS s (n) ON 1 = 0 WHEN NOT MATCHED THEN INSERT DEFAULT VALUES;"
    assert told(session, f"{merge} SELECT * FROM wide") == [(1, 2, 3)]
