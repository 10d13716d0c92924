"""Ctrl+C while a transaction ends: a signal behind each call that Python makes meanwhile, one run for each place.
Whatever the place, all of the transaction has happened or nothing, for the session, for others and for whoever opens
the store again; and the session goes on."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from told import told

from sbql.catalog.journal import Journal
from sbql.engine.instance import Instance
from sbql.engine.session import Session
from sbql.grammar.build import is_compiled

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""Where an interrupt comes in a generator that is being closed Python reports it, and goes on."""

SETUP = """CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE TABLE h (h uniqueidentifier); CREATE TABLE t (n int NOT NULL)
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)"""
SEND = "DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h (CAST({0} AS binary(4)))"
INSERT = "INSERT t VALUES ({0})"
RECEIVE = "DECLARE @n int = -1; RECEIVE TOP (1) @n = CAST(message_body AS int) FROM q"
STEP = int(os.environ.get("INTERRUPT_STEP", "5"))
"""A usual run takes every fifth place."""


class Interrupting:
    """Raises SIGINT at the call with this number, of those that this thread makes from `begin` on."""

    def __init__(self, at: int) -> None:
        self.calls, self.at = 0, at

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("return", "c_return"):
            return
        self.calls += 1
        if self.calls == self.at:
            signal.raise_signal(signal.SIGINT)


def ended(session: Session, last: str, place: int) -> tuple[bool, bool]:
    """Run a batch that is interrupted at a place. Returns whether it had so many places, and whether the
    interrupt came through: Python reports those that come where nothing may be raised, in a finalizer
    that the collector of garbage calls."""
    interrupting = Interrupting(place)
    try:
        sys.setprofile(interrupting)
        session.run(last)
        sys.setprofile(None)
        return interrupting.calls >= place, False
    except KeyboardInterrupt:
        return True, True
    finally:
        sys.setprofile(None)


def places(session: Session, prepare: Callable[[int], list[str]], last: str) -> Iterator[int]:
    """Every place of a batch at which it was interrupted, for whoever looks at what is there.
    `prepare` says what runs before it."""
    place, reached, were = 1, True, 0
    while reached:
        for text in prepare(place):
            assert not told(session, text)
        reached, came_through = ended(session, last.format(place), place)
        told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
        were += came_through
        yield place
        assert not told(session, "CREATE TABLE #x (n int); INSERT #x VALUES (1); DROP TABLE #x; DELETE t")
        place += STEP
    assert were > 10, "interrupts came through"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "s.duckdb")


@contextlib.contextmanager
def opened(path: str) -> Iterator[tuple[Session, Session]]:
    with contextlib.closing(Instance.open(path)) as instance:
        told(instance.connect(), "CREATE DATABASE shop")
        yield instance.connect("shop"), instance.connect("shop")


def messages(session: Session) -> list[object]:
    return told(session, "SELECT CAST(message_body AS int), message_sequence_number FROM q ORDER BY queuing_order")


def received(session: Session) -> list[object]:
    """All that RECEIVE still finds."""
    found: list[object] = []
    while got := told(session, "RECEIVE TOP (1) CAST(message_body AS int), message_sequence_number FROM q"):
        found += got
    return found


def rows(session: Session) -> list[object]:
    return told(session, "SELECT n FROM t")


@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK"])
def test_a_message_is_in_the_queue_or_in_the_table(path: str, end: str) -> None:
    with opened(path) as (session, other):
        told(session, SETUP)

        def prepare(place: int) -> list[str]:
            return [SEND.format(place), f"BEGIN TRAN; {RECEIVE}; INSERT t VALUES (@n)"]

        for sequence, place in enumerate(places(session, prepare, end)):
            waiting, stored = messages(other), rows(other)
            expected = [] if stored else [(place, sequence)]
            assert stored in ([], [(place,)]) and waiting == expected == received(session), (place, waiting, stored)
            assert end == "COMMIT" or not stored
    with opened(path) as (session, _):
        assert not messages(session) and not rows(session)


def test_a_message_and_a_row_are_there_or_neither(path: str) -> None:
    with opened(path) as (session, other):
        told(session, SETUP)
        sequence = 0
        for place in places(session, lambda n: [f"BEGIN TRAN; {INSERT.format(n)}; {SEND.format(n)}"], "COMMIT"):
            waiting, stored = messages(other), rows(other)
            assert waiting == ([(place, sequence)] if stored else []) == received(session), (place, waiting, stored)
            sequence += len(waiting)


@pytest.mark.parametrize("statement", [SEND, RECEIVE], ids=["SEND", "RECEIVE"])
def test_a_statement_in_autocommit_has_happened_or_not(path: str, statement: str) -> None:
    with opened(path) as (session, other):
        told(session, SETUP)
        sequence = 0
        for place in places(session, lambda n: [SEND.format(n)] if statement is RECEIVE else [], statement):
            waiting = messages(other)
            assert waiting in ([], [(place, sequence)]) and waiting == received(session), (place, waiting)
            sequence += len(waiting) if statement is SEND else 1


@pytest.mark.parametrize("statement", [INSERT, "CREATE TABLE u (n int)", "CREATE TABLE #y (n int)", "DROP TABLE #z"])
def test_the_same_of_tables(path: str, statement: str) -> None:
    made = ["DROP TABLE IF EXISTS #z; CREATE TABLE #z (n int); INSERT #z VALUES (1)"] if "#z" in statement else []
    with opened(path) as (session, other):
        told(session, SETUP)
        for place in places(session, lambda _: made, statement):
            if statement is INSERT:
                assert rows(session) == rows(other) in ([], [(place,)])
            name = statement.split()[2]
            if "CREATE" in statement and told(session, f"SELECT COUNT(*) FROM {name}") == [(0,)]:
                assert not told(session, f"INSERT {name} VALUES (1); DROP TABLE {name}")
            if "DROP" in statement:
                assert told(session, f"INSERT {name} VALUES (2); SELECT COUNT(*) FROM {name}") in ([208], [(2,)])


def test_a_query_is_interrupted_as_python_is(path: str) -> None:
    """DuckDB makes an error of its own of it, which no TRY catches; the transaction is
    what it was before the statement."""
    endless = "INSERT t SELECT a.value FROM GENERATE_SERIES(1, 300000) a CROSS JOIN GENERATE_SERIES(1, 300000) b WHERE a.value * b.value % 7 = 3"
    with opened(path) as (session, other):
        told(session, SETUP)
        told(session, "BEGIN TRAN; INSERT t VALUES (1)")

        def press(outcome: object) -> None:
            threading.Timer(
                0.3, os.kill, (os.getpid(), signal.SIGINT)
            ).start()  # the query runs by then, or is about to

        with pytest.raises(KeyboardInterrupt):
            session.run(
                f"PRINT 'now'; BEGIN TRY {endless} END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH", sink=press
            )
        assert told(session, "SELECT XACT_STATE(), n FROM t; INSERT t VALUES (2); COMMIT") == [(1, 1)]
        assert rows(other) == [(1,), (2,)]


@pytest.mark.skipif(is_compiled(), reason="puts a method of its own into a compiled class")
@pytest.mark.parametrize(
    "behind",
    [
        "",
        "; SELECT COUNT(*) FROM q",
        "; SELECT message_body FROM q WHERE status = 1",
        "; SELECT state FROM sys.conversation_endpoints",
        "; INSERT t VALUES (1)",
        "; BEGIN TRAN; INSERT t VALUES (1); COMMIT",
        "; BACKUP DATABASE shop TO DISK = '{1}' WITH INIT",
    ],
)
def test_the_pen_is_nobody_s_after_an_interrupt(
    path: str, tmp_path: Path, behind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that comes when a session that wants the disk has just been given the pen: those who
    come next find it where it belongs."""
    get = Journal._get
    given: list[int] = []
    is_over = False

    def interrupted(self: Journal, needs: int, lsn: int) -> bool:
        has_it = get(self, needs, lsn)
        if has_it and not is_over and threading.current_thread() is threading.main_thread():
            given.append(needs)
            signal.raise_signal(signal.SIGINT)
        return has_it

    with opened(path) as (session, other):
        told(session, SETUP)
        monkeypatch.setattr(Journal, "_get", interrupted)
        came = 0
        for number in range(20):  # now and then the thread in the background is quicker
            try:
                told(session, (SEND + behind).format(number, tmp_path / "copy"))
            except KeyboardInterrupt:
                came += 1
                is_over = True
                told(session, "WHILE @@TRANCOUNT > 0 COMMIT")
                is_over = False
        monkeypatch.undo()
        assert came > 0 and given
        waiting = threading.Thread(target=told, args=(other, SEND.format(20)), daemon=True)
        waiting.start()
        waiting.join(30)
        assert not waiting.is_alive()
        assert len(received(session)) == 21
