"""LIKE and PATINDEX against a matcher that tries everything, and their time."""

from __future__ import annotations

import random
import time

import pytest

from sbql.grammar.errors import SqlError
from sbql.grammar.values.like import is_like, place_of

PIECES = ("a", "b", "%", "%", "_", "[ab]", "[^a]", "[b-c]", "c")


def fits(pieces: tuple[str, ...], text: str) -> bool:
    """By the definition: each piece one character, % any number of them."""
    if not pieces:
        return not text
    first, rest = pieces[0], pieces[1:]
    if first == "%":
        return any(fits(rest, text[i:]) for i in range(len(text) + 1))
    members = {"_": "abcd", "[ab]": "ab", "[^a]": "bcd", "[b-c]": "bc"}.get(first, first)
    return bool(text) and text[0] in members and fits(rest, text[1:])


@pytest.mark.parametrize("seed", range(20))
def test_by_definition(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(200):
        pieces = tuple(chance.choice(PIECES) for _ in range(chance.randrange(7)))
        text = "".join(chance.choice("abcd") for _ in range(chance.randrange(8)))
        pattern = "".join(pieces)
        assert is_like(text, pattern, None, None, is_national=True) == fits(pieces, text), (text, pattern)
        if pattern.startswith("%") and pattern.endswith("%") and pattern.strip("%"):
            core = pieces[1:-1]
            found = next((i for i in range(len(text) + 1) if fits((*core, "%"), text[i:])), -1)
            assert place_of(pattern, text, None, is_national=True) == found, (text, pattern)


HOSTILE = ("%a%a%a%a%a%a%a%b", "%" + "a%" * 2000 + "b", "%a_a%a_b", "[^b]%[^b]%[^b]%b", "%" + "[ab]" * 50 + "c%")


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda pattern: pattern[:20])
def test_time_grows_with_the_length_only(pattern: str) -> None:
    """No pattern takes more steps for a character of a longer text: eight times the text, not much more than eight
    times the time."""

    def seconds(length: int) -> float:
        text, best = "a" * length, 9e9
        for _ in range(3):
            began = time.process_time()
            assert not is_like(text, pattern, None, None, is_national=False)
            assert place_of(pattern, text, None, is_national=False) == -1
            best = min(best, time.process_time() - began)
        return best

    seconds(1000)
    assert seconds(160_000) < 8 * 5 * max(seconds(20_000), 0.0001)


def test_longest_pattern() -> None:
    assert is_like("a", "a" + "%" * 7999, None, None, is_national=False)
    for pattern, is_national in (("%" * 8001, False), ("%" * 4001, True)):
        with pytest.raises(SqlError) as caught:
            is_like("a", pattern, None, None, is_national=is_national)
        assert caught.value.number == 8152
