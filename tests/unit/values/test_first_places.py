"""CHARINDEX of ASCII looks for the first place by itself; it is the first of all that are found by every rule."""

from __future__ import annotations

import random

import pytest

from sbql.grammar.values.collation import Rule, rule_numbered
from sbql.grammar.values.text_search import first_place, found_places


def text(rng: random.Random, most: int) -> str:
    return "".join(rng.choice("aAbB .\x00'") for _ in range(rng.randrange(most + 1)))


@pytest.mark.parametrize("number", range(48))
def test_the_first_place_of_ascii(number: int) -> None:
    rng, rule = random.Random(number), rule_numbered(number)
    for _ in range(400):
        value, wanted, start = text(rng, 12), text(rng, 3), rng.randrange(15)
        found = next(found_places(value, wanted, rule, start), (-1, -1))[0]
        assert first_place(value, wanted, rule, start) == found, (value, wanted, start, rule)


def test_case_counts_where_the_rule_says_so() -> None:
    rules: dict[bool, Rule] = {rule.case: rule for rule in map(rule_numbered, range(16, 48))}
    assert first_place("xaXA", "A", rules[False], 0) == 3
    assert first_place("xaXA", "A", rules[True], 0) == 1
