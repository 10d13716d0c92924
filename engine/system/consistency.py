"""DBCC CHECKDB and DBCC CHECKTABLE: what they say of Service Broker; and who may run a
DBCC command on a database or a table.

It counts; there is nothing to repair, because no record can refer to one that is missing. A queue is not a table to be
checked (2524): its internal table is.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbql.catalog.records import (
    BrokerPriority,
    Contract,
    Database,
    MessageType,
    Module,
    Queue,
    RemoteServiceBinding,
    Schema,
    Service,
    Table,
)
from sbql.catalog.views import system_view
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.security import is_database_owner
from sbql.engine.security.context import is_in_role
from sbql.engine.security.resolver import resolve
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name

__all__ = ["check_database", "check_table", "find_database", "owned_database"]


def find_database(session: Session, given: object) -> Database:
    """The database that a DBCC command names: a name, an id, or 0 or None for the current one. Raises 911."""
    found: Database | None = session.database
    if isinstance(given, int) and given:
        found = session.catalog.get(Database, 0, given)
    elif given is not None and given != 0:
        found = session.catalog.find(Database, 0, str(given))
    if found is None:
        raise sql_error(911, given)
    return found


def owned_database(session: Session, given: object, command: str) -> Database:
    """The same, for a command that is for its db_owner and sysadmin: 7983 for others."""
    database = find_database(session, given)
    if not is_database_owner(session, database.id):
        raise sql_error(7983, session.login.name, command, database.name)
    return database


def check_database(session: Session, name: object, is_quiet: bool = False) -> None:
    """Say how many broker objects of a database were looked at. `name` None is the current database; 911 for an unknown
    one, 7983 for who is neither sysadmin nor its db_owner."""
    database = owned_database(session, name, "checkdb")
    if is_quiet:
        return
    session.print(f"DBCC results for '{database.name}'.")
    for number, count in _counts(session, database.id):
        text = message(8997).format(number, 1, message(number).format(count))
        session.emit(InfoMessage(text, 8997, message(number).severity))


def _counts(session: Session, database_id: int) -> Iterator[tuple[int, int]]:
    """(message number, count), in the order in which the server says them."""
    catalog, broker = session.catalog, session.instance.broker
    with broker.mutex:
        groups = [e.conversation_group_id for e in broker.records() if e.database_id == database_id]
    yield 9675, len(list(catalog.all(MessageType, database_id)))
    yield 9676, len(list(catalog.all(Contract, database_id)))
    yield 9667, len(list(catalog.all(Service, database_id)))
    yield 9668, len(list(catalog.all(Queue, database_id)))
    yield 9669, len(groups)
    yield 9674, len(set(groups))
    yield 9670, len(list(catalog.all(RemoteServiceBinding, database_id)))
    yield 9605, len(list(catalog.all(BrokerPriority, database_id)))


def check_table(session: Session, name: object, span: Span, command: str = "checktable") -> None:
    """Whether the session may run a DBCC command on a table or view. Raises 2501 for what is none, 2524 for a queue,
    2557 for who neither owns the table nor is db_owner, db_ddladmin or sysadmin."""
    written = parse_object_name(str(name))
    found = resolve(session, written, missing_ok=True)
    if isinstance(found, Queue):
        raise sql_error(2524, found.id, found.name, span=span)
    if found is None and system_view((written.schema or "dbo").lower(), written.name) is not None:
        return  # the system's own tables
    if not isinstance(found, Table | Module) or (isinstance(found, Module) and found.type != "V"):
        raise sql_error(2501, name, span=span)
    if isinstance(found, Table) and found.session_id:
        return
    database_id, user = found.database_id, session.user
    is_admin = is_in_role(session.catalog, database_id, user.id, "db_ddladmin")
    schema = session.catalog.get(Schema, database_id, found.schema_id)
    owner = getattr(found, "principal_id", None) or (schema.principal_id if schema is not None else None)
    if not (is_admin or owner == user.id or is_database_owner(session, database_id)):
        raise sql_error(2557, user.name, command, found.name, span=span)
