"""What a thread keeps of the documents that it reads: the nodes that nodes() found while a query runs, whose values are
references to them, and the documents read last.

A small module of its own, so that queries without XML load none of it. It must not know what a node or a document is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

__all__ = ["COLUMN", "NODE_MARK", "begin_nodes", "end_nodes", "kept_document", "kept_node", "node_references"]

T = TypeVar("T")

COLUMN = "column "
"""Before the name of a column that sql:column() names, among the T-SQL variables of an XQuery."""

NODE_MARK = "\x01"
"""Begins a value made by nodes(): a number follows. No document has this character."""


class _Kept(threading.local):
    """What a thread keeps. `documents` are those read last, in two halves, with the characters of the former; in a
    query they are more."""

    def __init__(self) -> None:
        self.nodes: list[Any] | None = None
        self.queries = 0
        self.documents: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        self.length = 0


_kept: Final = _Kept()


def begin_nodes() -> list[Any] | None:
    """A query begins: the nodes that it finds are forgotten at its end. Returns what `end_nodes` needs then."""
    before, _kept.nodes = _kept.nodes, None
    _kept.queries += 1
    return before


def end_nodes(before: list[Any] | None) -> None:
    kept = _kept
    kept.nodes = before
    kept.queries -= 1
    if not kept.queries and (len(kept.documents[0]) > _FEW or kept.documents[1]):
        kept.documents = ({}, {})
        kept.length = 0


_FEW: Final = 8
_IN_QUERIES: Final = 1 << 20
_ELSEWHERE: Final = 1 << 16
"""Characters of half of the documents that a thread keeps. DuckDB computes an expression for 2,048 rows before the
next, and a procedure reads one message value by value."""


def kept_document(text: str, make: Callable[[str], T]) -> T:
    """What `make` has made of a text, or makes now."""
    kept = _kept
    recent, older = kept.documents
    found: T | None = recent.get(text)
    if found is None:
        found = older.get(text)
        if found is None:
            found = make(text)
        most = _IN_QUERIES if kept.queries else _ELSEWHERE
        if recent and kept.length + len(text) > most:
            recent = {}
            kept.documents = recent, kept.documents[0]
            kept.length = 0
        recent[text] = found
        kept.length += len(text)
    return found


def node_references(nodes: Sequence[Any]) -> list[str]:
    """A reference to each node."""
    kept = _kept.nodes
    if kept is None:
        kept = _kept.nodes = []
    first = len(kept)
    kept += nodes
    return [f"{NODE_MARK}{number}" for number in range(first, len(kept))]


def kept_node(reference: str) -> Any:
    assert _kept.nodes is not None, "a node outlived its query"
    return _kept.nodes[int(reference[1:])]
