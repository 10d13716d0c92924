"""The join of a MERGE: which one its clauses need, how a missing row of the source shows, and which side a clause may name.

It must not know what the clauses do.
"""

from __future__ import annotations

from sbql.engine.modification.writable import Target
from sbql.grammar.ast import (
    DerivedTable,
    Identifier,
    IntegerLiteral,
    Join,
    MergeAction,
    MergeStatement,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    TableSource,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import columns_in

__all__ = ["MARK", "check_scope", "join_kind", "marked"]

MARK = "$source"


def join_kind(node: MergeStatement) -> str:
    """The join that the clauses need."""
    whens = {action.when for action in node.actions}
    if "NOT MATCHED" in whens and "NOT MATCHED BY SOURCE" in whens:
        return "FULL"
    if "NOT MATCHED" in whens:
        return "RIGHT"
    return "LEFT" if "NOT MATCHED BY SOURCE" in whens else "INNER"


def marked(source: TableSource) -> Join:
    """The source (itself a join, perhaps) with a column more that is 1 in each of its rows, so that an outer join shows
    where it is missing."""
    one = QuerySpecification((SelectColumn(IntegerLiteral(1), Identifier(MARK)),))
    mark = DerivedTable(QueryExpression(one, span=source.span), Identifier(MARK), span=source.span)
    return Join("CROSS", source, mark, None, span=source.span)


def check_scope(action: MergeAction, target: Target) -> None:
    """A row that is not there on one side has no columns of it. Raises 5333, 5334."""
    if action.when == "MATCHED":
        return
    own = {name.lower() for name in (target.columns if target.columns is not None else target.bound.index_of)}
    values = tuple(item.expression for item in action.assignments)
    for column in columns_in((action.condition, values, action.values)):
        qualifier = column.parts[-2] if len(column.parts) > 1 else None
        is_target = qualifier is not None and qualifier.value.lower() == target.alias.lower()
        if action.when == "NOT MATCHED" and is_target:
            raise sql_error(5333, column.name, span=column.span)
        if action.when != "NOT MATCHED" and not is_target and (qualifier is not None or column.name.lower() not in own):
            raise sql_error(5334, column.name, span=column.span)
