"""Queries over queries that need no DuckDB give what DuckDB gives: random derived tables and common table expressions
over tables, groups, joins and first rows, one in the other, read and joined, and joined with what is written.

Each statement runs on two instances with the same rows, of which one leaves every query to DuckDB.
"""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest
from direct_pair import Pair
from told import told

from sbql.engine.direct import query_rows
from sbql.engine.instance import Instance
from sbql.engine.query import running
from sbql.engine.tables import grouped_rows

SETUP = """CREATE TABLE o (id int NOT NULL PRIMARY KEY, cust varchar(10) NULL, n int NULL)
CREATE TABLE l (oid int NOT NULL, no int NOT NULL, p varchar(10) NULL, PRIMARY KEY (oid, no))
INSERT o SELECT value, NULLIF(CONCAT('c', value % 5), 'c3'), NULLIF(value % 7, 3) FROM GENERATE_SERIES(1, 20)
INSERT l SELECT id, x, NULLIF(CONCAT('p', (id + x) % 4), 'p2') FROM o CROSS JOIN (VALUES (1), (2)) v(x) WHERE id % 3 > 0
CREATE TABLE #t (k int NULL, q int NOT NULL)
INSERT #t VALUES (1, 1), (4, 2), (NULL, 1), (19, 2), (4, 1)
EXEC ('CREATE SCHEMA z')
CREATE TABLE t (k int NOT NULL PRIMARY KEY, q int)
CREATE TABLE z.t (k int NOT NULL PRIMARY KEY, q int)
INSERT t VALUES (4, 4), (5, 5)
INSERT z.t VALUES (4, 1), (6, 2)
EXEC ('CREATE VIEW v1 AS SELECT id AS k, n AS q FROM o WHERE n > 1')
EXEC ('CREATE VIEW z.v2 (k, q) AS SELECT a.k, b.no + 1 FROM t a JOIN dbo.l AS b ON b.oid = a.k')
EXEC ('CREATE VIEW v3 AS SELECT v1.q AS k, v1.k AS q FROM v1 WHERE v1.k < 12')
EXEC ('CREATE FUNCTION f1 (@k int) RETURNS TABLE AS RETURN (SELECT no AS q, oid AS k FROM l WHERE oid = @k)')
EXEC ('CREATE FUNCTION z.f2 (@n smallint, @k int) RETURNS TABLE AS RETURN (SELECT TOP (2) k, q + @n AS q FROM t WHERE q = @n OR k = @k ORDER BY k)')
EXEC ('CREATE FUNCTION f3 (@n int) RETURNS TABLE AS RETURN (SELECT v.k, v.q FROM z.v2 AS v JOIN o ON o.id = v.k WHERE v.k = @n)')
EXEC ('CREATE FUNCTION f4 (@d decimal(5, 1)) RETURNS TABLE AS RETURN (SELECT k, @d AS q FROM t WHERE k < 5)')
EXEC ('CREATE VIEW v4 AS SELECT n AS k, COUNT(*) AS q FROM o GROUP BY n')"""
VIEWS = (
    "v1",
    "z.v2",
    "v3",
    "v4",
    "dbo.v3",
    "z.t",
    "dbo.f1(@a)",
    "f1(4)",
    "z.f2(1, @a)",
    "dbo.f3(@a)",
    "f3('4')",
    "f4(@a)",
)
APPLIED = (
    "CROSS APPLY dbo.f1(x.k) y", "OUTER APPLY f1(x.q) y", "CROSS APPLY f3(x.k) AS y", "CROSS APPLY z.f2(x.q, x.k) y", "CROSS APPLY (SELECT no AS q, oid AS k FROM l WHERE oid = x.k AND no > 1) y",
    "OUTER APPLY (SELECT x.no AS q, oid AS k FROM l x WHERE x.oid = 4) y", "OUTER APPLY (SELECT l.no AS q, l.oid AS k FROM l WHERE l.oid = x.q AND x.k > 2) y", "CROSS APPLY (SELECT o.n AS q, o.id + x.k AS k FROM o WHERE o.id = x.q) AS y",
    "OUTER APPLY (SELECT TOP (1) no AS q, oid AS k FROM l WHERE l.oid = x.k ORDER BY no DESC) y", "CROSS APPLY (SELECT COUNT(*) AS q, MAX(id) AS k FROM o WHERE o.n = x.q) y", "OUTER APPLY (SELECT q + 1 AS q, k FROM v1 WHERE v1.k = x.k) y",
)  # fmt: skip
GIVEN = (
    "DECLARE @a int = {a}; DECLARE @t TABLE (k int NULL, q int NOT NULL); INSERT @t VALUES (2, 2), (4, 1), (NULL, 1)\n"
)
INNER = (
    "SELECT id AS k, n AS q FROM o", "SELECT id AS k, ISNULL(n, -1) AS q FROM o", "SELECT oid AS k, no + 1 AS q FROM l WHERE no = 1", "SELECT id AS k, n AS q FROM o WHERE n = @a", "SELECT id k, id % 3 q FROM o WHERE id < 9", "SELECT oid AS k, no AS q FROM l WHERE oid = @a", "SELECT oid k, no q FROM l z WHERE z.no = 1",
    "SELECT * FROM #t", "SELECT k, q FROM @t WHERE q = 1", "SELECT n AS k, COUNT(*) AS q FROM o WHERE id < 12 GROUP BY n", "SELECT oid AS k, SUM(no) AS q FROM l GROUP BY oid", "SELECT DISTINCT n AS k, 1 AS q FROM o",
    "SELECT TOP (3) id AS k, n AS q FROM o ORDER BY id DESC", "SELECT a.id AS k, b.no AS q FROM o a JOIN l b ON b.oid = a.id WHERE a.id < 7", "SELECT a.id k, b.q FROM o AS a, #t AS b WHERE b.k = a.id", "SELECT ISNULL(n, 0) AS k, LEN(cust) AS q FROM o",
    "SELECT COUNT(*) AS k, MAX(id) AS q FROM o WHERE n = 2", "SELECT id AS k, n AS q FROM o WHERE cust = 'c1' OR n > 4", "SELECT @a AS k, 2 AS q", "SELECT a.id AS k, b.no AS q FROM o a LEFT JOIN l b ON b.oid = a.id AND b.no = 2",
    "SELECT n AS k, id AS q FROM o WHERE EXISTS (SELECT * FROM l WHERE oid = o.id)", "SELECT k, q FROM #t UNION ALL SELECT 3, 4", "SELECT id AS k, ROW_NUMBER() OVER (ORDER BY id) AS q FROM o WHERE n = 1", "SELECT o.id AS k, o.n AS q FROM o",
)  # fmt: skip


def inner(chance: random.Random, depth: int = 0) -> str:
    if chance.random() < 0.2:
        return chance.choice(("SELECT k, q FROM v1 WHERE k = @a", "SELECT * FROM z.v2", "SELECT dbo.v3.k, v3.q FROM dbo.v3", "SELECT v3.k, v3.q FROM v3 WHERE q = 1"))  # fmt: skip
    if depth < 2 and chance.random() < 0.25:
        where = chance.choice(("", " WHERE w.q > 0", " WHERE k = @a", " WHERE w.k < 10 AND q IS NOT NULL"))
        return f"SELECT {chance.choice(('*', 'k, q', 'w.q AS k, w.k AS q', 'w.*'))} FROM ({inner(chance, depth + 1)}) w{where}"
    return chance.choice(INNER)


def statement(chance: random.Random) -> str:
    common: list[str] = []

    def source(alias: str) -> str:
        found = chance.random()
        if found < 0.2:
            return chance.choice((f"#t {alias}", f"@t {alias}"))
        if found < 0.35:
            return f"{chance.choice(VIEWS)} {alias}"
        if found < 0.6:
            renamed = chance.random() < 0.2
            return f"({inner(chance)}) AS {alias}{' (q, k)' if renamed else ''}"
        text = inner(chance)
        if common and chance.random() < 0.4:
            text = f"SELECT k, q FROM c{len(common) - 1} WHERE q < 15"
        common.append(text)
        return f"c{len(common) - 1} {alias}"

    joined = chance.random() < 0.6
    from_ = source("x")
    if joined:
        kind = chance.choice(("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"))
        if chance.random() < 0.3:
            from_ += f" {chance.choice(APPLIED)}"
        else:
            from_ += f" {kind} {source('y')} ON y.k = x.k{chance.choice(('', '', ' AND y.q > 1', ' AND x.q = 1'))}"
    where = chance.choice(("", " WHERE x.k = @a", " WHERE x.q < 3", " WHERE x.k IS NULL OR x.q = 2"))
    if joined and chance.random() < 0.3:
        where = chance.choice((" WHERE y.q IS NULL", " WHERE y.k > x.q"))
    if not joined and chance.random() < 0.5:
        where = chance.choice((" WHERE k = @a", " WHERE q = 1 AND k > 1", " WHERE k IN (1, 4)"))
    columns = "x.k, x.q, y.k, y.q" if joined else "k, q"
    items = chance.choice((columns, columns, "COUNT(*), MAX(x.q)", "x.k + 1, ISNULL(x.q, -1)", "x.*", "*"))
    if joined and items == "*":
        items = "x.q"
    with_ = f"WITH {', '.join(f'c{i} AS ({text})' for i, text in enumerate(common))} " if common else ""
    if chance.random() < 0.15:
        return f"{with_}SELECT x.q, COUNT(*) FROM {from_}{where} GROUP BY x.q"
    if chance.random() < 0.1:
        return f"{with_}SELECT TOP (4) x.q AS k, x.k AS q FROM {from_}{where} ORDER BY k, q"
    if chance.random() < 0.15:
        return f"{with_}SELECT TOP (4) {columns} FROM {from_}{where} ORDER BY {columns}"
    if chance.random() < 0.2 and not joined and "UNION" not in from_:
        return f"{with_}UPDATE o SET n = t.m FROM o JOIN (SELECT 4 AS one, COUNT(*) AS m FROM {from_}{where}) t ON t.one = o.id"
    return f"{with_}SELECT {items} FROM {from_}{where}"


@pytest.fixture
def asked(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the first instance asks DuckDB for."""
    found: list[Any] = []
    values_of = running._with_values

    def noted(query: Any, frame: Any) -> Any:
        if frame.session is pair.sessions[0]:
            found.append(query)
        return values_of(query, frame)

    monkeypatch.setattr(running, "_with_values", noted)
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(12))
def test_queries_over_queries(pair: Pair, asked: list[Any], seed: int) -> None:
    chance = random.Random(seed)
    direct = 0
    for step in range(40):
        text = GIVEN.format(a=chance.choice((1, 2, 4, 4, 30))) + statement(chance)
        change = chance.choice(("", "", "UPDATE o SET n = 4 WHERE id = 4\n", "DELETE l WHERE oid = 4\n", "INSERT #t VALUES (5, 5)\n"))  # fmt: skip
        for _ in range(3):
            asked.clear()
            one, other = pair.both(f"BEGIN TRAN\n{change}{text}\nSELECT * FROM o WHERE id = 4\nROLLBACK")
            assert one == other, (step, text)
        direct += not asked
    assert direct > 5, "some need no DuckDB"


@pytest.mark.parametrize(
    "query",
    [
        "WITH c AS (SELECT id AS k, n AS q FROM o) SELECT q FROM c WHERE k = 4",
        "SELECT x.q FROM (SELECT id AS k, n + 1 AS q FROM o) x WHERE x.k = 4",
        "WITH c AS (SELECT oid, COUNT(*) AS m FROM l WHERE oid = 4 GROUP BY oid) SELECT o.n, c.m FROM c JOIN o ON o.id = c.oid",
        "SELECT q FROM v1 WHERE k = 4",
        "SELECT q FROM z.v2 v WHERE v.k = 4",
        "SELECT v3.k FROM v3 JOIN o ON o.id = v3.q WHERE o.id = 4",
        "SELECT q FROM dbo.f1(4)",
        "SELECT o.n, y.q FROM o CROSS APPLY dbo.f1(o.id) y WHERE o.id = 4",
        "SELECT o.n, y.q FROM o OUTER APPLY (SELECT no AS q FROM l WHERE l.oid = o.id AND no > 1) y WHERE o.id = 4",
        "SELECT COUNT(*) FROM (SELECT TOP (2) id FROM o WHERE n = 1 ORDER BY id) x",
        "WITH a AS (SELECT * FROM o WHERE n = 1), b AS (SELECT a.id, l.no FROM a JOIN l ON l.oid = a.id) SELECT MAX(no) FROM b",
        "SELECT x.id, y.no FROM (SELECT id FROM o WHERE n = 1) x LEFT JOIN (SELECT oid, no FROM l WHERE no = 2) y ON y.oid = x.id",
    ],
)
def test_duckdb_is_not_asked(pair: Pair, asked: list[Any], query: str) -> None:
    for _ in range(3):
        asked.clear()
        one, other = pair.both(query)
    assert one == other != []
    assert asked == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x.k, y.q FROM #t x LEFT JOIN (SELECT id AS k, ISNULL(n, -1) AS q FROM o WHERE n > 2) y ON y.k = x.k",
        "SELECT x.k, y.q FROM (SELECT id AS k, 1 AS q FROM o WHERE n > 2) y RIGHT JOIN #t x ON y.k = x.k",
        "SELECT x.k, y.q FROM #t x OUTER APPLY (SELECT ISNULL(no, 7) AS q FROM l WHERE l.oid = x.k AND l.no = 2) y",
        "SELECT x.k, y.q FROM #t x LEFT JOIN v1 y ON y.k = x.k AND y.q > 3",
        "SELECT TOP (3) x.q AS k, x.k AS q FROM (SELECT k, q FROM #t) x ORDER BY k, q",
        "SELECT TOP (3) x.b AS k, x.a AS q FROM (SELECT k AS a, q AS b FROM #t) x ORDER BY k, q",
        "SELECT TOP (2) x.b AS a, x.a AS b FROM (SELECT k AS a, q AS b FROM #t) x ORDER BY b DESC, a",
        "SELECT q, k FROM f4(4)",
        "SELECT q FROM z.f2('4', 6)",
        "SELECT z.k FROM (SELECT q AS k, k AS q FROM (SELECT k AS q, q AS k FROM t) t) z WHERE z.q = 4",
        "SELECT c1, c2, c3, c4 FROM (SELECT * FROM #t a JOIN #t b ON a.k = b.q) x (c1, c2, c3, c4)",
        "SELECT x.q, o.n FROM (SELECT id AS n, n AS q FROM o WHERE id < 4) x CROSS JOIN (o JOIN l ON n = no AND l.oid = o.id)",
        "SELECT x.k, t.k, l.oid FROM (SELECT id AS k FROM o WHERE id < 3) x CROSS JOIN (#t t JOIN l ON k = oid)",
        "SELECT a.k, t.k, l.oid FROM #t a CROSS JOIN (#t t JOIN l ON q = oid AND t.k = oid)",
        "SELECT cust FROM (SELECT id FROM o) x JOIN (SELECT id AS i, cust FROM o WHERE id = 4) c ON c.i = x.id + 1 - 1",
        "SELECT p, n FROM (SELECT id FROM o WHERE id = 4) x JOIN l ON l.oid = x.id CROSS JOIN (SELECT oid AS n FROM l WHERE oid = 4) y",
        "SELECT TOP (2) y.q FROM (SELECT id AS k, id AS q FROM o WHERE id < 6) x JOIN (SELECT id AS k, 20 - id AS q FROM o) y ON x.k = y.k ORDER BY q",
        "SELECT t.k FROM #t t WHERE EXISTS (SELECT * FROM (SELECT oid, COUNT(*) AS c FROM l GROUP BY oid) x WHERE x.oid = t.k)",
        "SELECT * FROM (SELECT o.n, y.* FROM o JOIN (SELECT oid, no FROM l) y ON y.oid = o.id WHERE o.id = 4) w",
    ],
)
def test_names_and_missing_rows(pair: Pair, query: str) -> None:
    for _ in range(4):
        one, other = pair.both(query)
        assert one == other != []


@pytest.mark.parametrize(
    ("query", "depth"),
    [
        ("SELECT CASE WHEN cust > 'a' THEN cust ELSE cust END AS cust, id FROM ({}) x", 14),
        ("SELECT id, cust FROM ({}) x", 60),
        ("SELECT TOP (5) id, cust FROM ({}) x ORDER BY id", 60),
    ],
)
def test_deep_queries_are_translated(pair: Pair, query: str, depth: int) -> None:
    """What is in FROM is copied where its columns are named: too much of it is left as it is."""
    text = "SELECT id, cust FROM o WHERE id = 4"
    for _ in range(depth):
        text = query.format(text)
    one, other = pair.both(text)
    assert one == other != []


def test_long_chains_of_common_table_expressions_are_translated(pair: Pair) -> None:
    chain = [f"c{i} AS (SELECT TOP (5) id, n FROM c{i - 1} ORDER BY id)" for i in range(1, 150)]
    doubled = [f"c{i} AS (SELECT a.id, a.n FROM c{i - 1} a JOIN c{i - 1} b ON b.id = a.id)" for i in range(1, 12)]
    for tables in (chain, doubled):
        first = "c0 AS (SELECT id, n FROM o WHERE id = 4)"
        one, other = pair.both(f"WITH {', '.join((first, *tables))} SELECT * FROM c{len(tables)}")
        assert one == other == ["(4, 4)"]


def test_rows_of_a_query_are_of_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody deletes all groups while EXISTS looks for them one by one."""
    instance = Instance.open()
    reader, writer = instance.connect(), instance.connect()
    told(reader, "CREATE TABLE l (oid int NOT NULL, no int NOT NULL, PRIMARY KEY (oid, no)); INSERT l VALUES (1, 1), (2, 1), (4, 1)")  # fmt: skip
    query = "DECLARE @t TABLE (k int); INSERT @t VALUES (1), (2), (4); SELECT k FROM @t t WHERE EXISTS (SELECT * FROM (SELECT oid, COUNT(*) AS c FROM l GROUP BY oid) x WHERE x.oid = t.k)"
    monkeypatch.setattr(grouped_rows, "_PATIENCE", 0)
    for _ in range(3):
        assert told(reader, query) == [(1,), (2,), (4,)]
    look, turns = query_rows.QueryRows.look, []

    def emptied(self: Any, frame: Any, wanted: Any) -> Any:
        turns.append(1)
        if len(turns) == 1:
            found = look(self, frame, wanted)
            thread = threading.Thread(target=told, args=(writer, "DELETE l"))
            thread.start()
            thread.join()
            return found
        return look(self, frame, wanted)

    monkeypatch.setattr(query_rows.QueryRows, "look", emptied)
    assert told(reader, query) == []
    assert turns
    instance.close()
