"""Native forms of products, quotients and remainders of decimals and money.

All are exact, though DuckDB divides numbers of more than 18 digits bit by bit, two hundred times as slowly as it
multiplies them, and does so too where a number loses places. So small numbers are divided as whole ones of 64 bits.
What may be large is guessed by floats, which are off by a unit at most, and the rest, an exact product and a
difference, says whether a unit is to be added or taken off. It must not know operators of other types; those are
`arithmetic`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

import msgspec
from msgspec import Struct

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.forms import Form
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import digits_after, digits_before, kind

__all__ = ["MOST_MONEY", "by_known", "divided", "fewer_places", "in_64_bits", "product", "quotient", "remainder"]

_IN_64_BITS: Final = 18
"""Digits of a decimal that DuckDB computes in 64 bits."""
_DIGITS: Final = 38

MOST_MONEY: Final = 10**14 - 1
"""Amounts up to here have no more than 18 digits."""


def divided(left: SqlType, divisor: Typed, result: SqlType) -> Form | None:
    """A quotient of decimals; one by a constant may be a product."""
    constant = divisor.constant.run(None) if divisor.is_literal and divisor.constant is not None else None
    form = None if constant is None else _by_constant(left, constant, result) or by_known(left, constant, result)
    return form or quotient(left, divisor.type, result)


def _unit(places: int) -> str:
    return f"CAST('0.{1:0>{places}}' AS DECIMAL({places},{places}))"


# --- fewer places ---------------------------------------------------------------------------------------------


def fewer_places(source: SqlType, target: SqlType) -> str:
    """{0}, of one type, as another with fewer places behind the point; the last one is rounded."""
    goal = duck_type(target)
    if digits_after(source) <= digits_after(target):
        return f"CAST({{0}} AS {goal})"
    return in_64_bits(source, lambda number: f"CAST({number} AS {goal})")


def in_64_bits(source: SqlType, write: Callable[[str], str], most: int | None = None) -> str:
    """What `write` makes of {0}, a decimal or money, which is no larger than `most`: of 18 digits where the number has
    no more, for which DuckDB takes a tenth of the time."""
    digits, places = (19, 4) if source.name == "money" else (source.precision or 18, digits_after(source))
    limit = 10 ** (_IN_64_BITS - places) - 1 if places <= 16 else 0
    if digits <= _IN_64_BITS or not limit:
        return write("{0}")
    small = write(f"CAST({{0}} AS DECIMAL({_IN_64_BITS},{places}))")
    if most is not None and most <= limit:
        return small
    return f"(CASE WHEN {{0}} NOT BETWEEN -{limit} AND {limit} THEN {write('{0}')} ELSE {small} END)"


# --- products -------------------------------------------------------------------------------------------------


def product(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """Each factor gets a physical type that the product fits: DuckDB keeps that of two factors of up to 18 digits
    within 18. Factors of more than 38 digits together share what is left of these beside their places, in halves where
    both have more than one of them."""
    digits, others = left.precision or 18, right.precision or 18
    if digits + others <= _DIGITS:
        first = "{0}"
        if digits + others > _IN_64_BITS and digits <= _IN_64_BITS and others <= _IN_64_BITS:
            first = f"CAST({{0}} AS DECIMAL(19,{left.scale or 0}))"
        return Form(_rounded_product(first, "{1}", digits_after(left) + digits_after(right), result))
    room = _DIGITS - digits_after(left) - digits_after(right)
    if room < 2:
        return None
    second = min(digits_before(right), max(room // 2, room - digits_before(left)))
    casts, odd = [], []
    for i, (factor, before) in enumerate(((left, room - second), (right, second))):
        scale = digits_after(factor)
        casts.append(f"CAST({{{i}}} AS DECIMAL({before + scale},{scale}))")
        if before < digits_before(factor):
            odd.append(f"abs({{{i}}}) >= {_power_of_ten(before)}")
    sql = _rounded_product(casts[0], casts[1], digits_after(left) + digits_after(right), result)
    return Form(sql, " OR ".join(odd))


def _power_of_ten(digits: int) -> str:
    """1e0 and so on, as an exact number."""
    return "1" + "0" * digits if digits <= 37 else "9" * 38


def _rounded_product(left: str, right: str, places: int, result: SqlType) -> str:
    """A product, which has `places`, with no more of them than the result."""
    less, goal = digits_after(result), duck_type(result)
    if places <= less or not less:
        return f"CAST({left} * {right} AS {goal})"
    unit, half = _unit(less), f"CAST('0.{5:0>{less + 1}}' AS DECIMAL({less + 1},{less + 1}))"
    guess = f"CAST(d AS DECIMAL({_DIGITS},{less}))"
    better = f"{guess} + CAST(CAST(p - {guess} AS DOUBLE) AS DECIMAL({_DIGITS},{less}))"
    found = f"CASE WHEN r < -{half} THEN q - {unit} WHEN r >= {half} THEN q + {unit} ELSE q END"
    found = f"invoke(lambda q, r: CAST({found} * s AS {goal}), q, p - q)"
    found = f"invoke(lambda q: {found}, CASE WHEN d < 1e{_SURE - less} THEN {guess} ELSE {better} END)"
    found = f"CASE WHEN d < 1e{2 * _SURE - 1 - less} THEN {found} ELSE CAST(p * s AS {goal}) END"
    first = f"abs(CAST({left} AS DOUBLE) * CAST({right} AS DOUBLE))"
    sign = f"CASE WHEN ({left} < 0) <> ({right} < 0) THEN -1 ELSE 1 END"
    return f"invoke(lambda p, d, s: {found}, abs({left} * {right}), {first}, {sign})"


_SURE: Final = 15
"""Digits that a product of floats has for certain."""


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
    form = product(left, factor, result) if digits + others <= 38 else None
    text = f"CAST('{Decimal(inverse).scaleb(-places):f}' AS {duck_type(factor)})"
    return form and msgspec.structs.replace(form, sql=form.sql.replace("{1}", text))


def by_known(left: SqlType, divisor: Decimal | int, result: SqlType) -> Form | None:
    """A quotient by any other constant, of which so much is known that no row is odd: units by units, of 64 bits for
    small numbers, of 128 for large ones."""
    scale, units = digits_after(result), digits_after(left)
    ones, tens = (constant := Decimal(divisor)).as_integer_ratio()
    if not ones or not 0 < scale <= 19:
        return None
    fraction = Fraction(tens * 10**scale, ones * 10**units)
    times, by = fraction.numerator, fraction.denominator
    digits = 19 if left.name == "money" else left.precision or 18
    needed = len(str((10**digits - 1) * abs(times) // by))
    if digits + max(units, len(str(abs(times)))) > _DIGITS or needed > _DIGITS - scale or by >= _BIGINT:
        return None
    if abs(constant) <= 1 if kind(result) == "money" else needed - scale > digits_before(result):
        return None  # it may be none of the result's: the lowest amount by -1 is none
    most = min(_most(left), _BIGINT // (abs(times) * 10**units))
    if most < 1_000_000:
        return None

    def write(number: str, whole: str, room: int) -> str:
        product = number if times == 1 else f"({number} * {times}::{whole})"
        unit = f"0.{1:0>{scale}}::DECIMAL({scale},{scale})"
        goal = duck_type(result)
        return f"CAST(CAST({product} // {by}::{whole} AS DECIMAL({room},0)) * {unit} AS {goal})"

    small = write(_in_units(0, replace(left, precision=digits, scale=units)), "BIGINT", min(_DIGITS - scale, 19))
    if most >= 10 ** (digits - units):
        return Form(small)
    number = (
        f"CAST(CAST({{0}} AS DECIMAL({_DIGITS},{units})) * 1{'0' * units} AS HUGEINT)"
        if units
        else "CAST({0} AS HUGEINT)"
    )
    large = write(number, "HUGEINT", _DIGITS - scale)
    return Form(f"(CASE WHEN {{0}} NOT BETWEEN -{most} AND {most} THEN {large} ELSE {small} END)")


# --- quotients ---------------------------------------------------------------------------------------------

_BIGINT: Final = 9 * 10**18
_MILLION: Final = 1_000_000
_FEW: Final = 500_000
_BILLION: Final = "1000000000::BIGINT"
_SPLIT: Final = 30
"""Digits of a quotient of which two guesses leave less than a unit."""


class _Division(Struct, frozen=True):
    """A way to divide numbers of which the dividend is at most `most`, and the divisor at most `limit` and not 0, and
    the quotient less than 10 ** `before`; None where that is always so. Where `when` is true the divisor is not 0."""

    sql: str
    most: int | None
    limit: int | None = None
    before: int | None = None
    when: str = ""


def quotient(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """Digits beyond the scale are cut off. Small numbers are divided as BIGINTs, which is faster. There is no third way
    beside these and one that goes far: DuckDB plans it for half a millisecond."""
    scale, goal = digits_after(result), duck_type(result)
    zeros = scale + (right.scale or 0) - (left.scale or 0)
    large = _by_guesses(left, right, result)
    if zeros < 0 or not 0 < scale <= 27:
        return None if large is None else Form(large.sql, _outside(large))
    quick, small = _by_units(left, right, scale, goal), _by_digits(left, right, scale, goal)
    if large is None:
        small = quick or small
        return None if small is None else Form(small.sql, _outside(small))
    if quick is not None:
        small = None
    elif result.name == "decimal" and (small is None or (small.limit or 0) < _FEW or scale > 18):
        quick = _by_rest(left, right, scale, goal)
        small = small if quick is None else None
    sql = large.sql
    if small is not None:
        is_small = f"abs({{1}}) <= {small.limit} AND abs({{0}}) <= {small.most}"
        sql = f"(CASE WHEN {is_small} THEN {small.sql} ELSE {large.sql} END)"
    if quick is None:
        return Form(sql, _outside(large))
    return Form(sql, _outside(large), when=_inside(quick, left, right), quick=quick.sql)


def _inside(division: _Division, left: SqlType, right: SqlType) -> str:
    """For which numbers it is a way, as far as their types do not say it."""
    found = [division.when]
    for place, most, sql_type in ((0, division.most, left), (1, division.limit, right)):
        if most is not None and most < 10 ** digits_before(sql_type):
            found.append(f"abs({{{place}}}) <= {most}")
    return " AND ".join(found)


def _outside(division: _Division) -> str:
    odd = ["{1} = 0"]
    if division.limit is not None:
        odd.append(f"abs({{1}}) > {division.limit}")
    if division.most is not None:
        odd.append(f"abs({{0}}) > {division.most}")
    if division.before is not None:
        odd.append(f"abs(CAST({{0}} AS DOUBLE)) >= abs(CAST({{1}} AS DOUBLE)) * 0.99e{division.before}")
    return " OR ".join(odd)


def _by_guesses(left: SqlType, right: SqlType, result: SqlType) -> _Division | None:
    """The first guess is a float's, the second finds the digits of what the first one leaves."""
    scale, goal = digits_after(result), duck_type(result)
    places = max(left.scale or 0, scale + (right.scale or 0))
    if scale <= 0 or places > _DIGITS - 3:
        return None
    unit, first = _unit(scale), max(0, scale - 13)
    found = f"CASE WHEN r < 0 THEN q - {unit} WHEN r >= b * {unit} THEN q + {unit} ELSE q END"
    second = f"d + CAST(CAST(a - d * b AS DOUBLE) / y AS DECIMAL({_DIGITS},{scale}))"
    found = f"invoke(lambda q: invoke(lambda q, r: CAST({found} AS {goal}), q, a - q * b), {second})"
    guess = f"CAST(CAST(a AS DOUBLE) / y AS DECIMAL({_DIGITS},{first}))"
    operands = "abs({0}), abs({1}), CAST(abs({1}) AS DOUBLE)"
    found = f"invoke(lambda a, b, y: invoke(lambda d: {found}, {guess}), {operands})"
    sign = "CASE WHEN ({0} < 0) <> ({1} < 0) THEN -1 ELSE 1 END"
    most = 9 * 10 ** (_DIGITS - places - 1) if digits_before(left) + places >= _DIGITS else None
    before = min(digits_before(result) if result.name == "decimal" else 14, _SPLIT - scale)
    fits = digits_before(left) + (right.scale or 0) <= before  # a divisor is a unit at least
    return _Division(f"CAST({found} * {sign} AS {goal})", most, None, None if fits else before)


def _by_units(left: SqlType, right: SqlType, scale: int, goal: str) -> _Division | None:
    """Units by units, of a small dividend."""
    units = left.scale or 0
    zeros = scale + (right.scale or 0) - units
    most, limit = min(_most(left), _BIGINT // 10 ** (zeros + units)), _most(right)
    if most < _MILLION // 10 or limit < 1000 or scale > 19:
        return None
    found = f"({_in_units(0, left)} * 1{'0' * zeros}::BIGINT // {_in_units(1, right)})"
    return _Division(_shifted(found, scale, goal), most, limit, when="{1} <> 0")


def _by_rest(left: SqlType, right: SqlType, scale: int, goal: str) -> _Division | None:
    """The quotient in units is guessed by floats, whose error is less than 2 ** -51 of it; what it leaves has 64 bits,
    and says exactly how many units are to be added or taken off. The dividend gets the divisor's sign."""
    units, others = left.scale or 0, right.scale or 0
    zeros = scale + others - units
    most, limit = min(_most(left), 10 ** max(0, _SURE_REST - zeros - units)), _most(right)
    if zeros > _EXACT_POWER or most < _MILLION or limit < 1000:
        return None
    less = "CASE WHEN r < 0 THEN (r + 1) // b - 1 ELSE r // b END"
    more = "CASE WHEN r > 0 THEN (r - 1) // b + 1 ELSE r // b END"
    rest = f"CAST(CAST(a AS HUGEINT) * 1{'0' * zeros}::HUGEINT - q * CAST(b AS HUGEINT) AS BIGINT)"
    found = f"invoke(lambda q, r: q + CASE WHEN a < 0 THEN {more} ELSE {less} END, q, {rest})"
    guess = f"CAST(CAST(a AS DOUBLE) * 1e{zeros} / CAST(b AS DOUBLE) AS HUGEINT)"
    operands = f"{_in_units(0, left)} * sign({{1}}), abs({_in_units(1, right)})"
    found = f"invoke(lambda a, b: invoke(lambda q: {found}, {guess}), {operands})"
    unit = f"0.{1:0>{scale}}::DECIMAL({scale},{scale})"
    return _Division(f"CAST(CAST({found} AS DECIMAL({_DIGITS},0)) * {unit} AS {goal})", most, limit, when="{1} <> 0")


_SURE_REST: Final = 34
"""Digits of a dividend of which floats leave less than half of what 64 bits hold."""
_EXACT_POWER: Final = 22
"""Up to which power of ten floats have them exactly."""


def _by_digits(left: SqlType, right: SqlType, scale: int, goal: str) -> _Division | None:
    """Digit by digit, nine of them at a time, by a small divisor."""
    units, others = left.scale or 0, right.scale or 0
    more = scale - 18 if 18 < scale <= 20 else 0
    most = min(_most(left), (10**_IN_64_BITS - 1) // 10 ** (max(units, others) + more))  # a divisor may be a unit
    limit = min(_most(right), 9 * 10**9 // 10 ** max(units, others))
    if limit < 1000 or most < _MILLION:
        return None
    return _Division(_long_division(left, right, scale, goal), most, limit)


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


def remainder(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """DuckDB's remainder is exact within 38 digits; its sign is that of the dividend, as in T-SQL."""
    scale = max(left.scale or 0, right.scale or 0)
    digits = max(digits_before(left), digits_before(right)) + scale
    if digits > 38:
        return None
    common = f"DECIMAL({digits},{scale})"
    return Form(f"CAST(CAST({{0}} AS {common}) % CAST({{1}} AS {common}) AS {duck_type(result)})", "{1} = 0")
