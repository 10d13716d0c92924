"""Into which columns a row is inserted: those of a column list, all that may be given, or none (DEFAULT
VALUES); the others get their defaults.

Decides what a column list may name (207, 264, 271) and whether it agrees with IDENTITY_INSERT (544, 545). It must
not know where the values come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import Converter
from sbql.grammar.ast import Identifier, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean

__all__ = ["InsertTarget", "insert_columns", "make_target", "target_of"]


class InsertTarget(Struct):
    """A table and the columns that an INSERT gives. `positions` are those columns in the order of the values."""

    bound: BoundTable
    slot: int | None
    positions: tuple[int, ...]
    gives_identity: bool
    defaults: tuple[tuple[int, Callable[[Frame], Any]], ...]

    def check_identity(self, session: Session, span: Span) -> None:
        """IDENTITY_INSERT and the column list must agree. Raises 544, 545."""
        bound = self.bound
        if bound.identity is None:
            return
        is_on = bool(session.options.identity_insert.get(bound.table.id))
        if self.gives_identity and not is_on:
            raise sql_error(544, bound.table.name, span=span)
        if is_on and not self.gives_identity:
            raise sql_error(545, bound.table.name, span=span)

    def new_row(
        self, frame: Frame, cells: Sequence[tuple[int, int | None, Converter | None]], values: Sequence[Any]
    ) -> list[Any]:
        """A row of the table, but for its identity value. `cells`: of each given column its position, the place of its
        value, None for DEFAULT, and what makes it one of the column."""
        if self.bound.shares_values:
            return frame.of_row(lambda: self._made(frame, cells, values))
        return self._made(frame, cells, values)

    def _made(
        self, frame: Frame, cells: Sequence[tuple[int, int | None, Converter | None]], values: Sequence[Any]
    ) -> list[Any]:
        new: list[Any] = [None] * self.bound.width
        for position, default in self.defaults:
            new[position] = default(frame)
        for position, place, convert in cells:
            if place is None:
                missing = self.bound.defaults[position]
                new[position] = None if missing is None else missing(frame)
            else:
                value = values[place]
                new[position] = value if value is None or convert is None else convert(value)
        return new


def insert_columns(bound: BoundTable, names: Sequence[Identifier]) -> tuple[int, ...]:
    """The positions of a column list; without one, all that may be given, of a timestamp column by DEFAULT only. Raises
    207, 264, 271."""
    if not names:
        return tuple(i for i in range(bound.width) if i in bound.insert_columns)
    positions: list[int] = []
    for name in names:
        position = bound.position(name.value)
        if position is None:
            found = did_you_mean(name.value, [column.name for column in bound.table.columns])
            raise sql_error(207, name.value, span=name.span).advise(found)
        if position in positions:
            raise sql_error(264, name.value, span=name.span)
        column = bound.table.columns[position]
        if column.computed is not None:
            raise sql_error(271, column.name, span=name.span)
        positions.append(position)
    return tuple(positions)


def make_target(bound: BoundTable, slot: int | None, names: Sequence[Identifier]) -> InsertTarget:
    """The target of an INSERT with this column list. `slot` is that of a table variable, None for a table. Raises what
    `insert_columns` does."""
    return target_of(bound, slot, insert_columns(bound, names))


def target_of(
    bound: BoundTable, slot: int | None, positions: tuple[int, ...] = (), made: type[InsertTarget] = InsertTarget
) -> InsertTarget:
    """The columns at `positions` are given (DEFAULT VALUES: none), the others get their defaults."""
    given = set(positions)
    defaults = tuple((i, default) for i, default in enumerate(bound.defaults) if default is not None and i not in given)
    return made(bound, slot, positions, bound.identity is not None and bound.identity in given, defaults)
