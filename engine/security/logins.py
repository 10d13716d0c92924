"""Passwords of logins: how they are kept, and whether one is right.

New ones are kept as a salt and PBKDF2 of SHA-256; hashes that SQL Server has made (WITH PASSWORD = 0x… HASHED) stay as
they are: 0x0100 with SHA-1, 0x0200 with SHA-512. It must not know who asks.
"""

from __future__ import annotations

import hashlib
import hmac

from sbql.grammar.errors import sql_error

__all__ = ["given_hash", "password_hash", "password_matches"]

_SALT, _ROUNDS = 16, 100_000
_OWN_SIZE = _SALT + 32
_SHA1, _SHA512 = b"\x01\x00", b"\x02\x00"
_SIZES = {_SHA1: (26, 46), _SHA512: (70,)}
"""0x0100 once had a second digest behind the first, of the password in capitals."""


def password_hash(password: str, salt: bytes) -> bytes:
    """What is kept of a password; `salt` has 16 bytes."""
    return salt + hashlib.pbkdf2_hmac("sha256", password.encode("utf-8", "surrogatepass"), salt, _ROUNDS)


def given_hash(literal: str) -> bytes:
    """A hash as it stands in a statement, 0x…. Raises 15021 when SQL Server cannot have made it."""
    digits = literal[2:]
    found = bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}")
    if len(found) not in _SIZES.get(found[:2], ()):
        raise sql_error(15021, "PASSWORD")
    return found


def password_matches(password: str, kept: bytes | None) -> bool:
    """True when `kept` is the hash of the password. The time that it takes does not tell how much of it is right,
    nor whether there is a hash at all."""
    known = kept if kept is not None else bytes(_OWN_SIZE)
    if len(known) == _OWN_SIZE:
        found = password_hash(password, known[:_SALT])
    else:
        salt, typed = known[2:6], password.encode("utf-16-le", "surrogatepass")
        digest = hashlib.sha1 if known[:2] == _SHA1 else hashlib.sha512
        found = known[:6] + digest(typed + salt).digest()
        known = known[: len(found)]
    return hmac.compare_digest(found, known) and kept is not None
