"""Aggregates over values in an order: percentiles, STRING_AGG, and the JSON aggregates.

Decides their result types and how DuckDB's lists and quantiles become theirs (pages "PERCENTILE_CONT",
"PERCENTILE_DISC", "APPROX_PERCENTILE_CONT", "STRING_AGG", "JSON_ARRAYAGG", "JSON_OBJECTAGG"). `over` adds OVER (…)
where an OVER clause stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from sbql.catalog.parallelism import AS_FOUND
from sbql.engine.documents.for_json import JsonColumn, quoted, value_writer
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call, convert
from sbql.engine.query.named_windows import orders_nothing
from sbql.engine.scalars.calls import is_json_value
from sbql.engine.tables.comparison_keys import comparable, order_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import FLOAT, MAX, NVARCHAR_MAX, SqlType
from sbql.grammar.values.collation_precedence import refuse_unresolved
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.utf16 import utf16_length

__all__ = ["json_array", "json_object", "percentile", "string_agg"]

Over = Callable[[str], str]


# --- percentiles -------------------------------------------------------------------------------------------


def percentile(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """PERCENTILE_CONT interpolates numbers; PERCENTILE_DISC is the first value whose cumulative distribution is not
    below the share. Raises 10751, 10755, 8117."""
    share = _share(name, node, cx)
    if len(node.within_group) != 1:
        raise sql_error(10755 if not node.within_group else 10751, name.lower(), span=node.span)
    item = node.within_group[0]
    value = cx.expression(item.expression)
    comparable(value, item.span)
    is_number = kind(value.type) in ("int", "bit", "decimal", "money", "float")
    if name.endswith("_CONT"):
        if not is_number:
            raise sql_error(8117, spelled(value.type), name.lower(), span=item.span)
        number = f"CAST({f'CAST({value.sql} AS UTINYINT)' if value.type.name == 'bit' else value.sql} AS DOUBLE)"
        return Typed(over(f"quantile_cont({number}, {1 - share if item.descending else share})"), FLOAT)
    plain = msgspec.structs.replace(value, nullable=True, constant=None, is_literal=False, origin=None)
    key = order_key(value)
    # A quantile below zero counts from the other end; none is below it but above minus zero.
    at = repr(share if not item.descending else -share if share else 1.0)
    if key == value.sql:
        return plain.with_sql(over(f"quantile_disc({value.sql}, {at})"))
    packed = f"CASE WHEN {value.sql} IS NOT NULL THEN struct_pack(k := {key}, v := {value.sql}) END"
    return plain.with_sql(f"struct_extract({over(f'quantile_disc({packed}, {at})')}, 'v')")


def _share(name: str, node: ast.FunctionCall, cx: Context) -> float:
    """The literal argument. Raises 174, and 10750 for anything but a number from 0 to 1."""
    if len(node.arguments) != 1:
        raise sql_error(174, name.lower(), 1, span=node.span)
    only = node.arguments[0]
    value = cx.expression(only) if isinstance(only, ast.Expression) else None
    if (
        value is None
        or not value.is_literal
        or value.constant is None
        or kind(value.type) not in ("int", "decimal", "float")
    ):
        raise sql_error(10750, name.lower(), span=node.span)
    share = float(value.constant.run(None))
    if not 0 <= share <= 1:
        raise sql_error(10750, name.lower(), span=node.span)
    return share


# --- lists -------------------------------------------------------------------------------------------------


def _order(items: Sequence[ast.OrderItem], cx: Context) -> str:
    terms = []
    for item in items:
        if orders_nothing(item):
            continue
        key = order_key(cx.expression(item.expression))
        terms.append(f"{key} {'DESC NULLS LAST' if item.descending else 'ASC NULLS FIRST'}")
    return f" ORDER BY {', '.join(terms)}" if terms else ""


def string_agg(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """Text joined, NULLs left out; a result over 8,000 bytes that is not (max) is error 9829. Raises 8116, 8711."""
    if len(node.arguments) != 2:
        raise sql_error(174, "string_agg", 2, span=node.span)
    if node.distinct:
        raise sql_error(102, ",", span=node.span)
    value, separator = (cx.expression(a) for a in node.arguments if isinstance(a, ast.Expression))
    if value.type.name in ("text", "ntext", "xml", "image", "sql_variant") or value.is_bare_null:
        raise sql_error(8116, spelled(value.type), 1, "string_agg", span=node.span)
    if not value.is_text:
        national = SqlType("nvarchar", length=4000)
        value = convert(value, national, cx)
    refuse_unresolved(value.type, "string_agg")
    between = _separator(separator, value, node, cx)
    is_max = value.type.length == MAX
    name_of = "nvarchar" if value.type.name in ("nchar", "nvarchar") else "varchar"
    limit = MAX if is_max else 4000 if name_of == "nvarchar" else 8000
    result = SqlType(name_of, length=limit, collation=value.type.collation)
    order = _order(node.within_group, cx)
    if order and cx.level.aggregate_order not in (None, order):
        raise sql_error(8711, span=node.span)
    cx.level.aggregate_order = order or cx.level.aggregate_order
    # DuckDB's string_agg orders by no more than its arguments' types allow; a list takes any order.
    values = f"list({value.sql}{order or AS_FOUND}) FILTER (WHERE {value.sql} IS NOT NULL)"
    joined = Typed(f"array_to_string({values}, {between})", replace(result, length=MAX), rank=value.rank)
    if is_max:
        return joined
    return msgspec.structs.replace(
        joined, sql=call("fits", limit, _fits(limit), [joined], joined.type, cx, is_pure=True), type=result
    )


def _separator(separator: Typed, value: Typed, node: ast.FunctionCall, cx: Context) -> str:
    """The SQL of the text between the values. Raises 8116, 8733 and 8734 for what no separator can be."""
    if separator.is_bare_null:
        return "''"
    is_national = separator.type.name in ("nchar", "nvarchar", "ntext")
    is_wider = is_national and value.type.name in ("char", "varchar")
    if not separator.is_text or separator.type.name in ("text", "ntext") or is_wider:
        raise sql_error(8116, spelled(separator.type), 2, "string_agg", span=node.span)
    if not separator.constant:
        raise sql_error(8733, span=node.span)
    if separator.type.length == MAX:
        raise sql_error(8734, span=node.span)
    between = convert(separator, replace(value.type, length=MAX), cx)
    return f"coalesce({between.sql}, '')"


def _fits(limit: int) -> Callable[[str | None], str | None]:
    def run(text: str | None) -> str | None:
        if text is not None and len(text) * 2 > limit and utf16_length(text) > limit:
            raise sql_error(9829)
        return text

    return run


def json_array(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """JSON_ARRAYAGG: NULLs are left out unless NULL ON NULL keeps them."""
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, name.lower(), 1, span=node.span)
    value = cx.expression(node.arguments[0])
    text = _json_text(value, node.arguments[0], cx)
    return _joined(text, value, node.nulls or "ABSENT ON NULL", _order(node.order_by, cx), "[]")


def json_object(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """JSON_OBJECTAGG: NULLs are kept unless ABSENT ON NULL leaves them out."""
    if len(node.arguments) != 2 or not all(isinstance(a, ast.Expression) for a in node.arguments):
        raise sql_error(174, name.lower(), 2, span=node.span)
    key, value = (cx.expression(a) for a in node.arguments if isinstance(a, ast.Expression))
    key = convert(key, NVARCHAR_MAX, cx)
    named = call("json_name", "", _json_name, [key], NVARCHAR_MAX, cx, is_pure=True)
    assert isinstance(node.arguments[1], ast.Expression)
    text = f"{named} || coalesce({_json_text(value, node.arguments[1], cx)}, 'null')"
    return _joined(text, value, node.nulls or "NULL ON NULL", "", "{}")


def _json_name(key: str | None) -> str:
    if key is None:
        raise sql_error(13605)
    return f"{quoted(key)}:"


def _json_text(value: Typed, node: ast.Expression, cx: Context) -> str:
    """The value as JSON text, NULL for NULL."""
    if value.is_bare_null:
        return "CAST(NULL AS VARCHAR)"
    is_json = is_json_value(node)
    write = value_writer(JsonColumn("", value.type, "", is_json))

    def run(content: Any) -> str | None:
        return None if content is None else write(content)

    return call("json_value", (value.type, is_json), run, [value], NVARCHAR_MAX, cx, is_pure=True)


def _joined(text: str, value: Typed, nulls: str, order: str, brackets: str) -> Typed:
    """The texts between brackets; NULL for a group without rows."""
    if nulls == "ABSENT ON NULL":
        items = f"list({text}{order or AS_FOUND}) FILTER (WHERE {value.sql} IS NOT NULL)"
    else:
        items = f"list(coalesce({text}, 'null'){order or AS_FOUND})"
    joined = f"'{brackets[0]}' || coalesce(array_to_string({items}, ','), '') || '{brackets[1]}'"
    return Typed(f"CASE WHEN count(*) > 0 THEN {joined} END", NVARCHAR_MAX)
