"""Builders of queries and their clauses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sbql.grammar.ast import (
    BinaryQuery,
    CommonTableExpression,
    Condition,
    DataSpace,
    Exists,
    Expression,
    ForClause,
    GroupBy,
    GroupingElement,
    Identifier,
    ObjectName,
    OrderItem,
    Over,
    Query,
    QueryExpression,
    QuerySpecification,
    SelectAssign,
    SelectColumn,
    SelectItem,
    SelectStar,
    SelectStatement,
    Span,
    StringLiteral,
    TableSource,
    Top,
    VariableReference,
    WindowDefinition,
    WithClause,
    XmlNamespace,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import name_parts, one_word
from sbql.grammar.builders.common_table_hints import with_spread_hints
from sbql.grammar.builders.modification_tables import refuse_modification_query
from sbql.grammar.builders.query_hints import checked_hints, with_depth
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import incorrect_syntax, refuse_order


@rule()
def select_statement(span: Span, with_: WithClause | None, query: QueryExpression, hints: Any) -> SelectStatement:
    return with_spread_hints(checked_hints(SelectStatement(query, with_depth(with_, hints), hints or (), span=span)))


@rule()
def query_expression(span: Span, query: Query, ordering: Any, for_: ForClause | None) -> QueryExpression:
    order_by, offset, fetch = ordering or ((), None, None)
    return QueryExpression(query, order_by, offset, fetch, for_, span=span)


@rule()
def ordered_subquery(span: Span, query: QueryExpression, ordering: Any, for_: ForClause | None) -> QueryExpression:
    """(SELECT …) ORDER BY …: the parentheses mean nothing, so that what is in them may have no ORDER BY and no FOR."""
    refuse_order(query.order_by)
    return query_expression(span, _operand(query), ordering, for_)


@rule()
def subquery(span: Span, query: QueryExpression) -> QueryExpression:
    return query


def _operand(query: Query | QueryExpression) -> Query:
    """An operand of a set operator; in parentheses it came as a query expression. One SELECT may have an ORDER BY
    there, if the whole is inside of something (engine.batch.clause_places)."""
    if isinstance(query, Query):
        return query
    if query.for_ is not None:
        raise incorrect_syntax("FOR", "FOR belongs behind the whole set operation.", query.for_.span)
    if query.order_by and isinstance(query.query, QuerySpecification):
        return replace(query.query, order_by=query.order_by, offset=query.offset, fetch=query.fetch, span=query.span)
    refuse_order(query.order_by)
    return query.query


@rule("union")
def _union(span: Span, left: Query | QueryExpression, op: str, right: Query | QueryExpression) -> BinaryQuery:
    refuse_modification_query(left, 10732)
    refuse_modification_query(right, 10732)
    return BinaryQuery(op, _operand(left), _operand(right), span=span)


@rule("intersect")
def _intersect(span: Span, left: Query | QueryExpression, right: Query | QueryExpression) -> BinaryQuery:
    refuse_modification_query(left, 10732)
    refuse_modification_query(right, 10732)
    return BinaryQuery("INTERSECT", _operand(left), _operand(right), span=span)


@rule("distinct")
def _distinct(span: Span) -> bool:
    return True


@rule()
def specification(
    span: Span,
    distinct: bool,
    top: Top | None,
    items: tuple[SelectItem, ...],
    into: tuple[ObjectName, DataSpace | None] | None,
    from_: TableSource | None,
    where: Condition | None,
    group_by: GroupBy | None,
    having: Condition | None,
    windows: tuple[WindowDefinition, ...] | None,
) -> QuerySpecification:
    target, storage = into or (None, None)
    return QuerySpecification(
        items, from_, where, group_by, having, distinct, top, target, windows or (), storage, span=span
    )


@rule("into_target")
def _into_target(span: Span, name: ObjectName, storage: DataSpace | None) -> tuple[ObjectName, DataSpace | None]:
    return name, storage


@rule("window_clause")
def _window_clause(span: Span, *definitions: WindowDefinition) -> tuple[WindowDefinition, ...]:
    return definitions


@rule("window_definition")
def _window_definition(span: Span, name: Identifier, window: Over) -> WindowDefinition:
    return WindowDefinition(name, window, span=span)


@rule("top")
def _top(span: Span, count: Expression, percent: bool | None, ties: bool | None) -> Top:
    return Top(count, bool(percent), bool(ties), span=span)


@rule("row_top")
def _row_top(span: Span, count: Expression, percent: bool | None) -> Top:
    return Top(count, bool(percent), span=span)


# --- the select list ---------------------------------------------------------------------------------------


def alias_name(alias: Identifier | StringLiteral | None) -> Identifier | None:
    """An alias may be written as a string: `expr AS 'alias'`."""
    return Identifier(alias.value, True, span=alias.span) if isinstance(alias, StringLiteral) else alias


@rule("star")
def _star(span: Span) -> SelectStar:
    return SelectStar(span=span)


@rule("qualified_star")
def _qualified_star(span: Span, *children: Any) -> SelectStar:
    return SelectStar(ObjectName(name_parts(span, children), span=span), span=span)


@rule("select_column")
def _select_column(span: Span, expression: Expression, alias: Identifier | StringLiteral | None) -> SelectColumn:
    return SelectColumn(expression, alias_name(alias), span=span)


@rule("select_equals")
def _select_equals(span: Span, alias: Identifier | StringLiteral, expression: Expression) -> SelectColumn:
    return SelectColumn(expression, alias_name(alias), span=span)


@rule("select_assign")
def _select_assign(span: Span, variable: VariableReference, expression: Expression) -> SelectAssign:
    return SelectAssign(variable.name, expression, span=span)


@rule("select_compound")
def _select_compound(span: Span, variable: VariableReference, op: str, expression: Expression) -> SelectAssign:
    return SelectAssign(variable.name, expression, op, span=span)


# --- clauses -----------------------------------------------------------------------------------------------


@rule("no_group")
def _no_group(span: Span) -> None:
    """No GROUP BY."""


@rule("group_by")
def _group_by(span: Span, *elements: GroupingElement) -> GroupBy:
    return GroupBy(elements, span=span)


@rule("group_with")
def _group_with(span: Span, *children: Any) -> GroupBy:
    """`GROUP BY a, b WITH ROLLUP` is the old spelling of `GROUP BY ROLLUP (a, b)`."""
    *elements, word = children
    kind = word.value.upper()
    if kind not in ("ROLLUP", "CUBE"):
        raise incorrect_syntax(word.value, "ROLLUP or CUBE was expected.", word.span)
    for element in elements:
        if element.kind:
            raise incorrect_syntax(element.kind, "The old and the new spelling cannot stand together.", element.span)
    return GroupBy((GroupingElement(tuple(elements), kind, span=span),), span=span)


@rule("group_all")
def _group_all(span: Span, *elements: GroupingElement) -> None:
    raise sql_error(40517, "GROUP BY ALL", span=span)


@rule("for_browse")
def _for_browse(span: Span, word: str) -> None:
    raise sql_error(40517, "FOR BROWSE", span=span)


@rule("grouping_columns")
def _grouping_columns(span: Span, expression: Expression) -> GroupingElement:
    return GroupingElement((expression,), span=span)


@rule("grouping_list")
def _grouping_list(span: Span, first: Expression, rest: tuple[Expression, ...]) -> GroupingElement:
    return GroupingElement((first, *rest), span=span)


@rule("grouping_total")
def _grouping_total(span: Span) -> GroupingElement:
    return GroupingElement((), span=span)


@rule("grouping_rollup")
def _grouping_rollup(span: Span, kind: tuple[str, ...], *elements: GroupingElement) -> GroupingElement:
    return GroupingElement(elements, kind[0], span=span)


@rule("grouping_sets")
def _grouping_sets(span: Span, *elements: GroupingElement) -> GroupingElement:
    return GroupingElement(elements, "GROUPING SETS", span=span)


@rule("order_item")
def _order_item(span: Span, expression: Expression, descending: bool | None) -> OrderItem:
    return OrderItem(expression, bool(descending), span=span)


@rule("order_only")
def _order_only(span: Span, order_by: tuple[OrderItem, ...]) -> tuple[Any, ...]:
    return order_by, None, None


@rule("order_offset")
def _order_offset(span: Span, order_by: tuple[OrderItem, ...], offset: Expression) -> tuple[Any, ...]:
    return order_by, offset, None


@rule("order_fetch")
def _order_fetch(span: Span, order_by: tuple[OrderItem, ...], offset: Expression, fetch: Expression) -> tuple[Any, ...]:
    return order_by, offset, fetch


_MODES = {"XML": ("RAW", "AUTO", "PATH", "EXPLICIT"), "JSON": ("AUTO", "PATH")}
_FOR_OPTIONS = {
    "XML": ("ROOT", "TYPE", "ELEMENTS", "ELEMENTS XSINIL", "ELEMENTS ABSENT", "BINARY BASE64", "XMLSCHEMA", "XMLDATA"),
    "JSON": ("ROOT", "INCLUDE_NULL_VALUES", "WITHOUT_ARRAY_WRAPPER"),
}


@rule("for_clause")
def _for_clause(span: Span, words: str, mode: Identifier, element: StringLiteral | None, *options: Any) -> ForClause:
    kind = words.split()[-1]
    if mode.value.upper() not in _MODES[kind]:
        raise incorrect_syntax(mode.value, f"Expected {' or '.join(_MODES[kind])}.", mode.span)
    checked: list[tuple[str, str | None]] = []
    for option_words, argument, place in options:
        if option_words not in _FOR_OPTIONS[kind]:
            raise incorrect_syntax(option_words, f"Expected one of {', '.join(_FOR_OPTIONS[kind])}.", place)
        if argument is not None and option_words not in ("ROOT", "XMLSCHEMA"):
            raise incorrect_syntax(argument, f"{option_words} takes no text.", place)
        first, _, second = option_words.partition(" ")
        checked.append((first, second) if first == "ELEMENTS" and second else (option_words, argument))
    return ForClause(kind, mode.value.upper(), element.value if element else None, tuple(checked), span=span)


@rule("for_option")
def _for_option(
    span: Span, first: Identifier, second: Identifier | None, argument: StringLiteral | None
) -> tuple[Any, ...]:
    return one_word((first, second)), argument.value if argument else None, span


# --- WITH --------------------------------------------------------------------------------------------------


@rule("with_tables")
def _with_tables(span: Span, tables: tuple[CommonTableExpression, ...]) -> WithClause:
    return WithClause((), tables, span=span)


@rule("with_namespaces")
def _with_namespaces(span: Span, namespaces: tuple[XmlNamespace, ...]) -> WithClause:
    return WithClause(namespaces, span=span)


@rule("with_both")
def _with_both(
    span: Span, namespaces: tuple[XmlNamespace, ...], tables: tuple[CommonTableExpression, ...]
) -> WithClause:
    return WithClause(namespaces, tables, span=span)


@rule("namespace")
def _namespace(span: Span, uri: StringLiteral, prefix: Identifier) -> XmlNamespace:
    return XmlNamespace(uri.value, prefix.value, span=span)


@rule("default_namespace")
def _default_namespace(span: Span, uri: StringLiteral) -> XmlNamespace:
    return XmlNamespace(uri.value, None, span=span)


@rule("cte")
def _cte(span: Span, name: Identifier, columns: Any, query: QueryExpression) -> CommonTableExpression:
    return CommonTableExpression(name, columns or (), query, span=span)


# --- EXISTS ------------------------------------------------------------------------------------------------


@rule("exists")
def _exists(span: Span, query: QueryExpression) -> Exists:
    return Exists(_unread(query), span=span)


def _unread(query: QueryExpression) -> QueryExpression:
    inner = query.query
    if not isinstance(inner, QuerySpecification):
        return query
    items = tuple(replace(item, is_unread=True) if isinstance(item, SelectStar) else item for item in inner.items)
    return replace(query, query=replace(inner, items=items))
