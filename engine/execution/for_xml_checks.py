"""FOR XML: which options go together, and which names and prefixes can be written.

Pure checks, made before a row is read (documentation: "FOR XML", "Add Namespaces to Queries with WITH XMLNAMESPACES").
It must not know how values are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sbql.grammar.ast import ForClause
from sbql.grammar.errors import sql_error

__all__ = ["check_characters", "check_namespaces", "check_options", "check_prefix", "check_value", "refuse_clause"]

Namespaces = Sequence[tuple[str | None, str]]
_XML = "http://www.w3.org/XML/1998/namespace"
_SCHEMAS = ("XMLSCHEMA", "XMLDATA")


def check_options(mode: str, element: str | None, options: Mapping[str, str | None], namespaces: Namespaces) -> None:
    """Raises 6825, 6855, 6859, 6860, 6861, 6863, 6868, 6873."""
    if element is not None and mode not in ("RAW", "PATH"):
        raise sql_error(6859)
    if "ELEMENTS" in options and mode == "EXPLICIT":
        raise sql_error(6825)
    if "ROOT" in options and options["ROOT"] == "":
        raise sql_error(6861)
    has_schema = any(word in options for word in _SCHEMAS)
    if has_schema and mode == "PATH":
        raise sql_error(6855)
    if "XMLDATA" in options and ("ROOT" in options or element is not None):
        raise sql_error(6860)
    if "XMLSCHEMA" in options and element == "":
        raise sql_error(6863)
    if namespaces and (has_schema or mode == "EXPLICIT"):
        raise sql_error(6868)
    if (options.get("ELEMENTS") or "").upper() == "XSINIL" and any(prefix == "xsi" for prefix, _ in namespaces):
        raise sql_error(6873)


def refuse_clause(clause: ForClause | None, statement: str) -> None:
    """Raises 6819 and 13602 where a statement has no place for a document."""
    if clause is not None:
        raise sql_error(6819 if clause.kind == "XML" else 13602, statement, span=clause.span)


def check_namespaces(namespaces: Namespaces) -> None:
    """The list of WITH XMLNAMESPACES. Raises 6869, 6871, 6872, 6874."""
    seen: set[str] = set()
    for prefix, uri in namespaces:
        if not uri and prefix is not None:
            raise sql_error(6874)
        if (prefix == "xml") != (uri == _XML):
            raise sql_error(6872)
        if prefix == "xmlns":
            raise sql_error(6871, prefix)
        if (prefix or "") in seen:
            raise sql_error(6869, prefix or "default")
        seen.add(prefix or "")


def check_prefix(name: str, what: str, whole: str, namespaces: Namespaces) -> None:
    """Raises 6846 for a prefix without a namespace, 6867 for the name xmlns."""
    prefix, colon, local = name.rpartition(":")
    if "xmlns" in (prefix, local):
        raise sql_error(6867)
    if colon and prefix not in ("xml", "xsi") and all(prefix != known for known, _ in namespaces):
        raise sql_error(6846, prefix, what, whole)


_NOT_XML = re.compile(r"&#x(0[0-8BCEF]|1[0-9A-F]);")
_NODE_BEFORE = re.compile(r"([^\s<>/=\"]+)(?:=\"[^\"]*|>[^<]*)$")


def check_characters(text: str) -> None:
    """XML cannot hold control characters; only text may refer to them. Raises 6841 with the node's name."""
    found = _NOT_XML.search(text)
    if found is not None:
        node = _NODE_BEFORE.search(text[: found.start()])
        raise sql_error(6841, node[1] if node is not None else "NoName", f"00{found[1]}")


def check_value(leaf: str, text: str) -> None:
    """The text of a comment: `--` cannot stand in it. Raises 9322."""
    if leaf == "comment" and ("--" in text or text.endswith("-")):
        raise sql_error(9322, "FOR XML")
