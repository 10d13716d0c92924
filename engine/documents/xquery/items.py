"""Items of a result: how nodes and values are told apart and written."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.values.xml_text import escape_text
from sbql.grammar.values.xml_tree import element_text

__all__ = ["decimal_text", "double_text", "is_node", "item_text", "items_as_xml", "number_text", "top_of"]


def is_node(item: Any) -> bool:
    return hasattr(item, "node_kind")


def top_of(node: Any) -> Any:
    """The root of the tree that a node is in."""
    while node.parent is not None:
        node = node.parent
    return node


def item_text(item: Any) -> str:
    """An item as the value() method reads it: the string value of a node, the lexical form of an atomic value."""
    if is_node(item):
        return str(item.string_value)
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float):
        return double_text(item)
    if isinstance(item, Decimal):
        return decimal_text(item)
    text = str(item)
    return text.replace("\n", "") if hasattr(item, "decode") else text  # elementpath breaks long base64 into lines


def number_text(item: Any) -> str:
    """`item_text` for a type of exact numbers: never with an exponent."""
    if isinstance(item, float) and math.isfinite(item):
        return decimal_text(Decimal(f"{item:.15g}"))
    return item_text(item)


def double_text(number: float, digits: str | None = None) -> str:
    """Written out from 1.0E-6 up to 1.0E6, with an exponent elsewhere, also for 0 (the page "Type casting rules in
    XQuery"). `digits` are the number's digits where 15 do not do."""
    if not math.isfinite(number):
        return "NaN" if number != number else "INF" if number > 0 else "-INF"
    if number == 0:
        return "0.0E0"
    exact = Decimal(digits or f"{number:.15g}")
    if 1e-6 <= abs(number) < 1e6:
        return decimal_text(exact)
    mantissa, _, exponent = f"{exact.normalize():E}".partition("E")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"


def decimal_text(number: Decimal) -> str:
    shown = f"{number:f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


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
