"""FOREIGN KEY in both directions: a child's parent must exist, and a parent that goes takes its children along or
stays.

The key value of a parent is locked shared by whoever rests on it, so the transaction that removes the parent waits (it
locks the same value exclusively). Cascades are row images of the child table, which go through the same mechanism
again.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.catalog.records import Table
from sbql.engine.modification.checks import constraint_conflict
from sbql.engine.modification.locking import lock_all, lock_table
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable, ForeignKey, bind
from sbql.engine.tables.row_images import Deleted, RowImages, Updated
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Waiting", "cascades", "check_parents", "check_waiting", "children_of", "is_as_planned"]


def check_parents(frame: Frame, txn: Transaction, rows: Any, images: RowImages) -> Generator[Suspend, None, None]:
    """Every new image of a child must have its parents. Raises 547."""
    bound: BoundTable = rows.bound
    for planned in bound.foreign_keys:
        wanted = _new_child_values(planned, images)
        if not wanted:
            continue
        yield from lock_table(txn, planned.parent.id)
        foreign = _now(frame, bound, planned)
        if foreign is None:
            continue
        if foreign is not planned:
            wanted = _new_child_values(foreign, images)
        parent = bound if foreign.parent.id == bound.table.id else bind(foreign.parent, frame.session)
        yield from _lock_parent(txn, foreign, parent, list(wanted))
        gone: set[int] = set()
        if parent is bound:
            gone.update(deleted.row_id for deleted in images.deleted)
            for inserted in images.inserted:
                wanted.pop(foreign.parent_value(inserted.new), None)
            for updated in images.updated:
                wanted.pop(foreign.parent_value(updated.new), None)
                if foreign.parent_value(updated.old) != foreign.parent_value(updated.new):
                    gone.add(updated.row_id)
        parent_rows = rows if parent is bound else StoredRows(parent, txn)
        for value, row_id in parent_rows.find_parents(foreign.parent_positions, list(wanted)):
            if row_id not in gone:
                wanted.pop(value, None)
        if wanted:
            raise _conflict(images.verb, foreign, parent)


def _now(frame: Frame, bound: BoundTable, planned: ForeignKey) -> ForeignKey | None:
    """The key as it is now that both of its tables are locked: while the statement was on its way the other one
    may have changed. None: it is gone."""
    if planned.child.id == planned.parent.id:
        return planned
    catalog = frame.session.catalog
    if all(catalog.get(Table, table.database_id, table.id) is table for table in (planned.child, planned.parent)):
        return planned
    own = catalog.get(Table, bound.table.database_id, bound.table.id)
    if own is None:
        return None
    fresh = bind(own, frame.session)
    known = (
        foreign for foreign in (*fresh.foreign_keys, *fresh.referenced_by) if foreign.parent.id != foreign.child.id
    )
    return next((foreign for foreign in known if foreign.constraint.id == planned.constraint.id), None)


def is_as_planned(frame: Frame, bound: BoundTable, foreign: ForeignKey) -> bool:
    """Whether a key is still the one that was bound, now that both of its tables are locked."""
    return _now(frame, bound, foreign) is foreign


def _new_child_values(foreign: ForeignKey, images: RowImages) -> dict[Any, None]:
    wanted: dict[Any, None] = {}
    for inserted in images.inserted:
        value = foreign.child_value(inserted.new)
        if None not in value:
            wanted[value] = None
    for updated in images.updated:
        value = foreign.child_value(updated.new)
        if None not in value and value != foreign.child_value(updated.old):
            wanted[value] = None
    return wanted


def _lock_parent(
    txn: Transaction, foreign: ForeignKey, parent: BoundTable, values: list[Any]
) -> Generator[Suspend, None, None]:
    wanted = set(foreign.parent_positions)
    key = next((k for k in parent.keys if set(k.positions) == wanted), None)
    if key is None:
        return
    order = [foreign.parent_positions.index(p) for p in key.positions]
    resources = [("key", parent.table.id, key.id, tuple(value[i] for i in order)) for value in values]
    yield from lock_all(txn, parent.table.id, resources, "S")


def _conflict(verb: str, foreign: ForeignKey, parent: BoundTable) -> SqlError:
    """The child's side: no such parent."""
    kind = "FOREIGN KEY SAME TABLE" if foreign.child.id == foreign.parent.id else "FOREIGN KEY"
    columns = foreign.constraint.referenced_columns
    return constraint_conflict(verb, kind, foreign.constraint.name, parent, columns)


def _reference_conflict(verb: str, foreign: ForeignKey, child: BoundTable) -> SqlError:
    """The parent's side: there are children."""
    kind = "SAME TABLE REFERENCE" if foreign.child.id == foreign.parent.id else "REFERENCE"
    columns = foreign.constraint.columns
    return constraint_conflict(verb, kind, foreign.constraint.name, child, columns)


class Waiting(Struct, frozen=True):
    """Children that keep a NO ACTION from taking their parents' `values` away, unless a cascade of the same statement
    takes the children first."""

    foreign: ForeignKey
    child_rows: Any
    values: list[Any]
    verb: str


def cascades(
    frame: Frame, txn: Transaction, rows: Any, images: RowImages, waiting: list[Waiting]
) -> Generator[Suspend, None, list[tuple[StoredRows, RowImages]]]:
    """What the images do to child tables. Raises 547 where the action is NO ACTION and there are children; those which
    a cascade may take are added to `waiting`."""
    bound: BoundTable = rows.bound
    found: list[tuple[StoredRows, RowImages]] = []
    for planned in bound.referenced_by:
        deleted, updated = _removed_parent_values(planned, images)
        if not deleted and not updated:
            continue
        yield from lock_table(txn, planned.child.id)
        foreign = _now(frame, bound, planned)
        if foreign is None:
            continue
        if foreign is not planned:
            deleted, updated = _removed_parent_values(foreign, images)
        child = bound if foreign.child.id == bound.table.id else bind(foreign.child, frame.session)
        child_rows = rows if child is bound else StoredRows(child, txn)
        for action, values, verb in (
            (foreign.constraint.on_delete, dict.fromkeys(deleted), "DELETE"),
            (foreign.constraint.on_update, updated, "UPDATE"),
        ):
            if not values:
                continue
            gone = _without_parents(foreign, images) if child is bound else set()
            children = yield from _children(txn, foreign, child, child_rows, list(values), gone)
            known = gone.union(row_id for row_id, _ in children)
            later = child_rows.later_rows(foreign.child_positions, list(values), known)
            if not children and not later:
                continue
            if action == "NO ACTION":
                if later or not _may_be_taken(child):
                    raise _reference_conflict(images.verb, foreign, child)
                waiting.append(Waiting(foreign, child_rows, list(values), images.verb))
                continue
            if later:
                raise sql_error(3960, child.display, frame.session.database_name)
            cascade = _cascade(frame, foreign, child, action, verb, children, values)
            if action == "SET DEFAULT":
                _check_defaults(foreign, bound, images, cascade)
            found.append((child_rows, cascade))
    return found


def _may_be_taken(child: BoundTable) -> bool:
    """Whether rows of the table change by what becomes of others."""
    keys = [foreign.constraint for foreign in child.foreign_keys]
    return any(action != "NO ACTION" for key in keys for action in (key.on_delete, key.on_update))


def check_waiting(waiting: list[Waiting]) -> None:
    """All cascades are done: children that are still there keep their parents. Raises 547."""
    for one in waiting:
        if one.child_rows.find_rows(one.foreign.child_positions, one.values):
            raise _reference_conflict(one.verb, one.foreign, one.child_rows.bound)


def _removed_parent_values(foreign: ForeignKey, images: RowImages) -> tuple[list[Any], dict[Any, Any]]:
    """Values that parents lose: by DELETE, and by UPDATE (with what they have instead). Children of a parent that takes
    its changes along go with that one, whoever has the value then; NO ACTION asks only for those values that no parent
    has any more after the statement."""
    kept = _written_parent_values(foreign, images)
    kept_deleted, kept_updated = (
        kept if action == "NO ACTION" else set()
        for action in (foreign.constraint.on_delete, foreign.constraint.on_update)
    )
    deleted = [v for d in images.deleted if None not in (v := foreign.parent_value(d.old)) and v not in kept_deleted]
    updated: dict[Any, Any] = {}
    for image in images.updated:
        value = foreign.parent_value(image.old)
        if value != foreign.parent_value(image.new) and None not in value and value not in kept_updated:
            updated[value] = [image.new[p] for p in foreign.parent_positions]
    return deleted, updated


def _written_parent_values(foreign: ForeignKey, images: RowImages) -> set[Any]:
    updated = {foreign.parent_value(u.new) for u in images.updated}
    return updated | {foreign.parent_value(i.new) for i in images.inserted}


def _without_parents(foreign: ForeignKey, images: RowImages) -> set[int]:
    """The rows of a table that refers to itself which leave their parents in this statement: they go, or have another
    parent, for which `check_parents` looks."""
    left = {d.row_id for d in images.deleted}
    left.update(u.row_id for u in images.updated if foreign.child_value(u.new) != foreign.child_value(u.old))
    return left


def _children(
    txn: Transaction, foreign: ForeignKey, child: BoundTable, child_rows: Any, values: list[Any], gone: set[int]
) -> Generator[Suspend, None, list[tuple[int, list[Any]]]]:
    """The children of these parents, locked; without those that the statement itself takes away from them."""
    table_id = child.table.id
    while True:
        children: list[tuple[int, list[Any]]] = [
            c for c in child_rows.find_rows(foreign.child_positions, values) if c[0] not in gone
        ]
        waited = yield from lock_all(txn, table_id, [("row", table_id, row_id) for row_id, _ in children])
        if not waited:
            return children


def _cascade(
    frame: Frame,
    foreign: ForeignKey,
    child: BoundTable,
    action: str,
    verb: str,
    children: list[tuple[int, list[Any]]],
    values: dict[Any, Any],
) -> RowImages:
    if action == "CASCADE" and verb == "DELETE":
        return RowImages("DELETE", deleted=[Deleted(row_id, row) for row_id, row in children])
    images = RowImages("UPDATE", columns=frozenset(foreign.child_positions))

    def referring(row: list[Any]) -> list[Any]:
        new = list(row)
        for i, position in enumerate(foreign.child_positions):
            if action == "CASCADE":
                new[position] = values[foreign.child_value(row)][i]
            elif action == "SET DEFAULT":
                default = child.defaults[position]
                new[position] = default(frame) if default is not None else None
            else:
                new[position] = None
        return new

    for row_id, row in children:
        images.updated.append(Updated(row_id, row, child.of_row(frame, partial(referring, row))))
    return images


def _check_defaults(foreign: ForeignKey, parent: BoundTable, images: RowImages, cascade: RowImages) -> None:
    """A child that had the default is not changed, and so not looked at again: its parent
    may be one that goes. Raises 547."""
    kept = _written_parent_values(foreign, images)
    for child in cascade.updated:
        value = foreign.child_value(child.new)
        if None not in value and value == foreign.child_value(child.old) and value not in kept:
            raise _conflict(images.verb, foreign, parent)


def children_of(table: Table, catalog: Any) -> list[tuple[Table, str]]:
    """(child table, constraint name) of every foreign key of another table that refers to `table`."""
    return [
        (child, constraint.name)
        for child in catalog.all(Table, table.database_id)
        if child.id != table.id
        for constraint in child.constraints
        if constraint.type == "F" and constraint.referenced_id == table.id
    ]
