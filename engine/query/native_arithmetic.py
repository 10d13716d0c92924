"""Native forms of + - * / % over operands of the result's own kind.

DuckDB's integers overflow as T-SQL's do, with an error of their own (catalog.duckdb_errors knows it). Decimals are
computed as wide as the result's digits; those of a product or a quotient that 38 digits may not hold are odd. A float's
overflow and all divisions by zero are Python's, which raises the error.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Final

import msgspec
from msgspec import Struct

from sbql.catalog.duck_types import duck_type
from sbql.engine.query.native import Form, has_pairs
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import digits_before, is_national, kind

__all__ = ["operator_form"]


def operator_form(op: str, left: Typed, right: Typed, result: SqlType) -> Form | None:
    """The form of `left op right`, if it has one."""
    family = kind(result)
    if family == "string":
        return _concatenation(left, right, result) if op == "+" else None
    if family == "datetime" and kind(left.type) == kind(right.type) == family and result.name == "datetime":
        return _date_sum(op)
    if kind(left.type) != family or kind(right.type) != family:
        return None
    if family == "int":
        return _integers(op, right)
    if family == "decimal":
        return _decimals(op, left.type, right, result)
    if family == "money":
        return _amounts(op, result)
    return _floats(op, result) if family == "float" else None


def _concatenation(left: Typed, right: Typed, result: SqlType) -> Form:
    if result.length not in (MAX, None) and (left.type.length or 0) + (right.type.length or 0) > (result.length or 0):
        cut = f"left({{0}} || {{1}}, {result.length})"
        return Form(cut, has_pairs("({0} || {1})") if is_national(result) else "")
    return Form("({0} || {1})")


def _integers(op: str, right: Typed) -> Form:
    if op == "%" and not right.sql.isdigit():  # DuckDB divides the smallest number by -1, and overflows
        return Form("(CASE WHEN {1} = -1 THEN {0} & 0 ELSE {0} % {1} END)")
    if op in "&|+-*%":
        return Form(f"({{0}} {op} {{1}})")
    return Form("({0} // {1})" if op == "/" else "xor({0}, {1})")


# --- decimals ----------------------------------------------------------------------------------------------


def _decimals(op: str, left: SqlType, divisor: Typed, result: SqlType) -> Form | None:
    goal, right = duck_type(result), divisor.type
    if op in "+-":
        if (result.scale or 0) < max(left.scale or 0, right.scale or 0):
            return None  # digits are lost of the sum, not of what is added
        return Form(f"CAST(CAST({{0}} AS {goal}) {op} CAST({{1}} AS {goal}) AS {goal})")
    if op == "*":
        return _product(left, right, result)
    if op == "%":
        return _remainder(left, right, result)
    constant = divisor.constant.run(None) if divisor.is_literal and divisor.constant is not None else None
    form = None if constant is None else _by_constant(left, constant, result)
    return form or _quotient(left, right, result.scale or 0, goal)


def _product(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """Each factor gets a physical type that the product fits: DuckDB keeps that of two factors of up to 18 digits
    within 18. Factors of more than 38 digits together go as far as 19 digits each."""
    goal = duck_type(result)
    digits, others = left.precision or 18, right.precision or 18
    if digits + others <= 38:
        first = "{0}"
        if digits + others > 18 and digits <= 18 and others <= 18:
            first = f"CAST({{0}} AS DECIMAL(19,{left.scale or 0}))"
        return Form(f"CAST({first} * {{1}} AS {goal})")
    casts, odd = [], []
    for i, factor in enumerate((left, right)):
        scale = factor.scale or 0
        precision = min(max(19, scale + 1), factor.precision or 18)
        casts.append(f"CAST({{{i}}} AS DECIMAL({precision},{scale}))")
        odd.append(f"abs({{{i}}}) >= {_power_of_ten(precision - scale)}")
        if precision > 19:
            return None
    return Form(f"CAST({casts[0]} * {casts[1]} AS {goal})", " OR ".join(odd))


def _power_of_ten(digits: int) -> str:
    """1e0 and so on, as an exact number."""
    return "1" + "0" * digits if digits <= 37 else "9" * 38


def _by_constant(left: SqlType, divisor: Decimal, result: SqlType) -> Form | None:
    """A quotient by a constant whose inverse has few digits (100.0, 8, 0.25) is a product, and no row is odd."""
    units, ones = divisor.as_integer_ratio()
    places, digits = (result.scale or 0) - (left.scale or 0), left.precision or 18
    if places < 0 or not units or ones * 10**places % units:
        return None
    inverse = ones * 10**places // units
    while places and inverse % 10 == 0:
        inverse, places = inverse // 10, places - 1
    others = max(len(str(abs(inverse))), places)
    room = digits_before(result) - digits + (left.scale or 0)
    if room < 0 or abs(inverse) > 10 ** (places + room):
        return None  # its digits are those that 38 leave
    factor = replace(left, precision=others, scale=places)
    form = _product(left, factor, result) if digits + others <= 38 else None
    text = f"CAST('{Decimal(inverse).scaleb(-places):f}' AS {duck_type(factor)})"
    return form and msgspec.structs.replace(form, sql=form.sql.replace("{1}", text))


_BIGINT: Final = 9 * 10**18
_BILLION: Final = "1000000000::BIGINT"


def _quotient(left: SqlType, right: SqlType, scale: int, goal: str) -> Form | None:
    """Digits beyond the scale are cut off. Small numbers are divided as BIGINTs, which is several times as fast."""
    zeros = scale + (right.scale or 0) - (left.scale or 0)
    if zeros < 0 or not 0 < scale <= 27:
        return None
    small, large = _small_quotient(left, right, scale, goal), _large_quotient(left, right, scale, goal)
    if small is None or large is None:
        found = small or large
        return None if found is None else Form(found.sql, _outside(found.most, found.limit))
    is_small = f"abs({{1}}) <= {small.limit} AND abs({{0}}) <= {small.most}"
    sql = f"(CASE WHEN {is_small} THEN {small.sql} ELSE {large.sql} END)"
    return Form(sql, _outside(large.most, large.limit))


class _Division(Struct, frozen=True):
    """A way to divide numbers of which the dividend is at most `most`, and the divisor at most `limit` and not 0."""

    sql: str
    most: int
    limit: int


def _small_quotient(left: SqlType, right: SqlType, scale: int, goal: str) -> _Division | None:
    """Units by units where the dividend is small, else digit by digit, nine of them at a time, where the divisor is."""
    units, others = left.scale or 0, right.scale or 0
    zeros = scale + others - units
    most, limit = min(_most(left), _BIGINT // 10 ** (zeros + units)), _most(right)
    if most >= 1_000_000 and limit >= 1000 and scale <= 19:
        found = f"({_in_units(0, left)} * 1{'0' * zeros}::BIGINT // {_in_units(1, right)})"
        return _Division(_shifted(found, scale, goal), most, limit)
    more = scale - 18 if 18 < scale <= 20 else 0
    most = min(_most(left), _BIGINT // 10 ** (max(units, others) + more))
    limit = min(_most(right), 9 * 10**9 // 10 ** max(units, others))
    if limit < 1000 or most < 1_000_000:
        return None
    return _Division(_long_division(left, right, scale, goal), most, limit)


def _large_quotient(left: SqlType, right: SqlType, scale: int, goal: str) -> _Division | None:
    """Whole numbers as BIGINTs, and what is behind the point as a HUGEINT."""
    places = max(left.scale or 0, right.scale or 0)
    most, limit = 10**18 // 10**places, min(10**18, 10 ** (38 - scale)) // 10**places
    if scale > 20 or most < 1000:
        return None
    dividend, divisor = (_in_all_units(i, t, places) for i, t in enumerate((left, right)))
    digits = f"(x % y)::HUGEINT * 1{'0' * scale}::HUGEINT // y"
    if scale <= 18:
        behind = _in_twenty(digits, scale, scale)
    else:
        power = f"1{'0' * (scale - 18)}::HUGEINT"
        behind = f"{_in_twenty(f'd // {power}', 18, scale)} + {_in_twenty(f'd % {power}', scale, scale)}"
        behind = f"invoke(lambda d: {behind}, {digits})"
    found = f"CAST(CAST(x // y AS DECIMAL(38,{scale})) + {behind} AS {goal})"
    return _Division(f"invoke(lambda x, y: {found}, {dividend}, {divisor})", most, limit)


def _in_all_units(place: int, sql_type: SqlType, places: int) -> str:
    """An operand as a whole number of 10 ** -places."""
    return f"CAST(CAST({{{place}}} AS DECIMAL(38,{sql_type.scale or 0})) * 1{'0' * places} AS BIGINT)"


def _outside(most: int, limit: int) -> str:
    return f"{{1}} = 0 OR abs({{1}}) > {limit} OR abs({{0}}) > {most}"


def _in_units(place: int, sql_type: SqlType, more: int = 0) -> str:
    """An operand as a whole number of its units, or of smaller ones."""
    scale, number = sql_type.scale or 0, f"{{{place}}}"
    if (sql_type.precision or 18) > 18:  # products of 18 digits are several times as fast
        number = f"CAST({number} AS DECIMAL(18,{scale}))"
    whole = f"CAST({number} * 1{'0' * scale} AS BIGINT)" if scale else f"CAST({number} AS BIGINT)"
    return f"({whole} * 1{'0' * more}::BIGINT)" if more else whole


def _most(sql_type: SqlType) -> int:
    """Up to which number `_in_units` works: a product of 18 digits stays within 18."""
    scale = sql_type.scale or 0
    return 10 ** (18 - 2 * scale) - 1 if scale < 9 else 0


def _long_division(left: SqlType, right: SqlType, scale: int, goal: str) -> str:
    """Nine digits at a time: the divisor leaves room for no more. DuckDB computes what
    is an argument of a lambda once."""
    difference = (right.scale or 0) - (left.scale or 0)
    dividend, divisor = _in_units(0, left, max(difference, 0)), _in_units(1, right, max(-difference, 0))
    if scale > 20:
        digits = [
            ("x // y", 0),
            (f"r // y * {_BILLION} + s // y", 18),
            (f"s % y * 1{'0' * (scale - 18)}::BIGINT // y", scale),
        ]
        found = " + ".join(_shifted(number, place, goal) for number, place in digits)
        found = f"invoke(lambda r: invoke(lambda s: {found}, r % y * {_BILLION}), x % y * {_BILLION})"
        return f"invoke(lambda x, y: {found}, {dividend}, {divisor})"
    last = min(scale, 18)
    if scale > last:
        dividend = f"({dividend} * 1{'0' * (scale - last)}::BIGINT)"
    rest = f"x % y * 1{'0' * min(last, 9)}::BIGINT"
    if last <= 9:
        number = f"{rest} // y"
    else:
        power = f"1{'0' * (last - 9)}::BIGINT"
        number = f"invoke(lambda r: r // y * {power} + r % y * {power} // y, {rest})"
    found = f"{_in_twenty('x // y', scale - last, scale)} + {_in_twenty(number, scale, scale)}"
    return f"invoke(lambda x, y: CAST({found} AS {goal}), {dividend}, {divisor})"


def _in_twenty(whole: str, place: int, scale: int) -> str:
    """A whole number of 10 ** -place: a product of 18 digits and a unit of twenty is a decimal of 38 at once."""
    unit = f"0.{1:0>{place}}" if place else "1"
    return f"CAST({whole} AS DECIMAL(18,0)) * CAST('{unit}' AS DECIMAL(20,{scale}))"


def _shifted(whole: str, place: int, goal: str) -> str:
    """A whole number of 10 ** -place. Products of up to 18 digits would stay within 18."""
    if not place:
        return f"CAST({whole} AS {goal})"
    unit = f"0.{1:0>{place}}::DECIMAL({place},{place})"
    return f"CAST(CAST({whole} AS DECIMAL({min(38 - place, 19)},0)) * {unit} AS {goal})"


def _remainder(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """DuckDB's remainder is exact within 38 digits; its sign is that of the dividend, as in T-SQL."""
    scale = max(left.scale or 0, right.scale or 0)
    digits = max(digits_before(left), digits_before(right)) + scale
    if digits > 38:
        return None
    common = f"DECIMAL({digits},{scale})"
    return Form(f"CAST(CAST({{0}} AS {common}) % CAST({{1}} AS {common}) AS {duck_type(result)})", "{1} = 0")


# --- money, float, datetime --------------------------------------------------------------------------------

_LARGE: Final = {"money": "400000000000000", "smallmoney": "100000"}
"""Amounts whose sum may be none."""
_AMOUNT: Final = SqlType("decimal", precision=19, scale=4)


def _amounts(op: str, result: SqlType) -> Form | None:
    goal, large = duck_type(result), _LARGE[result.name]
    if op in "+-":
        return Form(f"CAST({{0}} {op} {{1}} AS {goal})", f"abs({{0}}) > {large} OR abs({{1}}) > {large}")
    if op == "*":
        limit = "9e14" if result.name == "money" else "2e5"
        sql = f"CAST(CAST({{0}} AS DECIMAL(19,4)) * CAST({{1}} AS DECIMAL(19,4)) AS {goal})"
        return Form(sql, f"abs(CAST({{0}} AS DOUBLE) * CAST({{1}} AS DOUBLE)) > {limit}")
    if op == "/":
        form = _quotient(_AMOUNT, _AMOUNT, 4, goal)
        beside = "abs({1}) < 1 AND abs({0}) > 90000000000"  # of which ten thousand times as much is no amount
        if result.name == "smallmoney":
            beside = "abs({1}) < 1 OR abs({0}) > 200000"
        return form and msgspec.structs.replace(form, odd=f"{form.odd} OR {beside}")
    return Form(f"CAST({{0}} % {{1}} AS {goal})", "{1} = 0") if op == "%" else None


def _floats(op: str, result: SqlType) -> Form | None:
    if result.name == "float" and op in "+-":
        return Form(f"({{0}} {op} {{1}})")  # infinity is found in the result (running.py)
    if op not in "+-*/":
        return None
    sql, limits = f"({{0}} {op} {{1}})", ("1e150", "1e-150")
    if result.name == "real":
        sql, limits = f"CAST(CAST({{0}} AS DOUBLE) {op} CAST({{1}} AS DOUBLE) AS FLOAT)", ("1e18", "1e-18")
    odd = f"abs({{0}}) > {limits[0]} OR abs({{1}}) > {limits[0]}"
    if op == "/":
        odd = f"abs({{0}}) > {limits[0]} OR abs({{1}}) < {limits[1]}"
    return Form(sql, odd)


def _date_sum(op: str) -> Form:
    """A number of days is a datetime since 1900. Whole days only: 300ths of a second are more than the
    milliseconds that stand for them."""
    odd = (
        "{1} <> date_trunc('day', {1}) OR {1} < TIMESTAMP '1800-01-01' OR {1} > TIMESTAMP '2000-01-01' "
        "OR {0} < TIMESTAMP '1860-01-01' OR {0} > TIMESTAMP '9890-01-01'"
    )
    return Form(f"({{0}} {op} ({{1}} - TIMESTAMP '1900-01-01'))", odd)
