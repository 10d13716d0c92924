"""Weights: what the Windows rule of comparison makes of each character of Unicode.

Decides two things of a character. Its *fold* is the text that it is equal to where case, accents, kana or width do not
count: expansions (ß is ss, Æ is AE) always. Its *place* in the order is (primary, secondary): letters that differ by an
accent share the first. The order is that of `letter_order.txt`, made of DuckDB's icu_sort_key (tests/letter_order.py; a
test compares them); signs of Latin-1 stand in front of it as Windows has them. What the file does not have (Han,
Hangul, private characters, halves of pairs) follows in the order of its units.

It must not know collations by name.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import resources
from typing import Final

from sbql.grammar.values.utf16 import expanded

__all__ = ["EXPANSIONS", "SPECIAL", "fold_table", "other_place", "places"]

EXPANSIONS: Final = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH", "ĳ": "ij", "Ĳ": "IJ", "ǆ": "dž",
    "ǅ": "Dž", "Ǆ": "DŽ", "ǉ": "lj", "ǈ": "Lj", "Ǉ": "LJ", "ǌ": "nj", "ǋ": "Nj", "Ǌ": "NJ", "ǽ": "áe", "Ǽ": "ÁE", "ǣ": "āe", "Ǣ": "ĀE",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
}  # fmt: skip
"""Characters that are equal to two or three, whatever the collation but a binary one."""

SPECIAL: Final = "'-"
"""Word sort: these two count last, by where they stand."""

_WIDTHS = frozenset({"<wide>", "<narrow>", "<super>", "<sub>", "<font>", "<circle>", "<small>"})
_SIGNS: Final = ' \xa0!"#$%&()*,./:;?@[\\]^_`{|}~¡¦¨¯´¸¿¢£¤¥+<=>±«»×÷§©¬®°µ¶·'
"""The signs of Latin-1 in the order of Windows."""


def _plain_width(character: str) -> str:
    """The usual form of a full-width, half-width, raised or lowered character."""
    parts = unicodedata.decomposition(character).split(" ")
    if parts[0] not in _WIDTHS:
        return character
    return "".join(_plain_width(chr(int(code, 16))) for code in parts[1:])


def _hiragana(character: str) -> str:
    return chr(ord(character) - 0x60) if "\u30a1" <= character <= "\u30f6" or character in "\u30fd\u30fe" else character


def _lower(character: str) -> str:
    return "σ" if character == "ς" else character.lower()


def _without_accent(character: str) -> str:
    """The letter of the same primary weight that has no mark. Nothing is left of a mark itself."""
    if unicodedata.combining(character):
        return ""
    first, _ = places().get(character.lower(), ("", 0))
    base = _bases().get(first, character)
    return base.upper() if character != character.lower() and len(base.upper()) == 1 else base


@cache
def fold_table(case: bool, accent: bool, kana: bool, width: bool) -> dict[int, str]:
    """For str.translate: the characters that are not their own fold when what is True does not count."""
    changed: dict[int, str] = {}
    for code in range(0x21, 0x10000):
        if 0xD800 <= code < 0xE000 or 0x3400 <= code < 0xA000 or 0xAC00 <= code < 0xD7A4:
            continue
        character = chr(code)
        text = _plain_width(character) if width else character
        text = "".join(EXPANSIONS.get(c, c) for c in text)
        for applies, change in ((kana, _hiragana), (accent, _without_accent), (case, _lower)):
            if applies:
                text = "".join(map(change, text))
        if text != character:
            changed[code] = text
    if case:
        for code in range(0x10000, 0x1F000):
            if (lower := chr(code).lower()) != chr(code):
                changed[code] = lower
    return changed


@cache
def _groups() -> tuple[str, ...]:
    """Lower-case letters and signs by primary weight; in each group by secondary weight."""
    text = (resources.files("sbql.grammar.values") / "letter_order.txt").read_text("utf-8")
    return (*SPECIAL, *_SIGNS, *text.split("\n")[:-1])


@cache
def places() -> dict[str, tuple[str, int]]:
    """Character to (a character that sorts as its primary weight, number of its secondary weight)."""
    found: dict[str, tuple[str, int]] = {}
    for number, group in enumerate(_groups()):
        for second, character in enumerate(group):
            found.setdefault(character, (chr(0x80 + number), second))
    return found


@cache
def _bases() -> dict[str, str]:
    """The letter without a mark by primary weight."""
    return {places()[group[0]][0]: group[0] for group in _groups() if group}


def other_place(character: str) -> str:
    """The primary weight of a character that the file does not have: behind all others, in the order of units."""
    return "".join(chr(0x10000 + ord(unit)) for unit in expanded(character))
