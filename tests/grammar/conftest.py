"""Samples of the grammar: accepted/*.sql are batches between GO lines; in rejected/*.sql the errors stand behind GO."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql.grammar.ast as ast

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # `import printing`


def accepted() -> Iterator[tuple[str, str]]:
    """(id, batch) of every accepted sample."""
    for path in sorted((HERE / "accepted").glob("*.sql")):
        line = 1
        for batch in re.split(r"(?m)^GO\n", path.read_text(encoding="utf-8")):
            if batch.strip():
                yield f"{path.stem}-{line}", batch
            line += batch.count("\n") + 1


def rejected() -> Iterator[tuple[str, str, list[str]]]:
    """(id, batch, expectations) of every rejected sample."""
    for path in sorted((HERE / "rejected").glob("*.sql")):
        lines = path.read_text(encoding="utf-8").splitlines()
        batch: list[str] = []
        position = 0
        while position < len(lines):
            if lines[position] != "GO":
                batch.append(lines[position])
                position += 1
                continue
            start = position + 1 - len(batch)
            position += 1
            expected: list[str] = []
            while position < len(lines) and lines[position].startswith("--! "):
                expected.append(lines[position].removeprefix("--! "))
                position += 1
            yield f"{path.stem}-{start}", "\n".join(batch), expected
            batch = []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "accepted_sample" in metafunc.fixturenames:
        samples = list(accepted())
        metafunc.parametrize("accepted_sample", [s[1] for s in samples], ids=[s[0] for s in samples])
    if "rejected_sample" in metafunc.fixturenames:
        cases = list(rejected())
        metafunc.parametrize("rejected_sample", [c[1:] for c in cases], ids=[c[0] for c in cases])


def nodes(value: Any) -> Iterator[ast.Node]:
    """The node and all nodes in it."""
    if isinstance(value, ast.Node):
        yield value
        for field in dataclasses.fields(value):
            if field.name != "span":
                yield from nodes(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes(item)


@pytest.fixture
def nodes_of() -> Any:
    return nodes


@pytest.fixture
def all_accepted() -> list[str]:
    return [batch for _, batch in accepted()]


@pytest.fixture
def concrete_nodes() -> set[type[ast.Node]]:
    """Every node class of which trees are made."""
    found = [getattr(ast, name) for name in dir(ast)]
    classes = {c for c in found if isinstance(c, type) and issubclass(c, ast.Node)}
    return {c for c in classes if not c.__subclasses__()}
