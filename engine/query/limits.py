"""TOP, OFFSET and FETCH as LIMIT or QUALIFY.

Decides which rows of an ordered query remain. TOP … PERCENT rounds up and WITH TIES keeps equal last rows: both are
window conditions, because LIMIT knows neither, nor columns of the query around. It must not know select lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call, convert
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.expressions import Scalar, compile_scalar
from sbql.engine.tables.typed_sql import INTEGER_TYPES, NUMBER_TYPES
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import BIGINT, FLOAT

__all__ = ["Limit", "limit_of"]


class Limit(Struct, frozen=True):
    suffix: str = ""
    count: str = ""
    percent: bool = False
    with_ties: bool = False
    after: str = ""

    @property
    def is_set(self) -> bool:
        return bool(self.suffix or self.count or self.after)

    def qualify(self, order: Sequence[str]) -> str:
        """The window condition, or ''."""
        by = f"ORDER BY {', '.join(order)}" if order else ""
        if self.after:
            place = f"row_number() OVER ({by})"
            end = f" AND {place} <= {self.after} + {self.count}" if self.count else ""
            return f"{place} > {self.after}{end}"
        if not self.count:
            return ""
        function = "rank" if self.with_ties else "row_number"
        bound = f"ceil(count(*) OVER () * {self.count} / 100.0)" if self.percent else self.count
        return f"{function}() OVER ({by}) <= {bound}"


def limit_of(
    top: ast.Top | None, offset: ast.Expression | None, fetch: ast.Expression | None, is_ordered: bool, cx: Context
) -> Limit:
    """Raises 1062 (WITH TIES without ORDER BY), 10741 (TOP with OFFSET); 10742, 10744, 127 and 1031, for what is
    no constant at run time; 1060, 10743 and 10745 for what is no integer; 4115 for a column of the query itself."""
    _refuse_own_columns((top.count if top is not None else None, offset, fetch), cx)
    around = cx.around()
    found = _limit_of(top, offset, fetch, is_ordered, around)
    if around.level.uses_outer:
        cx.level.uses_outer = True
    return found


def _refuse_own_columns(counts: Sequence[ast.Expression | None], cx: Context) -> None:
    for part in walk(counts, closed=(ast.QueryExpression, ast.Over)):
        if isinstance(part, ast.ColumnReference) and cx.level.column(part)[0] is cx.level:
            raise sql_error(4115, part.name, span=part.span)


def _limit_of(
    top: ast.Top | None, offset: ast.Expression | None, fetch: ast.Expression | None, is_ordered: bool, cx: Context
) -> Limit:
    if top is not None:
        if offset is not None:
            raise sql_error(10741, span=top.span)
        if top.with_ties and not is_ordered:
            raise sql_error(1062, span=top.span)
        if top.percent:
            return Limit(count=_bound(top.count, cx, FLOAT, _percent, 1060), percent=True, with_ties=top.with_ties)
        count = _bound(top.count, cx, BIGINT, _not_negative(127, 1060), 1060)
        if top.with_ties or cx.level.uses_outer:
            return Limit(count=count, with_ties=top.with_ties)
        # With an OFFSET, if it is 0, DuckDB numbers all rows of an APPLY, and takes the first ones without it.
        return Limit(suffix=f" LIMIT {count}")
    if offset is None:
        return Limit()
    after = _bound(offset, cx, BIGINT, _not_negative(10742, 10743), 10743)
    count = _bound(fetch, cx, BIGINT, _positive, 10745) if fetch is not None else ""
    if cx.level.uses_outer:
        return Limit(count=count, after=after)
    return Limit(suffix=f" LIMIT {count} OFFSET {after}" if count else f" OFFSET {after}")


def _bound(node: ast.Expression, cx: Context, sql_type: Any, check: Callable[[Any], Any], not_a_number: int) -> str:
    """The text of a count. Raises `not_a_number` for what is none."""
    if isinstance(node, ast.NullLiteral):
        raise sql_error(not_a_number, span=node.span)
    if isinstance(node, ast.UnaryExpression):  # -1: DuckDB would refuse it in words of its own
        run = _checked(node, cx, sql_type, check).run
        return cx.statement.parameter(lambda frame: check(run(frame)), sql_type)
    given = cx.expression(node)
    if not isinstance(node, ast.IntegerLiteral) and given.type.name not in (
        INTEGER_TYPES if sql_type is BIGINT else NUMBER_TYPES
    ):
        raise sql_error(not_a_number, span=node.span)
    value = convert(given, sql_type, cx)
    constant = value.constant
    if isinstance(node, ast.IntegerLiteral | ast.NumericLiteral):
        _checked(node, cx, sql_type, check)
    if constant is None:
        return call("row_count", (not_a_number, sql_type.name), partial(_counted, check), [value], sql_type, cx)
    run = constant.run
    return cx.statement.parameter(lambda frame: check(run(frame)), sql_type)


def _checked(node: ast.Expression, cx: Context, sql_type: Any, check: Callable[[Any], Any]) -> Scalar:
    """The count as a scalar. One that is written as a number is looked at now: the batch is refused for it."""
    scalar = convert_scalar(compile_scalar(node, cx.statement.scope), sql_type)
    if scalar.is_constant:
        check(scalar.value)
    return scalar


def _counted(check: Callable[[Any], Any], value: Any) -> Any:
    """What a subquery gives as a count."""
    return check(value)


def _not_negative(number: int, not_a_number: int) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is None:
            raise sql_error(not_a_number)
        if value < 0:
            raise sql_error(number)
        return value

    return check


def _positive(value: Any) -> Any:
    if value is None:
        raise sql_error(10745)
    if value <= 0:
        raise sql_error(10744)
    return value


def _percent(value: Any) -> Any:
    if value is None or not 0 <= value <= 100:
        raise sql_error(1031)
    return value
