"""The journal in front of a disk that takes, refuses, or is interrupted: what is
written, what is lost, and what waits."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from sbql.catalog import interrupts, journal as journal_module
from sbql.catalog.journal import _EAGER_RECORDS, Journal
from sbql.grammar.build import is_compiled
from sbql.grammar.errors import SqlError, sql_error


class Disk:
    """What was written, by LSN; `failure` is raised instead, once."""

    def __init__(self) -> None:
        self.written: list[tuple[int, bytes]] = []
        self.failure: BaseException | None = None

    def write(self, batch: list[tuple[int, bytes]]) -> None:
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
        self.written += batch


@pytest.fixture
def disk() -> Disk:
    return Disk()


def test_waiting_for_one_writes_all_in_order(disk: Disk) -> None:
    journal = Journal(disk.write)
    assert [journal.submit(b"a"), journal.submit(b"b"), journal.submit(b"c")] == [1, 2, 3]
    assert (journal.durable_lsn, journal.last_lsn) == (0, 3)
    journal.wait_durable(2)
    assert disk.written == [(1, b"a"), (2, b"b"), (3, b"c")]
    assert (journal.durable_lsn, journal.last_lsn) == (3, 3)


def test_what_the_disk_refuses_is_lost_and_never_written(disk: Disk) -> None:
    journal = Journal(disk.write)
    kept = journal.submit(b"a")
    journal.wait_durable(kept)
    lost = journal.submit(b"b")
    disk.failure = sql_error(1105, "a", "Shop", "c")
    with pytest.raises(SqlError, match="Shop"):
        journal.wait_durable(lost)
    assert journal.durable_lsn == lost
    after = journal.submit(b"c")
    journal.wait_durable(after)
    assert disk.written == [(1, b"a"), (3, b"c")]
    journal.require(kept)
    journal.require(after)
    journal.require_since(lost)
    for asks in (
        lambda: journal.require(lost),
        lambda: journal.require_since(kept),
        lambda: journal.wait_durable(lost),
    ):
        with pytest.raises(SqlError):
            asks()


def test_an_interrupted_write_is_done_later(disk: Disk) -> None:
    """Ctrl+C is no refusal: nothing is lost, and what waited stays in front of what came later."""
    journal = Journal(disk.write)
    first = journal.submit(b"a")
    disk.failure = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        journal.wait_durable(first)
    assert journal.durable_lsn == 0
    second = journal.submit(b"b")
    journal.wait_durable(second)
    assert disk.written == [(1, b"a"), (2, b"b")]


@pytest.mark.skipif(is_compiled(), reason="puts a bed of its own into a compiled class")
def test_who_is_interrupted_when_it_is_woken_wakes_the_next(disk: Disk) -> None:
    """Ctrl+C as the pen is put down: whoever sleeps behind has nobody else to wake it."""
    journal = Journal(disk.write)
    held = ExitStack()
    held.enter_context(journal.pen())
    first, second = journal.submit(b"a"), journal.submit(b"b")
    behind = threading.Thread(target=journal.wait_durable, args=[second], daemon=True)

    class Bed:
        """Of the first to sleep: another comes behind it, it is woken, and interrupted."""

        def acquire(self) -> None:
            behind.start()
            end = time.monotonic() + 30
            while len(journal._sleepers) < 2 and time.monotonic() < end:
                time.sleep(0.001)
            held.close()
            raise KeyboardInterrupt

        def release(self) -> None: ...

    class Sleepers(deque[Any]):
        def append(self, sleeper: Any) -> None:
            if not self:
                sleeper.bed = Bed()
            super().append(sleeper)

    journal._sleepers = Sleepers()
    with pytest.raises(KeyboardInterrupt):
        journal.wait_durable(first)
    behind.join(10)
    assert disk.written == [(1, b"a"), (2, b"b")]


@pytest.mark.parametrize("heeded", [True, False])
def test_an_interrupt_between_two_tries_wakes_the_next(disk: Disk, heeded: bool) -> None:
    """The first to sleep is woken to take the pen, and has been interrupted meanwhile, in a batch, which holds that
    back, or outside of one: there is nobody else to wake who sleeps behind it."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")
    journal = Journal(disk.write)
    first, second = journal.submit(b"a"), journal.submit(b"b")
    behind = threading.Thread(target=journal.wait_durable, args=[second], daemon=True)
    pen_held = threading.Event()

    def until(holds: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not holds() and time.monotonic() < end:
            time.sleep(0.001)

    def hold() -> None:
        with journal.pen():
            pen_held.set()
            until(lambda: len(journal._sleepers) == 1)
            behind.start()
            until(lambda: len(journal._sleepers) == 2)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            until(lambda: interrupts._come if heeded else len(journal._sleepers) == 1)

    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    assert pen_held.wait(30)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever a test has left
    heeds: interrupts.Taken = []
    if heeded:
        interrupts.heed(heeds)
    assert bool(heeds) is heeded
    try:
        with pytest.raises(KeyboardInterrupt):
            journal.wait_durable(first)
    finally:
        interrupts.stop_heeding(heeds)
        signal.signal(signal.SIGINT, before)
    holder.join(30)
    behind.join(10)
    assert disk.written == [(1, b"a"), (2, b"b")]
    assert journal._held == 0 and not journal._sleepers


@pytest.mark.skipif(is_compiled(), reason="machine code has no lines to stop at")
def test_an_interrupt_at_any_line_of_a_wait_leaves_nobody_asleep(disk: Disk) -> None:
    """In a batch: at each line that a thread runs from its wait to its end, with another one behind
    it and the pen in somebody's hand."""

    def interrupted_at(line: int) -> bool:
        disk.written.clear()
        journal = Journal(disk.write)
        first, second = journal.submit(b"a"), journal.submit(b"b")
        behind = threading.Thread(target=journal.wait_durable, args=[second], daemon=True)
        pen_held, put_down = threading.Event(), threading.Event()
        left = line

        def hold() -> None:
            with journal.pen():
                pen_held.set()
                put_down.wait(30)

        holder = threading.Thread(target=hold, daemon=True)
        holder.start()
        assert pen_held.wait(30)

        def trace(frame: Any, event: str, argument: Any) -> Any:
            nonlocal left
            if frame.f_code.co_filename not in (journal_module.__file__, interrupts.__file__):
                return None
            if event == "line":
                left -= 1
                if not left:
                    interrupts._take(signal.SIGINT, None)
            return trace

        class Bed:
            """Of the first to sleep: another comes behind it, and the pen is put down."""

            def acquire(self) -> None:
                sys.settrace(None)
                behind.start()
                end = time.monotonic() + 30
                while len(journal._sleepers) < 2 and time.monotonic() < end:
                    time.sleep(0.001)
                put_down.set()
                holder.join(30)
                sys.settrace(trace)

            def release(self) -> None: ...

        class Sleepers(deque[Any]):
            def append(self, sleeper: Any) -> None:
                if not self and not behind.is_alive():
                    sleeper.bed = Bed()
                super().append(sleeper)

        journal._sleepers = Sleepers()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        heeds: interrupts.Taken = []
        interrupts.heed(heeds)
        assert heeds
        try:
            sys.settrace(trace)
            journal.wait_durable(first)
            was_interrupted = False
        except KeyboardInterrupt:
            was_interrupted = True
        finally:
            sys.settrace(None)
            interrupts.stop_heeding(heeds)
            signal.signal(signal.SIGINT, before)
        if behind.ident is None:  # interrupted before it slept
            put_down.set()
            behind.start()
        behind.join(10)
        holder.join(30)
        assert disk.written == [(1, b"a"), (2, b"b")], f"line {line}"
        assert journal._held == 0 and not journal._sleepers
        return was_interrupted

    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")
    lines = 1
    while interrupted_at(lines):
        lines += 1
    assert lines > 40, "that was no wait"


def test_a_batch_that_was_put_back_counts_for_relief(disk: Disk) -> None:
    """Memory is as full of it as before."""
    journal = Journal(disk.write)
    large = bytes(65 << 20)
    journal.submit(large)
    with journal.pen():
        lsn, batch = journal.take(b"tables")
        assert lsn == 2
        journal.put_back(batch[:-1])
    journal.relieve()
    assert disk.written == [(1, large)]


def test_little_that_waits_needs_no_relief(disk: Disk) -> None:
    journal = Journal(disk.write)
    journal.submit(b"a")
    journal.relieve()
    assert disk.written == []


def test_a_commit_of_tables_carries_what_waits(disk: Disk) -> None:
    journal = Journal(disk.write)
    journal.submit(b"a")
    with journal.pen():
        lsn, batch = journal.take(b"tables")
        assert batch == [(1, b"a"), (2, b"tables")]
        journal.written(lsn)
    journal.wait_durable(2)
    assert disk.written == []


def test_in_its_turn_a_commit_finds_everything_before_it_on_disk(disk: Disk) -> None:
    journal = Journal(disk.write)
    first = journal.submit(b"a")
    with journal.turn():
        assert disk.written == [(1, b"a")]
        journal.wait_durable(journal.submit(b"b"))
        with journal.pen(has_turn=True):
            assert journal.take(b"c") == (3, [(3, b"c")])
            journal.written(3)
    assert disk.written == [(1, b"a"), (2, b"b")]
    journal.require(first)


def test_a_turn_after_the_end_is_refused(disk: Disk) -> None:
    journal = Journal(disk.write)
    journal.stop(sql_error(9001, "Shop"))
    with pytest.raises(SqlError), journal.turn():
        raise AssertionError
    with pytest.raises(SqlError), journal.pen():
        raise AssertionError


@pytest.mark.parametrize("seed", range(8))
def test_pen_and_turn_under_many_threads(seed: int) -> None:
    """Whoever writes records is alone in it, and whoever commits tables; one that does both is alone in both. Nobody
    waits for ever, also when some are interrupted: at the end everything is free."""
    chance = random.Random(seed)
    writing, committing, done = threading.Lock(), threading.Lock(), []

    def write(batch: list[tuple[int, bytes]]) -> None:
        assert writing.acquire(blocking=False), "two write records"
        if chance.random() < 0.2:
            time.sleep(0.0005)
        writing.release()
        if chance.random() < 0.1 and len(done) < 8:
            raise KeyboardInterrupt

    journal = Journal(write)

    def alone(lock: Any) -> None:
        assert lock.acquire(blocking=False), "two at once"
        if chance.random() < 0.3:
            time.sleep(0.0005)
        lock.release()

    def work(own: random.Random) -> None:
        for _ in range(60):
            kind = own.randrange(4)
            try:
                if kind == 0:
                    with journal.turn():
                        alone(committing)
                elif kind == 1:
                    with journal.pen():
                        alone(committing)
                        alone(writing)
                        lsn, _ = journal.take(b"both")
                        journal.written(lsn)
                elif kind == 2:
                    with journal.turn(), journal.pen(has_turn=True):
                        alone(writing)
                else:
                    journal.wait_durable(journal.submit(b"record"))
            except KeyboardInterrupt:
                pass
        done.append(True)

    threads = [threading.Thread(target=work, args=[random.Random(seed * 100 + n)], daemon=True) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == len(threads), "somebody waits for ever"
    journal.settle(journal.last_lsn)
    assert journal._held == 0 and not journal._sleepers


def test_who_waits_for_the_turn_is_not_passed_by_others_who_want_it(disk: Disk) -> None:
    """A commit with a record and tables waits for the pen; another one of tables alone, which
    needs the turn only, comes behind it."""
    journal, order = Journal(disk.write), []

    def commit(name: str, how: Any) -> threading.Thread:
        def work() -> None:
            with how():
                order.append(name)

        before = len(journal._sleepers)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        end = time.monotonic() + 30
        while len(journal._sleepers) == before and time.monotonic() < end:
            time.sleep(0.001)
        return thread

    with journal.turn(), journal.pen(has_turn=True):
        threads = [commit("both", journal.pen), commit("tables", journal.turn)]
    for thread in threads:
        thread.join(30)
    assert order == ["both", "tables"]


def test_a_journal_that_has_stopped_refuses(disk: Disk) -> None:
    journal = Journal(disk.write)
    waits = journal.submit(b"a")
    journal.stop(sql_error(9001, "Shop"))
    for asks in (
        lambda: journal.submit(b"b"),
        lambda: journal.wait_durable(waits),
        lambda: journal.take(None),
        journal.flush_with_pen,
    ):
        with pytest.raises(SqlError):
            asks()
    assert disk.written == []


def test_the_committer_is_woken_by_the_first_record_and_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """In between it lingers, so that one write takes many: who rings for each record has them written one by one."""
    journal, rung = Journal(Disk().write), list[int]()
    monkeypatch.setattr(journal._bell, "notify", lambda: rung.append(journal.last_lsn))
    for _ in range(_EAGER_RECORDS + 5):
        journal.submit(b"record")
    assert rung == [1, _EAGER_RECORDS]


def test_a_session_that_writes_its_own_does_not_wake_the_committer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would come in vain, and cost each of them half a statement."""
    journal, rung = Journal(lambda batch: time.sleep(0.001)), list[int]()
    notify = journal._bell.notify

    def ring(count: int = 1) -> None:
        rung.append(journal.last_lsn)
        notify(count)

    monkeypatch.setattr(journal._bell, "notify", ring)
    journal.start()
    for _ in range(200):
        journal.wait_durable(journal.submit(b"record"))
    journal.close()
    assert 1 <= len(rung) < 100


def test_the_committer_writes_what_nobody_waits_for_again_and_again(disk: Disk) -> None:
    """Also behind a rest, in which it sleeps, and records that somebody else was interrupted with."""
    journal = Journal(disk.write)
    journal.start()
    for round_ in range(1, 6):
        if round_ == 3:
            disk.failure = KeyboardInterrupt()
            with pytest.raises(KeyboardInterrupt):
                journal.wait_durable(journal.submit(b"record"))
        else:
            journal.submit(b"record")
        end = time.monotonic() + 30
        while journal.durable_lsn < round_ or journal._is_armed:
            assert time.monotonic() < end, f"record {round_} is still in memory, or the committer never rests"
            time.sleep(0.001)
    journal.close()
    assert disk.written == [(lsn, b"record") for lsn in range(1, 6)]
