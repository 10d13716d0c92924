"""Encoding: values of columns and output parameters as bytes, in the forms of grammar.types.

It decides one function for each type, which writes a value with its length or NULL; rows are these side by side. It
must not know what a type is called on the wire: `types` does.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable, Sequence
from decimal import Context
from functools import lru_cache
from typing import Any

from sbql.engine.tds.collations import DEFAULT_COLLATION
from sbql.engine.tds.types import BYTE_SIZED, LONG, TEXTS, decimal_size, is_plp, shown_type, time_size
from sbql.grammar.types import SqlType
from sbql.grammar.values.codepage import encode_1252
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import DATE_NAMES, is_wide
from sbql.grammar.values.ticks import TICKS_A_DAY, datetime_ticks, time_ticks

__all__ = ["encoder", "row_encoder"]

Encoder = Callable[[Any], bytes]

_WIDE = Context(prec=60)
_1900 = dt.date(1900, 1, 1).toordinal()
_THIRD = 100_000
"""Three hundredths of a second, times three, in ticks."""
_THIRDS_A_DAY = 25_920_000
_NULL_BYTE, _NULL_SHORT, _NULL_PLP = b"\0", b"\xff\xff", b"\xff" * 8
_TEXT_POINTER = b"\x10" + b"sbql text point!" + b"\0" * 8
_U8, _U16, _U32 = struct.Struct("<B"), struct.Struct("<H"), struct.Struct("<I")
_PLP_HEAD, _PLP_END = struct.Struct("<QI"), b"\0\0\0\0"

_NUMBERS = {"tinyint": "B", "smallint": "h", "int": "i", "bigint": "q", "bit": "?", "real": "f", "float": "d"}


# --- the bytes of a value alone ----------------------------------------------------------------------------


def _decimal(precision: int, scale: int) -> Encoder:
    size = decimal_size(precision) - 1

    def encode(value: Any) -> bytes:
        number = int(_WIDE.scaleb(value, scale))
        return (b"\0" if number < 0 else b"\x01") + abs(number).to_bytes(size, "little")

    return encode


def _money(value: Any) -> bytes:
    number = int(_WIDE.scaleb(value, 4))
    return struct.pack("<iI", number >> 32, number & 0xFFFFFFFF)


def _smallmoney(value: Any) -> bytes:
    return struct.pack("<i", int(_WIDE.scaleb(value, 4)))


def _datetime(value: Any) -> bytes:
    days, thirds = value.toordinal() - _1900, (time_ticks(value) * 3 + _THIRD // 2) // _THIRD
    if thirds >= _THIRDS_A_DAY:
        days, thirds = days + 1, 0
    return struct.pack("<iI", days, thirds)


def _smalldatetime(value: Any) -> bytes:
    return struct.pack("<HH", value.toordinal() - _1900, value.hour * 60 + value.minute)


def _date(value: Any) -> bytes:
    found: bytes = (value.toordinal() - 1).to_bytes(3, "little")
    return found


def _time(scale: int) -> Encoder:
    size, unit = time_size(scale), 10 ** (7 - scale)
    return lambda value: (time_ticks(value) // unit).to_bytes(size, "little")


def _datetime2(scale: int) -> Encoder:
    size, unit = time_size(scale), 10 ** (7 - scale)
    return lambda value: (
        (time_ticks(value) // unit).to_bytes(size, "little") + (value.toordinal() - 1).to_bytes(3, "little")
    )


def _datetimeoffset(scale: int) -> Encoder:
    size = time_size(scale)
    unit: int = 10 ** (7 - scale)

    def encode(value: Any) -> bytes:
        minutes: int = value.utcoffset() // dt.timedelta(minutes=1)
        days, ticks = divmod(datetime_ticks(value) - minutes * 600_000_000, TICKS_A_DAY)
        time, date = (ticks // unit).to_bytes(size, "little"), (days & 0xFFFFFF).to_bytes(3, "little")
        return time + date + struct.pack("<h", minutes)

    return encode


def _wide(value: Any) -> bytes:
    found: bytes = value.encode("utf-16-le", "surrogatepass")
    return found


_PLAIN: dict[str, Encoder] = {
    "money": _money, "smallmoney": _smallmoney, "datetime": _datetime, "smalldatetime": _smalldatetime, "date": _date,
    "uniqueidentifier": lambda value: value.bytes_le, "nvarchar": _wide, "nchar": _wide, "ntext": _wide, "xml": _wide, "varchar": encode_1252,
    "char": encode_1252, "text": encode_1252, "varbinary": bytes, "binary": bytes, "image": bytes, "rowversion": bytes,
}  # fmt: skip
_SCALED: dict[str, Callable[[int], Encoder]] = {
    "time": _time,
    "datetime2": _datetime2,
    "datetimeoffset": _datetimeoffset,
}


def _plain(sql_type: SqlType) -> Encoder:
    """The bytes of a value that is not NULL, without their length."""
    name = sql_type.name
    if name in _NUMBERS:
        return struct.Struct(f"<{_NUMBERS[name]}").pack
    if name == "decimal":
        return _decimal(sql_type.precision or 18, sql_type.scale or 0)
    if name in _SCALED:
        return _SCALED[name](7 if sql_type.scale is None else sql_type.scale)
    return _PLAIN[name]


# --- with its length ---------------------------------------------------------------------------------------


def _number(letter: str) -> Encoder:
    form = struct.Struct(f"<B{letter}")
    pack, size = form.pack, form.size - 1

    def encode(value: Any) -> bytes:
        return pack(size, value) if value is not None else _NULL_BYTE

    return encode


def _sized(length: struct.Struct, null: bytes, plain: Encoder) -> Encoder:
    """A length, then so many bytes."""
    pack = length.pack

    def encode(value: Any) -> bytes:
        if value is None:
            return null
        data = plain(value)
        return pack(len(data)) + data

    return encode


def _short(plain: Encoder) -> Encoder:
    return _sized(_U8, _NULL_BYTE, plain)


def _counted(plain: Encoder) -> Encoder:
    return _sized(_U16, _NULL_SHORT, plain)


def _chunked(plain: Encoder) -> Encoder:
    """(max): the whole length, then one chunk."""

    def encode(value: Any) -> bytes:
        if value is None:
            return _NULL_PLP
        data = plain(value)
        if not data:
            return b"\0" * 12
        return _PLP_HEAD.pack(len(data), len(data)) + data + _PLP_END

    return encode


def _long(plain: Encoder) -> Encoder:
    """text, ntext, image: a pointer that nobody follows, four bytes of length."""
    sized = _sized(_U32, b"", plain)

    def encode(value: Any) -> bytes:
        return _NULL_BYTE if value is None else _TEXT_POINTER + sized(value)

    return encode


_VARIANT_TOKENS = {
    "tinyint": 0x30, "smallint": 0x34, "int": 0x38, "bigint": 0x7F, "bit": 0x32, "real": 0x3B, "float": 0x3E, "money": 0x3C, "smallmoney": 0x7A,
    "datetime": 0x3D, "smalldatetime": 0x3A, "date": 0x28, "time": 0x29, "datetime2": 0x2A, "datetimeoffset": 0x2B, "uniqueidentifier": 0x24,
    "decimal": 0x6C, "rowversion": 0xAD, **TEXTS,
}  # fmt: skip


@lru_cache(1024)
def _variant_head(sql_type: SqlType) -> bytes:
    name = sql_type.name
    if name == "decimal":
        properties = bytes([sql_type.precision or 18, sql_type.scale or 0])
    elif name in _SCALED:
        properties = bytes([7 if sql_type.scale is None else sql_type.scale])
    elif name in ("binary", "varbinary", "rowversion"):
        properties = _U16.pack(8000)
    elif name in TEXTS:
        properties = DEFAULT_COLLATION + _U16.pack(8000)
    else:
        properties = b""
    return bytes([_VARIANT_TOKENS[name], len(properties)]) + properties


def _variant(value: Any) -> bytes:
    if value is None:
        return _PLP_END
    data = _variant_head(value.type) + _plain(value.type)(value.value)
    return _U32.pack(len(data)) + data


def _as_text(sql_type: SqlType, shown: SqlType) -> Encoder:
    """What a client of an old version gets of a type that it does not know: what CAST makes of it."""
    change = converter(sql_type, shown, None, False) if sql_type.name in DATE_NAMES else None
    return _wide if change is None else lambda value: _wide(change(value))


@lru_cache(4096)
def encoder(sql_type: SqlType, version: int) -> Encoder:
    """The function that writes values of this type for a client of this version."""
    shown = shown_type(sql_type, version)
    name = shown.name
    if name in _NUMBERS:
        return _number(_NUMBERS[name])
    if name == "sql_variant":
        return _variant
    if shown != sql_type and name == "nvarchar" and not is_wide(sql_type):
        return _counted(_as_text(sql_type, shown))
    plain = _plain(shown)
    if is_plp(shown):
        return _chunked(plain)
    if name in TEXTS:
        return _counted(plain)
    if name in LONG:
        return _long(plain)
    assert name in BYTE_SIZED or name in ("decimal", "date") or name in _SCALED
    return _short(plain)


def row_encoder(types: Sequence[SqlType], version: int) -> Callable[[Sequence[Any]], bytes]:
    """The function that writes a ROW token."""
    encoders = [encoder(one, version) for one in types]
    if len(encoders) == 1:
        only = encoders[0]
        return lambda row: b"\xd1" + only(row[0])

    def encode(row: Sequence[Any]) -> bytes:
        return b"\xd1" + b"".join([write(value) for write, value in zip(encoders, row)])

    return encode
