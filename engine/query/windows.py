"""Window functions: ranking, offset and aggregate functions with OVER.

Decides their result types and frames. Raises 4108 where no window function may stand, 4112 and 10753 for a missing
ORDER BY or OVER.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from sbql.engine.query.aggregates import NO_WINDOWS, aggregate_call
from sbql.engine.query.context import AGGREGATES, Context
from sbql.engine.query.conversions import convert, unify
from sbql.engine.query.named_windows import orders_nothing, refuse_windows, resolved
from sbql.engine.query.ordered_aggregates import percentile
from sbql.engine.tables.comparison_keys import comparable, equality_key, order_term
from sbql.engine.tables.typed_sql import NODE, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, FLOAT
from sbql.grammar.values.collation_precedence import check_column
from sbql.grammar.values.kinds import kind

__all__ = ["RANKING", "window", "window_text"]

RANKING = frozenset(
    {
        "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "PERCENT_RANK", "CUME_DIST",
        "PERCENTILE_CONT", "PERCENTILE_DISC",
    }
)  # fmt: skip


_FRAMED = ("FIRST_VALUE", "LAST_VALUE")
"""The functions beside the aggregates that look at a part of their partition only."""


def window(name: str, node: ast.FunctionCall, cx: Context) -> Typed:
    """A function with OVER. Raises 4108 where none may stand, 4109 for one inside of another, 10759 for DISTINCT, 4113
    for a function that has no OVER."""
    if cx.clause not in ("SELECT", "ORDER BY", "OVER"):
        raise sql_error(4108, span=node.span)
    assert node.over is not None
    node = replace(node, over=resolved(node.over, cx.level.windows))
    assert node.over is not None
    refuse_windows((node.arguments, node.over.partition_by, node.over.order_by))
    over = window_text(node.over, cx)
    if name in AGGREGATES and name not in NO_WINDOWS:
        if node.nulls:
            raise sql_error(102, node.nulls.partition(" ")[0], span=node.span)
        if node.distinct:
            raise sql_error(10759, span=node.span)
        return aggregate_call(name, node, cx, lambda text: f"{text} OVER ({over})")
    if name not in RANKING:
        raise sql_error(4113, name.lower(), span=node.span)
    if name in ("PERCENTILE_CONT", "PERCENTILE_DISC"):
        return _percentile(name, node, cx, over)
    if not node.over.order_by:
        raise sql_error(4112, name.lower(), span=node.span)
    if node.within_group:
        raise sql_error(10758, name.lower(), span=node.span)
    if node.over.frame is not None and name not in _FRAMED:
        raise sql_error(10752, name.lower(), span=node.span)
    if node.nulls and name not in ("LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE"):
        raise sql_error(102, node.nulls.partition(" ")[0], span=node.span)
    return _WINDOWS[name](name, node, cx, over)


def _percentile(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    """Its order stands in WITHIN GROUP; the window has only partitions."""
    assert node.over is not None
    if node.over.order_by:
        raise sql_error(10757, name.lower(), span=node.span)
    if node.over.frame is not None:
        raise sql_error(10752, name.lower(), span=node.span)
    return percentile(name, node, cx, lambda text: f"{text} OVER ({over})")


def window_text(node: ast.Over, cx: Context) -> str:
    """What stands between the parentheses after OVER."""
    with cx.statement.in_window():
        return _window_text(node, cx.within("OVER"))


def _window_text(node: ast.Over, cx: Context) -> str:
    partitions = [cx.expression(e) for e in node.partition_by]
    for number, partition in enumerate(partitions, 1):
        check_column(partition.type, "PARTITION BY", number)
    keys = [equality_key(partition) for partition in partitions]
    if cx.level.row_key:
        keys.insert(0, cx.level.row_key)
    parts = [f"PARTITION BY {', '.join(keys)}"] if keys else []
    terms = []
    for item in node.order_by:
        if orders_nothing(item):
            continue
        if (place := _place_of_node(item.expression, cx)) is not None:
            terms.append(f"{place} {'DESC' if item.descending else 'ASC'}")
            continue
        value = cx.expression(item.expression)
        comparable(value, item.span)
        check_column(value.type, "ORDER BY", len(terms) + 1)
        terms.append(order_term(value, item.descending))
    if terms:
        parts.append("ORDER BY " + ", ".join(terms))
    if node.frame is not None:
        if not node.order_by:
            raise sql_error(10756, span=node.frame.span)
        parts.append(_frame(node.frame))
    return " ".join(parts)


def _place_of_node(node: ast.Expression, cx: Context) -> str | None:
    """The place of a row of nodes() among the rows, which is the order of the document; None for what is no such
    row."""
    if not isinstance(node, ast.ColumnReference):
        return None
    value = cx.of_method().expression(node)
    return f"CAST(substr({value.sql}, 2) AS BIGINT)" if value.type == NODE else None


def _frame(frame: ast.Frame) -> str:
    def bound(given: tuple[str, int | None]) -> str:
        word, count = given
        return word if count is None else f"{count} {word}"

    _check_frame(frame)
    if frame.end is None:
        return f"{frame.unit} {bound(frame.start)}"
    return f"{frame.unit} BETWEEN {bound(frame.start)} AND {bound(frame.end)}"


_PLACES = ("UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING")


def _check_frame(frame: ast.Frame) -> None:
    """Raises 4193 for a frame that ends before it begins, 4194 for RANGE over a number of rows, 102 for one bound
    FOLLOWING."""
    (start, count), (end, last) = frame.start, frame.end or ("CURRENT ROW", None)
    if frame.unit == "RANGE" and (count is not None or last is not None):
        raise sql_error(4194, span=frame.span)
    if frame.end is None and start.endswith("FOLLOWING"):
        raise sql_error(102, "FOLLOWING", span=frame.span)
    if _PLACES.index(start) > _PLACES.index(end) or start == "UNBOUNDED FOLLOWING" or end == "UNBOUNDED PRECEDING":
        raise sql_error(4193, f"BETWEEN … {start} AND … {end}", span=frame.span)


def _rank(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    if node.arguments:
        raise sql_error(174, name.lower(), 0, span=node.span)
    return Typed(f"CAST({name.lower()}() OVER ({over}) AS BIGINT)", BIGINT, False)


def _share(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    return Typed(f"{name.lower()}() OVER ({over})", FLOAT, False)


_NTILE_TAKES = "positive int or bigint"


def _ntile(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, "ntile", 1, span=node.span)
    given = cx.expression(node.arguments[0])
    if kind(given.type) not in ("int", "null"):
        raise sql_error(4116, "ntile", _NTILE_TAKES, span=node.span)
    count = convert(given, BIGINT, cx)
    wrong = f"CAST(error('SQL|4116|ntile|{_NTILE_TAKES}') AS BIGINT)"
    count = count.with_sql(f"CASE WHEN {count.sql} > 0 THEN {count.sql} ELSE {wrong} END")
    return Typed(f"ntile({count.sql}) OVER ({over})", BIGINT, False)


def _offset(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    """LAG and LEAD: value, distance, default."""
    arguments = [cx.expression(a) for a in node.arguments if isinstance(a, ast.Expression)]
    if not 1 <= len(arguments) <= 3:
        raise sql_error(189, name.lower(), 1, 3, span=node.span)
    value = _operand(arguments[0], name, node)
    texts = [value.sql]
    if len(arguments) > 1:
        distance = convert(arguments[1], BIGINT, cx).sql
        texts.append(f"CASE WHEN {distance} < 0 THEN CAST(error('SQL|8730') AS BIGINT) ELSE {distance} END")
    if len(arguments) > 2:
        unify([value, arguments[2]], node.span, name.lower())
        texts.append(convert(arguments[2], value.type, cx).sql)
    sql = f"{name.lower()}({', '.join(texts)}{_treatment(node)}) OVER ({over})"
    return msgspec.structs.replace(value, sql=sql, nullable=True, constant=None, is_literal=False, origin=None)


def _operand(value: Typed, name: str, node: ast.FunctionCall) -> Typed:
    """What the function is of. Raises 8117 for the bare NULL."""
    if value.is_bare_null:
        raise sql_error(8117, "NULL", name.lower(), span=node.span)
    return value


def _treatment(node: ast.FunctionCall) -> str:
    return f" {node.nulls}" if node.nulls else ""


def _edge(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, name.lower(), 1, span=node.span)
    value = _operand(cx.expression(node.arguments[0]), name, node)
    sql = f"{name.lower()}({value.sql}{_treatment(node)}) OVER ({over})"
    return msgspec.structs.replace(value, sql=sql, nullable=True, constant=None, is_literal=False, origin=None)


_WINDOWS: dict[str, Callable[[str, ast.FunctionCall, Context, str], Typed]] = {
    "ROW_NUMBER": _rank, "RANK": _rank, "DENSE_RANK": _rank, "NTILE": _ntile, "LAG": _offset, "LEAD": _offset,
    "FIRST_VALUE": _edge, "LAST_VALUE": _edge, "PERCENT_RANK": _share, "CUME_DIST": _share,
}  # fmt: skip
