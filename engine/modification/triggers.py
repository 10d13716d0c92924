"""Triggers: which run, in which order, and what they see.

A trigger is a module; the session runs it as a procedure. Its `inserted` and `deleted` are rows in memory that the
frame carries (`TriggerContext`), as is the answer to UPDATE(). It must not know how the images came to be.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from msgspec import Struct, field

from sbql.catalog.changes import LocalTable
from sbql.catalog.records import Database, Module, Table
from sbql.engine import ports
from sbql.engine.invocation import run_in_frame
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_images import RowImages
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["TriggerContext", "events_of", "fire_after", "fire_instead_of", "has_instead_of", "is_instead", "run_body"]

_EVENTS = ("INSERT", "UPDATE", "DELETE")


class TriggerContext(Struct, eq=False):
    """What a running trigger sees of the statement that fired it. `rows` of inserted and deleted are Python values."""

    table: Table
    bound: BoundTable
    event: str
    inserted: list[Sequence[Any]]
    deleted: list[Sequence[Any]]
    columns: frozenset[int]
    is_after: bool
    _locals: dict[tuple[str, str], LocalTable] = field(default_factory=dict)

    @property
    def changed_columns(self) -> frozenset[str]:
        """Lower-case names for which UPDATE(column) is true: named by the UPDATE, or any column of an INSERT."""
        return frozenset(self.bound.table.columns[p].name.lower() for p in self.columns)

    @property
    def columns_updated(self) -> bytes:
        """COLUMNS_UPDATED(): bit 0 of the first byte is the column with id 1."""
        ids = [self.bound.table.columns[p].column_id for p in self.columns]
        mask = bytearray((max((c.column_id for c in self.bound.table.columns), default=1) + 7) // 8)
        for column_id in ids:
            mask[(column_id - 1) // 8] |= 1 << (column_id - 1) % 8
        return bytes(mask)

    def local(self, which: str, name: str) -> LocalTable:
        """inserted or deleted as a relation called `name` in DuckDB; columns as in the table."""
        found = self._locals.get((which, name))
        if found is None:
            bound = self.bound
            rows = self.inserted if which == "inserted" else self.deleted
            found = LocalTable(name, bound.local_columns, [tuple(bound.encode(row)) for row in rows], self)
            self._locals[which, name] = found
        return found


def has_instead_of(bound: BoundTable, event: str) -> bool:
    return bool(bound.triggers) and any(t.timing == "INSTEAD OF" and event in t.events for t in bound.triggers)


def is_instead(session: Session, bound: BoundTable, event: str) -> bool:
    """Whether an INSTEAD OF trigger stands for the change. Of one that runs itself, the statements are done as if there
    were none."""
    return has_instead_of(bound, event) and not any(
        t.id in session.running_triggers for t in bound.triggers_for("INSTEAD OF", event)
    )


def events_of(images: RowImages) -> list[str]:
    """The events for which triggers fire: those of the statement's verb even without rows; MERGE's by its actions."""
    if images.verb != "MERGE":
        return [images.verb]
    present = (images.inserted, images.updated, images.deleted)
    return [event for event, rows in zip(_EVENTS, present, strict=True) if rows]


def fire_after(frame: Frame, bound: BoundTable, images: RowImages) -> Generator[Suspend, None, None]:
    """Run the AFTER triggers of every event that the images stand for."""
    for event in events_of(images):
        yield from _fire(frame, bound, images, event, bound.triggers_for("AFTER", event))


def fire_instead_of(frame: Frame, bound: BoundTable, images: RowImages, event: str) -> Generator[Suspend, None, None]:
    """Run the INSTEAD OF triggers of an event; nothing is written but by them."""
    yield from _fire(frame, bound, images, event, bound.triggers_for("INSTEAD OF", event))


def _fire(
    frame: Frame, bound: BoundTable, images: RowImages, event: str, triggers: list[Module]
) -> Generator[Suspend, None, None]:
    session = frame.session
    if not triggers:
        return
    running = session.running_triggers
    context = _context(bound, images, event, triggers[0].timing)
    count = session.rowcount
    transaction = session.transaction
    recurses = _is_recursive(session, bound.table)
    if running and triggers[0].timing == "AFTER" and session.instance.configuration.get("nested triggers", 1) == 0:
        return
    for trigger in triggers:
        if running[-1:] == (trigger.id,) and (not recurses or trigger.timing == "INSTEAD OF"):
            continue  # a trigger does not fire itself, but may through others, up to 217
        session.completed(images.count)
        with session.firing(trigger):
            yield from _run(session, trigger, context)
        if transaction is not None and transaction.is_doomed:
            raise sql_error(3616)  # an error that it caught, but under XACT_ABORT
    session.completed(count)


def _is_recursive(session: Session, table: Table) -> bool:
    """RECURSIVE_TRIGGERS of the table's database."""
    database = session.catalog.get(Database, 0, table.database_id)
    return database is not None and database.options.get("RECURSIVE_TRIGGERS") == "ON"


def _run(session: Session, trigger: Module, context: TriggerContext) -> Generator[Suspend, None, None]:
    """Run one trigger on the rows of `context`."""
    module = session.instance.modules.module(trigger, session)
    inner = module.new_frame(session)
    inner.module, inner.module_name = trigger, trigger.name
    inner.is_trigger, inner.trigger = True, context
    yield from run_body(session, trigger, inner, module.step)


def run_body(session: Session, trigger: Module, inner: ports.Frame, step: Step) -> Generator[Suspend, None, None]:
    """Run the body of a trigger of any kind. XACT_ABORT is ON in it: an error that it does not catch ends the batch and
    the transaction."""
    options = session.options.copy()
    options.xact_abort = True
    try:
        with session.under(options):
            yield from run_in_frame(session, step, inner, trigger)
    except SqlError as error:
        error.batch_aborting = error.dooms_transaction = True
        raise


def _context(bound: BoundTable, images: RowImages, event: str, timing: str) -> TriggerContext:
    inserted: list[Sequence[Any]] = []
    deleted: list[Sequence[Any]] = []
    if event == "INSERT":
        inserted = [i.new for i in images.inserted]
        columns = frozenset(range(bound.width))
    elif event == "UPDATE":
        inserted = [u.new for u in images.updated]
        deleted = [u.old for u in images.updated]
        columns = images.columns
    else:
        deleted = [d.old for d in images.deleted]
        columns = frozenset()
    return TriggerContext(bound.table, bound, event, inserted, deleted, columns, timing == "AFTER")
