"""Statements as text: lines that blocks indent.

A statement's branch may give a list of lines instead of text; a block indents these and never the text itself, for
a string literal may hold line ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sbql.grammar.ast import Batch, LabelStatement, Node, Statement
from sbql.grammar.keywords import RESERVED
from sbql.grammar.printer import core

__all__ = ["INDENT", "bare_name", "block", "lines_of", "prints", "statement_lines"]

Branch = Callable[[Any], "str | list[str]"]
Function = TypeVar("Function", bound=Branch)

INDENT = "    "
_BARE = re.compile(r"[^\W\d][\w@#$]*\Z")
_LINES: dict[type[Node], Branch] = {}


def prints(*classes: type[Node]) -> Callable[[Function], Function]:
    """Register a function as the branch of node classes."""

    def register(function: Function) -> Function:
        def whole(node: Any) -> str:
            printed = function(node)
            return printed if isinstance(printed, str) else "\n".join(printed)

        core.prints(*classes)(whole)
        _LINES.update(dict.fromkeys(classes, function))
        return function

    return register


def lines_of(node: Node) -> list[str]:
    """The node's text as lines."""
    printed = _LINES[type(node)](node)
    return [printed] if isinstance(printed, str) else printed


def statement_lines(statements: Iterable[Statement]) -> list[str]:
    """Statements one after the other, each closed by a semicolon (a label has none)."""
    found: list[str] = []
    for statement in statements:
        *before, last = lines_of(statement)
        found += before
        found.append(last if isinstance(statement, LabelStatement) else last + ";")
    return found


def block(statements: Iterable[Statement]) -> list[str]:
    """Statements, indented."""
    return [INDENT + line for line in statement_lines(statements)]


def bare_name(value: str) -> str:
    """A name kept without its delimiters: in brackets if it needs them."""
    if _BARE.match(value) and value.upper() not in RESERVED:
        return value
    return f"[{value.replace(']', ']]')}]"


@prints(Batch)
def _batch(node: Batch) -> list[str]:
    return statement_lines(node.statements)
