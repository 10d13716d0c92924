"""XML DML: the statements of modify(): insert, delete, replace value of (documentation: "XML Data Modification
Language").

A statement finds its target nodes by an expression over a fresh tree and changes that tree; the text of the tree is the
new value. Targets must be single nodes, except for delete.
"""

from __future__ import annotations

import functools
from typing import Any

from msgspec import Struct

from sbql.engine.documents.xquery.pieces import Piece
from sbql.engine.documents.xquery.programs import Program, is_node, item_text, new_document, run_over
from sbql.engine.documents.xquery.templates import add_items, append_text
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.xml_tree import XmlElement, inner_text

__all__ = ["apply_change", "compile_change"]

Namespaces = tuple[tuple[str, str], ...]
_METHOD = "modify()"


class Change(Struct, frozen=True):
    """A compiled statement. `place` of insert is first, last, before or after; `new` the tokens of what is put in;
    `variables` are the T-SQL variables it names, `xml_sources` the numbers of those that may be xml."""

    verb: str
    target: Any
    new: tuple[Any, ...] = ()
    place: str = ""
    is_empty: bool = False
    variables: tuple[str, ...] = ()
    xml_sources: frozenset[int] = frozenset()
    is_typed: bool = False


# --- compiling ---------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def compile_change(text: str, namespaces: Namespaces, *, is_typed: bool = False) -> Change:
    """Raises 6305 for what changes nothing, and the errors of XQuery. `is_typed`: elements with simple content can be
    replaced."""
    program = Program(text, namespaces, _METHOD, is_lenient=is_typed)
    try:
        return _compile(program)
    except RecursionError:
        raise program.reader.fault(2363) from None


def _compile(program: Program) -> Change:
    reader = program.reader
    if reader.take_word("delete"):
        target = program.expressions.expression()
        _check_deleted(program, target)
        program.expect_end()
        return Change("delete", program.token(target), variables=program.variables)
    if reader.take_words("replace", "value", "of"):
        return _compile_replace(program)
    if reader.take_word("insert"):
        return _compile_insert(program)
    raise sql_error(6305).within(reader.text)


def _check_deleted(program: Program, target: Piece) -> None:
    if not target.is_nodes and target.kind not in ("item", "empty") or target.kind == "document":
        raise program.reader.fault(2264, target.type_name)


def _compile_replace(program: Program) -> Change:
    reader = program.reader
    target = program.expressions.single()
    if target.many and not program.is_lenient:
        raise reader.fault(2337, target.type_name)
    if not target.is_nodes or target.kind == "document":
        raise reader.fault(2356, target.type_name)
    if not reader.take_word("with"):
        raise reader.fault(2205, "with")
    new = program.expressions.expression()
    if new.is_made:
        raise reader.fault(9310)
    program.expect_end()
    return Change(
        "replace", program.token(target), (program.token(new),),
        is_empty=new.kind == "empty", variables=program.variables,
        is_typed=program.is_lenient,
    )  # fmt: skip


def _compile_insert(program: Program) -> Change:
    reader = program.reader
    new, sources = _sources(program)
    place = "last"
    if reader.take_word("as"):
        if reader.take_word("first"):
            place = "first"
        elif not reader.take_word("last"):
            raise reader.fault(2351)
        if not reader.take_word("into"):
            raise reader.syntax_fault()
        if any(p.kind == "attribute" for p in new) and not all(p.kind in ("attribute", "empty") for p in new):
            raise reader.fault(2258, "attribute")
    elif reader.peek_name() in ("before", "after"):
        place = reader.name()
    elif not reader.take_word("into"):
        raise reader.fault(2248, reader.peek_name() or reader.text[reader.at : reader.at + 1] or "<eof>")
    target = program.expressions.single()
    program.expect_end()
    if target.many and not program.is_lenient:
        raise reader.fault(2226, target.type_name)
    _check_target(program, target, place)
    return Change(
        "insert",
        program.token(target),
        tuple(program.token(p) for p in new),
        place,
        variables=program.variables,
        xml_sources=sources,
    )


def _sources(program: Program) -> tuple[list[Piece], frozenset[int]]:
    """What is inserted: one expression, or several in parentheses. Raises 2207 for values."""
    reader, expressions = program.reader, program.expressions
    start = reader.at
    parts: list[Piece] = []
    if reader.take("(") and not reader.peek(")"):
        parts = [expressions.single()]
        while reader.take(","):
            parts.append(expressions.single())
    if not parts or not reader.take(")") or not _ends(program):
        reader.at = start
        _forget(program)
        parts = [expressions.single()]
    sources = set()
    for part in parts:
        if part.text.startswith("$sqlvariable") and part.text[len("$sqlvariable") :].isdigit():
            sources.add(int(part.text[len("$sqlvariable") :]))
        elif not part.is_nodes and part.kind not in ("item", "empty"):
            raise reader.fault(2207, part.type_name)
    return parts, frozenset(sources)


def _ends(program: Program) -> bool:
    return program.reader.peek_name() in ("as", "into", "before", "after")


def _forget(program: Program) -> None:
    """What a part that is read again has noted down."""
    program.expressions.sql_variables.clear()
    program.made.templates.clear()
    program.made.orderings.clear()


def _check_target(program: Program, target: Piece, place: str) -> None:
    into = place in ("first", "last")
    if into and target.kind not in ("element", "document", "node", "item"):
        raise program.reader.fault(2240, target.type_name)
    if not into and target.kind not in ("element", "text", "comment", "processing-instruction", "node", "item"):
        raise program.reader.fault(2249, target.type_name)


# --- running -----------------------------------------------------------------------------------------------


class _Tree:
    """One value while it is changed. elementpath's nodes stay as they were found; the elements below them change."""

    def __init__(self, text: str, values: tuple[Any, ...]) -> None:
        self.document, self.wrapper = new_document(text)
        self.values = values

    def items(self, token: Any) -> list[Any]:
        return run_over(token, self.document, self.document, self.values, _METHOD)

    def element(self, node: Any) -> Any:
        """The element of a node that can have children."""
        return self.wrapper if node is self.document else node.value

    def delete(self, nodes: list[Any]) -> None:
        """All nodes at once: of each parent those that stay are put together again."""
        doomed: dict[int, tuple[Any, set[int]]] = {}
        for node in nodes:
            if node.node_kind == "attribute":
                node.parent.value.attrib.pop(node.name, None)
            elif node.parent is not None:
                doomed.setdefault(id(node.parent), (node.parent, set()))[1].add(id(node))
        for parent, gone in doomed.values():
            element = self.element(parent)
            staying = [child for child in parent.children if id(child) not in gone]
            element[:] = []
            element.text = None
            for child in staying:
                if child.node_kind == "text":
                    append_text(element, child.string_value)
                else:
                    child.value.tail = None
                    element.append(child.value)

    def set_text(self, node: Any, value: str) -> None:
        """A text node is the text of its element or the tail of the node before it."""
        siblings = list(node.parent.children)
        place = next(i for i, sibling in enumerate(siblings) if sibling is node)
        if place:
            siblings[place - 1].value.tail = value
        else:
            self.element(node.parent).text = value

    def insert(self, items: list[Any], place: str, target: Any) -> None:
        attributes = [i for i in items if is_node(i) and i.node_kind == "attribute"]
        others = [i for i in items if not (is_node(i) and i.node_kind == "attribute")]
        if place in ("first", "last"):
            if target.node_kind not in ("element", "document"):
                raise sql_error(2240, _METHOD, target.node_kind)
            element = self.element(target)
            for attribute in attributes:
                self._set_attribute(element, attribute)
            self._put(element, 0 if place == "first" else len(element), others, at_start=place == "first")
            return
        if attributes:
            raise sql_error(6307)
        self._beside(others, place, target)

    def _set_attribute(self, element: Any, attribute: Any) -> None:
        if element is self.wrapper:
            raise sql_error(6307)
        written = getattr(attribute.parent.value, "attribute_names", {}).get(attribute.name, attribute.name)
        if attribute.name in element.attrib:
            raise sql_error(6308, written)
        element.set(attribute.name, attribute.string_value)
        element.attribute_names[attribute.name] = written
        prefix, colon, _ = written.partition(":")
        uri = attribute.parent.value.scope.get(prefix)
        if colon and uri and element.scope.get(prefix) != uri:
            element.declared[prefix] = uri
            element.scope = {**element.scope, prefix: uri}

    def _beside(self, items: list[Any], place: str, target: Any) -> None:
        """Before or after an element, a comment, an instruction, or a text."""
        parent_node = target.parent
        parent = self.element(parent_node)
        if target.node_kind != "text":
            found = list(parent).index(target.value)
            if place == "before":
                self._put(parent, found, items)
                return
            tail, target.value.tail = target.value.tail, None
            self._put(parent, found + 1, items, tail=tail or "")
            return
        siblings = list(parent_node.children)
        at = next(i for i, sibling in enumerate(siblings) if sibling is target)
        before = sum(1 for s in siblings[:at] if s.node_kind != "text")
        text = target.string_value
        if place == "before":
            self.set_text(target, "")
            self._put(parent, before, items, tail=text, at_start=before == 0)
        else:
            self._put(parent, before, items)

    def _put(self, parent: Any, place: int, items: list[Any], *, tail: str = "", at_start: bool = False) -> None:
        """The items as children from `place` on; `tail` follows them. `at_start`: before the text of the parent."""
        scope = getattr(parent, "scope", {})
        holder = XmlElement("holder", {}, "holder", {}, scope)
        add_items(holder, items)
        if at_start and place == 0:
            tail, parent.text = (parent.text or "") + tail, None
        if holder.text:
            _append_text(parent, place, holder.text)
        for child in list(holder):
            parent.insert(place, child)
            place += 1
        if tail:
            _append_text(parent, place, tail)


def _append_text(parent: Any, place: int, text: str) -> None:
    """Text that stands before the child at `place`."""
    if place:
        parent[place - 1].tail = (parent[place - 1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def apply_change(change: Change, text: str, values: tuple[Any, ...]) -> str:
    """The value after one statement. A target that is not there changes nothing."""
    tree = _Tree(text, values)
    targets = tree.items(change.target)
    if change.verb == "delete":
        for node in targets:
            if not is_node(node) or node.node_kind == "document":
                raise sql_error(2264, _METHOD, "item()")
        tree.delete(targets)
    elif targets:
        if len(targets) > 1:
            raise sql_error(2337 if change.verb == "replace" else 2226, _METHOD, "node() *")
        (_replace if change.verb == "replace" else _insert)(tree, change, targets[0])
    return inner_text(tree.wrapper)


def _replace(tree: _Tree, change: Change, target: Any) -> None:
    """Raises 2356 for a target without simple content, 6325 when the new value is empty and not written so, 6320 when
    it is and the target is no text."""
    found = tree.items(change.new[0])
    if not found and not change.is_empty:
        raise sql_error(6325)
    if not found and target.node_kind != "text":
        raise sql_error(6320)
    value = " ".join(item_text(v) for v in found)
    match target.node_kind:
        case "attribute":
            target.parent.value.set(target.name, value)
        case "text":
            tree.set_text(target, value)
        case "element" if change.is_typed and not any(isinstance(child.tag, str) for child in target.value):
            target.value[:] = []
            target.value.text = value
        case kind:
            raise _not_simple(kind)


def _not_simple(kind: str) -> SqlError:
    return sql_error(2356, _METHOD, f"{kind}(*,xdt:untyped)")


def _insert(tree: _Tree, change: Change, target: Any) -> None:
    items = [item for token in change.new for item in tree.items(token)]
    tree.insert(items, change.place, target)
