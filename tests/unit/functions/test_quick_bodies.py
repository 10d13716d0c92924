"""A function that is called for each row gives the same whether its body runs as closures alone or as it stands.

The twin of each function is the same body WITH EXECUTE AS CALLER, which means the same and always runs as it stands.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType

import pytest
from told import prepared, told

from sbql.catalog.records import Module
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet
from sbql.engine.query.quick_bodies import quick_body
from sbql.engine.security.resolver import resolve
from sbql.engine.session import Session
from sbql.grammar.ast import Identifier, ObjectName

SPLIT = """DECLARE @i int = 1, @j int
WHILE @i <= LEN(@s) BEGIN
    SET @j = CHARINDEX(N',', @s + N',', @i)
    INSERT @t {0} (SUBSTRING(@s, @i, @j - @i))
    SET @i = @j + 1
END
RETURN"""
TABLES: dict[str, tuple[str, str]] = {
    "split": ("v nvarchar(20)", SPLIT.format("VALUES")),
    "split, numbered": ("id int IDENTITY(5, 2), v nvarchar(20) NOT NULL", SPLIT.format("(v) VALUES")),
    "split, each once": ("v nvarchar(20) COLLATE Latin1_General_CI_AS PRIMARY KEY", SPLIT.format("VALUES")),
    "split into a short column": ("v varchar(2) NULL", SPLIT.format("VALUES")),
    "split into numbers": ("v int", SPLIT.format("VALUES")),
    "two keys": ("a int NOT NULL PRIMARY KEY, b int NULL UNIQUE", "INSERT @t VALUES (1, @n) INSERT @t VALUES (2, @n + 1)\nINSERT @t VALUES (3, 4) RETURN"),
    "two columns under one key": ("a int, b int, UNIQUE (a, b)", "INSERT @t VALUES (@n, 1) INSERT @t VALUES (@n, @n)\nINSERT @t SELECT 4, 4 RETURN"),
    "defaults": ("a int DEFAULT 7, b varchar(5) NOT NULL DEFAULT 'x', c int", "INSERT @t (c) VALUES (@n) INSERT @t (b, c) SELECT 'y', @n * 2 RETURN"),
    "a default that changes": ("a int, b uniqueidentifier DEFAULT NEWID()", "INSERT @t (a) VALUES (@n) RETURN"),
    "the word DEFAULT": ("a int DEFAULT 3, b int", "INSERT @t VALUES (DEFAULT, @n) RETURN"),
    "NULL is refused": ("a int NOT NULL, b int", "INSERT @t VALUES (1, 2)\nINSERT @t VALUES (@n, 3) RETURN"),
    "NULL alone is refused": ("a int NOT NULL", "INSERT @t VALUES (1)\nINSERT @t VALUES (@n) RETURN"),
    "a check": ("a int CHECK (a < 4)", "INSERT @t VALUES (@n) RETURN"),
    "a computed column": ("a int, b AS a * 2", "INSERT @t (a) VALUES (@n) RETURN"),
    "a count that ends": ("id tinyint IDENTITY(253, 1), a int", "DECLARE @i int = 0 WHILE @i < @n BEGIN INSERT @t (a) VALUES (@i) SET @i += 1 END RETURN"),
    "an exact count": ("id decimal(5) IDENTITY, a int", "INSERT @t (a) VALUES (@n) RETURN"),
    "an identity that is given": ("id int IDENTITY, a int", "INSERT @t (id, a) VALUES (1, @n) RETURN"),
    "rows of one statement": ("a int", "INSERT @t VALUES (@n), (@n + 1), (@n + 2) RETURN"),
    "rows of a query": ("a int", "INSERT @t SELECT id FROM dbo.calls WHERE id < @n RETURN"),
    "values in another order": ("a int, b varchar(10), c date", "INSERT @t (c, a, b) VALUES ('20240229', @n, @s) RETURN"),
    "a type for each": ("a bit, b decimal(9, 2), c money, d float, e datetime2(3), f varbinary(10), g uniqueidentifier, h sql_variant, i time, j datetimeoffset",
        "INSERT @t VALUES (@n, @n / 3.0, @n * 1.5, @n, DATEADD(day, @n, '20240101'), CAST(@n AS varbinary(4)), '6F9619FF-8B86-D011-B42D-00C04FC964FF', @n, '10:11:12', '2024-01-02 03:04:05 +02:00') RETURN"),
    "nothing": ("a int", "RETURN"),
    "an early end": ("a int", "IF @n > 2 RETURN INSERT @t VALUES (@n) IF @n = 2 BEGIN RETURN END INSERT @t VALUES (0) RETURN"),
    "branches": ("a varchar(10)", "IF @n IS NULL INSERT @t VALUES ('none') ELSE IF @n % 2 = 0 BEGIN INSERT @t VALUES ('even') INSERT @t VALUES ('two') END ELSE INSERT @t VALUES ('odd') RETURN"),
    "BREAK and CONTINUE": ("a int", "WHILE 1 = 1 BEGIN SET @n = ISNULL(@n, 0) + 1 IF @n % 2 = 0 CONTINUE IF @n > 9 BREAK INSERT @t VALUES (@n) END INSERT @t VALUES (-1) RETURN"),
    "loops in a loop": ("a int, b int", "DECLARE @i int = 0 WHILE @i < @n BEGIN DECLARE @j int = 0 WHILE @j < 9 BEGIN SET @j += 1 IF @j > @i BREAK INSERT @t VALUES (@i, @j) END SET @i += 1 END RETURN"),
    "a variable that keeps": ("a int", "DECLARE @i int = 0 WHILE @i < 3 BEGIN DECLARE @x int SET @x = ISNULL(@x, 0) + @n INSERT @t VALUES (@x) SET @i += 1 END RETURN"),
    "SELECT of variables": ("a int, b int", "DECLARE @x int, @y int = 1 SELECT @x = @n, @y = @x + @y, @x += 1 INSERT @t SELECT @x, @y RETURN"),
    "SELECT of some rows": ("a int", "DECLARE @x int SELECT @x = @n WHERE @n > 2 INSERT @t VALUES (@x) RETURN"),
    "SELECT TOP": ("a int", "DECLARE @x int SELECT TOP (0) @x = @n INSERT @t VALUES (@x) RETURN"),
    "an assignment by a query": ("a int", "DECLARE @x int = (SELECT COUNT(*) FROM dbo.calls WHERE id < @n) INSERT @t VALUES (@x) RETURN"),
    "another function": ("a int", "INSERT @t VALUES (dbo.twice(@n)) RETURN"),
    "what the session says": ("a int, b int, c int", "INSERT @t VALUES (@n, @@ROWCOUNT, @@NESTLEVEL) INSERT @t VALUES (@n, @@ROWCOUNT, @@ERROR) RETURN"),
    "the clock": ("a int", "INSERT @t VALUES (YEAR(GETDATE()) * 0 + @n) RETURN"),
    "changes of rows": ("a int, b int", "INSERT @t VALUES (@n, 1) UPDATE @t SET b = 2 WHERE a > 1 DELETE @t WHERE a = 3 RETURN"),
    "its own rows": ("a int", "INSERT @t VALUES (@n) INSERT @t SELECT a + 1 FROM @t RETURN"),
    "another table": ("a int", "DECLARE @u TABLE (x int) INSERT @u VALUES (@n) INSERT @t SELECT x FROM @u RETURN"),
    "OUTPUT": ("a int, b int", "INSERT @t (a) OUTPUT inserted.a, 5 INTO @t VALUES (@n) RETURN"),
    "TOP of an INSERT": ("a int", "INSERT TOP (0) @t VALUES (@n) RETURN"),
    "overflow": ("a int", "DECLARE @i int = 2147483640\nWHILE @n < 4\nBEGIN SET @i = @i + @n\nSET @n += 1\nINSERT @t VALUES (@i)\nEND RETURN"),
    "division": ("a int", "INSERT @t VALUES (1)\nINSERT @t VALUES (6 / (@n - 2)) RETURN"),
    "a text that is no number": ("a int", "INSERT @t VALUES (1)\nDECLARE @x int = @s\nINSERT @t VALUES (@x) RETURN"),
    "a wrong length": ("a varchar(10)", "INSERT @t VALUES (LEFT(@s, @n - 2)) RETURN"),
    "a date of the language": ("a date", "DECLARE @x varchar(20) = CAST(@n AS varchar(5)) + '/2/2024' INSERT @t VALUES (CAST(@x AS date)) RETURN"),
    "CASE, LIKE, IN, BETWEEN": ("a varchar(5)", "INSERT @t VALUES (CASE WHEN @s LIKE N'%b%' THEN 'like' WHEN @n IN (1, 3) THEN 'in' WHEN @n BETWEEN 2 AND 9 THEN 'btw' END) RETURN"),
    "surrogates": ("a nvarchar(5)", "INSERT @t VALUES (SUBSTRING(N'a\U0001f600b', @n, 1)) INSERT @t VALUES (NCHAR(55357)) RETURN"),
    "a user type": ("a dbo.code", "DECLARE @c dbo.code = @s INSERT @t VALUES (@c) RETURN"),
    "names in another case": ("A int", "DECLARE @X INT = @N INSERT @T (a) VALUES (@x) RETURN"),
}  # fmt: skip
QUICK_TABLES = frozenset(
    "split|split, numbered|split, each once|split into a short column|split into numbers|two keys|two columns under one key|defaults|NULL is refused|NULL alone is refused|a count that ends|"
    "values in another order|a type for each|nothing|an early end|branches|BREAK and CONTINUE|loops in a loop|a variable that keeps|SELECT of variables|overflow|division|a text that is no number|a wrong length|"
    "a date of the language|CASE, LIKE, IN, BETWEEN|surrogates|a user type|names in another case".split("|")
)
SCALARS: dict[str, tuple[str, str]] = {
    "a sum": ("int", "DECLARE @i int = 0, @r int = 0 WHILE @i < @n BEGIN SET @i += 1 SET @r += @i END RETURN @r"),
    "digits of a text": ("nvarchar(50)", "DECLARE @r nvarchar(50) = N'', @i int = 1 WHILE @i <= LEN(@s) BEGIN IF SUBSTRING(@s, @i, 1) LIKE N'[0-9]' SET @r = @r + SUBSTRING(@s, @i, 1) SET @i += 1 END RETURN @r"),
    "a return inside": ("int", "WHILE @n < 100 BEGIN SET @n = @n * 2 + 1 IF @n > 10 RETURN @n END RETURN NULL"),
    "a result that is cut": ("varchar(3)", "DECLARE @r varchar(20) = '' WHILE LEN(@r) < @n SET @r = @r + 'ab' RETURN @r"),
    "overflow": ("tinyint", "WHILE @n % 50 < 40\nSET @n = @n * 7 + 1\nRETURN @n"),
    "division": ("int", "DECLARE @i int = 0\nWHILE @i < 2\nBEGIN SET @i += 1\nSET @n = 6 / (@n - 3) END RETURN @n"),
    "rows that are counted": ("int", "DECLARE @i int = 0 WHILE @i < 2 SET @i += 1 RETURN @@ROWCOUNT + @n"),
    "a query": ("int", "DECLARE @i int = 0 WHILE @i < 2 SET @i += 1 RETURN (SELECT MAX(id) FROM dbo.calls WHERE id <= @n + @i)"),
}  # fmt: skip
QUICK_SCALARS = frozenset(SCALARS) - {"rows that are counted", "a query"}
PLACES = {
    "apply": "SELECT c.id, x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x ORDER BY c.id",
    "outer apply": "SELECT c.id, x.* FROM dbo.calls AS c OUTER APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id IN (1, 3, 6) ORDER BY c.id",
    "row by row": "SELECT x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id = 3",
    "two": "SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x CROSS APPLY dbo.{0}(c.s, c.n + 1) AS y WHERE c.id IN (1, 3, 4)",
    "insert": "CREATE TABLE #i (n int) INSERT #i SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id < 4 SELECT * FROM #i",
    "after an error": "RAISERROR('no', 16, 1) SELECT @@ERROR, x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id < 3 ORDER BY c.id SELECT @@ERROR, @@ROWCOUNT",
    "identity": "TRUNCATE TABLE dbo.counted INSERT dbo.counted VALUES (1) SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id = 3 SELECT @@IDENTITY, SCOPE_IDENTITY()",
    "SET ROWCOUNT": "SET ROWCOUNT 1 SELECT x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id = 3",
    "IMPLICIT_TRANSACTIONS": "SET IMPLICIT_TRANSACTIONS ON SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id = 3 SELECT @@TRANCOUNT",
    "a transaction that is doomed": "SET XACT_ABORT ON BEGIN TRAN BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id = 3 END CATCH",
    "ARITHABORT": "SET ARITHABORT OFF SET ANSI_WARNINGS OFF SELECT x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id IN (2, 3) ORDER BY c.id",
    "CONCAT_NULL_YIELDS_NULL": "SET CONCAT_NULL_YIELDS_NULL OFF SELECT x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id IN (1, 6) ORDER BY c.id",
    "language": "SET LANGUAGE German SELECT x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id IN (2, 3) ORDER BY c.id",
    "another database": "USE tempdb SELECT x.* FROM home.dbo.calls AS c CROSS APPLY home.dbo.{0}(c.s, c.n) AS x WHERE c.id IN (1, 3) ORDER BY c.id",
    "caught": "BEGIN TRY SELECT c.id, x.* FROM dbo.calls AS c CROSS APPLY dbo.{0}(c.s, c.n) AS x WHERE c.id < 5 ORDER BY c.id END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_LINE(), ERROR_MESSAGE() END CATCH",
    "a constant": "SELECT * FROM dbo.{0}(N'a,b', 3)",
}  # fmt: skip
AFTERWARDS = (
    "IF @@TRANCOUNT > 0 ROLLBACK SET ROWCOUNT 0 SET XACT_ABORT OFF SET IMPLICIT_TRANSACTIONS OFF",
    "SET ARITHABORT ON SET ANSI_WARNINGS ON SET CONCAT_NULL_YIELDS_NULL ON SET LANGUAGE us_english",
    "USE home DROP TABLE IF EXISTS #i",
)
SCALAR_PLACES = {
    "select": "SELECT id, dbo.{0}(s, n) FROM dbo.calls WHERE id < 7 ORDER BY id",
    "row by row": "SELECT dbo.{0}(s, n) FROM dbo.calls WHERE id = 3",
    "set": "DECLARE @r sql_variant = dbo.{0}(N'a1b2', 3) SELECT @r, @@ROWCOUNT",
    "another database": "USE tempdb SELECT id, home.dbo.{0}(s, n) FROM home.dbo.calls WHERE id = 3",
    "ARITHABORT": "SET ARITHABORT OFF SET ANSI_WARNINGS OFF SELECT id, dbo.{0}(s, n) FROM dbo.calls WHERE id = 3",
    "caught": "BEGIN TRY SELECT MAX(dbo.{0}(s, n)) FROM dbo.calls END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_LINE(), ERROR_MESSAGE() END CATCH",
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with prepared(
        "CREATE DATABASE home",
        "USE home",
        "CREATE TYPE dbo.code FROM nvarchar(4)",
        "CREATE TABLE dbo.calls (id int PRIMARY KEY, s nvarchar(50), n int)",
        "INSERT dbo.calls VALUES (1, N'a,b', 1), (2, N'', 2), (3, N'1,22,1', 3), (4, N'é,É', 4), (5, N',,', 0), (6, NULL, NULL), (7, N'abc,ABC', 5)",
        "CREATE TABLE dbo.counted (id int IDENTITY(1000, 1), x int)",
        "CREATE FUNCTION dbo.twice (@n int) RETURNS int AS BEGIN RETURN @n * 2 END",
    ) as found:
        for letter, option in (("f", ""), ("g", " WITH EXECUTE AS CALLER")):
            for i, (columns, body) in enumerate(TABLES.values()):
                head = (
                    f"CREATE FUNCTION dbo.{letter}t{i} (@s nvarchar(50), @n int) RETURNS @t TABLE ({columns}){option}"
                )
                assert told(found, f"{head} AS BEGIN\n{body}\nEND") == []
            for i, (returns, body) in enumerate(SCALARS.values()):
                head = f"CREATE FUNCTION dbo.{letter}s{i} (@s nvarchar(50), @n int) RETURNS {returns}{option}"
                assert told(found, f"{head} AS BEGIN\n{body}\nEND") == []
        yield found


def _all_said(session: Session, text: str, name: str) -> list[str]:
    """Rows, messages and errors with their places."""
    said: list[str] = []
    for outcome in session.run(text.format(name)):
        match outcome:
            case ErrorOutcome():
                error = outcome.error
                said.append(repr((error.number, error.line, error.procedure, error.message)))
            case InfoMessage():
                said.append(outcome.text)
            case ResultSet():
                said += map(repr, outcome.rows)
    said += map(repr, told(session, "SELECT @@TRANCOUNT, DB_NAME(), @@NESTLEVEL"))
    for text in AFTERWARDS:
        assert told(session, text) == []
    return [line.replace(name, "it") for line in said]


@pytest.mark.matrix
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("body", [body for body in TABLES if body != "a default that changes"])
def test_a_quick_table_is_that_of_its_body(session: Session, body: str, place: str) -> None:
    number = [*TABLES].index(body)
    run, quick = (_all_said(session, PLACES[place], f"{letter}t{number}") for letter in "gf")
    assert quick == run


@pytest.mark.matrix
@pytest.mark.parametrize("place", SCALAR_PLACES)
@pytest.mark.parametrize("body", SCALARS)
def test_a_quick_value_is_that_of_its_body(session: Session, body: str, place: str) -> None:
    number = [*SCALARS].index(body)
    run, quick = (_all_said(session, SCALAR_PLACES[place], f"{letter}s{number}") for letter in "gf")
    assert quick == run


def _is_quick(session: Session, name: str) -> bool:
    module = resolve(session, ObjectName((Identifier("dbo"), Identifier(name))), Module)
    return quick_body(session, session.instance.modules.module(module, session)) is not None


@pytest.mark.parametrize("body", TABLES)
def test_which_tables_are_quick(session: Session, body: str) -> None:
    number = [*TABLES].index(body)
    assert _is_quick(session, f"ft{number}") == (body in QUICK_TABLES)
    assert not _is_quick(session, f"gt{number}")


@pytest.mark.parametrize("body", SCALARS)
def test_which_values_are_quick(session: Session, body: str) -> None:
    number = [*SCALARS].index(body)
    assert _is_quick(session, f"fs{number}") == (body in QUICK_SCALARS)
    assert not _is_quick(session, f"gs{number}")


@pytest.mark.parametrize(
    ("call", "times"),
    [
        ("SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.ft0(c.s, c.n) AS x", 0),
        ("SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.gt0(c.s, c.n) AS x", 7),
        ("SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.ft4(c.s, c.n) AS x", 1),
        ("SELECT MAX(dbo.fs0(s, n)) FROM dbo.calls", 0),
        ("SELECT MAX(dbo.gs0(s, n)) FROM dbo.calls", 7),
    ],
)
def test_how_many_bodies_run_as_they_stand(session: Session, call: str, times: int) -> None:
    """Of those that fail one does, to say why."""
    assert _runs(session, call) == times


@pytest.mark.parametrize(
    "body", ["split, numbered", "two keys", "defaults", "values in another order", "a type for each", "loops in a loop"]
)
def test_a_row_that_fits_is_not_left_to_the_body(session: Session, body: str) -> None:
    call = f"SELECT COUNT(*) FROM dbo.calls AS c CROSS APPLY dbo.ft{[*TABLES].index(body)}(N'a,b', 2 + 0 * c.n) AS x"
    assert _runs(session, call + " WHERE c.id < 4") == 0


def _runs(session: Session, call: str) -> int:
    """How many bodies run as they stand."""
    runs = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal runs
        runs += event == "call" and frame.f_code.co_name == "run_compiled_function"

    sys.setprofile(note)
    try:
        told(session, call)
    finally:
        sys.setprofile(None)
    return runs


def test_a_table_is_new_at_each_call_and_binds_anew(session: Session) -> None:
    text = "SELECT COUNT(*), MAX(x.v) FROM dbo.calls AS c CROSS APPLY dbo.anew(c.n) AS x WHERE c.id < 4"
    head = (
        "FUNCTION dbo.anew (@n int) RETURNS @t TABLE (v int PRIMARY KEY) AS BEGIN INSERT @t VALUES (@n {0}) RETURN END"
    )
    assert told(session, "CREATE " + head.format("+ 10")) == []
    assert told(session, text) == [(3, 13)]
    assert told(session, "ALTER " + head.format("+ 20")) == []
    assert told(session, text) == [(3, 23)]


def test_a_loop_without_an_end_is_stopped(session: Session) -> None:
    body = "BEGIN DECLARE @i int = 0 WHILE 1 = 1 SET @i = 1 INSERT @t VALUES (@i) RETURN END"
    assert told(session, f"CREATE FUNCTION dbo.endless (@n int) RETURNS @t TABLE (v int) AS {body}") == []
    looked = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal looked
        looked += event == "call" and frame.f_code.co_name == "assign"
        if looked == 50:
            session.cancel()

    sys.setprofile(note)
    try:
        found = told(session, "SELECT * FROM dbo.calls AS c CROSS APPLY dbo.endless(c.n) AS x")
    finally:
        sys.setprofile(None)
    assert looked in range(50, 100)
    assert not any(isinstance(part, tuple) for part in found)
