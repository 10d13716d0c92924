"""ChangeFeed: who looks on at a table hears which of its rows were written by each commit.

Decides how long changes are kept for somebody who does not ask: past a limit only that there were some.
A commit pays for it only while anybody looks on. It must not know who that is (open cursors,
subscriptions) nor what follows from a change.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection, Sequence
from typing import Any, Final, Protocol

from sbql.catalog.changes import Definition, DeleteRows, RowChange
from sbql.catalog.found_rows import found_of
from sbql.catalog.row_cache import RowCache
from sbql.catalog.stamps import ANY_TABLE

__all__ = ["ChangeFeed", "touches"]

_KEPT: Final = 10_000


class Watch:
    """What was committed to `tables` since it was last asked. Ends when nobody holds it any more, or by `end`."""

    __slots__ = ("__weakref__", "_is_lost", "_mutex", "_rows", "_seen", "is_ended", "tables")

    def __init__(self, tables: frozenset[str]) -> None:
        self.tables = tables
        self.is_ended = False
        self._mutex = threading.Lock()
        self._seen: list[RowChange] = []
        self._rows = 0
        self._is_lost = False

    @property
    def has_news(self) -> bool:
        return self._is_lost or bool(self._seen)

    def note(self, changes: Sequence[RowChange], told: object = None) -> None:
        """From any thread, once a commit can be seen. `told` is for others."""
        own = [c for c in changes if touches(c, self.tables)]
        if not own:
            return
        with self._mutex:
            self._rows += sum(map(_size, own))
            if self._is_lost or self._rows > _KEPT or any(map(found_of, own)):
                self._is_lost, self._seen = True, []
            else:
                self._seen += own

    def take(self) -> list[RowChange] | None:
        """The changes since the last call, in order of their commits; None: there were too many to keep."""
        with self._mutex:
            seen, is_lost = self._seen, self._is_lost
            self._seen, self._rows, self._is_lost = [], 0, False
        return None if is_lost else seen

    def end(self) -> None:
        self.is_ended = True


def _size(change: RowChange) -> int:
    if isinstance(change, Definition):
        return 1
    return len(change.row_ids if isinstance(change, DeleteRows) else change.rows)


def touches(change: RowChange, tables: frozenset[str]) -> bool:
    """Whether a change may have changed one of the tables; a definition that names none may have changed any."""
    if isinstance(change, Definition):
        return not change.tables or not tables.isdisjoint(change.tables)
    return change.table in tables


class Listener(Protocol):
    """Who looks on: a Watch, or somebody who wants to be told at once."""

    @property
    def is_ended(self) -> bool: ...

    def note(self, changes: Sequence[RowChange], told: object = None) -> None: ...


class ChangeFeed:
    """One for the store. `rows` are what is remembered of tables, which hears of everything."""

    def __init__(self, rows: RowCache) -> None:
        self.rows = rows
        self.counts: dict[str, tuple[int, int]] = {}
        """By storage name of a table: the store's clock before its rows were counted, and how many there were."""
        self.until = 0
        """The store's clock when all had been told of every commit until then. Who goes by what he was told, and looks
        whether it is old, takes this for the time at which he looked: the stamps of a commit move before it is told."""
        self._watches: list[weakref.ref[Any]] = []
        self._mutex = threading.Lock()

    def watch(self, tables: frozenset[str]) -> Watch:
        """Begin to look on, before the first read."""
        watch = Watch(tables)
        self.join(watch)
        return watch

    def join(self, listener: Listener) -> None:
        """`listener` looks on until it has ended, from before the first read. Once is enough."""
        with self._mutex:
            living = self._living()
            if all(known() is not listener for known in living):
                living.append(weakref.ref(listener))
            self._watches = living

    def publish(self, changes: Sequence[RowChange], told: object = None, *, clock: int | None = None) -> None:
        """A commit made these changes, and the stamps of their tables have moved, which the store's `clock` then shows.
        `told` is what was found out about them before (`UnitOfWork.told`)."""
        try:
            self.rows.note(changes)
            self.tell(changes, told)
        finally:
            if clock is not None:
                self.until = clock

    def doubt(self, tables: Collection[str], clock: int) -> None:
        """A commit of these tables may be on disk, and not everybody has been told of it:
        nobody goes by what he knew of them."""
        self.publish([Definition("", () if ANY_TABLE in tables else tuple(tables))], clock=clock)

    def tell(self, changes: Sequence[RowChange], told: object = None) -> None:
        """As `publish`, of temporary tables: none of their rows are among the store's `rows`."""
        if not self._watches:
            return
        ended = False
        for reference in self._watches:
            watch = reference()
            if watch is None or watch.is_ended:
                ended = True
            else:
                watch.note(changes, told)
        if ended:
            with self._mutex:
                self._watches = self._living()

    def _living(self) -> list[weakref.ref[Any]]:
        return [r for r in self._watches if (watch := r()) is not None and not watch.is_ended]
