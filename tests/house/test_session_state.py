"""What a session holds is set by the session.

A step returns what it has done (`steps.Done`); `batch.running` sets @@ROWCOUNT and @@ERROR from it, on the way of every
statement. Everything else is changed by methods of the session (`engine/session_state.py`); for others its attributes
are read-only, so that nobody has to look through the engine to learn who changes what. mypy holds whoever is typed with
the port to that; this looks at the names as well, and at what is not typed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from sbql.engine.session import Session
from sbql.engine.session_state import SessionState
from sbql.engine.session_values import SessionValues

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "repl", "spark_udfs", "sbql")
OWNERS = {"rowcount": {"engine/batch/running.py"}, "error_number": {"engine/batch/running.py"}}
NAMES = ("session", "_session", "other")
ATTRIBUTES = {*vars(SessionState(51, 1)), *vars(Session), "setattr"}


def is_session(node: ast.expr) -> bool:
    return (node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")) in NAMES


def targets(node: ast.AST) -> Iterator[ast.expr]:
    """What an assignment, a `with … as`, a `for`, a `del` sets."""
    found: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        found = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.NamedExpr):
        found = [node.target]
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        found = [node.optional_vars]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr"):
        found = [ast.Attribute(node.args[0], "setattr")]
    for target in found:
        yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]


def setters(text: str) -> list[str]:
    """The attributes that a module sets in a session which is not itself."""
    return [
        target.attr
        for node in ast.walk(ast.parse(text))
        for target in targets(node)
        if isinstance(target, ast.Attribute) and is_session(target.value) and target.attr in ATTRIBUTES
    ]


def test_a_session_alone_sets_what_it_holds() -> None:
    found: dict[str, set[str]] = {}
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            for attribute in setters(file.read_text()):
                found.setdefault(attribute, set()).add(file.relative_to(ROOT).as_posix())
    assert found == OWNERS, "a method of SessionState sets it, or a step returns it"


def test_the_search_finds_each_way_of_setting() -> None:
    ways = (
        "session.sink = 1", "frame.session.sink += 1", "x, other.sink = 1, 2", "self._session.sink: int = 1", "for session.sink in x: pass",
        "with x as session.sink: pass", "del session.sink", "setattr(session, 'sink', 1)",
    )  # fmt: skip
    assert all(setters(way) for way in ways)


def test_everything_that_a_session_holds_may_be_read_and_not_set() -> None:
    """`transaction` and what else needs the other ports is in `ports.Session`; a count
    for drivers is the session's own."""
    held = set(vars(SessionState(51, 1)))
    told = {name for name, value in vars(SessionValues).items() if isinstance(value, property)}
    assert held - told == {*OWNERS, "transaction", "rollbacks"}
    assert all(vars(SessionValues)[name].fset is None for name in told)
    assert told <= held
