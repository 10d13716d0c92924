"""Bytes of values: how each type looks inside varbinary, and back.

Integers and money are big endian, uniqueidentifier has its first three fields little endian, decimal carries precision,
scale and sign before the digits. `encode_body` and `decode` are what SEND and RECEIVE do with a message body.
"""

from __future__ import annotations

import datetime as dt
import struct
import uuid
from decimal import Decimal
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.types import VARBINARY_MAX, SqlType, Variant
from sbql.grammar.values.dates import BASE_DATE, to_date_type
from sbql.grammar.values.kinds import INTEGER_RANGES, code_page, is_national, kind, spelled
from sbql.grammar.values.numbers import CONTEXT
from sbql.grammar.values.ticks import tick_of, time_from_ticks, time_ticks, with_tick
from sbql.grammar.values.xml_text import protected

__all__ = ["decode_utf16", "encode_body", "from_bytes", "guid_sort_key", "to_bytes", "xml_bytes"]

_UTF16_MARK = b"\xff\xfe"
_INTEGER_SIZES = {"tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "bit": 1, "money": 8, "smallmoney": 4}


def to_bytes(value: Any, source: SqlType) -> bytes:
    """The bytes of a non-NULL value, without padding to a target length."""
    family = kind(source)
    if family == "binary":
        return bytes(value)
    if family == "string":
        if is_national(source):
            return str(value).encode("utf-16-le", "surrogatepass")
        return code_page(source).encode(value)
    if family == "guid":
        return bytes(value.bytes_le)
    if family in ("int", "bit"):
        size = _INTEGER_SIZES[source.name]
        return int(value).to_bytes(size, "big", signed=source.name not in ("tinyint", "bit"))
    if family == "money":
        return int(value.scaleb(4)).to_bytes(_INTEGER_SIZES[source.name], "big", signed=True)
    if family == "xml":
        return xml_bytes(value)
    if family == "float":
        return struct.pack(">d" if source.name == "float" else ">f", value)
    if family == "decimal":
        return _decimal_bytes(value, source)
    if family == "variant":
        assert isinstance(value, Variant)
        return to_bytes(value.value, value.type)
    return _date_bytes(value, source)


def xml_bytes(value: str, *, is_protected: bool = True) -> bytes:
    """UTF-16 with a byte order mark."""
    return _UTF16_MARK + (protected(value) if is_protected else value).encode("utf-16-le", "surrogatepass")


def _decimal_bytes(value: Decimal, source: SqlType) -> bytes:
    scale = source.scale or 0
    digits = abs(int(value.scaleb(scale, CONTEXT)))
    size = max(4, -(-digits.bit_length() // 32) * 4)
    return bytes([source.precision or 18, scale, 0, int(value >= 0)]) + digits.to_bytes(size, "little")


def _date_bytes(value: Any, source: SqlType) -> bytes:
    name = source.name
    if name == "date":
        return int(value.toordinal() - 1).to_bytes(3, "little")
    if name == "datetime":
        passed = value - BASE_DATE
        ticks = (passed.seconds * 1_000_000 + passed.microseconds) * 3
        return struct.pack(">iI", passed.days, (ticks + 5000) // 10_000)
    if name == "smalldatetime":
        passed = value - BASE_DATE
        return struct.pack(">HH", passed.days, passed.seconds // 60)
    scale = 7 if source.scale is None else source.scale
    size = 3 if scale <= 2 else 4 if scale <= 4 else 5
    unit = int(10 ** (7 - scale))
    if name == "time":
        return bytes([scale]) + (time_ticks(value) // unit).to_bytes(size, "little")
    moment, tail = value, b""
    if name == "datetimeoffset":
        moment = value.astimezone(dt.UTC)
        tail = int(value.utcoffset().total_seconds() // 60).to_bytes(2, "little", signed=True)
    day = int(moment.toordinal() - 1).to_bytes(3, "little")
    return bytes([scale]) + (time_ticks(moment) // unit).to_bytes(size, "little") + day + tail


def from_bytes(data: bytes, target: SqlType) -> Any:
    """The value of type `target` that the bytes stand for; shorter integers are read from the right, as SQL Server
    does.

    Raises 8114 for bytes that cannot be a decimal or date, 8115 when a decimal does not fit.
    """
    family = kind(target)
    name = target.name
    if family == "binary":
        return data
    if family == "string":
        if is_national(target):
            return decode_utf16(data)
        return code_page(target).decode(data)
    if family == "guid":
        return uuid.UUID(bytes_le=data[:16].ljust(16, b"\0"))
    if family == "bit":
        return any(data)
    if family == "int":
        size = _INTEGER_SIZES[name]
        number = int.from_bytes(data[-size:].rjust(size, b"\0"), "big", signed=name != "tinyint")
        assert INTEGER_RANGES[name][0] <= number <= INTEGER_RANGES[name][1]
        return number
    if family == "money":
        size = _INTEGER_SIZES[name]
        return Decimal(int.from_bytes(data[-size:].rjust(size, b"\0"), "big", signed=True)).scaleb(-4)
    if family == "decimal":
        return _decimal_from_bytes(data)
    try:
        return _date_from_bytes(data, target)
    except (struct.error, ValueError, OverflowError, IndexError):
        raise sql_error(8114, spelled(VARBINARY_MAX)[:9], spelled(target)) from None


def _decimal_from_bytes(data: bytes) -> Decimal:
    if len(data) < 5 or not 1 <= data[0] <= 38 or data[1] > data[0]:
        raise sql_error(8114, "varbinary", "numeric")
    number = Decimal(int.from_bytes(data[4:], "little")).scaleb(-data[1], CONTEXT)
    return number if data[3] else number.copy_negate()


def _date_from_bytes(data: bytes, target: SqlType) -> Any:
    name = target.name
    if name == "datetime":
        days, ticks = struct.unpack(">iI", data[-8:].rjust(8, b"\0"))
        return BASE_DATE + dt.timedelta(days=days, milliseconds=(ticks * 10 + 1) // 3)
    if name == "smalldatetime":
        days, minutes = struct.unpack(">HH", data[-4:].rjust(4, b"\0"))
        return BASE_DATE + dt.timedelta(days=days, minutes=minutes)
    if name == "date":
        return dt.date.fromordinal(int.from_bytes(data[:3], "little") + 1)
    scale = data[0]
    size = 3 if scale <= 2 else 4 if scale <= 4 else 5
    clock = time_from_ticks(int.from_bytes(data[1 : 1 + size], "little") * int(10 ** (7 - scale)))
    if name == "time":
        return to_date_type(clock, target, name)
    day = dt.date.fromordinal(int.from_bytes(data[1 + size : 4 + size], "little") + 1)
    moment = with_tick(dt.datetime.combine(day, clock), tick_of(clock))
    if name == "datetimeoffset":
        minutes = int.from_bytes(data[4 + size : 6 + size], "little", signed=True)
        moment = moment.replace(tzinfo=dt.UTC).astimezone(dt.timezone(dt.timedelta(minutes=minutes)))
    return to_date_type(moment, target, name)


def decode_utf16(data: bytes) -> str:
    """nvarchar from bytes: an odd last byte is completed with a zero byte."""
    if len(data) % 2:
        data += b"\0"
    return data.decode("utf-16-le", "surrogatepass")


def encode_body(value: Any, source: SqlType) -> bytes | None:
    """A message body as SEND stores it: varbinary(max). NULL and zero length are both None.

    nvarchar becomes UTF-16, varchar the code page of its collation, xml UTF-16 with a byte order
    mark, numbers their bytes.
    """
    if value is None:
        return None
    if kind(source) == "xml" and value == "":
        return None
    return to_bytes(value, source) or None


def guid_sort_key(value: uuid.UUID) -> bytes:
    """uniqueidentifier sorts by its last six bytes first, then the groups before them."""
    data = value.bytes_le
    return data[10:16] + data[8:10] + data[6:8] + data[4:6] + data[0:4]
