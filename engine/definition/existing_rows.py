"""New constraints and unique indexes against the rows that are in a table already.

It decides what of them is checked: keys always, CHECK and FOREIGN KEY unless WITH NOCHECK. It must not know how the
constraint came to be.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Table, TableConstraint
from sbql.engine.modification.checks import constraint_conflict
from sbql.engine.modification.keys import show_key
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable, bind
from sbql.engine.tables.column_conversion import key_normaliser
from sbql.engine.tables.definitions import constraint_failures
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error

__all__ = ["check_existing", "check_unique"]


def check_existing(
    frame: Frame, txn: Transaction, table: Table, fresh: list[TableConstraint], with_check: bool, span: Span
) -> None:
    """New constraints against the rows that are there. Keys always; CHECK and FOREIGN KEY unless WITH NOCHECK."""
    bound = bind(table, frame.session)
    store = StoredRows(bound, txn)
    existing = store.everything()
    if not existing:
        return
    for constraint in fresh:
        if constraint.type in ("PK", "UQ"):
            with constraint_failures():
                check_unique(bound, constraint.name, [c.name for c in constraint.columns], existing, span)
        elif constraint.type == "C" and with_check:
            check = next(c for c in bound.all_checks if c.constraint.id == constraint.id)
            for _, row in existing:
                if check.test(frame, row) is False:
                    raise _conflict("CHECK", constraint, bound, check.columns, span)
        elif constraint.type == "F" and with_check:
            _check_foreign(frame, txn, bound, store, constraint, existing, span)


def _check_foreign(
    frame: Frame,
    txn: Transaction,
    bound: BoundTable,
    store: StoredRows,
    constraint: TableConstraint,
    existing: list[tuple[int, list[Any]]],
    span: Span,
) -> None:
    foreign = next(f for f in bound.foreign_keys if f.constraint.id == constraint.id)
    wanted = {v for _, row in existing if None not in (v := foreign.child_value(row))}
    parent = bound if foreign.parent.id == bound.table.id else bind(foreign.parent, frame.session)
    parents = store if parent is bound else StoredRows(parent, txn)
    found = {value for value, _ in parents.find(foreign.parent_positions, list(wanted))} if wanted else set()
    if wanted - found:
        raise _conflict("FOREIGN KEY", constraint, parent, constraint.referenced_columns, span)


def _conflict(kind: str, constraint: TableConstraint, bound: BoundTable, columns: Any, span: Span) -> Exception:
    return constraint_conflict("ALTER TABLE", kind, constraint.name, bound, columns).at(span)


def check_unique(
    bound: BoundTable, name: str, columns: list[str], existing: list[tuple[int, list[Any]]], span: Span
) -> None:
    """Raises 1505 when two rows have one key."""
    positions = [bound.index_of[c.lower()] for c in columns]
    normalisers = [key_normaliser(bound.types[p]) for p in positions]
    seen = set()
    for _, row in existing:
        value = tuple(
            row[p] if n is None or row[p] is None else n(row[p]) for p, n in zip(positions, normalisers, strict=True)
        )
        if value in seen:
            shown = ", ".join(show_key(row[p], bound.types[p]) for p in positions)
            raise sql_error(1505, bound.display, name, f"({shown})", span=span)
        seen.add(value)
