"""Plain paths (xquery/shortcuts.py) give what elementpath gives, on every context that they can meet."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from sbql.engine.documents.xquery.documents import new_document
from sbql.engine.documents.xquery.items import item_text
from sbql.engine.documents.xquery.programs import compile_xquery
from sbql.engine.documents.xquery.shortcuts import plain_path
from sbql.grammar.errors import SqlError

DOCUMENTS = [
    '<r><a k="1">x<b>y</b>z</a><a k="2"/><c><!--q-->t<?p u?>v</c></r>',
    '<a k="0">1</a><a k="3">2</a>u',
    '<p:r xmlns:p="u"><p:a p:k="7">w</p:a><a>n</a></p:r>',
    '<r xmlns="u"><a k="8">d</a></r>',
    "text",
    "",
]
STEPS = ("r", "a", "c", "a[2]", "p:a")
LAST = ("@k", "@p:k", "text()", "b", "a[1]", "p:a", ".")


def contexts() -> list[tuple[Any, Any]]:
    """The document and, of each, every node that nodes() could have found."""
    found = []
    for text in DOCUMENTS:
        document, _ = new_document(text)
        nodes = [document]
        for node in nodes:
            nodes += [*(getattr(node, "children", None) or ()), *(getattr(node, "attributes", None) or ())]
        found += [(document, node) for node in nodes]
    return found


CONTEXTS = contexts()


@pytest.mark.parametrize("default", ["", "u"])
@pytest.mark.parametrize("start", ["", "/", "./"])
def test_plain_paths(start: str, default: str) -> None:
    from elementpath import XPathContext

    namespaces = (("p", "u"), ("", default)) if default else (("p", "u"),)
    compared = 0
    for depth in range(3):
        for *middle, last in itertools.product(*[STEPS] * depth, LAST):
            path = start + "/".join([*middle, last])
            for text in (path, f"({path})[1]", f"({path})[2]"):
                try:
                    compiled = compile_xquery(text, namespaces, "value()")
                except SqlError:
                    continue
                if compiled.plain is None:
                    continue
                for document, node in CONTEXTS:
                    if "@" in text and node.node_kind == "attribute":
                        continue  # elementpath gives the attribute itself, which has no attributes
                    items = list(compiled.token.select(XPathContext(document, item=node)))
                    assert compiled.plain(node) == (item_text(items[0]) if items else None), (text, node)
                    compared += 1
    assert compared > 1000


@pytest.mark.parametrize(
    "path", ["//a", "a[@k]", "a[last()]", "count(a)", "../a", "*", "(a)[1]/b", "string(a)", "a | b"]
)
def test_others_are_not_plain(path: str) -> None:
    assert plain_path(path, {}, "") is None
