"""Documents as XQuery sees them.

A value is a document whose top may hold several nodes. A value made by nodes() refers to a node (`xml_nodes.py`), from
which paths can go up, to the top of its document. Decides when the nodes of elementpath are made: not for a document
that only plain paths read.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

from sbql.engine.documents.xml_nodes import NODE_MARK, kept_document, kept_node, node_references
from sbql.engine.documents.xquery.bare_trees import bare_tree
from sbql.engine.documents.xquery.items import top_of
from sbql.engine.documents.xquery.nodes import node_tree
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.xml_tree import XmlElement, parse_tree

__all__ = ["context_of", "is_reference", "new_document", "opened", "references"]


class Document:
    """An xml value that is read. `root` is the element below which its nodes hang."""

    __slots__ = ("_full", "_nodes", "_text", "root")

    def __init__(self, text: str) -> None:
        self._text = text
        self._full: Any = None
        self._nodes: dict[Any, Any] | None = None
        self.root = bare_tree(text)

    @property
    def full(self) -> Any:
        """The document node of elementpath, which completes its nodes while it reads them: each thread has its own."""
        if self._full is None:
            self._full = new_document(self._text)[0]
        return self._full

    def node(self, element: ET.Element) -> Any:
        """The node of elementpath for an element of the tree below `root`."""
        if element is self.root:
            return self.full
        if self._nodes is None:
            elements = checked(self.root.iter(), 4096)
            self._nodes = dict(zip(elements, [self.full, *_in_order(self.full)], strict=True))
        return self._nodes[element]


def _in_order(document: Any) -> list[Any]:
    """The nodes below a document that are elements to ElementTree, in their order."""
    found, waiting = [], [iter(document.children)]
    while waiting:
        for node in checked(waiting[-1], 4096):
            if node.node_kind != "text":
                found.append(node)
                if node.node_kind == "element":
                    waiting.append(iter(node.children))
                    break
        else:
            waiting.pop()
    return found


def is_reference(text: str) -> bool:
    """Whether a value is one that nodes() has made."""
    return text.startswith(NODE_MARK)


def context_of(text: str) -> tuple[ET.Element, Any]:
    """The element below which the document of a value hangs, and the context item: an element (for a document that
    same one), or a node of elementpath that is none."""
    if not text.startswith(NODE_MARK):
        root = kept_document(text, Document).root
        return root, root
    kept = kept_node(text)
    if type(kept) is tuple:
        return kept[0].root, kept[1]
    top = top_of(kept)
    root = top.value.getroot() if top.node_kind == "document" else top.value
    return root, root if kept is top else kept.value if kept.node_kind == "element" else kept


def opened(text: str) -> tuple[Any, Any]:
    """The document node of an xml value and the context item: the document, or the node that nodes() found."""
    if not text.startswith(NODE_MARK):
        document = kept_document(text, Document).full
        return document, document
    kept = kept_node(text)
    if type(kept) is tuple:
        return kept[0].full, kept[0].node(kept[1])
    return top_of(kept), kept


def references(text: str, find: Any) -> Sequence[str] | None:
    """References to the elements that a plain path finds from the root and the context item of a value; None where the
    value refers to a node of elementpath."""
    if not text.startswith(NODE_MARK):
        document = kept_document(text, Document)
        here = document.root
    else:
        kept = kept_node(text)
        if type(kept) is not tuple:
            return None
        document, here = kept
    return node_references([(document, element) for element in find(document.root, here)])


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
