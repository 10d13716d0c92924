"""GROUP BY: which expressions are grouped by which keys, and what stands for them afterwards.

Decides that text is grouped by its collation key and shown as the first value of the group, and raises 8120, 8121, 8127
for columns that are neither grouped nor aggregated. Aggregates themselves are `aggregates.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sbql.engine.query.context import Context, has_aggregate, is_aggregate
from sbql.engine.query.names import Grouping, Level, Relation
from sbql.engine.tables.comparison_keys import comparable, equality_key, has_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import columns_in, find_all, walk
from sbql.grammar.values.collation_precedence import check_column

__all__ = ["check_item", "group_clause", "has_own_aggregate", "is_grouped_inside", "start_grouping"]


def has_own_aggregate(tree: object, level: Level) -> bool:
    """Whether there is an aggregate that is not one of a query around: of whose columns one is of this level, or all
    are of nobody."""
    calls = [n for n in walk(tree, closed=ast.QueryExpression) if is_aggregate(n)]
    return any(not columns_in(call) or any(_is_own(column, level) for column in columns_in(call)) for call in calls)


def _is_own(column: ast.ColumnReference, level: Level) -> bool:
    try:
        return level.column(column)[0] is level
    except SqlError:
        return True  # said where it is translated


def is_grouped_inside(tree: object, level: Level) -> bool:
    """Whether queries inside have an aggregate over columns that are named by a relation of this level: it is one of
    this level then."""
    return any(
        _names_only(call, level.relations, query)
        for query in find_all(tree, ast.QueryExpression)
        for call in find_all(query, ast.FunctionCall)
        if is_aggregate(call)
    )


def _names_only(call: ast.FunctionCall, relations: Sequence[Relation], query: ast.QueryExpression) -> bool:
    """Whether all columns of a call are named by these relations, and by none of the query."""
    columns = columns_in(call.arguments)
    inside = {name.lower() for source in find_all(query, ast.TableSource) for name in _exposed(source)}
    return bool(columns) and all(
        (named := column.parts[:-1])
        and named[-1] is not None
        and named[-1].value.lower() not in inside
        and any(relation.answers_to(named) for relation in relations)
        for column in columns
    )


def _exposed(source: ast.TableSource) -> Iterator[str]:
    """What columns of a source are named by."""
    if isinstance(source, _ALIASED) and source.alias is not None:
        yield source.alias.value
    elif isinstance(source, ast.NamedTable):
        yield source.name.name


_ALIASED = (
    ast.NamedTable, ast.VariableTable, ast.DerivedTable, ast.InlineValues, ast.FunctionTable, ast.MethodTable, ast.OpenXmlTable,
    ast.OpenJsonTable, ast.Pivot, ast.Unpivot,
)  # fmt: skip


def start_grouping(node: ast.QuerySpecification, cx: Context) -> None:
    """From now on expressions of this level are those after grouping."""
    grouping = Grouping()
    cx.level.grouping = grouping
    if node.group_by is not None:
        inner = cx.within("GROUP BY")
        is_super = any(element.kind or not element.parts for element in node.group_by.elements)
        texts = [_element(element, inner, grouping, is_super=is_super) for element in node.group_by.elements]
        grouping.clause = ", ".join(texts)
    grouping.is_active = True


def _element(node: ast.GroupingElement, cx: Context, grouping: Grouping, *, is_super: bool) -> str:
    """The text of one element of the clause: a key, keys in parentheses, ROLLUP, CUBE or GROUPING SETS of elements."""
    parts = []
    for part in node.parts:
        if isinstance(part, ast.GroupingElement):
            parts.append(_element(part, cx, grouping, is_super=is_super))
        else:
            parts.append(_group_expression(part, cx, grouping, is_super=is_super))
    if not node.kind and len(parts) == 1:
        return parts[0]
    return f"{node.kind} ({', '.join(parts)})".lstrip()


def _group_expression(node: ast.Expression, cx: Context, grouping: Grouping, *, is_super: bool) -> str:
    """The key of one expression. Raises 144, 164."""
    if has_aggregate(node) or any(isinstance(n, ast.ScalarSubquery) for n in walk(node, closed=ast.QueryExpression)):
        raise sql_error(144, span=node.span)
    if not any(isinstance(n, ast.ColumnReference) for n in walk(node, closed=ast.QueryExpression)):
        raise sql_error(164, span=node.span)
    value = cx.expression(node)
    comparable(value, node.span)
    check_column(value.type, "GROUP BY", len(grouping.keys) + 2)
    key = equality_key(value)
    grouping.keys[value.sql] = key
    if not has_key(value):
        shown = value
    elif is_super:
        shown = msgspec.structs.replace(
            value, sql=f"CASE WHEN grouping({key}) = 0 THEN first({value.sql}) END", nullable=True
        )
    else:
        shown = value.with_sql(f"first({value.sql})")
    grouping.values[value.sql] = msgspec.structs.replace(shown, nullable=value.nullable or is_super)
    return key


def group_clause(cx: Context) -> str:
    grouping = cx.level.grouping
    return f" GROUP BY {grouping.clause}" if grouping is not None and grouping.clause else ""


_NUMBERS = {"HAVING": 8121, "ORDER BY": 8127}


def check_item(value: Typed, level: Level, shown: str, cx: Context, span: ast.Span) -> Typed:
    """A column of `level`, or what stands for it after grouping. Raises 8120, 8118, 8121, 8127."""
    grouping = level.grouping
    if grouping is None or not grouping.is_active:
        return value
    found = grouping.values.get(value.sql)
    if found is not None:
        return found
    raise sql_error(_NUMBERS.get(cx.clause, 8120), shown.lstrip("."), span=span)
