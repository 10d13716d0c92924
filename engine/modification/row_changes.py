"""The one mechanism for writes: row images in, checked, locked, applied by row id, triggers fired.

INSERT, UPDATE, DELETE and MERGE all end here, cascades and SELECT INTO too. The order is fixed: complete and check each
image by itself (no query), lock, check keys and parents, apply, cascade, then the CHECK constraints whose functions
read tables, then OUTPUT, and only at the end the AFTER triggers, which find the rows of OUTPUT INTO in their table. The
caller stands inside `session.statement()`, so any error undoes the whole statement. It must not know how the images
came to be.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import Any, Final, Protocol

from sbql.engine.modification.checks import check_images, check_late, check_row, complete_row
from sbql.engine.modification.foreign_keys import Waiting, cascades, check_parents, check_waiting
from sbql.engine.modification.keys import check_keys
from sbql.engine.modification.locking import ESCALATION_LIMIT, lock_table, try_lock_whole
from sbql.engine.modification.triggers import fire_after
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_images import Inserted, RowImages, Updated
from sbql.engine.work import Suspend, at_once
from sbql.grammar.values.checkpoints import checked_rows

__all__ = [
    "Triggers",
    "apply_images",
    "insert_one",
    "insert_private",
    "is_plain_update",
    "show_and_fire",
    "update_one",
    "write",
]

MAX_CASCADE_DEPTH = 32
_NOBODY: Final[Any] = None
"""The transaction of whoever takes no locks."""


Triggers = Generator[Suspend, None, None]


class Output(Protocol):
    """The OUTPUT clause of the statement."""

    def deliver(
        self, frame: Frame, txn: Any, images: RowImages, triggers: Triggers
    ) -> Generator[Suspend, None, ResultSet | None]: ...


def write(
    frame: Frame, txn: Transaction, rows: Any, images: RowImages, output: Output | None = None
) -> Generator[Suspend, None, ResultSet | None]:
    """Do what the images say to the table of `rows` (StoredRows or MemoryRows), with all that follows from it. Returns
    what OUTPUT shows the client."""
    done: list[tuple[Any, RowImages]] = []
    waiting: list[Waiting] = []
    yield from apply_images(frame, txn, rows, images, done, waiting)
    if waiting:
        check_waiting(waiting)
    for changed_rows, changes in done:
        if changed_rows.bound.late_checks:
            check_late(frame, changed_rows.bound, changes)
    if rows.bound.view_check is not None and (images.inserted or images.updated):
        rows.bound.view_check(frame, [i.row_id for i in images.inserted] + [u.row_id for u in images.updated])
    return (yield from show_and_fire(frame, txn, images, output, _fire(frame, done)))


def show_and_fire(
    frame: Frame, txn: Any, images: RowImages, output: Output | None, triggers: Triggers
) -> Generator[Suspend, None, ResultSet | None]:
    """OUTPUT tells of the images, which triggers have not seen yet; then the triggers run. Returns what it shows."""
    if output is not None:
        return (yield from output.deliver(frame, txn, images, triggers))
    yield from triggers
    return None


def _fire(frame: Frame, done: list[tuple[Any, RowImages]]) -> Triggers:
    for changed_rows, changes in reversed(done):
        if changed_rows.bound.triggers:
            yield from fire_after(frame, changed_rows.bound, changes)


def apply_images(
    frame: Frame,
    txn: Transaction,
    rows: Any,
    images: RowImages,
    done: list[tuple[Any, RowImages]],
    waiting: list[Waiting],
) -> Generator[Suspend, None, None]:
    """Everything but the triggers; appends what was done, cascades included, to `done`, and to `waiting` what a NO
    ACTION has to be asked about when all of them are."""
    bound: BoundTable = rows.bound
    if bound.computed or bound.row_version is not None:
        for inserted in checked_rows(images.inserted):
            complete_row(frame, bound, inserted.new)
        for updated in checked_rows(images.updated):
            complete_row(frame, bound, updated.new)
    check_images(frame, bound, images)
    if bound.needs_locks:
        yield from lock_table(txn, bound.table.id)
        if len(images.inserted) >= ESCALATION_LIMIT:
            try_lock_whole(txn, bound.table.id)
    if bound.keys:
        yield from check_keys(frame, txn, rows, images)
    if bound.foreign_keys:
        yield from check_parents(frame, txn, rows, images)
    follow_ups: list[tuple[Any, RowImages]] = []
    if bound.referenced_by and (images.deleted or images.updated):
        follow_ups = yield from cascades(frame, txn, rows, images, waiting)
    if images.deleted:
        rows.delete(images.deleted)
    if images.updated:
        rows.update(images.updated)
    if images.inserted:
        rows.insert(images.inserted)
    done.append((rows, images))
    assert len(done) < MAX_CASCADE_DEPTH * 32
    for child_rows, child_images in follow_ups:
        yield from apply_images(frame, txn, child_rows, child_images, done, waiting)


def insert_one(
    frame: Frame, txn: Transaction, rows: Any, row: list[Any], is_fresh: bool
) -> Generator[Suspend, None, None]:
    """The hot path: one new row for a table without triggers."""
    bound: BoundTable = rows.bound
    if bound.computed or bound.row_version is not None:
        complete_row(frame, bound, row)
    check_row(frame, bound, row, "INSERT")
    if bound.needs_locks and txn.owner.held.get(("table", bound.table.id)) not in ("IX", "X"):
        yield from lock_table(txn, bound.table.id)
    inserted = [Inserted(row)]
    if bound.keys or bound.foreign_keys:
        images = RowImages("INSERT", inserted, is_fresh_identity=is_fresh)
        if bound.keys:
            yield from check_keys(frame, txn, rows, images)
        if bound.foreign_keys:
            yield from check_parents(frame, txn, rows, images)
    rows.insert(inserted)


def insert_private(frame: Frame, rows: Any, row: list[Any], is_fresh: bool) -> None:
    """The same for a table variable, which has no transaction and takes no locks."""
    bound: BoundTable = rows.bound
    if bound.computed or bound.row_version is not None:
        complete_row(frame, bound, row)
    check_row(frame, bound, row, "INSERT")
    inserted = [Inserted(row)]
    if bound.keys:
        at_once(check_keys(frame, _NOBODY, rows, RowImages("INSERT", inserted, is_fresh_identity=is_fresh)))
    rows.insert(inserted)


def is_plain_update(bound: BoundTable, columns: Collection[int]) -> bool:
    """Whether nothing follows from another image of a row with other values in these
    columns, but that it is checked."""
    return not (
        bound.triggers
        or bound.view_check is not None
        or bound.late_checks
        or bound.computed
        or bound.row_version is not None
        or bound.foreign_keys
        or bound.referenced_by
        or any(key.filter is not None or not set(key.positions).isdisjoint(columns) for key in bound.keys)
    )


def update_one(frame: Frame, rows: Any, updated: Updated) -> None:
    """The hot path: another image of one row, which is locked, after a plain update."""
    check_row(frame, rows.bound, updated.new, "UPDATE")
    rows.update([updated])
