"""What a session holds is set by the session and, at most, by one module more.

A step returns what it has done (`steps.Done`); `batch.running` sets @@ROWCOUNT and @@ERROR from it. What holds for a while
only (a database, a sink, options) is set and set back by one `with`. So nobody has to look through the engine to learn
who changes what.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

OWNERS = {
    "rowcount": {"engine/batch/running.py"},
    "error_number": {"engine/batch/running.py"},
    "trancount": {"engine/invocation.py", "engine/transaction/statement_scope.py", "engine/modification/sources.py"},
    "database_id": {"engine/invocation.py", "engine/batch/execute.py", "engine/security/resolver.py"},
    "names_in": {"engine/invocation.py", "engine/security/resolver.py"},
    "program_name": {"engine/scheduler.py", "engine/server/operation_calls.py", "engine/server/owner.py"},
    "sink": {"engine/invocation.py", "engine/server/operation_calls.py"},
    "try_depth": {"engine/batch/control_flow.py", "engine/server/operation_calls.py"},
    "options": {"engine/invocation.py", "engine/session_options.py"},
    "cursor_rows": {"engine/batch/cursors.py", "engine/system/cursors.py"},
    "is_ended": {"engine/instance.py", "engine/security/database_access.py", "engine/server/owned_session.py"},
    "cancel_requested": {"engine/instance.py", "engine/security/database_access.py"},
}
"""Where it is somebody else, or more than one, and has to be: in front of a batch, for all sessions at once, ..."""


def is_session(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return node.id == "session"
    return isinstance(node, ast.Attribute) and node.attr in ("session", "_session")


def targets(node: ast.AST) -> Iterator[ast.expr]:
    found: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        found = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        found = [node.target]
    for target in found:
        yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]


def setters() -> dict[str, set[str]]:
    """By attribute: the modules that set it in a session which is not themselves."""
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / "engine").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            for target in targets(node):
                if isinstance(target, ast.Attribute) and is_session(target.value):
                    found.setdefault(target.attr, set()).add(file.relative_to(ROOT).as_posix())
    return found


def test_one_module_sets_what_a_session_holds() -> None:
    found = setters()
    assert found["rowcount"], "the search finds nothing any more"
    for attribute, modules in found.items():
        allowed = OWNERS.get(attribute)
        if allowed is None:
            assert len(modules) == 1, (
                f"session.{attribute} is set by {sorted(modules)}: one of them, or the session, should"
            )
        else:
            assert modules == allowed, f"session.{attribute}: a line of OWNERS has to change, or better the modules"


def test_owners_are_set_somewhere() -> None:
    assert set(OWNERS) <= set(setters())
