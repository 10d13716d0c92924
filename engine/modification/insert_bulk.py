"""INSERT BULK: a client is about to send rows for a table.

It decides which columns they fill and what a bulk load does not look at: constraints and triggers, unless an option
asks for them. The statement only prepares; the rows come with the client's next message, and `BulkLoad.step` writes
them. Without a client that can send any (in process, inside of a module) it is error 4022.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from sbql.catalog.records import Table
from sbql.engine.modification.insert import insert_rows
from sbql.engine.modification.insert_targets import InsertTarget, insert_columns, target_of
from sbql.engine.modification.locking import locked
from sbql.engine.modification.target import bound_target, check_permission, find_target
from sbql.engine.outcomes import RowsAffected
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import assignment
from sbql.engine.work import Work
from sbql.grammar.ast import BulkOption, InsertBulkStatement, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["BulkChannel"]

_WORDS = frozenset({"CHECK_CONSTRAINTS", "FIRE_TRIGGERS", "KEEP_NULLS"})
_HINTS = frozenset({"TABLOCK", "ORDER", "ROWS_PER_BATCH", "KILOBYTES_PER_BATCH"})
"""Without effect on what is loaded."""


class BulkChannel:
    """Of a session whose client can send rows: what it has said it will send."""

    def __init__(self) -> None:
        self.load: BulkLoad | None = None

    def take(self) -> BulkLoad | None:
        found, self.load = self.load, None
        return found


class BulkLoad(Struct, frozen=True):
    node: InsertBulkStatement
    words: frozenset[str]

    def step(self, types: Sequence[SqlType], rows: Sequence[Sequence[Any]]) -> Step:
        """What writes the rows, as one statement. Raises 4815 when they have another number of
        columns, and what an INSERT raises."""

        def run(frame: Frame) -> Work:
            with frame.session.statement() as transaction:
                make = partial(_bound, frame.session, self.node, self.words)
                version, found = frame.session.catalog.version, make()
                bound, positions = yield from locked(
                    frame.session, transaction, version, found, make, lambda found: found[:1]
                )
                if len(types) != len(positions):
                    raise sql_error(4815, len(types))
                placed = _placed(frame, bound, positions, types, rows, "KEEP_NULLS" in self.words)
                target = target_of(bound, None, positions, _Target)
                if bound.shares_values:  # filled in by the row
                    target.defaults = ()
                yield from insert_rows(frame, transaction, target, placed, None, self.node.span)
            return RowsAffected(len(rows), "BULK INSERT")

        return Step(run, waits=True)


@handles(InsertBulkStatement)
def compile_insert_bulk(node: InsertBulkStatement, compiler: Compiler) -> Step:
    words = frozenset(_word(option) for option in node.options)

    def run(frame: Frame) -> int:
        session = frame.session
        if session.bulk is None or session.nest_level:
            raise sql_error(4022)
        _bound(session, node, words)
        session.bulk.load = BulkLoad(node, words)
        return 0

    return Step(run)


def _word(option: BulkOption) -> str:
    """Raises 102 for one that is no option."""
    if option.name not in _WORDS | _HINTS:
        raise sql_error(102, option.name, span=option.span).advise(did_you_mean(option.name, _WORDS | _HINTS))
    return option.name


def _bound(session: Session, node: InsertBulkStatement, words: frozenset[str]) -> tuple[BoundTable, tuple[int, ...]]:
    """The table without what a bulk load does not look at, and the columns that come.
    Raises 207, 208, 229, 264, 271, 40517."""
    if not isinstance(find_target(session, node.target.name), Table):
        raise sql_error(40517, "INSERT BULK into a view", span=node.target.span)
    bound = bound_target(session, node.target)
    check_permission(session, bound.table, "INSERT", node.target.span)
    if "CHECK_CONSTRAINTS" not in words:
        bound = bound.unchecked()
    if "FIRE_TRIGGERS" not in words:
        bound = msgspec.structs.replace(bound, triggers=())
    return bound, insert_columns(bound, [column.name for column in node.columns])


class _Target(InsertTarget):
    """A bulk load gives identity values when it names their column, whatever IDENTITY_INSERT says."""

    def check_identity(self, session: Session, span: Span) -> None:
        return None


def _placed(
    frame: Frame, bound: BoundTable, positions: tuple[int, ...], types: Sequence[SqlType], rows: Sequence[Sequence[Any]], keeps_nulls: bool
) -> list[list[Any]]:  # fmt: skip
    """The rows as rows of the table. A NULL is the default of its column, unless nulls are kept."""
    options = frame.session.options
    converters = [
        assignment(source, bound.types[place], bound.full_name, bound.table.columns[place].name, options)
        for source, place in zip(types, positions, strict=True)
    ]
    defaults = [None if keeps_nulls else bound.defaults[place] for place in positions]
    others = target_of(bound, None, positions).defaults if bound.shares_values else ()

    def made(values: Sequence[Any]) -> list[Any]:
        row: list[Any] = [None] * bound.width
        for value, place, convert, default in zip(values, positions, converters, defaults, strict=True):
            if value is None:
                row[place] = default(frame) if default is not None else None
            else:
                row[place] = value if convert is None else convert(value)
        for place, missing in others:
            row[place] = missing(frame)
        return row

    if bound.shares_values:
        return [frame.of_row(partial(made, values)) for values in checked_rows(rows)]
    return [made(values) for values in checked_rows(rows)]
