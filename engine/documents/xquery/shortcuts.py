"""Plain paths to one value, which most programs shred documents with, read without the XPath machine.

`@id`, `(name)[1]`, `(./a/b/text())[1]`, `/r[1]/a[1]/@k`, `.`: steps to children by name, then an element, an attribute
or a text node. Decides which paths are plain; what they give is what elementpath would give, ten times as fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sbql.engine.documents.xquery.items import top_of
from sbql.grammar.digits import whole
from sbql.grammar.values.xml_tree import all_text, expanded_name

__all__ = ["plain_path"]

_NAME = r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?"
_STEP = rf"{_NAME}(?:\[\d+\])?"
_PATH = re.compile(rf"(/|\./)?((?:{_STEP}/)*)({_STEP}|@{_NAME}|text\(\)|\.)")
_CHOSEN = re.compile(r"\(([^()]*(?:text\(\))?)\)\[(\d+)\]")

Read = Callable[[Any], str | None]


def plain_path(text: str, namespaces: dict[str, str], default: str) -> Read | None:
    """A function from the context node to the text that an XPath expression finds, None for an expression that is not
    plain. Of several values it gives the first: the static rules allow one."""
    chosen = _CHOSEN.fullmatch(text)
    found = _PATH.fullmatch(chosen[1] if chosen is not None else text)
    if found is None:
        return None
    number = whole(chosen[2]) if chosen is not None else 1
    steps = [_step(step, namespaces, default) for step in found[2].split("/") if step]
    last = found[3]
    if last == ".":
        return _own_text if chosen is None and not steps and found[1] is None else None
    if last.startswith("@"):
        values = _attributes(expanded_name(last[1:], namespaces, ""))
    elif last == "text()":
        values = _texts
    else:
        steps.append(_step(last, namespaces, default))
        values = _contents
    is_absolute = found[1] == "/"

    def read(node: Any) -> str | None:
        elements = iter((_element(top_of(node) if is_absolute else node),))
        for name, place in steps:
            elements = _children(elements, name, place)
        for position, value in enumerate(values(elements), 1):
            if position == number:
                return value
        return None

    return read


def _step(step: str, namespaces: dict[str, str], default: str) -> tuple[str, int]:
    """The expanded name of a step and the place that its predicate asks for, 0 without one."""
    name, _, place = step.removesuffix("]").partition("[")
    return expanded_name(name, namespaces, default), whole(place or "0")


def _element(node: Any) -> Any:
    """The element whose children are those of a node: that of a document is the wrapper of its tree."""
    if node.node_kind == "element":
        return node.value
    return node.value.getroot() if node.node_kind == "document" else ()


def _own_text(node: Any) -> str | None:
    return all_text(node.value) if node.node_kind == "element" else str(node.string_value)


def _children(elements: Iterable[Any], name: str, place: int) -> Iterator[Any]:
    for element in elements:
        position = 0
        for child in element:
            if child.tag == name:
                position += 1
                if not place or position == place:
                    yield child


def _contents(elements: Iterable[Any]) -> Iterator[str]:
    return map(all_text, elements)


def _attributes(name: str) -> Callable[[Iterable[Any]], Iterator[str]]:
    def values(elements: Iterable[Any]) -> Iterator[str]:
        return (element.attrib[name] for element in elements if element != () and name in element.attrib)

    return values


def _texts(elements: Iterable[Any]) -> Iterator[str]:
    for element in elements:
        if element == ():
            continue
        if element.text:
            yield element.text
        for child in element:
            if child.tail:
                yield child.tail
