"""Conversions in SQL: what CAST, CONVERT and implicit conversions of a column become.

Decides which conversions DuckDB does exactly as T-SQL (those are written as SQL) and which go through the shared
converter as a registered function. Constants are converted outside the query. The rules themselves are grammar.values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sbql.catalog.duck_types import duck_type, in_ticks, is_units
from sbql.engine.query.names import Level
from sbql.engine.query.registered import call_text, registered, running_frame
from sbql.engine.scalars.arithmetic_errors import may_lose_digits, without_loss
from sbql.engine.tables.typed_sql import (
    COERCIBLE,
    INTEGER_TYPES,
    Parameter,
    Typed,
    cast_text,
    has_literals,
    literal,
    null_of,
)
from sbql.grammar.ast import Span
from sbql.grammar.errors import SqlError
from sbql.grammar.types import BIGINT, MAX, NULL_TYPE, SqlType
from sbql.grammar.values.conversion_rules import check_conversion
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import digits_of_integer, kind
from sbql.grammar.values.result_types import common_type

if TYPE_CHECKING:
    from sbql.engine.query.context import Context

__all__ = ["REPEATED", "call", "convert", "literal_value", "unify", "unless_wide"]


def unify(values: Sequence[Typed], span: Span) -> Typed:
    """A value that stands for all of them: its type is where they meet, its rank the strongest collation. Its text is
    empty."""
    try:
        met = common_type(value.type for value in values)
    except SqlError as error:
        raise error.at(span) from None
    if met == NULL_TYPE:
        met = SqlType("int")
    texts = [value for value in values if value.is_text]
    rank = max((value.rank for value in texts), default=0)
    strongest = next((value.type.collation for value in texts if value.rank == rank), None)
    if met.name in ("char", "varchar", "nchar", "nvarchar", "text", "ntext"):
        met = replace(met, collation=strongest)
    return Typed("", met, any(value.nullable for value in values), rank)


def convert(
    value: Typed,
    target: SqlType,
    cx: Context,
    *,
    explicit: bool = False,
    style: int | None = None,
    is_try: bool = False,
) -> Typed:
    """`value` as a value of `target`. Raises 206, 257, 529 for types that do not convert."""
    source = value.type
    if source.name in ("char", "varchar", "nchar", "nvarchar", "text", "ntext") and target.collation is None:
        target = replace(target, collation=source.collation) if kind(target) == "string" else target
    if value.is_bare_null or source.name == NULL_TYPE.name:
        return replace(null_of(target), rank=value.rank)
    check_conversion(source, target, explicit=explicit)
    options = cx.session.options
    if options.numeric_roundabort and may_lose_digits(source, target):
        exactly = without_loss(source, target, options)

        def keep(content: Any) -> Any:
            return exactly(content, running_frame().session)

        what = (source, target, options.deviations, is_try)
        return Typed(call("exact", what, _quiet(keep) if is_try else keep, [value], target, cx), target)
    dates = options.dates
    run = converter(source, target, style, explicit, dates)
    if run is None:
        is_stored_alike = duck_type(source) == duck_type(target)
        return replace(value, sql=value.sql if is_stored_alike else cast_text(value.sql, target), type=target)
    if value.constant is not None and (cx.statement.hoists or value.is_literal) and not is_try:
        folded = _constant(value, target, run, cx)
        if folded is not None:
            return folded
    may_fail = is_try and kind(source) == "decimal"  # by rounding up to one more digit
    sql = None if may_fail else _native(value.sql, source, target, style)
    if sql is None or sql != value.sql and is_units(target) and kind(source) == "string":
        by_units = call(
            "cast", (source, target, style, dates, is_try), _quiet(run) if is_try else run, [value], target, cx
        )
        sql = by_units if sql is None else unless_wide(value.sql, sql, by_units)
    rank = value.rank if value.is_text else COERCIBLE  # only from text to text a collation goes along
    return replace(
        value,
        sql=sql,
        type=target,
        nullable=value.nullable or is_try,
        rank=rank,
        constant=None,
        is_literal=False,
        origin=None,
    )


def literal_value(value: Any, sql_type: SqlType) -> Typed:
    """A constant of the text."""
    return Typed(
        literal(value, sql_type),
        sql_type,
        value is None,
        is_literal=True,
        constant=Parameter(lambda frame: value, sql_type),
    )


def _constant(value: Typed, target: SqlType, run: Callable[[Any], Any], cx: Context) -> Typed | None:
    """A constant converted outside the query. A literal that does not convert stays: the error belongs to run time."""
    assert value.constant is not None
    before = value.constant.run
    if value.is_literal and has_literals(target):
        try:
            found = run(before(None))
        except SqlError:
            if not cx.statement.hoists:
                return None
        else:
            return replace(literal_value(found, target), rank=value.rank, nullable=value.nullable)
    return replace(
        cx.statement.constant(lambda frame: run(before(frame)), target), rank=value.rank, nullable=value.nullable
    )


def unless_wide(text: str, found: str, otherwise: str) -> str:
    """`found` for text of the first 65,536 characters, of which each is one unit to DuckDB too; else `otherwise`."""
    if len(text) > REPEATED:
        return otherwise
    return f"CASE WHEN regexp_matches({text}, '[\\x{{10000}}-\\x{{10FFFF}}]') THEN {otherwise} ELSE {found} END"


REPEATED = 500
"""Characters of an operand's text that may stand several times in that of its function."""


def _quiet(run: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """For TRY_CAST: NULL instead of an error of the value."""

    def attempt(value: Any) -> Any:
        try:
            return run(value)
        except SqlError:
            return None

    return attempt


def call(
    prefix: str,
    what: Any,
    function: Callable[..., Any],
    arguments: Sequence[Typed],
    result: SqlType,
    cx: Context,
    *,
    is_volatile: bool = False,
) -> str:
    """The text of a call of a registered function. Where errors become warnings, each function may tell one. In a window,
    which takes no volatile function, one is made to depend on the row instead."""
    is_volatile = is_volatile or not cx.session.options.ansi_warnings
    if is_volatile and cx.statement.is_in_window:
        given = function
        arguments = [*arguments, Typed(f"CAST(hash({_of_the_row(cx.level)}) >> 1 AS BIGINT)", BIGINT)]
        prefix, function, is_volatile = f"{prefix}_of_row", lambda *values: given(*values[:-1]), False
    known = registered(prefix, what, function, [a.type for a in arguments], result, is_volatile=is_volatile)
    cx.statement.use_function(known)
    return call_text(known, [a.sql for a in arguments])


def _of_the_row(level: Level) -> str:
    """An expression that is no constant, if the level has rows."""
    if level.grouping is not None and level.grouping.is_active:
        return "count(*)"
    return next((column.sql for relation in level.relations for column in relation.columns), "0")


# --- what DuckDB does as T-SQL does ------------------------------------------------------------------------


def _native(sql: str, source: SqlType, target: SqlType, style: int | None) -> str | None:
    family, goal = kind(source), kind(target)
    if family in ("int", "bit"):
        return _from_integer(sql, source, target, goal, style)
    if family == goal == "string":
        return _text(sql, source, target)
    if family == goal == "binary" and target.name == "varbinary" and target.length == MAX:
        return sql
    if family in ("decimal", "money") and goal == "float" and target.name == "float":
        return f"CAST({sql} AS DOUBLE)"
    if family == "decimal" and goal == "decimal" and _digits_before(target) >= _digits_before(source):
        return cast_text(sql, target)
    if family in ("date", "time", "datetime", "datetime2"):
        return _date(sql, source, target)
    if (
        family == "guid"
        and goal == "string"
        and (target.length == MAX or (target.length or 0) >= 36)
        and _varies(target)
    ):
        return f"upper(CAST({sql} AS VARCHAR))"
    if goal == "bit" and family in ("decimal", "money", "float"):
        return f"({sql} <> 0)"
    return None


_MICROS_BEFORE_1970 = 62_135_596_800_000_000
"""From 0001-01-01, where ticks begin."""


def _date(sql: str, source: SqlType, target: SqlType) -> str | None:
    """What needs no rounding. A datetime stands for 300ths of a second and shows milliseconds."""
    if target.name == "date" and source.name != "time":
        moment = f"make_timestamp({sql} // 10 - {_MICROS_BEFORE_1970})" if in_ticks(source) else sql
        return f"CAST({moment} AS DATE)"
    widens = source.name == target.name and (target.scale in (7, None) or (source.scale or 0) <= target.scale)
    if target.name == "datetime2" and (widens or source.name in ("date", "smalldatetime")):
        moment = f"CAST({sql} AS TIMESTAMP)" if source.name == "date" else sql
        return f"((epoch_us({moment}) + {_MICROS_BEFORE_1970}) * 10)" if in_ticks(target) else moment
    if source.name == "datetime" and target.name == "datetime2" and in_ticks(target):
        micros = f"(epoch_us({sql}) + {_MICROS_BEFORE_1970})"
        parts = f"({micros} % 1000000 * 3 + 5000) // 10000"
        return f"({micros} // 1000000 * 10000000 + ({parts} * 100000 + 1) // 3)"
    if target.name == "time" and widens:
        return f"(epoch_us({sql}) * 10)" if in_ticks(target) else sql
    return None


def _digits_before(sql_type: SqlType) -> int:
    return (sql_type.precision or 18) - (sql_type.scale or 0)


def _varies(target: SqlType) -> bool:
    return target.name in ("varchar", "nvarchar")


def _from_integer(sql: str, source: SqlType, target: SqlType, goal: str, style: int | None) -> str | None:
    is_bit = source.name == "bit"
    number = f"CAST({sql} AS UTINYINT)" if is_bit else sql
    if goal == "int" and INTEGER_TYPES.index(target.name) > INTEGER_TYPES.index(source.name):
        return cast_text(sql, target)
    if goal == "bit":
        return f"({sql} <> 0)"
    if goal == "float" and target.name == "float":
        return f"CAST({number} AS DOUBLE)"
    if goal == "decimal" and _digits_before(target) >= digits_of_integer(source.name):
        return cast_text(number, target)
    if goal == "money" and target.name == "money" and source.name in ("bit", "tinyint", "smallint", "int"):
        return cast_text(number, target)
    if goal == "string" and _varies(target) and (target.length == MAX or (target.length or 0) >= 20) and style is None:
        return f"CAST({number} AS VARCHAR)"
    return None


def _text(sql: str, source: SqlType, target: SqlType) -> str | None:
    if (source.name in ("nchar", "nvarchar", "ntext")) and target.name in ("char", "varchar", "text"):
        return None
    if target.name in ("char", "nchar"):
        return f"rpad({sql}, {target.length}, ' ')"
    if target.length in (MAX, None):
        return sql
    assert target.length is not None
    if source.length not in (MAX, None) and (source.length or 0) <= target.length:
        return sql
    return f"left({sql}, {target.length})"
