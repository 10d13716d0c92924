"""OwnImages: what a transaction has made of rows of one table, read off its redo list, as `own_keys` reads the keys.

With it a row that is found by its key among what is committed becomes the row that the transaction sees, without
DuckDB. The redo list is the truth: when a rollback has cut it, it is read again. It must not know locks or keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.changes import DeleteRows, InsertRows, UpdateRows
from sbql.catalog.found_rows import found_of
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.redo_reader import RedoReader

__all__ = ["OwnImages", "own_images"]


class OwnImages(RedoReader):
    """`inserted` are images of new rows, `changed` the columns that were set in rows of others: place to Python value;
    `removed` are the ids of those that are gone. `is_usable` False: a definition, or what was written as a set, is
    among the changes."""

    __slots__ = ("_bound", "changed", "inserted", "removed")

    def __init__(self, bound: BoundTable) -> None:
        self._bound = bound
        super().__init__(bound)

    def _clear(self) -> None:
        self.inserted: dict[int, list[Any]] = {}
        self.changed: dict[int, dict[int, Any]] = {}
        self.removed: set[int] = set()
        super()._clear()

    def _apply(self, change: Any) -> None:
        bound = self._bound
        if found_of(change) is not None or (isinstance(change, InsertRows) and change.columns != bound.names):
            self.is_usable = False
        elif isinstance(change, InsertRows):
            for row in change.rows:
                self.inserted[row[0]] = bound.decode(row[1:])
        elif isinstance(change, DeleteRows):
            for row_id in change.row_ids:
                self.changed.pop(row_id, None)
                if self.inserted.pop(row_id, None) is None:
                    self.removed.add(row_id)
        elif isinstance(change, UpdateRows):
            self._update(change)

    def _update(self, change: UpdateRows) -> None:
        places = self._bound.written(change.columns)
        for row in change.rows:
            own = self.inserted.get(row[0])
            target: Any
            if own is None:
                target = self.changed.setdefault(row[0], {})
            else:  # whoever was given the row as it was keeps it so
                target = self.inserted[row[0]] = list(own)
            for (place, decode), value in zip(places, row[1:], strict=True):
                target[place] = value if value is None or decode is None else decode(value)

    def over(self, row_id: int, image: Sequence[Any]) -> Sequence[Any]:
        """The image of a row that is committed, as the transaction has changed it."""
        changed = self.changed.get(row_id)
        if not changed:
            return image
        own = list(image)
        for place, value in changed.items():
            own[place] = value
        return own


def own_images(txn: Any, bound: BoundTable) -> OwnImages | None:
    """What a transaction has made of a table's rows, up to date; None when that cannot be told row by row."""
    kept: dict[Any, Any] = txn.own_keys
    key = ("images", bound.storage)
    found = kept.get(key)
    if found is None:
        found = kept[key] = OwnImages(bound)
    found.refresh(txn.unit.redo)
    return found if found.is_usable else None
