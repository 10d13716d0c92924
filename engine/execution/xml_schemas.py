"""XML schema collections: checking their documents, and validating message bodies against them.

xmlschema is imported when the first schema is used. Compiled schemas are kept by their documents' text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from sbql.catalog.records import XmlSchemaCollection
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.grammar.errors import sql_error
from sbql.grammar.values.binary import decode_xml_bytes

__all__ = ["BodyValidator", "check_schema_documents", "validation_problem"]

_DOCUMENT = re.compile(r"<(?P<prefix>[\w.-]+:)?schema\b.*?</(?P=prefix)schema\s*>|<schema\b.*?</schema\s*>", re.DOTALL)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def check_schema_documents(text: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """The documents of a collection after adding those of `text` to `known`. Raises 2378 for what is no schema."""
    if text is None:
        raise sql_error(2378, "NULL")
    documents = tuple(m.group(0) for m in _DOCUMENT.finditer(_DECLARATION.sub("", text)))
    if not documents:
        raise sql_error(2378, text[:40])
    together = known + documents
    _compiled(together)
    return together


@lru_cache(maxsize=64)
def _compiled(documents: tuple[str, ...]) -> Any:
    """All documents as one schema set: each target namespace with its own schema. Raises 2378 for an invalid one."""
    import xmlschema

    try:
        schemas = [xmlschema.XMLSchema(document, allow="none", validation="strict") for document in documents[:1]]
        for document in documents[1:]:
            schemas.append(xmlschema.XMLSchema(document, allow="none", validation="strict"))
    except (xmlschema.XMLSchemaException, SyntaxError, ValueError) as problem:
        raise sql_error(2378, str(problem).splitlines()[0]) from None
    return schemas


def validation_problem(documents: tuple[str, ...], text: str) -> str | None:
    """Why `text` is not valid against any schema of the collection; None when it is valid."""
    import xmlschema

    problem = None
    for schema in _compiled(documents):
        try:
            schema.validate(_DECLARATION.sub("", text))
        except (xmlschema.XMLSchemaException, SyntaxError, ValueError) as error:
            reason = getattr(error, "reason", None) or str(error)
            problem = problem or str(reason).splitlines()[0]
        else:
            return None
    return problem or "the schema collection is empty"


class BodyValidator:
    """The broker's XmlValidator: looks the collection up in the snapshot that `catalog()` gives."""

    def __init__(self, catalog: Any) -> None:
        self._catalog = catalog

    def __call__(self, database_id: int, xml_collection_id: int, body: bytes) -> str | None:
        snapshot: CatalogSnapshot = self._catalog()
        collection = snapshot.get(XmlSchemaCollection, database_id, xml_collection_id)
        if collection is None:
            return "the XML schema collection is gone"
        try:
            text = decode_xml_bytes(body)
        except ValueError as problem:
            return str(problem)
        return validation_problem(collection.documents, text)
