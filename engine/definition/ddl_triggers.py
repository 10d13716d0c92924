"""DDL triggers: CREATE, ALTER, DROP, ENABLE and DISABLE TRIGGER … ON DATABASE | ALL SERVER.

Decides where they live (those of the server in master, all outside schemas) and which events they take. When they fire
is `ddl_events`' business.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import Module
from sbql.engine.definition.ddl import execute_as_fields
from sbql.engine.definition.event_notifications import checked_events
from sbql.engine.ports import Session, Transaction
from sbql.engine.security import has_right
from sbql.grammar.ast import CreateTriggerStatement, DropModuleStatement, EnableTriggerStatement
from sbql.grammar.errors import sql_error

__all__ = ["create_ddl_trigger", "drop_ddl_triggers", "enable_ddl_triggers"]

_MASTER = 1


def _scope(scope: str | None) -> str:
    return "DATABASE" if scope == "DATABASE" else "SERVER"


def _home(session: Session, scope: str) -> int:
    return _MASTER if scope == "SERVER" else session.database_id


def _check_right(session: Session, scope: str) -> None:
    """Raises 15247 without ALTER ANY DATABASE DDL TRIGGER, CONTROL SERVER for those of the server."""
    right = ("CONTROL SERVER", "SERVER") if scope == "SERVER" else ("ALTER ANY DATABASE DDL TRIGGER", "DATABASE")
    if not has_right(session, *right):
        raise sql_error(15247)


def create_ddl_trigger(
    session: Session, transaction: Transaction, node: CreateTriggerStatement, definition: str
) -> None:
    """Raises 1084 for an unknown event, 1098 INSTEAD OF, 2714 and 208 as for any module, 40517 for LOGON triggers."""
    scope = _scope(node.scope)
    _check_right(session, scope)
    if node.timing == "INSTEAD OF":
        raise sql_error(1098, span=node.span)
    if "LOGON" in (event.upper() for event in node.events):
        raise sql_error(40517, "LOGON triggers", span=node.span)
    if node.name.schema:
        raise sql_error(1094, span=node.name.span)
    events = checked_events(node.events, scope)
    database_id, now = _home(session, scope), session.instance.host.now()
    old = session.catalog.find(Module, database_id, node.name.name, 0)
    if old is not None and node.verb == "CREATE":
        raise sql_error(2714, node.name.name, span=node.name.span)
    if old is None and node.verb == "ALTER":
        raise sql_error(208, node.name.name, span=node.name.span)
    context, context_id = execute_as_fields(session, node.execute_as)
    record = Module(
        id=session.catalog.next_id() if old is None else old.id, database_id=database_id, name=node.name.name, schema_id=0, type="TR",
        definition=definition, create_date=now if old is None else old.create_date, modify_date=now, execute_as=context,
        execute_as_principal_id=context_id, uses_quoted_identifier=session.options.quoted_identifier, uses_ansi_nulls=session.options.ansi_nulls, timing="AFTER", events=events,
        scope=scope, principal_id=1,
    )  # fmt: skip
    session.instance.modules.compiled(record, node, session)
    transaction.change_catalog(old, record)


def _found(session: Session, scope: str, name: Any) -> Module | None:
    database_id = _home(session, scope)
    found = session.catalog.find(Module, database_id, name.name, 0)
    return found if found is not None and found.scope == scope else None


def drop_ddl_triggers(session: Session, transaction: Transaction, node: DropModuleStatement) -> None:
    scope = _scope(node.scope)
    _check_right(session, scope)
    for name in node.names:
        record = _found(session, scope, name)
        if record is not None:
            transaction.change_catalog(record, None)
        elif not node.if_exists:
            raise sql_error(3701, "drop", "trigger", str(name), span=name.span)


def enable_ddl_triggers(session: Session, transaction: Transaction, node: EnableTriggerStatement) -> None:
    scope = _scope(node.scope)
    _check_right(session, scope)
    records = [m for m in session.catalog.all(Module, _home(session, scope)) if m.scope == scope]
    if node.names:
        records = []
        for name in node.names:
            record = _found(session, scope, name)
            if record is None:
                raise sql_error(3701, "alter", "trigger", str(name), span=name.span)
            records.append(record)
    for record in records:
        transaction.change_catalog(record, msgspec.structs.replace(record, is_disabled=not node.enable))
