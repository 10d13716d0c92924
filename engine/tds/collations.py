"""Collations as the protocol writes them: five bytes, of which a reader needs the code page.

It decides which code page a client's text is in. It must not know how texts compare.
"""

from __future__ import annotations

from functools import cache

from sbql.grammar.values.collation_names import all_collations

__all__ = ["DEFAULT_COLLATION", "code_page"]

DEFAULT_COLLATION = bytes.fromhex("0904D00034")
"""SQL_Latin1_General_CP1_CI_AS."""

_UTF8_BIT = 0x4000000
_LCID = 0xFFFF
_BY_SORT_ID = ((30, 35, 437), (40, 51, 850), (55, 62, 850), (80, 97, 1250), (104, 109, 1251), (112, 125, 1253), (128, 131, 1254),
               (136, 139, 1255), (144, 147, 1256), (152, 161, 1257))  # fmt: skip
"""Sort orders of SQL Server's own collations, from and up to, whose code page is not that of their locale."""


@cache
def _by_locale() -> dict[int, int]:
    own = (one for name, one in all_collations().items() if not name.startswith("SQL_"))
    return {one.lcid & _LCID: one.code_page for one in own if one.code_page != 65001}


@cache
def code_page(collation: bytes) -> str:
    """The name of Python's codec for texts of char and varchar with this collation; unknown ones are code page 1252."""
    bits, sort_id = int.from_bytes(collation[:4], "little"), collation[4]
    if bits & _UTF8_BIT:
        return "utf-8"
    for first, end, page in _BY_SORT_ID:
        if first <= sort_id < end:
            return f"cp{page}"
    return f"cp{_by_locale().get(bits & _LCID, 1252)}"
