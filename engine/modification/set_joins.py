"""UPDATE from a join in one step: DuckDB's own UPDATE … FROM, in place of finding the rows, keeping them, and
writing what was kept by their ids.

That takes half of the time and no memory, and leaves nothing to do the change again with. So it is for a
statement that is a transaction by itself, without OUTPUT and TOP (CHECK and what `set_changes` leaves to the row way
are not for it either), which was large when it ran last, where each row is met once (`query/joined_updates`), and each
value fits as it is. If anything fails on the way, a value or that test, nothing was done: the other ways have it, and
the errors. It must not know how those work.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.catalog.changes import ROW_ID, UpdateRows
from sbql.catalog.duck_types import quote
from sbql.catalog.found_rows import FoundImages
from sbql.catalog.in_place import InPlace, NotOnce
from sbql.catalog.stamps import definition_stamp
from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.locking import lock_table, try_lock_whole
from sbql.engine.modification.set_columns import assigned_sql
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.joined_updates import JoinedUpdate
from sbql.engine.query.registered import running
from sbql.engine.query.running import statement_now
from sbql.engine.query.translation import Beginning
from sbql.engine.scalars.scope import Frame
from sbql.engine.session_options import SessionOptions
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.pending_images import others_at_work
from sbql.engine.tables.typed_sql import Typed
from sbql.engine.work import Suspend
from sbql.grammar.errors import CANCELLED, SqlError
from sbql.grammar.values.kinds import kind

__all__ = ["SetJoin"]


class SetJoin(Struct):
    """An UPDATE that may be done so. `positions` are the columns that SET names, each with an extra
    value; `binding_key` is the session's when it was bound. `is_refused`: a source had a value
    twice, and is likely to have it again."""

    bound: BoundTable
    expectation: Expectation
    positions: Sequence[int]
    binding_key: tuple[Any, ...]
    translate: Callable[[Session, Beginning], JoinedUpdate | None]
    is_refused: bool = False
    found: JoinedUpdate | None = None

    def perform(self, frame: Frame, txn: Transaction) -> Generator[Suspend, None, int | None]:
        """The number of rows; None when another way has to do it, and nothing was done."""
        bound, store = self.bound, frame.session.instance.store
        clock = store.clock
        found = self._translated(frame) if self._is_for(frame, txn) else None
        if found is None or not self._is_large(frame, txn, found):
            return None
        own = statement_now(found.statement, frame)
        if own is None:
            return None
        if bound.needs_locks:
            yield from lock_table(txn, bound.table.id)
            if others_at_work(txn, bound.table.id) or not try_lock_whole(txn, bound.table.id):
                return None
        if frame.session.binding_key != self.binding_key:
            return None
        stamps = [*map(definition_stamp, found.statement.tables)]
        done = InPlace(own, found.tests, lambda: not store.is_stale(clock, stamps))
        names = (ROW_ID, *(bound.names[position + 1] for position in self.positions))
        try:
            txn.unit.apply(UpdateRows(bound.storage, names, FoundImages(done, "")))
        except SqlError as error:
            if error.number == CANCELLED or error.severity > 16:
                raise
            self.is_refused = isinstance(error, NotOnce)
            return None
        self.expectation.note(frame, done.count)
        return done.count

    def _translated(self, frame: Frame) -> JoinedUpdate | None:
        if self.found is None:
            with running(frame):
                self.found = self.translate(frame.session, partial(self._beginning, frame.session.options))
            self.is_refused = self.found is None
        return self.found

    def _is_large(self, frame: Frame, txn: Transaction, found: JoinedUpdate) -> bool:
        """It was when it ran last. The first time it may be, unless a test would look through a whole
        table for what may be a few rows."""
        if self.expectation.is_big is not None or (found.tests and found.is_filtered):
            return self.expectation.is_big is True
        return StoredRows(self.bound, txn).most_rows >= frame.session.instance.locks.sets_from

    def _is_for(self, frame: Frame, txn: Transaction) -> bool:
        """A statement that ends its transaction has nothing to do again, and nobody subscribes to what it changes."""
        session = frame.session
        return (
            not self.is_refused
            and session.trancount == 0
            and session.transaction is txn
            and not txn.unit.has_written
            and not txn.unit.is_open
            and not session.instance.subscriptions.is_watching
        )

    def _beginning(self, options: SessionOptions, source: str, values: Sequence[Typed]) -> str | None:
        """None where a value may not fit: whether it does is not looked at."""
        items = []
        for position, value in zip(self.positions, values, strict=True):
            column = assigned_sql(value, self.bound.types[position], options)
            if column is None or column.odd or kind(value.type) == "float":
                return None
            text = column.sql
            if position in self.bound.not_null and value.nullable:
                text = f"coalesce({text}, error('NULL'))"
            items.append(f"{quote(self.bound.names[position + 1])} = {text}")
        return f"UPDATE {source} SET {', '.join(items)}"
