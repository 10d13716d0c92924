"""The nodes that nodes() found while a query runs: its values are references to them.

A small module of its own, so that queries without XML load none of it. It must not know what a node is.
"""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["COLUMN", "NODE_MARK", "begin_nodes", "end_nodes", "kept_node", "node_reference"]

COLUMN = "column "
"""Before the name of a column that sql:column() names, among the T-SQL variables of an XQuery."""

NODE_MARK = "\ufdd0"
"""Begins a value made by nodes(): a number follows."""


class _Kept(threading.local):
    nodes: list[Any] | None = None


_kept = _Kept()


def begin_nodes() -> list[Any] | None:
    """A query begins: the nodes that it finds are forgotten at its end. Returns what `end_nodes` needs then."""
    before, _kept.nodes = _kept.nodes, None
    return before


def end_nodes(before: list[Any] | None) -> None:
    _kept.nodes = before


def node_reference(node: Any) -> str:
    if _kept.nodes is None:
        _kept.nodes = []
    _kept.nodes.append(node)
    return f"{NODE_MARK}{len(_kept.nodes) - 1}"


def kept_node(reference: str) -> Any:
    assert _kept.nodes is not None, "a node outlived its query"
    return _kept.nodes[int(reference[1:])]
