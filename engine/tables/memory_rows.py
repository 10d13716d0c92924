"""MemoryRows: the rows of a table in memory, in the order of their ids, and found by the values of columns.

What a table variable is, and what is remembered of a #temp table. It must not know constraints, transactions or DuckDB.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import key_normaliser

__all__ = ["MemoryRows"]

Positions = tuple[int, ...]
KeyValue = tuple[Any, ...]

_FOLLOWED: Final = 64
"""Rows that one change may have for indexes to follow it."""


class MemoryRows:
    """`rows` maps row ids to images. Indexes are made when values are first looked for,
    and follow the rows from then on."""

    __slots__ = ("_indexes", "bound", "rows")

    def __init__(self, bound: BoundTable) -> None:
        self.bound = bound
        self.rows: dict[int, list[Any]] = {}
        self._indexes: dict[Positions, tuple[list[Any], dict[KeyValue, list[int]]]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def find(
        self, positions: Sequence[int], values: Iterable[KeyValue], *, is_unique: bool = False
    ) -> list[tuple[KeyValue, int]]:
        """(normalised value, row id) of every row whose columns at `positions` equal one of the normalised `values`."""
        _, index = self._index(tuple(positions))
        return [(value, row_id) for value in set(values) for row_id in index.get(value, ())]

    def with_values(self, positions: Positions, values: Sequence[Any]) -> list[tuple[int, Sequence[Any]]]:
        """(row id, image) of the rows with these values, none of them NULL, in the order of their ids."""
        normalisers, index = self._index(positions)
        wanted = tuple([v if n is None else n(v) for v, n in zip(values, normalisers, strict=True)])
        return [(row_id, self.rows[row_id]) for row_id in index.get(wanted, ())]

    @property
    def is_indexed(self) -> bool:
        return bool(self._indexes)

    def expect(self, changes: int) -> None:
        """So many rows will be changed or taken away: of many, indexes are made anew when they are next asked."""
        if changes > _FOLLOWED:
            self._indexes.clear()

    def clear(self) -> None:
        self.rows = {}
        self._indexes.clear()

    def put(self, row_id: int, image: list[Any]) -> None:
        """A row that is new, or another image of one."""
        if self._indexes:
            self._leave_indexes(row_id)
        self.rows[row_id] = image
        for positions, (normalisers, index) in self._indexes.items():
            ids = index.setdefault(_value(positions, normalisers, image), [])
            if ids and ids[-1] > row_id:
                insort(ids, row_id)
            else:
                ids.append(row_id)

    def replace(self, row_id: int, image: list[Any], places: Collection[int]) -> None:
        """Another image of a row, with other values in these columns alone."""
        for positions in self._indexes:
            for place in places:
                if place in positions:
                    self.put(row_id, image)
                    return
        self.rows[row_id] = image

    def take_away(self, row_id: int) -> None:
        if self._indexes:
            self._leave_indexes(row_id)
        del self.rows[row_id]

    def _leave_indexes(self, row_id: int) -> None:
        image = self.rows.get(row_id)
        if image is None:
            return
        for positions, (normalisers, index) in self._indexes.items():
            value = _value(positions, normalisers, image)
            ids = index[value]
            del ids[bisect_left(ids, row_id)]
            if not ids:
                del index[value]

    def _index(self, positions: Positions) -> tuple[list[Any], dict[KeyValue, list[int]]]:
        found = self._indexes.get(positions)
        if found is None:
            normalisers: list[Callable[[Any], Any] | None] = [key_normaliser(self.bound.types[p]) for p in positions]
            index: dict[KeyValue, list[int]] = {}
            for row_id, row in self.rows.items():
                index.setdefault(_value(positions, normalisers, row), []).append(row_id)
            found = self._indexes[positions] = normalisers, index
        return found


def _value(positions: Positions, normalisers: Sequence[Any], row: Sequence[Any]) -> KeyValue:
    return tuple(
        [row[p] if n is None or row[p] is None else n(row[p]) for p, n in zip(positions, normalisers, strict=True)]
    )
