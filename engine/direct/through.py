"""What a write through a query over one table asks of that table: `WITH q AS (SELECT TOP (1) … FROM t … ORDER BY …)
UPDATE q`, the way in which a table serves as a queue.

Decides which queries are no more than conditions, an order and a number of rows of their table. It must not know where
the rows come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.direct.shape import means_alias
from sbql.engine.direct.sources import alias_of
from sbql.engine.query.written_sources import BASE, TableWithRowId, WritableQuery
from sbql.grammar import ast
from sbql.grammar.tree import rewrite, walk

__all__ = ["OneTable", "is_apart", "one_table"]


class OneTable(Struct, frozen=True):
    """`items` are values over the columns of `table`."""

    table: ast.NamedTable
    where: ast.Condition | None
    items: list[Any]
    order: tuple[ast.OrderItem, ...]
    top: ast.Top | None


class _OfOthers(Exception):
    """A name that means no column of the table."""


def one_table(
    target: WritableQuery, where: ast.Condition | None, extras: Sequence[ast.Expression], with_: ast.WithClause | None
) -> OneTable | None:
    """The same search of the table itself; None where the query says more than that."""
    query, body = target.query, target.query.query
    if target.module is not None or target.is_checked or target.columns or query.offset or query.for_:
        return None
    if not isinstance(body, ast.QuerySpecification) or body.windows or means_alias(query.order_by, body.items):
        return None
    source = body.from_
    if not isinstance(source, TableWithRowId) or source.images or not isinstance(source.table, ast.NamedTable):
        return None
    table = source.table
    if where is not None and body.top is not None:
        return None
    asked = (body.where, where, *extras, *query.order_by, *((body.top.count,) if body.top is not None else ()))
    if not is_apart(table, [node for node in asked if node is not None], with_):
        return None
    columns = _Columns(target, body.items, alias_of(table))
    try:
        outer = None if where is None else columns.inside(where)
        items = [columns.inside(item) for item in extras]
    except _OfOthers:
        return None
    both = [part for part in (body.where, outer) if part is not None]
    condition = ast.And(tuple(both)) if len(both) > 1 else both[0] if both else None
    return OneTable(table, condition, items, query.order_by, body.top)


def is_apart(table: ast.NamedTable, asked: Sequence[ast.Node], with_: ast.WithClause | None) -> bool:
    """Whether neither the table nor what is asked of it can mean one of the common table expressions."""
    if any(isinstance(part, ast.QueryExpression) for node in asked for part in walk(node)):
        return False
    if with_ is None or len(table.name.parts) > 1:
        return True
    return all(common.name.value.lower() != table.name.name.lower() for common in with_.tables)


class _Columns:
    """What the columns of the query are in the table."""

    def __init__(self, target: WritableQuery, items: Sequence[ast.SelectItem], alias: str) -> None:
        self._of, self._alias = target.alias.value.lower(), ast.Identifier(alias)
        self._names = {f"{BASE}{name}".lower(): name for name, _ in target.base}
        for item in items:
            if isinstance(item, ast.SelectStar):
                self._names |= {name.lower(): name for name, _ in target.base}
            elif isinstance(item, ast.SelectColumn) and isinstance(item.expression, ast.ColumnReference):
                shown = item.alias.value if item.alias is not None else item.expression.name
                self._names[shown.lower()] = item.expression.name

    def inside(self, node: Any) -> Any:
        """Raises _OfOthers."""
        return rewrite(node, lambda part: self._column(part) if isinstance(part, ast.ColumnReference) else None)

    def _column(self, column: ast.ColumnReference) -> ast.ColumnReference:
        before = [part.value.lower() for part in column.parts[:-1] if part is not None]
        name = self._names.get(column.name.lower())
        if name is None or before not in ([], [self._of]):
            raise _OfOthers
        return ast.ColumnReference((self._alias, ast.Identifier(name)), span=column.span)
