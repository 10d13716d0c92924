"""Ctrl+C between any two lines of what writes to the broker's log: what was committed is found once, in its order, and
what was given up is not found again."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import duckdb
import pytest

from sbql.catalog import broker_log, journal, log_ring, record_writer
from sbql.catalog.broker_log import begin_after
from sbql.catalog.journal import Journal
from sbql.catalog.log_frames import frames, head, later_frames
from sbql.catalog.log_ring import LogRing
from sbql.catalog.store import Store
from sbql.catalog.store_file import store_files
from sbql.catalog.synced_file import SyncedFile

from .conftest import message

EPOCH = bytes(range(16))


def interrupted(work: Callable[[], object], line: int, *modules: Any) -> bool:
    """Run `work` with a KeyboardInterrupt before the line that is so many lines of these modules away. Did it come?
    Python itself sees to it that none comes between a lock and the `with` that releases it."""
    files, left, came = {module.__file__ for module in modules}, line, False

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left, came
        if frame.f_code.co_filename not in files or came:
            return None
        source = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        if event in ("line", "return") and not source.lstrip().startswith("with "):
            left -= 1
            if left <= 0:
                came = True
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return came


def everywhere(limit: int = 400) -> Iterator[int]:
    yield from range(1, limit)
    raise AssertionError("it has no end")


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize("grows", [False, True])
def test_a_ring_that_is_interrupted(tmp_path: Path, is_lost: bool, grows: bool) -> None:
    """The next frame is longer, so that it goes round the end of the ring where the interrupted one did not."""
    for line in everywhere():
        with SyncedFile(str(tmp_path / str(line)), is_new=True) as file:
            file.write(0, head(EPOCH))
            ring = LogRing(file, EPOCH, 1024, 4096 if grows else 1024)
            for lsn in range(1, 5):
                ring.append([(lsn, bytes(150))])
            ring.let_go(1 if grows else 2)
            again = 0
            came = interrupted(lambda ring=ring: ring.append([(5, bytes(100))]), line, log_ring)  # type: ignore[misc]
            if is_lost:
                interrupted(lambda ring=ring: ring.strike_out(5), line, log_ring)  # type: ignore[misc]
                ring.strike_out(5)
            else:
                ring.append([(5, bytes(100)), (6, bytes(100))])
                again = 5
            ring.append([(7, bytes(8))])
            data = file.read(0, 1 << 20)
            found = list(frames(EPOCH, data, *ring.first))
            lsns = [lsn for one in found for lsn, _ in one.batch if lsn > (1 if grows else 2)]
            assert not later_frames(EPOCH, data, found[-1].number), (line, "no damage")
            once = list(dict.fromkeys(lsns))
            assert once == [*([2] if grows else []), 3, 4, *([] if is_lost else [5, 6]), 7], line
            assert [lsn for lsn, _ in ring.read(1 << 60)] == lsns and lsns.count(5) <= (2 if again else 0)
        if not came:
            return


def test_a_queue_that_is_interrupted() -> None:
    """What somebody was about to write is written by the next one: never is it called durable without that."""
    for line in everywhere():
        disk: list[int] = []
        queue = Journal(lambda batch, disk=disk: disk.extend(lsn for lsn, _ in batch))  # type: ignore[misc]
        queue.submit(b"one")
        queue.submit(b"two")
        came = interrupted(queue.flush_with_pen, line, journal)
        queue.submit(b"three")
        queue.flush_with_pen()
        assert list(dict.fromkeys(disk)) == [1, 2, 3] and queue.durable_lsn == 3, line
        if not came:
            return


def test_a_commit_of_rows_that_is_interrupted_takes_no_other_with_it() -> None:
    for line in everywhere():
        disk: list[int] = []
        queue = Journal(lambda batch, disk=disk: disk.extend(lsn for lsn, _ in batch))  # type: ignore[misc]
        queue.submit(b"one")
        came = interrupted(lambda queue=queue: queue.take(b"mine"), line, journal)  # type: ignore[misc]
        queue.flush_with_pen()
        assert disk == [1], (line, "what somebody else waits for, and nothing of the commit that went no further")
        if not came:
            return


@pytest.mark.parametrize("batches", [0, 1, 2])
def test_a_store_that_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batches: int) -> None:
    """Before the log is begun, with the commit that begins it, and behind that. A process that is killed
    afterwards leaves everything once."""
    monkeypatch.setattr(begin_after, "batches", batches)
    for line in range(1 + batches % 3, 200, 7):
        path = str(tmp_path / f"{line}.duckdb")
        with Store.open(path) as store:
            store.wait_durable(store.submit([message(1)]))
            lsn = store.submit([message(2)])
            came = interrupted(
                lambda store=store, lsn=lsn: store.wait_durable(lsn),  # type: ignore[misc]
                line,
                broker_log,
                log_ring,
                record_writer,
            )
            store.wait_durable(lsn)
            for key in range(3, 6):
                store.wait_durable(store.submit([message(key)]))
            left = str(tmp_path / f"{line}.left.duckdb")
            copy_of(store, path, left)
            assert [one.message_key for one in store.load().messages] == [1, 2, 3, 4, 5], line
        with Store.open(left) as again:
            assert [one.message_key for one in again.load().messages] == [1, 2, 3, 4, 5], line
        if not came:
            return
    raise AssertionError("it has no end")


def copy_of(store: Store, path: str, left: str) -> None:
    """The files as a kill leaves them."""
    with store.standing_still():
        for file, copy in zip(store_files(path), store_files(left), strict=True):
            if Path(file).exists():
                Path(copy).write_bytes(Path(file).read_bytes())
    with duckdb.connect(left) as connection:
        connection.execute("UPDATE sbql.meta SET value = ? WHERE key = 'opened_as'", [left])
