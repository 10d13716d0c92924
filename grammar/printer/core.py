"""The dispatch of the printer, and the spelling of names, types and lists that all its parts share.

A branch is a function from one node class to text. It must not know any concrete expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sbql.grammar.ast import DataTypeReference, Identifier, Node, ObjectName
from sbql.grammar.names import bracketed

__all__ = [
    "BRANCHES",
    "comma",
    "name",
    "prints",
    "quoted",
    "text",
    "words",
]

Branch = Callable[[Any], str]
Function = TypeVar("Function", bound=Branch)

BRANCHES: dict[type[Node], Branch] = {}


def prints(*classes: type[Node]) -> Callable[[Function], Function]:
    """Register a function as the branch of node classes."""

    def register(function: Function) -> Function:
        for cls in classes:
            assert cls not in BRANCHES, cls
            BRANCHES[cls] = function
        return function

    return register


def text(node: Node) -> str:
    """The node's text."""
    return BRANCHES[type(node)](node)


def quoted(value: str, national: bool = False) -> str:
    """A string literal. A backslash before a line end would continue the line, so it is doubled by such a pair."""
    body = value.replace("'", "''").replace("\\\n", "\\\\\n\n").replace("\\\r\n", "\\\\\r\n\r\n")
    return f"{'N' if national else ''}'{body}'"


def name(identifier: Identifier) -> str:
    """One part of a name."""
    return bracketed(identifier.value) if identifier.quoted else identifier.value


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
    return f"{spelled}({','.join(str(a) for a in node.arguments)})" if node.arguments else spelled
