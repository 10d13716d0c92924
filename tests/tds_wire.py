"""A client of TDS for tests that need to see tokens, or to send what no driver sends."""

from __future__ import annotations

import socket
import struct
from typing import Any

from sbql.engine.tds.decoding import behind_pointer, read_type
from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_74
from sbql.engine.tds.packets import MessageReader, packets_of
from sbql.engine.tds.prelogin import read_prelogin, write_prelogin
from sbql.engine.tds.reading import Reader
from sbql.engine.tds.types import type_info
from sbql.grammar.types import SqlType

__all__ = ["HEADERS", "PASSWORD", "WireClient", "login_record", "notification", "of", "parameter", "parse", "rpc"]

HEADERS = struct.pack("<IIHQI", 22, 18, 2, 0, 1)
PATIENCE = 30.0
PASSWORD = "Pässwörd-ж漢1"
"""Of sa, at the servers of conftest.py in tests/doors."""


def notification(message: str, options: str, timeout: int | None = None) -> bytes:
    """Headers that ask for a query notification, as SqlClient and the ODBC driver write them."""
    texts = [text.encode("utf-16-le", "surrogatepass") for text in (message, options)]
    body = b"".join(struct.pack("<H", len(text)) + text for text in texts)
    body += b"" if timeout is None else struct.pack("<I", timeout)
    header = struct.pack("<IH", len(body) + 6, 1) + body
    return struct.pack("<I", len(HEADERS) + len(header)) + HEADERS[4:] + header


_NAMES = ("host", "user", "password", "program", "server", "extension", "library", "language", "database")
_LONG = (0x22, 0x23, 0x63)


def login_record(version: int = TDS_74, size: int = 4096, options2: int = 0, **texts: str) -> bytes:
    places, data, at = b"", b"", 94
    for name in _NAMES:
        text = texts.get(name, "").encode("utf-16-le")
        if name == "password":
            text = bytes(((b << 4 & 0xF0) | b >> 4) ^ 0xA5 for b in text)
        places += struct.pack("<HH", at + len(data), len(text) // 2)
        data += text
    fixed = struct.pack("<IIIII", version, size, 7, 1, 0) + bytes([0xE0, options2, 0, 0]) + bytes(8)
    whole = fixed + places + bytes(6) + bytes(12) + bytes(4) + data
    return struct.pack("<I", len(whole) + 4) + whole


def parameter(name: str, sql_type: SqlType, value: Any, status: int = 0) -> bytes:
    return (
        bytes([len(name)])
        + name.encode("utf-16-le")
        + bytes([status])
        + type_info(sql_type, TDS_74)
        + encoder(sql_type, TDS_74)(value)
    )


def rpc(name: str | int, *parameters: bytes) -> bytes:
    head = (
        struct.pack("<HH", 0xFFFF, name)
        if isinstance(name, int)
        else struct.pack("<H", len(name)) + name.encode("utf-16-le")
    )
    return head + b"\0\0" + b"".join(parameters)


def parse(data: bytes) -> list[tuple[Any, ...]]:
    """The tokens of an answer, in a form that reads well in a test."""
    reader, found, columns = Reader(data), [], []
    while not reader.is_over:
        token = reader.byte()
        if token == 0x81:
            columns = _columns(reader)
            found.append(("columns", [(name, str(one.type)) for name, one in columns]))
        elif token == 0xD1:
            found.append(("row", tuple(one.read(reader) for _, one in columns)))
        elif token in (0xFD, 0xFE, 0xFF):
            status, command, count = reader.u16(), reader.u16(), reader.u64()
            name = {0xFD: "done", 0xFE: "doneproc", 0xFF: "doneinproc"}[token]
            found.append((name, status, command, count))
        elif token == 0x79:
            found.append(("status", reader.i32()))
        elif token == 0xAC:
            ordinal, name = reader.u16(), reader.b_varchar()
            reader.take(7)
            found.append(("value", ordinal, name, read_type(reader).read(reader)))
        elif token == 0xAE:
            while reader.byte() != 0xFF:
                reader.take(reader.u32())
            found.append(("features",))
        else:
            found.append(_counted(token, Reader(reader.take(reader.u16()))))
    return found


def of(kind: str, answer: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What tokens of one kind say."""
    return [token[1:] for token in answer if token[0] == kind]


def _columns(reader: Reader) -> list[Any]:
    count = reader.u16()
    found: list[Any] = []
    for _ in range(0 if count == 0xFFFF else count):
        reader.take(6)
        kind = reader.peek()
        incoming = read_type(reader)
        if kind in _LONG:
            for _ in range(reader.byte()):
                reader.us_varchar()
            incoming = behind_pointer(incoming)
        found.append((reader.b_varchar(), incoming))
    return found


def _counted(token: int, body: Reader) -> tuple[Any, ...]:
    if token in (0xAA, 0xAB):
        number, state, severity, text = body.i32(), body.byte(), body.byte(), body.us_varchar()
        body.b_varchar()
        return ("error" if token == 0xAA else "info"), number, severity, state, text, body.b_varchar(), body.u32()
    if token == 0xE3:
        kind = body.byte()
        if kind in (1, 2, 4):
            return "change", kind, body.b_varchar(), body.b_varchar()
        return "change", kind, body.rest()
    if token == 0xAD:
        body.byte()
        return "login", int.from_bytes(body.take(4), "big"), body.b_varchar(), body.rest()
    raise AssertionError(f"token {token:02X}")


class WireClient:
    def __init__(
        self, port: int, *, user: str = "sa", password: str = "", database: str = "", logs_in: bool = True, **login: Any
    ) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.reader = MessageReader(1 << 30)
        if logs_in:
            self.send(0x12, write_prelogin([(0, bytes(6)), (1, b"\x02"), (2, b"\0"), (3, bytes(4)), (4, b"\0")]))
            assert read_prelogin(self.message()).encryption == 2
            self.send(0x10, login_record(user=user, password=password, database=database, **login))
            self.greeting = parse(self.message())

    def send(self, kind: int, data: bytes, *, size: int = 4096, status: int = 0) -> None:
        stream = bytearray(packets_of(kind, data, size)[0])
        stream[1] |= status
        self.socket.sendall(stream)

    def message(self) -> bytes:
        """The next answer. Raises ConnectionError when there is none any more."""
        while (found := self.reader.next()) is None:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("the server has closed the connection")
            self.reader.feed(data)
        return found.data

    def answer(self) -> list[tuple[Any, ...]]:
        return parse(self.message())

    def await_word(self) -> None:
        """Until something of the next answer is here; it stays to be read. A batch sends what it
        has said so far with each PRINT."""
        assert self.reader.buffered == 0
        assert self.socket.recv(1, socket.MSG_PEEK), "the server has closed the connection"

    def batch(self, text: str, *, headers: bytes = HEADERS, **how: Any) -> list[tuple[Any, ...]]:
        self.send(1, headers + text.encode("utf-16-le"), **how)
        return self.answer()

    def call(self, name: str | int, *parameters: bytes, headers: bytes = HEADERS, **how: Any) -> list[tuple[Any, ...]]:
        self.send(3, headers + rpc(name, *parameters), **how)
        return self.answer()

    def attention(self) -> None:
        self.send(6, b"")

    def leave(self) -> None:
        """Say that it was all, and wait for the server's end of it."""
        self.socket.shutdown(socket.SHUT_WR)
        while self.socket.recv(65536):
            pass
        self.close()

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> WireClient:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
