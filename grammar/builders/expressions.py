"""Builders of expressions and conditions."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    And,
    AtTimeZone,
    Between,
    BinaryExpression,
    CastExpression,
    Collate,
    ColumnReference,
    Comparison,
    Condition,
    ConvertExpression,
    DataTypeReference,
    DefaultValue,
    Expression,
    Frame,
    FunctionCall,
    Identifier,
    InList,
    InSubquery,
    IntegerLiteral,
    IsNull,
    Like,
    MethodCall,
    MoneyLiteral,
    NextValueFor,
    Not,
    NullLiteral,
    NumericLiteral,
    ObjectName,
    Or,
    OrderItem,
    Over,
    ParseExpression,
    QuantifiedComparison,
    QueryExpression,
    RealLiteral,
    ScalarSubquery,
    SearchedCase,
    SimpleCase,
    Span,
    StringLiteral,
    UnaryExpression,
    UpdatePredicate,
    WhenClause,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import name_parts, one_word
from sbql.grammar.builders.words import with_words
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import incorrect_syntax

__all__ = ["method"]

XML_METHODS = frozenset({"exist", "modify", "nodes", "query", "value"})

node("null", NullLiteral)
node("default_argument", DefaultValue)
node("at_time_zone", AtTimeZone)
node("scalar_subquery", ScalarSubquery)
node("when", WhenClause)
node("not", Not)
node("update_predicate", UpdatePredicate)
node("is_null", IsNull)
node("like", Like)
node("between", Between)
node("in_list", InList)
node("in_subquery", InSubquery)


@rule("shift")
def _shift(span: Span, value: Expression, op: str, count: Expression) -> FunctionCall:
    """`<<` and `>>` are the functions LEFT_SHIFT and RIGHT_SHIFT."""
    name = _plain_name(span, "LEFT_SHIFT" if op == "<<" else "RIGHT_SHIFT")
    return FunctionCall(name, (value, count), span=span)


@rule("binary")
def _binary(span: Span, left: Expression, op: str, right: Expression) -> BinaryExpression:
    return BinaryExpression(op, left, right, span=span)


@rule("unary")
def _unary(span: Span, op: str, operand: Expression) -> Expression:
    return UnaryExpression(op, operand, span=span)


@rule("collate")
def _collate(span: Span, operand: Expression, collation: Identifier) -> Collate:
    return Collate(operand, collation.value, span=span)


@rule()
def column_reference(span: Span, *children: Any) -> ColumnReference:
    return ColumnReference(name_parts(span, children), span=span)


@rule()
def next_value_for(span: Span, sequence: ObjectName, over: Over | None) -> NextValueFor:
    return NextValueFor(sequence, over, span=span)


@rule("negative")
def _negative(span: Span, literal: IntegerLiteral | NumericLiteral | RealLiteral | MoneyLiteral) -> UnaryExpression:
    return UnaryExpression("-", literal, span=span)


# --- functions ---------------------------------------------------------------------------------------------


@rule("plain_arguments")
def _plain_arguments(span: Span, *arguments: Any) -> dict[str, Any]:
    return {"arguments": arguments}


@rule("distinct_arguments")
def _distinct_arguments(span: Span, *arguments: Any) -> dict[str, Any]:
    return {"arguments": arguments, "distinct": True}


@rule("star_argument")
def _star_argument(span: Span) -> dict[str, Any]:
    return {"star": True}


@rule("trim_arguments")
def _trim_arguments(span: Span, characters: Expression, operand: Expression) -> dict[str, Any]:
    """`TRIM(x FROM s)` has the arguments s, x."""
    return {"arguments": (operand, characters), "trim": span}


@rule("sided_trim_arguments")
def _sided_trim_arguments(span: Span, side: Identifier, characters: Expression, operand: Expression) -> dict[str, Any]:
    """`TRIM(LEADING x FROM s)` has the arguments s, x, 'LEADING'."""
    word = side.value.upper()
    if word not in ("LEADING", "TRAILING", "BOTH"):
        raise incorrect_syntax(side.value, "LEADING, TRAILING or BOTH was expected.", side.span)
    return {"arguments": (operand, characters, StringLiteral(word, span=span)), "trim": span}


@rule("ordered_arguments")
def _ordered_arguments(span: Span, *children: Any) -> dict[str, Any]:
    *arguments, order_by, nulls = children
    return {"arguments": tuple(arguments), "order_by": order_by, "nulls": nulls or "", "json": span}


@rule("json_arguments")
def _json_arguments(span: Span, *children: Any) -> dict[str, Any]:
    *arguments, nulls = children
    return {"arguments": tuple(arguments), "nulls": nulls, "json": span}


@rule("json_members")
def _json_members(span: Span, *children: Any) -> dict[str, Any]:
    """`'k': v` has the arguments 'k', v."""
    *members, nulls = children
    return {"arguments": tuple(part for member in members for part in member), "nulls": nulls or "", "members": span}


@rule("json_member")
def _json_member(span: Span, key: Expression, value: Expression) -> tuple[Expression, Expression]:
    return key, value


@rule()
def function_call(span: Span, *children: Any) -> Expression:
    *dotted, arguments, within, nulls, over = children
    parts = name_parts(span, tuple(dotted))
    last = parts[-1]
    assert last is not None
    arguments = _checked_arguments(last, arguments)
    if nulls:
        arguments["nulls"] = nulls
    if len(parts) > 1 and last.value in XML_METHODS:
        target = ColumnReference(parts[:-1], span=span)
        return method(span, target, last, arguments["arguments"])
    if len(parts) == 1 and arguments.get("arguments"):
        arguments["arguments"] = with_words(last, arguments["arguments"])
    name = ObjectName(parts, span=span)
    return FunctionCall(name, **arguments, within_group=within or (), over=over, span=span)


_FORMS = {
    "trim": (("TRIM", "EXTRACT"), "FROM"),
    "json": (("JSON_OBJECT", "JSON_ARRAY", "JSON_OBJECTAGG", "JSON_ARRAYAGG"), "NULL"),
    "members": (("JSON_OBJECT", "JSON_OBJECTAGG"), ":"),
}
"""Forms of arguments, the functions that take them, and the sign of the form."""


def _checked_arguments(name: Identifier, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments without the name of their form. Raises 102 for a form that the function does not take."""
    word = name.value.upper()
    for form, (functions, sign) in _FORMS.items():
        if form in arguments and word not in functions:
            raise incorrect_syntax(sign, f"Only {', '.join(functions)} can have it.", arguments[form])
    if word in ("JSON_OBJECT", "JSON_OBJECTAGG") and arguments.get("arguments") and "members" not in arguments:
        raise incorrect_syntax(",", "A member is written key:value.", name.span)
    return {key: value for key, value in arguments.items() if key not in _FORMS}


@rule()
def keyword_function_call(
    span: Span, name: tuple[str, ...], arguments: dict[str, Any], within: Any, nulls: str | None, over: Any
) -> FunctionCall:
    word = Identifier(name[0], span=span)
    arguments = _checked_arguments(word, arguments)
    if arguments.get("arguments"):
        arguments["arguments"] = with_words(word, arguments["arguments"])
    return FunctionCall(_plain_name(span, name[0]), **arguments, within_group=within or (), over=over, span=span)


def _plain_name(span: Span, text: str) -> ObjectName:
    return ObjectName((Identifier(text, span=span),), span=span)


@rule()
def niladic(span: Span, word: str) -> FunctionCall:
    return FunctionCall(_plain_name(span, word), span=span)


def method(span: Span, target: Expression, name: Identifier, arguments: tuple[Any, ...]) -> MethodCall:
    """An XML method's call. The names of methods are told apart by case."""
    if name.value not in XML_METHODS:
        raise sql_error(227, name.value, span=name.span)
    if isinstance(target, ColumnReference) and target.parts[-1] is None:
        raise sql_error(102, ".", span=name.span)  # t..value(…)
    return MethodCall(target, name.value, arguments, span=span)


@rule()
def method_call(span: Span, target: Expression, name: Identifier, *arguments: Any) -> MethodCall:
    return method(span, target, name, arguments)


@rule("convert")
def _convert(span: Span, type_: DataTypeReference, operand: Expression, style: Expression | None) -> ConvertExpression:
    return ConvertExpression(type_, operand, style, span=span)


@rule("try_convert")
def _try_convert(
    span: Span, type_: DataTypeReference, operand: Expression, style: Expression | None
) -> ConvertExpression:
    return ConvertExpression(type_, operand, style, True, span=span)


@rule("cast")
def _cast(span: Span, operand: Expression, type_: DataTypeReference) -> CastExpression:
    return CastExpression(operand, type_, span=span)


@rule("try_cast")
def _try_cast(span: Span, operand: Expression, type_: DataTypeReference) -> CastExpression:
    return CastExpression(operand, type_, True, span=span)


@rule("parse")
def _parse(span: Span, operand: Expression, type_: DataTypeReference, culture: Expression | None) -> ParseExpression:
    return ParseExpression(operand, type_, culture, span=span)


@rule("try_parse")
def _try_parse(
    span: Span, operand: Expression, type_: DataTypeReference, culture: Expression | None
) -> ParseExpression:
    return ParseExpression(operand, type_, culture, True, span=span)


@rule()
def within_group(span: Span, order_by: tuple[OrderItem, ...]) -> tuple[OrderItem, ...]:
    return order_by


@rule("window")
def _window(span: Span, name: Identifier | None, partition: Any, order_by: Any, frame: Frame | None) -> Over:
    return Over(partition or (), order_by or (), frame, name, span=span)


@rule("over_window")
def _over_window(span: Span, name: Identifier) -> Over:
    return Over(window=name, span=span)


@rule("frame")
def _frame(
    span: Span, unit: tuple[str, ...], start: tuple[str, int | None], end: tuple[str, int | None] | None = None
) -> Frame:
    return Frame(unit[0], start, end, span=span)


@rule("bound_fixed")
def _bound_fixed(span: Span, text: str) -> tuple[str, int | None]:
    return text, None


@rule("bound_offset")
def _bound_offset(span: Span, count: IntegerLiteral, direction: tuple[str, ...]) -> tuple[str, int | None]:
    return direction[0], count.value


@rule("simple_case")
def _simple_case(span: Span, operand: Expression, *rest: Any) -> SimpleCase:
    *whens, otherwise = rest
    return SimpleCase(operand, tuple(whens), otherwise, span=span)


@rule("searched_case")
def _searched_case(span: Span, *rest: Any) -> SearchedCase:
    *whens, otherwise = rest
    return SearchedCase(tuple(whens), otherwise, span=span)


@rule("is_distinct")
def _is_distinct(span: Span, left: Expression, right: Expression) -> Not:
    return Not(_is_not_distinct(span, left, right), span=span)


@rule("is_not_distinct")
def _is_not_distinct(span: Span, left: Expression, right: Expression) -> Or:
    """Equal, or both NULL; never unknown."""
    present = (IsNull(left, True, span=span), IsNull(right, True, span=span))
    equal = And((*present, Comparison("=", left, right, span=span)), span=span)
    absent = And((IsNull(left, span=span), IsNull(right, span=span)), span=span)
    return Or((equal, absent), span=span)


@rule("identity_column")
def _identity_column(span: Span, *parts: Any) -> ColumnReference:
    return ColumnReference((*name_parts(span, parts), Identifier("$IDENTITY", span=span))[-4:], span=span)


@rule("rowguid_column")
def _rowguid_column(span: Span, *parts: Any) -> ColumnReference:
    return ColumnReference((*name_parts(span, parts), Identifier("$ROWGUID", span=span))[-4:], span=span)


# --- conditions --------------------------------------------------------------------------------------------


@rule("and")
def _and(span: Span, *operands: Condition) -> And:
    return And(operands, span=span)


@rule("or")
def _or(span: Span, *operands: Condition) -> Or:
    return Or(operands, span=span)


@rule("comparison")
def _comparison(span: Span, left: Expression, op: str, right: Expression) -> Comparison:
    return Comparison(op, left, right, span=span)


@rule("quantified")
def _quantified(
    span: Span, left: Expression, op: str, quantifier: tuple[str, ...], query: QueryExpression
) -> QuantifiedComparison:
    return QuantifiedComparison(op, left, "ALL" if one_word(quantifier) == "ALL" else "ANY", query, span=span)


@rule("is_not_null")
def _is_not_null(span: Span, operand: Expression) -> IsNull:
    return IsNull(operand, True, span=span)


@rule("not_like")
def _not_like(span: Span, operand: Expression, pattern: Expression, escape: Expression | None) -> Like:
    return Like(operand, pattern, escape, True, span=span)


@rule("not_between")
def _not_between(span: Span, operand: Expression, low: Expression, high: Expression) -> Between:
    return Between(operand, low, high, True, span=span)


@rule("not_in_list")
def _not_in_list(span: Span, operand: Expression, items: tuple[Expression, ...]) -> InList:
    return InList(operand, items, True, span=span)


@rule("not_in_subquery")
def _not_in_subquery(span: Span, operand: Expression, query: QueryExpression) -> InSubquery:
    return InSubquery(operand, query, True, span=span)
