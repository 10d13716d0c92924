"""Plain paths (xquery/shortcuts.py) give what elementpath gives, on every context that they can meet: values, the
nodes of nodes(), whether there is something, and elements as xml."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from sbql.engine.documents import xml_nodes
from sbql.engine.documents.xml_methods import value_function, xml_exist, xml_query
from sbql.engine.documents.xquery.documents import context_of, opened
from sbql.engine.documents.xquery.items import is_node, item_text, items_as_xml
from sbql.engine.documents.xquery.nodes import context_class
from sbql.engine.documents.xquery.programs import Compiled, compile_xquery, plain_nodes
from sbql.engine.documents.xquery.shortcuts import plain_path
from sbql.grammar.errors import SqlError
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.xml_text import parse_xml

DOCUMENTS = [
    '<r><a k="1">x<b>y</b>z</a><a k="2"/><c><!--q-->t<?p u?>v</c></r>',
    '<a k="0">1</a><a k="3">2</a>u',
    '<p:r xmlns:p="u"><p:a p:k="7">w</p:a><a>n</a></p:r>',
    '<r xmlns="u"><a k="8">d</a></r>',
    '<r><a k="1"><a k="2"><b>1</b></a><b>2</b></a><c><a><b k="1"/></a><!--n--><a k="1">&lt;<b>y</b></a></c></r>',
    '<r><a.b k="1">dot</a.b><a><a.b>&amp;</a.b></a></r>',
    '<r xmlns:p="u" xmlns:q="u" p:k="1" q:k="2"><a/></r>',
    '<r xml:space="preserve"> <a k="1"> </a> </r>',
    "text",
    "",
]
STEPS = ("r", "a", "c", "a[2]", "p:a", "*", '*[@k = "1"]', 'a[b = "y"]', "a.b", "a[1]", "*[2]")
LAST = ("@k", "@p:k", "text()", "b", "a[1]", "p:a", ".", "*", 'a[@k = "1"]', "a.b", "a[0]")
STARTS = ("", "/", "./", "//")


@pytest.fixture
def contexts() -> Iterator[list[str]]:
    """A value for each document, and for every node that nodes() could have found: by a plain path, and by another."""
    before = xml_nodes.begin_nodes()
    found = list(DOCUMENTS)
    for text in DOCUMENTS:
        everything = [compile_xquery(path, (), "nodes()") for path in ("//*", "//node()", "//@*", "/.")]
        assert everything[0].plain is not None
        found += plain_nodes(everything[0].plain, text) or ()
        for compiled in everything[1:]:
            found += xml_nodes.node_references(given(compiled, text))
    yield found
    xml_nodes.end_nodes(before)


def given(compiled: Compiled, text: str) -> list[Any]:
    """What elementpath gives."""
    document, node = opened(text)
    return list(compiled.token.select(context_class()(document, item=node)))


def compare(path: str, namespaces: tuple[tuple[str, str], ...], contexts: list[str]) -> int:
    try:
        compiled = compile_xquery(path, namespaces, "nodes()")
    except SqlError:
        return 0
    plain = compiled.plain
    if plain is None:
        return 0
    for text in contexts:
        node = opened(text)[1]
        if node.node_kind == "attribute" and "@" in path.rpartition("/")[2]:
            continue  # elementpath gives the attribute itself, which has no attributes
        items = given(compiled, text)
        assert plain.value(*context_of(text)) == (item_text(items[0]) if items else None), (path, text, node)
        assert xml_exist(text, path, namespaces) == bool(items), (path, text, node)
        if not compiled.piece.many:
            value = value_function(path, NVARCHAR_MAX, namespaces)(text)
            assert value == (item_text(items[0]) if items else None), (path, text, node)
        if compiled.piece.kind != "attribute" and all(i.node_kind != "attribute" for i in items if is_node(i)):
            assert xml_query(text, path, namespaces) == items_as_xml(items), (path, text, node)
        if plain.ends_with_element:
            references = plain_nodes(plain, text)
            if references is not None:
                assert [opened(reference)[1] for reference in references] == items, (path, text, node)
    return len(contexts)


@pytest.mark.parametrize("default", ["", "u"])
@pytest.mark.parametrize("start", STARTS)
def test_plain_paths(start: str, default: str, contexts: list[str]) -> None:
    namespaces = (("p", "u"), ("", default)) if default else (("p", "u"),)
    chance = random.Random(f"{start} {default}")
    compared = 0
    for depth in range(3):
        paths = list(itertools.product(*[STEPS] * depth, LAST))
        for *middle, last in paths if not depth else chance.sample(paths, 40):
            path = start + "/".join([*middle, last])
            for text in (path, f"({path})[1]", f"({path})[2]"):
                compared += compare(text, namespaces, contexts)
    assert compared > 1000


@pytest.mark.parametrize(
    "path",
    ["//a/b", "a[k]", "a[last()]", "count(a)", "../a", "(a)[1]/b", "string(a)", "a | b", "//a[1]", ".//a", "a//b", "//text()", "/.", "a[0]", "a[00]", "//a/text()", "(a)[0]"],
)  # fmt: skip
def test_others_are_not_plain(path: str) -> None:
    assert plain_path(path, {}, "") is None


def test_documents_of_any_length_are_the_same() -> None:
    """Long ones are read part by part."""
    for size in (10, 65_000, 65_536, 70_000, 200_000):
        text = parse_xml(f"<r><a k='ä'>{'€' * size}</a>{'<b>x</b>' * (size // 8)}<c>end</c></r>")
        value = value_function("(/r/c/text())[1]", NVARCHAR_MAX)
        assert value(text) == "end"
        assert value_function("(/r/a)[1]", NVARCHAR_MAX)(text) == "€" * size


def test_a_thread_reads_many_documents() -> None:
    """Each with names of its own; what is no XML raises, and the next is read as before."""
    value = value_function("(/*/@k)[1]", NVARCHAR_MAX)
    for number in range(2_500):
        assert value(f'<n{number} k="{number}"/>') == str(number)
        if number % 500 == 7:
            with pytest.raises(Exception, match="mismatched tag"):
                value('<a k=""></b>')
