"""SET ROWCOUNT: what each statement that reads or writes rows makes of it, by itself, in a procedure, in a text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import prepared, told

from sbql.engine.session import Session

SETUP = (
    "CREATE DATABASE D",
    "CREATE TABLE D.dbo.t (id int PRIMARY KEY, n int); CREATE TABLE D.dbo.u (id int, n int); CREATE TABLE D.dbo.l (id int); INSERT D.dbo.t SELECT value, value * 10 FROM GENERATE_SERIES(1, 5)",
)
LIMITED = {  # under SET ROWCOUNT 2, and what is asked behind it, when there is no limit
    "SELECT id FROM t ORDER BY id": ("", [(1,), (2,)]),
    "SELECT id FROM t UNION ALL SELECT 9 ORDER BY id DESC": ("", [(9,), (5,)]),
    "SELECT TOP (3) id FROM t ORDER BY id": ("", [(1,), (2,)]),
    "SELECT TOP (1) id FROM t ORDER BY id": ("", [(1,)]),
    "SELECT COUNT(*) FROM t": ("", [(5,)]),
    "SELECT id FROM t WHERE id IN (SELECT id FROM t WHERE id > 3) ORDER BY id": ("", [(4,), (5,)]),
    "DECLARE @n int; SELECT @n = id FROM t ORDER BY id; SELECT @n, @@ROWCOUNT": ("", [(2, 2)]),
    "DECLARE @n int = 0; SELECT @n = @n + id FROM t; SELECT @n": ("", [(3,)]),
    "IF (SELECT COUNT(*) FROM t) = 5 PRINT 'all'": ("", []),
    "SELECT id, n INTO s FROM t ORDER BY id": ("SELECT id, n FROM s", [(1, 10), (2, 20)]),
    "SELECT id INTO s FROM t UNION SELECT 0 ORDER BY id": ("SELECT id FROM s", [(0,), (1,)]),
    "SELECT IDENTITY(int, 5, 5) AS k, id INTO s FROM t ORDER BY id DESC": ("SELECT k, id FROM s", [(5, 5), (10, 4)]),
    "SELECT TOP (1) id INTO s FROM t ORDER BY id": ("SELECT id FROM s", [(1,)]),
    "SELECT id INTO #s FROM t; SELECT @@ROWCOUNT, (SELECT COUNT(*) FROM #s)": ("", [(2, 2)]),
    "INSERT u SELECT id, n FROM t ORDER BY id": ("SELECT id FROM u", [(1,), (2,)]),
    "INSERT u VALUES (1, 1), (2, 2), (3, 3)": ("SELECT id FROM u", [(1,), (2,)]),
    "INSERT u OUTPUT inserted.id SELECT id, n FROM t ORDER BY id": ("SELECT COUNT(*) FROM u", [(1,), (2,), (2,)]),
    "INSERT u EXEC ('SELECT id, n FROM t ORDER BY id')": ("SELECT id FROM u", [(1,), (2,)]),
    "UPDATE t SET n = -1": ("SELECT COUNT(*) FROM t WHERE n = -1", [(2,)]),
    "UPDATE TOP (1) t SET n = -1": ("SELECT COUNT(*) FROM t WHERE n = -1", [(1,)]),
    "UPDATE x SET n = -1 FROM t AS x JOIN t AS y ON x.id = y.id": ("SELECT COUNT(*) FROM t WHERE n = -1", [(2,)]),
    "DELETE t": ("SELECT COUNT(*) FROM t", [(3,)]),
    "DELETE t OUTPUT deleted.n INTO l": ("SELECT COUNT(*) FROM l", [(2,)]),
    "WITH c AS (SELECT id FROM t) DELETE c": ("SELECT COUNT(*) FROM t", [(3,)]),
    "DECLARE c CURSOR STATIC FOR SELECT id FROM t ORDER BY id; OPEN c; SELECT @@CURSOR_ROWS": ("FETCH LAST FROM c", [(2,), (2,)]),
    "DECLARE c CURSOR KEYSET FOR SELECT id FROM t ORDER BY id; OPEN c; SELECT @@CURSOR_ROWS": ("FETCH LAST FROM c", [(2,), (2,)]),
    "DECLARE c INSENSITIVE SCROLL CURSOR FOR SELECT id FROM t; OPEN c; SELECT @@CURSOR_ROWS": ("FETCH ABSOLUTE 3 FROM c", [(2,)]),
    "DECLARE c CURSOR DYNAMIC FOR SELECT id FROM t; OPEN c; SELECT @@CURSOR_ROWS": ("FETCH LAST FROM c", [(-1,), (5,)]),
    "DECLARE c CURSOR FOR SELECT id FROM t; OPEN c; FETCH c; FETCH c; FETCH c": ("", [(1,), (2,), (3,)]),
}  # fmt: skip
CALLS = {
    "itself": "{0}",
    "a text": "EXEC ('{1}')",
    "a procedure": "EXEC ('CREATE PROCEDURE p AS {2}'); EXEC p",
    "a trigger": "EXEC ('CREATE TRIGGER tr ON l AFTER INSERT AS IF TRIGGER_NESTLEVEL() = 1 BEGIN {2} END'); INSERT l VALUES (0)",
}


@pytest.fixture
def session() -> Iterator[Session]:
    with prepared(*SETUP) as session:
        session.run("USE D")
        yield session


@pytest.mark.matrix
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("statement", LIMITED)
def test_no_more_rows_than_the_limit(session: Session, statement: str, call: str) -> None:
    behind, expected = LIMITED[statement]
    if call != "itself" and ("#s" in statement or "INTO l" in statement):
        call = "a text"  # the table is gone, or has the trigger
    once = statement.replace("'", "''")
    text = CALLS[call].format(statement, once, once)
    assert told(session, f"SET ROWCOUNT 2; {text}; SET ROWCOUNT 0; {behind}") == expected


@pytest.mark.parametrize("limit", ["SET ROWCOUNT 0", "DECLARE @n int = 0; SET ROWCOUNT @n"])
def test_no_limit(session: Session, limit: str) -> None:
    assert told(session, f"SET ROWCOUNT 1; {limit}; SELECT id INTO s FROM t; SELECT @@ROWCOUNT") == [(5,)]


def test_a_limit_of_a_procedure_ends_with_it(session: Session) -> None:
    assert told(session, "CREATE PROCEDURE p AS SET ROWCOUNT 1; SELECT id INTO s FROM t; SELECT COUNT(*) FROM s") == []
    assert told(session, "EXEC p; SELECT COUNT(*) FROM (SELECT id FROM t) AS x; SELECT id FROM t WHERE id < 3") == [
        (1,),
        (5,),
        (1,),
        (2,),
    ]


def test_a_large_table_is_copied_no_further(session: Session) -> None:
    """The first time row by row, then as a set: the limit holds both times, and a set is made again without one."""
    assert told(session, "INSERT u SELECT value, 1 FROM GENERATE_SERIES(1, 20000)") == []
    for limit, count in ((0, 20000), (7, 7), (0, 20000), (15000, 15000)):
        text = f"SET ROWCOUNT {limit}; SELECT id INTO s FROM u; SET ROWCOUNT 0; SELECT COUNT(*) FROM s; DROP TABLE s"
        assert told(session, text) == [(count,)], limit
