"""LIKE and PATINDEX patterns: pieces of fixed length with any text between them.

% is any text, _ one character, [a-f] and [^a-f] one of a set; ESCAPE takes the meaning away from the next character.
Case and accents count as the collation says, and ranges in sets follow its order: [a-c] holds B where case counts, but
not C.

A pattern is cut at its %s. The first piece stands at the beginning, the last at the end, and each in between is taken
where it is found first: when the rest does not fit behind the first place, it fits behind no later one. So nothing is
tried twice, and the time is at most length times pattern; a piece is a regular expression without repetition.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checkpoint
from sbql.grammar.values.collation import (
    BINARY,
    CODE_PAGE,
    WINDOWS,
    Rule,
    counts_characters,
    fold_function,
    key_of,
    order_of,
    rule_of,
)
from sbql.grammar.values.text_weights import fold_table, places
from sbql.grammar.values.utf16 import expanded, utf16_length

__all__ = ["Pattern", "is_like", "like_pattern", "place_of"]

_WORK = 1_000_000
"""Steps of one search, characters times length of the piece, between two checkpoints: some milliseconds."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands between two %: `length` characters, which `matches`; `places` are the regular expressions of each."""

    matches: re.Pattern[str]
    places: tuple[str, ...]

    @property
    def length(self) -> int:
        return len(self.places)

    def is_at(self, text: str, position: int) -> bool:
        return self.matches.match(text, position) is not None

    def find(self, text: str, start: int, end: int) -> int:
        """The first place between start and end; -1 when there is none."""
        if (end - start) * self.length <= _WORK:
            found = self.matches.search(text, start, end)
            return -1 if found is None else found.start()
        width = max(_WORK // self.length, self.length)
        while start + self.length <= end:
            checkpoint()
            found = self.matches.search(text, start, min(start + width + self.length - 1, end))
            if found is not None:
                return found.start()
            start += width
        return -1


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of `pieces`, of which the first begins the text unless it `is_open_before`, and the last ends it unless
    it `is_open_after`. Without pieces it matches any text if it is open, else the empty one. None for a pattern that
    matches nothing, as one with a set that is not closed. `fold` is what becomes of a text before."""

    pieces: tuple[_Piece, ...] | None
    is_open_before: bool
    is_open_after: bool
    fold: Callable[[str], str]

    def matches(self, text: str) -> bool:
        return self.place(text) >= 0

    def begins(self, text: str) -> bool:
        """Whether the text matches without some of the blanks at its end; the pattern may ask for others of them."""
        if self.pieces is None or self.is_open_after:
            return False
        least, last = len(text.rstrip(" ")), self.pieces[-1] if self.pieces else None
        if last is None:
            return not least
        most = min(least + last.length, len(text) - 1)
        for end in range(max(least, last.length), most + 1):
            if last.is_at(text, end - last.length) and self.matches(text[:end]):
                return True
        return False

    def place(self, text: str) -> int:
        """Where the first piece is found, -1 when the text does not match."""
        pieces = self.pieces
        if pieces is None:
            return -1
        if not pieces:
            return 0 if self.is_open_before or not text else -1
        first, last, end = 0, len(pieces), len(text)
        position = place = 0
        if not self.is_open_before:
            position = pieces[0].length
            if (
                position > end
                or not pieces[0].is_at(text, 0)
                or (last == 1 and not self.is_open_after and position < end)
            ):
                return -1
            first = 1
        if not self.is_open_after and last > first:
            last -= 1
            end -= pieces[last].length
            if end < position or not pieces[last].is_at(text, end):
                return -1
            place = 0 if first else end
        for i in range(first, last):
            found = pieces[i].find(text, position, end)
            if found < 0:
                return -1
            position = found + pieces[i].length
            place = found if i == 0 else place
        return place


_LONGEST = 8000
"""Bytes of a pattern."""


def is_like(text: str, pattern: str, escape: str | None, collation: str | None, *, is_national: bool) -> bool:
    """text LIKE pattern ESCAPE escape. Blanks at the end of the text are ignored for code-page text only. Raises 506,
    and 8152 for a pattern of more than 8,000 bytes."""
    _check_length(pattern, is_national)
    if is_national and not counts_characters(collation):
        text, pattern, escape = expanded(text), expanded(pattern), None if escape is None else expanded(escape)
    found = like_pattern(pattern, escape, rule_of(collation, is_national))
    text = found.fold(text)
    return found.matches(text) or (not is_national and text.endswith(" ") and found.begins(text))


def place_of(pattern: str, text: str, collation: str | None, *, is_national: bool) -> int:
    """PATINDEX as a position that counts units from 0, -1 for none. Raises 8152."""
    _check_length(pattern, is_national)
    if is_national and not counts_characters(collation):
        text, pattern = expanded(text), expanded(pattern)
    if pattern in ("", "%", "%%"):
        return 0 if text or pattern == "%" else -1
    found = _search_pattern(pattern, rule_of(collation, is_national))
    folded = found.fold(text)
    place = found.place(folded)
    if place <= 0 or len(folded) == len(text):
        return place
    return next(i for i in range(len(text) + 1) if len(found.fold(text[:i])) >= place)


def _check_length(pattern: str, is_national: bool) -> None:
    if utf16_length(pattern) > (_LONGEST // 2 if is_national else _LONGEST):
        raise sql_error(8152)


@dataclass(frozen=True, slots=True)
class _Character:
    """A character of the pattern that stands for itself."""

    text: str


@lru_cache(maxsize=512)
def like_pattern(pattern: str, escape: str | None = None, rule: Rule = Rule(CODE_PAGE)) -> Pattern:
    """The pattern of LIKE. Raises 506 for an escape longer than one character.

    Under the windows rule text and pattern are folded. Where a pattern has _ or a set, each character of the text is
    one all the same: then ß is not ss."""
    if escape is not None and len(escape) != 1:
        raise sql_error(506, escape)
    parts = _parts(pattern, escape, rule)
    if parts is None:
        return Pattern(None, False, False, str)
    has_places = any(isinstance(part, str) for part in parts)
    fold = str if rule.kind != WINDOWS else _fold_by_one(rule) if has_places else fold_function(rule)
    pieces: list[list[str]] = [[]]
    for i, part in enumerate(parts):
        if part is None:
            pieces.append([])
        elif isinstance(part, str):
            pieces[-1].append(part)
        elif rule.kind != WINDOWS:
            pieces[-1].append(_one(part.text, rule))
        elif i == 0 or not isinstance(parts[i - 1], _Character):
            run = itertools.takewhile(lambda p: isinstance(p, _Character), parts[i:])
            pieces[-1] += map(re.escape, fold("".join(p.text for p in run if isinstance(p, _Character))))
    flags = re.DOTALL | re.IGNORECASE if rule.kind == CODE_PAGE and rule.case else re.DOTALL
    found = tuple(_Piece(re.compile("".join(piece), flags), tuple(piece)) for piece in pieces if piece)
    if len(pieces) > 1:
        return Pattern(found, not pieces[0], not pieces[-1], fold)
    return Pattern(found, False, False, fold)


@lru_cache(maxsize=64)
def _fold_by_one(rule: Rule) -> Callable[[str], str]:
    """Each character for itself: those that are equal to two stay."""
    whole = fold_table(rule.case, rule.accent, rule.kana, rule.width)
    table = {code: text if len(text) == 1 else _own_case(chr(code), rule) for code, text in whole.items()}
    return lambda text: (text.lower() if rule.case else text) if text.isascii() else text.translate(table)


def _own_case(character: str, rule: Rule) -> str:
    lower = character.lower() if rule.case else character
    return lower if len(lower) == 1 else character


@lru_cache(maxsize=256)
def _search_pattern(pattern: str, rule: Rule) -> Pattern:
    """The pattern of PATINDEX, for its place: a second % at its beginning is part of what is looked for."""
    found = like_pattern(pattern, None, rule)
    if pattern.startswith("%%") and found.pieces is not None:
        return Pattern((_Piece(re.compile(""), ()), *found.pieces), True, found.is_open_after, found.fold)
    return found


_LATIN = [chr(c) for c in range(32, 256) if not 127 <= c < 160]


@lru_cache(maxsize=512)
def _range(low: str, high: str, rule: Rule) -> str:
    """What stands for `low-high` in a set: the characters between the two in the order of the collation."""
    if rule.kind == WINDOWS and rule.case:
        return _range_of_weights(_fold_by_one(rule)(low), _fold_by_one(rule)(high))
    if rule.kind == BINARY or low not in _LATIN or high not in _LATIN:
        return f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""
    key = order_of(rule)
    if key(low) > key(high):
        return ""
    return "".join(re.escape(c) for c in _LATIN if c in (low, high) or key(low) <= key(c) <= key(high))


def _range_of_weights(low: str, high: str) -> str:
    weights = places()
    first, last = weights.get(low), weights.get(high)
    if first is None or last is None:
        return f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""
    return "".join(re.escape(c) for c, weight in weights.items() if first <= weight <= last)


@lru_cache(maxsize=512)
def _members(character: str, rule: Rule) -> str:
    """The characters that are equal to one, for a set."""
    if rule.kind == WINDOWS:
        return re.escape(_fold_by_one(rule)(character))
    if rule.kind == BINARY or not rule.accent or character not in _LATIN or character == " ":
        return re.escape(character)
    key = key_of(rule)
    return "".join(re.escape(c) for c in _LATIN if key(c) == key(character))


def _one(character: str, rule: Rule) -> str:
    found = _members(character, rule)
    return found if found == re.escape(character) else f"[{found}]"


def _parts(pattern: str, escape: str | None, rule: Rule) -> list[str | _Character | None] | None:
    """The characters that stand for themselves, the regular expression of each other place, None for each %. None for a
    pattern that matches nothing: one that ends with its escape, has an empty set or one that is not closed."""
    parts: list[str | _Character | None] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if escape is not None and character == escape:
            if position == len(pattern):
                return None
            parts.append(_Character(pattern[position]))
            position += 1
        elif character == "%":
            parts.append(None)
        elif character == "_":
            parts.append(".")
        elif character == "[":
            text, position = _set(pattern, position, escape, rule)
            if text is None:
                return None
            parts.append(text)
        else:
            parts.append(_Character(character))
    return parts


def _set(pattern: str, position: int, escape: str | None, rule: Rule) -> tuple[str | None, int]:
    """A set that begins after `[`, and where the pattern goes on."""
    negated = position < len(pattern) and pattern[position] == "^"
    position += negated
    members: list[str] = []
    while position < len(pattern):
        character = pattern[position]
        if character == "]":
            body = "".join(members)
            if not body:
                return ("." if negated else None), position + 1
            return f"[{'^' if negated else ''}{body}]", position + 1
        if escape is not None and character == escape and position + 1 < len(pattern):
            position += 1
            character = pattern[position]
        if position + 2 < len(pattern) and pattern[position + 1] == "-" and pattern[position + 2] != "]":
            members.append(_range(character, pattern[position + 2], rule))
            position += 3
            continue
        members.append(_members(character, rule))
        position += 1
    return None, position
