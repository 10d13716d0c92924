"""PRELOGIN: what client and server agree upon before anything else, encryption above all.

It decides the answer to what a client wants of encryption. It must not know certificates.
"""

from __future__ import annotations

import struct

from msgspec import Struct

from sbql.engine.tds.reading import ProtocolError, Reader

__all__ = [
    "ENCRYPT_OFF",
    "ENCRYPT_ON",
    "ENCRYPT_REQUIRED",
    "NO_ENCRYPTION",
    "answer_to",
    "encryption_answer",
    "read_prelogin",
    "write_prelogin",
]

_VERSION, _ENCRYPTION, _INSTANCE, _THREAD, _MARS, _TRACE, _FEDERATED = range(7)
_END = 0xFF
_PLACE = struct.Struct(">BHH")

ENCRYPT_OFF, ENCRYPT_ON, NO_ENCRYPTION, ENCRYPT_REQUIRED = range(4)
"""ENCRYPT_OFF: only the login travels encrypted. NO_ENCRYPTION: the sender cannot."""


class Prelogin(Struct, frozen=True):
    encryption: int = NO_ENCRYPTION
    asks_federated: bool = False
    options: frozenset[int] = frozenset()


def read_prelogin(data: bytes) -> Prelogin:
    """What a client says. Raises ProtocolError."""
    reader, found = Reader(data), dict[int, bytes]()
    while (token := reader.byte()) != _END:
        offset, length = struct.unpack(">HH", reader.take(4))
        if offset + length > len(data):
            raise ProtocolError("an option of PRELOGIN lies behind its end")
        found[token] = data[offset : offset + length]
    encryption = found.get(_ENCRYPTION, b"\x02")[:1] or b"\x02"
    return Prelogin(encryption[0] & 0x1F, _FEDERATED in found, frozenset(found))


def encryption_answer(wanted: int, *, has_certificate: bool, is_forced: bool) -> int:
    """What the server says to what the client wants of encryption."""
    if not has_certificate:
        return NO_ENCRYPTION
    if wanted in (ENCRYPT_ON, ENCRYPT_REQUIRED):
        return ENCRYPT_REQUIRED if wanted == ENCRYPT_REQUIRED and is_forced else ENCRYPT_ON
    if is_forced:
        return ENCRYPT_REQUIRED
    return ENCRYPT_OFF if wanted == ENCRYPT_OFF else NO_ENCRYPTION


def answer_to(asked: Prelogin, encryption: int, version: tuple[int, int, int]) -> bytes:
    """There is no MARS here, and no federated login."""
    options = [
        (_VERSION, struct.pack(">BBHH", *version, 0)),
        (_ENCRYPTION, bytes([encryption])),
        (_INSTANCE, b"\0"),
        (_THREAD, b""),
        (_MARS, b"\0"),
    ]
    if asked.asks_federated:
        options.append((_FEDERATED, b"\0"))
    return write_prelogin(options)


def write_prelogin(options: list[tuple[int, bytes]]) -> bytes:
    offset = _PLACE.size * len(options) + 1
    places, data = bytearray(), bytearray()
    for token, value in options:
        places += _PLACE.pack(token, offset + len(data), len(value))
        data += value
    return bytes(places) + bytes([_END]) + bytes(data)
