"""Few rows: a part of FROM of which the statement says itself that it has no more.

DuckDB binds a text anew at each execution, and a long one takes milliseconds: as long as Python for some hundred rows.
Decides which sources are worth none: table variables, the rows of a trigger, and a table of which WHERE names the row
by its primary key. It must not know what is made of the rows.
"""

from __future__ import annotations

from sbql.engine.query.context import Context, is_constant
from sbql.engine.query.names import Relation
from sbql.grammar import ast
from sbql.grammar.tree import column_equations, conjuncts

__all__ = ["has_few_rows"]


def has_few_rows(cx: Context) -> bool:
    """Whether all sources so far are such."""
    relations, where = cx.level.relations, cx.level.where
    return bool(relations) and all(_is_in_memory(each) or _is_named(each, where) for each in relations)


def _is_in_memory(relation: Relation) -> bool:
    return relation.row_id is not None and not relation.table_name


def _is_named(relation: Relation, where: ast.Condition | None) -> bool:
    key = relation.address[1] if relation.address is not None else ()
    if not key or where is None:
        return False
    said = {
        column.name.lower()
        for test in conjuncts(where)
        for column, value in column_equations(test)
        if is_constant(value) and (len(column.parts) == 1 or relation.answers_to(column.parts[:-1]))
    }
    return {name.lower() for name in key} <= said
