"""The schema documents of an XML schema collection: what they may not hold, and the compiled schema of all of them.

Decides which of 2293, 2302, 2307, 2308, 2378, 2391, 6310, 6361, 6916 and 9336 a document gets. xmlschema is imported
when the first schema is used. Compiled schemas are kept by their documents' text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.xml_text import parse_xml
from sbql.grammar.values.xml_tree import element_text, parse_tree, target_namespace

__all__ = ["check_schema_documents", "compiled"]

_XSD = "{http://www.w3.org/2001/XMLSchema}"
_UNSUPPORTED = {"key": 9336, "keyref": 9336, "unique": 9336, "include": 9336, "redefine": 2391}
# Components of one kind share their names; the types have one set of names.
_KINDS = {
    "element": "element", "attribute": "attribute", "simpleType": "type", "complexType": "type",
    "group": "model group", "attributeGroup": "attribute group",
}  # fmt: skip
_UNDEFINED = re.compile(r"unknown (?:\w+ )*?(?:type|element|attribute|group) '([^']*)'")


def check_schema_documents(text: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """The documents of a collection after adding those of `text` to `known`. Raises
    94xx for a text that is no XML, too."""
    if text is None:
        raise sql_error(6361)
    documents = _documents(text)
    there = {component for document in known for component in _components(document)}
    new: set[tuple[str, str, str]] = set()
    for document in documents:
        _check_supported(document)
        for component in _components(document):
            if component in there:
                raise sql_error(6310, component[0], component[2], component[1])
            if component in new:
                raise sql_error(2302, component[2])
            new.add(component)
    together = known + documents
    compiled(together)
    return together


def _documents(text: str) -> tuple[str, ...]:
    """What stands in it side by side: schema elements, between them white space, comments and instructions."""
    top = parse_tree(parse_xml(text, preserve=True))
    said = ((top.text or "") + "".join(child.tail or "" for child in top)).strip()
    elements = [child for child in top if isinstance(child.tag, str)]
    strange = [element_text(child) for child in elements if child.tag != _XSD + "schema"]
    if said or strange or not elements:
        raise sql_error(2378, (said or "".join(strange))[:40])
    return tuple(map(element_text, elements))


def _components(document: str) -> Iterator[tuple[str, str, str]]:
    """Namespace, kind and name of each global component."""
    target = target_namespace(document)
    for child in parse_tree(document)[0]:
        kind = _KINDS.get(str(child.tag).removeprefix(_XSD))
        if kind is not None and "name" in child.attrib:
            yield target, kind, child.attrib["name"]


def _check_supported(document: str) -> None:
    for element in parse_tree(document)[0].iter():
        name = element.tag.removeprefix(_XSD) if isinstance(element.tag, str) else ""
        if name in _UNSUPPORTED and element.tag.startswith(_XSD):
            raise sql_error(_UNSUPPORTED[name], name)
        if name == "choice" and element.attrib.get("minOccurs") != "0":
            if not any(isinstance(child.tag, str) and child.tag != _XSD + "annotation" for child in element):
                raise sql_error(2293)


@lru_cache(maxsize=64)
def compiled(documents: tuple[str, ...]) -> Any:
    """All documents as one schema: they may import each other's namespaces. Raises 2307, 2308, 2378."""
    import xmlschema

    try:
        found = xmlschema.XMLSchema(list(documents), allow="none", validation="strict")
    except (xmlschema.XMLSchemaException, SyntaxError, ValueError, OverflowError) as problem:
        raise _refused(problem) from None
    _bound_patterns(found)
    return found


def _bound_patterns(schema: Any) -> None:
    """The pattern facets match by XsdPattern. Raises 2378."""
    from xmlschema.validators import XsdPatternFacets

    from sbql.engine.documents.xsd_patterns import XsdPattern

    for component in schema.iter_components():
        for facet in (getattr(component, "facets", None) or {}).values():
            if isinstance(facet, XsdPatternFacets):
                facet.patterns = [XsdPattern(element.attrib["value"]) for element in facet]


def _owner_name(component: Any) -> str:
    """The name of the nearest component with a name around a part of a schema."""
    while component is not None and not getattr(component, "local_name", None):
        component = getattr(component, "parent", None)
    return str(component.local_name) if component is not None else ""


def _refused(problem: Exception) -> SqlError:
    reason = str(problem).splitlines()[0]
    if "Unique Particle Attribution" in reason:
        group = getattr(problem, "validator", None)
        return sql_error(6916, _owner_name(group))
    undefined = _UNDEFINED.search(reason)
    if undefined is None:
        return sql_error(2378, reason)
    name = undefined[1]
    if name.startswith("{"):
        namespace, _, local = name[1:].partition("}")
        return sql_error(2307, local, namespace)
    prefix, _, local = name.rpartition(":")
    namespace = (getattr(problem, "namespaces", None) or {}).get(prefix) or ""
    if not namespace and prefix:
        schema = getattr(getattr(problem, "validator", None), "schema", None)
        namespace = getattr(schema, "namespaces", {}).get(prefix, "")
    return sql_error(2307, local, namespace) if namespace else sql_error(2308, local)
