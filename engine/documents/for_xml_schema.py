"""FOR XML … XMLSCHEMA: the inline XSD of a document (docs: "Generate an Inline XSD Schema").

Decides the declarations of rows, tables and columns, and what each type is called in the namespace of SQL Server's
types. It must not know rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sbql.engine.documents.for_xml_names import encode_name
from sbql.engine.documents.for_xml_parts import XmlColumn, XmlOptions, escape_attribute
from sbql.engine.documents.for_xml_rows import levels_of
from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION, MAX, SqlType
from sbql.grammar.values.kinds import kind

__all__ = ["inline_schema"]

_TYPES = "http://schemas.microsoft.com/sqlserver/2004/sqltypes"
_NUMBERED = "urn:schemas-microsoft-com:sql:SqlRowSet"
_RESERVED = ("http://www.w3.org/2001/XMLSchema", "http://www.w3.org/2001/XMLSchema-instance", _TYPES)
_NAMES = {"rowversion": "timestamp", "sysname": "nvarchar"}


def inline_schema(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[int], tuple[str, str]]:
    """A function from the number of the schema to its text and target namespace. Raises 6840, 6844, 6845, 6847, 6866,
    and 40517 for columns that have schemas of their own."""
    if options.schema in _RESERVED:
        raise sql_error(6866)
    for column in columns:
        if ":" in column.name:
            raise sql_error(6840, column.name)
        if column.type.name == "sql_variant" and not options.elements:
            raise sql_error(6847, column.name)
        if column.type.collection is not None:
            raise sql_error(40517, "FOR XML … XMLSCHEMA with columns of typed xml")
    is_auto = options.mode == "AUTO"
    if is_auto:
        found = levels_of([column.owner for column in columns], options.source)
        assert found is not None, "AUTO was checked before"
        levels, level_of = found
    else:
        levels, level_of = ["row" if options.element is None else options.element], [0] * len(columns)
    names = [encode_name(level) if is_auto else level for level in levels]
    body = "".join(
        _entity(names, at, [c for c, level in zip(columns, level_of, strict=True) if level == at], options)
        for at in range(len(levels))
    )

    def schema(number: int) -> tuple[str, str]:
        target = options.schema or f"{_NUMBERED}{number}"
        own = f' xmlns:schema="{escape_attribute(target)}"' if is_auto else ""
        return (
            f'<xsd:schema targetNamespace="{escape_attribute(target)}"{own} xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
            f' xmlns:sqltypes="{_TYPES}" elementFormDefault="qualified"><xsd:import namespace="{_TYPES}"'
            f' schemaLocation="{_TYPES}/sqltypes.xsd"/>{body}</xsd:schema>'
        ), target

    return schema


def _entity(names: Sequence[str], level: int, columns: Sequence[XmlColumn], options: XmlOptions) -> str:
    """The global declaration of the element of a row or a table."""
    parts, attributes = [], []
    for column in columns:
        if options.elements or column.type.name == "xml":
            parts.append(column)
        else:
            attributes.append(_declared("attribute", column, ' use="required"' if not column.nullable else ""))
    inner = _elements(parts, options)
    if level + 1 < len(names):
        inner += f'<xsd:element ref="schema:{names[level + 1]}" minOccurs="0" maxOccurs="unbounded"/>'
    sequence = f"<xsd:sequence>{inner}</xsd:sequence>" if inner else ""
    content = f"<xsd:complexType>{sequence}{''.join(attributes)}</xsd:complexType>"
    return f'<xsd:element name="{names[level]}">{content}</xsd:element>'


def _elements(columns: Sequence[XmlColumn], options: XmlOptions) -> str:
    """The child elements. Neighbours that have one name and type, and may both be missing, are one declaration. Raises
    6844, 6845."""
    groups: list[list[XmlColumn]] = []
    for column in columns:
        same = [group for group in groups if group[0].name == column.name]
        if same and groups[-1][0].name == column.name and not options.with_nil:
            if str(same[-1][0].type) == str(column.type) and column.nullable and same[-1][0].nullable:
                groups[-1].append(column)
                continue
        for group in same:
            if str(group[0].type) != str(column.type):
                raise sql_error(6844, column.name)
            if not options.with_nil and column.nullable and group[0].nullable:
                raise sql_error(6845, column.name)
        groups.append([column])
    parts = []
    for group in groups:
        extra = ' nillable="1"' if options.with_nil else ' minOccurs="0"' if group[0].nullable else ""
        extra += f' maxOccurs="{len(group)}"' if len(group) > 1 else ""
        parts.append(_declared("element", group[0], extra))
    return "".join(parts)


def _declared(what: str, column: XmlColumn, extra: str) -> str:
    name = encode_name(column.name)
    if column.type.name == "xml":
        anything = '<xsd:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>'
        content = f'<xsd:complexType mixed="true"><xsd:sequence>{anything}</xsd:sequence></xsd:complexType>'
        return f'<xsd:element name="{name}"{extra}>{content}</xsd:element>'
    base, facets = _restriction(column.type)
    if not facets and kind(column.type) != "string":
        return f'<xsd:{what} name="{name}" type="sqltypes:{base}"{extra}/>'
    restriction = f'<xsd:restriction base="sqltypes:{base}"{_collation(column.type)}>{facets}</xsd:restriction>'
    return f'<xsd:{what} name="{name}"{extra}><xsd:simpleType>{restriction}</xsd:simpleType></xsd:{what}>'


def _restriction(sql_type: SqlType) -> tuple[str, str]:
    """The name of a type and the facets of its size."""
    name = _NAMES.get(sql_type.name, sql_type.name)
    if sql_type.precision is not None and sql_type.name in ("decimal", "numeric"):
        return (
            name,
            f'<xsd:totalDigits value="{sql_type.precision}"/><xsd:fractionDigits value="{sql_type.scale or 0}"/>',
        )
    if sql_type.length is not None and sql_type.length != MAX and kind(sql_type) in ("string", "binary"):
        return name, f'<xsd:maxLength value="{sql_type.length}"/>'
    return name, ""


def _collation(sql_type: SqlType) -> str:
    """The attributes of a text type. Of the sort orders of SQL Server's own collations the default one's is known."""
    if kind(sql_type) != "string":
        return ""
    name = (sql_type.collation or DATABASE_DEFAULT_COLLATION).upper()
    parts = name.split("_")
    if parts[-1] in ("BIN", "BIN2"):
        options = "BinarySort"
    else:
        flags = (("CI" in parts, "IgnoreCase"), ("AI" in parts, "IgnoreNonSpace"), ("KS" not in parts, "IgnoreKanaType"),
                 ("WS" not in parts, "IgnoreWidth"))  # fmt: skip
        options = " ".join(word for is_set, word in flags if is_set)
    order = ' sqltypes:sqlSortId="52"' if name == DATABASE_DEFAULT_COLLATION.upper() else ""
    return f' sqltypes:localeId="1033" sqltypes:sqlCompareOptions="{options}"{order}'
