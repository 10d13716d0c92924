"""Native forms of sql_variant: what numbers and dates are as one, what one is as a
number or text, and the name of its type.

A variant is stored as a text that sorts as it does (`grammar.values.compare`), the spelling of its type and that of its
value (`catalog.duck_types`). Text, whose key a collation makes, and all conversions between other types are Python's.
"""

from __future__ import annotations

from typing import Any, Final

from sbql.catalog.duck_types import duck_type, encoder, quote_literal
from sbql.engine.native.decimals import in_64_bits
from sbql.engine.native.forms import Call, Form, Forms, Row, in_form
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import MAX, SQL_VARIANT, SqlType, Variant, nvarchar
from sbql.grammar.values.kinds import digits_after, digits_before, digits_of_integer, kind, spelled

__all__ = ["VARIANTS", "base_of_other", "from_variant", "to_variant"]

_MOST_DIGITS: Final = 6
"""Behind the point: a number that is smaller has an exponent to Python."""


def to_variant(source: SqlType) -> Form | None:
    """The form of a value as a variant. Inside, x is the value and t its text."""
    family, text, odd = kind(source), "CAST(x AS VARCHAR)", ""
    if family in ("int", "bit"):
        text = "CAST(CAST(x AS UTINYINT) AS VARCHAR)" if family == "bit" else text
        sort = _sort_of_integer(source)
    elif family == "money" or family == "decimal" and source.precision != source.scale:
        digits, places = (15, 4) if family == "money" else (digits_before(source), digits_after(source))
        text = in_64_bits(source, "CAST({} AS VARCHAR)".format).replace("{0}", "x")
        sort = _sort_of_decimal(digits, places)
        odd = "abs({0}) < 0.000001" if places > _MOST_DIGITS else ""
    elif family == "float":
        text, sort = "CAST(CAST(x AS DOUBLE) AS VARCHAR)", _SORT_OF_FLOAT
        odd = "NOT (abs({0}) < 1e15 AND abs({0}) >= 0.0001 OR {0} = 0)"
    elif family == "guid":
        sort = f"concat('1', {', '.join(f'substring(t, {at}, {size})' for at, size in _GUID_PARTS)})"
    elif family == "date":
        text, sort = "strftime(x, '%Y-%m-%d')", "'6' || t || ' 00:00:00.0000000'"
    elif source.name == "smalldatetime":
        text, sort = "strftime(x, '%Y-%m-%dT%H:%M:%S')", "'6' || replace(t, 'T', ' ') || '.0000000'"
    else:
        return None
    packed = f"struct_pack(sort := {sort}, base := {quote_literal(str(source))}, text := t)"
    packed = f"CASE WHEN t IS NOT NULL THEN {packed} END"
    return Form(f"invoke(lambda x: invoke(lambda t: {packed}, {text}), {{0}})", odd)


_DIGITS: Final = 39
"""Before the point."""


def _zeros(digits: int) -> str:
    """What stands before so many digits and fewer, in a list: substring takes twice as long, and lpad eight times."""
    return f"[{', '.join(quote_literal('4P' + '0' * (_DIGITS - n)) for n in range(1, digits + 1))}]"


def _sort_of_integer(source: SqlType) -> str:
    """A number below zero is its complement, with nines for its other digits."""
    below = f"concat('4N{'9' * (_DIGITS - 10)}', 9999999999 + CAST(x AS BIGINT), '~')"
    if source.name == "bigint":
        below = f"concat('4N{'9' * (_DIGITS - 18)}', {10**18 - 1} + x, '~')"
        longest = f"concat('4N{'9' * (_DIGITS - 20)}', {10**20 - 1}::HUGEINT + x, '~')"
        below = f"CASE WHEN x < -800000000000000000 THEN {longest} ELSE {below} END"
    zeros = _zeros(digits_of_integer(source.name))
    return f"CASE WHEN starts_with(t, '-') THEN {below} ELSE concat({zeros}[strlen(t)], t) END"


def _sort_of_decimal(digits: int, places: int) -> str:
    """Of a decimal with so many digits before the point and behind it: zeros at its end do not count. The complement of
    all its digits is a number of 18 digits, or else made sign by sign, which takes longer."""
    behind = places + 1 if places else 0
    whole = f"substring(t, 1, strlen(t) - {behind})" if places else "t"
    fraction = f"rtrim(substring(t, strlen(t) - {places - 1}), '0')" if places else "''"
    above = f"concat({_zeros(digits)}[strlen(t) - {behind}], {whole}, {fraction})"
    number = "CAST(replace(t, '.', '') AS BIGINT)" if places else "CAST(t AS BIGINT)"
    below = _complement_of_decimal(whole, fraction)
    if places <= _MOST_SHORT:
        cut = f"rtrim(substring(c, {19 - places}), '9')" if places else "''"
        short = f"concat('4N{'9' * (_DIGITS - 18 + places)}', substring(c, 1, {18 - places}), {cut}, '~')"
        short = f"invoke(lambda c: {short}, CAST({10**18 - 1} + {number} AS VARCHAR))"
        below = f"CASE WHEN strlen(t) > 18 THEN {below} ELSE {short} END"
    return f"CASE WHEN starts_with(t, '-') THEN {below} ELSE {above} END"


_MOST_SHORT: Final = 15
"""Places of a number whose complement may be one of 18 digits."""


def _complement_of_decimal(whole: str, fraction: str) -> str:
    zeros = f"substring('{'0' * _DIGITS}', strlen({whole}))"
    return f"'4N' || translate(concat({zeros}, substring({whole}, 2), {fraction}), '0123456789', '9876543210') || '~'"


_BITS: Final = "CAST(CAST(CAST(x AS DOUBLE) AS BIT) AS BIGINT)"
_SORT_OF_FLOAT: Final = (
    f"'5' || to_hex(CASE WHEN x = 0 THEN {-(2**63)} WHEN x < 0 THEN ~{_BITS} ELSE {_BITS} | {-(2**63)} END)"
)
"""All bits; those of a number that is not below zero have another sign. Sixteen digits, but of numbers that are odd."""
_GUID_PARTS: Final = ((25, 12), (20, 4), (17, 2), (15, 2), (12, 2), (10, 2), (7, 2), (5, 2), (3, 2), (1, 2))
"""The digits of a GUID in the order in which they decide (guid_sort_key)."""


def from_variant(target: SqlType) -> Form | None:
    """Whole numbers as such and as text, and text of ASCII as text."""
    is_whole = f"{_BASE} IN ('tinyint', 'smallint', 'int', 'bigint')"
    if kind(target) == "int":
        found = f"CASE WHEN {is_whole} THEN TRY_CAST({_TEXT} AS {duck_type(target)}) END"
    elif target.name in ("varchar", "nvarchar"):
        is_any = target.length == MAX
        is_text = f"(starts_with({_BASE}, 'varchar(') OR starts_with({_BASE}, 'nvarchar(')) AND strlen({_TEXT}) = length({_TEXT})"
        text = _TEXT if is_any else f"left({_TEXT}, {target.length or 1})"
        number = f"WHEN {is_whole} THEN {_TEXT}" if is_any or (target.length or 1) >= _LONGEST_NUMBER else ""
        found = f"CASE WHEN {is_text} THEN {text} {number} END"
    else:
        return None
    return Form(f"invoke(lambda x: {found}, {{0}})", misses=True)


_BASE: Final = "struct_extract(x, 'base')"
_TEXT: Final = "struct_extract(x, 'text')"
"""Parts of the variant x. With a dot they would be columns of a table of that name."""
_LONGEST_NUMBER: Final = 20

_BASES: Final = (
    "bigint", "binary", "bit", "char", "date", "datetime", "datetime2", "datetimeoffset", "decimal", "float", "int", "money", "nchar", "numeric", "nvarchar", "real",
    "smalldatetime", "smallint", "smallmoney", "time", "tinyint", "uniqueidentifier", "varbinary", "varchar",
)  # fmt: skip


def _property(call: Call) -> Form | None:
    """The name of the type, itself a variant."""
    if not _is_base(call.values[1]):
        return None
    names = " ".join(f"WHEN '{name}' THEN {_stored_name(name)}" for name in _BASES)
    return Form(f"CASE split_part(({{0}}).base, '(', 1) {names} END", misses=True)


def base_of_other(value: Typed, wanted: Any) -> str | None:
    """SQL_VARIANT_PROPERTY of what is no variant yet, whose type says it all: NULL for NULL.
    None for other properties and types."""
    if not _is_base(wanted):
        return None
    name = value.type.word if value.type.name == "decimal" else spelled(value.type)
    return f"CASE WHEN {value.sql} IS NOT NULL THEN {_stored_name(name).format()} END" if name in _BASES else None


def _is_base(wanted: Any) -> bool:
    return isinstance(wanted, str) and wanted.strip().lower() == "basetype"


def _stored_name(name: str) -> str:
    encode = encoder(SQL_VARIANT)
    assert encode is not None
    stored = encode(Variant(nvarchar(128), name))
    return f"struct_pack({', '.join(f'{part} := {in_form(quote_literal(text))}' for part, text in stored.items())})"


VARIANTS: Final[Forms] = {"SQL_VARIANT_PROPERTY": (Row("variant string", _property),)}
"""Functions to their forms."""
