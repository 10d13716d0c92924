"""Items of a result: how nodes and values are told apart and written."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.values.xml_text import escape_text
from sbql.grammar.values.xml_tree import element_text

__all__ = ["is_node", "item_text", "items_as_xml"]


def is_node(item: Any) -> bool:
    return hasattr(item, "node_kind")


def item_text(item: Any) -> str:
    """An item as the value() method reads it: the string value of a node, the lexical form of an atomic value."""
    if is_node(item):
        return str(item.string_value)
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float) and not math.isfinite(item):
        return "NaN" if item != item else "INF" if item > 0 else "-INF"
    if isinstance(item, float):
        return str(int(item)) if abs(item) < 1e15 and item == int(item) else f"{item:.15g}".replace("e", "E")
    if isinstance(item, Decimal):
        shown = f"{item:f}"
        return shown.rstrip("0").rstrip(".") if "." in shown else shown
    text = str(item)
    return text.replace("\n", "") if hasattr(item, "decode") else text  # elementpath breaks long base64 into lines


def _node_text(item: Any) -> str:
    """A node as xml text; attributes cannot stand alone."""
    match item.node_kind:
        case "document":
            return "".join(_node_text(child) for child in item.children)
        case "attribute":
            raise sql_error(6307)
        case "text":
            return escape_text(str(item.string_value))
        case _:
            return element_text(item.value)


def items_as_xml(items: list[Any]) -> str:
    """A sequence as the query() method gives it: nodes one after the other, atomic values with blanks between."""
    parts: list[str] = []
    was_atomic = False
    for item in items:
        found = is_node(item)
        if not found and was_atomic:
            parts.append(" ")
        parts.append(_node_text(item) if found else escape_text(item_text(item)))
        was_atomic = not found
    return "".join(parts)
