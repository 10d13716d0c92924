"""The end of a script whose activated procedures sleep, fail or go on: how long it is waited for,
what is said, and the exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from sbql.repl.cli import main
from sbql.repl.options import UsageError, parse_options

SCRIPT = """
CREATE DATABASE Act
GO
USE Act
GO
CREATE QUEUE q
CREATE SERVICE s ON QUEUE q ([DEFAULT])
GO
CREATE PROCEDURE reader AS
{body}
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'<no xml');
GO
{last}
"""
BOOK = "BEGIN TRAN; DECLARE @b xml; RECEIVE TOP (1) @b = CAST(message_body AS xml) FROM q; COMMIT"
LOOP = "DECLARE @i bigint = 0; WHILE 1 = 1 SET @i += 1"
SLEEP = "RECEIVE * FROM q; WAITFOR DELAY '{delay}'; PRINT N'awake'"


class Outcome(NamedTuple):
    code: int
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    def run(body: str, *options: str, last: str = "") -> Outcome:
        script = tmp_path / "a.sql"
        script.write_text(SCRIPT.format(body=body, last=last), encoding="utf-8")
        code = main([*options, str(script)])
        return Outcome(code, capfd.readouterr().err)

    return run


@pytest.mark.parametrize("clock", ["system", "virtual"])
def test_a_procedure_that_fails_has_an_exit_code_of_its_own_under_b(run: Run, clock: str) -> None:
    done = run(BOOK, "-b", "--clock", clock)
    assert done.code == 2
    assert done.err.count("did not execute RECEIVE") == 1
    assert "Act.dbo.q stays enabled" in done.err
    assert run(BOOK, "--clock", clock).code == 0


@pytest.mark.parametrize(
    "body",
    [
        "BEGIN TRAN; RECEIVE * FROM q; ROLLBACK",
        "RECEIVE * FROM q; SELECT 1 / 0",
        "RECEIVE * FROM q; RAISERROR (N'bad', 11, 1)",
        "BEGIN TRAN; RECEIVE * FROM q",
    ],
)
def test_failures_are_errors_and_what_poison_switches_off(run: Run, body: str) -> None:
    assert run(body, "-b", "--clock", "virtual").code == 2


def test_a_task_that_was_killed_is_a_failure(run: Run) -> None:
    kill = "WAITFOR DELAY '00:00:01'; DECLARE @s int = (SELECT spid FROM sys.dm_broker_activated_tasks); EXEC ('KILL ' + @s)"
    body = "RECEIVE * FROM q; WAITFOR DELAY '01:00:00'"
    assert run(body, "-b", "--clock", "virtual", last=kill).code == 2
    assert run(body, "-b", "--clock", "virtual").code == 0


def test_a_message_is_no_failure(run: Run) -> None:
    assert run("RECEIVE * FROM q; RAISERROR (N'fine', 10, 1)", "-b", "--clock", "virtual").code == 0


def test_the_scripts_own_error_comes_first(run: Run) -> None:
    assert run(BOOK, "-b", "--clock", "virtual", last="SELECT 1 / 0\nGO").code == 1
    assert run(BOOK, "-b", "--clock", "virtual", last=":exit(SELECT 7)").code == 7


@pytest.mark.parametrize("clock", ["system", "virtual"])
def test_a_limit_ends_the_wait_and_says_who_is_busy(run: Run, clock: str) -> None:
    done = run(LOOP, "--wait", "0.3", "--clock", clock)
    assert done.code == 3
    assert "of the queue Act.dbo.q" in done.err


def test_a_virtual_clock_moves_on_to_the_end_of_a_sleep(run: Run) -> None:
    done = run(SLEEP.format(delay="01:00:00"), "--clock", "virtual")
    assert (done.code, "awake" in done.err) == (0, True)
    done = run(SLEEP.format(delay="01:00:00"), "--clock", "virtual", "--wait", "60")
    assert (done.code, "sleeping in WAITFOR" in done.err) == (3, True)


def test_held_back_lines_are_counted_at_the_end(run: Run) -> None:
    body = "RECEIVE * FROM q; DECLARE @i int = 0; WHILE @i < 30 BEGIN RAISERROR (N'again', 11, 1); SET @i += 1 END"
    done = run(body, "--clock", "virtual")
    assert "20 more lines like this within a minute" in done.err


@pytest.mark.parametrize("seconds", ["-1", "soon", "nan"])
def test_a_limit_is_a_number_of_seconds(seconds: str) -> None:
    with pytest.raises(UsageError, match="--wait"):
        parse_options([f"--wait={seconds}", "a.sql"])
