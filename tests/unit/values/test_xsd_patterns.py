"""Patterns of XML schemas: what elementpath's translation to Python's regular expressions matches, in bounded time."""

from __future__ import annotations

import random
import re
import time

import pytest
from elementpath.regex import translate_pattern

from sbql.engine.documents.xsd_patterns import XsdPattern
from sbql.grammar.errors import SqlError

ATOMS = (
    "a",
    "b",
    r"\d",
    r"\w",
    ".",
    "[a-c]",
    "[^a]",
    "[a-c-[b]]",
    r"\p{Lu}",
    "(a|b)",
    "(ab)",
    "(a|bc|)",
    "(a*)",
    r"\.",
    r"[\]x]",
    "é",
    r"\i",
    "((a)(b|c))",
)
SIGNS = ("", "", "", "?", "*", "+", "{2}", "{1,2}", "{0,1}", "{2,}")


@pytest.mark.parametrize("seed", range(20))
def test_as_translated(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        branches = [
            "".join(chance.choice(ATOMS) + chance.choice(SIGNS) for _ in range(chance.randrange(4)))
            for _ in range(chance.choice((1, 1, 2)))
        ]
        pattern = "|".join(branches)
        ours = XsdPattern(pattern)
        theirs = re.compile(translate_pattern(pattern, back_references=False, lazy_quantifiers=False, anchors=False))
        for _ in range(20):
            text = "".join(chance.choice("abcA1.]é\n ") for _ in range(chance.randrange(7)))
            assert (ours.match(text) is None) == (theirs.match(text) is None), (pattern, text)


@pytest.mark.parametrize(
    "pattern", ["(a*)*b", "(a|a)*b", "(a|aa)+b", "([a-z]+)+[0-9]", "(.*)(.*)(.*)(.*)(.*)x", "a?" * 30 + "a{30}"]
)
def test_time_grows_with_the_length_only(pattern: str) -> None:
    compiled = XsdPattern(pattern)
    for length in (30, 20_000):
        began = time.process_time()
        compiled.match("a" * length)
        assert time.process_time() - began < 5


def test_too_large() -> None:
    with pytest.raises(SqlError) as caught:
        XsdPattern("((a{100}){100}){100}")
    assert caught.value.number == 2378
