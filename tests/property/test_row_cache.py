"""Random programs of three sessions give the same outcomes with the cache of rows, with one that is always full, with
pages from the first look on, and without.

Without it every read goes to DuckDB, as if the cache and the direct reads over it were not there. Statements by key, by
text keys in other spellings, writes as sets, definitions, TRUNCATE, savepoints, rollbacks of statements and
transactions, isolation levels: each step of each session is compared, then the tables, and again after the store was
closed and opened. LOCK_TIMEOUT 0 makes of a wait an error.
"""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet, RowsAffected
from sbql.engine.session import Session
from sbql.engine.tables import grouped_rows

SEEDS = int(os.environ.get("ROW_CACHE_SEEDS", "3"))
STEPS = 70
BUDGETS = {"usual": 1 << 25, "full": 1500, "pages": 1 << 25, "few pages": 20_000, "none": 0}

SETUP = (
    "CREATE TABLE t (a int NOT NULL PRIMARY KEY, b varchar(20) COLLATE Latin1_General_CI_AI UNIQUE, c int NOT NULL CHECK (c < 1000), d AS c * 2, v rowversion)",
    "CREATE TABLE u (k nvarchar(10) NOT NULL, n tinyint NOT NULL, w date, m decimal(9,2) DEFAULT 1.5, CONSTRAINT pk_u PRIMARY KEY (k, n))",
    "CREATE TABLE i (id int IDENTITY PRIMARY KEY, g uniqueidentifier NOT NULL UNIQUE, x varchar(max))",
    "INSERT INTO t (a, b, c) SELECT value, 'Name ' + CAST(value AS varchar(9)), value FROM GENERATE_SERIES(1, 8)",
    "INSERT INTO u (k, n, w) SELECT 'K' + CAST(value AS varchar(9)), value % 3, DATEADD(day, value, '2024-01-01') FROM GENERATE_SERIES(1, 6)",
    "INSERT INTO i (g, x) SELECT CAST(value AS binary(16)), REPLICATE('x', value * 700) FROM GENERATE_SERIES(1, 8)",
    (
        "CREATE TRIGGER on_i ON i AFTER UPDATE AS DECLARE @id int = (SELECT MAX(id) FROM inserted), @x varchar(max); SELECT @x = x FROM i WHERE id = @id;"
        " SELECT LEFT(d.x, 9), LEFT(n.x, 9) FROM deleted AS d JOIN inserted AS n ON n.id = d.id ORDER BY d.id"
    ),
    "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON",
)


def statement(rng: random.Random) -> str:
    """One step of a session. Keys are few, so that the sessions meet."""
    a, other, n = rng.randrange(1, 11), rng.randrange(1, 11), rng.randrange(-3, 500)
    name = rng.choice(["name {}", "NAME {}", "näme {}", "Name {}  "]).format(a)
    guid = f"CAST(CAST({a} AS binary(16)) AS uniqueidentifier)"
    key = f"k = N'{rng.choice('kK')}{a}' AND n = {rng.choice([a % 3, f'CAST({a % 3} AS bigint)', 300])}"
    return rng.choice([
        f"DECLARE @a {rng.choice(['int', 'bigint', 'tinyint'])} = {a}, @c int = -1, @n int; SELECT @c = c + 1, @n = d FROM t WHERE a = @a; SELECT @c, @n, @@ROWCOUNT",
        f"SELECT * FROM t WHERE a = {a}",
        f"SELECT b, c, d FROM dbo.t AS x WHERE x.a = {a} AND (c > {n} OR b IS NOT NULL)",
        f"SELECT a, c FROM t WHERE b = '{name}'",
        f"SELECT COUNT(*) FROM t WHERE a = {a}",
        f"SELECT b, c FROM t WITH (NOLOCK) WHERE a = {a}; SELECT c FROM t (READUNCOMMITTED) WHERE a = {other}; UPDATE t WITH (ROWLOCK) SET c = c + 1 WHERE a = {a}",
        f"SELECT ISNULL(b, 'none'), CASE WHEN c > {n} THEN UPPER(b) ELSE CONVERT(varchar(9), c) END, c / 7, DATALENGTH(b) FROM t WHERE a = ABS(-{a})",
        f"SELECT a, @@SPID * 0, DB_NAME() FROM t WHERE a = {a} AND b LIKE '%[{a % 10}]%' AND c BETWEEN ABS({n}) AND 900",
        f"SELECT m * 2, m / 3, YEAR(w), DATEADD(month, n, w), CAST(m AS int), DATEDIFF(day, GETDATE(), w) * 0 FROM u WHERE {key} AND ISNULL(m, 0) < {n}",
        f"SELECT {n} / (c - {n}), LEN(b) FROM t WHERE a = {a}",
        f"UPDATE t SET c = ISNULL(c, 0) % 900 + LEN('{name}'), b = LEFT(CONCAT(b, NULL, {n}), 20) WHERE a = CAST('{a}' AS int)",
        f"DELETE FROM t WHERE a = {a} AND LEN(b) = LEN('{name}')",
        f"UPDATE u SET m = ROUND(m * 1.5, 1), w = CAST(DATEADD(day, {n}, '2024-02-03') AS date) WHERE {key} AND YEAR(w) > LEN('{name}')",
        f"IF EXISTS (SELECT * FROM t WHERE a = {a} AND c < {n}) PRINT 'there' ELSE PRINT 'not there'",
        f"SELECT m, w FROM u WHERE {key}",
        f"SELECT id, LEN(x) FROM i WHERE g = {guid}; SELECT x FROM i WHERE id = {a}",
        f"DECLARE @g uniqueidentifier = {guid}; SELECT id, x FROM i WHERE g = @g",
        f"UPDATE t SET c = c + {n} WHERE a = {a}",
        f"UPDATE t SET c = c + {n} OUTPUT deleted.c, inserted.c, deleted.b WHERE a = {a}",
        (f"IF @@TRANCOUNT = 0 BEGIN TRANSACTION; DECLARE @id int; INSERT INTO i (g, x) VALUES (NEWID(), 'a'); SET @id = SCOPE_IDENTITY(); SELECT x FROM i WHERE id = @id;"
         f" UPDATE i SET x = x + 'b' WHERE id = @id; UPDATE i SET x = x + 'c' WHERE id IN (@id, {a}); DELETE FROM i WHERE id = @id"),
        f"UPDATE t SET c = {n}, b = NULLIF('{name}', 'name 3') WHERE a = {a}; SELECT c, b, v FROM t WHERE a = {a}",
        f"UPDATE t SET a = {other} WHERE a = {a}",
        f"UPDATE t SET b = '{name}' WHERE b = 'NAME {other}'",
        f"UPDATE t SET c = c / (c - {n}) WHERE a = {a}",
        f"UPDATE u SET m = m + 1, w = NULL WHERE {key}",
        f"UPDATE i SET x = LEFT(x + 'y', {abs(n)}) WHERE id = {a}",
        f"UPDATE t SET c = c + 1 WHERE c > {n}",
        f"DELETE FROM t WHERE a = {a}",
        f"DELETE FROM u WHERE {key}; SELECT @@ROWCOUNT",
        f"INSERT INTO t (a, b, c) VALUES ({a}, '{name}', {n}); SELECT b, c FROM t WHERE a = {a}",
        f"INSERT INTO u (k, n) VALUES (N'k{a}', {a % 3})",
        f"INSERT INTO i (g) VALUES ({guid}); SELECT SCOPE_IDENTITY()",
        f"MERGE t USING (SELECT {a} AS a) s ON s.a = t.a WHEN MATCHED THEN UPDATE SET c = {n} WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, 1);",
        f"BEGIN TRY UPDATE t SET c = 7 WHERE a = {a}; UPDATE t SET c = 2000 WHERE a = {other} END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE() END CATCH",
        (f"DECLARE @t TABLE (a int PRIMARY KEY, b varchar(20)); INSERT @t SELECT a, b FROM t WHERE a <= {a}; UPDATE @t SET b = 'x' WHERE a = {other};"
        f" SELECT COUNT(*) FROM @t; DELETE @t WHERE a = {a}; SELECT a, b FROM @t WHERE b <> 'x'; SELECT b FROM @t WHERE a = {other} AND b = '{name}'"),
        f"DECLARE @i int = {a}; WHILE @i < {a + 6} BEGIN UPDATE t SET c = c + 1 WHERE a = @i; SET @i += 1 END; SELECT a, c FROM t ORDER BY a",
        f"SELECT n, m, w FROM u WHERE k = N'k{a}' AND ISNULL(m, 0) < {n} ORDER BY n; SELECT COUNT(*) FROM u WHERE n = {a % 3}; UPDATE u SET w = NULL WHERE n = {other % 3}",
        f"SELECT TOP (2) a, c, d FROM t WHERE c = {n % 4} ORDER BY a; SELECT TOP (1) a, b FROM t ORDER BY c DESC, a DESC; UPDATE t SET c = {n % 4} WHERE a = {other}",
        f"WITH q AS (SELECT TOP (1) * FROM t WITH (UPDLOCK, READPAST) WHERE c = {n % 4} ORDER BY a) UPDATE q SET c = {other % 4}, b = NULL OUTPUT inserted.a, deleted.c",
        f"WITH q AS (SELECT TOP (1) a, c FROM t WHERE c >= {n % 4} ORDER BY a DESC) DELETE q OUTPUT deleted.a; DELETE u WHERE n = {a % 3} AND w IS NULL",
        f"SELECT t.a, u.m, i.id FROM t JOIN u ON u.n = t.c JOIN i ON i.id = t.a WHERE t.c = {a % 3} ORDER BY t.a, u.w, i.id",
        "BEGIN TRANSACTION", "BEGIN TRANSACTION", "COMMIT", "COMMIT", "ROLLBACK", "SAVE TRANSACTION s", "ROLLBACK TRANSACTION s",
        f"SET TRANSACTION ISOLATION LEVEL {rng.choice(['READ COMMITTED'] * 3 + ['SNAPSHOT', 'SERIALIZABLE', 'REPEATABLE READ', 'READ UNCOMMITTED'])}",
        f"SET XACT_ABORT {rng.choice(['ON', 'OFF'])}",
        rng.choice(["TRUNCATE TABLE u", "ALTER TABLE t ADD e int NULL", "ALTER TABLE t DROP COLUMN e", "ALTER TABLE u ALTER COLUMN w datetime2(3)",
                    "DROP TABLE u", SETUP[1], "EXEC sp_rename 'u.m', 'money', 'COLUMN'", "UPDATE STATISTICS t"]),
    ])  # fmt: skip


def told(session: Session, text: str) -> list[object]:
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.message, outcome.error.line))
        elif isinstance(outcome, ResultSet):
            found.append(([(c.name, c.type) for c in outcome.columns], list(outcome.rows)))
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
        elif isinstance(outcome, InfoMessage):
            found.append((outcome.number, outcome.text))
    return found


def run(path: Path, budget: int, seed: int, *, with_pages: bool = False) -> tuple[list[object], int, int]:
    """What every step told, and the most that the cache held, and its pages."""
    rng, trace, most, most_pages = random.Random(seed), [], 0, 0
    instance = Instance.open(str(path), clock="virtual", row_cache=budget)
    rows = instance.store.feed.rows
    try:
        if with_pages:
            rows.pages.patience = rows.patience_for_places = rows.fewest_for_places = 0
        if seed % 2:
            instance.locks.sets_from = 2
        sessions = [instance.connect() for _ in range(3)]
        for text in SETUP:
            assert not [found for found in told(sessions[0], text) if isinstance(found, tuple)], text
        for session in sessions:
            told(session, "SET LOCK_TIMEOUT 0")
        for _ in range(STEPS):
            session, text = rng.choice(sessions), statement(rng)
            trace.append((text, told(session, text)))
            most, most_pages = max(most, rows.size), max(most_pages, rows.pages.size)
        for session in sessions:
            told(session, "IF @@TRANCOUNT > 0 ROLLBACK; SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
        for table in "tui":
            for key in range(1, 11):
                trace.append(told(sessions[0], f"SELECT * FROM t WHERE a = {key}"))
            trace.append((table, told(sessions[1], f"SELECT * FROM {table} ORDER BY 1, 2")))
    finally:
        instance.close()
    with_all = Instance.open(str(path), clock="virtual", row_cache=budget)
    try:
        session = with_all.connect()
        trace += [told(session, f"SELECT a, b, c, d FROM t WHERE a = {key}") for key in range(1, 11)]
    finally:
        with_all.close()
    return trace, most, most_pages


@pytest.mark.parametrize("seed", range(SEEDS))
def test_outcomes_do_not_depend_on_what_is_remembered(tmp_path, seed, monkeypatch):
    monkeypatch.setattr(grouped_rows, "_PATIENCE", 0)
    traces = {name: run(tmp_path / name, budget, seed, with_pages="pages" in name) for name, budget in BUDGETS.items()}
    wanted, *nothing = traces["none"]
    assert nothing == [0, 0]
    for name in BUDGETS.keys() - {"none"}:
        found, most, most_pages = traces[name]
        assert most > 0, "nothing was remembered, so nothing is tested"
        assert most_pages > 0 or "pages" not in name, "no page was read, so nothing of them is tested"
        for own, other in zip(found, wanted, strict=True):
            assert own == other, name


def test_rows_that_are_read_and_written_in_turn_are_remembered(monkeypatch):
    """A commit moves the stamp of its table, and what was read before and not kept yet would be old."""
    instance = Instance.open(None)
    try:
        session = instance.connect()
        told(session, "CREATE TABLE t (a int NOT NULL PRIMARY KEY, b int)")
        told(session, "INSERT INTO t SELECT value, 0 FROM GENERATE_SERIES(1, 20)")
        loop = "DECLARE @k int = 1, @b int; WHILE @k <= 20 BEGIN SELECT @b = b FROM t WHERE a = @k; UPDATE t SET b = @b + 1 WHERE a = @k; SET @k += 1 END"
        told(session, loop)
        asked, run = [], session.store.run
        monkeypatch.setattr(session.store, "run", lambda sql, *how: asked.append(sql) or run(sql, *how))
        told(session, loop)
        assert asked == []
        assert told(session, "SELECT MIN(b), MAX(b) FROM t")[0][1] == [(2, 2)]
    finally:
        instance.close()


def test_the_budget_is_kept(tmp_path):
    with_little = Instance.open(None, row_cache=20_000)
    try:
        session = with_little.connect()
        told(session, "CREATE TABLE t (a int NOT NULL PRIMARY KEY, b varchar(200))")
        told(session, "INSERT INTO t SELECT value, REPLICATE('x', 200) FROM GENERATE_SERIES(1, 300)")
        most = 0
        for key in range(1, 301):
            assert len(told(session, f"DECLARE @k int = {key}; SELECT b FROM t WHERE a = @k")) == 2
            most = max(most, with_little.store.feed.rows.size)
        assert 10_000 < most <= 20_000
    finally:
        with_little.close()


def test_a_row_comes_by_keys_of_all_columns_in_all_places() -> None:
    """Its columns that are known from the key need not be read, wherever they stand: the first read and
    the second give what was put in."""
    values = {"a": "1", "b": "'x'", "c": "5000000000", "d": "7"}
    instance = Instance.open()
    session = instance.connect()
    keys = ("a", "c", "a, c", "c, a", "d, c, a", "b", "a, b")
    for number, (columns, key) in enumerate(
        itertools.product(itertools.permutations(["a int", "b varchar(5)", "c bigint", "d tinyint"]), keys)
    ):
        names = [column[0] for column in columns]
        where = " AND ".join(f"{name} = {values[name]}" for name in key.split(", "))
        session.run(
            f"CREATE TABLE t{number} ({', '.join(f'{column} NOT NULL' for column in columns)}, PRIMARY KEY ({key}))"
        )
        session.run(f"INSERT t{number} VALUES ({', '.join(values[name] for name in names)})")
        for wanted in ("a, b, c, d", "*", "b", "c, b"):
            asked = names if wanted == "*" else wanted.split(", ")
            expected = tuple("x" if name == "b" else int(values[name]) for name in asked)
            for _ in range(2):
                found = session.run(f"SELECT {wanted} FROM t{number} WHERE {where}")
                assert [tuple(row) for row in found[0].rows] == [expected], (columns, key, wanted)
    instance.close()
