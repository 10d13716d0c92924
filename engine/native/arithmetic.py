"""Native forms of + - * / % over operands of the result's own kind, and of money and whole numbers.

DuckDB's integers overflow as T-SQL's do, with an error of their own (catalog.duckdb_errors knows it). Decimals are
computed as wide as the result's digits; those of a product or a quotient that 38 digits may not hold are odd. A float's
overflow and all divisions by zero are Python's, which raises the error.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import msgspec

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.decimals import by_known, divided, product, quotient, remainder
from sbql.engine.native.forms import Form, has_pairs
from sbql.engine.native.moments import to_300ths
from sbql.engine.tables.typed_sql import Joined, Typed
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import digits_of_integer, is_national, kind

__all__ = ["amount_form", "are_ordered", "bounds_of", "joined_texts", "operator_form", "over_whole_numbers"]


def operator_form(op: str, left: Typed, right: Typed, result: SqlType) -> Form | None:
    """The form of `left op right`, if it has one."""
    family = kind(result)
    if family == "string":
        return _concatenation(left, right, result) if op == "+" else None
    if family == "datetime" and kind(left.type) == kind(right.type) == family:
        return _date_sum(op, result)
    if kind(left.type) != family or kind(right.type) != family:
        return None
    if family == "int":
        return _integers(op, right)
    if family == "decimal":
        return _decimals(op, left.type, right, result)
    if family == "money":
        return _amounts(op, _AMOUNT, _AMOUNT, result)
    return _floats(op, result) if family == "float" else None


def bounds_of(op: str, left: Typed, right: Typed, result: SqlType) -> tuple[int, int] | None:
    """Between which whole numbers a sum or a difference is, if that is known."""
    one, other = left.bounds, right.bounds
    if op not in "+-" or kind(result) != "int" or one is None or other is None:
        return None
    return (one[0] + other[0], one[1] + other[1]) if op == "+" else (one[0] - other[1], one[1] - other[0])


def amount_form(op: str, left: SqlType, right: SqlType, result: SqlType, divisor: Typed | None = None) -> Form | None:
    """The form of `left op right` where one of them is money and the other one a whole number, not made money first."""
    if result.name != "money" or op not in "*/" or "bigint" in (left.name, right.name):
        return None
    if left.name == "money" and kind(right) == "int":
        number = SqlType("decimal", precision=digits_of_integer(right.name), scale=0)
        constant = (
            divisor.constant.run(None) if divisor is not None and divisor.is_literal and divisor.constant else None
        )
        known = by_known(_AMOUNT, constant, result) if op == "/" and constant is not None else None
        form, place = known or _amounts(op, _AMOUNT, number, result), 1
    elif op == "*" and right.name == "money" and kind(left) == "int":
        number = SqlType("decimal", precision=digits_of_integer(left.name), scale=0)
        form, place = _amounts(op, number, _AMOUNT, result), 0
    else:
        return None
    return form and _with_operand(form, place, f"CAST({{{place}}} AS {duck_type(number)})")


def over_whole_numbers(form: Form, given: Sequence[Typed], operands: Sequence[Typed]) -> tuple[Form, list[Typed]]:
    """A quotient of decimals over what `operands` were made of where these are whole numbers: as such they need not be
    made decimals first."""
    found = list(operands)
    for place, (value, operand) in enumerate(zip(given, operands, strict=True)):
        if kind(value.type) == "int" and value.constant is None and operand.type.scale == 0:
            form = _with_operand(form, place, f"CAST({{{place}}} AS {duck_type(operand.type)})")
            found[place] = value
    return form, found


def _with_operand(form: Form, place: int, text: str) -> Form:
    """The form with an operand that has another text. As a BIGINT, and beside 0, the operand itself does."""
    number = f"{{{place}}}"
    for cast in (f"CAST({number} AS DECIMAL(18,0))", number):
        form = _replaced(form, f"CAST({cast} AS BIGINT)", _PLAIN)
    for test in ("<> 0", "= 0"):
        form = _replaced(form, f"{number} {test}", f"{_ITSELF} {test}")
    form = _replaced(form, number, text)
    return _replaced(_replaced(form, _PLAIN, f"CAST({number} AS BIGINT)"), _ITSELF, number)


_PLAIN, _ITSELF = "\0plain", "\0itself"


def _replaced(form: Form, before: str, behind: str) -> Form:
    texts = (form.sql, form.odd, form.when, form.quick)
    sql, odd, when, quick = (one.replace(before, behind) for one in texts)
    return msgspec.structs.replace(form, sql=sql, odd=odd, when=when, quick=quick)


_JOINED: Final = Form("({0} || {1})")


def joined_texts(form: Form | None, operands: Sequence[Typed]) -> Joined | None:
    """The operands of a chain of + of texts as one text of DuckDB's: concat() of three takes half of the time of two
    operators, but takes NULL for nothing. None for any other form."""
    if form is not _JOINED:
        return None
    pieces: list[Typed] = []
    for operand in operands:
        is_chain = operand.joined is not None and operand.joined.of == operand.sql
        pieces += operand.joined.pieces if is_chain and operand.joined is not None else (operand,)
    return Joined(_together(pieces), tuple(pieces))


def are_ordered(pieces: Sequence[Typed]) -> bool:
    """Whether texts of one layout each, and signs that are the same in all rows, are of one layout together."""
    return any(piece.has_own_order for piece in pieces) and all(
        piece.has_own_order or (_is_ascii(piece) and not piece.nullable) for piece in pieces
    )


def _is_ascii(piece: Typed) -> bool:
    value = piece.constant.run(None) if piece.is_literal and piece.constant is not None else None
    return isinstance(value, str) and value.isascii()


def _together(pieces: Sequence[Typed]) -> str:
    """By concat() what is never NULL or is cheap to be asked, by the operator what is neither."""
    runs: list[str] = []
    for is_plain, group in groupby(pieces, lambda piece: not piece.nullable or "(" not in piece.sql):
        run = list(group)
        if not is_plain or len(run) < 3:
            runs += [piece.sql for piece in run]
            continue
        text = f"concat({', '.join(piece.sql for piece in run)})"
        known = " AND ".join(dict.fromkeys(f"{piece.sql} IS NOT NULL" for piece in run if piece.nullable))
        runs.append(f"CASE WHEN {known} THEN {text} END" if known else text)
    return f"({' || '.join(runs)})"


def _concatenation(left: Typed, right: Typed, result: SqlType) -> Form:
    if _may_be_cut(left.type, right.type, result):
        # DuckDB's left() counts the characters of each text; no text has more units than bytes.
        longest = result.length or 0
        cut = f"invoke(lambda t: CASE WHEN strlen(t) > {longest} THEN left(t, {longest}) ELSE t END, {{0}} || {{1}})"
        is_long = f"strlen({{0}}) + strlen({{1}}) > {longest}"
        return Form(cut, f"{is_long} AND {has_pairs('({0} || {1})')}" if is_national(result) else "")
    return _JOINED


def _may_be_cut(left: SqlType, right: SqlType, result: SqlType) -> bool:
    """Whether two texts may be longer than their sum can be. What was converted to nvarchar has no length of its own:
    then the sum says whether it is as long as any may be."""
    if result.length in (MAX, None):
        return False
    if MAX in (left.length, right.length):
        return (result.length or 0) >= (4000 if is_national(result) else 8000)
    return (left.length or 0) + (right.length or 0) > (result.length or 0)


def _integers(op: str, right: Typed) -> Form:
    if op == "%" and not right.sql.isdigit():  # DuckDB divides the smallest number by -1, and overflows
        return Form("(CASE WHEN {1} = -1 THEN {0} & 0 ELSE {0} % {1} END)")
    if op in "&|+-*%":
        return Form(f"({{0}} {op} {{1}})")
    return Form("({0} // {1})" if op == "/" else "xor({0}, {1})")


def _decimals(op: str, left: SqlType, right: Typed, result: SqlType) -> Form | None:
    if op in "+-":
        if (result.scale or 0) < max(left.scale or 0, right.type.scale or 0):
            return None  # digits are lost of the sum, not of what is added
        goal = duck_type(result)
        return Form(f"CAST(CAST({{0}} AS {goal}) {op} CAST({{1}} AS {goal}) AS {goal})")
    if op == "*":
        return product(left, right.type, result)
    return remainder(left, right.type, result) if op == "%" else divided(left, right, result)


# --- money, float, datetime --------------------------------------------------------------------------------

_LARGE: Final = {"money": "400000000000000", "smallmoney": "100000"}
"""Amounts whose sum may be none."""
_AMOUNT: Final = SqlType("decimal", precision=19, scale=4)


def _amounts(op: str, left: SqlType, right: SqlType, result: SqlType) -> Form | None:
    goal, large = duck_type(result), _LARGE[result.name]
    if op in "+-":
        return Form(f"CAST({{0}} {op} {{1}} AS {goal})", f"abs({{0}}) > {large} OR abs({{1}}) > {large}")
    if op == "*":
        limit = "9e14" if result.name == "money" else "2e5"
        form = product(left, right, result)
        return form and Form(form.sql, f"abs(CAST({{0}} AS DOUBLE) * CAST({{1}} AS DOUBLE)) > {limit}")
    if op == "/":
        form = quotient(left, right, result)
        beside = "abs({1}) < 1 AND abs({0}) > 90000000000"  # of which ten thousand times as much is no amount
        if result.name == "smallmoney":
            beside = "abs({1}) < 1 OR abs({0}) > 200000"
        if form is None or not form.when:
            return form and msgspec.structs.replace(form, odd=f"{form.odd} OR {beside}")
        when = f"{form.when} AND NOT ({beside})"
        return msgspec.structs.replace(form, odd=f"{form.odd} OR {beside}", when=when)
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


def _date_sum(op: str, result: SqlType) -> Form:
    """A datetime is a number of days since 1900: what both show is added up and rounded. Minutes need no rounding."""
    low, high = _ENDS[result.name]
    stored = to_300ths("r") if result.name == "datetime" else "make_timestamp(r)"
    found = f"CASE WHEN r BETWEEN epoch_us(TIMESTAMP '{low}') AND epoch_us(TIMESTAMP '{high}') THEN {stored} END"
    more = "epoch_us({1}) - epoch_us(TIMESTAMP '1900-01-01')"
    return Form(f"invoke(lambda r: {found}, epoch_us({{0}}) {op} ({more}))", misses=True)


_ENDS: Final = {"datetime": ("1753-01-02", "9999-12-30"), "smalldatetime": ("1900-01-01", "2079-06-06")}
"""Between them a sum is a value of its type, however it is rounded."""
