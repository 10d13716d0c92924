"""XML_SCHEMA_NAMESPACE (documentation: "xml_schema_namespace (Transact-SQL)")."""

from __future__ import annotations

from sbql.engine.documents.xml_schemas import collection_named, namespaces_of
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.grammar.ast import Identifier, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX, SYSNAME, XML
from sbql.grammar.values.xml_text import parse_xml


@function("XML_SCHEMA_NAMESPACE", XML, [SYSNAME, SYSNAME, NVARCHAR_MAX], optional=1, needs_frame=True)
def _xml_schema_namespace(frame: Frame, schema: str, name: str, namespace: str | None = None) -> str:
    """The documents of a collection, or those of one target namespace. Raises 6353 for sys.sys, 6314, 6312."""
    if (schema.lower(), name.lower()) == ("sys", "sys"):
        raise sql_error(6353)
    found = collection_named(frame.session, ObjectName((Identifier(schema), Identifier(name))))
    if found is None:
        raise sql_error(6314, f"{schema}.{name}")
    chosen = [text for target, text in namespaces_of(found) if namespace is None or target == namespace]
    if not chosen:
        raise sql_error(6312, namespace, f"{schema}.{name}")
    return "".join(parse_xml(text) for text in chosen)
