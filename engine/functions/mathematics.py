"""Mathematical functions (documentation: "Mathematical functions"). The exact types keep their type; the rest is
float."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
)
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.type_rules import exact_or_float, same_as_first
from sbql.grammar.errors import sql_error
from sbql.grammar.types import FLOAT, INT, SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, digits_after, kind
from sbql.grammar.values.numbers import CONTEXT, MONEY_RANGES, fit_decimal, fit_integer, without_sign_of_zero

__all__: list[str] = []

Types = tuple[SqlType, ...]


def _checked(sql_type: SqlType, value: Any) -> Any:
    """The value, if its type holds it. Raises 8115."""
    family = kind(sql_type)
    if family == "int":
        return fit_integer(value, sql_type.name)
    if family == "decimal":
        return fit_decimal(value, sql_type.precision or 18, sql_type.scale or 0)
    if family == "money" and not MONEY_RANGES[sql_type.name][0] <= value <= MONEY_RANGES[sql_type.name][1]:
        raise sql_error(8115, "expression", sql_type.name)
    return value


def _to_scale(value: Decimal, sql_type: SqlType) -> Decimal:
    """Rounded to the digits of a decimal or money type. Raises 8115 for what has more digits than any has."""
    try:
        found = value.quantize(Decimal(1).scaleb(-digits_after(sql_type)), ROUND_HALF_UP, CONTEXT)
    except InvalidOperation:
        raise sql_error(8115, "expression", sql_type.name) from None
    return without_sign_of_zero(found)


@function("ABS", same_as_first, [exact_or_float], typed=True)
def _abs(types: Types) -> Callable[[Any], Any]:
    return lambda value: _checked(types[0], value.copy_abs() if isinstance(value, Decimal) else abs(value))


def _whole_type(types: Types) -> SqlType:
    """CEILING and FLOOR of a decimal have scale 0."""
    first = types[0]
    return SqlType("decimal", precision=first.precision, scale=0) if first.name == "decimal" else first


def _whole(rounding: str, of_float: Callable[[float], float]) -> Callable[[Types], Callable[[Any], Any]]:
    def make(types: Types) -> Callable[[Any], Any]:
        family = kind(types[0])
        if family == "int":
            return lambda value: value
        if family == "float":
            return lambda value: float(of_float(value))
        goal = types[0] if family == "money" else _whole_type(types)
        return lambda value: _checked(goal, _to_scale(value.quantize(Decimal(1), rounding, CONTEXT), goal))

    return make


function("CEILING", _whole_type, [exact_or_float], typed=True)(_whole(ROUND_CEILING, math.ceil))
function("FLOOR", _whole_type, [exact_or_float], typed=True)(_whole(ROUND_FLOOR, math.floor))


@function("ROUND", same_as_first, [exact_or_float, INT, INT], optional=1, typed=True)
def _round(types: Types) -> Callable[..., Any]:
    """A third argument other than 0 cuts off instead of rounding. Whole places give 0 for a length beyond the
    digits."""
    sql_type = types[0]

    def run(value: Any, places: int, cut: int = 0) -> Any:
        if isinstance(value, float):
            return _rounded_float(value, places, ROUND_DOWN if cut else ROUND_HALF_UP)
        if places > 38:
            return value
        unit = Decimal(1).scaleb(-max(places, -38))
        rounded = CONTEXT.divide(Decimal(value), unit)
        rounded = CONTEXT.multiply(rounded.quantize(Decimal(1), ROUND_DOWN if cut else ROUND_HALF_UP, CONTEXT), unit)
        if isinstance(value, int):
            return _checked(sql_type, int(rounded))
        if sql_type.name == "decimal":
            return _checked(sql_type, rounded)
        return _checked(sql_type, _to_scale(rounded, sql_type))

    return run


_ALL_DIGITS = Context(prec=700, traps=[InvalidOperation, DivisionByZero])
"""Of the largest float and of the smallest, to any place."""
_BEYOND_FLOATS = 310
"""No float has so many digits before its point."""


def _rounded_float(value: float, places: int, rounding: str) -> float:
    """The shortest decimal that is read as the float, to a place. Raises 8115 where that is beyond all floats."""
    if places > 38 or (abs(value) >= 1e17 and places >= 0):
        return value  # its digits end before the place
    unit = Decimal(1).scaleb(-max(places, -_BEYOND_FLOATS))
    units = _ALL_DIGITS.divide(Decimal(repr(value)), unit).quantize(Decimal(1), rounding, _ALL_DIGITS)
    return _finite(float(_ALL_DIGITS.multiply(units, unit))) + 0.0  # 0 has no sign, in a query neither


@function("SIGN", same_as_first, [exact_or_float], typed=True)
def _sign(types: Types) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        sign = (value > 0) - (value < 0)
        if isinstance(value, Decimal):
            return (
                _checked(types[0], Decimal(sign))
                if kind(types[0]) == "decimal"
                else Decimal(sign).quantize(Decimal("0.0001"))
            )
        return float(sign) if isinstance(value, float) else sign

    return run


def _power_type(types: Types) -> SqlType:
    first = types[0]
    if first.name == "decimal":
        return SqlType("decimal", precision=38, scale=first.scale)
    return first


@function("POWER", _power_type, [exact_or_float, FLOAT], typed=True)
def _power(types: Types) -> Callable[[Any, float], Any]:
    result = _power_type(types)

    def run(base: Any, exponent: float) -> Any:
        if base == 0 and exponent < 0:
            raise sql_error(8134)
        try:
            if isinstance(base, int) and exponent == int(exponent) and exponent >= 0:
                if abs(base) <= 1 or exponent <= 64:  # otherwise the number might fill the memory
                    return _power_of_integers(base ** int(exponent), result.name)
            found = math.pow(base, exponent)
        except OverflowError:
            raise sql_error(8115, "expression", result.name) from None
        except ValueError:
            raise sql_error(3623) from None
        if kind(result) == "int":
            return _power_of_integers(int(found), result.name)
        if kind(result) == "float":
            return found
        return _checked(result, _to_scale(Decimal(f"{found:.17g}"), result))

    return run


def _power_of_integers(value: int, name: str) -> int:
    """The power is a float that becomes an integer, and is told so (232) where it is no
    int; exact as far as integers go."""
    low, high = INTEGER_RANGES["int"]
    if name == "int" and not low <= value <= high:
        raise sql_error(232, name, f"{float(value):f}")
    return fit_integer(value, name)


def _float_function(name: str, compute: Callable[[float], float]) -> None:
    """A function float -> float: outside its domain 3623, overflow 8115."""

    @function(name, FLOAT, [FLOAT])
    def run(value: float) -> float:
        try:
            return _finite(compute(value))
        except OverflowError:
            raise sql_error(8115, "expression", "float") from None
        except (ValueError, ZeroDivisionError):
            raise sql_error(3623) from None


def _finite(value: float) -> float:
    """The value. Raises 8115 for infinity, which T-SQL does not have."""
    if math.isinf(value):
        raise sql_error(8115, "expression", "float")
    return value


for _name, _compute in {
    "SQRT": math.sqrt, "SQUARE": lambda v: v * v, "EXP": math.exp, "LOG10": math.log10, "SIN": math.sin, "COS": math.cos,
    "TAN": math.tan, "COT": lambda v: 1 / math.tan(v), "ASIN": math.asin, "ACOS": math.acos, "ATAN": math.atan,
}.items():  # fmt: skip
    _float_function(_name, _compute)


@function("ATN2", FLOAT, [FLOAT, FLOAT])
def _atn2(y: float, x: float) -> float:
    if y == 0 and x == 0:
        raise sql_error(3623)
    return math.atan2(y, x)


@function("LOG", FLOAT, [FLOAT, FLOAT], optional=1)
def _log(value: float, base: float | None = None) -> float:
    try:
        return math.log(value) if base is None else math.log(value) / math.log(base)
    except (ValueError, ZeroDivisionError):
        raise sql_error(3623) from None


@function("PI", FLOAT)
def _pi() -> float:
    return math.pi


def _angle_type(types: Types) -> SqlType:
    """Angles keep the type of their argument; a decimal has at least 18 digits after the point."""
    first = types[0]
    if first.name == "decimal":
        return SqlType("decimal", precision=38, scale=max(first.scale or 0, 18))
    return first


def _angle(name: str, factor: float) -> None:
    """DEGREES and RADIANS; an int result is cut off."""

    @function(name, _angle_type, [exact_or_float], typed=True)
    def make(types: Types) -> Callable[[Any], Any]:
        result = _angle_type(types)

        def run(value: Any) -> Any:
            found = _finite(float(value) * factor)
            if kind(result) == "float":
                return found
            if kind(result) == "int":
                return fit_integer(int(found), result.name)
            return _checked(result, _to_scale(Decimal(found), result))

        return run


_angle("DEGREES", 180 / math.pi)
_angle("RADIANS", math.pi / 180)
