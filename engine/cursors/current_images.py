"""CurrentImages: the rows that WHERE CURRENT OF changes, as they are now, for the
rows that a cursor has read in advance.

Decides how many are read together: the first alone, then more each time, for whoever changes one row of a cursor mostly
changes those behind it. An image counts as long as nothing that has to do with its row was heard of (`heed`): the
cursor tells it everything, commits of anybody and what its own transaction has written or taken back. It must not know
what a cursor's query asks, nor what follows from a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from sbql.catalog.changes import DeleteRows, RowChange, UpdateRows

__all__ = ["CurrentImages"]

_GROWTH: Final = 16
_MOST: Final = 256
"""Rows that are read together."""
_BYTES: Final = 1 << 20
"""Of rows that are read together, about: where those before were large, fewer are."""


class CurrentImages:
    """Of one table of a cursor's query."""

    __slots__ = ("_images", "_next")

    def __init__(self) -> None:
        self._images: dict[int, Sequence[Any]] = {}
        self._next = 1

    def image(self, row_id: int, coming: Callable[[int], list[int]], store: Any) -> Sequence[Any] | None:
        """The row as it is, None where there is none. `coming` gives so many ids of rows that come behind it,
        `store` reads rows by their ids."""
        found = self._images.pop(row_id, None)
        if found is not None:
            return found
        count, self._next = self._next, min(self._next * _GROWTH, _MOST)
        behind = coming(count - 1) if count > 1 else []
        if not behind:
            rows: Sequence[Sequence[Any]] = store.by_id(row_id)
            if not rows:
                return None
            self._next = self._fitting(_size(rows[0]))
            return rows[0]
        self._images = dict(store.by_ids([row_id, *behind]))
        self._next = self._fitting(max(map(_size, self._images.values()), default=0))
        return self._images.pop(row_id, None)

    def _fitting(self, size: int) -> int:
        """How many are read together next, where those before had so many bytes."""
        return min(self._next, max(1, _BYTES // (1 + size)))

    def heed(self, change: RowChange) -> None:
        """A change of this table."""
        if not self._images or not isinstance(change, DeleteRows | UpdateRows):
            return
        ids: Iterable[int] = change.row_ids if isinstance(change, DeleteRows) else (row[0] for row in change.rows)
        for row_id in ids:
            self._images.pop(row_id, None)

    def forget(self) -> None:
        """Nobody knows what has happened."""
        self._images = {}


def _size(image: Sequence[Any]) -> int:
    return sum(len(value) for value in image if isinstance(value, str | bytes))
