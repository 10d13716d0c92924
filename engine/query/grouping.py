"""GROUP BY: which expressions are grouped by which keys, and what stands for them afterwards.

Decides that text is grouped by its collation key and shown as the first value of the group, and raises 8120, 8121, 8127
for columns that are neither grouped nor aggregated. Aggregates themselves are `aggregates.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from sbql.engine.query.context import Context, has_aggregate, is_aggregate
from sbql.engine.query.kept_keys import with_kept_key
from sbql.engine.query.names import Grouping, Level
from sbql.engine.tables.comparison_keys import comparable, equality_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import columns_in, walk
from sbql.grammar.values.collation_precedence import check_column

__all__ = ["AggregateInside", "check_item", "group_clause", "grouped_at_need", "has_own_aggregate", "start_grouping"]


R = TypeVar("R")


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


class AggregateInside(Exception):
    """A query inside has an aggregate over columns of this level, which nobody knew to be grouped."""

    def __init__(self, level: Level, span: ast.Span) -> None:
        super().__init__()
        self.level = level
        self.span = span


def grouped_at_need(node: ast.QuerySpecification, cx: Context, translate: Callable[[], R]) -> R:
    """What `translate` makes of the parts of a query behind WHERE. Which query an aggregate in a query inside is of, is
    known when its columns are looked up there; if it is this one, all is said anew as of groups."""
    try:
        return translate()
    except AggregateInside as found:
        if found.level is not cx.level:
            raise
    start_grouping(node, cx)
    return translate()


def start_grouping(node: ast.QuerySpecification, cx: Context) -> None:
    """From now on expressions of this level are those after grouping."""
    grouping = Grouping()
    cx.level.grouping = grouping
    if node.group_by is not None:
        inner = cx.within("GROUP BY")
        is_super = any(element.kind or not element.parts for element in node.group_by.elements)
        if not is_super:
            grouping.determined = _determined(node.group_by.elements, inner)
        texts = [_element(element, inner, grouping, is_super=is_super) for element in node.group_by.elements]
        grouping.clause = ", ".join(text for text in texts if text)
    grouping.is_active = True


def _determined(elements: Sequence[ast.GroupingElement], cx: Context) -> dict[str, str]:
    """Columns of tables whose primary key is grouped by, which the key of a text would only make slower: the text of
    each, and a column of that key."""
    parts = [part for element in elements for part in element.parts]
    grouped = {cx.expression(part).sql for part in parts if isinstance(part, ast.ColumnReference)}
    found = {}
    for relation in cx.level.relations:
        names = {name.lower() for name in relation.address[1]} if relation.address is not None else set()
        key = [column.sql for column in relation.columns if column.name.lower() in names]
        if key and grouped.issuperset(key):
            found.update({column.sql: key[0] for column in relation.columns if column.sql not in key})
    return found


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
    """The key of one expression, '' if it needs none. Raises 144, 164."""
    if has_aggregate(node) or any(isinstance(n, ast.ScalarSubquery) for n in walk(node, closed=ast.QueryExpression)):
        raise sql_error(144, span=node.span)
    if not any(isinstance(n, ast.ColumnReference) for n in walk(node, closed=ast.QueryExpression)):
        raise sql_error(164, span=node.span)
    value = cx.expression(node)
    comparable(value, node.span)
    check_column(value.type, "GROUP BY", len(grouping.keys) + 2)
    key = equality_key(with_kept_key(value, cx.level))
    grouping.keys[value.sql] = key
    if key == value.sql:
        shown = value
    elif is_super:
        shown = msgspec.structs.replace(
            value, sql=f"CASE WHEN grouping({key}) = 0 THEN first({value.sql}) END", nullable=True
        )
    else:
        shown = value.with_sql(f"first({value.sql})")
    grouping.values[value.sql] = msgspec.structs.replace(shown, nullable=value.nullable or is_super)
    if key != value.sql and value.sql in grouping.determined:
        grouping.keys[value.sql] = grouping.determined[value.sql]
        return ""
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
