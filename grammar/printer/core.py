"""The dispatch of the printer, and the spelling of names, types and lists that all its parts share.

A branch is a function from one node class to text; a statement's branch may give a list of lines instead, which blocks
indent (never the text itself: a string literal may hold line ends). It must not know any concrete statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sbql.grammar.ast import Batch, DataTypeReference, Identifier, LabelStatement, Node, ObjectName, Statement
from sbql.grammar.keywords import RESERVED

__all__ = [
    "BRANCHES",
    "INDENT",
    "bare_name",
    "block",
    "comma",
    "lines_of",
    "name",
    "prints",
    "quoted",
    "statement_lines",
    "text",
    "words",
]

Branch = Callable[[Any], "str | list[str]"]
Function = TypeVar("Function", bound=Branch)

BRANCHES: dict[type[Node], Branch] = {}
INDENT = "    "
_BARE = re.compile(r"[^\W\d][\w@#$]*\Z")


def prints(*classes: type[Node]) -> Callable[[Function], Function]:
    """Register a function as the branch of node classes."""

    def register(function: Function) -> Function:
        for cls in classes:
            assert cls not in BRANCHES, cls
            BRANCHES[cls] = function
        return function

    return register


def lines_of(node: Node) -> list[str]:
    """The node's text as lines."""
    printed = BRANCHES[type(node)](node)
    return [printed] if isinstance(printed, str) else printed


def text(node: Node) -> str:
    """The node's text."""
    printed = BRANCHES[type(node)](node)
    return printed if isinstance(printed, str) else "\n".join(printed)


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


def quoted(value: str, national: bool = False) -> str:
    """A string literal. A backslash before a line end would continue the line, so it is doubled by such a pair."""
    body = value.replace("'", "''").replace("\\\n", "\\\\\n\n").replace("\\\r\n", "\\\\\r\n\r\n")
    return f"{'N' if national else ''}'{body}'"


def name(identifier: Identifier) -> str:
    """One part of a name."""
    return f"[{identifier.value.replace(']', ']]')}]" if identifier.quoted else identifier.value


def bare_name(value: str) -> str:
    """A name kept without its delimiters: in brackets if it needs them."""
    if _BARE.match(value) and value.upper() not in RESERVED:
        return value
    return f"[{value.replace(']', ']]')}]"


def comma(nodes: Iterable[Node]) -> str:
    return ", ".join(text(node) for node in nodes)


def words(*parts: str | None) -> str:
    """The parts that are there, with blanks between."""
    return " ".join(part for part in parts if part)


@prints(Identifier)
def _identifier(node: Identifier) -> str:
    return name(node)


@prints(ObjectName)
def _object_name(node: ObjectName) -> str:
    return ".".join("" if part is None else name(part) for part in node.parts)


@prints(DataTypeReference)
def _data_type(node: DataTypeReference) -> str:
    spelled = text(node.name)
    if spelled == "cursor":
        return "CURSOR"
    if node.xml_collection is not None:
        return f"{spelled}({words(node.xml_kind, text(node.xml_collection))})"
    return f"{spelled}({', '.join(str(a) for a in node.arguments)})" if node.arguments else spelled


@prints(Batch)
def _batch(node: Batch) -> list[str]:
    return statement_lines(node.statements)
