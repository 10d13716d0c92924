"""The rows of an open cursor and its place among them: fixed (STATIC), or fixed keys with current values (KEYSET); and
what all cursors share that follow their tables, DYNAMIC ones (`dynamic_rows.py`) too.

Decides what FETCH finds after inserts, updates and deletes. Rows are read in advance, and kept as long as nothing was
written that could concern them (`Changes`). A row that was updated is read again when the cursor comes to it. A dynamic
cursor searches again from its place only when something may have brought new rows or moved rows. It must not know
options, names or errors of cursors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.changes import DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.engine.cursors.current_images import CurrentImages
from sbql.engine.cursors.cursor_changes import Changes, moved_rows, rows_of
from sbql.engine.cursors.cursor_plan import CursorPlan, Source, reading
from sbql.engine.query.translation import fetch
from sbql.engine.scalars.scope import Frame

__all__ = ["FETCHED", "NO_ROW", "ROW_GONE", "FixedRows", "FollowingRows", "KeysetRows", "Row"]

Row = tuple[Any, ...]
FETCHED, NO_ROW, ROW_GONE = 0, -1, -2


class FixedRows:
    """STATIC: what was read at OPEN, as many rows as SET ROWCOUNT lets through then. `place` counts from 1; 0 is before
    the first row, len + 1 behind the last."""

    def __init__(self, plan: CursorPlan, frame: Frame) -> None:
        rows, most = self.read(plan, frame), frame.session.options.rowcount
        self.rows: Sequence[Row] = rows[:most] if most else rows
        self.place = 0

    def read(self, plan: CursorPlan, frame: Frame) -> list[Row]:
        return fetch(plan.rows, frame)

    @property
    def count(self) -> int:
        """-1: nobody knows."""
        return len(self.rows)

    @property
    def has_rows(self) -> bool:
        return bool(self.rows)

    def end(self) -> None:
        """The cursor is closed."""

    def next(self) -> tuple[int, Row | None]:
        place = self.place = self.place + 1
        rows = self.rows
        if place <= len(rows):
            return FETCHED, rows[place - 1]
        self.place = len(rows) + 1
        return NO_ROW, None

    def move(self, orientation: str, offset: int) -> tuple[int, Row | None]:
        size = len(self.rows)
        wanted = {
            "NEXT": self.place + 1,
            "PRIOR": self.place - 1,
            "FIRST": 1,
            "LAST": size,
            "ABSOLUTE": offset if offset >= 0 else size + 1 + offset,
            "RELATIVE": self.place + offset,
        }[orientation]
        self.place = max(0, min(wanted, size + 1))
        return self._row() if 1 <= self.place <= size else (NO_ROW, None)

    def _row(self) -> tuple[int, Row | None]:
        return FETCHED, self.rows[self.place - 1]

    @property
    def row_ids(self) -> tuple[int | None, ...] | None:
        """The row id in each source of the row that the cursor stands on."""
        return None


class FollowingRows:
    """What both kinds share that follow their tables."""

    def __init__(self, plan: CursorPlan, frame: Frame, variables: list[Any]) -> None:
        self.plan = plan
        self.frame = frame
        self.variables = variables
        self.images: list[Any] = []
        stored = frozenset(s.storage for s in plan.sources if not s.storage.startswith("@"))
        self.changes = Changes(frame.session, plan.tables | stored, variables)
        self.is_outdated = False
        """Whether the row that was fetched last has been changed since, by anything but this cursor."""
        self.dirty: set[tuple[int, int]] = set()
        self.gone: set[tuple[int, int]] = set()
        self.current_images = [CurrentImages() for _ in plan.sources]

    def end(self) -> None:
        self.changes.end()

    def current_image(self, place: int, row_id: int, store: Any) -> Sequence[Any] | None:
        """The row of a source that the cursor stands on, as it is now (CurrentImages)."""
        self.look()
        return self.current_images[place].image(row_id, lambda count: self._coming(place, count), store)

    def _coming(self, place: int, count: int) -> list[int]:
        rows, at = self.ahead()
        return [i for row in rows[at : at + count] if (i := self.ids_of(row)[place]) is not None]

    def ahead(self) -> tuple[Sequence[Row], int]:
        """What was read in advance, and where the row behind the cursor's own stands there."""
        raise NotImplementedError

    def look(self) -> None:
        """Take notice of what happened since the last look."""
        changes = self.changes.take()
        if changes is None:
            if not self.variables or any(a is not b for a, b in zip(self._own_images(), self.images, strict=False)):
                self.is_outdated = True
            self._lose_all()
        elif changes:
            self.heed(changes)

    def fresh(self) -> None:
        """The row that the cursor stands on is known as it is now."""
        self.is_outdated = False
        if self.variables:
            self.images = self._own_images()

    def _own_images(self) -> list[Any]:
        """The row in each table variable. An update puts another image there."""
        ids = [v for s, v in zip(self.plan.sources, self.row_ids or (), strict=False) if s.storage.startswith("@")]
        return [table.rows.get(row_id) for table, row_id in zip(self.variables, ids, strict=False)]

    def _lose_all(self) -> None:
        self.forget()
        for images in self.current_images:
            images.forget()

    def heed(self, changes: list[RowChange]) -> None:
        own = self.row_ids
        for change in changes:
            found = [(i, s) for i, s in enumerate(self.plan.sources) if s.storage == getattr(change, "table", "")]
            if not found:
                self._lose_all()
            for place, source in found:
                self.current_images[place].heed(change)
                if own is not None and not isinstance(change, InsertRows):
                    here = own[place]
                    ids = change.row_ids if isinstance(change, DeleteRows) else [r[0] for r in rows_of(change)]
                    self.is_outdated = self.is_outdated or here in ids
                self.concern(place, source, change)

    def concern(self, place: int, source: Source, change: RowChange) -> None:
        raise NotImplementedError

    def forget(self) -> None:
        raise NotImplementedError

    @property
    def row_ids(self) -> tuple[int | None, ...] | None:
        raise NotImplementedError

    def changed_by_cursor(self) -> None:
        """The cursor itself has written its row: that is no change by others."""
        self.look()
        self.fresh()

    def is_deleted(self) -> bool:
        """Whether the row that was fetched last is not there any more."""
        return any((i, v) in self.gone for i, v in enumerate(self.row_ids or ()))

    def again(self, row: Row, *, with_condition: bool) -> Row | None:
        """The row with these row ids as it is now."""
        plan = self.plan
        first = plan.width + 1
        ids = self.ids_of(row)
        terms = [f"c{first + i} {'IS NULL' if v is None else '= ?'}" for i, v in enumerate(ids)]
        query = plan.rows if with_condition or plan.again is None else plan.again
        found = fetch(reading(query, " AND ".join(terms), "", None, [v for v in ids if v is not None]), self.frame)
        return found[0] if found else None

    def ids_of(self, row: Row) -> tuple[int | None, ...]:
        width = self.plan.width
        return row[width : width + len(self.plan.sources)]

    def touched(self, row: Row, places: set[tuple[int, int]]) -> bool:
        return any((i, v) in places for i, v in enumerate(self.ids_of(row)))

    def terms(self) -> list[tuple[str, bool, int]]:
        """Column, whether it descends, and its place among the values of `place`: the order, then the row ids."""
        width, sources, keys = self.plan.width, len(self.plan.sources), self.plan.order
        first = width + sources + 1
        found = [(f"c{first + i}", descending, sources + i) for i, descending in enumerate(keys)]
        return found + [(f"c{width + 1 + i}", False, i) for i in range(sources)]

    def order(self, forward: bool) -> str:
        return ", ".join(
            f"{name} {'ASC NULLS FIRST' if descending is not forward else 'DESC NULLS LAST'}"
            for name, descending, _ in self.terms()
        )


class KeysetRows(FollowingRows, FixedRows):
    """KEYSET: which rows, and in which order, is fixed at OPEN; their values are those of the moment of FETCH."""

    def __init__(self, plan: CursorPlan, frame: Frame, variables: list[Any]) -> None:
        FollowingRows.__init__(self, plan, frame, variables)
        FixedRows.__init__(self, plan, frame)
        self._is_forgotten = False

    def read(self, plan: CursorPlan, frame: Frame) -> list[Row]:
        query = plan.rows if plan.is_sorted else reading(plan.rows, "", self.order(True), None, ())
        return list(fetch(query, frame))

    def move(self, orientation: str, offset: int) -> tuple[int, Row | None]:
        self.look()
        return FixedRows.move(self, orientation, offset)

    def next(self) -> tuple[int, Row | None]:
        self.look()
        if self.dirty or self.gone or self._is_forgotten:
            return FixedRows.move(self, "NEXT", 0)
        status, row = FixedRows.next(self)
        self.fresh()
        return status, row

    def _row(self) -> tuple[int, Row | None]:
        row = self.rows[self.place - 1]
        self.fresh()
        if self.touched(row, self.gone):
            return ROW_GONE, None
        if self._is_forgotten or self.touched(row, self.dirty):
            now = self.again(row, with_condition=False)
            if now is None:
                return ROW_GONE, None
            assert isinstance(self.rows, list)
            self.rows[self.place - 1] = row = now
        return FETCHED, row

    def ahead(self) -> tuple[Sequence[Row], int]:
        return self.rows, self.place

    @property
    def row_ids(self) -> tuple[int | None, ...] | None:
        return self.ids_of(self.rows[self.place - 1]) if 1 <= self.place <= len(self.rows) else None

    def forget(self) -> None:
        self._is_forgotten = True

    def concern(self, place: int, source: Source, change: RowChange) -> None:
        if isinstance(change, DeleteRows):
            self.gone.update((place, i) for i in change.row_ids)
        elif isinstance(change, UpdateRows):
            self.gone.update((place, i) for i in moved_rows(change, source.key))
            self.dirty.update((place, row[0]) for row in change.rows)

    def changed_by_cursor(self) -> None:
        """A key that the cursor itself has changed is its key from now on."""
        own = {(i, v) for i, v in enumerate(self.row_ids or ()) if v is not None}
        own -= self.gone
        FollowingRows.changed_by_cursor(self)
        own &= self.gone
        if own and self.again(self.rows[self.place - 1], with_condition=False) is not None:
            self.gone -= own
