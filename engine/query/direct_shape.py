"""What a query without DuckDB makes of the rows that it has found: their order, the first of them, an aggregate of
them, and the columns of the result.

Decides which of that can be done here so that it is the same: order and MIN, MAX of numbers, dates and times, SUM of
whole numbers that fit, TOP of a number of rows. Whatever is told beside the rows (the warning of 8153, an overflow) is
left to DuckDB's form. It must not know where rows come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Final

import msgspec
from msgspec import Struct

from sbql.engine.outcomes import ResultColumn
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowScope
from sbql.grammar import ast
from sbql.grammar.tree import find_all
from sbql.grammar.types import SqlType

__all__ = [
    "Getter", "Shape", "Value", "aggregated", "counts_rows", "leaves_rows", "means_alias", "ordered_by",
    "shape_of",
]  # fmt: skip

Row = tuple[int, Sequence[Any]]
Value = Callable[[Frame, Sequence[Any]], Any]
Getter = int | Value

_WHOLE: Final = {"tinyint": 1 << 8, "smallint": 1 << 15, "int": 1 << 31, "bigint": 1 << 63}
_ORDERED: Final = frozenset({*_WHOLE, "decimal", "numeric", "money", "smallmoney", "date", "datetime", "smalldatetime"})
_AGGREGATES: Final = frozenset({"MIN", "MAX", "SUM", "COUNT"})


class _Aggregate(Struct, frozen=True):
    """`value` None counts rows. `most`: what a SUM stays under."""

    name: str
    value: Getter | None
    most: int = 0


class Shape(Struct, frozen=True):
    """`values` make a row of the result, or `aggregates` the only one. `has_id`: the row id comes first. `order`: what
    to sort by, and whether that is descending."""

    values: tuple[Getter, ...] = ()
    aggregates: tuple[_Aggregate, ...] = ()
    order: tuple[tuple[int, bool], ...] = ()
    top: Callable[[Frame], Any] | None = None
    has_id: bool = False
    columns: Callable[[Sequence[Any]], tuple[Any, ...]] | None = None
    """If `values` are columns: those of an image."""

    @property
    def is_all(self) -> bool:
        """Columns of all rows, in their order."""
        return self.columns is not None and not self.order and self.top is None

    def limited(self) -> Shape:
        """One row is enough."""
        return self if self.aggregates or self.top is not None else msgspec.structs.replace(self, order=(), top=_one)

    def ordered(self, rows: Iterable[Row]) -> Iterable[Row]:
        for position, is_descending in reversed(self.order):
            rows = sorted(rows, key=lambda row: _place(row[1][position]), reverse=is_descending)
        return rows

    def of(self, frame: Frame, rows: Iterable[Row]) -> list[tuple[Any, ...]] | None:
        """The result; None: ask DuckDB."""
        rows = self.ordered(rows)
        if self.top is not None:
            count = self.top(frame)
            if count is None or count < 0:
                return None
            rows = islice(rows, count)
        if self.aggregates:
            all_rows = [*rows]
            found = [_aggregated(one, frame, all_rows) for one in self.aggregates]
            return None if _UNKNOWN in found else [tuple(found)]
        columns = self.columns
        if columns is None:
            return [self._row(frame, row_id, image) for row_id, image in rows]
        if self.has_id:
            return [(row_id, *columns(image)) for row_id, image in rows]
        return [columns(image) for _, image in rows]

    def _row(self, frame: Frame, row_id: int, image: Sequence[Any]) -> tuple[Any, ...]:
        found = [image[value] if isinstance(value, int) else value(frame, image) for value in self.values]
        return (row_id, *found) if self.has_id else tuple(found)


_UNKNOWN: Final = object()


def _one(frame: Frame) -> int:
    return 1


def _place(value: Any) -> tuple[bool, Any]:
    """NULL comes first."""
    return (False, 0) if value is None else (True, value)


def _aggregated(one: _Aggregate, frame: Frame, rows: Sequence[Row]) -> Any:
    get = one.value
    if get is None:
        return len(rows)
    values = [image[get] if isinstance(get, int) else get(frame, image) for _, image in rows]
    if None in values:  # a warning tells that it was left out
        return _UNKNOWN
    if one.name == "COUNT":
        return len(values)
    if not values:
        return None
    if one.name != "SUM":
        return min(values) if one.name == "MIN" else max(values)
    total = sum(values)
    return total if -one.most <= total < one.most else _UNKNOWN


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


def counts_rows(node: Any) -> bool:
    """COUNT(*)."""
    return isinstance(node, ast.FunctionCall) and node.star and node.over is None and node.name.name.upper() == "COUNT"


def aggregated(node: Any) -> Any:
    """What one of these aggregates is of, if it is one: MIN, MAX, SUM or COUNT of a value."""
    if not isinstance(node, ast.FunctionCall) or node.star or node.over is not None or len(node.arguments) != 1:
        return None
    if node.distinct or node.name.schema is not None or node.name.name.upper() not in _AGGREGATES:
        return None
    return node.arguments[0]


def shape_of(
    items: Sequence[Any],
    order: Sequence[ast.OrderItem],
    top: ast.Top | None,
    columns: Sequence[ResultColumn],
    rows: RowScope,
    scope: Scope,
    *,
    has_id: bool = False,
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
    aggregates = [counts_rows(item) or aggregated(item) is not None for item in items]
    if any(aggregates):
        if not all(aggregates) or order or count is not None:
            return None
        made = [_aggregate_of(item, rows, column.type) for item, column in zip(items, columns, strict=True)]
        found = tuple(one for one in made if one is not None)
        return Shape(aggregates=found) if len(found) == len(made) else None
    by = [_order_of(item, rows) for item in order]
    values = [_getter(item, rows, column.type, scope) for item, column in zip(items, columns, strict=True)]
    known, places = [v for v in values if v is not None], [place for place in by if place is not None]
    if len(known) < len(values) or len(places) < len(by):
        return None
    return Shape(tuple(known), (), tuple(places), count, has_id, _columns_at(known))


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
    if not any(find_all(item, ast.ColumnReference)):
        alone = compile_scalar(item, scope)
        run = alone.run
        return (lambda frame, image: run(frame)) if alone.type == wanted else None
    value, found = rows.scalar(item)
    return value if found == wanted else None


def _aggregate_of(item: ast.FunctionCall, rows: RowScope, wanted: SqlType) -> _Aggregate | None:
    node = aggregated(item)
    if node is None:
        return _Aggregate("COUNT", None)
    name = item.name.name.upper()
    position = rows.position(node) if isinstance(node, ast.ColumnReference) else None
    value, kind = rows.scalar(node) if position is None else (position, rows.columns[position].type)
    if name == "COUNT":
        return _Aggregate(name, value)
    if kind.name not in (_WHOLE if name == "SUM" else _ORDERED) or wanted.name not in _ORDERED:
        return None
    if name == "SUM":
        return _Aggregate(name, value, _WHOLE[wanted.name]) if wanted.name in _WHOLE else None
    return _Aggregate(name, value) if kind == wanted else None


def _order_of(item: ast.OrderItem, rows: RowScope) -> tuple[int, bool] | None:
    """A column of the table, whose order is that of its values in Python."""
    node = item.expression
    position = rows.position(node) if isinstance(node, ast.ColumnReference) else None
    if position is None or rows.columns[position].type.name not in _ORDERED:
        return None
    return position, item.descending


def ordered_by(order: Sequence[ast.OrderItem], rows: RowScope) -> tuple[tuple[int, ...], bool] | None:
    """The columns by which rows are ordered, and whether all of them descend; None where it is another order."""
    places = [place for place in (_order_of(item, rows) for item in order) if place is not None]
    if not places or len(places) < len(order) or len({is_descending for _, is_descending in places}) > 1:
        return None
    return tuple(position for position, _ in places), places[0][1]
