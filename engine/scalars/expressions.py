"""Expressions: compiles expression trees to Python closures over a Frame.

It decides types, implicit conversions and the order of evaluation, all at compile time; what is left at run time is a
call of few closures. Constant parts are folded, unless they fail: then they fail when they run. Operators are in
expressions_operators, conditions in expressions_conditions, function calls in expressions_calls.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from sbql.engine.lazy_registry import Registry
from sbql.engine.scalars.arithmetic_errors import exact_scalar, heeding
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scalar import Condition, Scalar, constant, met
from sbql.engine.scalars.scope import Frame, Scope, frame_of_constants
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import (
    FLOAT,
    INT,
    MAX,
    MONEY,
    NULL_TYPE,
    VARBINARY_MAX,
    SqlType,
    numeric,
)
from sbql.grammar.values.codepage import page_of_collation
from sbql.grammar.values.collation_precedence import COERCIBLE, recollated
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import INTEGER_RANGES
from sbql.grammar.values.numbers import parse_money
from sbql.grammar.values.utf16 import utf16_length

__all__ = [
    "CONDITIONS",
    "Scalar",
    "choose",
    "compile_condition",
    "compile_scalar",
    "compiles",
    "constant",
    "convert_scalar",
    "fold",
]


EXPRESSIONS: Registry[Callable[[Any, Scope], Scalar]] = Registry("expressions")
"""What compiles an expression, by the name of its node class; most of them are here."""
CONDITIONS: Registry[Callable[[Any, Scope], Condition]] = Registry("conditions")
"""One word, `condition`: conditions are a module of their own, and both ask each other."""

C = TypeVar("C", bound=Callable[[Any, Scope], Scalar])


def compiles(node_class: type[ast.Expression]) -> Callable[[C], C]:
    """Register what compiles the expressions of a node class."""

    def register(compile_it: C) -> C:
        EXPRESSIONS.add(node_class.__name__, compile_it)
        return compile_it

    return register


def compile_scalar(node: ast.Expression, scope: Scope) -> Scalar:
    """The compiled form of an expression. Raises SqlError, with the node's line, for what is wrong whatever the
    values."""
    compile_it = EXPRESSIONS.find(type(node).__name__)
    assert compile_it is not None, f"no scalar compiler for {type(node).__name__}"
    try:
        scalar = compile_it(node, scope)
    except SqlError as error:
        raise error.at(node.span) from None
    options = scope.deviating
    return scalar if options is None else heeding(scalar, options)


def compile_condition(node: ast.Condition, scope: Scope) -> Condition:
    """The compiled form of a search condition: a closure that gives True, False or None (unknown)."""
    return CONDITIONS["condition"](node, scope)


def fold(sql_type: SqlType, run: Callable[[Frame], Any], parts: tuple[Scalar, ...]) -> Scalar:
    """A Scalar of `run`; its value is computed now when all parts are constant and it does not fail."""
    if all(p.is_constant for p in parts):
        try:
            return constant(run(frame_of_constants()), sql_type)
        except SqlError:
            pass  # the error belongs to the statement, which may never be reached
    return Scalar(sql_type, run)


# --- literals and references -------------------------------------------------------------------------------


def _integer(node: ast.IntegerLiteral, scope: Scope) -> Scalar:
    if INTEGER_RANGES["int"][0] <= node.value <= INTEGER_RANGES["int"][1]:
        return constant(node.value, INT)
    digits = len(str(abs(node.value)))
    if digits > 38:
        raise sql_error(1007, node.value)
    return constant(Decimal(node.value), numeric(digits, 0))


def _numeric(node: ast.NumericLiteral, scope: Scope) -> Scalar:
    whole, _, fraction = node.text.partition(".")
    whole = whole.lstrip("0")
    precision = max(len(whole) + len(fraction), 1)
    if precision > 38:
        raise sql_error(1007, node.text)
    return constant(
        Decimal(f"{whole or '0'}.{fraction}" if fraction else whole or "0"), numeric(precision, len(fraction))
    )


def _real(node: ast.RealLiteral, scope: Scope) -> Scalar:
    text = node.text.lower()
    value = float(text + "0" if text[-1] in "e+-" else text)
    if value in (float("inf"), float("-inf")):
        raise sql_error(168, node.text, 8)
    return constant(value, FLOAT)


def _money(node: ast.MoneyLiteral, scope: Scope) -> Scalar:
    return constant(parse_money(node.text, "money"), MONEY)


def _string(node: ast.StringLiteral, scope: Scope) -> Scalar:
    if node.national:
        length = max(utf16_length(node.value), 1)
        return _literal(node.value, SqlType("nvarchar", length=length if length <= 4000 else MAX), scope)
    page = page_of_collation(scope.collation)
    value = page.narrowed(node.value)
    length = max(page.size(value), 1)
    return _literal(value, SqlType("varchar", length=length if length <= 8000 else MAX), scope)


def _literal(value: str, sql_type: SqlType, scope: Scope) -> Scalar:
    return msgspec.structs.replace(constant(value, scope.collated(sql_type)), rank=COERCIBLE)


def _binary_literal(node: ast.BinaryLiteral, scope: Scope) -> Scalar:
    size = len(node.value)
    return constant(node.value, SqlType("varbinary", length=max(size, 1)) if size <= 8000 else VARBINARY_MAX)


def _null(node: ast.NullLiteral, scope: Scope) -> Scalar:
    return constant(None, NULL_TYPE)


def _variable(node: ast.VariableReference, scope: Scope) -> Scalar:
    slot, sql_type = scope.lookup(node.name, node.span)
    return Scalar(sql_type, lambda frame: frame.variables[slot], slot=slot, rank=scope.rank(node.name))


def _word(node: ast.Word, scope: Scope) -> Scalar:
    return _string(ast.StringLiteral(node.name.value.upper(), span=node.span), scope)


def _column(node: ast.ColumnReference, scope: Scope) -> Scalar:
    name = ".".join(p.value for p in node.parts if p is not None)
    if len(node.parts) > 1:
        raise sql_error(4104, name)
    # SQL Server says 207 in a query and 128 where no query is around, as here.
    raise sql_error(128, name)


def _default(node: ast.DefaultValue, scope: Scope) -> Scalar:
    raise sql_error(156, "DEFAULT")


# --- compound forms ----------------------------------------------------------------------------------------


def _collate(node: ast.Collate, scope: Scope) -> Scalar:
    operand = compile_scalar(node.operand, scope)
    if operand.type.name not in ("char", "varchar", "nchar", "nvarchar", "text", "ntext"):
        raise sql_error(447, operand.type.name)
    label = recollated(operand.label, scope.named_collation(node.collation), operand.type)
    return msgspec.structs.replace(operand, slot=None).labelled(label)


def _cast(node: ast.CastExpression, scope: Scope) -> Scalar:
    operand = _operand(node, scope)
    return _tried(_converted(operand, _target(node, operand, scope), scope), node.is_try)


def _target(node: ast.CastExpression | ast.ConvertExpression, operand: Scalar, scope: Scope) -> SqlType:
    """The type that is named; text has the collation of what is converted, if that has one."""
    target = scope.resolve_type(node.type, in_cast=True)
    return target if operand.type.collation is not None else scope.collated(target)


def _converted(operand: Scalar, target: SqlType, scope: Scope) -> Scalar:
    """As CAST, and CONVERT without a style."""
    return exact_scalar(operand, convert_scalar(operand, target, explicit=True), scope.deviating)


class _OperandFailed(Exception):
    """Carries an error of TRY_CAST's operand past TRY_CAST, which only forgives the conversion."""

    def __init__(self, error: SqlError) -> None:
        self.error = error


def _operand(node: ast.CastExpression | ast.ConvertExpression, scope: Scope) -> Scalar:
    """What is converted."""
    operand = compile_scalar(node.operand, scope)
    if not node.is_try or operand.is_constant or operand.slot is not None:
        return operand
    run = operand.run

    def evaluate(frame: Frame) -> Any:
        try:
            return run(frame)
        except SqlError as error:
            raise _OperandFailed(error) from None

    return Scalar(operand.type, evaluate, rank=operand.rank)


def _tried(scalar: Scalar, is_try: bool) -> Scalar:
    """TRY_CAST and friends: a value that does not convert is NULL."""
    if not is_try or scalar.is_constant:
        return scalar
    run = scalar.run

    def attempt(frame: Frame) -> Any:
        try:
            return run(frame)
        except SqlError:
            return None
        except _OperandFailed as failed:
            raise failed.error from None

    return Scalar(scalar.type, attempt, rank=scalar.rank)


def _convert(node: ast.ConvertExpression, scope: Scope) -> Scalar:
    operand = _operand(node, scope)
    target = _target(node, operand, scope)
    if node.style is None:
        return _tried(_converted(operand, target, scope), node.is_try)
    style = convert_scalar(compile_scalar(node.style, scope), INT)
    if style.is_constant:
        if style.value is None:
            return constant(None, target)
        try:
            converted = convert_scalar(operand, target, explicit=True, style=style.value)
        except SqlError as error:
            if error.number != 281:
                raise
            return Scalar(target, _fails(error))
        return _tried(converted, node.is_try)
    return _tried(_convert_by_style(operand, target, style), node.is_try)


def _fails(error: SqlError) -> Callable[[Frame], Any]:
    def run(frame: Frame) -> Any:
        # A new error each time: the statement runner writes line and procedure into it.
        raise SqlError(error.number, error.message, severity=error.severity, state=error.state)

    return run


def _convert_by_style(operand: Scalar, target: SqlType, style: Scalar) -> Scalar:
    """A style known only at run time."""
    convert_scalar(operand, target, explicit=True)  # raises for types that never convert
    read, read_style, source = operand.run, style.run, operand.type

    def run(frame: Frame) -> Any:
        value, number = read(frame), read_style(frame)
        if value is None or number is None:
            return None
        change = converter(source, target, number, True, frame.session.options.dates)
        return value if change is None else change(value)

    return Scalar(target, run)


def _simple_case(node: ast.SimpleCase, scope: Scope) -> Scalar:
    whens = []
    for clause in node.whens:
        assert isinstance(clause.when, ast.Expression)
        whens.append(
            ast.WhenClause(
                ast.Comparison("=", node.operand, clause.when, span=clause.span), clause.then, span=clause.span
            )
        )
    return _searched_case(ast.SearchedCase(tuple(whens), node.otherwise, span=node.span), scope)


def _searched_case(node: ast.SearchedCase, scope: Scope) -> Scalar:
    conditions = []
    for clause in node.whens:
        assert isinstance(clause.when, ast.Condition)
        conditions.append(compile_condition(clause.when, scope))
    results = [compile_scalar(c.then, scope) for c in node.whens]
    results.append(compile_scalar(node.otherwise, scope) if node.otherwise is not None else constant(None, NULL_TYPE))
    if all(r.type.name == "null" for r in results):
        raise sql_error(8133)
    return choose(conditions, results)


def choose(conditions: list[Condition], results: list[Scalar]) -> Scalar:
    """The first result whose condition is true, else the last; all brought to their common type."""
    common = met(results, "CASE")
    sql_type = common.type
    runs = [convert_scalar(r, sql_type).run for r in results]
    if len(conditions) == 1:
        condition, then, otherwise = conditions[0], runs[0], runs[1]
        return msgspec.structs.replace(common, run=lambda frame: then(frame) if condition(frame) else otherwise(frame))
    pairs, last = list(zip(conditions, runs, strict=False)), runs[-1]

    def run(frame: Frame) -> Any:
        for condition, result in pairs:
            if condition(frame):
                return result(frame)
        return last(frame)

    return msgspec.structs.replace(common, run=run)


def _next_value(node: ast.NextValueFor, scope: Scope) -> Scalar:
    found: Scalar = scope.compile_subquery(node, "sequence")
    return found


def _subquery(node: ast.ScalarSubquery, scope: Scope) -> Scalar:
    found: Scalar = scope.compile_subquery(node, "scalar")
    return found


_COMPILERS: dict[type[ast.Node], Callable[[Any, Scope], Scalar]] = {
    ast.IntegerLiteral: _integer, ast.NumericLiteral: _numeric, ast.RealLiteral: _real, ast.MoneyLiteral: _money,
    ast.StringLiteral: _string, ast.BinaryLiteral: _binary_literal, ast.NullLiteral: _null,
    ast.DefaultValue: _default, ast.VariableReference: _variable,
    ast.ColumnReference: _column, ast.Word: _word, ast.Collate: _collate, ast.SimpleCase: _simple_case, ast.SearchedCase: _searched_case,
    ast.CastExpression: _cast, ast.ConvertExpression: _convert, ast.NextValueFor: _next_value, ast.ScalarSubquery: _subquery,
}  # fmt: skip

for _node_class, _compile_it in _COMPILERS.items():
    EXPRESSIONS.add(_node_class.__name__, _compile_it)
