"""RowGroups: rows of tables that are asked for by the values of columns which are no key, in groups: all rows with such
values, or the first of them in an order, or some of them.

Decides what a commit makes of each group, and how many rows a group may have. What is in a group counts like a row in
the RowCache, which owns the groups and says what commits have written. All that one commit has done to a group is seen
at once. A group comes in only if no commit of its table has begun since before it was read: DuckDB shows what a commit
has written before the groups are told of it, and a row must not stand in two of them.

A group that has not all rows says so. In an order it has all that come before `last`, so a row that a commit brings
goes where it belongs or is one of those behind; without an order it has any, and new ones are left out. Where a commit
says too little to tell (a row that nobody knows gets another value of one of the columns), the groups that it may
belong to go. It must not know transactions, values or the texts of queries.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of

__all__ = ["MOST", "Group", "GroupKind", "GroupedTable", "RowGroups", "group_size"]

MOST: Final = 256
"""Rows of a group."""
_GROWN: Final = 2 * MOST
"""So many it may come to have before it goes."""
_MANY: Final = 1000
"""Rows of one change after which the groups of its table are not worth being followed."""
_KINDS: Final = 32
"""Of one table."""
_ROW: Final = 220
"""Bytes that a row costs beside its values."""
_GROUP: Final = 700
"""Bytes that a group costs beside its rows."""

Image = Sequence[Any]
Decode = Callable[[Any], Any]


class GroupKind(Struct, frozen=True, eq=False):
    """Which rows are together: those with one `value` in the columns at `positions`. `place` is what rows are ordered
    by, made of the columns at `order` and of the row id, which comes last; without an order that alone. Kinds that mean
    the same have one `key`."""

    key: object
    positions: tuple[int, ...]
    order: tuple[int, ...]
    is_descending: bool
    value: Callable[[Sequence[Any]], tuple[Any, ...]]
    place: Callable[[int, Image], Any]


class Group:
    """`state` is the rows by their ids, in their order, and whether these are all: replaced, never changed. `last` is
    the place behind which, in an order, rows are not known."""

    __slots__ = ("in_vain", "last", "state")

    def __init__(self, rows: dict[int, Image], last: Any, *, is_whole: bool) -> None:
        self.state: tuple[dict[int, Image], bool] = rows, is_whole
        self.last = last
        self.in_vain = 0
        """How often all rows were asked for and not here."""


def _row_size(image: Image) -> int:
    return _ROW + sum(map(sys.getsizeof, image))


def group_size(rows: Iterable[Image], value: tuple[Any, ...]) -> int:
    """About the bytes that a group of these takes."""
    return _GROUP + sum(map(sys.getsizeof, value)) + sum(map(_row_size, rows))


class GroupedTable:
    """The groups of one table. `shape` is whatever the images were made for."""

    __slots__ = ("_at", "_groups", "_kinds", "_open", "_places", "decoders", "names", "shape", "size")

    def __init__(self, shape: object, names: Sequence[str], decoders: dict[int, Decode]) -> None:
        """`names` of the stored columns, the row id first; `decoders` by the places of the others, for those that are
        stored in another form."""
        self.shape, self.names, self.decoders = shape, tuple(names), decoders
        self.size = 0
        self._places = {name: place for place, name in enumerate(self.names[1:])}
        self._kinds: dict[object, GroupKind] = {}
        self._groups: dict[object, dict[Any, Group]] = {}
        self._at: dict[int, dict[object, Any]] = {}
        """By row id and kind the value of the group in which a row stands."""
        self._open: dict[int, tuple[Group, dict[int, Image]]] = {}
        """What the commit that is being noted makes of groups, until it can be seen."""

    def find(self, key: object, value: Any) -> Group | None:
        """Without a lock."""
        groups = self._groups.get(key)
        return None if groups is None else groups.get(value)

    def put(self, kind: GroupKind, value: tuple[Any, ...], rows: dict[int, Image], *, is_whole: bool) -> None:
        """In place of what is known of this group."""
        if kind.key not in self._kinds:
            if len(self._kinds) >= _KINDS:
                first = next(iter(self._kinds))
                self._forget(first)
                del self._kinds[first], self._groups[first]
            self._kinds[kind.key], self._groups[kind.key] = kind, {}
        kind = self._kinds[kind.key]
        self._drop(kind, value)
        last = None
        if kind.order and not is_whole and rows:
            *_, end = rows.items()
            last = kind.place(*end)
        self._groups[kind.key][value] = Group(rows, last, is_whole=is_whole)
        for row_id in rows:
            self._at.setdefault(row_id, {})[kind.key] = value
        self.size += group_size(rows.values(), value)

    # --- what a commit makes of them -----------------------------------------------------------------------

    def follow(self, change: RowChange) -> bool:
        """False: nothing here can be believed any more. What it does is not seen before `show`."""
        if isinstance(change, Definition) or found_of(change) is not None:
            return False
        if isinstance(change, DeleteRows):
            for row_id in change.row_ids if len(change.row_ids) <= _MANY else ():
                self._take(row_id)
            return len(change.row_ids) <= _MANY
        if len(change.rows) > _MANY:
            return False
        if isinstance(change, UpdateRows):
            return self._update(change)
        assert isinstance(change, InsertRows), "there is no other kind"
        if change.columns != self.names:
            return False
        for row in change.rows:
            image = tuple(self._decoded(enumerate(row[1:])).values())
            for kind in self._kinds.values():
                self._bring(kind, row[0], image)
        return True

    def show(self) -> None:
        """All that was followed."""
        for group, rows in self._open.values():
            group.state = rows, group.state[1]
        self._open = {}

    def _decoded(self, values: Iterable[tuple[int, Any]]) -> dict[int, Any]:
        decoders = self.decoders
        return {
            place: value if value is None or (decode := decoders.get(place)) is None else decode(value)
            for place, value in values
        }

    def _update(self, change: UpdateRows) -> bool:
        places = [self._places.get(name, -1) for name in change.columns[1:]]
        if -1 in places:
            return False
        changed = frozenset(places)
        for row in change.rows:
            new = self._decoded(zip(places, row[1:], strict=True))
            old = self._image(row[0])
            if old is None:
                self._doubt(changed, new)
                continue
            image = tuple([new.get(place, value) for place, value in enumerate(old)])
            for kind in self._kinds.values():
                if changed.isdisjoint(kind.positions) and changed.isdisjoint(kind.order):
                    self._replace(kind, row[0], image)
                else:
                    self._remove(kind, row[0])
                    self._bring(kind, row[0], image)
        return True

    def _doubt(self, changed: frozenset[int], new: dict[int, Any]) -> None:
        """A row that is not known has got other values in these columns: which groups it has come to."""
        for kind in self._kinds.values():
            if changed.issuperset(kind.positions) and kind.positions:
                image = [new.get(place) for place in range(len(self.names) - 1)]
                self._drop(kind, kind.value(image))
            elif not changed.isdisjoint(kind.positions):
                self._forget(kind.key)
            elif not changed.isdisjoint(kind.order):
                for value, group in list(self._groups[kind.key].items()):
                    if not group.state[1]:
                        self._drop(kind, value)

    def _image(self, row_id: int) -> Image | None:
        for key, value in self._at.get(row_id, {}).items():
            return self._rows(self._groups[key][value])[row_id]
        return None

    def _rows(self, group: Group) -> dict[int, Image]:
        found = self._open.get(id(group))
        return group.state[0] if found is None else found[1]

    def _own(self, group: Group) -> dict[int, Image]:
        """The rows as the commit makes them."""
        found = self._open.get(id(group))
        if found is None:
            found = self._open[id(group)] = group, dict(group.state[0])
        return found[1]

    def _bring(self, kind: GroupKind, row_id: int, image: Image) -> None:
        """A row that the group has, or may now have."""
        value = kind.value(image)
        group = self._groups[kind.key].get(value)
        if group is None:
            return
        is_whole = group.state[1]
        if not is_whole and (group.last is None or self._is_behind(kind, kind.place(row_id, image), group.last)):
            return
        rows = self._own(group)
        if len(rows) >= _GROWN:
            self._drop(kind, value)
            return
        if row_id in rows:
            self.size -= _row_size(rows[row_id])
        self._put_in_place(kind, rows, row_id, image)
        self._at.setdefault(row_id, {})[kind.key] = value
        self.size += _row_size(image)

    @staticmethod
    def _is_behind(kind: GroupKind, place: Any, last: Any) -> bool:
        return bool(place < last if kind.is_descending else place > last)

    def _put_in_place(self, kind: GroupKind, rows: dict[int, Image], row_id: int, image: Image) -> None:
        rows.pop(row_id, None)
        *_, end = rows.items() if rows else (None,)
        rows[row_id] = image
        if end is not None and not self._is_behind(kind, kind.place(row_id, image), kind.place(*end)):
            ordered = sorted(rows.items(), key=lambda row: kind.place(*row), reverse=kind.is_descending)
            rows.clear()
            rows.update(ordered)

    def _replace(self, kind: GroupKind, row_id: int, image: Image) -> None:
        value = self._at.get(row_id, {}).get(kind.key)
        if value is not None:
            rows = self._own(self._groups[kind.key][value])
            self.size += _row_size(image) - _row_size(rows[row_id])
            rows[row_id] = image

    def _take(self, row_id: int) -> None:
        for key in list(self._at.get(row_id, ())):
            self._remove(self._kinds[key], row_id)

    def _remove(self, kind: GroupKind, row_id: int) -> None:
        at = self._at.get(row_id)
        if at is None or kind.key not in at:
            return
        image = self._own(self._groups[kind.key][at.pop(kind.key)]).pop(row_id)
        self.size -= _row_size(image)
        if not at:
            del self._at[row_id]

    def _drop(self, kind: GroupKind, value: tuple[Any, ...]) -> None:
        group = self._groups[kind.key].pop(value, None)
        if group is None:
            return
        rows = self._rows(group)
        self._open.pop(id(group), None)
        self.size -= group_size(rows.values(), value)
        for row_id in rows:
            at = self._at[row_id]
            del at[kind.key]
            if not at:
                del self._at[row_id]

    def _forget(self, key: object) -> None:
        for value in list(self._groups[key]):
            self._drop(self._kinds[key], value)


class RowGroups:
    """Of all tables of a store. Only `find` may be called without the mutex of the RowCache."""

    __slots__ = ("_tables",)

    def __init__(self) -> None:
        self._tables: dict[str, GroupedTable] = {}

    def __bool__(self) -> bool:
        return bool(self._tables)

    @property
    def size(self) -> int:
        return sum(table.size for table in list(self._tables.values()))

    def find(self, name: str, shape: object, key: object, value: Any) -> Group | None:
        """What is known of this group of a table of this shape."""
        table = self._tables.get(name)
        return None if table is None or table.shape is not shape else table.find(key, value)

    def of(self, name: str, make: Callable[[], GroupedTable], shape: object) -> GroupedTable:
        table = self._tables.get(name)
        if table is None or table.shape is not shape:
            table = self._tables[name] = make()
        return table

    def forget(self, name: str) -> None:
        """All groups of a table."""
        self._tables.pop(name, None)

    def clear(self) -> None:
        self._tables.clear()

    def note(self, changes: Sequence[RowChange]) -> int:
        """A commit made these changes. By how many bytes all has grown."""
        if not self._tables:
            return 0
        before = self.size
        touched: dict[str, GroupedTable] = {}
        for change in changes:
            if isinstance(change, Definition):
                for name in change.tables or list(self._tables):
                    self._tables.pop(name, None)
                continue
            table = self._tables.get(change.table)
            if table is None:
                continue
            touched[change.table] = table
            if not table.follow(change):
                del self._tables[change.table], touched[change.table]
        for table in touched.values():
            table.show()
        return max(self.size - before, 0)
