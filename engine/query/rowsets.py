"""Row sources made from values: table functions, nodes(), OPENJSON.

Decides the columns of each and the list-returning function that makes its rows; DuckDB unnests the list. User functions
that give a table are `table_functions.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.documents import json_rows
from sbql.engine.query.context import LIST_FUNCTIONS, Context, is_constant, source
from sbql.engine.query.conversions import convert
from sbql.engine.query.registered import running_frame
from sbql.engine.query.row_functions import named_value
from sbql.engine.query.system_functions import system_function, system_table
from sbql.engine.query.table_functions import user_table
from sbql.engine.query.unnesting import exposed_name, named_columns, place, unnested
from sbql.engine.tables.comparison_keys import meeting_collation
from sbql.engine.tables.typed_sql import NODE, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import BIGINT, INT, NVARCHAR_MAX, SqlType, nvarchar
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.collation import rule_of
from sbql.grammar.values.json_text import JsonPath, parse_path
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.memory import reserve_room
from sbql.grammar.values.text_search import found_places
from sbql.grammar.values.utf16 import expanded

_ROW_OF_LIST = 300
"""Bytes of a row while it is one of a list for DuckDB."""


# --- table functions ---------------------------------------------------------------------------------------


@source(ast.FunctionTable)
def function_table(node: ast.FunctionTable, cx: Context) -> str:
    built_in = _BUILT_IN.get(node.name.name.upper()) if node.name.schema is None else None
    if built_in is not None:
        return built_in(node, cx)
    found = system_function(node.name)
    if found is not None:
        return system_table(found, node, cx)
    return user_table(node, cx)


def _string_split(node: ast.FunctionTable, cx: Context) -> str:
    """STRING_SPLIT(text, separator [, ordinal])."""
    if not 2 <= len(node.arguments) <= 3:
        raise sql_error(189, "string_split", 2, 3, span=node.span)
    inner = place(cx)
    values = [inner.expression(a) for a in node.arguments]
    text, separator = values[0], values[1]
    if text.is_bare_null:
        text = convert(text, nvarchar(4000), inner)
    if not text.is_text or text.type.name in ("text", "ntext"):
        raise sql_error(8116, spelled(text.type), 1, "string_split", span=node.span)
    if not separator.is_text and not separator.is_bare_null:
        raise sql_error(214, "separator", "nchar(1)/nvarchar(1)", span=node.span)
    with_ordinal = len(values) == 3 and _has_ordinal(node.arguments[2], values[2])
    is_national = text.type.name in ("nchar", "nvarchar", "ntext")
    rule = rule_of(meeting_collation(text, separator, "string_split", node.span), is_national)
    length = text.type.length or 8000
    columns: list[tuple[str, SqlType]] = [("value", SqlType("nvarchar" if is_national else "varchar", length=length))]
    if with_ordinal:
        columns.append(("ordinal", BIGINT))

    def split(value: str | None, mark: str | None) -> list[dict[str, Any]]:
        if value is None:
            return []
        value, mark = expanded(value), expanded(mark or "")
        if len(mark) != 1:
            raise sql_error(214, "separator", "nchar(1)/nvarchar(1)")
        reserve_room(_ROW_OF_LIST * (value.count(mark) + 1))
        parts, position = [], 0
        for begin, end in checked(found_places(value, mark, rule), 4096):
            parts.append(value[position:begin])
            position = end
        parts.append(value[position:])
        return [{"c1": part, "c2": i} if with_ordinal else {"c1": part} for i, part in enumerate(parts, 1)]

    shown = named_columns(columns, node.columns, exposed_name(node), node.span)
    return unnested(("split", with_ordinal, rule), split, [text, separator], shown, exposed_name(node), cx, node.span)


def _has_ordinal(node: ast.Expression, flag: Typed) -> bool:
    """The flag of the ordinal column: 0, 1 or NULL, known before the query runs. Raises 8116, 8748 and 4199."""
    if flag.is_bare_null:
        return False
    if flag.type.name not in ("int", "bit", "smallint", "tinyint", "bigint"):
        raise sql_error(8116, spelled(flag.type), 3, "string_split", span=node.span)
    if (
        not is_constant(node)
        or flag.constant is None
        or any(isinstance(n, ast.VariableReference) for n in walk(node, closed=ast.QueryExpression))
    ):
        raise sql_error(8748, span=node.span)
    given = flag.constant.run(running_frame())
    if given not in (None, 0, 1):
        raise sql_error(4199, given, 3, "string_split", span=node.span)
    return bool(given)


def _generate_series(node: ast.FunctionTable, cx: Context) -> str:
    """GENERATE_SERIES(start, stop [, step])."""
    if not 2 <= len(node.arguments) <= 3:
        raise sql_error(189, "generate_series", 2, 3, span=node.span)
    inner = place(cx)
    values = [inner.expression(a) for a in node.arguments]
    target = values[0].type
    if kind(target) not in ("int", "decimal"):
        raise sql_error(8116, spelled(target), 1, "generate_series", span=node.span)
    if any(value.type.name != target.name and not value.is_bare_null for value in values[1:]):
        raise sql_error(5373, span=node.span)
    has_step = len(values) == 3

    def series(start: Any, stop: Any, step: Any = None) -> list[dict[str, Any]]:
        if start is None or stop is None or (has_step and step is None):
            return []
        by = step if has_step else (1 if start <= stop else -1)
        if by == 0:
            raise sql_error(4199, step, 3, "generate_series")
        span = stop - start if by > 0 else start - stop
        count = int(span // abs(by)) + 1 if span >= 0 else 0
        reserve_room(_ROW_OF_LIST * count)
        return [{"c1": start + i * by} for i in checked(range(count), 4096)]

    arguments = [convert(value, target, inner) for value in values]
    shown = named_columns([("value", target)], node.columns, exposed_name(node), node.span)
    return unnested(("series", has_step), series, arguments, shown, exposed_name(node), cx, node.span)


_BUILT_IN: dict[str, Callable[[ast.FunctionTable, Context], str]] = {
    "STRING_SPLIT": _string_split, "GENERATE_SERIES": _generate_series,
}  # fmt: skip
assert _BUILT_IN.keys() == LIST_FUNCTIONS


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

    def find(document: str | None, *given: Any) -> list[dict[str, Any]]:
        items = tuple(None if v is None else make(v) for make, v in zip(makers, given, strict=True))
        return [{"c1": item} for item in xml_methods.xml_nodes(document, path, namespaces, items, is_typed=is_typed)]

    what = ("nodes", path, namespaces, is_typed, [str(v.type) for v in values])
    return unnested(what, find, [target, *values], [(node.column.value, NODE)], node.alias.value, cx, node.span)


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

        def plain(text: str | None, *given: str | None) -> list[dict[str, Any]]:
            path = _path_of(given)
            return [
                dict(zip(("c1", "c2", "c3"), row.values(), strict=True)) for row in json_rows.default_rows(text, path)
            ]

        columns = [
            ("key", nvarchar(4000).with_collation("Latin1_General_BIN2")),
            ("value", NVARCHAR_MAX),
            ("type", INT),
        ]
        return unnested("json", plain, arguments, columns, exposed, cx, node.span)
    return _open_json_with(node, arguments, exposed, cx)


def _path_of(given: tuple[str | None, ...]) -> str | None:
    """The path argument, where there is one. Raises 8116 for NULL."""
    if given == (None,):
        raise sql_error(8116, "NULL", 2, "OPENJSON")
    return given[0] if given else None


def _open_json_with(node: ast.OpenJsonTable, arguments: list[Typed], exposed: str, cx: Context) -> str:
    scope = cx.statement.scope
    types = [scope.resolve_type(column.type) for column in node.columns]
    paths = []
    for column, sql_type in zip(node.columns, types, strict=True):
        if column.as_json and not (sql_type.name == "nvarchar" and sql_type.length == -1):
            raise sql_error(13618, span=column.span)
        given = column.path.value if isinstance(column.path, ast.StringLiteral) else None
        path = JsonPath((column.name.value,)) if given is None else parse_path(given)
        paths.append((path, column.as_json))
    chosen = tuple(paths)
    changes = [json_rows.column_reader(t) for t in types]

    def find(text: str | None, *given: str | None) -> list[dict[str, Any]]:
        path = _path_of(given)
        return [
            {key: None if v is None else change(v) for (key, v), change in zip(row.items(), changes, strict=True)}
            for row in json_rows.with_rows(text, path, chosen)
        ]

    columns = [(c.name.value, t) for c, t in zip(node.columns, types, strict=True)]
    what = ("json with", chosen, [str(t) for t in types])
    return unnested(what, find, arguments, columns, exposed, cx, node.span)
