"""Tables of found rows: a cancel reaches the queries over them, and nothing of them is left."""

from __future__ import annotations

import threading

import duckdb
import pytest

from sbql.catalog.store import Store
from sbql.grammar.errors import SqlError

ENDLESS = "(SELECT count(*) FROM range(1000000000000) AS endless(i) WHERE i % 2 = c1)"


def left(store: Store) -> list[tuple[str, ...]]:
    with store.scratch() as connection:
        return connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE '%found%' UNION SELECT database_name FROM duckdb_databases()"
            " WHERE database_name LIKE 'found%'"
        ).fetchall()


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_cancel_stops_a_query_over_found_rows(store: Store, is_inside: bool) -> None:
    session = store.connect()
    found = session.find("SELECT 1 AS a", ["BIGINT"], (), is_inside=is_inside)
    assert found.count == 1 and found.query(f"SELECT c1 FROM {found.name}") == [(1,)]
    numbers: list[int] = []

    def ask() -> None:
        with pytest.raises(SqlError) as raised:
            found.query(f"SELECT {ENDLESS} FROM {found.name}")
        numbers.append(raised.value.number)

    asking = threading.Thread(target=ask)
    asking.start()
    while asking.is_alive():  # DuckDB forgets one that comes before the query
        session.interrupt()
        asking.join(0.02)
    assert numbers == [3617]
    found.drop()
    found.drop()
    assert left(store) == []
    session.close()


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_cancel_while_rows_are_found_leaves_nothing(store: Store, is_inside: bool) -> None:
    session = store.connect()
    stopped: list[str] = []

    def find() -> None:
        query = "SELECT i FROM range(1000000000000) AS endless(i) WHERE i % 7 = -1"
        with pytest.raises(duckdb.InterruptException) as raised:
            session.find(query, ["BIGINT"], (), is_inside=is_inside)
        stopped.append(type(raised.value).__name__)

    finding = threading.Thread(target=find)
    finding.start()
    while finding.is_alive():
        session.interrupt()
        finding.join(0.02)
    assert stopped == ["InterruptException"]
    assert left(store) == []
    session.close()


REPEATED = {
    "each once": [5, 3, 9, 1],
    "twice": [5, 3, 5, 9, 3, 5],
    "all the same": [7] * 9,
    "none at all": [],
    "without a value": [4, None, 6, None],
    "twice, and without a value": [4, None, 6, None, 4],
    "nothing but no values": [None, None],
    "as many values as rows, one of them twice": [1, 2, 2, 3],
    "each once, far apart": [1, 1 << 40, 2, -(1 << 62)],
    "twice, far apart": [1, 1 << 40, 2, 1 << 40],
    "negative": [-1, -3, 0, -3],
    "too far apart for a bit each": [*range(100), 899_999_999, 900_000_100, 900_000_100],
}


@pytest.mark.parametrize("is_inside", [False, True])
@pytest.mark.parametrize("case", REPEATED)
def test_of_rows_with_one_value_the_first_is_kept(store: Store, case: str, is_inside: bool) -> None:
    keys = REPEATED[case]
    expected = {key: place for place, key in reversed(list(enumerate(keys))) if key is not None}
    session = store.connect()
    values = ", ".join(f"({'NULL' if key is None else key}::BIGINT, {place})" for place, key in enumerate(keys))
    query = f"SELECT * FROM (VALUES {values or '(NULL::BIGINT, 0)'}) AS v(key, place)" + (
        "" if keys else " WHERE false"
    )
    found = session.find(query, ["BIGINT", "BIGINT"], (), is_inside=is_inside)
    found.keep_first()
    assert dict(found.query(f"SELECT c1, c2 FROM {found.name}")) == expected
    assert found.count == len(expected) == len(found.query(f"SELECT c1 FROM {found.name}"))
    found.drop()
    session.close()
