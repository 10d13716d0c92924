"""XML trees: the kept text of an xml value as ElementTree elements that remember their prefixes, and back to text.

A value may be a fragment, so its top-level nodes hang below a wrapper element that is never shown. It must not know
paths.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from xml.parsers import expat

from sbql.grammar.values.checkpoints import checked, checkpoint
from sbql.grammar.values.xml_text import escape_attribute, escape_text

__all__ = [
    "XmlElement",
    "all_text",
    "element_text",
    "expanded_name",
    "inner_text",
    "needed_namespaces",
    "parse_tree",
    "target_namespace",
]

WRAPPER = "sbql-root"
_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"


_MANY_CHILDREN = 1024


class XmlElement(ET.Element):
    """An element with the names as they were written.

    `written` is its qualified name, `declared` the namespace declarations that stand on it (prefix or '' to URI),
    `scope` all that are in force, `attribute_names` the written name of each attribute.
    """

    __slots__ = ("attribute_names", "declared", "scope", "written")

    written: str
    declared: dict[str, str]
    scope: dict[str, str]
    attribute_names: dict[str, str]

    def __init__(
        self, tag: str, attrib: dict[str, str], written: str, declared: dict[str, str], scope: dict[str, str]
    ) -> None:
        super().__init__(tag, attrib)
        self.written = written
        self.declared = declared
        self.scope = scope
        self.attribute_names = {}

    def __iter__(self) -> Iterator[Any]:
        """The children, with a checkpoint: elementpath goes through whole trees on its own."""
        checkpoint()
        children = self[:]
        return iter(children) if len(children) <= _MANY_CHILDREN else checked(children, _MANY_CHILDREN)


def expanded_name(name: str, scope: dict[str, str], default: str) -> str:
    """`{uri}local` of a written name; `default` is the namespace of a name without prefix."""
    if ":" not in name:
        return f"{{{default}}}{name}" if default else name
    prefix, _, local = name.partition(":")
    uri = scope.get(prefix, "")
    return f"{{{uri}}}{local}" if uri else local


class _Builder:
    def __init__(self, outer: dict[str, str] | None) -> None:
        self.stack: list[XmlElement] = []
        self.root: XmlElement | None = None
        self.outer = {"xml": _XML_NAMESPACE, **(outer or {})}
        self.elements = 0

    def start(self, name: str, attributes: list[str]) -> None:
        self.elements += 1
        if not self.elements % 256:
            checkpoint()
        above = self.stack[-1].scope if self.stack else self.outer
        if attributes:
            element = self._with_attributes(name, attributes, above)
        else:
            element = XmlElement(expanded_name(name, above, above.get("", "")), {}, name, {}, above)
        if self.stack:
            self.stack[-1].append(element)
        else:
            self.root = element
        self.stack.append(element)

    def _with_attributes(self, name: str, attributes: list[str], above: dict[str, str]) -> XmlElement:
        pairs = list(zip(attributes[::2], attributes[1::2], strict=True))
        declared = {n[6:]: v for n, v in pairs if n == "xmlns" or n.startswith("xmlns:")}
        scope = {**above, **declared} if declared else above
        element = XmlElement(expanded_name(name, scope, scope.get("", "")), {}, name, declared, scope)
        for written, value in checked(pairs):
            if written != "xmlns" and not written.startswith("xmlns:"):
                key = expanded_name(written, scope, "") if ":" in written else written
                element.set(key, value)
                element.attribute_names[key] = written
        return element

    def end(self, name: str) -> None:
        self.stack.pop()

    def _special(self, node: Any) -> None:
        self.stack[-1].append(node)

    def text(self, data: str) -> None:
        top = self.stack[-1]
        if len(top):
            top[-1].tail = (top[-1].tail or "") + data
        else:
            top.text = (top.text or "") + data

    def comment(self, data: str) -> None:
        self._special(ET.Comment(data))

    def instruction(self, target: str, data: str) -> None:
        self._special(ET.ProcessingInstruction(target, data))


def parse_tree(text: str, namespaces: dict[str, str] | None = None) -> XmlElement:
    """The wrapper element of a kept xml value. `namespaces` are in force around it (for the constructors of XML DML).

    Raises expat.ExpatError for text that is no XML: values of type xml always are.
    """
    builder = _Builder(namespaces)
    parser: Any = expat.ParserCreate(encoding="utf-8")
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.CommentHandler = builder.comment
    parser.ProcessingInstructionHandler = builder.instruction
    parser.Parse(f"<{WRAPPER}>{text}</{WRAPPER}>".encode("utf-8", "surrogatepass"), True)
    assert builder.root is not None
    return builder.root


@lru_cache(maxsize=256)
def target_namespace(document: str) -> str:
    """The target namespace of a schema document; '' for one without. Raises
    expat.ExpatError for text that is no XML."""
    found: str = parse_tree(document)[0].attrib.get("targetNamespace", "")
    return found


def element_text(node: Any, *, is_top: bool = True) -> str:
    """The text of a node without its tail. A top node also declares the prefixes that it uses from around it."""
    if node.tag is ET.Comment:
        return f"<!--{node.text or ''}-->"
    if node.tag is ET.ProcessingInstruction:
        return f"<?{node.text or ''}?>"
    assert isinstance(node, XmlElement)
    if node.written == WRAPPER:
        return inner_text(node)
    declared = node.declared
    if is_top:
        declared = {**needed_namespaces(node), **declared}
    if not declared and not node.attrib and not len(node):
        return f"<{node.written}>{escape_text(node.text)}</{node.written}>" if node.text else f"<{node.written}/>"
    parts = ["<", node.written]
    parts.extend(f' xmlns{":" + p if p else ""}="{escape_attribute(u)}"' for p, u in declared.items())
    parts.extend(f' {node.attribute_names.get(k, k)}="{escape_attribute(v)}"' for k, v in node.attrib.items())
    content = inner_text(node)
    parts.append(f">{content}</{node.written}>" if content else "/>")
    return "".join(parts)


def inner_text(node: ET.Element) -> str:
    """The text between the tags of an element."""
    parts = [escape_text(node.text)] if node.text else []
    for child in checked(node):
        parts.append(element_text(child, is_top=False))
        if child.tail:
            parts.append(escape_text(child.tail))
    return "".join(parts)


def all_text(element: ET.Element) -> str:
    """The value of an element: the text inside of it and of the elements below."""
    if not len(element):
        return element.text or ""
    parts = [element.text or ""]
    for child in checked(element):
        if isinstance(child.tag, str):
            parts.append(all_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def needed_namespaces(node: XmlElement) -> dict[str, str]:
    """Prefixes that the subtree uses and does not declare itself, with their URIs."""
    found: dict[str, str] = {}

    def visit(element: ET.Element, known: frozenset[str]) -> None:
        if not isinstance(element, XmlElement):
            return
        known = known | element.declared.keys()
        names = [element.written, *(n for n in element.attribute_names.values() if ":" in n)]
        for name in names:
            prefix = name.partition(":")[0] if ":" in name else ""
            uri = element.scope.get(prefix)
            if prefix != "xml" and prefix not in known and uri:
                found[prefix] = uri
        for child in checked(element):
            visit(child, known)

    visit(node, frozenset())
    return found
