"""Native forms of CHECKSUM and BINARY_CHECKSUM.

A checksum rotates what it has by four bits for each part, and then the part comes to it. A whole number is a part; of
all else each byte is one, as varbinary has them. Odd are texts beyond ASCII, which a collation makes keys of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.bits import ALL, signed
from sbql.engine.native.forms import Call, Form, Forms, Row, any_of, beyond_ascii
from sbql.engine.tables.comparison_keys import without_blanks
from sbql.engine.tables.guid_words import over_words
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import digits_after, is_national, is_utf8, kind

__all__ = ["CHECKSUMS"]

_NULL_PART: Final = 2**31 - 1
_HALVES: Final = 0x0F0F0F0F
_ROTATED: Final = f"xor(((a << 4) & {ALL}) | (a >> 28), b)"
"""What a checksum `a` becomes by a part `b`."""
_ROTATED_BY_UNIT: Final = f"xor(((a << 8) & {ALL}) | (a >> 24), b << 4)"
"""What it becomes by a unit of national text that is ASCII: that, and a byte of zero."""


def _checksum(*, binary: bool) -> Row:
    """CHECKSUM, or BINARY_CHECKSUM. NULL is a part too."""

    def form(call: Call) -> Form | None:
        total, odd = "", []
        for place, sql_type in enumerate(call.types):
            found = _part(place, sql_type, binary)
            if found is None:
                return None
            odd.append(found[1])
            part = f"coalesce({found[0]}, {_NULL_PART})"
            total = f"invoke(lambda a, b: {_ROTATED}, {total}, {part})" if total else part
        return Form(signed(total), any_of(*odd)) if total else None

    return Row("* ...", form)


def _part(place: int, sql_type: SqlType, binary: bool) -> tuple[str, str] | None:
    """What a value adds to the sum, and which values are odd."""
    value, family = f"{{{place}}}", kind(sql_type)
    if sql_type.name in ("bit", "tinyint", "smallint", "int"):
        return f"CAST({value} AS BIGINT) & {ALL}", ""
    if sql_type.name == "bigint":
        folded = f"xor({value}, {value} >> 32)"
        return f"(CASE WHEN {value} BETWEEN {-(2**31)} AND {2**31 - 1} THEN {value} ELSE {folded} END) & {ALL}", ""
    if family == "guid":
        return _guid_part(value), ""
    if family in ("money", "float"):
        return _of_bytes(_word(value, sql_type)), ""
    if family == "decimal":
        return _decimal_part(value, sql_type)
    if family in _DATES:
        return _of_fields(_date_fields(value, sql_type)), ""
    if sql_type.name not in ("char", "varchar", "nchar", "nvarchar", "sysname") or is_utf8(sql_type):
        return None
    # Codes of few values are mostly varchar: of these DuckDB trims each once, but computes a CASE for each row.
    text = without_blanks(value) if is_national(sql_type) else f"rtrim({value}, ' ')"
    return _text_part(value, text if binary else f"upper({text})", sql_type), beyond_ascii(value)


# --- numbers and dates: their bytes ------------------------------------------------------------------------


def _word(value: str, sql_type: SqlType) -> str:
    """The bytes of an amount or a float as a number of 64 bits."""
    if sql_type.name == "money":  # DuckDB makes an integer of 64 bits slowly of one of 128
        digits = f"CAST({value} AS DECIMAL(18,4)) * 10000"
        return f"(CASE WHEN abs({value}) < 10000000000 THEN CAST({digits} AS BIGINT) ELSE CAST({value} * 10000 AS BIGINT) END)"
    if sql_type.name == "smallmoney":
        return f"(CAST(CAST({value} AS DECIMAL(18,4)) * 10000 AS BIGINT) & {ALL})"
    return f"CAST(CAST({value} AS BIT) AS {'BIGINT' if sql_type.name == 'float' else 'UINTEGER'})::BIGINT"


def _decimal_part(value: str, sql_type: SqlType) -> tuple[str, str]:
    """Precision, scale and sign stand before the digits, which are as many times four bytes as they need, the lowest
    byte first."""
    digits, places = sql_type.precision or 18, digits_after(sql_type)
    head = _rotated(_rotated(_rotated(digits) ^ places))
    heads = [(_rotated(sign ^ head, 4), sign ^ head) for sign in (1, 0)]
    above, here = (f"CASE WHEN {value} < 0 THEN {low} ELSE {high} END" for high, low in zip(*heads, strict=True))
    words = [f"CAST((d >> {bits}) & {ALL} AS BIGINT)" for bits in (0, 32, 64, 96)]
    sums = [f"xor({_of_low_bytes(words[0])}, {above})"]
    for last in (1, 2, 3):
        total = here if last % 2 else above
        for place in range(last + 1):
            one = _of_low_bytes(words[place])
            total = f"xor({total}, {one if (last - place) % 2 == 0 else _by_16(one)})"
        sums.append(total)
    most = 10 ** (18 - 2 * places) - 1 if places < 9 else 0
    if digits - places <= 18 - 2 * places or most >= 1_000_000:
        units = f"CAST(abs(CAST({value} AS DECIMAL(18,{places}))) * 1{'0' * places} AS BIGINT)"
        found = f"invoke(lambda d: CASE WHEN d < {2**32} THEN {sums[0]} ELSE {sums[1]} END, {units})"
        return found, "" if digits - places <= 18 - 2 * places else f"abs({value}) > {most}"
    units = f"CAST(ltrim(replace(CAST({value} AS VARCHAR), '.', ''), '-') AS HUGEINT)"
    sizes = "".join(f"WHEN d < {2**bits}::HUGEINT THEN {sums[n]} " for n, bits in enumerate((32, 64, 96)))
    return f"invoke(lambda d: CASE {sizes}ELSE {sums[3]} END, {units})", ""


def _rotated(total: int, times: int = 1) -> int:
    """By four bits for each time."""
    return ((total << 4 * times) | (total >> (32 - 4 * times))) & ALL


def _of_low_bytes(word: str) -> str:
    """The sum of four bytes, the lowest first: 20 bits."""
    terms = "xor(xor((v & 255) << 12, ((v >> 8) & 255) << 8), xor(((v >> 16) & 255) << 4, v >> 24))"
    return f"invoke(lambda v: {terms}, {word})"


def _by_16(total: str) -> str:
    """A sum of 20 bits, four bytes further."""
    return f"invoke(lambda v: ((v << 16) & {ALL}) | (v >> 16), {total})"


_DATES: Final = ("date", "time", "datetime", "datetime2", "datetimeoffset")
_DAY_IN_TICKS: Final = 864_000_000_000
_Field = tuple[str, int, bool]
"""A whole number, of so many bytes, the highest of them first or not."""


def _date_fields(value: str, sql_type: SqlType) -> list[_Field]:
    days, clock = f"(CAST({value} AS DATE) - DATE '1900-01-01')", f"epoch_us(CAST({value} AS TIME))"
    if sql_type.name == "date":
        return [(f"({value} - DATE '0001-01-01')", 3, False)]
    if sql_type.name == "datetime":
        return [(f"{days} & {ALL}", 4, True), (f"({clock} * 3 + 5000) // 10000", 4, True)]
    if sql_type.name == "smalldatetime":
        return [(days, 2, True), (f"{clock} // 60000000", 2, True)]
    scale = 7 if sql_type.scale is None else sql_type.scale
    moment = f"({value}).utc" if sql_type.name == "datetimeoffset" else value
    days, ticks = f"(CAST({moment} AS DATE) - DATE '0001-01-01')", f"epoch_us(CAST({moment} AS TIME)) * 10"
    if in_ticks(sql_type):
        days, ticks = f"{moment} // {_DAY_IN_TICKS}", f"{moment} % {_DAY_IN_TICKS}"
    found = [
        (str(scale), 1, True),
        (f"({ticks}) // {10 ** (7 - scale)}", 3 if scale <= 2 else 4 if scale <= 4 else 5, False),
    ]
    if sql_type.name != "time":
        found.append((days, 3, False))
    if sql_type.name == "datetimeoffset":
        found.append((f"({value}).minutes & 65535", 2, False))
    return found


def _of_fields(fields: Sequence[_Field]) -> str:
    """The sum of the bytes of numbers, each rotated by four bits for each byte behind it."""
    behind, terms = sum(size for _, size, _ in fields), []
    for n, (_, size, is_high_first) in enumerate(fields):
        for place in range(size):
            behind -= 1
            bits = 8 * (size - 1 - place if is_high_first else place)
            byte, shift = f"((v{n} >> {bits}) & 255)", 4 * (behind % 8)
            terms.append(f"((({byte} << 28) & {ALL}) | ({byte} >> 4))" if shift == 28 else f"({byte} << {shift})")
    total = terms[0]
    for term in terms[1:]:
        total = f"xor({total}, {term})"
    names = ", ".join(f"v{n}" for n in range(len(fields)))
    return f"invoke(lambda {names}: {total}, {', '.join(f'CAST({number} AS BIGINT)' for number, _, _ in fields)})"


# --- texts -------------------------------------------------------------------------------------------------


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
    return f"invoke(lambda a: ((a << 4) & {ALL}) | (a >> 28), invoke(lambda w: xor(w >> 32, w & {ALL}), {number}))"


def _of_bytes(number: str) -> str:
    """The sum of eight bytes, rotated by four bits each: every second one by eight, and the others by four more."""
    even, odd = (f"{bytes_} & {0x00FF00FF00FF00FF}" for bytes_ in ("w", "(w >> 8)"))
    for bits, mask in ((8, 0x0000FFFF0000FFFF), (16, ALL)):
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
    for bits, mask in ((4, 0x00FF00FF00FF00FF), (8, 0x0000FFFF0000FFFF), (16, ALL)):
        halves = f"invoke(lambda n: (n | (n >> {bits})) & {mask}, {halves})"
    return halves


CHECKSUMS: Final[Forms] = {"CHECKSUM": (_checksum(binary=False),), "BINARY_CHECKSUM": (_checksum(binary=True),)}
"""Functions to their forms."""
