"""ALTER TABLE: a new record, and what it means for the rows that are there.

Each action makes a new Table record, checks the rows against it where SQL Server would, changes DuckDB's table, and
fills new columns. The caller holds the schema lock and the table exclusively. It must not know statements other than
ALTER TABLE.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import Any

import msgspec

from sbql.catalog.changes import ROW_ID, Definition, UpdateRows
from sbql.catalog.duck_types import duck_type, quote
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Column, Module, Table, TableConstraint
from sbql.engine.definition.column_dependents import refuse_dependents
from sbql.engine.definition.existing_rows import check_existing
from sbql.engine.definition.temp_tables import replace_temp_table
from sbql.engine.modification.checks import complete_row
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.bound_table import BoundTable, bind, bind_shape
from sbql.engine.tables.column_conversion import assignment
from sbql.engine.tables.definitions import (
    builder,
    constraint_failures,
    default_column,
    failures_followed_by,
    finish_columns,
    new_object_id,
    refuse_taken_names,
    replace_column,
    storage_of,
    with_foreign_keys,
)
from sbql.engine.tables.elements import ShapeBuilder, column_of, fold
from sbql.engine.tables.partitioned import partitioning, settled
from sbql.engine.work import Suspend
from sbql.grammar.ast import AlterTableAction, AlterTableStatement, ColumnDefinition, Span
from sbql.grammar.errors import sql_error

__all__ = ["alter_table", "put_table"]


def put_table(session: Session, txn: Transaction, old: Table, new: Table) -> None:
    """Make the new record the table's."""
    new = msgspec.structs.replace(settled(session.catalog, new), modify_date=session.instance.host.now())
    if old.name.startswith("#") and old.database_id == 2:
        replace_temp_table(session, txn, new)
    else:
        txn.change_catalog(old, new)


def alter_table(
    frame: Frame, txn: Transaction, table: Table, node: AlterTableStatement
) -> Generator[Suspend, None, None]:
    """Do one ALTER TABLE. Raises 4901, 4902, 4922, 4924, 5074, 2705, 1779, 3728, 4917, 547, 1505 …"""
    action = node.action
    words = action.kind.upper()
    handlers: dict[str, Callable[..., None]] = {
        "ADD": _add,
        "ALTER COLUMN": _alter_column,
        "DROP COLUMN": _drop_columns,
        "DROP CONSTRAINT": _drop_constraints,
        "COLUMN PROPERTY": _change_column,
        "CHECK CONSTRAINT": _enable_constraints,
        "ENABLE TRIGGER": _enable_triggers,
    }
    handler = handlers.get(words)
    if words == "REBUILD" or words.startswith("SET (LOCK_ESCALATION ="):
        return  # pages and escalation there are none
    if handler is None:
        raise sql_error(40517, f"ALTER TABLE … {action.kind}", span=node.span)
    handler(frame, txn, table, action, node.span)
    if action.next is not None:
        changed = resolve(frame.session, node.name, Table)
        yield from alter_table(frame, txn, changed, AlterTableStatement(node.name, action.next, span=node.span))


def _define(txn: Transaction, table: Table, change: str) -> None:
    storage = storage_of(table)
    txn.unit.apply(Definition(f"ALTER TABLE {mark(storage)} {change}", (storage,)))


# --- ADD ---------------------------------------------------------------------------------------------------


def _existing(table: Table, session: Session) -> ShapeBuilder:
    """A builder that goes on from the table as it is."""
    temp = table.name.startswith("#")
    new_id = session.instance.tables.new_temp_id if temp else new_object_id(session.catalog)
    shape = builder(table.name, session, new_id, None if temp else Scope.in_database_of(table, session))
    shape.columns = list(table.columns)
    shape.constraints = list(table.constraints)
    shape.indexes = list(table.indexes)
    shape.next_column_id = max((c.column_id for c in table.columns), default=0) + 1
    shape.next_index_id = max((i.index_id for i in table.indexes), default=1) + 1
    return shape


def _add(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    session = frame.session
    if any(c.type == "PK" for c in table.constraints) and any(
        getattr(e, "kind", "") == "PRIMARY KEY" or any(c.kind == "PRIMARY KEY" for c in getattr(e, "constraints", ()))
        for e in action.elements
    ):
        raise sql_error(1779, table.name, span=span)
    shape = _existing(table, session)
    shape.is_strict_key = True
    with constraint_failures():
        shape.add(action.elements)
    finish_columns(shape, session)
    with constraint_failures():
        _check_names(session, table, shape, span)
        new = with_foreign_keys(session, table_with(table, shape), shape.foreign_keys)
    new = msgspec.structs.replace(
        new, indexes=tuple(shape.indexes), constraints=_trusted(new.constraints, table, action.with_check)
    )
    added = [c for c in new.columns if column_of(table, c.name) is None]
    rows = StoredRows(bind(table, session), txn)
    if added:
        columns = [e for e in action.elements if isinstance(e, ColumnDefinition)]
        filled = {e.name.value for e in columns if any(c.with_values for c in e.constraints)}
        _add_columns(frame, txn, table, new, added, rows, filled, span)
    put_table(session, txn, table, new)
    fresh = [c for c in new.constraints if c not in table.constraints]
    if fresh:
        check_existing(frame, txn, new, fresh, action.with_check is not False, span)


def _trusted(
    constraints: tuple[TableConstraint, ...], table: Table, with_check: bool | None
) -> tuple[TableConstraint, ...]:
    """Constraints that are added WITH NOCHECK are not trusted."""
    if with_check is not False:
        return constraints
    known = {c.id for c in table.constraints}
    return tuple(
        msgspec.structs.replace(c, is_not_trusted=True) if c.type in ("C", "F") and c.id not in known else c
        for c in constraints
    )


def table_with(table: Table, shape: ShapeBuilder) -> Table:
    return msgspec.structs.replace(table, columns=tuple(shape.columns), constraints=tuple(shape.constraints))


def _check_names(session: Session, table: Table, shape: ShapeBuilder, span: Span) -> None:
    """Names of new constraints must be new in the schema (2714)."""
    if table.name.startswith("#"):
        return
    known = {c.id for c in table.constraints}
    names = [c.name for c in shape.constraints if c.id not in known] + [f.name for f in shape.foreign_keys]
    for column in shape.columns:
        before = column_of(table, column.name)
        if column.default_name is not None and (before is None or before.default_name is None):
            names.append(column.default_name)
    refuse_taken_names(session.catalog, table, names, span)


def _add_columns(
    frame: Frame,
    txn: Transaction,
    table: Table,
    new: Table,
    added: list[Column],
    rows: StoredRows,
    filled: set[str],
    span: Span,
) -> None:
    """Add the columns to DuckDB and fill them in the rows that are there: those that are not nullable, and `filled`,
    which say WITH VALUES. Raises 4901."""
    existing = rows.everything()
    for column in added:
        has_value = column.default is not None or column.is_identity or column.computed is not None
        if existing and not column.is_nullable and not has_value and column.type.name != "rowversion":
            raise sql_error(4901, column.name, table.name, span=span)
        _define(txn, table, f"ADD COLUMN {quote(column.name)} {duck_type(column.type)}")
    if not existing:
        return
    session = frame.session
    layout = bind_new(new, session)
    states = session.instance.tables
    start = len(table.columns)
    defaults = {
        start + place: default
        for place, default in enumerate(layout.defaults[start:])
        if default is not None and (not added[place].is_nullable or added[place].name in filled)
    }
    images = []
    for row_id, row in existing:
        values = [*row, *([None] * len(added))]
        layout.of_row(frame, partial(_fill, frame, values, defaults))
        for position in range(start, layout.width):
            column = new.columns[position]
            if position in defaults:
                continue
            if column.is_identity:
                values[position] = states.take_identities(rows.state, column.seed, column.increment, 1, column.type)[0][
                    0
                ]
        complete_row(frame, layout, values)
        stored = layout.encode(values)
        images.append((row_id, *stored[start:]))
    names = (ROW_ID, *(c.name for c in added))
    txn.unit.apply(UpdateRows(rows.bound.storage, names, images))


def _fill(frame: Frame, values: list[Any], defaults: Mapping[int, Callable[[Frame], Any]]) -> None:
    for position, default in defaults.items():
        values[position] = default(frame)


def bind_new(table: Table, session: Session) -> BoundTable:
    """The closures of a record that is not in the catalog yet."""
    return bind_shape(table, session, display=table.name, storage=storage_of(table))


# --- ALTER COLUMN, DROP COLUMN -----------------------------------------------------------------------------


def _alter_column(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    session = frame.session
    definition = action.elements[0]
    assert isinstance(definition, ColumnDefinition)
    old = column_of(table, definition.name.value)
    if old is None:
        raise sql_error(4924, "ALTER TABLE ALTER COLUMN", definition.name.value, table.name, span=span)
    if old.computed is not None or old.type.name == "rowversion":
        raise sql_error(4928, old.name, "COMPUTED" if old.computed is not None else "timestamp", span=span)
    others = [c for c in table.columns if c is not old]
    shape = _existing(table, session)
    shape.columns = others
    if definition.type is None:
        raise sql_error(102, "AS", span=definition.span)
    made = shape.plain_column(definition)
    refuse_dependents(session, table, old, "ALTER TABLE ALTER COLUMN", span, new=made.type)
    changed = msgspec.structs.replace(
        old, type=made.type, user_type=made.user_type, is_nullable=made.is_nullable and not old.is_identity
    )
    new = replace_column(table, old, **{f: getattr(changed, f) for f in ("type", "user_type", "is_nullable")})
    bound = bind(table, session)
    rows = StoredRows(bound, txn)
    position = table.columns.index(old)
    convert = assignment(old.type, changed.type, bound.full_name, old.name)
    existing = rows.everything()
    values = []
    for row_id, row in existing:
        value = row[position]
        if value is None and not changed.is_nullable:
            raise sql_error(515, old.name, bound.full_name, "UPDATE", span=span)
        values.append((row_id, value if value is None or convert is None else convert(value)))
    if duck_type(old.type) != duck_type(changed.type):
        kind = duck_type(changed.type)
        _define(txn, table, f"ALTER COLUMN {quote(old.name)} SET DATA TYPE {kind} USING CAST(NULL AS {kind})")
    elif convert is None:
        values = []
    if values:
        layout = bind_new(new, session)
        stored = [
            (row_id, layout.encode([v if i == position else None for i in range(layout.width)])[position])
            for row_id, v in values
        ]
        txn.unit.apply(UpdateRows(bound.storage, (ROW_ID, old.name), stored))
    put_table(session, txn, table, new)


_COLUMN_PROPERTIES = ("ROWGUIDCOL", "PERSISTED", "SPARSE", "NOT FOR REPLICATION")


def _change_column(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    """ADD or DROP of a property of a column. SPARSE and NOT FOR REPLICATION have no effect here. Raises 4924, 1731 …"""
    adds, word, name = action.turns_on, action.column_property, action.names[0]
    if word not in _COLUMN_PROPERTIES:
        raise sql_error(40517, f"ALTER TABLE … ALTER COLUMN {'ADD' if adds else 'DROP'} {word}", span=span)
    column = column_of(table, name.value)
    if column is None:
        raise sql_error(4924, "ALTER TABLE ALTER COLUMN", name.value, table.name, span=name.span)
    if word == "ROWGUIDCOL":
        if adds:
            _existing(table, frame.session).check_rowguidcol(column, span)
        put_table(frame.session, txn, table, replace_column(table, column, is_rowguidcol=adds))
    elif word == "PERSISTED":
        if column.computed is None:
            raise sql_error(4928, column.name, "not COMPUTED", span=span)
        put_table(frame.session, txn, table, replace_column(table, column, is_persisted=adds))
    elif word == "SPARSE" and adds and (not column.is_nullable or column.is_identity or column.is_rowguidcol):
        raise sql_error(1731, column.name, table.name, span=span)


def _drop_columns(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    for name in action.names:
        column = column_of(table, name.value)
        if column is None:
            if action.if_exists:
                continue
            raise sql_error(4924, "ALTER TABLE DROP COLUMN", name.value, table.name, span=name.span)
        refuse_dependents(frame.session, table, column, "ALTER TABLE DROP COLUMN", span)
        if len(table.columns) == 1:
            raise sql_error(4923, column.name, table.name, span=name.span)
        new = msgspec.structs.replace(table, columns=tuple(c for c in table.columns if c is not column))
        _define(txn, table, f"DROP COLUMN {quote(column.name)}")
        put_table(frame.session, txn, table, new)
        table = new


# --- constraints and triggers ------------------------------------------------------------------------------


def _drop_constraints(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    with failures_followed_by(3727, (3725, 3728)):
        _drop_each(frame.session, txn, table, action, span)


def _drop_each(session: Session, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    for name in action.names:
        column = default_column(table, name.value)
        constraint = next((c for c in table.constraints if fold(c.name) == fold(name.value)), None)
        if column is None and constraint is None:
            if action.if_exists:
                continue
            raise sql_error(3728, name.value, span=name.span)
        if column is not None:
            new = replace_column(table, column, default=None, default_name=None, default_id=0)
        else:
            assert constraint is not None
            _refuse_referenced(session, table, constraint, span)
            new = msgspec.structs.replace(table, constraints=tuple(c for c in table.constraints if c is not constraint))
            if action.storage and constraint.is_clustered:
                new = msgspec.structs.replace(new, partitioning=partitioning(table.columns, action.storage[0]))
        put_table(session, txn, table, new)
        table = new


def _refuse_referenced(session: Session, table: Table, constraint: TableConstraint, span: Span) -> None:
    """A key that a foreign key rests on stays (3725)."""
    if constraint.type not in ("PK", "UQ"):
        return
    columns = {fold(c.name) for c in constraint.columns}
    for child in session.catalog.all(Table, table.database_id):
        for foreign in child.constraints:
            if (
                foreign.type == "F"
                and foreign.referenced_id == table.id
                and {fold(c) for c in foreign.referenced_columns} == columns
            ):
                raise sql_error(3725, constraint.name, foreign.name, child.name, span=span)


def _enable_constraints(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    is_disabled = not action.turns_on
    wanted = {fold(n.value) for n in action.names}
    with failures_followed_by(4916, (4917,)):
        for name in action.names:
            if not any(fold(c.name) == fold(name.value) and c.type in ("C", "F") for c in table.constraints):
                raise sql_error(4917, name.value, state=0, span=name.span)
    is_checked = bool(action.with_check) and not is_disabled
    constraints = tuple(
        msgspec.structs.replace(
            c, is_disabled=is_disabled, is_not_trusted=is_disabled or (c.is_not_trusted and not is_checked)
        )
        if c.type in ("C", "F") and (not wanted or fold(c.name) in wanted)
        else c
        for c in table.constraints
    )
    new = msgspec.structs.replace(table, constraints=constraints)
    put_table(frame.session, txn, table, new)
    if is_checked:
        fresh = [c for c, old in zip(new.constraints, table.constraints, strict=True) if c is not old]
        check_existing(frame, txn, new, fresh, True, span)


def _enable_triggers(frame: Frame, txn: Transaction, table: Table, action: AlterTableAction, span: Span) -> None:
    session = frame.session
    is_disabled = not action.turns_on
    triggers = [t for t in session.catalog.all(Module, table.database_id) if t.type == "TR" and t.parent_id == table.id]
    wanted = {fold(n.value) for n in action.names}
    for name in action.names:
        if fold(name.value) not in {fold(t.name) for t in triggers}:
            raise sql_error(4920, name.value, table.name, span=name.span)
    for trigger in triggers:
        if not wanted or fold(trigger.name) in wanted:
            txn.change_catalog(trigger, msgspec.structs.replace(trigger, is_disabled=is_disabled))
