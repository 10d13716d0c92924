"""The join of a MERGE: which one its clauses need, how a missing row of the source
shows, and which side a clause may name.

It must not know what the clauses do.
"""

from __future__ import annotations

from dataclasses import replace

from sbql.engine.modification.writable import Target
from sbql.grammar.ast import (
    ColumnReference,
    DerivedTable,
    Identifier,
    IntegerLiteral,
    Join,
    MergeAction,
    MergeStatement,
    NamedTable,
    Node,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    TableSource,
    VariableTable,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import columns_in, rewrite

__all__ = ["MARK", "in_scope", "join_kind", "marked"]

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


def in_scope(action: MergeAction, target: Target, source: TableSource) -> MergeAction:
    """The clause with its bare names qualified: where a row is not there on one side, they mean the other. Raises 5333,
    5334 for columns of the side that is missing."""
    if action.when == "MATCHED":
        return action
    own = {name.lower() for name in (target.columns if target.columns is not None else target.bound.index_of)}
    _check_scope(action, target, own)
    side = target.alias if action.when == "NOT MATCHED BY SOURCE" else _name_of(source)
    if side is None:
        return action

    def qualified(node: Node) -> Node | None:
        if isinstance(node, QueryExpression):
            return node  # its own tables come first
        if isinstance(node, ColumnReference) and len(node.parts) == 1 and node.name.lower() in own:
            return replace(node, parts=(Identifier(side, span=node.span), *node.parts))
        return None

    assignments = tuple(replace(a, expression=rewrite(a.expression, qualified)) for a in action.assignments)
    values = None if action.values is None else tuple(rewrite(value, qualified) for value in action.values)
    condition = None if action.condition is None else rewrite(action.condition, qualified)
    return replace(action, condition=condition, assignments=assignments, values=values)


def _name_of(source: TableSource) -> str | None:
    """What the columns of a source are qualified with; a join has no one name."""
    alias = getattr(source, "alias", None)
    if alias is not None:
        found: str = alias.value
        return found
    if isinstance(source, NamedTable):
        return source.name.name
    return source.name if isinstance(source, VariableTable) else None


def _check_scope(action: MergeAction, target: Target, own: set[str]) -> None:
    values = tuple(item.expression for item in action.assignments)
    for column in columns_in((action.condition, values, action.values)):
        qualifier = column.parts[-2] if len(column.parts) > 1 else None
        is_target = qualifier is not None and qualifier.value.lower() == target.alias.lower()
        if action.when == "NOT MATCHED" and is_target:
            raise sql_error(5333, column.name, span=column.span)
        if action.when != "NOT MATCHED" and not is_target and (qualifier is not None or column.name.lower() not in own):
            raise sql_error(5334, column.name, span=column.span)
