"""A date that is cut off by way of a number or a text: DATEADD(day, DATEDIFF(day, 0, d), 0),
CAST(FLOOR(CAST(d AS float)) AS datetime), CONVERT(date, CONVERT(char(8), d, 112)).

Decides which expressions mean that: the column or variable in the middle is translated once, and cut off
by DuckDB in one step. All else, and what is no datetime, is for the expressions as they are written. It
must not know how these are translated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sbql.catalog.duck_types import in_ticks
from sbql.engine.native.forms import Form, guarded
from sbql.engine.native.moments import as_ticks
from sbql.engine.query.context import Context
from sbql.engine.scalars.calls import date_part
from sbql.engine.scalars.function_registry import lookup
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.types import DATETIME, SqlType
from sbql.grammar.values.kinds import kind

__all__ = ["cut_by_difference", "cut_by_floor", "cut_by_text"]

_CUT: Final = {"year", "quarter", "month", "day", "hour", "minute"}
"""Parts that DuckDB cuts off alike. Seconds since 1900 are too many for an int."""
_LAST_MINUTE: Final = "5900-01-01"
"""So are minutes a while behind it."""


def cut_by_difference(node: ast.FunctionCall, cx: Context, as_written: Callable[[], Typed | None]) -> Typed | None:
    """DATEADD of as many parts as there are between 0 and a date to 0: a datetime. Raises what DATEADD raises."""
    if len(node.arguments) != 3 or not _is_zero(node.arguments[2]):
        return None
    inner = node.arguments[1]
    if not isinstance(inner, ast.FunctionCall) or inner.name.name.upper() != "DATEDIFF" or len(inner.name.parts) > 1:
        return None
    if len(inner.arguments) != 3 or not _is_zero(inner.arguments[1]):
        return None
    part = _part(node)
    value = _operand(inner.arguments[2], (inner,), cx)
    if part not in _CUT or part != _part(inner) or value is None:
        return None
    if kind(value.type) not in ("date", "datetime", "datetime2", "datetimeoffset"):
        return None
    odd = [] if value.type.name in ("datetime", "smalldatetime") else ["{u0} < DATE '1753-01-01'"]
    if part == "minute":
        odd.append(f"{{u0}} >= DATE '{_LAST_MINUTE}'")
    return _cut(part, value, " OR ".join(odd), as_written)


def cut_by_floor(node: ast.Expression, cx: Context, as_written: Callable[[], Typed]) -> Typed | None:
    """The operand of a conversion to datetime, if it is the floor of a datetime as a float: of
    whole days a float has all digits."""
    if cx.session.options.deviations or not isinstance(node, ast.FunctionCall):
        return None
    if node.name.name.upper() != "FLOOR" or len(node.name.parts) > 1:
        return None
    inner = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(inner, ast.CastExpression | ast.ConvertExpression) or inner.is_try:
        return None
    if isinstance(inner, ast.ConvertExpression) and inner.style is not None:
        return None
    if cx.statement.scope.resolve_type(inner.type, in_cast=True).name != "float":
        return None
    value = _operand(inner.operand, (node, inner), cx)
    if value is None or value.type.name not in ("datetime", "smalldatetime"):
        return None
    return _cut("day", value, "", as_written)


def cut_by_text(node: ast.Expression, target: SqlType, cx: Context, as_written: Callable[[], Typed]) -> Typed | None:
    """The operand of a conversion to a date, if it is the text of another one in style 112, year, month and day in
    digits, which every language reads alike."""
    if not isinstance(node, ast.ConvertExpression) or node.is_try or target.name not in _FIRST_DAYS:
        return None
    shown = cx.statement.scope.resolve_type(node.type, in_cast=True)
    if shown.name not in ("char", "varchar", "nchar", "nvarchar") or 0 <= (shown.length or 0) < 8:
        return None
    if not isinstance(node.style, ast.IntegerLiteral) or node.style.value != 112:
        return None
    value = _operand(node.operand, (node,), cx)
    if value is None or kind(value.type) not in ("date", "datetime", "datetime2", "datetimeoffset"):
        return None
    day = "CAST({d0} AS DATE)"
    stored = day if target.name == "date" else as_ticks(day) if in_ticks(target) else f"CAST({day} AS TIMESTAMP)"
    first, last = _FIRST_DAYS[target.name]
    is_free = target.name in ("date", "datetime2") or value.type.name in ("smalldatetime", target.name)
    odd = "" if is_free else f"{{d0}} < DATE '{first}' OR {{d0}} > DATE '{last}'"
    sql, stands_once = guarded(Form(stored, odd), [value], lambda: as_written().sql)
    return Typed(sql, target, True, stands_once=stands_once)


_FIRST_DAYS: Final = {
    "date": ("0001-01-01", "9999-12-31"), "datetime2": ("0001-01-01", "9999-12-31"), "datetime": ("1753-01-01", "9999-12-31"),
    "smalldatetime": ("1900-01-01", "2079-06-05"),
}  # fmt: skip
"""The first and the last whole day of a type."""


def _cut(part: str, value: Typed, odd: str, as_written: Callable[[], Typed | None]) -> Typed:
    def other() -> str:
        found = as_written()
        assert found is not None
        return found.sql

    sql, stands_once = guarded(Form(f"CAST(date_trunc('{part}', {{u0}}) AS TIMESTAMP)", odd), [value], other)
    return Typed(sql, DATETIME, True, stands_once=stands_once)


def _operand(node: object, around: tuple[ast.Expression, ...], cx: Context) -> Typed | None:
    """A column or variable, which may be translated twice. What is grouped by is taken as it is written."""
    if not isinstance(node, ast.ColumnReference | ast.VariableReference):
        return None
    if any(cx.grouped(expression) is not None for expression in around):
        return None
    value = cx.expression(node)
    return None if value.is_bare_null or value.stands_once else value


def _part(node: ast.FunctionCall) -> str:
    spec = lookup(node.name.name)
    assert spec is not None
    return date_part(node.arguments[0], spec)


def _is_zero(node: object) -> bool:
    return isinstance(node, ast.IntegerLiteral) and node.value == 0
