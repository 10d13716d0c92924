"""Groups and orders by the texts of tables that a join finds by their primary key: what they are with the same tables
as derived ones, of which nobody knows a key. Texts differ by case, accents, blanks at their end and NULL; some rows
find none, and some are written in the same transaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.engine.session import Session

SETUP = """
    CREATE TABLE c (id int NOT NULL PRIMARY KEY, city nvarchar(20), name varchar(20) COLLATE Latin1_General_CS_AS, up int);
    CREATE TABLE p (a int NOT NULL, b int NOT NULL, t nvarchar(10) NOT NULL, PRIMARY KEY (a, b));
    CREATE TABLE o (id int NOT NULL PRIMARY KEY, cid int, b int, qty int NOT NULL);
    INSERT c VALUES (1, N'Berlin', 'a', NULL), (2, N'BERLIN ', 'A', 1), (3, N'Zürich', 'b', 1), (4, N'zürich', 'B ', 2),
        (5, NULL, NULL, 2), (6, N'Straße', 'c', 3), (7, N'STRASSE', 'c', 9), (8, N'Łódź', 'd', 6), (9, N'', '', 9);
    INSERT p VALUES (1, 1, N'x'), (1, 2, N'X'), (2, 1, N'y'), (3, 1, N'Y '), (5, 2, N'é'), (8, 1, N'e');
    INSERT o SELECT value, value % 12, value % 3, value * 7 % 10 FROM GENERATE_SERIES(1, 60);
"""
KINDS = ("INNER", "LEFT", "RIGHT", "FULL")
ONS = ("c.id = o.cid", "o.cid = c.id AND c.id > 2", "c.id = o.cid + 1", "c.city = N'berlin' AND c.id = o.cid")
SHAPES = (
    "SELECT COUNT(*), SUM(qty), MIN(c.id) FROM {j} GROUP BY c.city",
    "SELECT UPPER(MAX(RTRIM(c.city))), COUNT(*) FROM {j} GROUP BY c.city HAVING COUNT(*) > 2 ORDER BY 1",
    "SELECT COUNT(*), GROUPING(c.city) FROM {j} GROUP BY ROLLUP (c.city, c.name)",
    "SELECT COUNT(*), GROUPING_ID(c.city, c.name) FROM {j} GROUP BY GROUPING SETS ((c.city), (c.name), ())",
    "SELECT COUNT(*), c.name FROM {j} GROUP BY c.name, o.b ORDER BY c.name, o.b, 1",
    "SELECT COUNT(*) FROM (SELECT DISTINCT c.city, o.b FROM {j}) AS d",
    "SELECT COUNT(*) FROM (SELECT DISTINCT TOP (7) c.city FROM {j} ORDER BY c.city DESC) AS d",
    "SELECT o.id, c.id FROM {j} ORDER BY c.city, c.name DESC, o.id, c.id",
    "SELECT TOP (9) o.id FROM {j} ORDER BY c.city DESC, o.id DESC, c.id",
    "SELECT TOP (4) WITH TIES LEN(c.city) FROM {j} ORDER BY c.city",
    "SELECT o.id FROM {j} ORDER BY c.city, o.id, c.id OFFSET 5 ROWS FETCH NEXT 6 ROWS ONLY",
    "SELECT o.id, ROW_NUMBER() OVER (PARTITION BY c.city ORDER BY o.id, c.id) FROM {j} ORDER BY o.id, c.id",
    "SELECT COUNT(*) FROM {j} WHERE c.city = N'BERLIN' GROUP BY c.city",
    "SELECT (SELECT COUNT(*) FROM o AS i WHERE i.cid = MAX(c.id)) FROM {j} GROUP BY c.city ORDER BY MAX(c.id)",
    "WITH q AS (SELECT c.city AS x, COUNT(*) AS n FROM {j} GROUP BY c.city) SELECT SUM(n), COUNT(x) FROM q",
    "SELECT o.id AS i FROM {j} ORDER BY c.city, o.id, c.id FOR JSON PATH",
    "SELECT COUNT(*) FROM {j} GROUP BY c.city COLLATE Latin1_General_BIN2",
    "SELECT COUNT(*) FROM {j} GROUP BY c.city UNION ALL SELECT COUNT(*) FROM {j} GROUP BY c.name",
)
JOINS = (
    "o JOIN c ON c.id = o.cid LEFT JOIN c AS u ON u.id = c.up GROUP BY c.city, u.city ORDER BY 1, 2, 3",
    "o LEFT JOIN p ON p.a = o.cid AND p.b = o.b JOIN c ON c.id = o.cid GROUP BY p.t, c.city ORDER BY 1, 2, 3",
    "o LEFT JOIN p ON p.a = o.cid JOIN c ON c.id = o.cid GROUP BY p.t, c.city ORDER BY 1, 2, 3",
    "c JOIN c AS u ON u.id = c.id JOIN o ON o.id = u.id GROUP BY c.city, u.city ORDER BY 1, 2, 3",
    "(o JOIN c ON c.id = o.cid) LEFT JOIN (p JOIN c AS u ON u.id = p.a) ON p.a = o.cid GROUP BY c.city, u.city ORDER BY 1, 2, 3",
    "o CROSS APPLY (SELECT * FROM p WHERE p.b = o.b) AS p JOIN c ON c.id = p.a GROUP BY c.city, p.t ORDER BY 1, 2, 3",
    "o JOIN c ON c.id = o.cid CROSS APPLY (SELECT o.id % 2 AS x) AS z GROUP BY c.city, z.x ORDER BY 1, 2, 3",
    "o JOIN c ON c.id = o.cid OUTER APPLY STRING_SPLIT(c.name, 'a') AS z GROUP BY c.city ORDER BY 1, 2, 3",
    "(VALUES (1, 0), (2, 3), (6, 1), (7, 1)) AS v (k, qty) JOIN c ON c.id = v.k CROSS APPLY (VALUES (1), (2)) AS z (x) GROUP BY c.city ORDER BY 1, 2, 3",
    "o JOIN c ON c.id = o.cid CROSS APPLY (SELECT TOP (1) u.city FROM c AS w JOIN c AS u ON u.id = w.id CROSS APPLY (SELECT o.id AS i) AS y WHERE w.id = c.id ORDER BY u.city) AS z GROUP BY z.city ORDER BY 1, 2, 3",
    "o WITH (NOLOCK) JOIN c WITH (READPAST) ON c.id = o.cid GROUP BY c.city ORDER BY 1, 2, 3",
)


@pytest.fixture(scope="module")
def shop() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    assert told(session, SETUP) == []
    yield session
    instance.close()


def _rows(session: Session, sql: str) -> list[Any]:
    outcome, *_ = session.run(sql)
    assert isinstance(outcome, ResultSet), outcome
    return list(outcome.rows)


def _derived(sql: str) -> str:
    """With derived tables in the place of c and p."""
    for name in ("c", "p"):
        derived = f"(SELECT * FROM {name}) AS"
        for before in ("JOIN", "(", "FROM", "JOIN ("):
            for after in ("ON", "JOIN", "WITH (READPAST) ON"):
                sql = sql.replace(
                    f"{before} {name} {after}", f"{before} {derived} {name} {after.replace('WITH (READPAST) ', '')}"
                )
            sql = sql.replace(f"{before} {name} AS", f"{before} {derived}")
            sql = sql.replace(f"{before}{name} JOIN", f"{before}{derived} {name} JOIN")
    return sql


@pytest.mark.matrix
@pytest.mark.parametrize("shape", SHAPES)
def test_groups_and_orders_are_those_of_derived_tables(shop: Session, shape: str) -> None:
    for kind in KINDS:
        for on in ONS:
            sql = shape.format(j=f"o {kind} JOIN c ON {on}")
            other = _derived(sql)
            assert other != sql
            found, wanted = _rows(shop, sql), _rows(shop, other)
            is_ordered = "ORDER BY" in shape and "DISTINCT" not in shape
            assert found == wanted if is_ordered else sorted(found, key=repr) == sorted(wanted, key=repr), sql


@pytest.mark.parametrize("join", JOINS)
def test_joins_of_several_tables(shop: Session, join: str) -> None:
    sql = f"SELECT COUNT(*), SUM(qty), MIN(c.id) FROM {join}"
    assert _derived(sql) != sql
    assert _rows(shop, sql) == _rows(shop, _derived(sql))


def test_rows_of_the_own_transaction_have_keys(shop: Session) -> None:
    query = "SELECT COUNT(*), MIN(c.id) FROM o JOIN c ON c.id = o.cid GROUP BY c.city ORDER BY 2"
    before = _rows(shop, query)
    told(
        shop,
        "BEGIN TRAN; INSERT c VALUES (10, N'berlin', 'z', NULL); UPDATE c SET city = N'LODZ' WHERE id = 8; DELETE c WHERE id = 3",
    )
    try:
        assert _rows(shop, query) == _rows(shop, _derived(query)) != before
    finally:
        told(shop, "ROLLBACK")
    assert _rows(shop, query) == before


def test_a_procedure_sees_what_has_changed(shop: Session) -> None:
    told(
        shop,
        "CREATE PROCEDURE cities @least int AS SELECT COUNT(*) FROM o JOIN c ON c.id = o.cid WHERE o.qty >= @least GROUP BY c.city",
    )
    first = sorted(_rows(shop, "EXEC cities 0"))
    told(shop, "UPDATE c SET city = N'Bern' WHERE id = 9")
    assert sorted(_rows(shop, "EXEC cities 0")) == first
    told(shop, "UPDATE c SET city = N'BERLIN' WHERE id = 9")
    assert len(_rows(shop, "EXEC cities 0")) == len(first) - 1
    told(shop, "UPDATE c SET city = N'' WHERE id = 9")


def test_a_key_is_computed_for_the_rows_of_its_table(shop: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what Python is asked for: a text that has a sign beyond the list."""
    from sbql.catalog import function_errors

    told(
        shop,
        "CREATE TABLE k (id int NOT NULL PRIMARY KEY, x nvarchar(20)); INSERT k VALUES (1, N'ｶﾀ'), (2, N'カタ'), (3, N'ﾋ')",
    )
    told(shop, "CREATE TABLE l (k int NOT NULL); INSERT l SELECT value % 3 + 1 FROM GENERATE_SERIES(1, 3000)")
    calls: list[None] = []
    monkeypatch.setattr(function_errors, "checkpoint", lambda: calls.append(None))
    assert sorted(_rows(shop, "SELECT COUNT(*) FROM l JOIN k ON k.id = l.k GROUP BY k.x")) == [(1000,), (2000,)]
    assert len(calls) == 3
    assert len(_rows(shop, "SELECT l.k FROM l JOIN k ON k.id = l.k ORDER BY k.x")) == 3000
    assert len(calls) == 6
