"""What is wrong with the arguments of a call, or with the right to it, is told of the procedure that was called: its
name and line 0 (line 1 for the right), wherever the call stands. A text that sp_executesql runs has no name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.batches import Place
from sbql.grammar.errors import SqlError

SETUP = """
CREATE TYPE dbo.Numbers AS TABLE (n int);
GO
CREATE PROCEDURE dbo.one @a int AS RETURN 0;
GO
CREATE PROCEDURE dbo.small @a tinyint, @b uniqueidentifier = NULL, @c int = NULL OUTPUT AS RETURN 0;
GO
CREATE PROCEDURE dbo.many @rows dbo.Numbers READONLY AS RETURN 0;
GO
CREATE PROCEDURE dbo.none AS RETURN 0;
GO
CREATE FUNCTION dbo.twice (@a int) RETURNS int AS BEGIN RETURN @a * 2; END;
GO
CREATE PROCEDURE dbo.inner_proc AS
SELECT 1 AS before;
EXEC dbo.one;
GO
CREATE USER Kim WITHOUT LOGIN;
"""

CALLS = [
    (201, "one", 0, "EXEC dbo.one"),
    (201, "one", 0, "EXEC dbo.one DEFAULT"),
    (201, "twice", 0, "DECLARE @r int; EXEC @r = dbo.twice"),
    (201, "one", 0, "EXEC dbo.inner_proc"),
    (201, "sp_rename", 0, "EXEC sp_rename"),
    (201, "sp_executesql", 0, "EXEC sp_executesql"),
    (206, "many", 0, "EXEC dbo.many 1"),
    (206, "one", 0, "DECLARE @d date = '2020-01-01'; EXEC dbo.one @d"),
    (229, "one", 1, "EXECUTE AS USER = 'Kim'; EXEC dbo.one 1"),
    (229, "twice", 1, "DECLARE @r int; EXECUTE AS USER = 'Kim'; EXEC @r = dbo.twice 1"),
    (206, "one", 0, "DECLARE @c CURSOR; EXEC dbo.one @c"),
    (206, "small", 0, "DECLARE @c CURSOR; EXEC dbo.small 1, @c = @c OUTPUT"),
    (206, None, 0, "DECLARE @c CURSOR; EXEC sp_executesql N'SELECT @a', N'@a int', @c"),
    (8114, "one", 0, "EXEC dbo.one 'x'"),
    (8114, "one", 0, "EXEC dbo.one 99999999999"),
    (8114, "small", 0, "EXEC dbo.small 256"),
    (8114, "small", 0, "DECLARE @f float = 1e300; EXEC dbo.small @f"),
    (8114, "small", 0, "EXEC dbo.small 1, 'no guid'"),
    (8143, "small", 0, "EXEC dbo.small @a = 1, @a = 2"),
    (8144, "one", 0, "EXEC dbo.one 1, 2"),
    (8144, "twice", 0, "DECLARE @r int; EXEC @r = dbo.twice 1, 2"),
    (8144, "sp_rename", 0, "EXEC sp_rename 1, 2, 3, 4, 5"),
    (8145, "one", 0, "EXEC dbo.one @b = 1"),
    (8146, "none", 0, "EXEC dbo.none 1"),
    (8162, "one", 0, "DECLARE @v int; EXEC dbo.one @v OUTPUT"),
    (206, None, 0, "EXEC sp_executesql N'SELECT 1', N'@a dbo.Numbers READONLY', 1"),
    (214, "sp_executesql", 1, "EXEC sp_executesql 'SELECT 1'"),
    (214, "sp_executesql", 1, "EXEC sp_executesql N'SELECT 1', '@a int', 1"),
    (8114, None, 0, "EXEC sp_executesql N'SELECT @a', N'@a int', 'x'"),
    (8144, None, 0, "EXEC sp_executesql N'SELECT @a', N'@a int', 1, 2"),
    (8144, None, 0, "EXEC sp_executesql N'SELECT @a', N'@a int', @a = 1, @b = 2"),
    (8144, None, 0, "EXEC sp_executesql N'SELECT @a', N'@a int', @a = 1, @a = 2"),
    (8146, None, 0, "EXEC sp_executesql N'SELECT 1', N'', 1"),
    (8162, None, 0, "DECLARE @v int; EXEC sp_executesql N'SELECT @a', N'@a int', @v OUTPUT"),
    (8178, None, 1, "EXEC sp_executesql N'SELECT @a', N'@a int'"),
    (8178, None, 0, "EXEC sp_executesql N'SELECT @a, @b', N'@a int, @b int', 1"),
    (8178, None, 0, "EXEC sp_executesql N'SELECT @a', N'@a int', @b = 1"),
]  # fmt: skip
"""Number, procedure and line of what each call raises."""

UNDONE = "\nWHILE USER_NAME() = 'Kim' REVERT;"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    opened.run("CREATE DATABASE Calls")
    opened.run("USE Calls")
    for batch in SETUP.split("\nGO\n"):
        assert not errors(opened, batch)
    yield opened
    instance.close()


def errors(session: Session, text: str) -> list[SqlError]:
    return [one.error for one in session.run(text) if isinstance(one, ErrorOutcome)]


def rows(session: Session, text: str) -> list[tuple[object, ...]]:
    return [tuple(row) for one in session.run(text) if isinstance(one, ResultSet) for row in one.rows]


def quoted(text: str) -> str:
    return text.replace("'", "''")


@pytest.fixture(params=["a batch", "a text", "a procedure", "sp_executesql"])
def way(request: pytest.FixtureRequest, session: Session) -> Iterator[str]:
    yield request.param
    session.run("WHILE USER_NAME() = 'Kim' REVERT; IF @@TRANCOUNT > 0 ROLLBACK; DROP PROCEDURE IF EXISTS dbo.caller")


def is_chained(way: str, number: int) -> bool:
    """A procedure's caller needs no right to what the procedure's owner owns."""
    return way == "a procedure" and number == 229


def called(session: Session, way: str, text: str) -> str:
    """The batch that runs `text`, its statements in line 3, the given way."""
    text = f"\n\n{text}"
    if way == "a procedure":
        assert not errors(session, f"CREATE PROCEDURE dbo.caller AS{text}")
        return "EXEC dbo.caller"
    return {"a text": f"EXEC (N'{quoted(text)}')", "sp_executesql": f"EXEC sp_executesql N'{quoted(text)}'"}.get(
        way, text
    )


@pytest.mark.spec("DOOM-16")
@pytest.mark.parametrize(("number", "procedure", "line", "call"), CALLS)
def test_what_the_client_hears(
    session: Session, way: str, number: int, procedure: str | None, line: int, call: str
) -> None:
    heard = errors(session, called(session, way, call))
    if is_chained(way, number):
        assert heard == []
        return
    assert [(e.number, e.procedure, e.line) for e in heard] == [(number, procedure, line)]
    # Only in the client's own text is there a line to show; the caret is the client's, and SQL Server has none.
    in_text = way == "a batch" and "inner_proc" not in call
    assert heard[0].column_line == (3 if in_text else 0)
    assert Place("s.sql", 10).of(heard[0]) == ("s.sql:12" if in_text else "s.sql, batch at line 10")


@pytest.mark.parametrize(("number", "procedure", "line", "call"), CALLS)
def test_what_a_catch_has(session: Session, way: str, number: int, procedure: str | None, line: int, call: str) -> None:
    """And what it throws again is the same."""
    text = f"BEGIN TRY {call} END TRY BEGIN CATCH{UNDONE} SELECT ERROR_NUMBER(), ERROR_PROCEDURE(), ERROR_LINE(); THROW; END CATCH"
    outcomes = list(session.run(called(session, way, text)))
    caught = [tuple(row) for one in outcomes if isinstance(one, ResultSet) for row in one.rows if len(row) == 3]
    assert caught == ([] if is_chained(way, number) else [(number, procedure, line)])
    assert [
        (e.error.number, e.error.procedure, e.error.line) for e in outcomes if isinstance(e, ErrorOutcome)
    ] == caught


def test_a_query_that_calls_a_function_is_the_callers(session: Session) -> None:
    """The query is bound in the batch: its line counts, and no procedure is named."""
    for number, state, text in ((313, 2, "dbo.twice()"), (8144, 2, "dbo.twice(1, 2)")):
        heard = errors(session, f"\nSELECT {text}")
        assert [(e.number, e.state, e.procedure, e.line) for e in heard] == [(number, state, None, 2)]


def test_a_table_parameter_that_is_given_nothing_is_empty(session: Session) -> None:
    assert rows(session, "EXEC sp_executesql N'SELECT COUNT(*) FROM @a', N'@a dbo.Numbers READONLY'") == [(0,)]
