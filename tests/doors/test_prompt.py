"""The prompt, driven through a pretended terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from serving import PATIENCE, instance_by

import sbql
from sbql.repl.highlight import styled_lines
from sbql.repl.history import history_path
from sbql.repl.loop import Prompt
from sbql.repl.options import Options

Type = Callable[[str], str]


@pytest.fixture(params=["here", "served", "served-tds"])
def typed(request: pytest.FixtureRequest, home: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Type]:
    """Type text into a prompt until its end; what it showed. The prompt of a client shows the same."""
    with instance_by(request.param) as instance:

        def run(text: str) -> str:
            with create_pipe_input() as keys:
                keys.send_text(text)
                Prompt(instance, instance.connect(), Options(), input=keys, output=DummyOutput()).run()
            return capsys.readouterr().out

        yield run


def test_a_batch_runs_at_go(typed: Type) -> None:
    assert "a\n-\n1\n\n(1 rows affected)\n" in typed("SELECT 1\rAS a\rGO\rquit\r")


def test_ctrl_d_ends(typed: Type) -> None:
    assert typed("\x04").startswith("sbql ")


def test_f5_runs_without_go(typed: Type) -> None:
    assert "hello\n" in typed("PRINT 'hello'\x1b[15~exit\r")


def test_errors_leave_the_session_usable(typed: Type) -> None:
    out = typed("SELECT 1 / 0\rGO\rPRINT 'still here'\rGO\rquit\r")
    assert "Msg 8134, Level 16, State 1, Line 1\n" in out
    assert "still here" in out


def test_after_a_fatal_error_it_goes_on_in_a_new_session(typed: Type) -> None:
    shown = typed("RAISERROR('it is over', 20, 1) WITH LOG\rGO\rSELECT 40 + 2\rGO\rquit\r")
    assert "This is a new one" in shown and "42" in shown


def test_quit_quits_when_somebody_has_killed_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    with sbql.connect() as other, create_pipe_input() as keys:
        session = other.instance.connect()
        other.execute(f"KILL {session.spid}")
        assert session.is_ended
        keys.send_text("quit\r")
        prompt = Prompt(other.instance, session, Options(), input=keys, output=DummyOutput())
        assert prompt.run() == 0
        assert "This is a new one" not in capsys.readouterr().out


def test_what_the_session_logs_itself_is_shown_once(typed: Type) -> None:
    for severity in (16, 20):
        shown = typed(f"RAISERROR('%s once', {severity}, 1, 'only') WITH LOG\rGO\rquit\r")
        assert shown.count("only once") == 1


def test_what_an_ended_session_has_logged_is_not_shown_again_when_it_comes_late(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with sbql.connect() as connection, create_pipe_input() as keys:
        instance, late = connection.instance, []
        stop = instance.listen_log(late.append)
        keys.send_text("RAISERROR('only once', 20, 1) WITH LOG\rGO\rquit\r")
        prompt = Prompt(instance, instance.connect(), Options(), input=keys, output=DummyOutput())
        prompt.run()
        stop()
        for record in late:
            prompt._show_log(record)
        assert late and capsys.readouterr().out.count("only once") == 1


@pytest.mark.parametrize("typed", ["here", "served"], indirect=True)  # TDS tells the line alone
def test_a_syntax_error_has_a_caret(typed: Type) -> None:
    assert "SELECT 1 FRM t x y\n" in typed("SELECT 1 FRM t x y\rGO\rquit\r")


def test_the_session_goes_on_from_batch_to_batch(typed: Type) -> None:
    out = typed("CREATE TABLE #t (a int)\rGO\rINSERT #t VALUES (9)\rGO\rSELECT a FROM #t\rGO\rquit\r")
    assert "a\n-\n9\n" in out


def test_variables_stay_from_input_to_input(typed: Type) -> None:
    assert "hello you\n" in typed(":setvar who you\rPRINT 'hello $(who)'\rGO\rquit\r")


def test_help(typed: Type) -> None:
    assert "Ctrl-R" in typed("help\rquit\r")


def test_history_is_kept_in_the_state_folder(typed: Type, home: Path) -> None:
    typed("SELECT 1\rGO\rquit\r")
    assert history_path() == home / "state" / "sbql" / "history"
    assert "SELECT 1" in history_path().read_text()


def test_a_history_that_cannot_be_written_is_no_trouble(typed: Type, home: Path) -> None:
    (home / "state").write_text("a file where a folder should be")
    assert "1\n" in typed("SELECT 1 AS a\rGO\rquit\r")


def test_colours_cover_the_whole_text() -> None:
    text = "SELECT N'it''s', [a b], @x -- note\n/* open\nSEND 0x1F 'open"
    assert "\n".join("".join(part for _, part, *_ in line) for line in styled_lines(text)) == text
    assert ("ansiblue bold", "SELECT") in styled_lines(text)[0]


class Terminal:
    """sbql in a real pseudo-terminal."""

    def __init__(self, home: Path) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(home), "COLUMNS": "100", "LINES": "30"}
        self.process: Any = subprocess.Popen(
            [sys.executable, "-m", "sbql"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=self._own,
        )
        os.close(slave)
        self.seen = ""

    @staticmethod
    def _own() -> None:
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def wait_for(self, text: str) -> None:
        while text not in self.seen:
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            assert ready, f"no {text!r} in {self.seen!r}"
            try:
                self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:  # it has ended
                break
        self.seen = self.seen.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())


def test_ctrl_c_in_a_terminal_stops_the_batch_only(tmp_path: Path) -> None:
    """The session goes on; another Ctrl-C throws the input away; quit ends with 0."""
    terminal = Terminal(tmp_path)
    try:
        terminal.wait_for("master>")
        terminal.type("PRINT 'begun'; WAITFOR DELAY '00:01:00'\rGO\r")
        terminal.wait_for("begun\r\n")
        terminal.type("\x03")
        terminal.wait_for("The batch was cancelled.")
        terminal.wait_for("master>")
        terminal.type("half a thought\x03")
        terminal.wait_for("master>")
        terminal.type("PRINT 'alive' + 'x'\rGO\r")
        terminal.wait_for("alivex")
        terminal.type("quit\r")
        assert terminal.process.wait(PATIENCE) == 0
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)


def test_tab_in_a_terminal_completes_and_indents(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    try:
        terminal.wait_for("master>")
        terminal.type("\tPRINT 'x'\rSELECT COUNT(*) AS views FROM sys.service_queue_u\t")
        terminal.wait_for("sages")
        terminal.type("\rGO\r")
        terminal.wait_for("views")
        terminal.wait_for("(1 rows affected)")
        terminal.type("quit\r")
        assert terminal.process.wait(PATIENCE) == 0
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)
