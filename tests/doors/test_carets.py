"""The caret at the wrong word on the command line: from a file, a query and a pipe; and the file and line that it is in."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

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
        "CREATE TABLE t (a int, b int)\nGO\nCREATE VIEW v AS\n SELECT a FROM t\nGO\nALTER TABLE t DROP COLUMN a\nGO\nSELECT * FROM v",
    ],
)
def test_no_caret_where_no_word_of_the_batch_is_to_blame(door: Door, text: str) -> None:
    """What went wrong while running, and what stands in another text: a procedure, a trigger, a view, dynamic SQL."""
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
    """A batch may be put together from several files, with directives between its lines; --check finds the same place."""
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
