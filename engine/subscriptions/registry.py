"""The subscriptions of an instance: those that wait, and those whose message is due.

Decides when one is over: by a change of its rows that is committed, a change of its tables, its time, the end of the instance or of its owner, KILL. One is
stored as soon as it waits, so that a restart can tell of it. While there is none, a commit pays one look at an attribute. It must not know how messages are
sent, nor what a query looks like.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from sbql.catalog.changes import ROW_ID, RowChange
from sbql.catalog.duck_types import quote
from sbql.catalog.records import Database, DeleteQuerySubscription, Principal, QuerySubscription, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.query_notifications import Reason
from sbql.engine.ports import Instance
from sbql.engine.subscriptions.relevance import Image, Watched, concerned, touched
from sbql.engine.tables.bound_table import BoundTable
from sbql.grammar.errors import sql_error

__all__ = ["Due", "Subscription", "Subscriptions"]


class Subscription:
    """One that waits. `key` is what makes another request the same. `earlier` are changes of its own transaction, which the query has seen already."""

    __slots__ = ("_earlier", "_ids", "key", "place", "record", "watched")

    def __init__(self, record: QuerySubscription, key: Any, earlier: Sequence[RowChange]) -> None:
        self.record = record
        self.key = key
        self.place = 0
        """The how manieth it was that came to wait."""
        self.watched: tuple[Watched, ...] = ()
        self._earlier = tuple(earlier)  # kept, so that their ids stay theirs
        self._ids = frozenset(map(id, earlier))

    @property
    def deadline(self) -> float:
        return self.record.create_time + self.record.timeout

    def came_after(self, change: RowChange) -> bool:
        return id(change) in self._ids


class Due(msgspec.Struct, frozen=True):
    """A message that is to be sent."""

    record: QuerySubscription
    reason: Reason
    is_stored: bool = True


class _Judgement(msgspec.Struct, frozen=True):
    """What a commit will mean to the subscriptions that waited by then."""

    found: dict[Any, str]
    newest: int


class Subscriptions:
    """All methods are thread safe, and return soon: some are called while a commit is on its way. It is a watch of the store's change feed."""

    def __init__(self, instance: Instance, stored: Iterable[QuerySubscription]) -> None:
        self._instance = instance
        self._mutex = threading.Lock()
        self._reading = threading.Lock()
        self._reader: Any = None
        self._waiting: dict[int, Subscription] = {}
        self._by_key: dict[Any, Subscription] = {}
        self._by_table: dict[str, tuple[Watched, ...]] = {}
        self.due: deque[Due] = deque()
        self._last_id = self._places = 0
        for record in sorted(stored, key=lambda record: record.id):
            self._last_id = record.id
            self.due.append(Due(record, ("change", "database", "restart")))

    # --- coming and going ----------------------------------------------------------------------------------

    def next_id(self) -> int:
        with self._mutex:
            self._last_id += 1
            return self._last_id

    def add(self, subscription: Subscription) -> int:
        """It waits from now on. Returns the LSN with which it is stored, ahead of whatever ends it."""
        record = subscription.record
        with self._mutex:
            lsn = self._instance.store.submit([record])
            self._places += 1
            subscription.place = self._places
            self._waiting[record.id] = self._by_key[subscription.key] = subscription
            self._rebuild()
        self._instance.store.feed.join(self)
        self._instance.scheduler.wake()  # its time may be the next that comes
        return lsn

    def renew(self, key: Any, timeout: int) -> int | None:
        """The same is asked for again: it waits for another while, 0 seconds: no more. None when nobody has asked before."""
        with self._mutex:
            known = self._by_key.get(key)
            if known is None:
                return None
            if timeout:
                now = self._instance.host.now()
                known.record = msgspec.structs.replace(known.record, timeout=timeout, create_time=now)
                lsn = self._instance.store.submit([known.record])
        if not timeout:
            return self.remove([known.record.id])
        self._instance.scheduler.wake()
        return lsn

    def remove(self, ids: Collection[int]) -> int:
        """They go without a message. Returns the LSN, 0 when there were none."""
        gone = [found for found in map(self._take, ids) if found is not None]
        return self._instance.store.submit([DeleteQuerySubscription(g.record.id) for g in gone]) if gone else 0

    def _take(self, number: int) -> Subscription | None:
        with self._mutex:
            found = self._waiting.pop(number, None)
            if found is not None:
                del self._by_key[found.key]
                self._rebuild()
        return found

    def _rebuild(self) -> None:
        """With the mutex. Readers have the old one or the new."""
        tables: dict[str, list[Watched]] = {}
        for subscription in self._waiting.values():
            for watched in subscription.watched:
                tables.setdefault(watched.bound.storage, []).append(watched)
        self._by_table = {storage: tuple(found) for storage, found in tables.items()}

    def all(self) -> list[QuerySubscription]:
        with self._mutex:
            return [subscription.record for subscription in self._waiting.values()]

    def fire(self, number: int, reason: Reason) -> None:
        """Its message is due, unless it is over already."""
        found = self._take(number)
        if found is not None:
            self.tell(Due(found.record, reason))

    def tell(self, due: Due) -> None:
        self.due.append(due)
        self._instance.scheduler.wake()

    # --- time ----------------------------------------------------------------------------------------------

    def next_deadline(self) -> float | None:
        with self._mutex:
            return min((found.deadline for found in self._waiting.values()), default=None)

    def expire(self) -> None:
        """Those whose time is over fire."""
        now = self._instance.host.now()
        with self._mutex:
            over = [number for number, found in self._waiting.items() if found.deadline <= now]
        for number in over:
            self.fire(number, ("change", "timeout", "none"))

    # --- rows ----------------------------------------------------------------------------------------------

    @property
    def is_watching(self) -> bool:
        return bool(self._by_table)

    @property
    def is_ended(self) -> bool:
        """For the change feed: nobody waits."""
        return not self._by_table

    def judge(
        self, changes: Sequence[RowChange], merged: Collection[int], snapshot: CatalogSnapshot | None
    ) -> _Judgement:
        """Before a commit: whom it will concern. `snapshot`: the catalog as it leaves it, if it changes it; who watches a table that it alters hears of that."""
        with self._mutex:
            watched, newest = self._by_table, self._places
        found = concerned(changes, watched, self._read, merged)
        if snapshot is not None:
            found = {one: info for one, info in found.items() if _fate(one, snapshot) is None}
        return _Judgement(found, newest)

    def note(self, changes: Sequence[RowChange], told: Any = None) -> None:
        """A commit can be seen; `told` is what `judge` said. Who has come in between may have seen what was before, and hears of any change of its tables."""
        newest, found = (told.newest, dict(told.found)) if isinstance(told, _Judgement) else (0, {})
        for watched, info in touched(changes, self._by_table):
            if watched.subscription.place > newest:
                found.setdefault(watched.subscription, info)
        for subscription, info in found.items():
            self.fire(subscription.record.id, ("change", "data", info))

    def _read(self, bound: BoundTable, ids: Collection[int]) -> dict[int, Image]:
        """Committed images. Raises SqlError."""
        names = ", ".join(map(quote, bound.names))
        sql = f"SELECT {names} FROM {bound.storage} WHERE {quote(ROW_ID)} IN (SELECT unnest(CAST(? AS BIGINT[])))"
        with self._reading:
            if self._reader is None:
                self._reader = self._instance.store.connect()
            rows = self._reader.begin().query(sql, [list(ids)], tables=frozenset([bound.storage])).rows
        return {row[0]: bound.decode(row[1:]) for row in rows}

    # --- definitions ---------------------------------------------------------------------------------------

    def catalog_changed(self, before: CatalogSnapshot, after: CatalogSnapshot) -> None:
        """A definition was committed: tables that are gone or altered, databases and owners that are gone."""
        if not self._by_table:
            return
        with self._mutex:
            waiting = list(self._waiting.values())
        orphans: dict[bytes, list[int]] = {}
        for subscription in waiting:
            record = subscription.record
            if after.get(Database, 0, record.database_id) is None:
                self.remove([record.id])
            elif after.get(Principal, record.database_id, record.principal_id) is None:
                orphans.setdefault(record.sid, []).append(record.id)
            elif (info := _fate(subscription, after)) is not None:
                self.fire(record.id, ("change", "object", info))
        for sid, ids in orphans.items():
            self.remove(ids)
            self._instance.log(9223, sql_error(9223, len(ids), f"0x{sid.hex().upper()}").message)


def _fate(subscription: Subscription, after: CatalogSnapshot) -> str | None:
    tables = [watched.bound.table for watched in subscription.watched]
    now = [after.get(Table, table.database_id, table.id) for table in tables]
    if None in now:
        return "drop"
    return None if all(new is old for new, old in zip(now, tables, strict=True)) else "alter"
