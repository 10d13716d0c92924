"""Temp tables and temp procedures: who sees #t and ##t, and when they go.

A #table belongs to its session, and ends with the procedure or dynamic batch that created it; one of the same name
hides those of the callers. A ##table is everybody's until its session ends. They are in no catalog snapshot: creating
one disturbs nobody's compiled code but the session's own.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.changes import Definition
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Module, Table
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import bind
from sbql.engine.tables.definitions import create_definition, storage_of
from sbql.engine.tables.temp_rows import follow_new_table
from sbql.grammar.ast import Span
from sbql.grammar.errors import SqlError, sql_error

__all__ = [
    "drop_temp_module", "drop_temp_table", "end_of_frame", "end_of_session", "keep_temp_module", "keep_temp_table", "replace_temp_table",
]  # fmt: skip


def keep_temp_table(frame: Frame, transaction: Transaction, table: Table, span: Span) -> None:
    """Make a new temp table known and real. Raises 2714."""
    session = frame.session
    name = table.name.lower()
    if name.startswith("##"):
        tables = session.instance.global_temp_tables
        if name in tables:
            raise sql_error(2714, table.name, state=6, span=span)
        hidden = None
    else:
        tables = session.temp_tables
        hidden = tables.get(name)
        if hidden is not None and (session.nest_level == 0 or _owner(session, hidden) == session.nest_level):
            raise sql_error(2714, table.name, state=6, span=span)
    transaction.unit.apply(create_definition(table))
    session.instance.tables.create(table.id, table.create_date)
    _created(session).append((table, session.nest_level, hidden))
    transaction.on_rollback(lambda: _forget(session, table))
    tables[name] = table
    _names_changed(session, table)
    if table.session_id:
        follow_new_table(session, bind(table, session))


def _names_changed(session: Session, table: Table | Module) -> None:
    """Who can see the table binds names anew."""
    everyone = list(session.instance.sessions.values()) if table.name.startswith("##") else [session]
    for one in everyone:
        one.temp_names_changed()


def _created(session: Session) -> list[tuple[Any, int, Table | None]]:
    """(table or procedure, nest level that created it, the table it hides), oldest first."""
    found: list[tuple[Any, int, Table | None]] = session.temp_creations
    return found


def _owner(session: Session, table: Table) -> int:
    return next((level for t, level, _ in reversed(_created(session)) if t.id == table.id), 0)


def _take_off(session: Session, table: Table) -> tuple[int, tuple[Any, int, Table | None]] | None:
    """Take a table off the lists and bring back the one that it hid. Returns its entry, and where that was."""
    created, name = _created(session), table.name.lower()
    place = next((i for i, e in enumerate(created) if e[0].id == table.id), None)
    found = None if place is None else (place, created.pop(place))
    tables = _tables(session, name)
    kept = tables.get(name)
    if kept is not None and kept.id == table.id:
        hidden = found[1][2] if found is not None else None
        if hidden is not None:
            tables[name] = hidden
        else:
            del tables[name]
    _names_changed(session, table)
    return found


def _forget(session: Session, table: Table) -> None:
    """A table that is gone for good."""
    _take_off(session, table)
    session.instance.tables.forget(table.id)


def _tables(session: Session, name: str) -> dict[str, Table]:
    found: dict[str, Table] = session.instance.global_temp_tables if name.startswith("##") else session.temp_tables
    return found


def replace_temp_table(session: Session, transaction: Transaction, table: Table) -> None:
    """After ALTER TABLE or CREATE INDEX: the new record under the same id, until that is rolled back."""
    tables, name = _tables(session, table.name.lower()), table.name.lower()
    before = tables[name]

    def undo() -> None:
        tables[name] = before
        _names_changed(session, before)

    transaction.on_rollback(undo)
    tables[name] = table
    _names_changed(session, table)


def drop_temp_table(session: Session, transaction: Transaction, table: Table, *, is_end: bool = False) -> None:
    """Drop it, until that is rolled back. `is_end`: its procedure or session ends, and so a rollback brings back the
    name to nobody: the table is dropped again at the next end of a procedure."""
    storage = storage_of(table)
    name, tables = table.name.lower(), _tables(session, table.name.lower())
    before = tables.get(name)
    transaction.unit.apply(Definition(f"DROP TABLE IF EXISTS {mark(storage)}", (storage,)))
    found = _take_off(session, table)

    def undo() -> None:
        if found is not None:
            _created(session).insert(*found)
        if not is_end and before is not None:
            tables[name] = before
        _names_changed(session, table)

    transaction.on_rollback(undo)
    transaction.on_commit(lambda: session.instance.tables.forget(table.id))


# --- procedures --------------------------------------------------------------------------------------------


def _modules(session: Session, name: str) -> dict[str, Module]:
    found: dict[str, Module] = session.instance.global_temp_modules if name.startswith("##") else session.temp_modules
    return found


def keep_temp_module(session: Session, transaction: Transaction, module: Module) -> None:
    """Make a temp procedure known, to its session or (##) to all. An altered one stays that of whoever created it, as
    long as that one's module, batch or session lasts."""
    modules, name, created = _modules(session, module.name), module.name.lower(), list(session.temp_creations)
    before = modules.get(name)
    modules[name] = module
    if before is None:
        session.temp_creations.append((module, session.nest_level, None))
    _names_changed(session, module)

    def undo() -> None:
        session.temp_creations[:] = created
        if before is None:
            modules.pop(name, None)
        else:
            modules[name] = before
        _names_changed(session, module)

    transaction.on_rollback(undo)


def drop_temp_module(session: Session, module: Module, transaction: Transaction | None = None) -> None:
    """Drop it; with a transaction until that is rolled back."""
    modules, name, created = _modules(session, module.name), module.name.lower(), list(session.temp_creations)
    modules.pop(name, None)
    session.temp_creations[:] = [e for e in created if e[0].id != module.id]
    _names_changed(session, module)

    def undo() -> None:
        modules[name] = module
        session.temp_creations[:] = created
        _names_changed(session, module)

    if transaction is not None:
        transaction.on_rollback(undo)


def end_of_session(session: Session) -> None:
    """What everybody could see of a session's goes with it."""
    for record, _, _ in reversed(list(_created(session))):
        if not record.name.startswith("##"):
            continue
        if isinstance(record, Module):
            drop_temp_module(session, record)
        elif session.instance.global_temp_tables.get(record.name.lower()) is not None:
            try:
                with session.statement() as transaction:
                    drop_temp_table(session, transaction, record, is_end=True)
            except SqlError:
                _forget(session, record)


# --- the end of a module -----------------------------------------------------------------------------------


def end_of_frame(session: Session) -> None:
    """Drop what the module or dynamic batch that ends now has created. The nest level is the caller's again."""
    level = session.nest_level
    for table, owner, _ in reversed(list(_created(session))):
        if owner <= level or table.name.startswith("##"):
            continue
        if isinstance(table, Module):
            drop_temp_module(session, table)
            continue
        try:
            with session.statement() as transaction:
                drop_temp_table(session, transaction, table, is_end=True)
        except SqlError:
            _forget(session, table)  # a doomed transaction writes nothing: its rollback takes the table away
