"""A scalar function WITH RETURNS NULL ON NULL INPUT is NULL for a NULL among its arguments, however it
is called; its body does not run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session

_BODIES = {
    "an expression": "RETURN ISNULL(@a, 100) + ISNULL(@b, 1000)",
    "statements": "DECLARE @c int = ISNULL(@a, 100); SET @c += ISNULL(@b, 1000); RETURN @c",
    "a query": "RETURN (SELECT SUM(v) FROM (VALUES (ISNULL(@a, 100)), (ISNULL(@b, 1000))) AS t (v))",
    "an error": "IF @a IS NULL OR @b IS NULL RETURN 1 / 0; RETURN @a + @b",
}
_CALLS = {
    "SET": "DECLARE @r int; SET @r = dbo.f({a}, {b}); SELECT @r",
    "DECLARE": "DECLARE @r int = dbo.f({a}, {b}); SELECT @r",
    "SELECT of a row": "SELECT dbo.f({a}, {b})",
    "SELECT into a variable": "DECLARE @r int; SELECT @r = dbo.f({a}, {b}); SELECT @r",
    "variables": "DECLARE @a int = {a}, @b int = {b}; SELECT dbo.f(@a, @b)",
    "row by row": "SELECT dbo.f(t.a, t.b) FROM (VALUES (1, {a}, {b})) AS t (i, a, b)",
    "over a table": "DELETE dbo.t; INSERT dbo.t VALUES ({a}, {b}); SELECT dbo.f(a, b) FROM dbo.t",
    "over a table variable": "DECLARE @t table (a int, b int); INSERT @t VALUES ({a}, {b}); SELECT dbo.f(a, b) FROM @t",
    "an aggregate": "DELETE dbo.t; INSERT dbo.t VALUES ({a}, {b}); SELECT MAX(dbo.f(a, b)) FROM dbo.t",
    "UPDATE": "DELETE dbo.t; INSERT dbo.t VALUES ({a}, {b}); UPDATE dbo.t SET a = dbo.f(a, b); SELECT a FROM dbo.t",
    "in a function": "SELECT dbo.outside({a}, {b})",
    "in a view": "DELETE dbo.t; INSERT dbo.t VALUES ({a}, {b}); SELECT c FROM dbo.v",
    "a computed column": "DELETE dbo.c; INSERT dbo.c (a, b) VALUES ({a}, {b}); SELECT d FROM dbo.c",
    "a default": "SELECT dbo.f({a}, DEFAULT)",
    "a result": "DECLARE @a int = {a}; SELECT ISNULL(dbo.f(@a, {b}), -1)",
    "in a procedure": "EXEC dbo.p {a}, {b}",
    "IF": "IF dbo.f({a}, {b}) IS NULL SELECT NULL ELSE SELECT 3",
}


def _told(session: Session, text: str) -> list[Outcome]:
    found = list(session.run(text))
    assert not [each for each in found if isinstance(each, ErrorOutcome)], found
    return found


@pytest.fixture(params=list(_BODIES))
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for text in (
        f"CREATE FUNCTION dbo.f (@a int, @b int = NULL) RETURNS int WITH RETURNS NULL ON NULL INPUT AS BEGIN {_BODIES[request.param]} END",
        "CREATE FUNCTION dbo.outside (@a int, @b int) RETURNS int AS BEGIN RETURN dbo.f(@a, @b) END",
        "CREATE TABLE dbo.t (a int, b int)",
        "CREATE VIEW dbo.v AS SELECT dbo.f(a, b) AS c FROM dbo.t",
        "CREATE TABLE dbo.c (a int, b int, d AS dbo.f(a, b))",
        "CREATE PROCEDURE dbo.p @a int, @b int AS SELECT dbo.f(@a, @b)",
    ):
        _told(session, text)
    yield session
    instance.close()


@pytest.mark.parametrize("way", list(_CALLS))
def test_a_null_is_the_result(session: Session, way: str) -> None:
    def answer(a: str, b: str) -> object:
        found = _told(session, _CALLS[way].format(a=a, b=b))
        return [each for each in found if isinstance(each, ResultSet)][-1].rows[0][0]

    whole = answer("1", "2")
    assert whole is None if way == "a default" else whole == 3
    for a, b in (("NULL", "2"), ("1", "NULL"), ("NULL", "NULL")):
        assert answer(a, b) == (-1 if way == "a result" else None), (a, b)
