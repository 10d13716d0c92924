"""Hashes and compression: HASHBYTES, CHECKSUM, BINARY_CHECKSUM, COMPRESS, CRYPT_GEN_RANDOM.

CHECKSUM of numbers is that of SQL Server; of strings it follows the collation (equal strings, equal sums), but the
numbers themselves are our own, as the vendor's collation weights are not published.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable
from typing import Any

from sbql.engine.functions.old_digests import md2, md4
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import as_text, text_or_bytes
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, VARBINARY_MAX, SqlType, varbinary
from sbql.grammar.values.binary import to_bytes
from sbql.grammar.values.checkpoints import checked, checkpoint
from sbql.grammar.values.collation import key_function
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.memory import LARGE, reserve

__all__: list[str] = []

Types = tuple[SqlType, ...]
_PIECE = 4 << 20
"""Bytes that are digested in some ten milliseconds."""


def _digest(name: str) -> Callable[[bytes], bytes]:
    def digest(data: bytes) -> bytes:
        found = hashlib.new(name, data[:_PIECE], usedforsecurity=False)
        for start in range(_PIECE, len(data), _PIECE):
            checkpoint()
            found.update(data[start : start + _PIECE])
        return found.digest()

    return digest


_ALGORITHMS: dict[str, Callable[[bytes], bytes]] = {
    "MD2": md2, "MD4": md4, "MD5": _digest("md5"), "SHA": _digest("sha1"), "SHA1": _digest("sha1"),
    "SHA2_256": _digest("sha256"), "SHA2_512": _digest("sha512"),
}  # fmt: skip
_NULL_SUM = 0x7FFFFFFF


@function("HASHBYTES", varbinary(8000), [as_text, text_or_bytes], typed=True)
def _hashbytes(types: Types) -> Callable[[str, Any], bytes | None]:
    def run(algorithm: str, value: Any) -> bytes | None:
        digest = _ALGORITHMS.get(algorithm.strip().upper())
        return digest(to_bytes(value, types[1])) if digest is not None else None

    return run


def _rotate(total: int, part: int) -> int:
    """Rotate left by four bits, then exclusive or."""
    return ((total << 4 | total >> 28) & 0xFFFFFFFF) ^ part


def _signed(total: int) -> int:
    return total - 2**32 if total >= 2**31 else total


def _part(value: Any, sql_type: SqlType, *, binary: bool) -> int:
    """One value's contribution."""
    if value is None:
        return _NULL_SUM
    family = kind(sql_type)
    if family in ("int", "bit"):
        number = int(value)
        return (number if -(2**31) <= number < 2**31 else number ^ (number >> 32)) & 0xFFFFFFFF
    if family == "variant":
        return _part(value.value, value.type, binary=binary)
    if family == "string":
        text = value.rstrip(" ") if binary else key_function(sql_type)(value).upper()
        data = to_bytes(text, sql_type)
    else:
        data = to_bytes(value, sql_type)
    total = 0
    for byte in checked(data, 4096):
        total = _rotate(total, byte)
    return total


def _checksum(binary: bool) -> Callable[[Types], Callable[..., int]]:
    def make(types: Types) -> Callable[..., int]:
        for i, sql_type in enumerate(types):
            if sql_type.name in ("xml", "text", "ntext", "image"):
                raise sql_error(8116, spelled(sql_type), i + 1, "checksum")

        def run(*values: Any) -> int:
            total = 0
            for value, sql_type in zip(values, types, strict=True):
                total = _rotate(total, _part(value, sql_type, binary=binary))
            return _signed(total)

        return run

    return make


function("CHECKSUM", INT, [None], variadic=True, null_on_null=False, typed=True)(_checksum(False))
function("BINARY_CHECKSUM", INT, [None], variadic=True, null_on_null=False, typed=True)(_checksum(True))


_PIECE = 1 << 17
"""Bytes that are packed in some ten milliseconds."""


@function("COMPRESS", VARBINARY_MAX, [text_or_bytes], typed=True)
def _compress(types: Types) -> Callable[[Any], bytes]:
    """GZIP, without a time stamp so that a run repeats."""
    return lambda value: _packed(to_bytes(value, types[0]))


def _packed(value: bytes) -> bytes:
    """A short value with as small a window as gives the same bytes: most of its time would go into clearing a large
    one. A long one piece by piece: a megabyte that packs badly takes a quarter of a second."""
    window, memory = next((sizes for longest, sizes in _WINDOWS.items() if len(value) <= longest), _LARGEST)
    packer = zlib.compressobj(9, zlib.DEFLATED, -window, memory)
    parts = [_HEADER]
    for start in range(0, len(value), _PIECE):
        if start:
            checkpoint()
        parts.append(packer.compress(value[start : start + _PIECE]))
    parts += (packer.flush(), zlib.crc32(value).to_bytes(4, "little"), (len(value) & 0xFFFFFFFF).to_bytes(4, "little"))
    return b"".join(parts)


_HEADER = bytes.fromhex("1f8b08000000000002ff")
"""GZIP's: no name, no time, best compression, no known system."""
_WINDOWS = {250: (9, 2), 760: (10, 4), 3800: (12, 6)}
"""Lengths of values to zlib's sizes of window and memory that hold all of such a value."""
_LARGEST = (15, 8)
_SHORT = 1 << 16


@function("DECOMPRESS", VARBINARY_MAX, [VARBINARY_MAX])
def _decompress(value: bytes) -> bytes:
    try:
        return _unpacked_at_once(value) or _unpacked(value)
    except (OSError, EOFError, zlib.error):
        raise sql_error(9826) from None


def _unpacked_at_once(value: bytes) -> bytes:
    """A short value that is one whole member; empty for every other."""
    unpacker = zlib.decompressobj(31)
    found = unpacker.decompress(value, _SHORT)
    return found if unpacker.eof and not unpacker.unused_data else b""


def _unpacked(value: bytes) -> bytes:
    """A few kilobytes may stand for gigabytes, so it comes piece by piece."""
    found = bytearray()
    with gzip.GzipFile(fileobj=io.BytesIO(value)) as file:
        while piece := file.read(LARGE):
            checkpoint()
            reserve(2 * (len(found) + len(piece)))
            found += piece
    return bytes(found)


@function("CRYPT_GEN_RANDOM", varbinary(8000), [INT, varbinary(8000)], optional=1, needs_frame=True)
def _crypt_gen_random(frame: Frame, length: int, seed: bytes | None = None) -> bytes | None:
    if not 1 <= length <= 8000:
        return None
    host = frame.session.instance.host
    return bytes(int(host.random() * 256) for _ in range(length))
