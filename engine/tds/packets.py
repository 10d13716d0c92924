"""Packets: the frame of everything that travels. A message is a run of packets, the last of which says so.

It decides how bytes become messages and messages packets. It must not know what a message says.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from msgspec import Struct

from sbql.engine.tds.reading import ProtocolError

__all__ = [
    "END",
    "HEADER",
    "LARGEST_PACKET",
    "SMALLEST_PACKET",
    "Kind",
    "Message",
    "MessageReader",
    "has_attention",
    "packets_of",
    "take_packet",
]

HEADER = 8
SMALLEST_PACKET, LARGEST_PACKET = 512, 32767
_HEADER = struct.Struct(">BBHHBB")
END, _IGNORED, _RESET, _RESET_KEEPING = 0x01, 0x02, 0x08, 0x10


class Kind(IntEnum):
    """The first byte of a packet."""

    BATCH = 0x01
    RPC = 0x03
    ANSWER = 0x04
    ATTENTION = 0x06
    BULK = 0x07
    FEDERATED = 0x08
    TRANSACTION = 0x0E
    LOGIN = 0x10
    SSPI = 0x11
    PRELOGIN = 0x12


_KINDS = frozenset(int(kind) for kind in Kind)


class Message(Struct):
    """`is_ignored`: the client gave up while it sent. `resets`: the session is to be as new
    first; `keeps_transaction` with it."""

    kind: Kind
    data: bytes
    is_ignored: bool = False
    resets: bool = False
    keeps_transaction: bool = False


class MessageReader:
    """Bytes in, messages out. The bytes may come cut and joined anywhere."""

    def __init__(self, largest: int) -> None:
        """`largest`: bytes of a message; more raise ProtocolError."""
        self.largest = largest
        self._buffer = bytearray()
        self._parts: list[bytes] = []
        self._size = 0
        self._first = 0

    @property
    def buffered(self) -> int:
        """Bytes that have come and are in no message yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> Message | None:
        """The next whole message; None: more bytes are needed. Raises ProtocolError."""
        while (packet := take_packet(self._buffer)) is not None:
            kind, status, body = packet
            if not self._parts:
                self._first = kind | status << 8
            elif kind != self._first & 0xFF:
                if kind != Kind.ATTENTION:
                    raise ProtocolError(f"a packet of type {kind} stands in a message of type {self._first & 0xFF}")
                self._drop()  # the client has thought better of its request
                self._first = kind | status << 8
            self._size += len(body)
            if self._size > self.largest:
                raise ProtocolError(f"a message has more than {self.largest} bytes")
            self._parts.append(body)
            if status & END:
                return self._whole(status)
        return None

    def _whole(self, last_status: int) -> Message:
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        status = self._first >> 8
        found = Message(
            Kind(self._first & 0xFF), data, bool(last_status & _IGNORED), bool(status & (_RESET | _RESET_KEEPING)),
            bool(status & _RESET_KEEPING),
        )  # fmt: skip
        self._drop()
        return found

    def _drop(self) -> None:
        self._parts, self._size = [], 0

    def sees_attention(self) -> bool:
        """An attention stands among the bytes that no message has taken yet."""
        return has_attention(self._buffer)

    def take_rest(self) -> bytes:
        """Bytes behind the last message, which belong to another protocol: TLS."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        return rest


def take_packet(buffer: bytearray) -> tuple[int, int, bytes] | None:
    """The kind, the status and the content of the packet at the front of `buffer`, which loses it; None: more bytes
    are needed. Raises ProtocolError."""
    if len(buffer) < HEADER:
        return None
    kind, status, length, _, _, _ = _HEADER.unpack_from(buffer)
    if kind not in _KINDS or length < HEADER or length > LARGEST_PACKET + 1:
        raise ProtocolError(f"a packet of type {kind} and {length} bytes is none")
    if len(buffer) < length:
        return None
    body = bytes(buffer[HEADER:length])
    del buffer[:length]
    return kind, status, body


def has_attention(data: bytes | bytearray) -> bool:
    """The headers are followed from the first on; half a packet at the end hides nothing that has come whole."""
    at = 0
    while at + HEADER <= len(data):
        length = data[at + 2] << 8 | data[at + 3]
        if data[at] == Kind.ATTENTION:
            return True
        if length < HEADER:
            return False
        at += length
    return False


def packets_of(
    kind: int, data: bytes | bytearray | memoryview, size: int, number: int = 0, *, spid: int = 0, is_end: bool = True
) -> tuple[bytes, int]:
    """`data` as packets of at most `size` bytes, and the number of the next one.
    `is_end`: the message ends with them."""
    room = size - HEADER
    total = len(data)
    if total <= room:
        number = (number % 255) + 1
        return _HEADER.pack(kind, END if is_end else 0, total + HEADER, spid & 0xFFFF, number, 0) + data, number
    view, out, at = memoryview(data), bytearray(), 0
    while at < total:
        part = view[at : at + room]
        at += room
        number = (number % 255) + 1
        status = END if is_end and at >= total else 0
        out += _HEADER.pack(kind, status, len(part) + HEADER, spid & 0xFFFF, number, 0)
        out += part
    return bytes(out), number
