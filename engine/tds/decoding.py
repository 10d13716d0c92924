"""Decoding: TYPE_INFO and values that clients send, as SqlTypes and the Python values of grammar.types.

It decides which SqlType a client's parameter or column is of, and refuses what the protocol does not
have. It must not know what a value is for. What comes out is what T-SQL would have: char padded,
datetime in the milliseconds that it shows.
"""

from __future__ import annotations

import datetime as dt
import struct
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from msgspec import Struct

from sbql.engine.tds.collations import code_page
from sbql.engine.tds.reading import ProtocolError, Reader, UnknownType, utf16
from sbql.engine.tds.types import time_size
from sbql.grammar.types import MAX, NVARCHAR_MAX, SQL_VARIANT, SqlType, Variant
from sbql.grammar.values.codepage import decode_1252
from sbql.grammar.values.dates import round_datetime
from sbql.grammar.values.ticks import TICKS_A_DAY, datetime_from_ticks, time_from_ticks

__all__ = ["Incoming", "behind_pointer", "read_type"]

Read = Callable[[Reader], Any]
Convert = Callable[[bytes], Any]


class Incoming(Struct, frozen=True):
    """A type as it was announced: `read` takes a value of it, NULL is None."""

    type: SqlType
    read: Read


_FIRST_DAY = dt.datetime(1900, 1, 1)
_LONGEST_OFFSET = 14 * 60


# --- values from their bytes -------------------------------------------------------------------------------


def _signed(data: bytes) -> int:
    return int.from_bytes(data, "little", signed=True)


def _float(data: bytes) -> float:
    found: float = struct.unpack("<f" if len(data) == 4 else "<d", data)[0]
    if found != found or found in (float("inf"), float("-inf")):
        raise ProtocolError("a float is not a number")
    return found


def _decimal(scale: int) -> Convert:
    def convert(data: bytes) -> Decimal:
        digits = str(int.from_bytes(data[1:], "little"))
        if len(digits) > 38 or data[0] > 1:
            raise ProtocolError("a decimal has more than 38 digits")
        return Decimal((0 if data[0] else 1, tuple(map(int, digits)), -scale))

    return convert


def _money(data: bytes) -> Decimal:
    if len(data) == 4:
        return Decimal(_signed(data)).scaleb(-4)
    high, low = struct.unpack("<iI", data)
    return Decimal((high << 32) | low).scaleb(-4)


def _datetime(data: bytes) -> dt.datetime:
    if len(data) == 4:
        days, minutes = struct.unpack("<HH", data)
        return _FIRST_DAY + dt.timedelta(days=days, minutes=minutes)
    days, thirds = struct.unpack("<iI", data)
    return round_datetime(_FIRST_DAY + dt.timedelta(days=days, microseconds=thirds * 10_000 // 3))


def _date(data: bytes) -> dt.date:
    return dt.date.fromordinal(int.from_bytes(data, "little") + 1)


def _time(scale: int) -> Convert:
    unit = 10 ** (7 - scale)
    return lambda data: time_from_ticks(int.from_bytes(data, "little") * unit)


def _ticks(data: bytes, unit: int) -> int:
    """Of a time of day and a date behind it."""
    time = int.from_bytes(data[:-3], "little") * unit
    if time >= TICKS_A_DAY:
        raise ProtocolError("a day has 24 hours")
    return int.from_bytes(data[-3:], "little") * TICKS_A_DAY + time


def _datetime2(scale: int) -> Convert:
    unit = 10 ** (7 - scale)
    return lambda data: datetime_from_ticks(_ticks(data, unit))


def _datetimeoffset(scale: int) -> Convert:
    unit = 10 ** (7 - scale)

    def convert(data: bytes) -> dt.datetime:
        minutes = int.from_bytes(data[-2:], "little", signed=True)
        if abs(minutes) > _LONGEST_OFFSET:
            raise ProtocolError("an offset has at most 14 hours")
        local = datetime_from_ticks(_ticks(data[:-2], unit) + minutes * 600_000_000)
        return local.replace(tzinfo=dt.timezone(dt.timedelta(minutes=minutes)))

    return convert


def _guid(data: bytes) -> uuid.UUID:
    return uuid.UUID(bytes_le=data)


def _narrow(collation: bytes) -> Convert:
    page = code_page(collation)
    if page == "cp1252":
        return decode_1252
    return lambda data: data.decode(page, "replace")


# --- with their length -------------------------------------------------------------------------------------


def _checked(convert: Convert, data: bytes) -> Any:
    try:
        return convert(data)
    except ProtocolError:
        raise
    except (ValueError, OverflowError, ArithmeticError, struct.error, LookupError) as error:
        raise ProtocolError(f"a value is out of range: {error}") from None


def _short(sizes: frozenset[int], convert: Convert) -> Read:
    def read(reader: Reader) -> Any:
        size = reader.byte()
        if size == 0:
            return None
        if size not in sizes:
            raise ProtocolError(f"a value has {size} bytes")
        return _checked(convert, reader.take(size))

    return read


def _of_type(sql_type: SqlType, sizes: tuple[int, ...], convert: Convert) -> Incoming:
    return Incoming(sql_type, _short(frozenset(sizes), convert))


def _fixed(sql_type: SqlType, size: int, convert: Convert) -> Incoming:
    return Incoming(sql_type, lambda reader: _checked(convert, reader.take(size)))


def _counted(convert: Convert) -> Read:
    def read(reader: Reader) -> Any:
        size = reader.u16()
        return None if size == 0xFFFF else _checked(convert, reader.take(size))

    return read


def read_chunks(reader: Reader) -> bytes | None:
    """A value of a (max) type."""
    total = reader.u64()
    if total == 0xFFFFFFFFFFFFFFFF:
        return None
    parts = []
    while size := reader.u32():
        parts.append(reader.take(size))
    data = b"".join(parts)
    if total != 0xFFFFFFFFFFFFFFFE and total != len(data):
        raise ProtocolError("the chunks of a value are not as long as was said")
    return data


def _chunked(convert: Convert) -> Read:
    def read(reader: Reader) -> Any:
        data = read_chunks(reader)
        return None if data is None else _checked(convert, data)

    return read


# --- types -------------------------------------------------------------------------------------------------

_INTS = {1: SqlType("tinyint"), 2: SqlType("smallint"), 4: SqlType("int"), 8: SqlType("bigint")}


def _int(size: int) -> Convert:
    return (lambda data: data[0]) if size == 1 else _signed


def _bit(data: bytes) -> bool:
    return data[0] != 0


_FIXED: dict[int, Incoming] = {
    0x1F: Incoming(SqlType("null"), lambda reader: None),
    0x30: _fixed(_INTS[1], 1, _int(1)), 0x34: _fixed(_INTS[2], 2, _signed), 0x38: _fixed(_INTS[4], 4, _signed), 0x7F: _fixed(_INTS[8], 8, _signed),
    0x32: _fixed(SqlType("bit"), 1, _bit), 0x3B: _fixed(SqlType("real"), 4, _float), 0x3E: _fixed(SqlType("float"), 8, _float),
    0x3C: _fixed(SqlType("money"), 8, _money), 0x7A: _fixed(SqlType("smallmoney"), 4, _money), 0x3D: _fixed(SqlType("datetime"), 8, _datetime),
    0x3A: _fixed(SqlType("smalldatetime"), 4, _datetime),
}  # fmt: skip


def _sized(reader: Reader, name: dict[int, SqlType], convert: Callable[[int], Convert]) -> Incoming:
    size = reader.byte()
    if size not in name:
        raise ProtocolError(f"there is no type of {size} bytes")
    return _of_type(name[size], (size,), convert(size))


def _decimal_type(reader: Reader) -> Incoming:
    _, precision, scale = reader.byte(), reader.byte(), reader.byte()
    if not 1 <= precision <= 38 or scale > precision:
        raise ProtocolError(f"there is no decimal({precision},{scale})")
    return Incoming(
        SqlType("decimal", precision=precision, scale=scale), _short(frozenset(range(2, 18)), _decimal(scale))
    )


def _scaled(reader: Reader, name: str, extra: int, convert: Callable[[int], Convert]) -> Incoming:
    scale = reader.byte()
    if scale > 7:
        raise ProtocolError(f"{name} has at most 7 digits")
    return _of_type(SqlType(name, scale=scale), (time_size(scale) + extra,), convert(scale))


def _padded(convert: Convert, length: int, blank: bytes) -> Convert:
    """Lengths count bytes, and units of national text, of which a character may have several."""
    return lambda data: convert(data + blank * (length - len(data) // len(blank)))


def _text(reader: Reader, token: int) -> Incoming:
    """char, varchar, nchar, nvarchar, binary, varbinary; FFFF as their size is (max)."""
    size = reader.u16()
    name: str
    convert: Convert
    blank: bytes
    if token in (0xA5, 0xAD):
        name, convert, units, blank = ("varbinary" if token == 0xA5 else "binary"), bytes, 1, b"\0"
    elif token in (0xE7, 0xEF):
        reader.collation()
        name, convert, units, blank = ("nvarchar" if token == 0xE7 else "nchar"), utf16, 2, b" \0"
    else:
        name, convert, units, blank = ("varchar" if token == 0xA7 else "char"), _narrow(reader.collation()), 1, b" "
    if size == 0xFFFF and token in (0xA5, 0xE7, 0xA7):
        return Incoming(SqlType(name, length=MAX), _chunked(convert))
    if size > 8000:
        raise ProtocolError(f"there is no {name} of {size} bytes")
    length = max(1, size // units)
    if token in (0xAD, 0xEF, 0xAF):
        convert = _padded(convert, length, blank)
    return Incoming(SqlType(name, length=length), _counted(convert))


def _old_text(reader: Reader, token: int) -> Incoming:
    """The types before 7.0, with one byte of length; NULL has none."""
    size = max(1, reader.byte())
    name = {0x25: "varbinary", 0x2D: "varbinary", 0x27: "varchar", 0x2F: "varchar"}[token]
    convert: Convert = bytes if name == "varbinary" else decode_1252
    return Incoming(SqlType(name, length=size), _short(frozenset(range(1, 256)), convert))


def _long(reader: Reader, token: int) -> Incoming:
    """text, ntext, image: as parameters they come without a pointer."""
    reader.u32()
    convert: Convert
    if token == 0x22:
        name, convert = "image", bytes
    elif token == 0x63:
        reader.collation()
        name, convert = "ntext", utf16
    else:
        name, convert = "text", _narrow(reader.collation())

    def read(reader: Reader) -> Any:
        size = reader.u32()
        return None if size == 0xFFFFFFFF else _checked(convert, reader.take(size))

    return Incoming(SqlType(name), read)


def behind_pointer(found: Incoming) -> Incoming:
    """text, ntext, image as they are in rows: a pointer and a time stand in front; a
    pointer without a length is NULL."""

    def read(reader: Reader) -> Any:
        size = reader.byte()
        if size == 0:
            return None
        reader.take(size + 8)
        return found.read(reader)

    return Incoming(found.type, read)


def _xml(reader: Reader) -> Incoming:
    """As text: T-SQL reads it, and says what is wrong with it."""
    if reader.byte():
        reader.b_varchar(), reader.b_varchar(), reader.us_varchar()
    return Incoming(NVARCHAR_MAX, _chunked(utf16))


def _variant(reader: Reader) -> Any:
    total = reader.u32()
    if total == 0:
        return None
    inner = Reader(reader.take(total))
    token, size = inner.byte(), inner.byte()
    properties = inner.take(size)
    data = inner.rest()
    sql_type, convert = _variant_type(token, properties, len(data))
    return Variant(sql_type, _checked(convert, data))


def _variant_type(token: int, properties: bytes, size: int) -> tuple[SqlType, Convert]:
    """What is in a sql_variant, and how it is read."""
    if token in _FIXED and token != 0x1F:
        return _FIXED[token].type, lambda data: _FIXED[token].read(Reader(data))
    if token == 0x24:
        return SqlType("uniqueidentifier"), _guid
    if token == 0x28:
        return SqlType("date"), _date
    if token in (0x6A, 0x6C) and len(properties) == 2:
        return SqlType("decimal", precision=properties[0], scale=properties[1]), _decimal(properties[1])
    if token in _SCALED and len(properties) == 1 and properties[0] <= 7:
        name, _, convert = _SCALED[token]
        return SqlType(name, scale=properties[0]), convert(properties[0])
    if token in (0xA5, 0xAD):
        return SqlType("varbinary", length=max(1, size)), bytes
    if token in (0xE7, 0xEF):
        return SqlType("nvarchar", length=max(1, size // 2)), utf16
    if token in (0xA7, 0xAF) and len(properties) >= 5:
        return SqlType("varchar", length=max(1, size)), _narrow(properties[:5])
    raise ProtocolError(f"a sql_variant of type {token:02X} is none")


_SCALED: dict[int, tuple[str, int, Callable[[int], Convert]]] = {
    0x29: ("time", 0, _time), 0x2A: ("datetime2", 3, _datetime2), 0x2B: ("datetimeoffset", 5, _datetimeoffset),
}  # fmt: skip
_FLOATS = {4: SqlType("real"), 8: SqlType("float")}
_MONEYS = {4: SqlType("smallmoney"), 8: SqlType("money")}
_MOMENTS = {4: SqlType("smalldatetime"), 8: SqlType("datetime")}


def read_type(reader: Reader) -> Incoming:
    """TYPE_INFO. Raises ProtocolError, for types of the CLR too."""
    token = reader.byte()
    if (fixed := _FIXED.get(token)) is not None:
        return fixed
    if token in (0xA5, 0xA7, 0xAD, 0xAF, 0xE7, 0xEF):
        return _text(reader, token)
    if token in _SCALED:
        return _scaled(reader, *_SCALED[token])
    match token:
        case 0x26:
            return _sized(reader, _INTS, _int)
        case 0x68:
            return _sized(reader, {1: SqlType("bit")}, lambda size: _bit)
        case 0x6D:
            return _sized(reader, _FLOATS, lambda size: _float)
        case 0x6E:
            return _sized(reader, _MONEYS, lambda size: _money)
        case 0x6F:
            return _sized(reader, _MOMENTS, lambda size: _datetime)
        case 0x6A | 0x6C:
            return _decimal_type(reader)
        case 0x24:
            return _sized(reader, {16: SqlType("uniqueidentifier")}, lambda size: _guid)
        case 0x28:
            return _of_type(SqlType("date"), (3,), _date)
        case 0x22 | 0x23 | 0x63:
            return _long(reader, token)
        case 0x25 | 0x27 | 0x2D | 0x2F:
            return _old_text(reader, token)
        case 0xF1:
            return _xml(reader)
        case 0x62:
            reader.u32()
            return Incoming(SQL_VARIANT, _variant)
    raise UnknownType(token)
