"""Native forms of sql_variant: what numbers and dates are as one, what one is as a
number or text, and the name of its type.

A variant is stored as a text that sorts as it does (`grammar.values.compare`), the spelling of its type and that of its
value (`catalog.duck_types`). Text, whose key a collation makes, and all conversions between other types are Python's.
"""

from __future__ import annotations

from typing import Any, Final

from sbql.catalog.duck_types import duck_type, encoder, quote_literal
from sbql.engine.native.forms import Call, Form, Forms, Row, in_form
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import MAX, SQL_VARIANT, SqlType, Variant, nvarchar
from sbql.grammar.values.kinds import kind, spelled

__all__ = ["VARIANTS", "base_of_other", "from_variant", "to_variant"]

_MOST_DIGITS: Final = 6
"""Behind the point: a smaller number Python writes with an exponent. One without digits before it
DuckDB writes without a 0 there."""


def to_variant(source: SqlType) -> Form | None:
    family = kind(source)
    text = "CAST({0} AS VARCHAR)"
    if family == "int":
        sort = _sort_of_number("t", "''", _BELOW)
    elif (
        family == "decimal"
        and source.spelling is None
        and source.precision != source.scale
        and (source.scale or 0) <= _MOST_DIGITS
    ):
        sort = _sort_of_number("split_part(t, '.', 1)", "rtrim(split_part(t, '.', 2), '0')")
    elif family == "date":
        text, sort = "strftime({0}, '%Y-%m-%d')", "'6' || t || ' 00:00:00.0000000'"
    else:
        return None
    packed = f"struct_pack(sort := {sort}, base := {quote_literal(str(source))}, text := t)"
    return Form(f"invoke(lambda t: CASE WHEN t IS NOT NULL THEN {packed} END, {text})")


def _sort_of_number(whole: str, fraction: str, below: str = "") -> str:
    """39 digits before the point and those behind it; `below` zero their complements. A zero has no sign."""
    above = f"concat('4P', {_zeros_before(whole)}, {whole}, {fraction})"
    if not below:
        digits = f"concat({_zeros_before(f'substring({whole}, 2)')}, substring({whole}, 2), {fraction})"
        below = f"'4N' || translate({digits}, '0123456789', '9876543210') || '~'"
    return f"CASE WHEN starts_with(t, '-') THEN {below} ELSE {above} END"


def _zeros_before(digits: str) -> str:
    """lpad takes eight times as long."""
    return f"substring('{'0' * 39}', 1 + strlen({digits}))"


_BELOW: Final = f"concat('4N{'9' * 19}', {'9' * 20}::HUGEINT + CAST(t AS HUGEINT), '~')"
"""The complement of a whole number of at most nineteen digits: twenty, the first of which is a nine."""


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
