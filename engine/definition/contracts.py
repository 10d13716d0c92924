"""CREATE and DROP CONTRACT (reference 2.2)."""

from __future__ import annotations

from sbql.catalog.records import (
    BrokerPriority,
    Contract,
    ContractMessageUsage,
    MonologSubscription,
    Service,
)
from sbql.engine.broker import ddl_effects
from sbql.engine.definition.ddl import (
    broker_effect,
    check_record,
    check_right,
    ddl_step,
    owner_id,
    refuse_bound,
    refuse_system_object,
)
from sbql.engine.definition.message_types import find_message_type
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import (
    CreateContractStatement,
    ObjectName,
)
from sbql.grammar.errors import sql_error

__all__ = ["drop_contract"]


@handles(CreateContractStatement)
def compile_create_contract(node: CreateContractStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE CONTRACT")
        if session.catalog.find(Contract, session.database_id, node.name.value) is not None:
            raise sql_error(2714, node.name.value, span=node.name.span)
        usages: dict[int, ContractMessageUsage] = {}
        for message in node.messages:
            record = find_message_type(session, message.message_type)
            if not record.is_ms_shipped:
                check_record(session, "REFERENCES", record, "find", "message type", message.message_type.span)
            if record.id in usages:
                raise sql_error(8403, record.name, span=message.span)
            usages[record.id] = ContractMessageUsage(
                record.id, message.sent_by in ("INITIATOR", "ANY"), message.sent_by in ("TARGET", "ANY")
            )
        if not any(usage.is_sent_by_initiator for usage in usages.values()):
            raise sql_error(8492, node.name.value, span=node.name.span)
        now = session.instance.host.now()
        contract = Contract(
            id=session.catalog.next_id(), database_id=session.database_id, name=node.name.value, create_date=now,
            modify_date=now, principal_id=owner_id(session, node.owner), messages=tuple(usages.values()),
        )  # fmt: skip
        transaction.change_catalog(None, contract)

    return ddl_step(body)


def drop_contract(session: Session, transaction: Transaction, name: ObjectName) -> Work:
    """False when there is no such contract. Raises 3708, 3716. Running conversations on it end with an error."""
    record = session.catalog.find(Contract, session.database_id, name.name)
    if record is None:
        return False
    refuse_system_object(record, "DROP", "contract", name.span)
    check_right(session, "ALTER ANY CONTRACT", owner=record.principal_id, named=("drop", "contract", record.name))
    everything, own = session.catalog, session.database_id
    services = (s for s in everything.all(Service, own) if record.id in s.contract_ids)
    priorities = (p for p in everything.all(BrokerPriority, own) if p.service_contract_id == record.id)
    orders = (o for o in everything.all(MonologSubscription, own) if o.contract_id == record.id)
    for words, users in (("services", services), ("broker priorities", priorities), ("monolog subscriptions", orders)):
        refuse_bound(session, ("contract", record.name), words, users, name.span)
    yield from broker_effect(session, transaction, lambda broker: ddl_effects.contract_dropped(broker, record))
    transaction.change_catalog(record, None)
    return True
