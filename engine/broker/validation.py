"""Message type validation, done where a message arrives (docs/spec: TYPE).

Decides whether a body fits its message type. Must not know what becomes of one that does not: delivery answers the
sender with an Error message (-9615 not well-formed or not valid XML, -8430 a body that ought to be empty).
"""

from __future__ import annotations

import codecs
from typing import Protocol
from xml.parsers import expat

from sbql.catalog.records import MessageType
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.grammar.errors import SqlError
from sbql.grammar.values.xml_encoding import decode_xml_bytes
from sbql.grammar.values.xml_text import parse_xml

__all__ = ["XmlValidator", "invalid_body", "well_formed_problem"]

NOT_VALID_XML = 9615
NOT_VALID = 8430
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class XmlValidator(Protocol):
    """Validates XML against an XML schema collection."""

    def __call__(self, catalog: CatalogSnapshot, database_id: int, xml_collection_id: int, body: bytes) -> str | None:
        """The problem as text, None when the body is valid."""
        ...


def _has_element(text: str) -> bool:
    """Whether a fragment that the xml type takes has an element; comments and text alone are no document."""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: found.append(name)
    parser.Parse(f"<fragment>{text}</fragment>", True)
    return len(found) > 1


def well_formed_problem(body: bytes) -> str | None:
    """Why `body` is not XML, None when it is: several roots and text between them are, as in the xml type, text without
    any element is not, nor is what that type refuses: a document type (6359), another encoding than the declared one
    (9402). UTF-16 without a byte order mark is understood."""
    odd: list[tuple[object, ...]] = []
    parser = expat.ParserCreate("UTF-16LE" if body[1:2] == b"\x00" else None)
    parser.StartDoctypeDeclHandler = lambda *declared: odd.append(declared)
    if body[1:2] == b"\x00" or body[:2] in _WIDE_MARKS:
        parser.XmlDeclHandler = lambda *declared: odd.append(declared)
    try:
        parser.Parse(body, True)
        if not odd:
            return None
    except (expat.ExpatError, ValueError, LookupError):  # LookupError: an encoding that Python does not know
        pass
    try:  # as the xml type takes it, or not
        return None if _has_element(parse_xml(decode_xml_bytes(body))) else "the body has no element"
    except SqlError as problem:
        return problem.message
    except (expat.ExpatError, ValueError) as problem:
        return str(problem)


def invalid_body(
    kind: MessageType, body: bytes | None, catalog: CatalogSnapshot, validator: XmlValidator | None
) -> tuple[int, str] | None:
    """The error number and reason for a body that does not fit, None when it fits. A NULL body fits every type."""
    if body is None or kind.validation == "N":
        return None
    if kind.validation == "E":
        return NOT_VALID, "the body is not empty"
    problem = well_formed_problem(body)
    if problem is None and kind.xml_collection_id is not None and validator is not None:
        problem = validator(catalog, kind.database_id, kind.xml_collection_id, body)
    return None if problem is None else (NOT_VALID_XML, problem)
