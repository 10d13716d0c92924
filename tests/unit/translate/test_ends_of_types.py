"""Constants, variables and columns at the ends of their types, in a query over a table: what does not fit is 8115 in
the row that gets there, and what fits is computed, whatever DuckDB has for it or does to it (documentation: "int,
bigint, smallint, and tinyint", "decimal and numeric", "Precision, scale, and length", "CAST and CONVERT")."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.session import Session

LOWEST = {"smallint": -(2**15), "int": -(2**31), "bigint": -(2**63), "money": "-922337203685477.5808", "smallmoney": "-214748.3648"}  # fmt: skip
SETUP = """CREATE TABLE dbo.p (k int PRIMARY KEY); INSERT dbo.p VALUES (1)
CREATE TABLE dbo.n (k int PRIMARY KEY, i int, b bigint); INSERT dbo.n VALUES (1, -5, -5), (2, 2147483647, 9223372036854775807), (3, 0, 0), (4, NULL, NULL)
CREATE TABLE dbo.d (k int PRIMARY KEY, n decimal(38,30), h decimal(38,20), w decimal(38,0), i int, b bigint, a decimal(38,38), m money)
INSERT dbo.d VALUES (1, 1.5, 1.5, 99999999999999999999999999999999999999, 1000000000, 9000000000000000000, 0.5, 922337203685477)"""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    found = instance.connect()
    assert told(found, SETUP) == []
    yield found
    instance.close()


def told(session: Session, batch: str) -> list[Any]:
    """Rows, and numbers of errors."""
    found: list[Any] = []
    for outcome in session.run(batch):
        found += [outcome.error.number] if hasattr(outcome, "error") else getattr(outcome, "rows", [])
    return found


@pytest.mark.parametrize("name", LOWEST)
def test_the_lowest_has_no_opposite(session: Session, name: str) -> None:
    low = LOWEST[name]
    constant, variable = f"CAST({low} AS {name})", f"DECLARE @x {name} = {low}; "
    for text in (f"SELECT -{constant} FROM dbo.p", f"SELECT SUM(-{constant}) FROM dbo.p", f"{variable}SELECT -@x FROM dbo.p", f"SELECT k FROM dbo.p WHERE -{constant} <> k"):  # fmt: skip
        assert told(session, text) == [8115], text
    for text in (f"SELECT CASE WHEN k < 0 THEN -{constant} END FROM dbo.p", f"{variable}SELECT CASE WHEN k < 0 THEN -@x END FROM dbo.p"):  # fmt: skip
        assert told(session, text) == [(None,)], text
    assert (
        told(session, f"CREATE TABLE dbo.low (k int PRIMARY KEY, v {name}); INSERT dbo.low VALUES (1, {low}), (2, 5)")
        == []
    )
    assert told(session, "SELECT -v FROM dbo.low WHERE k + 0 = 2") == [(-5,)]
    assert told(session, "SELECT -v FROM dbo.low WHERE k + 0 = 1") == [8115]
    assert told(session, "UPDATE dbo.low SET v = -v") == [8115]
    assert told(session, f"INSERT dbo.low SELECT 3, -{constant} FROM dbo.p") == [8115]
    assert told(session, "SELECT k FROM dbo.low WHERE v = 5; DROP TABLE dbo.low") == [(2,)]


INT = "CAST(-2147483648 AS int)"
NUMBERS: list[tuple[str, list[Any]]] = [
    (f"SELECT {INT} - 1 FROM dbo.p", [8115]), (f"SELECT {INT} * -1 FROM dbo.p", [8115]), (f"SELECT {INT} / -1 FROM dbo.p", [8115]), (f"SELECT {INT} + 1 FROM dbo.p", [(-2147483647,)]),
    ("SELECT i + 2147483647 + 1 FROM dbo.n WHERE k + 0 = 1", [(2147483643,)]), ("SELECT i * 65536 * 65536 FROM dbo.n WHERE k + 0 = 3", [(0,)]), ("SELECT 65536 * i * 65536 FROM dbo.n WHERE k + 0 = 3", [(0,)]),
    ("SELECT i * (65536 * i) * 65536 FROM dbo.n WHERE k + 0 = 3", [(0,)]), ("SELECT 65536 * (i * 65536) FROM dbo.n WHERE k + 0 = 3", [(0,)]), ("SELECT i * 2147483647 * 2147483647 FROM dbo.n WHERE k + 0 = 4", [(None,)]),
    ("DECLARE @c int = 2147483647; SELECT i * @c * @c FROM dbo.n WHERE k + 0 = 3", [(0,)]), ("SELECT b * CAST(4294967296 AS bigint) * CAST(4294967296 AS bigint) FROM dbo.n WHERE k + 0 = 3", [(0,)]),
    ("SELECT i + 1 + -1 FROM dbo.n WHERE k + 0 = 2", [8115]), ("SELECT b + 1 + -1 FROM dbo.n WHERE k + 0 = 2", [8115]), ("SELECT i * 2 * 0 FROM dbo.n WHERE k + 0 = 2", [8115]),
    ("SELECT i * 24 * 60 * 60 FROM dbo.n WHERE k + 0 = 1", [(-432000,)]), ("SELECT i + 1 + 2 + k FROM dbo.n WHERE k + 0 = 3", [(6,)]), ("SELECT i - 2147483647 - 1 FROM dbo.n WHERE k + 0 = 1", [8115]),
    ("SELECT i + 0x7FFFFFFF + 1 FROM dbo.n WHERE k + 0 = 1", [(2147483643,)]), ("SELECT SUM(i * 65536 * 65536) FROM dbo.n WHERE k + 0 = 3", [(0,)]), ("SELECT k FROM dbo.n WHERE i * 65536 * 65536 = 0 AND k + 0 = 3", [(3,)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NUMBERS, ids=[text for text, _ in NUMBERS])
def test_constants_meet_the_row_one_after_the_other(session: Session, text: str, expected: list[Any]) -> None:
    assert told(session, text) == expected


WIDE = ("n < i", "n < 1000000000", "n BETWEEN 1 AND 1000000000", "n IN (1.5, 2000000000)", "NULLIF(n, 2000000000) = 1.5", "CASE n WHEN 2000000000 THEN 1 ELSE 2 END = 2", "a < 1", "1 > a", "h < b", "n < 100000000.5",
        "w > 0.5", "w > n", "w <> h", "n < m", "n < $922337203685477", "a <> w", "NOT n > b", "n = 1.5", "h = n", "n <= ALL (SELECT i FROM dbo.d)", "i > ANY (SELECT n FROM dbo.d)", "i NOT IN (SELECT a FROM dbo.d)",
        "EXISTS (SELECT 1 FROM dbo.d AS o WHERE o.n < d.i)", "a < CAST(1 AS tinyint)", "n <> CAST(2147483647 AS bigint)")  # fmt: skip


@pytest.mark.parametrize("condition", WIDE)
def test_decimals_of_all_digits_are_compared(session: Session, condition: str) -> None:
    """DuckDB has no decimal in which both would fit."""
    assert told(session, f"SELECT k FROM dbo.d WHERE {condition}") == [(1,)]
    assert told(session, f"SELECT k FROM dbo.d WHERE NOT ({condition})") == []
    assert told(session, "DECLARE @i int = 1; SELECT k FROM dbo.d WHERE a < @i") == [(1,)]
    assert told(session, "SELECT x.k FROM dbo.d AS x JOIN dbo.d AS y ON x.n < y.i AND x.w > y.h") == [(1,)]


CASTS: list[tuple[str, list[Any]]] = [
    ("SELECT CAST(a AS int), CAST(a AS tinyint), CAST(a AS smallint), CAST(a AS bigint) FROM dbo.d", [(0, 0, 0, 0)]), ("SELECT CAST(n AS int), CAST(n AS bigint), TRY_CAST(n AS int), CAST(n AS tinyint) FROM dbo.d", [(1, 1, 1, 1)]),
    ("SELECT CAST(-n AS int), CAST(-a AS tinyint), TRY_CAST(-n AS tinyint) FROM dbo.d", [(-1, 0, None)]), ("SELECT CAST(-n AS tinyint) FROM dbo.d", [8115]), ("SELECT CAST(n AS smallmoney), CAST(n AS money), CAST(a AS smallmoney) FROM dbo.d", [(Decimal("1.5"), Decimal("1.5"), Decimal("0.5"))]),
    ("SELECT LEFT('abc', n), REPLICATE('x', n), CHOOSE(n, 'a') FROM dbo.d", [("a", "x", "a")]), ("SELECT CAST(w AS int) FROM dbo.d", [8115]), ("SELECT CAST(w AS bigint) FROM dbo.d", [8115]),
    ("SELECT CONVERT(varchar(10), k, '') FROM dbo.p", [("1",)]), ("SELECT CONVERT(varchar(10), k, N'') FROM dbo.p", [("1",)]), ("SELECT CONVERT(varchar(10), k, 'x') FROM dbo.p", [245]), ("SELECT CONVERT(varchar(10), k, 0x01) FROM dbo.p", [("1",)]),
    ("SELECT CONVERT(varchar(10), k, 99999999999) FROM dbo.p", [8115]), ("SELECT CONVERT(varchar(10), CAST('20240102' AS date), '112'), CONVERT(varchar(10), CAST('20240102' AS date), 112) FROM dbo.p", [("20240102", "20240102")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASTS, ids=[text for text, _ in CASTS])
def test_conversions_of_and_to_all_digits(session: Session, text: str, expected: list[Any]) -> None:
    assert told(session, text) == expected
    assert told(session, "BEGIN TRAN; INSERT dbo.p VALUES (2)") == []
    told(session, text)
    kept = [(1,)] if expected == [245] else [(2,)]  # which ends the transaction, as on SQL Server
    assert told(session, "SELECT COUNT(*) FROM dbo.p; IF @@TRANCOUNT > 0 ROLLBACK") == kept


@pytest.mark.parametrize(
    "number",
    [
        "0.0123",
        "0.0003",
        "0.0000003",
        "-0.5",
        "0",
        "0.99999999999999999999999999999999999999",
        "0.00000000000000000000000000000000000001",
    ],
)
def test_a_decimal_that_is_all_fraction_is_kept(session: Session, number: str) -> None:
    value = Decimal(number)
    name = "decimal(38, 38)"
    assert (
        told(
            session,
            f"DROP TABLE IF EXISTS dbo.f; CREATE TABLE dbo.f (k int PRIMARY KEY, x {name}); INSERT dbo.f VALUES (1, {number})",
        )
        == []
    )
    assert (
        told(
            session,
            f"INSERT dbo.f SELECT 2, {number}; INSERT dbo.f SELECT value, {number} FROM GENERATE_SERIES(3, 3000); INSERT dbo.f VALUES (0, NULL)",
        )
        == []
    )
    assert told(session, "SELECT COUNT(x), MIN(x), MAX(x) FROM dbo.f") == [(3000, value, value)]
    assert told(session, f"UPDATE dbo.f SET x = {number} WHERE k < 2; SELECT x FROM dbo.f WHERE k = 0") == [(value,)]
    assert told(
        session,
        f"DECLARE @x {name} = {number}; UPDATE dbo.f SET x = @x WHERE k = 1; SELECT COUNT(*) FROM dbo.f WHERE x = @x; SELECT @x FROM dbo.p; SELECT CAST({number} AS {name}) FROM dbo.p",
    ) == [(3001,), (value,), (value,)]
    assert told(session, f"SELECT COUNT(*) FROM dbo.f WHERE x = {number}") == [(3001,)]


@pytest.mark.parametrize("types", [("decimal(38,30)", "int"), ("decimal(38,38)", "bigint"), ("decimal(38,0)", "decimal(38,20)"), ("decimal(38,4)", "decimal(38,2)"), ("decimal(38,30)", "money"), ("decimal(38,37)", "tinyint"), ("decimal(38,0)", "decimal(9,2)"), ("decimal(38,38)", "int")])  # fmt: skip
def test_the_ends_of_two_types_are_compared_as_numbers(session: Session, types: tuple[str, str]) -> None:
    """Each value of one with each of the other, and NULL: by DuckDB, in a join and by Python the same."""
    ends = [_ends(name) for name in types]
    for table, name, values in zip("xy", types, ends, strict=True):
        given = ", ".join(f"({n}, {'NULL' if v is None else v})" for n, v in enumerate(values))
        assert told(session, f"DROP TABLE IF EXISTS dbo.{table}; CREATE TABLE dbo.{table} (k int PRIMARY KEY, v {name}); INSERT dbo.{table} VALUES {given}") == []  # fmt: skip
    declared = [", ".join(f"@{t}{n} {name} = {'NULL' if v is None else v}" for n, v in enumerate(ends[i])) for i, (t, name) in enumerate(zip("xy", types, strict=True))]  # fmt: skip
    for op, holds in (("=", Decimal.__eq__), ("<>", Decimal.__ne__), ("<", Decimal.__lt__), ("<=", Decimal.__le__), (">", Decimal.__gt__), (">=", Decimal.__ge__)):  # fmt: skip
        pairs = [(i, j) for i, a in enumerate(ends[0]) for j, b in enumerate(ends[1]) if a is not None and b is not None and holds(Decimal(a), Decimal(b))]  # fmt: skip
        known = [
            (i, j) for i, a in enumerate(ends[0]) for j, b in enumerate(ends[1]) if a is not None and b is not None
        ]
        others = [pair for pair in known if pair not in pairs]
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        for text, expected in (
            (f"SELECT x.k, y.k FROM dbo.x JOIN dbo.y ON x.v {op} y.v ORDER BY x.k, y.k", pairs),
            (f"SELECT x.k, y.k FROM dbo.x, dbo.y WHERE y.v {turned} x.v ORDER BY x.k, y.k", pairs),
            (f"SELECT x.k, y.k FROM dbo.x JOIN dbo.y ON NOT x.v {op} y.v ORDER BY x.k, y.k", others),
            (f"SELECT x.k, y.k FROM dbo.x, dbo.y WHERE CASE WHEN x.v {op} y.v THEN 1 WHEN NOT x.v {op} y.v THEN 0 END = 0 ORDER BY x.k, y.k", others),
        ):  # fmt: skip
            assert told(session, text) == expected, text
        every = [(i, j) for i in range(len(ends[0])) for j in range(len(ends[1]))]
        asked = ", ".join(f"IIF(@x{i} {op} @y{j}, 1, 0)" for i, j in every)
        found = told(session, f"DECLARE {', '.join(declared)}; SELECT {asked}")
        assert [pair for pair, holds_ in zip(every, found[0], strict=True) if holds_] == pairs, op


def _ends(name: str) -> list[str | None]:
    fixed = {"int": ("-2147483648", "2147483647"), "bigint": ("-9223372036854775808", "9223372036854775807"), "tinyint": ("0", "255"), "money": ("-922337203685477.5808", "922337203685477.5807")}  # fmt: skip
    if name in fixed:
        return [*fixed[name], "0", "1", "5", None]
    scale = int(name.partition(",")[2][:-1])
    most = ("9" * 38)[: 38 - scale] + "." + "9" * scale
    near = ["0", ".5"[: 1 + scale] if scale else "1", "1" if scale < 38 else ".25"]
    most = most[38 - int(name[8:].partition(",")[0]) :]
    return [f"-{most.rstrip('.')}", most.rstrip("."), *near, "5" if scale < 38 else ".125", None]
