"""Queries of exactly one row, or one by a condition: without FROM, and with nothing that only a query can compute.

Decides which they are, so that whoever runs one needs no DuckDB: the scalar compiler's closures give the row. It must
not know what is done with it.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.query.context import has_aggregate
from sbql.grammar.ast import (
    ColumnReference,
    Expression,
    FunctionCall,
    NextValueFor,
    QueryExpression,
    QuerySpecification,
    SelectAssign,
    SelectColumn,
    WithClause,
)
from sbql.grammar.tree import walk

__all__ = ["MOST_ELEMENTS", "is_one_row", "plain_values"]

MOST_ELEMENTS: Final = 4_096
"""Of a select list (error 1056 where a query is translated)."""


def is_one_row(whole: QueryExpression, with_: WithClause | None) -> bool:
    """Whether closures give the row."""
    query = whole.query
    if not isinstance(query, QuerySpecification):
        return False
    if query.from_ is not None or query.group_by is not None or query.having is not None or query.top is not None:
        return False
    if query.distinct or query.into is not None or len(query.items) > MOST_ELEMENTS:
        return False
    if whole.order_by or whole.for_ is not None or whole.offset is not None or with_ is not None:
        return False
    if not all(isinstance(item, SelectColumn | SelectAssign) for item in query.items):
        return False
    if has_aggregate(query.items) or has_aggregate(query.where):
        return False
    nodes = list(walk((query.items, query.where), closed=QueryExpression))
    sequences = [n for n in nodes if isinstance(n, NextValueFor)]
    if len(sequences) > 1 or any(n.over is not None for n in sequences):
        return False  # one value of a sequence for the row
    return not any(isinstance(n, FunctionCall) and (n.over is not None or n.star) for n in nodes)


def plain_values(whole: QueryExpression, with_: WithClause | None) -> tuple[Expression, ...] | None:
    """What the row is made of, if it comes without a condition and asks no query, sequence or column."""
    query = whole.query
    if not isinstance(query, QuerySpecification) or query.where is not None or not is_one_row(whole, with_):
        return None
    if any(isinstance(part, QueryExpression | NextValueFor | ColumnReference) for part in walk(query.items)):
        return None
    values = tuple(item.expression for item in query.items if isinstance(item, SelectColumn))
    return values if len(values) == len(query.items) else None
