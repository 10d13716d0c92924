"""FOR XML of many rows, which DuckDB writes, beside the same rows in a table variable, which Python writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import prepared, told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

COLUMNS = (
    "k int, i int, b bit, v varchar(40), n nvarchar(40), c char(4), p decimal(12,3), m money, f float, d datetime, e datetime2(7), g date, "
    "h time(3), u uniqueidentifier, x xml, l bigint"
)
ROWS = (
    "(1, 5, 1, 'plain', N'plain', 'a', 1.5, 2.25, 0.5, '2024-02-29T12:30:15.123', '2024-02-29T12:30:15.1234567', '2024-02-29', '12:30:00', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '<a b=\"1\">t<c/></a>', 9223372036854775807)",
    "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    "(3, -1, 0, 'a<b>&\"c\"', N'''ж&lt;', '>', -0.001, -1, 1e30, '1753-01-01', '0001-01-01', '9999-12-31', '00:00:00.5', NULL, '', -1)",
    "(4, 0, 0, '', N'', '', 0, 0, 0, '1900-01-01', '1900-01-01', '1900-01-01', '00:00', NULL, 'text', 0)",
    "(5, 7, 1, ' ', N'   ', ' ', 7, 7, 7, '2000-01-01', '2000-01-01', '2000-01-01', '07:00', NULL, '<a> x </a><b/>', 7)",
)
ODD = (
    "(6, 1, 1, 'a' + CHAR(9) + 'b', N'x', 'x', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, '<q>1</q>', 1)",
    "(7, 1, 1, 'a' + CHAR(10), N'x', 'x', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1)",
    "(8, 1, 1, CHAR(13) + CHAR(10), N'x', 'x', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1)",
    "(9, 1, 1, 'x', NCHAR(55357) + NCHAR(56832) + N'!', 'x', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1)",
    "(10, 1, 1, 'x', N'a' + NCHAR(55357), 'x', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1)",
    "(11, 1, 1, CHAR(1), N'x', 'x', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1)",
    "(12, 1, 1, ']]>', N'&#x41;', '%', 1, 1, 1, NULL, NULL, NULL, NULL, NULL, '<a>&#x0D;</a>', 1)",
)
SHOWN = {
    "numbers": "k, i, l, b, p, m, f",
    "texts": "v, n, c",
    "dates": "d, e, g, h, u",
    "an attribute": "k AS [@k], v AS [@v], n",
    "attributes alone": "n AS [@n], i AS [@i], d AS [@d]",
    "odd names": "k AS [a b], v AS [1x], n AS [_x0041_], i AS [ж]",
    "XML": "k, x",
    "XML alone": "x",
    "XML without a name": "k, (SELECT t.n FOR XML PATH('in'), TYPE), v",
    "one column": "v",
    "twice": "v AS a, n AS b, c AS a",
    "neighbours": "v AS a, n AS a",
    "a path": "v AS [a/b], n AS [a/c]",
    "texts inline": "v AS [*], k, n AS [text()]",
    "a constant": "'x' AS w, 1 AS o, NULL AS nothing, k",
    "of parameters": "@p AS p, v, UPPER(n) AS up",
}
CLAUSES = (
    "PATH('r')", "PATH", "PATH('r'), ROOT('q')", "PATH('r'), ELEMENTS XSINIL", "PATH('')", "RAW", "RAW('r'), ELEMENTS", "RAW, ROOT", "AUTO", "AUTO, ELEMENTS", "AUTO, ROOT('q'), ELEMENTS XSINIL",
)  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    session = instance.connect()
    assert told(session, "CREATE DATABASE d") == told(session, "USE d") == []
    rows = ", ".join((*ROWS, *ODD))
    assert told(session, f"CREATE TABLE t ({COLUMNS}); INSERT t VALUES {rows}") == []
    yield session
    instance.close()


def both(session: Session, shown: str, clause: str, where: str) -> tuple[object, object]:
    """What DuckDB has written, and Python."""
    query = f"SELECT {shown} FROM {{}} t WHERE {where} ORDER BY k FOR XML {clause}"
    text = f"DECLARE @t TABLE ({COLUMNS}); INSERT @t SELECT * FROM t; DECLARE @p nvarchar(9) = N'<p>'; "
    one, other = (text + f"SELECT CAST(({query.format(name)}) AS nvarchar(max))" for name in ("t", "@t"))
    return told(session, one), told(session, other)


@pytest.mark.matrix
@pytest.mark.parametrize("typed", ["", ", TYPE"])
@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_rows_are_written_as_python_writes_them(session: Session, shown: str, clause: str, typed: str) -> None:
    wheres = ["k <= 5", "k = 2", "k < 0", *(f"k = {k}" for k in range(3, 13)), "k IN (1, 9, 12)", "k <= 12 AND k <> 10"]
    for where in wheres:
        native, python = both(session, shown, clause + typed, where)
        assert native == python, where


JOINED = (
    "SELECT (SELECT ',' + {c} FROM {t} t WHERE {w} ORDER BY k FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)')",
    "SELECT STUFF((SELECT ', ' + {c} FROM {t} t WHERE {w} ORDER BY k FOR XML PATH(''), TYPE).value('.', 'varchar(20)'), 1, 2, '')",
    "SELECT (SELECT {c} FROM {t} t WHERE {w} ORDER BY k FOR XML PATH(''), TYPE).value('.', 'nchar(30)')",
    "SELECT CAST((SELECT {c} AS [text()] FROM {t} t WHERE {w} ORDER BY k FOR XML PATH(''), TYPE) AS nvarchar(max))",
    "SELECT (SELECT {c} AS [data()] FROM {t} t WHERE {w} ORDER BY k FOR XML PATH(''), TYPE).value('text()[1]', 'nvarchar(max)')",
    "SELECT (SELECT k AS [*] FROM {t} t WHERE {w} ORDER BY k FOR XML PATH(''), TYPE).value('.', 'bigint')",
)


@pytest.mark.matrix
@pytest.mark.parametrize("text", JOINED)
@pytest.mark.parametrize("column", ["v", "n", "c", "LEFT(v, 1)"])
def test_texts_are_joined_as_python_joins_them(session: Session, column: str, text: str) -> None:
    given = f"DECLARE @t TABLE ({COLUMNS}); INSERT @t SELECT * FROM t; "
    for where in ["k <= 5", "k < 0", *(f"k = {k}" for k in range(1, 13)), "k IN (1, 9, 12)", "k <= 12 AND k <> 10"]:
        native, python = (told(session, given + text.format(c=column, t=name, w=where)) for name in ("t", "@t"))
        assert native == python, where


MISSING = (
    "a LEFT JOIN b ON b.id = a.id", "b RIGHT JOIN a ON b.id = a.id", "a FULL JOIN b ON b.id = a.id", "a OUTER APPLY (SELECT * FROM b x WHERE x.id = a.id) b",
    "(SELECT b.id, b.n FROM a LEFT JOIN b ON b.id = a.id) b", "w b", "(SELECT id, n FROM b UNION ALL SELECT NULL, NULL) b",
    "(SELECT TOP (5) b.id, b.n FROM a LEFT JOIN b ON b.id = a.id) b", "(SELECT id, n FROM b GROUP BY GROUPING SETS ((id, n), ())) b",
    "(SELECT (SELECT id FROM b WHERE id = a.id) id, (SELECT n FROM b WHERE id = a.id) n FROM a) b",
)  # fmt: skip


@pytest.mark.parametrize("source", MISSING)
def test_a_row_without_a_value_is_an_empty_tag(source: str) -> None:
    """Also where no column of a table may be NULL, and the row of the table is missing."""
    setup = (
        "CREATE TABLE a (id int NOT NULL PRIMARY KEY); CREATE TABLE b (id int NOT NULL PRIMARY KEY, n nvarchar(9) NOT NULL)",
        "INSERT a VALUES (1), (2); INSERT b VALUES (1, N'x')",
        "CREATE VIEW w AS SELECT b.id, b.n FROM a LEFT JOIN b ON b.id = a.id",
    )
    with prepared(*setup) as session:
        for clause, name in (("PATH('r')", "r"), ("RAW, ELEMENTS", "row"), ("PATH('r'), TYPE", "r")):
            found = told(session, f"SELECT (SELECT b.id, b.n FROM {source} ORDER BY b.id FOR XML {clause})")
            assert found == [(f"<{name}/><{name}><id>1</id><n>x</n></{name}>",)], clause
