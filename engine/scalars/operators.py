"""Operators: unary and binary, with closures specialised for int, which is what loops count in.

The general form converts both operands to what the operation takes. It decides nothing about values: that is
grammar.values.arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sbql.engine.scalars.expressions import compile_scalar, compiles, constant, convert_scalar, fold
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar.ast import BinaryExpression, Expression, IntegerLiteral, UnaryExpression
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import INT, SMALLINT, SqlType, decimal
from sbql.grammar.values.arithmetic import negated, operand_types, operation
from sbql.grammar.values.collation_precedence import produced
from sbql.grammar.values.kinds import INTEGER_RANGES, kind, spelled
from sbql.grammar.values.result_types import OPERATOR_NAMES, arithmetic_type


@compiles(UnaryExpression)
def compile_unary(node: UnaryExpression, scope: Scope) -> Scalar:
    """+, - and ~. Raises 8117 for types that have no such operator."""
    operand = compile_scalar(node.operand, scope)
    family = kind(operand.type)
    if node.op == "~":
        return _complement(operand)
    if family == "null":
        return constant(None, INT)
    if node.op == "+":
        return operand
    if family not in ("int", "decimal", "money", "float"):
        raise sql_error(8117, spelled(operand.type), "minus")
    # The negative of a tinyint does not fit a tinyint: SQL Server makes it a smallint.
    sql_type = SMALLINT if operand.type.name == "tinyint" else operand.type
    run = operand.run

    def negate(frame: Frame) -> Any:
        value = run(frame)
        return None if value is None else negated(value, sql_type)

    return fold(sql_type, negate, (operand,))


def _complement(operand: Scalar) -> Scalar:
    family = kind(operand.type)
    if family not in ("int", "bit", "null"):
        raise sql_error(8117, spelled(operand.type), OPERATOR_NAMES["~"])
    run = operand.run
    if family == "bit":
        return fold(operand.type, lambda f: None if (v := run(f)) is None else not v, (operand,))
    if operand.type.name == "tinyint":
        return fold(operand.type, lambda f: None if (v := run(f)) is None else 255 - v, (operand,))
    return fold(operand.type if family == "int" else INT, lambda f: None if (v := run(f)) is None else ~v, (operand,))


@compiles(BinaryExpression)
def compile_binary(node: BinaryExpression, scope: Scope) -> Scalar:
    """A chain of operators of any length: the left side is folded in a loop, so that a sum of 20,000 terms compiles."""
    chain: list[BinaryExpression] = []
    current: Expression = node
    while isinstance(current, BinaryExpression):
        chain.append(current)
        current = current.left
    result = compile_scalar(current, scope)
    is_literal = _is_literal(current)
    links: list[Callable[[Frame], Any]] = []
    for done, step in enumerate(reversed(chain), 1):
        if done % _LINK == 0 and not result.is_constant:
            links.append(result.run)
            result = Scalar(result.type, _carried)
        try:
            right = compile_scalar(step.right, scope)
            left_type = _operand_type(step.op, result, right, is_literal)
            result = _binary(
                step.op,
                result,
                right,
                left_type,
                _operand_type(step.op, right, result, _is_literal(step.right)),
                scope,
            )
            is_literal = False
        except SqlError as error:
            raise error.at(step.span) from None
    return msgspec.structs.replace(result, run=_linked(links, result.run)) if links else result


_LINK = 100
"""Operators whose closures call each other. A longer chain is cut, for each call takes of the stack."""


def _carried(frame: Frame) -> Any:
    """What the link before has given. A link asks for it before it computes anything else."""
    return frame.carried


def _linked(links: list[Callable[[Frame], Any]], last: Callable[[Frame], Any]) -> Callable[[Frame], Any]:
    def run(frame: Frame) -> Any:
        for link in links:
            frame.carried = link(frame)
        return last(frame)

    return run


def _is_literal(node: Expression) -> bool:
    """A number as it is written, with a sign or without."""
    while isinstance(node, UnaryExpression) and node.op != "~":
        node = node.operand
    return isinstance(node, IntegerLiteral)


def _operand_type(op: str, scalar: Scalar, other: Scalar, is_literal: bool) -> SqlType:
    """The type of an operand: an integer literal beside a decimal is as long as its digits."""
    if (
        is_literal
        and op in "+-*/%"
        and kind(scalar.type) == "int"
        and scalar.is_constant
        and kind(other.type) == "decimal"
    ):
        return decimal(len(str(abs(scalar.value))), 0)
    return scalar.type


def _binary(op: str, left: Scalar, right: Scalar, left_type: SqlType, right_type: SqlType, scope: Scope) -> Scalar:
    result = arithmetic_type(op, left_type, right_type)
    options = scope.deviating
    label = None
    if kind(result) == "string" and (left_type.collation or right_type.collation):
        label = produced([s.label for s in (left, right) if kind(s.type) == "string"], OPERATOR_NAMES[op], result)
        result = result.with_collation(label[1])
    wanted_left, wanted_right = operand_types(op, left_type, right_type, result)
    left, right = convert_scalar(left, wanted_left), convert_scalar(right, wanted_right)
    run: Callable[[Frame], Any] | None = None
    if result.name in ("int", "bigint") and op in "+-":
        run = _integer_sum(op, left, right, result.name)
    if run is None:
        compute = operation(op, result)
        if options is not None and not options.concat_null_yields_null and kind(result) == "string":
            run = _concatenation(compute, left.run, right.run)
        else:
            run = _general(compute, left, right)
    found = fold(result, run, (left, right))
    return found if label is None else found.labelled(label)


def _general(compute: Callable[[Any, Any], Any], left: Scalar, right: Scalar) -> Callable[[Frame], Any]:
    if right.is_constant and right.value is not None:
        return _with_constant(compute, left, right.value)
    left_run, right_run = left.run, right.run

    def run(frame: Frame) -> Any:
        a = left_run(frame)
        if a is None:
            return None
        b = right_run(frame)
        return None if b is None else compute(a, b)

    return run


def _with_constant(compute: Callable[[Any, Any], Any], left: Scalar, value: Any) -> Callable[[Frame], Any]:
    """`@a * 2` without a call for either operand, `(@a + @b) * 2` with one."""
    if left.slot is not None:
        slot = left.slot

        def run_of_variable(frame: Frame) -> Any:
            a = frame.variables[slot]
            return None if a is None else compute(a, value)

        return run_of_variable
    left_run = left.run

    def run(frame: Frame) -> Any:
        a = left_run(frame)
        return None if a is None else compute(a, value)

    return run


def _concatenation(
    compute: Callable[[Any, Any], Any], left: Callable[[Frame], Any], right: Callable[[Frame], Any]
) -> Callable[[Frame], Any]:
    """CONCAT_NULL_YIELDS_NULL OFF: NULL is as good as an empty string."""

    def run(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        return compute("" if a is None else a, "" if b is None else b)

    return run


def _integer_sum(op: str, left: Scalar, right: Scalar, name: str) -> Callable[[Frame], Any] | None:
    """`@i + 1`, `@i - 1` and `@i + @j` without a call for the operands, `@i * 2 + 1` without one for the sum."""
    low, high = INTEGER_RANGES[name]
    slot = left.slot
    if right.is_constant and right.value is not None:
        step = right.value if op == "+" else -right.value
        if slot is None:
            return _sum_with_constant(left.run, step, low, high, name)
        place = slot

        def add_constant(frame: Frame) -> Any:
            value = frame.variables[place]
            if value is None:
                return None
            found = value + step
            if low <= found <= high:
                return found
            raise sql_error(8115, "expression", name)

        return add_constant
    if slot is None or right.slot is None or op != "+":
        return None
    one, other = slot, right.slot

    def add_variables(frame: Frame) -> Any:
        variables = frame.variables
        a, b = variables[one], variables[other]
        if a is None or b is None:
            return None
        found = a + b
        if low <= found <= high:
            return found
        raise sql_error(8115, "expression", name)

    return add_variables


def _sum_with_constant(
    left: Callable[[Frame], Any], step: int, low: int, high: int, name: str
) -> Callable[[Frame], Any]:
    def run(frame: Frame) -> Any:
        value = left(frame)
        if value is None:
            return None
        found = value + step
        if low <= found <= high:
            return found
        raise sql_error(8115, "expression", name)

    return run
