"""FOR XML EXPLICIT: the universal table, whose column names say where a value goes (`Element!Tag!Attribute!Directive`).

Decides the tree from the columns Tag and Parent of each row (docs: "Use EXPLICIT Mode with FOR XML"). Names are written
as they are, values as for_xml_parts.py says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.documents.for_xml_parts import (
    Build,
    Element,
    Rows,
    XmlColumn,
    XmlOptions,
    escape_attribute,
    escape_text,
    nil,
    value_text,
    without_default_namespace,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.xml_text import parse_xml
from sbql.grammar.values.xml_tree import XmlElement, parse_tree

__all__ = ["explicit_mode"]

_IDENTITIES = ("id", "idref", "idrefs", "nmtoken", "nmtokens")
_LISTS = ("idrefs", "nmtokens")
_CONTENTS = ("element", "elementxsinil", "xml", "xmltext", "cdata")


class _Place(Struct, frozen=True):
    """Where a column's value goes: `name` '' is the content of the element itself; `content` is its directive of that
    kind or '', `is_list` a column whose values are collected from several rows."""

    column: str
    tag: int
    element: str
    name: str
    content: str
    is_hidden: bool
    is_list: bool
    text: Callable[[Any], str]


def _place(column: XmlColumn) -> _Place:
    """Raises 6802, 6824 and the errors of directives that do not go together."""
    parts = column.name.split("!")
    if len(parts) < 2 or not parts[0] or not parts[1].isdecimal() or not int(parts[1]):
        raise sql_error(6802, column.name)
    directives = [part.lower() for part in parts[3:]]
    for written, directive in zip(parts[3:], directives, strict=True):
        if directive not in (*_IDENTITIES, *_CONTENTS, "hide"):
            raise sql_error(6824, written).within(column.name)
    _check_directives(column.name, directives)
    content = next((d for d in directives if d in _CONTENTS), "")
    is_xml = column.type.name == "xml"
    if is_xml and content == "cdata":
        raise sql_error(6843, column.name)
    if content == "xmltext" and kind(column.type) not in ("string", "xml", "null"):
        raise sql_error(6828, column.name)
    return _Place(
        column=column.name, tag=int(parts[1]), element=parts[0], name=parts[2] if len(parts) > 2 else "",
        content="xml" if is_xml and content != "xmltext" else content, is_hidden="hide" in directives,
        is_list=any(d in _LISTS for d in directives),
        text=without_default_namespace if is_xml else value_text(column.type),
    )  # fmt: skip


def _check_directives(name: str, directives: Sequence[str]) -> None:
    """Raises 6835, 6813, 6815, 6816, 6817, in this order."""
    identities = [d for d in directives if d in _IDENTITIES]
    contents = [d for d in directives if d in _CONTENTS]
    if directives.count("hide") > 1:
        raise sql_error(6835, name)
    if len(identities) > 1:
        raise sql_error(6813, name)
    if identities and "hide" in directives:
        raise sql_error(6815, name)
    if identities and set(contents) & {"cdata", "xml", "xmltext"}:
        raise sql_error(6816, name)
    if len(contents) > 1:
        raise sql_error(6817, name)


def _check_columns(columns: Sequence[XmlColumn], options: XmlOptions) -> None:
    """Raises 6829, 6801, 6820, 6803, 6804."""
    for column in columns:
        if kind(column.type) == "binary" and not options.binary_base64:
            raise sql_error(6829, column.name)
    if len(columns) < 3:
        raise sql_error(6801)
    for position, (wanted, number) in enumerate((("Tag", 6803), ("Parent", 6804))):
        found = columns[position]
        if found.name.lower() != wanted.lower():
            raise sql_error(6820, position + 1, wanted.upper(), found.name)
        if found.type.name != "int":
            raise sql_error(number).within(found.name)


def explicit_mode(columns: Sequence[XmlColumn], options: XmlOptions) -> Build:
    _check_columns(columns, options)
    places = [_place(column) for column in columns[2:]]
    names: dict[int, str] = {}
    overflows: set[int] = set()
    for place in places:
        if names.setdefault(place.tag, place.element) != place.element:
            raise sql_error(6812, place.tag, names[place.tag], place.element).within(place.column)
        if place.content == "xmltext":
            if place.tag in overflows:
                raise sql_error(6827, place.column)
            overflows.add(place.tag)
    by_tag = {tag: [(i, p) for i, p in enumerate(places, 2) if p.tag == tag and not p.is_hidden] for tag in names}

    def build(rows: Rows) -> Iterable[Element]:
        roots: list[Element] = []
        open_: list[tuple[int, Element]] = []
        for row in checked(rows):
            tag, parent = _numbers(row, names)
            own = by_tag[tag]
            lists = [(i, p) for i, p in own if p.is_list and row[i] is not None]
            if lists:
                if not open_ or open_[-1][0] != tag:
                    raise sql_error(6826)
                for i, place in lists:
                    _put_member(open_[-1][1], place, place.text(row[i]))
                continue
            above = _opened(open_, tag, parent)
            element = Element(names[tag])
            for i, place in own:
                if place.content == "xmltext" and row[i] is not None and any(p.is_list for _, p in own):
                    raise sql_error(6839, names[tag])
                _put(element, place, row[i])
            (above.children if above is not None else roots).append(element)
            open_.append((tag, element))
        return roots

    return build


def _numbers(row: Sequence[Any], names: dict[int, str]) -> tuple[int, int]:
    """Tag and parent of a row. Raises 6803, 6804, 6806, 6807."""
    tag, parent = row[0], row[1] or 0
    if tag is None or tag <= 0:
        raise sql_error(6803).within("Tag")
    if parent < 0:
        raise sql_error(6804).within("Parent")
    if tag not in names:
        raise sql_error(6806, tag).within("Tag")
    if parent and parent not in names:
        raise sql_error(6807, parent).within("Parent")
    return int(tag), int(parent)


def _opened(open_: list[tuple[int, Element]], tag: int, parent: int) -> Element | None:
    """The element that a new one of `tag` belongs to; what is open below it is closed. Raises 6833, 6805."""
    if not parent:
        open_.clear()
        return None
    place = next((i for i in reversed(range(len(open_))) if open_[i][0] == parent), None)
    if place is None:
        raise sql_error(6833, parent).within("Parent")
    if any(number == tag for number, _ in open_[: place + 1]):
        raise sql_error(6805).within("Parent")
    del open_[place + 1 :]
    return open_[place][1]


# --- values ------------------------------------------------------------------------------------------------


def _put(element: Element, place: _Place, value: Any) -> None:
    if value is None:
        if place.content == "elementxsinil" and place.name:
            element.children.append(nil(place.name))
        return
    content = place.text(value)
    match place.content:
        case "xmltext":
            _put_overflow(element, place, content)
        case "cdata":
            _put_content(element, place, f"<![CDATA[{content.replace(']]>', ']]]><![CDATA[]>')}]]>")
        case "xml":
            _put_content(element, place, content)
        case "element" | "elementxsinil":
            _put_content(element, place, escape_text(content))
        case _ if place.name:
            element.attributes.append((place.name, escape_attribute(content)))
        case _:
            element.children.append(escape_text(content))


def _put_content(element: Element, place: _Place, text: str) -> None:
    element.children.append(Element(place.name, [], [text]) if place.name else text)


def _put_member(element: Element, place: _Place, text: str) -> None:
    """One more value of IDREFS or NMTOKENS: they make a list in an attribute, or an element each. The page shows the
    list with a blank before each value."""
    if place.content or not place.name:
        _put_content(element, place, escape_text(text))
        return
    shown = escape_attribute(text)
    for i, (name, before) in enumerate(element.attributes):
        if name == place.name:
            element.attributes[i] = (name, f"{before} {shown}")
            return
    element.attributes.append((place.name, f" {shown}"))


_START = re.compile(
    r"\s*+(?:<\?(?:[^?]++|\?(?!>))*\?>\s*+|<!--(?:[^-]++|-(?!->))*-->\s*+)*<([^\s/>]++)((?:\s++[^\s=]++\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))*)\s*+(/?)>",
    re.S,
)
_ATTRIBUTE = re.compile(r"(?<![^\s=])([^\s=]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)')", re.S)


def _put_overflow(element: Element, place: _Place, text: str) -> None:
    """An overflow column: its root takes the name of the column, or without a name becomes part of the
    element, as it is written. Raises 6834."""
    try:
        is_element = any(isinstance(node, XmlElement) for node in parse_tree(parse_xml(text)))
    except SqlError:
        raise sql_error(6834, place.name) from None
    start = _START.match(text)
    if not is_element or start is None:
        raise sql_error(6834, place.name)
    target = element
    if place.name:
        target = Element(place.name)
        element.children.append(target)
    known = {name for name, _ in target.attributes}
    for attribute in _ATTRIBUTE.finditer(start[2]):
        if attribute[1] not in known:
            target.attributes.append((attribute[1], attribute[2] if attribute[2] is not None else attribute[3]))
    end = text.rfind(f"</{start[1]}")
    content = "" if start[3] else text[start.end() : end]
    if content:
        target.children.append(content)
    elif not place.name:
        target.is_open = True
