"""Files of certificates and keys, by the names that statements give them (instance.files says which file a name means).

Decides what is too large for a certificate or key, and that a new file can be read by its owner only.
"""

from __future__ import annotations

import os

from sbql.engine.ports import Session
from sbql.grammar.errors import sql_error

__all__ = ["read_file", "write_new_file"]

_LARGEST = 32 * 1024


def read_file(session: Session, name: str) -> bytes:
    """Raises 15208 for a file that is absent or larger than any certificate."""
    try:
        with open(session.instance.files.path(name), "rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        raise sql_error(15208) from None
    if len(data) > _LARGEST:
        raise sql_error(15208)
    return data


def write_new_file(session: Session, name: str, content: bytes) -> None:
    """Raises 15240 when the file exists or cannot be written."""
    try:
        with os.fdopen(
            os.open(session.instance.files.path(name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
        ) as file:
            file.write(content)
    except (OSError, ValueError):
        raise sql_error(15240, name) from None
