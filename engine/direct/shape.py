"""What a query without DuckDB makes of the rows that it has found: their order, the first of them, an aggregate of
them, and the columns of the result.

Decides which of that can be done here so that it is the same: order of numbers, dates and times, TOP of a number of
rows. It must not know where rows come from, nor what an aggregate computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Final

import msgspec
from msgspec import Struct

from sbql.engine.direct.aggregates import (
    UNKNOWN,
    Aggregate,
    Grouped,
    aggregate_of,
    aggregated,
    counts_rows,
    grouped,
    is_ordered,
)
from sbql.engine.direct.over_aggregates import OverAggregates, compiled
from sbql.engine.outcomes import ResultColumn
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.column_conversion import key_normaliser
from sbql.engine.tables.row_expressions import RowScope
from sbql.grammar import ast
from sbql.grammar.tree import find_all
from sbql.grammar.types import SqlType

__all__ = [
    "Getter", "Shape", "Value", "leaves_rows", "means_alias", "ordered_by",
    "shape_of",
]  # fmt: skip

Row = tuple[int, Sequence[Any]]
Value = Callable[[Frame, Sequence[Any]], Any]
Getter = int | Value

_WHOLE: Final = frozenset({"tinyint", "smallint", "int", "bigint"})


class Shape(Struct, frozen=True):
    """`values` make a row of the result, or `aggregates` the only one, or `groups` all. `has_id`: the row id comes
    first. `order`: what an image is sorted by, and whether that is descending."""

    values: tuple[Getter, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    order: tuple[tuple[Callable[[Sequence[Any]], Any], bool], ...] = ()
    top: Callable[[Frame], Any] | None = None
    has_id: bool = False
    columns: Callable[[Sequence[Any]], tuple[Any, ...]] | None = None
    """If `values` are columns: those of an image."""
    groups: Grouped | None = None
    makes_all: bool = False
    """What is made of a row may fail, as it does in DuckDB also for rows behind the first ones."""
    cells: tuple[Getter, ...] = ()
    """What the row is made of, if it is not the aggregates as they are: their places, or what is computed of all."""

    @property
    def is_all(self) -> bool:
        """Columns of all rows, in their order."""
        return self.columns is not None and not self.order and self.top is None

    def limited(self) -> Shape:
        """One row is enough."""
        is_one = self.aggregates or self.groups or self.top is not None
        return self if is_one else msgspec.structs.replace(self, order=(), top=_one)

    def ordered(self, rows: Iterable[Row]) -> Iterable[Row]:
        for key, is_descending in reversed(self.order):
            rows = sorted(rows, key=lambda row: key(row[1]), reverse=is_descending)
        return rows

    @property
    def takes_first(self) -> bool:
        """The first rows are enough for what TOP asks for."""
        return self.top is not None and self.groups is None

    def of(self, frame: Frame, rows: Iterable[Row]) -> list[tuple[Any, ...]] | None:
        """The result; None: ask DuckDB."""
        rows = self.ordered(rows)
        if self.groups is not None:
            grouped_rows = self.groups.of(frame, rows)
            if grouped_rows is None or self.top is None:
                return grouped_rows
            count = self.top(frame)
            return None if count is None or count < 0 else grouped_rows[:count]
        if self.top is not None:
            count = self.top(frame)
            if count is None or count < 0:
                return None
            if self.makes_all:
                return [self._row(frame, row_id, image) for row_id, image in rows][:count]
            rows = islice(rows, count)
        if self.aggregates:
            all_rows = [*rows]
            found = [one.of(frame, all_rows) for one in self.aggregates]
            if UNKNOWN in found:
                return None
            cells = self.cells or range(len(found))
            return [tuple([found[cell] if isinstance(cell, int) else cell(frame, found) for cell in cells])]
        columns = self.columns
        if columns is None:
            return [self._row(frame, row_id, image) for row_id, image in rows]
        if self.has_id:
            return [(row_id, *columns(image)) for row_id, image in rows]
        return [columns(image) for _, image in rows]

    def _row(self, frame: Frame, row_id: int, image: Sequence[Any]) -> tuple[Any, ...]:
        found = [image[value] if isinstance(value, int) else value(frame, image) for value in self.values]
        return (row_id, *found) if self.has_id else tuple(found)


def _one(frame: Frame) -> int:
    return 1


def leaves_rows(top: ast.Top | None) -> bool:
    """No TOP, or TOP of a number of rows."""
    if top is None:
        return True
    return isinstance(top.count, ast.IntegerLiteral) and top.count.value > 0 and not (top.percent or top.with_ties)


def means_alias(order: Sequence[ast.OrderItem], items: Sequence[ast.SelectItem]) -> bool:
    """Whether ORDER BY has a name that the select list gives to something else than the column of that name."""
    given = {i.alias.value.lower(): i.expression for i in items if isinstance(i, ast.SelectColumn) and i.alias}
    for item in order:
        meant = given.get(item.expression.name.lower()) if isinstance(item.expression, ast.ColumnReference) else None
        if meant is not None and getattr(meant, "name", "") != getattr(item.expression, "name", None):
            return True
    return False


def shape_of(
    items: Sequence[Any],
    order: Sequence[ast.OrderItem],
    top: ast.Top | None,
    columns: Sequence[ResultColumn],
    rows: RowScope,
    scope: Scope,
    *,
    has_id: bool = False,
    by: Sequence[Any] | None = None,
    is_distinct: bool = False,
) -> Shape | None:
    """The shape of these items, which are columns of these types; None where it cannot be told here. Raises
    SqlError for what does not compile."""
    count = None
    if top is not None:
        if top.percent or top.with_ties:
            return None
        number = compile_scalar(top.count, scope)
        if number.type.name not in _WHOLE:
            return None
        count = number.run
    sorts = [_order_of(item, rows) for item in order]
    places = [(_key(place, rows), is_descending) for place, is_descending in (one for one in sorts if one is not None)]
    if len(places) < len(sorts):
        return None
    if by is not None or is_distinct:
        types = [column.type for column in columns]
        groups = grouped(items, by or (), rows, types, is_distinct=is_distinct) if not (by and is_distinct) else None
        if groups is None or any(one is not None and one[0] not in groups.positions for one in sorts):
            return None
        return Shape(order=tuple(places), top=count, groups=groups)
    aggregates = [
        isinstance(item, OverAggregates) or counts_rows(item) or aggregated(item) is not None for item in items
    ]
    if any(aggregates):
        if not all(aggregates) or order or count is not None:
            return None
        return _of_aggregates(items, columns, rows, scope)
    values = [_getter(item, rows, column.type, scope) for item, column in zip(items, columns, strict=True)]
    known = [v for v in values if v is not None]
    if len(known) < len(values):
        return None
    return Shape(tuple(known), (), tuple(places), count, has_id, _columns_at(known))


def _of_aggregates(items: Sequence[Any], columns: Sequence[ResultColumn], rows: RowScope, scope: Scope) -> Shape | None:
    aggregates: list[Aggregate] = []
    cells: list[Getter] = []
    for item, column in zip(items, columns, strict=True):
        if isinstance(item, OverAggregates):
            made = compiled(item, rows, column.type, scope)
            if made is None:
                return None
            cells.append(_behind(len(aggregates), made[1]))
            aggregates += made[0]
            continue
        one = aggregate_of(item, rows, column.type)
        if one is None:
            return None
        cells.append(len(aggregates))
        aggregates.append(one)
    return Shape(aggregates=tuple(aggregates), cells=() if all(isinstance(c, int) for c in cells) else tuple(cells))


def _behind(first: int, value: Value) -> Value:
    """The value of what stands from the place `first` on."""
    return (lambda frame, found: value(frame, found[first:])) if first else value


def _columns_at(values: Sequence[Getter]) -> Callable[[Sequence[Any]], tuple[Any, ...]] | None:
    """What gives these columns of an image; None where one of them is computed."""
    places = [value for value in values if isinstance(value, int)]
    if len(places) < len(values):
        return None
    if len(places) == 1:
        place = places[0]
        return lambda image: (image[place],)
    return itemgetter(*places) if places else lambda image: ()


def _getter(item: Any, rows: RowScope, wanted: SqlType, scope: Scope) -> Getter | None:
    """What gives a value of this type; None where the scalar compiler would give another."""
    position = rows.position(item) if isinstance(item, ast.ColumnReference) else None
    if position is not None:
        return position if rows.columns[position].type == wanted else None
    if isinstance(item, ast.NullLiteral):  # of whatever type a query gives it
        return lambda frame, image: None
    if not any(find_all(item, ast.ColumnReference)):
        alone = compile_scalar(item, scope)
        run = alone.run
        return (lambda frame, image: run(frame)) if alone.type == wanted else None
    value, found = rows.scalar(item)
    return value if found == wanted else None


def _order_of(item: ast.OrderItem, rows: RowScope) -> tuple[int, bool] | None:
    """A column of the table, whose order is that of its keys in Python."""
    node = item.expression
    position = rows.position(node) if isinstance(node, ast.ColumnReference) else None
    if position is None or not is_ordered(rows.columns[position].type):
        return None
    return position, item.descending


def _key(position: int, rows: RowScope) -> Callable[[Sequence[Any]], Any]:
    """What to sort images by; NULL comes first."""
    normalise = key_normaliser(rows.columns[position].type)

    def key(image: Sequence[Any]) -> tuple[bool, Any]:
        value = image[position]
        if value is None:
            return False, 0
        return True, value if normalise is None else normalise(value)

    return key


def ordered_by(order: Sequence[ast.OrderItem], rows: RowScope) -> tuple[tuple[int, ...], bool] | None:
    """The columns by which rows are ordered, and whether all of them descend; None where it is another order."""
    places = [place for place in (_order_of(item, rows) for item in order) if place is not None]
    if not places or len(places) < len(order) or len({is_descending for _, is_descending in places}) > 1:
        return None
    return tuple(position for position, _ in places), places[0][1]
