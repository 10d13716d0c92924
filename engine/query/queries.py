"""Queries: SELECT specifications, ORDER BY, DISTINCT and limits put together to one DuckDB SELECT.

Columns of every translated query are called c1, c2, … in the generated text, so that T-SQL names (doubles, blanks,
other letter case) never meet DuckDB's rules. What an expression means is `expressions.py`, a table `sources.py`, GROUP
BY `grouping.py`; set operations and common table expressions are `set_operations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from sbql.engine.query.context import FOR_CLAUSES, QUERY_FORMS, Context, is_constant, registers
from sbql.engine.query.grouping import check_item, group_clause, grouped_at_need, has_own_aggregate, start_grouping
from sbql.engine.query.kept_keys import with_kept_key
from sbql.engine.query.limits import Limit, limit_of
from sbql.engine.query.looked_up import joined_rows
from sbql.engine.query.named_windows import named_windows
from sbql.engine.query.one_row import MOST_ELEMENTS
from sbql.engine.query.query_text import OrderTerm, OutputColumn, QueryText, Tail, output_columns
from sbql.engine.scalars.calls import is_json_value
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.comparison_keys import comparable, equality_key, has_key, order_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import find_all, walk
from sbql.grammar.values.collation_precedence import check_column, refuse_unresolved

__all__ = [
    "by_position_or_alias",
    "finish",
    "refuse_useless_order",
    "specification",
    "translate_inner",
    "translate_query",
    "translate_whole",
    "uncollated",
]


def translate_inner(node: ast.QueryExpression, cx: Context) -> QueryText:
    """A query inside another one. Raises 1033 for ORDER BY that would mean nothing."""
    refuse_useless_order(node)
    return translate_whole(node, cx)


def translate_whole(node: ast.QueryExpression, cx: Context) -> QueryText:
    """A query with its FOR clause, which makes one column of it."""
    if node.for_ is None:
        return translate_query(node, cx)
    return FOR_CLAUSES["ForClause"](node, cx)


def refuse_useless_order(node: ast.QueryExpression) -> None:
    """Rows of views and inner queries have no order: raises 1033 for ORDER BY that does not choose rows either."""
    is_needed = node.for_ is not None or node.offset is not None or _has_top(node.query)
    if node.order_by and not is_needed:
        raise sql_error(1033, span=node.order_by[0].span)


def _has_top(query: ast.Query) -> bool:
    return isinstance(query, ast.QuerySpecification) and query.top is not None


def translate_query(
    node: ast.QueryExpression, cx: Context, *, keeps_order_apart: bool = False, extra: Callable[[], str] | None = None
) -> QueryText:
    """A query expression without its FOR clause. `cx` is a new context for it; `extra` gives one more select item, as
    text."""
    tail = Tail(node.order_by, node.offset, node.fetch, keeps_order_apart, extra)
    return QUERY_FORMS[type(node.query)](node.query, cx, tail)


# --- one specification -------------------------------------------------------------------------------------


@registers(QUERY_FORMS, ast.QuerySpecification)
def specification(node: ast.QuerySpecification, cx: Context, tail: Tail) -> QueryText:
    if node.into is not None:
        raise sql_error(156, "INTO", span=node.into.span)
    cx.level.where = node.where
    cx.level.asks = (node, tail.order_by)
    source = cx.source(node.from_) if node.from_ is not None else ""
    if source and not cx.level.row_key and _has_its_own_order(node, tail.order_by, cx):
        cx.level.look_ups = {}  # a join changes the order of the rows
    where = _where(node, cx)
    cx.level.windows = named_windows(node.windows)
    if node.group_by is not None or node.having is not None or has_own_aggregate((node.items, tail.order_by), cx.level):
        start_grouping(node, cx)

    def behind_where() -> tuple[list[OutputColumn], str, list[OrderTerm], Limit, str]:
        columns = select_list(node.items, cx)
        having = cx.within("HAVING").condition(node.having) if node.having is not None else ""
        order = order_terms(tail.order_by, columns, cx, is_distinct=node.distinct)
        limit = limit_of(node.top, tail.offset, tail.fetch, bool(tail.order_by), cx)
        return columns, having, order, limit, f", {tail.extra()}" if tail.extra is not None else ""

    columns, having, order, limit, extra = grouped_at_need(node, cx, behind_where)
    items = ", ".join(f"{column.value.sql} AS c{i}" for i, column in enumerate(columns, 1)) + extra
    rest = (f" WHERE {where}" if where else "") + group_clause(cx) + (f" HAVING {having}" if having else "")
    keys = [order_key(term.value) for term in order]
    keys += [equality_key(column.value) for column in columns] if node.distinct else []
    joins = joined_rows(cx.level, items, rest, *keys) if cx.level.look_ups else ""
    text = (f" FROM {source}{joins}" if source else "") + rest
    if node.distinct:
        columns = [msgspec.structs.replace(column, value=with_kept_key(column.value, cx.level)) for column in columns]
        return _distinct(items, text, columns, order, limit, tail)
    items, text, order = _computed_once(items, text, columns, order)
    return finish(items, text, tuple(columns), order, limit, tail)


def _has_its_own_order(node: ast.QuerySpecification, order: Sequence[ast.OrderItem], cx: Context) -> bool:
    """Whether the order in which rows are found cannot be seen."""
    if any(call.name.name.upper() in _IN_ORDER for call in find_all(node.items, ast.FunctionCall)):
        return False
    if order or node.distinct or node.group_by is not None or node.having is not None:
        return True
    return has_own_aggregate((node.items,), cx.level)


_IN_ORDER: Final = frozenset({"STRING_AGG", "JSON_ARRAYAGG", "JSON_OBJECTAGG"})
"""Aggregates that show it."""


def _where(node: ast.QuerySpecification, cx: Context) -> str:
    if node.where is None:
        return ""
    return cx.within("WHERE").condition(node.where)


def _computed_once(
    items: str, text: str, columns: list[OutputColumn], order: list[OrderTerm]
) -> tuple[str, str, list[OrderTerm]]:
    """A column that is new each time (NEWID()) is sorted by as it is shown: computed inside, where the other things to
    sort by are, and its key outside."""
    places = {column.value.sql: f"d.c{i}" for i, column in enumerate(columns, 1) if column.value.stands_once}
    if not any(term.value.sql in places and order_key(term.value) != term.value.sql for term in order):
        return items, text, order
    others = list(dict.fromkeys(term.value.sql for term in order if term.value.sql not in places))
    inner = "".join(f", {sql} AS k{i}" for i, sql in enumerate(others, 1))
    places |= {sql: f"d.k{i}" for i, sql in enumerate(others, 1)}
    hidden = f" EXCLUDE ({', '.join(f'k{i}' for i in range(1, len(others) + 1))})" if others else ""
    outer = [OrderTerm(term.value.with_sql(places[term.value.sql]), term.descending) for term in order]
    return f"d.*{hidden}", f" FROM (SELECT {items}{inner}{text}) AS d", outer


def finish(
    items: str, text: str, columns: tuple[OutputColumn, ...], order: list[OrderTerm], limit: Limit, tail: Tail
) -> QueryText:
    """SELECT items text, with QUALIFY, ORDER BY and LIMIT after it. QUALIFY takes its order from an inner query,
    because a window takes neither windows (ROW_NUMBER() in ORDER BY) nor what is new each time (NEWID())."""
    places = [f"o{i} {'DESC NULLS LAST' if term.descending else 'ASC NULLS FIRST'}" for i, term in enumerate(order, 1)]
    keys = "".join(f", {order_key(term.value)} AS o{i}" for i, term in enumerate(order, 1))
    is_apart = tail.keeps_order_apart and not limit.suffix
    if qualify := limit.qualify(places):
        text = f" FROM (SELECT {items}{keys}{text}) AS d QUALIFY {qualify}"
        if is_apart or not order:
            return QueryText(f"SELECT *{text}", columns, tuple(places))
        hidden = ", ".join(f"o{i}" for i in range(1, len(order) + 1))
        return QueryText(f"SELECT * EXCLUDE ({hidden}){text} ORDER BY {', '.join(places)}", columns)
    if is_apart:
        return QueryText(f"SELECT {items}{keys}{text}", columns, tuple(places))
    by = f" ORDER BY {', '.join(term.sql for term in order)}" if order else ""
    return QueryText(f"SELECT {items}{text}{by}{limit.suffix}", columns)


def _distinct(
    items: str, text: str, columns: list[OutputColumn], order: list[OrderTerm], limit: Limit, tail: Tail
) -> QueryText:
    """SELECT DISTINCT: by the keys of the columns, of which the first row counts; sorted outside."""
    for column in columns:
        comparable(column.value, ast.NO_SPAN, "DISTINCT")
        refuse_unresolved(column.type, "DISTINCT")
    on = ""
    if any(has_key(column.value) for column in columns):
        # A constant is the same in every row, and DuckDB takes none here but the place of a column.
        keys = [equality_key(column.value) for column in columns if not column.value.is_literal]
        on = f" ON ({', '.join(keys)})" if keys else ""
    inner = QueryText(f"SELECT DISTINCT{on} {items}{text}", tuple(columns))
    if not order and not limit.is_set:
        return inner
    outside = output_columns(inner, "d")
    places = {column.value.sql: value for column, value in zip(columns, outside, strict=True)}
    moved = [OrderTerm(places[term.value.sql], term.descending) for term in order]
    names = ", ".join(f"d.c{i}" for i in range(1, len(columns) + 1))
    return finish(names, f" FROM ({inner.sql}) AS d", tuple(columns), moved, limit, tail)


# --- the select list ---------------------------------------------------------------------------------------


def select_list(items: Sequence[ast.SelectItem], cx: Context) -> list[OutputColumn]:
    """The output columns, with `*` written out. Raises 1056."""
    columns: list[OutputColumn] = []
    for item in items:
        if isinstance(item, ast.SelectStar):
            for relation, column in cx.level.star(item.qualifier, item.span):
                if column.refused and item.is_unread:
                    columns.append(OutputColumn(column.name, Typed("NULL", column.type)))
                    continue
                value = check_item(
                    column.typed(relation.element_name or relation.alias),
                    cx.level,
                    f"{relation.alias}.{column.name}",
                    cx,
                    item.span,
                )
                columns.append(OutputColumn(column.name, value))
        elif isinstance(item, ast.SelectAssign):
            columns.append(OutputColumn("", cx.expression(item.expression)))
        else:
            assert isinstance(item, ast.SelectColumn)
            is_json = is_json_value(item.expression)
            columns.append(OutputColumn(_name_of(item, cx), cx.expression(item.expression), is_json))
    if len(columns) > MOST_ELEMENTS:
        raise sql_error(1056, f"{MOST_ELEMENTS:,}", span=items[0].span)
    return columns


def _name_of(item: ast.SelectColumn, cx: Context) -> str:
    if item.alias is not None:
        return item.alias.value
    expression = item.expression
    while isinstance(expression, ast.Collate):
        expression = expression.operand
    if not isinstance(expression, ast.ColumnReference):
        return ""
    is_property = expression.name.lower() in ("$identity", "$rowguid")
    return cx.level.column(expression)[2].name if is_property else expression.name


# --- ORDER BY ----------------------------------------------------------------------------------------------


def order_terms(
    items: Sequence[ast.OrderItem], columns: Sequence[OutputColumn], cx: Context, *, is_distinct: bool
) -> list[OrderTerm]:
    """Terms by position, by alias, or by expression. Raises 108, 145, 169, 209, 408, 1008."""
    terms: list[OrderTerm] = []
    seen: set[str] = set()
    for position, item in enumerate(items, 1):
        value = _order_value(item, position, columns, cx)
        if value is None:
            continue
        if isinstance(item.expression, ast.ColumnReference | ast.IntegerLiteral):
            if value.sql in seen:
                raise sql_error(169, span=item.span)
            seen.add(value.sql)
        comparable(value, item.span)
        _check_order(value, position, item)
        if is_distinct and all(value.sql != column.value.sql for column in columns):
            raise sql_error(145, span=item.span)
        if not value.is_literal:  # it orders nothing, and to DuckDB a number here is the place of a column
            terms.append(OrderTerm(with_kept_key(value, cx.level), item.descending))
    return terms


def _check_order(value: Typed, position: int, item: ast.OrderItem) -> None:
    """Raises 451 for text without a collation."""
    try:
        check_column(value.type, "ORDER BY", position)
    except SqlError as error:
        raise error.at(item.span) from None


def _order_value(item: ast.OrderItem, position: int, columns: Sequence[OutputColumn], cx: Context) -> Typed | None:
    expression, collation = uncollated(item.expression, cx.statement.scope)
    value = by_position_or_alias(expression, columns)
    if value is not None:
        return value if collation is None else Typed(value.sql, value.type.with_collation(collation), value.nullable)
    if is_constant(expression):
        if isinstance(expression, ast.FunctionCall):
            return None
        if any(isinstance(part, ast.VariableReference) for part in walk(expression, closed=ast.QueryExpression)):
            raise sql_error(1008, position, span=item.span)
        raise sql_error(408, position, span=item.span)
    return cx.within("ORDER BY").expression(item.expression)


def uncollated(node: ast.Expression, scope: Scope) -> tuple[ast.Expression, str | None]:
    """`e COLLATE c` taken apart. Raises 448."""
    if not isinstance(node, ast.Collate):
        return node, None
    try:
        return node.operand, scope.named_collation(node.collation)
    except SqlError as error:
        raise error.at(node.span) from None


def by_position_or_alias(expression: ast.Expression, columns: Sequence[OutputColumn]) -> Typed | None:
    """The output column that an ORDER BY expression names."""
    if isinstance(expression, ast.IntegerLiteral):
        if not 1 <= expression.value <= len(columns):
            error = sql_error(108, expression.value, span=expression.span)
            error.severity = 16  # as every server says; sys.messages says 15 there, too
            raise error
        return columns[expression.value - 1].value
    if isinstance(expression, ast.ColumnReference) and len(expression.parts) == 1:
        name = expression.name.lower()
        found = {c.value.sql: c.value for c in columns if c.name.lower() == name}
        if len(found) > 1:
            raise sql_error(209, expression.name, span=expression.span)
        if found:
            return next(iter(found.values()))
    return None
