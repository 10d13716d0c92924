"""Files that statements read in bulk: which file a name means, who may read it, and its bytes as text.

It decides code pages and the errors of files (4834, 4860, 4861, 4868). It must not know rows.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from sbql.engine.ports import Session
from sbql.engine.security.checks import has_right
from sbql.grammar.errors import sql_error

__all__ = ["decoded", "is_wide", "read_file"]

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_file(session: Session, name: str) -> bytes:
    """The bytes of a file of the server. Raises 4834 without the right, 4860 and 4861 for the file."""
    if not session.contexts[-1].is_sa and not has_right(session, "ADMINISTER BULK OPERATIONS", "SERVER"):
        raise sql_error(4834)
    path = Path(session.instance.files.path(name))
    if not path.exists():
        raise sql_error(4860, name)
    try:
        return path.read_bytes()
    except OSError as error:
        raise sql_error(4861, name, f"{error.errno}({error.strerror})") from None


def is_wide(data: bytes) -> bool:
    """Whether the file says that it is UTF-16."""
    return data.startswith(_UTF16)


def decoded(data: bytes, code_page: str | int | None) -> str:
    """Text of a file: UTF-16 when it says so or WIDE is asked for, else in a code page. Raises 4868."""
    if is_wide(data):
        return data.decode("utf-16", errors="replace")
    page = str(code_page if code_page is not None else "OEM").upper()
    if page == "WIDE":
        return data.decode("utf-16-le", errors="replace")
    if page == "65001":
        return data.decode("utf-8-sig", errors="replace")
    name = {"ACP": "cp1252", "RAW": "cp1252", "OEM": "cp437"}.get(page, f"cp{page}")
    try:
        codecs.lookup(name)
    except LookupError:
        raise sql_error(4868, page) from None
    return data.decode(name, errors="replace")
