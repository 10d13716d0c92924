"""Which scripts are tests, and which of them somebody asks for: files and folders, and the words of -k.

It must not know how a script runs. In a folder those scripts are tests that have an expectation in them: what sets up
an application stands beside its tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from sbql.engine.scripts import read_text

__all__ = ["collect", "has_expectations", "keyword", "why_nothing"]


def collect(paths: Iterable[str]) -> list[Path]:
    """The scripts of the paths, each once, those of a folder in the order of their names. A file that is
    named is a test, whatever is in it.

    Raises FileNotFoundError for a path that is not there.
    """
    found: dict[Path, Path] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            files = [file for file in _scripts_of(path) if has_expectations(file)]
        elif path.exists():
            files = [path]
        else:
            raise FileNotFoundError(name)
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _scripts_of(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.rglob("*.sql")) if not _is_hidden(file.relative_to(folder))]


def why_nothing(paths: Iterable[str]) -> str:
    """What to do next, for whoever has named folders in which `collect` finds no test."""
    folders = [Path(name) for name in paths if Path(name).is_dir()]
    there = [file for folder in folders for file in _scripts_of(folder)]
    where = " or ".join("this folder" if str(folder) == "." else str(folder) for folder in folders)
    if not there:
        return f"There is no .sql file in {where}. `sbql init DIR` makes a project with tests to begin with."
    count = f"{len(there)} scripts" if len(there) > 1 else str(there[0])
    return (
        f"{count} in {where}, and no line in {'them' if len(there) > 1 else 'it'} begins with --!: those are the expectations that make a script a test. Write them\n"
        "behind the GO of a batch, what it has to show:\n\n"
        "  SELECT status FROM Orders WHERE id = 1;\n  GO\n  --! rows\n  --! paid\n\n"
        f"A script that is named is run as it is, to see whether it ends without errors: sbql test {there[0]}\n"
        "`sbql test --help` and docs/test-scripts.md have the other expectations, `sbql init DIR` makes a project with tests."
    )


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def has_expectations(path: Path) -> bool:
    """Whether a line of the script begins with `--!`."""
    return any(line.lstrip().startswith("--!") for line in read_text(os.fspath(path)).splitlines())


def keyword(expression: str) -> Callable[[str], bool]:
    """What -k asks for: words that must be in the name of a test, with `and`, `or`, `not` and parentheses, in
    any letter case. Raises ValueError."""
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
