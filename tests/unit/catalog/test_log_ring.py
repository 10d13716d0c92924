"""The broker's log as a file: what is found in it again, whatever became of its last write, lap after lap."""

from __future__ import annotations

import itertools
import linecache
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from sbql.catalog.journal import Batch
from sbql.catalog.log_frames import (
    FRAME_HEAD,
    RING,
    epoch_of,
    frame,
    frames,
    head,
    later_frames,
    looks_torn,
    payload,
)
from sbql.catalog.log_ring import LogRing
from sbql.catalog.synced_file import SyncedFile
from sbql.grammar.build import is_compiled

EPOCH = bytes(range(16))
OTHER = bytes(16)
SMALL = 2048


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SyncedFile]:
    with SyncedFile(str(tmp_path / "log"), is_new=True) as opened:
        opened.write(0, head(EPOCH))
        yield opened


def small(file: SyncedFile, largest: int = SMALL) -> LogRing:
    return LogRing(file, EPOCH, SMALL, largest)


def found(file: SyncedFile, ring: LogRing) -> list[int]:
    """The LSNs that a process which opens the file now finds from the first frame on that is needed."""
    return [lsn for one in frames(EPOCH, file.read(0, 1 << 30), *ring.first) for lsn, _ in one.batch]


def test_whose_it_is() -> None:
    page = head(EPOCH)
    assert len(page) == RING and epoch_of(page) == EPOCH
    for place in range(28):
        assert epoch_of(page[:place] + bytes([page[place] ^ 1]) + page[place + 1 :]) is None
    assert epoch_of(page[:27]) is None and epoch_of(bytes(RING)) is None


def test_a_frame_with_anything_changed_is_none() -> None:
    """Every byte, every length, another number, another log; zeros behind it belong to it."""
    batch = [(7, b"seven"), (8, b""), (1 << 40, bytes(range(256)))]
    data = frame(EPOCH, 3, batch)
    assert len(data) % 8 == 0 and payload(EPOCH, 3, data) == batch
    used = FRAME_HEAD + int.from_bytes(data[12:16], "little")
    for place in range(used):
        assert payload(EPOCH, 3, data[:place] + bytes([data[place] ^ 0x40]) + data[place + 1 :]) is None, place
        assert payload(EPOCH, 3, data[:place]) is None and payload(EPOCH, 3, data[:place].ljust(used, b"\0")) is None
    assert payload(EPOCH, 4, data) is None and payload(OTHER, 3, data) is None


@pytest.mark.parametrize("seed", range(8))
def test_what_is_needed_is_found_lap_after_lap(file: SyncedFile, seed: int) -> None:
    """Batches of any size come, and are let go of up to any LSN: a process that is killed at any
    moment finds those that are not."""
    chance = random.Random(seed)
    ring, lsn, needed = small(file, SMALL * chance.choice([1, 4])), 0, []
    refused = 0
    for _ in range(300):
        if chance.random() < 0.9:
            batch: Batch = []
            for _ in range(chance.randint(1, 6)):
                lsn += chance.randint(1, 3)
                batch.append((lsn, chance.randbytes(chance.choice([0, 5, 60, 300]))))
            if ring.takes(batch):
                ring.append(batch)
                needed += batch
            else:
                refused += 1
        else:
            through = chance.choice(
                [lsn, needed[len(needed) // 2][0] if needed else lsn, needed[0][0] if needed else 0]
            )
            assert ring.count(through) == sum(n <= through for n, _ in needed)
            assert list(ring.read(through)) == [entry for entry in needed if entry[0] <= through]
            place = ring.after(through)
            ring.let_go(through)
            assert ring.first == place
            needed = [entry for entry in needed if entry[0] > through]
        there = found(file, ring)
        assert there[len(there) - len(needed) :] == [n for n, _ in needed], (
            "those of the oldest frame that are let go of come first"
        )
        assert len(there) - len(needed) < 6
    assert refused and ring.first[0] > 50, "it was full at times, and went round many times"


@pytest.mark.parametrize("seed", range(16))
def test_a_torn_write_takes_nothing_with_it(file: SyncedFile, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the last write any part is there, with zeros or garbage for the rest: all before it is found, it is
    found whole or not, and never more."""
    chance = random.Random(seed)
    ring, lsn = small(file), 0
    for _ in range(chance.randint(1, 60)):
        lsn += 1
        ring.append([(lsn, chance.randbytes(chance.randint(0, 200)))])
        if chance.random() < 0.6:
            ring.let_go(lsn - chance.randint(0, 2))
        while not ring.takes([(lsn, bytes(300))]):
            ring.let_go(ring._kept[0].lsns[-1])
    before = found(file, ring)
    write = SyncedFile.write

    def torn(self: SyncedFile, place: int, data: bytes) -> None:
        cut = chance.randrange(len(data) + 1)
        write(self, place, data[:cut] + chance.choice([b"", bytes(len(data) - cut), chance.randbytes(len(data) - cut)]))
        raise OSError("the power goes")

    monkeypatch.setattr(SyncedFile, "write", torn)
    with pytest.raises(OSError, match="the power goes"):
        ring.append([(lsn + 1, chance.randbytes(200))])
    monkeypatch.undo()
    assert found(file, ring) in (before, [*before, lsn + 1])
    number = ring.first[0] + len(before)
    assert not later_frames(EPOCH, file.read(0, 1 << 30), number), "nothing behind it: no damage"
    ring.append([(lsn + 2, bytes(290))])
    assert found(file, ring) == [*before, lsn + 2], "the next write strikes it out first, wherever it goes itself"


def test_a_frame_that_cannot_be_struck_out(file: SyncedFile, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = small(file)
    ring.append([(1, b"one")])
    with monkeypatch.context() as patched:
        patched.setattr(SyncedFile, "write", _refuse)
        for _ in range(2):
            with pytest.raises(OSError, match="input/output"):
                ring.append([(2, b"two")])
            with pytest.raises(OSError, match="input/output"):
                ring.strike_out()
    ring.strike_out()
    ring.strike_out()
    assert found(file, ring) == [1] and ring.last_lsn == 1


def _refuse(*_: object) -> None:
    raise OSError("input/output error")


def test_damage_in_the_middle_is_not_a_torn_end(file: SyncedFile, tmp_path: Path) -> None:
    """Frames stand behind it. They are found by their numbers, in whatever part of the ring."""
    ring = small(file)
    for lsn in range(1, 36):
        ring.append([(lsn, bytes(100))])
        ring.let_go(lsn - 8)
    (oldest, _), data = ring.first, bytearray(file.read(0, 1 << 30))
    whole = list(frames(EPOCH, bytes(data), *ring.first))
    assert [one.number for one in whole] == list(range(oldest, 36)) and whole[0].place > whole[-1].place, (
        "round the end of the ring"
    )
    third = whole[2]
    data[third.place + 30] ^= 1
    left = list(frames(EPOCH, bytes(data), *ring.first))
    assert [one.number for one in left] == [oldest, oldest + 1]
    assert looks_torn(bytes(data), third.number, third.place)
    assert [one.number for one in later_frames(EPOCH, bytes(data), third.number)] == list(range(third.number + 1, 36))


def test_it_grows_as_long_as_it_may(file: SyncedFile, tmp_path: Path) -> None:
    ring = small(file, 8 * SMALL)
    sizes = set()
    lsn = 0
    while ring.takes([(lsn + 1, bytes(500))]):
        lsn += 1
        ring.append([(lsn, bytes(500))])
        sizes.add(os.path.getsize(tmp_path / "log"))
    assert sizes == {RING + SMALL * n for n in (1, 2, 4, 8)}, (
        "zeros in advance: a write changes nothing of the file but its bytes"
    )
    assert found(file, ring) == list(range(1, lsn + 1))
    assert not ring.takes([(0, bytes(5 << 20))])
    ring.let_go(lsn)
    ring.append([(lsn + 1, b"")])
    assert ring.first[1] == RING, "an empty ring begins at its beginning again"


@pytest.mark.skipif(is_compiled(), reason="nothing can be put between two steps of machine code")
def test_ctrl_c_between_any_two_lines(tmp_path: Path) -> None:
    """Where the writer is interrupted, the batch is written again, with another length: nothing that
    came before or comes after is lost."""
    for stop in itertools.count(1):
        with SyncedFile(str(tmp_path / str(stop)), is_new=True) as file:
            file.write(0, head(EPOCH))
            ring = small(file)
            for lsn in range(24, 30):
                ring.append([(lsn, bytes(200))])
                ring.let_go(lsn - 3)
            first = ring.first
            was_interrupted = interrupted_in(LogRing.append.__code__, stop, partial(ring.append, [(30, bytes(100))]))
            ring.append([(30, bytes(100)), (31, bytes(300))])
            ring.append([(32, b"")])
            there = [lsn for one in frames(EPOCH, file.read(0, 1 << 30), *first) for lsn, _ in one.batch]
            assert list(dict.fromkeys(there)) == [27, 28, 29, 30, 31, 32], stop
            assert list(dict.fromkeys(lsn for lsn, _ in ring.read(1 << 60))) == [27, 28, 29, 30, 31, 32], stop
            assert ring.first == first
        if not was_interrupted:
            break
    assert stop > 9, "every line of it"


def interrupted_in(code: CodeType, stop: int, call: Callable[[], object]) -> bool:
    """Ctrl+C comes before the `stop`-th line that this code runs. False when it has not so many."""
    lines = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code is not code:
            return None
        # At a `with` Python itself may leave the lock taken (bpo-29988).
        is_one = event == "line" and "with " not in linecache.getline(code.co_filename, frame.f_lineno)
        lines += is_one
        if is_one and lines == stop:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_reading_and_writing_where_the_system_has_one_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows: a fold reads frames while the next ones are written. Neither goes to the other's place."""
    monkeypatch.delattr(os, "pwrite")
    monkeypatch.delattr(os, "pread")
    seek = os.lseek

    def slow(handle: int, place: int, how: int) -> int:
        found = seek(handle, place, how)
        threading.Event().wait(0.0002)  # lets the other thread in
        return found

    monkeypatch.setattr(os, "lseek", slow)
    with SyncedFile(str(tmp_path / "shared"), is_new=True) as file:
        file.write(0, head(EPOCH))
        ring = LogRing(file, EPOCH)
        for lsn in range(1, 51):
            ring.append([(lsn, bytes([lsn]) * 100)])
        failed: list[BaseException] = []

        def read() -> None:
            try:
                for _ in range(4):
                    assert [lsn for lsn, _ in ring.read(50)] == list(range(1, 51))
            except BaseException as error:
                failed.append(error)

        reader = threading.Thread(target=read)
        reader.start()
        lsn = 50
        while reader.is_alive():
            lsn += 1
            ring.append([(lsn, bytes(100))])
        assert not failed
        assert found(file, ring) == list(range(1, lsn + 1))
