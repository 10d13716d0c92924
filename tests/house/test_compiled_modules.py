"""What pyproject.toml names for the compiled build is there, and defines nothing that machine code would change (docs/testing.md)."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILED: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["sbql"]["compiled"]


def test_the_modules_are_named_once_in_order() -> None:
    assert sorted(set(COMPILED)) == COMPILED


@pytest.mark.parametrize("name", COMPILED)
def test_nothing_loses_its_options(name: str) -> None:
    """A Struct would forget `frozen`, a dataclass its slots: mypyc says nothing of it."""
    path = ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            assert node.keywords == [], f"{node.name} has options"
            assert not any("Struct" in ast.unparse(base) for base in node.bases), f"{node.name} is a Struct"
            decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
            assert not any("slots=True" in decorator for decorator in decorators), f"{node.name} has slots"


@pytest.mark.parametrize("name", ["sbql.engine.batch.control_flow", "sbql.engine.session"])
def test_a_loop_comes_by_the_interpreter(name: str) -> None:
    """WHILE does in the one and GOTO in the other: machine code alone would neither let other threads have a turn nor hear of a cancellation."""
    assert name not in COMPILED
