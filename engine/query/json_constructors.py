"""JSON_ARRAY and JSON_OBJECT in SQL: each value is written by itself, and DuckDB joins them.

Decides how a value is written: numbers and dates as a conversion to text writes them, strings with their
escapes, and by Python's writer what has no such form. What is JSON already stands as it is. What the calls
mean is `functions.json_constructors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.catalog.duck_types import quote_literal
from sbql.engine.documents.for_json import JsonColumn, quoted, value_writer
from sbql.engine.native.json_texts import json_string
from sbql.engine.query.call_labels import labelled_call, labelled_operands
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call, convert
from sbql.engine.query.row_functions import row_function
from sbql.engine.scalars.calls import with_json
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.kinds import kind

__all__ = ["json_constructor", "written"]

_EMPTY: Final = "''"


def json_constructor(node: ast.FunctionCall, cx: Context) -> Typed:
    """Raises what the operands and their labels raise; 13605, when it runs, for a name that is NULL."""
    arguments = [argument for argument in node.arguments if isinstance(argument, ast.Expression)]
    if not arguments or len(arguments) != len(node.arguments):
        return row_function(node, cx)
    name, node = node.name.name.upper(), with_json(node)
    values = labelled_operands(name, [cx.expression(argument) for argument in arguments], node.span)
    is_object = name == "JSON_OBJECT"
    keeps_nulls = node.nulls != "ABSENT ON NULL" if is_object else node.nulls == "NULL ON NULL"
    texts = [written(value, i in node.json_arguments, cx) for i, value in enumerate(values) if i % 2 or not is_object]
    names = [_name(key, cx) for key in values[::2]] if is_object else [_EMPTY] * len(texts)
    before, behind = "{}" if is_object else "[]"
    if keeps_nulls:
        pieces = [
            piece
            for name, text in zip(names, texts, strict=True)
            for piece in ("','", name, f"coalesce({text}, 'null')")
        ]
        sql = f"concat('{before}', {', '.join(piece for piece in pieces[1:] if piece != _EMPTY)}, '{behind}')"
    else:
        members = [text if name == _EMPTY else _member(name, text) for name, text in zip(names, texts, strict=True)]
        sql = f"concat('{before}', concat_ws(',', {', '.join(members)}), '{behind}')"
    found = Typed(sql, NVARCHAR_MAX, False, stands_once=any(value.stands_once for value in values))
    return labelled_call(name, values, found, node.span)


def _member(name: str, text: str) -> str:
    """NULL where the value is NULL. The name is computed there, too, for it may be refused: DuckDB would leave it
    out beside a NULL that it knows of."""
    if name.startswith("'"):
        return f"{name} || {text}"
    return f"invoke(lambda n, v: CASE WHEN n IS NOT NULL THEN n || v END, {name}, {text})"


def _name(key: Typed, cx: Context) -> str:
    """A name and its colon."""
    if key.is_literal and key.constant is not None and isinstance(name := key.constant.run(None), str):
        return quote_literal(f"{quoted(name)}:")
    text = convert(key, NVARCHAR_MAX, cx)
    other = call("json_name", "", _quoted_name, [text.with_sql("x")], NVARCHAR_MAX, cx, is_pure=True)
    plain = call("json_text", "", quoted, [text.with_sql("x")], NVARCHAR_MAX, cx, is_pure=True)
    return f"invoke(lambda x: CASE WHEN x IS NULL THEN {other} ELSE {json_string('x', plain)} || ':' END, {text.sql})"


def _quoted_name(name: str | None) -> str:
    if name is None:
        raise sql_error(13605)
    return quoted(name)


_DATES: Final = ("date", "time", "datetime", "datetime2", "datetimeoffset")
_STYLES: Final = {"money": 2, "float": 2, "real": 1, **dict.fromkeys(_DATES, 126)}


def written(value: Typed, is_json: bool, cx: Context) -> str:
    """The value as JSON, NULL for NULL."""
    family = kind(value.type)
    if family == "null" or value.is_bare_null:
        return "CAST(NULL AS VARCHAR)"
    if is_json:
        return value.sql
    if family == "bit":
        return f"CAST({value.sql} AS VARCHAR)"  # 'true' and 'false'; CASE would compute what is new each time twice
    if family in ("int", "decimal", "money", "float"):
        style = _STYLES.get(value.type.name, _STYLES.get(family))
        return convert(value, NVARCHAR_MAX, cx, style=style).sql
    if family in _STYLES or family == "guid":
        return f"('\"' || {convert(value, NVARCHAR_MAX, cx, style=_STYLES.get(family)).sql} || '\"')"
    if family == "binary":
        return f"('\"' || replace(to_base64({value.sql}), '/', '\\/') || '\"')"
    if family == "string" and value.type.name not in ("text", "ntext"):
        return f"invoke(lambda x: {json_string('x', _by_python([value.with_sql('x')], cx))}, {value.sql})"
    return _by_python([value], cx)


def _by_python(values: Sequence[Typed], cx: Context) -> str:
    sql_type = values[0].type
    write = value_writer(JsonColumn("", sql_type))

    def value(content: Any) -> str | None:
        return None if content is None else write(content)

    return call("json_written", sql_type, value, values, NVARCHAR_MAX, cx, is_pure=True)
