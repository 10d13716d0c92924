"""The subscriptions of an instance: those that wait, and those whose message is due.

Decides when one is over: by a change of its rows that is committed, a change of its tables, its time, the end of the
instance or of its owner, KILL. One is stored as soon as it waits, so that a restart can tell of it. While there is
none, a commit pays one look at an attribute. It must not know how messages are sent, nor what a query looks like.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    """One that waits. `key` is what makes another request the same. `earlier` are changes of its own transaction,
    which the query has seen already."""

    __slots__ = ("_earlier", "_ids", "key", "place", "record", "watched")

    def __init__(self, record: QuerySubscription, key: Any, earlier: Sequence[RowChange]) -> None:
        self.record = record
        self.key = key
        self.place = 0
        """Its number in the order in which they came to wait."""
        self.watched: tuple[Watched, ...] = ()
        self._earlier = tuple(earlier)  # kept, so that their ids stay theirs
        self._ids = frozenset(map(id, earlier))

    @property
    def deadline(self) -> float:
        return self.record.create_time + self.record.timeout

    def came_after(self, change: RowChange) -> bool:
        return id(change) in self._ids


class Due(msgspec.Struct, frozen=True):
    """A message that is to be sent. `has_waited` False: its query was never watched."""

    record: QuerySubscription
    reason: Reason
    has_waited: bool = True


class _Judgement(msgspec.Struct, frozen=True):
    """What a commit will mean to the subscriptions that waited by then."""

    found: dict[Any, str]
    newest: int


class Subscriptions:
    """All methods are thread safe, and return soon: some are called while a commit is on its way. It is a
    watch of the store's change feed."""

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
            tables = dict(self._by_table)
            for watched in subscription.watched:
                tables[watched.bound.storage] = (*tables.get(watched.bound.storage, ()), watched)
            self._by_table = tables
        self._instance.notified.subscription(1, record)
        self._instance.store.feed.join(self)
        self._instance.scheduler.wake()  # its time may be the next that comes
        return lsn

    def renew(self, key: Any, timeout: int) -> int | None:
        """The same is asked for again: it waits for another while, 0 seconds: no more.
        None when nobody has asked before."""
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
        self._instance.notified.subscription(2, known.record)
        self._instance.scheduler.wake()
        return lsn

    def remove(self, ids: Collection[int]) -> int:
        """They go without a message. Returns the LSN, 0 when there were none."""
        gone = self._take(ids)
        for one in gone:
            self._instance.notified.subscription(9, one.record)
        return self._instance.store.submit([DeleteQuerySubscription(g.record.id) for g in gone]) if gone else 0

    def _take(self, ids: Iterable[int]) -> list[Subscription]:
        """Those that still wait, which are over now. Readers of the tables have the old ones or the new."""
        with self._mutex:
            gone = [found for number in ids if (found := self._waiting.pop(number, None)) is not None]
            tables = dict(self._by_table)
            for storage in {watched.bound.storage for found in gone for watched in found.watched}:
                left = tuple(one for one in tables[storage] if one.subscription.record.id in self._waiting)
                if left:
                    tables[storage] = left
                else:
                    del tables[storage]
            for found in gone:
                del self._by_key[found.key]
            self._by_table = tables
        return gone

    def all(self) -> list[QuerySubscription]:
        with self._mutex:
            return [subscription.record for subscription in self._waiting.values()]

    def fire(self, reasons: Mapping[int, Reason]) -> None:
        """By id: their messages are due, unless they are over already."""
        gone = self._take(reasons)
        if gone:
            self.due.extend(Due(found.record, reasons[found.record.id]) for found in gone)
            self._instance.scheduler.wake()

    def tell(self, due: Due) -> int:
        """Of one that does not wait. Returns the LSN with which it is stored until it is told: a restart tells of it as
        of those that waited."""
        with self._mutex:
            lsn = self._instance.store.submit([due.record])
            self.due.append(due)
        self._instance.scheduler.wake()
        return lsn

    # --- time ----------------------------------------------------------------------------------------------

    def next_deadline(self) -> float | None:
        with self._mutex:
            return min((found.deadline for found in self._waiting.values()), default=None)

    def expire(self) -> None:
        """Those whose time is over fire."""
        now = self._instance.host.now()
        with self._mutex:
            over = [number for number, found in self._waiting.items() if found.deadline <= now]
        self.fire(dict.fromkeys(over, ("change", "timeout", "none")))

    # --- rows ----------------------------------------------------------------------------------------------

    @property
    def is_watching(self) -> bool:
        return bool(self._by_table)

    @property
    def is_ended(self) -> bool:
        """For the change feed: nobody waits."""
        return not self._by_table

    def refuse(self, word: str, wrong: str, changes: Sequence[RowChange]) -> None:
        """A statement has made these changes under options with which nobody can tell what they mean.
        Raises 1934 if a table is watched."""
        if next(touched(changes, self._by_table), None) is not None:
            raise sql_error(1934, word, wrong)

    def judge(
        self, changes: Sequence[RowChange], merged: Collection[int], snapshot: CatalogSnapshot | None
    ) -> _Judgement:
        """Before a commit: whom it will concern. `snapshot`: the catalog as it leaves it, if it changes it; who watches
        a table that it alters hears of that."""
        with self._mutex:
            watched, newest = self._by_table, self._places
        found = concerned(changes, watched, self._read, merged)
        if snapshot is not None:
            found = {one: info for one, info in found.items() if _fate(one, snapshot) is None}
        return _Judgement(found, newest)

    def note(self, changes: Sequence[RowChange], told: Any = None) -> None:
        """A commit can be seen; `told` is what `judge` said. Who has come in between may have seen what was before, and
        hears of any change of its tables."""
        newest, found = (told.newest, dict(told.found)) if isinstance(told, _Judgement) else (0, {})
        for watched, info in touched(changes, self._by_table):
            if watched.subscription.place > newest:
                found.setdefault(watched.subscription, info)
        self.fire({one.record.id: ("change", "data", info) for one, info in found.items()})

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
        homeless: list[int] = []
        changed: dict[int, Reason] = {}
        for subscription in waiting:
            record = subscription.record
            if after.get(Database, 0, record.database_id) is None:
                homeless.append(record.id)
            elif after.get(Principal, record.database_id, record.principal_id) is None:
                orphans.setdefault(record.sid, []).append(record.id)
            elif (info := _fate(subscription, after)) is not None:
                changed[record.id] = ("change", "object", info)
        self.remove(homeless)
        self.fire(changed)
        for sid, ids in orphans.items():
            self.remove(ids)
            self._instance.log(9223, sql_error(9223, len(ids), f"0x{sid.hex().upper()}").message)


def _fate(subscription: Subscription, after: CatalogSnapshot) -> str | None:
    tables = [watched.bound.table for watched in subscription.watched]
    now = [after.get(Table, table.database_id, table.id) for table in tables]
    if None in now:
        return "drop"
    return None if all(new is old for new, old in zip(now, tables, strict=True)) else "alter"
