"""CREATE, ALTER and DROP ROUTE (docs/spec: ROUTE).

It decides which options go together and what an address may be. Where a message goes by a
route is `broker/routing`'s business.
"""

from __future__ import annotations

import uuid
from typing import Any

import msgspec

from sbql.catalog.records import Route
from sbql.engine.broker.routing import DYNAMIC_ROUTING
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    check_right,
    ddl_step,
    existing,
    may_control,
    owner_id,
    refuse_existing,
)
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    AlterRouteStatement,
    CreateRouteStatement,
    RouteOptions,
)
from sbql.grammar.digits import is_whole
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]

_TEXT_MAX = 256
_LIFETIME_MAX = 2**31 - 1


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
    for word, (field, literal) in given.items():
        if literal is None:
            continue
        value = literal.value
        if not value:
            raise sql_error(9659, word, record.name)
        if len(value) > _TEXT_MAX:
            raise sql_error(9660, word, record.name, _TEXT_MAX)
        fields[field] = value
    if options.lifetime is not None:
        if not 0 < options.lifetime.value <= _LIFETIME_MAX:
            raise sql_error(9746, record.name, 1, _LIFETIME_MAX)
        fields["lifetime"] = now + options.lifetime.value
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
    return scheme.upper() == "TCP" and bool(host) and is_whole(port) and 0 < int(port) < 65536


@handles(CreateRouteStatement)
def compile_create_route(node: CreateRouteStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE ROUTE")
        refuse_existing(session, Route, node.name)
        if node.options.address is None:
            raise sql_error(102, "WITH", span=node.options.span).advise(
                "A new route needs ADDRESS = 'LOCAL', or where it leads to."
            )
        record = Route(**basics(session, node.name.value), principal_id=owner_id(session, node.owner))
        transaction.change_catalog(None, _route(session, record, node.options))

    return ddl_step(body)


@handles(AlterRouteStatement)
def compile_alter_route(node: AlterRouteStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        record = existing(session, Route, node.name)
        check_right(session, "ALTER ANY ROUTE", owner=record.principal_id, named=("alter", "route", record.name))
        transaction.change_catalog(record, _route(session, record, node.options))

    return ddl_step(body)


DROP = Drop(may=may_control)
