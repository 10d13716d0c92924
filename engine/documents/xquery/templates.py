"""What constructors make: templates written down while an XQuery is read, filled with items when it runs.

Decides the structure of constructed nodes: which items become attributes, text and copied nodes, and which namespaces a
copy has to declare. It must not know how expressions are run.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from sbql.engine.documents.xquery.items import is_node, item_text
from sbql.engine.documents.xquery.nodes import node_tree
from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.xml_tree import XmlElement, expanded_name, needed_namespaces

__all__ = [
    "Attribute",
    "Element",
    "Instruction",
    "Made",
    "Ordering",
    "Remark",
    "Template",
    "Text",
    "add_items",
    "append_text",
    "copied",
    "made",
]


class Text(Struct, frozen=True):
    """`parts` are texts, and the numbers of enclosed expressions."""

    parts: tuple[str | int, ...]


class Attribute(Struct, frozen=True):
    name: str
    parts: tuple[str | int, ...]


class Remark(Struct, frozen=True):
    text: str


class Instruction(Struct, frozen=True):
    target: str
    text: str


class Element(Struct):
    """`scope` are all namespaces in force, `declared` those that stand on the element. Content is texts, numbers of
    enclosed expressions, and templates."""

    name: str
    scope: dict[str, str]
    declared: dict[str, str] = field(default_factory=dict)
    attributes: list[Attribute] = field(default_factory=list)
    content: list[str | int | Template] = field(default_factory=list)


Template = Element | Attribute | Text | Remark | Instruction


class Ordering(Struct, frozen=True):
    """One key of `order by`."""

    descending: bool = False
    empty_greatest: bool = False


class Made(Struct):
    """What the calls in the XPath text refer to by number."""

    templates: list[tuple[Template, dict[str, str]]] = field(default_factory=list)
    orderings: list[tuple[Ordering, ...]] = field(default_factory=list)


Values = Sequence[Sequence[Any]]
_ALONE = "alone"


def made(template: Template, values: Values, scope: dict[str, str]) -> Any:
    """The node that a template makes, as elementpath sees it. `values` are the items of the enclosed expressions."""
    if isinstance(template, Element):
        return node_tree(_element(template, values))
    holder = XmlElement(_ALONE, {}, _ALONE, {}, scope)
    _add(holder, template, values)
    node: Any = node_tree(holder)
    if isinstance(template, Attribute):
        return node.attributes[0]
    return node.children[0] if node.children else None


def _element(template: Element, values: Values) -> XmlElement:
    element = XmlElement(
        expanded_name(template.name, template.scope, template.scope.get("", "")),
        {},
        template.name,
        dict(template.declared),
        template.scope,
    )
    for attribute in template.attributes:
        _add(element, attribute, values)
    for part in template.content:
        if isinstance(part, str):
            append_text(element, part)
        elif isinstance(part, int):
            add_items(element, values[part])
        else:
            _add(element, part, values)
    return element


def _joined(parts: Sequence[str | int], values: Values) -> str:
    return "".join(p if isinstance(p, str) else " ".join(item_text(i) for i in values[p]) for p in parts)


def _add(element: XmlElement, part: Template, values: Values) -> None:
    match part:
        case Element():
            element.append(_element(part, values))
        case Attribute():
            _set(element, part.name, expanded_name(part.name, element.scope, ""), _joined(part.parts, values))
        case Text():
            append_text(element, _joined(part.parts, values))
        case Remark():
            element.append(ET.Comment(part.text))
        case Instruction():
            element.append(ET.ProcessingInstruction(part.target, part.text))


def _set(element: XmlElement, written: str, name: str, value: str) -> None:
    """Raises 6307 for an attribute after content, 6308 for one that is there."""
    if len(element) or element.text:
        raise sql_error(6307)
    if name in element.attrib:
        raise sql_error(6308, written)
    element.set(name, value)
    element.attribute_names[name] = written


def append_text(element: ET.Element, text: str) -> None:
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def add_items(element: XmlElement, items: Sequence[Any]) -> None:
    """Items as content: copies of nodes, values as text with blanks between."""
    was_value = False
    for item in checked(items):
        if not is_node(item):
            append_text(element, (" " if was_value else "") + item_text(item))
            was_value = True
            continue
        was_value = False
        match item.node_kind:
            case "attribute":
                written = getattr(item.parent.elem, "attribute_names", {}).get(item.name, item.name)
                _set(element, written, item.name, item.string_value)
            case "text":
                append_text(element, item.string_value)
            case "document":
                add_items(element, item.children)
            case "element":
                element.append(copied(item.elem, element.scope))
            case "comment":
                element.append(ET.Comment(item.string_value))
            case _:
                element.append(ET.ProcessingInstruction(item.target, item.string_value))


def copied(source: ET.Element[Any], scope: dict[str, str]) -> ET.Element[Any]:
    """A deep copy to stand where `scope` is in force: the namespaces that differ there are declared on it."""
    if not isinstance(source, XmlElement):
        special: Any = source
        made: ET.Element[Any] = special.tag(special.text)
        return made
    copy = _plain_copy(source)
    for prefix, uri in needed_namespaces(source).items():
        if prefix not in copy.declared and scope.get(prefix, "") != uri:
            copy.declared[prefix] = uri
    if scope.get("") and "" not in copy.declared and not source.scope.get("") and ":" not in source.written:
        copy.declared[""] = ""
    return copy


def _plain_copy(source: XmlElement) -> XmlElement:
    copy = XmlElement(source.tag, dict(source.attrib), source.written, dict(source.declared), source.scope)
    copy.attribute_names = dict(source.attribute_names)
    copy.text = source.text
    for child in source:
        below = _plain_copy(child) if isinstance(child, XmlElement) else copied(child, {})
        below.tail = child.tail
        copy.append(below)
    return copy
