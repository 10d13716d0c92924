"""OPENXML: rows from a prepared document.

Decides what a column without a path reads (attributes, elements or both, by the flags). Documents are prepared by
sp_xml_preparedocument, which keeps (text, namespaces) under a handle in the session's `context_values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.engine.execution.xml_methods import xml_nodes
from sbql.engine.execution.xquery import compile_xquery, evaluate, item_text
from sbql.grammar.errors import sql_error

__all__ = ["open_xml_rows"]

DOCUMENTS = "xml documents"
ATTRIBUTES, ELEMENTS = 1, 2


def open_xml_rows(
    session: Any, handle: int | None, pattern: str | None, flags: int, columns: Sequence[tuple[str, str | None]]
) -> list[list[str | None]]:
    """One list of texts for each node that the pattern finds. Raises 8179 for an unknown handle."""
    documents = session.context_values.get(DOCUMENTS, {})
    if handle is None or handle not in documents:
        raise sql_error(8179, handle if handle is not None else 0)
    text, namespaces = documents[handle]
    if pattern is None:
        return []
    paths = [_paths(name, path, flags) for name, path in columns]
    return [[_first(node, tries, namespaces) for tries in paths] for node in xml_nodes(text, pattern, namespaces)]


def _paths(name: str, path: str | None, flags: int) -> list[str]:
    if path is not None:
        return [path]
    kinds = flags & (ATTRIBUTES | ELEMENTS) or ATTRIBUTES
    found = [f"@{name}"] if kinds & ATTRIBUTES else []
    return found + ([name] if kinds & ELEMENTS else [])


def _first(node: str, paths: Sequence[str], namespaces: Any) -> str | None:
    for path in paths:
        items = evaluate(compile_xquery(path, namespaces, "value()"), node, ())
        if items:
            return item_text(items[0])
    return None
