"""FOR XML and FOR JSON in SQL: the rows of a query are collected to a list and handed to the renderer as a registered
function.

Decides what a FOR clause's words mean and what the one result column is called and typed. The text itself is made by
`for_xml.py` and `for_json.py`, so that a FOR clause works in a subquery as at the top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from sbql.catalog.duck_types import decoder, duck_type
from sbql.catalog.parallelism import SERIAL
from sbql.catalog.stored_text import to_stored
from sbql.engine.documents import for_json
from sbql.engine.documents.for_xml import renderer
from sbql.engine.documents.for_xml_checks import as_xml, check_options
from sbql.engine.documents.for_xml_parts import Address, XmlColumn, XmlOptions
from sbql.engine.query.context import FOR_CLAUSES, Context
from sbql.engine.query.native_for_json import joined_objects
from sbql.engine.query.native_for_xml import joined_rows
from sbql.engine.query.queries import translate_query
from sbql.engine.query.query_text import OutputColumn, QueryText, settled
from sbql.engine.query.registered import packed, running_frame, whole_type
from sbql.engine.query.statement import unsupported
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import NVARCHAR_MAX, XML, SqlType
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.collation_precedence import IMPLICIT

XML_NAME = "XML_F52E2B61-18A1-11d1-B105-00805F49916B"
JSON_NAME = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B"

Render = Callable[[list[tuple[Any, ...]]], str | None]


def for_query(node: ast.QueryExpression, cx: Context) -> QueryText:
    """A query with its FOR clause: one row with one column. `cx` is a new context for it."""
    clause = node.for_
    assert clause is not None
    inner = translate_query(replace(node, for_=None), cx, keeps_order_apart=True)
    types = [settled(c.type) for c in inner.columns]
    try:
        render, what, result = _xml(clause, inner, node, cx) if clause.kind == "XML" else _json(clause, inner, node)
    except SqlError as error:
        raise _about_its_column(error, inner).at(clause.span) from None
    name = (
        JSON_NAME if clause.kind == "JSON" else "" if result == XML else XML_NAME
    )  # an xml value has no name of its own
    output = (OutputColumn(name, Typed("", result, True, IMPLICIT)),)
    if "XMLSCHEMA" not in dict(clause.options):  # inline schemas are numbered by whoever runs the query
        cx.statement.renders[id(node)] = render
    alias = cx.statement.alias("f")
    order = f" ORDER BY {', '.join(f'{alias}.{term}' for term in inner.order)}" if inner.order else ""
    options, columns = what
    if clause.kind == "JSON":
        native = joined_objects(columns, options, inner.sql, order, alias, cx)
    else:
        native = joined_rows(columns, options, inner.sql, order, alias, cx, partial(_xml_render, columns))
    if native is not None:
        return QueryText(native, output)
    ducks = [f"c{i} {duck_type(t)}" for i, t in enumerate(types, 1)]
    identity = (clause, what, [whole_type(t) for t in types])
    function = packed(_digest(clause.kind, identity), _over_columns(render, types), (_columns_type(ducks),), "VARCHAR")
    cx.statement.use_function(function)
    packs = ", ".join(f"c{i} := CAST({alias}.c{i} AS {duck_type(t)})" for i, t in enumerate(types, 1))
    collected = f"SELECT list(struct_pack({packs}){order}) AS l FROM ({inner.sql}) AS {alias}"
    lists = ", ".join(f"c{i} := list_transform(l, lambda r: r.c{i})" for i in range(1, len(types) + 1))
    sql = f"SELECT {function.name}(struct_pack({lists})) AS c1 FROM ({collected}) AS {alias}"
    return QueryText(sql, output)


def _about_its_column(error: SqlError, inner: QueryText) -> SqlError:
    """An error whose text names a column of the query is one about that column."""
    names = [column.name for column in inner.columns if column.name]
    named = next((one for one in error.arguments if one in names), None)
    return error if named is None else error.within(str(named))


def _digest(kind: str, identity: Any) -> str:
    import hashlib

    return f"{SERIAL}_for_{kind.lower()}_{hashlib.blake2b(repr(identity).encode(), digest_size=8).hexdigest()}"


def _columns_type(ducks: list[str]) -> str:
    """A list for each column: Python gets a few lists, where rows would be an object each, made in
    one call that nothing can cancel."""
    return f"STRUCT({', '.join(f'{duck}[]' for duck in ducks)})"


def _over_columns(render: Render, types: list[SqlType]) -> Callable[[Any], str | None]:
    """The renderer over what DuckDB hands out: a list for each column, or NULL for no rows."""
    odd = [(i, decode) for i, t in enumerate(types) if (decode := decoder(t)) is not None]

    def run(columns: dict[str, list[Any] | None]) -> str | None:
        lists = [column for column in columns.values() if column is not None]
        if not lists:
            return None
        values = list(checked(zip(*lists, strict=True)))
        if odd:
            values = [_decoded(row, odd) for row in checked(values)]
        text = render(values)
        return None if text is None else to_stored(text)

    return run


def _decoded(row: tuple[Any, ...], odd: list[tuple[int, Callable[[Any], Any]]]) -> tuple[Any, ...]:
    values = list(row)
    for i, decode in odd:
        if values[i] is not None:
            values[i] = decode(values[i])
    return tuple(values)


# --- FOR XML -----------------------------------------------------------------------------------------------


SCHEMAS = "inline schemas"


def _xml(
    clause: ast.ForClause, inner: QueryText, node: ast.QueryExpression, cx: Context
) -> tuple[Render, Any, SqlType]:
    words = dict(clause.options)
    if len(words) < len(clause.options):
        raise sql_error(102, "XML", span=clause.span)
    check_options(clause.mode, clause.element, words, cx.statement.namespaces)
    if "XMLDATA" in words:
        raise unsupported("FOR XML … XMLDATA", clause.span)
    elements = (words["ELEMENTS"] or "ABSENT").upper() if "ELEMENTS" in words else ""
    options = XmlOptions(
        mode=clause.mode,
        element=clause.element,
        root=(words["ROOT"] or "root") if "ROOT" in words else None,
        elements=elements,
        binary_base64="BINARY BASE64" in words,
        is_typed="TYPE" in words,
        namespaces=cx.statement.namespaces,
        source=_first_source(node.query),
        schema=(words["XMLSCHEMA"] or "") if "XMLSCHEMA" in words else None,
    )
    columns = _columns(inner, cx)
    return _xml_render(columns, options), (options, columns), XML if options.is_typed else NVARCHAR_MAX


def _xml_render(columns: list[XmlColumn], options: XmlOptions) -> Render:
    """Raises what the modes do."""
    render = renderer(columns, options)

    def numbered(rows: list[tuple[Any, ...]]) -> str | None:
        return render(rows, _schema_number() if options.schema == "" else 0)

    if not options.is_typed:
        return numbered

    def typed(rows: list[tuple[Any, ...]]) -> str | None:
        text = numbered(rows)
        return None if text is None else as_xml(text)

    return typed


def _schema_number() -> int:
    """Inline schemas without a URI of their own are numbered by the session."""
    values = running_frame().session.context_values
    values[SCHEMAS] = values.get(SCHEMAS, 0) + 1
    return int(values[SCHEMAS])


def _columns(inner: QueryText, cx: Context) -> list[XmlColumn]:
    addresses = {r.element_name or r.alias: r.address for r in cx.level.relations}
    found = []
    for column in inner.columns:
        owner, base = column.value.origin or ("", "")
        address = addresses.get(owner)
        found.append(
            XmlColumn(
                column.name,
                settled(column.type),
                owner,
                column.nullable,
                base,
                Address(*address) if address is not None else None,
            )
        )
    return found


def _first_source(query: ast.Query) -> str | None:
    """What FROM calls its first table: of a query with set operators that of the first query. None without FROM."""
    while isinstance(query, ast.BinaryQuery):
        query = query.left
    source: Any = query.from_ if isinstance(query, ast.QuerySpecification) else None
    while source is not None and hasattr(source, "left"):
        source = source.left
    if source is None:
        return None
    alias = getattr(source, "alias", None)
    name = getattr(source, "name", None)
    return str(alias.value) if alias is not None else str(name) if name is not None else ""


def _owner(column: OutputColumn) -> str:
    return column.value.origin[0] if column.value.origin is not None else ""


# --- FOR JSON ----------------------------------------------------------------------------------------------


def _json(clause: ast.ForClause, inner: QueryText, node: ast.QueryExpression) -> tuple[Render, Any, SqlType]:
    words = dict(clause.options)
    if "ROOT" in words and "WITHOUT_ARRAY_WRAPPER" in words:
        raise sql_error(13620, span=clause.span)
    options = for_json.JsonOptions(
        mode=clause.mode,
        root=("root" if words["ROOT"] is None else words["ROOT"]) if "ROOT" in words else None,
        keeps_nulls="INCLUDE_NULL_VALUES" in words,
        has_source=_first_source(node.query) is not None,
        without_wrapper="WITHOUT_ARRAY_WRAPPER" in words,
    )
    columns = [for_json.JsonColumn(c.name, c.type, _owner(c), c.is_json) for c in inner.columns]
    return for_json.renderer(columns, options), (options, columns), NVARCHAR_MAX


FOR_CLAUSES.add("ForClause", for_query)
