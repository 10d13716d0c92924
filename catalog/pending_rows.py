"""PendingRows: what an open transaction has made of the rows of one table, for other sessions to read.

The redo list is the truth; here it is folded to the newest image of each row, in batches of columns. A batch names only
the columns that changed: the others are as committed, for nobody else can change a row meanwhile. Decides when what was
folded is old (the list has grown, or a rollback has cut it). It must not know locks, or who asks and why.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange

__all__ = ["ImageBatch", "PendingRows"]

_Image = tuple[tuple[str, ...], tuple[Any, ...]]
"""The names of columns and their stored values."""


class ImageBatch(Struct, frozen=True, eq=False):
    """Rows as they would be after a commit: `row_ids`, and for each of `names` a column of stored values. Two
    batches are equal when they are the same object, so that a batch is a good version of what was made of it.
    `is_deleted`: the rows would be gone."""

    names: tuple[str, ...]
    row_ids: Sequence[int]
    columns: Sequence[Sequence[Any]]
    is_deleted: bool = False


class PendingRows:
    """Made when somebody asks first. Thread safe; the redo list may change while it is read."""

    __slots__ = ("_batches", "_deleted", "_images", "_last", "_mutex", "_read", "_table")

    def __init__(self, table: str) -> None:
        self._table = table
        self._mutex = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self._images: dict[int, _Image] = {}
        self._deleted: set[int] = set()
        self._batches: tuple[ImageBatch, ...] = ()
        self._read = 0
        self._last: RowChange | None = None

    def batches(self, redo: Sequence[RowChange]) -> tuple[ImageBatch, ...]:
        """The images now; the same objects as long as nothing has changed."""
        with self._mutex:
            fresh = redo[max(self._read - 1, 0) :]  # a slice of a list is one step: its owner may be cutting it
            if self._read:
                if not fresh or fresh[0] is not self._last:
                    self._clear()
                    fresh = redo[:]
                else:
                    fresh = fresh[1:]
            own = [change for change in fresh if not isinstance(change, Definition) and change.table == self._table]
            for change in own:
                self._apply(change)
            if fresh:
                self._read += len(fresh)
                self._last = fresh[-1]
            if own:
                self._batches = self._grouped()
            return self._batches

    def __contains__(self, row_id: object) -> bool:
        """Whether the row was among the images that were read last."""
        return row_id in self._images or row_id in self._deleted

    def _apply(self, change: Any) -> None:
        images = self._images
        if isinstance(change, DeleteRows):
            for row_id in change.row_ids:
                images.pop(row_id, None)
            self._deleted.update(change.row_ids)
            return
        names = change.columns[1:]
        is_new = isinstance(change, InsertRows)
        for row_id, *values in change.rows:
            known = None if is_new else images.get(row_id)
            if known is None or known[0] == names:
                images[row_id] = names, tuple(values)
            else:
                both = {**dict(zip(*known, strict=True)), **dict(zip(names, values, strict=True))}
                images[row_id] = tuple(both), tuple(both.values())

    def _grouped(self) -> tuple[ImageBatch, ...]:
        groups: dict[tuple[str, ...], list[int]] = {}
        for row_id, (names, _) in self._images.items():
            groups.setdefault(names, []).append(row_id)
        batches = [
            ImageBatch(names, row_ids, tuple(zip(*(self._images[i][1] for i in row_ids), strict=True)))
            for names, row_ids in groups.items()
        ]
        if self._deleted:
            batches.append(ImageBatch((), sorted(self._deleted), (), is_deleted=True))
        return tuple(batches)
