"""Regular expressions mean the same on every Python that sbql runs on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")
SINGLE = {"LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY"}
"""What stands for one character: nothing in it backtracks."""


def repeated_as_a_whole(pattern: str) -> Iterator[str]:
    """The possessive repeats and atomic groups of a pattern whose bodies are more than one character."""
    yield from _among(re._parser.parse(pattern))  # type: ignore[attr-defined]


def _among(items: Any) -> Iterator[str]:
    for op, argument in items:
        name = str(op)
        if name == "ATOMIC_GROUP" or (
            name == "POSSESSIVE_REPEAT" and [str(o) for o, _ in argument[2]] not in [[s] for s in SINGLE]
        ):
            yield name
        for part in argument if isinstance(argument, tuple) else (argument,):
            parts = part if isinstance(part, list) and name == "BRANCH" else [part]
            for each in parts:
                if isinstance(each, re._parser.SubPattern):  # type: ignore[attr-defined]
                    yield from _among(each)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"a++[bc]*+\\s?+", 0),
        (r"(?:ab)*+", 1),
        (r"x(?:a|(?:b*c)++)", 1),
        (r"(?>a*b)c", 1),
        (r"(?:(?!n)a++)*", 0),
        (r"(?P<n>(?:a(?!b))?+)", 1),
    ],
)
def test_they_are_found(pattern: str, found: int) -> None:
    assert len([*repeated_as_a_whole(pattern)]) == found


def patterns(path: Path) -> Iterator[tuple[int, str]]:
    """Literals in the calls of `re`."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("re."):
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.lineno, node.value


def test_no_group_is_possessive() -> None:
    """Before Python 3.11.5 one whose body may backtrack matches wrongly (CPython's gh-106052); Debian 12 has 3.11.2."""
    looked_at = 0
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for line, pattern in patterns(path):
            try:
                found = [*repeated_as_a_whole(pattern)]
            except re.error:  # a part of one, or what replaces
                continue
            looked_at += 1
            assert not found, f"{path.relative_to(ROOT)}:{line}"
    assert looked_at > 100
