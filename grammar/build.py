"""Which build runs: hot modules as machine code, or Python alone; and the switch between them.

A wheel that was built with SBQL_COMPILED=1 has the modules that pyproject.toml names in `compiled` twice, as machine
code and as source. SBQL_COMPILED=0 in the environment of a program has the source imported. At the bottom, so that
every room can tell; it must not know what the modules do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Final

__all__ = ["SWITCH", "described", "is_compiled", "prefer_source"]

SWITCH: Final = "SBQL_COMPILED"
_LIBRARY: Final = "compiled__mypyc"
"""What all compiled modules share (setup.py), in the engine."""


class _SourceFinder:
    """Finds sbql's modules as source, also where machine code lies beside it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("sbql.") or path is None:
            return None
        specs = (_sources(folder).find_spec(name) for folder in path)
        return next((spec for spec in specs if spec is not None and spec.loader is not None), None)


@cache
def _sources(folder: str) -> FileFinder:
    return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))


def prefer_source() -> None:
    """From now on no machine code of sbql is imported."""
    sys.meta_path.insert(0, _SourceFinder)


def is_compiled() -> bool:
    """Whether hot modules run as machine code."""
    if os.environ.get(SWITCH) == "0":
        return False
    return any(Path(__file__).parents[1].joinpath("engine").glob(f"{_LIBRARY}.*"))  # without importing the engine


def described() -> str:
    return "compiled" if is_compiled() else "pure Python"
