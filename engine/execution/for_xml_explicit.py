"""FOR XML EXPLICIT: the universal table, whose column names say where a value goes (`Element!Tag!Attribute!Directive`).

Decides the tree from the columns Tag and Parent of each row. Values and names are written as `for_xml.py` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sbql.engine.execution.for_xml import (
    Element,
    Rows,
    XmlColumn,
    XmlOptions,
    encode_name,
    escape_attribute,
    escape_text,
    nil,
    value_text,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.xml_text import parse_xml
from sbql.grammar.values.xml_tree import XmlElement, inner_text, parse_tree

__all__ = ["explicit"]

_DIRECTIVES = frozenset({"", "hide", "element", "elementxsinil", "xml", "xmltext", "cdata", "id", "idref", "idrefs"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a column's value goes: `name` '' is the content of the element itself."""

    tag: int
    element: str
    name: str
    directive: str
    text: Callable[[Any], str]


def _place(column: XmlColumn) -> _Place:
    """Raises 6802 for a column whose name is not of the form."""
    parts = column.name.split("!")
    if len(parts) < 2 or len(parts) > 4 or not parts[1].isdigit():
        raise sql_error(6802, column.name)
    directive = parts[3].lower() if len(parts) == 4 else ""
    if directive not in _DIRECTIVES:
        raise sql_error(6824, parts[3])
    name = encode_name(parts[2], keeps_prefix=True) if len(parts) > 2 else ""
    return _Place(int(parts[1]), encode_name(parts[0], keeps_prefix=True), name, directive, value_text(column.type))


def explicit(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows], Iterable[Element | str]]:
    if len(columns) < 3:
        raise sql_error(6801)
    for position, wanted in enumerate(("Tag", "Parent")):
        found = columns[position].name if position < len(columns) else ""
        if found.lower() != wanted.lower():
            raise sql_error(6820, position + 1, wanted.upper(), found)
    places = [_place(column) for column in columns[2:]]
    names = {place.tag: place.element for place in places if place.element}

    def build(rows: Rows) -> Iterable[Element | str]:
        roots: list[Element] = []
        latest: dict[int, Element] = {}
        for row in rows:
            tag, parent = row[0], row[1]
            if tag is None or int(tag) not in names:
                raise sql_error(6806, tag)
            element = Element(names[int(tag)])
            for place, value in zip(places, row[2:], strict=True):
                if place.tag == int(tag):
                    _put(element, place, value)
            if not parent:
                roots.append(element)
            elif int(parent) in latest:
                latest[int(parent)].children.append(element)
            else:
                raise sql_error(6833, parent)
            latest[int(tag)] = element
        return roots

    return build


def _put(element: Element, place: _Place, value: Any) -> None:
    directive = place.directive
    if directive == "hide":
        return
    if value is None:
        if directive == "elementxsinil":
            element.children.append(nil(place.name))
        return
    content = place.text(value)
    if directive == "cdata":
        element.children.append(f"<![CDATA[{content}]]>")
    elif directive in ("element", "elementxsinil"):
        element.children.append(Element(place.name, [], [escape_text(content)]))
    elif directive == "xml":
        element.children.append(Element(place.name, [], [content]) if place.name else content)
    elif directive == "xmltext":
        _put_overflow(element, place, content)
    elif place.name:
        element.attributes.append((place.name, escape_attribute(content)))
    else:
        element.children.append(escape_text(content))


def _put_overflow(element: Element, place: _Place, text: str) -> None:
    """An overflow column: its root takes the name of the column, or without a name becomes part of the element. Raises
    6834."""
    try:
        tops = [node for node in parse_tree(parse_xml(text)) if isinstance(node, XmlElement)]
    except SqlError:
        raise sql_error(6834, place.element) from None
    if len(tops) != 1:
        raise sql_error(6834, place.element)
    root = tops[0]
    content = inner_text(root)
    if place.name:
        target = Element(place.name)
        element.children.append(target)
    else:
        target = element
    known = {name for name, _ in target.attributes}
    for name, value in root.attrib.items():
        written = root.attribute_names.get(name, name)
        if written not in known:
            target.attributes.append((written, escape_attribute(value)))
    if content:
        target.children.append(content)
