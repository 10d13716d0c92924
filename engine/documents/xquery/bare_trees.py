"""Bare trees: xml values as elements of ElementTree, made by its parser in C.

They have expanded names, and not those that were written: paths need no more, and a bare tree is there in a tenth of
the time of one with all names (`xml_tree.py`). Decides how texts are parsed so; it must not know paths.
"""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any, Final

from sbql.grammar.values.checkpoints import checked, checkpoint
from sbql.grammar.values.xml_text import escape_attribute, escape_text
from sbql.grammar.values.xml_tree import XmlElement, parse_tree

__all__ = ["bare_text", "bare_tree"]

_MANY_DOCUMENTS: Final = 1000
_LONG: Final = 1 << 16
"""Characters of a text that is parsed part by part, with a parser of its own."""


class _Parser:
    """Reads a document after the other as elements of one that never ends: making a parser takes as long as reading a
    small document. It is given up after a thousand, for it keeps each name that it has seen."""

    __slots__ = ("_feed", "_top", "left")

    def __init__(self) -> None:
        builder = ET.TreeBuilder(insert_comments=True, insert_pis=True)
        self._feed = ET.XMLParser(target=builder).feed
        self._feed("<all>")
        self._top: ET.Element = builder.close()
        self.left = _MANY_DOCUMENTS

    def parse(self, text: str) -> ET.Element:
        self.left -= 1
        self._feed(f"<all>{text}</all>")
        (root,) = self._top
        del self._top[0]
        return root


class _Own(threading.local):
    parser: _Parser | None = None


_own: Final = _Own()


def bare_tree(text: str) -> ET.Element:
    """The element below which the nodes of a kept xml value hang. Raises expat.ExpatError for text that is no XML:
    values of type xml always are."""
    parser, _own.parser = _own.parser, None
    try:
        if len(text) >= _LONG:
            return _by_parts(text)
        parser = parser or _Parser()
        root = parser.parse(text)
    except (ET.ParseError, ValueError):  # attributes that differ in their prefixes alone
        return parse_tree(text)
    if parser.left:
        _own.parser = parser
    return root


def _by_parts(text: str) -> ET.Element:
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True, insert_pis=True))
    parser.feed("<all>")
    for begin in range(0, len(text), _LONG):
        checkpoint()
        parser.feed(text[begin : begin + _LONG])
    parser.feed("</all>")
    root: ET.Element = parser.close()
    return root


def bare_text(elements: Iterable[Any]) -> str | None:
    """The text of elements, one after the other, without their tails; None where a name has a namespace, for its
    prefix is not known."""
    parts: list[str] = []
    try:
        for element in elements:
            _write(element, parts)
    except _NamespaceFound:
        return None
    return "".join(parts)


class _NamespaceFound(Exception):
    pass


def _write(element: Any, parts: list[str]) -> None:
    name = element.tag
    if name is ET.Comment:
        parts.append(f"<!--{element.text or ''}-->")
        return
    if name is ET.ProcessingInstruction:
        parts.append(f"<?{element.text or ''}?>")
        return
    if name[0] == "{" or type(element) is XmlElement:
        raise _NamespaceFound
    parts.append(f"<{name}")
    for attribute, value in element.attrib.items():
        if attribute[0] == "{":
            raise _NamespaceFound
        parts.append(f' {attribute}="{escape_attribute(value)}"')
    if not element.text and not len(element):
        parts.append("/>")
        return
    parts.append(f">{escape_text(element.text)}" if element.text else ">")
    for child in checked(element):
        _write(child, parts)
        if child.tail:
            parts.append(escape_text(child.tail))
    parts.append(f"</{name}>")
