"""FOR XML: which options go together, and which names and prefixes can be written.

Pure checks, made before a row is read (documentation: "FOR XML", "Add Namespaces to Queries with WITH XMLNAMESPACES").
It must not know how values are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sbql.engine.documents.for_xml_names import Namespaces, first_fault
from sbql.grammar.ast import ForClause
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX, XML
from sbql.grammar.values.conversions import converter

__all__ = ["as_xml", "check_comment", "check_namespaces", "check_options", "refuse_clause"]

_XML = "http://www.w3.org/XML/1998/namespace"
_SCHEMAS = ("XMLSCHEMA", "XMLDATA")


def check_options(mode: str, element: str | None, options: Mapping[str, str | None], namespaces: Namespaces) -> None:
    """Raises 3625, 6825, 6855, 6859, 6860, 6861, 6862, 6863, 6868, 6873."""
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
    if options.get("XMLSCHEMA") == "":
        raise sql_error(6862)
    if namespaces and (has_schema or mode == "EXPLICIT"):
        raise sql_error(6868)
    if "XMLSCHEMA" in options and mode == "EXPLICIT":
        raise sql_error(3625, "Inline XSD for FOR XML EXPLICIT")
    if (options.get("ELEMENTS") or "").upper() == "XSINIL" and any(prefix == "xsi" for prefix, _ in namespaces):
        raise sql_error(6873)


def refuse_clause(clause: ForClause | None, statement: str) -> None:
    """Raises 6819 and 13602 where a statement has no place for a document; variables know 6819 only."""
    if clause is not None:
        is_json = clause.kind == "JSON" and statement != "ASSIGNMENT"
        raise sql_error(13602 if is_json else 6819, statement, span=clause.span)


def check_namespaces(namespaces: Namespaces) -> None:
    """The list of WITH XMLNAMESPACES. Raises 6869 to 6872, 6874."""
    seen: set[str] = set()
    for prefix, uri in namespaces:
        fault = first_fault(prefix) if prefix is not None else None
        if fault is not None:
            raise sql_error(6870, prefix, fault, f"{ord(fault):04X}")
        if (prefix == "xml") != (uri == _XML):
            raise sql_error(6872)
        if prefix == "xmlns":
            raise sql_error(6871, prefix)
        if not uri:
            raise sql_error(6874)
        if (prefix or "") in seen:
            raise sql_error(6869, prefix or "default")
        seen.add(prefix or "")


_NOT_XML = re.compile(r"&#x(0[0-8BCEF]|1[0-9A-F]);")
_NODE_BEFORE = re.compile(r"(?<![^\s<>/=\"])([^\s<>/=\"]++)(?:=\"[^\"]*+|>[^<]*+)$")


def _check_characters(text: str) -> None:
    """XML cannot hold control characters; only text may refer to them. Raises 6841 with the node's name."""
    found = _NOT_XML.search(text)
    if found is not None:
        node = _NODE_BEFORE.search(text[: found.start()])
        raise sql_error(6841, node[1] if node is not None else "NoName", f"00{found[1]}")


_TO_XML: Final = converter(NVARCHAR_MAX, XML)


def as_xml(text: str) -> str:
    """What FOR XML … TYPE makes of its text. Raises 6841."""
    _check_characters(text)
    return text if _TO_XML is None else str(_TO_XML(text))


def check_comment(text: str) -> None:
    """`--` cannot stand in a comment. Raises 9322."""
    if "--" in text or text.endswith("-"):
        raise sql_error(9322, "FOR XML")
