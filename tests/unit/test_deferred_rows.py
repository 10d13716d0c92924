"""Rows that were committed into #temp tables reach DuckDB when it is asked for something: whoever
looks, however it looks, finds them.

Each script fills a #temp table a row at a time and then uses it in one way. It is run as it is, where the rows wait,
and with a query behind each INSERT, so that none waits: both give the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.store_session import StoreSession
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

FILL = "CREATE TABLE #t (n int, s varchar(20)); DECLARE @i int = 0; WHILE @i < 7 BEGIN INSERT #t VALUES (@i, CONCAT('row ', @i));{look} SET @i += 1 END"
LOOK = " IF NOT EXISTS (SELECT * FROM #t WHERE n = @i) PRINT 'missing';"
USES = {
    "SELECT": "SELECT n, s FROM #t ORDER BY n",
    "SELECT by value": "SELECT s FROM #t WHERE n = 3",
    "COUNT": "SELECT COUNT(*), MIN(n), MAX(s) FROM #t",
    "variables": "DECLARE @c int; SELECT @c = SUM(n) FROM #t; SELECT @c",
    "join": "SELECT u.id, t.s FROM u JOIN #t AS t ON t.n = u.id ORDER BY u.id",
    "EXISTS": "IF EXISTS (SELECT 1 FROM #t WHERE n = 6) SELECT 'there'",
    "UPDATE": "UPDATE #t SET s = 'x' WHERE n > 4; SELECT @@ROWCOUNT; SELECT n, s FROM #t ORDER BY n",
    "UPDATE of one": "UPDATE #t SET s = 'x' WHERE n = 4; SELECT n, s FROM #t ORDER BY n",
    "UPDATE FROM": "UPDATE t SET s = 'u' FROM #t t JOIN u ON u.id = t.n; SELECT n, s FROM #t ORDER BY n",
    "DELETE": "DELETE FROM #t WHERE n % 2 = 0; SELECT @@ROWCOUNT; SELECT n FROM #t ORDER BY n",
    "DELETE of one": "DELETE FROM #t WHERE n = 2; SELECT n FROM #t ORDER BY n",
    "DELETE of all": "DELETE FROM #t; SELECT COUNT(*) FROM #t",
    "TRUNCATE": "TRUNCATE TABLE #t; INSERT #t VALUES (9, 'x'); SELECT n FROM #t",
    "MERGE": "MERGE #t AS t USING u ON u.id = t.n WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (u.id, 'new'); SELECT n, s FROM #t ORDER BY n",
    "OUTPUT": "INSERT #t OUTPUT inserted.n VALUES (7, 'x'); SELECT COUNT(*) FROM #t",
    "INSERT SELECT from it": "INSERT u SELECT n + 100, s FROM #t; SELECT id FROM u ORDER BY id; DELETE u WHERE id > 99",
    "INSERT SELECT into it": "INSERT #t SELECT id, name FROM u; SELECT n FROM #t ORDER BY n",
    "SELECT INTO": "SELECT n INTO #copy FROM #t WHERE n < 3; SELECT n FROM #copy ORDER BY n; DROP TABLE #copy",
    "cursor": "DECLARE c CURSOR FOR SELECT n FROM #t ORDER BY n; DECLARE @n int, @all varchar(50) = ''; OPEN c; FETCH c INTO @n; "
    "WHILE @@FETCH_STATUS = 0 BEGIN SET @all += CONCAT(@n, ','); FETCH c INTO @n END; CLOSE c; DEALLOCATE c; SELECT @all",
    "procedure": "EXEC ReadIt",
    "sp_executesql": "EXEC sp_executesql N'SELECT n FROM #t WHERE n > @low ORDER BY n', N'@low int', 4",
    "FOR XML": "SELECT n FROM #t ORDER BY n FOR XML RAW",
    "ALTER": "ALTER TABLE #t ADD extra int NULL; SELECT n, extra FROM #t ORDER BY n",
    "index": "CREATE UNIQUE INDEX i ON #t (n); INSERT #t VALUES (3, 'again')",
    "refused index": "INSERT #t VALUES (1, 'again'); CREATE UNIQUE INDEX i ON #t (n)",
    "DROP": "DROP TABLE #t; CREATE TABLE #t (other int); INSERT #t VALUES (5); SELECT other FROM #t",
    "transaction": "BEGIN TRAN; INSERT #t VALUES (7, 'in'); SELECT COUNT(*) FROM #t; ROLLBACK; SELECT COUNT(*) FROM #t",
    "transaction without a look": "BEGIN TRAN; INSERT #t VALUES (7, 'in'); ROLLBACK; SELECT COUNT(*) FROM #t; BEGIN TRAN; INSERT #t VALUES (8, 'in'); COMMIT; SELECT MAX(n) FROM #t",
    "savepoint": "BEGIN TRAN; INSERT #t VALUES (7, 'a'); SAVE TRAN s; INSERT #t VALUES (8, 'b'); ROLLBACK TRAN s; COMMIT; SELECT n FROM #t ORDER BY n",
    "with a table": "BEGIN TRAN; INSERT #t VALUES (7, 'a'); INSERT u VALUES (50, 'x'); COMMIT; SELECT COUNT(*) FROM #t; DELETE u WHERE id = 50",
    "a row of a table": "INSERT u VALUES (51, 'x'); SELECT COUNT(*) FROM #t; DELETE u WHERE id = 51",
    "SNAPSHOT": "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM #t; COMMIT; SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "a failed statement": "BEGIN TRY INSERT #t VALUES (1 / 0, 'x') END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH; SELECT COUNT(*) FROM #t",
    "broker": "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE sv TO SERVICE 'sv' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('m'); "
    "SELECT COUNT(*) FROM #t; RECEIVE CAST(message_body AS varchar(5)) FROM q",
    "many": "SET @i = 0; WHILE @i < 3000 BEGIN INSERT #t VALUES (@i, 'many'); SET @i += 1 END; SELECT COUNT(*), COUNT(DISTINCT n) FROM #t",
}  # fmt: skip


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open()
    session = opened.connect()
    for text in (
        "CREATE DATABASE Shop; ALTER DATABASE Shop SET ALLOW_SNAPSHOT_ISOLATION ON",
        (
            "USE Shop; CREATE TABLE u (id int PRIMARY KEY, name varchar(20)); INSERT u VALUES (1, 'one'), (3, 'three'), (30, 'thirty'); "
            "CREATE QUEUE q; CREATE SERVICE sv ON QUEUE q ([DEFAULT])"
        ),
        "CREATE PROCEDURE ReadIt AS SELECT n FROM #t ORDER BY n DESC",
    ):
        assert not errors(session, text)
    yield opened
    opened.close()


def errors(session: Session, text: str) -> list[int]:
    return [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]


def told(session: Session, text: str) -> list[object]:
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ResultSet):
            found.append([tuple(row) for row in outcome.rows])
        elif isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.message))
    return found


@pytest.mark.parametrize("use", USES)
def test_rows_that_wait_are_there(instance: Instance, use: str) -> None:
    results = []
    for look in ("", LOOK):
        session = instance.connect("Shop")
        results.append(told(session, f"SET NOCOUNT ON; {FILL.format(look=look)}; {USES[use]}"))
        assert instance.connect("Shop").run("SELECT COUNT(*) FROM u")[0].rows[0][0] == 3
        session.close()
    assert results[0] == results[1]
    assert results[0], "it shows something"


def test_they_wait(instance: Instance) -> None:
    """Nothing is asked of DuckDB while rows only come."""
    session = instance.connect("Shop")
    told(session, "CREATE TABLE #t (n int, s varchar(20)); INSERT #t VALUES (1, 'a')")
    told(session, "DECLARE @i int = 0; WHILE @i < 20 BEGIN INSERT #t VALUES (@i, 'b'); SET @i += 1 END")
    store = session.store
    assert store.has_deferred
    assert told(session, "SELECT COUNT(*), STDEV(n * 0) FROM #t") == [[(21, 0.0)]] and not store.has_deferred
    session.close()


def test_rows_that_are_changed_again_and_again_wait(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more changes than may wait, what has become of each row is kept, and DuckDB gets it once."""
    flushed = []
    flush = StoreSession.flush
    monkeypatch.setattr(StoreSession, "flush", lambda self: (flushed.append(len(self._deferred)), flush(self)))
    session = instance.connect("Shop")
    told(
        session,
        "CREATE TABLE #t (n int, s varchar(20), PRIMARY KEY (n)); INSERT #t VALUES (1, 'a'), (2, 'b'), (3, NULL)",
    )
    told(
        session,
        "DECLARE @i int = 0; WHILE @i < 3000 BEGIN UPDATE #t SET s = CONCAT('row ', @i) WHERE n = 1 + @i % 3; SET @i += 1 END",
    )
    told(
        session,
        "DECLARE @i int = 0; WHILE @i < 1500 BEGIN INSERT #t VALUES (9, 'x'); DELETE #t WHERE n = 9; SET @i += 1 END",
    )
    told(session, "DELETE #t WHERE n = 2; UPDATE #t SET n = 4 WHERE n = 3")
    assert not flushed
    assert told(session, "SELECT n, s, LEN(s) FROM #t ORDER BY s DESC") == [[(4, "row 2999", 8), (1, "row 2997", 8)]]
    assert len(flushed) == 1 and flushed[0] < 1100
    session.close()


def test_a_session_that_is_reset_has_none(instance: Instance) -> None:
    session = instance.connect("Shop")
    told(session, "CREATE TABLE #t (n int, s varchar(20)); INSERT #t VALUES (1, 'a')")
    assert session.store.has_deferred
    session.close()
    again = instance.connect("Shop")
    assert told(again, "SELECT COUNT(*) FROM #t")[0][0] == 208  # type: ignore[index]
    again.close()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("is_behind", [False, True])
def test_rows_that_ctrl_c_meets_are_there_once(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, rows: int, is_behind: bool
) -> None:
    """Before they reach DuckDB and behind their commit."""
    session = instance.connect("Shop")
    told(session, "CREATE TABLE #t (n int, s varchar(20)); INSERT #t VALUES (0, 'a')")
    told(session, f"DECLARE @i int = 1; WHILE @i < {rows} BEGIN INSERT #t VALUES (@i, 'b'); SET @i += 1 END")
    assert session.store.has_deferred
    work = UnitOfWork._commit_temporary

    def interrupted(self: UnitOfWork) -> None:
        if is_behind:
            work(self)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(UnitOfWork, "_commit_temporary", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.store.flush()
    assert told(session, "SELECT COUNT(*), COUNT(DISTINCT n) FROM #t") == [[(rows, rows)]]
    session.close()


def test_large_rows_do_not_wait_in_memory(instance: Instance) -> None:
    """A thousand of a megabyte each would be as many in memory, where DuckDB has the disk."""
    session = instance.connect("Shop")
    told(session, "CREATE TABLE #t (n int, s varchar(max))")
    text = "DECLARE @i int = 0; WHILE @i < 12 BEGIN INSERT #t VALUES (@i, REPLICATE(CAST('x' AS varchar(max)), 1000000)); SET @i += 1 END"
    told(session, text)
    assert session.store._deferred_rows < 5
    assert told(session, "SELECT COUNT(*), SUM(LEN(s)) FROM #t") == [[(12, 12_000_000)]]
    session.close()
