"""House rules that a tool can check: sizes, docstrings, and who imports Lark."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import sbql.grammar
import sbql.grammar.tables as tables

assert sbql.grammar.__file__ is not None
ROOM = Path(sbql.grammar.__file__).parent
OWN = sorted(
    [
        *ROOM.glob("builders/*.py"),
        *ROOM.glob("printer/*.py"),
        *(ROOM / f"{name}.py" for name in ("batches", "keywords", "lexer", "parser", "syntax_errors", "tables")),
    ]
)


@pytest.mark.parametrize("path", OWN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sizes_and_docstrings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree)
    assert text.count("\n") <= 400
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if not node.name.startswith("_") and isinstance(node, ast.ClassDef):
                assert ast.get_docstring(node) or not path.name.startswith("test"), node.name
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno is not None
                assert node.end_lineno - node.lineno < 70, node.name


def test_every_part_of_the_grammar_is_used_and_begins_with_its_subject() -> None:
    parts = {path.stem: path.read_text(encoding="utf-8") for path in (ROOM / "lark").glob("*.lark")}
    assert parts.keys() == set(tables.GRAMMAR_PARTS)
    for name, text in parts.items():
        assert text.startswith("// "), name
        assert text.count("\n") <= 400, name


def test_lark_is_imported_by_the_tables_only() -> None:
    importing = [
        path.name
        for path in ROOM.rglob("*.py")
        if "import lark" in path.read_text(encoding="utf-8") or "from lark" in path.read_text(encoding="utf-8")
    ]
    assert importing == ["tables.py"]
