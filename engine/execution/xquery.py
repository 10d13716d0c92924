"""XQuery: the expressions inside the xml methods, run by elementpath (XPath 3.1) over our own trees.

It decides the prolog (`declare namespace`), sql:variable(), which faults are which error, and what a result is as a value or
as xml. XQuery's direct constructors and `order by` are not XPath: they are refused by name (9335). elementpath is imported
on first use, as it takes a third of a second.
"""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.xml_text import escape_text
from sbql.grammar.values.xml_tree import XmlElement, element_text, parse_tree

__all__ = ["COLUMN", "NODE_MARK", "Compiled", "compile_xquery", "context_tree", "evaluate", "is_surely_plural", "item_text", "items_as_xml"]

NODE_MARK = "\ufdd0"
"""Begins a value made by nodes(): its context is the top node itself and not a document around it."""

_PROLOG = re.compile(
    r"\s*declare\s+(?:namespace\s+([\w.-]+)\s*=|(default)\s+element\s+namespace)\s*(?:\"([^\"]*)\"|'([^']*)')\s*;", re.DOTALL
)
_VARIABLE = re.compile(r"sql:variable\s*\(\s*(?:\"([^\"]*)\"|'([^']*)')\s*\)")
COLUMN = re.compile(r"sql:column\s*\(\s*(?:\"([^\"]*)\"|'([^']*)')\s*\)")
"""sql:column("t.c"): the query translator turns it into a variable; elsewhere there is no row to take it from."""
_PREDEFINED = {
    "xs": "http://www.w3.org/2001/XMLSchema", "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "fn": "http://www.w3.org/2005/xpath-functions", "xdt": "http://www.w3.org/2004/07/xpath-datatypes",
    "xml": "http://www.w3.org/XML/1998/namespace",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compiled:
    """An XQuery expression ready to run. `variables` are the T-SQL variables it names (with the at sign), in order."""

    text: str
    token: Any
    variables: tuple[str, ...]
    namespaces: tuple[tuple[str, str], ...]


@functools.lru_cache(maxsize=512)
def compile_xquery(text: str, namespaces: tuple[tuple[str, str], ...], method: str) -> Compiled:
    """Parse an expression. `namespaces` come from WITH XMLNAMESPACES. Raises 2209, 2229, 9335."""
    known = dict(namespaces)
    body = text
    while (found := _PROLOG.match(body)) is not None:
        known["" if found[2] else found[1]] = found[3] if found[3] is not None else found[4]
        body = body[found.end() :]
    if COLUMN.search(body):
        raise sql_error(9335, "sql:column()")
    if re.search(r"<[A-Za-z_]", body):
        raise sql_error(9335, "direct element constructor")
    variables: list[str] = []

    def name_variable(found: re.Match[str]) -> str:
        variables.append(found[1] or found[2])
        return f"$sqlvariable{len(variables) - 1}"

    body = _rewritten(_VARIABLE.sub(name_variable, body))
    return Compiled(body, _parse(body, known, method, len(variables)), tuple(variables), tuple(known.items()))


def _rewritten(body: str) -> str:
    """FLWOR with `where` as XPath 3.1 says it; `order by` has no such form."""
    if re.search(r"\border\s+by\b", body) and re.search(r"\bfor\s+\$", body):
        raise sql_error(9335, "order by")
    return re.sub(r"\bwhere\b(.+?)\breturn\b(.+)$", r"return if (\1) then (\2) else ()", body, flags=re.DOTALL)


def _parse(body: str, namespaces: dict[str, str], method: str, variables: int) -> Any:
    from elementpath import ElementPathError
    from elementpath.xpath31 import XPath31Parser

    known = {**_PREDEFINED, **{p: u for p, u in namespaces.items() if p}}
    parser = XPath31Parser(
        namespaces=known, default_namespace=namespaces.get("", ""), strict=False,
        variable_types={f"sqlvariable{i}": "item()*" for i in range(variables)},
    )  # fmt: skip
    try:
        return parser.parse(body)
    except ElementPathError as error:
        code = getattr(error, "code", "") or ""
        if "XPST0081" in code:
            prefix = re.search(r"prefix '?([\w.-]+)", str(error))
            raise sql_error(2229, method, prefix[1] if prefix else body) from None
        raise sql_error(2209, method, body[:40]) from None


@functools.lru_cache(maxsize=64)
def _tree(text: str) -> XmlElement:
    return parse_tree(text)


def context_tree(text: str) -> tuple[Any, Any]:
    """The document node of an xml value, and the context item: the document, or the node that nodes() gave."""
    from elementpath import XPathContext

    is_node = text.startswith(NODE_MARK)
    wrapper = _tree(text[1:] if is_node else text)
    return _document(wrapper, XPathContext, is_node)


def _document(wrapper: XmlElement, make_context: Callable[..., Any], is_node: bool) -> tuple[Any, Any]:
    document = make_context(ET.ElementTree(wrapper)).root
    shown = document.children[0]
    # The wrapper steps aside: its children become those of the document.
    children = list(shown.children)
    document.children[:] = children
    for child in children:
        child.parent = document
    return document, (children[0] if is_node and children else document)


def evaluate(compiled: Compiled, text: str, values: tuple[Any, ...]) -> list[Any]:
    """The items of the result: elementpath nodes and atomic values. `values` are those of the T-SQL variables."""
    from elementpath import XPathContext

    document, item = context_tree(text)
    return run_over(compiled, document, item, values, XPathContext)


def run_over(compiled: Compiled, document: Any, item: Any, values: tuple[Any, ...], make_context: Callable[..., Any]) -> list[Any]:
    from elementpath import ElementPathError

    variables = {f"sqlvariable{i}": [] if v is None else v for i, v in enumerate(values)}
    context = make_context(document, item=item, variables=variables)
    try:
        return list(compiled.token.select(context))
    except ElementPathError as error:
        raise _dynamic_fault(error) from None


def _dynamic_fault(error: Exception) -> SqlError:
    return sql_error(9319, str(error).split("\n")[0])


def _is_node(item: Any) -> bool:
    return hasattr(item, "parent") and hasattr(item, "string_value")


def item_text(item: Any) -> str:
    """An item as the value() method reads it: the string value of a node, the lexical form of an atomic value."""
    if _is_node(item):
        return str(item.string_value)
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float):
        return str(int(item)) if item == int(item) and abs(item) < 1e15 else f"{item:.15g}".replace("e", "E")
    return str(item)


def _node_text(item: Any) -> str:
    """A node as xml text; attributes cannot stand alone."""
    element = getattr(item, "elem", None)
    if element is not None:
        return element_text(element)
    name = type(item).__name__
    if "Document" in name:
        return "".join(_node_text(child) for child in item.children)
    if "Attribute" in name:
        raise sql_error(2396)
    return escape_text(str(item.string_value))


def items_as_xml(items: list[Any]) -> str:
    """A sequence as the query() method gives it: nodes one after the other, atomic values with blanks between."""
    parts: list[str] = []
    was_atomic = False
    for item in items:
        is_node = _is_node(item)
        if not is_node and was_atomic:
            parts.append(" ")
        parts.append(_node_text(item) if is_node else escape_text(item_text(item)))
        was_atomic = not is_node
    return "".join(parts)


_STEP = r"(?:@?(?:[\w.-]+:|\*:)?(?:[\w.-]+|\*)|(?:text|node|comment)\(\)|\.\.?)"
_PLAIN_PATH = re.compile(rf"\s*(//?)?({_STEP}(?:\s*\[[^\]]*\])*)((?:\s*//?\s*{_STEP}(?:\s*\[[^\]]*\])*)*)\s*$")


def is_surely_plural(body: str) -> bool:
    """Whether a plain path may give several nodes, by its steps alone: value() then asks for `( … )[1]` (2389)."""
    if not _PLAIN_PATH.match(body):
        return False
    if "//" in re.sub(r"\[[^\]]*\]", "", body):
        return True
    for step in re.findall(rf"{_STEP}(?:\s*\[[^\]]*\])*", body):
        name = step.split("[")[0].strip()
        if name.startswith("@") or name in (".", ".."):
            continue
        if not re.search(r"\[\s*(?:\d+|last\(\))\s*\]\s*$", step):
            return True
    return False
