"""What something is bound to (a function by CHECK, DEFAULT or a computed column, anything by a module WITH
SCHEMABINDING, a type by a column …) is not dropped, altered, renamed or moved, whichever statement tries; once the user
is gone, it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SCHEMA = '<schema xmlns="http://www.w3.org/2001/XMLSchema"><element name="a" type="int"/></schema>'
BODY = "RETURNS int WITH SCHEMABINDING AS BEGIN RETURN @a + 1 END"
OBJECTS = {
    "function": "CREATE FUNCTION dbo.f(@a int) RETURNS int WITH SCHEMABINDING AS BEGIN RETURN @a END",
    "sequence": "CREATE SEQUENCE dbo.s",
    "type": "CREATE TYPE dbo.y FROM int",
    "table type": "CREATE TYPE dbo.tt AS TABLE (x int)",
    "collection": f"CREATE XML SCHEMA COLLECTION dbo.xs AS N'{SCHEMA}'",
    "table": "CREATE TABLE dbo.b (i int NOT NULL, j varchar(10) NULL, k int NULL)",
    "view": "CREATE VIEW dbo.w WITH SCHEMABINDING AS SELECT x FROM dbo.plain",
    "inline function": "CREATE FUNCTION dbo.g(@a int) RETURNS TABLE WITH SCHEMABINDING AS RETURN SELECT x FROM dbo.plain WHERE x = @a",
    "unique index": "CREATE TABLE dbo.p (i int NOT NULL); CREATE UNIQUE INDEX u ON dbo.p (i)",
}
VIEW, BOUND = (
    "CREATE VIEW dbo.user_ WITH SCHEMABINDING AS ",
    "CREATE FUNCTION dbo.user_() RETURNS int WITH SCHEMABINDING AS ",
)
NO_VIEW, NO_FUNCTION, NO_TABLE, NO_PROCEDURE = (
    f"DROP {k} dbo.user_" for k in ("VIEW", "FUNCTION", "TABLE", "PROCEDURE")
)
USERS = {
    "function": {
        "CHECK": ("CREATE TABLE dbo.user_ (i int CHECK (dbo.f(i) > 0))", NO_TABLE),
        "CHECK inside": ("CREATE TABLE dbo.user_ (i int, CHECK (i > 5 OR ABS([dbo].[F](i)) IN (1, 2)))", NO_TABLE),
        "disabled CHECK": ("CREATE TABLE dbo.user_ (i int CONSTRAINT c CHECK (dbo.f(i) > 0)); ALTER TABLE dbo.user_ NOCHECK CONSTRAINT c", NO_TABLE),
        "CHECK added": ("ALTER TABLE dbo.plain ADD CONSTRAINT c CHECK (dbo.f(x) > 0)", "ALTER TABLE dbo.plain DROP CONSTRAINT c"),
        "DEFAULT": ("CREATE TABLE dbo.user_ (i int DEFAULT dbo.f(1))", NO_TABLE),
        "DEFAULT added": ("ALTER TABLE dbo.plain ADD CONSTRAINT c DEFAULT dbo.f(1) FOR x", "ALTER TABLE dbo.plain DROP CONSTRAINT c"),
        "computed column": ("CREATE TABLE dbo.user_ (i int, j AS dbo.f(i))", NO_TABLE),
        "persisted column": ("ALTER TABLE dbo.plain ADD j AS dbo.f(x) PERSISTED", "ALTER TABLE dbo.plain DROP COLUMN j"),
        "table type": ("CREATE TYPE dbo.user_ AS TABLE (i int CHECK (dbo.f(i) > 0))", "DROP TYPE dbo.user_"),
        "view": (VIEW + "SELECT dbo.f(x) AS y FROM dbo.plain", NO_VIEW),
        "view's condition": (VIEW + "SELECT x FROM dbo.plain WHERE dbo.f(x) = 1", NO_VIEW),
        "function": (BOUND + "BEGIN RETURN dbo.f(1) END", NO_FUNCTION),
        "function's statement": (BOUND + "BEGIN DECLARE @a int = 1; WHILE @a < 5 BEGIN SET @a = dbo.f(@a) + 1 END; RETURN @a END", NO_FUNCTION),
    },
    "sequence": {
        "DEFAULT": ("CREATE TABLE dbo.user_ (i int DEFAULT NEXT VALUE FOR dbo.s)", NO_TABLE),
        "DEFAULT inside": ("CREATE TABLE dbo.user_ (i int DEFAULT (10 * (NEXT VALUE FOR [dbo].[s])))", NO_TABLE),
    },
    "type": {
        "column": ("CREATE TABLE dbo.user_ (i dbo.y)", NO_TABLE),
        "column of a table type": ("CREATE TYPE dbo.user_ AS TABLE (i y)", "DROP TYPE dbo.user_"),
        "parameter": ("CREATE PROCEDURE dbo.user_ @a dbo.y AS RETURN", NO_PROCEDURE),
        "result": ("CREATE FUNCTION dbo.user_() RETURNS dbo.y AS BEGIN RETURN 1 END", NO_FUNCTION),
        "variable": (BOUND + "BEGIN DECLARE @a dbo.y = 1; RETURN @a END", NO_FUNCTION),
    },
    "table type": {
        "parameter": ("CREATE PROCEDURE dbo.user_ @a dbo.tt READONLY AS RETURN", NO_PROCEDURE),
        "parameter of a function": ("CREATE FUNCTION dbo.user_(@a dbo.tt READONLY) RETURNS int AS BEGIN RETURN 1 END", NO_FUNCTION),
    },
    "collection": {
        "column": ("CREATE TABLE dbo.user_ (i xml(dbo.xs))", NO_TABLE),
        "column of a table type": ("CREATE TYPE dbo.user_ AS TABLE (i xml(dbo.xs))", "DROP TYPE dbo.user_"),
        "parameter": ("CREATE PROCEDURE dbo.user_ @a xml(DOCUMENT dbo.xs) AS RETURN", NO_PROCEDURE),
        "message type": ("CREATE MESSAGE TYPE user_ VALIDATION = VALID_XML WITH SCHEMA COLLECTION dbo.xs", "DROP MESSAGE TYPE user_"),
        "variable": (BOUND + "BEGIN DECLARE @a xml(dbo.xs) = N'<a>1</a>'; RETURN 1 END", NO_FUNCTION),
    },
    "table": {
        "view": (VIEW + "SELECT i, j FROM dbo.b", NO_VIEW),
        "view's condition": (VIEW + "SELECT x FROM dbo.plain WHERE EXISTS (SELECT 1 FROM dbo.b WHERE b.i = plain.x AND b.j = 'x')", NO_VIEW),
        "function": (BOUND + "BEGIN RETURN (SELECT COUNT(j) + MAX(i) FROM dbo.b) END", NO_FUNCTION),
        "inline function": ("CREATE FUNCTION dbo.user_(@a int) RETURNS TABLE WITH SCHEMABINDING AS RETURN SELECT j FROM dbo.b WHERE i = @a", NO_FUNCTION),
    },
    "view": {
        "view": (VIEW + "SELECT x FROM dbo.w", NO_VIEW),
        "function": (BOUND + "BEGIN RETURN (SELECT MAX(x) FROM dbo.w) END", NO_FUNCTION),
    },
    "inline function": {
        "view": (VIEW + "SELECT x FROM dbo.g(1)", NO_VIEW),
        "applied": (VIEW + "SELECT g.x FROM dbo.plain AS p CROSS APPLY dbo.g(p.x) AS g", NO_VIEW),
    },
    "unique index": {
        "FOREIGN KEY": ("CREATE TABLE dbo.user_ (i int REFERENCES dbo.p (i))", NO_TABLE),
        "its own table's": ("ALTER TABLE dbo.p ADD j int CONSTRAINT c REFERENCES dbo.p (i)", "ALTER TABLE dbo.p DROP CONSTRAINT c"),
    },
}  # fmt: skip
STATEMENTS = {
    "function": {
        "DROP FUNCTION dbo.f": [3729],
        f"ALTER FUNCTION dbo.f(@a int) {BODY}": [3729],
        f"CREATE OR ALTER FUNCTION dbo.f(@a int) {BODY}": [3729],
        "EXEC sp_rename 'dbo.f', 'other'": [15336],
        "ALTER SCHEMA other TRANSFER dbo.f": [15348],
    },
    "sequence": {
        "DROP SEQUENCE dbo.s": [3729], "EXEC sp_rename 'dbo.s', 'other'": [15336], "ALTER SCHEMA other TRANSFER dbo.s": [15348],
    },
    "type": {"DROP TYPE dbo.y": [3732]},
    "table type": {"DROP TYPE dbo.tt": [3732]},
    "collection": {"DROP XML SCHEMA COLLECTION dbo.xs": [6328]},
    "table": {
        "DROP TABLE dbo.b": [3729],
        "ALTER TABLE dbo.b DROP COLUMN j": [5074, 4922],
        "ALTER TABLE dbo.b ALTER COLUMN j varchar(20)": [5074, 4922],
        "ALTER TABLE dbo.b ALTER COLUMN j varchar(10) NOT NULL": [5074, 4922],
        "ALTER TABLE dbo.b ALTER COLUMN i bigint NOT NULL": [5074, 4922],
        "EXEC sp_rename 'dbo.b', 'other'": [15336],
        "EXEC sp_rename 'dbo.b.j', 'other', 'COLUMN'": [15336],
        "ALTER SCHEMA other TRANSFER dbo.b": [15348],
    },
    "view": {
        "DROP VIEW dbo.w": [3729],
        "ALTER VIEW dbo.w AS SELECT x FROM dbo.plain": [3729],
        "CREATE OR ALTER VIEW dbo.w AS SELECT x FROM dbo.plain": [3729],
        "EXEC sp_rename 'dbo.w', 'other'": [15336],
        "ALTER SCHEMA other TRANSFER dbo.w": [15348],
    },
    "inline function": {
        "DROP FUNCTION dbo.g": [3729],
        "ALTER FUNCTION dbo.g(@a int) RETURNS TABLE AS RETURN SELECT 1 AS x": [3729],
        "EXEC sp_rename 'dbo.g', 'other'": [15336],
        "ALTER SCHEMA other TRANSFER dbo.g": [15348],
    },
    "unique index": {"DROP INDEX u ON dbo.p": [3723], "DROP TABLE dbo.p": [3726]},
}  # fmt: skip
FREE = ("ALTER TABLE dbo.b DROP COLUMN k", "ALTER TABLE dbo.b ADD l int", "EXEC sp_rename 'dbo.b.k', 'l', 'COLUMN'")
"""What goes on for a table that something is bound to: columns that nobody has named."""
PAIRS = [(kind, user) for kind, users in USERS.items() for user in users]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    session = instance.connect()
    for text in ("CREATE DATABASE D", "USE D", "CREATE TABLE dbo.plain (x int)", "CREATE SCHEMA other"):
        assert told(session, text) == []
    yield session
    instance.close()


def undone(session: Session, text: str) -> list[object]:
    """What a statement says, which is undone."""
    told(session, "BEGIN TRAN")
    found = [item for item in told(session, text) if isinstance(item, int)]
    told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
    return found


@pytest.mark.parametrize(("kind", "user"), PAIRS, ids=[f"{kind} of {user}" for kind, user in PAIRS])
def test_it_stays_while_it_is_used(session: Session, kind: str, user: str) -> None:
    made, gone = USERS[kind][user]
    told(session, "BEGIN TRAN")
    wrong = []
    try:
        for text in (OBJECTS[kind], made):
            assert told(session, text) == [], text
        for text, wanted in STATEMENTS[kind].items():
            if kind == "unique index" and user == "its own table's" and text.startswith("DROP TABLE"):
                continue  # a key of its own goes with the table
            told(session, "SAVE TRAN before")
            found = [item for item in told(session, text) if isinstance(item, int)]
            wrong += [f"{text}: {found}, not {wanted}"] if found != wanted else []
            told(session, "ROLLBACK TRAN before")
        for text in (*(FREE if kind == "table" else ()), gone, *STATEMENTS[kind]):
            told(session, "SAVE TRAN before")
            found = [item for item in told(session, text) if isinstance(item, int)]
            wrong += [f"{text}: {found}, nothing is bound to it"] if found else []
            if text != gone:
                told(session, "ROLLBACK TRAN before")
    finally:
        told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
    assert not wrong, "\n".join(wrong)


def test_a_module_is_bound_to_what_is_bound(session: Session) -> None:
    """4513 for views and functions that are not, 2788 for synonyms: in them, and in expressions of tables."""
    for text in (
        "CREATE FUNCTION dbo.loose(@a int) RETURNS int AS BEGIN RETURN @a END",
        "CREATE FUNCTION dbo.rows_(@a int) RETURNS TABLE AS RETURN SELECT @a AS x",
        "CREATE VIEW dbo.seen AS SELECT x FROM dbo.plain",
        "CREATE SYNONYM dbo.sf FOR dbo.loose; CREATE SYNONYM dbo.sp FOR dbo.plain",
    ):
        assert told(session, text) == [], text
    for text, number in {
        VIEW + "SELECT dbo.loose(x) AS x FROM dbo.plain": 4513,
        VIEW + "SELECT x FROM dbo.seen": 4513,
        VIEW + "SELECT x FROM dbo.rows_(1)": 4513,
        BOUND + "BEGIN RETURN dbo.loose(1) END": 4513,
        BOUND + "BEGIN RETURN (SELECT MAX(x) FROM dbo.seen) END": 4513,
        VIEW + "SELECT x FROM dbo.sp": 2788,
        VIEW + "SELECT dbo.sf(x) AS x FROM dbo.plain": 2788,
        BOUND + "BEGIN RETURN dbo.sf(1) END": 2788,
        "CREATE TABLE dbo.user_ (i int CHECK (dbo.sf(i) > 0))": 2788,
        "CREATE TABLE dbo.user_ (i int DEFAULT dbo.sf(1))": 2788,
        "CREATE TABLE dbo.user_ (i int, j AS dbo.sf(i))": 2788,
        "ALTER TABLE dbo.plain ADD CHECK (dbo.sf(x) > 0)": 2788,
    }.items():
        assert undone(session, text) == [number], text
    recursive = "CREATE FUNCTION dbo.user_(@a int) RETURNS int WITH SCHEMABINDING AS BEGIN IF @a < 1 RETURN 0; RETURN dbo.user_(@a - 1) END"
    assert undone(session, recursive) == []
    assert undone(session, f"{recursive.replace('CREATE', 'CREATE OR ALTER')}") == []
