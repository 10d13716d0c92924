"""Every clause and statement of docs/spec/refusals.md in every kind of module and position:
refused with its number, or taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

POSITIONS = {
    "batch": "{0}",
    "block": "IF 1 = 1 BEGIN {0} END",
    "string": "EXEC (N'{1}')",
    "transaction": "BEGIN TRAN; {0}",
    "procedure": "CREATE PROCEDURE dbo.m AS {0}",
    "temporary procedure": "CREATE PROCEDURE #m AS {0}",
    "trigger": "CREATE TRIGGER dbo.m ON dbo.t AFTER INSERT AS {0}",
    "DDL trigger": "CREATE TRIGGER m ON DATABASE FOR CREATE_TABLE AS {0}",
    "function": "CREATE FUNCTION dbo.m() RETURNS int AS BEGIN {0}; RETURN 1 END",
}
"""Where a statement is put: as it is, or as the text of a string."""
MODULES = ("procedure", "temporary procedure", "trigger", "DDL trigger", "function")
EVERYWHERE = tuple(POSITIONS)

REFUSED = [
    ("USE master", 154, MODULES),
    ("CREATE SCHEMA other", 111, tuple(m for m in MODULES if m != "function")),
    ("CREATE SCHEMA other", 156, ("block",)),
    ("CREATE SCHEMA other", 443, ("function",)),
    ("IF UPDATE(a) SET @v = 1", 140, tuple(p for p in EVERYWHERE if "trigger" not in p)),
    ("WHILE UPDATE(a) BREAK", 140, tuple(p for p in EVERYWHERE if "trigger" not in p)),
    ("SELECT @v = 1 WHERE UPDATE(a)", 140, tuple(p for p in EVERYWHERE if "trigger" not in p)),
    ("INSERT INTO @t SELECT @v = 1", 199, EVERYWHERE),
    ("DECLARE c CURSOR FOR SELECT @v = 1", 16907, EVERYWHERE),
    ("DECLARE c CURSOR FOR SELECT 1 AS a INTO other", 16907, EVERYWHERE),
    ("SET @v = (SELECT @v = 1)", 102, EVERYWHERE),
    ("IF EXISTS (SELECT @v = 1) SET @v = 1", 102, EVERYWHERE),
    ("SET @v = (SELECT 1 AS a INTO other)", 156, EVERYWHERE),
    ("IF 1 IN (SELECT a INTO other FROM t) SET @v = 1", 156, EVERYWHERE),
    ("INSERT INTO @t SELECT 1 INTO other", 156, EVERYWHERE),
    ("SET @v = (SELECT a FROM t ORDER BY a)", 1033, EVERYWHERE),
    ("IF EXISTS (SELECT a FROM t ORDER BY a) SET @v = 1", 1033, EVERYWHERE),
    ("SELECT @v = a FROM (SELECT a FROM t ORDER BY a) AS d", 1033, EVERYWHERE),
    ("IF 1 SET @v = 1", 4145, EVERYWHERE),
    ("IF EXISTS (SELECT 1) AND @v SET @v = 1", 4145, EVERYWHERE),
    ("IF NOT @v SET @v = 1", 4145, EVERYWHERE),
    ("WHILE (@v) BREAK", 4145, EVERYWHERE),
    ("SELECT @v = a FROM t WHERE a", 4145, EVERYWHERE),
    ("SELECT @v = a FROM t WHERE a ORDER BY a", 4145, EVERYWHERE),
    ("SELECT @v = t.a FROM t JOIN t AS u ON u.a", 4145, EVERYWHERE),
    ("SELECT @v = COUNT(*) FROM t GROUP BY a HAVING MAX(a)", 4145, EVERYWHERE),
    ("SET @v = CASE WHEN @w THEN 1 END", 4145, EVERYWHERE),
    ("DELETE t WHERE a;", 4145, EVERYWHERE),
    ("CREATE TABLE #w (a int, b AS ROW_NUMBER() OVER (ORDER BY a))", 4108, ("batch", "block", "string", "transaction")),
    ("CREATE TABLE #w (a int CHECK (SUM(a) OVER () > 1))", 4108, ("batch", "block", "string", "transaction")),
]
"""A statement, the error, and the positions that refuse it; what shows rows is left out of functions (444)."""
REFUSED_OUTSIDE = [
    ("SELECT @v = 1 UNION SELECT 2", 10734),
    ("SELECT 1 EXCEPT SELECT @v = 2", 10734),
    ("SELECT @v = 1 INTO other", 194),
    ("SELECT 1 AS a UNION SELECT 2 INTO other", 196),
    ("SELECT * FROM (SELECT @v = 1) AS d", 102),
    ("SELECT 1 WHERE 1 IN (SELECT @v = 1)", 102),
    ("SELECT 1 WHERE 1 = ANY (SELECT @v = 1)", 102),
    ("SELECT * FROM (SELECT 1 AS a INTO other) AS d", 156),
    ("SELECT 1 WHERE EXISTS (SELECT a FROM t ORDER BY a)", 1033),
    ("BEGIN TRY SET @v = 1 END TRY; BEGIN CATCH END CATCH", 102),
    ("PRINT (SELECT 1)", 1046),
    ("SELECT t.a FROM t JOIN t AS u ON ROW_NUMBER() OVER (ORDER BY t.a) = 1", 4108),
    ("MERGE t USING t AS u ON COUNT(*) OVER (ORDER BY t.a) = 1 WHEN MATCHED THEN DELETE;", 4108),
    ("DELETE t OUTPUT ROW_NUMBER() OVER (ORDER BY deleted.a)", 4108),
    ("DELETE t OUTPUT SUM(deleted.a) OVER ()", 4108),
    *(
        (frame.format(window), 4108)
        for window in ("ROW_NUMBER() OVER (ORDER BY a)", "SUM(a) OVER (PARTITION BY a)", "LAG(a) OVER (ORDER BY a)")
        for frame in (
            "SELECT a FROM t WHERE {0} = 1",
            "SELECT COUNT(*) FROM t GROUP BY {0}",
            "UPDATE t SET a = {0}",
            "UPDATE t SET a = 1 WHERE {0} = 1",
            "DELETE t WHERE {0} = 1",
        )
    ),
    ("PRINT CONCAT('n: ', (SELECT COUNT(*) FROM t))", 1046),
]
TAKEN = [
    ("IF UPDATE(a) SET @v = 1", ("trigger", "DDL trigger")),
    ("USE master", ("batch", "block", "string", "transaction")),
    ("SELECT @v = 1", EVERYWHERE),
    ("SET @v = (SELECT TOP (1) a FROM t ORDER BY a)", EVERYWHERE),
    ("IF EXISTS (SELECT a FROM t ORDER BY a OFFSET 1 ROWS) SET @v = 1", EVERYWHERE),
    ("DECLARE c CURSOR FOR ((SELECT 1 AS a))", EVERYWHERE),
    ("(((SELECT 1 AS a)))", tuple(p for p in EVERYWHERE if p != "function")),
]
NOT_IN_TRIGGERS = (
    "CREATE DATABASE other",
    "ALTER DATABASE CURRENT SET RECOVERY SIMPLE",
    "DROP DATABASE other",
    "RESTORE DATABASE other FROM DISK = 'none'",
    "RESTORE LOG other FROM DISK = 'none'",
    "RECONFIGURE",
)


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual")
    session = opened.connect()
    session.run("CREATE DATABASE places")
    session.run("USE places")
    session.run("CREATE TABLE dbo.t (a int)")
    yield opened
    opened.close()


@pytest.fixture
def session(instance: Instance) -> Iterator[Session]:
    """One that leaves nothing behind."""
    opened = instance.connect("places")
    yield opened
    opened.run("IF @@TRANCOUNT > 0 ROLLBACK")
    opened.run("USE places")
    for kind in ("PROCEDURE", "TRIGGER", "FUNCTION"):
        opened.run(f"DROP {kind} IF EXISTS dbo.m")
    opened.run("DROP TRIGGER IF EXISTS m ON DATABASE")
    opened.run("DEALLOCATE c")
    opened.close()


def errors(session: Session, statement: str, position: str) -> list[int]:
    declared = f"DECLARE @v int, @w int; DECLARE @t TABLE (a int); {statement}"
    if statement.startswith("CREATE SCHEMA"):
        declared = statement
    text = POSITIONS[position].format(declared, declared.replace("'", "''"))
    return [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]


@pytest.mark.spec("STAND-1", "STAND-2", "STAND-6", "STAND-7", "STAND-8", "STAND-9", "STAND-10", "STAND-14", "STAND-16")
@pytest.mark.parametrize(("statement", "number", "positions"), REFUSED)
def test_refused(session: Session, statement: str, number: int, positions: tuple[str, ...]) -> None:
    for position in positions:
        assert errors(session, statement, position) == [number], position


@pytest.mark.spec("STAND-4", "STAND-7", "STAND-8", "STAND-9", "STAND-10", "STAND-15", "STAND-16")
@pytest.mark.parametrize(("statement", "number"), REFUSED_OUTSIDE)
def test_refused_outside_of_functions(session: Session, statement: str, number: int) -> None:
    for position in EVERYWHERE:
        if position != "function":
            assert errors(session, statement, position) == [number], position


@pytest.mark.spec("STAND-1", "STAND-5", "STAND-6", "STAND-10")
@pytest.mark.parametrize(("statement", "positions"), TAKEN)
def test_taken(session: Session, statement: str, positions: tuple[str, ...]) -> None:
    for position in positions:
        assert errors(session, statement, position) == [], position
        session.run("IF @@TRANCOUNT > 0 ROLLBACK")
        session.run("USE places")
        session.run("DROP TRIGGER IF EXISTS dbo.m; DROP TRIGGER IF EXISTS m ON DATABASE; DROP FUNCTION IF EXISTS dbo.m")
        session.run("DROP PROCEDURE IF EXISTS dbo.m")
        session.run("DROP PROCEDURE IF EXISTS #m")
        session.run("DEALLOCATE c")


@pytest.mark.spec("STAND-3")
@pytest.mark.parametrize("statement", NOT_IN_TRIGGERS)
def test_databases_in_triggers(session: Session, statement: str) -> None:
    """The trigger is made, and fails when it runs, whatever the row is; a procedure may hold the statement."""
    assert errors(session, statement, "trigger") == []
    failed = [o.error.number for o in session.run("INSERT INTO dbo.t VALUES (1)") if isinstance(o, ErrorOutcome)]
    assert failed[:1] == [287]
    session.run("DROP TRIGGER dbo.m")
    assert errors(session, statement, "procedure") == []
