"""Aggregates and groups of the few rows of a query without DuckDB.

Decides which can be computed here so that it is the same: COUNT, MIN, MAX, SUM and AVG of what Python compares and adds
as DuckDB does, groups by columns whose equal values are one value. Whatever is told beside the rows (the warning of
8153, an overflow) is left to DuckDB's form. It must not know where rows come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, Final

from msgspec import Struct

from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.column_conversion import key_normaliser
from sbql.engine.tables.row_expressions import RowScope
from sbql.grammar import ast
from sbql.grammar.types import INT, MONEY, SqlType
from sbql.grammar.values.arithmetic import operand_types, operation
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.result_types import arithmetic_type

__all__ = [
    "UNKNOWN",
    "Aggregate",
    "Grouped",
    "aggregate_of",
    "aggregated",
    "counts_rows",
    "grouped",
    "is_ordered",
    "result_type",
]

Row = tuple[int, Sequence[Any]]
Value = Callable[[Frame, Sequence[Any]], Any]
Getter = int | Value
Compute = Callable[[list[Any]], Any]

UNKNOWN: Final = object()
"""DuckDB has to be asked."""
_WHOLE: Final = frozenset({"tinyint", "smallint", "int", "bigint"})
_ORDERED: Final = _WHOLE | {
    "decimal", "numeric", "money", "smallmoney", "date", "datetime", "smalldatetime", "datetime2", "time",
}  # fmt: skip
_ONE_VALUE: Final = _WHOLE | {"bit", "date", "datetime", "smalldatetime", "uniqueidentifier"}
"""Types of which equal values are one."""
_COUNTS: Final = frozenset({"COUNT", "COUNT_BIG"})
_AGGREGATES: Final = _COUNTS | {"MIN", "MAX", "SUM", "AVG"}
_BIGINT: Final = SqlType("bigint")


class Aggregate(Struct, frozen=True):
    """`compute` makes it of the values, of which there are some. `value` None counts rows."""

    value: Getter | None
    compute: Compute
    of_none: Any = None

    def of(self, frame: Frame, rows: Sequence[Row]) -> Any:
        """UNKNOWN where DuckDB has to be asked. Raises SqlError."""
        get = self.value
        if get is None:
            return len(rows)
        values = [image[get] if isinstance(get, int) else get(frame, image) for _, image in rows]
        if None in values:  # a warning tells that it was left out
            return UNKNOWN
        return self.compute(values) if values else self.of_none


class Grouped(Struct, frozen=True):
    """Rows that have the same values at `positions` become one, of columns and aggregates."""

    positions: tuple[int, ...]
    cells: tuple[int | Aggregate, ...]

    def of(self, frame: Frame, rows: Iterable[Row]) -> list[tuple[Any, ...]] | None:
        """In the order in which groups begin. None: ask DuckDB. Raises SqlError."""
        groups: dict[tuple[Any, ...], list[Row]] = {}
        for row in rows:
            groups.setdefault(tuple([row[1][place] for place in self.positions]), []).append(row)
        found = [
            tuple([mine[0][1][cell] if isinstance(cell, int) else cell.of(frame, mine) for cell in self.cells])
            for mine in groups.values()
        ]
        return None if any(UNKNOWN in row for row in found) else found


def is_ordered(sql_type: SqlType) -> bool:
    """Whether MIN, MAX and ORDER BY of values of this type can go by their keys in Python."""
    return sql_type.name in _ORDERED


def counts_rows(node: Any) -> bool:
    """COUNT(*)."""
    is_call = isinstance(node, ast.FunctionCall) and node.star and node.over is None
    return is_call and node.name.name.upper() in _COUNTS


def aggregated(node: Any) -> Any:
    """What one of these aggregates is of, if it is one."""
    if not isinstance(node, ast.FunctionCall) or node.star or node.over is not None or len(node.arguments) != 1:
        return None
    name = node.name.name.upper()
    if node.name.schema is not None or name not in _AGGREGATES or (node.distinct and name not in _COUNTS):
        return None
    return node.arguments[0]


def aggregate_of(item: Any, rows: RowScope, wanted: SqlType) -> Aggregate | None:
    """The aggregate with a result of this type; None where it cannot be told here. Raises SqlError for what does not
    compile."""
    if counts_rows(item):
        return Aggregate(None, len)
    node = aggregated(item)
    if node is None:
        return None
    position = rows.position(node) if isinstance(node, ast.ColumnReference) else None
    value, found = rows.scalar(node) if position is None else (position, rows.columns[position].type)
    name = item.name.name.upper()
    if name in _COUNTS:
        return Aggregate(value, _distinct(found) if item.distinct else len, 0)
    compute = _extreme(name, found, wanted) if name in ("MIN", "MAX") else _total(name, found, wanted)
    return None if compute is None else Aggregate(value, compute)


def result_type(item: Any, rows: RowScope) -> SqlType | None:
    """The type of an aggregate; None where it has no form here. Raises SqlError for what does not compile."""
    name = item.name.name.upper()
    if name in _COUNTS:
        return _BIGINT if name == "COUNT_BIG" else INT
    _, found = rows.scalar(aggregated(item))
    if name in ("MIN", "MAX"):
        return found if is_ordered(found) else None
    family = kind(found)
    if family == "int":
        return _BIGINT if found == _BIGINT else INT
    if family == "decimal":
        scale = found.scale or 0
        return SqlType("decimal", precision=38, scale=scale if name == "SUM" else max(scale, 6))
    return MONEY if family == "money" else None


def _distinct(sql_type: SqlType) -> Compute:
    normalise = key_normaliser(sql_type)
    return (lambda values: len(set(values))) if normalise is None else lambda values: len({*map(normalise, values)})


def _extreme(name: str, sql_type: SqlType, wanted: SqlType) -> Compute | None:
    if not is_ordered(sql_type) or sql_type != wanted:
        return None
    normalise, pick = key_normaliser(sql_type), min if name == "MIN" else max
    return lambda values: pick(values, key=normalise)


def _total(name: str, sql_type: SqlType, wanted: SqlType) -> Compute | None:
    """SUM and AVG. The sum has to fit the type that SUM has."""
    family = kind(sql_type)
    if family not in ("int", "decimal", "money") or kind(wanted) != family:
        return None
    result = SqlType("decimal", precision=38, scale=sql_type.scale or 0) if family == "decimal" else wanted
    add = operation("+", result)
    if name == "SUM":
        return (lambda values: reduce(add, values)) if result == wanted else None
    quotient = arithmetic_type("/", result, _BIGINT) if family != "int" else wanted
    divide = operation("/", quotient)
    count = converter(_BIGINT, operand_types("/", result, _BIGINT, quotient)[1]) if family != "int" else None
    convert = converter(quotient, wanted)

    def average(values: list[Any]) -> Any:
        divided = divide(reduce(add, values), len(values) if count is None else count(len(values)))
        return divided if convert is None else convert(divided)

    return average


def grouped(
    items: Sequence[Any], by: Sequence[Any], rows: RowScope, wanted: Sequence[SqlType], *, is_distinct: bool
) -> Grouped | None:
    """Groups by these columns, or the distinct rows of the items; None where it cannot be told here."""
    positions = [_one_value(node, rows) for node in (items if is_distinct else by)]
    cells: list[int | Aggregate] = []
    for item, sql_type in zip(items, wanted, strict=True):
        position = _one_value(item, rows)
        cell = position if position is not None else aggregate_of(item, rows, sql_type)
        if cell is None or (position is not None and rows.columns[position].type != sql_type):
            return None
        if position is not None and position not in positions:
            return None
        cells.append(cell)
    known = [place for place in positions if place is not None]
    return Grouped(tuple(known), tuple(cells)) if len(known) == len(positions) else None


def _one_value(node: Any, rows: RowScope) -> int | None:
    """The position of a column whose equal values are one."""
    position = rows.position(node) if isinstance(node, ast.ColumnReference) else None
    return position if position is not None and rows.columns[position].type.name in _ONE_VALUE else None
