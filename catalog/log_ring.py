"""The ring of frames in the broker's log: where the next one goes, and which are still needed.

Decides

- that a frame goes behind the one before it, or to the beginning of the ring when there is room
- that the ring grows when there is none
- that a frame which was begun and not finished is struck out before another is written.

It must not know DuckDB, nor who folds.
"""

from __future__ import annotations

import threading
from array import array
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from sbql.catalog.journal import Batch, size_of
from sbql.catalog.log_frames import FRAME_HEAD, RING, frame, payload
from sbql.catalog.synced_file import SyncedFile

__all__ = ["LogRing"]

_FIRST_SIZE: Final = 1 << 20
_STEP: Final = 4 << 20
"""It grows to twice its size, but by no more than this: to write zeros takes a while."""
_LARGEST: Final = 128 << 20
_LARGEST_FRAME: Final = 4 << 20
"""A batch of more bytes is as quick in DuckDB."""
_BESIDE: Final = 16
"""Bytes of a record in a frame beside its own, at most."""


class _Kept(NamedTuple):
    """A frame, and the LSNs of its records."""

    number: int
    place: int
    end: int
    lsns: array[int]


class LogRing:
    """Over a new file, whose first page is written. It has `first_size` bytes of frames and grows up to `largest`.
    `append` is for whoever has the pen of the journal, everything else for any thread."""

    def __init__(self, file: SyncedFile, epoch: bytes, first_size: int = _FIRST_SIZE, largest: int = _LARGEST) -> None:
        self._file, self._epoch = file, epoch
        self._mutex = threading.Lock()
        self._kept: deque[_Kept] = deque()
        self._newest = self._begun = _Kept(0, RING, RING, array("q"))
        """The last frame that is whole, and the last that was begun: Ctrl+C may come between any two lines, and
        one assignment says which it is."""
        self._size, self._largest = RING + first_size, RING + largest
        file.fill(RING, self._size)

    def takes(self, batch: Batch) -> bool:
        """Is there room, or can there be?"""
        size = _most(batch)
        return size <= _LARGEST_FRAME and (self._place(size) is not None or self._grown(size) is not None)

    def append(self, batch: Batch) -> None:
        """On disk on return. Raises OSError; then it may be there, until it is struck out."""
        self.strike_out()
        number = self._newest.number + 1
        data = frame(self._epoch, number, batch)
        place = self._place(len(data))
        if place is None:
            place = self._grow(len(data))
        self._begun = _Kept(number, place, place + len(data), array("q", [lsn for lsn, _ in batch]))
        self._file.write(place, data)
        with self._mutex:
            self._kept.append(self._begun)
            self._newest = self._begun

    def strike_out(self, since: int | None = None) -> None:
        """What was begun and not finished is not found again, nor are records from the LSN `since` on. Raises OSError
        when that cannot be said for certain."""
        self._strike_out_begun()
        while since is not None and self._newest.lsns and self._newest.lsns[0] >= since:
            with self._mutex:
                number = self._newest.number
                self._newest = next((one for one in reversed(self._kept) if one.number < number), _before(self._newest))
            self._strike_out_begun()

    def _strike_out_begun(self) -> None:
        if self._begun is self._newest:
            return
        self._file.write(self._begun.place, bytes(FRAME_HEAD))
        with self._mutex:
            while self._kept and self._kept[-1].number > self._newest.number:
                self._kept.pop()
            self._begun = self._newest

    @property
    def last_lsn(self) -> int:
        """Of the last record that is on disk here, 0 when that is not known."""
        return self._newest.lsns[-1] if self._newest.lsns else 0

    @property
    def first(self) -> tuple[int, int]:
        """Number and place of the oldest frame that is still needed, or of the next."""
        with self._mutex:
            return (self._kept[0].number, self._kept[0].place) if self._kept else self._next()

    def after(self, lsn: int) -> tuple[int, int]:
        """What `first` will be when everything up to an LSN is let go of."""
        with self._mutex:
            return next(((one.number, one.place) for one in self._kept if one.lsns[-1] > lsn), self._next())

    def _next(self) -> tuple[int, int]:
        return self._newest.number + 1, self._newest.end

    def count(self, through: int) -> int:
        """How many records there are up to an LSN, since the last that were let go of."""
        with self._mutex:
            kept = list(self._kept)
        return sum(
            len(one.lsns) if one.lsns[-1] <= through else sum(lsn <= through for lsn in one.lsns) for one in kept
        )

    def read(self, through: int) -> Iterator[tuple[int, bytes]]:
        """These records, from the disk. Raises OSError."""
        with self._mutex:
            kept = list(self._kept)
        for one in kept:
            if one.lsns[0] > through:
                return
            batch = payload(self._epoch, one.number, self._file.read(one.place, one.end - one.place))
            if batch is None:
                raise OSError(f"frame {one.number} of the broker's log cannot be read back")
            wanted = set(one.lsns)
            yield from (entry for entry in batch if entry[0] in wanted and entry[0] <= through)

    def let_go(self, through: int) -> None:
        """Records up to an LSN are not needed here any more, and DuckDB knows it."""
        with self._mutex:
            kept = self._kept
            while kept and kept[0].lsns[-1] <= through:
                kept.popleft()
            if kept and kept[0].lsns[0] <= through:
                kept[0] = kept[0]._replace(lsns=array("q", [lsn for lsn in kept[0].lsns if lsn > through]))

    def close(self) -> None:
        self._file.close()

    def _place(self, size: int) -> int | None:
        """Where so many bytes fit. Room is between the end of the newest frame and the oldest one; they never touch,
        or a full ring would look empty."""
        with self._mutex:
            if not self._kept:
                return RING if RING + size <= self._size else None
            oldest, end = self._kept[0].place, self._newest.end
        if end <= oldest:
            return end if end + size < oldest else None
        if end + size <= self._size:
            return end
        return RING if RING + size < oldest else None

    def _grown(self, size: int) -> int | None:
        """The size that the ring has to have for so many bytes more; None when that is too large,
        or the free room is in its middle."""
        with self._mutex:
            is_wrapped = bool(self._kept) and self._newest.end <= self._kept[0].place
            begin = self._newest.end if self._kept else RING
        wanted = self._size
        while wanted < begin + size:
            wanted += min(wanted - RING, _STEP)
        return None if is_wrapped or wanted > self._largest else wanted

    def _grow(self, size: int) -> int:
        wanted = self._grown(size)
        if wanted is None:
            raise OSError("the broker's log is full")  # `takes` was not asked
        try:
            self._file.fill(self._size, wanted)
        except OSError:  # DuckDB takes the batch, and needs the room that is left
            self._file.cut(self._size)
            raise
        self._size = wanted
        place = self._place(size)
        assert place is not None, "it has grown"
        return place


def _before(one: _Kept) -> _Kept:
    """In the place of a frame that is gone already, when the one behind it is struck out."""
    return _Kept(one.number - 1, one.place, one.place, array("q"))


def _most(batch: Batch) -> int:
    return size_of(batch) + _BESIDE * len(batch) + 2 * FRAME_HEAD
