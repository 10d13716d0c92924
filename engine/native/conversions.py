"""Native forms of conversions: CAST, CONVERT, assignments and implicit conversions.

What always fits is plain SQL; what may not fit, or be no number or date, is odd and goes to the
converter of `grammar.values`, which has the value or the error. What is read from text is said by
`text_values`. TRY_CAST has the same forms; only its Python form gives NULL instead of errors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import msgspec

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.binary import binary_of_guid, binary_of_integer, binary_of_text, from_binary
from sbql.engine.native.date_conversions import date_from_number, date_from_whole_days, from_date
from sbql.engine.native.date_texts import date_text
from sbql.engine.native.decimals import MOST_MONEY, fewer_places, in_64_bits
from sbql.engine.native.forms import Form, beyond_ascii, has_pairs, in_form
from sbql.engine.native.number_texts import integer_text, number_text, padded
from sbql.engine.native.numbers import as_exact
from sbql.engine.native.offset_texts import offset_text
from sbql.engine.native.text_values import value_of_text
from sbql.engine.native.variants import from_variant, to_variant
from sbql.engine.tables.typed_sql import INTEGER_TYPES
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.codepage import CHARACTERS_1252
from sbql.grammar.values.kinds import (
    INTEGER_RANGES,
    digits_after,
    digits_before,
    digits_of_integer,
    is_national,
    is_wide,
    kind,
)
from sbql.grammar.values.languages import DateFormat
from sbql.grammar.values.numbers import MONEY_RANGES

__all__ = ["conversion_form"]


def conversion_form(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> Form | None:
    """The form of a conversion that changes the value, if it has one."""
    family, goal = kind(source), kind(target)
    if goal == "variant":
        return to_variant(source)
    if family == "variant":
        return from_variant(target) if style is None else None
    if family in ("int", "bit"):
        return _from_integer(source, target, goal, style)
    if family == "string":
        return _from_text(source, target, goal, style, dates)
    if family == "guid" and goal == "binary":
        return binary_of_guid(target) if style in (None, 0) else None
    if family == "binary" and goal != "binary":
        return from_binary(source, target, style)
    if goal == "string":
        return _to_text(source, target, style, dates)
    if family == "binary":
        return Form("{0}") if goal == "binary" and target.name == "varbinary" and target.length == MAX else None
    if family in ("decimal", "money", "float"):
        return _from_number(source, target, goal)
    if family in ("date", "time", "datetime", "datetime2", "datetimeoffset"):
        return from_date(source, target)
    return None


def _cast(target: SqlType, operand: str = "{0}") -> str:
    return f"CAST({operand} AS {duck_type(target)})"


def _outside(low: object, high: object) -> str:
    return f"{{0}} < {low} OR {{0}} > {high}"


# --- numbers -----------------------------------------------------------------------------------------------


def _from_integer(source: SqlType, target: SqlType, goal: str, style: int | None) -> Form | None:
    is_bit = source.name == "bit"
    number = "CAST({0} AS UTINYINT)" if is_bit else "{0}"
    if goal == "int":
        if INTEGER_TYPES.index(target.name) > INTEGER_TYPES.index(source.name):
            return Form(_cast(target))
        return Form(_cast(target), _outside(*INTEGER_RANGES[target.name]))
    if goal == "bit":
        return Form("({0} <> 0)")
    if goal == "float":
        return Form(_as_float(target, number))
    if goal == "decimal":
        if digits_before(target) >= digits_of_integer(source.name):
            return Form(_cast(target, number))
        limit = "9" * digits_before(target)
        return None if is_bit or not limit else Form(_cast(target), _outside(f"-{limit}", limit))
    if goal == "money":
        if is_bit or target.name == "money" and source.name != "bigint":
            return Form(_cast(target, number))
        limit = "200000" if target.name == "smallmoney" else "900000000000000"
        return Form(_cast(target), _outside(f"-{limit}", limit))
    if goal == "datetime" and not is_bit:
        return date_from_whole_days(target)
    if goal == "binary":
        return binary_of_integer(source, target) if style in (None, 0) else None
    return integer_text(source, target) if goal == "string" else None


def _from_number(source: SqlType, target: SqlType, goal: str) -> Form | None:
    family = kind(source)
    if goal == "bit":
        return Form("({0} <> 0)")
    if goal == "float":
        is_longer = source.name == "float" and target.name == "real"
        return Form(_as_float(target), "abs({0}) > 3e38" if is_longer else "")
    if goal == "int":
        return _whole_number(family, source, target)
    if goal == "datetime":
        return date_from_number(target)
    if family == "float":
        return _from_float(source, target, goal)
    if goal == "decimal":
        if family == "decimal" and digits_before(target) > digits_before(source):
            return Form(fewer_places(source, target))
        if (
            family == "decimal"
            and digits_before(target) == digits_before(source)
            and digits_after(target) >= digits_after(source)
        ):
            return Form(_cast(target))
        if family == "money" and digits_before(target) >= (15 if source.name == "money" else 6):
            return Form(fewer_places(source, target))
        limit = "9" * digits_before(target)  # beyond it a number may be rounded up to one more digit
        return Form(fewer_places(source, target), f"abs({{0}}) > {limit}") if limit else None
    if goal == "money":
        limit = str(int(MONEY_RANGES[target.name][1]))
        if family == "money":
            return Form(_cast(target), f"abs({{0}}) > {limit}" if target.name == "smallmoney" else "")
        fits = digits_before(source) < len(limit)
        return Form(fewer_places(source, target), "" if fits else f"abs({{0}}) > {limit}")
    return None


def _as_float(target: SqlType, number: str = "{0}") -> str:
    """A real is what the float is that a number becomes: of long ones DuckDB makes another one at once."""
    return f"CAST(CAST({number} AS DOUBLE) AS FLOAT)" if target.name == "real" else _cast(target, number)


def _from_float(source: SqlType, target: SqlType, goal: str) -> Form | None:
    if goal not in ("decimal", "money"):
        return None
    before = digits_before(target) if goal == "decimal" else 14 if target.name == "money" else 5
    exact = as_exact("{0}", target, is_real=source.name == "real")
    return Form(exact, f"NOT abs({{0}}) < 1e{before} - 1") if before else None


def _whole_number(family: str, source: SqlType, target: SqlType) -> Form | None:
    """Decimals and floats are cut off, money is rounded. DuckDB has no room for a bound with more digits than
    the decimal has before its point."""
    low, high = INTEGER_RANGES[target.name]
    if family == "decimal" and digits_before(source) < len(str(high)):
        return Form(_cast(target, "trunc({0})"), "{0} < 0" if low == 0 else "")
    if target.name == "bigint":
        high = MOST_MONEY if family == "money" else 10**15
        low = -high
    elif low < 0:
        low, high = low + 1, high - 1
    if family == "float":
        # A bound beside a real becomes one, and 2147483646 the real 2147483648.
        outside = _outside(low, high).replace("{0}", "CAST({0} AS DOUBLE)" if source.name == "real" else "{0}")
        return Form(_cast(target, "trunc({0})"), f"{outside} OR isnan({{0}})")
    cut = "{}" if family == "money" else "trunc({})"
    return Form(in_64_bits(source, lambda number: _cast(target, cut.format(number)), high), _outside(low, high))


# --- to text -----------------------------------------------------------------------------------------------


def _to_text(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> Form | None:
    family, length = kind(source), target.length
    if target.name not in ("varchar", "nvarchar", "char", "nchar"):
        return None
    if family == "guid" and (length == MAX or (length or 0) >= 36):
        return msgspec.structs.replace(padded("upper(CAST({0} AS VARCHAR))", target), is_ordered=True)
    if family in ("date", "time", "datetime", "datetime2", "datetimeoffset"):
        if family == "datetimeoffset":
            found = offset_text(source, style, dates)
        else:
            found = date_text(source, style, dates, None if length == MAX else length)
        if found is None:
            return None
        sql, longest, is_ordered = found
        if length is not None and length != MAX and length < longest:
            sql = f"left({sql}, {length})"
        return msgspec.structs.replace(padded(sql, target), is_ordered=is_ordered)
    return number_text(source, target, style) if family in ("decimal", "money", "float") else None


# --- from text ---------------------------------------------------------------------------------------------


def _from_text(source: SqlType, target: SqlType, goal: str, style: int | None, dates: DateFormat) -> Form | None:
    if goal == "string":
        return _text(source, target)
    if goal == "xml" and style in (None, 0) and target.collection is None:
        return _characters(source)
    if goal == "binary" and target.name == "varbinary" and style in (None, 0):
        return binary_of_text(source, target)
    return value_of_text(source, target, style, dates)


def _characters(source: SqlType) -> Form:
    """An xml value without marks; white space alone is none."""
    marks = "regexp_matches({0}, '[<>&\\x00-\\x08\\x0b-\\x1f\\x{{fffe}}\\x{{ffff}}]')"
    blank = "trim({0}, ' ' || chr(9) || chr(10)) = ''"
    odd = f"{marks} OR {has_pairs('{0}')}" if is_national(source) else marks
    return Form(f"CASE WHEN ascii({{0}}) > 32 THEN {{0}} WHEN {blank} THEN '' ELSE {{0}} END", odd)


def _text(source: SqlType, target: SqlType) -> Form | None:
    if is_wide(source) or is_wide(target) or (is_national(source) and not is_national(target)):
        return _narrowed(source, target)
    odd = has_pairs("{0}") if is_national(source) else ""  # lengths count units
    if target.name in ("char", "nchar"):
        return Form(f"rpad({{0}}, {target.length}, ' ')", odd)
    if target.length in (MAX, None) or (
        source.length not in (MAX, None) and (source.length or 0) <= (target.length or 0)
    ):
        return Form("{0}")
    # DuckDB's left() counts the characters of each text; no text has more units than bytes.
    is_long, cut = f"strlen({{0}}) > {target.length}", f"left({{0}}, {target.length})"
    sql = f"(CASE WHEN {is_long} THEN {cut} ELSE {{0}} END)"
    return Form(sql, f"{is_long} AND {odd}") if odd else Form(sql, once=cut)


def _narrowed(source: SqlType, target: SqlType) -> Form | None:
    """Text of ASCII is the same in every code page, and the default one keeps most of what western Europe writes."""
    narrow = "char" if source.name in ("char", "nchar") else "varchar"
    wide = _text(replace(source, name=narrow, collation=None), replace(target, collation=None))
    odd = beyond_ascii("{0}")
    if not (is_wide(source) or is_wide(target)):
        odd = f"{odd} AND regexp_matches({{0}}, '{in_form(_BEYOND_1252)}')"
    return msgspec.structs.replace(wide, odd=odd, once="") if wide is not None else None


_BEYOND_LATIN_1: Final = "".join(rf"\x{{{ord(c):x}}}" for c in sorted(CHARACTERS_1252) if ord(c) > 0xFF)
_BEYOND_1252: Final = rf"[^\x00-\x7f\xa0-\xff{_BEYOND_LATIN_1}]"
"""A character that the code page lacks, as a regular expression; or a control character, which is rare."""
