"""Columns of a table that is grouped by its primary key need no key of their own, whatever else is grouped and asked.

Each query beside the same one with a column of that key hidden in an expression, which groups by all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import last_rows, told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SETUP = """CREATE TABLE o (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL, note varchar(max) NULL)
CREATE TABLE l (oid int NOT NULL, no int NOT NULL, what nvarchar(20) NULL, PRIMARY KEY (oid, no))
CREATE TABLE k (code nvarchar(10) NOT NULL PRIMARY KEY, name nvarchar(20) NULL)
INSERT o VALUES (1, N'Añb', 'x'), (2, N'añB ', 'X'), (3, NULL, NULL), (4, N'b', 'x')
INSERT l VALUES (1, 1, N'p'), (1, 2, N'P'), (2, 1, N'p'), (3, 1, NULL), (9, 1, N'q')
INSERT k VALUES (N'P', N'Pé'), (N'q', NULL)"""
QUERIES = (
    "SELECT {id}, name, COUNT(*) FROM o GROUP BY {id}, name",
    "SELECT name, note, COUNT(*) FROM o GROUP BY note, name, {id}",
    "SELECT o.name, SUM(l.no) FROM o JOIN l ON l.oid = o.id GROUP BY {o.id}, o.name",
    "SELECT o.name, l.what, COUNT(*) FROM o LEFT JOIN l ON l.oid = o.id GROUP BY {o.id}, o.name, l.what",
    "SELECT l.what, o.name, COUNT(*) FROM o RIGHT JOIN l ON l.oid = o.id GROUP BY {o.id}, o.name, l.what",
    "SELECT l.what, COUNT(*) FROM l GROUP BY {l.oid}, l.what",
    "SELECT l.what, COUNT(*) FROM l GROUP BY {l.oid}, no, l.what HAVING l.what <> N'zz' OR l.what IS NULL",
    "SELECT {k.code}, k.name, l.what, COUNT(*) FROM k JOIN l ON l.what = k.code GROUP BY {k.code}, k.name, l.what ORDER BY k.name, l.what",
    "SELECT k.name, COUNT(DISTINCT l.what) FROM k, l GROUP BY {k.code}, k.name",
    "SELECT a.name, b.name, COUNT(*) FROM o a JOIN o b ON b.id >= a.id GROUP BY {a.id}, a.name, b.name",
    "SELECT UPPER(name), GROUPING({id}), GROUPING(name) FROM o GROUP BY {id}, name",
    "SELECT name, COUNT(*) FROM o GROUP BY ROLLUP ({id}, name)",
    "SELECT q.name, q.n FROM (SELECT {id} AS i, name, COUNT(*) AS n FROM o GROUP BY {id}, name) q",
)  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    found = instance.connect()
    assert told(found, SETUP) == []
    yield found
    instance.close()


@pytest.mark.parametrize("query", QUERIES)
def test_the_same_groups(session: Session, query: str) -> None:
    one, other = query, query
    for column in ("id", "o.id", "l.oid", "k.code", "a.id"):
        one = one.replace(f"{{{column}}}", column)
        other = other.replace(f"{{{column}}}", f"{column} + N''" if column == "k.code" else f"({column} + 0)")
    found, expected = last_rows(session, one), last_rows(session, other)
    assert found, query
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
