"""Documents as XQuery sees them.

A value is a document whose top may hold several nodes. A value made by nodes() refers to a node (`xml_nodes.py`), from
which paths can go up, to the top of its document.
"""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ET
from functools import lru_cache
from typing import Any

from sbql.engine.documents.xml_nodes import NODE_MARK, kept_node
from sbql.engine.documents.xquery.items import top_of
from sbql.engine.documents.xquery.nodes import node_tree
from sbql.grammar.values.xml_tree import XmlElement, parse_tree

__all__ = ["new_document", "opened"]


def opened(text: str) -> tuple[Any, Any]:
    """The document node of an xml value and the context item: the document, or the node that nodes() found."""
    if text.startswith(NODE_MARK):
        node = kept_node(text)
        return top_of(node), node
    document = _document(text, threading.get_ident())
    return document, document


@lru_cache(maxsize=64)
def _document(text: str, thread: int) -> Any:
    """elementpath completes its nodes while it reads them, so each thread has its own."""
    return new_document(text)[0]


def new_document(text: str) -> tuple[Any, XmlElement]:
    """The document node of a value, and the wrapper element that its tree hangs below."""
    wrapper = parse_tree(text)
    document: Any = node_tree(ET.ElementTree(wrapper))
    # The wrapper steps aside: its children become those of the document.
    children = list(document.children[0].children)
    document.children[:] = children
    for child in children:
        child.parent = document
    return document, wrapper
