"""Whatever a user gives sbql ends in a clear error with number and place, state unchanged, and a program that can still
be used."""

from __future__ import annotations

import os
import pty
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.repl.cli import main

SBQL = [sys.executable, "-m", "sbql"]
NO_PYTHON = ("Traceback", "internal error", "Please report", "please report")


def sbql(*arguments: str, text: str = "", **how: Any) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    done = subprocess.run(
        [*SBQL, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False, **how
    )
    for words in NO_PYTHON:
        assert words not in done.stdout + done.stderr
    return done


def rows(session: Session, text: str) -> list[tuple[Any, ...]]:
    return [row for o in session.run(text) if isinstance(o, ResultSet) for row in o.rows]


def errors(session: Session, text: str) -> list[Any]:
    return [o.error for o in session.run(text) if isinstance(o, ErrorOutcome)]


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a table and a queue."""
    path = str(tmp_path / "s.duckdb")
    setup = "CREATE DATABASE Shop\nGO\nUSE Shop\nGO\nCREATE TABLE t (a int, b varchar(max))\nCREATE QUEUE q\nCREATE SERVICE s ON QUEUE q ([DEFAULT])"
    assert sbql("--store", path, text=setup).stdout == "Changed database context to 'Shop'.\n"
    return path


# --- files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"x", b"hello, this is no database\n" * 500, bytes(range(256)) * 64])
def test_a_file_that_is_no_store_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    done = sbql("--store", str(path), "-Q", "SELECT 1")
    assert done.returncode == 1
    assert "is not an sbql store" in done.stderr and len(done.stderr.splitlines()) == 1
    assert path.read_bytes() == content


def test_an_empty_file_is_the_name_of_a_store_to_be(tmp_path: Path) -> None:
    """As `mktemp` makes one, and as a power failure can leave one: there is nothing in it to keep."""
    path = tmp_path / "empty.duckdb"
    path.touch()
    assert sbql("--store", str(path), "-Q", "CREATE DATABASE Shop").returncode == 0
    done = sbql("--store", str(path), "-d", "Shop", "-Q", "SELECT 1")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_store_that_another_process_has_open(store: str) -> None:
    with subprocess.Popen(
        [*SBQL, "--store", store, "-Q", "PRINT 'open'\nWAITFOR DELAY '00:01'"], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        done = sbql("--store", store, "-Q", "SELECT 1")
        other.kill()
    assert done.returncode == 1
    assert "is open in another process" in done.stderr
    assert sbql("--store", store, "-Q", "SELECT 1").returncode == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is write-protected for root")
def test_a_store_that_is_write_protected(store: str) -> None:
    os.chmod(store, 0o444)
    done = sbql("--store", store, "-Q", "SELECT 1")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


# --- a full disk -------------------------------------------------------------------------------------------


def little_room(store: str) -> Any:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = os.path.getsize(store) + 300_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


BIG = "REPLICATE(CAST(NEWID() AS varchar(max)), 500)"


def test_a_full_disk_refuses_rows_and_keeps_the_rest(store: str) -> None:
    script = f"""DECLARE @i int = 0
WHILE @i < 100
BEGIN
    INSERT t VALUES (@i, {BIG})
    SET @i += 1
    IF @@ERROR = 1105 BREAK
END
GO
PRINT 'usable'
GO
SELECT COUNT(*) FROM t
"""
    done = sbql("--store", store, "-d", "Shop", "-b", "-W", "-h", "-1", text=script, preexec_fn=little_room(store))
    assert done.returncode == 1
    assert "Msg 1105, Level 17, State 1, Line 4" in done.stdout
    kept = done.stdout.count("(1 rows affected)")
    after = sbql(
        "--store",
        store,
        "-d",
        "Shop",
        "-W",
        "-h",
        "-1",
        text="SET NOCOUNT ON; SELECT COUNT(*) FROM t; INSERT t VALUES (1, NULL); SELECT 1",
    )
    assert after.stdout.split() == [str(kept), "1"]


def test_a_full_disk_refuses_messages(store: str) -> None:
    script = f"""DECLARE @h uniqueidentifier, @i int = 0, @b varchar(max) = {BIG}
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF
WHILE @i < 100 BEGIN SEND ON CONVERSATION @h (@b); SET @i += 1 END
PRINT 'sent'
GO
PRINT 'next'
GO
"""
    done = sbql("--store", store, "-d", "Shop", text=script, preexec_fn=little_room(store))
    assert done.returncode == 0  # without -b a script goes on
    assert "Msg 1105" in done.stdout and "sent" not in done.stdout and "next" in done.stdout
    assert "rolled back" in done.stderr
    stopped = sbql("--store", store, "-d", "Shop", "-b", text=script, preexec_fn=little_room(store))
    assert stopped.returncode == 1
    assert "next" not in stopped.stdout
    assert sbql("--store", store, "-d", "Shop", "-Q", "INSERT t VALUES (1, NULL)").stdout == "\n(1 rows affected)\n"


# --- Ctrl-C ------------------------------------------------------------------------------------------------

LONG = {
    "loop": "DECLARE @i bigint = 0; WHILE 1 = 1 SET @i += 1",
    "wait": "WAITFOR DELAY '00:05'",
    "receive": "WAITFOR (RECEIVE * FROM q)",
    "query": "WITH n AS (SELECT TOP (3000) 1 AS a FROM sys.messages) SELECT COUNT_BIG(*) FROM n a, n b, n c, n d WHERE a.a + b.a + c.a <> d.a",
}


@pytest.mark.parametrize("kind", LONG)
def test_ctrl_c_ends_a_script(store: str, kind: str) -> None:
    text = f"BEGIN TRAN; INSERT t VALUES (1, NULL); PRINT 'begun';\n{LONG[kind]}\nPRINT 'not reached'"
    command = [*SBQL, "--store", store, "-d", "Shop", "-Q", text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        while child.stdout.readline() != "begun\n":
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert (out, err) == ("", "The batch was cancelled.\n")
    assert "0" in sbql("--store", store, "-d", "Shop", "-W", "-h", "-1", "-Q", "SELECT COUNT(*) FROM t").stdout.split()


class Terminal:
    """A prompt in a pseudo terminal."""

    def __init__(self, *arguments: str) -> None:
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "dumb"
            os.execv(sys.executable, [*SBQL, *arguments])
        self.shown = ""

    def wait_for(self, words: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while words not in self.shown:
            left = end - time.monotonic()
            assert left > 0 and select.select([self.file], [], [], left)[0], self.shown
            self.shown += os.read(self.file, 65536).decode("utf-8", "replace")
        self.shown = self.shown[self.shown.index(words) + len(words) :]

    def type(self, text: str) -> None:
        os.write(self.file, text.encode())


@pytest.fixture
def terminal(store: str, home: Path) -> Iterator[Terminal]:
    opened = Terminal("--store", store, "-d", "Shop")
    yield opened
    os.close(opened.file)
    os.waitpid(opened.pid, 0)


@pytest.mark.parametrize("kind", LONG)
def test_ctrl_c_at_the_prompt_ends_the_batch_only(terminal: Terminal, kind: str) -> None:
    terminal.wait_for("Shop>")
    terminal.type(f"PRINT CONCAT('be', 'gun'); {LONG[kind]}\rGO\r")
    terminal.wait_for("begun")
    os.kill(terminal.pid, signal.SIGINT)
    terminal.wait_for("The batch was cancelled.")
    terminal.type("SELECT CONCAT('still ', 'here')\rGO\r")
    terminal.wait_for("still here")
    terminal.type("quit\r")


# --- statements --------------------------------------------------------------------------------------------


def test_a_batch_of_a_megabyte(instance: Instance) -> None:
    session = instance.connect()
    text = "DECLARE @i int = 0;\n" + "SET @i += 1;\n" * 20_000 + "SELECT @i;"
    assert rows(session, text) == [(20_000,)]
    assert errors(session, "SELECT '" + "x" * 1_000_000)[0].number == 105


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "-(" * 300 + "1" + ")" * 300,
        "IF 1=1 BEGIN " * 300 + "SELECT 1 " + "END " * 300,
    ],
)
def test_what_is_nested_too_deeply_is_191(instance: Instance, text: str) -> None:
    session = instance.connect()
    assert [e.number for e in errors(session, text)] == [191]
    assert rows(session, "SELECT 1") == [(1,)]


def test_nesting_up_to_the_limit_runs_inside_nested_procedures(instance: Instance) -> None:
    """The stack is deep enough for both limits together."""
    session = instance.connect()
    deep = "CASE WHEN @n > 0 THEN " * 60 + "@n" + " END" * 60
    session.run(
        f"CREATE PROCEDURE p @n int AS BEGIN IF @n > 30 BEGIN SELECT {deep}; RETURN END; SET @n += 1; EXEC p @n END"
    )
    assert rows(session, "EXEC p 1") == [(31,)]


# --- the last resort ---------------------------------------------------------------------------------------


def break_print(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """PRINT gets a bug."""

    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("sbql.engine.batch.messages.InfoMessage", broken)


@pytest.mark.parametrize(
    ("error", "number"),
    [(KeyError("x"), 3624), (RecursionError(), 8631), (MemoryError(), 701), (ZeroDivisionError("two\nlines"), 3624)],
)
def test_a_bug_is_one_error_and_rolls_back(
    instance: Instance, monkeypatch: pytest.MonkeyPatch, error: Exception, number: int
) -> None:
    session = instance.connect()
    session.run("CREATE TABLE t (a int)")
    session.run("CREATE PROCEDURE buggy AS\n\nPRINT 'here'")
    break_print(monkeypatch, error)
    (found,) = errors(
        session,
        "BEGIN TRAN\nINSERT t VALUES (1)\nBEGIN TRY EXEC buggy END TRY BEGIN CATCH SELECT 1 END CATCH\nSELECT 2",
    )
    assert (found.number, found.procedure, found.line) == (number, "buggy", 3)
    assert rows(session, "SELECT @@TRANCOUNT, COUNT(*) FROM t") == [(0, 0)]
    logged = [r.text for r in instance.error_log if r.number == number]
    assert len(logged) == 1 and type(error).__name__ in logged[0] and "\n" not in logged[0]


def test_debug_shows_the_traceback_of_a_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_print(monkeypatch, KeyError("x"))
    assert main(["-Q", "PRINT 1"]) == 0
    shown = capsys.readouterr()
    assert "Msg 3624, Level 20, State 1, Line 1" in shown.out and "Traceback" not in shown.out + shown.err
    main(["--debug", "-Q", "PRINT 1"])
    shown = capsys.readouterr()
    assert "Traceback" in shown.err and "KeyError: 'x'" in shown.err


def test_a_bug_in_an_activated_procedure_goes_to_the_error_log(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = instance.connect()
    for batch in (
        "CREATE DATABASE d", "USE d", "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])",
        "CREATE PROCEDURE reader AS BEGIN TRAN; RECEIVE TOP (1) * FROM q; PRINT 1; COMMIT",
        "ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)",
    ):  # fmt: skip
        assert errors(session, batch) == []
    break_print(monkeypatch, KeyError("x"))
    session.run(
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')"
    )
    instance.wait_idle()
    assert any("KeyError" in r.text for r in instance.error_log)
    # Poison: five rollbacks switched the queue off, with the message still in it.
    assert rows(session, "SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'q'") == [(False,)]
    assert rows(session, "SELECT COUNT(*) FROM q") == [(1,)]


def test_a_bug_in_the_background_does_not_end_it(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    """A conversation timer fires although the deadlines before it hit a bug."""
    from sbql.engine.broker import deadlines

    session = instance.connect()
    for batch in ("CREATE DATABASE d", "USE d", "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])"):
        assert errors(session, batch) == []
    text = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;"
    session.run(f"{text} BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5")
    working = deadlines.run_due
    broken = iter([KeyError("x")])

    def run_due(transaction: Any) -> Any:
        for error in broken:
            raise error
        return working(transaction)

    monkeypatch.setattr(deadlines, "run_due", run_due)
    assert instance.loop is not None
    instance.loop.advance(60)
    assert any("KeyError" in r.text for r in instance.error_log if r.number == 3624)
    assert rows(session, "SELECT COUNT(*) FROM q") == [(1,)]
