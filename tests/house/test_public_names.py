"""What a module says of itself in `__all__` is what others use of it, decided from the tree.

A name that another module imports stands there; a name that stands there exists, and somebody outside uses it or a
document tells of it. A module without `__all__` offers nothing, but for a package that hands on what its parts offer.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")
OTHERS = ("tests", "scripts", "docs", ".ci")

DOCUMENTED = ("sbql", "sbql.spark_udfs", "sbql.pytest_plugin")
"""What programs outside of this tree import: a name of theirs may be used by nobody here, if a document has it."""

CALLED_BY_NAME = {"sbql.spark_udfs": {"load_ipython_extension", "unload_ipython_extension"}}
"""What a library looks up by its name."""


def module_name(path: Path) -> str:
    room, *inner = path.relative_to(ROOT).with_suffix("").parts
    parts = ["sbql", *([] if room == "sbql" else [room]), *inner]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def assigned(statement: ast.stmt) -> Iterator[str]:
    """Names that one statement of a module gives it."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    if isinstance(statement, ast.Import | ast.ImportFrom):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif hasattr(ast, "TypeAlias") and isinstance(statement, ast.TypeAlias):
        yield ast.unparse(statement.name)
    elif isinstance(statement, ast.If | ast.Try | ast.With | ast.For):
        for node in ast.iter_child_nodes(statement):
            if isinstance(node, ast.stmt):
                yield from assigned(node)
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def offered(module: str) -> list[str]:
    """`__all__` as it is written."""
    for statement in tree_of(MODULES[module]).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return list(ast.literal_eval(value))
            case ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value):
                return list(ast.literal_eval(value))
    return []


@cache
def given(module: str) -> set[str]:
    return {name for statement in tree_of(MODULES[module]).body for name in assigned(statement)}


def imported(module: str) -> set[str]:
    statements = [s for s in tree_of(MODULES[module]).body if isinstance(s, ast.Import | ast.ImportFrom)]
    return {alias.asname or alias.name for statement in statements for alias in statement.names}


def handed_on(module: str) -> list[str]:
    """The parts that a package hands on as a whole."""
    return [
        statement.module
        for statement in tree_of(MODULES[module]).body
        if isinstance(statement, ast.ImportFrom) and statement.module and statement.names[0].name == "*"
    ]


def uses(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """(module, name) for what one file takes from modules of the rooms: by name, through the module's own name, or in
    a program that it holds as a text."""
    aliases: dict[str, set[str]] = defaultdict(set)  # in functions one alias may stand for several
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in MODULES and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    yield node.module, alias.name
                if (inner := f"{node.module}.{alias.name}") in MODULES:
                    aliases[alias.asname or alias.name].add(inner)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname and alias.name in MODULES:
                    aliases[alias.asname].add(alias.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from used_in_text(node.value)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in aliases:
                yield from ((module, name) for module in aliases[owner] if name in given(module))
            case ast.Attribute(value=ast.Attribute() as owner, attr=name) if ast.unparse(owner) in MODULES:
                yield ast.unparse(owner), name
            case ast.Attribute(
                value=ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=owner)]), attr=name
            ):
                yield owner, name
            case ast.Attribute(value=ast.Name(id="sbql"), attr=name) if name in offered("sbql"):
                yield "sbql", name


def used_in_text(text: str) -> Iterator[tuple[str, str]]:
    for module, names in re.findall(r"\bfrom (sbql[\w.]*) import \(?([\w, ]+)", text):
        for name in names.split(",") if module in MODULES else ():
            if (taken := name.split(" as ")[0].strip()) in given(module):
                yield module, taken


@cache
def used() -> dict[tuple[str, str], set[Path]]:
    """Who uses which name of which module, itself not counted."""
    found: dict[tuple[str, str], set[Path]] = defaultdict(set)
    others = {path for folder in OTHERS for path in (ROOT / folder).rglob("*.py")} - {Path(__file__)}
    for path in (*MODULES.values(), *others, ROOT / "setup.py"):
        for module, name in uses(tree_of(path)):
            if MODULES.get(module, path) != path:
                found[module, name].add(path)
    for script in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"].values():
        module, name = script.split(":")
        found[module, name].add(ROOT / "pyproject.toml")
    for package in MODULES:
        for part in handed_on(package):
            for name in offered(part):
                if users := found.get((package, name)):
                    found[part, name] |= users
    return dict(found)


@cache
def documents() -> str:
    return "\n".join(
        path.read_text(encoding="utf-8")
        for path in (
            ROOT / "README.md",
            *sorted((ROOT / "docs").rglob("*.md")),
            *sorted((ROOT / "docs").rglob("*.ipynb")),
        )
    )


def is_told(module: str, name: str) -> bool:
    return module in DOCUMENTED and re.search(rf"\b{name}\b", documents()) is not None


def needed(module: str) -> set[str]:
    """Names of a module that others use: not those of a package's parts, which are the parts' own, nor what it has
    imported and a test replaces there."""
    own = {name for part in handed_on(module) for name in offered(part)}
    parts = {inner.rpartition(".")[2] for inner in MODULES if inner.rpartition(".")[0] == module}
    rooms = set(MODULES.values())
    patched = {name for name in imported(module) if not used().get((module, name), set()) & rooms}
    return {name for of, name in used() if of == module and name[0] != "_"} - own - parts - patched


def needless(module: str) -> set[str]:
    unused = {name for name in offered(module) if (module, name) not in used() and not is_told(module, name)}
    parts = {name for name in unused if f"{module}.{name}" in MODULES}
    return unused - parts - CALLED_BY_NAME.get(module, set())


@pytest.mark.parametrize("module", MODULES)
def test_what_others_use_is_offered(module: str) -> None:
    assert needed(module) - set(offered(module)) == set()


@pytest.mark.parametrize("module", MODULES)
def test_what_is_offered_is_there_and_used(module: str) -> None:
    names = offered(module)
    assert len(names) == len(set(names))
    assert set(names) - given(module) == set()
    assert needless(module) == set()


def test_private_names_stay_in_their_module() -> None:
    """Tests may look inside; a module may not."""
    rooms = set(MODULES.values())
    crossing = {
        (module, name)
        for (module, name), users in used().items()
        if re.match("_[^_]", name) and users & rooms - {MODULES[module]}
    }
    assert crossing == set()


BY_PYTEST = "pytest_"


@pytest.mark.parametrize("module", MODULES)
def test_what_a_module_defines_somebody_uses(module: str) -> None:
    """A definition without a decorator, which may put it into a registry: the module itself uses it or tells of it in
    a text, or somebody else does. What is numbered in one row is a protocol's, whole."""
    tree = tree_of(MODULES[module])
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    texts = " ".join(n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    defined = {
        name
        for statement in tree.body
        if not isinstance(statement, ast.Import | ast.ImportFrom) and not getattr(statement, "decorator_list", [])
        if not any(isinstance(target, ast.Tuple) for target in getattr(statement, "targets", ()))
        for name in assigned(statement)
        if name != "_" and not name.startswith(("__", BY_PYTEST))
    }
    assert {n for n in defined - own if (module, n) not in used() and not re.search(rf"\b{n}\b", texts)} == set()


def test_uses_are_seen() -> None:
    """A name that only a text imports counts if there is one of that name."""
    code = """
from sbql.engine import locks
from sbql.engine.steps import Step as S
import sbql.engine.host as host
locks.LockTable
host.SystemHost.three
sbql.connect()
program = '''
from sbql.engine.work import Work, nothing
'''
import_module("sbql.engine.entrance").seven
"""
    assert {use for use in uses(ast.parse(code)) if use[0] != "sbql.engine"} == {
        ("sbql.engine.locks", "LockTable"),
        ("sbql.engine.steps", "Step"),
        ("sbql.engine.host", "SystemHost"),
        ("sbql", "connect"),
        ("sbql.engine.work", "Work"),
        ("sbql.engine.entrance", "seven"),
    }
