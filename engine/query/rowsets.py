"""Row sources made from values: table functions, nodes(), OPENJSON.

Decides the columns of each and the function that lists its rows; DuckDB unnests them. The language's own table
functions are `list_functions.py`, user functions that give a table `table_functions.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.engine.native.openjson import DEFAULT_COLUMNS, JsonColumn, default_list, with_list
from sbql.engine.query.context import Context, source
from sbql.engine.query.conversions import convert
from sbql.engine.query.json_sources import JsonSource, json_source
from sbql.engine.query.list_functions import LISTS
from sbql.engine.query.row_functions import named_value
from sbql.engine.query.system_functions import system_function, system_table
from sbql.engine.query.table_functions import user_table
from sbql.engine.query.unnesting import Rows, place, unnested, unnested_values
from sbql.engine.tables.typed_sql import NODE
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.checkpoints import checked_rows

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
    known, path_text = json_source(node, cx.statement.scope), _literal_path(node)
    kept = _kept(known, cx)
    if known.wanted is None:
        native = default_list(path_text, [DEFAULT_COLUMNS[i] for i in kept])
    else:
        native = with_list(path_text, [known.wanted[i] for i in kept])
    if len(kept) == len(known.columns):
        return unnested(known.what, known.find, arguments, known.columns, exposed, cx, node.span, native, is_pure=True)
    columns = [known.columns[i] for i in kept] or [("", NVARCHAR_MAX)]

    def find(*given: Any) -> Rows:
        return [tuple([row[i] for i in kept or (0,)]) for row in checked_rows(known.find(*given))]

    return unnested((known.what, kept), find, arguments, columns, exposed, cx, node.span, native, is_pure=True)


def _kept(known: JsonSource, cx: Context) -> list[int]:
    """The places of the columns that the query names, and of those whose values may be errors, of WITH one at least."""
    named = _names(cx.level.asks)
    if named is None:
        return list(range(len(known.columns)))
    kept = [
        i
        for i, (name, kind_) in enumerate(known.columns)
        if name.lower() in named or (known.wanted is not None and _may_fail(known.wanted[i], kind_))
    ]
    return kept if kept or known.wanted is None else [0]


def _may_fail(column: JsonColumn, kind: SqlType) -> bool:
    """Whether its value may be an error: by its path, or because it does not convert."""
    return column.path.is_strict or kind.name not in _NEVER_FAIL


_NEVER_FAIL: Final = frozenset({"char", "nchar", "varchar", "nvarchar"})


def _names(asks: object) -> set[str] | None:
    """What columns are called, small letters; None where all columns may be meant."""
    names: set[str] = set()
    for node in walk(asks):
        if isinstance(node, ast.ColumnReference):
            names.add(node.name.lower())
        elif isinstance(node, ast.SelectStar) and not node.is_unread:
            return None
        elif isinstance(node, ast.StringLiteral) and "sql:column" in node.value:
            return None
    return names if asks is not None else None


def _literal_path(node: ast.OpenJsonTable) -> str | None:
    """The path that the text says; None for one that is known later."""
    if node.path is None:
        return "$"
    return node.path.value if isinstance(node.path, ast.StringLiteral) else None
