"""What pyproject.toml names for the compiled build is there, and defines nothing that machine
code would change (docs/testing.md)."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
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
    """WHILE does in the one and GOTO in the other: machine code alone would neither let other threads have a
    turn nor hear of a cancellation."""
    assert name not in COMPILED


def patched_names(text: str) -> Iterator[str]:
    """What a test sets for a while in a module or a class: `sbql.engine.locks.MOST`, by its name in full or of what is
    imported. Not what is skipped on the compiled build."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if not _is_skipped(node)]
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setattr":
            target, name = node.args[0], node.args[1]
            if isinstance(target, ast.Constant):
                yield str(target.value)
            elif isinstance(target, ast.Name) and target.id in modules and isinstance(name, ast.Constant):
                yield f"{modules[target.id]}.{name.value}"


def _is_skipped(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any("is_compiled()" in ast.unparse(d) for d in node.decorator_list)


def is_machine_code(name: str) -> bool:
    """An attribute of a compiled module, or of one of its classes."""
    owner = name.rpartition(".")[0]
    return owner in COMPILED or owner.rpartition(".")[0] in COMPILED


def test_patched_names_are_found() -> None:
    text = """
from sbql.engine import locks as table
from sbql.catalog.journal import Journal
def test(monkeypatch):
    monkeypatch.setattr(table, "MOST", 3)
    monkeypatch.setattr("sbql.engine.host.CLOCK", 3)
    monkeypatch.setattr(something.else_, "x", 3)
    monkeypatch.setattr(Journal, "submit", 3)
@pytest.mark.skipif(is_compiled(), reason="…")
def test_of_python(monkeypatch):
    monkeypatch.setattr(Journal, "settle", 3)
"""
    names = ["sbql.engine.locks.MOST", "sbql.engine.host.CLOCK", "sbql.catalog.journal.Journal.submit"]
    assert list(patched_names(text)) == names
    assert all(map(is_machine_code, names))
    assert not is_machine_code("sbql.engine.session.Session.run")


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda path: path.stem)
def test_no_test_sets_what_machine_code_has_read(path: Path) -> None:
    """Constants and functions of a compiled module are in its machine code: what a test sets there is not
    heard of, and the test fails, or sees nothing, on that build alone. What a test has to set is an
    attribute of an object that it can reach."""
    for name in patched_names(path.read_text(encoding="utf-8")):
        assert not is_machine_code(name), f"{name} is set by a test"
