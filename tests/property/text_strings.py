"""Random national strings: of what is hard for UTF-16 in UTF-8, and of what is equal to something else in a collation.

Decides the alphabet and the shape; it must not know where they are used.
"""

from __future__ import annotations

import random

__all__ = ["cut", "legal_in_xml", "strings", "units"]

_PLAIN = ("a", "b", "A", "S", "s", "e", "z", "1", "2", "o", "t", "h")
_EQUAL = (
    "ß",
    "ss",
    "SS",
    "Æ",
    "ae",
    "œ",
    "Þ",
    "é",
    "e\u0301",
    "É",
    "ø",
    "２",
    "Ａ",
    "ｱ",
    "ア",
    "あ",
    "ｶﾞ",
    "が",
    "ﬁ",
    "fi",
    "²",
    "ª",
    "ς",
    "Σ",
    "İ",
    "ı",
)
_SIGNS = (
    "-",
    "'",
    " ",
    "_",
    "%",
    "[",
    "]",
    "\u3000",
    "\xa0",
    ".",
    "+",
    "漢",
    "ж",
    "Й",
    "𐐀",
    "\ue000",
    "\uffff",
    "\ud7ff",
)
_WIDE = ("😀", "😁", "\U00010000", "\U0010ffff", "\U0010f000", "\U0010f7ff", "\U0010f3ff")
_HALVES = ("\ud83d", "\ude00", "\ud800", "\udfff", "\udbff", "\udc00")
_ALPHABET = (_PLAIN, _PLAIN, _EQUAL, _EQUAL, _SIGNS, _WIDE, _HALVES)


def strings(seed: int, count: int) -> list[str]:
    """`count` whole strings of 1 to 9 characters, that neither begin nor end with a blank."""
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        parts = [chance.choice(chance.choice(_ALPHABET)) for _ in range(chance.randint(1, 9))]
        text = _whole("".join(parts))
        if text == text.strip(" \u3000"):
            found.append(text)
    return found


def _whole(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, start: int, end: int) -> str:
    """The units from `start` to `end`."""
    data = text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
    return data.decode("utf-16-le", "surrogatepass")


def legal_in_xml(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" for c in text)
