"""An exception of a library that the engine calls is a bug of ours, of which the batch is told, and no stop from
outside, which would go through the batch and leave its transaction open."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
import tomllib
from pathlib import Path

import pytest

from sbql.catalog.interrupts import is_from_outside

ROOT = Path(__file__).parents[3]
ROOMS = ("grammar", "catalog", "engine")
"""What runs in a batch."""


def _libraries() -> list[str]:
    """The packages that the rooms import, and those that the project cannot do without."""
    found = set()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.partition(".")[0])
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    of_the_screen = {"prompt_toolkit", "rich"}
    found |= {text.partition(">")[0].replace("-", "_") for text in needed} - of_the_screen
    return sorted(found - sys.stdlib_module_names - {"sbql"})


def _errors_of(library: str) -> set[type[Exception]]:
    """Its classes of exceptions, in the modules that say `exceptions` or `errors`, and in what it shows."""
    package = importlib.import_module(library)
    modules = [package]
    for found in pkgutil.iter_modules(getattr(package, "__path__", ())):
        if any(word in found.name for word in ("exception", "error")):
            modules.append(importlib.import_module(f"{library}.{found.name}"))
    shown = [value for module in modules for value in vars(module).values()]
    return {one for one in shown if isinstance(one, type) and issubclass(one, Exception)}


def test_libraries_are_found() -> None:
    assert {"duckdb", "elementpath", "xmlschema", "cryptography", "lark"} <= set(_libraries())


@pytest.mark.parametrize("library", _libraries())
def test_errors_of_a_library_that_the_engine_calls_are_no_strangers(library: str) -> None:
    pytest.importorskip(library)
    stand_in = type("Odd", (Exception,), {"__module__": f"{library}.somewhere"})
    strangers = [one for one in {stand_in, *_errors_of(library)} if is_from_outside(one.__new__(one, "told"))]
    assert strangers == []


def test_a_stranger_and_what_says_nothing_are_from_outside() -> None:
    for one in (type("Limit", (Exception,), {"__module__": "celery.exceptions"})("x"), Exception(), TimeoutError()):
        assert is_from_outside(one)
    assert not is_from_outside(TimeoutError("timed out"))
