"""Whether a statement fails does not depend on what is in memory: random conditions and values that fail for some rows,
in queries and writes of every shape that may need no DuckDB, beside an instance that leaves all to it. And a condition
that is said to raise nothing raises nothing, for the ends of all types."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from direct_pair import Pair
from native_sweep import VALUES, Sweep, type_of, values_of

from sbql.engine.direct.unfailing import cannot_fail
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch

FAILING = (
    "{x}.v = 1", "{x}.v = {x}.i", "1 / ({x}.id - 2) > 5", "10 / {x}.i < 3", "CAST({x}.v AS int) = 1", "CAST({x}.v AS date) > '2020-01-01'", "{x}.i + 2147483647 > 0", "LEFT({x}.v, {x}.i - 2) = 'a'",
    "CONVERT(decimal(3, 1), {x}.v) > 1", "{x}.v < 5.5", "{x}.v IN (1, 2)", "{x}.v BETWEEN 1 AND 9", "{x}.i = 1 OR {x}.v = 1", "NOT {x}.v = 1", "CASE WHEN {x}.i = 1 THEN 1 ELSE 1 / ({x}.id - 2) END > 0",
    "ISNULL({x}.v, 0) = 1", "{x}.d > {x}.v", "DATEADD(day, {x}.i * 2000000, {x}.d) > '2020-01-01'", "SQRT({x}.i - 2) >= 0", "{x}.v LIKE {x}.i", "{x}.v + {x}.i > 1", "{x}.i = 'q'", "{x}.i = @bad",
    "1 / @zero > {x}.i", "{x}.d > DATEADD(year, @big, GETDATE())",
)  # fmt: skip
OF_BOTH = (
    "{x}.v = {y}.i",
    "{x}.i / {y}.i = 1",
    "{y}.v = {x}.i",
    "{x}.v < {y}.i",
    "{x}.d < DATEADD(year, {y}.i * 5000, {y}.d)",
)
JOINS = (
    "SELECT id FROM h WHERE EXISTS (SELECT * FROM k WHERE k.i = h.i AND {c})", "SELECT id FROM h WHERE NOT EXISTS (SELECT * FROM k WHERE k.i = h.i AND {c})",
    "SELECT id FROM h WHERE EXISTS (SELECT * FROM k WHERE k.id = h.i AND {c})", "SELECT id FROM h WHERE id = {n} AND NOT EXISTS (SELECT * FROM k WHERE k.id = h.i AND {c})",
    "SELECT id FROM h WHERE i IN (SELECT i FROM k WHERE {c})", "SELECT id FROM h WHERE id IN (SELECT id FROM k WHERE k.i = {n} AND {c})",
    "SELECT h.id, k.id FROM h LEFT JOIN k ON k.i = h.i AND {c}", "SELECT h.id, k.id FROM h LEFT JOIN k ON k.id = h.i AND {c}", "SELECT h.id, k.id FROM h LEFT JOIN k ON k.id = h.i WHERE {c}",
    "SELECT h.id, k.id FROM h JOIN k ON k.i = h.i AND {c}", "SELECT h.id, k.id FROM h JOIN k ON k.id = h.i WHERE h.id = {n} AND {c}", "SELECT h.id, k.id FROM h JOIN k ON k.i = h.i WHERE h.i = {n} AND {c}",
    "SELECT COUNT(*) FROM h JOIN k ON k.id = h.i WHERE {c}", "SELECT TOP (1) h.id FROM h JOIN k ON k.i = h.i WHERE {c} ORDER BY h.id", "SELECT h.i, COUNT(*) FROM h LEFT JOIN k ON k.id = h.i AND {c} GROUP BY h.i",
    "UPDATE h SET i = h.i FROM h JOIN k ON k.id = h.i WHERE {c}", "UPDATE h SET i = i WHERE EXISTS (SELECT * FROM k WHERE k.i = h.i AND {c})", "DELETE h FROM h JOIN k ON k.i = h.i WHERE h.id = {n} AND {c}",
    "MERGE h USING k ON k.id = h.id AND {c} WHEN MATCHED THEN UPDATE SET i = k.i;",
)  # fmt: skip
SINGLE = (
    "SELECT id FROM h WHERE id = {n} AND {c}", "SELECT id FROM h WHERE i = {n} AND {c}", "SELECT id FROM h WHERE {c} AND i = {n}", "SELECT COUNT(*) FROM h WHERE i = {n} AND {c}",
    "SELECT TOP (1) id FROM h WHERE {c} ORDER BY id", "SELECT TOP (1) id FROM h WHERE i = {n} AND {c} ORDER BY id DESC", "SELECT TOP (1) id FROM h WHERE i = {n} AND {c}",
    "IF EXISTS (SELECT * FROM h WHERE i = {n} AND {c}) SELECT 1 ELSE SELECT 2", "UPDATE h SET d = d WHERE i = {n} AND {c}", "UPDATE TOP (1) h SET d = d WHERE i = {n} AND {c}", "DELETE h WHERE i = {n} AND {c}",
    "SELECT id, i FROM h WHERE {c}", "WITH q AS (SELECT TOP (1) * FROM h WHERE i = {n} AND {c} ORDER BY id) DELETE q", "SELECT MAX(id) FROM h WHERE {c}",
    "DECLARE @x int; SELECT @x = id FROM h WHERE i = {n} AND {c}; SELECT @x",
)  # fmt: skip
VALUED = (
    "SELECT TOP (1) {c} FROM h WHERE i = {n} ORDER BY id", "SELECT TOP (1) {c} FROM h ORDER BY id", "SELECT TOP (1) {c} FROM h WHERE i = {n}", "SELECT MAX({c}) FROM h WHERE i = {n}", "SELECT DISTINCT {c} FROM h WHERE i = {n}",
    "SELECT {c} FROM h WHERE i = {n} ORDER BY id", "SELECT h.i, MAX({c}) FROM h GROUP BY h.i", "IF EXISTS (SELECT {c} FROM h WHERE i = {n}) SELECT 1", "SELECT TOP (1) {c} FROM h JOIN k ON k.i = h.i ORDER BY h.id",
    "SELECT {c} FROM h JOIN k ON k.i = h.i", "SELECT {c} FROM h LEFT JOIN k ON k.id = h.i", "UPDATE h SET i = {c} WHERE i = {n}", "UPDATE TOP (1) h SET i = {c} WHERE i = {n}", "SELECT TOP (1) id FROM h WHERE i = {n} ORDER BY {c}",
    "DECLARE @x sql_variant; SELECT @x = {c} FROM h WHERE i = {n}; SELECT @x", "SELECT id FROM h WHERE i IN (SELECT {c} FROM h)",
)  # fmt: skip
FAILING_VALUES = ("1 / (h.id - 2)", "CAST(h.v AS int)", "h.i + 2147483647", "DATEADD(year, h.i * 5000, h.d)", "h.v + 1", "LEFT(h.v, h.i - 2)")  # fmt: skip
GIVEN = "DECLARE @bad varchar(9) = 'q', @zero int = 0, @big int = 1000000; "


def of_chance(chance: random.Random) -> str:
    """A statement."""
    n = chance.randrange(4)
    if chance.random() < 0.3:
        return chance.choice(VALUED).format(c=chance.choice(FAILING_VALUES), n=n)
    if chance.random() < 0.4:
        return chance.choice(SINGLE).format(c=chance.choice(FAILING).format(x="h"), n=n)
    x, y = chance.choice(("hk", "hk", "kh"))
    return chance.choice(JOINS).format(c=chance.choice((*FAILING, *OF_BOTH)).format(x=x, y=y), n=n)


def of_rows(chance: random.Random) -> str:
    texts = ("'1'", "'2'", "'q'", "NULL", "'2024-01-01'")
    rows = (
        f"({key}, {chance.choice(('0', '1', '2', '3', 'NULL'))}, {chance.choice(texts)}, '2024-01-0{key}')"
        for key in chance.sample(range(1, 7), chance.randrange(1, 6))
    )
    return ", ".join(rows)


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(6))
def test_a_statement_fails_or_not_wherever_its_rows_are(pair: Pair, seed: int) -> None:
    """Each four times, undone, so that the first has nothing in memory."""
    chance = random.Random(seed)
    for _ in range(15):
        for name in "hk":
            pair.both(f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} (id int NOT NULL PRIMARY KEY, i int, v varchar(9), d datetime2(0))")  # fmt: skip
            pair.both(f"INSERT {name} VALUES {of_rows(chance)}")
        for _ in range(4):
            text = GIVEN + of_chance(chance)
            said = [pair.both(f"BEGIN TRAN; {text}") + pair.both("IF @@TRANCOUNT > 0 ROLLBACK") for _ in range(4)]
            assert len(set(map(repr, itertools.chain.from_iterable(said)))) <= 2, (text, said)
            assert all(one == other for one, other, *_ in said), (text, said)


def said_of_two_rows(pair: Pair, rows: str, query: str) -> list[Any]:
    """What each of the two instances says, five times; k has one row, which goes with the first."""
    pair.both(
        "CREATE TABLE h (id int NOT NULL PRIMARY KEY, i int, v varchar(9)); CREATE TABLE k (id int NOT NULL PRIMARY KEY, i int)"
    )
    pair.both(f"INSERT h VALUES {rows}; INSERT k VALUES (1, 1)")
    return [said for _ in range(5) for said in pair.both(query)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id FROM h WHERE EXISTS (SELECT * FROM k WHERE k.i = h.i AND h.v = 1)",
        "SELECT id FROM h WHERE NOT EXISTS (SELECT * FROM k WHERE k.i = h.i AND h.v = 1)",
        "SELECT id FROM h WHERE NOT EXISTS (SELECT * FROM k WHERE k.i = h.i AND 1 / (h.id - 2) > 5)",
        "SELECT id FROM h WHERE EXISTS (SELECT * FROM k WHERE k.i = h.i AND k.i = h.v)",
        "SELECT id FROM h WHERE i IN (SELECT i FROM k WHERE h.v = 1)",
        "SELECT id FROM h WHERE i IN (SELECT i FROM k WHERE 10 / (h.id - 2) < 0)",
        "UPDATE h SET i = i WHERE EXISTS (SELECT * FROM k WHERE k.i = h.i AND 1 / (h.id - 2) < 0)",
        "SELECT h.id, k.id FROM h LEFT JOIN k ON k.i = h.i AND k.id = h.v",
        "SELECT h.id, k.id FROM h LEFT JOIN k ON k.id = h.id AND CAST(h.v AS int) = 1",
        "SELECT x.w FROM (SELECT i, 10 / (id - 2) AS w FROM h) x JOIN k ON k.i = x.i",
        "SELECT MAX(x.w) FROM (SELECT i, CAST(v AS int) AS w FROM h) x JOIN k ON k.i = x.i",
        "WITH x AS (SELECT i AS j, 10 / (id - 2) AS w FROM h) UPDATE k SET i = x.w FROM k JOIN x ON x.j = k.i",
    ],
)
def test_a_row_without_a_match_fails_too(pair: Pair, query: str) -> None:
    """The row that fails has no match."""
    first, *others = said_of_two_rows(pair, "(1, 1, '1'), (2, 2, 'q')", query)
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT TOP (1) id FROM h WHERE i = 1 AND v = 1 ORDER BY id",
        "SELECT TOP (1) id FROM h WHERE i = 1 AND v = 1",
        "IF EXISTS (SELECT * FROM h WHERE i = 1 AND v = 1) SELECT 1",
        "WITH q AS (SELECT TOP (1) * FROM h WHERE i = 1 AND v = 1 ORDER BY id) UPDATE q SET i = i",
        "SELECT TOP (1) h.id FROM h JOIN k ON k.i = h.i WHERE h.v = 1 ORDER BY h.id",
    ],
)
def test_rows_behind_the_first_fail_too(pair: Pair, query: str) -> None:
    said = said_of_two_rows(pair, "(1, 1, '1'), (2, 1, 'q')", query)
    assert said == [["245"]] * 10


OF_ONE = (
    "UPPER(a0) = LOWER(a0)", "LTRIM(a0) = RTRIM(a0)", "TRIM(a0) = REVERSE(a0)", "LEN(a0) > 1", "ASCII(a0) = UNICODE(a0)", "CHARINDEX('a', a0) > 0", "LEFT(a0, 3) = RIGHT(a0, 3)", "SUBSTRING(a0, 2, 9) <> ''",
    "YEAR(a0) = MONTH(a0)", "DAY(a0) > 3", "DATALENGTH(a0) > 3", "ISNULL(a0, 300) = 1", "ISNULL(a0, 99999.5) = 1", "ISNULL(a0, 'x') = a0", "ISNULL(NULL, a0) = a0", "a0 LIKE 'a' ESCAPE a0", "a0 LIKE 'a' ESCAPE '!'", "a0 LIKE 'a%'", "a0 = 1", "a0 = 1.5", "a0 = '1'", "a0 IN ('x', '2024-02-29')", "a0 BETWEEN -1 AND 1e3",
    *(f"DATEPART({part}, a0) > 1" for part in ("year", "quarter", "month", "week", "weekday", "dayofyear", "day", "hour", "minute", "second", "ms", "mcs", "ns", "iso_week", "tz")),
)  # fmt: skip
OF_TWO = (
    "a0 = a1", "a0 < a1", "a0 IN (a1)", "a0 BETWEEN a1 AND a1", "ISNULL(a0, a1) = a0", "COALESCE(a0, a1) = a1", "NULLIF(a0, a1) IS NULL", "CASE WHEN a0 = a1 THEN a1 ELSE a0 END = a0", "IIF(a0 = a1, a0, a1) = a1",
    "CASE WHEN a0 IS NULL THEN a1 END IS NULL", "a0 LIKE a1", "a0 + a1 = a0", "a0 - a1 = a0", "a0 * a1 = a0", "a0 / a1 = a0", "a0 % a1 = a0",
    *(f"DATEDIFF({part}, a0, a1) > 1" for part in ("year", "quarter", "month", "week", "day", "hour", "minute", "second", "ms")),
)  # fmt: skip
TYPES = (
    "bit", "tinyint", "int", "bigint", "decimal(9,2)", "decimal(18,4)", "decimal(38,0)", "decimal(38,18)", "money", "smallmoney", "real", "float", "date", "datetime", "smalldatetime", "datetime2(0)", "datetime2(7)",
    "time(7)", "datetimeoffset(7)", "uniqueidentifier", "varchar(40)", "nvarchar(40)",
)  # fmt: skip


class Ends(Sweep):
    """Of no type more than ten values."""

    def rows(self, types: Any) -> list[tuple[Any, ...]]:
        return list(itertools.product(*(values_of(one)[:: 1 + len(VALUES[one]) // 10] for one in types)))


@pytest.fixture(scope="module")
def ends() -> Iterator[Ends]:
    found = Ends()
    yield found
    found.close()


def accepted(ends: Ends, text: str, types: tuple[str, ...]) -> bool:
    query: Any = parse_batch(f"SELECT 1 WHERE {text}").statements[0]
    columns = [RowColumn("", f"a{i}", type_of(one)) for i, one in enumerate(types)]
    try:
        return cannot_fail(query.query.query.where, RowScope(columns, ends.session, Scope(ends.session)))
    except SqlError:
        return False  # types that do not go together


@pytest.mark.matrix
@pytest.mark.parametrize("one", TYPES)
def test_what_cannot_fail_does_not(ends: Ends, one: str) -> None:
    asked = [(text, (one,)) for text in OF_ONE] + [(text, (one, other)) for text in OF_TWO for other in TYPES]
    held = [(text, types) for text, types in asked if accepted(ends, text, types)]
    assert len(held) > 9
    for text, types in held:
        found = ends.by_scalars(f"CASE WHEN {text} THEN 1 END", types)
        assert not isinstance(found, int), (text, types, found)
        failed = [row for row, value in zip(ends.rows(types), found, strict=True) if isinstance(value, SqlError)]
        assert failed == [], (text, types)
