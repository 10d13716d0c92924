"""CREATE, ALTER and DROP of tables, temp tables too; what ends with a batch or module.

What a table may look like is decided in `tables/elements.py`, where it lives in
`tables/definitions.py`, what ALTER does to the rows that are there in `definition/alter_table.py`. Here
is the order of things: names, locks, catalog, DuckDB.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.changes import TEMP, Definition
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Module, Permission, Table
from sbql.engine.definition.alter_table import alter_table
from sbql.engine.definition.ddl import check_right, ddl_step, may_drop
from sbql.engine.definition.temp_tables import drop_temp_table, keep_temp_table
from sbql.engine.describe.dependents import refuse_bound
from sbql.engine.modification.foreign_keys import children_of
from sbql.engine.modification.locking import lock_definition, lock_table
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import check_alter
from sbql.engine.security.resolver import database_of, resolve, resolve_itself
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import (
    TEMPDB,
    builder,
    constraint_failures,
    create_definition,
    find_schema,
    finish_columns,
    free_storage_name,
    make_home,
    name_taken,
    new_object_id,
    refuse_taken_names,
    storage_of,
    with_foreign_keys,
)
from sbql.engine.tables.elements import ForeignKeyDraft, fold
from sbql.engine.tables.partitioned import partitioning, settled
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterTableAction,
    AlterTableStatement,
    CreateTableStatement,
    DataSpace,
    DropObjectStatement,
    ForeignKeyReference,
    ObjectName,
    TableElement,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all

__all__ = [
    "create_table", "drop_tables",
    "link_tables", "lock_referenced", "refuse_features",
]  # fmt: skip


# --- CREATE TABLE ------------------------------------------------------------------------------------------


_FEATURES = frozenset(
    """
    APPEND_ONLY DATA_DELETION FILETABLE_COLLATE_FILENAME FILETABLE_DIRECTORY FILETABLE_FULLPATH_UNIQUE_CONSTRAINT_NAME
    FILETABLE_PRIMARY_KEY_CONSTRAINT_NAME FILETABLE_STREAMID_UNIQUE_CONSTRAINT_NAME LEDGER REMOTE_DATA_ARCHIVE
    SYSTEM_VERSIONING
    """.split()
)
"""Table options that stand for a feature that is not here, unless it is OFF; the others are about storage."""


@handles(CreateTableStatement)
def compile_create_table(node: CreateTableStatement, compiler: Compiler) -> Step:
    refuse_features(node)
    if node.name.name.startswith("#"):
        return Step(lambda frame: _create_temp(frame, node), waits=True)

    def body(session: Session, transaction: Transaction) -> Work:
        yield from lock_referenced(session, transaction, node.elements)
        create_table(session, transaction, node.name, node.elements, node.storage)
        return 0

    return ddl_step(body)


def refuse_features(node: CreateTableStatement) -> None:
    """Raises 40517 for options that stand for a feature that is not here."""
    for option in node.options:
        word, _, value = option.partition(" = ")
        if word in _FEATURES and not value.startswith("OFF"):
            raise sql_error(40517, f"CREATE TABLE … WITH ({word})", span=node.span)


def lock_referenced(
    session: Session,
    transaction: Transaction,
    elements: Iterable[TableElement],
    table: Table | None = None,
    names: Iterable[str] | None = None,
) -> Work:
    """Before a foreign key comes, goes or is enabled: the tables that it refers to, so that nobody is deleting a parent
    who has not heard of it. `elements` are the new ones; `names` those of constraints that `table` has (None: all)."""
    wanted = None if names is None else {fold(name) for name in names}
    found = [
        resolve(session, r.table, Table, missing_ok=True) for e in elements for r in find_all(e, ForeignKeyReference)
    ]
    if table is not None:
        found += [
            session.catalog.get(Table, table.database_id, c.referenced_id)
            for c in table.constraints
            if c.type == "F" and (wanted is None or fold(c.name) in wanted)
        ]
    for parent in dict.fromkeys(p.id for p in found if p is not None and p.session_id == 0):
        yield from lock_table(transaction, parent, "X")
    return 0


def create_table(
    session: Session,
    transaction: Transaction,
    name: ObjectName,
    elements: tuple[TableElement, ...],
    storage: tuple[DataSpace, ...],
    linked_later: list[tuple[int, list[ForeignKeyDraft]]] | None = None,
) -> Table:
    """Create a user table inside a statement that holds the schema lock. `linked_later` takes its foreign keys, for
    `link_tables`. Raises 2714, 2760, 2705, 17xx, 1908, 7726 …"""
    check_right(session, "CREATE TABLE")
    database = database_of(session, name)
    schema = find_schema(session, database, name)
    if name_taken(session.catalog, database.id, schema.id, name.name):
        raise sql_error(2714, name.name, state=6, span=name.span)
    new_id = new_object_id(session.catalog)
    shape = builder(name.name, session, new_id, Scope.in_database(database, session))
    with constraint_failures():
        shape.add(elements)
    finish_columns(shape, session)
    now = session.instance.host.now()
    table_id, home = new_id(), storage_schema(database.storage_name, schema.name)
    table = Table(
        id=table_id,
        database_id=database.id,
        name=name.name,
        create_date=now,
        modify_date=now,
        schema_id=schema.id,
        columns=tuple(shape.columns),
        constraints=tuple(shape.constraints),
        indexes=tuple(shape.indexes),
        storage_schema=home,
        storage_name=free_storage_name(session, home, name.name, table_id),
        partitioning=partitioning(shape.columns, next((space for space in storage if space.is_scheme), None)),
    )
    with constraint_failures():
        names = [c.name for c in shape.constraints] + [key.name for key in shape.foreign_keys]
        names += [c.default_name for c in shape.columns if c.default_name is not None]
        refuse_taken_names(session.catalog, table, names, name.span)
        drafts = shape.foreign_keys if linked_later is None else []
        table = settled(session.catalog, with_foreign_keys(session, table, drafts))
    if linked_later is not None:
        linked_later.append((table.id, shape.foreign_keys))
    transaction.change_catalog(None, table)
    make_home(transaction, schema, home)
    transaction.unit.apply(create_definition(table))
    session.instance.tables.create(table.id, table.create_date)
    return table


def link_tables(
    session: Session, transaction: Transaction, linked: Iterable[tuple[int, list[ForeignKeyDraft]]]
) -> None:
    """The foreign keys of tables that were made together and may refer to each other. Raises 2714, 17xx."""
    for table_id, drafts in linked:
        table = session.catalog.get(Table, session.database_id, table_id)
        if table is None or not drafts:
            continue
        with constraint_failures():
            refuse_taken_names(session.catalog, table, [draft.name for draft in drafts], drafts[0].span)
            changed = settled(session.catalog, with_foreign_keys(session, table, drafts))
        transaction.change_catalog(table, changed)


def _create_temp(frame: Frame, node: CreateTableStatement) -> Work:
    session = frame.session
    with session.statement() as transaction:
        table = temp_table(session, node.name, node.elements)
        keep_temp_table(frame, transaction, table, node.span)
    return 0
    yield


def temp_table(session: Session, name: ObjectName, elements: tuple[TableElement, ...]) -> Table:
    """The record of a new #table or ##table; not yet known to anybody."""
    states = session.instance.tables
    shape = builder(name.name, session, states.new_temp_id)
    with constraint_failures():
        shape.add(elements)
    finish_columns(shape, session)
    table_id = states.new_temp_id()
    is_global = name.name.startswith("##")
    now = session.instance.host.now()
    return Table(
        id=table_id,
        database_id=TEMPDB,
        name=name.name,
        create_date=now,
        modify_date=now,
        schema_id=1,
        columns=tuple(shape.columns),
        constraints=tuple(shape.constraints),
        indexes=tuple(shape.indexes),
        storage_schema=storage_schema("tempdb", "dbo") if is_global else TEMP,
        storage_name=name.name if is_global else f"{name.name}_{-table_id}",
        session_id=0 if is_global else session.spid,
    )


# --- ALTER TABLE -------------------------------------------------------------------------------------------


@handles(AlterTableStatement)
def compile_alter_table(node: AlterTableStatement, compiler: Compiler) -> Step:
    return Step(lambda frame: _alter(frame, node), waits=True)


def _alter(frame: Frame, node: AlterTableStatement) -> Work:
    session = frame.session
    with session.statement() as transaction:
        if not node.name.name.startswith("#"):
            yield from transaction.lock_schema()
        with session.names_of_user():
            table = resolve_itself(session, node.name)
        if not isinstance(table, Table):
            raise sql_error(4902 if table is None else 4909, str(node.name), span=node.name.span)
        if table.session_id == 0:
            check_alter(session, table, node.name)
            yield from lock_definition(session, transaction, table)
            yield from _lock_parents(session, transaction, table, node.action)
        yield from alter_table(frame, transaction, table, node)
    return 0


def _lock_parents(session: Session, transaction: Transaction, table: Table, action: AlterTableAction) -> Work:
    names = [name.value for name in action.names]
    about = action.kind.upper()
    if about == "ADD":
        yield from lock_referenced(session, transaction, action.elements)
    elif about == "CHECK CONSTRAINT":
        yield from lock_referenced(session, transaction, (), table, names or None)
    elif about == "DROP CONSTRAINT":
        yield from lock_referenced(session, transaction, (), table, names)
    if action.next is not None:
        yield from _lock_parents(session, transaction, table, action.next)
    return 0


# --- DROP TABLE --------------------------------------------------------------------------------------------


def drop_tables(node: DropObjectStatement) -> Step:
    """DROP TABLE: called by the handler of DROP for `kind` TABLE."""
    if all(n.name.startswith("#") for n in node.names):
        return Step(lambda frame: _drop_temps(frame, node), waits=True)

    def body(session: Session, transaction: Transaction) -> Work:
        for name in node.names:
            table = resolve_itself(session, name)
            if table is not None and not isinstance(table, Table):
                if node.if_exists:
                    continue
                raise sql_error(
                    3705,
                    "TABLE",
                    str(name),
                    str(name),
                    _kind_of(table),
                    "the DROP statement of its kind",
                    span=name.span,
                )
            if table is None:
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", "table", str(name), span=name.span)
            if table.database_id == TEMPDB and table.name.startswith("#"):
                drop_temp_table(session, transaction, table)
                continue
            if not may_drop(session, table):
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", "table", str(name), span=name.span)
            yield from _drop_table(session, transaction, table, name)

    return ddl_step(body)


def _kind_of(record: Any) -> str:
    kinds = {"V": "view", "P": "procedure", "FN": "function", "IF": "function", "TF": "function", "TR": "trigger"}
    return kinds.get(record.type, "module") if isinstance(record, Module) else type(record).__name__.lower()


def _drop_table(session: Session, transaction: Transaction, table: Table, name: ObjectName) -> Work:
    if children_of(table, session.catalog):
        raise sql_error(3726, str(name), span=name.span)
    refuse_bound(session, table, "DROP TABLE", str(name), name.span)
    yield from lock_table(transaction, table.id, "X")
    yield from lock_referenced(session, transaction, (), table)
    for module in list(session.catalog.all(Module, table.database_id)):
        if module.type == "TR" and module.parent_id == table.id:
            transaction.change_catalog(module, None)
    for permission in list(session.catalog.all(Permission, table.database_id)):
        if permission.class_ == "OBJECT" and permission.major_id == table.id:
            transaction.change_catalog(permission, None)
    transaction.change_catalog(table, None)
    storage = storage_of(table)
    transaction.unit.apply(Definition(f"DROP TABLE IF EXISTS {mark(storage)}", (storage,)))


def _drop_temps(frame: Frame, node: DropObjectStatement) -> Work:
    session = frame.session
    with session.statement() as transaction:
        for name in node.names:
            table = resolve(session, name, Table, missing_ok=True)
            if table is None:
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", "table", str(name), span=name.span)
            drop_temp_table(session, transaction, table)
    return 0
    yield
