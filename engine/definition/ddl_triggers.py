"""DDL and LOGON triggers: CREATE, ALTER, DROP, ENABLE and DISABLE TRIGGER … ON DATABASE | ALL SERVER.

Decides where they live (those of the server in master, all outside schemas), which events they take, in which order
they run and what the body of one finds. When they fire is the business of `ddl_events` and `logon_triggers`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sbql.catalog.event_types import LOGON
from sbql.catalog.records import Module
from sbql.engine.definition.ddl import execute_as_fields
from sbql.engine.definition.event_notifications import checked_events
from sbql.engine.definition.missing_procedures import tell_missing_procedures
from sbql.engine.modification.triggers import run_body
from sbql.engine.ports import Session, Transaction
from sbql.engine.security import has_right
from sbql.engine.work import Work
from sbql.grammar.ast import CreateTriggerStatement, DropModuleStatement, EnableTriggerStatement
from sbql.grammar.errors import sql_error

__all__ = ["create_ddl_trigger", "drop_ddl_triggers", "enable_ddl_triggers", "find_ddl_trigger", "in_order", "run_one"]

_MASTER = 1
_PLACES = {"FIRST": 0, "LAST": 2}


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
    """Raises 1084 for an unknown event, 1098 INSTEAD OF, 2714 and 208 as for any module."""
    scope = _scope(node.scope)
    _check_right(session, scope)
    if node.timing == "INSTEAD OF":
        raise sql_error(1098, span=node.span)
    if node.name.schema:
        raise sql_error(1094, span=node.name.span)
    events = _events(node.events, scope)
    database_id, now = _home(session, scope), session.instance.host.now()
    old = session.catalog.find(Module, database_id, node.name.name, 0)
    if old is not None and node.verb == "CREATE":
        raise sql_error(2714, node.name.name, span=node.name.span)
    if old is None and node.verb == "ALTER":
        raise sql_error(208, node.name.name, span=node.name.span)
    context, context_id = execute_as_fields(session, node.execute_as, of_server=scope == "SERVER")
    record = Module(
        id=session.catalog.next_id() if old is None else old.id, database_id=database_id, name=node.name.name, schema_id=0, type="TR",
        definition=definition, create_date=now if old is None else old.create_date, modify_date=now, execute_as=context,
        execute_as_principal_id=context_id, uses_quoted_identifier=session.options.quoted_identifier, uses_ansi_nulls=session.options.ansi_nulls, timing="AFTER", events=events,
        scope=scope, principal_id=1,
    )  # fmt: skip
    session.instance.modules.compiled(record, node, session)
    tell_missing_procedures(session, record, node)
    transaction.change_catalog(old, record)


def _events(names: tuple[str, ...], scope: str) -> tuple[str, ...]:
    """Those of a trigger. Raises 1084, for LOGON too when it is not alone, and in a database."""
    if scope == "SERVER" and tuple(name.upper() for name in names) == (LOGON,):
        return (LOGON,)
    return checked_events(names, scope)


def find_ddl_trigger(session: Session, scope: str, name: Any) -> Module | None:
    """For whoever changes it. `scope`: DATABASE or SERVER. Raises 15247."""
    _check_right(session, scope)
    return _found(session, scope, name)


def _found(session: Session, scope: str, name: Any) -> Module | None:
    database_id = _home(session, scope)
    found = session.catalog.find(Module, database_id, name.name, 0)
    return found if found is not None and found.scope == scope else None


def drop_ddl_triggers(session: Session, transaction: Transaction, node: DropModuleStatement) -> None:
    """DROP TRIGGER … ON DATABASE and ON ALL SERVER. Raises 3701 for one that is not there."""
    scope = _scope(node.scope)
    _check_right(session, scope)
    for name in node.names:
        record = _found(session, scope, name)
        if record is not None:
            transaction.change_catalog(record, None)
        elif not node.if_exists:
            raise sql_error(3701, "drop", "trigger", str(name), span=name.span)


def enable_ddl_triggers(session: Session, transaction: Transaction, node: EnableTriggerStatement) -> None:
    """ENABLE and DISABLE TRIGGER … ON DATABASE and ON ALL SERVER. Raises 3701 for one that is not there."""
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


# --- running -----------------------------------------------------------------------------------------------


def in_order(triggers: Iterable[Module], event: str) -> list[Module]:
    """As they run: those of the database before those of the server, each as they were made but for
    what sp_settriggerorder has said."""
    return sorted(triggers, key=lambda t: (t.scope == "SERVER", _PLACES.get(dict(t.orders).get(event, ""), 1), t.id))


def run_one(session: Session, trigger: Module, document: str) -> Work:
    """Run one trigger, in which EVENTDATA() is `document`. Raises 3609 when it has ended the transaction."""
    module = session.instance.modules.module(trigger, session)
    inner = module.new_frame(session)
    inner.module, inner.module_name, inner.is_trigger, inner.event_data = trigger, trigger.name, True, document
    with session.in_trigger():
        yield from run_body(session, trigger, inner, module.step)
