"""A column of the word NULL is an int for whoever reads it from outside, as one of SELECT INTO is: in a derived table,
a common table expression, a view, a function. Beside other rows the word still takes their type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import prepared, told

from sbql.engine.session import Session

SETUP = (
    "CREATE TABLE k (id int PRIMARY KEY, d date, v varchar(5), g uniqueidentifier, n int); INSERT k (id) VALUES (1)",
    "CREATE VIEW shown AS SELECT 1 AS id, NULL AS a",
    "CREATE FUNCTION given () RETURNS TABLE AS RETURN SELECT 1 AS id, NULL AS a",
)
SOURCES = {
    "derived": ("", "(SELECT 1 AS id, NULL AS a) AS s"),
    "named outside": ("", "(SELECT 1, NULL) AS s (id, a)"),
    "nested": ("", "(SELECT id, a FROM (SELECT 1 AS id, NULL AS a) AS t) AS s"),
    "over a table": ("", "(SELECT id, NULL AS a FROM k) AS s"),
    "rows alike": ("", "(SELECT 1 AS id, NULL AS a UNION ALL SELECT 2, NULL) AS s"),
    "values": ("", "(VALUES (1, NULL)) AS s (id, a)"),
    "common table": ("WITH s AS (SELECT 1 AS id, NULL AS a) ", "s"),
    "common table with names": ("WITH s (id, a) AS (SELECT 1, NULL) ", "s"),
    "view": ("", "shown AS s"),
    "function": ("", "given() AS s"),
    "apply": ("", "k CROSS APPLY (SELECT NULL AS a) AS s"),
}
# What is asked of a column s.a, and the answer for one row.
QUERIES = {
    "{w}SELECT s.a FROM {s} UNION ALL SELECT 'x'": [245],
    "{w}SELECT COALESCE(s.a, 'x') FROM {s}": [245],
    "{w}SELECT COALESCE(s.a, '7') FROM {s}": [(7,)],
    "{w}SELECT s.a INTO #n FROM {s}; SELECT TYPE_NAME(system_type_id) FROM tempdb.sys.columns WHERE object_id = OBJECT_ID('tempdb..#n')": [("int",)],
    "{w}INSERT k (id, d) SELECT 5, s.a FROM {s}": [206],
    "{w}INSERT k (id, g) SELECT 5, s.a FROM {s}": [206],
    "{w}UPDATE k SET d = s.a FROM {s}": [206],
    "{w}INSERT k (id, v) SELECT 5 + ROW_NUMBER() OVER (ORDER BY s.a), s.a FROM {s}": [],
    "{w}UPDATE k SET n = s.a, v = s.a FROM {s}": [],
    "{w}SELECT c, v FROM (SELECT 3 AS b, s.a FROM {s}) AS t UNPIVOT (v FOR c IN (a, b)) AS u": [("b", 3)],
}  # fmt: skip


@pytest.fixture
def session() -> Iterator[Session]:
    with prepared(*SETUP) as session:
        yield session


@pytest.mark.matrix
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_column_of_nulls_is_an_int(session: Session, source: str, query: str) -> None:
    with_, from_ = SOURCES[source]
    expected = QUERIES[query]
    if source == "rows alike" and expected and isinstance(expected[0], tuple) and expected != [("int",)]:
        expected = expected * 2
    assert told(session, query.format(w=with_, s=from_)) == expected


def test_the_word_takes_the_type_of_other_rows(session: Session) -> None:
    assert told(session, "SELECT a FROM (SELECT NULL AS a UNION ALL SELECT 'x') AS s") == [(None,), ("x",)]
    assert told(session, "SELECT COALESCE(a, 'y') FROM (VALUES (NULL), ('x')) AS s (a)") == [("y",), ("x",)]
    assert told(
        session, "INSERT k (id, d) SELECT 5, NULL; INSERT k (id, d) VALUES (6, NULL); SELECT COALESCE(NULL, 'x')"
    ) == [("x",)]
    assert told(
        session, "WITH r AS (SELECT 1 AS n, NULL AS a UNION ALL SELECT n + 1, n FROM r WHERE n < 2) SELECT a FROM r"
    ) == [(None,), (1,)]
    assert told(
        session, "WITH r AS (SELECT 1 AS n, NULL AS a UNION ALL SELECT n + 1, 'x' FROM r WHERE n < 2) SELECT a FROM r"
    ) == [240]
