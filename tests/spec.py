"""Reads docs/spec (one fact a line, each with an id) and finds the tests that show each fact.

It decides what counts as a fact, what excuses it from a test, and which tests name it. It must not know what a fact
says: tests/house/test_coverage.py holds the two against each other, table-driven tests take their rows from `facts`.

A test names a fact in one of three ways:

- a script, by the directive `--! spec SEND-3 SEND-4` after the batch that shows it;
- a Python test, by `@pytest.mark.spec("SEND-3", "SEND-4")`;
- a table-driven Python test, by `@pytest.mark.parametrize("fact", facts("COLUMN"))`: it checks every fact of the prefix
  itself.

An error that is raised or reported is shown by the scripts that expect it: `--! error 207`, `--! log 9724`. In a list
of facts `COLUMN-1..17` stands for all of them.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["EXEMPTIONS", "Fact", "all_facts", "facts", "shown_by"]

TESTS = Path(__file__).parent
SPEC = TESTS.parent / "docs" / "spec"

FACT = re.compile(r"- (?P<id>(?P<prefix>[A-Z]+)-(?P<number>\d+)): (?P<text>.+)$")
MARK = re.compile(r" \((?P<kind>exempt|open): (?P<reason>[^()]+)\)$")
DIRECTIVE = re.compile(r"\s*--! spec (?P<ids>.+)$", re.MULTILINE)
EXPECTED = re.compile(r"^--! (?:error|log) (?P<number>\d+)", re.MULTILINE)
CATALOGUE = re.compile(r"^Catalogue: (?P<prefixes>[A-Z]+(, [A-Z]+)*)\.", re.MULTILINE)
OCCURS = re.compile(r"\d+ severity \d+( logged)?, (raised|reported):")
RANGE = re.compile(r"(?P<prefix>[A-Z]+)-(?P<first>\d+)\.\.(?P<last>\d+)$")

COMPARISONS = frozenset(
    f"unit/spec/test_{name}.py" for name in ("built_in", "columns", "databases", "errors", "events", "monitoring")
)
"""The tests that compare a catalogue with what we have; they show no behaviour."""

EXEMPTIONS = ("second instance", "CLR", "hardware")
"""The reasons for which a fact needs no test: another instance, CLR code, files and machines of the original."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of docs/spec: `- SEND-3: text`. `exempt` and `open` are the reasons in its mark, None without one.

    `is_catalogue`: a line of a table, which a test compares as a whole; otherwise
    behaviour, which a test has to show."""

    id: str
    prefix: str
    text: str
    file: str
    line: int
    exempt: str | None = None
    open: str | None = None
    is_catalogue: bool = False

    def __str__(self) -> str:  # pytest shows it as the test's id
        return self.id


@cache
def all_facts() -> tuple[Fact, ...]:
    """Every fact, in the order of the files and of their lines. Raises ValueError for a line that is nearly a fact."""
    found: list[Fact] = []
    for path in sorted(SPEC.glob("*.md")):
        content = path.read_text(encoding="utf-8")
        named = CATALOGUE.search(content)
        catalogues = named["prefixes"].split(", ") if named else []
        for number, line in enumerate(content.splitlines(), 1):
            match = FACT.match(line)
            if match is None:
                if re.match(r"[-*] \**[A-Z]+-\d+", line):
                    raise ValueError(f"{path.name}:{number}: not a fact, but nearly: {line}")
                continue
            found.append(_fact(match, path.name, number, match["prefix"] in catalogues))
    return tuple(found)


def _fact(match: re.Match[str], file: str, line: int, is_catalogue: bool) -> Fact:
    text = match["text"]
    mark = MARK.search(text)
    kind, reason = (mark["kind"], mark["reason"]) if mark else (None, None)
    return Fact(
        match["id"],
        match["prefix"],
        text,
        file,
        line,
        reason if kind == "exempt" else None,
        reason if kind == "open" else None,
        is_catalogue and OCCURS.match(text) is None,
    )


def facts(prefix: str) -> tuple[Fact, ...]:
    """The facts of one prefix that need a test: the rows of a table-driven one."""
    return tuple(fact for fact in all_facts() if fact.prefix == prefix and fact.exempt is None and fact.open is None)


def shown_by() -> dict[str, list[str]]:
    """Fact id -> the test files that name it, by path under tests/, in order."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, identifier in _named():
        found[identifier].add(path.relative_to(TESTS).as_posix())
    return {identifier: sorted(paths) for identifier, paths in found.items()}


def _named() -> Iterator[tuple[Path, str]]:
    occurring = {fact.id for fact in all_facts() if OCCURS.match(fact.text)}
    for path in sorted(TESTS.rglob("*.sql")):
        text = path.read_text(encoding="utf-8")
        for directive in DIRECTIVE.finditer(text):
            yield from ((path, identifier) for word in directive["ids"].split() for identifier in _spread(word))
        if not path.is_relative_to(TESTS / "sql"):
            continue
        expected = {f"ERROR-{found['number']}" for found in EXPECTED.finditer(text)}
        yield from ((path, identifier) for identifier in sorted(expected & occurring))
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "spec" in text or "facts" in text:
            yield from ((path, identifier) for identifier in _ids(ast.parse(text)))


def _spread(word: str) -> list[str]:
    """`COLUMN-1..3` as its three ids, another word as it is."""
    found = RANGE.match(word)
    if found is None:
        return [word]
    return [f"{found['prefix']}-{number}" for number in range(int(found["first"]), int(found["last"]) + 1)]


def _ids(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        words = [
            argument.value
            for argument in node.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "spec":
            yield from (identifier for word in words for identifier in _spread(word))
        elif isinstance(node.func, ast.Name) and node.func.id == "facts":
            yield from (fact.id for word in words for fact in facts(word))
