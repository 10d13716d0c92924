"""XML DML: the statements of modify(): insert, delete, replace value of (documentation: "XML Data Modification Language").

A statement finds its target nodes by an expression over a fresh tree and changes that tree; the text of the tree is the new
value. Targets must be single nodes, except for delete.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any, cast

from sbql.engine.execution.xquery import Compiled, compile_xquery, item_text, run_over
from sbql.grammar.errors import sql_error
from sbql.grammar.values.xml_text import parse_xml
from sbql.grammar.values.xml_tree import XmlElement, inner_text, parse_tree

__all__ = ["apply_change", "change_variables"]

_PROLOG = re.compile(r"\s*(?:declare\s[^;]*;\s*)*", re.DOTALL)
_DELETE = re.compile(r"delete\s+(.+)$", re.DOTALL)
_REPLACE = re.compile(r"replace\s+value\s+of\s+(.+?)\s+with\s+(.+)$", re.DOTALL)
_IF = re.compile(r"if\s*(\(.+\))\s*then\s+(.+)\s+else\s+(.+)$", re.DOTALL)
_INSERT = re.compile(r"insert\s+(.+)\s(as\s+first\s+into|as\s+last\s+into|(?<!first\s)(?<!last\s)into|before|after)\s+(.+?)$", re.DOTALL)
_VARIABLE = re.compile(r"sql:variable\s*\(\s*(?:\"([^\"]*)\"|'([^']*)')\s*\)")
_ATTRIBUTE = re.compile(r"attribute\s+([\w:.-]+)\s*\{(.*)\}\s*$", re.DOTALL)
_ELEMENT = re.compile(r"element\s+([\w:.-]+)\s*\{(.*)\}\s*$", re.DOTALL)
_TEXT = re.compile(r"text\s*\{(.*)\}\s*$", re.DOTALL)

Namespaces = tuple[tuple[str, str], ...]


def change_variables(statement: str) -> tuple[str, ...]:
    """The T-SQL variables that a statement names, in order of appearance."""
    return tuple(found[1] or found[2] for found in _VARIABLE.finditer(statement))


class _Change:
    """One statement over one tree."""

    def __init__(self, text: str, prolog: str, namespaces: Namespaces, values: dict[str, Any]) -> None:
        from elementpath import XPathContext

        self.prolog, self.namespaces, self.values = prolog, namespaces, values
        self.wrapper = parse_tree(text)
        self.make_context = XPathContext
        self.root: Any = cast(Any, XPathContext(ET.ElementTree(self.wrapper)).root)
        shown = self.root.children[0]
        self.root.children[:] = list(shown.children)
        for child in self.root.children:
            child.parent = self.root
        self.parents = {child: parent for parent in self.wrapper.iter() for child in parent}

    def compiled(self, expression: str) -> Compiled:
        return compile_xquery(self.prolog + expression, self.namespaces, "modify()")

    def items(self, expression: str) -> list[Any]:
        compiled = self.compiled(expression)
        values = tuple(self.values.get(name.lower()) for name in compiled.variables)
        return run_over(compiled, self.root, self.root, values, self.make_context)

    def delete(self, expression: str) -> None:
        for item in self.items(expression):
            self._delete_one(item)

    def _delete_one(self, item: Any) -> None:
        kind = type(item).__name__
        if "Attribute" in kind:
            element = item.parent.elem
            element.attrib.pop(item.name, None)
            return
        if "Text" in kind:
            self._set_text(item, "")
            return
        element = item.elem
        parent = self.parents[element]
        place = list(parent).index(element)
        if element.tail:
            _append_text(parent, place, element.tail)
        parent.remove(element)

    def _set_text(self, item: Any, value: str) -> None:
        """A text node is the text of its element or the tail of the node before it."""
        parent = self.wrapper if item.parent is self.root else item.parent.elem
        siblings = list(item.parent.children)
        place = next(i for i, sibling in enumerate(siblings) if sibling is item)
        before = siblings[place - 1] if place else None
        if before is None:
            parent.text = value
        else:
            before.elem.tail = value

    def replace(self, expression: str, new: str) -> None:
        targets = self.items(expression)
        if len(targets) > 1:
            raise sql_error(2337)
        values = self.items(new)
        if not targets:
            return
        value = " ".join(item_text(v) for v in values)
        item = targets[0]
        kind = type(item).__name__
        if "Attribute" in kind:
            item.parent.elem.set(item.name, value)
        elif "Text" in kind:
            self._set_text(item, value)
        else:
            raise sql_error(2356)

    def insert(self, content: str, where: str, expression: str) -> None:
        targets = self.items(expression)
        if len(targets) != 1:
            if not targets:
                return
            raise sql_error(2226)
        target = targets[0]
        element = self.wrapper if target is self.root else getattr(target, "elem", None)
        if element is None:
            raise sql_error(2208)
        for part in _content_parts(self._chosen(content)):
            self._insert_part(part.strip(), where, element)

    def _chosen(self, content: str) -> str:
        """`if (condition) then … else …` as the branch that holds; anything else as it is."""
        choice = _IF.match(content.strip())
        if choice is None:
            return content
        holds = item_text(self.items(f"if {choice[1]} then 1 else 0")[0]) == "1"
        return self._chosen(choice[2] if holds else choice[3])

    def _insert_part(self, part: str, where: str, element: Any) -> None:
        attribute = _ATTRIBUTE.match(part)
        if attribute is not None:
            if attribute[1] in element.attrib:
                raise sql_error(2227, attribute[1])
            element.set(attribute[1], " ".join(item_text(i) for i in self.items(attribute[2])))
            return
        source = self._constructed(part, element)
        if where in ("before", "after"):
            parent = self.parents.get(element, self.wrapper)
            place = list(parent).index(element) + (where == "after")
            tail = element.tail if where == "after" else None
            if tail:
                element.tail = None
            _insert_nodes(parent, place, source, tail or "")
        else:
            first = where.startswith("as first")
            _insert_nodes(element, 0 if first else len(element), source, "")
        self.parents = {child: parent for parent in self.wrapper.iter() for child in parent}

    def _constructed(self, part: str, element: Any) -> XmlElement:
        """The new nodes, below a wrapper."""
        scope = {**dict(self.namespaces), **_declared(self.prolog), **getattr(element, "scope", {})}
        named, text = _ELEMENT.match(part), _TEXT.match(part)
        if named is not None:
            inner = " ".join(item_text(i) for i in self.items(named[2])) if named[2].strip() else ""
            part = f"<{named[1]}>{_escaped(inner)}</{named[1]}>"
        elif text is not None:
            part = _escaped(" ".join(item_text(i) for i in self.items(text[1])))
        elif not part.startswith("<"):
            xml_value = self._xml_variable(part)
            part = xml_value if xml_value is not None else _escaped(" ".join(item_text(i) for i in self.items(part)))
        else:
            part = self._filled(part)
            if scope == {}:
                part = parse_xml(part)
        return parse_tree(part, {p: u for p, u in scope.items() if u})

    def _xml_variable(self, part: str) -> str | None:
        found = _VARIABLE.fullmatch(part.strip())
        value = self.values.get((found[1] or found[2]).lower()) if found is not None else None
        return value if isinstance(value, str) and value.lstrip().startswith("<") else None

    def _filled(self, part: str) -> str:
        """A direct constructor with its { expressions } worked out."""

        def work_out(found: re.Match[str]) -> str:
            return _escaped(" ".join(item_text(i) for i in self.items(found[1])))

        return re.sub(r"\{([^{}]*)\}", work_out, part)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _declared(prolog: str) -> dict[str, str]:
    """The namespaces of a prolog."""
    found = dict(re.findall(r"declare\s+namespace\s+([\w.-]+)\s*=\s*[\"']([^\"']*)[\"']", prolog))
    default = re.search(r"declare\s+default\s+element\s+namespace\s+[\"']([^\"']*)[\"']", prolog)
    return {**found, **({"": default[1]} if default else {})}


def _content_parts(content: str) -> list[str]:
    """`( a, b )` inserts several nodes."""
    text = content.strip()
    if not (text.startswith("(") and text.endswith(")")):
        return [text]
    parts, depth, start, quote, in_tag = [], 0, 1, "", 0
    for place in range(1, len(text) - 1):
        character = text[place]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "({":
            depth += 1
        elif character in ")}":
            depth -= 1
        elif character == "<":
            in_tag += 0 if text[place + 1] == "/" else 1
        elif character == ">" and (text[place - 1] == "/" or "</" in text[text.rfind("<", 0, place) : place]):
            in_tag -= 1
        elif character == "," and depth == 0 and in_tag == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:-1]]


def _append_text(parent: Any, place: int, text: str) -> None:
    """Text that stands before the child at `place`."""
    if place:
        parent[place - 1].tail = (parent[place - 1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _insert_nodes(parent: Any, place: int, source: XmlElement, tail: str) -> None:
    """Put the nodes below `source` before the child at `place`; `tail` follows them."""
    if source.text:
        _append_text(parent, place, source.text)
    for child in list(source):
        parent.insert(place, child)
        place += 1
    if tail:
        _append_text(parent, place, tail)


def apply_change(text: str, statement: str, namespaces: Namespaces, values: tuple[Any, ...]) -> str:
    """The value after one XML DML statement. Raises 2226, 2337, 2356, 9305 …; a target that is not there changes nothing."""
    found = _PROLOG.match(statement)
    assert found is not None
    prolog, body = found[0], statement[found.end() :].strip()
    names = {name.lower(): value for name, value in zip(change_variables(statement), values, strict=True)}
    change = _Change(text, prolog, namespaces, names)
    if (parts := _DELETE.match(body)) is not None:
        change.delete(parts[1])
    elif (parts := _REPLACE.match(body)) is not None:
        change.replace(parts[1], parts[2])
    elif (parts := _INSERT.match(body)) is not None:
        change.insert(parts[1], " ".join(parts[2].split()), parts[3])
    else:
        raise sql_error(6305)
    return inner_text(change.wrapper)
