"""@@ROWCOUNT, ROWCOUNT_BIG() and "rows affected" after each kind of statement, as the page of @@ROWCOUNT says: what
returns or changes rows sets their number, an assignment 1, EXECUTE keeps what those inside set, the others 0."""

from __future__ import annotations

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet, RowsAffected
from sbql.engine.session import Session

SETUP = """
CREATE DATABASE d;
GO
USE d;
CREATE TABLE t (n int, i int IDENTITY);
INSERT t VALUES (1), (2), (3);
CREATE TABLE audited (n int);
CREATE QUEUE q;
CREATE SERVICE s ON QUEUE q ([DEFAULT]);
GO
CREATE TRIGGER tells ON audited AFTER INSERT AS SELECT n FROM t WHERE n < 3;
GO
CREATE TRIGGER watches ON DATABASE FOR CREATE_SYNONYM AS SELECT n FROM t;
GO
CREATE PROCEDURE nothing AS RETURN;
GO
CREATE PROCEDURE two AS SELECT n FROM t WHERE n < 3;
GO
CREATE FUNCTION f (@n int) RETURNS int AS BEGIN DECLARE @m int; SELECT @m = n FROM t WHERE n <= @n; RETURN @m END;
GO
CREATE CURSOR_SETUP
"""

# statement, @@ROWCOUNT after it, what it tells as rows affected (None: nothing)
CASES = [
    ("SELECT n FROM t WHERE n < 3", 2, 2),
    ("SELECT 1", 1, 1),
    ("SELECT 1 WHERE 1 = 0", 0, 0),
    ("SELECT n FROM t WHERE n < 3 FOR XML AUTO", 1, 1),
    ("INSERT t VALUES (7), (8)", 2, 2),
    ("INSERT t (n) SELECT n FROM t WHERE n < 2", 1, 1),
    ("INSERT t (n) EXEC two", 2, 2),
    ("INSERT audited VALUES (1)", 1, 1),
    ("UPDATE t SET n = n WHERE n < 3", 2, 2),
    ("UPDATE t SET n = n WHERE n = 99", 0, 0),
    ("DELETE t WHERE n = 99", 0, 0),
    ("DELETE TOP (1) FROM t", 1, 1),
    ("MERGE t USING (VALUES (1), (50)) AS s (n) ON t.n = s.n WHEN NOT MATCHED THEN INSERT VALUES (s.n);", 1, 1),
    ("SELECT n INTO made FROM t WHERE n < 3", 2, 2),
    ("TRUNCATE TABLE t", 0, None),
    ("SET @v = 5", 1, None),
    ("SELECT @v = 5", 1, None),
    ("SELECT @v = 5 WHERE 1 = 0", 0, None),
    ("SELECT @v = n FROM t WHERE n < 3", 2, None),
    ("SELECT @v = @v + n FROM t", 3, None),
    ("SET @v = dbo.f(2)", 1, None),
    ("USE d", 0, None),
    ("SET ARITHABORT ON", 0, None),
    ("PRINT 'x'", 0, None),
    ("RAISERROR ('x', 10, 1)", 0, None),
    ("RAISERROR ('x', 10, 1) WITH SETERROR", 0, None),
    ("BEGIN TRANSACTION", 0, None),
    ("BEGIN TRANSACTION; UPDATE t SET n = n; COMMIT", 0, 3),
    ("BEGIN TRANSACTION; UPDATE t SET n = n; ROLLBACK", 0, 3),
    ("BEGIN TRANSACTION; UPDATE t SET n = n; SAVE TRANSACTION x", 0, 3),
    ("BEGIN TRANSACTION; SAVE TRANSACTION x; UPDATE t SET n = n; ROLLBACK TRANSACTION x", 0, 3),
    ("EXEC nothing", 3, None),
    ("EXEC two", 2, 2),
    ("EXEC ('SELECT 1')", 1, 1),
    ("EXEC sp_executesql N'SELECT n FROM t WHERE n < 3'", 2, 2),
    ("IF 1 = 1 SELECT @v = @@ROWCOUNT", 1, None),
    ("IF 1 = 0 SELECT 1", 0, None),
    ("WHILE 1 = 0 SELECT 1", 0, None),
    ("WHILE 1 = 1 BEGIN UPDATE t SET n = n; BREAK END", 3, 3),
    ("BEGIN SELECT 1 END", 1, 1),
    ("BEGIN TRY SELECT 1 END TRY BEGIN CATCH END CATCH", 1, 1),
    ("GOTO later; SELECT 1; later: ", 3, None),
    ("WAITFOR DELAY '0:0:1'", 0, None),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t", 0, None),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t; OPEN c", 0, None),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t; OPEN c; FETCH c INTO @v", 1, None),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t; OPEN c; FETCH c", 1, 1),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t WHERE 1 = 0; OPEN c; FETCH c INTO @v", 0, None),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t; OPEN c; FETCH c INTO @v; CLOSE c", 0, None),
    ("DECLARE c CURSOR LOCAL FOR SELECT n FROM t; OPEN c; FETCH c INTO @v; DEALLOCATE c", 0, None),
    ("DECLARE @c CURSOR; SET @c = CURSOR FOR SELECT n FROM t; OPEN @c; FETCH @c INTO @v; DEALLOCATE @c", 0, None),
    ("CREATE TABLE made (n int)", 0, None),
    ("CREATE TABLE #made (n int)", 0, None),
    ("CREATE INDEX x ON t (n)", 0, None),
    ("CREATE SYNONYM y FOR t", 0, 3),
    ("CREATE MESSAGE TYPE m", 0, None),
    ("BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF", 0, None),
    (
        "BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SELECT n FROM t; SEND ON CONVERSATION @h (N'x')",
        0,
        3,
    ),
    ("RECEIVE * FROM q", 0, 0),
    ("RECEIVE @h = conversation_handle FROM q", 0, None),
    ("WAITFOR (RECEIVE * FROM q), TIMEOUT 100", 0, 0),
    ("GET CONVERSATION GROUP @h FROM q", 0, None),
]


@pytest.fixture(scope="module")
def instance() -> Instance:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for batch in SETUP.split("CREATE CURSOR_SETUP")[0].split("GO\n"):
        run(session, batch)
    run(session, "INSERT d.dbo.audited VALUES (0)")
    return instance


def run(session: Session, text: str) -> list[Outcome]:
    outcomes = session.run(text)
    assert not [o for o in outcomes if isinstance(o, ErrorOutcome)], (text, outcomes)
    return outcomes


@pytest.mark.parametrize(("statement", "count", "told"), CASES, ids=[case[0][:60] for case in CASES])
@pytest.mark.parametrize("nocount", ["OFF", "ON"])
def test_what_a_statement_leaves(
    instance: Instance, statement: str, count: int, told: int | None, nocount: str
) -> None:
    session = instance.connect("d")
    try:
        before = "DECLARE @v int = 0, @h uniqueidentifier; BEGIN TRANSACTION; "
        if "TRANSACTION" in statement or "DELAY" in statement:
            before = before.replace("BEGIN TRANSACTION; ", "")
        text = f"SET NOCOUNT {nocount}; {before} SELECT n FROM t; {statement}"
        outcomes = run(session, f"{text}\nSELECT @@ROWCOUNT, ROWCOUNT_BIG(), @@ERROR")
    finally:
        session.close()
    last = next(o for o in reversed(outcomes) if isinstance(o, ResultSet))
    error = 50000 if "SETERROR" in statement else 0
    assert last.rows == [(count, count, error)]
    affected = [o.count for o in outcomes if isinstance(o, RowsAffected)]
    if nocount == "ON":
        assert affected == []
    else:
        assert affected[0] == 3 and affected[-1] == 1
        assert (affected[-2] if len(affected) > 2 else None) == told


def test_a_row_by_row_assignment_sees_the_statement_before(instance: Instance) -> None:
    """@@ROWCOUNT in the list is that of the statement before, for every row."""
    session = instance.connect("d")
    text = "DECLARE @s int = 0; SELECT TOP (2) n FROM t; SELECT @s = @s + @@ROWCOUNT FROM t; SELECT @s, @@ROWCOUNT"
    outcomes = run(session, text)
    session.close()
    last = next(o for o in reversed(outcomes) if isinstance(o, ResultSet))
    assert last.rows == [(6, 3)]
