"""RedoReader: what is read off the redo list of a transaction, change by change, and kept up to date.

Decides when the list has to be read from the start: a rollback has cut it. It must not know what is kept of a change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.changes import Definition
from sbql.engine.tables.bound_table import BoundTable

__all__ = ["RedoReader"]


class RedoReader:
    """Of one table. `is_usable` False: a definition, or what its kind cannot read row by row, is among the changes."""

    __slots__ = ("_last", "_read", "_storage", "is_usable")

    def __init__(self, bound: BoundTable) -> None:
        self._storage = bound.storage
        self._clear()

    def _clear(self) -> None:
        """Nothing is read yet."""
        self.is_usable = True
        self._read = 0
        self._last: Any = None

    def refresh(self, redo: Sequence[Any]) -> None:
        """Read what has come to the redo list since last time."""
        read, count = self._read, len(redo)
        if count < read or (read and redo[read - 1] is not self._last):
            self._clear()
            read = 0
        if read == count:
            return
        new = redo[read:] if count - read > 1 else (redo[-1],)  # behind each statement
        for change in new:
            if isinstance(change, Definition):
                self.is_usable = False  # rows before it may have had other columns
        if self.is_usable:
            for change in new:
                if change.table == self._storage:
                    self._apply(change)
        self._read, self._last = count, redo[-1]

    def _apply(self, change: Any) -> None:
        raise NotImplementedError
