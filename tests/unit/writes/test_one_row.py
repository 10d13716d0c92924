"""A write that names a value of a unique key finds one row at most: it is never tried as a set, so that the first run
of its text costs no query beside that of the row. What may find many is tried, also where a part of a key is named."""

from __future__ import annotations

from typing import Any

import pytest

from sbql.catalog.store_session import StoreSession
from sbql.engine.outcomes import ResultSet, RowsAffected
from sbql.engine.session import Session

COLUMNS = "a int NOT NULL, b varchar(20) NOT NULL, c int NULL, n int NULL"
KEYS = {
    "primary key": (f"{COLUMNS}, PRIMARY KEY (a)", "a = 3"),
    "primary key, by a variable": (f"{COLUMNS}, PRIMARY KEY (a)", "a = @a"),
    "primary key, and more": (f"{COLUMNS}, PRIMARY KEY (a)", "n = 3 AND 3 = a"),
    "primary key of a text": (f"{COLUMNS}, PRIMARY KEY (b)", "b = 'row 3'"),
    "primary key of two columns": (f"{COLUMNS}, PRIMARY KEY (a, b)", "a = 3 AND b = 'row 3'"),
    "unique constraint": (f"{COLUMNS}, UNIQUE (c)", "c = 3"),
    "unique index": (f"{COLUMNS}, INDEX i UNIQUE (c)", "c = 3"),
}
MANY = {
    "no key": (COLUMNS, "a = 3"),
    "a part of a key": (f"{COLUMNS}, PRIMARY KEY (a, b)", "a = 3"),
    "an index that is not unique": (f"{COLUMNS}, INDEX i (a)", "a = 3"),
    "one of two keys": (f"{COLUMNS}, PRIMARY KEY (a)", "a = 3 OR a = 4"),
    "more than a value": (f"{COLUMNS}, PRIMARY KEY (a)", "a >= 3"),
}
WRITES = ["UPDATE t SET n = n + 1 WHERE {}", "UPDATE t SET n = 5 WHERE {}", "DELETE t WHERE {}"]


@pytest.fixture
def found(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries whose rows were left in DuckDB's memory, as those of a set are."""
    queries: list[str] = []
    find = StoreSession.find

    def noted(self: StoreSession, sql: str, *given: Any, **how: Any) -> Any:
        queries.append(sql)
        return find(self, sql, *given, **how)

    monkeypatch.setattr(StoreSession, "find", noted)
    session.instance.locks.sets_from = 2
    return queries


def fill(session: Session, columns: str) -> None:
    session.run(f"CREATE TABLE t ({columns})")
    session.run("INSERT t SELECT value, CONCAT('row ', value), value, value FROM GENERATE_SERIES(1, 9)")


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("key", KEYS)
def test_by_a_unique_key(session: Session, found: list[str], key: str, write: str) -> None:
    columns, condition = KEYS[key]
    fill(session, columns)
    found.clear()
    (told,) = session.run(f"DECLARE @a int = 3; {write.format(condition)}")
    assert isinstance(told, RowsAffected)
    assert told.count == 1
    assert found == []
    seen = session.run("SELECT COUNT(*), SUM(a), SUM(n) FROM t")[0]
    assert isinstance(seen, ResultSet)
    others, sum_of_others = 8, 42
    changed = {"n + 1": 4, "5": 5}.get(write[len("UPDATE t SET n = ") : -len(" WHERE {}")])
    rows = (others, sum_of_others, sum_of_others) if changed is None else (9, 45, sum_of_others + changed)
    assert [tuple(row) for row in seen.rows] == [rows]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("key", MANY)
def test_by_what_may_be_many(session: Session, found: list[str], key: str, write: str) -> None:
    columns, condition = MANY[key]
    fill(session, columns)
    found.clear()
    session.run(write.format(condition))
    assert len(found) == 1
