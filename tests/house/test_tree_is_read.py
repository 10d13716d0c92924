"""What the grammar puts into a node is read by whoever runs it: a field that nobody asks
for is an option that is dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from sbql.grammar.ast import Node

ROOT = Path(__file__).parents[2]
ROOMS = ("catalog", "engine", "repl", "sbql", "spark_udfs")

REASONS = {
    "AlterQueueStatement.maintenance": "REBUILD, REORGANIZE and MOVE TO of a queue: there is nothing to rebuild; the queue is looked up",
    "ReconfigureStatement.overrides": "WITH OVERRIDE leaves out a check of values that is not made here",
}


def _read_names() -> set[str]:
    """The names of all attributes that are read outside of the grammar, in patterns and by getattr, too."""
    found: set[str] = set()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                found.update(_names(node))
    return found


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield node.attr
    elif isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        yield from (str(a.value) for a in node.args[1:2] if isinstance(a, ast.Constant))


def _classes(base: type[Node]) -> Iterator[type[Node]]:
    for cls in base.__subclasses__():
        yield cls
        yield from _classes(cls)


def test_every_field_of_a_node_is_read() -> None:
    read = _read_names()
    unread = {f"{cls.__name__}.{part.name}" for cls in _classes(Node) for part in fields(cls) if part.name not in read}
    assert unread == set(REASONS)
