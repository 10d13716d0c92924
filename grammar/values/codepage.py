"""Code pages: what varchar can hold, and the bytes of its values.

nvarchar is UTF-16 little endian, varchar the code page of its collation: 1252 if it names none. A character that the
page lacks becomes its nearest letter (as Windows' best-fit tables do for accents) or a question mark. Most pages have
one byte for a character, those of East Asia one or two; under a UTF-8 collation varchar holds every character but
halves of surrogate pairs. Lengths are bytes.
"""

from __future__ import annotations

import codecs
import unicodedata
from functools import cache, lru_cache

from sbql.grammar.values.collation_names import code_page_of
from sbql.grammar.values.utf16 import without_halves

__all__ = [
    "CHARACTERS_1252",
    "CodePage",
    "Utf8",
    "decode_1252",
    "encode_1252",
    "page_numbered",
    "page_of_collation",
    "to_1252",
]

_UTF8 = 65001
_BEST_FIT = {"\u0141": "L", "\u0142": "l", "\u0110": "D", "\u0111": "d", "\u2212": "-", "\u2044": "/", "\u2032": "'",
             "\u2033": '"', "\u2010": "-", "\u2011": "-", "\u2002": " ", "\u2003": " ", "\u0131": "i"}  # fmt: skip


class CodePage:
    """One of a byte for each character. `codec` is Python's name of it."""

    counts_bytes = False
    """Whether a character may be several bytes."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.codec = f"cp{number}"
        self.characters = "".join(
            # Bytes that Python leaves undefined are characters of the same number on Windows.
            bytes([b]).decode(self.codec, errors="ignore") or chr(b)
            for b in range(256)
        )
        self._bytes = {c: b for b, c in enumerate(self.characters)}

    def narrowed(self, text: str) -> str:
        """The text as varchar keeps it."""
        if text.isascii():
            return text
        try:
            text.encode(self.codec)
            return text
        except UnicodeEncodeError:
            return "".join(map(self._fitting, text))

    def encode(self, text: str) -> bytes:
        """The bytes of a varchar value."""
        if text.isascii():
            return text.encode("ascii")
        return bytes(self._bytes[c] for c in self.narrowed(text))

    def decode(self, data: bytes) -> str:
        """The varchar value of bytes; every byte means a character."""
        return data.decode("ascii") if data.isascii() else "".join([self.characters[b] for b in data])

    def size(self, text: str) -> int:
        """How many bytes the value has."""
        return len(text)

    def cut(self, text: str, length: int) -> str:
        """As many whole characters as fit in so many bytes."""
        return text[:length]

    def _has(self, character: str) -> bool:
        return character in self._bytes

    def _fitting(self, character: str) -> str:
        if self._has(character):
            return character
        if ord(character) > 0xFFFF:
            return "??"  # two UTF-16 units, two unknown characters
        base = _BEST_FIT.get(character) or unicodedata.normalize("NFKD", character)[:1]
        return base if base and self._has(base) else "?"


class _WidePage(CodePage):
    """One of East Asia: one byte or two for a character."""

    counts_bytes = True

    def __init__(self, number: int) -> None:
        self.number, self.codec = number, f"cp{number}"
        self._encode = codecs.getencoder(self.codec)

    def encode(self, text: str) -> bytes:
        return self.narrowed(text).encode(self.codec)

    def decode(self, data: bytes) -> str:
        return data.decode(self.codec, "replace")

    def size(self, text: str) -> int:
        return len(text) if text.isascii() else len(self.encode(text))

    def cut(self, text: str, length: int) -> str:
        if len(text) * 2 <= length:
            return text
        return self.encode(text)[:length].decode(self.codec, "ignore")

    def _has(self, character: str) -> bool:
        try:
            self._encode(character)
        except UnicodeEncodeError:
            return False
        return True


class Utf8(CodePage):
    """Of the collations whose names end in _UTF8."""

    counts_bytes = True

    def __init__(self) -> None:
        self.number, self.codec = _UTF8, "utf-8"

    def narrowed(self, text: str) -> str:
        return without_halves(text)

    def encode(self, text: str) -> bytes:
        return without_halves(text).encode("utf-8")

    def decode(self, data: bytes) -> str:
        """What is no UTF-8 is U+FFFD."""
        return data.decode("utf-8", "replace")

    def size(self, text: str) -> int:
        return len(text) if text.isascii() else len(self.encode(text))

    def cut(self, text: str, length: int) -> str:
        if len(text) * 4 <= length:
            return text
        return text.encode("utf-8")[:length].decode("utf-8", "ignore")


@cache
def page_numbered(number: int) -> CodePage:
    """The page of a number that `code_page_of` gives."""
    if number == _UTF8:
        return Utf8()
    return (_WidePage if number in (932, 936, 949, 950) else CodePage)(number)


@lru_cache(maxsize=1024)
def page_of_collation(collation: str | None) -> CodePage:
    """That of char and varchar under a collation; None: the default one."""
    return page_numbered(code_page_of(collation) if collation is not None else 1252)


_LATIN = page_numbered(1252)
CHARACTERS_1252 = frozenset(_LATIN.characters)
"""Those that varchar keeps as they are, if its collation names no other page."""
to_1252, encode_1252, decode_1252 = _LATIN.narrowed, _LATIN.encode, _LATIN.decode
