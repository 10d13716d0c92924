"""The journal in front of a disk that takes, refuses, or is interrupted: what is written, what is lost, and what waits."""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import ExitStack
from typing import Any

import pytest

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
