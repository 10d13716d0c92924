"""A store whose disk a test holds in its hands: what is durable on it is a prefix of what was
committed, and nothing else survives.

Records of the journal stay in a list instead of going to DuckDB, until somebody reads the tables; no thread
writes them behind the test's back, so a run repeats exactly, what nobody has waited for is lost in a crash, and a
machine costs a tenth of one with a file. Tables and definitions are DuckDB's, as in every store, and so is the
recovery: a disk that is opened again puts its records into the journal, and the store folds them as it does after
a crash. It must not know what records say.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb

from sbql.catalog import open_stores
from sbql.catalog.journal import Batch
from sbql.catalog.record_writer import RecordWriter
from sbql.catalog.store import Store
from sbql.catalog.store_file import ALIAS
from sbql.catalog.store_image import StoreImage

__all__ = ["PrefixDisk", "PrefixStore"]


class PrefixStore(Store):
    """Made by `PrefixDisk.open`."""

    disk: PrefixDisk
    is_folding = False

    def _begun(self) -> PrefixStore:
        """Without the threads that write and fold in the background."""
        open_stores.adopt(self)
        return self

    def _record_writer(self) -> RecordWriter:
        store = self

        class Writer(RecordWriter):
            def append(self, batch: Batch) -> None:
                if store.is_folding:
                    super().append(batch)
                else:
                    store.disk.write(batch)

        return Writer(self._new_connection(), self.port, self.log, self._count)

    def _fold(self, through: int) -> None:
        """The tables are asked for: the records go where a fold finds them. Without power nobody
        asks but the end of the instance."""
        if self.disk.is_off:
            return
        kept, self.disk.kept = self.disk.kept, []
        if kept:
            self.is_folding = True
            self._records.append(kept)
            self.is_folding = False
        super()._fold(through)


class PrefixDisk:
    """Begins as the image. `kept`: durable records that are not in DuckDB. `chance` decides how much of a write
    survives a loss of power in the middle of it."""

    def __init__(self, image: StoreImage, chance: random.Random) -> None:
        self._image = image
        self._chance = chance
        self._path = image.copy()
        self._left: tuple[Path, Batch] | None = None
        self._alarm: tuple[int, Callable[[], object]] | None = None
        self.kept: Batch = []
        self.is_exposed = False
        self.losses = 0
        """How many writes were cut in the middle."""

    def open(self) -> Store:
        left = self._left
        if left is not None:
            self._path, self._left = left[0], None
        self.kept = []

        def make(connection: duckdb.DuckDBPyConnection, released: Callable[[], object]) -> Store:
            if left is not None and left[1]:
                connection.executemany(f"INSERT INTO {ALIAS}.sbql.journal VALUES (?, ?)", left[1])

            def end() -> None:
                self.lose_power()  # after a clean end nothing is left to lose
                released()

            store = PrefixStore.over(connection, end)
            store.disk = self
            return store

        return self._image.attach(self._path, make)

    @property
    def is_off(self) -> bool:
        """What is written now is written by somebody who has lost his power, and does not count."""
        return self._left is not None

    def write(self, batch: Batch) -> None:
        if self._alarm is not None and self.is_exposed:
            writes, call = self._alarm
            self._alarm = (writes - 1, call)
            if writes == 1:
                self.losses += 1
                self._lose(batch[: self._chance.randint(0, len(batch))])
                call()
        self.kept += batch

    def alarm(self, writes: int, call: Callable[[], object]) -> None:
        """The power goes in the `writes`-th write from now while `is_exposed`, and `call` is called."""
        self._alarm = writes, call

    def discard(self) -> None:
        """The machine is never opened again: nothing of it stays where files are in memory."""
        if self._left is not None:
            for ending in ("", ".wal"):
                Path(f"{self._left[0]}{ending}").unlink(missing_ok=True)

    def lose_power(self) -> None:
        if not self.is_off:
            self._lose([])

    def _lose(self, written: Batch) -> None:
        self._alarm = None
        left = self._path.with_name(f"{self._path.stem}x.duckdb")
        for ending in ("", ".wal"):
            file = Path(f"{self._path}{ending}")
            if file.exists():
                shutil.copyfile(file, f"{left}{ending}")
        self._left = left, [*self.kept, *written]
