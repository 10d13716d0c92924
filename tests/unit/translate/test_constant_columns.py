"""Constants in the select list, where DuckDB takes a number for the place of a column: ORDER BY their name, DISTINCT.

Every kind of constant x every way to order by it or to compare it. Such a constant decides nothing: the
rows are those of the query without it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session

CONSTANTS = (
    "5", "-5", "~5", "(5)", "1 + 1", "5000000000", "1.5", "1e0", "$1", "0x01", "NULL", "'x'", "N'ß'", "N''", "'a' + 'b'",
    "'x' COLLATE Latin1_General_CS_AS", "CAST(1 AS bit)", "CAST('2020-01-01' AS date)", "CAST(NULL AS int)", "PI()",
    "ISNULL(NULL, 5)", "IIF(1 = 1, 5, 6)", "(SELECT 5)", "@v", "@s", "{d '2020-01-01'}",
)  # fmt: skip
# Query, and the numbers that its last column has.
QUERIES = (
    ("SELECT TOP (2) # AS a, i FROM t ORDER BY a, i DESC", [3, 2]),
    ("SELECT TOP (1) WITH TIES # AS a, 0 AS i FROM t ORDER BY a DESC", [0, 0, 0, 0]),
    ("SELECT # AS a, i FROM t ORDER BY a, i OFFSET 2 ROWS", [2, 3]),
    ("SELECT DISTINCT TOP (9) # AS a, i FROM t ORDER BY a, i DESC", [3, 2, 1]),
    ("SELECT DISTINCT # AS a, n, i FROM t ORDER BY i", [1, 2, 3]),
    ("SELECT DISTINCT #, N'x', 7", [7]),
    ("SELECT # AS a, COUNT(*) AS n FROM t GROUP BY i ORDER BY 1, n DESC", [2, 1, 1]),
    ("SELECT q.a, q.i FROM (SELECT TOP (1) # AS a, i FROM t ORDER BY a, i DESC) AS q", [3]),
    ("SELECT q.i FROM t CROSS APPLY (SELECT TOP (1) # AS a, 4 AS i ORDER BY a) AS q", [4, 4, 4, 4]),
    ("SELECT # AS a, i INTO #x FROM t ORDER BY a, i; SELECT SUM(i) FROM #x; DROP TABLE #x", [7]),
    ("DELETE @t; INSERT @t SELECT # AS a, i FROM t ORDER BY a; SELECT COUNT(*) FROM @t", [4]),
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    made = "CREATE TABLE t (i int, n nvarchar(9)); INSERT t VALUES (1, N'a'), (2, N'b'), (1, N'a'), (3, N'c')"
    instance.driver.run(session.execute(made, lambda outcome: None))
    yield session
    instance.close()


@pytest.mark.parametrize("query", QUERIES, ids=[query for query, _ in QUERIES])
def test_a_constant_orders_nothing(session: Session, query: tuple[str, list[int]]) -> None:
    text, expected = query
    for constant in CONSTANTS:
        batch = text.replace("#x", "!").replace("#", constant).replace("!", "#x")
        found: list[object] = []

        def sink(outcome: Outcome, kept: list[object] = found) -> None:
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
            if isinstance(outcome, ResultSet):
                kept += [row[-1] for row in outcome.rows]

        declared = f"DECLARE @v int = 5, @s nvarchar(5) = N'ß'; DECLARE @t TABLE (a sql_variant, i int); {batch}"
        session.instance.driver.run(session.execute(declared, sink))
        assert found == expected, constant
