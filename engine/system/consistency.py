"""DBCC CHECKDB and DBCC CHECKTABLE: what they say of Service Broker.

It counts; there is nothing to repair, because no record can refer to one that is missing. A queue is not a table to be
checked (2524): its internal table is.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbql.catalog.records import BrokerPriority, Contract, Database, MessageType, Queue, RemoteServiceBinding, Service
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.security import is_database_owner
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name

__all__ = ["check_database", "check_table"]


def check_database(session: Session, name: object, is_quiet: bool = False) -> None:
    """Say how many broker objects of a database were looked at. `name` None is the current database; 911 for an unknown
    one, 7983 for who is neither sysadmin nor its db_owner."""
    database = session.database if name is None else session.catalog.find(Database, 0, str(name))
    if database is None:
        raise sql_error(911, name)
    if not is_database_owner(session, database.id):
        raise sql_error(7983, session.login.name, "checkdb", database.name)
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
        endpoints = [c.endpoint for c in broker.endpoints.values() if c.endpoint.database_id == database_id]
    groups = {endpoint.conversation_group_id for endpoint in endpoints}
    yield 9675, len(list(catalog.all(MessageType, database_id)))
    yield 9676, len(list(catalog.all(Contract, database_id)))
    yield 9667, len(list(catalog.all(Service, database_id)))
    yield 9668, len(list(catalog.all(Queue, database_id)))
    yield 9669, len(endpoints)
    yield 9674, len(groups)
    yield 9670, len(list(catalog.all(RemoteServiceBinding, database_id)))
    yield 9605, len(list(catalog.all(BrokerPriority, database_id)))


def check_table(session: Session, name: object, span: Span) -> None:
    """Raises 2524 for a queue."""
    found = session.resolve(parse_object_name(str(name)), missing_ok=True)
    if isinstance(found, Queue):
        raise sql_error(2524, found.id, found.name, span=span)
