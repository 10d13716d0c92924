"""Aggregates: COUNT, SUM, AVG, MIN, MAX and the others, over groups and windows.

Decides their result types (page "Aggregate functions") and how they count what T-SQL calls equal. GROUP BY is
`grouping.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from sbql.catalog.duck_types import duck_type
from sbql.engine.noted_warnings import note_left_out
from sbql.engine.query.context import Context, has_aggregate
from sbql.engine.query.conversions import convert
from sbql.engine.query.expressions import binary_operation
from sbql.engine.query.grouping import AggregateInside
from sbql.engine.query.named_windows import refuse_windows
from sbql.engine.query.names import Level
from sbql.engine.query.ordered_aggregates import json_array, json_object, percentile, string_agg
from sbql.engine.query.registered import call_text
from sbql.engine.query.statement import unsupported
from sbql.engine.tables.comparison_keys import equality_key, order_key
from sbql.engine.tables.typed_sql import RegisteredFunction, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import BIGINT, FLOAT, INT, MONEY, SqlType
from sbql.grammar.values.collation_precedence import refuse_unresolved
from sbql.grammar.values.kinds import kind, spelled

__all__ = ["NO_WINDOWS", "aggregate", "aggregate_call"]

Over = Callable[[str], str]
"""Adds OVER (…) to the text of an aggregate, or nothing."""


NO_WINDOWS = frozenset(
    {
        "APPROX_COUNT_DISTINCT", "APPROX_PERCENTILE_CONT", "APPROX_PERCENTILE_DISC", "GROUPING", "GROUPING_ID", "JSON_ARRAYAGG",
        "JSON_OBJECTAGG", "STRING_AGG",
    }
)  # fmt: skip
"""Aggregates that take no OVER clause."""


_REFUSED = {"WHERE": 147, "ON": 1015, "SET": 157, "FROM": 4101, "TOP": 4115}
"""The clauses that take no aggregate, with the error of each."""


def aggregate(name: str, node: ast.FunctionCall, cx: Context) -> Typed:
    """An aggregate over the group. Raises 130, and 147, 157, 1015, 4101, 4115 where none may stand."""
    owner = _owner(node, cx)
    refused = _REFUSED.get(cx.clause)
    if refused is not None and owner is cx.level:
        raise sql_error(refused, *([name] if refused == 4115 else []), span=node.span)
    if node.within_group and not (name == "STRING_AGG" or name.startswith("APPROX_PERCENTILE")):
        raise sql_error(10758, name.lower(), span=node.span)
    if name in ("GROUPING", "GROUPING_ID"):
        return _grouping(name, node, cx)
    if has_aggregate(node.arguments) or any(
        isinstance(n, ast.QueryExpression) for n in walk(node.arguments, closed=ast.QueryExpression)
    ):
        raise sql_error(130, span=node.span)
    refuse_windows(node.arguments)
    if owner is not cx.level:
        if owner.grouping is None:
            raise AggregateInside(owner, node.span)
        outer = Context(cx.statement, owner)
        with outer.ungrouped():
            return aggregate_call(name, node, outer, lambda text: text)
    with cx.ungrouped():
        found = aggregate_call(name, node, cx, lambda text: text)
        return _noting_nulls(name, found, node, cx)


def _owner(node: ast.FunctionCall, cx: Context) -> Level:
    """The level whose groups the aggregate is of: that of its columns, the innermost of several. Raises 4101 on the
    right side of APPLY, and what is said of a clause of that level that takes none."""
    references = [n for n in walk(node.arguments, closed=ast.QueryExpression) if isinstance(n, ast.ColumnReference)]
    levels = [cx.level.column(reference)[0] for reference in references]
    level, below = cx.level, None
    while levels and not any(level is one for one in levels):
        if level.is_applied:
            raise sql_error(4101, span=node.span)
        assert level.parent is not None, "the columns are of one of the levels"
        level, below = level.parent, level
    if below is not None and (refused := _REFUSED.get(below.clause)) is not None:
        raise sql_error(refused, *([node.name.name] if refused == 4115 else []), span=node.span)
    return level


_NOTING = frozenset({"COUNT", "COUNT_BIG", "SUM", "AVG", "MIN", "MAX", "STDEV", "STDEVP", "VAR", "VARP"})


_NOTE_NULLS: Final = RegisteredFunction(
    "sbql_note_nulls", note_left_out, ("BIGINT",), "INTEGER", is_volatile=True, is_bare=True
)
"""Gives NULL."""
_NUMBER: Final = ast.GlobalVariable("@@number of the warnings")
"""In place of what is written in the statement: all aggregates share one parameter."""


def _noting_nulls(name: str, found: Typed, node: ast.FunctionCall, cx: Context) -> Typed:
    """The aggregate, which notes for warning 8153 that its group has NULLs. Columns that have none cost nothing."""
    if cx.statement.is_in_window or cx.statement.inlined:
        return found  # DuckDB sorts windows by no function with an effect; functions tell nobody
    if name not in _NOTING or node.star or not isinstance(node.arguments[0], ast.Expression):
        return found
    value = cx.expression(node.arguments[0])
    sources = value.null_with
    if not sources or value.is_literal:
        return found
    cx.statement.use_function(_NOTE_NULLS)
    number = cx.statement.parameter(lambda frame: frame.session.warnings.number, BIGINT, _NUMBER)
    note = f"coalesce({call_text(_NOTE_NULLS, [number])}, 0)"
    if name in ("COUNT", "COUNT_BIG") and not node.distinct:  # DuckDB plans an expression as often as it stands there
        noted = f"CASE CASE WHEN n < a THEN {note} ELSE 0 END WHEN 0 THEN CAST(n AS {_duck(found.type)}) END"
        return found.with_sql(f"invoke(lambda n, a: {noted}, count({value.sql}), count(*))")
    all_known = " AND ".join(f"{source.sql} IS NOT NULL" for source in sources)
    counted = sources[0].sql if len(sources) == 1 else f"CASE WHEN {all_known} THEN 1 END"
    return found.with_sql(
        f"CASE CASE WHEN count({counted}) < count(*) THEN {note} ELSE 0 END WHEN 0 THEN {found.sql} END"
    )


def _argument(node: ast.FunctionCall, cx: Context, name: str) -> Typed:
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, name.lower(), 1, span=node.span)
    return cx.expression(node.arguments[0])


def aggregate_call(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """An aggregate in SQL. `over` puts what the call needs behind it: OVER (…) of a window, or nothing."""
    handler = _AGGREGATES.get(name)
    if handler is None:
        raise unsupported(name, node.span)
    return handler(name, node, cx, over)


def _count(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    result = BIGINT if name == "COUNT_BIG" else INT
    kind_of = "INTEGER" if result == INT else "BIGINT"
    if node.star:
        return Typed(f"CAST({over('count(*)')} AS {kind_of})", result, False)
    value = _argument(node, cx, name)
    if value.type.name in ("text", "ntext", "image"):
        raise sql_error(8117, value.type.name, name.lower(), span=node.span)
    if node.distinct:
        if value.type.name == "xml":
            raise sql_error(8117, "xml", f"{name.lower()} distinct", span=node.span)
        refuse_unresolved(value.type, "DISTINCT")
    text = f"DISTINCT {equality_key(value)}" if node.distinct else value.sql
    return Typed(f"CAST({over(f'count({text})')} AS {kind_of})", result, False)


def _number(name: str, node: ast.FunctionCall, cx: Context) -> tuple[Typed, SqlType]:
    """A number argument and the type that SUM and AVG give. Raises 8117."""
    value = _argument(node, cx, name)
    family = kind(value.type)
    if family not in ("int", "decimal", "money", "float"):
        raise sql_error(8117, "NULL" if value.is_bare_null else value.type.name, name.lower(), span=node.span)
    if family == "int":
        return value, BIGINT if value.type.name == "bigint" else INT
    if family == "decimal":
        return value, SqlType("decimal", precision=38, scale=value.type.scale or 0)
    return value, MONEY if family == "money" else FLOAT


def _sum(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    value, result = _number(name, node, cx)
    return _total(over(f"sum({'DISTINCT ' if node.distinct else ''}{value.sql})"), result, cx)


def _total(text: str, result: SqlType, cx: Context) -> Typed:
    """DuckDB's sum, which has room for more, as one of the result type. Raises 8115."""
    if result == FLOAT:
        return Typed(text, result)
    if result == MONEY:  # which holds less than DuckDB's DECIMAL(19,4)
        return convert(Typed(f"CAST({text} AS DECIMAL(38,4))", SqlType("decimal", precision=38, scale=4)), MONEY, cx)
    return Typed(f"CAST({text} AS {_duck(result)})", result)


def _duck(sql_type: SqlType) -> str:
    return duck_type(sql_type)


def _avg(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """Integers average to an integer, cut towards zero; decimals keep at least six digits. The sum
    has to fit the type of the result."""
    value, result = _number(name, node, cx)
    distinct = "DISTINCT " if node.distinct else ""
    total, count = over(f"sum({distinct}{value.sql})"), over(f"count({distinct}{value.sql})")
    if result == FLOAT:
        return Typed(over(f"avg({distinct}{value.sql})"), result)
    top = _total(total, result, cx)
    if kind(result) == "int":
        return Typed(f"CAST(CASE WHEN {count} > 0 THEN {top.sql} // {count} END AS {_duck(result)})", result)
    if kind(result) == "decimal":
        result = SqlType("decimal", precision=38, scale=max(result.scale or 0, 6))
    bottom = Typed(f"nullif({count}, 0)", BIGINT)
    return convert(binary_operation("/", top, bottom, cx, node.span), result, cx)


def _extreme(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    value = _argument(node, cx, name)
    if value.type.name in ("bit", "xml", "text", "ntext", "image"):
        raise sql_error(8117, value.type.name, name.lower(), span=node.span)
    function = name.lower()
    if value.is_bare_null:
        raise sql_error(8117, "NULL", function, span=node.span)
    refuse_unresolved(value.type, function)
    key = order_key(value)
    text = f"{function}({value.sql})" if key == value.sql else f"arg_{function}({value.sql}, {key})"
    return msgspec.structs.replace(value, sql=over(text), nullable=True, constant=None, is_literal=False, origin=None)


def _deviation(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    value, _ = _number(name, node, cx)
    function = {"STDEV": "stddev_samp", "STDEVP": "stddev_pop", "VAR": "var_samp", "VARP": "var_pop"}[name]
    distinct = "DISTINCT " if node.distinct else ""
    return Typed(over(f"{function}({distinct}CAST({value.sql} AS DOUBLE))"), FLOAT)


def _approximate(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """An approximation may be exact."""
    return Typed(over(f"count(DISTINCT {equality_key(_argument(node, cx, name))})"), BIGINT, False)


def _grouping(name: str, node: ast.FunctionCall, cx: Context) -> Typed:
    """GROUPING and GROUPING_ID: which columns a super-aggregate row leaves out. Raises 8161."""
    grouping = cx.level.grouping
    keys = []
    for argument in node.arguments:
        assert isinstance(argument, ast.Expression)
        with cx.ungrouped():
            value = cx.within("GROUP BY").expression(argument)
        if grouping is None or value.sql not in grouping.keys:
            raise sql_error(8161, 1, span=node.span)
        keys.append(grouping.keys[value.sql])
    if not keys or name == "GROUPING" and len(keys) != 1:
        raise sql_error(174, name.lower(), 1, span=node.span)
    if name == "GROUPING":
        return Typed(f"CAST(grouping({keys[0]}) AS UTINYINT)", SqlType("tinyint"), False)
    return Typed(f"CAST(grouping({', '.join(keys)}) AS INTEGER)", INT, False)


def _checksum(name: str, node: ast.FunctionCall, cx: Context, over: Over) -> Typed:
    """CHECKSUM_AGG of integers: the order of the rows does not count, and equal pairs cancel out."""
    value = _argument(node, cx, name)
    if kind(value.type) != "int":
        raise sql_error(8117, "NULL" if value.is_bare_null else spelled(value.type), "checksum_agg", span=node.span)
    number = f"CAST({value.sql} AS INTEGER)" if value.type.name != "bigint" else convert(value, INT, cx).sql
    return Typed(over(f"bit_xor({'DISTINCT ' if node.distinct else ''}{number})"), INT)


_AGGREGATES: dict[str, Callable[[str, ast.FunctionCall, Context, Over], Typed]] = {
    "COUNT": _count, "COUNT_BIG": _count, "SUM": _sum, "AVG": _avg, "MIN": _extreme, "MAX": _extreme, "STDEV": _deviation,
    "STDEVP": _deviation, "VAR": _deviation, "VARP": _deviation, "STRING_AGG": string_agg,
    "APPROX_COUNT_DISTINCT": _approximate, "APPROX_PERCENTILE_CONT": percentile, "APPROX_PERCENTILE_DISC": percentile,
    "CHECKSUM_AGG": _checksum, "JSON_ARRAYAGG": json_array, "JSON_OBJECTAGG": json_object,
}  # fmt: skip
