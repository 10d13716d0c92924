"""UTF-16 units: what nvarchar is made of, as Python strings.

Decides the one form of a national text in Python: a supplementary character is one character of the string,
and half of a pair stands for itself only where the other half is not beside it. Texts that are cut and put
together again are `whole` then, and equal to what they were. Positions and lengths of T-SQL count units; a
text with a supplementary character is `expanded` for what works by positions. Texts of ASCII, and of the
first 65,536 characters, cost a look each.

It must not know how DuckDB keeps such texts (catalog.stored_text), nor collations.
"""

from __future__ import annotations

import re

__all__ = ["expanded", "joined", "padded", "unit_slice", "utf16_length", "whole", "without_halves"]

_PAIR = re.compile("[\U00010000-\U0010ffff]")


def is_wide(text: str) -> bool:
    """Whether some character takes two units, so that Python's positions are not T-SQL's."""
    return not text.isascii() and utf16_length(text) != len(text)


def utf16_length(text: str) -> int:
    """Number of UTF-16 units: what LEN, SUBSTRING and nvarchar(n) count (collations without _SC)."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def whole(text: str) -> str:
    """The text with each two halves that stand side by side as the character that they are."""
    if text.isascii():
        return text
    try:
        text.encode("utf-16-le")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text


def joined(first: str, second: str) -> str:
    """Two whole texts as one whole text."""
    if first and second and "\ud800" <= first[-1] <= "\udbff" and "\udc00" <= second[0] <= "\udfff":
        return whole(first + second)
    return first + second


def expanded(text: str) -> str:
    """The text with two halves for each supplementary character: one character a unit. `whole` undoes it."""
    if not is_wide(text):
        return text
    return text.translate({ord(pair): _halves(ord(pair) - 0x10000) for pair in set(_PAIR.findall(text))})


def _halves(code: int) -> str:
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def unit_slice(text: str, start: int, count: int | None = None) -> str:
    """`count` units from the 0-based unit `start`; all that follow without `count`."""
    end = None if count is None else start + count
    if not is_wide(text):
        return text[start:end]
    data = text.encode("utf-16-le", "surrogatepass")
    return data[2 * start : None if end is None else 2 * end].decode("utf-16-le", "surrogatepass")


def padded(text: str, length: int) -> str:
    """The text with blanks behind it, up to so many units."""
    return text.ljust(length) if text.isascii() else text + " " * (length - utf16_length(text))


def without_halves(text: str) -> str:
    """The text with U+FFFD for each half that stands alone: what leaves as UTF-8, for files and the like."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
