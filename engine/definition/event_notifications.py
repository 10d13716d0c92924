"""CREATE and DROP EVENT NOTIFICATION (docs/spec: NOTIFY).

Decides which events each scope takes, where a notification lives (those of the server in master), and who may make and
drop it. When it fires, and how it is sent, is the background work's.
"""

from __future__ import annotations

import uuid

from sbql.catalog.event_types import (
    EVENT_TYPES,
    LOGON,
    QUEUE_EVENTS,
    SERVER_LEVEL,
    UNKNOWN_TRACE_EVENTS,
    is_trace,
    members,
)
from sbql.catalog.records import Database, EventNotification, Queue
from sbql.engine.definition.ddl import basics, check_service_name, ddl_step, refuse_existing
from sbql.engine.definition.queues import find_queue
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import has_right, may, token
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import CreateEventNotificationStatement, DropEventNotificationStatement
from sbql.grammar.errors import sql_error

__all__ = ["checked_events"]

_MASTER = 1


def checked_events(names: tuple[str, ...], scope: str, *, traced: bool = False) -> tuple[str, ...]:
    """The event types and groups as stored. Raises 1084 for an unknown one, for an event of the server in a
    database, for other than queue events on a queue, and for trace events where they are not `traced`. Raises 40517 for
    trace events that do not happen here."""
    found = tuple(name.upper() for name in names)
    for name in found:
        if traced and scope == "SERVER" and name in UNKNOWN_TRACE_EVENTS:
            raise sql_error(40517, f"notifications of {name}")
        if is_trace(name) and not (traced and scope == "SERVER"):
            raise sql_error(1084, name)
        known = name in QUEUE_EVENTS if scope == "QUEUE" else name in EVENT_TYPES and name not in (LOGON, *QUEUE_EVENTS)
        if not known or (scope == "DATABASE" and name != "DDL_EVENTS" and members(name) <= members(SERVER_LEVEL)):
            raise sql_error(1084, name)
    return found


@handles(CreateEventNotificationStatement)
def compile_event_notification(node: CreateEventNotificationStatement, compiler: Compiler) -> Step:
    events = checked_events(tuple(event.value for event in node.events), node.scope, traced=True)

    def body(session: Session, transaction: Transaction) -> None:
        check_service_name(node.service_name, node.span)
        queue = find_queue(session, node.queue) if node.queue is not None else None
        _check_right(session, node.scope, queue, node, events)
        if queue is not None and "QUEUE_ACTIVATION" in events and queue.is_activation_enabled:
            raise sql_error(9718, queue.name, span=node.span)
        database_id = _MASTER if node.scope == "SERVER" else queue.database_id if queue else session.database_id
        refuse_existing(session, EventNotification, node.name, database_id)
        if node.scope != "SERVER":  # which is sent through msdb
            _check_broker(node, _broker_of(session, database_id))
        owner = session.login.id if node.scope == "SERVER" else session.user.id
        record = EventNotification(
            **basics(session, node.name.value, database_id), scope=node.scope, parent_id=queue.id if queue else 0, events=events,
            service_name=node.service_name, broker_instance=_broker_instance(session, node), principal_id=owner,
            creator_sid=session.login.sid if node.fan_in else None,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _broker_instance(session: Session, node: CreateEventNotificationStatement) -> str:
    """The GUID that is written, or that of the database. Raises 2116 for what is none, and for that of a database
    without a broker."""
    if node.broker_instance.value == "current database":
        guid = _broker_of(session, session.database_id)
        _check_broker(node, guid)
        return str(guid).upper()
    try:
        _check_broker(node, uuid.UUID(node.broker_instance.value))
    except ValueError:
        raise sql_error(2116, node.name.value) from None
    return node.broker_instance.value


def _broker_of(session: Session, database_id: int) -> uuid.UUID:
    database = session.catalog.get(Database, 0, database_id)
    assert database is not None
    return database.service_broker_guid


def _check_broker(node: CreateEventNotificationStatement, guid: uuid.UUID) -> None:
    """Raises 2116 for the id that master and model have: nothing could be sent from there, nor to it."""
    if not guid.int:
        raise sql_error(2116, node.name.value, span=node.span)


def _check_right(
    session: Session, scope: str, queue: Queue | None, node: CreateEventNotificationStatement, events: tuple[str, ...]
) -> None:
    """Raises 262 and 300 for database and server, 15151 for a queue that the user may not alter."""
    if queue is not None:
        if not may(session, "ALTER", queue):
            raise sql_error(15151, "alter", "queue", queue.name, span=node.span)
    elif scope == "DATABASE":
        if not has_right(session, "CREATE DATABASE DDL EVENT NOTIFICATION"):
            raise sql_error(262, "CREATE DATABASE DDL EVENT NOTIFICATION", session.database_name, span=node.span)
    else:
        for kind in {"TRACE" if is_trace(event) else "DDL" for event in events}:
            if not has_right(session, f"CREATE {kind} EVENT NOTIFICATION", "SERVER"):
                raise sql_error(300, f"CREATE {kind} EVENT NOTIFICATION", "server", "master", span=node.span)


@handles(DropEventNotificationStatement)
def compile_drop_event_notification(node: DropEventNotificationStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        queue = find_queue(session, node.queue) if node.queue is not None else None
        database_id = _MASTER if node.scope == "SERVER" else queue.database_id if queue else session.database_id
        for name in node.names:
            record = session.catalog.find(EventNotification, database_id, name.value)
            is_here = record is not None and (record.scope, record.parent_id) == (node.scope, queue.id if queue else 0)
            if record is None or not is_here or not _may_drop(session, record):
                raise sql_error(15151, "drop", "event notification", name.value, span=node.span)
            transaction.change_catalog(record, None)

    return ddl_step(body)


def _may_drop(session: Session, record: EventNotification) -> bool:
    """The owner, and whoever may ALTER ANY EVENT NOTIFICATION of the scope (ALTER the queue)."""
    who = token(session)
    if who is None:
        return False
    if record.scope == "SERVER":
        return record.principal_id in who.server or has_right(session, "ALTER ANY EVENT NOTIFICATION", "SERVER")
    if record.principal_id in who.principals:
        return True
    if record.scope == "QUEUE":
        queue = session.catalog.get(Queue, record.database_id, record.parent_id)
        return queue is not None and may(session, "ALTER", queue)
    return has_right(session, "ALTER ANY DATABASE EVENT NOTIFICATION")
