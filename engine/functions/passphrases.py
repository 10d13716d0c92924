"""ENCRYPTBYPASSPHRASE and DECRYPTBYPASSPHRASE: AES-256 in CBC mode under the SHA-256 of the passphrase, as SQL Server
2017 and later.

Layout: version 2 and three zero bytes, 16 bytes of initialization vector, then encrypted: a magic number, the lengths
of check and text, the check of the authenticator, the text. What does not decrypt is NULL, never an error.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import national_text, text_or_bytes
from sbql.grammar.types import INT, SYSNAME, SqlType, varbinary
from sbql.grammar.values.binary import to_bytes

__all__: list[str] = []

Types = tuple[SqlType, ...]
_VERSION = b"\x02\x00\x00\x00"
_MAGIC = 0xBAADF00D
_HEAD = struct.Struct("<IHH")
_BLOCK = 16
_LONGEST = 8000


def _cipher(passphrase: str, vector: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    key = hashlib.sha256(passphrase.encode("utf-16-le", "surrogatepass")).digest()
    return Cipher(algorithms.AES(key), modes.CBC(vector))


def _check(text: bytes, authenticator: str) -> bytes:
    return hashlib.sha1(text + authenticator.encode("utf-16-le", "surrogatepass"), usedforsecurity=False).digest()


def _authenticator(adds: int | None, authenticator: str | None) -> str | None:
    """The authenticator if the third argument asks for one."""
    return (authenticator or "") if adds else None


@function(
    "ENCRYPTBYPASSPHRASE", varbinary(8000), [national_text, text_or_bytes, INT, SYSNAME], optional=2, typed=True, needs_frame=True,
    null_on_null=False,
)  # fmt: skip
def _encrypt(types: Types) -> Any:
    def run(
        frame: Frame, passphrase: str | None, value: Any, adds: int | None = 0, authenticator: str | None = None
    ) -> bytes | None:
        if passphrase is None or value is None:
            return None
        text = to_bytes(value, types[1])
        known = _authenticator(adds, authenticator)
        check = b"" if known is None else _check(text, known)
        plain = _HEAD.pack(_MAGIC, len(check), len(text) & 0xFFFF) + check + text
        padding = _BLOCK - len(plain) % _BLOCK
        host = frame.session.instance.host
        vector = bytes(int(host.random() * 256) for _ in range(_BLOCK))
        encryptor = _cipher(passphrase, vector).encryptor()
        found = _VERSION + vector + encryptor.update(plain + bytes([padding]) * padding) + encryptor.finalize()
        return found if len(found) <= _LONGEST else None

    return run


@function(
    "DECRYPTBYPASSPHRASE",
    varbinary(8000),
    [national_text, varbinary(8000), INT, SYSNAME],
    optional=2,
    null_on_null=False,
)
def _decrypt(
    passphrase: str | None, data: bytes | None, adds: int | None = 0, authenticator: str | None = None
) -> bytes | None:
    if (
        passphrase is None
        or data is None
        or not data.startswith(_VERSION)
        or len(data) < 4 + 2 * _BLOCK
        or (len(data) - 4) % _BLOCK
    ):
        return None
    decryptor = _cipher(passphrase, data[4 : 4 + _BLOCK]).decryptor()
    plain = decryptor.update(data[4 + _BLOCK :]) + decryptor.finalize()
    magic, check_size, size = _HEAD.unpack_from(plain)
    if magic != _MAGIC:
        return None
    check = plain[_HEAD.size : _HEAD.size + check_size]
    text = plain[_HEAD.size + check_size : _HEAD.size + check_size + size]
    known = _authenticator(adds, authenticator)
    return text if check == (b"" if known is None else _check(text, known)) else None
