"""Queries of large tables have several threads of DuckDB: they give what they give with one, fail as they do, and
leave no second thread to what needs one."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from told import told

from sbql.catalog.parallelism import Parallelism
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet
from sbql.engine.session import Session

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from bench_functions import CALLS, COLUMNS

ROWS = 300_000
"""DuckDB shares them out in three parts."""
ONE_THREAD = " OPTION (MAXDOP 1)"

MADE = {
    "i": "value", "k": "value", "m": "value * 1.25 / 7", "f": "value / 7e0", "d": "DATEADD(minute, value, '2000-01-01')",
    "e": "DATEADD(minute, 2 * value, '2001-01-01')", "g": "CAST(DATEADD(minute, value, '2000-01-01') AS date)", "s": "CONCAT('item ', value)",
    "t": "CAST(value AS varchar(10))", "u": "CONVERT(varchar(10), DATEADD(minute, value, '2000-01-01'), 23)", "n": "CONCAT(N'Item ', value)",
    "j": """CONCAT(N'{"id":', value, N',"name":"item ', value, N'","price":', value % 100, N'.50,"tags":["a","b"],"at":{"x":', value, N'}}')""",
    "v": "IIF(value % 2 = 0, '$.name', '$.id')",
}  # fmt: skip
ODD = "UPDATE t SET n = N'𝄞ǅ' + n, s = 'ÿ€ß ' + s, j = STUFF(j, 2, 0, N'\"ü\":\"\\u0041𝄞\",') WHERE i % 704 = 5"
"""Rows that DuckDB's forms leave to functions of Python."""

FAILING = {
    "SELECT SUM(i * i) FROM t": 8115,
    "SELECT MAX(1 / (i - 250000)) FROM t": 8134,
    "SELECT COUNT(*) FROM t WHERE CAST(s AS int) = 3": 245,
    "SELECT MAX(CAST(t + IIF(i = 299999, 'x', '') AS decimal(9,2))) FROM t": 8114,
    "SELECT COUNT(CAST(u + IIF(i = 290000, 'x', '') AS date)) FROM t": 241,
    "SELECT MAX(SUBSTRING(s, 1, 299990 - i)) FROM t": 537,
    "SELECT MAX(DATEADD(day, i * 30, d)) FROM t": 517,
    "SELECT SUM(CAST(i AS smallint)) FROM t": 220,
}
FOUND_IN_ORDER = (
    "SELECT STRING_AGG(CAST(t AS varchar(max)), ',') FROM t",
    "SELECT t AS [text()] FROM t FOR XML PATH('')",
    "SELECT i, s FROM t FOR JSON PATH",
    "SELECT i AS a, s AS b FROM t FOR XML RAW",
    "SELECT JSON_ARRAYAGG(i) FROM t",
)
SHAPES = (
    "SELECT i % 7 AS a, COUNT(*), SUM(m), MIN(n), MAX(s) FROM t GROUP BY i % 7 ORDER BY a",
    "SELECT COUNT(DISTINCT n), COUNT(DISTINCT s), COUNT(DISTINCT UPPER(n)) FROM t",
    "SELECT TOP (50) i, n FROM t ORDER BY n DESC, i",
    "SELECT COUNT(*), SUM(CAST(a.i AS bigint)) FROM t AS a JOIN t AS b ON b.n = a.n AND b.i % 3 = 0",
    "SELECT COUNT(*) FROM t AS a WHERE NOT EXISTS (SELECT * FROM t AS b WHERE b.k = a.k + 1 AND b.s LIKE '%7')",
    "SELECT SUM(CAST(r AS bigint) * (i % 11)) FROM (SELECT i, RANK() OVER (PARTITION BY i % 5 ORDER BY n) AS r FROM t) AS q",
    "SELECT TOP (20) i, SUM(k) OVER (ORDER BY i ROWS 3 PRECEDING) FROM t ORDER BY i DESC",
    "SELECT COUNT(*) FROM (SELECT n FROM t EXCEPT SELECT s FROM t) AS q",
    "SELECT COUNT(*) FROM (SELECT s FROM t UNION SELECT t FROM t) AS q",
    "SELECT GROUPING(i % 2), i % 2, i % 3, COUNT(*) FROM t GROUP BY CUBE(i % 2, i % 3) ORDER BY 1, 2, 3",
    "WITH a AS (SELECT i, k FROM t WHERE i <= 3 UNION ALL SELECT t.i, t.k FROM t JOIN a ON t.i = a.i + 100000) SELECT i FROM a ORDER BY i",
    "SELECT TOP (9) i FROM t",
    "SELECT p.value, COUNT(*) FROM t CROSS APPLY STRING_SPLIT(n, N' ') AS p WHERE i % 500 < 6 GROUP BY p.value HAVING COUNT(*) > 1 ORDER BY p.value",
    "SELECT COUNT(*), MAX(o.name), SUM(o.x) FROM t CROSS APPLY OPENJSON(j) WITH (name nvarchar(30), x int '$.at.x') AS o WHERE i % 40 < 6",
    "SELECT o.[key], COUNT(*), MAX(o.value) FROM t CROSS APPLY OPENJSON(j) AS o WHERE i % 90 < 6 GROUP BY o.[key] ORDER BY o.[key]",
    "SELECT i FROM t WHERE i % 1000 = 7",
)  # fmt: skip


WRITES = (
    "INSERT #few SELECT i % 5, MAX(n) FROM t GROUP BY i % 5",
    "UPDATE t SET k = 0 WHERE i = (SELECT MAX(b.k) FROM t AS b WHERE b.s LIKE '%7')",
    "DELETE t WHERE i = (SELECT MAX(b.k) FROM t AS b WHERE b.s LIKE '%7')",
    "MERGE #few AS f USING (SELECT i % 5 AS a, MAX(n) AS n FROM t GROUP BY i % 5) AS q ON q.a = f.i WHEN NOT MATCHED THEN INSERT VALUES (q.a, q.n)",
    "SELECT i % 5 AS a, MAX(n) AS n INTO new FROM t GROUP BY i % 5",
)  # fmt: skip


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    instance = Instance.open(tmp_path_factory.mktemp("large") / "store.duckdb")
    instance.store.parallelism.long, instance.store.parallelism.there = 0.0, 4
    session = instance.connect()
    columns = ", ".join(f"{name} {ours}" for name, (ours, _, _) in COLUMNS.items())
    values = ", ".join(MADE[name] for name in COLUMNS)
    twice = "CREATE FUNCTION dbo.Twice (@a int) RETURNS int AS BEGIN RETURN @a * 2 + 1 END"
    for text in (twice, f"CREATE TABLE t ({columns}); INSERT t SELECT {values} FROM GENERATE_SERIES(1, {ROWS})", ODD):
        assert told(session, text) == []
    yield instance
    instance.close()


@pytest.fixture
def session(large: Instance) -> Iterator[Session]:
    large.store.parallelism.limit(0)
    session = large.connect()
    yield session
    session.close()


def rows(session: Session, text: str) -> Any:
    return [
        outcome.error.number if isinstance(outcome, ErrorOutcome) else outcome.rows
        for outcome in session.run(text)
        if isinstance(outcome, ErrorOutcome | ResultSet)
    ]


def threads(instance: Instance) -> int:
    with instance.store.scratch() as connection:
        ((count,),) = connection.execute("SELECT current_setting('threads')").fetchall()
    return int(count)


@pytest.mark.parametrize("expression", [ours for ours, _ in CALLS if "NEWID" not in ours])
def test_each_row_has_the_value_that_it_has_with_one_thread(session: Session, expression: str) -> None:
    text = f"SELECT i, {expression} FROM t WHERE i % 64 = 5"
    assert rows(session, text) == rows(session, text + ONE_THREAD)


@pytest.mark.parametrize("text", SHAPES)
def test_queries_give_what_they_give_with_one_thread(session: Session, text: str) -> None:
    assert rows(session, text) == rows(session, text + ONE_THREAD)
    assert threads(session.instance) == 1, "the second has run behind it"
    rows(session, text)
    assert threads(session.instance) == 4


@pytest.mark.parametrize("text", WRITES)
def test_what_writes_has_one_thread_where_it_asks_for_it(
    session: Session, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    parallelism, raised = session.instance.store.parallelism, Parallelism._raise
    wide: list[int] = []
    monkeypatch.setattr(Parallelism, "_raise", lambda self: (wide.append(1), raised(self)))
    session.run("CREATE TABLE #few (i int, n nvarchar(100))")
    for hint, is_wide in (ONE_THREAD, False), (" OPTION (MAXDOP 2)", True), ("", True), (ONE_THREAD, False):
        session.run("IF OBJECT_ID('new') IS NOT NULL DROP TABLE new")
        parallelism.limit(0)
        assert told(session, f"SET NOCOUNT ON; BEGIN TRANSACTION; {text}{hint};") == []
        assert bool(wide) == is_wide
        wide.clear()
        session.run("ROLLBACK")


WAITING = (
    "UPDATE held SET b = 2",
    "DELETE held",
    "INSERT held VALUES (3, 2)",
    "MERGE held AS h USING (SELECT 1 AS a) AS q ON q.a = h.a WHEN MATCHED THEN UPDATE SET b = 3",
)


@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK", "cancel", "lock timeout"])
@pytest.mark.parametrize("text", WAITING)
def test_what_waits_with_one_thread_leaves_the_others_theirs(session: Session, text: str, end: str) -> None:
    instance, other = session.instance, session.instance.connect()
    told(
        session,
        "DROP TABLE IF EXISTS held; CREATE TABLE held (a int PRIMARY KEY, b int); INSERT held VALUES (1, 0), (2, 0)",
    )
    told(session, "BEGIN TRANSACTION; UPDATE held SET b = 1; INSERT held VALUES (3, 0)")
    other.run("SET LOCK_TIMEOUT " + ("900" if end == "lock timeout" else "-1"))
    waiting = threading.Thread(target=lambda: other.run(f"{text}{ONE_THREAD};"))
    waiting.start()
    for _ in range(200):
        if rows(session, f"SELECT wait_type FROM sys.dm_exec_requests WHERE session_id = {other.spid}") not in (
            [[]],
            [[(None,)]],
        ):
            break
        time.sleep(0.01)
    is_alive = waiting.is_alive()
    rows(session, SHAPES[0])
    assert (is_alive, threads(instance)) == (True, 4)
    if end == "cancel":
        other.cancel()
    elif end != "lock timeout":
        session.run(end)
    waiting.join(10)
    assert not waiting.is_alive()
    session.run("ROLLBACK")
    assert rows(session, SHAPES[0]) and threads(instance) == 4, "nothing is left behind"
    other.close()


@pytest.mark.parametrize("text", FAILING)
def test_a_failing_row_is_the_same_error_in_any_thread(session: Session, text: str) -> None:
    assert [rows(session, text) for _ in range(3)] == [[FAILING[text]]] * 3


@pytest.mark.parametrize("text", FOUND_IN_ORDER)
def test_rows_that_nobody_has_ordered_are_joined_as_they_stand(session: Session, text: str) -> None:
    rows(session, SHAPES[0])  # leaves more threads
    ((((found,),),),) = [rows(session, text)]
    numbers = [found.find(f"{number}") for number in (1, 130_000, 260_000, ROWS)]
    assert numbers == sorted(numbers) and numbers[0] >= 0


def test_identities_are_given_in_the_order_that_is_asked_for(session: Session) -> None:
    session.run("CREATE TABLE numbered (a int IDENTITY, k bigint, m decimal(18,4))")
    assert told(session, "INSERT numbered SELECT k, m FROM t WHERE i % 10 < 9 ORDER BY k % 1000 DESC, k") == []
    assert rows(session, "SELECT SCOPE_IDENTITY(), IDENT_CURRENT('numbered')") == [[(270_000, 270_000)]]
    out_of_order = "SELECT COUNT(*) FROM (SELECT k, LAG(k) OVER (ORDER BY a) AS p FROM numbered) AS q WHERE p % 1000 < k % 1000 OR p % 1000 = k % 1000 AND p > k"
    assert rows(session, out_of_order) == [[(0,)]]
    assert told(session, "UPDATE numbered SET m = m + 1 WHERE k % 3 = 0; DELETE numbered WHERE k % 3 = 1") == []
    changed = "SELECT COUNT(*), SUM(n.m - t.m) FROM numbered AS n JOIN t ON t.k = n.k"
    assert rows(session, changed) == rows(session, changed + ONE_THREAD) == [[(180_000, 90_000)]]
    session.run("DROP TABLE numbered")


def test_the_warning_of_nulls_left_out_is_told_once(session: Session) -> None:
    text = "SELECT i % 1000 AS a, SUM(NULLIF(i, 299000)) FROM t GROUP BY i % 1000 HAVING COUNT(NULLIF(i, 299000)) < 0"
    for _ in range(3):
        told_now = [o.number for o in session.run(text) if isinstance(o, InfoMessage)]
        assert told_now == [8153]
    assert [o.number for o in session.run("SELECT 1") if isinstance(o, InfoMessage)] == []


def test_the_number_of_threads_is_what_sp_configure_says(session: Session) -> None:
    set_to = "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max degree of parallelism', {}; RECONFIGURE"
    rows(session, SHAPES[0])
    for most in (3, 1, 2, 3, 2):  # also to fewer while there are more
        session.run(set_to.format(most))
        rows(session, SHAPES[0])
        assert threads(session.instance) == most
    session.run(set_to.format(0))


def test_what_repeats_has_one_thread() -> None:
    instance = Instance.open(None, clock="virtual", seed=3)
    instance.store.parallelism.long = 0.0
    session = instance.connect()
    assert told(session, f"CREATE TABLE t (i int); INSERT t SELECT value FROM GENERATE_SERIES(1, {ROWS})") == []
    for text in (
        "",
        "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max degree of parallelism', 2; RECONFIGURE",
    ):
        session.run(text)
        assert rows(session, "SELECT COUNT(*) FROM t WHERE i % 3 = 0") == [[(ROWS // 3,)]]
        assert threads(instance) == 1
    instance.close()


def test_a_query_that_needs_its_thread_has_the_only_one(session: Session) -> None:
    """Rows of a cursor's query come one by one: it runs until it is closed."""
    other, seen = session.instance.connect(), []
    unit = other.store.begin()
    table = storage_of(session.instance)
    pages = unit.pages(f"SELECT i, s FROM {table}", tables=frozenset({table}), is_parallel=True)
    next(pages)
    assert threads(session.instance) == 4
    session.run(
        "CREATE OR ALTER FUNCTION dbo.Counted (@a int) RETURNS int AS BEGIN DECLARE @b int = 0; WHILE @b < 3 SET @b += 1; RETURN @a + @b END"
    )
    assert threads(session.instance) == 4, "what is small and needs no thread of its own leaves them to the other"
    assert rows(session, "SELECT SUM(dbo.Counted(i)) FROM t WHERE i <= 10") == [[(85,)]]
    assert threads(session.instance) == 1
    seen += [len(page) for page, _ in islice(pages, 1000)]
    assert sum(seen) > ROWS - 1000
    other.close()


def storage_of(instance: Instance) -> str:
    with instance.store.scratch() as connection:
        ((schema,),) = connection.execute("SELECT schema_name FROM duckdb_tables() WHERE table_name = 't'").fetchall()
    return f'"{schema}"."t"'


def test_many_sessions_of_both_kinds(large: Instance) -> None:
    """Queries with many threads beside those that need one, and errors in each."""
    large.store.parallelism.limit(0)
    wrong: list[Any] = []
    expected = {}
    texts = [
        *SHAPES[:4],
        "SELECT SUM(dbo.Counted(i)) FROM t WHERE i <= 300",
        next(iter(FAILING)),
        "SELECT NEWID(), RAND(i) FROM t WHERE i < 5",
    ]
    first = large.connect()
    first.run(
        "CREATE OR ALTER FUNCTION dbo.Counted (@a int) RETURNS int AS BEGIN DECLARE @b int = 0; WHILE @b < 3 SET @b += 1; RETURN @a + @b END"
    )
    for text in texts[:-1]:
        expected[text] = rows(first, text)

    def work(number: int) -> None:
        session = large.connect()
        for turn in range(6):
            text = texts[(number + turn) % len(texts)]
            found = rows(session, text)
            if text in expected and found != expected[text]:
                wrong.append((text, found))
        session.close()

    workers = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []
    first.close()


class Counted:
    """Stands for DuckDB: the rows of a table, and how often somebody asked."""

    def __init__(self, **rows: int) -> None:
        self.rows, self.asked = rows, 0

    def __call__(self, table: str) -> int:
        self.asked += 1
        return self.rows[table.strip('."')]


def test_the_rows_of_a_table_are_counted_again_behind_many_commits_and_large_ones(large: Instance) -> None:
    parallelism = Parallelism(large.store._new_connection())
    count = Counted(a=10)
    assert not parallelism.is_large({'."a"'}, 1, count) and not parallelism.is_large({'."a"'}, 500, count)
    assert count.asked == 1
    count.rows["a"] = 1_000_000
    assert not parallelism.is_large({'."a"'}, 900, count), "few commits"
    assert parallelism.is_large({'."a"'}, 1_002, count)
    count.rows["a"] = 0
    parallelism.note_change('."a"', 5)
    assert parallelism.is_large({'."a"'}, 1_003, count), "a small change"
    parallelism.note_change('."a"', 1_000_000)
    assert not parallelism.is_large({'."a"'}, 1_004, count)
    assert not parallelism.is_large({"sbql", "-"}, 1, count), "no tables"
    parallelism.close()
