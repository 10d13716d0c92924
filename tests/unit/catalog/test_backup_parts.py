"""A table is copied into a backup part by part: every row once, in its order, whatever was deleted between."""

from __future__ import annotations

import pytest

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.backup_file import parts


@pytest.mark.parametrize("rows", [0, 1, 122_880, 122_881, 400_000])
@pytest.mark.parametrize("gone", ["false", "a % 3 = 0", "a < 200000"])
def test_the_parts_of_a_table_are_the_table(rows: int, gone: str) -> None:
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT range AS a FROM range({rows})")
        connection.execute(f"DELETE FROM t WHERE {gone}")
        ((places,),) = connection.execute("SELECT coalesce(max(rowid) + 1, 0) FROM t").fetchall()
        found = list(parts("t", places))
        assert sum(count for _, count in found) == places
        assert len(found) <= 10
        connection.execute("CREATE TABLE copy AS FROM t LIMIT 0")
        for part, _ in found:
            connection.execute(f"INSERT INTO copy {part}")
        same = "SELECT (SELECT list(a) FROM (FROM t)) IS NOT DISTINCT FROM (SELECT list(a) FROM (FROM copy))"
        assert connection.execute(same).fetchall() == [(True,)]
