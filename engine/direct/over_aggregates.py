"""What is computed of aggregates of the few rows of a query without DuckDB: `ISNULL(MAX(Line), 0) + 1`.

Decides which expressions hold aggregates, and of which types these are. It must not know what an aggregate computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.direct.aggregates import Aggregate, aggregate_of, aggregated, counts_rows, result_type
from sbql.engine.direct.unfailing import has_failing_literal
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.grammar import ast
from sbql.grammar.tree import rewrite
from sbql.grammar.types import SqlType

__all__ = ["OverAggregates", "compiled", "over_aggregates"]


class OverAggregates(Struct, frozen=True):
    """An expression in which columns stand for `calls`, which are aggregates."""

    node: ast.Expression
    calls: tuple[ast.Expression, ...]


def over_aggregates(item: Any, fold: Callable[[Any], Any]) -> OverAggregates | None:
    """None for what holds no aggregate, or is one. `fold` changes what stands in the aggregates."""
    if not isinstance(item, ast.Expression) or _is_aggregate(item):
        return None
    calls: list[ast.Expression] = []

    def column(node: ast.Node) -> ast.Node | None:
        if not _is_aggregate(node):
            return None
        calls.append(fold(node))
        return ast.ColumnReference((ast.Identifier(_name(len(calls) - 1)),), span=node.span)

    node = rewrite(item, column)
    return OverAggregates(node, tuple(calls)) if calls else None


def compiled(
    item: OverAggregates, rows: RowScope, wanted: SqlType, scope: Scope
) -> tuple[list[Aggregate], Callable[[Frame, Sequence[Any]], Any]] | None:
    """The aggregates, and what makes of their results a value of this type; None where it cannot be told here. Raises
    SqlError for what does not compile."""
    types = [result_type(call, rows) for call in item.calls]
    known = [sql_type for sql_type in types if sql_type is not None]
    if len(known) < len(types):
        return None
    found = [aggregate_of(call, rows, sql_type) for call, sql_type in zip(item.calls, known, strict=True)]
    aggregates = [one for one in found if one is not None]
    if len(aggregates) < len(found):
        return None
    session = rows.scope.session
    assert session is not None
    own = RowScope([RowColumn("", _name(i), sql_type) for i, sql_type in enumerate(known)], session, scope)
    if has_failing_literal(item.node, own):
        return None
    value, sql_type = own.scalar(item.node)
    return (aggregates, value) if sql_type == wanted else None


def _is_aggregate(node: Any) -> bool:
    return counts_rows(node) or aggregated(node) is not None


def _name(place: int) -> str:
    return f"\0a{place}"
