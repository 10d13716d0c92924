"""What system views show of the engine's memory: sessions, requests, waits, queue monitors, activated tasks,
parameters.

One function a live relation of `catalog.live_relations`, which has a class for its rows. It reads and decides nothing.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from sbql.catalog import live_relations as live
from sbql.catalog.live_counts import IdentityValue, SequenceValue
from sbql.catalog.permission_codes import CLASS_NAMES
from sbql.catalog.records import Database, Module, Queue, Sequence, Table, UserType
from sbql.catalog.type_facets import facets
from sbql.engine.broker import queue_monitor
from sbql.engine.broker.trace import trace_events, trace_subclasses
from sbql.engine.describe.dependencies import check_columns, dependency_rows
from sbql.engine.describe.module_texts import columns_of_module, module_facts
from sbql.engine.describe.sequence_values import last_value
from sbql.engine.describe.system_modules import system_modules
from sbql.engine.describe.system_objects import system_column_rows, system_objects
from sbql.engine.describe.table_rows import table_rows
from sbql.engine.locks import words_of
from sbql.engine.ports import Instance, Session
from sbql.engine.security import has_right, is_database_owner, token, visible_catalog
from sbql.engine.system.configuration import configuration_rows
from sbql.engine.system.doing import blocker
from sbql.engine.system.performance_counters import performance_counters
from sbql.grammar.errors import SqlError
from sbql.grammar.types import TABLE_TYPE, SqlType

__all__ = ["live_rows"]

Row = tuple[Any, ...]
_LEVELS = {"READ UNCOMMITTED": 1, "READ COMMITTED": 2, "REPEATABLE READ": 3, "SERIALIZABLE": 4, "SNAPSHOT": 5}


def live_rows(instance: Instance, name: str, session: Session) -> Iterator[Row]:
    """The rows of the live relation `name`, as `session` may see them."""
    return _RELATIONS[name](instance, session)


def _activated_tasks(instance: Instance, session: Session) -> Iterator[Row]:
    for task in list(instance.scheduler.tasks.values()):
        yield live.ActivatedTask(
            spid=task.session.spid, database_id=task.queue.database_id, queue_id=task.queue.id, procedure_name=task.procedure,
            execute_as=task.execute_as,
        )  # fmt: skip


def _broker_connections(instance: Instance, session: Session) -> Iterator[Row]:
    if instance.transmitter is not None:
        yield from instance.transmitter.connections()


def _forwarded_messages(instance: Instance, session: Session) -> Iterator[Row]:
    if instance.transmitter is not None:
        yield from instance.transmitter.forwarded()


def _queue_monitors(instance: Instance, session: Session) -> Iterator[Row]:
    state = instance.broker
    with state.mutex:
        for monitor in list(state.monitors.values()):
            yield live.QueueMonitor(
                database_id=monitor.database_id, queue_id=monitor.queue_id, state=monitor.state,
                last_empty_rowset_time=monitor.last_empty_rowset_time, last_activated_time=monitor.last_activated_time,
                tasks_waiting=queue_monitor.tasks_waiting(state, monitor.queue_id),
            )  # fmt: skip


def _consumers(instance: Instance, session: Session) -> Iterator[Row]:
    """Those of queues that the session may see."""
    visible = visible_catalog(session)
    state = instance.broker
    with state.mutex:
        for log in list(state.logs.values()):
            r = log.record
            if visible.get(Queue, r.database_id, r.queue_id) is not None:
                yield live.Consumer(
                    database_id=r.database_id, queue_id=r.queue_id, consumer=r.name, log_id=r.log_id, epoch=r.epoch,
                    acknowledged=r.acknowledged, delivered=r.delivered, held=log.held, held_groups=len(log.groups),
                    failures=r.failures, attach_time=r.attach_time,
                    held_since=log.runs[0].delivery_time if log.runs else None,
                )  # fmt: skip


def _query_subscriptions(instance: Instance, session: Session) -> Iterator[Row]:
    sees_all = has_right(session, "VIEW SERVER STATE", "SERVER")
    for record in instance.subscriptions.all():
        if sees_all or record.sid == session.login.sid:
            yield live.QuerySubscription(
                record.id,
                database_id=record.database_id,
                sid=record.sid,
                created=record.create_time,
                timeout=record.timeout,
            )


def _seen(instance: Instance, session: Session) -> list[Session]:
    """The sessions that a session may see: without VIEW SERVER STATE only itself."""
    return list(instance.sessions.values()) if has_right(session, "VIEW SERVER STATE", "SERVER") else [session]


def _sessions(instance: Instance, session: Session) -> Iterator[Row]:
    for other in _seen(instance, session):
        is_running = other is session or other.waiting_for is not None
        client, options = other.client, other.options
        yield live.SessionRow(
            session_id=other.spid, login_time=other.login_time, host_name=client.host_name or instance.name, program_name=client.program_name,
            host_process_id=client.process_id, client_version=client.version, client_interface_name=client.interface, context_info=None if other.context_info is None else other.context_info.ljust(128, b"\0"),
            login_name=other.login.name, original_login_name=other.contexts[0].login.name,
            status="running" if is_running else "sleeping", database_id=other.database_id,
            is_user_process=not other.is_background, is_admin=other.is_admin, open_transaction_count=other.trancount,
            last_request_start_time=other.login_time, last_request_end_time=other.login_time, row_count=other.rowcount,
            transaction_isolation_level=_LEVELS[options.isolation_level], lock_timeout=options.lock_timeout, deadlock_priority=options.deadlock_priority,
            prev_error=other.error_number, text_size=options.textsize, language=options.dates.language.name, date_format=options.dates.order,
            date_first=options.datefirst, quoted_identifier=options.quoted_identifier, arithabort=options.arithabort,
            ansi_null_dflt_on=options.ansi_null_dflt_on, ansi_warnings=options.ansi_warnings, ansi_padding=options.ansi_padding,
            ansi_nulls=options.ansi_nulls, concat_null_yields_null=options.concat_null_yields_null, net_transport=client.transport,
            protocol_version=client.protocol_version, encrypt_option="TRUE" if client.is_encrypted else "FALSE", net_packet_size=client.packet_size,
            client_net_address=client.address, client_tcp_port=client.port, local_net_address=client.local_address, local_tcp_port=client.local_port,
        )  # fmt: skip


def _requests(instance: Instance, session: Session) -> Iterator[Row]:
    now = instance.host.now()
    for other in _seen(instance, session):
        waiting = other.waiting_for
        if other is not session and waiting is None and not other.is_running:
            continue
        holder, resource = blocker(instance, other) if waiting is not None else (None, "")
        yield live.Request(
            session_id=other.spid, start_time=other.asked_at, status="suspended" if waiting is not None else "running", command=_command(other, session),
            database_id=other.database_id, blocking_session_id=holder,
            wait_type=waiting.reason if waiting is not None else None, wait_time=_waited(other, now), wait_resource=resource,
            open_transaction_count=other.trancount, percent_complete=other.percent_complete,
            total_elapsed_time=max(0, round((now - other.asked_at) * 1000)),
        )  # fmt: skip


def _command(other: Session, asking: Session) -> str:
    """What the session does now: it asks, or waits in WAITFOR; else the first word of its batch."""
    if other is asking:
        return "SELECT"
    if other.waiting_for is not None and other.waiting_for.reason in ("WAITFOR", "BROKER_RECEIVE_WAITFOR"):
        return "WAITFOR"
    words = other.current_statement.split(None, 1)
    return words[0].upper()[:32] if words else ""


def _waited(other: Session, now: float) -> int:
    """Milliseconds of what it waits for."""
    return max(0, round((now - other.waiting_since) * 1000)) if other.waiting_for is not None else 0


_LOCKED = {"row": "KEY", "key": "KEY", "table": "OBJECT", "applock": "APPLICATION", "group": "APPLICATION"}


def _locks(instance: Instance, session: Session) -> Iterator[Row]:
    """What transactions and sessions hold, and what they wait for."""
    for other in _seen(instance, session):
        transaction = other.transaction
        owners = [(other.applocks, "SESSION", 0)]
        if transaction is not None:
            owners.append((transaction.owner, "TRANSACTION", transaction.id))
        for owner, kind, number in owners:
            found = [(resource, mode, "GRANT") for resource, mode in list(owner.held.items())]
            if owner.waits_for is not None:
                found.append((owner.waits_for, "X", "WAIT"))
            for resource, mode, status in found:
                resource_type, object_id, description = _lock_resource(resource)
                yield live.Lock(
                    session_id=other.spid, database_id=other.database_id, resource_type=resource_type, object_id=object_id,
                    description=description, mode=mode, status=status, owner_type=kind, transaction_id=number,
                )  # fmt: skip


def _lock_resource(resource: Any) -> tuple[str, int, str]:
    """(type, object id, description) of a lock's resource."""
    parts = resource if isinstance(resource, tuple) else (resource,)
    kind = _LOCKED.get(str(parts[0]), "METADATA")
    object_id = parts[1] if kind in ("KEY", "OBJECT") and len(parts) > 1 and isinstance(parts[1], int) else 0
    return kind, object_id, ":".join(words_of(resource)[2 if object_id else 1 :])[:256]


def _transactions(instance: Instance, session: Session) -> Iterator[Row]:
    for other in _seen(instance, session):
        transaction = other.transaction
        if transaction is not None:
            yield live.OpenTransaction(
                session_id=other.spid, transaction_id=transaction.id, name=other.transaction_name or "user_transaction",
                begin_time=transaction.begin_time, is_user=other.trancount > 0, is_snapshot=transaction.is_snapshot,
            )  # fmt: skip


def _waiting_tasks(instance: Instance, session: Session) -> Iterator[Row]:
    now = instance.host.now()
    for other in list(instance.sessions.values()):
        waiting = other.waiting_for
        if waiting is not None:
            holder, resource = blocker(instance, other)
            yield live.WaitingTask(
                session_id=other.spid, wait_type=waiting.reason, wait_duration_ms=_waited(other, now), blocking_session_id=holder,
                resource_description=resource,
            )  # fmt: skip


def _parameters(instance: Instance, session: Session) -> Iterator[Row]:
    """Parameters of the procedures and functions of all databases."""
    return _parameters_of(
        (m for m in session.catalog.all(Module) if m.type in ("P", "FN", "IF", "TF")), instance, session
    )


def _system_parameters(instance: Instance, session: Session) -> Iterator[Row]:
    """Parameters of the system's own procedures."""
    for row in _parameters_of(system_modules(session.database_id), instance, session):
        fields = row._asdict()
        del fields["database_id"]
        yield live.SystemParameter(**fields)


def _system_modules(instance: Instance, session: Session) -> Iterator[Row]:
    for module in system_modules(session.database_id):
        yield live.SystemModule(object_id=module.id, definition=module.definition)


def _parameters_of(modules: Iterable[Module], instance: Instance, session: Session) -> Iterator[live.Parameter]:
    """What modules take, and what scalar functions return. A module that no longer compiles shows none."""
    user_types = {(t.database_id, t.name.lower()): t.id for t in session.catalog.all(UserType)}
    for module in modules:
        try:
            compiled = instance.modules.module(module, session)
        except SqlError:
            continue
        found: list[tuple[int, str, SqlType, str, bool, bool, bool, bool]] = []
        if compiled.returns is not None:
            found.append((0, "", compiled.returns, compiled.node.returns.name.name, True, False, False, False))
        for number, p in enumerate(compiled.parameters, 1):
            flags = (p.output, p.default is not None, p.node.readonly, p.node.varying)
            found.append((number, p.name, p.type, p.node.type.name.name, *flags))
        for number, name, sql_type, declared, is_output, has_default, is_readonly, is_cursor in found:
            known = facets(sql_type)
            own = user_types.get((module.database_id, declared.lower()))
            user_type = 256 if declared.lower() == "sysname" else known.user_type_id if own is None else own
            system_type = 243 if sql_type is TABLE_TYPE else known.system_type_id
            yield live.Parameter(
                database_id=module.database_id, object_id=module.id, name=name, parameter_id=number,
                type_name="table type" if sql_type is TABLE_TYPE else known.type_name, system_type_id=system_type,
                user_type_id=user_type, max_length=-1 if sql_type is TABLE_TYPE else known.max_length,
                precision=known.precision, scale=known.scale, is_output=is_output, has_default_value=has_default,
                is_readonly=is_readonly, is_nullable=True, is_cursor=is_cursor,
            )  # fmt: skip


def _view_columns(instance: Instance, session: Session) -> Iterator[Row]:
    """Columns of user views and table-valued functions, as their definitions mean them now. One that no longer binds
    shows none. Kept with the catalog as it is."""
    kept: dict[Any, list[Row]] = session.catalog.derived.setdefault("view columns", {})
    key = session.user.default_schema
    if key not in kept:
        kept[key] = list(_columns_of_views(session))
    return iter(kept[key])


def _columns_of_views(session: Session) -> Iterator[Row]:
    for view in session.catalog.all(Module):
        if view.type not in ("V", "IF", "TF"):
            continue
        try:
            columns = columns_of_module(session, view)
        except SqlError:
            continue
        for number, column in enumerate(columns, 1):
            known = facets(column.type)
            yield live.ViewColumn(
                database_id=view.database_id, object_id=view.id, name=column.name, column_id=number, type_name=known.type_name,
                system_type_id=known.system_type_id, user_type_id=known.user_type_id, max_length=known.max_length,
                precision=known.precision, scale=known.scale, collation_name=known.collation, is_nullable=column.nullable,
            )  # fmt: skip


def _messages(instance: Instance, session: Session) -> Iterator[Row]:
    for number, (severity, text, is_logged) in instance.user_messages.items():
        yield live.UserMessage(
            message_id=number, language_id=1033, severity=severity, is_event_logged=is_logged, text=text
        )


def _identities(instance: Instance, session: Session) -> Iterator[Row]:
    for table in session.catalog.all(Table):
        if any(column.is_identity for column in table.columns):
            last = instance.tables.last_identity(table.id, table.create_date)
            yield IdentityValue(table.database_id, object_id=table.id, last_value=last)


def _sequences(instance: Instance, session: Session) -> Iterator[Row]:
    for sequence in session.catalog.all(Sequence):
        last, is_exhausted = last_value(instance, sequence)
        yield SequenceValue(sequence.database_id, object_id=sequence.id, current_value=last, is_exhausted=is_exhausted)


def _rights(instance: Instance, session: Session) -> Iterator[Row]:
    """For views of which only db_owner sees rows."""
    for database in session.catalog.all(Database):
        yield live.DatabaseRights(database.id, is_owner=is_database_owner(session, database.id))


def _server(instance: Instance, session: Session) -> Iterator[Row]:
    yield live.Server(
        name=instance.name, start_time=instance.start_time, platform=platform.system(), release=platform.release(),
        architecture=platform.machine(), now=instance.host.now(), cpu_count=os.cpu_count() or 1,
    )  # fmt: skip


def _services(instance: Instance, session: Session) -> Iterator[Row]:
    account = instance.transmitter.account() if instance.transmitter is not None else ""
    yield live.ServerService(
        name=instance.name,
        start_time=instance.start_time,
        process_id=os.getpid(),
        account=account,
        program=sys.executable,
    )


def _tokens(instance: Instance, session: Session) -> Iterator[Row]:
    """The principals that stand for the session in the current database and on the server."""
    found = token(session)
    if found is not None:
        here, everywhere = sorted({found.user_id, *found.principals}), sorted(found.server)
        yield from (live.Token(session.database_id, principal_id=principal) for principal in here)
        yield from (live.Token(0, principal_id=principal) for principal in everywhere)


def _time_zones(instance: Instance, session: Session) -> Iterator[Row]:
    now = datetime.fromtimestamp(instance.host.now(), UTC)
    for name in sorted(available_timezones()):
        moment = now.astimezone(ZoneInfo(name))
        text = moment.strftime("%z")
        offset = f"{text[:3]}:{text[3:5]}"
        yield live.TimeZone(name, current_utc_offset=offset, is_currently_dst=bool(moment.dst()))


def _open_keys(instance: Instance, session: Session) -> Iterator[Row]:
    now = instance.host.now()
    return (live.OpenKey(database_id=database, key_id=key, opened=now) for database, key in session.open_keys)


_RELATIONS: dict[str, Callable[[Any, Any], Iterator[Row]]] = {
    "live_rights": _rights,
    "live_activated_tasks": _activated_tasks,
    "live_broker_connections": _broker_connections,
    "live_forwarded_messages": _forwarded_messages,
    "live_queue_monitors": _queue_monitors,
    "live_consumers": _consumers,
    "live_query_subscriptions": _query_subscriptions,
    "live_sessions": _sessions,
    "live_requests": _requests,
    "live_locks": _locks,
    "live_transactions": _transactions,
    "live_waiting_tasks": _waiting_tasks,
    "live_parameters": _parameters,
    "live_system_parameters": _system_parameters,
    "live_system_modules": _system_modules,
    "live_view_columns": _view_columns,
    "live_messages": _messages,
    "live_identities": _identities,
    "live_module_facts": lambda instance, session: module_facts(session),
    "live_dependencies": lambda instance, session: iter(dependency_rows(visible_catalog(session))),
    "live_check_columns": lambda instance, session: iter(check_columns(visible_catalog(session))),
    "live_system_objects": lambda instance, session: iter(system_objects()),
    "live_system_columns": lambda instance, session: system_column_rows(),
    "live_server": _server,
    "live_services": _services,
    "live_self": lambda instance, session: iter([live.Self(session.spid)]),
    "live_tokens": _tokens,
    "live_configuration": lambda instance, session: configuration_rows(instance),
    "live_open_keys": lambda instance, session: _open_keys(instance, session),
    "live_securable_classes": lambda instance, session: (
        live.SecurableClass(number, class_desc=name) for number, name in CLASS_NAMES.items()
    ),
    "live_time_zones": _time_zones,
    "live_sequences": _sequences,
    "live_table_rows": lambda instance, session: table_rows(session),
    "live_wait_stats": lambda instance, session: iter(instance.driver.wait_stats.rows()),
    "live_trace_events": lambda instance, session: trace_events(),
    "live_trace_subclasses": lambda instance, session: trace_subclasses(),
    "live_performance_counters": lambda instance, session: performance_counters(instance),
}
