"""Code page 1252: what varchar can hold, and the bytes of character values.

varchar is one byte a character, nvarchar UTF-16 little endian. A character that the code page lacks becomes its nearest
letter (as Windows' best-fit table does for accents) or a question mark.
"""

from __future__ import annotations

import unicodedata

__all__ = ["decode_1252", "encode_1252", "to_1252"]

_BYTES_TO_TEXT = "".join(
    # The five bytes that Python leaves undefined are control characters of the same number on Windows.
    bytes([b]).decode("cp1252", errors="ignore") or chr(b)
    for b in range(256)
)
_TEXT_TO_BYTE = {c: b for b, c in enumerate(_BYTES_TO_TEXT)}
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
