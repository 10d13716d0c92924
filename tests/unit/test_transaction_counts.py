"""Error 266: a body that begins or ends transactions of its caller says so, however it is called. Under XACT_ABORT none
does, nor where IMPLICIT_TRANSACTIONS has begun the one that is left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import prepared, told

from sbql.engine.session import Session

CALLS = {
    "procedure": "EXEC ('CREATE OR ALTER PROCEDURE p AS {0}'); EXEC p",
    "procedure in a procedure": "EXEC ('CREATE OR ALTER PROCEDURE p AS {0}'); EXEC ('CREATE OR ALTER PROCEDURE q AS EXEC p'); EXEC q",
    "text": "EXEC ('{0}')",
    "text of a variable": "DECLARE @s nvarchar(200) = N'{0}'; EXEC (@s)",
    "sp_executesql": "EXEC sp_executesql N'{0}'",
    "sp_executesql with parameters": "EXEC sp_executesql N'{0}', N'@a int', @a = 1",
    "prepared": "DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'@a int', N'{0}'; EXEC sp_execute @h, 1",
}  # fmt: skip
BODIES = {  # the count that a body of this kind leaves, from 0 and from 1
    "BEGIN TRAN": (1, 2),
    "BEGIN TRAN; BEGIN TRAN": (2, 3),
    "BEGIN TRAN; SELECT a FROM nosuch": (1, 2),
    "COMMIT": (None, 0),
    "ROLLBACK": (None, 0),
    "ROLLBACK; BEGIN TRAN": (None, 1),
    "BEGIN TRAN; COMMIT": (0, 1),
    "INSERT t VALUES (1)": (0, 1),
    "SAVE TRAN s; ROLLBACK TRAN s": (None, 1),
}


@pytest.fixture
def session() -> Iterator[Session]:
    with prepared("CREATE DATABASE D", "CREATE TABLE D.dbo.t (a int)") as session:
        session.run("USE D")
        yield session


def _levels(call: str) -> int:
    return 2 if call == "procedure in a procedure" else 1


@pytest.mark.matrix
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_leaves_another_count(session: Session, call: str, body: str) -> None:
    text = CALLS[call].format(body)
    for before, after in enumerate(BODIES[body]):
        if after is None:
            continue
        begin = "BEGIN TRAN; " * before
        missing = [208] if "nosuch" in body else []
        mismatch = [266] * _levels(call) if after != before else []
        end = "SELECT @@TRANCOUNT; WHILE @@TRANCOUNT > 0 ROLLBACK"
        assert told(session, f"{begin}{text}; {end}") == [*missing, *mismatch, (after,)], before
        inner = text.replace("'", "''")
        assert told(session, f"SET XACT_ABORT ON; {begin}EXEC ('{inner}'); {end}") == (missing or [(after,)])
        assert told(session, "SET XACT_ABORT OFF; WHILE @@TRANCOUNT > 0 ROLLBACK") == []
        caught = f"{begin}BEGIN TRY {text}; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), @@TRANCOUNT; END CATCH; WHILE @@TRANCOUNT > 0 ROLLBACK"
        first = [(208, after)] if missing else [(266, after)] if mismatch else []
        assert told(session, caught) == first, before


@pytest.mark.matrix
@pytest.mark.parametrize("call", CALLS)
def test_what_begins_by_itself_is_the_callers(session: Session, call: str) -> None:
    """As drivers have it that turn autocommit off: the first statement of a transaction may stand in a procedure."""
    assert told(session, CALLS[call].format("INSERT t VALUES (1)")) == []
    again = {"procedure": "EXEC p", "procedure in a procedure": "EXEC q"}.get(
        call, CALLS[call].format("INSERT t VALUES (1)")
    )
    assert told(session, "SET IMPLICIT_TRANSACTIONS ON") == []
    for _ in range(2):
        assert told(session, f"{again}; SELECT @@TRANCOUNT") == [(1,)]
    assert told(session, "SELECT COUNT(*) FROM t; ROLLBACK; SELECT COUNT(*) FROM t; ROLLBACK") == [(3,), (1,)]
    assert told(session, "SELECT @@TRANCOUNT; SET IMPLICIT_TRANSACTIONS OFF") == [(0,)]


def test_transactions_of_its_own_beside_the_one_that_begins_by_itself(session: Session) -> None:
    """BEGIN TRANSACTION where none is open begins two then; what ends the caller's is told as ever."""
    text = "SET IMPLICIT_TRANSACTIONS ON; EXEC ('BEGIN TRAN'); SELECT @@TRANCOUNT; EXEC ('COMMIT'); EXEC ('ROLLBACK'); SELECT @@TRANCOUNT; SET IMPLICIT_TRANSACTIONS OFF"
    assert told(session, text) == [266, (2,), 266, 266, (0,)]
