"""sp_settriggerorder: which AFTER trigger of a table runs first, and which last, for one kind of statement; for
one event, of DDL and LOGON triggers.

It decides which triggers can have a place; the place itself is kept with the trigger, until it is altered.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.event_types import members
from sbql.catalog.records import Module, Table
from sbql.engine.definition.ddl import check_record
from sbql.engine.definition.ddl_events import call_text, tell_called
from sbql.engine.definition.ddl_triggers import find_ddl_trigger
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.ports import Session
from sbql.engine.security.resolver import resolve
from sbql.engine.work import Work
from sbql.grammar.ast import NO_SPAN
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name

_ORDERS = ("FIRST", "LAST", "NONE")


@procedure("sp_settriggerorder")
def sp_settriggerorder(call: ProcedureCall) -> Work:
    """sp_settriggerorder trigger, First | Last | None, event [, namespace]. Raises 15165, 15600, 15125, 15130."""
    name, order, event, namespace = call.values(required=3)
    session = call.session
    word, kind = order.upper(), event.upper()
    if word not in _ORDERS:
        raise sql_error(15600, "sp_settriggerorder")
    scope = namespace.upper() if namespace is not None else ""
    if scope not in ("", "DATABASE", "SERVER"):
        raise sql_error(15600, "sp_settriggerorder")
    with session.statement() as txn:
        yield from txn.lock_schema()
        trigger = _ddl_trigger(session, scope, name) if scope else _table_trigger(session, name)
        if trigger.timing != "AFTER" or not any(kind in (members(e) if scope else (e,)) for e in trigger.events):
            raise sql_error(15125, name, event)
        _refuse_taken(session, trigger, word, kind, event)
        others = tuple(pair for pair in trigger.orders if pair[0] != kind)
        own = () if word == "NONE" else ((kind, word),)
        before = session.catalog
        txn.change_catalog(trigger, msgspec.structs.replace(trigger, orders=(*others, *own)))
        command = call_text("sp_settriggerorder", (name, order, event, namespace))
        yield from tell_called(session, txn, before, "ALTER_TRIGGER", trigger, "TRIGGER", command)
    return 0


def _table_trigger(session: Session, name: str) -> Module:
    """Raises 15165, and what ALTER of its table raises."""
    trigger = resolve(session, parse_object_name(name), Module, missing_ok=True)
    if trigger is None or trigger.type != "TR":
        raise sql_error(15165, name)
    catalog, where = session.catalog, (trigger.database_id, trigger.parent_id)
    parent = catalog.get(Table, *where) or catalog.get(Module, *where)
    assert parent is not None, "a trigger goes with its table"
    check_record(session, "ALTER", parent, "alter", "table", NO_SPAN)
    return trigger


def _ddl_trigger(session: Session, scope: str, name: str) -> Module:
    """Raises 15165, and 15247 for whoever may not make one."""
    trigger = find_ddl_trigger(session, scope, parse_object_name(name))
    if trigger is None:
        raise sql_error(15165, name)
    return trigger


def _refuse_taken(session: Session, trigger: Module, word: str, kind: str, event: Any) -> None:
    for other in session.catalog.all(Module, trigger.database_id):
        if (
            other.type == "TR"
            and (other.parent_id, other.scope) == (trigger.parent_id, trigger.scope)
            and other.id != trigger.id
        ):
            if word != "NONE" and (kind, word) in other.orders:
                raise sql_error(15130, word.lower(), event)
