"""Native forms of the mathematical functions.

Exact types keep their type, and what may leave it is odd. The functions of float are those of the C library on both
sides; odd is what lies outside of their domain, or has no finite result.
"""

from __future__ import annotations

import math
from typing import Final

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.decimals import MOST_MONEY, in_64_bits
from sbql.engine.native.forms import UNKNOWN, Call, Form, Forms, Row
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, digits_after, digits_before, kind

__all__ = ["NUMBERS", "as_exact", "half_way", "rounded_float"]

_MONEY: Final = "922337203685476"
"""Whole amounts up to here can be rounded away from zero."""


def _abs(call: Call) -> Form | None:
    """The lowest number has no opposite."""
    sql_type = call.types[0]
    if kind(sql_type) == "int" and (low := INTEGER_RANGES[sql_type.name][0]) < 0:
        return Form("abs({0})", f"{{0}} < {low + 1}")
    return Form("abs({0})", "{0} < -922337203685477.5807" if kind(sql_type) == "money" else "")


def _whole(function: str) -> tuple[Row, ...]:
    """CEILING and FLOOR."""

    def of_exact(call: Call) -> Form:
        goal, most, odd = duck_type(call.result), *_odd_amount(call.types[0])
        return Form(in_64_bits(call.types[0], lambda number: f"CAST({function}({number}) AS {goal})", most), odd)

    return (
        Row("int", Form("{0}")),
        Row("float", Form(f"({function}({{0}}) + 0.0::DOUBLE)")),  # no minus zero
        Row("decimal|money", of_exact),
    )


def _odd_amount(sql_type: SqlType) -> tuple[int | None, str]:
    """Up to where an amount is not odd, and the condition: what has more than 18 digits is Python's."""
    return (MOST_MONEY, f"abs({{0}}) > {MOST_MONEY}") if kind(sql_type) == "money" else (None, "")


def _sign(call: Call) -> Form | None:
    sql_type = call.types[0]
    if sql_type.name == "decimal" and sql_type.precision == sql_type.scale:
        return None
    return Form(f"CAST(sign({{0}}) AS {duck_type(call.result)})")


def _round(call: Call) -> Form | None:
    """Places that the text names; a third argument that is not 0 cuts off."""
    sql_type, family = call.types[0], kind(call.types[0])
    places, cut = call.values[1], call.values[2] if len(call.values) > 2 else 0
    if places is UNKNOWN or places is None or cut is UNKNOWN or cut is None:
        return None
    if family == "int":
        return Form("{0}") if places >= 0 else _to_tens(sql_type, -places, bool(cut))
    if family == "float":
        return rounded_float(places, bool(cut)) if abs(places) <= _MOST_PLACES else None
    if cut:
        return _cut_off(sql_type, places)
    scale = 4 if family == "money" else sql_type.scale or 0
    if places >= scale:
        return Form("{0}")
    digits = 19 if family == "money" else sql_type.precision or 18
    if places < 0:
        most = int(_MONEY) if family == "money" else 10 ** (digits - scale)
        return _rounded_whole(sql_type, -places, most)
    most, odd = _odd_amount(sql_type)
    if not odd:
        odd = f"abs({{0}}) > {'9' * max(digits - scale, 1)}" if digits > scale else "true"
    goal = duck_type(call.result)
    return Form(in_64_bits(sql_type, lambda number: f"CAST(round({number}, {places}) AS {goal})", most), odd)


def _to_tens(sql_type: SqlType, zeros: int, cut: bool) -> Form:
    """A whole number to tens and hundreds. One that no multiple lies beside is 0, but for what is rounded up."""
    goal, (low, high) = duck_type(sql_type), INTEGER_RANGES[sql_type.name]
    unit, half = 10**zeros, 10**zeros // 2
    if unit > high:
        odd = f"{{0}} >= {half} OR {{0}} <= -{half}" if not cut and half <= high else ""
        return Form("({0} & 0)", odd)
    if cut:
        return Form(f"({{0}} - {{0}} % {unit}::{goal})")
    nearest = f"({{0}} + CASE WHEN {{0}} < 0 THEN -{half}::{goal} ELSE {half}::{goal} END)"
    return Form(f"({nearest} // {unit}::{goal} * {unit}::{goal})", f"{{0}} > {high - half} OR {{0}} < {low + half}")


def _rounded_whole(sql_type: SqlType, zeros: int, most: int) -> Form | None:
    """To tens and hundreds: what lies beside the largest number may be rounded to one that the type has not."""
    if 10**zeros >= most:
        return None
    return Form(f"CAST(round({{0}}, -{zeros}) AS {duck_type(sql_type)})", f"abs({{0}}) > {most - 10**zeros}")


def _cut_off(sql_type: SqlType, places: int) -> Form | None:
    """What is behind the place is a remainder, which has the sign of the number."""
    digits = 15 if kind(sql_type) == "money" else digits_before(sql_type)
    if kind(sql_type) not in ("decimal", "money") or not -digits < places < digits_after(sql_type):
        return None
    goal = duck_type(sql_type)
    unit = f"0.{1:0>{places}}" if places > 0 else "1" + "0" * -places
    return Form(f"CAST({{0}} - {{0}} % CAST('{unit}' AS {goal}) AS {goal})")


_MOST_PLACES: Final = 14
_SURE: Final = 14
"""Digits of a whole number beside which a half is a decimal of its own to a float."""


def rounded_float(places: int, cut: bool = False) -> Form:
    """A float stands for the shortest decimal that is read as it. A decimal of up to 15 digits, as a half between two
    numbers of so many places, is the shortest one of the float that it is read as; and that float is a quotient of two
    exact ones. So a comparison with it says on which side the decimal is, though the product `n` is off by a bit."""
    unit, (multiply, divide) = f"1e{abs(places)}::DOUBLE", ("*", "/") if places >= 0 else ("/", "*")
    if cut:
        found = f"invoke(lambda n: n - CASE WHEN abs({{0}}) >= n {divide} {unit} THEN 0 ELSE 1 END, round(abs({{0}}) {multiply} {unit}))"
    else:
        found = f"invoke(lambda n: n + CASE WHEN abs({{0}}) >= (n + 0.5::DOUBLE) {divide} {unit} THEN 1 ELSE 0 END, floor(abs({{0}}) {multiply} {unit}))"
    return Form(f"(sign({{0}}) * {found} {divide} {unit} + 0.0::DOUBLE)", f"NOT abs({{0}}) < 1e{_SURE - places}")


_BITS: Final = 3e-16
"""By which part of it a float is off."""
_NINE_DIGITS: Final = 6e-9
"""By which part of it a number is off that has nine digits."""


def half_way(places: int, part: float = _BITS) -> str:
    """The condition that the float {0} is about in the middle between two numbers of so many places, so that this part
    of it may bring it to the other side. DuckDB's % takes twenty times as long."""
    units = f"{{0}} * 1e{places}"
    return f"abs({units} - floor({units}) - 0.5) < 1e-5 + abs({units}) * {part}"


def as_exact(number: str, target: SqlType, *, is_real: bool = False) -> str:
    """A float as a decimal or money, rounded as its 17 digits say, or the nine of a real: they are asked where the
    number itself may go the other way."""
    goal, places = duck_type(target), digits_after(target)
    number = f"CAST({number} AS DOUBLE)" if is_real else number
    digits = f"CAST(format('{{{{:.{9 if is_real else 17}g}}}}', {number}) AS {goal})"
    if places > 6:
        return digits
    near = half_way(places, _NINE_DIGITS if is_real else _BITS).replace("{0}", number)
    is_sure = f"abs({number}) < 1e{14 - places} AND NOT {near}"
    return f"(CASE WHEN {is_sure} THEN CAST({number} AS {goal}) ELSE {digits} END)"


_NO_POWER: Final = (
    "({0} < 0 AND {1} <> floor({1})) OR ({0} = 0 AND {1} < 0) OR abs({1}) > 1000 OR abs({0}) > 1e10 "
    "OR abs(ln(abs(nullif({0}, 0))) * {1}) > 700"
)
"""Of floats: a root of a negative number, an inverse of zero, and what may be too large."""


def _power(call: Call) -> Form | None:
    first = call.types[0]
    if kind(first) == "float":
        return Form("pow({0}, {1})", _NO_POWER)
    if first.name in ("int", "bigint"):
        sql = f"CAST(pow({{0}}, {{1}}) AS {duck_type(call.result)})"
        return Form(
            sql,
            "{1} < 0 OR {1} > 30 OR {1} % 1 <> 0 OR abs(CAST({0} AS DOUBLE)) > 1e9 OR pow(abs(CAST({0} AS DOUBLE)), {1}) > 2e9",
        )
    if first.name == "decimal" or kind(first) == "money":
        # DuckDB reads no 1e-13 as a decimal that is all fraction.
        return _power_of_exact(call.result) if kind(first) == "money" or digits_before(call.result) else None
    return None


def _power_of_exact(result: SqlType) -> Form:
    power, most = (
        "pow(CAST({0} AS DOUBLE), {1})",
        _MONEY if kind(result) == "money" else f"1e{digits_before(result) - 1}",
    )
    odd = f"({{0}} = 0 AND {{1}} < 0) OR NOT abs({power}) < {most}"
    return Form(as_exact(power, result), odd)


_LN: Final = "{0} <= 0"
_LARGE: Final = "abs({0}) > 1e150"


def _angle(factor: float) -> tuple[Row, ...]:
    """DEGREES and RADIANS. A whole number is cut off; of a decimal all bits of the float count, to eighteen digits and
    more, so its fraction is a whole number of 2 ** -66."""
    angle = f"(CAST({{0}} AS DOUBLE) * {factor!r}::DOUBLE)"

    def of_exact(call: Call) -> Form | None:
        goal, places = duck_type(call.result), digits_after(call.result)
        if kind(call.result) == "int":
            most = "1e18" if call.result.name == "bigint" else "2e9"
            return Form(f"CAST(trunc({angle}) AS {goal})", f"abs({angle}) > {most}")
        if places > 18:
            return None
        fraction = f"((CAST((a - floor(a)) * {2**66}::DOUBLE AS HUGEINT) * 1{'0' * places}::HUGEINT) >> 65) + 1 >> 1"
        whole = f"CAST(CAST(floor(a) AS BIGINT) AS DECIMAL({38 - places},0))"
        unit = f"0.{1:0>{places}}::DECIMAL({places},{places})"
        found = f"{whole} + CAST({fraction} AS DECIMAL({38 - places},0)) * {unit}"
        sql = f"CAST(sign({{0}}) * invoke(lambda a: {found}, abs({angle})) AS {goal})"
        return Form(sql, f"abs({angle}) > 1e14 OR {{0}} <> 0 AND abs({angle}) < 1e-3")

    return Row("float", Form(f"({{0}} * {factor!r}::DOUBLE)", _LARGE)), Row("int|decimal|money", of_exact)


NUMBERS: Final[Forms] = {
    "ABS": (Row("int|decimal|money|float", _abs),),
    "CEILING": _whole("ceil"),
    "FLOOR": _whole("floor"),
    "SIGN": (Row("int|decimal|money|float", _sign),),
    "ROUND": (Row("int|decimal|money|float int", _round), Row("int|decimal|money|float int int", _round)),
    "POWER": (Row("int|float|decimal|money float", _power),),
    "SQRT": (Row("float", Form("sqrt({0})", "{0} < 0")),),
    "SQUARE": (Row("float", Form("({0} * {0})", _LARGE)),),
    "EXP": (Row("float", Form("exp({0})", "{0} > 700")),),
    "LOG": (Row("float", Form("ln({0})", _LN)), Row("float float", Form("(ln({0}) / ln({1}))", f"{_LN} OR {{1}} <= 0 OR {{1}} = 1"))),
    "LOG10": (Row("float", Form("log10({0})", _LN)),),
    "SIN": (Row("float", Form("sin({0})", _LARGE)),),
    "COS": (Row("float", Form("cos({0})", _LARGE)),),
    "TAN": (Row("float", Form("tan({0})", _LARGE)),),
    "ATAN": (Row("float", Form("atan({0})")),),
    "ASIN": (Row("float", Form("asin({0})", "abs({0}) > 1")),),
    "ACOS": (Row("float", Form("acos({0})", "abs({0}) > 1")),),
    "ATN2": (Row("float float", Form("atan2({0}, {1})", "{0} = 0 AND {1} = 0")),),
    "DEGREES": _angle(180 / math.pi),
    "RADIANS": _angle(math.pi / 180),
    "PI": (Row("", Form("pi()")),),
}  # fmt: skip
"""Functions to their forms."""
