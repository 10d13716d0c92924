"""Functions that read, called for each row by queries of functions that read: to any depth, from every place, over
whatever the transaction has done to the table.

All functions of the chain give what the first one gives, the sum of `v` up to an id, so that a model
of one line knows every answer: each takes the greatest of what the one before it gives for the rows
up to that id, and no `v` is negative.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from sbql.catalog.inner_connections import SNAPSHOT_LEVELS
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

DEEPEST = 6
# WITH EXECUTE AS CALLER a function is called for each row; others are said in the query that calls them if they can be.
FIRST = "CREATE FUNCTION dbo.f1 (@i int) RETURNS int WITH EXECUTE AS CALLER AS BEGIN DECLARE @r int; SELECT @r = SUM(v) FROM t WHERE id <= @i; RETURN @r; END"
LINKS = {
    "a scalar function": "CREATE FUNCTION dbo.f{n} (@i int) RETURNS int WITH EXECUTE AS CALLER AS BEGIN DECLARE @r int; SELECT @r = MAX(dbo.f{m}(id)) FROM t WHERE id <= @i; RETURN @r; END",
    "a subquery": "CREATE FUNCTION dbo.f{n} (@i int) RETURNS int AS BEGIN RETURN (SELECT TOP (1) dbo.f{m}(id) FROM t WHERE id <= @i ORDER BY 1 DESC); END",
    "a table function": "CREATE FUNCTION dbo.g{n} (@i int) RETURNS @r TABLE (x int) AS BEGIN INSERT @r SELECT dbo.f{m}(id) FROM t WHERE id <= @i; RETURN; END\nGO\n"
    "CREATE FUNCTION dbo.f{n} (@i int) RETURNS int AS BEGIN DECLARE @r int; SELECT @r = MAX(g.x) FROM t CROSS APPLY dbo.g{n}(t.id) AS g WHERE t.id <= @i; RETURN @r; END",
    "a table variable": "CREATE FUNCTION dbo.f{n} (@i int) RETURNS int AS BEGIN DECLARE @t TABLE (id int); DECLARE @r int; INSERT @t SELECT id FROM t WHERE id <= @i;"
    " SELECT @r = MAX(dbo.f{m}(id)) FROM @t; RETURN @r; END",
    "a view": "CREATE VIEW dbo.w{n} AS SELECT id, dbo.f{m}(id) AS x FROM dbo.t\nGO\n"
    "CREATE FUNCTION dbo.f{n} (@i int) RETURNS int AS BEGIN DECLARE @r int; SELECT @r = MAX(x) FROM dbo.w{n} WHERE id <= @i; RETURN @r; END",
    "a cursor": "CREATE FUNCTION dbo.f{n} (@i int) RETURNS int AS BEGIN DECLARE @r int, @x int; DECLARE c CURSOR LOCAL FOR SELECT dbo.f{m}(id) FROM t WHERE id <= @i; OPEN c;"
    " FETCH c INTO @x; WHILE @@FETCH_STATUS = 0 BEGIN SET @r = IIF(@r > @x, @r, @x); FETCH c INTO @x; END; RETURN @r; END",
}
BEFORE = {
    "nothing": "",
    "INSERT": "INSERT t VALUES (3, 30), (9, 90)",
    "UPDATE": "UPDATE t SET v = v + 7 WHERE id > 1",
    "rows one by one": "INSERT t VALUES (3, 30); UPDATE t SET v = 31 WHERE id = 3; DELETE t WHERE id = 1; INSERT t VALUES (11, 1)",
    "DELETE": "DELETE t WHERE id % 2 = 0",
    "sets": "INSERT t SELECT value + 100, value FROM GENERATE_SERIES(1, 5); UPDATE t SET v = v * 2; DELETE t WHERE id > 103",
    "TRUNCATE": "TRUNCATE TABLE t; INSERT t VALUES (5, 50)",
    "a new table": "DROP TABLE t; CREATE TABLE t (id int, v int); INSERT t VALUES (1, 5), (2, 6), (7, 7)",
    "SELECT INTO": "SELECT id + 1 AS id, v * 2 AS v INTO u FROM t; DROP TABLE t; SELECT * INTO t FROM u",
    "a new column": "ALTER TABLE t ADD more int NOT NULL DEFAULT 5; UPDATE t SET v = v + 1",
    "a column less": "ALTER TABLE t DROP COLUMN spare; INSERT t VALUES (3, 3)",
    "a renamed column": "EXEC sp_rename 't.spare', 'other', 'COLUMN'\nGO\nUPDATE t SET other = 1, v = 2",
    "another schema": "UPDATE t SET v = 4 WHERE id = 2; ALTER SCHEMA home TRANSFER dbo.t; DELETE home.t WHERE id = 1; ALTER SCHEMA dbo TRANSFER home.t; INSERT t VALUES (3, 8)",
    "a savepoint": "INSERT t VALUES (3, 30); SAVE TRAN s; UPDATE t SET v = 0; TRUNCATE TABLE t; ROLLBACK TRAN s; UPDATE t SET v = v + 1 WHERE id = 2",
}
PLACES = {
    "the list": "SELECT id, dbo.f{n}(id) FROM t",
    "WHERE": "SELECT id, (SELECT SUM(v) FROM t AS o WHERE o.id <= t.id) FROM t WHERE dbo.f{n}(id) >= 0",
    "UPDATE": "UPDATE t SET v = dbo.f{n}(id); SELECT id, v FROM t",
    "INSERT": "DECLARE @r TABLE (id int, v int); INSERT @r SELECT id, dbo.f{n}(id) FROM t; SELECT * FROM @r",
    "DELETE": "DELETE t WHERE dbo.f{n}(id) < 0; SELECT id, dbo.f1(id) FROM t",
    "MERGE": "MERGE t USING (SELECT id AS i, dbo.f{n}(id) AS x FROM t) AS s ON s.i = t.id WHEN MATCHED THEN UPDATE SET v = s.x; SELECT id, v FROM t",
    "APPLY": "SELECT t.id, a.x FROM t CROSS APPLY (SELECT dbo.f{n}(t.id) AS x) AS a",
    "a variable": "DECLARE @r TABLE (id int, v int); DECLARE @i int; DECLARE c CURSOR STATIC FOR SELECT id FROM t; OPEN c; FETCH c INTO @i;"
    " WHILE @@FETCH_STATUS = 0 BEGIN INSERT @r VALUES (@i, dbo.f{n}(@i)); FETCH c INTO @i; END; CLOSE c; DEALLOCATE c; SELECT * FROM @r",
}


def run(session: Session, text: str) -> list[list[tuple[Any, ...]]]:
    found = []
    for batch in text.split("\nGO\n"):
        for outcome in session.run(batch):
            assert not isinstance(outcome, ErrorOutcome), (outcome.error.number, outcome.error.message, batch)
            if isinstance(outcome, ResultSet):
                found.append(sorted(outcome.rows))
    return found


@pytest.fixture
def session() -> Iterator[Session]:
    with closing(Instance.open(clock="virtual")) as instance:
        opened = instance.connect()
        run(
            opened,
            "CREATE DATABASE d; ALTER DATABASE d SET ALLOW_SNAPSHOT_ISOLATION ON\nGO\nUSE d\nGO\nCREATE SCHEMA home",
        )
        run(
            opened,
            f"CREATE TABLE t (id int, v int, spare int); INSERT t (id, v) VALUES (1, 10), (2, 20), (4, 40), (6, 5)\nGO\n{FIRST}",
        )
        yield opened


def chain(session: Session, links: list[str]) -> None:
    for n, link in enumerate(links, 2):
        run(session, LINKS[link].format(n=n, m=n - 1))


def sums(session: Session) -> list[tuple[int, int]]:
    (rows,) = run(session, "SELECT id, v FROM t")
    return sorted((i, sum(v for j, v in rows if j <= i)) for i, _ in rows)


@pytest.mark.matrix
@pytest.mark.parametrize("sets_from", [0, sys.maxsize], ids=["as sets", "row by row"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("before", BEFORE)
def test_reads_of_what_the_transaction_has_done(session: Session, before: str, place: str, sets_from: int) -> None:
    """Three levels, each of another kind, over whatever was done to the table
    before; and after the rollback as well."""
    session.instance.locks.sets_from = sets_from
    session_before = sums(session)
    chain(session, ["a scalar function", "a table function"])
    given = (
        BEFORE[before]
        .replace("INSERT t VALUES", "INSERT t (id, v) VALUES")
        .replace("INSERT t SELECT", "INSERT t (id, v) SELECT")
    )
    run(session, f"BEGIN TRAN; {given}")
    expected = sums(session)
    assert run(session, PLACES[place].format(n=3))[-1] == expected
    run(session, "ROLLBACK")
    assert sums(session) == session_before
    assert run(session, "SELECT id, dbo.f3(id) FROM t") == [session_before]


@pytest.mark.parametrize("link", LINKS)
def test_depth(session: Session, link: str) -> None:
    """A chain of one kind, alone and in a transaction that has written, to any depth."""
    chain(session, [link] * (DEEPEST - 1))
    for n in range(1, DEEPEST + 1):
        assert run(session, f"SELECT id, dbo.f{n}(id) FROM t") == [sums(session)]
    run(session, "BEGIN TRAN; INSERT t VALUES (3, 3, 3)")
    assert run(session, f"SELECT id, dbo.f{DEEPEST}(id) FROM t") == [sums(session)]


@pytest.mark.matrix
@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(LINKS, 2)))
def test_pairs(session: Session, first: str, second: str) -> None:
    chain(session, [first, second])
    run(session, "BEGIN TRAN; UPDATE t SET v = v + 1; INSERT t VALUES (3, 3, 3)")
    assert run(session, "SELECT id, dbo.f3(id) FROM t") == [sums(session)]


def test_snapshot(session: Session) -> None:
    """All levels read what was committed when the transaction began, and its own rows;
    one too deep for that is told so."""
    chain(session, ["a scalar function"] * (SNAPSHOT_LEVELS + 1))
    other = session.instance.connect("d")
    run(session, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM t")
    run(other, "INSERT t VALUES (0, 1000, 0); UPDATE t SET v = v * 3")
    for _ in range(2):
        expected = sums(session)
        for n in range(1, SNAPSHOT_LEVELS + 1):
            assert run(session, f"SELECT id, dbo.f{n}(id) FROM t") == [expected]
        run(session, "INSERT t VALUES (3, 3, 3)")
    errors = [
        o.error.number
        for o in session.run(f"SELECT dbo.f{SNAPSHOT_LEVELS + 1}(id) FROM t")
        if isinstance(o, ErrorOutcome)
    ]
    assert errors == [40517]
    run(session, "ROLLBACK; SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
    assert run(session, f"SELECT id, dbo.f{SNAPSHOT_LEVELS + 1}(id) FROM t") == [sums(session)]


def test_tables_whose_names_are_nearly_the_same(session: Session) -> None:
    """Each has a copy of its own."""
    run(
        session,
        'CREATE TABLE [a.b] (v int); CREATE TABLE a_b (v int); CREATE TABLE [a"b] (v int); CREATE TABLE [a b] (v int)',
    )
    names = ("[a.b]", "a_b", '[a"b]', "[a b]")
    reads = " + ".join(f"(SELECT SUM(v) FROM {name}) * {10**n}" for n, name in enumerate(names))
    run(
        session,
        f"CREATE FUNCTION dbo.h (@i int) RETURNS int AS BEGIN DECLARE @r int = 0; SELECT @r = {reads}; RETURN @r + @i * 0; END",
    )
    inserts = "; ".join(f"INSERT {name} VALUES ({n})" for n, name in enumerate(names, 1))
    assert run(session, f"BEGIN TRAN; {inserts}; SELECT DISTINCT dbo.h(id) FROM t") == [[(4321,)]]
