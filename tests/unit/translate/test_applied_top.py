"""TOP of rows that belong to a row of the query around, as many as there are for each, however they are joined.

Every join x condition x order x count, applied to four rows, one of which has a NULL. Beside TOP stands what the rows
of `a` and `b` give when they are counted here.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from translator_world import World

A = [(1, 5), (2, 5), (3, 5), (4, 6)]
C = [1, 3, None, 9]
# The join, and whether it keeps the rows of a that meet none of b, which is empty.
JOINS = (
    ("a", True),
    ("a LEFT JOIN b ON a.x = b.x AND a.d = b.d", True),
    ("b RIGHT JOIN a ON a.x = b.x AND a.d = b.d", True),
    ("a FULL JOIN b ON a.x = b.x", True),
    ("a LEFT JOIN b ON b.x = c.x", True),
    ("a JOIN b ON a.x = b.x", False),
)
CONDITIONS = {
    "a.d = 5": lambda x, d, c: d == 5,
    "a.d = 5 AND a.x >= c.x": lambda x, d, c: d == 5 and c is not None and x >= c,
    "a.x <= c.x": lambda x, d, c: c is not None and x <= c,
    "a.x = c.x AND b.y IS NULL": lambda x, d, c: x == c,
}
ORDERS = ("", "ORDER BY a.x DESC", "ORDER BY c.x", "ORDER BY (SELECT NULL)")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World()
    world.table("a", "x int, d int", *A)
    world.table("b", "x int, d int, y int")
    world.table("c", "x int", *((x,) for x in C))
    yield world
    world.close()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("join", JOINS, ids=[join for join, _ in JOINS])
@pytest.mark.parametrize("apply", ["CROSS", "OUTER"])
def test_each_row_has_its_own(world: World, apply: str, join: tuple[str, bool], condition: str, order: str) -> None:
    source, keeps = join
    if "b.y" in condition and source == "a":
        condition = "a.x = c.x"
        holds = CONDITIONS["a.x = c.x AND b.y IS NULL"]
    else:
        holds = CONDITIONS[condition]
    for count in (0, 1, 2, 9):
        query = f"SELECT c.x, q.d FROM c {apply} APPLY (SELECT TOP ({count}) a.d FROM {source} WHERE {condition} {order}) AS q"
        found = [min(count, sum(keeps and holds(x, d, c) for x, d in A)) for c in C]
        expected = [x for x, n in zip(C, found, strict=True) for _ in range(n or (apply == "OUTER"))]
        assert sorted(map(str, (row[0] for row in world.rows(query)))) == sorted(map(str, expected)), query


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(*) FROM c CROSS APPLY (SELECT TOP (1) a.d FROM a WHERE a.x = c.x ORDER BY a.d) AS q",
        "SELECT (SELECT TOP (1) a.d FROM a WHERE a.x = c.x ORDER BY a.d) FROM c",
    ],
)
def test_top_is_no_offset(world: World, query: str) -> None:
    """With one, DuckDB numbers all the rows of all of c."""
    text = world.query(query).sql
    assert " LIMIT " in text and "OFFSET" not in text
