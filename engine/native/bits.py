"""Native forms of the functions of bits, and of CHECKSUM over whole numbers, GUIDs and text of ASCII.

DuckDB shifts no number over its end, so numbers of 32 bits are shifted as BIGINT without a sign. A checksum rotates
what it has by four bits for each part, and each byte of a text is a part.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.native.forms import Call, Form, Forms, Row, beyond_ascii
from sbql.engine.tables.comparison_keys import without_blanks
from sbql.engine.tables.guid_words import over_words
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import is_national, is_utf8, kind, storage_size

__all__ = ["BITS"]

_ALL: Final = 2**32 - 1
_NULL_PART: Final = 2**31 - 1
_HALVES: Final = 0x0F0F0F0F
_ROTATED: Final = f"xor(((a << 4) & {_ALL}) | (a >> 28), b)"
"""What a checksum `a` becomes by a part `b`."""
_ROTATED_BY_UNIT: Final = f"xor(((a << 8) & {_ALL}) | (a >> 24), b << 4)"
"""What it becomes by a unit of national text that is ASCII: that, and a byte of zero."""


def _signed(number: str) -> str:
    """An INTEGER with these 32 bits."""
    return f"CAST(xor({number}, {2**31}) - {2**31} AS INTEGER)"


def _places(call: Call) -> str:
    return f"{{1}} < 0 OR {{1}} >= {8 * storage_size(call.types[0])}"


def _get_bit(call: Call) -> Form:
    return Form("CAST((CAST({0} AS BIGINT) >> CAST({1} AS BIGINT)) & 1 AS BOOLEAN)", _places(call))


def _set_bit(call: Call) -> Form | None:
    if call.types[0].name != "int":
        return None
    bits = f"(CAST({{0}} AS BIGINT) & {_ALL}) | (CAST(1 AS BIGINT) << CAST({{1}} AS BIGINT))"
    return Form(_signed(bits), _places(call))


def _shifted(sign: str) -> Row:
    def form(call: Call) -> Form | None:
        if call.types[0].name != "int":
            return None
        bits = f"(CAST({{0}} AS BIGINT) & {_ALL}) {sign} CAST({{1}} AS BIGINT)"
        return Form(_signed(f"({bits}) & {_ALL}"), _places(call))

    return Row("int int", form)


# --- CHECKSUM ----------------------------------------------------------------------------------------------


def _checksum(*, binary: bool) -> Row:
    """CHECKSUM, or BINARY_CHECKSUM. NULL is a part too."""

    def form(call: Call) -> Form | None:
        total, odd = "", []
        for place, sql_type in enumerate(call.types):
            part = _part(place, sql_type, binary)
            if part is None:
                return None
            if kind(sql_type) == "string":
                odd.append(beyond_ascii(f"{{{place}}}"))
            part = f"coalesce({part}, {_NULL_PART})"
            total = f"invoke(lambda a, b: {_ROTATED}, {total}, {part})" if total else part
        return Form(_signed(total), " OR ".join(odd)) if total else None

    return Row("* ...", form)


def _part(place: int, sql_type: SqlType, binary: bool) -> str | None:
    value = f"{{{place}}}"
    if sql_type.name in ("bit", "tinyint", "smallint", "int"):
        return f"CAST({value} AS BIGINT) & {_ALL}"
    if sql_type.name == "uniqueidentifier":
        return _guid_part(value)
    if sql_type.name == "bigint":
        return f"(CASE WHEN {value} BETWEEN {-(2**31)} AND {2**31 - 1} THEN {value} ELSE xor({value}, {value} >> 32) END) & {_ALL}"
    if sql_type.name not in ("char", "varchar", "nchar", "nvarchar", "sysname") or is_utf8(sql_type):
        return None
    # Codes of few values are mostly varchar: of these DuckDB trims each once, but computes a CASE for each row.
    text = without_blanks(value) if is_national(sql_type) else f"rtrim({value}, ' ')"
    return _text_part(value, text if binary else f"upper({text})", sql_type)


def _text_part(value: str, text: str, sql_type: SqlType) -> str:
    """The sum of a text of ASCII, which is no longer than `value`. What lies eight bytes apart is rotated by as much:
    so a short text is a number of 128 bits, and this one of 64. It has no name for what it repeats: of a column of few
    values DuckDB computes these numbers once for each, but not of a lambda's."""
    length = sql_type.length if sql_type.length is not None and sql_type.length > 0 else _LONGEST + 1
    first, second = (
        f"CAST(CAST(encode(substring(repeat(chr(0), {_LONGEST}) || {text}, {at}, 16)) AS UUID) AS UHUGEINT)"
        for at in (-16, -32)
    )
    number = first
    if length > 16:
        number = f"CASE WHEN strlen({value}) <= 16 THEN {first} ELSE xor({first}, {second}) END"
    number = f"invoke(lambda h: CAST(xor(h >> 64, h & {2**64 - 1}) AS BIGINT), {number})"
    short = _of_units(number) if is_national(sql_type) else _of_bytes(number)
    if length <= _LONGEST:
        return short
    bytes_ = f"list_transform(string_split({text}, ''), lambda c: CAST(ascii(c) AS BIGINT))"
    step = _ROTATED_BY_UNIT if is_national(sql_type) else _ROTATED
    long = f"list_reduce({bytes_}, lambda a, b: {step}, CAST(0 AS BIGINT))"
    return f"CASE WHEN strlen({value}) <= {_LONGEST} THEN {short} ELSE {long} END"


_LONGEST: Final = 32
"""Bytes of a text that is two numbers."""


def _of_units(number: str) -> str:
    """The sum of eight bytes, each of which has a byte of zero behind it: they are rotated by eight bits each."""
    return f"invoke(lambda a: ((a << 4) & {_ALL}) | (a >> 28), invoke(lambda w: xor(w >> 32, w & {_ALL}), {number}))"


def _of_bytes(number: str) -> str:
    """The sum of eight bytes, rotated by four bits each: every second one by eight, and the others by four more."""
    even, odd = (f"{bytes_} & {0x00FF00FF00FF00FF}" for bytes_ in ("w", "(w >> 8)"))
    for bits, mask in ((8, 0x0000FFFF0000FFFF), (16, _ALL)):
        even, odd = (f"invoke(lambda n: (n | (n >> {bits})) & {mask}, {n})" for n in (even, odd))
    return f"invoke(lambda w: invoke(lambda a, b: {_ROTATED}, {odd}, {even}), {number})"


def _guid_part(value: str) -> str:
    """What lies eight bytes apart in a GUID is rotated by as much, so its four words are two, `x` and `y`. The low
    halves of their bytes make 32 bits, and the high ones 32 of the next place."""
    low, high = (_together(f"((x >> {bits}) & {_HALVES}) << 32 | ((y >> {bits}) & {_HALVES})") for bits in (0, 4))
    total = f"invoke(lambda a, b: {_ROTATED}, {high}, {low})"
    return over_words(f"invoke(lambda x, y: {total}, xor(p, r), xor(q, s))", value)


def _together(halves: str) -> str:
    """Eight half bytes, each the lower one of its byte, as 32 bits."""
    for bits, mask in ((4, 0x00FF00FF00FF00FF), (8, 0x0000FFFF0000FFFF), (16, _ALL)):
        halves = f"invoke(lambda n: (n | (n >> {bits})) & {mask}, {halves})"
    return halves


BITS: Final[Forms] = {
    "CHECKSUM": (_checksum(binary=False),),
    "BINARY_CHECKSUM": (_checksum(binary=True),),
    "BIT_COUNT": (Row("int", Form("CAST(bit_count({0}) AS BIGINT)")),),
    "GET_BIT": (Row("int int", _get_bit),),
    "SET_BIT": (Row("int int", _set_bit),),
    "LEFT_SHIFT": (_shifted("<<"),),
    "RIGHT_SHIFT": (_shifted(">>"),),
}
"""Functions to their forms."""
