"""Tokens: what an answer is made of, as bytes.

It decides how each token is written for a client of a version. In which order they come, and when one is the last, is
the business of whoever answers. It must not know sessions.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from sbql.engine.tds.collations import DEFAULT_COLLATION
from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_72
from sbql.engine.tds.types import LONG, shown_type, type_info
from sbql.grammar.types import MAX, SqlType

__all__ = [
    "ATTENTION", "COMMANDS", "COUNT", "DONE", "DONEINPROC", "DONEPROC", "ERROR", "IN_TRANSACTION", "MORE", "NO_METADATA", "change",
    "column_metadata", "collation_change", "done", "features", "login_ack", "message", "return_status", "return_value", "transaction_change",
]  # fmt: skip

DONE, DONEPROC, DONEINPROC = 0xFD, 0xFE, 0xFF
MORE, ERROR, IN_TRANSACTION, COUNT, ATTENTION = 0x01, 0x02, 0x04, 0x10, 0x20
COMMANDS = {
    "SELECT": 0xC1, "SELECT INTO": 0xC2, "INSERT": 0xC3, "DELETE": 0xC4, "UPDATE": 0xC5, "MERGE": 0x117, "BULK INSERT": 0xF0, "EXECUTE": 0xE0,
}  # fmt: skip
"""Of statements that count rows. Clients add up counts of DML by these; 0 is nothing in particular."""

NO_METADATA = b"\x81\xff\xff"
_COLUMN_FLAGS = 0x0009
"""Nullable; nobody says whether it can be updated. With this flag types must be those that know NULL."""
_TEXT_MOST = 32000
"""Characters of a message: two bytes count the bytes of the whole token."""


def _is_old(version: int) -> bool:
    return version < TDS_72


def _b_varchar(text: str) -> bytes:
    data = text.encode("utf-16-le", "surrogatepass")[:510]
    return bytes([len(data) // 2]) + data


def _us_varchar(text: str) -> bytes:
    data = text.encode("utf-16-le", "surrogatepass")[: 2 * _TEXT_MOST]
    return struct.pack("<H", len(data) // 2) + data


def done(token: int, status: int, command: int, count: int, version: int) -> bytes:
    """DONE, DONEPROC or DONEINPROC, as `token` says; the count has 4 bytes before TDS 7.2, then 8."""
    if _is_old(version):
        return struct.pack("<BHHI", token, status, command, count & 0xFFFFFFFF)
    return struct.pack("<BHHQ", token, status, command, count)


def message(
    *, is_error: bool, number: int, state: int, severity: int, text: str, server: str, procedure: str, line: int, version: int
) -> bytes:  # fmt: skip
    """ERROR or INFO. A severity of 10 is told as 0, as everybody expects."""
    level = 0 if severity == 10 else severity
    body = struct.pack("<iBB", max(-(2**31), min(number, 2**31 - 1)), state & 0xFF, level & 0xFF)
    body += _us_varchar(text) + _b_varchar(server) + _b_varchar(procedure)
    body += struct.pack("<H", min(line, 0xFFFF)) if _is_old(version) else struct.pack("<I", max(0, line))
    return struct.pack("<BH", 0xAA if is_error else 0xAB, len(body)) + body


# --- the state of the session ------------------------------------------------------------------------------


def change(kind: int, new: str, old: str) -> bytes:
    """ENVCHANGE of a text: 1 database, 2 language, 4 size of packets."""
    body = bytes([kind]) + _b_varchar(new) + _b_varchar(old)
    return struct.pack("<BH", 0xE3, len(body)) + body


def collation_change() -> bytes:
    body = b"\x07\x05" + DEFAULT_COLLATION + b"\0"
    return struct.pack("<BH", 0xE3, len(body)) + body


def transaction_change(kind: int, descriptor: bytes) -> bytes:
    """ENVCHANGE: 8 a transaction has begun, 9 was committed, 10 was rolled back; 18 (without
    descriptor) the session is as new."""
    counted = bytes([len(descriptor)]) + descriptor
    body = bytes([kind]) + (counted + b"\0" if kind == 8 else b"\0" + counted)
    return struct.pack("<BH", 0xE3, len(body)) + body


def login_ack(version: int, program: str, number: tuple[int, int, int]) -> bytes:
    """LOGINACK: the version of TDS that is spoken, and the server's name and version."""
    major, minor, build = number
    body = b"\x01" + struct.pack(">I", version) + _b_varchar(program) + struct.pack(">BBH", major, minor, build)
    return struct.pack("<BH", 0xAD, len(body)) + body


def features(answers: Sequence[tuple[int, bytes]]) -> bytes:
    """FEATUREEXTACK."""
    return b"\xae" + b"".join(struct.pack("<BI", one, len(data)) + data for one, data in answers) + b"\xff"


# --- rows and values ---------------------------------------------------------------------------------------


def column_metadata(columns: Sequence[tuple[str, SqlType]], version: int) -> bytes:
    """COLMETADATA of columns by name and type."""
    user_type = b"\0\0" if _is_old(version) else b"\0\0\0\0"
    parts = [struct.pack("<BH", 0x81, len(columns))]
    for name, sql_type in columns:
        parts += [user_type, struct.pack("<H", _COLUMN_FLAGS), type_info(sql_type, version)]
        if shown_type(sql_type, version).name in LONG:
            parts.append(b"\0\0" if _is_old(version) else b"\x01\0\0")
        parts.append(_b_varchar(name))
    return b"".join(parts)


def return_status(value: int) -> bytes:
    return struct.pack("<Bi", 0x79, max(-(2**31), min(value, 2**31 - 1)))


_GROWN = {"text": "varchar", "ntext": "nvarchar", "image": "varbinary"}


def return_value(ordinal: int, name: str, sql_type: SqlType, value: Any, version: int) -> bytes:
    """RETURNVALUE of an OUTPUT parameter; `ordinal` counts all parameters of the call from 0."""
    if sql_type.name in _GROWN:
        sql_type = SqlType(_GROWN[sql_type.name], length=8000 if _is_old(version) else MAX)
    head = struct.pack("<BH", 0xAC, ordinal) + _b_varchar(name) + b"\x01"
    user_type = b"\0\0" if _is_old(version) else b"\0\0\0\0"
    return head + user_type + b"\x01\0" + type_info(sql_type, version) + encoder(sql_type, version)(value)
