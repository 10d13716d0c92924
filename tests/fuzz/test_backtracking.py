"""No regular expression over texts of users takes more than linear time.

The matcher of Python holds the interpreter and cannot be cancelled: where it takes the square of the length, a text of
a megabyte stops the process for minutes. So each is tried with texts made from the pattern itself.
"""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path

import pytest
from backtracking import Expression, built, expressions, growth, texts

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "grammar", "catalog", "repl", "sbql", "spark_udfs")
SIZE = 1500
SLOW = 0.006
"""Seconds for SIZE characters. Linear matching takes a twentieth of a millisecond, the
square of the length ten and more."""

BOUNDED = {
    "_TAG": "well-formed XML: what it opens is closed",
    "_BLANK": "well-formed XML",
    "_SUPPLEMENTARY": "well-formed XML",
    "_DECLARED": "1,000 characters of a declaration",
    "_WORD": "300 characters before the cursor",
}
"""Expressions that take the square of the length on texts that they never see."""

FOUND = [found for found in expressions(ROOT, PACKAGES) if found[0].rpartition(".")[2] not in BOUNDED]


BUILT = {
    "engine/documents/xsd_patterns.py:_atom": "one class of characters",
    "engine/functions/parsing.py:_names": "names of months and days, over 4,000 characters at most",
    "grammar/values/like_regex.py:_taken": "one class of characters, to ask which it takes",
    "grammar/values/like.py:like_pattern": "classes in a row, which repeat nothing",
}
"""Expressions that are made of values, and why none of them looks back."""


def slow_texts(expression: Expression, seed: int, count: int) -> list[str]:
    """The first of `count` texts that takes too long, if one does."""
    made = islice(texts(expression[1], random.Random(seed), SIZE), count)
    return list(islice((f"{text[:30]!r}…{text[-10:]!r}" for text in made if growth(expression, text) > SLOW), 1))


def test_the_sweep_finds_them() -> None:
    for bad, method in ((r"\s*(z|\d)\s*$", "search"), (r"(\d+)\. ", "sub"), (r"\s*(\d*)\s*(\d*)", "fullmatch")):
        assert slow_texts(("", re.compile(bad), method), 1, 60), bad
    assert len(FOUND) > 80


def test_built_expressions_are_known() -> None:
    assert set(built(ROOT, PACKAGES)) == BUILT.keys()


@pytest.mark.parametrize("expression", FOUND, ids=[f"{where} {method}" for where, _, method in FOUND])
def test_linear(expression: Expression) -> None:
    assert slow_texts(expression, 1, 12) == [], expression[1].pattern


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("expression", FOUND, ids=[f"{where} {method}" for where, _, method in FOUND])
def test_linear_long(expression: Expression) -> None:
    assert slow_texts(expression, 2, 500) == [], expression[1].pattern
