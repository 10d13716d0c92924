"""Reads the directives of a T-SQL script with expectations (docs/test-scripts.md), and which batch each is about.

It decides the spelling only. Whether an expectation holds is decided by `expectations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, field

from sbql.engine.broker.trace import CLASSES
from sbql.engine.scripts import Script
from sbql.grammar.batches import BatchText

__all__ = ["ABOUT_NETWORKS", "ABOUT_THE_BATCH", "Directive", "Group", "ScriptFailure", "read_groups"]

_CLASSES = "|".join(sorted((name.removeprefix("Broker:") for name in CLASSES), key=len, reverse=True))

PATTERNS = {
    "instance": re.compile(r"instance (?P<name>\w+)$", re.I),
    "partition": re.compile(r"partition$", re.I),
    "heal": re.compile(r"heal$", re.I),
    "session": re.compile(r"session (?P<name>(?:ADMIN:)?\w+)( in (?P<database>\S+))?$", re.I),
    "rows": re.compile(r"rows(?P<unordered> unordered)?$", re.I),
    "columns": re.compile(r"columns (?P<names>.+)$", re.I),
    "error": re.compile(
        r"error (?P<number>\d+)"
        r"(?: line (?P<line>\d+)| severity (?P<severity>\d+)| state (?P<state>\d+))*(?: text (?P<text>.+))?$",
        re.I,
    ),
    "print": re.compile(r"print (?P<text>.+)$", re.I),
    "affected": re.compile(r"affected (?P<count>\d+)$", re.I),
    "blocked": re.compile(r"blocked$", re.I),
    "finishes": re.compile(r"finishes( (?P<name>(?:ADMIN:)?\w+))?$", re.I),
    "never": re.compile(r"never finishes( (?P<name>(?:ADMIN:)?\w+))?$", re.I),
    "settle": re.compile(r"settle$", re.I),
    "advance": re.compile(r"advance (?P<amount>\d+(\.\d+)?)\s*(?P<unit>ms|s|m|h)$", re.I),
    "restart": re.compile(r"restart$", re.I),
    "spec": re.compile(r"spec [A-Z]+-\d+(\.\.\d+)?( [A-Z]+-\d+(\.\.\d+)?)*$"),
    "log": re.compile(r"log (?P<number>\d+)( (?P<text>.+))?$", re.I),
    "trace": re.compile(
        r"trace (?:Broker:)?"
        rf"(?P<name>{_CLASSES})"
        r"(?: (?!tasks |text )(?P<subclass>.+?))?(?: tasks (?P<tasks>\d+))?(?: text (?P<text>.+))?$",
        re.I,
    ),
}

_Line = tuple[str, int, str]
"""File, line and text of a directive."""

ABOUT_NETWORKS = frozenset({"instance", "partition", "heal"})
"""Directives that only a script of several instances has."""
ABOUT_THE_BATCH = frozenset({"rows", "columns", "error", "print", "affected", "blocked"})


class ScriptFailure(AssertionError):
    """An expectation that does not hold, or a script that is not well formed. Its text is for people.

    `file`, `line`: the place of the expectation; `message`: what is wrong with it; `produced`: what the batch
    produced instead, '' where there is no batch to look at; `log`: the last lines of the instance's error log, where
    activated procedures print and fail.
    """

    def __init__(self, file: str, line: int, message: str, produced: str = "") -> None:
        super().__init__(f"{file}:{line}: {message}" + (f"\n{produced}" if produced else ""))
        self.file, self.line, self.message, self.produced = file, line, message, produced
        self.log: list[str] = []


class Directive(Struct):
    """A line `--! word …`, with its fields by name and the rows below it."""

    file: str
    line: int
    word: str
    fields: dict[str, str | None]
    rows: list[str] = field(default_factory=list)
    columns: str | None = None


class Group(Struct):
    """A batch (None at the head of a file) and the directives after its GO."""

    batch: BatchText | None
    directives: list[Directive]

    @property
    def is_blocked(self) -> bool:
        for directive in self.directives:
            if directive.word not in ABOUT_THE_BATCH:
                return False
            if directive.word == "blocked":
                return True
        return False


def read_groups(script: Script) -> list[Group]:
    """The batches of a script, each with its directives."""
    groups = [Group(None, [])]
    for batch in script.batches():
        head, body = _split_directives(batch)
        groups[-1].directives += _directives(head)
        if body.text.strip():
            groups.append(Group(body, []))
    return groups


def _split_directives(batch: BatchText) -> tuple[list[_Line], BatchText]:
    """The directive lines in front of a batch, and the batch without them."""
    lines = batch.text.split("\n")
    last = -1
    found: list[_Line] = []
    for index, line in enumerate(lines):
        stripped = line.strip()
        if stripped.startswith("--!"):
            found.append((*batch.place.at(index + 1), stripped[3:].strip()))
            last = index
        elif stripped and not stripped.startswith("--"):
            break
    for index, line in enumerate(lines[last + 1 :], last + 1):
        if line.lstrip().startswith("--!"):
            message = "a directive inside a batch; it stands after the batch's GO"
            raise ScriptFailure(*batch.place.at(index + 1), message)
    return found, batch.without_lines(last + 1)


def _directives(lines: Iterable[_Line]) -> list[Directive]:
    result: list[Directive] = []
    for name, line, text in lines:
        directive = _directive(name, line, text)
        last = result[-1] if result else None
        if (
            directive is not None
            and directive.word == "columns"
            and last is not None
            and last.word == "rows"
            and not last.rows
        ):
            last.columns = directive.fields["names"]
        elif directive is not None and directive.word == "spec":
            continue  # names facts of docs/spec for tests/spec.py
        elif directive is not None and directive.word != "columns":
            result.append(directive)
        elif last is not None and last.word == "rows":
            last.rows.append(text[1:] if text.startswith("\\") and _directive(name, line, text[1:]) else text)
        else:
            raise ScriptFailure(name, line, f"not a directive: --! {text}")
    return result


def _directive(name: str, line: int, text: str) -> Directive | None:
    for word, pattern in PATTERNS.items():
        found = pattern.match(text)
        if found:
            return Directive(name, line, word, found.groupdict())
    return None
