"""sp_xml_preparedocument and sp_xml_removedocument: documents for OPENXML, kept by the session."""

from __future__ import annotations

from typing import Any

from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.documents.open_xml import PreparedDocument
from sbql.engine.query.open_xml import DOCUMENTS
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import INT
from sbql.grammar.values.xml_text import parse_xml
from sbql.grammar.values.xml_tree import XmlElement, parse_tree

_FIRST_HANDLE, _STEP = 1, 2
_LAST = "last xml handle"
"""A handle is never given out again."""


@procedure("sp_xml_preparedocument")
def sp_xml_preparedocument(call: ProcedureCall) -> Work:
    """sp_xml_preparedocument @handle OUTPUT [, text [, element with namespaces]]. Raises 201, 6602 for text that is not
    XML."""
    if not call.arguments or call.arguments[0].assign is None:
        raise sql_error(201, call.name, "@hdoc")
    text = call.arguments[1].value if len(call.arguments) > 1 else None
    spaces = call.arguments[2].value if len(call.arguments) > 2 else None
    documents: dict[int, Any] = call.session.context_values.setdefault(DOCUMENTS, {})
    prepared = _prepared(text, spaces)
    handle = call.session.context_values.get(_LAST, _FIRST_HANDLE - _STEP) + _STEP
    documents[handle], call.session.context_values[_LAST] = prepared, handle
    call.arguments[0].assign(handle, INT)
    return 0
    yield


def _prepared(text: Any, spaces: Any) -> PreparedDocument:
    try:
        return PreparedDocument(None if text is None else str(text), _namespaces(spaces))
    except (SqlError, ValueError) as error:
        raise sql_error(6602, getattr(error, "message", str(error))) from error


def _namespaces(value: Any) -> dict[str, str]:
    """The prefixes that a document declares, the outer ones first. Raises 94xx, and ValueError for
    a text without one root element."""
    if not value:
        return {}
    top = parse_tree(parse_xml(str(value), may_have_dtd=True))
    if sum(1 for child in top if isinstance(child.tag, str)) != 1:
        raise ValueError("the namespaces need one root element")
    found: dict[str, str] = {}
    for element in top.iter():
        for prefix, uri in element.declared.items() if isinstance(element, XmlElement) else ():
            if prefix:
                found.setdefault(prefix, uri)
    return found


@procedure("sp_xml_removedocument")
def sp_xml_removedocument(call: ProcedureCall) -> Work:
    """Forget a document. Raises 8179 for an unknown handle."""
    (handle,) = call.values(required=1)
    documents: dict[int, Any] = call.session.context_values.get(DOCUMENTS, {})
    if handle not in documents:
        raise sql_error(8179, handle)
    del documents[handle]
    return 0
    yield
