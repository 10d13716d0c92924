"""Conversions in SQL: what CAST, CONVERT and implicit conversions of a column become.

Decides that a conversion is the native form, if it has one (`native.conversions`), with the shared converter as a
registered function for the rest. Constants are converted outside the query. The rules themselves are grammar.values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.forms import guarded
from sbql.engine.native.no_values import never_converts
from sbql.engine.query.names import Level
from sbql.engine.query.registered import call_text, registered, running_frame
from sbql.engine.scalars.arithmetic_errors import may_lose_digits, without_loss
from sbql.engine.tables.typed_sql import (
    Parameter,
    Typed,
    bounded,
    cast_text,
    has_literals,
    literal,
    null_of,
    strictly,
)
from sbql.grammar.ast import Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import BIGINT, NULL_TYPE, SqlType
from sbql.grammar.values.collation_precedence import COERCIBLE, Unresolved, check_assigned, definite, produced
from sbql.grammar.values.conversion_rules import check_conversion
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import is_national, kind
from sbql.grammar.values.result_types import common_type

if TYPE_CHECKING:
    from sbql.engine.query.context import Context

__all__ = ["call", "convert", "literal_value", "unify", "unless_null"]


def unify(values: Sequence[Typed], span: Span, operation: str, *, compares: bool = False) -> Typed:
    """A value that stands for all of them: its type is where they meet, its rank the strongest collation. Its text is
    empty. Raises 456, 457, 468; 5335 where `operation` compares and one of them has no collation."""
    try:
        met = common_type(value.type for value in values)
    except SqlError as error:
        raise error.at(span) from None
    if met == NULL_TYPE:
        met = SqlType("int")
    rank = COERCIBLE
    if met.name in ("char", "varchar", "nchar", "nvarchar", "text", "ntext"):
        labels = [value.label for value in values if value.is_text]
        try:
            rank, collation = definite(labels, operation) if compares else produced(labels, operation, met)
        except SqlError as error:
            raise (sql_error(5335, met.name) if error.number == 4191 else error).at(span) from None
        met = replace(met, collation=collation)
    stands_once = any(value.stands_once for value in values)
    return Typed("", met, any(value.nullable for value in values), rank, stands_once=stands_once)


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
    if explicit and value.rank == COERCIBLE:
        target = cx.statement.scope.collated(target)
    if value.is_bare_null or source.name == NULL_TYPE.name:
        return msgspec.structs.replace(null_of(target), rank=value.rank)
    check_conversion(source, target, explicit=explicit)
    if isinstance(source.collation, Unresolved):
        _check_unresolved(source, target, explicit)
    options = cx.session.options
    if options.numeric_roundabort and may_lose_digits(source, target):
        exactly = without_loss(source, target, options)

        def keep(content: Any) -> Any:
            return exactly(content, running_frame().session)

        what = (source, target, options.deviations, is_try)
        sql = call("exact", what, _quiet(keep) if is_try else keep, [value], target, cx)
        return Typed(sql, target, stands_once=True)
    dates = options.dates
    run = converter(source, target, style, explicit, dates)
    if run is None:
        is_stored_alike = duck_type(source) == duck_type(target)
        sql = value.sql if is_stored_alike else cast_text(value.sql, target)
        return strictly(msgspec.structs.replace(value, sql=sql, type=target), [value])
    if value.constant is not None and (cx.statement.hoists or value.is_literal) and not is_try:
        folded = _constant(value, target, run, cx)
        if folded is not None:
            return folded
    python = _quiet(run) if is_try else run
    form = conversion_form(source, target, style, dates)

    def by_rows(given: Sequence[Typed] = (value,)) -> str:
        text = call("cast", (source, target, style, dates, is_try), python, given, target, cx, is_pure=True)
        (of,) = given
        is_short = len(of.sql) < _REPEATED and (of is not value or not value.stands_once)
        never = never_converts(source, target, style, dates) if is_try and is_short else ""
        text = f"(CASE WHEN {never.format(of.sql)} THEN NULL ELSE {text} END)" if never else text
        return unless_null(text, given) if form is None else text

    sql, stands_once = guarded(form, [value], by_rows, by_rows)
    rank = value.rank if value.is_text else COERCIBLE  # only from text to text a collation goes along
    found = msgspec.structs.replace(
        value,
        sql=sql,
        type=target,
        nullable=value.nullable or is_try,
        rank=rank,
        constant=None,
        is_literal=False,
        origin=None,
        stands_once=stands_once,
        ordered=value.ordered if form is None or sql == value.sql else form.ordered(sql),
        ordered_alone=value.ordered_alone if form is None or sql == value.sql else form.ordered_alone(sql),
        distinct=value.distinct if form is None or sql == value.sql else form.distinct(sql),
    )
    if kind(source) == kind(target) == "int":
        found = bounded(found, value.bounds)
    return found if is_try else strictly(found, [value])


def _check_unresolved(source: SqlType, target: SqlType, explicit: bool) -> None:
    """A text without a collation cannot become one of a code page, and one of a code page cannot
    become any other. Raises 446, 456."""
    if kind(target) != "string" or replace(source, collation=None) == replace(target, collation=None):
        return
    if not explicit:
        check_assigned(source, target)
    elif not is_national(target):
        assert isinstance(source.collation, Unresolved)
        raise sql_error(446, *source.collation.conflict, "CONVERT", state=20)


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
    before, found = value.constant.run, None
    if value.is_literal and (has_literals(target) or not cx.statement.hoists):
        try:
            content = run(before(None))
            found = literal_value(content, target) if has_literals(target) else None
        except SqlError:
            if not cx.statement.hoists:
                return None
    if found is None:
        found = cx.statement.constant(lambda frame: run(before(frame)), target)
    return msgspec.structs.replace(found, rank=value.rank, nullable=value.nullable)


_REPEATED = 500
"""Characters of an operand's text that may stand several times in that of its function."""


def _quiet(run: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """For TRY_CAST: NULL instead of an error of the value."""

    def attempt(value: Any) -> Any:
        try:
            return run(value)
        except SqlError:
            return None

    return attempt


def unless_null(text: str, operands: Sequence[Typed]) -> str:
    """The call of a Python function that gives NULL where an operand is NULL, for the other rows alone."""
    tests = [
        f"{one.sql} IS NULL" for one in operands if one.nullable and not one.stands_once and len(one.sql) < _REPEATED
    ]
    return f"(CASE WHEN {' OR '.join(tests)} THEN NULL ELSE {text} END)" if tests else text


def call(
    prefix: str,
    what: Any,
    function: Callable[..., Any],
    arguments: Sequence[Typed],
    result: SqlType,
    cx: Context,
    *,
    is_volatile: bool = False,
    is_remembered: bool = False,
    is_pure: bool = False,
) -> str:
    """The text of a call of a registered function. Where errors become warnings, each function may tell one. Where a
    constant has failed, each is called for rows alone: of constants, DuckDB would call it while it plans, in branches
    too that no row takes. In a window, which takes no volatile function, one is made to depend on the row instead."""
    is_volatile = is_volatile or not cx.session.options.ansi_warnings or not cx.statement.hoists
    if is_volatile and cx.statement.is_in_window:
        given = function
        arguments = [*arguments, Typed(f"CAST(hash({_of_the_row(cx.level)}) >> 1 AS BIGINT)", BIGINT)]
        prefix, function, is_volatile = f"{prefix}_of_row", lambda *values: given(*values[:-1]), False
    known = registered(
        prefix,
        what,
        function,
        [a.type for a in arguments],
        result,
        is_volatile=is_volatile,
        is_remembered=is_remembered,
        is_pure=is_pure and cx.session.options.ansi_warnings,
    )
    cx.statement.use_function(known)
    return call_text(known, [a.sql for a in arguments])


def _of_the_row(level: Level) -> str:
    """An expression that is no constant, if the level has rows."""
    if level.grouping is not None and level.grouping.is_active:
        return "count(*)"
    return next((column.sql for relation in level.relations for column in relation.columns), "0")
