"""The caret at the wrong word on the command line: from a file, a query and a pipe; and
the file and line that it is in."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.repl.cli import main

Door = Callable[[str], list[str]]


@pytest.fixture(params=["file", "query", "pipe"])
def door(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: object) -> Door:
    """Runs a script through one of the doors. Gives the lines on standard output."""
    monkeypatch.chdir(tmp_path)

    def run(text: str) -> list[str]:
        assert isinstance(capfd, pytest.CaptureFixture)
        arguments = {"file": ["-i", "s.sql"], "query": ["-Q", text], "pipe": []}[request.param]
        Path("s.sql").write_text(text, encoding="utf-8")
        if request.param == "pipe":
            monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert main([*arguments, "-b"]) == 1
        captured = capfd.readouterr()
        assert captured.err == ""
        return captured.out.splitlines()

    return run


POINTED = [
    ("SELECT 1 FORM t", "SELECT 1 FORM t", "         ^"),
    ("PRINT 'a'\nGO\n-- x\n  SELECT nope FROM sys.objects", "  SELECT nope FROM sys.objects", "         ^"),
    ("\tSELECT N'漢字',\tb\tFORM t", "\tSELECT N'漢字',\tb\tFORM t", "\t               \t \t^"),
    ("SELECT N'é', * FROM nope", "SELECT N'é', * FROM nope", "                    ^"),
    ("SELECT 1;\r\nRECIEVE * FROM q\r\n", "RECIEVE * FROM q", "^"),
    ("SELECT 1\nPRINT @nope", "PRINT @nope", "      ^"),
    ("PRINT 1;\nEXEC nosuchproc 1, 2", "EXEC nosuchproc 1, 2", "     ^"),
    (":setvar col nope\nSELECT $(col) FROM sys.objects", "SELECT nope FROM sys.objects", "       ^"),
    ("CREATE PROCEDURE p AS\n  SELECT 1\n  SELEC 2;", "  SELEC 2;", "  ^"),
]


@pytest.mark.parametrize(("text", "line", "mark"), POINTED)
def test_the_caret_is_below_the_wrong_word(door: Door, text: str, line: str, mark: str) -> None:
    """Behind the message, which is where sqlcmd has it."""
    shown = door(text)
    at = next(i for i, one in enumerate(shown) if one.startswith("Msg "))
    assert not shown[at + 1].startswith((" ", "\t"))
    assert shown[at + 2 : at + 4] == [line, mark]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t (a int)\nSELECT 1/0 FROM (VALUES (1)) AS v(a)",
        "RAISERROR('no', 16, 1)",
        "THROW 50000, 'no', 1",
        "EXEC (N'  SELECT * FROM nope')",
        "EXEC sp_executesql N'  SELECT * FORM nope'",
        "CREATE PROCEDURE p AS SELECT * FROM nope\nGO\nEXEC p",
        "CREATE PROCEDURE p AS EXEC (N' SELECT 1 FORM t')\nGO\nEXEC p",
        "CREATE TABLE t (a int)\nGO\nCREATE TRIGGER tr ON t AFTER INSERT AS SELECT * FROM nope\nGO\nINSERT t VALUES (1)",
        "CREATE FUNCTION f() RETURNS int AS BEGIN RETURN 1/0 END\nGO\nSELECT dbo.f()",
    ],
)
def test_no_caret_where_no_word_of_the_batch_is_to_blame(door: Door, text: str) -> None:
    """What went wrong while running, and what stands in another text: a procedure, a trigger, dynamic SQL."""
    shown = door(text)
    assert any(line.startswith("Msg ") for line in shown)
    assert not any(line.strip() == "^" for line in shown)


def test_errors_on_standard_error_have_the_caret_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """-r: what reads standard output sees results only."""
    assert main(["-r1", "-h", "-1", "-W", "-Q", "SET NOCOUNT ON; SELECT 1\nSELECT 2 FORM t"]) == 0
    captured = capfd.readouterr()
    assert captured.err.splitlines()[-2:] == ["SELECT 2 FORM t", "         ^"]
    assert captured.out == ""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (":r part.sql\nSELECT 1 FORM t", "(s.sql:2)"),
        ("PRINT 'a'\n:r part.sql\nPRINT 'b'\nSELECT 1 FORM t", "(s.sql:4)"),
        ("PRINT 'a'\n:r wrong.sql\nPRINT 'b'", "(wrong.sql:2)"),
        ("PRINT 'a'\n:setvar x 1\nSELECT 1 FORM t", "(s.sql:3)"),
        ("PRINT 'a'\n:r go.sql\nPRINT 'b'\nSELECT 1 FORM t", "(go.sql:3)"),
        ("PRINT 'a'\n:r go.sql\nGO\n\nSELECT 1 FORM t", "(s.sql:5)"),
    ],
)
def test_the_place_is_that_of_the_wrong_line(
    text: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A batch may be put together from several files, with directives between its
    lines; --check finds the same place."""
    monkeypatch.chdir(tmp_path)
    Path("s.sql").write_text(text)
    Path("part.sql").write_text("PRINT 'c'\nPRINT 'd'\n")
    Path("wrong.sql").write_text("PRINT 'c'\nSELECT 1 FORM t")
    Path("go.sql").write_text("PRINT 'c'\nGO\nPRINT 'd'")
    if place == "(go.sql:3)":
        text = text.replace("SELECT 1 FORM t", "")
        Path("s.sql").write_text(text)
        Path("go.sql").write_text("PRINT 'c'\nGO\nSELECT 1 FORM t\n")
    main(["-i", "s.sql"])
    heads = [line for line in capfd.readouterr().out.splitlines() if line.startswith("Msg ")]
    assert [head.rsplit(" ", 1)[1] for head in heads] == [place]
    main(["--check", "s.sql"])
    assert capfd.readouterr().out.startswith(place.strip("()") + ":")


SETUP = """
CREATE DATABASE Blamed
GO
USE Blamed;
CREATE TABLE t (id int NOT NULL PRIMARY KEY, name varchar(5), total AS id * 2); CREATE TABLE other (id int IDENTITY);
CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE MESSAGE TYPE m; CREATE CONTRACT c (m SENT BY ANY);
CREATE SERVICE sc ON QUEUE q (c); CREATE USER u WITHOUT LOGIN; CREATE ROLE r; CREATE TABLE x (id int, d xml);
DECLARE open_one CURSOR FOR SELECT 1 AS a; OPEN open_one; DECLARE closed_one CURSOR FOR SELECT 1 AS a
GO
CREATE PROCEDURE p @a int AS RETURN
GO
CREATE PROCEDURE two @a int, @b int = 1 AS RETURN
GO
CREATE DATABASE Shut
GO
ALTER DATABASE Shut SET OFFLINE
"""

BLAMED = """
911 USE ‸nope
911 BACKUP DATABASE ‸nope TO DISK = 'x'
942 USE ‸Shut
5011 ALTER DATABASE ‸nope SET ENABLE_BROKER
2740 SET LANGUAGE ‸klingon
195 SET ‸NOPE ON
6106 KILL ‸9999
6104 KILL ‸51
15517 EXECUTE AS USER = ‸'nope'
15406 EXECUTE AS LOGIN = ‸'nope'
8145 EXEC p§     ‸@wrong = 1
8145 EXEC two @a = 2, ‸@wrong = 1
8144 EXEC ‸p 1, 2
201 EXEC ‸p
2812 EXEC ‸nope
137 SET ‸@nope = 1
137 SET ‸@nope += 1
137 SELECT ‸@nope
137 BEGIN DIALOG ‸@nope FROM SERVICE s TO SERVICE 's'
137 GET CONVERSATION GROUP ‸@nope FROM q
137 RECEIVE ‸@nope = status FROM q
1087 RECEIVE * FROM q INTO ‸@nope
8423 DECLARE @h uniqueidentifier; BEGIN DIALOG @h§  FROM SERVICE ‸nope§  TO SERVICE 's'
8423 DECLARE @h uniqueidentifier, @n sysname = 'nope'; BEGIN DIALOG @h FROM SERVICE ‸@n TO SERVICE 's'
8425 DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's'§  ON CONTRACT ‸[nope] WITH ENCRYPTION = OFF
8412 DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE ‸''
8411 DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH LIFETIME = ‸-5
8428 DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's'; SEND ON CONVERSATION @h§  MESSAGE TYPE ‸nope (N'x')
8431 DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's'; SEND ON CONVERSATION @h MESSAGE TYPE ‸m (N'x')
8433 DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's'; SEND ON CONVERSATION @h (‸NULL)
8418 DECLARE @h uniqueidentifier; SEND ON CONVERSATION ‸@h (N'x')
8426 DECLARE @h uniqueidentifier = NEWID(); SEND ON CONVERSATION ‸@h (N'x')
8426 DECLARE @h uniqueidentifier = NEWID(); END CONVERSATION ‸@h
8426 DECLARE @h uniqueidentifier = NEWID(); BEGIN CONVERSATION TIMER (‸@h) TIMEOUT = 5
8426 END CONVERSATION ‸'00000000-0000-0000-0000-000000000001'
207 RECEIVE§  ‸message_boddy§, nope FROM q
208 RECEIVE * FROM ‸nope
208 CREATE SERVICE s2 ON QUEUE ‸nope
15151 ALTER SERVICE ‸nope ON QUEUE q
15151 CREATE SERVICE s2 ON QUEUE q (‸nope)
15151 CREATE CONTRACT c2 (‸nope SENT BY ANY)
15151 DROP CONTRACT ‸nope
15151 GRANT SEND ON SERVICE::‸nope TO u
15151 GRANT SELECT ON t TO ‸nope
15151 ALTER ROLE r ADD MEMBER ‸nope
15151 ALTER AUTHORIZATION ON SERVICE::s TO ‸nope
3701 DROP TABLE ‸nope
3701 DROP QUEUE ‸nope
2714 CREATE TABLE ‸t (a int)
1911 CREATE INDEX i ON t (id, ‸nope)
4924 ALTER TABLE t DROP COLUMN ‸nope
4924 ALTER TABLE t ALTER COLUMN ‸nope int
3728 ALTER TABLE t DROP CONSTRAINT ‸nope
271 INSERT t (id, ‸total) VALUES (1, 1)
544 INSERT ‸other (id) VALUES (1)
515 INSERT t (name, ‸id) VALUES ('a', NULL)
2628 INSERT t (id, ‸name) VALUES (1, 'too long')
245 INSERT t (id) VALUES (‸'one')
2715 CREATE TABLE t2 (a ‸nopetype)
243 SELECT CAST(1 AS ‸nopetype)
2501 DBCC CHECKIDENT (‸'nope')
15009 EXEC sp_helptext ‸'nope'
155 SELECT DATEADD(‸fortnight, 1, GETDATE())
16916 OPEN ‸nope
16916 CLOSE ‸nope
16916 DEALLOCATE GLOBAL ‸nope
16916 FETCH NEXT§ FROM ‸nope
16916 UPDATE t SET name = 'a' WHERE CURRENT OF ‸nope
16917 FETCH NEXT FROM ‸closed_one
16905 OPEN ‸open_one
16911 FETCH PRIOR FROM ‸open_one
16915 DECLARE ‸open_one CURSOR FOR SELECT 1
16924 DECLARE @v int; FETCH NEXT FROM open_one INTO ‸@v, @v
137 FETCH NEXT FROM open_one INTO ‸@nope
16950 DECLARE @c CURSOR; OPEN ‸@c
16950 DECLARE @c CURSOR; DELETE t WHERE CURRENT OF ‸@c
16948 DECLARE @c int; OPEN ‸@c
9744 CREATE ROUTE ro WITH SERVICE_NAME = 's',§ ADDRESS = ‸'nope'
9744 CREATE ROUTE ro WITH SERVICE_NAME = 's', BROKER_INSTANCE = ‸'x', ADDRESS = 'LOCAL'
9744 ALTER ROUTE AutoCreatedLocal WITH ADDRESS = ‸'TCP://host'
9746 CREATE ROUTE ro WITH LIFETIME = ‸0, ADDRESS = 'LOCAL'
9659 CREATE ROUTE ro WITH SERVICE_NAME = ‸'', ADDRESS = 'LOCAL'
9661 CREATE ROUTE ro WITH ADDRESS = 'TCP://a:1', MIRROR_ADDRESS = ‸'TCP://b:1'
9745 CREATE ROUTE ro WITH SERVICE_NAME = 's', ADDRESS = ‸'TRANSPORT'
102 CREATE ROUTE ro WITH ADDRESS = 'LOCAL', ADDRESS = ‸'LOCAL'
102 CREATE QUEUE q2 WITH ACTIVATION (PROCEDURE_NAME = p, MAX_QUEUE_READERS = ‸99999, EXECUTE AS SELF)
33302 CREATE BROKER PRIORITY bp FOR CONVERSATION SET (PRIORITY_LEVEL = ‸11)
1084 CREATE EVENT NOTIFICATION en ON DATABASE FOR ‸NOPE TO SERVICE 's', 'current database'
2116 CREATE EVENT NOTIFICATION en ON DATABASE FOR DROP_TABLE TO SERVICE 's', ‸'nope'
6824 SELECT 1 AS Tag, NULL AS Parent, 1 AS ‸[a!1!b!nope] FOR XML EXPLICIT
6802 SELECT 1 AS Tag, NULL AS Parent,§ 1 AS ‸[b] FOR XML EXPLICIT
6803 SELECT 'x' AS ‸Tag, NULL AS Parent, 1 AS [a!1!b] FOR XML EXPLICIT
6806 SELECT 2 AS ‸Tag, NULL AS Parent, 1 AS [a!1!b] FOR XML EXPLICIT
6807 SELECT 1 AS Tag, 5 AS ‸Parent, 1 AS [a!1!b] FOR XML EXPLICIT
6852 SELECT id AS [a/b], id AS ‸[@c] FROM t FOR XML PATH
6850 SELECT 1 AS ‸[a b] FOR XML PATH
2389 SELECT d.value('‸/a/b', 'int') FROM x
2209 SELECT d.value('(/a/b[1]‸', 'int') FROM x
2209 SELECT d.value('(/a)[1] = ''x'' + ‸', 'int') FROM x
9500 SELECT d.value('(/a)[1]', '‸nope') FROM x
2227 SELECT id,§  d.query(N'/a[b = $‸x]') FROM x
2227 SELECT d.query(N'§  for $i in /a§§  return $‸j') FROM x
2395 SELECT d.query('/a, ‸nope(/a)') FROM x
2229 SELECT d.exist('/‸p:a') FROM x
9332 SELECT d.query('for $i in /a§ ‸retrun $i') FROM x
9341 SELECT 1 FROM x CROSS APPLY d.nodes('/a/‸[') AS n(c)
9341 UPDATE x SET d.modify('delete /a/‸[')
9341 DECLARE @x xml = '<a/>'; SELECT @x.query('/a/b/‸[')
207 SELECT d.exist('sql:column("‸nope")') FROM x
9501 SELECT d.exist('sql:variable("‸@nope")') FROM x
"""


def test_the_words_to_blame() -> None:
    """What newcomers write wrongly, `‸` before the word that the caret belongs below, `§` for a line end. Whatever line
    SQL Server gives to the error, that is where the caret stands."""
    instance = Instance.open(None)
    session = instance.connect()
    for batch in SETUP.split("GO\n"):
        assert not any(isinstance(one, ErrorOutcome) for one in session.run(batch)), batch
    failures = []
    for row in BLAMED.strip().splitlines():
        number, marked = row.split(" ", 1)
        marked = marked.replace("§", "\n")
        lines = marked[: marked.index("‸")].split("\n")
        errors = [one.error for one in session.run(marked.replace("‸", "")) if isinstance(one, ErrorOutcome)]
        found = next((error for error in errors if error.number == int(number)), None)
        if found is None:
            failures.append(f"{row}: {[str(error) for error in errors]}")
        elif (found.column_line or found.line, found.column) != (len(lines), len(lines[-1]) + 1):
            failures.append(f"{row}: line {found.line}, {found.column_line}:{found.column}")
    instance.close()
    assert not failures, "\n".join(failures)


def test_what_is_wrong_in_a_view_is_shown_where_the_batch_names_it(door: Door) -> None:
    """207 is in another text, and has none; 4413 behind it has the name of the view."""
    view = (
        "CREATE TABLE t (a int, b int)\nGO\nCREATE VIEW v AS\n SELECT a FROM t\nGO\nALTER TABLE t DROP COLUMN a\nGO\n"
    )
    shown = door(f"{view}SELECT * FROM v")
    (mark,) = (i for i, line in enumerate(shown) if line.strip() == "^")
    assert shown[mark - 1 : mark + 1] == ["SELECT * FROM v", "              ^"]
    assert [line.split(",")[0] for line in shown if line.startswith("Msg ")] == ["Msg 207", "Msg 4413"]
    assert shown[mark - 3].startswith("Msg 4413")
