"""An aggregate is of the query whose columns it is over, whether the columns say whose they are or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import prepared, told

from sbql.engine.session import Session

ONE, TWO = "FROM u AS x WHERE {u}a = 3", "FROM u AS x"
CASES = {
    # alone: all of t is one group, with one row of what stands there
    "SELECT (SELECT MAX({t}b))FROM t": [(5,)],
    "SELECT (SELECT MAX({t}b) " + ONE + ") FROM t": [(5,)],
    "SELECT (SELECT MIN({t}b) + 1 " + ONE + "), COUNT(*) FROM t": [(2, 3)],
    "SELECT (SELECT COUNT(*) " + TWO + " WHERE {u}a < MAX({t}b)) FROM t": [(2,)],
    "SELECT 7 FROM t ORDER BY (SELECT MAX({t}b) " + ONE + ")": [(7,)],
    "SELECT CASE WHEN EXISTS (SELECT 1 " + TWO + " WHERE {u}a = MAX({t}b)) THEN 'y' ELSE 'n' END FROM t": [("y",)],
    "SELECT IIF(5 IN (SELECT MAX({t}b) " + TWO + "), 1, 0) FROM t": [(1,)],
    "SELECT (SELECT STRING_AGG({t}s, ',') " + ONE + ") FROM t": [("x,Y",)],
    "SELECT (SELECT (SELECT MAX({t}b) FROM u AS y WHERE y.a = x.a) " + ONE + ") FROM t": [(5,)],
    "SELECT (SELECT d.m FROM (SELECT MAX({t}b) AS m " + ONE + ") AS d) FROM t": [(5,)],
    "SELECT (SELECT MAX({t}b) " + ONE + ") FROM t UNION ALL SELECT 1": [(5,), (1,)],
    "SELECT * FROM (SELECT (SELECT MAX({t}b) " + ONE + ") AS m FROM t) AS d": [(5,)],
    "WITH c AS (SELECT (SELECT MAX({t}b) " + ONE + ") AS m FROM t) SELECT m FROM c": [(5,)],
    "DECLARE @x int; SELECT @x = (SELECT MAX({t}b) " + ONE + ") FROM t; SELECT @x": [(5,)],
    "SELECT (SELECT MAX({t}b) " + ONE + ") FROM t WHERE {t}b < 5": [(2,)],
    "SELECT (SELECT SUM({t}b) " + ONE + ") FROM t WHERE 1 = 0": [(None,)],
    "SELECT DISTINCT (SELECT SUM({t}b) " + ONE + ") FROM t": [(8,)],
    "SELECT TOP (1) (SELECT SUM({t}b) " + ONE + ") FROM t": [(8,)],
    # of groups
    "SELECT {t}g, (SELECT COUNT(*) " + TWO + " WHERE {u}a <= SUM({t}b)) FROM t GROUP BY {t}g ORDER BY {t}g": [(1, 2), (2, 3)],
    "SELECT {t}g, (SELECT MAX({u}a) + MAX({t}b) " + TWO + ") FROM t GROUP BY {t}g ORDER BY 1": [(1, 7), (2, 10)],
    "SELECT {t}g FROM t GROUP BY {t}g HAVING EXISTS (SELECT * " + TWO + " WHERE {u}a = SUM({t}b)) ORDER BY 1": [(1,), (2,)],
    "SELECT {t}g FROM t GROUP BY {t}g ORDER BY (SELECT -MAX({t}b) " + ONE + ")": [(2,), (1,)],
    "SELECT 1 FROM t HAVING (SELECT MAX({t}b) " + ONE + ") = 5": [(1,)],
    # of the query inside
    "SELECT (SELECT MAX({u}a) " + TWO + ") FROM t": [(5,), (5,), (5,)],
    "SELECT (SELECT COUNT(*) " + TWO + ") FROM t": [(3,), (3,), (3,)],
    "SELECT {t}id FROM t WHERE {t}b = (SELECT MAX({u}a) " + TWO + ")": [(3,)],
    "SELECT (SELECT MAX({t}b + {u}a) " + TWO + ") FROM t": [(6,), (7,), (10,)],
    # refused
    "SELECT {t}g, (SELECT MAX({t}b) " + ONE + ") FROM t": [8120],
    "SELECT *, (SELECT MAX({t}b) " + ONE + ") FROM t": [8120],
    "SELECT 1 FROM t ORDER BY {t}g, (SELECT MAX({t}b) " + ONE + ")": [8127],
    "SELECT {t}id FROM t WHERE {t}b = (SELECT MAX({t}b) " + TWO + ")": [147],
    "DELETE t WHERE {t}b = (SELECT MAX({t}b) " + TWO + ")": [147],
    "UPDATE t SET b = (SELECT MAX({t}b) " + TWO + ")": [157],
    "UPDATE t SET b = 1 FROM t JOIN u AS z ON z.a = {t}b WHERE z.a = (SELECT MIN({t}b) " + TWO + ")": [147],
    "MERGE t USING u AS z ON t.b = z.a WHEN MATCHED THEN UPDATE SET id = (SELECT MAX({t}b) " + TWO + ");": [157],
    "SELECT {t}id FROM t JOIN u AS z ON z.a = (SELECT MAX({t}b) " + TWO + ")": [1015],
    "SELECT d.m FROM t CROSS APPLY (SELECT MAX({t}b) AS m " + TWO + ") AS d": [4101],
    "SELECT (SELECT MAX({t}s) " + TWO + ") FROM t GROUP BY {t}g": [512],
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with prepared(
        "CREATE DATABASE D",
        "USE D",
        "CREATE TABLE t (g int, b int, id int, s varchar(10)); INSERT t VALUES (1, 1, 1, 'x'), (1, 2, 2, 'Y'), (2, 5, 3, NULL)",
        "CREATE TABLE u (a int); INSERT u VALUES (3), (5), (2)",
    ) as found:
        yield found


@pytest.mark.parametrize(("t", "u"), [("t.", "x."), ("", ""), ("", "x."), ("t.", "")])
@pytest.mark.parametrize("text", CASES)
def test_whose_it_is(session: Session, text: str, t: str, u: str) -> None:
    told(session, "BEGIN TRAN")
    found = told(session, text.format(t=t, u=u))
    told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
    assert found == CASES[text]
