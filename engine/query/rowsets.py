"""Row sources made from values: table functions, nodes(), OPENJSON.

Decides the columns of each and the function that lists its rows; DuckDB unnests them. The language's own table
functions are `list_functions.py`, user functions that give a table `table_functions.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.engine.documents import json_rows
from sbql.engine.query.context import Context, source
from sbql.engine.query.conversions import convert
from sbql.engine.query.list_functions import LISTS
from sbql.engine.query.native_openjson import JsonColumn, default_list, with_list
from sbql.engine.query.row_functions import named_value
from sbql.engine.query.system_functions import system_function, system_table
from sbql.engine.query.table_functions import user_table
from sbql.engine.query.unnesting import Rows, place, unnested, unnested_values
from sbql.engine.tables.typed_sql import NODE, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX, nvarchar
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.json_text import JsonPath, parse_path

# --- table functions ---------------------------------------------------------------------------------------


@source(ast.FunctionTable)
def function_table(node: ast.FunctionTable, cx: Context) -> str:
    built_in = LISTS.get(node.name.name.upper()) if node.name.schema is None else None
    if built_in is not None:
        return built_in(node, cx)
    found = system_function(node.name)
    if found is not None:
        return system_table(found, node, cx)
    return user_table(node, cx)


# --- XML ---------------------------------------------------------------------------------------------------


@source(ast.MethodTable)
def nodes(node: ast.MethodTable, cx: Context) -> str:
    """`x.nodes('path') AS t (c)`: one row for each node. Raises 258 for what is not xml, 8172."""
    from sbql.engine.documents import xml_methods  # XML is imported when it is used

    inner = place(cx)
    target = inner.of_method().expression(node.target)
    if target.type.name != "xml":
        raise sql_error(258, target.type.name, span=node.span)
    if not isinstance(node.argument, ast.StringLiteral):
        raise sql_error(8172, 1, "nodes", span=node.span)
    path, namespaces = node.argument.value, tuple(cx.statement.scope.namespaces.items())
    is_typed = xml_methods.is_schema_bound(target.type)
    names = xml_methods.variables_named(path, namespaces, "nodes()", is_lenient=is_typed)
    values = [named_value(name, inner, node.span) for name in names]
    makers = [xml_methods.item_maker(value.type) for value in values]

    find = xml_methods.nodes_function(path, namespaces, is_typed=is_typed)

    def find_with(document: str | None, *given: Any) -> Sequence[str]:
        items = tuple(None if v is None else make(v) for make, v in zip(makers, given, strict=True))
        return find(document, items)

    what = ("nodes", path, namespaces, is_typed, [str(v.type) for v in values])
    function = find_with if values else find
    column = (node.column.value, NODE)
    return unnested_values(what, function, [target, *values], column, node.alias.value, cx, node.span)


# --- JSON --------------------------------------------------------------------------------------------------


@source(ast.OpenJsonTable)
def open_json(node: ast.OpenJsonTable, cx: Context) -> str:
    inner = place(cx)
    document = convert(inner.expression(node.document), NVARCHAR_MAX, inner)
    arguments = [document]
    if node.path is not None:
        path = inner.expression(node.path)
        if path.is_bare_null:
            raise sql_error(8116, "NULL", 2, "OPENJSON", span=node.span)
        arguments.append(convert(path, NVARCHAR_MAX, inner))
    exposed = node.alias.value if node.alias is not None else "openjson"
    if not node.columns:

        def plain(text: str | None, *paths: str | None) -> Rows:
            return json_rows.default_rows(text, _path_of(paths))

        columns = [
            ("key", nvarchar(4000).with_collation("Latin1_General_BIN2")),
            ("value", NVARCHAR_MAX),
            ("type", INT),
        ]
        native = default_list(_literal_path(node))
        return unnested("json", plain, arguments, columns, exposed, cx, node.span, native)
    return _open_json_with(node, arguments, exposed, cx)


def _literal_path(node: ast.OpenJsonTable) -> str | None:
    """The path that the text says; None for one that is known later."""
    if node.path is None:
        return "$"
    return node.path.value if isinstance(node.path, ast.StringLiteral) else None


def _path_of(given: tuple[str | None, ...]) -> str | None:
    """The path argument, where there is one. Raises 8116 for NULL."""
    if given == (None,):
        raise sql_error(8116, "NULL", 2, "OPENJSON")
    return given[0] if given else None


def _open_json_with(node: ast.OpenJsonTable, arguments: list[Typed], exposed: str, cx: Context) -> str:
    scope = cx.statement.scope
    types = [scope.resolve_type(column.type, position=i) for i, column in enumerate(node.columns, 1)]
    paths = []
    for column, sql_type in zip(node.columns, types, strict=True):
        if column.as_json and not (sql_type.name == "nvarchar" and sql_type.length == -1):
            raise sql_error(13618, span=column.span)
        given = column.path.value if isinstance(column.path, ast.StringLiteral) else None
        path = JsonPath((column.name.value,)) if given is None else parse_path(given)
        paths.append((path, column.as_json))
    chosen = tuple(paths)
    changes = [json_rows.column_reader(t) for t in types]

    def find(text: str | None, *given: str | None) -> Rows:
        return [
            tuple(None if v is None else change(v) for v, change in zip(row, changes, strict=True))
            for row in checked(json_rows.with_rows(text, _path_of(given), chosen))
        ]

    columns = [(c.name.value, t) for c, t in zip(node.columns, types, strict=True)]
    what = ("json with", chosen, [str(t) for t in types])
    wanted = [JsonColumn(path, t, as_json) for (path, as_json), t in zip(paths, types, strict=True)]
    native = with_list(_literal_path(node), wanted)
    return unnested(what, find, arguments, columns, exposed, cx, node.span, native)
