"""TempRows: the rows of a #temp table in memory, beside the table in DuckDB, so that a look at few of them asks nobody.

A #temp table is its session's alone, so nothing but the session's own units of work changes its rows: `take` is told
of each change. What cannot be told (a definition, rows that stay in DuckDB) and what is rolled back ends the
following; the next look begins another, with two queries. A table that is created begins with one, as it has no rows.
What was told is put off until somebody looks. A table with more than fits is DuckDB's alone, until half of it is
gone. It must not know statements or conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.catalog.changes import ROW_ID, Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.duck_types import duck_type, quote
from sbql.catalog.store_session import StoreSession
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.memory_rows import MemoryRows
from sbql.grammar.types import MAX, SqlType

__all__ = ["TempRows", "follow_new_table", "rows_at_hand", "temp_rows"]

_MOST: Final = 10_000
_BYTES: Final = 16 << 20
"""Of one table: rows, and bytes."""
_LONG: Final = frozenset({"xml", "text", "ntext", "image"})


class TempRows(MemoryRows):
    """Of one table. `is_here`: its rows are, those of the `_coming` changes included; otherwise
    nothing is, but `count` still holds."""

    __slots__ = ("_bytes", "_coming", "_long", "_most", "_until", "count", "is_here")

    def __init__(self, bound: BoundTable) -> None:
        super().__init__(bound)
        self._long = _long_columns(bound)
        self._most = self._until = _most_rows(bound)
        self._coming: list[InsertRows | UpdateRows | DeleteRows] = []
        self._bytes = 0
        self.count = 0
        self.is_here = True

    def take(self, change: RowChange) -> None:
        """A change of the table, which has happened."""
        assert not isinstance(change, Definition)
        if isinstance(change, DeleteRows):
            self.count -= len(change.row_ids)
        else:
            if isinstance(change, InsertRows):
                self.count += len(change.rows)
            if self._long:
                self._bytes += self._size(change)
        if not self.is_here:
            return
        self._coming.append(change)
        if self.count > self._most:
            self.give_up()
        elif self._bytes > _BYTES:  # of values too that are gone: the next look measures
            self.leave(self._most)
        elif len(self._coming) > self._most:
            self.settle()

    def _size(self, change: InsertRows | UpdateRows) -> int:
        """About the bytes of what may be long."""
        names = {self.bound.names[place + 1] for place in self._long}
        places = [i for i, name in enumerate(change.columns) if name in names]
        return sum(len(row[i]) for row in change.rows for i in places if row[i] is not None)

    def give_up(self) -> None:
        self.leave(self.count // 2)

    def leave(self, until: int) -> None:
        """Keep no rows before there are so few of them."""
        self.is_here, self._until = False, until
        self._coming.clear()
        self.clear()

    @property
    def may_fit(self) -> bool:
        return self.count <= self._until

    def settled(self) -> TempRows | None:
        """With all that was told; None if there is too much."""
        if self._coming:
            self.settle()
        return self if self.is_here else None

    def settle(self) -> None:
        """What was told becomes rows. Who is interrupted leaves a table that is read again."""
        coming, self._coming = self._coming, []
        self.is_here = False
        for change in coming:
            if isinstance(change, InsertRows):
                for row in change.rows:
                    self.put(row[0], self.bound.decode(row[1:]))
            elif isinstance(change, DeleteRows):
                self.expect(len(change.row_ids))
                for row_id in change.row_ids:
                    self.take_away(row_id)
            else:
                self._update(change)
        self.is_here = True

    def _update(self, change: UpdateRows) -> None:
        self.expect(len(change.rows))
        written, kept = self.bound.written(change.columns), self.rows
        places = [place for place, _ in written]
        for row in change.rows:
            image = list(kept[row[0]])
            for (place, decode), value in zip(written, row[1:], strict=True):
                image[place] = value if value is None or decode is None else decode(value)
            self.replace(row[0], image, places)

    def load(self, session: Session, most: int) -> None:
        """The rows as the session sees them now, if they fit and are no more than that."""
        bound, tables = self.bound, frozenset((self.bound.storage,))
        sizes = [f"coalesce(sum({_length(bound, place)}), 0)" for place in self._long]
        asked = session.read(f"SELECT {', '.join(['count(*)', *sizes])} FROM {bound.storage}", tables=tables).rows[0]
        self.count, self._bytes = int(asked[0]), int(sum(asked[1:]))
        if self.count > self._most or self._bytes > _BYTES:
            self.give_up()
            return
        if self.count > most:
            self.leave(self._most)
            return
        names = ", ".join(map(quote, bound.names))
        found = session.read(f"SELECT {names} FROM {bound.storage} ORDER BY {quote(ROW_ID)}", tables=tables).rows
        self.rows = {row[0]: bound.decode(row[1:]) for row in found}


def _most_rows(bound: BoundTable) -> int:
    """As many as fit whatever the short columns have."""
    return min(_MOST, _BYTES // (64 + sum(_width(t) for t in bound.types)))


def _width(sql_type: SqlType) -> int:
    return 16 if sql_type.length in (None, MAX) else 2 * int(sql_type.length or 0)


def _long_columns(bound: BoundTable) -> Sequence[int]:
    return [i for i, t in enumerate(bound.types) if t.length == MAX or t.name in _LONG]


def _length(bound: BoundTable, place: int) -> str:
    function = "octet_length" if duck_type(bound.types[place]) == "BLOB" else "strlen"
    return f"{function}({quote(bound.names[place + 1])})"


def _is_on(session: Session) -> bool:
    return bool(session.instance.store.feed.rows.is_on)


def follow_new_table(session: Session, bound: BoundTable) -> None:
    """A #temp table has been created."""
    if _is_on(session):
        session.store.followed[bound.storage] = TempRows(bound)


def rows_at_hand(store: StoreSession, bound: BoundTable) -> MemoryRows | None:
    """All rows of a #temp table, if they are in memory already."""
    found = store.followed.get(bound.storage)
    if not isinstance(found, TempRows) or found.bound.table is not bound.table:
        return None
    return found.settled()


def temp_rows(session: Session, bound: BoundTable, few: int, *, by_value: bool) -> MemoryRows | None:
    """All rows of a #temp table of this session. None: ask DuckDB, there are too many. More than a `few` are read for
    those who look for values, and not at the first look: where each look follows a write that ends the following,
    reading them all would be the dearer way."""
    found = session.store.followed.get(bound.storage)
    if isinstance(found, TempRows) and found.bound.table is bound.table:
        if found.is_here or not found.may_fit or not (by_value or found.count <= few):
            return found.settled()
        most = _MOST
    else:
        most = few
    if not _is_on(session):
        return None
    fresh = TempRows(bound)
    fresh.load(session, most)
    session.store.followed[bound.storage] = fresh
    return fresh.settled()
