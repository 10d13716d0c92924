"""USE, CREATE, ALTER and DROP DATABASE."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from sbql.catalog.bootstrap import database_definitions, new_database, storage_schema
from sbql.catalog.changes import Definition
from sbql.catalog.duck_types import quote
from sbql.catalog.records import Database, Schema
from sbql.engine.broker import ddl_effects
from sbql.engine.execution.compiled import Step, handles
from sbql.engine.execution.compiler import Compiler
from sbql.engine.execution.ddl import broker_effect, check_right, ddl_step
from sbql.engine.execution.scope import Frame
from sbql.engine.outcomes import InfoMessage
from sbql.engine.steps import Work
from sbql.engine.transaction import Transaction
from sbql.grammar.ast import AlterDatabaseStatement, CreateDatabaseStatement, DropObjectStatement, UseStatement
from sbql.grammar.errors import sql_error

__all__ = ["drop_databases"]

_SYSTEM_DATABASES = 4

_ACCEPTED = frozenset(
    {
        "ALLOW_SNAPSHOT_ISOLATION", "ANSI_NULLS", "ANSI_NULL_DEFAULT", "ANSI_PADDING", "ANSI_WARNINGS", "ARITHABORT",
        "AUTO_CLOSE", "AUTO_CREATE_STATISTICS", "AUTO_SHRINK", "AUTO_UPDATE_STATISTICS", "AUTO_UPDATE_STATISTICS_ASYNC",
        "CHANGE_TRACKING", "COMPATIBILITY_LEVEL", "CONCAT_NULL_YIELDS_NULL", "CONTAINMENT", "CURSOR_CLOSE_ON_COMMIT",
        "CURSOR_DEFAULT", "DATE_CORRELATION_OPTIMIZATION", "DB_CHAINING", "FILESTREAM", "NUMERIC_ROUNDABORT", "OFFLINE",
        "ONLINE", "PAGE_VERIFY", "PARAMETERIZATION", "QUERY_STORE", "QUOTED_IDENTIFIER", "READ_COMMITTED_SNAPSHOT",
        "READ_ONLY", "READ_WRITE", "RECOVERY", "RECURSIVE_TRIGGERS", "RESTRICTED_USER", "TARGET_RECOVERY_TIME",
    }
)  # fmt: skip
"""ALTER DATABASE options that are stored and have no effect here; listed in docs/differences.md."""

_BROKER_OPTIONS = ("ENABLE_BROKER", "DISABLE_BROKER", "NEW_BROKER", "ERROR_BROKER_CONVERSATIONS")


@handles(UseStatement)
def compile_use(node: UseStatement, compiler: Compiler) -> Step:
    name = node.database.value

    def run(frame: Frame) -> None:
        session = frame.session
        session.use(name)
        session.rowcount = 0
        session.emit(InfoMessage(f"Changed database context to '{session.database_name}'.", 5701, 0, 2, node.span.line))

    return Step(run)


def _outside_transaction(session: Any, words: str) -> None:
    if session.trancount:
        raise sql_error(226, words)


@handles(CreateDatabaseStatement)
def compile_create_database(node: CreateDatabaseStatement, compiler: Compiler) -> Step:
    """File, log and filegroup clauses are accepted: all databases live in the one store."""

    def body(session: Any, transaction: Transaction) -> None:
        if session.trancount:
            _outside_transaction(session, "CREATE DATABASE")
        if any(option.startswith("FOR ATTACH") for option in node.options):
            raise sql_error(40517, "CREATE DATABASE … FOR ATTACH", span=node.span)
        if session.catalog.find(Database, 0, node.name.value) is not None:
            raise sql_error(1801, node.name.value, span=node.name.span)
        host = session.instance.host
        before = session.catalog
        transaction.snapshot = new_database(before, node.name.value, host.new_guid(), host.now())
        created = transaction.snapshot.find(Database, 0, node.name.value)
        assert created is not None
        if "TRUSTWORTHY ON" in node.options:
            transaction.change_catalog(created, msgspec.structs.replace(created, is_trustworthy_on=True))
        for definition in database_definitions(created.name):
            transaction.unit.apply(definition)

    return ddl_step(body)


@handles(AlterDatabaseStatement)
def compile_alter_database(node: AlterDatabaseStatement, compiler: Compiler) -> Step:
    if node.action not in ("SET", "COLLATE", "MODIFY NAME"):
        raise sql_error(40517, f"ALTER DATABASE … {node.action}")

    def run(frame: Frame) -> Work:
        session = frame.session
        _outside_transaction(session, "ALTER DATABASE")
        yield from ddl_step(lambda s, t: _alter(s, t, node)).run(frame)

    return Step(run, waits=True)


def _alter(session: Any, transaction: Transaction, node: AlterDatabaseStatement) -> Work:
    name = node.name.value if node.name is not None else session.database_name
    record = session.catalog.find(Database, 0, name)
    if record is None:
        raise sql_error(5011, name, span=node.span)
    check_right(session, "ALTER")
    if node.action == "MODIFY NAME":
        raise sql_error(40517, "ALTER DATABASE … MODIFY NAME", span=node.span)
    if node.action == "COLLATE":
        return
    for word, value in node.options:
        if word in _BROKER_OPTIONS:
            record = yield from _set_broker(session, transaction, record, word)
        else:
            record = _set_option(transaction, record, word, value, node)


def _flag(field: str) -> Callable[[str | None], dict[str, Any]]:
    return lambda value: {field: value != "OFF"}


_FIELDS: dict[str, Callable[[str | None], dict[str, Any]]] = {
    "TRUSTWORTHY": _flag("is_trustworthy_on"),
    "HONOR_BROKER_PRIORITY": _flag("is_honor_broker_priority_on"),
    "DELAYED_DURABILITY": lambda value: {"delayed_durability": value or "DISABLED"},
    "SINGLE_USER": lambda value: {"user_access": "SINGLE_USER"},
    "MULTI_USER": lambda value: {"user_access": "MULTI_USER"},
}


def _set_option(
    transaction: Transaction, record: Database, word: str, value: str | None, node: AlterDatabaseStatement
) -> Database:
    if word in _FIELDS:
        new = msgspec.structs.replace(record, **_FIELDS[word](value))
    elif word in _ACCEPTED:
        new = msgspec.structs.replace(record, options={**record.options, word: value or "ON"})
    else:
        raise sql_error(40517, f"ALTER DATABASE … SET {word}", span=node.span)
    transaction.change_catalog(record, new)
    return new


def _set_broker(session: Any, transaction: Transaction, record: Database, word: str) -> Work:
    """ENABLE_BROKER and its relatives (reference 9.2). The change takes effect for messages when it is published."""
    if record.id == 1 and word != "DISABLE_BROKER":
        raise sql_error(5069)
    changes: dict[str, Any] = {"is_broker_enabled": word != "DISABLE_BROKER"}
    if word == "NEW_BROKER":
        changes["service_broker_guid"] = session.instance.host.new_guid()
    elif word in ("ENABLE_BROKER", "ERROR_BROKER_CONVERSATIONS"):
        for other in session.catalog.all(Database, 0):
            same = other.service_broker_guid == record.service_broker_guid and other.id != record.id
            if same and other.is_broker_enabled:
                raise sql_error(9772, record.name)
    new = msgspec.structs.replace(record, **changes)
    transaction.change_catalog(record, new)
    effect = _EFFECTS.get(word)
    if effect is not None:
        yield from broker_effect(session, transaction, lambda broker: effect(broker, record.id))
    return new


_EFFECTS = {
    "NEW_BROKER": ddl_effects.new_broker,
    "ERROR_BROKER_CONVERSATIONS": ddl_effects.error_broker_conversations,
}


def drop_databases(session: Any, transaction: Transaction, node: DropObjectStatement) -> Work:
    """DROP DATABASE [IF EXISTS] a, b. Raises 3701, 3702 (in use), 3708 (system database)."""
    _outside_transaction(session, "DROP DATABASE")
    for name in node.names:
        record = session.catalog.find(Database, 0, name.name)
        if record is None:
            if node.if_exists:
                continue
            raise sql_error(3701, "drop", "database", name.name, span=name.span)
        if record.id <= _SYSTEM_DATABASES:
            raise sql_error(3708, "drop", "database", record.name, "database", span=name.span)
        users = [s for s in session.instance.sessions.values() if s.database_id == record.id and not s.is_background]
        if users:
            raise sql_error(3702, "database", record.name, span=name.span)
        effect = partial(ddl_effects.database_dropped, database_id=record.id)
        yield from broker_effect(session, transaction, effect)
        for schema in list(session.catalog.all(Schema, record.id)):
            transaction.unit.apply(Definition(f"DROP SCHEMA IF EXISTS {quote(storage_schema(record.name, schema.name))} CASCADE"))
        for old in [r for r in transaction.snapshot.records() if r.database_id == record.id]:  # type: ignore[union-attr]
            transaction.change_catalog(old, None)
        transaction.change_catalog(record, None)
