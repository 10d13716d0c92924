"""OPENXML: rows from a prepared document, as pure functions of its tree.

Decides what a column reads (its pattern, a metaproperty, or by its name attributes and elements as the flags say), what
the overflow column holds, and the edge table (documentation: "OPENXML", "Specify Metaproperties in OPENXML"). Patterns
are XPath 1.0, run by elementpath. It must not know queries or sessions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, INT, SqlType, nvarchar
from sbql.grammar.values.xml_text import parse_xml
from sbql.grammar.values.xml_tree import XmlElement, element_text

__all__ = ["EDGE_COLUMNS", "PreparedDocument", "RowColumn"]

ATTRIBUTES, ELEMENTS, NO_COPY = 1, 2, 8
_METAPROPERTIES = "urn:schemas-microsoft-com:xml-metaprop"
_NAMES = frozenset({"id", "localname", "namespaceuri", "prefix", "prev", "xmltext"})
_NODE_TYPES = {"element": 1, "attribute": 2, "text": 3, "processing-instruction": 7, "comment": 8}

EDGE_COLUMNS: tuple[tuple[str, SqlType], ...] = (
    ("id", BIGINT), ("parentid", BIGINT), ("nodetype", INT), ("localname", nvarchar(4000)),
    ("prefix", nvarchar(4000)), ("namespaceuri", nvarchar(4000)), ("datatype", nvarchar(4000)), ("prev", BIGINT),
    ("text", SqlType("ntext")),
)  # fmt: skip

RowColumn = tuple[str, str | None, bool]
"""Name, pattern, and whether the column takes xml."""


class PreparedDocument:
    """A document of sp_xml_preparedocument, with the numbers that its nodes have."""

    def __init__(self, text: str | None, namespaces: dict[str, str]) -> None:
        """NULL is a document without nodes. Raises 94xx, and ValueError for a text without one root element."""
        from sbql.engine.documents.xquery.programs import new_document  # programs without XML start without it

        kept = parse_xml(text, may_have_dtd=True) if text is not None else ""
        self.document, _ = new_document(kept)
        if text is not None and sum(1 for child in self.document.children if child.node_kind == "element") != 1:
            raise ValueError("the document needs one root element")
        self.namespaces = {**namespaces, "mp": _METAPROPERTIES}
        self._ids: dict[int, int] = {}
        self._before: dict[int, Any] = {}
        self._texts: dict[int, int] = {}
        self._attributes_of: dict[int, list[Any]] = {}
        self._patterns: dict[str, Any] = {}

    # --- numbers -------------------------------------------------------------------------------------------

    def _number(self) -> None:
        """For the first who asks: the root has 0; the others count from 2 in document order. The texts of attributes
        come last; a text that opens an element without attributes comes after the node behind it."""
        last = 1
        late: list[Any] = []
        waiting: Any = None
        for node in self._walk(self.document):
            if node.node_kind == "text" and node.parent.node_kind == "element" and self._opens(node):
                waiting = node
                continue
            if node.node_kind == "element" and node.parent is self.document:
                self._ids[id(node)] = 0
            else:
                last += 1
                self._ids[id(node)] = last
            if node.node_kind == "attribute":
                late.append(node)
            if waiting is not None:
                last += 1
                self._ids[id(waiting)], waiting = last, None
        if waiting is not None:
            last += 1
            self._ids[id(waiting)] = last
        for owner in late:
            last += 1
            self._texts[id(owner)] = last

    def _opens(self, text: Any) -> bool:
        return text.parent.children[0] is text and not self._attributes(text.parent)

    def _attributes(self, node: Any) -> list[Any]:
        """The attributes of an element, the namespaces that it declares among them."""
        known = self._attributes_of.get(id(node))
        if known is None:
            declared = [_Declaration(node, prefix, uri) for prefix, uri in node.value.declared.items()]
            known = self._attributes_of[id(node)] = [*declared, *node.attributes]
        return known

    def _walk(self, node: Any) -> Iterator[Any]:
        """The nodes below a node, each with its attributes after it."""
        before = None
        for child in node.children:
            self._before[id(child)] = before
            before = child
            yield child
            if child.node_kind == "element":
                yield from self._attributes(child)
                yield from self._walk(child)

    def _id(self, node: Any) -> int | None:
        if not self._ids:
            self._number()
        return self._ids.get(id(node)) if node is not None else None

    def _parent(self, node: Any) -> Any:
        return node.parent if node.parent is not self.document else None

    def _previous(self, node: Any) -> int | None:
        if not self._ids:
            self._number()
        return self._id(self._before.get(id(node)))

    # --- rows ----------------------------------------------------------------------------------------------

    def _select(self, pattern: str, item: Any) -> list[Any]:
        """The nodes of a pattern. Raises 6603 for what is no pattern."""
        from elementpath import ElementPathError, XPath1Parser, XPathContext

        try:
            token = self._patterns.get(pattern)
            if token is None:
                token = XPath1Parser(namespaces=self.namespaces, strict=False).parse(pattern)
                self._patterns[pattern] = token
            found = token.evaluate(XPathContext(self.document, item=item))
        except (ElementPathError, ValueError, ArithmeticError) as error:
            raise sql_error(6603, str(error).splitlines()[0]) from None
        return list(found) if isinstance(found, list) else [found]

    def _row_nodes(self, pattern: str) -> list[Any]:
        found = self._select(pattern, self.document)
        if not all(hasattr(node, "node_kind") for node in found):
            raise sql_error(6603, pattern)
        return found

    def rows(self, pattern: str, flags: int, columns: Sequence[RowColumn]) -> list[list[str | None]]:
        """One list of texts for each node that the row pattern finds."""
        return [self._row(node, flags, columns) for node in self._row_nodes(pattern)]

    def _row(self, node: Any, flags: int, columns: Sequence[RowColumn]) -> list[str | None]:
        values: list[str | None] = []
        consumed: set[int] = set()
        overflow: list[int] = []
        for name, pattern, is_xml in columns:
            if pattern is not None and pattern.startswith("@mp:"):
                if pattern[4:] == "xmltext":
                    overflow.append(len(values))
                values.append(None if pattern[4:] == "xmltext" else self._metaproperty(node, pattern[4:]))
                continue
            found = self._first(node, [pattern] if pattern is not None else _tries(name, flags))
            if hasattr(found, "node_kind"):
                consumed.add(id(found if found.node_kind != "text" else found.parent))
            values.append(_text(found, is_xml=is_xml))
        for place in overflow:
            values[place] = _rest(node, consumed if flags & NO_COPY else set())
        return values

    def _first(self, node: Any, patterns: Sequence[str]) -> Any:
        for pattern in patterns:
            if _PLAIN.fullmatch(pattern) and node.node_kind == "element":
                single = _named(node, pattern)
                if single is not None:
                    return single
                continue
            found = self._select(pattern, node)
            if found:
                return found[0]
        return None

    def _metaproperty(self, node: Any, name: str) -> str | None:
        """Raises 6609 for a name that is none."""
        if name.startswith("parent"):
            parent = self._parent(node)
            name = {"parentnamespacerui": "parentnamespaceuri"}.get(name, name)
            if name[6:] not in ("id", "localname", "namespaceuri", "prefix"):
                raise sql_error(6609, f"@mp:{name}")
            return None if parent is None else self._metaproperty(parent, name[6:])
        if name not in _NAMES:
            raise sql_error(6609, f"@mp:{name}")
        if name in ("id", "prev"):
            number = self._id(node) if name == "id" else self._previous(node)
            return None if number is None else str(number)
        local, prefix, uri = _names(node)
        return {"localname": local, "prefix": prefix, "namespaceuri": uri}[name]

    # --- the edge table ------------------------------------------------------------------------------------

    def edges(self, pattern: str) -> list[list[Any]]:
        """A row for each node below those of the pattern, with them; the columns of EDGE_COLUMNS."""
        found = []
        for top in self._row_nodes(pattern):
            nodes = list(self._walk(top)) if top.node_kind in ("document", "element") else []
            if top.node_kind != "document":
                nodes = [top, *(self._attributes(top) if top.node_kind == "element" else ()), *nodes]
            for node in nodes:
                found += self._edge(node)
        return found

    def _edge(self, node: Any) -> list[list[Any]]:
        local, prefix, uri = _names(node)
        text = node.string_value if node.node_kind in ("text", "comment", "processing-instruction") else None
        edge = [
            self._id(node), self._id(self._parent(node)), _NODE_TYPES[node.node_kind], local, prefix, uri, None,
            self._previous(node), text,
        ]  # fmt: skip
        if node.node_kind != "attribute":
            return [edge]
        inside = self._texts[id(node)]
        return [edge, [inside, edge[0], _NODE_TYPES["text"], "#text", None, None, None, None, node.string_value]]


class _Declaration(Struct, frozen=True):
    """A namespace declaration, which counts as an attribute of its element."""

    parent: Any
    prefix: str
    string_value: str
    node_kind: str = "attribute"


_PLAIN = re.compile(r"@?[A-Za-z_][\w.-]*")


def _named(node: Any, pattern: str) -> Any:
    """The first attribute or child element of a name without prefix, which most columns ask for."""
    nodes = node.attributes if pattern.startswith("@") else node.children
    name = pattern.removeprefix("@")
    kind = "attribute" if pattern.startswith("@") else "element"
    return next((child for child in nodes if child.name == name and child.node_kind == kind), None)


def _tries(name: str, flags: int) -> list[str]:
    kinds = flags & (ATTRIBUTES | ELEMENTS) or ATTRIBUTES
    return ([f"@{name}"] if kinds & ATTRIBUTES else []) + ([name] if kinds & ELEMENTS else [])


def _text(found: Any, *, is_xml: bool) -> str | None:
    if found is None or found == []:
        return None
    if not hasattr(found, "node_kind"):
        return str(found)
    if is_xml and found.node_kind == "element":
        return element_text(found.value)
    return str(found.string_value)


def _names(node: Any) -> tuple[str | None, str | None, str | None]:
    """Local name, prefix and namespace of a node; NULL for what it does not have."""
    if isinstance(node, _Declaration):
        return node.prefix or "xmlns", "xmlns" if node.prefix else None, None
    match node.node_kind:
        case "document":
            return None, None, None
        case "text":
            return "#text", None, None
        case "comment":
            return "#comment", None, None
        case "processing-instruction":
            return node.target, None, None
        case "attribute":
            written = node.parent.value.attribute_names.get(node.name, node.name)
        case _:
            written = node.value.written
    prefix, colon, local = written.rpartition(":")
    uri = node.name[1:].partition("}")[0] if node.name.startswith("{") else None
    return local, prefix if colon else None, uri


def _rest(node: Any, consumed: set[int]) -> str:
    """The text of a row's node without the nodes that columns have read."""
    if node.node_kind == "document":
        return "".join(_rest(child, consumed) for child in node.children)
    if node.node_kind != "element":
        return str(node.string_value)
    if not consumed:
        return element_text(node.value)
    return element_text(_pruned(node, consumed))


def _pruned(node: Any, consumed: set[int]) -> XmlElement:
    from sbql.engine.documents.xquery.templates import copied

    source = node.value
    element = XmlElement(source.tag, {}, source.written, dict(source.declared), source.scope)
    for attribute in node.attributes:
        if id(attribute) not in consumed:
            element.set(attribute.name, attribute.string_value)
            element.attribute_names[attribute.name] = source.attribute_names.get(attribute.name, attribute.name)
    for child in node.children:
        if id(child) in consumed:
            continue
        if child.node_kind == "text":
            if id(node) in consumed:
                continue
            if len(element):
                element[-1].tail = (element[-1].tail or "") + child.string_value
            else:
                element.text = (element.text or "") + child.string_value
        elif child.node_kind == "element":
            element.append(_pruned(child, consumed))
        else:
            element.append(copied(child.value, element.scope))
    return element
