"""Pieces of XPath text with what is known of their items before anything runs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

__all__ = ["ATOMIC", "NODES", "Piece", "together", "xpath_string"]

NODES = frozenset({"element", "attribute", "text", "comment", "processing-instruction", "document", "node"})
ATOMIC = frozenset({"string", "number", "boolean", "date", "untyped"})
"""Kinds of items. Besides there are `empty` (no item) and `item` (anything)."""


class Piece(Struct, frozen=True):
    """`many`: there may be more than one item. `is_constant`: a number as it is written; `is_made`: constructed nodes
    are in it."""

    text: str
    many: bool
    kind: str
    is_constant: bool = False
    is_made: bool = False

    @property
    def is_nodes(self) -> bool:
        return self.kind in NODES

    @property
    def type_name(self) -> str:
        """As messages name the type."""
        name = {
            "string": "xs:string", "number": "xs:decimal", "boolean": "xs:boolean", "untyped": "xdt:untypedAtomic",
            "date": "xs:dateTime",
            "empty": "empty", "item": "item()", "element": "element(*,xdt:untyped)",
            "attribute": "attribute(*,xdt:untypedAtomic)",
        }.get(self.kind, f"{self.kind}()")  # fmt: skip
        return f"{name} *" if self.many else name


def together(kinds: Sequence[str]) -> str:
    """The kind of a sequence of items of these kinds."""
    found = set(kinds)
    if not found:
        return "empty"
    if len(found) == 1:
        return found.pop()
    return "node" if found <= NODES else "item"


def xpath_string(value: str) -> str:
    quote = "'" if '"' in value else '"'
    return quote + value.replace(quote, quote * 2) + quote
