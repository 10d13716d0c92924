"""Routes, broker priorities; and DROP of every broker object.

Routes to other instances are stored and shown in their view; their effect needs a network.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import msgspec

from sbql.catalog.records import (
    BrokerPriority,
    CatalogRecord,
    Contract,
    InstanceEndpoint,
    Principal,
    RemoteServiceBinding,
    Route,
    Service,
)
from sbql.engine.broker.routing import DYNAMIC_ROUTING
from sbql.engine.definition.contracts import drop_contract
from sbql.engine.definition.ddl import check_right, ddl_step, owner_id
from sbql.engine.definition.message_types import drop_message_type
from sbql.engine.definition.queues import drop_queue, drop_service
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import has_right, may, token
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterRouteStatement,
    BrokerPriorityStatement,
    CreateRouteStatement,
    DropBrokerObjectStatement,
    ObjectName,
    RouteOptions,
)
from sbql.grammar.errors import sql_error

_TEXT_MAX = 256
_LIFETIME_MAX = 2**31 - 1


# --- routes ------------------------------------------------------------------------------------------------


def _route(session: Session, record: Route, options: RouteOptions) -> Route:
    """The route with these options, checked as a whole. Raises 9659-9662, 9743-9747."""
    now = session.instance.host.now()
    fields: dict[str, Any] = {"modify_date": now}
    given = {
        "SERVICE_NAME": ("remote_service_name", options.service_name),
        "BROKER_INSTANCE": ("broker_instance", options.broker_instance),
        "ADDRESS": ("address", options.address),
        "MIRROR_ADDRESS": ("mirror_address", options.mirror_address),
    }
    for word, (field, value) in given.items():
        if value is None:
            continue
        if not value:
            raise sql_error(9659, word, record.name)
        if len(value) > _TEXT_MAX:
            raise sql_error(9660, word, record.name, _TEXT_MAX)
        fields[field] = value
    if options.lifetime is not None:
        if not 0 < options.lifetime <= _LIFETIME_MAX:
            raise sql_error(9746, record.name, 1, _LIFETIME_MAX)
        fields["lifetime"] = now + options.lifetime
    route = msgspec.structs.replace(record, **fields)
    _check_route(route)
    return route


def _check_route(route: Route) -> None:
    address = route.address.upper()
    if address not in ("LOCAL", "TRANSPORT") and not _is_tcp(route.address):
        raise sql_error(9744, "ADDRESS", route.name)
    if route.broker_instance is not None:
        if route.remote_service_name is None:
            raise sql_error(9662, route.name)
        try:
            uuid.UUID(route.broker_instance)
        except ValueError:
            raise sql_error(9744, "BROKER_INSTANCE", route.name) from None
        if route.remote_service_name == DYNAMIC_ROUTING:
            raise sql_error(9744, "BROKER_INSTANCE", route.name)
    if address == "TRANSPORT" and route.remote_service_name is not None:
        raise sql_error(9745, route.name)
    if route.mirror_address is not None:
        if route.remote_service_name is None or route.broker_instance is None:
            raise sql_error(9661, route.name)
        if not _is_tcp(route.address) or not _is_tcp(route.mirror_address):
            raise sql_error(9743, "ADDRESS", route.name)
        if route.mirror_address.lower() == route.address.lower():
            raise sql_error(9747, route.name)


def _is_tcp(address: str) -> bool:
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    return scheme.upper() == "TCP" and bool(host) and port.isdigit() and 0 < int(port) < 65536


@handles(CreateRouteStatement)
def compile_create_route(node: CreateRouteStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE ROUTE")
        _refuse_existing(session, Route, node.name.value, node)
        if node.options.address is None:
            raise sql_error(102, "WITH", span=node.span)
        record = Route(**_basics(session, node.name.value), principal_id=owner_id(session, node.owner))
        transaction.change_catalog(None, _route(session, record, node.options))

    return ddl_step(body)


@handles(AlterRouteStatement)
def compile_alter_route(node: AlterRouteStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        record = _existing(session, Route, node.name.value, "route", node)
        check_right(session, "ALTER ANY ROUTE", owner=record.principal_id, named=("alter", "route", record.name))
        transaction.change_catalog(record, _route(session, record, node.options))

    return ddl_step(body)


def _basics(session: Session, name: str, database_id: int | None = None) -> dict[str, Any]:
    now = session.instance.host.now()
    return {
        "id": session.catalog.next_id(), "name": name, "create_date": now, "modify_date": now,
        "database_id": session.database_id if database_id is None else database_id,
    }  # fmt: skip


def _refuse_existing(
    session: Session, cls: type[CatalogRecord], name: str, node: Any, database_id: int | None = None
) -> None:
    if session.catalog.find(cls, session.database_id if database_id is None else database_id, name) is not None:
        raise sql_error(2714, name, span=node.span)


def _existing(
    session: Session, cls: type[Any], name: str, words: str, node: Any, database_id: int | None = None
) -> Any:
    found = session.catalog.find(cls, session.database_id if database_id is None else database_id, name)
    if found is None:
        raise sql_error(15151, "find", words, name, span=node.span)
    return found


# --- broker priorities -------------------------------------------------------------------------------------


@handles(BrokerPriorityStatement)
def compile_priority(node: BrokerPriorityStatement, compiler: Compiler) -> Step:
    """The criteria triple is unique in the database (33303); options not written keep their value in ALTER."""

    def body(session: Session, transaction: Transaction) -> None:
        if not _may_define_priorities(session):
            raise sql_error(15247)
        old = session.catalog.find(BrokerPriority, session.database_id, node.name.value)
        if node.verb == "CREATE":
            if old is not None:
                raise sql_error(33303, node.name.value, span=node.span)
            record = BrokerPriority(**_basics(session, node.name.value))
        else:
            record = _existing(session, BrokerPriority, node.name.value, "broker priority", node)
        new = _with_criteria(session, record, node)
        for other in session.catalog.all(BrokerPriority, session.database_id):
            if other.id != new.id and _criteria(other) == _criteria(new):
                raise sql_error(33303, node.name.value, span=node.span)
        transaction.change_catalog(old, new)

    return ddl_step(body)


def _may_define_priorities(session: Session) -> bool:
    """ALTER on the database. Members of db_ddladmin have the right too, although they lack that permission."""
    if has_right(session, "ALTER"):
        return True
    found, role = token(session), session.catalog.find(Principal, session.database_id, "db_ddladmin")
    return found is not None and role is not None and role.id in found.principals


def _criteria(record: BrokerPriority) -> tuple[Any, ...]:
    return record.service_contract_id, record.local_service_id, record.remote_service_name


def _with_criteria(session: Session, record: BrokerPriority, node: BrokerPriorityStatement) -> BrokerPriority:
    fields: dict[str, Any] = {}
    if node.contract_any or node.contract is not None:
        contract = node.contract and _existing(session, Contract, node.contract.value, "contract", node)
        fields["service_contract_id"] = contract.id if contract else None
    if node.local_any or node.local_service is not None:
        service = node.local_service and _existing(session, Service, node.local_service.value, "service", node)
        fields["local_service_id"] = service.id if service else None
    if node.remote_any or node.remote_service is not None:
        if node.remote_service is not None and len(node.remote_service) > _TEXT_MAX:
            raise sql_error(33301, "remote service", _TEXT_MAX, span=node.span)
        fields["remote_service_name"] = node.remote_service
    if node.level is not None:
        level = 5 if node.level == "DEFAULT" else int(node.level)
        if not 1 <= level <= 10:
            raise sql_error(33302, "PRIORITY_LEVEL", 1, 10, span=node.span)
        fields["priority"] = level
    return msgspec.structs.replace(record, **fields)


# --- DROP --------------------------------------------------------------------------------------------------


def _may_drop(session: Session, record: CatalogRecord) -> bool:
    if isinstance(record, BrokerPriority):
        return _may_define_priorities(session)
    return may(session, "CONTROL", record) or may(session, "ALTER", record)


def _simple_drop(
    cls: type[CatalogRecord], *, of_instance: bool = False
) -> Callable[[Any, Transaction, ObjectName], bool]:
    def drop(session: Session, transaction: Transaction, name: ObjectName) -> bool:
        if of_instance and session.trancount:
            raise sql_error(574, "DROP ENDPOINT")
        record = session.catalog.find(cls, 0 if of_instance else session.database_id, name.name)
        if record is None:
            return False
        if not _may_drop(session, record):
            return False
        transaction.change_catalog(record, None)
        return True

    return drop


_DROPS: dict[str, Callable[[Any, Transaction, ObjectName], bool | Work]] = {
    "MESSAGE TYPE": drop_message_type,
    "CONTRACT": drop_contract,
    "QUEUE": drop_queue,
    "SERVICE": drop_service,
    "ROUTE": _simple_drop(Route),
    "REMOTE SERVICE BINDING": _simple_drop(RemoteServiceBinding),
    "BROKER PRIORITY": _simple_drop(BrokerPriority),
    "ENDPOINT": _simple_drop(InstanceEndpoint, of_instance=True),
}


@handles(DropBrokerObjectStatement)
def compile_drop_broker_object(node: DropBrokerObjectStatement, compiler: Compiler) -> Step:
    """A missing queue is 3701, every other missing object 15151, as on SQL Server."""

    def body(session: Session, transaction: Transaction) -> Work:
        found = _DROPS[node.kind](session, transaction, node.name)
        if not isinstance(found, bool):
            found = yield from found
        if found or node.if_exists:
            return
        if node.kind == "QUEUE":
            raise sql_error(3701, "drop", "queue", str(node.name), span=node.name.span)
        raise sql_error(15151, "drop", node.kind.lower(), str(node.name), span=node.name.span)

    return ddl_step(body)
