"""What happened to the tables of an open cursor since it last looked: commits of anybody, and what its own session has
written and not committed.

Decides nothing about cursors: it hands out changes in order, or None when all that is known is that there were some. It
must not know what a cursor has read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.change_feed import touches
from sbql.catalog.changes import Definition, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of
from sbql.engine.ports import Session

__all__ = ["Changes", "moved_rows", "rows_of"]


class Changes:
    """Made when a cursor is opened, before its rows are read. `variables` are the table variables it reads."""

    __slots__ = ("_last", "_own", "_read", "_session", "_unit", "_variables", "_versions", "_watch")

    def __init__(self, session: Session, tables: frozenset[str], variables: list[Any]) -> None:
        self._session = session
        self._watch = session.store.store.feed.watch(tables)
        self._unit: Any = None
        self._read = 0
        self._last: RowChange | None = None
        self._own: list[RowChange] = []
        self._variables = variables
        self._versions = [v.version for v in variables]
        self._note_own()

    def end(self) -> None:
        self._watch.end()

    @property
    def are_none(self) -> bool:
        """Certainly nothing: the quick answer of `take`, outside of a transaction that has written or may have."""
        return self._unit is None and not self._variables and not self._watch.has_news and self._own_unit() is None

    def take(self) -> list[RowChange] | None:
        """What happened since the last call. None: read everything anew."""
        watch, unit = self._watch, self._own_unit()
        if self._variables and [v.version for v in self._variables] != self._versions:
            self._versions = [v.version for v in self._variables]
            self._note_own()
            watch.take()
            return None
        if unit is self._unit and not watch.has_news:
            if unit is None or (len(unit.redo) == self._read and self._is_whole(unit)):
                return []
        found = watch.take() if watch.has_news else []
        is_lost = found is None
        if unit is not self._unit or (unit is not None and not self._is_whole(unit)):
            # What was seen before its commit comes once more with it; if it does not come, it was rolled back.
            seen = {id(change) for change in self._own}
            news = [c for c in found or () if id(c) not in seen]
            is_lost = is_lost or len(news) + len(seen) != len(found or ())
            found, self._own, self._read = news, [], 0
        changes = list(found or ())
        if unit is not None:
            changes += [c for c in unit.redo[self._read :] if touches(c, watch.tables)]
        self._note_own()
        return None if is_lost or any(isinstance(c, Definition) or found_of(c) for c in changes) else changes

    def _own_unit(self) -> Any:
        transaction = self._session.transaction
        return transaction.unit if transaction is not None and transaction.has_unit else None

    def _is_whole(self, unit: Any) -> bool:
        """Whether what was read of the unit is still what it holds."""
        redo = unit.redo
        return self._read <= len(redo) and (self._read == 0 or redo[self._read - 1] is self._last)

    def _note_own(self) -> None:
        unit = self._own_unit()
        redo = unit.redo if unit is not None else ()
        if unit is not self._unit:
            self._unit, self._own, self._read = unit, [], 0
        self._own += [c for c in redo[self._read :] if touches(c, self._watch.tables)]
        self._read = len(redo)
        self._last = redo[-1] if redo else None


def rows_of(change: RowChange) -> Sequence[Sequence[Any]]:
    return change.rows if isinstance(change, InsertRows | UpdateRows) else ()


def moved_rows(change: UpdateRows, columns: frozenset[str]) -> list[int]:
    """The rows of which one of these columns has another value now."""
    places = [i for i, name in enumerate(change.columns) if name.lower() in columns]
    if not places:
        return []
    if not change.old:
        return [row[0] for row in change.rows]
    return [new[0] for new, old in zip(change.rows, change.old, strict=True) if any(new[i] != old[i] for i in places)]
