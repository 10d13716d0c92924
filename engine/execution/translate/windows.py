"""Window functions: ranking, offset and aggregate functions with OVER.

Decides their result types and frames. Raises 4108 where no window function may stand, 4112 and 10753 for a missing
ORDER BY or OVER.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sbql.engine.execution.translate.aggregates import NO_WINDOWS, aggregate_call
from sbql.engine.execution.translate.context import AGGREGATES, Context, is_constant
from sbql.engine.execution.translate.conversions import convert, unify
from sbql.engine.execution.translate.keys import comparable, equality_key, order_term
from sbql.engine.execution.translate.named_windows import resolved
from sbql.engine.execution.translate.ordered_aggregates import percentile
from sbql.engine.execution.translate.typed import NODE, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, FLOAT

__all__ = ["RANKING", "window", "window_text"]

RANKING = frozenset(
    {
        "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "PERCENT_RANK", "CUME_DIST",
        "PERCENTILE_CONT", "PERCENTILE_DISC",
    }
)  # fmt: skip


def window(name: str, node: ast.FunctionCall, cx: Context) -> Typed:
    if cx.clause in ("WHERE", "ON", "HAVING", "GROUP BY"):
        raise sql_error(4108, span=node.span)
    assert node.over is not None
    node = replace(node, over=resolved(node.over, cx.level.windows))
    assert node.over is not None
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
    keys = [equality_key(cx.expression(e)) for e in node.partition_by]
    if cx.level.row_key:
        keys.insert(0, cx.level.row_key)
    parts = [f"PARTITION BY {', '.join(keys)}"] if keys else []
    terms = []
    for item in node.order_by:
        if is_constant(item.expression):
            if isinstance(item.expression, ast.IntegerLiteral):
                raise sql_error(5308, span=item.span)
            continue
        if (place := _place_of_node(item.expression, cx)) is not None:
            terms.append(f"{place} {'DESC' if item.descending else 'ASC'}")
            continue
        value = cx.expression(item.expression)
        comparable(value, item.span)
        terms.append(order_term(value, item.descending))
    if terms:
        parts.append("ORDER BY " + ", ".join(terms))
    if node.frame is not None:
        parts.append(_frame(node.frame))
    return " ".join(parts)


def _place_of_node(node: ast.Expression, cx: Context) -> str | None:
    """The place of a row of nodes() among the rows, which is the order of the document; None for what is no such
    row."""
    if not isinstance(node, ast.ColumnReference):
        return None
    value = cx.within("METHOD").expression(node)
    return f"CAST(substr({value.sql}, 2) AS BIGINT)" if value.type == NODE else None


def _frame(frame: ast.Frame) -> str:
    def bound(given: tuple[str, int | None]) -> str:
        word, count = given
        return word if count is None else f"{count} {word}"

    if frame.end is None:
        return f"{frame.unit} {bound(frame.start)}"
    return f"{frame.unit} BETWEEN {bound(frame.start)} AND {bound(frame.end)}"


def _rank(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    if node.arguments:
        raise sql_error(174, name.lower(), 0, span=node.span)
    return Typed(f"CAST({name.lower()}() OVER ({over}) AS BIGINT)", BIGINT, False)


def _share(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    return Typed(f"{name.lower()}() OVER ({over})", FLOAT, False)


def _ntile(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, "ntile", 1, span=node.span)
    count = convert(cx.expression(node.arguments[0]), BIGINT, cx)
    return Typed(f"ntile({count.sql}) OVER ({over})", BIGINT, False)


def _offset(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    """LAG and LEAD: value, distance, default."""
    arguments = [cx.expression(a) for a in node.arguments if isinstance(a, ast.Expression)]
    if not 1 <= len(arguments) <= 3:
        raise sql_error(189, name.lower(), 1, 3, span=node.span)
    value = arguments[0]
    texts = [value.sql]
    if len(arguments) > 1:
        texts.append(convert(arguments[1], BIGINT, cx).sql)
    if len(arguments) > 2:
        unify([value, arguments[2]], node.span)
        texts.append(convert(arguments[2], value.type, cx).sql)
    sql = f"{name.lower()}({', '.join(texts)}{_treatment(node)}) OVER ({over})"
    return replace(value, sql=sql, nullable=True, constant=None, is_literal=False, origin=None)


def _treatment(node: ast.FunctionCall) -> str:
    return f" {node.nulls}" if node.nulls else ""


def _edge(name: str, node: ast.FunctionCall, cx: Context, over: str) -> Typed:
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, name.lower(), 1, span=node.span)
    value = cx.expression(node.arguments[0])
    sql = f"{name.lower()}({value.sql}{_treatment(node)}) OVER ({over})"
    return replace(value, sql=sql, nullable=True, constant=None, is_literal=False, origin=None)


_WINDOWS: dict[str, Callable[[str, ast.FunctionCall, Context, str], Typed]] = {
    "ROW_NUMBER": _rank, "RANK": _rank, "DENSE_RANK": _rank, "NTILE": _ntile, "LAG": _offset, "LEAD": _offset,
    "FIRST_VALUE": _edge, "LAST_VALUE": _edge, "PERCENT_RANK": _share, "CUME_DIST": _share,
}  # fmt: skip
