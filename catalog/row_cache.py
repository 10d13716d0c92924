"""RowCache: rows of tables as they were committed last, by the values of their unique keys.

Decides what is kept, how much of it, and what a commit makes of it. A row comes in when somebody has read it by a key,
and only if no commit has written its table since before that read began (`put`). It is changed or dropped by what the
commits that wrote it say (`note`), after their stamps have moved: so whoever reads here sees a commit at the latest
when it has returned to its session. A definition and a write as a set drop the whole table. Only rows that exist are
kept: that there is none is never remembered. When the budget is used up, pages go (`row_pages`), then everything.

It must not know transactions, locks or what a key value means: values come compared
as keys are, images as Python values.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of
from sbql.catalog.key_places import KeyPlaces
from sbql.catalog.redo_runs import runs
from sbql.catalog.row_groups import Group, GroupedTable, GroupKind, RowGroups, group_size
from sbql.catalog.row_pages import PagedTable, RowPages
from sbql.catalog.stamps import ANY_TABLE

__all__ = ["CACHE_BYTES", "CachedTable", "RowCache"]

CACHE_BYTES: Final = 32 * 1024 * 1024
"""The usual budget of a store."""
_LARGEST: Final = 4096
"""Bytes of a row that is kept."""
_AROUND: Final = 400
"""Bytes that a row costs beside its values."""
_TOGETHER: Final = 32
"""Rows that are taken in together."""
_SHARE: Final = 32
"""A group is no larger than this part of the budget."""

Image = tuple[Any, ...]
Decode = Callable[[Any], Any]


class _Row:
    """One row: under which keys it stands, and its image, which is replaced and never changed."""

    __slots__ = ("image", "keys", "row_id", "size")

    def __init__(self, row_id: int, image: Image, size: int) -> None:
        self.row_id, self.image, self.size = row_id, image, size
        self.keys: list[tuple[tuple[int, ...], Any]] = []


class CachedTable:
    """The rows of one table. `shape` is whatever the images were made for: for another
    shape there is another CachedTable."""

    __slots__ = ("_by_key", "_places", "_rows", "decoders", "shape", "size")

    def __init__(self, shape: object, names: Sequence[str], decoders: dict[int, Decode]) -> None:
        """`names` of the stored columns without the row id; `decoders` by their places, for those
        that are stored in another form."""
        self.shape = shape
        self.decoders = decoders
        self.size = 0
        self._places = {name: place for place, name in enumerate(names)}
        self._rows: dict[int, _Row] = {}
        self._by_key: dict[tuple[int, ...], dict[Any, _Row]] = {}

    def find(self, positions: tuple[int, ...], value: Any) -> tuple[int, Image] | None:
        """Row id and image of the row with this value of the key, if it is here. Without a
        lock: a row is replaced as a whole."""
        index = self._by_key.get(positions)
        row = index.get(value) if index is not None else None
        return None if row is None else (row.row_id, row.image)

    def add(self, positions: tuple[int, ...], value: Any, row_id: int, image: Image, size: int) -> None:
        row = self._rows.get(row_id)
        if row is None:
            row = self._rows[row_id] = _Row(row_id, image, size)
            self.size += size
        index = self._by_key.get(positions)
        if index is None:
            index = self._by_key[positions] = {}
        if value not in index:
            row.keys.append((positions, value))
        index[value] = row

    def drop(self, row_id: int) -> None:
        row = self._rows.pop(row_id, None)
        if row is not None:
            self.size -= row.size
            for positions, value in row.keys:
                self._by_key[positions].pop(value, None)

    def update(self, change: UpdateRows) -> int | None:
        """By how many bytes rows have grown; None: it changes what is not known here."""
        places = [self._places.get(name) for name in change.columns[1:]]
        if None in places:
            return None
        changed, grown = set(places), 0
        for values in change.rows:
            row = self._rows.get(values[0])
            if row is None:
                continue
            if not all(changed.isdisjoint(positions) for positions, _ in row.keys):
                self.drop(row.row_id)
                continue
            image, growth = list(row.image), 0
            for place, value in zip(places, values[1:], strict=True):
                assert place is not None
                decode = self.decoders.get(place)
                new = value if value is None or decode is None else decode(value)
                growth += sys.getsizeof(new) - sys.getsizeof(image[place])
                image[place] = new
            row.image = tuple(image)
            row.size += growth
            self.size += growth
            grown += max(growth, 0)
        return grown


def size_of(image: Image) -> int:
    """About the bytes that a row takes."""
    return _AROUND + sum(map(sys.getsizeof, image))


_Coming = tuple[Callable[[], CachedTable], object, tuple[int, Image], int]


class RowCache:
    """One for the store."""

    def __init__(self, is_stale: Callable[[int, Iterable[str]], bool], budget: int = CACHE_BYTES) -> None:
        """`is_stale(clock, tables)`: whether a commit since `clock` has written one of
        the tables. `budget`: see `limit`."""
        self._budget = self._room = budget
        """`_room`: bytes that are certainly left. What is dropped gives none back until there is too little of it."""
        self._is_stale = is_stale
        self._tables: dict[str, CachedTable] = {}
        self._coming: dict[tuple[str, tuple[int, ...], Any], _Coming] = {}
        self._mutex = threading.Lock()
        self.pages, self._groups = RowPages(), RowGroups()
        self.patience_for_places, self.fewest_for_places = 160, 20_000
        """About so many looks through a table take the time of reading the places of its keys; in a table with
        fewer rows a look costs nothing."""
        self._places: dict[str, dict[tuple[int, ...], KeyPlaces]] = {}
        self._begun: dict[str, int] = {}
        self._on_their_way: dict[str, int] = {}

    @property
    def size(self) -> int:
        """About the bytes that are kept."""
        rows = sum(table.size for table in list(self._tables.values()))
        return rows + self._groups.size + self.pages.size + self._places_size

    def limit(self, budget: int) -> None:
        """Keep so many bytes from now on; 0: nothing, and whoever would look here does without."""
        with self._mutex:
            self._budget = self._room = budget
            self._tables.clear()
            self._groups.clear()
            self.pages.clear()
            self._places.clear()
            self._coming = {}

    @property
    def is_on(self) -> bool:
        return self._budget > 0

    def find(self, name: str, shape: object, positions: tuple[int, ...], value: Any) -> tuple[int, Image] | None:
        """Row id and image of the row of a table of this shape with this value of the key, if it was read before. All
        that was read is taken in for one of them."""
        table = self._tables.get(name)
        if table is not None and table.shape is shape:
            found = table.find(positions, value)
            if found is not None:
                return found
        if (name, positions, value) not in self._coming:
            return None
        self.take_in()
        return self.find(name, shape, positions, value)

    def put(
        self,
        name: str,
        make: Callable[[], CachedTable],
        shape: object,
        positions: tuple[int, ...],
        value: Any,
        found: tuple[int, Image],
        clock: int,
    ) -> None:
        """Keep a row that was read, outside of any transaction, after the store's clock had shown `clock`:
        together with others, or when it is asked for again. What has to do with the cache alone would take a row
        that is read once a tenth of its time."""
        coming = self._coming
        coming[name, positions, value] = make, shape, found, clock
        if len(coming) >= _TOGETHER:
            self.take_in()

    def take_in(self) -> None:
        """Keep what was read so far. Before the stamps of a commit move, behind which it counts as old."""
        if not self._coming:
            return
        with self._mutex:
            coming, self._coming = self._coming, {}
            for (name, positions, value), (make, shape, (row_id, image), clock) in list(coming.items()):
                size = size_of(image)
                if size > _LARGEST + _AROUND or self._budget <= 0 or self._is_stale(clock, (name,)):
                    continue
                if self._room < size:
                    self._make_room(size)
                self._room -= size
                table = self._tables.get(name)
                if table is None or table.shape is not shape:
                    table = self._tables[name] = make()
                table.add(positions, value, row_id, image, size)

    def paged(self, name: str, shape: object, positions: tuple[int, ...], column: str) -> PagedTable:
        """The pages of a table of this shape by this key, of one column."""
        found = self.pages.of(name, shape, positions)
        if found is None:
            with self._mutex:
                found = self.pages.of(name, shape, positions) or self.pages.begin(name, shape, positions, column)
        return found

    def put_page(
        self, name: str, positions: tuple[int, ...], paged: PagedTable, rows: list[Image], number: int, clock: int
    ) -> None:
        """Keep the rows with keys in the page of `number`, all of them, that were read as in
        `put`; the row id is first in each."""
        page = paged.page(rows, self._budget)
        if page is None:
            return
        with self._mutex:
            if self._is_stale(clock, (name,)) or self.pages.of(name, paged.shape, positions) is not paged:
                return
            if self._room < page.size:
                self._make_room(page.size)
            if page.size <= self._room:
                self._room -= page.size
                paged.take(page, rows, number)

    # --- groups, and commits on their way ------------------------------------------------------------------

    @contextmanager
    def commit_of(self, names: Collection[str]) -> Iterator[None]:
        """Around a commit of these tables, which may be seen before all have been told of it."""
        if not names:
            yield
            return
        written = tuple(names)
        self._count(written, 1)
        try:
            yield
        finally:
            self._count(written, -1)

    def _count(self, names: Iterable[str], step: int) -> None:
        with self._mutex:
            for name in names:
                self._begun[name] = self._begun.get(name, 0) + (step > 0)
                self._on_their_way[name] = self._on_their_way.get(name, 0) + step
                if not self._on_their_way[name]:
                    del self._on_their_way[name]

    def begun(self, names: Iterable[str]) -> tuple[int, ...] | None:
        """How many commits of each table have begun: what was read is of one moment, and known to whoever is told of
        commits, if no other has. None while one is on its way."""
        found = tuple([self._begun.get(name, 0) for name in (ANY_TABLE, *names)])
        on_their_way = self._on_their_way
        return None if on_their_way and any(name in on_their_way for name in (ANY_TABLE, *names)) else found

    def group(self, name: str, shape: object, key: object, value: Any) -> Group | None:
        """What is known of the rows of a table of this shape that are together so (`row_groups`)."""
        return self._groups.find(name, shape, key, value)

    def put_group(
        self,
        name: str,
        make: Callable[[], GroupedTable],
        shape: object,
        kind: GroupKind,
        value: tuple[Any, ...],
        rows: dict[int, Sequence[Any]],
        begun: tuple[int, ...],
        *,
        is_whole: bool,
    ) -> bool:
        """Keep a group whose rows were read, outside of any transaction, when `begun` was what that says. False: it is
        too large for that."""
        size = group_size(rows.values(), value)
        if size > self._budget // _SHARE:
            return False
        with self._mutex:
            if self.begun((name,)) != begun:
                return True
            if self._room < size:
                self._make_room(size)
            self._room -= size
            try:
                self._groups.of(name, make, shape).put(kind, value, rows, is_whole=is_whole)
            except BaseException:  # Ctrl+C
                self._groups.forget(name)
                raise
        return True

    @property
    def _places_size(self) -> int:
        return sum(places.size for kinds in list(self._places.values()) for places in list(kinds.values()))

    def places(self, name: str, shape: object, positions: tuple[int, ...]) -> KeyPlaces:
        """Where rows of a table of this shape stand by this key."""
        kinds = self._places.get(name)
        found = kinds.get(positions) if kinds is not None else None
        if found is None or found.shape is not shape:
            with self._mutex:
                found = self._places.setdefault(name, {})[positions] = KeyPlaces(shape)
        return found

    def put_places(self, places: KeyPlaces, hashes: array[int], rows: array[int]) -> None:
        """Keep what was read of them: a hint, for which no commit matters."""
        size = 16 * len(rows)
        with self._mutex:
            if size > self._budget // 2:
                places.is_refused = True
                return
            if self._room < size:
                kept = next(
                    ((name, kind) for name, kinds in self._places.items() for kind in kinds if kinds[kind] is places),
                    None,
                )
                self._make_room(size)
                if kept is None:
                    return
                self._places.setdefault(kept[0], {})[kept[1]] = places
            self._room -= size
            places.take(hashes, rows)

    def _make_room(self, size: int) -> None:
        """Pages go first: a row that is here by itself was asked for."""
        self._room = self._budget - self.size
        while self._room < size and self.pages.shed():
            self._room = self._budget - self.size
        if self._room < size:
            self._tables.clear()
            self._groups.clear()
            self._places.clear()
            self._room = self._budget

    def note(self, changes: Sequence[RowChange]) -> None:
        """A commit made these changes; the stamps of their tables have moved. What is remembered follows what became of
        each row, once: one that a loop has written often is looked for once."""
        if not self._tables and not self.pages and not self._places and not self._groups:
            return
        with self._mutex:
            became = [*runs(changes)]
            for change in became:
                self._room -= self.pages.note(change)
                self._note(change)
            self._room -= self._groups.note(became)

    def _note(self, change: RowChange) -> None:
        if isinstance(change, Definition):
            for name in change.tables or list(self._tables):
                self._tables.pop(name, None)
            for name in change.tables or list(self._places):
                self._places.pop(name, None)
            return
        table = self._tables.get(change.table)
        if table is None:
            return
        if found_of(change) is not None:
            del self._tables[change.table]
        elif isinstance(change, DeleteRows):
            for row_id in change.row_ids:
                table.drop(row_id)
        elif isinstance(change, UpdateRows):
            grown = table.update(change)
            if grown is None:
                del self._tables[change.table]
            else:
                self._room -= grown
        else:
            assert isinstance(change, InsertRows), "a new row changes none that is here"
