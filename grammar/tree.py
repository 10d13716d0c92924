"""The tree: what stands below a node, all of it in order, and the same tree with some nodes replaced.

What a node can hold is read from its class, so a new node needs no line here. It knows the shape of nodes, never what
they mean: whoever walks decides that. Nothing else may walk or rebuild nodes by their fields (tests/house).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from sbql.grammar.ast.base import Node
from sbql.grammar.ast.expressions import And, ColumnReference, Comparison, Condition, Expression

__all__ = [
    "child_fields",
    "children",
    "column_equations",
    "columns_in",
    "conjuncts",
    "find_all",
    "map_children",
    "parts",
    "rewrite",
    "walk",
]

N = TypeVar("N", bound=Node)

_ATOMS = frozenset({"bool", "bytes", "int", "None", "str"})
_names: dict[type, tuple[str, ...]] = {}


def child_fields(cls: type[Node]) -> tuple[str, ...]:
    """The names of the fields that may hold nodes, or tuples of them, in the order of the class; never the span."""
    found = _names.get(cls)
    if found is None:
        found = _names[cls] = tuple(f.name for f in fields(cls) if f.name != "span" and not _is_atom(str(f.type)))
    return found


def _is_atom(annotation: str) -> bool:
    """Whether a field of this type holds no node: its annotation names nothing but plain values."""
    inner = annotation.replace("tuple[", "").replace("]", "").replace("...", "None").replace("|", ",")
    return all(word.strip() in _ATOMS for word in inner.split(",") if word.strip())


def parts(node: Node) -> list[Any]:
    """The values of the fields that may hold nodes: a node, a tuple, None, or a word where the class allows one."""
    return [getattr(node, name) for name in child_fields(type(node))]


def children(tree: Any) -> Iterator[Node]:
    """The nodes directly below a node, or directly in a tuple (of tuples), in order."""
    todo = parts(tree)[::-1] if isinstance(tree, Node) else [tree]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            todo.extend(reversed(value))
        elif isinstance(value, Node):
            yield value


def walk(tree: Any, closed: type[Node] | tuple[type[Node], ...] = ()) -> Iterator[Node]:
    """All nodes of a tree, or of a tuple of trees, each before those in it, in order.

    Nodes of the classes `closed` are given, and what is in them is not, be it the whole tree.
    """
    todo = [tree]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            todo.extend(reversed(value))
        elif isinstance(value, Node):
            yield value
            if not isinstance(value, closed):
                todo.extend([getattr(value, name) for name in reversed(child_fields(type(value)))])


def find_all(tree: Any, kinds: type[N], closed: type[Node] | tuple[type[Node], ...] = ()) -> Iterator[N]:
    """The nodes of a class, in the order of `walk`."""
    return (node for node in walk(tree, closed) if isinstance(node, kinds))


def columns_in(tree: Any) -> list[ColumnReference]:
    """The column references of an expression, in order, without repeats."""
    return list(dict.fromkeys(find_all(tree, ColumnReference)))


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """The conditions that must all be true for this one to be: the operands of AND, however deep."""
    if isinstance(condition, And):
        for operand in condition.operands:
            yield from conjuncts(operand)
    else:
        yield condition


def column_equations(condition: Condition) -> Iterator[tuple[ColumnReference, Expression]]:
    """`column = value`, if the condition is that: the column and the other side. Two columns are it both ways."""
    if isinstance(condition, Comparison) and condition.op == "=":
        for column, value in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(column, ColumnReference):
                yield column, value


def map_children(node: N, change: Callable[[Node], Node]) -> N:
    """The node with each node directly below it replaced by what `change` gives; the same one if nothing changes."""
    return _with_fields(node, change, child_fields(type(node)))


def _with_fields(node: N, change: Callable[[Node], Node], names: tuple[str, ...]) -> N:
    values: dict[str, Any] = {}
    for name in names:
        old = getattr(node, name)
        new = _mapped(old, change)
        if new is not old:
            values[name] = new
    return replace(node, **values) if values else node


def _mapped(value: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(value, Node):
        return change(value)
    if isinstance(value, tuple) and value:
        new = tuple([_mapped(item, change) for item in value])
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value


def rewrite(tree: N, change: Callable[[Node], Node | None]) -> N:
    """The tree with every node for which `change` gives another one replaced, from the top down, in order; what is in a
    replaced node is not looked at. What does not change stays the same object.

    The first node of a node is followed by a loop: the left side of a sum of 20,000 terms is as deep.
    """
    above: list[tuple[Node, tuple[str, ...]]] = []
    node: Node = tree
    result: Any
    while True:
        changed = change(node)
        if changed is not None:
            result = changed
            break
        names = child_fields(type(node))
        first = getattr(node, names[0]) if names else None
        if not isinstance(first, Node):
            result = _with_fields(node, lambda child: rewrite(child, change), names)
            break
        above.append((node, names))
        node = first
    for node, names in reversed(above):
        if result is not getattr(node, names[0]):
            changes: dict[str, Any] = {names[0]: result}
            node = replace(node, **changes)
        result = _with_fields(node, lambda child: rewrite(child, change), names[1:])
    made: N = result
    return made
