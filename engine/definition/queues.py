"""CREATE, ALTER and DROP QUEUE (docs/spec: QUEUE)."""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import (
    EventNotification,
    Module,
    Principal,
    Queue,
    Service,
)
from sbql.engine.broker.consumers import drop_consumers_of
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    broker_effect,
    check_right,
    ddl_step,
    refuse_bound,
    refuse_system_object,
)
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import may
from sbql.engine.security.resolver import database_of, resolve, schema_of
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import name_taken
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterQueueStatement,
    CreateQueueStatement,
    ObjectName,
    QueueActivation,
    QueueOptions,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.names import dotted, parse_object_name

__all__ = ["DROP", "find_queue"]

_OWNER = -2
_READERS_MAX = 32767


def find_queue(session: Session, name: ObjectName) -> Queue:
    """The queue of a 1- to 3-part name. Raises 208."""
    return resolve(session, name, Queue)


@handles(CreateQueueStatement)
def compile_create_queue(node: CreateQueueStatement, compiler: Compiler) -> Step:
    _check_activation(node.options.activation, create=True)

    def body(session: Session, transaction: Transaction) -> None:
        database = database_of(session, node.name)
        check_right(session, "CREATE QUEUE")
        if node.name.name.startswith("#"):
            raise sql_error(1093, node.name.name, span=node.name.span)
        schema = schema_of(session, database, node.name)
        if not may(session, "ALTER", schema):
            raise sql_error(2760, schema.name, span=node.name.span)
        if name_taken(session.catalog, database.id, schema.id, node.name.name):
            raise sql_error(2714, node.name.name, span=node.name.span)
        record = Queue(**basics(session, node.name.name, database.id), schema_id=schema.id)
        transaction.change_catalog(None, _with_options(session, record, node.options, create=True))

    return ddl_step(body)


_NEEDED = ("PROCEDURE_NAME", "MAX_QUEUE_READERS", "EXECUTE AS")


def _check_activation(activation: QueueActivation | None, *, create: bool) -> None:
    """In CREATE QUEUE the three activation options come together or not at all (grammar rule of the vendor)."""
    if activation is None:
        return
    readers = activation.max_queue_readers
    if readers is not None and not 0 <= readers.value <= _READERS_MAX:
        raise sql_error(102, str(readers.value), span=readers.span).advise(
            f"MAX_QUEUE_READERS is from 0 to {_READERS_MAX}."
        )
    given = [
        activation.procedure is not None,
        activation.max_queue_readers is not None,
        activation.execute_as is not None,
    ]
    if create and any(given) and not all(given):
        missing = [word for word, is_given in zip(_NEEDED, given, strict=True) if not is_given]
        advice = f"ACTIVATION of CREATE QUEUE also needs {' and '.join(missing)}."
        raise sql_error(102, "ACTIVATION", span=activation.span).advise(advice)


def _with_options(session: Session, record: Queue, options: QueueOptions, *, create: bool = False) -> Queue:
    """The queue record with the options of CREATE or ALTER QUEUE. Raises 9613, 9614, 9611, 9620, 9653, 9717, 9742."""
    fields: dict[str, Any] = {"modify_date": session.instance.host.now()}
    if options.status is not None:
        fields["is_enabled"] = options.status
    if options.retention is not None:
        fields["is_retention_enabled"] = options.retention
    if options.poison_message_handling is not None:
        fields["is_poison_message_handling_enabled"] = options.poison_message_handling
    activation = options.activation
    if activation is not None and activation.drop:
        fields |= {
            "activation_procedure": None, "max_readers": None, "execute_as_principal_id": None, "is_activation_enabled": False
        }  # fmt: skip
    elif activation is not None:
        fields |= _activation_fields(session, activation, create)
    new = msgspec.structs.replace(record, **fields)
    if new.is_activation_enabled and (not record.is_activation_enabled or activation is not None):
        _check_activation_set(session, new)
    return new


def _activation_fields(session: Session, activation: QueueActivation, create: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if activation.procedure is not None:
        fields["activation_procedure"] = _checked_procedure(session, activation.procedure)
    if activation.max_queue_readers is not None:
        fields["max_readers"] = activation.max_queue_readers.value
    if activation.execute_as is not None:
        fields["execute_as_principal_id"] = _execute_as(session, activation)
    if activation.status is not None:
        fields["is_activation_enabled"] = activation.status
    elif create and activation.procedure is not None:
        # The status of an activation written in CREATE QUEUE is ON unless it says OFF.
        fields["is_activation_enabled"] = True
    return fields


def _checked_procedure(session: Session, name: ObjectName) -> str:
    """The procedure's name as stored. It is looked up only when activated; what exists already must fit."""
    if name.name.startswith("#"):
        raise sql_error(9742, str(name), span=name.span)
    found = resolve(session, name, missing_ok=True)
    if isinstance(found, Module):
        if found.type in ("FN", "IF", "TF"):
            raise sql_error(9620, str(name), span=name.span)
        if found.type == "P" and session.instance.modules.module(found, session).parameters:
            raise sql_error(9653, str(name), span=name.span)
    database = name.database or session.database_name
    schema = name.schema or "dbo"
    return dotted(database, schema, name.name)


def _execute_as(session: Session, activation: QueueActivation) -> int:
    if activation.execute_as == "OWNER":
        return _OWNER
    if activation.execute_as == "SELF":
        return session.user.id
    user = session.catalog.find(Principal, session.database_id, activation.execute_as_user or "")
    if user is None or not user.is_single:
        raise sql_error(9611, activation.execute_as_user, span=activation.span)
    if user.id != session.user.id and not may(session, "IMPERSONATE", user):
        raise sql_error(15151, "execute as", "user", user.name, span=activation.span)
    return user.id


def _check_activation_set(session: Session, queue: Queue) -> None:
    if queue.execute_as_principal_id is None:
        raise sql_error(9613, queue.name)
    if queue.activation_procedure is None:
        raise sql_error(9614, queue.name)
    for notification in session.catalog.all(EventNotification, queue.database_id):
        if notification.parent_id == queue.id and "QUEUE_ACTIVATION" in notification.events:
            raise sql_error(9717, queue.name)
    parse_object_name(queue.activation_procedure)


@handles(AlterQueueStatement)
def compile_alter_queue(node: AlterQueueStatement, compiler: Compiler) -> Step:
    """REBUILD, REORGANIZE and MOVE are accepted: DuckDB keeps its own storage in order (docs/differences.md)."""
    if node.options is not None:
        _check_activation(node.options.activation, create=False)

    def body(session: Session, transaction: Transaction) -> None:
        record = find_queue(session, node.name)
        refuse_system_object(record, "ALTER", "queue", node.span)
        check_right(session, "ALTER", "OBJECT", record.id, named=("alter", "queue", record.name))
        if node.options is None:
            return
        new = _with_options(session, record, node.options)
        transaction.change_catalog(record, new)

    return ddl_step(body)


def _refuse_used(session: Session, record: Queue, name: ObjectName) -> None:
    services = (s for s in session.catalog.all(Service, record.database_id) if s.queue_id == record.id)
    refuse_bound(session, ("queue", record.name), "services", services, name.span)


def _drop_what_hangs_on_it(session: Session, transaction: Transaction, record: Queue) -> Work:
    """Its consumers (49942) and its notifications."""
    yield from broker_effect(session, transaction, lambda broker: drop_consumers_of(broker, record))
    for notification in list(session.catalog.all(EventNotification, record.database_id)):
        if notification.parent_id == record.id:
            transaction.change_catalog(notification, None)


DROP = Drop(missing=3701, refuse=_refuse_used, effect=_drop_what_hangs_on_it)
