"""Scalar expressions in SQL: literals, columns, operators, CASE, conversions, subqueries.

Decides text and type of each expression node but function calls (`functions.py`). Where DuckDB computes otherwise than
T-SQL, the operation of grammar.values is called as a registered function.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import msgspec

from sbql.engine.native.arithmetic import (
    amount_form,
    are_ordered,
    bounds_of,
    joined_texts,
    operator_form,
    over_whole_numbers,
)
from sbql.engine.native.forms import Form, guarded
from sbql.engine.query.conditions import comparison
from sbql.engine.query.context import EXPRESSIONS, Context, is_aggregate, registers
from sbql.engine.query.conversions import call, convert, literal_value, unify
from sbql.engine.query.cut_off_dates import cut_by_floor, cut_by_text
from sbql.engine.query.grouping import check_item
from sbql.engine.query.looked_up import looked_up
from sbql.engine.query.queries import translate_inner
from sbql.engine.query.row_functions import row_chain, row_function
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.tables.typed_sql import LONG, NODE, Chosen, Typed, bounded, case_text, cast_text, null_of, strictly
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import INT, NULL_TYPE, SMALLINT, SqlType
from sbql.grammar.values.arithmetic import negated, operand_types, operation
from sbql.grammar.values.collation_precedence import COERCIBLE, produced, recollated
from sbql.grammar.values.kinds import INTEGER_RANGES, kind, spelled
from sbql.grammar.values.numbers import MONEY_RANGES
from sbql.grammar.values.result_types import OPERATOR_NAMES, arithmetic_type

__all__ = ["binary_operation", "case_expression", "stands_in_lambda"]


@registers(
    EXPRESSIONS,
    ast.IntegerLiteral,
    ast.NumericLiteral,
    ast.RealLiteral,
    ast.MoneyLiteral,
    ast.StringLiteral,
    ast.BinaryLiteral,
)
def literals(node: ast.Expression, cx: Context) -> Typed:
    scalar = compile_scalar(node, cx.statement.scope)
    return literal_value(scalar.value, scalar.type)


@registers(EXPRESSIONS, ast.NullLiteral)
def null(node: ast.NullLiteral, cx: Context) -> Typed:
    return Typed("NULL", NULL_TYPE, is_literal=True)


@registers(EXPRESSIONS, ast.DefaultValue)
def default_value(node: ast.DefaultValue, cx: Context) -> Typed:
    raise sql_error(156, "DEFAULT", span=node.span)


@registers(EXPRESSIONS, ast.ColumnReference)
def column(node: ast.ColumnReference, cx: Context) -> Typed:
    level, relation, found = cx.level.column(node)
    if found.type == NODE and not cx.takes_nodes:
        raise sql_error(493, found.name, span=node.span)
    return check_item(
        found.typed(relation.element_name or relation.alias), level, f"{relation.alias}.{found.name}", cx, node.span
    )


@registers(EXPRESSIONS, ast.Collate)
def collate(node: ast.Collate, cx: Context) -> Typed:
    value = cx.expression(node.operand)
    if value.is_bare_null:
        value = null_of(SqlType("varchar", length=1))
    if not value.is_text:
        raise sql_error(447, value.type.name, span=node.span)
    try:
        return value.labelled(recollated(value.label, cx.statement.scope.named_collation(node.collation), value.type))
    except SqlError as error:
        raise error.at(node.span) from None


# --- operators ---------------------------------------------------------------------------------------------


@registers(EXPRESSIONS, ast.UnaryExpression)
def unary(node: ast.UnaryExpression, cx: Context) -> Typed:
    value = cx.expression(node.operand)
    family, name = kind(value.type), value.type.name
    if value.is_bare_null:
        return null_of(INT)
    if node.op == "+":
        return value
    if node.op == "-" and value.is_literal and family in _SIGNED and not _is_lowest(value):
        return literals(node, cx)
    plain = msgspec.structs.replace(value, constant=None, is_literal=False, origin=None)
    if node.op == "~":
        if family not in ("int", "bit"):
            raise sql_error(8117, spelled(value.type), OPERATOR_NAMES["~"], span=node.span)
        return plain.with_sql(f"(NOT {value.sql})" if name == "bit" else f"(~ {value.sql})")
    if family not in _SIGNED:
        raise sql_error(8117, spelled(value.type), "minus", span=node.span)
    if name == "tinyint":
        return msgspec.structs.replace(plain, sql=f"(-CAST({value.sql} AS SMALLINT))", type=SMALLINT)
    if family == "money" or _is_lowest(value):
        lowest = MONEY_RANGES[name][0] if family == "money" else INTEGER_RANGES[name][0]

        def run(content: Any) -> Any:
            return None if content is None else negated(content, value.type)

        def minus(given: Sequence[Typed] = (value,)) -> str:
            return call("minus", name, run, given, value.type, cx, is_pure=True)

        sql, stands_once = guarded(Form("(- {0})", f"{{0}} = {lowest}"), [value], minus, minus)
        return msgspec.structs.replace(plain, sql=sql, stands_once=stands_once)
    if family == "int":  # DuckDB's negation makes a larger number of the lowest where it is a parameter or constant
        return plain.with_sql(f"({cast_text('0', value.type)} - {cast_text(value.sql, value.type)})")
    return plain.with_sql(f"(0 - {value.sql})" if family == "float" else f"(- {value.sql})")


_SIGNED = ("int", "decimal", "money", "float")


def _is_lowest(value: Typed) -> bool:
    """A constant whose opposite is beyond its type: an error of the row that gets there."""
    ranges = INTEGER_RANGES.get(value.type.name) or MONEY_RANGES.get(value.type.name)
    if not value.is_literal or value.constant is None or ranges is None:
        return False
    return bool(ranges[0] < 0 and value.constant.run(None) == ranges[0])


_LONG_CHAIN = 200
"""Operators."""


@registers(EXPRESSIONS, ast.BinaryExpression)
def binary(node: ast.BinaryExpression, cx: Context) -> Typed:
    """A chain of operators of any length is followed in a loop. Under GROUP BY the left part of it may be one of the
    grouped expressions. DuckDB plans a chain in the square of its length: a long one is computed by rows."""
    chain = [node]
    while isinstance(chain[-1].left, ast.BinaryExpression):
        chain.append(chain[-1].left)
    if len(chain) > _LONG_CHAIN:
        return row_chain(chain[::-1], cx)
    if cx.level.grouping is not None:
        known = next((i for i, step in enumerate(chain) if i and cx.grouped(step) is not None), len(chain))
        chain = chain[:known]
    result = cx.expression(chain[-1].left)
    for step in reversed(chain):
        try:
            right = cx.expression(step.right)
            if step.op in "+*" and kind(result.type) == kind(right.type) == "int" and _regroups(step):
                result, right = _apart(result), _apart(right)
            result = binary_operation(step.op, result, right, cx, step.span)
        except SqlError as error:
            raise error.at(step.span) from None
    return result


def _regroups(step: ast.BinaryExpression) -> bool:
    """Whether DuckDB would take two constants of a sum or product together, ahead of the rows: i * 65536 * 65536
    overflows then where i is 0, and i + 1 + -1 does not where it should."""
    left, right = step.left, step.right
    if not any(isinstance(side, ast.BinaryExpression) and side.op == step.op for side in (left, right)):
        return False
    constants = [c for side in (left, right) for c in _constants(side, step.op)]
    if len(constants) < 2:
        return False
    known = [c.value for c in constants if isinstance(c, ast.IntegerLiteral)]
    if len(known) < len(constants):
        return True
    together = sum(known) if step.op == "+" else prod(known)
    return together > _SMALL or 0 in known  # those of one sign overflow together or not at all


_SMALL = 2**31 - 1


def _constants(node: ast.Node, op: str) -> list[ast.Node]:
    """The operands of a chain of one operator that are the same for each row."""
    if isinstance(node, ast.BinaryExpression) and node.op == op:
        return [*_constants(node.left, op), *_constants(node.right, op)]
    return [] if any(isinstance(n, ast.ColumnReference | ast.QueryExpression) for n in walk(node)) else [node]


def _apart(value: Typed) -> Typed:
    """A value that is no part of a chain to DuckDB."""
    if value.is_literal:
        return value
    return value.with_sql(cast_text(f"CAST({value.sql} AS HUGEINT)", value.type))


def _operand_type(op: str, value: Typed, other: Typed) -> SqlType:
    """An integer literal beside a decimal is as long as its digits."""
    if (
        value.is_literal
        and op in "+-*/%"
        and kind(value.type) == "int"
        and value.constant is not None
        and kind(other.type) == "decimal"
    ):
        return SqlType("decimal", precision=len(str(abs(value.constant.run(None)))), scale=0)
    return value.type


def binary_operation(op: str, left: Typed, right: Typed, cx: Context, span: ast.Span) -> Typed:
    """`left op right`. Raises 402, 403, 8117 and the errors of types that do not meet."""
    left_type, right_type = _operand_type(op, left, right), _operand_type(op, right, left)
    result = arithmetic_type(op, left_type, right_type)
    nullable = left.nullable or right.nullable
    rank = COERCIBLE
    if kind(result) == "string":
        try:
            rank, collation = produced([value.label for value in (left, right) if value.is_text], "add", result)
        except SqlError as error:
            raise error.at(span) from None
        result = result.with_collation(collation)
    first, second = operand_types(op, left_type, right_type, result)
    operands, form = [left, right], amount_form(op, left.type, right.type, result, right)
    if form is None:
        operands = [convert(left, first, cx), convert(right, second, cx)]
        form = operator_form(op, operands[0], operands[1], result)
        if form is not None and op == "/" and kind(result) == "decimal":
            form, operands = over_whole_numbers(form, [left, right], operands)

    def by_rows(given: Sequence[Typed] = operands) -> str:
        compute = operation(op, result)

        def run(a: Any, b: Any) -> Any:
            return None if a is None or b is None else compute(a, b)

        given = [convert(value, to, cx) for value, to in zip(given, (first, second), strict=True)]
        return call("op", (op, result), run, given, result, cx, is_pure=True)

    joined = joined_texts(form, operands)
    if joined is not None:
        stands_once = left.stands_once or right.stands_once
        ordered = joined.of if are_ordered(joined.pieces) else ""
        found = Typed(
            joined.of, result, nullable, rank, stands_once=stands_once, joined=joined, ordered=ordered, distinct=ordered
        )
    else:
        sql, stands_once = guarded(form, operands, by_rows, by_rows)
        found = Typed(sql, result, nullable, rank, stands_once=stands_once)
    return bounded(strictly(found, operands), bounds_of(op, left, right, result))


# --- CASE --------------------------------------------------------------------------------------------------


@registers(EXPRESSIONS, ast.SearchedCase)
def searched_case(node: ast.SearchedCase, cx: Context) -> Typed:
    tests = []
    for when in node.whens:
        assert isinstance(when.when, ast.Condition)
        tests.append(cx.condition(when.when))
    return case_expression(tests, [when.then for when in node.whens], node.otherwise, cx, node.span)


@registers(EXPRESSIONS, ast.SimpleCase)
def simple_case(node: ast.SimpleCase, cx: Context) -> Typed:
    """The operand is that of a comparison for each WHEN. One that is long or a query is computed once, under a name,
    unless it is new each time: such a one is new for each WHEN, too."""
    value = cx.expression(node.operand) if len(node.whens) > 1 and _takes_name(node, cx) else None
    if value is not None and (value.stands_once or len(value.sql) > LONG or _has_query(node.operand)):
        name = cx.statement.alias("o")
        named = msgspec.structs.replace(value, sql=name, stands_once=False)
        tests = [comparison("=", named, cx.expression(_operand_of(w)), cx, w.span) for w in node.whens]
        found = case_expression(tests, [when.then for when in node.whens], node.otherwise, cx, node.span)
        return found.with_sql(f"invoke(lambda {name}: {found.sql}, {value.sql})")
    tests = [cx.condition(ast.Comparison("=", node.operand, _operand_of(w), span=w.span)) for w in node.whens]
    return case_expression(tests, [when.then for when in node.whens], node.otherwise, cx, node.span)


def _operand_of(when: ast.WhenClause) -> ast.Expression:
    assert isinstance(when.when, ast.Expression), "a searched CASE has conditions"
    return when.when


def _takes_name(node: ast.SimpleCase, cx: Context) -> bool:
    """Whether the branches may stand in a lambda of DuckDB, which holds no query, aggregate or window, and the operand
    may be computed once."""
    if not cx.session.options.ansi_nulls or any(_is_new_each_time(part) for part in walk(node.operand)):
        return False
    return stands_in_lambda((node.whens, node.otherwise), cx)


def stands_in_lambda(nodes: Any, cx: Context) -> bool:
    """Whether what these are may stand in a lambda of DuckDB, which holds no query, aggregate or window."""
    is_grouped = cx.level.grouping is not None and cx.level.grouping.is_active  # columns are aggregates then
    return not any(
        isinstance(part, ast.QueryExpression)
        or (
            isinstance(part, ast.FunctionCall)
            and (part.over is not None or is_aggregate(part) or len(part.name.parts) > 1)
        )
        or (is_grouped and isinstance(part, ast.ColumnReference))
        for part in walk(nodes)
    )


def _has_query(node: ast.Expression) -> bool:
    return any(isinstance(part, ast.QueryExpression) for part in walk(node))


def _is_new_each_time(node: ast.Node) -> bool:
    return isinstance(node, ast.NextValueFor) or (
        isinstance(node, ast.FunctionCall) and node.name.name.upper() in _NEW_EACH_TIME
    )


_NEW_EACH_TIME = frozenset({"CRYPT_GEN_RANDOM", "NEWID", "NEWSEQUENTIALID", "RAND"})


def case_expression(
    tests: Sequence[str],
    results: Sequence[ast.Expression],
    otherwise: ast.Expression | None,
    cx: Context,
    span: ast.Span,
    operation: str = "CASE",
) -> Typed:
    """CASE WHEN … with conditions already translated. Raises 8133 when every result is NULL."""
    values = [cx.expression(result) for result in results]
    if otherwise is not None:
        values.append(cx.expression(otherwise))
    if all(value.is_bare_null for value in values):
        raise sql_error(8133, span=span)
    met = unify(values, span, operation)
    nulls = [value.is_bare_null for value in values]
    values = [convert(value, met.type, cx) for value in values]
    sql = case_text(tests, [value.sql for value in values])
    is_of_literals = all(value.is_literal or is_null for value, is_null in zip(values, nulls, strict=True))
    return msgspec.structs.replace(
        met,
        sql=sql,
        nullable=otherwise is None or met.nullable,
        chosen=Chosen(sql, tuple(tests), tuple(values)) if is_of_literals else None,
    )


# --- conversions -------------------------------------------------------------------------------------------


def type_of(reference: ast.DataTypeReference, cx: Context) -> SqlType:
    """The type that CAST or CONVERT names."""
    found: SqlType = cx.statement.scope.resolve_type(reference, in_cast=True)
    return found


@registers(EXPRESSIONS, ast.CastExpression)
def cast(node: ast.CastExpression, cx: Context) -> Typed:
    target = type_of(node.type, cx)
    return _converted(node, target, cx)


def _converted(node: ast.CastExpression | ast.ConvertExpression, target: SqlType, cx: Context) -> Typed:
    def as_written() -> Typed:
        return convert(_operand(node.operand, target, cx), target, cx, explicit=True, is_try=node.is_try)

    cut = cut_by_floor(node.operand, cx, as_written) if target.name == "datetime" and not node.is_try else None
    cut = cut if cut is not None else cut_by_text(node.operand, target, cx, as_written)
    return cut if cut is not None else as_written()


def _operand(node: ast.Expression, target: SqlType, cx: Context) -> Typed:
    """What is converted. Raises 525 for a row of nodes()."""
    try:
        return cx.expression(node)
    except SqlError as error:
        if error.number == 493 and isinstance(node, ast.ColumnReference):
            raise sql_error(525, target, span=node.span) from None
        raise


@registers(EXPRESSIONS, ast.ConvertExpression)
def convert_node(node: ast.ConvertExpression, cx: Context) -> Typed:
    target = type_of(node.type, cx)
    if node.style is None:
        return _converted(node, target, cx)
    value = _operand(node.operand, target, cx)
    style = cx.expression(node.style)
    if not style.is_literal or kind(style.type) != "int":
        return row_function(node, cx)
    number = style.constant.run(None) if style.constant is not None else None
    if number is None:
        return null_of(target)
    try:
        return convert(value, target, cx, explicit=True, style=int(number), is_try=node.is_try)
    except SqlError as error:
        if error.number != 281:
            raise
        return _failing(error, value, target, int(number), cx)


def _failing(error: SqlError, value: Typed, target: SqlType, style: int, cx: Context) -> Typed:
    """A style that is none for these types is an error of the row that gets there, as it is in a closure."""

    def fail(content: Any) -> Any:
        raise sql_error(error.number, style, value.type.name)

    return Typed(
        call("style", (value.type, target, style), fail, [value], target, cx, is_pure=True), target, stands_once=True
    )


# --- subqueries --------------------------------------------------------------------------------------------


@registers(EXPRESSIONS, ast.ScalarSubquery)
def scalar_subquery(node: ast.ScalarSubquery, cx: Context) -> Typed:
    """A subquery as a value. DuckDB's complaint about a second row is turned into 512 by `first_row`."""
    joined = looked_up(node.query, cx)
    if joined is not None:
        return joined.value
    query = translate_inner(node.query, cx.inner())
    if len(query.columns) != 1:
        raise sql_error(116, span=node.span)
    found = query.columns[0].value
    return Typed(f"({query.sql})", found.type, True, found.rank, stands_once=True)
