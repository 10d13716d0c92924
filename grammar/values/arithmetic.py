"""Arithmetic: closures for + - * / % and the bitwise operators over two non-NULL values.

The operands are already converted to what `operand_types` asks for. It decides overflow (8115, 517), division by zero
(8134), truncation and rounding.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.dates import BASE_DATE, in_range, round_datetime, round_smalldatetime
from sbql.grammar.values.kinds import INTEGER_RANGES, is_national, kind
from sbql.grammar.values.memory import reserve
from sbql.grammar.values.numbers import CONTEXT, fit_decimal, fit_money, fit_real, truncate_decimal
from sbql.grammar.values.result_types import as_decimal
from sbql.grammar.values.text_conversions import cut_text
from sbql.grammar.values.utf16 import joined

__all__ = ["negated", "operand_types", "operation"]

Operation = Callable[[Any, Any], Any]


def operand_types(op: str, left: SqlType, right: SqlType, result: SqlType) -> tuple[SqlType, SqlType]:
    """What each operand has to be converted to before `operation`."""
    family = kind(result)
    if family == "decimal":
        first, second = (
            as_decimal(t) if kind(t) in ("int", "bit", "decimal", "money") else _other_side(t, left, right)
            for t in (left, right)
        )
        return first, second
    if family == "string":
        wide = SqlType("nvarchar" if is_national(result) else "varchar", length=MAX)
        return (left, right) if is_national(left) == is_national(right) else (wide, wide)
    if family == "binary" and op == "+":
        return left, right
    if family == "binary":
        number = SqlType("int")
        return number if kind(left) == "binary" else left, number if kind(right) == "binary" else right
    return result, result


def _other_side(own: SqlType, left: SqlType, right: SqlType) -> SqlType:
    """A string or NULL beside a decimal takes the decimal's type."""
    other = right if own is left else left
    return as_decimal(other) if kind(other) in ("int", "bit", "decimal", "money") else other


def operation(op: str, result: SqlType) -> Operation:
    """The function for `op` with a result of type `result`."""
    family = kind(result)
    if op in "&|^":
        return _bitwise(op, result)
    if family == "int":
        return _integer(op, result.name)
    if family == "decimal":
        return _decimal(op, result)
    if family == "money":
        return _money(op, result.name)
    if family == "float":
        return _float(op, result.name)
    if family == "string":
        return _concatenation(result)
    if family == "binary":
        length = result.length
        return (lambda a, b: a + b) if length == MAX else lambda a, b: (a + b)[:length]
    assert family == "datetime", result
    return _datetime(op, result.name)


def _integer(op: str, name: str) -> Operation:
    low, high = INTEGER_RANGES[name]

    def add(a: int, b: int) -> int:
        found = a + b
        return found if low <= found <= high else _overflow(name)

    def subtract(a: int, b: int) -> int:
        found = a - b
        return found if low <= found <= high else _overflow(name)

    def multiply(a: int, b: int) -> int:
        found = a * b
        return found if low <= found <= high else _overflow(name)

    def divide(a: int, b: int) -> int:
        if b == 0:
            raise sql_error(8134)
        found = a // b if (a >= 0) == (b > 0) else -(-a // b)
        return found if low <= found <= high else _overflow(name)

    def modulo(a: int, b: int) -> int:
        if b == 0:
            raise sql_error(8134)
        found = abs(a) % abs(b)
        return -found if a < 0 else found

    return {"+": add, "-": subtract, "*": multiply, "/": divide, "%": modulo}[op]


def _overflow(name: str) -> int:
    raise sql_error(8115, "expression", name)


def _decimal(op: str, result: SqlType) -> Operation:
    precision, scale = result.precision or 18, result.scale or 0

    def divide(a: Decimal, b: Decimal) -> Decimal:
        if not b:
            raise sql_error(8134)
        return truncate_decimal(CONTEXT.divide(a, b), precision, scale)

    def modulo(a: Decimal, b: Decimal) -> Decimal:
        if not b:
            raise sql_error(8134)
        return fit_decimal(CONTEXT.remainder(a, b), precision, scale)

    if op == "/":
        return divide
    if op == "%":
        return modulo
    exact = {"+": CONTEXT.add, "-": CONTEXT.subtract, "*": CONTEXT.multiply}[op]
    return lambda a, b: fit_decimal(exact(a, b), precision, scale)


def _money(op: str, name: str) -> Operation:
    def divide(a: Decimal, b: Decimal) -> Decimal:
        if not b:
            raise sql_error(8134)
        # Money divides as a scaled integer: what is beyond four digits is cut off.
        return fit_money(CONTEXT.divide(a, b).quantize(Decimal("0.0001"), "ROUND_DOWN", CONTEXT), name)

    def modulo(a: Decimal, b: Decimal) -> Decimal:
        if not b:
            raise sql_error(8134)
        return fit_money(CONTEXT.remainder(a, b), name)

    if op in "/%":
        return divide if op == "/" else modulo
    exact = {"+": CONTEXT.add, "-": CONTEXT.subtract, "*": CONTEXT.multiply}[op]
    return lambda a, b: fit_money(exact(a, b), name)


def _float(op: str, name: str) -> Operation:
    def checked(compute: Operation) -> Operation:
        def run(a: float, b: float) -> float:
            try:
                found: float = compute(a, b)
            except ZeroDivisionError:
                raise sql_error(8134) from None
            if math.isinf(found):
                raise sql_error(8115, "expression", name)
            return fit_real(found) if name == "real" else found

        return run

    return checked({
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    }[op])  # fmt: skip


def _concatenation(result: SqlType) -> Operation:
    length, national = result.length, is_national(result)
    add: Operation = joined if national else operator.add
    if length == MAX or length is None:

        def add_large(a: str, b: str) -> str:
            reserve(len(a) + len(b))
            text: str = add(a, b)
            return text

        return add_large
    limit = 4000 if national else 8000
    if length < limit:
        return add
    return lambda a, b: cut_text(add(a, b), limit, national)


def _datetime(op: str, name: str) -> Operation:
    """Dates add up as numbers of days since 1900."""
    sign = 1 if op == "+" else -1
    round_it = round_datetime if name == "datetime" else round_smalldatetime

    def run(a: dt.datetime, b: dt.datetime) -> dt.datetime:
        try:
            found = a + sign * (b - BASE_DATE)
        except OverflowError:
            raise sql_error(8115, "expression", name) from None
        if not in_range(found, name):
            raise sql_error(8115, "expression", name)
        return round_it(found)

    return run


def _bitwise(op: str, result: SqlType) -> Operation:
    compute: Operation = {"&": operator.and_, "|": operator.or_, "^": operator.xor}[op]
    if kind(result) != "binary":
        return compute
    size = result.length if result.length and result.length > 0 else 8

    def run(a: int, b: int) -> bytes:
        data: bytes = (compute(a, b) & (2 ** (8 * size) - 1)).to_bytes(size, "big")
        return data

    return run


def negated(value: Any, sql_type: SqlType) -> Any:
    """`- value`. Raises 8115 for the smallest integer (and any tinyint above 0)."""
    if kind(sql_type) == "int":
        low, high = INTEGER_RANGES[sql_type.name]
        return -value if low <= -value <= high else _overflow(sql_type.name)
    if kind(sql_type) == "money":
        return fit_money(CONTEXT.minus(value), sql_type.name)
    if kind(sql_type) == "decimal":
        return CONTEXT.minus(value)  # the minus of Python keeps 28 digits
    return -value if value else value
