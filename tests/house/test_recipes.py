"""The recipes of CONTRIBUTING.md name files that are there, and in each the example that it is said to hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Recipes")[2].partition("\n## ")[0]
PLACE = re.compile(r"`(?P<file>[\w/.-]+\.\w+)` \(`(?P<example>.+?)`\)")
NAMES = (
    "A statement",
    "An option of a statement",
    "A scalar function",
    "A system view",
    "A catalogue procedure",
    "An output format",
)


def recipe(name: str) -> str:
    return TEXT.partition(f"### {name}\n")[2].partition("\n### ")[0]


def test_these_are_the_recipes() -> None:
    assert tuple(re.findall(r"^### (.+)$", TEXT, re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_file_holds_its_example(name: str) -> None:
    places = PLACE.findall(recipe(name))
    assert len(places) >= 2
    for file, example in places:
        assert example in (ROOT / file).read_text(encoding="utf-8"), (file, example)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_names_a_file(name: str) -> None:
    steps = re.findall(r"^- .+(?:\n  .+)*", recipe(name), re.MULTILINE)
    assert steps
    for step in steps:
        assert PLACE.search(step), step
