"""FOR XML RAW and AUTO: an element for each row, or one for each table of the query.

Decides the levels of AUTO, which rows share an element there, and the URLs of binary values (docs: "Use RAW Mode with
FOR XML", "Use AUTO Mode with FOR XML"). Names and values are written as for_xml_names.py and for_xml_parts.py say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sbql.engine.documents.for_xml_names import check_prefix, encode_name
from sbql.engine.documents.for_xml_parts import (
    Build,
    Element,
    Rows,
    XmlColumn,
    XmlOptions,
    escape_attribute,
    escape_text,
    nil,
    value_text,
    without_default_namespace,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.kinds import kind

__all__ = ["auto_mode", "levels_of", "raw_mode"]

Put = Callable[[Element, Any], None]
_NOT_COMPARED = ("xml", "text", "ntext", "image")


def _putter(column: XmlColumn, options: XmlOptions) -> Put:
    """How one value goes into the element of its row or table: as an attribute, or as a child element."""
    text = value_text(column.type)
    is_xml = column.type.name == "xml"
    if is_xml and options.has_default_namespace:
        text = without_default_namespace
    if not column.name:
        if is_xml:
            return lambda element, value: None if value is None else element.children.append(text(value))
        raise sql_error(6809)
    if options.namespaces:
        check_prefix(column.name, "column", column.name, options.namespaces, has_nil=options.with_nil)
    name = encode_name(column.name)
    if not options.elements and not is_xml:

        def put_attribute(element: Element, value: Any) -> None:
            if value is not None:
                element.attributes.append((name, escape_attribute(text(value))))

        return put_attribute

    def put_element(element: Element, value: Any) -> None:
        if value is not None:
            element.children.append(Element(name, [], [text(value) if is_xml else escape_text(text(value))]))
        elif options.with_nil:
            element.children.append(nil(name))

    return put_element


def _check_repeated(columns: Sequence[XmlColumn], options: XmlOptions) -> None:
    """Attributes of one element have different names. Raises 6810."""
    seen: set[str] = set()
    for column in columns:
        if options.elements or column.type.name == "xml" or not column.name:
            continue
        if column.name in seen:
            raise sql_error(6810, column.name)
        seen.add(column.name)


def raw_mode(columns: Sequence[XmlColumn], options: XmlOptions) -> Build:
    """Raises 6809, 6810, 6829, 6864."""
    if options.element == "" and not options.elements:
        raise sql_error(6864)
    row_name = "row" if options.element is None else options.element
    for column in columns:
        if kind(column.type) == "binary" and not options.binary_base64:
            raise sql_error(6829, column.name)
    putters = [_putter(column, options) for column in columns]
    _check_repeated(columns, options)

    def build(rows: Rows) -> Iterable[Element]:
        for row in checked(rows):
            element = Element(row_name)
            for put, value in zip(putters, row, strict=True):
                put(element, value)
            yield element

    return build


# --- AUTO --------------------------------------------------------------------------------------------------


def levels_of(owners: Sequence[str], source: str | None) -> tuple[list[str], list[int]] | None:
    """The tables in the order in which the select list first names them, and the level of each column: an expression
    belongs to the level before it. Without any column of a table all belong to `source`; None without that too."""
    levels: list[str] = []
    level_of: list[int] = []
    for owner in owners:
        if owner and owner not in levels:
            levels.append(owner)
        level_of.append(levels.index(owner) if owner else max(len(levels) - 1, 0))
    if not levels:
        if source is None:
            return None
        levels.append(source)
    return levels, level_of


def auto_mode(columns: Sequence[XmlColumn], options: XmlOptions) -> Build:
    """Raises 6800, 6809, 6810, 6830 to 6832, 6846."""
    found = levels_of([column.owner for column in columns], options.source)
    if found is None:
        raise sql_error(6800)
    levels, level_of = found
    if any(not level for level in levels):
        raise sql_error(6809)
    for level in levels:
        if options.namespaces:
            check_prefix(level, "row", level, options.namespaces, has_nil=options.with_nil)
    names = [encode_name(level) for level in levels]
    putters = [_auto_putter(column, columns, options) for column in columns]
    members = [[i for i, at in enumerate(level_of) if at == level] for level in range(len(levels))]
    for own in members:
        _check_repeated([columns[i] for i in own], options)
    never_equal = [any(columns[i].type.name in _NOT_COMPARED for i in own) for own in members]

    def build(rows: Rows) -> Iterable[Element]:
        open_: list[Element] = []
        before: Sequence[Any] | None = None
        for row in checked(rows):
            same = 0
            if before is not None:
                while (
                    same < len(levels) - 1 and not never_equal[same] and all(row[i] == before[i] for i in members[same])
                ):
                    same += 1
            if same == 0 and open_:
                yield open_[0]
            del open_[same:]
            for level in range(same, len(levels)):
                element = Element(names[level])
                for i in members[level]:
                    putters[i](element, row)
                if open_:
                    open_[-1].children.append(element)
                open_.append(element)
            before = row
        if open_:
            yield open_[0]

    return build


def _auto_putter(
    column: XmlColumn, columns: Sequence[XmlColumn], options: XmlOptions
) -> Callable[[Element, Any], None]:
    """As `_putter`, over the whole row: binary values are URLs that name the row by its primary key."""
    place = next(i for i, other in enumerate(columns) if other is column)
    if kind(column.type) != "binary" or options.binary_base64:
        put = _putter(column, options)
        return lambda element, row: put(element, row[place])
    url = _url(column, columns)
    name = encode_name(column.name)

    def put_url(element: Element, row: Sequence[Any]) -> None:
        if row[place] is None:
            if options.with_nil:
                element.children.append(nil(name))
        elif options.elements:
            element.children.append(Element(name, [], [escape_text(url(row))]))
        else:
            element.attributes.append((name, escape_attribute(url(row))))

    return put_url


def _url(column: XmlColumn, columns: Sequence[XmlColumn]) -> Callable[[Sequence[Any]], str]:
    """`dbobject/table[@key='1']/@column`. Raises 6830, 6831, 6832."""
    address = column.address
    if address is None:
        raise sql_error(6830, column.name)
    keys = []
    for name in address.key:
        place = next((i for i, c in enumerate(columns) if c.owner == column.owner and c.base == name), None)
        if place is None:
            break
        keys.append((encode_name(name), place, value_text(columns[place].type)))
    if len(keys) < len(address.key) or not keys:
        raise sql_error(6831, column.name)
    if any(kind(columns[place].type) == "binary" for _, place, _ in keys):
        raise sql_error(6832)
    table, own = encode_name(address.table), encode_name(column.base)

    def url(row: Sequence[Any]) -> str:
        terms = "%20and%20".join(f"@{name}='{text(row[place])}'" for name, place, text in keys)
        return f"dbobject/{table}[{terms}]/@{own}"

    return url
