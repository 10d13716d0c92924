"""Standard streams that are closed, full, broken or not what they seem: the command line does its work, says in one
line what it could not write, and never calls that a bug of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
CREATE DATABASE d
GO
USE d
GO
CREATE QUEUE q
GO
CREATE SERVICE s ON QUEUE q ([DEFAULT])
GO
CREATE PROCEDURE p AS DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM q; PRINT 'activated'
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')
GO
SELECT 1
GO
SELECT 1 / 0
GO
"""

STREAMS = {
    "as they are": "</dev/null",
    "output closed": "</dev/null >&-",
    "output full": "</dev/null >/dev/full",
    "output for reading": "</dev/null 1</dev/null",
    "input closed": "<&-",
    "input for writing": "0>/dev/null",
    "error closed": "</dev/null 2>&-",
    "error full": "</dev/null 2>/dev/full",
    "output and error full": "</dev/null >/dev/full 2>/dev/full",
    "all closed": "<&- >&- 2>&-",
}
UNWRITABLE = ("output closed", "output full", "output for reading", "output and error full", "all closed")
UNREADABLE = ("input closed", "input for writing", "all closed")

COMMANDS: dict[str, tuple[list[str], int, bool]] = {
    "a query": (["-Q", "SELECT 1"], 0, True),
    "an error": (["-b", "-Q", "SELECT 1 / 0"], 1, True),
    "a script": (["SCRIPT"], 0, True),
    "a trace": (["--trace", "broker", "SCRIPT"], 0, True),
    "messages to error": (["-r1", "-Q", "PRINT 'x'; SELECT 1 / 0; SELECT 1"], 0, True),
    "nothing to say": (["-Q", "DECLARE @a int"], 0, False),
    "a check": (["--check", "SCRIPT"], 0, True),
    "help": (["--help"], 0, True),
    "the version": (["--version"], 0, True),
    "a wrong option": (["--nope"], 1, False),
    "standard input": (["-"], 0, False),
    "nothing": ([], 0, False),
    "the prompt": (["-q", "SELECT 1"], 0, True),
}
"""Arguments, the exit code when all is well, and whether there is something on standard output."""
READING = ("standard input", "nothing")

WHOLE = ("a query", "a script", "standard input")
FEW = ("output closed", "output full", "all closed")
CASES = [(command, name) for command in COMMANDS for name in STREAMS if command in WHOLE or name in FEW]


def run(arguments: list[str], streams: str, folder: Path, *python: str) -> subprocess.CompletedProcess[str]:
    """`python`: options of the interpreter."""
    script = folder / "script.sql"
    script.write_text(SCRIPT)
    words = [sys.executable, *python, "-m", "sbql", *(str(script) if word == "SCRIPT" else word for word in arguments)]
    text = f'exec "$0" "$@" {streams}'
    return subprocess.run(["sh", "-c", text, *words], capture_output=True, text=True, check=False, timeout=100)


def assert_no_bug(stderr: str) -> None:
    for word in ("internal error", "Traceback", "Exception ignored", "BrokenPipe", "NoneType"):
        assert word not in stderr


@pytest.mark.matrix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize(("command", "name"), CASES)
def test_streams_that_are_not_what_they_should_be(command: str, name: str, tmp_path: Path) -> None:
    arguments, code, speaks = COMMANDS[command]
    done = run(arguments, STREAMS[name], tmp_path)
    assert_no_bug(done.stderr)
    if name in UNWRITABLE and speaks:
        code = 1
        assert ("cannot write the output: " in done.stderr) == (name not in ("output and error full", "all closed"))
    if name in UNREADABLE and command in READING:
        code = 1
        assert ("cannot read standard input: " in done.stderr) == (name != "all closed")
    assert done.returncode == code, done.stderr
    if name in ("input closed", "error closed", "error full"):
        assert bool(done.stdout) == speaks


@pytest.mark.parametrize("command", ["a query", "a script", "a check", "help"])
def test_nobody_reads_the_output(command: str, tmp_path: Path) -> None:
    arguments, _, _ = COMMANDS[command]
    script = tmp_path / "script.sql"
    script.write_text(SCRIPT)
    words = [str(script) if word == "SCRIPT" else word for word in arguments]
    for broken in ("stdout", "stderr"):
        reading, writing = os.pipe()
        os.close(reading)
        other = subprocess.PIPE
        done = subprocess.run(
            [sys.executable, "-m", "sbql", *words],
            stdin=subprocess.DEVNULL, stdout=writing if broken == "stdout" else other,
            stderr=writing if broken == "stderr" else other, text=True, check=False, timeout=100,
        )  # fmt: skip
        os.close(writing)
        assert done.returncode == (1 if broken == "stdout" else 0)
        assert_no_bug(done.stderr or "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["-o", "/dev/full", "-Q", "SELECT 1"], 1, "cannot write the output: "),
        (["--errorlog", "/dev/full", "SCRIPT"], 0, ""),
    ],
)
def test_files_that_are_full(arguments: list[str], code: int, text: str, tmp_path: Path) -> None:
    done = run(arguments, "</dev/null", tmp_path)
    assert_no_bug(done.stderr)
    assert done.returncode == code, done.stderr
    assert text in done.stderr


@pytest.mark.parametrize("directive", [":out", ":error"])
def test_a_full_file_of_a_directive(directive: str, tmp_path: Path) -> None:
    script = tmp_path / "full.sql"
    script.write_text(f"{directive} /dev/full\nSELECT 1 / 0\nSELECT 1\nGO\n")
    done = run(
        [str(script)], "</dev/null", tmp_path, "-X", "dev"
    )  # what fails in a finalizer is shown, as it always is from Python 3.13 on
    assert_no_bug(done.stderr)
    assert (done.returncode, "cannot write the output: " in done.stderr) == (1, True)


def test_no_file_of_ours_takes_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """What somebody writes to number 1 must not end in the store."""
    code = (
        "import os, sys; from sbql.repl.streams import prepare; prepare(); import sbql; "
        f"c = sbql.connect({str(tmp_path / 's.duckdb')!r}); "
        "sys.exit(any('duckdb' in os.readlink(f'/proc/self/fd/{n}') for n in range(3)))"
    )
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("this system has no /proc")
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', sys.executable, "-c", code], check=False, timeout=100
    )
    assert done.returncode == 0


def test_lines_of_several_threads_stay_whole() -> None:
    """The error log and a trace of a server are heard in threads of their own."""
    code = (
        "import threading; from sbql.repl.streams import note\n"
        "def say(name): [note(f'{name} says {number}') for number in range(500)]\n"
        "threads = [threading.Thread(target=say, args=(name,)) for name in 'abcd']\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    assert sorted(done.stderr.splitlines()) == sorted(
        f"{name} says {number}" for name in "abcd" for number in range(500)
    )
