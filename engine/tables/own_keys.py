"""OwnKeys: the key values that a transaction has added and taken away, read off its redo list.

With them a look-up of a key needs only what is committed, so the rows that a transaction inserts one by one need not
reach DuckDB one by one. The redo list is the truth: when a rollback has cut it, the keys are read again. It must not
know locks or constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sbql.catalog.changes import DeleteRows, InsertRows, UpdateRows
from sbql.catalog.duck_types import is_plain, is_units
from sbql.catalog.found_rows import found_of
from sbql.catalog.stored_text import from_stored
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import key_normaliser
from sbql.engine.tables.redo_reader import RedoReader
from sbql.grammar.types import SqlType

__all__ = ["OwnKeys", "own_keys"]

KeyValue = tuple[Any, ...]


class OwnKeys(RedoReader):
    """`added` maps key values to row ids, `removed` are row ids that other transactions still see.
    `is_usable` False: a definition, an update of part of the key, or what was written as a set makes the list
    too hard to read; ask DuckDB instead."""

    __slots__ = ("_by_row", "_names", "_normalisers", "_positions", "added", "removed")

    def __init__(self, bound: BoundTable, positions: Sequence[int]) -> None:
        self._names = [bound.names[p + 1] for p in positions]
        self._positions = [p + 1 for p in positions]
        self._normalisers: list[Callable[[Any], Any] | None] = [_of_stored(bound.types[p]) for p in positions]
        super().__init__(bound)

    def _clear(self) -> None:
        self.added: dict[KeyValue, int] = {}
        self.removed: set[int] = set()
        self._by_row: dict[int, KeyValue] = {}
        super()._clear()

    def _apply(self, change: Any) -> None:
        if found_of(change) is not None:
            self.is_usable = False
            return
        if isinstance(change, InsertRows):
            for row in change.rows:
                self._put(row[0], self._value(row, self._positions))
        elif isinstance(change, DeleteRows):
            for row_id in change.row_ids:
                self._take(row_id)
        elif isinstance(change, UpdateRows):
            places = [change.columns.index(name) for name in self._names if name in change.columns]
            if not places:
                return
            if len(places) < len(self._names):
                self.is_usable = False
                return
            for row in change.rows:
                self._take(row[0])
            for row in change.rows:
                self._put(row[0], self._value(row, places))

    def _value(self, row: Sequence[Any], places: Sequence[int]) -> KeyValue:
        return tuple(
            row[p] if n is None or row[p] is None else n(row[p]) for p, n in zip(places, self._normalisers, strict=True)
        )

    def _put(self, row_id: int, value: KeyValue) -> None:
        self.added[value] = row_id
        self._by_row[row_id] = value

    def _take(self, row_id: int) -> None:
        value = self._by_row.pop(row_id, None)
        self.removed.add(row_id)
        if value is not None and self.added.get(value) == row_id:
            del self.added[value]


def _of_stored(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """The normaliser of what the redo list has: stored values."""
    normalise = key_normaliser(sql_type)
    if normalise is None or not is_units(sql_type):
        return normalise
    return lambda text: normalise(from_stored(text))


def own_keys(txn: Any, bound: BoundTable, positions: Sequence[int]) -> OwnKeys | None:
    """The up-to-date keys of a transaction for these columns; None when they cannot tell."""
    kept: dict[Any, OwnKeys] = txn.own_keys
    key = (bound.storage, *positions)
    found = kept.get(key)
    if found is None:
        if not bound.needs_locks or not all(is_plain(bound.types[p]) or is_units(bound.types[p]) for p in positions):
            return None
        found = kept[key] = OwnKeys(bound, positions)
    found.refresh(txn.unit.redo)
    return found if found.is_usable else None
