"""The form of national text in DuckDB, which holds UTF-8 and so has no bytes for half of a surrogate pair.

Decides the mapping, at this one border: the half U+D800+k is kept as the private character U+10F000+k of plane 16. A
genuine character of these 2,048 is kept as its own two halves in that form, so that nothing is lost: two such
characters side by side are always a pair. A text that DuckDB itself has put together may hold the two halves of any
character in that form; `from_stored` gives back the one text that both mean. Text without halves, and without
characters of those 2,048, is stored as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from sbql.grammar.values.utf16 import whole

__all__ = ["FIRST_RESERVED", "LAST_RESERVED", "from_stored", "stored_rows", "to_stored"]

FIRST_RESERVED: Final = 0x10F000
LAST_RESERVED: Final = 0x10F7FF

_SHORT: Final = 100
"""Characters of a text that is searched sooner than it is encoded."""
_NO_UNIT: Final = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")
"""A half, or what is two."""
_RESERVED = re.compile(f"[{chr(FIRST_RESERVED)}-{chr(LAST_RESERVED)}]")
_TO_HALVES: Final = {FIRST_RESERVED + k: 0xD800 + k for k in range(0x800)}
_TO_RESERVED: Final = {0xD800 + k: FIRST_RESERVED + k for k in range(0x800)} | {
    code: chr(FIRST_RESERVED + (code - 0x10000 >> 10)) + chr(FIRST_RESERVED + 0x400 + (code & 0x3FF))
    for code in range(FIRST_RESERVED, LAST_RESERVED + 1)
}


def to_stored(text: str) -> str:
    """What DuckDB keeps for a text."""
    if text.isascii() or len(text) <= _SHORT and _NO_UNIT.search(text) is None:
        return text
    try:
        if len(text.encode("utf-16-le")) == 2 * len(text):
            return text
    except UnicodeEncodeError:  # there is a half
        text = whole(text)
    return text.translate(_TO_RESERVED)


def from_stored(text: str) -> str:
    """The text that DuckDB keeps so."""
    if text.isascii() or len(text) > _SHORT and len(text.encode("utf-16-le")) == 2 * len(text):
        return text
    if _RESERVED.search(text) is None:
        return text
    return whole(text.translate(_TO_HALVES))


def stored_rows(rows: Iterable[Iterable[Any]]) -> list[tuple[Any, ...]]:
    """Rows of names and the like, whose columns have no T-SQL types."""
    return [tuple([to_stored(v) if isinstance(v, str) and not v.isascii() else v for v in row]) for row in rows]
