"""Where the rows of a write come from: a query, a procedure, or the target joined with what FROM names.

The seam to the translator: everything here gives Python values of known SQL types, so the statements above need not
know what a translated query looks like.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, TypeVar

from msgspec import Struct

from sbql.engine.direct.form import direct_matches, is_of_one_row
from sbql.engine.outcomes import ResultColumn, ResultSet, RowsAffected
from sbql.engine.ports import Session
from sbql.engine.query.registered import running
from sbql.engine.query.running import matches_at_hand
from sbql.engine.query.translation import Beginning, TargetQuery, fetch, translate_query, translate_target_query
from sbql.engine.query.written_sources import TableWithRowId
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import Step
from sbql.engine.tables.typed_sql import INTEGER_TYPES, NUMBER_TYPES, TranslatedQuery
from sbql.engine.work import Suspend
from sbql.grammar.ast import (
    Condition,
    DeleteStatement,
    Expression,
    IntegerLiteral,
    NamedTable,
    NullLiteral,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    TableSource,
    Top,
    UpdateStatement,
    WithClause,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import rewrite, walk
from sbql.grammar.types import NULL_TYPE, SqlType

__all__ = [
    "ImageSearch", "QueryRows", "RowLimit", "TargetRows", "over_images", "query_rows",
    "run_procedure", "target_rows", "view_rows",
]  # fmt: skip


T = TypeVar("T")


class QueryRows(Struct):
    """A translated SELECT."""

    query: TranslatedQuery
    types: tuple[SqlType, ...]

    def fetch(self, frame: Frame) -> list[tuple[Any, ...]]:
        """The rows now, as Python values."""
        return fetch(self.query, frame)


def query_rows(query: QueryExpression, with_: WithClause | None, scope: Scope, session: Session) -> QueryRows:
    """Translate the SELECT of INSERT or of a cursor."""
    translated = translate_query(query, scope, session, with_=with_, is_assigned=True)
    items: Sequence[Any] = query.query.items if isinstance(query.query, QuerySpecification) else ()
    if len(items) != len(translated.columns):
        return QueryRows(translated, tuple(c.type for c in translated.columns))
    return QueryRows(translated, _types(translated.columns, [getattr(item, "expression", None) for item in items]))


def _types(columns: Sequence[ResultColumn], expressions: Sequence[Any]) -> tuple[SqlType, ...]:
    """The types of computed values. The bare word NULL converts to any type, also to those that int does not."""
    pairs = zip(columns, expressions, strict=True)
    return tuple(NULL_TYPE if isinstance(e, NullLiteral) else c.type for c, e in pairs)


class TargetRows(Struct):
    """The rows of a target that UPDATE, DELETE or MERGE touches, with values computed beside them."""

    query: TargetQuery
    types: tuple[SqlType, ...]

    def fetch(self, frame: Frame) -> list[tuple[Any, ...]]:
        """(row id, extra values …) of each match, as Python values; a target row comes once for each match."""
        return fetch(self.query.query, frame)

    @property
    def is_of_one_row(self) -> bool:
        """There is one match at most."""
        return is_of_one_row(self.query.query)

    def at_hand(self, width: int) -> Callable[[Frame, int | None], list[Any] | None] | None:
        """What gives (row id, image, extra values) of the matches, each row once and at least so many if there are, or
        None when DuckDB has to be asked. None where it always has."""
        query = self.query.query
        find = direct_matches(query, width)
        return None if find is None else lambda frame, most: matches_at_hand(query, find, frame, most)


def target_rows(
    target: TableSource,
    from_: TableSource | None,
    where: Condition | None,
    extras: Sequence[Expression],
    scope: Scope,
    session: Session,
    *,
    with_: WithClause | None = None,
    top: Top | None = None,
    beginning: Beginning | None = None,
) -> TargetRows:
    """Translate the search of an UPDATE or DELETE; `beginning` is that of the statement itself."""
    query = translate_target_query(
        target, from_, where, tuple(extras), scope, session, with_=with_, top=top, beginning=beginning
    )
    return TargetRows(query, _types(query.query.columns[1:], extras))


class ImageSearch(Struct):
    """The search of a write over what others have written and not committed, translated when there is something."""

    translate: Callable[[Session], TargetRows]
    rows: TargetRows | None = None

    def fetch(self, frame: Frame) -> list[tuple[Any, ...]]:
        """(row id, extra values …), as TargetRows gives them."""
        if self.rows is None:
            with running(frame):
                self.rows = self.translate(frame.session)
        return self.rows.fetch(frame)


def over_images(target: TableSource, *, with_rows: bool) -> TableSource:
    """`target` with the table that is written through it replaced by what others have written, or by what it would
    be `with_rows` if they committed."""
    inside = [part for part in walk(target) if isinstance(part, TableWithRowId)]
    base = inside[0] if inside else target
    if not isinstance(base, NamedTable | TableWithRowId):
        return target
    images = "with rows" if with_rows else "alone"
    table = base.table if isinstance(base, TableWithRowId) else base
    return rewrite(target, lambda part: TableWithRowId(table, images=images, span=part.span) if part is base else None)


def view_rows(
    node: UpdateStatement | DeleteStatement, items: Sequence[Expression], scope: Scope, session: Session
) -> TargetRows:
    """The rows of a view that an INSTEAD OF trigger is to change: values alone, in the order of `items`."""
    assert isinstance(node.target, NamedTable)
    selects = tuple(SelectColumn(e) for e in items)
    outer = QueryExpression(
        QuerySpecification(selects, from_=node.from_ or node.target, where=node.where), span=node.span
    )
    translated = translate_query(outer, scope, session, with_=node.with_, is_assigned=True)
    return TargetRows(TargetQuery(translated, node.target), _types(translated.columns, items))


class RowLimit:
    """TOP of a write and SET ROWCOUNT together. Raises what TOP of a query does: 1060 for NULL and for what is no
    integer, 127 for a negative number, 1031 for a percentage beyond 0 to 100; for a constant at once."""

    __slots__ = ("_run", "_span", "is_percent", "is_set")

    def __init__(self, top: Top | None, scope: Scope) -> None:
        self.is_set = top is not None
        self.is_percent = top is not None and top.percent
        if top is None:
            return
        self._span = top.count.span
        scalar = compile_scalar(top.count, scope)
        allowed = NUMBER_TYPES if top.percent else INTEGER_TYPES
        if isinstance(top.count, NullLiteral) or (
            scalar.type.name not in allowed and not isinstance(top.count, IntegerLiteral)
        ):
            raise sql_error(1060, span=self._span)
        self._run = scalar.run
        if scalar.is_constant:
            self._check(scalar.value)

    def before(self, frame: Frame) -> int | None:
        """How many rows are enough, whatever there are; None for all."""
        rowcount: int | None = frame.session.options.rowcount or None
        if not self.is_set:
            return rowcount
        value = self._run(frame)
        self._check(value)
        if self.is_percent:
            return None
        return int(value) if rowcount is None else min(int(value), rowcount)

    def _check(self, value: Any) -> None:
        if value is None:
            raise sql_error(1060, span=self._span)
        if self.is_percent and not 0 <= value <= 100:
            raise sql_error(1031, span=self._span)
        if value < 0:
            raise sql_error(127, span=self._span)

    def of(self, frame: Frame, found: int) -> int:
        """How many of the rows found are taken."""
        most = self.before(frame)
        if self.is_percent:
            rowcount: int = frame.session.options.rowcount or found
            return min(ceil(found * Fraction(self._run(frame)) / 100), rowcount)
        return found if most is None else min(found, most)


def run_procedure(frame: Frame, step: Step, width: int) -> Generator[Suspend, None, list[ResultSet]]:
    """Run EXEC and keep its result sets to ourselves; messages go on to the client. What runs is in a transaction, the
    statement's if there is no other. Raises 8164 inside of another INSERT … EXEC, and 213 out of the statement whose
    result set has not `width` columns."""
    session = frame.session
    outer = session.sink
    found: list[ResultSet] = []

    def collect(outcome: Any) -> None:
        if isinstance(outcome, ResultSet):
            if len(outcome.columns) != width:
                raise sql_error(213, state=7)
            found.append(outcome)
        elif not isinstance(outcome, RowsAffected) and outer is not None:
            outer(outcome)

    with session.in_insert_exec(collect):
        if step.waits:
            yield from step.run(frame)
        else:
            step.run(frame)
    return found
