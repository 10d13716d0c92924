"""Names by which one file can be called: each function makes one, with the links and folders that it needs."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["absolute", "hard", "hard_elsewhere", "relative", "symbolic", "through_a_linked_folder", "with_dots"]


def absolute(path: Path) -> str:
    return str(path)


def relative(path: Path) -> str:
    return os.path.relpath(path)


def with_dots(path: Path) -> str:
    return str(path.parent / "." / ".." / path.parent.name / path.name)


def symbolic(path: Path) -> str:
    link = path.with_name("symbolic.duckdb")
    link.symlink_to(path)
    return str(link)


def through_a_linked_folder(path: Path) -> str:
    folder = path.parent.with_name("linked")
    folder.symlink_to(path.parent, target_is_directory=True)
    return str(folder / path.name)


def hard(path: Path) -> str:
    link = path.with_name("hard.duckdb")
    link.hardlink_to(path)
    return str(link)


def hard_elsewhere(path: Path) -> str:
    folder = path.parent.with_name("elsewhere")
    folder.mkdir()
    link = folder / "hard.duckdb"
    link.hardlink_to(path)
    return str(link)
