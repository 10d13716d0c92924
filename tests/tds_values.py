"""A value of each type that drivers are given and have to give back, and how it is
written in T-SQL and as plain text."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

__all__ = ["VALUES", "literal", "type_lines"]

VALUES: list[tuple[str, Any]] = [
    ("tinyint", 255), ("smallint", -32768), ("int", 2**31 - 1), ("bigint", -(2**63)), ("bit", True), ("float", 0.1), ("real", 1.5),
    ("decimal(38,10)", Decimal("1234567890123456789012345678.0123456789")), ("decimal(5,2)", Decimal("-999.99")), ("money", Decimal("-922337203685477.5808")),
    ("smallmoney", Decimal("214748.3647")), ("date", dt.date(2024, 2, 29)), ("time(3)", dt.time(23, 59, 59, 997000)),
    ("datetime", dt.datetime(2024, 2, 29, 1, 2, 3, 997000)), ("smalldatetime", dt.datetime(2024, 2, 29, 1, 2)),
    ("datetime2(6)", dt.datetime(9999, 12, 31, 23, 59, 59, 999999)), ("uniqueidentifier", uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")),
    ("varchar(20)", "äöü€"), ("char(5)", "ab   "), ("nvarchar(20)", "ж漢😀"), ("nchar(4)", "ж   "), ("varbinary(10)", b"\x00\xff"), ("binary(3)", b"a\0\0"),
    ("varchar(max)", "é" * 9000), ("nvarchar(max)", "漢" * 9000), ("varbinary(max)", bytes(range(256)) * 64), ("text", "long"), ("ntext", "ж"), ("image", b"\1\2"),
    ("xml", "<a>ж</a>"),
]  # fmt: skip
"""Type and value, as every driver gives it."""

_COMPARED_AS = {"text": "varchar(max)", "ntext": "nvarchar(max)", "image": "varbinary(max)", "xml": "nvarchar(max)"}
"""Types that have no `=`."""


def literal(value: Any) -> str:
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float | Decimal):
        return repr(value) if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return f"N'{value}'"
    if isinstance(value, dt.datetime):
        return f"'{value.isoformat(timespec='microseconds' if value.microsecond % 1000 else 'milliseconds')}'"
    return f"'{value}'"


def type_lines() -> str:
    """The values for programs in other languages: type, kind, text, literal and type to compare
    as in a line, with tabs between."""
    found = (
        (sql_type, *_plain(value), literal(value), _COMPARED_AS.get(sql_type, sql_type)) for sql_type, value in VALUES
    )
    return "".join("\t".join(one) + "\n" for one in found)


def _plain(value: Any) -> tuple[str, str]:
    match value:
        case bool():
            return "bit", str(int(value))
        case int():
            return "int", str(value)
        case float():
            return "float", repr(value)
        case Decimal():
            return "decimal", str(value)
        case dt.datetime() | dt.time():
            text = value.isoformat(" ") if isinstance(value, dt.datetime) else value.isoformat()
            return type(value).__name__, text.rstrip("0") if "." in text else text
        case dt.date():
            return "date", value.isoformat()
        case uuid.UUID():
            return "guid", str(value).upper()
        case bytes():
            return "bytes", value.hex()
    return "text", str(value)
