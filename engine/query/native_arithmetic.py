"""Native forms of + - * / % over operands of the result's own kind.

DuckDB's integers overflow as T-SQL's do, with an error of their own (catalog.duckdb_errors knows it). Decimals are computed
as wide as the result's digits; those of a product or a quotient that 38 digits may not hold are odd. A float's overflow and
all divisions by zero are Python's, which raises the error.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import duck_type
from sbql.engine.query.native import Form, has_pairs
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import is_national, kind

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
        return _decimals(op, left.type, right.type, result)
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


def _decimals(op: str, left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    goal = duck_type(result)
    if op in "+-":
        if (result.scale or 0) < max(left.scale or 0, right.scale or 0):
            return None  # digits are lost of the sum, not of what is added
        return Form(f"CAST(CAST({{0}} AS {goal}) {op} CAST({{1}} AS {goal}) AS {goal})")
    if op == "*":
        return _product(left, right, result)
    return _quotient(left, right, result) if op == "/" else _remainder(left, right, result)


def _product(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """Each factor gets a physical type that the product fits: DuckDB keeps that of two factors of up to 18 digits within
    18. Factors of more than 38 digits together go as far as 19 digits each."""
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


def _quotient(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    return None


def _remainder(left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    """DuckDB's remainder is exact within 38 digits; its sign is that of the dividend, as in T-SQL."""
    scale = max(left.scale or 0, right.scale or 0)
    digits = max((t.precision or 18) - (t.scale or 0) for t in (left, right)) + scale
    if digits > 38:
        return None
    common = f"DECIMAL({digits},{scale})"
    return Form(f"CAST(CAST({{0}} AS {common}) % CAST({{1}} AS {common}) AS {duck_type(result)})", "{1} = 0")


# --- money, float, datetime --------------------------------------------------------------------------------

_LARGE: Final = {"money": "400000000000000", "smallmoney": "100000"}
"""Amounts whose sum may be none."""


def _amounts(op: str, result: SqlType) -> Form | None:
    goal, large = duck_type(result), _LARGE[result.name]
    if op in "+-":
        return Form(f"CAST({{0}} {op} {{1}} AS {goal})", f"abs({{0}}) > {large} OR abs({{1}}) > {large}")
    if op == "*":
        limit = "10000000" if result.name == "money" else "400"
        sql = f"CAST(CAST({{0}} AS DECIMAL(19,4)) * CAST({{1}} AS DECIMAL(19,4)) AS {goal})"
        return Form(sql, f"abs({{0}}) > {limit} OR abs({{1}}) > {limit}")
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
    """A number of days is a datetime since 1900. Whole days only: 300ths of a second are more than the milliseconds that stand
    for them."""
    odd = (
        "{1} <> date_trunc('day', {1}) OR {1} < TIMESTAMP '1800-01-01' OR {1} > TIMESTAMP '2000-01-01' "
        "OR {0} < TIMESTAMP '1860-01-01' OR {0} > TIMESTAMP '9890-01-01'"
    )
    return Form(f"({{0}} {op} ({{1}} - TIMESTAMP '1900-01-01'))", odd)
