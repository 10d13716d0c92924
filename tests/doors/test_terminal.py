"""The prompt in a pseudo-terminal: what comes by itself while somebody types, from here and over -S."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from serving import SA_PASSWORD, address_of_tds

import sbql

SETUP = """
CREATE DATABASE Shop
GO
USE Shop
CREATE QUEUE Q; CREATE SERVICE Asker ON QUEUE Q; CREATE QUEUE R; CREATE SERVICE Answerer ON QUEUE R ([DEFAULT])
GO
CREATE PROCEDURE P AS DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM R; PRINT 'got one'
"""
SEND = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Answerer' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')"
WAIT = "WAITFOR (RECEIVE TOP (1) message_type_name FROM R), TIMEOUT 60000"
SLOW = 60
"""Seconds for what takes one."""


class Terminal:
    """A prompt in a pseudo-terminal of 100 columns without colours."""

    def __init__(self, home: Path, *arguments: str) -> None:
        environment = {**os.environ, "HOME": str(home), "TERM": "xterm", "NO_COLOR": "1", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self._child = pexpect.spawn(
            sys.executable, ["-m", "sbql", *arguments], dimensions=(40, 100), env=environment, timeout=SLOW, encoding="utf-8"
        )  # fmt: skip

    def type(self, *lines: str) -> None:
        for line in lines:
            self._child.send(f"{line}\r")

    def interrupt(self) -> None:
        self._child.sendintr()

    def until(self, pattern: str) -> str:
        """What was shown up to what fits the pattern."""
        self._child.expect(pattern)
        return str(self._child.before) + str(self._child.after)

    def end(self) -> int:
        self._child.sendeof()
        self._child.expect(pexpect.EOF)
        self._child.close()
        return int(self._child.exitstatus)

    def kill(self) -> None:
        with contextlib.suppress(pexpect.ExceptionPexpect):  # it has ended by itself
            self._child.kill(signal.SIGKILL)
            self._child.wait()


@pytest.fixture
def here(home: Path, tmp_path: Path) -> Iterator[Terminal]:
    """A prompt on a store with two services."""
    store = tmp_path / "shop.duckdb"
    with sbql.connect(str(store)) as connection:
        sbql.run_script(connection, SETUP)
    found = Terminal(home, "--store", str(store), "-d", "Shop")
    try:
        found.until("Shop>")
        yield found
    finally:
        found.kill()


def test_a_batch_waits_in_one_session_while_another_one_works(here: Terminal) -> None:
    here.type(WAIT, "\\background")
    here.until(r"It runs in session 1.*You are in session 2")
    here.until(re.escape("Shop[2]>"))
    here.type("\\session 1")
    here.until(r"Session 1 runs a batch: WAITFOR")
    here.type("\\session close 1")
    here.until(r"Session 1 runs a batch")
    here.type("\\session")
    here.until(r"  1  spid \d+, Shop, runs since \d+ s: WAITFOR")
    here.type(SEND, "GO")
    shown = here.until(r"\[session 1\] done, [\d.]+ s")
    assert re.search(r"\[session 1\]\s.*message_type_name.*DEFAULT", shown, re.S)
    here.type("\\session 1", "SELECT 40 + 2 AS it", "GO")
    here.until(r"42")
    here.type("\\background")
    here.until("There is nothing to run: write a batch")
    here.type("\\cancel")
    here.until("No batch runs in the background")


def test_a_waiting_batch_is_cancelled_and_ends_with_the_prompt(here: Terminal) -> None:
    here.type(WAIT, "\\background")
    here.until(re.escape("Shop[2]>"))
    here.type("\\cancel 2")
    here.until("No batch runs in session 2")
    here.type("\\cancel")
    here.until(r"\[session 1\] cancelled, [\d.]+ s")
    here.type(WAIT, "\\background")
    here.until(re.escape("Shop[1]>"))
    assert here.end() == 0


def test_a_long_batch_says_what_it_does_and_is_cancelled(here: Terminal) -> None:
    here.type("WAITFOR DELAY '00:01:00'", "GO")
    here.until(r"sleeping in WAITFOR DELAY or TIME, Ctrl-C cancels +0:00:01")
    here.interrupt()
    shown = here.until(r"The batch was cancelled\.\s+")
    assert re.search(r"\x1b\[2KThe batch was cancelled\.", shown), "the line is wiped before anything else stands there"
    here.until("Shop>")
    assert here.end() == 0


def test_time_that_nobody_moves_makes_no_batch_wait_in_the_background(home: Path) -> None:
    found = Terminal(home, "--clock", "virtual")
    try:
        found.until("master>")
        found.type("SELECT 1", "\\background")
        found.until("The clock is virtual")
    finally:
        found.kill()


def test_over_a_connection_the_trace_and_the_log_come_above_the_input(home: Path) -> None:
    """What the server does without being asked by this prompt: a dialog of somebody else,
    and the procedure that it starts."""
    with (
        sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner,
        sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD) as other,
    ):
        sbql.run_script(other, SETUP)
        found = Terminal(home, "-S", address_of_tds(owner), "-U", "sa", "-P", SA_PASSWORD, "-d", "Shop")
        try:
            found.until("Shop>")
            found.type("\\trace on")
            found.until("The trace is on")
            other.execute(SEND)
            found.until(r"\[trace\] .* SEND Message \[DEFAULT\] 0 initiator Asker -> Answerer CO")
            found.type("\\trace off")
            found.until("The trace is off")
            other.execute(
                "ALTER QUEUE R WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = P, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
            )
            found.until(r"\[log\] .*got one")
            found.type("\\conversation")
            found.until(r"SEND Message")
            found.until("Shop>")
            assert found.end() == 0
        finally:
            found.kill()
