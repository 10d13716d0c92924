"""What a client says: its login, its batches, its calls.

It decides how they are written, in TDS 7.4. How they are read is `login`'s and `requests`' business, which do it for
the server. It must not know what is asked, or why.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_74, TDS_80
from sbql.engine.tds.prelogin import write_prelogin
from sbql.engine.tds.requests import PROCEDURE_IDS, Parameter
from sbql.engine.tds.types import type_info
from sbql.grammar.types import NULL_TYPE

__all__ = ["batch_of", "call_of", "end_of_transaction", "login_of", "prelogin_of"]

_NUMBERS = {name: number for number, name in PROCEDURE_IDS.items()}
_FIELDS = ("host", "user", "password", "program", "server", "extension", "library", "language", "database")
_FIXED = 94
_NULL = b"\x1f"
"""A type of its own, whose only value takes no bytes."""
_OPTIONS = 0xE0
"""Warn of a change of language, of a change of database (both are said, then), and
refuse a database that is not there."""
_ODBC = 0x02
"""The session's options are those of ODBC: ANSI_DEFAULTS without IMPLICIT_TRANSACTIONS."""


def prelogin_of(encryption: int, version: tuple[int, int, int]) -> bytes:
    """PRELOGIN: what the client wants of encryption."""
    return write_prelogin(
        [(0, struct.pack(">BBHH", *version, 0)), (1, bytes([encryption])), (2, b"\0"), (3, bytes(4)), (4, b"\0")]
    )


def login_of(*, packet_size: int, process: int, is_strict: bool, **texts: str) -> bytes:
    """LOGIN7. `texts`: host, user, password, program, server, library, language,
    database; at most 128 characters each."""
    places, data, at = bytearray(), bytearray(), _FIXED
    for name in _FIELDS:
        text = texts.get(name, "").encode("utf-16-le", "surrogatepass")
        if name == "password":
            text = bytes([(byte << 4 & 0xF0 | byte >> 4) ^ 0xA5 for byte in text])
        places += struct.pack("<HH", at + len(data), len(text) // 2)
        data += text
    version = TDS_80 if is_strict else TDS_74
    head = (
        struct.pack("<IIIII", version, packet_size, 0, process & 0xFFFFFFFF, 0)
        + bytes([_OPTIONS, _ODBC, 0, 0])
        + bytes(8)
    )
    whole = head + places + bytes(6) + bytes(12) + bytes(4) + data
    return struct.pack("<I", len(whole) + 4) + whole


def _headers(descriptor: int) -> bytes:
    """ALL_HEADERS: the open transaction, 0 for none."""
    return struct.pack("<IIHQI", 22, 18, 2, descriptor, 1)


def batch_of(text: str, descriptor: int) -> bytes:
    return _headers(descriptor) + text.encode("utf-16-le", "surrogatepass")


def call_of(procedure: str, parameters: Sequence[Parameter], descriptor: int) -> bytes:
    """A procedure call, by number where the procedure has one."""
    number = _NUMBERS.get(procedure)
    if number is not None:
        name = struct.pack("<HH", 0xFFFF, number)
    else:
        name = struct.pack("<H", len(procedure)) + procedure.encode("utf-16-le")
    return _headers(descriptor) + name + b"\0\0" + b"".join([_parameter(one) for one in parameters])


def end_of_transaction(*, commits: bool, descriptor: int) -> bytes:
    """TM_COMMIT_XACT or TM_ROLLBACK_XACT: without a name, and nothing begins after it."""
    return _headers(descriptor) + struct.pack("<HBB", 7 if commits else 8, 0, 0)


def _parameter(one: Parameter) -> bytes:
    head = bytes([len(one.name)]) + one.name.encode("utf-16-le") + bytes([one.is_output])
    if one.type == NULL_TYPE:
        return head + _NULL
    return head + type_info(one.type, TDS_74) + encoder(one.type, TDS_74)(one.value)
