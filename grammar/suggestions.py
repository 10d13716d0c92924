"""Did you mean …? For a text that does not parse: which word is misspelled, found by trying.

A word near the error that the grammar does not know is replaced by words of the grammar that look like it; a
replacement with which the parser gets past the error is what was meant. It must not know the rules, only how far a
parse gets. `nearest` serves names too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from sbql.grammar.keywords import PHRASES, RESERVED, UNSUPPORTED
from sbql.grammar.lexer import Token

__all__ = ["did_you_mean", "misspelled", "nearest"]

MAX_TOKENS = 20_000
"""A longer text is not parsed again."""

FURTHER = 8
"""Words so far before the error are looked at, too: the first of its statement, or a
function's before what it takes."""


def nearest(wrong: str, names: Iterable[str], count: int = 1) -> list[str]:
    """The names, as they are spelled, that look most like `wrong`. Two letters that have
    changed places are the likeliest slip."""
    by_key = {name.lower(): name for name in names}
    key = wrong.lower()
    swapped = {f"{key[:i]}{key[i + 1]}{key[i]}{key[i + 2 :]}" for i in range(len(key) - 1)} & by_key.keys() - {key}
    found = [*swapped, *(one for one in get_close_matches(key, by_key, n=count, cutoff=0.7) if one not in swapped)]
    return [by_key[one] for one in found if one != key][:count]


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """`Did you mean Orders?`, or '' when no name looks like it."""
    found = nearest(wrong, names)
    return f"Did you mean {found[0]}?" if found else ""


def misspelled(
    tokens: Sequence[Token], index: int, spelled: Iterable[str], reached: Callable[[list[Token]], int]
) -> tuple[Token, str] | None:
    """The token at or beside `index` that is misspelled, and the word that was meant. `spelled`: the words of the
    grammar; `reached` says how many tokens of a changed text the parser takes."""
    if len(tokens) > MAX_TOKENS:
        return None
    known = {word for word in spelled if word[0].isalpha()} | RESERVED | PHRASES.keys() | UNSUPPORTED.keys()
    known |= {word for phrases in PHRASES.values() for words, _ in phrases for word in words}
    for position in (index, index - 1, index + 1, index - 2, index + 2, *range(index - 3, index - 3 - FURTHER, -1)):
        if not 0 <= position < len(tokens):
            continue
        token = tokens[position]
        if token.kind != "word" or token.key in known or len(token.key) < 3:
            continue
        for word in nearest(token.key, known, 3):
            changed = list(tokens)
            changed[position] = Token("word", word, token.start, token.end, word)
            if reached(changed) > max(index, position) + 1:
                return token, word
    return None
