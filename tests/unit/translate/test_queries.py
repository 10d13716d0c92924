"""Queries through the translator and a store: meaning by T-SQL's rules, types of the result, errors by number."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from translator_world import World

from sbql.grammar.errors import SqlError


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    made.table(
        "t", "id int!, name nvarchar(20), qty int, price decimal(10,2)",
        (1, "a", 5, "1.50"), (2, "B", None, "2.25"), (3, "A ", 7, None), (4, None, 2, "3.10"),
    )  # fmt: skip
    made.table("u", "id int!, tid int, note varchar(30)", (1, 1, "x"), (2, 1, "y"), (3, 3, "z"))
    made.table("bin", "name nvarchar(20) collate Latin1_General_BIN, c char(5)", ("Svc", "ab"), ("svc", "AB"))
    made.table("g", "id uniqueidentifier, o datetimeoffset(7), v sql_variant")
    made.variable("@v", "int", 2)
    made.variable("@zero", "int", 0)
    made.variable("@s", "nvarchar(20)", "SVC")
    made.view("names", "CREATE VIEW names (number, label) AS SELECT id, name FROM t WHERE id < 4")
    yield made
    made.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT id FROM t WHERE name = 'A' ORDER BY id", [(1,), (3,)]),
        ("SELECT id FROM t WHERE name <> 'a' ORDER BY id", [(2,)]),
        ("SELECT name FROM bin WHERE name = 'svc'", [("svc",)]),
        ("SELECT name FROM bin WHERE name = @s", []),
        ("SELECT name FROM bin WHERE c = 'AB' AND c = 'ab  '", [("Svc",), ("svc",)]),
        ("SELECT b.name FROM bin AS b JOIN t ON t.name = b.name COLLATE DATABASE_DEFAULT", []),
        ("SELECT id FROM t WHERE id = @v", [(2,)]),
        ("SELECT number FROM names WHERE label = 'b'", [(2,)]),
        ("SELECT name, COUNT(*) FROM t GROUP BY name ORDER BY name", [(None, 1), ("a", 2), ("B", 1)]),
        ("SELECT DISTINCT name FROM t ORDER BY name DESC", [("B",), ("a",), (None,)]),
        ("SELECT name FROM t WHERE name IS NOT NULL UNION SELECT 'b' ORDER BY name", [("a",), ("B",)]),
        ("SELECT id FROM t WHERE name IN ('A', 'x', 'b') ORDER BY id", [(1,), (2,), (3,)]),
        ("SELECT id FROM t WHERE NOT (qty > 3) ORDER BY id", [(4,)]),
        ("SELECT id FROM t WHERE qty NOT BETWEEN 3 AND 6 ORDER BY id", [(3,), (4,)]),
        ("SELECT TOP (@v) id FROM t ORDER BY id", [(1,), (2,)]),
        ("SELECT t.id, u.note FROM t, u WHERE t.id = u.tid ORDER BY u.id", [(1, "x"), (1, "y"), (3, "z")]),
        ("SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE tid = t.id) ORDER BY id", [(1,), (3,)]),
        ("SELECT x.id FROM (SELECT id FROM t) AS x WHERE x.id > ALL (SELECT tid FROM u)", [(4,)]),
        ("SELECT CASE name WHEN 'A' THEN 1 ELSE 0 END FROM t WHERE id = 3", [(1,)]),
        ("SELECT SUM(qty), AVG(qty), COUNT(qty), COUNT(DISTINCT name) FROM t", [(14, 4, 3, 2)]),
        ("SELECT id % 2, COUNT(*) FROM t GROUP BY id % 2 ORDER BY 1", [(0, 2), (1, 2)]),
        ("SELECT id + @v FROM t GROUP BY id + @v ORDER BY id + @v", [(3,), (4,), (5,), (6,)]),
        ("SELECT note FROM u ORDER BY id DESC OFFSET 1 ROWS", [("y",), ("x",)]),
        ("SELECT GREATEST(id, 3), CONVERT(varchar(3), id, @v) FROM t WHERE id < 3 ORDER BY id", [(3, "1"), (3, "2")]),
        ("SELECT STRING_AGG(note, '-') WITHIN GROUP (ORDER BY id DESC) FROM u", [("z-y-x",)]),
    ],
)
def test_rows(world: World, query: str, expected: list[tuple[Any, ...]]) -> None:
    """Equality by collation, NULL first, grouping by key with the first value shown."""
    assert world.rows(query) == expected


@pytest.mark.parametrize(
    ("query", "types"),
    [
        ("SELECT id + 1, qty * 2.5, price / 3, price + id FROM t", ["int", "numeric(13,1)", "decimal(14,6)", "decimal(13,2)"]),
        ("SELECT name + 'xy', note + 'x' FROM t, u", ["nvarchar(22)", "varchar(31)"]),
        ("SELECT COUNT(*), COUNT_BIG(*), SUM(price), AVG(price), AVG(qty) FROM t",
         ["int", "bigint", "decimal(38,2)", "decimal(38,6)", "int"]),
        ("SELECT ISNULL(note, N'longer than it'), COALESCE(note, N'n') FROM u", ["varchar(30)", "nvarchar(30)"]),
        ("SELECT NULL, 'abc', N'ab', 1.50, 0x0102, 5000000000", ["int", "varchar(3)", "nvarchar(2)", "numeric(3,2)",
                                                                "varbinary(2)", "numeric(10,0)"]),
        ("SELECT ROW_NUMBER() OVER (ORDER BY id), RANK() OVER (ORDER BY id) FROM t", ["bigint", "bigint"]),
        ("SELECT 1 AS a UNION ALL SELECT 2.5", ["numeric(11,1)"]),
        ("SELECT CASE WHEN id = 1 THEN 1 ELSE 2.5 END FROM t", ["numeric(11,1)"]),
    ],
)  # fmt: skip
def test_types(world: World, query: str, types: list[str]) -> None:
    """Types by the tables of precedence, precision and scale."""
    assert world.types(query) == types


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("SELECT nope FROM t", 207), ("SELECT x.id FROM t", 4104), ("SELECT id FROM t, u", 209), ("SELECT id FROM nope", 208),
        ("SELECT id, COUNT(*) FROM t", 8120), ("SELECT COUNT(*) FROM t HAVING id > 1", 8121),
        ("SELECT name FROM t GROUP BY name ORDER BY id", 8127), ("SELECT id FROM t WHERE SUM(id) > 1", 147),
        ("SELECT SUM(COUNT(*)) FROM t", 130), ("SELECT id FROM t ORDER BY 2", 108), ("SELECT DISTINCT id FROM t ORDER BY name", 145),
        ("SELECT (SELECT id, qty FROM t) FROM t", 116), ("SELECT 1 UNION SELECT 1, 2", 205),
        ("SELECT v FROM (SELECT 1 ORDER BY 1) AS q (v)", 1033), ("SELECT 1 FROM (SELECT 1) AS q", 8155),
        ("SELECT 1 FROM (SELECT 1, 2) AS q (a)", 8158), ("SELECT 1 FROM (SELECT 1) AS q (a, b)", 8159),
        ("SELECT id FROM t GROUP BY @v", 164), ("SELECT TOP 1 WITH TIES id FROM t", 1062),
        ("SELECT name + id FROM t WHERE id = 1", 245), ("SELECT 1 / @zero FROM t", 8134), ("SELECT name - name FROM t", 8117),
        ("WITH c AS (SELECT 1 AS a UNION ALL SELECT 'x' FROM c) SELECT * FROM c", 240),
        ("WITH c AS (SELECT a FROM c) SELECT * FROM c", 252), ("SELECT * FROM t WHERE LAG(id) OVER (ORDER BY id) = 1", 4108),
        ("SELECT id FROM t WHERE id = CAST('20260101' AS date)", 206), ("SELECT (SELECT id FROM t) FROM u", 512),
        ("SELECT NoSuchFunction(id) FROM t", 195),
    ],
)  # fmt: skip
def test_errors(world: World, query: str, number: int) -> None:
    """The number SQL Server gives."""
    with pytest.raises(SqlError) as caught:
        world.rows(query)
    assert caught.value.number == number


def test_constant_parts_fail_only_where_a_row_needs_them(world: World) -> None:
    assert world.rows("SELECT 1 / @zero FROM t WHERE 1 = 0") == []
    assert world.rows("SELECT CASE WHEN id = 99 THEN 1 / @zero ELSE id END FROM t WHERE id = 1") == [(1,)]


def test_point_select_is_one_plain_statement(world: World) -> None:
    query = world.query("SELECT id FROM t WHERE id = @v")
    assert query.is_simple
    assert query.is_plain
    assert world.query("SELECT id, name FROM t WHERE id = @v").is_simple
    assert len(query.parameters) == 1


def test_guids_sort_by_their_last_group_first(world: World) -> None:
    values = "('00000000-0000-0000-0000-0000000000FF'), ('FFFFFFFF-0000-0000-0000-000000000001')"
    rows = world.rows(f"SELECT v.g FROM (VALUES {values}) AS v (g) ORDER BY CAST(v.g AS uniqueidentifier)")
    assert [row[0][:8] for row in rows] == ["FFFFFFFF", "00000000"]


def test_values_that_are_stored_in_another_form(world: World) -> None:
    zone = dt.timezone(dt.timedelta(hours=2))
    moment = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=zone)
    assert world.rows("SELECT CAST('2026-01-02 03:04:05 +02:00' AS datetimeoffset(0)) FROM t WHERE id = 1") == [
        (moment,)
    ]
    found = world.rows("SELECT CAST(price AS sql_variant) FROM t WHERE id = 1")[0][0]
    assert (str(found.type), found.value) == ("decimal(10,2)", Decimal("1.50"))


def test_names_of_result_columns(world: World) -> None:
    assert world.names("SELECT id, t.name AS Label, qty + 1, q = price FROM t") == ["id", "Label", "", "q"]
    assert world.names("SELECT * FROM names") == ["number", "label"]
