"""What message bodies say, as pure functions: decoded, well-formed, valid against an XML
schema collection, a value in them.

Each asks the function that the broker itself works by, so that a body which passes here passes there. They know no
Spark, no session and no clock, and so may run anywhere and as often as Spark likes.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Final

from sbql.engine.broker.validation import well_formed_problem
from sbql.engine.documents.xml_methods import value_function
from sbql.engine.documents.xml_schemas import fault_of
from sbql.grammar.errors import SqlError
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.codepage import decode_1252
from sbql.grammar.values.xml_encoding import decode_xml_bytes
from sbql.grammar.values.xml_text import parse_xml

__all__ = ["decoded", "fault", "is_well_formed", "value_reader"]

_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(body: bytes) -> str:
    """The text of a body. Its encoding is known by the byte order mark, by the zero bytes of UTF-16, or by what an
    XML declaration names. Else it is UTF-8, or windows-1252 where it is no UTF-8: that has a character for every byte,
    so nothing fails."""
    try:
        return decode_xml_bytes(body)
    except SqlError:  # not what it declares, or no UTF-8
        if body.startswith(_MARKS):
            return body.decode("utf-8-sig" if body.startswith(codecs.BOM_UTF8) else "utf-16", "replace")
        return decode_1252(body)


def is_well_formed(body: bytes) -> bool:
    """Whether a message type with VALIDATION = WELL_FORMED_XML takes the body."""
    return well_formed_problem(body) is None


def fault(documents: tuple[str, ...], body: bytes) -> str | None:
    """Why a message type with VALIDATION = VALID_XML WITH SCHEMA COLLECTION refuses the body:
    `Msg 6913: …`; None when it takes it."""
    problem = well_formed_problem(body)
    if problem is not None:
        return f"Msg 9615: {problem}"
    try:
        found = fault_of(documents, decode_xml_bytes(body))
    except SqlError as error:
        found = error
    except ValueError as error:
        return f"Msg 9615: {error}"
    return None if found is None else f"Msg {found.number}: {found.message}"


def value_reader(path: str) -> Callable[[bytes], str | None]:
    """What gives `CAST(body AS xml).value(path, 'nvarchar(max)')`, and None for a body that is no XML.

    Raises SqlError for a path that value() does not take, such as one that may give several nodes (2389).
    """
    read = value_function(path, NVARCHAR_MAX)

    def value(body: bytes) -> str | None:
        try:
            text = parse_xml(decode_xml_bytes(body))
        except SqlError:
            return None
        found = read(text, ())
        return None if found is None else str(found)

    return value
