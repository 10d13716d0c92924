"""What OPENJSON in FROM lists: its columns, and the function that gives its rows.

Decides the columns of the default schema, and reads those of WITH. It must not know who runs the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.documents import json_rows
from sbql.engine.native.openjson import JsonColumn
from sbql.engine.query.unnesting import Rows
from sbql.engine.scalars.scope import Scope
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX, SqlType, nvarchar
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.json_text import JsonPath, parse_path

__all__ = ["JsonSource", "json_source"]


class JsonSource(Struct, frozen=True):
    """`find` lists the rows of a text and, where there is one, a path; `what` tells it from all others, `wanted` are
    the columns of WITH."""

    columns: Sequence[tuple[str, SqlType]]
    find: Callable[..., Rows]
    what: Any
    wanted: Sequence[JsonColumn] | None = None


def json_source(node: ast.OpenJsonTable, scope: Scope) -> JsonSource:
    """Raises 13607, 13614, 13618 and what is wrong with the types of columns."""
    if node.columns:
        return _with_columns(node, scope)
    columns = [
        ("key", nvarchar(4000).with_collation("Latin1_General_BIN2")),
        ("value", NVARCHAR_MAX),
        ("type", INT),
    ]
    return JsonSource(columns, lambda text, *paths: json_rows.default_rows(text, _path_of(paths)), "json")


def _path_of(given: tuple[str | None, ...]) -> str | None:
    """The path argument, where there is one. Raises 8116 for NULL."""
    if given == (None,):
        raise sql_error(8116, "NULL", 2, "OPENJSON")
    return given[0] if given else None


def _with_columns(node: ast.OpenJsonTable, scope: Scope) -> JsonSource:
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
    wanted = [JsonColumn(path, t, as_json) for (path, as_json), t in zip(paths, types, strict=True)]
    return JsonSource(columns, find, ("json with", chosen, [str(t) for t in types]), wanted)
