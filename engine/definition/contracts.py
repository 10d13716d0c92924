"""CREATE and DROP CONTRACT (docs/spec: CONTRACT)."""

from __future__ import annotations

from sbql.catalog.records import (
    BrokerPriority,
    Contract,
    ContractMessageUsage,
    MessageType,
    MonologSubscription,
    Service,
)
from sbql.engine.broker import ddl_effects
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    broker_effect,
    check_record,
    check_right,
    ddl_step,
    existing,
    may_alter_any,
    owner_id,
    refuse_bound,
    refuse_existing,
)
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import (
    CreateContractStatement,
    ObjectName,
)
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]


@handles(CreateContractStatement)
def compile_create_contract(node: CreateContractStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE CONTRACT")
        refuse_existing(session, Contract, node.name)
        usages: dict[int, ContractMessageUsage] = {}
        for message in node.messages:
            record = existing(session, MessageType, message.message_type)
            if not record.is_ms_shipped:
                check_record(session, "REFERENCES", record, "find", "message type", message.message_type.span)
            if record.id in usages:
                raise sql_error(8403, record.name, span=message.span)
            usages[record.id] = ContractMessageUsage(
                record.id, message.sent_by in ("INITIATOR", "ANY"), message.sent_by in ("TARGET", "ANY")
            )
        if not any(usage.is_sent_by_initiator for usage in usages.values()):
            raise sql_error(8492, node.name.value, span=node.name.span)
        owner = owner_id(session, node.owner)
        contract = Contract(**basics(session, node.name.value), principal_id=owner, messages=tuple(usages.values()))
        transaction.change_catalog(None, contract)

    return ddl_step(body)


def _refuse_used(session: Session, record: Contract, name: ObjectName) -> None:
    everything, own = session.catalog, session.database_id
    services = (s for s in everything.all(Service, own) if record.id in s.contract_ids)
    priorities = (p for p in everything.all(BrokerPriority, own) if p.service_contract_id == record.id)
    orders = (o for o in everything.all(MonologSubscription, own) if o.contract_id == record.id)
    for words, users in (("services", services), ("broker priorities", priorities), ("monolog subscriptions", orders)):
        refuse_bound(session, ("contract", record.name), words, users, name.span)


def _end_conversations(session: Session, transaction: Transaction, record: Contract) -> Work:
    """Running conversations on it end with an error."""
    yield from broker_effect(session, transaction, lambda broker: ddl_effects.contract_dropped(broker, record))


DROP = Drop(may=may_alter_any, refuse=_refuse_used, effect=_end_conversations)
