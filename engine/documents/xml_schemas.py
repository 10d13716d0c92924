"""XML schema collections: validating xml values and message bodies against them.

Decides which of the errors 69xx a fault is and how its location is written. How a type names its collection is
`grammar/values/typed_xml.py`; the schemas are compiled by `xml_schema_documents.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from sbql.catalog.records import XmlSchemaCollection
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.documents.xml_canonical import canonical_text
from sbql.engine.documents.xml_schema_documents import compiled
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import TYPES
from sbql.engine.security.resolver import database_of, schema_of
from sbql.grammar.ast import ObjectName
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.typed_xml import collection_key, register_check
from sbql.grammar.values.xml_encoding import decode_xml_bytes
from sbql.grammar.values.xml_tree import parse_tree, target_namespace

__all__ = ["bound_type", "collection_named", "fault_of", "fault_of_body", "namespaces_of", "use_collections"]

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_STEP = re.compile(r"(@?)(?:[\w.-]+:|\{[^}]*\})?([^\[]+)(\[\d+\])?")


# --- faults ------------------------------------------------------------------------------------------------


def fault_of(documents: tuple[str, ...], text: str, *, is_document: bool = False) -> SqlError | None:
    """Why `text` is not valid against the collection; None when it is. Its top may hold several elements unless
    `is_document`."""
    wrapper = parse_tree(_DECLARATION.sub("", text))
    tops = [child for child in wrapper if isinstance(child.tag, str)]
    has_text = bool((wrapper.text or "").strip()) or any((child.tail or "").strip() for child in wrapper)
    if is_document and (len(tops) != 1 or has_text):
        return sql_error(6901)
    if has_text:
        return sql_error(6909, "/")
    for top in tops:
        for error in _errors(documents, top):
            return _fault(error)
    return None


def _errors(documents: tuple[str, ...], element: Any) -> Iterator[Any]:
    import xmlschema

    tail, element.tail = element.tail, None
    try:
        yield from compiled(documents).iter_errors(element, namespaces={p or "": u for p, u in element.scope.items()})
    except xmlschema.XMLSchemaValidationError as error:
        yield error
    finally:
        element.tail = tail


def _location(path: str | None, attribute: str = "") -> str:
    """`/*:r[1]/*:a[2]`, as SQL Server writes places."""
    parts = []
    for step in (path or "/").strip("/").split("/"):
        found = _STEP.fullmatch(step)
        if found is not None:
            parts.append(f"{found[1]}*:{found[2]}{'' if found[1] else found[3] or '[1]'}")
    return "/" + "/".join(parts) + (f"/@*:{attribute}" if attribute else "")


def _local(name: Any) -> str:
    return str(name).rpartition("}")[2]


def _quoted(reason: str) -> str:
    found = re.search(r"'([^']*)'", reason)
    return found[1] if found is not None else reason


def _fault(error: Any) -> SqlError:
    """The number of xmlschema's error, by what it says."""
    import xmlschema

    reason, place = str(error.reason or ""), _location(error.path)
    if isinstance(error, xmlschema.XMLSchemaChildrenValidationError):
        expected = ", ".join(
            str(getattr(e, "local_name", None) or _local(getattr(e, "name", e))) for e in error.expected or []
        )
        found = error.invalid_tag
        if found is None:
            return sql_error(6908, expected or reason, place)
        at = f"{place}/*:{_local(found)}[1]"
        return sql_error(6965, expected, _local(found), at) if expected else sql_error(6923, _local(found), at)
    name = _quoted(reason)
    if "missing required attribute" in reason:
        return sql_error(6906, _local(name), place)
    if "attribute not allowed" in reason:
        return sql_error(6905, _local(name), _location(error.path, _local(name)))
    if "character data between child elements" in reason:
        return sql_error(6909, place)
    if "not an element of the schema" in reason:
        return sql_error(6913, name, place)
    if "simple content element can't have child" in reason:
        return sql_error(6912, _local(name) if "'" in reason else place.rpartition(":")[2].partition("[")[0], place)
    if "nillable" in reason or "xsi:nil" in reason:
        return sql_error(6917 if "nillable" in reason else 6918, place, place)
    if "fixed" in reason:
        return sql_error(6921, place.rpartition(":")[2].partition("[")[0], place)
    if "abstract" in reason:
        return sql_error(6919, name, place)
    if "xsi:type" in reason or "unknown type" in reason:
        return sql_error(6914, name, place)
    value = error.obj if isinstance(error.obj, str) else getattr(error.obj, "text", None) or reason
    return sql_error(6926, value, place)


# --- collections and types ---------------------------------------------------------------------------------


def collection_named(session: Session, name: ObjectName) -> XmlSchemaCollection | None:
    database = database_of(session, name)
    schema = schema_of(session, database, name)
    return session.catalog.find(XmlSchemaCollection, database.id, name.name, schema.id)


def typed_xml(session: Session, name: ObjectName, kind: str | None) -> SqlType:
    """The type that xml(CONTENT | DOCUMENT name) means. Raises 6314 for a collection that is not there."""
    found = collection_named(session, name)
    if found is None:
        raise sql_error(6314, str(name), span=name.span)
    return bound_type(found, is_document=kind == "DOCUMENT")


def bound_type(collection: XmlSchemaCollection, *, is_document: bool) -> SqlType:
    """The type xml(collection); its values are validated from now on."""
    key = collection_key(collection.id, collection.documents, is_document=is_document)
    register_check(key, _check(collection.documents, is_document))
    return SqlType("xml", collection=key)


def use_collections(collections: Iterator[XmlSchemaCollection]) -> None:
    """Make columns of stored types validate: their collections are in the catalog."""
    for collection in collections:
        for is_document in (False, True):
            bound_type(collection, is_document=is_document)


def _check(documents: tuple[str, ...], is_document: bool) -> Callable[[str], str]:
    def check(text: str) -> str:
        fault = fault_of(documents, text, is_document=is_document)
        if fault is not None:
            raise fault
        return canonical_text(compiled(documents), text)

    return check


def namespaces_of(collection: XmlSchemaCollection) -> list[tuple[str, str]]:
    """Each schema document with its target namespace ('' for none)."""
    return [(target_namespace(document), document) for document in collection.documents]


def fault_of_body(catalog: CatalogSnapshot, database_id: int, xml_collection_id: int, body: bytes) -> str | None:
    """The broker's XmlValidator."""
    collection = catalog.get(XmlSchemaCollection, database_id, xml_collection_id)
    if collection is None:
        return "the XML schema collection is gone"
    try:
        fault = fault_of(collection.documents, decode_xml_bytes(body))
    except (SqlError, ValueError) as problem:
        return str(problem)
    return fault.message if fault is not None else None


TYPES.add("xml", typed_xml)
