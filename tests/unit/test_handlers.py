"""The table of handler modules is true, and every statement class has exactly one handler."""

from __future__ import annotations

import inspect

from sbql.engine.execution.compiled import HANDLERS
from sbql.engine.execution.handlers import MODULES, load_all
from sbql.grammar import ast


def test_the_table_names_what_the_modules_register() -> None:
    """A statement whose module is not in the table would be reported as unsupported."""
    load_all()
    registered: dict[str, set[str]] = {}
    for node_class, handler in HANDLERS.items():
        registered.setdefault(handler.__module__.rsplit(".", 1)[1], set()).add(node_class.__name__)
    assert registered == {module: set(names) for module, names in MODULES.items()}


def test_every_statement_has_a_handler() -> None:
    """What the grammar can produce can be compiled (labels are places, not steps)."""
    load_all()
    classes = {
        c for c in vars(ast).values() if inspect.isclass(c) and issubclass(c, ast.Statement) and c is not ast.Statement
    }
    assert classes - set(HANDLERS) == {ast.LabelStatement}
