"""FOR XML in DuckDB: the text of each row is made there, or of all rows where none has an element, and joined.

Decides which clauses are such: PATH('') of texts and whole numbers; PATH, RAW and AUTO of one table whose columns are
elements and attributes of the row, without namespaces. What they are called is `documents.for_xml_path` and
`for_xml_rows`; what the escapes are `for_xml_parts`, which writes rows with control characters or halves of pairs, and
of xml values those with an element that is empty or blank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from sbql.catalog.duck_types import quote_literal
from sbql.catalog.parallelism import AS_FOUND
from sbql.catalog.stored_text import FIRST_RESERVED, LAST_RESERVED
from sbql.engine.documents.for_xml_checks import as_xml
from sbql.engine.documents.for_xml_names import encode_name
from sbql.engine.documents.for_xml_parts import XmlColumn, XmlOptions, escape_text, text_style
from sbql.engine.documents.for_xml_rows import levels_of
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call, convert
from sbql.engine.query.few_rows import has_few_rows
from sbql.engine.query.registered import whole_type
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.kinds import kind

__all__ = ["joined_rows"]

RowRender = Callable[[list[tuple[Any, ...]]], str | None]
"""The text of rows, as Python makes it."""

_TEXTS: Final = frozenset({"", "*", "text()", "node()"})
_ODD: Final = rf"[\x00-\x08\x0b-\x1f\x{{{FIRST_RESERVED:X}}}-\x{{{LAST_RESERVED:X}}}]"
"""A control character that XML refers to, or half of a pair, which may meet the other one, as a regular expression."""
_ODD_ATTRIBUTE: Final = rf"[\x00-\x1f\x{{{FIRST_RESERVED:X}}}-\x{{{LAST_RESERVED:X}}}]"
_BLANK: Final = r">[ \t\n]+<|<([^/<>]|[^/<>][^<>]*[^/<>])></"
"""Blanks between two tags, or an element that is empty and is not written as one tag."""
_NAMED: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))


def joined_rows(
    columns: Sequence[XmlColumn], options: XmlOptions, rows: str, order: str, alias: str, cx: Context,
    of_row: Callable[[XmlOptions], RowRender],
) -> str | None:  # fmt: skip
    """The query for the text of `rows`, whose columns are c1, c2 …; None for other clauses, and for few rows, of which
    Python's text is bound faster. `of_row`: what makes the text of a row by these options, as a value of the result."""
    if cx.statement.is_in_window or has_few_rows(cx) or options.source is None:
        return None
    if _has_texts_alone(options):
        return _joined_values(columns, options, rows, order, alias, cx)
    shape = _shape(columns, options)
    return None if shape is None else _joined_elements(columns, options, shape, rows, order, alias, cx, of_row)


def _joined_values(
    columns: Sequence[XmlColumn], options: XmlOptions, rows: str, order: str, alias: str, cx: Context
) -> str | None:
    names = [column.name for column in columns]
    if not (_TEXTS.issuperset(names) or names == ["data()"]) or any(
        kind(column.type) not in ("string", "int") for column in columns
    ):
        return None
    values = [
        f"{alias}.c{i}" if kind(column.type) == "string" else f"CAST({alias}.c{i} AS VARCHAR)"
        for i, column in enumerate(columns, 1)
    ]
    value = values[0] if len(values) == 1 else f"concat({', '.join(values)})"
    between = quote_literal(" " if names == ["data()"] else "")
    values_joined = f"array_to_string(list({value}{order or AS_FOUND}), {between})"  # NULL where all of them are
    joined = f"SELECT coalesce({values_joined}, CASE WHEN count(*) > 0 THEN '' END) AS t FROM ({rows}) AS {alias}"
    text = f"{alias}.t"
    make = _typed_text if options.is_typed else escape_text
    python = call("xml_text", make.__name__, make, [Typed(text, NVARCHAR_MAX)], NVARCHAR_MAX, cx, is_pure=True)
    escaped = text
    for sign, name in _NAMED:
        escaped = f"replace({escaped}, '{sign}', '{name}')"
    odd = rf"{_ODD}|^[ \t\n]*$" if options.is_typed else _ODD
    chosen = f"CASE WHEN regexp_matches({text}, '{odd}') THEN {python} ELSE {escaped} END"
    return f"SELECT {chosen} AS c1 FROM ({joined}) AS {alias}"


def _typed_text(text: str) -> str:
    """As a value of xml. Raises 6841."""
    return as_xml(escape_text(text))


def _has_texts_alone(options: XmlOptions) -> bool:
    return (
        (options.mode, options.element) == ("PATH", "")
        and options.root is None
        and not (options.elements or options.namespaces)
    )


# --- rows of elements and attributes -----------------------------------------------------------------------


class _Shape(NamedTuple):
    """What the element of a row is called, and what becomes of each column: an attribute or element of this name, or
    content of the row's own ("")."""

    element: str
    members: list[tuple[bool, str]]


_KINDS: Final = frozenset(
    {"string", "int", "bit", "decimal", "money", "float", "date", "time", "datetime", "datetime2", "guid", "xml"}
)


def _shape(columns: Sequence[XmlColumn], options: XmlOptions) -> _Shape | None:
    if options.namespaces or options.with_nil or options.schema is not None or options.element == "":
        return None
    if any(kind(column.type) not in _KINDS or column.type.name == "real" for column in columns):
        return None
    if options.mode == "PATH":
        return _path_shape(columns, options.element or "row")
    name = options.element or "row"
    if options.mode == "AUTO":
        found = levels_of([column.owner for column in columns], options.source)
        if found is None or len(found[0]) != 1:
            return None
        name = encode_name(found[0][0])
    elif options.mode != "RAW":
        return None
    members = [
        (not options.elements and column.type.name != "xml" and bool(column.name), encode_name(column.name))
        for column in columns
    ]
    return _Shape(name, members)


def _path_shape(columns: Sequence[XmlColumn], element: str) -> _Shape | None:
    members: list[tuple[bool, str]] = []
    for column in columns:
        name = "" if column.name == "*" else column.name
        if "/" in name or "(" in name or name.startswith("processing-instruction"):
            return None
        member = (True, name[1:]) if name.startswith("@") and len(name) > 1 else (False, name)
        if members and name and members[-1] == member:
            return None  # neighbours of one name share an element
        members.append(member)
    return _Shape(element, members)


def _joined_elements(
    columns: Sequence[XmlColumn], options: XmlOptions, shape: _Shape, rows: str, order: str, alias: str, cx: Context,
    of_row: Callable[[XmlOptions], RowRender],
) -> str:  # fmt: skip
    values = [Typed(f"{alias}.c{i}", column.type) for i, column in enumerate(columns, 1)]
    made = f"SELECT *, {_row_text(columns, shape, values, cx)} AS x FROM ({rows}) AS {alias}"
    text, odd = f"{alias}.x", _odd(columns, options, shape)
    if odd is not None:
        bare = msgspec.structs.replace(options, root=None)
        render = of_row(bare)
        what = (bare, [(column.name, column.owner, whole_type(column.type)) for column in columns])
        python = call("xml_row", what, lambda *row: render([row]), values, NVARCHAR_MAX, cx, is_pure=True)
        text = f"CASE WHEN regexp_matches({text}, '{odd}') THEN {python} ELSE {text} END"
    joined = f"array_to_string(list({text}{order or AS_FOUND}), '')"
    if options.root is not None:
        joined = f"{quote_literal(f'<{options.root}>')} || {joined} || {quote_literal(f'</{options.root}>')}"
    return f"SELECT {joined} AS c1 FROM ({made}) AS {alias}"


def _row_text(columns: Sequence[XmlColumn], shape: _Shape, values: Sequence[Typed], cx: Context) -> str:
    """An element for each row. DuckDB's concat passes over NULL, which || is with a value that is missing."""
    attributes, contents, has_content = [f"'<{shape.element}'"], [], False
    for column, (is_attribute, name), value in zip(columns, shape.members, values, strict=True):
        text = _escaped(value, cx, is_attribute=is_attribute)
        if is_attribute:
            attributes.append(f"""' {name}="' || {text} || '"'""")
        else:
            contents.append(f"'<{name}>' || {text} || '</{name}>'" if name else text)
            has_content = has_content or not column.nullable
    before = ", ".join(attributes)
    whole = f"concat({before}, '>', {', '.join(contents)}, '</{shape.element}>')"
    if has_content:
        return whole
    empty = f"concat({before}, '/>')"
    return f"CASE WHEN coalesce({', '.join(contents)}) IS NULL THEN {empty} ELSE {whole} END" if contents else empty


def _escaped(value: Typed, cx: Context, *, is_attribute: bool) -> str:
    if kind(value.type) == "xml":
        return value.sql
    if kind(value.type) != "string":
        return convert(value, NVARCHAR_MAX, cx, explicit=True, style=text_style(value.type)).sql
    text = value.sql
    for sign, name in (*_NAMED, *((('"', "&quot;"),) if is_attribute else ())):
        text = f"replace({text}, '{sign}', '{name}')"
    return text


def _odd(columns: Sequence[XmlColumn], options: XmlOptions, shape: _Shape) -> str | None:
    """Of which rows Python makes the text, as a regular expression; None for no row."""
    texts = [
        is_attribute
        for column, (is_attribute, _) in zip(columns, shape.members, strict=True)
        if kind(column.type) in ("string", "xml")
    ]
    if not texts:
        return None
    signs = _ODD_ATTRIBUTE if any(texts) else _ODD
    return f"{signs}|{_BLANK}" if options.is_typed else signs
