"""Types: how a SqlType is announced to a client, in columns and output parameters.

It decides which of the protocol's types stands for a SqlType in each version of it: before 7.3 dates
    of the newer kinds are text, before
7.2 there is no (max). How values look is `encoding`'s business, which asks `shown_type` too. It must not know rows.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from sbql.engine.tds.collations import DEFAULT_COLLATION
from sbql.engine.tds.login import TDS_71, TDS_72, TDS_73
from sbql.grammar.types import MAX, SqlType, nvarchar
from sbql.grammar.values.kinds import is_wide

__all__ = ["BYTE_SIZED", "LONG", "TEXTS", "decimal_size", "is_plp", "shown_type", "time_size", "type_info"]

BYTE_SIZED = {
    "tinyint": (0x26, 1), "smallint": (0x26, 2), "int": (0x26, 4), "bigint": (0x26, 8), "bit": (0x68, 1), "real": (0x6D, 4), "float": (0x6D, 8),
    "smallmoney": (0x6E, 4), "money": (0x6E, 8), "smalldatetime": (0x6F, 4), "datetime": (0x6F, 8), "uniqueidentifier": (0x24, 16),
}  # fmt: skip
"""type -> token, size: one byte of length stands before a value, 0 for NULL."""

TEXTS = {"varchar": 0xA7, "char": 0xAF, "nvarchar": 0xE7, "nchar": 0xEF, "varbinary": 0xA5, "binary": 0xAD}
"""Two bytes of length stand before a value, FFFF for NULL."""
LONG = {"text": 0x23, "ntext": 0x63, "image": 0x22}
_DATED = {"date": 10, "time": 8, "datetime2": 19, "datetimeoffset": 26}
"""Types that came with 7.3, and how many characters they have as text, but for a point and
the digits of the second behind it."""
_NEW_LARGE = {"varchar": "text", "nvarchar": "ntext", "varbinary": "image"}
_VARIANT_SIZE = 8009
_LARGEST = 0x7FFFFFFF


@lru_cache(4096)
def shown_type(sql_type: SqlType, version: int) -> SqlType:
    """The type that stands for `sql_type`."""
    name = sql_type.name
    if name == "null":
        return SqlType("int")
    if name == "rowversion":
        return SqlType("binary", length=8)
    if name == "table" or name == "cursor":
        return nvarchar(1)
    if is_wide(sql_type):
        length = _units(sql_type)
        return SqlType("ntext") if version < TDS_72 and length == MAX else nvarchar(length)
    if version < TDS_72:
        if name == "xml":
            return SqlType("ntext")
        if sql_type.length == MAX:
            return SqlType(_NEW_LARGE[name])
    if name in _DATED and version < TDS_73:
        return nvarchar(_DATED[name] + (sql_type.scale + 1 if sql_type.scale else 0))
    return sql_type


def _units(sql_type: SqlType) -> int:
    """A text of UTF-8 goes as nvarchar, which every client reads; it has no more units than bytes."""
    return MAX if sql_type.length in (MAX, None) or (sql_type.length or 0) > 4000 else sql_type.length or 1


def decimal_size(precision: int) -> int:
    """Bytes of a decimal, its sign included."""
    return 5 if precision <= 9 else 9 if precision <= 19 else 13 if precision <= 28 else 17


def time_size(scale: int) -> int:
    return 3 if scale <= 2 else 4 if scale <= 4 else 5


def is_plp(sql_type: SqlType) -> bool:
    """The value comes in chunks."""
    return sql_type.name == "xml" or (sql_type.name in TEXTS and sql_type.length == MAX)


@lru_cache(4096)
def type_info(sql_type: SqlType, version: int) -> bytes:
    """TYPE_INFO of a column or an output parameter."""
    shown = shown_type(sql_type, version)
    name = shown.name
    if name in BYTE_SIZED:
        return bytes(BYTE_SIZED[name])
    if name == "decimal":
        precision, scale = shown.precision or 18, shown.scale or 0
        return bytes([0x6C if shown.spelling == "numeric" else 0x6A, decimal_size(precision), precision, scale])
    if name in TEXTS:
        return _text_info(shown, version)
    if name in LONG:
        collation = b"" if name == "image" else _collation(version)
        return struct.pack("<BI", LONG[name], _LARGEST) + collation
    match name:
        case "date":
            return b"\x28"
        case "time" | "datetime2" | "datetimeoffset":
            token = {"time": 0x29, "datetime2": 0x2A, "datetimeoffset": 0x2B}[name]
            return bytes([token, 7 if shown.scale is None else shown.scale])
        case "xml":
            return b"\xf1\0"
        case "sql_variant":
            return struct.pack("<BI", 0x62, _VARIANT_SIZE)
    raise AssertionError(f"{name} has no place in the protocol")


def _text_info(shown: SqlType, version: int) -> bytes:
    is_wide = shown.name in ("nvarchar", "nchar")
    if shown.length == MAX:
        size = 0xFFFF
    else:
        size = max(1, shown.length or (4000 if is_wide else 8000)) * (2 if is_wide else 1)
    collation = b"" if shown.name in ("varbinary", "binary") else _collation(version)
    return struct.pack("<BH", TEXTS[shown.name], min(size, 0xFFFF)) + collation


def _collation(version: int) -> bytes:
    """7.0 knows none."""
    return b"" if version < TDS_71 else DEFAULT_COLLATION
