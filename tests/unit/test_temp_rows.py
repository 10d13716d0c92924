"""Rows of #temp tables that are kept in memory are those that DuckDB has: nobody can tell who answered.

Random programs over one #temp table run in two instances, of which one remembers no rows (`row_cache=0`), so that
DuckDB answers everything there. Each statement has to tell the same in both.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from sbql.catalog import store_session
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet, RowsAffected
from sbql.engine.session import Session
from sbql.engine.tables import temp_rows

TABLE = "CREATE TABLE #t (id int PRIMARY KEY, n int NULL, s nvarchar(20) NULL, d decimal(9,2) NULL, b varbinary(max) NULL, at datetime2 NULL)"
OTHERS = (
    "BEGIN TRAN", "SAVE TRAN s", "ROLLBACK TRAN s", "ROLLBACK", "COMMIT",
    "TRUNCATE TABLE #t", "ALTER TABLE #t ADD extra int NULL", "ALTER TABLE #t DROP COLUMN extra", "CREATE INDEX i ON #t (n)", "DROP TABLE #t",
    "SET TRANSACTION ISOLATION LEVEL SNAPSHOT", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET ROWCOUNT 2", "SET ROWCOUNT 0",
    "EXEC Nested", "INSERT u VALUES (@k, 'x')", "DELETE u", "INSERT #t (id, n) SELECT id + 300, n FROM #t WHERE n < 3",
    "MERGE #t AS t USING (VALUES (@k, @v), (@k + 1, @v)) AS x (id, n) ON x.id = t.id WHEN MATCHED THEN UPDATE SET n = x.n WHEN NOT MATCHED THEN INSERT (id, n) VALUES (x.id, x.n);",
    "DECLARE c CURSOR FOR SELECT id FROM #t WHERE n = @v; OPEN c; FETCH c; IF @@FETCH_STATUS = 0 UPDATE #t SET n = 7 WHERE CURRENT OF c; CLOSE c; DEALLOCATE c",
    "SELECT id INTO #copy FROM #t; SELECT COUNT(*) FROM #copy WHERE id < @k; DROP TABLE #copy",
)  # fmt: skip
WRITES = (
    "INSERT #t (id, n, s, d, b, at) VALUES (@k, @v, @s, @v / 4.0, CAST(@s AS varbinary(max)), DATEADD(second, @v, '2024-05-06'))",
    "INSERT #t (id, n) VALUES (@k, @v), (@k + 1, NULL)",
    "INSERT #t (id, n) VALUES (@k, @v), (@k, @v)",
    "INSERT #t (id, n) VALUES (@k, @v); DELETE #t WHERE id = @k",
    "UPDATE #t SET n = @v WHERE id = @k",
    "UPDATE #t SET n = n + 1, s = CONCAT(s, n) WHERE n = @v",
    "UPDATE #t SET id = id + 1 WHERE id = @k",
    "UPDATE #t SET s = LEFT(CONCAT(UPPER(s), LEN(s), n), 15), n = ISNULL(n, 0) + DATALENGTH(@s) WHERE id = @k",
    "UPDATE #t SET at = DATEADD(day, DATEDIFF(day, GETDATE(), '2024-01-01'), CAST(GETDATE() AS date)) WHERE id = ABS(@k)",
    "UPDATE #t SET n = CAST(@s AS int) WHERE id = @k",
    "DELETE #t WHERE n = @v AND LEN(s) > DATALENGTH('x')",
    "UPDATE #t SET s = @s, b = NULL",
    "UPDATE #t SET n = 1 / (n - 3) WHERE d > 0",
    "DELETE #t WHERE id = @k",
    "DELETE #t WHERE n = @v OR s = @s",
    "DELETE #t OUTPUT deleted.id WHERE id BETWEEN @k AND @k + 3",
)
ALONE = (
    "SELECT * FROM #t WHERE id = @k",
    "SELECT id, s, n * 2 AS n FROM #t WHERE n = @v ORDER BY id",
    "SELECT id FROM #t WHERE s = @s ORDER BY id",
    "SELECT TOP (2) id, n FROM #t WHERE n > @v ORDER BY n DESC, id",
    "SELECT TOP (@v) id, at FROM #t ORDER BY d, id DESC",
    "SELECT MIN(id), MAX(n), COUNT(*), COUNT(id), SUM(n) FROM #t WHERE n IS NOT NULL",
    "SELECT COUNT(*) FROM #t WHERE id <> @k",
    "SELECT UPPER(s), n / 2, CONVERT(varchar(10), at, 120), CASE n WHEN 1 THEN 'one' ELSE CAST(d AS varchar(20)) END FROM #t WHERE id = @k",
    "SELECT id, ISNULL(n, -1), @@TRANCOUNT FROM #t WHERE s LIKE @s + N'%' AND YEAR(at) = YEAR('2024-01-01') ORDER BY id",
    "SELECT MAX(n + LEN(@s)), SUM(ISNULL(n, 0)) FROM #t WHERE COALESCE(n, @v) > 1 AND n IS NOT NULL",
    "IF EXISTS (SELECT * FROM #t WHERE n = @v) SELECT 'there' ELSE SELECT 'not there'",
    "WHILE @v > 0 AND EXISTS (SELECT 1 FROM #t) BEGIN SELECT TOP (1) @k = id FROM #t ORDER BY id; DELETE #t WHERE id = @k; PRINT @k; SET @v -= 1 END",
    "DECLARE @all nvarchar(max) = ''; SELECT @all = @all + s FROM #t WHERE id > @k ORDER BY id; SELECT @all",
    "SELECT (SELECT n FROM #t WHERE id = @k)",
    "UPDATE #t SET n = 5 WHERE id = @k; SELECT n, s FROM #t WHERE id = @k",
)
"""What needs no DuckDB."""
READS = (
    *ALONE,
    "SELECT n AS id, id AS n FROM #t ORDER BY id, n",
    "SELECT id, d FROM #t WHERE d > 1 AND s LIKE N'%a%' ORDER BY id",
    "SELECT TOP (@v) id, at FROM #t ORDER BY at, s, id DESC",
    "SELECT TOP (-1) id FROM #t ORDER BY id",
    "SELECT MAX(n), COUNT(s) FROM #t",
    "SELECT SUM(n * 1000000000) FROM #t",
    "SELECT CASE WHEN @k IN (SELECT id FROM #t) THEN 1 END",
    "SELECT n / (id - @k) FROM #t WHERE id >= @k ORDER BY id",
)
SETUP = "CREATE DATABASE Shop; ALTER DATABASE Shop SET ALLOW_SNAPSHOT_ISOLATION ON"
NESTED = "CREATE PROCEDURE Nested AS IF OBJECT_ID('tempdb..#t') IS NOT NULL UPDATE #t SET n = 2 WHERE id < 3; CREATE TABLE #t (id int, x int); INSERT #t VALUES (1, 1); SELECT x FROM #t WHERE id = 1"


def opened(**how: int) -> Instance:
    instance = Instance.open(**how)  # type: ignore[arg-type]
    for text in (SETUP, "USE Shop; CREATE TABLE u (id int, name varchar(20))", f"USE Shop; EXEC('{NESTED.replace(chr(39), chr(39) * 2)}')"):  # fmt: skip
        told(instance.connect("master"), text)
    return instance


@pytest.fixture(scope="module")
def instances() -> Iterator[tuple[Instance, Instance]]:
    both = opened(), opened(row_cache=0)
    yield both
    for one in both:
        one.close()


def told(session: Session, text: str) -> list[object]:
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ResultSet):
            found.append([tuple(row) for row in outcome.rows])
        elif isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.message))
        elif isinstance(outcome, InfoMessage):
            found.append(outcome.text)
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
    return found


def shown(session: Session, text: str) -> list[object]:
    return told(session, f"SET NOCOUNT ON; {text}")


def program(seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    for _ in range(30):
        kind = chance.choices((OTHERS, WRITES, READS), (1, 3, 3))[0]
        values = f"DECLARE @k int = {chance.randrange(12)}, @v int = {chance.randrange(6)}, @s nvarchar(20) = N'{chance.choice('abß')}'"
        yield f"{values}; {chance.choice(kind)}"


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(60, 80))
def test_random_programs_tell_the_same_where_few_changes_wait(
    instances: tuple[Instance, Instance], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(store_session, "_MOST_DEFERRED", 6)
    test_random_programs_tell_the_same(instances, seed)


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_tell_the_same(instances: tuple[Instance, Instance], seed: int) -> None:
    sessions = [instance.connect("Shop") for instance in instances]
    for text in (TABLE, *program(seed), "SELECT * FROM #t ORDER BY id"):
        first, second = (told(session, text) for session in sessions)
        assert first == second, text
        if not sessions[0].temp_tables:
            for session in sessions:
                told(session, TABLE)
    for session in sessions:
        told(session, "IF @@TRANCOUNT > 0 ROLLBACK; DELETE u")
        session.close()


@pytest.fixture
def session() -> Iterator[Session]:
    instance = opened()
    yield instance.connect("Shop")
    instance.close()


@pytest.fixture
def asked(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the session asks of DuckDB."""
    texts: list[str] = []
    run: Callable[..., object] = session.store.run
    monkeypatch.setattr(session.store, "run", lambda sql, *how: texts.append(sql) or run(sql, *how))
    return texts


FILL = (
    f"{TABLE}; DECLARE @i int = 0; WHILE @i < 20 BEGIN INSERT #t (id, n, s) VALUES (@i, @i % 5, 'a'); SET @i += 1 END"
)


@pytest.mark.parametrize("text", ALONE)
def test_nobody_asks_duckdb(session: Session, asked: list[str], text: str) -> None:
    """The first UPDATE or DELETE of a text looks how many rows it meets; the second knows."""
    told(session, TABLE)
    for _ in range(2):
        told(session, "DELETE #t WHERE id >= 0")
        told(
            session,
            "DECLARE @i int = 0; WHILE @i < 20 BEGIN INSERT #t (id, n, s) VALUES (@i, @i % 5, 'a'); SET @i += 1 END",
        )
        asked.clear()
        told(session, f"DECLARE @k int = 3, @v int = 2, @s nvarchar(20) = N'a'; {text}")
    assert asked == []


def test_a_loop_that_truncates_asks_nobody(session: Session, asked: list[str]) -> None:
    loop = """SET NOCOUNT ON; DECLARE @i int = 0; WHILE @i < 20 BEGIN
        INSERT #t (id, n) VALUES (1, @i), (2, @i); TRUNCATE TABLE #t; SET @i += 1 END
        SELECT COUNT(*) FROM #t; INSERT #t (id, n) VALUES (1, 5), (3, 5); SELECT id, n FROM #t ORDER BY id"""
    told(session, f"{TABLE}; {loop}; DELETE #t")
    asked.clear()
    assert told(session, loop) == [[(0,)], [(1, 5), (3, 5)]]
    assert asked == []
    assert told(session, "BEGIN TRAN; TRUNCATE TABLE #t; ROLLBACK; SELECT id FROM #t ORDER BY id") == [[(1,), (3,)]]


@pytest.mark.parametrize("count", [3, 256, 257, 400])
def test_truncate_takes_all_rows_and_begins_numbers_anew(session: Session, count: int) -> None:
    told(session, "SET NOCOUNT ON; CREATE TABLE #n (id int IDENTITY(5, 2) PRIMARY KEY, s varchar(9))")
    fill = f"INSERT #n SELECT 'x' FROM GENERATE_SERIES(1, {count}); SELECT COUNT(*), MIN(id), MAX(id) FROM #n"
    expected = [[(count, 5, 3 + 2 * count)]]
    assert told(session, fill) == expected
    assert told(session, f"TRUNCATE TABLE #n; {fill}") == expected
    undone = "BEGIN TRAN; TRUNCATE TABLE #n; INSERT #n VALUES ('y'); SELECT id FROM #n; ROLLBACK; SELECT COUNT(*), MAX(id) FROM #n; INSERT #n VALUES ('z'); SELECT MAX(id) FROM #n"
    assert told(session, undone)[:2] == [[(5,)], [(count, 3 + 2 * count)]]


def test_a_loop_that_takes_what_it_put_asks_nobody(session: Session, asked: list[str]) -> None:
    loop = """SET NOCOUNT ON; DECLARE @i int = 0, @id int; WHILE @i < 300 BEGIN
        INSERT #t (id, n) VALUES (@i % 7, @i); SELECT TOP (1) @id = id FROM #t ORDER BY n; UPDATE #t SET n += 1 WHERE id = @id; DELETE #t WHERE id = @id; SET @i += 1 END
        SELECT COUNT(*) FROM #t"""
    told(session, f"{TABLE}; {loop}")
    asked.clear()
    assert told(session, loop) == [[(0,)]]
    assert asked == []


def test_more_rows_than_fit_are_duckdbs_until_half_are_gone(session: Session, asked: list[str]) -> None:
    told(session, "CREATE TABLE #t (id int PRIMARY KEY, n int)")
    told(session, "INSERT #t SELECT value, value % 10 FROM GENERATE_SERIES(1, 11000)")
    look = "SELECT n FROM #t WHERE id = 7"
    assert shown(session, look) == shown(session, look) == [[(7,)]]
    asked.clear()
    assert shown(session, look) == [[(7,)]] and len(asked) == 1
    told(session, "DELETE #t WHERE id > 5000")
    assert shown(session, look) == shown(session, look) == [[(7,)]], "the second look reads them all"
    asked.clear()
    assert shown(session, look) == [[(7,)]] and asked == []


def test_long_values_stay_with_duckdb(session: Session, asked: list[str]) -> None:
    told(session, "CREATE TABLE #t (id int, s varchar(max))")
    for i in range(12):
        told(session, f"INSERT #t VALUES ({i}, REPLICATE(CAST('x' AS varchar(max)), 2000000))")
    look = "SELECT LEN(s) FROM #t WHERE id = 7; SELECT id FROM #t WHERE id = 3"
    assert shown(session, look) == [[(2000000,)], [(3,)]]
    (rows,) = session.store.followed.values()
    assert isinstance(rows, temp_rows.TempRows) and not rows.is_here and rows.count == 12
    told(session, "DELETE #t WHERE id > 2")
    assert shown(session, "SELECT id FROM #t WHERE id = 2") == [[(2,)]]
    asked.clear()
    assert shown(session, "SELECT id FROM #t WHERE id = 2") == [[(2,)]] and asked == []


def test_who_is_interrupted_while_reading_what_was_told_reads_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(session, FILL)
    (rows,) = session.store.followed.values()
    assert isinstance(rows, temp_rows.TempRows)
    put, left = temp_rows.TempRows.put, [10]

    def interrupted(self: temp_rows.TempRows, row_id: int, image: list[object]) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        put(self, row_id, image)

    with monkeypatch.context() as patched:
        patched.setattr(temp_rows.TempRows, "put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.run("SELECT COUNT(*) FROM #t WHERE n = 2")
    assert shown(session, "SELECT COUNT(*) FROM #t WHERE n = 2") == [[(4,)]]


@pytest.mark.parametrize("look", ["SELECT COUNT(*) FROM #t WHERE n > 3", "SELECT n FROM #t WHERE id = 7"])
def test_rows_are_not_read_all_for_one_look_between_big_writes(session: Session, asked: list[str], look: str) -> None:
    told(session, "CREATE TABLE #t (id int PRIMARY KEY, n int)")
    told(session, "INSERT #t SELECT value, value % 10 FROM GENERATE_SERIES(1, 9000)")
    for _ in range(4):
        told(session, f"UPDATE #t SET n = n + 1; {look}")
    assert asked and not any("ORDER BY" in text for text in asked)


def test_a_long_value_that_is_written_again_and_again_stays_in_memory(session: Session, asked: list[str]) -> None:
    told(session, "CREATE TABLE #t (id int, s varchar(max)); INSERT #t VALUES (1, '')")
    told(
        session,
        "DECLARE @i int = 0; WHILE @i < 30 BEGIN UPDATE #t SET s = REPLICATE(CAST('x' AS varchar(max)), 1000000) WHERE id = 1; SET @i += 1 END",
    )
    look = "SELECT s FROM #t WHERE id = 1"
    assert shown(session, look) == [[("x" * 1000000,)]]
    asked.clear()
    assert shown(session, look) == [[("x" * 1000000,)]] and asked == []


def test_what_is_remembered_of_tables_hears_nothing_of_temporary_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of their rows are among it. Who watches them hears of each commit, and of a commit of both all hear."""
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    session.run("CREATE TABLE t (id int PRIMARY KEY, n int); INSERT t VALUES (1, 1); SELECT n FROM t WHERE id = 1")
    session.run("CREATE TABLE #t (id int PRIMARY KEY, n int)")
    rows, heard = instance.store.feed.rows, []
    monkeypatch.setattr(rows, "note", lambda changes, note=rows.note: (heard.append(len(changes)), note(changes)))
    watch = instance.store.feed.watch(frozenset(('temp.main."#t"',)))
    noted: list[int] = []
    monkeypatch.setattr(type(watch), "note", lambda self, changes, told: noted.append(len(changes)))
    session.run("INSERT #t VALUES (1, 1); UPDATE #t SET n = 2; BEGIN TRAN; DELETE #t; INSERT #t VALUES (2, 2); COMMIT")
    assert heard == []
    assert noted == [1, 1, 2]
    session.run("BEGIN TRAN; UPDATE #t SET n = 3; UPDATE t SET n = 3 WHERE id = 1; COMMIT")
    assert heard == [2]
    assert noted == [1, 1, 2, 2]
    (seen, *_) = session.run("SELECT t.n, u.n FROM t JOIN #t u ON u.n = t.n")
    assert isinstance(seen, ResultSet)
    assert [tuple(row) for row in seen.rows] == [(3, 3)]
    instance.close()
