"""Values of typed xml as SQL Server keeps them: canonical forms of simple types, and the default values of schemas.

Decides the canonical texts, where defaults are added, and 6937 (a canonical form that its own pattern forbids). The xml
must be valid. Dates and times stay as they are written but for blanks around them.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from sbql.engine.documents.xquery.items import decimal_text, double_text
from sbql.grammar.errors import sql_error
from sbql.grammar.values.xml_tree import inner_text, parse_tree

__all__ = ["canonical_text"]

_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"


def canonical_text(schema: Any, text: str) -> str:
    """`text`, which is valid against the schema, with canonical values and defaults."""
    wrapper = parse_tree(text)
    keeper = _Keeper(schema)
    for top in wrapper:
        if isinstance(top.tag, str):
            keeper.element(top, schema.maps.elements.get(top.tag))
    return inner_text(wrapper) if keeper.has_changed else text


class _Keeper:
    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self.has_changed = False

    def element(self, element: Any, declared: Any) -> None:
        """`declared` is the element's declaration; None where a wildcard lets it pass without one."""
        kind = self._cast(element) or (declared.type if declared is not None else None)
        if kind is None:
            return
        for name, attribute in (getattr(kind, "attributes", None) or {}).items():
            if name is not None:
                self._attribute(element, name, attribute)
        if element.attrib.get(_XSI + "nil", "").strip() in ("true", "1"):
            return
        if kind.is_simple() or kind.has_simple_content():
            self._content(element, kind if kind.is_simple() else kind.content, declared)
            return
        if kind.mixed and not len(element) and not element.text:
            element.text = self._default(declared)
        for child in element:
            if isinstance(child.tag, str):
                self.element(child, self._declaration(kind.content, child.tag))

    def _cast(self, element: Any) -> Any:
        """The type that xsi:type names."""
        named = element.attrib.get(_XSI + "type")
        if named is None:
            return None
        prefix, _, local = named.strip().rpartition(":")
        namespace = element.scope.get(prefix, "")
        return self._schema.maps.types.get(f"{{{namespace}}}{local}" if namespace else local)

    def _declaration(self, group: Any, name: str) -> Any:
        for particle in group.iter_elements():
            if getattr(particle, "process_contents", None) is not None:
                if particle.process_contents != "skip" and particle.is_matching(name):
                    return self._schema.maps.elements.get(name)
            elif particle.name == name:
                return particle
            else:
                for other in particle.iter_substitutes():
                    if other.name == name:
                        return other
        return None

    def _default(self, declaration: Any) -> str | None:
        value = (
            None if declaration is None else declaration.fixed if declaration.fixed is not None else declaration.default
        )
        self.has_changed |= bool(value)
        return value

    def _attribute(self, element: Any, name: str, attribute: Any) -> None:
        value = element.attrib.get(name)
        if value is None:
            if attribute.use == "prohibited":
                return
            value = self._default(attribute)
            if value is None:
                return
            self.has_changed = True
            element.attribute_names[name] = _written(element, name)
        element.attrib[name] = self._value(attribute.type, value)

    def _content(self, element: Any, kind: Any, declaration: Any) -> None:
        if any(not isinstance(child.tag, str) for child in element):
            return  # comments and instructions split the value
        value = element.text or self._default(declaration)
        if value:
            element.text = self._value(kind, value)

    def _value(self, kind: Any, value: str) -> str:
        found = _canonical(kind, value)
        if found != value:
            self.has_changed = True
            if not kind.is_valid(found):
                raise sql_error(6937, found)
        return found


def _written(element: Any, name: str) -> str:
    """The qualified name of an attribute that is added."""
    if not name.startswith("{"):
        return name
    namespace, _, local = name[1:].partition("}")
    for prefix, uri in element.scope.items():
        if prefix and uri == namespace:
            return f"{prefix}:{local}"
    number = 1
    while f"p{number}" in element.scope:
        number += 1
    element.declared = {**element.declared, f"p{number}": namespace}
    element.scope = {**element.scope, f"p{number}": namespace}
    return f"p{number}:{local}"


def _canonical(kind: Any, value: str) -> str:
    members = getattr(kind, "member_types", None)
    if members:
        for member in members:
            if member.is_valid(value):
                return _canonical(member, value)
        return value
    item = getattr(kind, "item_type", None)
    if item is not None:
        return " ".join(_canonical(item, part) for part in value.split())
    base = getattr(kind, "primitive_type", None)
    value = _blanks(kind, value)
    match base.local_name if base is not None else "":
        case "decimal":
            return _decimal(value)
        case "float" | "double":
            return _double(value)
        case "boolean":
            return {"1": "true", "0": "false"}.get(value, value)
        case "hexBinary":
            return value.upper()
        case "base64Binary":
            return re.sub(r"\s", "", value)
    return value


def _blanks(kind: Any, value: str) -> str:
    if kind.white_space == "collapse":
        return " ".join(value.split())
    return re.sub(r"[\t\n\r]", " ", value) if kind.white_space == "replace" else value


def _decimal(value: str) -> str:
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    return decimal_text(number) if number else "0"


def _double(value: str) -> str:
    try:
        number = float(value.replace("INF", "inf"))
    except ValueError:
        return value
    return double_text(number, repr(number))
