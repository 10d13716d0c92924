"""Patterns of LIKE and PATINDEX as regular expressions of RE2, for an engine that matches many texts.

It decides for texts of which characters the expression means what `like.Pattern` means: an alphabet, of which each
character is one character to the pattern, whatever stands beside it. What a place of the pattern takes is asked of the
matcher itself, for each of them. Which texts consist of the alphabet says whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from sbql.grammar.errors import SqlError
from sbql.grammar.values.codepage import CHARACTERS_1252, page_of_collation
from sbql.grammar.values.collation import PLAIN, counts_characters, rule_of
from sbql.grammar.values.like import Pattern, like_pattern
from sbql.grammar.values.utf16 import expanded

__all__ = ["ASCII_TEXT", "CODE_PAGE_TEXT", "PLAIN_TEXT", "alphabet_for", "regex_like", "regex_pattern"]

ASCII_TEXT, CODE_PAGE_TEXT, PLAIN_TEXT = "ASCII", "code page 1252", "plain"
"""Alphabets: the last one is that of `collation.PLAIN`, for national text under a rule
that knows accents."""


@dataclass(frozen=True, slots=True)
class RegexPattern:
    """`body` has no anchors; the pattern stands at the beginning of the text unless it `is_open_before`, and at its end
    unless it `is_open_after`. None matches nothing."""

    body: str | None
    is_open_before: bool
    is_open_after: bool
    size: int | None = None
    """How many characters it takes, if that is always the same."""


_NOTHING: Final = r"[^\x00-\x{10FFFF}]"
_LONGEST: Final = 200
"""Characters of a pattern that becomes one."""
_LARGE: Final = 4096
"""Characters of a block (Han, Hangul) that are all alike to a pattern that has none of them."""


def alphabet_for(pattern: str, escape: str | None, collation: str | None, *, is_national: bool, is_wide: bool) -> str:
    """The largest alphabet that the pattern has an expression for."""
    if is_national:
        wanted = PLAIN_TEXT if rule_of(collation, True).folds_plainly else ASCII_TEXT
    else:
        is_latin = not is_wide and page_of_collation(collation).number == 1252
        wanted = CODE_PAGE_TEXT if is_latin else ASCII_TEXT
    found = regex_pattern(pattern, escape, collation, wanted, is_national=is_national)
    return ASCII_TEXT if found is None else wanted


def regex_like(
    pattern: str, escape: str | None, collation: str | None, alphabet: str, *, is_national: bool
) -> str | None:
    """The regular expression that finds something in those texts of the alphabet that are LIKE a pattern;
    None where only `is_like` tells."""
    found = regex_pattern(pattern, escape, collation, alphabet, is_national=is_national)
    if found is None:
        return None
    if found.body is None:
        return _NOTHING
    end = "" if found.is_open_after else r"\z" if is_national else r" *\z"
    return f"(?s){'' if found.is_open_before else chr(92) + 'A'}{found.body}{end}"


@lru_cache(maxsize=512)
def regex_pattern(
    pattern: str, escape: str | None, collation: str | None, alphabet: str, *, is_national: bool
) -> RegexPattern | None:
    """None for what is too long, or wrong, or means something else for single characters of the alphabet."""
    if len(pattern) > _LONGEST or alphabet == PLAIN_TEXT and any(_is_in_block(sign) for sign in pattern):
        return None
    if is_national and not counts_characters(collation):
        pattern, escape = expanded(pattern), None if escape is None else expanded(escape)
    try:
        found = like_pattern(pattern, escape, rule_of(collation, is_national))
    except SqlError:
        return None
    if found.pieces is None:
        return RegexPattern(None, False, False)
    folded = _folded(found, alphabet)
    if folded is None:
        return None
    codes = _codes(alphabet)
    bodies = [
        "".join(_class(_taken(place, piece.matches.flags, folded), codes) for place in piece.places)
        for piece in found.pieces
    ]
    size = len(found.pieces[0].places) if len(found.pieces) == 1 else None
    return RegexPattern(".*".join(bodies), found.is_open_before, found.is_open_after, size)


@cache
def _codes(alphabet: str) -> tuple[int, ...]:
    """The code points of an alphabet in their order; of a large block the ends alone."""
    if alphabet == ASCII_TEXT:
        return tuple(range(128))
    if alphabet == CODE_PAGE_TEXT:
        return tuple(sorted(map(ord, CHARACTERS_1252)))
    return tuple(
        code for low, high in PLAIN for code in ((low, high) if high - low >= _LARGE else range(low, high + 1))
    )


def _is_in_block(sign: str) -> bool:
    return any(low <= ord(sign) <= high for low, high in PLAIN if high - low >= _LARGE)


def _folded(found: Pattern, alphabet: str) -> str | None:
    """What the pattern looks at for each character of an alphabet, which is one character."""
    texts = [found.fold(chr(code)) for code in _codes(alphabet)]
    return "".join(texts) if all(len(text) == 1 for text in texts) else None


@lru_cache(maxsize=1024)
def _taken(place: str, flags: int, folded: str) -> frozenset[int]:
    """Which of the characters a place of a pattern takes, by their numbers."""
    return frozenset(match.start() for match in re.compile(place, flags).finditer(folded))


def _class(taken: frozenset[int], codes: Sequence[int]) -> str:
    """The class of the characters that are taken. What lies between two neighbours is in no text."""
    if len(taken) == len(codes):
        return "."
    spans: list[list[int]] = []
    for i in sorted(taken):
        if spans and spans[-1][1] == i - 1:
            spans[-1][1] = i
        else:
            spans.append([i, i])
    ranges = [rf"\x{{{codes[low]:x}}}-\x{{{codes[high]:x}}}" for low, high in spans]
    return f"[{''.join(ranges)}]" if ranges else _NOTHING
