"""A copy of a database becomes a database: RESTORE, attach and detach.

Decides which ids a copy gets here, what of its settings it keeps, and what its broker does. Ids stay as they are unless
another database of the instance uses them; then tables, queues, modules, sequences and event notifications, which have
ids of the instance, get new ones. The broker is off until somebody asks for it, TRUSTWORTHY is off. It must not know
the files' layout (`catalog.backup_file`) nor the statements' options.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import msgspec

from sbql.catalog.backup_file import BackupSet, Header, open_set, parts, read_headers, write_set
from sbql.catalog.bootstrap import (
    SCHEMAS_WITHOUT_TABLES,
    built_in_queue_ids,
    free_storage_name,
    next_database_id,
    storage_schema,
)
from sbql.catalog.changes import Definition, creation_of
from sbql.catalog.duck_types import quote
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import (
    CatalogRecord,
    Database,
    EventNotification,
    Module,
    Permission,
    Queue,
    Schema,
    Sequence,
    Service,
    Signature,
    Table,
    UserType,
)
from sbql.engine.broker import ddl_effects
from sbql.engine.broker.restoring import put_back
from sbql.engine.definition.alter_database import BROKER_EFFECTS, broker_twin, moved_procedure
from sbql.engine.definition.database_rights import check_may_create, check_may_detach, owner_of_new
from sbql.engine.definition.ddl import broker_effect
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session, Transaction
from sbql.engine.security.database_access import users_of
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error

__all__ = ["ATTACH_OPTIONS", "attach_database", "bring_back", "detach_database", "remove_database", "set_header"]

ATTACH_OPTIONS = ("ENABLE_BROKER", "NEW_BROKER", "ERROR_BROKER_CONVERSATIONS")
"""What RESTORE and FOR ATTACH may say about the broker."""

_SYSTEM_DATABASES = 4


# --- what a copy becomes -------------------------------------------------------------------------------------


def bring_back(
    session: Session,
    transaction: Transaction,
    backup: BackupSet,
    name: str,
    *,
    broker: str | None,
    database_id: int | None = None,
    hear: Callable[[int, int], None] = lambda done, of: None,
    **settings: Any,
) -> Work:
    """Make a database `name` from a copy, under the schema lock, with nobody in the one it replaces (which is gone
    already).

    `broker` is one of ATTACH_OPTIONS or None; `hear` is told how many rows of how many are there;
    `settings` are fields of the Database record. A broker that cannot be enabled, because another database
    has its id, stays off and says so (9773).
    """
    instance = session.instance
    assert transaction.snapshot is not None
    before = transaction.snapshot
    kept = {"create_date": instance.host.now(), "is_trustworthy_on": False, "user_access": "MULTI_USER", **settings}
    record = msgspec.structs.replace(
        backup.database,
        id=next_database_id(before) if database_id is None else database_id,
        name=name,
        storage=free_storage_name(before, name),
        is_broker_enabled=False,
        **kept,
    )
    wants_broker = broker is not None and record.state == "ONLINE"
    if broker == "NEW_BROKER":
        record = msgspec.structs.replace(record, service_broker_guid=instance.host.new_guid(), family=record.family_id)
    if wants_broker and broker_twin(before, record) is not None:
        wants_broker = False
        text = sql_error(9773, name).message
        session.emit(InfoMessage(text, 9773, 10, 1))
        instance.log(9773, text)
    record = msgspec.structs.replace(record, is_broker_enabled=wants_broker)
    renumbered = _Renumbered(session, backup, record)
    transaction.snapshot = before.with_records([record, *renumbered.records()])
    _copy_tables(transaction, backup, record, hear)
    renumbered.forget_old_contents()
    if broker == "NEW_BROKER":
        return
    yield from broker_effect(session, transaction, lambda t: put_back(t, *renumbered.conversations()))
    if wants_broker and broker in BROKER_EFFECTS:
        yield from broker_effect(session, transaction, lambda t: BROKER_EFFECTS[broker](t, record.id))


def _copy_tables(
    transaction: Transaction, backup: BackupSet, record: Database, hear: Callable[[int, int], None]
) -> None:
    own = storage_schema(record.storage_name, "")
    used = {r.schema_id for r in backup.records if isinstance(r, Table)}
    made = [
        r for r in backup.records if isinstance(r, Schema) and (r.id in used or r.name not in SCHEMAS_WITHOUT_TABLES)
    ]
    for schema in (storage_schema(record.storage_name, r.name) for r in made):
        transaction.unit.apply(Definition(f"CREATE SCHEMA IF NOT EXISTS {quote(schema)}", (quote(schema),)))
    done, of = 0, sum(size for _, _, size in backup.tables)
    for schema, table, size in backup.tables:
        target = f"{quote(own + schema.rpartition('.')[2])}.{quote(table)}"
        source = backup.source(schema, table)
        transaction.unit.apply(Definition(f"CREATE {mark(creation_of(target))} AS FROM {source} LIMIT 0", (target,)))
        for part, count in parts(source, size):
            transaction.unit.apply(Definition(f"INSERT INTO {mark(target)} {part}", (target,)))
            done += count
            hear(done, of)


class _Renumbered:
    """The records and conversations of a copy, with the ids that they have in this instance."""

    def __init__(self, session: Session, backup: BackupSet, database: Database) -> None:
        self.session = session
        self.backup = backup
        self.database = database
        self.ids: dict[int, int] = {}
        mine = [r for r in backup.records if isinstance(r, _INSTANCE_WIDE)]
        mine += [r.table for r in backup.records if isinstance(r, UserType) and r.table is not None]
        built_in = built_in_queue_ids(database.id)
        taken = {r.id for r in session.catalog.records() if r.database_id}
        last = max(session.catalog.last_id, *(r.id for r in backup.records))
        for record in sorted(mine, key=lambda r: r.id):
            if isinstance(record, Queue) and record.is_ms_shipped:
                self.ids[record.id] = built_in[record.name]
            elif record.id in taken:
                last += 1
                self.ids[record.id] = last

    def _new(self, old: int) -> int:
        return self.ids.get(old, old)

    def records(self) -> list[CatalogRecord]:
        return [self._record(record) for record in self.backup.records]

    def _record(self, record: CatalogRecord) -> CatalogRecord:
        changes: dict[str, Any] = {"database_id": self.database.id}
        if isinstance(record, _INSTANCE_WIDE):
            changes["id"] = self._new(record.id)
        if isinstance(record, Table):
            changes |= self._table(record)
        elif isinstance(record, UserType) and record.table is not None:
            shape = msgspec.structs.replace(record.table, database_id=self.database.id, id=self._new(record.table.id))
            changes["table"] = shape
        elif isinstance(record, Service):
            changes["queue_id"] = self._new(record.queue_id)
        elif isinstance(record, EventNotification | Module):
            changes["parent_id"] = self._new(record.parent_id)
        elif isinstance(record, Signature):
            changes["module_id"] = self._new(record.module_id)
        elif isinstance(record, Permission) and record.class_ == "OBJECT":
            changes["major_id"] = self._new(record.major_id)
        elif isinstance(record, Queue):
            old = self.backup.database.name
            changes["activation_procedure"] = moved_procedure(record.activation_procedure, old, self.database.name)
        return msgspec.structs.replace(record, **changes)

    def _table(self, table: Table) -> dict[str, Any]:
        schema = table.storage_schema.rpartition(".")[2]
        constraints = tuple(
            msgspec.structs.replace(c, referenced_id=self._new(c.referenced_id)) if c.type == "F" else c
            for c in table.constraints
        )
        return {"storage_schema": storage_schema(self.database.storage_name, "") + schema, "constraints": constraints}

    def forget_old_contents(self) -> None:
        """What the instance keeps by id of a database that was replaced: counters of tables, blocks of sequences."""
        instance = self.session.instance
        for record in self.backup.records:
            if isinstance(record, Table):
                instance.tables.forget(self._new(record.id))
            elif isinstance(record, Sequence) and instance.sequences is not None:
                instance.sequences.states.pop(self._new(record.id), None)

    def conversations(self) -> tuple[list[Any], ...]:
        """Endpoints, groups, messages, transmission rows, and what belongs to monologs: new ones at each call."""
        backup, own = self.backup, {"database_id": self.database.id}
        kinds: tuple[list[Any], ...] = (
            backup.endpoints,
            backup.groups,
            backup.messages,
            backup.transmissions,
            backup.members,
            backup.retained,
        )
        return tuple([msgspec.structs.replace(record, **own) for record in kind] for kind in kinds)


_INSTANCE_WIDE = (EventNotification, Module, Queue, Sequence, Table)


# --- attach and detach ---------------------------------------------------------------------------------------


def attach_database(session: Session, name: str, file: str, broker: str | None) -> Work:
    """CREATE DATABASE … FOR ATTACH, sp_attach_db. Raises 1038, 226, 262, 1801, 5120 (no such file), 5171 (not a
    database file)."""
    if not name:
        raise sql_error(1038)
    if session.trancount:
        raise sql_error(226, "CREATE DATABASE")
    check_may_create(session)
    instance = session.instance
    path = instance.files.path(file)
    if not os.path.isfile(path):
        raise sql_error(5120, file, "2(The system cannot find the file specified.)")
    headers = read_headers(instance.store, path)
    if len(headers) != 1 or headers[0].kind != "F":
        raise sql_error(5171, file)
    with ExitStack() as stack, session.statement() as transaction:
        yield from transaction.lock_schema()
        if session.catalog.find(Database, 0, name) is not None:
            raise sql_error(1801, name)
        backup = stack.enter_context(open_set(instance.store, path, 1))
        yield from bring_back(
            session, transaction, backup, name, broker=broker, file_name=file, owner_sid=owner_of_new(session)
        )
    return 0


def detach_database(session: Session, name: str) -> Work:
    """sp_detach_db: the database leaves the instance; its data file is what attaching reads.

    Raises 226, 15010 (no such database), 15247 (no right), 7940 (system database), 3703 (in use), 3241 (the file is
    something else).
    """
    if session.trancount:
        raise sql_error(226, "sp_detach_db")
    instance = session.instance
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        record = session.catalog.find(Database, 0, name)
        if record is None:
            raise sql_error(15010, name)
        check_may_detach(session, record)
        if record.id <= _SYSTEM_DATABASES:
            raise sql_error(7940)
        if users_of(instance, record.id):
            raise sql_error(3703, "database", record.name)
        yield from remove_database(session, transaction, record)
        path = instance.files.path(record.file_name or f"{record.name}.mdf")
        if os.path.exists(path):
            read_headers(instance.store, path)  # one of ours may go; anything else is somebody's
        write_set(instance.store, path, set_header(session, record, "F"), record.id, is_new=True)
    return 0


def set_header(session: Session, record: Database, kind: str, **fields: Any) -> Header:
    """The header of a backup set that is made now."""
    now = session.instance.host.now()
    return Header(
        kind=kind, database_name=record.name, service_broker_guid=str(record.service_broker_guid).upper(), family=record.family_id,
        recovery_model=record.recovery_model, database_create_date=record.create_date, start=now, finish=now,
        server_name=session.instance.name, user_name=session.login.name, logical_name=record.logical_name or record.name,
        file_name=record.file_name or f"{record.name}.mdf", **fields,
    )  # fmt: skip


def remove_database(session: Session, transaction: Transaction, record: Database) -> Work:
    """All that a database has goes: conversations, tables, records."""
    yield from broker_effect(session, transaction, partial(ddl_effects.database_dropped, database_id=record.id))
    for schema in list(session.catalog.all(Schema, record.id)):
        storage = quote(storage_schema(record.storage_name, schema.name))
        transaction.unit.apply(Definition(f"DROP SCHEMA IF EXISTS {storage} CASCADE", (storage,)))
    assert transaction.snapshot is not None
    own = [r for r in transaction.snapshot.records() if r.database_id == record.id]
    transaction.snapshot = transaction.snapshot.without_records([*own, record])
