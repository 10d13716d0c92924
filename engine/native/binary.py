"""Native forms of conversions between binary strings, text, whole numbers and GUIDs.

Bytes below 128 are the same characters in every code page, and in UTF-16 each with a byte 0 behind it. Other bytes and
NUL characters are Python's.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.forms import Form, beyond_ascii
from sbql.engine.tables.guid_words import bytes_turned
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import is_national, kind

__all__ = ["binary_of_guid", "binary_of_integer", "binary_of_text", "from_binary"]

_SIZES: Final = {"tinyint": 1, "smallint": 2, "int": 4, "bigint": 8}
_NARROW_UNITS: Final = "'((0[1-9A-F]|[1-7][0-9A-F])00)*'"
"""Characters of ASCII in UTF-16, as hexadecimal digits."""


def binary_of_integer(source: SqlType, target: SqlType) -> Form | None:
    """The last bytes, the highest first; binary is filled up in front."""
    size, wanted = _SIZES.get(source.name), target.length
    if size is None or target.name not in ("binary", "varbinary"):
        return None
    digits = "lpad(hex(CAST({0} AS BIGINT)), 16, '0')"
    if wanted in (MAX, None) or wanted >= size:
        digits = f"right({digits}, {2 * size})" if size < 8 else digits
        if target.name == "binary":
            digits = f"lpad({digits}, {2 * (wanted or 1)}, '0')"
    else:
        digits = f"right({digits}, {2 * wanted})"
    return Form(f"unhex({digits})")


def binary_of_text(source: SqlType, target: SqlType) -> Form | None:
    """Of varchar the bytes, of nvarchar with a 0 behind each."""
    if source.name in ("text", "ntext"):
        return None
    size, cut = target.length or 1, "{0}"
    if size != MAX:
        units = size // 2 if is_national(source) else size
        if is_national(source) and size % 2:
            return None
        if source.length in (MAX, None) or (source.length or 0) > units:
            cut = f"left({{0}}, {units})"
    if not is_national(source):
        return Form(f"encode({cut})", beyond_ascii("{0}"))
    return Form(
        f"encode(array_to_string(string_split({cut}, ''), chr(0)) || chr(0))", f"{{0}} = '' OR {beyond_ascii('{0}')}"
    )


def binary_of_guid(target: SqlType) -> Form | None:
    size = 16 if target.length == MAX else target.length or 1
    if target.name not in ("binary", "varbinary") or size < 16:
        return None
    fill = f" || unhex('{'00' * (size - 16)}')" if target.name == "binary" and size > 16 else ""
    return Form(f"(CAST({bytes_turned('{0}')} AS BLOB){fill})")


def from_binary(source: SqlType, target: SqlType, style: int | None) -> Form | None:
    """The form of a conversion from a binary string, None where there is none. `style` is that of CONVERT."""
    if source.name not in ("binary", "varbinary"):
        return None
    if kind(target) == "int" and style is None:
        return _integer(source, target)
    if kind(target) == "guid" and style is None:
        return Form(bytes_turned("CAST({0} AS UUID)"), "octet_length({0}) <> 16")
    if target.name not in ("char", "varchar", "nchar", "nvarchar"):
        return None
    if style in (1, 2):
        return _digits(target, "'0x' || " if style == 1 else "")
    return _text(source, target) if style in (None, 0) else None


def _integer(source: SqlType, target: SqlType) -> Form:
    """The last bytes."""
    size = _SIZES[target.name]
    digits = "hex({0})"
    if source.length in (MAX, None) or (source.length or 1) > size:
        digits = f"right({digits}, {2 * size})"
    if target.name == "bigint":
        sign = f"CASE WHEN n >= {2**63} THEN CAST(CAST(n AS HUGEINT) - {2**64} AS BIGINT) ELSE CAST(n AS BIGINT) END"
        number = f"invoke(lambda n: {sign}, CAST('0x' || {digits} AS UBIGINT))"
    else:
        number = f"CAST('0x' || {digits} AS BIGINT)"
    if target.name in ("smallint", "int"):
        highest = 1 << 8 * size
        number = f"invoke(lambda n: CASE WHEN n >= {highest // 2} THEN n - {highest} ELSE n END, {number})"
    return Form(f"CAST({number} AS {duck_type(target)})", "octet_length({0}) = 0")


def _digits(target: SqlType, before: str) -> Form | None:
    """All digits, in capital letters; where they may not fit is Python's."""
    if target.name not in ("varchar", "nvarchar"):
        return None
    odd = "" if target.length == MAX else f"octet_length({{0}}) > {((target.length or 1) - (2 if before else 0)) // 2}"
    return Form(f"({before}hex({{0}}))", odd, is_distinct=True, is_ordered_alone=True)


def _text(source: SqlType, target: SqlType) -> Form:
    size, longest = source.length or 1, target.length or 1
    may_be_cut = longest != MAX and (size == MAX or size > longest * (2 if is_national(target) else 1))
    if is_national(target):
        found = f"CASE WHEN regexp_full_match(hex({{0}}), {_NARROW_UNITS}) THEN replace(decode({{0}}), chr(0), '') END"
    else:
        plain = "strlen(d) = length(d) AND NOT contains(d, chr(0))"
        found = f"invoke(lambda b: invoke(lambda d: CASE WHEN {plain} THEN d END, TRY(decode(b))), {{0}})"
    if target.name in ("char", "nchar"):
        found = f"rpad({found}, {target.length}, ' ')"
    elif may_be_cut:
        found = f"left({found}, {target.length})"
    return Form(found, misses=True)
