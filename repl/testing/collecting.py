"""Which scripts are tests, and which of them somebody asks for: files and folders, and the words of -k.

It must not know how a script runs. In a folder those scripts are tests that have an expectation in them: what sets up an application stands beside its tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from sbql.engine.scripts import read_text

__all__ = ["collect", "has_expectations", "keyword"]


def collect(paths: Iterable[str]) -> list[Path]:
    """The scripts of the paths, each once, those of a folder in the order of their names. A file that is named is a test, whatever is in it.

    Raises FileNotFoundError for a path that is not there.
    """
    found: dict[Path, Path] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            files = [
                file
                for file in sorted(path.rglob("*.sql"))
                if not _is_hidden(file.relative_to(path)) and has_expectations(file)
            ]
        elif path.exists():
            files = [path]
        else:
            raise FileNotFoundError(name)
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def has_expectations(path: Path) -> bool:
    """Whether a line of the script begins with `--!`."""
    return any(line.lstrip().startswith("--!") for line in read_text(os.fspath(path)).splitlines())


def keyword(expression: str) -> Callable[[str], bool]:
    """What -k asks for: words that must be in the name of a test, with `and`, `or`, `not` and parentheses, in any letter case. Raises ValueError."""
    words = expression.replace("(", " ( ").replace(")", " ) ").split()
    reader = _Keywords(words)
    asked = reader.any_of()
    if reader.words:
        raise ValueError(f"'{reader.words[0]}' is not expected there")
    return lambda name: asked(name.lower())


class _Keywords:
    """Reads an expression from the left; `not` binds tightest, then `and`, then `or`."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def any_of(self) -> Callable[[str], bool]:
        parts = [self._all_of()]
        while self._took("or"):
            parts.append(self._all_of())
        return lambda name: any(part(name) for part in parts)

    def _all_of(self) -> Callable[[str], bool]:
        parts = [self._one()]
        while self._took("and"):
            parts.append(self._one())
        return lambda name: all(part(name) for part in parts)

    def _one(self) -> Callable[[str], bool]:
        if self._took("not"):
            negated = self._one()
            return lambda name: not negated(name)
        if self._took("("):
            inner = self.any_of()
            if not self._took(")"):
                raise ValueError("a ')' is missing")
            return inner
        if not self.words or self.words[0].lower() in ("and", "or", ")"):
            raise ValueError("a word is missing" + (f" before '{self.words[0]}'" if self.words else " at the end"))
        word = self.words.pop(0).lower()
        return lambda name: word in name

    def _took(self, word: str) -> bool:
        if self.words and self.words[0].lower() == word:
            self.words.pop(0)
            return True
        return False
