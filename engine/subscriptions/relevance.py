"""Which changes of a transaction concern a watched query: by the table, the columns that it reads and the
conditions that are one table's own.

Decides from the redo list, row by row, before the commit: what rows were is still there to be read. Where that would
take long, or a condition cannot be worked out, the change concerns the query: a notification too many is allowed, one
too few is not. It must not know what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.engine.tables.bound_table import BoundTable
from sbql.grammar.errors import SqlError
from sbql.grammar.values.compare import is_same_value

__all__ = ["Image", "Watched", "concerned", "touched"]

INFO: Final[dict[type, str]] = {InsertRows: "insert", UpdateRows: "update", DeleteRows: "delete"}
_LOOKED_AT: Final = 10_000
"""Rows of one change that are looked at."""
_TRUNCATE: Final = "DELETE FROM "
"""What TRUNCATE TABLE leaves in the redo list; all other definitions change the catalog, too."""

Image = Sequence[Any]
Test = Callable[[Image], Any]
ReadRows = Callable[[BoundTable, Collection[int]], dict[int, Image]]
"""The committed images of rows, by id."""


class Watched(Struct, frozen=True, eq=False):
    """A table of a subscription: `used` are the places of the columns that the query reads, `tests` its conditions."""

    subscription: Any
    bound: BoundTable
    used: frozenset[int]
    tests: tuple[Test, ...]

    def takes(self, image: Image | None) -> bool:
        """Whether the row may be among those that the query finds."""
        if image is None:
            return False
        try:
            return all(test(image) for test in self.tests)
        except SqlError:
            return True


WatchedTables = Mapping[str, Sequence[Watched]]
"""By the storage names of tables."""


def touched(changes: Sequence[RowChange], watched: WatchedTables) -> Iterator[tuple[Watched, str]]:
    """Everybody whose tables were written at all, and how."""
    for change in changes:
        if not isinstance(change, Definition):
            for one in watched.get(change.table, ()):
                yield one, INFO[type(change)]
        elif change.sql.startswith(_TRUNCATE):
            for table in change.tables:
                for one in watched.get(table, ()):
                    yield one, "truncate"


def concerned(
    changes: Sequence[RowChange], watched: WatchedTables, read: ReadRows, merged: Collection[int]
) -> dict[Any, str]:
    """The subscriptions that a change concerns, each with the first that does: insert, update, delete, truncate, or
    merge for the changes whose ids are in `merged`."""
    found: dict[Any, str] = {}
    tables: dict[str, _Table] = {}
    for change in changes:
        if isinstance(change, Definition):
            for one, info in touched([change], watched):
                found.setdefault(one.subscription, info)
            continue
        watching = watched.get(change.table)
        if watching is None:
            continue
        table = tables.get(change.table)
        if table is None:
            table = tables[change.table] = _Table(watching[0].bound, read, any(one.tests for one in watching))
        waiting = [w for w in watching if w.subscription not in found and not w.subscription.came_after(change)]
        info = "merge" if id(change) in merged else INFO[type(change)]
        found.update((one.subscription, info) for one in table.concerned(change, waiting))
    return found


class _Table(Struct):
    """One table, as the changes of the transaction go through it."""

    bound: BoundTable
    read: ReadRows
    looks_at_rows: bool
    """Somebody has conditions."""
    own: dict[int, Image | None] = field(default_factory=dict)
    """Rows as the transaction has made them so far; None: deleted."""
    is_lost: bool = False
    """There was a change whose rows were not looked at: nobody knows what the rows are now."""

    def concerned(self, change: RowChange, watching: Sequence[Watched]) -> list[Watched]:
        """Those of `watching` that the change concerns. To be asked of each change in turn."""
        assert not isinstance(change, Definition)
        if isinstance(change, UpdateRows):
            places = self._places(change)
            watching = [w for w in watching if places is None or not w.used.isdisjoint(places)]
        ids = change.row_ids if isinstance(change, DeleteRows) else change.rows
        self.is_lost = self.is_lost or len(ids) > _LOOKED_AT or not self._has_columns_of(change)
        if self.is_lost or not self.looks_at_rows:
            return list(watching)
        try:
            pairs = list(self._pairs(change))
        except SqlError:
            self.is_lost = True
            return list(watching)
        return [w for w in watching if any(_matters(w, old, new) for old, new in pairs)]

    def _places(self, change: UpdateRows) -> set[int] | None:
        index = self.bound.index_of
        found = {index.get(name.lower()) for name in change.columns[1:]}
        return None if None in found else {place for place in found if place is not None}

    def _has_columns_of(self, change: RowChange) -> bool:
        """Not where the same transaction has altered the table."""
        if isinstance(change, InsertRows):
            return change.columns == self.bound.names
        return not isinstance(change, UpdateRows) or self._places(change) is not None

    def _pairs(self, change: RowChange) -> Iterator[tuple[Image | None, Image | None]]:
        """Each row before and after."""
        if isinstance(change, InsertRows):
            for row in change.rows:
                self.own[row[0]] = image = self.bound.decode(row[1:])
                yield None, image
        elif isinstance(change, DeleteRows):
            before = self._images(change.row_ids)
            for row_id in change.row_ids:
                self.own[row_id] = None
                yield before.get(row_id), None
        elif isinstance(change, UpdateRows):
            yield from self._updated(change)

    def _updated(self, change: UpdateRows) -> Iterator[tuple[Image | None, Image | None]]:
        rows = list(change.rows)
        before = self._images([row[0] for row in rows])
        places = [self.bound.index_of[name.lower()] for name in change.columns[1:]]
        decoders = {place: decode for place, _, decode in self.bound.encoded}
        for row in rows:
            old = before.get(row[0])
            if old is None:
                continue
            new = list(old)
            for place, value in zip(places, row[1:], strict=True):
                decode = decoders.get(place)
                new[place] = value if value is None or decode is None else decode(value)
            self.own[row[0]] = new
            yield old, new

    def _images(self, row_ids: Sequence[int]) -> dict[int, Image]:
        missing = [row_id for row_id in row_ids if row_id not in self.own]
        found = self.read(self.bound, missing) if missing else {}
        for row_id in row_ids:
            image = self.own.get(row_id)
            if image is not None:
                found[row_id] = image
        return found


def _matters(watched: Watched, old: Image | None, new: Image | None) -> bool:
    """A row comes, goes, or is another one as far as the query reads it."""
    if old is not None and new is not None and all(is_same_value(old[place], new[place]) for place in watched.used):
        return False
    return watched.takes(old) or watched.takes(new)
