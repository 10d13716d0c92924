"""Code page 1252 and UTF-8: what varchar can hold, and the bytes of character values.

varchar is one byte a character, nvarchar UTF-16 little endian. A character that the code page lacks becomes its nearest
letter (as Windows' best-fit table does for accents) or a question mark. Under a UTF-8 collation varchar holds every
character but halves of surrogate pairs, and its lengths are bytes.
"""

from __future__ import annotations

import unicodedata

from sbql.grammar.values.utf16 import without_halves

__all__ = ["CHARACTERS_1252", "cut_utf8", "decode_1252", "decode_utf8", "encode_1252", "encode_utf8", "to_1252"]

_BYTES_TO_TEXT = "".join(
    # The five bytes that Python leaves undefined are control characters of the same number on Windows.
    bytes([b]).decode("cp1252", errors="ignore") or chr(b)
    for b in range(256)
)
_TEXT_TO_BYTE = {c: b for b, c in enumerate(_BYTES_TO_TEXT)}
CHARACTERS_1252 = frozenset(_BYTES_TO_TEXT)
"""Those that varchar keeps as they are."""

_BEST_FIT = {"\u0141": "L", "\u0142": "l", "\u0110": "D", "\u0111": "d", "\u2212": "-", "\u2044": "/", "\u2032": "'",
             "\u2033": '"', "\u2010": "-", "\u2011": "-", "\u2002": " ", "\u2003": " ", "\u0131": "i"}  # fmt: skip


def _fit(character: str) -> str:
    if character in _TEXT_TO_BYTE:
        return character
    if ord(character) > 0xFFFF:
        return "??"  # two UTF-16 units, two unknown characters
    base = _BEST_FIT.get(character) or unicodedata.normalize("NFKD", character)[:1]
    return base if base in _TEXT_TO_BYTE else "?"


def to_1252(text: str) -> str:
    """The text as varchar keeps it."""
    if text.isascii():
        return text
    try:
        text.encode("cp1252")
        return text
    except UnicodeEncodeError:
        return "".join(map(_fit, text))


def encode_1252(text: str) -> bytes:
    """The bytes of a varchar value."""
    if text.isascii():
        return text.encode("ascii")
    return bytes(_TEXT_TO_BYTE[c] for c in to_1252(text))


def decode_1252(data: bytes) -> str:
    """The varchar value of bytes; every byte means a character."""
    return data.decode("ascii") if data.isascii() else "".join([_BYTES_TO_TEXT[b] for b in data])


def encode_utf8(text: str) -> bytes:
    """The bytes of a value under a UTF-8 collation."""
    return without_halves(text).encode("utf-8")


def decode_utf8(data: bytes) -> str:
    """The value of such bytes; what is no UTF-8 is U+FFFD."""
    return data.decode("utf-8", "replace")


def cut_utf8(text: str, length: int) -> str:
    """As many whole characters as fit in so many bytes."""
    if len(text) * 4 <= length:
        return text
    return text.encode("utf-8")[:length].decode("utf-8", "ignore")
