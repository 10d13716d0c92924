"""A careful reader of bytes: little endian numbers, counted texts, never beyond the end.

It decides what is wrong with bytes only so far as they end too early or are no text. It must not know what they mean.
"""

from __future__ import annotations

import struct

from sbql.grammar.errors import SqlError, sql_error

__all__ = ["EndsEarly", "ProtocolError", "Reader", "UnknownType", "WrongParameter", "unreadable", "utf16"]

_U16, _U32, _U64, _I32 = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<Q"), struct.Struct("<i")


class ProtocolError(ValueError):
    """The bytes are not what the protocol says should stand here."""


class EndsEarly(ProtocolError):
    """More bytes are needed: of an answer they may come yet."""


class UnknownType(ProtocolError):
    """There is no type of this number."""

    def __init__(self, token: int) -> None:
        super().__init__(f"a type {token:02X} is not known here")
        self.token = token


class WrongParameter(ProtocolError):
    """A parameter of a call is none: SQL Server has numbers of its own for these, with `arguments` in their texts."""

    def __init__(self, number: int, *arguments: object) -> None:
        super().__init__(f"error {number}")
        self.number, self.arguments = number, arguments


def unreadable(error: ProtocolError) -> SqlError:
    """What the client of such a request is told."""
    if isinstance(error, WrongParameter):
        return sql_error(error.number, *error.arguments)
    return SqlError(4002, f"The request cannot be read: {error}. The client sends what this server does not know.")


class Reader:
    """Reads `data` from `at` on. Every method moves on, and raises ProtocolError when the data end before."""

    __slots__ = ("at", "data", "end", "has_collations")

    def __init__(self, data: bytes, at: int = 0, *, has_collations: bool = True) -> None:
        """TDS 7.0 has no collations in its types."""
        self.data = data
        self.at = at
        self.end = len(data)
        self.has_collations = has_collations

    @property
    def is_over(self) -> bool:
        return self.at >= self.end

    def _move(self, size: int) -> int:
        at = self.at
        if size < 0 or at + size > self.end:
            raise EndsEarly(f"{size} bytes are wanted, {self.end - at} are there")
        self.at = at + size
        return at

    def take(self, size: int) -> bytes:
        at = self._move(size)
        return self.data[at : at + size]

    def peek(self) -> int:
        if self.at >= self.end:
            raise EndsEarly("the data end too early")
        return self.data[self.at]

    def byte(self) -> int:
        return self.data[self._move(1)]

    def u16(self) -> int:
        found: int = _U16.unpack_from(self.data, self._move(2))[0]
        return found

    def u32(self) -> int:
        found: int = _U32.unpack_from(self.data, self._move(4))[0]
        return found

    def u64(self) -> int:
        found: int = _U64.unpack_from(self.data, self._move(8))[0]
        return found

    def i32(self) -> int:
        found: int = _I32.unpack_from(self.data, self._move(4))[0]
        return found

    def collation(self) -> bytes:
        """Five bytes, or those of no collation in particular."""
        return self.take(5) if self.has_collations else bytes(5)

    def text(self, characters: int) -> str:
        """UTF-16LE; halves of surrogate pairs may stand alone."""
        return utf16(self.take(2 * characters))

    def b_varchar(self) -> str:
        return self.text(self.byte())

    def us_varchar(self) -> str:
        return self.text(self.u16())

    def rest(self) -> bytes:
        return self.take(self.end - self.at)


def utf16(data: bytes) -> str:
    """Raises ProtocolError for half a character."""
    try:
        return data.decode("utf-16-le", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"a text is no UTF-16: {error.reason}") from None
