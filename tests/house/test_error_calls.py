"""Every `sql_error(number, …)` in the code names a message that exists, with as many arguments as its text takes."""

from __future__ import annotations

import ast
import pathlib
import re

import pytest

from sbql.grammar.messages import all_messages

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")


def _calls() -> list[tuple[str, int, int, int]]:
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                is_fault = getattr(node.func, "attr", "") == "fault"  # XQuery's: the method is its first argument
                if getattr(node.func, "id", "") != "sql_error" and not is_fault:
                    continue
                first = node.args[0] if node.args else None
                if (
                    not isinstance(first, ast.Constant)
                    or not isinstance(first.value, int)
                    or any(isinstance(a, ast.Starred) for a in node.args)
                ):
                    continue
                found.append(
                    (f"{path.relative_to(ROOT)}:{node.lineno}", first.value, len(node.args) - 1 + is_fault, node.lineno)
                )
    return found


def test_every_error_call_fits_its_message() -> None:
    """A wrong number would be a KeyError, a wrong count a TypeError, both only when a user hits the error."""
    messages = all_messages()
    wrong = []
    for place, number, given, _ in _calls():
        entry = messages.get(number)
        if entry is None:
            wrong.append(f"{place}: no message {number}")
            continue
        wanted = len(re.findall(r"%[sd]", entry.text.replace("%%", "")))
        # Without arguments a text is shown as it stands, so that only its placeholders would be missing.
        if wanted != given:
            wrong.append(f"{place}: message {number} takes {wanted} arguments, {given} given: {entry.text}")
    assert not wrong, "\n".join(wrong)


def test_the_scan_finds_calls() -> None:
    """The test above would pass on an empty list."""
    assert len(_calls()) > 100


if __name__ == "__main__":
    pytest.main([__file__])


OTHER_SEVERITY = {"engine/batch/messages.py": 2745, "engine/cursors/cursor.py": 16950, "engine/query/queries.py": 108}
"""Errors that SQL Server tells with severity 16, whatever sys.messages says of them."""


def test_an_error_has_the_severity_of_the_catalogue() -> None:
    found = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Attribute) and t.attr == "severity" for t in node.targets)
    }
    own = {"grammar/errors.py", "sbql/exceptions.py"}  # where the catalogue's comes in, and goes out to programs
    assert found - own == OTHER_SEVERITY.keys()
    severities = {number: all_messages()[number].severity for number in OTHER_SEVERITY.values()}
    assert 16 not in severities.values(), severities
