"""Changing a syntax tree: the same tree with some nodes replaced.

Used where an expression over columns has to become one over variables (CHECK, DEFAULT, OUTPUT) or over other columns
(views). It knows the shape of nodes only, not what they mean, with one exception: the date part of DATEADD is spelled
as a column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from sbql.grammar.ast import ColumnReference, FunctionCall, Node

__all__ = ["columns_in", "rewrite", "walk"]

N = TypeVar("N", bound=Node)

DATE_PART_FUNCTIONS = frozenset(
    {"dateadd", "datediff", "datediff_big", "datename", "datepart", "datetrunc", "date_bucket"}
)


def has_date_part(node: Node) -> bool:
    return isinstance(node, FunctionCall) and node.name.name.lower() in DATE_PART_FUNCTIONS and bool(node.arguments)


def rewrite(node: N, change: Callable[[Node], Node | None]) -> N:
    """`node` with every node for which `change` gives another one replaced, from the top down."""
    changed = change(node)
    if changed is not None:
        return changed  # type: ignore[return-value]
    keep_first = has_date_part(node)
    values: dict[str, Any] = {}
    for field in fields(node):
        if field.name == "span":
            continue
        old = getattr(node, field.name)
        if keep_first and field.name == "arguments":
            rest = _rewrite_value(old[1:], change)
            new = old if rest == old[1:] else (old[0], *rest)
        else:
            new = _rewrite_value(old, change)
        if new is not old:
            values[field.name] = new
    return replace(node, **values) if values else node


def _rewrite_value(value: Any, change: Callable[[Node], Node | None]) -> Any:
    if isinstance(value, Node):
        return rewrite(value, change)
    if isinstance(value, tuple) and value:
        new = tuple(_rewrite_value(v, change) for v in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value


def walk(node: Any) -> Iterator[Node]:
    """All nodes below and including `node`, date parts left out."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif isinstance(node, Node):
        yield node
        keep_first = has_date_part(node)
        for field in fields(node):
            if field.name != "span":
                value = getattr(node, field.name)
                yield from walk(value[1:] if keep_first and field.name == "arguments" else value)


def columns_in(node: Any) -> list[ColumnReference]:
    """The column references of an expression, in order, without repeats."""
    return list(dict.fromkeys(n for n in walk(node) if isinstance(n, ColumnReference)))
