"""What stands in the journal on disk and in no table yet: how much that is, and its
records while memory has room for them.

Decides when it is time for a fold, and whether the fold needs to read back what has just been written.
It must not know what a record says.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

from sbql.catalog.journal import Batch, size_of

__all__ = ["FOLD_AT", "Unfolded"]

FOLD_AT: Final = 20_000
FOLD_AT_BYTES: Final = 64 << 20
"""So many records or bytes are a long journal."""
MOST_BYTES: Final = 32 << 20
"""More than this are read back: with records as large as these, reading is the least part of a fold."""


class Unfolded:
    """The records have been added in their order. They are all here, or none, when they were too many bytes, until
    those are folded that were there then. Any thread may call it."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.count = 0
        """How many there are, here or not."""
        self.folds = 0
        """Counts the calls of `folded`."""
        self._most_bytes = most_bytes
        self._mutex = threading.Lock()
        self._records: deque[tuple[int, bytes]] = deque()
        self._bytes = self._bytes_here = 0
        self._forgotten = 0
        """The last LSN that was let go of."""

    def add(self, batch: Batch) -> bool:
        """These records have reached the disk, after all that were added before. Returns
        whether the journal is long now."""
        size = size_of(batch)
        with self._mutex:
            self.count += len(batch)
            self._bytes += size
            self._bytes_here += size
            self._records.extend(batch)
            if self._bytes_here > self._most_bytes:
                self._forgotten = self._records[-1][0]
                self._records.clear()
                self._bytes_here = 0
            return self.count >= FOLD_AT or self._bytes >= FOLD_AT_BYTES

    def through(self, lsn: int) -> Batch | None:
        """The records up to an LSN; None when they are not all here."""
        with self._mutex:
            return None if self._forgotten else [entry for entry in self._records if entry[0] <= lsn]

    def folded(self, count: int, lsn: int) -> None:
        """So many are in the tables now, all up to an LSN: also those of a fold before that
        was committed and could not say so."""
        with self._mutex:
            self.folds += 1
            self._bytes = 0
            records = self._records
            while records and records[0][0] <= lsn:
                self._bytes_here -= len(records.popleft()[1])
            if self._forgotten <= lsn:
                self._forgotten = 0
            self.count = self.count - count if self._forgotten else len(records)
