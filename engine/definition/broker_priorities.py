"""CREATE, ALTER and DROP BROKER PRIORITY (docs/spec: PRIORITY)."""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import BrokerPriority, Contract, Principal, Service
from sbql.engine.definition.ddl import Drop, basics, ddl_step, existing, refuse_existing
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import has_right, token
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import BrokerPriorityStatement, IntegerLiteral
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]

_TEXT_MAX = 256
_DEFAULT_LEVEL = 5


@handles(BrokerPriorityStatement)
def compile_priority(node: BrokerPriorityStatement, compiler: Compiler) -> Step:
    """The criteria triple is unique in the database (33303); options not written keep their value in ALTER."""

    def body(session: Session, transaction: Transaction) -> None:
        if not _may_define(session):
            if node.verb == "ALTER":
                raise sql_error(15151, "alter", "broker priority", node.name.value, span=node.name.span)
            raise sql_error(15247)
        old = session.catalog.find(BrokerPriority, session.database_id, node.name.value)
        if node.verb == "CREATE":
            refuse_existing(session, BrokerPriority, node.name)
            record = BrokerPriority(**basics(session, node.name.value))
        else:
            record = existing(session, BrokerPriority, node.name)
        new = _with_criteria(session, record, node)
        for other in session.catalog.all(BrokerPriority, session.database_id):
            if other.id != new.id and _criteria(other) == _criteria(new):
                raise sql_error(33303, node.name.value, span=node.span)
        transaction.change_catalog(old, new)

    return ddl_step(body)


def _may_define(session: Session, record: BrokerPriority | None = None) -> bool:
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
        contract = node.contract and existing(session, Contract, node.contract)
        fields["service_contract_id"] = contract.id if contract else None
    if node.local_any or node.local_service is not None:
        service = node.local_service and existing(session, Service, node.local_service)
        fields["local_service_id"] = service.id if service else None
    if node.remote_any or node.remote_service is not None:
        if node.remote_service is not None and not 0 < len(node.remote_service) <= _TEXT_MAX:
            raise sql_error(33301, "remote service", _TEXT_MAX, span=node.span)
        fields["remote_service_name"] = node.remote_service
    if node.level is not None:
        level = node.level.value if isinstance(node.level, IntegerLiteral) else _DEFAULT_LEVEL
        if not 1 <= level <= 10:
            raise sql_error(33302, "PRIORITY_LEVEL", 1, 10)
        fields["priority"] = level
    return msgspec.structs.replace(record, **fields)


DROP = Drop(may=_may_define)
