"""DDL under ROLLBACK: every statement on what is not an ordinary table x every way to lose it
(ROLLBACK-11 of docs/spec/transactions.md).

What one can see of the object is compared before and after; a change that goes
through shows that the comparison sees it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session

SETUP = """
CREATE TABLE #t (Id int IDENTITY CONSTRAINT pk PRIMARY KEY, A int NULL, B varchar(10) CONSTRAINT df DEFAULT 'x');
CREATE INDEX ix ON #t (A);
INSERT #t (A) VALUES (1), (2);
CREATE TABLE ##g (A int); INSERT ##g VALUES (7);
CREATE SEQUENCE dbo.Seq AS int START WITH 5;
CREATE SYNONYM dbo.Syn FOR dbo.Log;
CREATE TYPE dbo.List AS TABLE (A int);
"""
SEEN = (
    "SELECT * FROM #t ORDER BY A",
    "SELECT name, column_id, is_nullable, system_type_id FROM tempdb.sys.columns WHERE object_id = OBJECT_ID('tempdb..#t')",
    "SELECT name, type, is_disabled FROM tempdb.sys.indexes WHERE object_id = OBJECT_ID('tempdb..#t') ORDER BY name",
    "SELECT name, type FROM tempdb.sys.objects WHERE parent_object_id = OBJECT_ID('tempdb..#t') ORDER BY name",
    "SELECT * FROM ##g",
    "SELECT COL_LENGTH('tempdb..##g', 'More'), OBJECT_ID('tempdb..#new'), OBJECT_ID('tempdb..##new')",
    "EXEC #p",
    "SELECT OBJECT_ID('tempdb..#q'), OBJECT_ID('tempdb..##q')",
    "SELECT name, CAST(increment AS int) FROM sys.sequences ORDER BY name",
    "SELECT name, base_object_name FROM sys.synonyms ORDER BY name",
    "SELECT name FROM sys.table_types ORDER BY name",
    "SELECT name, OBJECT_DEFINITION(object_id) FROM sys.objects WHERE type IN ('P', 'FN', 'IF', 'V', 'TR') ORDER BY name",
)
CHANGES = (
    "CREATE TABLE #new (A int)",
    "SELECT 1 AS A INTO #new",
    "CREATE TABLE ##new (A int)",
    "DROP TABLE #t",
    "DROP TABLE ##g",
    "DROP TABLE #t; CREATE TABLE #t (Other int)",
    "ALTER TABLE #t ADD More int",
    "ALTER TABLE #t ADD More int NOT NULL DEFAULT 3 WITH VALUES",
    "DROP INDEX ix ON #t; ALTER TABLE #t ALTER COLUMN A bigint",
    "ALTER TABLE #t DROP CONSTRAINT df; ALTER TABLE #t DROP COLUMN B",
    "ALTER TABLE #t DROP CONSTRAINT pk",
    "ALTER TABLE #t ADD CONSTRAINT ck CHECK (A < 100)",
    "ALTER TABLE ##g ADD More int",
    "CREATE INDEX iy ON #t (B)",
    "CREATE UNIQUE INDEX iy ON #t (A)",
    "DROP INDEX ix ON #t",
    "ALTER INDEX ix ON #t DISABLE",
    "TRUNCATE TABLE #t",
    "TRUNCATE TABLE ##g",
    "EXEC('CREATE PROCEDURE ##q AS SELECT 1')",
    "EXEC('ALTER PROCEDURE #p AS SELECT 2')",
    "DROP PROCEDURE #p",
    "CREATE SEQUENCE dbo.Other",
    "ALTER SEQUENCE dbo.Seq INCREMENT BY 2",
    "DROP SEQUENCE dbo.Seq",
    "CREATE SYNONYM dbo.Other FOR dbo.Log",
    "DROP SYNONYM dbo.Syn",
    "CREATE TYPE dbo.Other AS TABLE (A int)",
    "DROP TYPE dbo.List",
    "EXEC('CREATE VIEW dbo.Other AS SELECT 1 AS A')",
    "EXEC('ALTER PROCEDURE dbo.Proc1 AS SELECT 2')",
    "DROP PROCEDURE dbo.Proc1",
)
WAYS = {
    "rollback": "BEGIN TRAN; {change}; ROLLBACK",
    "savepoint": "BEGIN TRAN; SAVE TRAN s; {change}; ROLLBACK TRAN s; COMMIT",
    "rollback in catch": "BEGIN TRY BEGIN TRAN; {change}; SELECT 1 / 0; END TRY BEGIN CATCH ROLLBACK; END CATCH",
    "doomed": """SET XACT_ABORT ON; BEGIN TRY BEGIN TRAN; {change}; SELECT 1 / 0; END TRY
        BEGIN CATCH IF XACT_STATE() <> -1 THROW 50001, 'not doomed', 1; ROLLBACK; END CATCH""",
    "xact_abort": "SET XACT_ABORT ON; BEGIN TRAN; {change}; SELECT 1 / 0",
    "in a procedure": "BEGIN TRAN; EXEC('{quoted}'); ROLLBACK",
    "in a trigger": "INSERT dbo.Fires VALUES (1)",
}


def run(session: Session, text: str, allowed: frozenset[int] = frozenset()) -> list[list[tuple[object, ...]]]:
    results = []

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome) and outcome.error.number not in allowed:
            raise outcome.error
        if isinstance(outcome, ResultSet):
            results.append(list(outcome.rows))

    session.instance.driver.run(session.execute(text, sink))
    return results


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual")
    session = opened.connect()
    for text in (
        "CREATE DATABASE Home", "USE Home", "CREATE TABLE dbo.Log (A int); CREATE TABLE dbo.Fires (A int)",
        "CREATE PROCEDURE dbo.Proc1 AS SELECT 1",
    ):  # fmt: skip
        run(session, text)
    run(session, SETUP[SETUP.index("CREATE SEQUENCE") :])
    session.close()
    yield opened
    opened.close()


@pytest.fixture
def session(instance: Instance) -> Iterator[Session]:
    opened = instance.connect("Home")
    run(opened, SETUP[: SETUP.index("CREATE SEQUENCE")])
    run(opened, "CREATE PROCEDURE #p AS SELECT 1")
    yield opened
    opened.close()


def seen(session: Session) -> list[object]:
    return [run(session, text) for text in SEEN]


@pytest.mark.matrix
@pytest.mark.spec("ROLLBACK-11")
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_rolled_back_never_was(session: Session, change: str) -> None:
    before = seen(session)
    for way, text in WAYS.items():
        if way == "in a trigger":
            if "EXEC(" in change or change.startswith("CREATE TYPE"):
                continue
            run(session, f"CREATE TRIGGER dbo.Tr ON dbo.Fires AFTER INSERT AS {change}; ROLLBACK")
            run(session, text, frozenset({3609}))
            run(session, "DROP TRIGGER dbo.Tr")
        else:
            run(session, text.format(change=change, quoted=change.replace("'", "''")), frozenset({8134}))
        run(session, "SET XACT_ABORT OFF")
        assert run(session, "SELECT @@TRANCOUNT") == [[(0,)]], way
        assert seen(session) == before, way


@pytest.mark.matrix
@pytest.mark.spec("ROLLBACK-11")
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_committed_is_there(session: Session, change: str) -> None:
    """The other half: the comparison above sees each change. It is rolled back to keep the database as it is."""
    before = seen(session)
    run(session, "BEGIN TRAN")
    run(session, change)
    if "#t" in change and change.startswith("DROP TABLE"):
        assert run(session, "SELECT COL_LENGTH('tempdb..#t', 'A')") == [[(None,)]]
    else:
        allowed = frozenset({208, 2812})
        assert [run(session, text, allowed) for text in SEEN] != before
    run(session, "ROLLBACK")
    assert seen(session) == before


@pytest.mark.spec("ROLLBACK-11")
def test_a_failed_statement_takes_only_itself_back(session: Session) -> None:
    run(session, "BEGIN TRAN; ALTER TABLE #t ADD More int")
    run(session, "CREATE UNIQUE INDEX iy ON #t (B)", frozenset({1505}))
    run(session, "COMMIT")
    assert run(session, "SELECT COL_LENGTH('tempdb..#t', 'More')") == [[(4,)]]
    assert run(
        session, "SELECT name FROM tempdb.sys.indexes WHERE object_id = OBJECT_ID('tempdb..#t') AND name = 'iy'"
    ) == [[]]


@pytest.mark.spec("ROLLBACK-11")
def test_a_table_of_a_procedure_that_ended_does_not_come_back(session: Session) -> None:
    run(session, "CREATE PROCEDURE #make AS CREATE TABLE #mine (A int); BEGIN TRAN; INSERT #mine VALUES (1)")
    run(session, "EXEC #make", frozenset({266}))
    run(session, "ROLLBACK")
    assert run(session, "SELECT OBJECT_ID('tempdb..#mine')") == [[(None,)]]
    run(session, "EXEC #make; COMMIT", frozenset({266}))
    assert run(session, "SELECT OBJECT_ID('tempdb..#mine')") == [[(None,)]]
