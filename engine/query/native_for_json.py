"""FOR JSON in DuckDB: each row is written as an object, and the objects are joined.

Decides which clauses it writes, PATH and AUTO of one table, and which rows: one with a control character in a text, or
what looks like it, goes to Python as a whole. How values other than texts are written is `json_constructors`; names and
nesting are those of `documents.for_json`, which writes the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sbql.catalog.duck_types import quote_literal
from sbql.catalog.parallelism import AS_FOUND
from sbql.catalog.stored_text import to_stored
from sbql.engine.documents.for_json import JsonColumn, JsonOptions, frame, quoted, renderer, shape
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call
from sbql.engine.query.few_rows import has_few_rows
from sbql.engine.query.json_constructors import written
from sbql.engine.query.registered import whole_type
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.kinds import kind

__all__ = ["joined_objects"]


def joined_objects(
    columns: Sequence[JsonColumn], options: JsonOptions, rows: str, order: str, alias: str, cx: Context
) -> str | None:
    """The query for the text of `rows`, whose columns are c1, c2 …; None where a row is no object by itself, and for
    a row of values and few others, of which Python's text is bound faster."""
    if cx.statement.is_in_window or not options.has_source or has_few_rows(cx):
        return None
    if options.mode == "PATH":
        members = list(shape(columns).items())
    elif len({column.owner for column in columns if column.owner}) <= 1:
        members = [(column.name, i) for i, column in enumerate(columns)]
    else:
        return None
    values = [Typed(f"{alias}.c{i}", column.type) for i, column in enumerate(columns, 1)]
    texts = [_written(value, column.is_json, cx) for value, column in zip(values, columns, strict=True)]
    if options.keeps_nulls:
        texts = [f"coalesce({text}, 'null')" for text in texts]
    made = f"SELECT *, '{{' || {_members(members, texts)} || '}}' AS o FROM ({rows}) AS {alias}"
    chosen = rf"CASE WHEN contains({alias}.o, '\u') THEN {_by_python(columns, options, values, cx)} ELSE {alias}.o END"
    before, after = frame(options)
    text = f"{_literal(before)} || array_to_string(list({chosen}{order or AS_FOUND}), ',') || {_literal(after)}"
    return f"SELECT {text} AS c1 FROM ({made}) AS {alias}"


def _written(value: Typed, is_json: bool, cx: Context) -> str:
    """As JSON; texts without a look at their control characters."""
    if kind(value.type) != "string" or is_json:
        return written(value, is_json, cx)
    return rf"replace(CAST(to_json({value.sql}) AS VARCHAR), '/', '\/')"


def _by_python(columns: Sequence[JsonColumn], options: JsonOptions, values: Sequence[Typed], cx: Context) -> str:
    bare = msgspec.structs.replace(options, root=None, without_wrapper=True)
    render = renderer(columns, bare)
    what = (bare, [(column.name, column.is_json, whole_type(column.type)) for column in columns])
    return call("json_row", what, lambda *row: render([row]), values, NVARCHAR_MAX, cx, is_pure=True)


def _members(members: Sequence[tuple[str, Any]], texts: Sequence[str]) -> str:
    """The members with commas between them; empty where all are NULL."""
    pieces = []
    for name, below in members:
        before = f"{quoted(name)}:"
        if isinstance(below, int):
            pieces.append(f"{_literal(before)} || {texts[below]}")
        else:
            inner = f"nullif({_members(list(below.items()), texts)}, '')"
            pieces.append(f"{_literal(before + '{')} || {inner} || '}}'")
    return f"concat_ws(',', {', '.join(pieces)})"


def _literal(text: str) -> str:
    return quote_literal(to_stored(text))
