"""elementpath's nodes over our trees.

elementpath leaves text out of an element's value when it stands after a comment or an instruction. In trees that have
some, elements are nodes of a class of ours, whose value is the documented one: all text inside, in document order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from sbql.grammar.values.checkpoints import checked, checkpoint
from sbql.grammar.values.xml_tree import all_text

__all__ = ["context_class", "node_tree"]


@functools.cache
def _classes() -> tuple[Any, Any]:
    from elementpath.datatypes import UntypedAtomic
    from elementpath.xpath_nodes import EtreeDocumentNode, EtreeElementNode

    class ElementNode(EtreeElementNode):  # type: ignore[misc]
        __slots__ = ()

        @property
        def string_value(self) -> str:
            return all_text(self.value)

        compat_string_value = string_value

        @property
        def iter_typed_values(self) -> Iterator[Any]:
            yield UntypedAtomic(all_text(self.value))

    class Document(EtreeDocumentNode):  # type: ignore[misc]
        __slots__ = ()

        @property
        def string_value(self) -> str:
            return "".join(child.string_value for child in self.children if child.node_kind in ("element", "text"))

        @property
        def iter_typed_values(self) -> Iterator[Any]:
            yield UntypedAtomic(self.string_value)

    return ElementNode, Document


def node_tree(source: Any) -> Any:
    """The root node of an element or an ElementTree."""
    from elementpath.tree_builders import build_node_tree

    root: Any = build_node_tree(source)
    if all(isinstance(element.tag, str) for element in checked(source.iter(), 4096)):
        return root
    kinds = _classes()
    nodes = [root]
    for node in nodes:
        if node.node_kind in ("element", "document"):
            node.__class__ = kinds[node.node_kind == "document"]
            nodes += node.children
    return root


@functools.cache
def context_class() -> Any:
    """elementpath's context, with a checkpoint whenever the focus moves: that is at each step of a path, a predicate,
    or a loop. The item stays in `__dict__`, where elementpath copies contexts from."""
    from elementpath import XPathContext

    class Context(XPathContext):  # type: ignore[misc]  # elementpath has no types that mypy may follow
        @property
        def item(self) -> Any:
            return self.__dict__["item"]

        @item.setter
        def item(self, value: Any) -> None:
            checkpoint()
            self.__dict__["item"] = value

        def iter_product(self, selectors: Any, varnames: Any = None) -> Iterator[Any]:
            return checked(super().iter_product(selectors, varnames))

    return Context
