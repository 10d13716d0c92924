"""What the recursive member of a common table expression may not have: errors 460 to 467.

It looks at the syntax tree alone. How a member becomes SQL is `set_operations.py`.
"""

from __future__ import annotations

from sbql.engine.query.context import has_aggregate
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all, walk

__all__ = ["check_recursive_member", "mentions"]

_SUBQUERIES = (ast.ScalarSubquery, ast.Exists, ast.InSubquery, ast.QuantifiedComparison)


def check_recursive_member(node: ast.QuerySpecification, name: str) -> None:
    """Raises 460 (DISTINCT), 461 (TOP), 462 (outer join), 465 (the name in a subquery), 467 (groups and aggregates).
    They hold in a derived table, too, that reads the name."""
    if node.distinct:
        raise sql_error(460, name, span=node.span)
    if node.top is not None:
        raise sql_error(461, name, span=node.span)
    for part in walk(node.from_, closed=ast.QueryExpression):
        if isinstance(part, ast.Join) and part.kind in ("LEFT", "RIGHT", "FULL"):
            raise sql_error(462, name, span=part.span)
        if isinstance(part, ast.Apply) and part.kind == "OUTER":
            raise sql_error(462, name, span=part.span)
        if isinstance(part, ast.Pivot):
            raise sql_error(467, name, span=part.span)
        if isinstance(part, ast.DerivedTable) and mentions(part, name):
            if part.query.offset is not None:
                raise sql_error(461, name, span=part.span)
            if isinstance(part.query.query, ast.QuerySpecification):
                check_recursive_member(part.query.query, name)
    if node.group_by is not None or node.having is not None or has_aggregate(node.items):
        raise sql_error(467, name, span=node.span)
    for part in walk((node.items, node.where), closed=ast.QueryExpression):
        if isinstance(part, _SUBQUERIES) and mentions(part, name):
            raise sql_error(465, span=part.span)


def mentions(node: object, name: str) -> bool:
    """True when a query reads the table `name`, at any depth."""
    return any(
        len(table.name.parts) == 1 and table.name.name.lower() == name.lower()
        for table in find_all(node, ast.NamedTable)
    )
