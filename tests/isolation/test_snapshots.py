"""What a transaction sees when a process has just begun, and DuckDB learns its functions while the transaction is open.

Every case has an instance of its own: none of its functions is known before. Expected is what the same statements give
where nobody else has been (SNAPSHOT), or where all of it was committed before (READ COMMITTED).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sbql.catalog.store_session import StoreSession
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

SETUP = (
    "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON",
    """CREATE TABLE t (id int PRIMARY KEY, a nvarchar(20), b varchar(20) COLLATE Latin1_General_CS_AS, d datetime, UNIQUE (a));
       INSERT t VALUES (1, N'Äx', 'p', '20240101'), (2, 'b', 'Q', '20240102'), (3, N'ç', 'r', NULL);
       CREATE TABLE own (id int, a nvarchar(20));
       CREATE TABLE dropped (id int)""",
    """CREATE FUNCTION dbo.f (@n int) RETURNS int WITH EXECUTE AS CALLER AS
       BEGIN DECLARE @r int = 0; SELECT @r = COUNT(*) FROM t WHERE id <= @n; RETURN @r END""",
    "CREATE FUNCTION dbo.rows_of_t () RETURNS TABLE AS RETURN SELECT id, a FROM t",
    "CREATE PROCEDURE p AS SELECT COUNT(*), MAX(a) FROM t",
    "CREATE VIEW v AS SELECT id, a FROM t",
    "CREATE FUNCTION dbo.said (@n int) RETURNS int AS BEGIN IF @n > 2 RETURN -1 RETURN (SELECT COUNT(*) FROM t WHERE id <= @n) END",
)
FIRST = "SELECT id FROM t WHERE id = 1 AND 1 = (SELECT COUNT(*) FROM t x WHERE x.id = 1)"
OWN = "INSERT own VALUES (77, N'é')"

READS = {
    "all rows": "SELECT id, a, b FROM t ORDER BY id",
    "a key": "SELECT a FROM t WHERE id = 2; SELECT a FROM t WHERE id = 9",
    "a key of text": "SELECT id FROM t WHERE a = N'new'; SELECT id FROM t WHERE a = N'äX'",
    "COUNT": "SELECT COUNT(*) FROM t",
    "MAX of text": "SELECT MAX(a), MIN(b) FROM t",
    "ORDER BY text": "SELECT id FROM t ORDER BY a DESC, b",
    "text compared": "SELECT id FROM t WHERE a < N'zß' ORDER BY id",
    "LIKE": "SELECT id FROM t WHERE b LIKE '[p-q]%' OR a LIKE a + N'%' ORDER BY id",
    "a function that reads": "SELECT id, dbo.f(id) FROM t ORDER BY id",
    "a function said in the query": "SELECT id, dbo.said(id) FROM t ORDER BY id",
    "a function over own rows": f"{OWN}; SELECT id, dbo.f(id) FROM own ORDER BY id",
    "an inline function": "SELECT * FROM dbo.rows_of_t() ORDER BY id",
    "a view": "SELECT * FROM v ORDER BY id",
    "a procedure": "EXEC p",
    "TRANSLATE": "SELECT TRANSLATE(a, N'Äb', N'ou') FROM t ORDER BY id",
    "XML": "SELECT CAST('<r n=\"' + CAST(id AS varchar(9)) + '\"/>' AS xml).value('(/r/@n)[1]', 'int') FROM t ORDER BY id",
    "sql_variant": "SELECT CAST(a AS sql_variant) FROM t ORDER BY id",
    "PARSENAME": "SELECT PARSENAME(a, 1), TRY_PARSE(b AS int) FROM t ORDER BY id",
    "FORMAT": "DECLARE @f nvarchar(9) = N'yyyy'; SELECT FORMAT(d, @f) FROM t ORDER BY id",
    "JSON": "SELECT JSON_VALUE('{\"a\":' + CAST(id AS nvarchar(9)) + '}', '$.a') FROM t ORDER BY id",
    "SELECT INTO": "SELECT id, a INTO #x FROM t WHERE a >= N'Ä'; SELECT * FROM #x ORDER BY id; DROP TABLE #x",
    "INSERT SELECT": "INSERT own SELECT id, UPPER(a) FROM t; SELECT * FROM own ORDER BY id",
    "UPDATE": f"{OWN}; UPDATE own SET a = (SELECT MAX(a) FROM t); SELECT * FROM own",
    "a join": "SELECT x.id, y.id FROM t x JOIN t y ON x.a = y.a ORDER BY x.id",
    "a cursor": """DECLARE c CURSOR LOCAL FOR SELECT a FROM t ORDER BY a; DECLARE @a nvarchar(20); OPEN c; FETCH c INTO @a;
                   WHILE @@FETCH_STATUS = 0 BEGIN PRINT @a; FETCH c INTO @a END""",
    "CHECKSUM": "SELECT CHECKSUM(a, b, id), GREATEST(a, N'm') FROM t ORDER BY id",
    "STRING_AGG": "SELECT STRING_AGG(a, ',') WITHIN GROUP (ORDER BY a) FROM t",
    "conditions": "IF EXISTS (SELECT 1 FROM t WHERE a = N'new') PRINT 'there'; IF (SELECT COUNT(*) FROM t) > 3 PRINT 'more'",
}
WRITES = {
    "INSERT": "INSERT t VALUES (9, N'new', 'z', NULL)",
    "INSERT SELECT": """INSERT t SELECT value + 100, CAST(value AS nvarchar(9)) + N'é', CONVERT(varchar(20), value * 1.5), NULL
                        FROM GENERATE_SERIES(1, 20) ORDER BY CAST(value AS nvarchar(9))""",
    "UPDATE": "UPDATE t SET a = TRANSLATE(a, N'Äbç', N'xyz') + N'ß', b = UPPER(b)",
    "DELETE": "DELETE t WHERE a >= N'b'",
    "MERGE": """MERGE t USING (SELECT value FROM GENERATE_SERIES(1, 6)) s ON t.id = s.value
                WHEN MATCHED THEN UPDATE SET a = N'm' + CAST(s.value AS nvarchar(9))
                WHEN NOT MATCHED THEN INSERT VALUES (s.value, N'i' + CAST(s.value AS nvarchar(9)), 'q', NULL);""",
    "TRUNCATE": "TRUNCATE TABLE t",
    "definitions of others": "INSERT t VALUES (9, N'new', 'z', NULL); DROP TABLE dropped; CREATE TABLE other (a int)",
    "a database": "CREATE DATABASE x; INSERT t VALUES (9, N'new', 'z', NULL); DROP DATABASE x",
    "a transaction": "BEGIN TRAN; DELETE t; INSERT t VALUES (1, 'only', 'o', NULL); COMMIT",
}
CASES = [(read, write) for place, read in enumerate(READS) for write in [*WRITES, *WRITES][place % len(WRITES) :][:3]]

DEFINITIONS = {
    "a column more": "ALTER TABLE t ADD x int NOT NULL DEFAULT 7",
    "a column of another type": "ALTER TABLE t ALTER COLUMN b varchar(40) COLLATE Latin1_General_CS_AS",
    "a column less": "ALTER TABLE t DROP COLUMN d",
    "a table of the same name": "DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, a nvarchar(20), b varchar(20), d datetime)",
    "a column renamed": "EXEC sp_rename 't.d', 'dd', 'COLUMN'",
    "an index": "CREATE INDEX i ON t (a)",
}


@contextmanager
def instance() -> Iterator[Instance]:
    found = Instance.open(clock="virtual")
    try:
        session = found.connect()
        for text in SETUP:
            assert not errors(results(session, text))
        yield found
    finally:
        found.close()


def results(session: Session, text: str) -> list[Any]:
    """Rows, what was printed, and the numbers of errors."""
    found = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)
        elif hasattr(outcome, "rows") or hasattr(outcome, "text"):
            found.append(getattr(outcome, "rows", None) or getattr(outcome, "text", []))
    return found


def errors(found: list[Any]) -> list[int]:
    return [one for one in found if isinstance(one, int)]


def alone(*texts: str) -> list[Any]:
    """What the last of these gives, twice, where there is no other session."""
    with instance() as found:
        session = found.connect()
        for text in texts[:-1]:
            assert not errors(results(session, text))
        read = [results(session, texts[-1]) for _ in range(2)]
        assert not errors(read[0])
        return read


@pytest.mark.matrix
@pytest.mark.parametrize(("read", "write"), CASES)
def test_a_snapshot_holds(read: str, write: str) -> None:
    expected = alone(READS[read])
    with instance() as found:
        other, session = found.connect(), found.connect()
        assert results(session, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; {FIRST}") == [[(1,)]]
        assert not errors(results(other, WRITES[write]))
        assert [results(session, READS[read]) for _ in range(2)] == expected
        assert results(session, "SELECT COUNT(*), SUM(id) FROM t; COMMIT") == [[(3, 6)]]
        assert not errors(results(session, "SELECT COUNT(*) FROM t; " + READS[read]))


@pytest.mark.matrix
@pytest.mark.parametrize("read", READS)
def test_what_was_committed_is_read_inside_of_a_transaction_that_has_written(read: str) -> None:
    expected = alone(OWN, WRITES["UPDATE"], READS[read])
    with instance() as found:
        other, session = found.connect(), found.connect()
        assert not errors(results(session, f"BEGIN TRAN; {OWN}; SELECT COUNT(*) FROM own; SELECT COUNT(*) FROM t"))
        assert not errors(results(other, WRITES["UPDATE"]))
        assert [results(session, READS[read]) for _ in range(2)] == expected
        assert not errors(results(session, "COMMIT; " + READS[read]))


def test_the_cases_meet_functions_that_are_not_known() -> None:
    """Both of the session that writes and of the one that reads: of those above, otherwise, none could fail."""
    with instance() as found:
        other, session = found.connect(), found.connect()
        functions = found.store.functions
        results(session, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; {FIRST}")
        counts = [functions.count]
        for text, by in ((WRITES["UPDATE"], other), (READS["MAX of text"], session), (READS["XML"], session)):
            results(by, text)
            counts.append(functions.count)
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(
    "read", ["all rows", "a key", "COUNT", "a function that reads", "a view", "a procedure", "INSERT SELECT"]
)
@pytest.mark.parametrize("definition", DEFINITIONS)
def test_a_table_that_is_another_now_is_not_read_under_a_snapshot(definition: str, read: str) -> None:
    with instance() as found:
        other, session = found.connect(), found.connect()
        results(session, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; {FIRST}; SELECT COUNT(*) FROM own")
        assert not errors(results(other, f"{DEFINITIONS[definition]}; INSERT own VALUES (1, 'a')"))
        assert errors(results(session, READS[read])) == [3961]
        assert results(session, "SELECT COUNT(*) FROM own") == [[(0,)]], "the snapshot is as before"
        assert not errors(results(session, f"ROLLBACK; BEGIN TRAN; {READS[read]}; COMMIT"))


def test_a_table_that_was_not_there_yet() -> None:
    with instance() as found:
        other, session = found.connect(), found.connect()
        results(session, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; {FIRST}")
        assert not errors(results(other, "CREATE TABLE later (a int)"))
        assert errors(results(session, "SELECT * FROM later")) == [3961]


@pytest.mark.parametrize(
    "text",
    ["ALTER TABLE t ADD x int", "CREATE INDEX i ON t (a)", "DROP INDEX j ON t", "ALTER INDEX j ON t REBUILD"],
)
def test_what_changes_a_table_is_not_for_snapshot_transactions(text: str) -> None:
    with instance() as found:
        session = found.connect()
        results(session, "CREATE INDEX j ON t (b); SET TRANSACTION ISOLATION LEVEL SNAPSHOT")
        assert errors(results(session, f"BEGIN TRAN; {text}")) == [3964]
        assert not errors(results(session, "SELECT COUNT(*) FROM t; COMMIT"))
        assert not errors(results(session, text))


def test_a_function_that_comes_after_the_snapshot() -> None:
    """It would read what has been committed since."""
    with instance() as found:
        other, session = found.connect(), found.connect()
        results(other, "DROP FUNCTION dbo.f, dbo.said")
        results(session, f"SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; {FIRST}")
        assert not errors(results(other, f"{WRITES['INSERT']}; EXEC ('{SETUP[2]}')"))
        assert errors(results(session, READS["a function that reads"])) == [3961]


@pytest.mark.parametrize("step", range(1, 5))
def test_a_snapshot_that_is_interrupted_at_its_beginning(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one of two connections; whichever had begun begins again with the next statement."""
    read = READS["a function that reads"]
    with instance() as found:
        other, session = found.connect(), found.connect()
        results(session, f"SELECT dbo.f(2); SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; {FIRST}; COMMIT")
        count = 0
        begin = StoreSession._open

        def interrupted(self: StoreSession) -> None:
            nonlocal count
            count += 1
            if count == step:
                raise KeyboardInterrupt
            begin(self)
            count += 1
            if count == step:
                raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(StoreSession, "_open", interrupted)
            with pytest.raises(KeyboardInterrupt):
                results(session, f"BEGIN TRAN; {FIRST}")
        results(session, "IF @@TRANCOUNT > 0 ROLLBACK")
        assert not errors(results(other, WRITES["DELETE"]))
        assert results(session, f"BEGIN TRAN; {FIRST}; {read}") == [[(1,)], [(1, 1)]]
        assert not errors(results(other, WRITES["INSERT"]))
        assert results(session, f"{read}; COMMIT; {read}") == [[(1, 1)], [(1, 1), (9, 2)]]
