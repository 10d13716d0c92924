"""Computed columns that look at the clock: whoever reads a row, however it is found, sees what they are now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

COLUMNS = "(id int PRIMARY KEY, at datetime, age AS DATEDIFF(minute, at, GETDATE()), twice AS id * 2)"
TABLES = {
    "a table": ("t", f"CREATE TABLE t {COLUMNS}; INSERT t (id, at) VALUES (1, GETDATE())"),
    "a #temp table": ("#t", f"CREATE TABLE #t {COLUMNS}; INSERT #t (id, at) VALUES (1, GETDATE())"),
    "a table variable": ("@t", f"DECLARE @t TABLE {COLUMNS}; INSERT @t (id, at) VALUES (1, GETDATE())"),
}
READS = {
    "by key": "SELECT age FROM {t} WHERE id = 1",
    "by key in an expression": "SELECT ISNULL(age, 0) FROM {t} WHERE id = 1",
    "whole row": "SELECT age FROM (SELECT * FROM {t} WHERE id = 1) AS d",
    "scan": "SELECT age FROM {t}",
    "first": "SELECT TOP (1) age FROM {t} ORDER BY id",
    "aggregate": "SELECT MAX(age) FROM {t}",
    "condition": "SELECT 10 WHERE EXISTS (SELECT * FROM {t} WHERE age = 10)",
    "variable": "DECLARE @age int; SELECT @age = age FROM {t} WHERE id = 1; SELECT @age",
    "count": "SELECT COUNT(*) * 10 FROM {t} WHERE age = 10",
    "deleted": "UPDATE {t} SET at = GETDATE() OUTPUT deleted.age WHERE id = 1",
    "SET": "UPDATE {t} SET at = DATEADD(minute, -age, GETDATE()) OUTPUT inserted.age WHERE id = 1",
    "search of a write": "DELETE {t} OUTPUT deleted.id * 10 WHERE id = 1 AND age = 10",
    "cursor": "DECLARE c CURSOR LOCAL FOR SELECT age FROM {t} WHERE id = 1; OPEN c; FETCH c",
    "join": "SELECT x.age FROM {t} AS x JOIN {t} AS y ON x.id = y.id AND x.age = y.age",
}


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("table", TABLES)
def test_what_they_are_now(session: Session, table: str, read: str) -> None:
    name, made = TABLES[table]
    outcomes = list(
        session.run(f"{made}; {READS['by key'].format(t=name)}; WAITFOR DELAY '00:10:00'; {READS[read].format(t=name)}")
    )
    assert not [one.error for one in outcomes if isinstance(one, ErrorOutcome)]
    assert [one.rows for one in outcomes if isinstance(one, ResultSet)] == [[(0,)], [(10,)]]


def test_triggers_see_them_as_they_are_now(session: Session) -> None:
    for text in (
        TABLES["a table"][1],
        "CREATE TABLE seen (age int)",
        "CREATE TRIGGER tr ON t AFTER UPDATE AS INSERT seen SELECT age FROM deleted",
    ):
        session.run(text)
    outcomes = session.run("WAITFOR DELAY '00:10:00'; UPDATE t SET at = GETDATE() WHERE id = 1; SELECT age FROM seen")
    assert outcomes[-2].rows == [(10,)]
