"""Directives mean the same wherever a script comes from: a file (-i), a pipe, or somebody who types it.

One corpus goes each of these ways; results (through -o, where neither echo nor prompt is) and exit codes have to be the
same. What is expected is written down, too: sqlcmd's habits, from its documentation.
"""

from __future__ import annotations

import os
import re
import sys
import tty
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.output import DummyOutput

from sbql.engine.instance import Instance
from sbql.repl.cli import main
from sbql.repl.loop import Prompt
from sbql.repl.options import parse_options


@dataclass(frozen=True)
class Case:
    """`text` is a script that leaves no batch open, `shown` what the results have to be, one after the other."""

    name: str
    text: str
    shown: str
    code: int = 0


CORPUS = [
    Case("exit leaves the open batch", "PRINT 'a'\nGO\nPRINT 'b'\nexit\nGO\n", "a\n"),
    Case("exit in capitals, with a semicolon", "PRINT 'a'\nEXIT;\nGO\n", ""),
    Case("quit", "PRINT 'a'\nGO\nPRINT 'b'\n  quit\nPRINT 'c'\nGO\n", "a\n"),
    Case(":quit", "PRINT 'a'\n:quit\nGO\n", ""),
    Case("exit() runs the open batch", "PRINT 'a'\nexit()\nPRINT 'b'\nGO\n", "a\n"),
    Case("exit(query) gives its value", "PRINT 'a'\n:exit(SELECT 7 AS n)\n", "a\nn\n-\n7\n\n(1 rows affected)\n", 7),
    Case("the end of everything is no exit", "PRINT 'a'\nGO\n", "a\n"),
    Case("on error exit", ":on error exit\nSELECT 1/0\nGO\nPRINT 'b'\nGO\n", "Msg 8134, Level 16, State 1, Line 1\n", 1),
    Case("state 127 ends", "RAISERROR('over', 11, 127)\nGO\nPRINT 'b'\nGO\n", "Msg 50000, Level 11, State 127, Line 1\n", 50000 % 256),
]  # fmt: skip
"""Each ends its run."""

GOES_ON = [
    Case("a batch", "PRINT 'a'\nPRINT 'b'\nGO\n", "a\nb\n"),
    Case("a count", "PRINT 'a'\nGO 2\n", "a\na\n"),
    Case("a count of none", "PRINT 'a'\nGO 0\n", ""),
    Case("GO with all that may stand beside it", "PRINT 'a'\n  gO 1 ; -- once\n", "a\n"),
    Case("GO in a string", "PRINT 'a\nGO\nexit\nb'\nGO\n", "a\nGO\nexit\nb\n"),
    Case("exit in a comment", "/*\nexit\n*/ PRINT 'a'\nGO\n", "a\n"),
    Case("a string in a comment", "-- it's\nPRINT 'a'\nGO\n", "a\n"),
    Case("directives in a delimited name", "SELECT 1 AS [a\n:quit\nb]\nGO\n", ""),
    Case("a variable", ":setvar x \"1 2\"\nPRINT '$(x)'\nGO\n", "1 2\n"),
    Case("a variable in the middle of a batch", "PRINT 'a'\n:setvar x 5\nPRINT '$(x)'\nGO\n", "a\n5\n"),
    Case("reset forgets", "PRINT 'a'\nreset\nPRINT 'b'\nGO\n", "b\n"),
    Case("reset forgets, with its colon", "PRINT 'a'\n:RESET\nPRINT 'b'\nGO\n", "b\n"),
    Case("list shows and keeps", "PRINT 'a'\n:list\nPRINT 'b'\nGO\n", "PRINT 'a'\na\nb\n"),
    Case("a file in the middle", "PRINT 'a'\n:r {here}/open.sql\nPRINT 'c'\nGO\n", "a\nb\nc\n"),
    Case("a file with GO", "PRINT 'a'\n:r {here}/closed.sql\nPRINT 'd'\nGO\n", "a\nb\nd\n"),
    Case("two batches", "PRINT 'a'\nGO\n\n\nPRINT 'b'\nGO\n", "a\nb\n"),
    Case("GO alone", "GO\nGO\nPRINT 'a'\nGO\n", "a\n"),
    Case("errors are ignored", ":on error ignore\nSELECT 1/0\nGO\nPRINT 'b'\nGO\n", "b\n"),
    Case("listvar and xml may have a semicolon", ":xml on;\n:xml\nPRINT 'a'\nGO\n", "a\n"),
    Case("quit is a name", "SELECT 1 AS quit\nGO\n", "quit\n"),
    Case("headers", ":setvar SQLCMDHEADERS -1\nSELECT 5 AS h\nGO\n:setvar SQLCMDHEADERS 0\n", "5\n"),
]

Way = Callable[[str, list[str]], int]

MALFORMED = [
    ":exit(SELECT 5) x", ":exit(SELECT 5", ":exit(", ":exit (SELECT 5) (", ":exit SELECT 5", ":exit)", ":exit x", ":exit(SELECT 5) -- five",
    ":quit now", ":quit 1", ":reset all", ":listvar x", ":xml maybe", ":nonsense", ":nonsense(1)", ":exits", ":q", ":setvar", ":setvar a b c", ":r", ":on", ":on error",
    ":on error stop", ":on warning exit", ":out", ":error", ":connect there", ":perftrace x", ":serverlist",
]  # fmt: skip
"""No directive of sqlcmd's: it reports a syntax error and ends with 1, and nothing of the script is passed over without
a word."""


def by_input_option(text: str, options: list[str], folder: Path) -> int:
    (folder / "script.sql").write_text(text)
    return main([*options, "-i", str(folder / "script.sql")])


def by_pipe(text: str, options: list[str], folder: Path) -> int:
    (folder / "script.sql").write_text(text)
    before = sys.stdin
    with (folder / "script.sql").open() as sys.stdin:
        try:
            return main(options)
        finally:
            sys.stdin = before


def typed(text: str, options: list[str], folder: Path) -> int:
    """Into a real pseudo-terminal, which the prompt reads in this process."""
    parsed = parse_options(options)
    master, slave = os.openpty()
    tty.setraw(slave)
    instance = Instance.open(None)
    try:
        with open(slave) as keys, open(parsed.output or "", "w") as out:
            source = create_input(stdin=keys)
            clear_typeahead(source)  # of the one before it, whose number it has
            prompt = Prompt(instance, instance.connect(), parsed, out, input=source, output=DummyOutput())
            for line in (text + "\x04").splitlines(keepends=True):
                os.write(master, line.replace("\n", "\r").encode())
            return prompt.run()
    finally:
        instance.close()
        os.close(master)


WAYS = [by_input_option, by_pipe, typed]


def run(way: Callable[[str, list[str], Path], int], text: str, folder: Path) -> tuple[int, str]:
    """The exit code as a shell sees it, and the results without the places in files,
    which what is typed does not have."""
    out = folder / "out.txt"
    code = way(text, ["-o", str(out), "--no-wait"], folder)
    return code % 256, re.sub(r" \((\S*script\.sql|standard input):\d+\)", "", out.read_text())


@pytest.fixture
def folder(tmp_path: Path, home: Path) -> Path:
    (tmp_path / "open.sql").write_text("PRINT 'b'\n")
    (tmp_path / "closed.sql").write_text("PRINT 'b'\nGO\n")
    return tmp_path


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case.name)
def test_each_way_ends_alike(case: Case, folder: Path) -> None:
    text = case.text.replace("{here}", str(folder))
    found = {way.__name__: run(way, text, folder) for way in WAYS}
    first = found["by_input_option"]
    assert found == dict.fromkeys(found, first)
    assert first[0] == case.code
    assert first[1].startswith(case.shown) if case.shown.startswith("Msg") else first[1] == case.shown


def test_each_way_reads_alike(folder: Path) -> None:
    """Those that go on share a session, with a line between them."""
    parts = [f"PRINT '== {number}'\nGO\n{case.text}" for number, case in enumerate(GOES_ON)]
    text = "".join(parts).replace("{here}", str(folder))
    found = {way.__name__: run(way, text, folder) for way in WAYS}
    for way, (code, shown) in found.items():
        assert (code, shown) == found["by_input_option"], way
    pieces = re.split(r"^== \d+\n", found["by_input_option"][1], flags=re.M)[1:]
    for case, piece in zip(GOES_ON, pieces, strict=True):
        assert case.shown in piece, case.name


@pytest.mark.parametrize("line", MALFORMED)
def test_what_is_no_directive_is_said(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for way in (by_input_option, by_pipe):
        code, shown = run(way, f"PRINT 'a'\nGO\n{line}\nPRINT 'b'\nGO\n", folder)
        assert (code, shown) == (1, "a\n"), way
        said = capsys.readouterr().err
        assert "directive" in said and ":3" in said, said
    code, shown = run(typed, f"PRINT 'a'\nGO\n{line}\nPRINT 'b'\nGO\n", folder)
    assert (code, shown) == (0, "a\nb\n"), "the prompt goes on"


def test_exit_with_a_semicolon_behind(folder: Path) -> None:
    for way in WAYS:
        assert run(way, ":exit(SELECT 5 AS n);\nPRINT 'b'\nGO\n", folder)[0] == 5


def test_at_the_prompt_of_a_real_process(tmp_path: Path) -> None:
    """SELECT 1, exit, GO: it has left before GO, and SELECT has not run."""
    environment = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(
        sys.executable, ["-m", "sbql", "-o", str(tmp_path / "out.txt")], env=environment, encoding="utf-8", timeout=30
    )
    child.expect("master>")
    child.send("SELECT 1\rexit\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert (tmp_path / "out.txt").read_text() == ""
