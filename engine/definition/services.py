"""CREATE, ALTER and DROP SERVICE (docs/spec: SERVICE)."""

from __future__ import annotations

import msgspec

from sbql.catalog.records import BrokerPriority, Contract, MonologSubscription, Queue, Service
from sbql.engine.broker import ddl_effects
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    broker_effect,
    check_right,
    ddl_step,
    existing,
    may_alter_any,
    owner_id,
    refuse_bound,
    refuse_existing,
    refuse_system_object,
)
from sbql.engine.definition.queues import find_queue
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import AlterServiceStatement, CreateServiceStatement, Identifier, ObjectName
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]


def _contract_ids(session: Session, names: tuple[Identifier, ...]) -> tuple[int, ...]:
    ids: list[int] = []
    for name in names:
        contract = existing(session, Contract, name)
        if contract.id in ids:
            raise sql_error(8404, name.value, span=name.span)
        ids.append(contract.id)
    return tuple(ids)


@handles(CreateServiceStatement)
def compile_create_service(node: CreateServiceStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE SERVICE")
        refuse_existing(session, Service, node.name)
        queue = _local_queue(session, node.queue)
        record = Service(
            **basics(session, node.name.value), queue_id=queue.id, principal_id=owner_id(session, node.owner),
            contract_ids=_contract_ids(session, node.contracts),
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _local_queue(session: Session, name: ObjectName) -> Queue:
    queue = find_queue(session, name)
    if queue.database_id != session.database_id:
        raise sql_error(9609, "queue", str(name), 1, span=name.span)
    return queue


@handles(AlterServiceStatement)
def compile_alter_service(node: AlterServiceStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> Work:
        record = existing(session, Service, node.name)
        refuse_system_object(record, "ALTER", "service", node.span)
        check_right(session, "ALTER ANY SERVICE", owner=record.principal_id, named=("alter", "service", record.name))
        contracts = list(record.contract_ids)
        for change in node.contracts:
            (contract_id,) = _contract_ids(session, (change.contract,))
            if change.add and contract_id in contracts:
                raise sql_error(8404, change.contract.value, span=change.span)
            if not change.add and contract_id not in contracts:
                raise sql_error(15151, "drop", "contract", change.contract.value, span=change.span)
            contracts.append(contract_id) if change.add else contracts.remove(contract_id)
        queue_id = _local_queue(session, node.queue).id if node.queue is not None else record.queue_id
        if queue_id == record.queue_id and tuple(contracts) == record.contract_ids:
            raise sql_error(8493, record.name, span=node.span)
        new = msgspec.structs.replace(
            record, queue_id=queue_id, contract_ids=tuple(contracts), modify_date=session.instance.host.now()
        )
        transaction.change_catalog(record, new)
        if queue_id != record.queue_id:
            yield from broker_effect(
                session, transaction, lambda broker: ddl_effects.service_altered(broker, record, queue_id)
            )

    return ddl_step(body)


def _refuse_used(session: Session, record: Service, name: ObjectName) -> None:
    priorities = (
        p for p in session.catalog.all(BrokerPriority, session.database_id) if p.local_service_id == record.id
    )
    refuse_bound(session, ("service", record.name), "broker priorities", priorities, name.span)


def _end_conversations(session: Session, transaction: Transaction, record: Service) -> Work:
    """Its conversations end, peers get an error; its subscriptions go with it."""
    yield from broker_effect(session, transaction, lambda broker: ddl_effects.service_dropped(broker, record))
    for order in session.catalog.all(MonologSubscription, record.database_id):
        if order.service_id == record.id:
            transaction.change_catalog(order, None)


DROP = Drop(may=may_alter_any, refuse=_refuse_used, effect=_end_conversations)
