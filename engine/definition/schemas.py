"""CREATE, ALTER and DROP SCHEMA. A schema of a database is a schema of the DuckDB file too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.changes import Definition, creation_of
from sbql.catalog.duck_types import quote
from sbql.catalog.kinds import kind_named
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import (
    Database,
    Module,
    Permission,
    Queue,
    Schema,
    Table,
    UserType,
    XmlSchemaCollection,
)
from sbql.engine.definition.ddl import Drop, basics, check_right, ddl_step, owner_id, refuse_existing
from sbql.engine.definition.modules import create_module
from sbql.engine.definition.permissions import change_permissions
from sbql.engine.definition.tables import create_table, link_tables, lock_referenced, refuse_features
from sbql.engine.describe.dependents import dependents
from sbql.engine.modification.locking import lock_definition
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import may
from sbql.engine.security.resolver import find_named, resolve_itself
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import failures_followed_by, free_storage_name, make_home, storage_of
from sbql.engine.tables.elements import ForeignKeyDraft
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterSchemaStatement,
    CreateSchemaStatement,
    CreateTableStatement,
    CreateViewStatement,
    ObjectName,
    PermissionStatement,
)
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]

_FIRST_ID = 5
_ROLE_SCHEMAS = 16384


@handles(CreateSchemaStatement)
def compile_create_schema(node: CreateSchemaStatement, compiler: Compiler) -> Step:
    if compiler.in_module:
        raise sql_error(111, "CREATE SCHEMA", span=node.span)
    for element in node.elements:
        if isinstance(element, CreateTableStatement):
            refuse_features(element)

    def body(session: Session, transaction: Transaction) -> Work:
        with failures_followed_by(2759):
            _create_schema(session, transaction, node)
            with session.names_meant(session.database_id, node.name.value):
                yield from _create_elements(session, transaction, node, compiler.text)
        return 0

    return ddl_step(body)


def _create_schema(session: Session, transaction: Transaction, node: CreateSchemaStatement) -> None:
    check_right(session, "CREATE SCHEMA")
    name = node.name.value
    refuse_existing(session, Schema, node.name)
    used = [s.id for s in session.catalog.all(Schema, session.database_id) if s.id < _ROLE_SCHEMAS]
    fields = basics(session, name) | {"id": max([_FIRST_ID - 1, *used]) + 1}
    record = Schema(**fields, principal_id=owner_id(session, node.owner))
    transaction.change_catalog(None, record)
    storage = quote(storage_schema(session.database.storage_name, name))
    transaction.unit.apply(Definition(f"CREATE SCHEMA IF NOT EXISTS {storage}", (storage,)))


def _create_elements(session: Session, transaction: Transaction, node: CreateSchemaStatement, text: str) -> Work:
    """Tables, then views, then permissions: each may be written before what it needs, but for a view of a view. Names
    of one part are those of the new schema."""
    linked: list[tuple[int, list[ForeignKeyDraft]]] = []
    for element in node.elements:
        if isinstance(element, CreateTableStatement):
            yield from lock_referenced(session, transaction, element.elements)
            inside = _inside(node, element.name)
            create_table(session, transaction, inside, element.elements, element.storage, linked)
    link_tables(session, transaction, linked)
    for element in node.elements:
        if isinstance(element, CreateViewStatement):
            definition = text[element.span.start : element.span.end]
            view = replace(element, name=_inside(node, element.name))
            create_module(session, transaction, view, "V", definition)
    for element in node.elements:
        if isinstance(element, PermissionStatement):
            change_permissions(session, transaction, element)


def _inside(node: CreateSchemaStatement, name: ObjectName) -> ObjectName:
    return name if name.schema else ObjectName((node.name, name.parts[-1]), span=name.span)


@handles(AlterSchemaStatement)
def compile_alter_schema(node: AlterSchemaStatement, compiler: Compiler) -> Step:
    """An object moves with what is part of it; its rights stay behind. Raises 15151, 15348, 15530, 40517."""

    def body(session: Session, transaction: Transaction) -> Work:
        schema = session.catalog.find(Schema, session.database_id, node.name.value)
        if schema is None or schema.name.lower() in _OF_THE_SYSTEM or not may(session, "ALTER", schema):
            raise sql_error(15151, "alter", "schema", node.name.value, span=node.name.span)
        record = _transferred(session, node)
        if record is None or not may(session, "CONTROL", record):
            raise sql_error(15151, "find", "object", str(node.securable), span=node.securable.span)
        if record.schema_id == schema.id:
            return
        if next(dependents(session, record), None) is not None:
            raise sql_error(15348, span=node.securable.span)
        if _is_taken(session, record, schema):
            raise sql_error(15530, record.name, span=node.securable.span)
        if isinstance(record, Table):
            yield from lock_definition(session, transaction, record)
        for permission in list(session.catalog.all(Permission, record.database_id)):
            if permission.class_ in _CLASSES and permission.major_id == record.id:
                transaction.change_catalog(permission, None)
        _move(session, transaction, record, schema)
        for trigger in list(session.catalog.all(Module, record.database_id)):
            if trigger.type == "TR" and trigger.parent_id == record.id:
                transaction.change_catalog(trigger, msgspec.structs.replace(trigger, schema_id=schema.id))

    return ddl_step(body)


_OF_THE_SYSTEM = frozenset({"sys", "information_schema"})
_CLASSES = frozenset({"OBJECT", "TYPE", "XML SCHEMA COLLECTION"})


def _transferred(session: Session, node: AlterSchemaStatement) -> Any:
    if node.securable_class in ("TYPE", "XML SCHEMA COLLECTION"):
        kind = kind_named(node.securable_class)
        assert kind is not None
        return find_named(session, kind, node.securable)
    if node.securable_class != "OBJECT":
        raise sql_error(102, node.securable_class, span=node.span)
    found = resolve_itself(session, node.securable)
    if isinstance(found, Queue):
        raise sql_error(40517, "ALTER SCHEMA … TRANSFER of a queue", span=node.span)
    is_part = isinstance(found, Module) and found.type == "TR"
    return None if found is None or is_part or found.name.startswith("#") or found.is_ms_shipped else found


def _is_taken(session: Session, record: Any, schema: Schema) -> bool:
    if isinstance(record, UserType | XmlSchemaCollection):
        return session.catalog.find(type(record), record.database_id, record.name, schema.id) is not None
    return session.catalog.find_object(record.database_id, schema.id, record.name) is not None


def _move(session: Session, transaction: Transaction, record: Any, schema: Schema) -> None:
    """The record with its new schema; the rows of a table move along, as a schema of DuckDB goes with its own."""
    changes: dict[str, Any] = {"schema_id": schema.id, "modify_date": session.instance.host.now()}
    if isinstance(record, Table):
        database = session.catalog.get(Database, 0, record.database_id)
        assert database is not None
        home = storage_schema(database.storage_name, schema.name)
        changes |= {
            "storage_schema": home,
            "storage_name": free_storage_name(session, home, record.name, record.id),
            "principal_id": None,
        }
        changed = msgspec.structs.replace(record, **changes)
        old, new = storage_of(record), storage_of(changed)
        make_home(transaction, schema, home)
        transaction.unit.apply(
            Definition(f"CREATE OR REPLACE {mark(creation_of(new))} AS SELECT * FROM {mark(old)}", (new, old))
        )
        transaction.unit.apply(Definition(f"DROP TABLE {mark(old)}", (old,)))
    transaction.change_catalog(record, msgspec.structs.replace(record, **changes))


def _refuse_used(session: Session, record: Schema, name: ObjectName) -> None:
    """Raises 3729 while anything is in it."""
    for inside in session.catalog.records():
        if inside.database_id == record.database_id and getattr(inside, "schema_id", None) == record.id:
            raise sql_error(3729, "drop schema", name.name, inside.name, span=name.span)


def _drop_storage(session: Session, transaction: Transaction, record: Schema) -> None:
    storage = quote(storage_schema(session.database.storage_name, record.name))
    transaction.unit.apply(Definition(f"DROP SCHEMA IF EXISTS {storage} CASCADE", (storage,)))


def _may_drop(session: Session, record: Schema) -> bool:
    return may(session, "CONTROL", record)


DROP = Drop(may=_may_drop, refuse=_refuse_used, effect=_drop_storage)
