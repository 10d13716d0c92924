"""The rows of a DYNAMIC cursor: none is fixed, each FETCH finds the one that comes now after the place of the last.

Decides when what was read in advance still counts, and how a search goes on from a place. It must not know
options, names or errors of cursors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog.changes import DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.engine.cursors.cursor_changes import moved_rows
from sbql.engine.cursors.cursor_plan import CursorPlan, Source, reading
from sbql.engine.cursors.cursor_rows import FETCHED, NO_ROW, ROW_GONE, FollowingRows, Row
from sbql.engine.query.translation import fetch
from sbql.engine.scalars.scope import Frame

__all__ = ["DynamicRows"]

_BLOCK_FIRST, _BLOCK_GROWTH = 32, 4


class DynamicRows(FollowingRows):
    """DYNAMIC: the next row is the one that comes now after the place of the last."""

    def __init__(self, plan: CursorPlan, frame: Frame, variables: list[Any]) -> None:
        super().__init__(plan, frame, variables)
        self.is_behind = False
        self.current: Row | None = None
        self.index = -1
        self.buffer: list[Row] = []
        self._is_forward = True
        self._is_last_block = False
        self._size: int | None = None
        self._known: set[tuple[int, int | None]] | None = None
        self._read(forward=True)

    @property
    def count(self) -> int:
        return -1

    @property
    def has_rows(self) -> bool:
        return True

    @property
    def place(self) -> Row | None:
        """The values of the order and the row ids of the row fetched last; None before
        the first row and behind the last."""
        return self.current[self.plan.width :] if self.current is not None else None

    def ahead(self) -> tuple[Sequence[Row], int]:
        return self.buffer, self.index + 1

    @property
    def row_ids(self) -> tuple[int | None, ...] | None:
        return self.ids_of(self.current) if self.current is not None else None

    # --- changes -------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """What was read in advance does not count any more."""
        self.buffer, self.index, self._is_last_block = [], -1, False
        self._size = _BLOCK_FIRST
        self.dirty.clear()
        self.gone.clear()
        self._known = None

    def concern(self, place: int, source: Source, change: RowChange) -> None:
        plan = self.plan
        if plan.has_subqueries or isinstance(change, InsertRows):
            self.forget()
        elif isinstance(change, DeleteRows):
            if source.is_preserved:
                self.gone.update((place, i) for i in change.row_ids)
            else:
                self.forget()
        elif isinstance(change, UpdateRows):
            names = {name.lower() for name in change.columns[1:]}
            ids = {(place, row[0]) for row in change.rows}
            if place == 0 and moved_rows(change, plan.place_columns):
                self.forget()
            elif names & plan.filter_columns and (plan.is_joined or not ids <= self._are_known()):
                self.forget()
            else:
                self.dirty |= ids

    def _are_known(self) -> set[tuple[int, int | None]]:
        if self._known is None:
            self._known = {(i, v) for row in self.buffer for i, v in enumerate(self.ids_of(row))}
        return self._known

    # --- moving --------------------------------------------------------------------------------------------

    def next(self) -> tuple[int, Row | None]:
        index, buffer = self.index + 1, self.buffer
        if index >= len(buffer) or self.current is None or not self._is_forward or not self.changes.are_none:
            return self._step(forward=True)
        if self.dirty or self.gone:
            return self._step(forward=True)
        self.index, self.is_outdated = index, False  # the usual case: it was read in advance, and nobody has written
        row = self.current = buffer[index]
        return FETCHED, row

    def move(self, orientation: str, offset: int) -> tuple[int, Row | None]:
        if orientation in ("FIRST", "LAST"):
            self._leave(is_behind=orientation == "LAST")
            return self._step(forward=orientation == "FIRST")
        if orientation == "RELATIVE":
            return self._relative(offset)
        return self._step(forward=orientation == "NEXT")

    def _relative(self, offset: int) -> tuple[int, Row | None]:
        if offset == 0:
            return self._same()
        found: tuple[int, Row | None] = NO_ROW, None
        for _ in range(abs(offset)):
            found = self._step(forward=offset > 0)
            if found[1] is None:
                break
        return found

    def _same(self) -> tuple[int, Row | None]:
        """The row that the cursor stands on, once more."""
        self.look()
        if self.current is None:
            return NO_ROW, None
        now = self.again(self.current, with_condition=True)
        if now is None:
            return ROW_GONE, None
        self.fresh()
        return FETCHED, now

    def _leave(self, *, is_behind: bool) -> None:
        """Stand before the first row or behind the last."""
        self.current = None
        self.is_behind = is_behind
        self.is_outdated = False
        self.buffer, self.index, self._is_last_block, self._known = [], -1, False, None

    def _step(self, *, forward: bool) -> tuple[int, Row | None]:
        self.look()
        if self.current is None and self.is_behind is forward:
            return NO_ROW, None
        if forward is not self._is_forward:
            self.buffer, self.index, self._is_last_block, self._known = [], -1, False, None
        while True:
            self.index += 1
            if self.index >= len(self.buffer):
                if self._is_last_block or not self._read(forward=forward):
                    self._leave(is_behind=forward)
                    self._is_forward = forward
                    return NO_ROW, None
                self.index = 0
            row: Row | None = self.buffer[self.index]
            assert row is not None
            if self.dirty or self.gone:
                row = self._now(row)
            if row is not None:
                self.current = row
                self.is_behind = False
                self.fresh()
                return FETCHED, row

    def _now(self, row: Row) -> Row | None:
        """The row as it is now; None when it went away."""
        if self.touched(row, self.gone):
            return None
        return self.again(row, with_condition=True) if self.touched(row, self.dirty) else row

    def _read(self, *, forward: bool) -> bool:
        """Read in advance from the place on. False: there is nothing."""
        condition, values = self._beyond(forward)
        limit = self._size
        query = reading(self.plan.rows, condition, self.order(forward), limit, values)
        self.buffer = fetch(query, self.frame)
        self.index = -1
        self._is_forward = forward
        self._is_last_block = limit is None or len(self.buffer) < limit
        self._size = limit * _BLOCK_GROWTH if limit is not None else None
        self.dirty.clear()
        self.gone.clear()
        self._known = None
        return bool(self.buffer)

    def _beyond(self, forward: bool) -> tuple[str, list[Any]]:
        """The condition of what comes after the place (before it, if not `forward`)."""
        place = self.place
        if place is None:
            return "", []
        alternatives: list[str] = []
        values: list[Any] = []
        same: list[str] = []
        so_far: list[Any] = []
        for name, descending, number in self.terms():
            value = place[number]
            grows = descending is not forward
            if value is None:
                test = f"{name} IS NOT NULL" if grows else ""
            else:
                test = f"{name} > ?" if grows else f"({name} < ? OR {name} IS NULL)"
            if test:
                alternatives.append("(" + " AND ".join([*same, test]) + ")")
                values += [*so_far, *([] if value is None else [value])]
            same.append(f"{name} IS NULL" if value is None else f"{name} = ?")
            so_far += [] if value is None else [value]
        return " OR ".join(alternatives), values
