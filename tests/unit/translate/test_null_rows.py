"""Rows of NULL need no Python: wherever DuckDB has a form of its own for the values of a column, its NULLs are not
odd rows, of which each is a call. Columns that are mostly empty are as common as full ones, and a form whose test for
plain values is neither true nor false for NULL falls through to Python for all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from bench_functions import CALLS, COLUMNS

ROWS = 400
FEW = 20
"""Calls of functions over constants, and for what DuckDB computes while it plans."""

ALWAYS_PYTHON = "FORMATMESSAGE(n, i)"
"""What has no form in DuckDB, and a value for NULL."""

QUERIES = (
    "SELECT COUNT(DISTINCT n) FROM t",
    "SELECT n, COUNT(*) FROM t GROUP BY n",
    "SELECT DISTINCT n COLLATE Latin1_General_CS_AS FROM t",
    "SELECT DISTINCT s COLLATE Latin1_General_100_CI_AI FROM t",
    "SELECT TOP (3) i FROM t ORDER BY n",
    "SELECT TOP (3) i FROM t ORDER BY n COLLATE Latin1_General_CS_AS DESC",
    "SELECT TOP (3) i FROM t ORDER BY n COLLATE Latin1_General_BIN2 DESC, s COLLATE Turkish_CI_AS",
    "SELECT COUNT(*) FROM t AS a JOIN t AS b ON b.n = a.n",
    "SELECT COUNT(*) FROM t AS a JOIN t AS b ON b.s COLLATE Turkish_CI_AS = a.n COLLATE Turkish_CI_AS",
    "SELECT COUNT(*) FROM t WHERE n = N'abc'",
    "SELECT COUNT(*) FROM t WHERE n <> N'ü'",
    "SELECT COUNT(*) FROM t WHERE n = s",
    "SELECT COUNT(*) FROM t WHERE n < s OR s >= n",
    "SELECT COUNT(*) FROM t WHERE n BETWEEN N'a' AND N'ü'",
    "SELECT COUNT(*) FROM t WHERE n IN (N'a', N'b', N'ß')",
    "SELECT COUNT(*) FROM t WHERE n NOT IN (SELECT s FROM t)",
    "SELECT COUNT(*) FROM t WHERE n COLLATE Turkish_CI_AS = N'i'",
    "SELECT COUNT(*) FROM t WHERE n COLLATE Latin1_General_BIN2 = N'a'",
    "SELECT COUNT(*) FROM t WHERE n COLLATE Latin1_General_100_CI_AS_SC = N'a'",
    "SELECT COUNT(*) FROM t WHERE n LIKE N'a_b'",
    "SELECT COUNT(*) FROM t WHERE n LIKE N'%[a-c]%'",
    "SELECT COUNT(*) FROM t WHERE n LIKE s",
    "SELECT COUNT(*) FROM t WHERE n COLLATE Latin1_General_100_CI_AI LIKE N'a%'",
    "SELECT COUNT(*) FROM t WHERE UPPER(n) = N'ABC'",
    "SELECT COUNT(*) FROM t WHERE LOWER(n) LIKE N'a_c' OR CHARINDEX(N'ü', n) > 0",
    "SELECT COUNT(*) FROM (SELECT n FROM t EXCEPT SELECT s FROM t) AS q",
    "SELECT n FROM t UNION SELECT s FROM t",
    "SELECT RANK() OVER (PARTITION BY n ORDER BY s) FROM t",
    "SELECT MIN(n), MAX(n), MIN(s), MAX(s COLLATE Latin1_General_CS_AS) FROM t",
    "SELECT CASE n WHEN N'a' THEN 1 WHEN N'b' THEN 2 END, NULLIF(n, s), IIF(n = N'a' OR s = 'b', 1, 0) FROM t",
    "SELECT CAST(n AS uniqueidentifier), CAST(n AS time), CAST(f AS varchar(10)), TRY_CAST(n AS time) FROM t",
    "SELECT STRING_AGG(n, ','), CHECKSUM_AGG(i) FROM t",
    "SELECT i, s, n, d FROM t FOR JSON PATH",
    "SELECT n AS [text()] FROM t FOR XML PATH('')",
    "SELECT x.value('.', 'varchar(9)'), x.value('(/a/@b)[1]', 'int'), x.exist('/a') FROM (SELECT CAST(n AS xml) AS x FROM t) AS q",
)


@pytest.fixture(scope="module")
def empty_rows() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    columns = ", ".join(f"{name} {ours}" for name, (ours, _, _) in COLUMNS.items())
    nothing = ", ".join(["NULL"] * len(COLUMNS))
    made = f"CREATE TABLE t ({columns}); INSERT t SELECT {nothing} FROM GENERATE_SERIES(1, {ROWS}) AS g"
    twice = "CREATE FUNCTION dbo.Twice (@a int) RETURNS int AS BEGIN RETURN @a * 2 + 1 END"
    assert told(session, twice) == told(session, made) == []
    yield session
    instance.close()


def _reads_a_column(expression: str) -> bool:
    return not expression.startswith(("RAND(CHECKSUM(NEWID", "ABS(CHECKSUM(NEWID"))


@pytest.mark.matrix
@pytest.mark.parametrize("expression", [e for e, _ in CALLS if _reads_a_column(e)])
def test_null_rows_of_an_expression_need_no_python(empty_rows, calls, expression):
    told(empty_rows, f"SELECT {expression} AS x FROM t")
    assert len(calls) <= FEW


@pytest.mark.parametrize("query", QUERIES)
def test_null_rows_of_a_query_need_no_python(empty_rows, calls, query):
    told(empty_rows, query)
    assert len(calls) <= FEW


def test_calls_of_python_are_seen(empty_rows, calls):
    """What the others assert can be false."""
    told(empty_rows, f"SELECT {ALWAYS_PYTHON} FROM t")
    assert len(calls) >= ROWS
