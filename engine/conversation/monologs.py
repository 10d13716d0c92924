"""BEGIN MONOLOG, BEGIN SUBSCRIPTION, END SUBSCRIPTION (an extension: docs/monologs.md).

A subscription is a definition: a catalog record made under the schema lock. What it means for conversations is the
broker's.
"""

from __future__ import annotations

from uuid import UUID

from sbql.catalog.records import Contract, MonologSubscription, Queue, Service
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.begin_dialog import DEFAULT_LIFETIME, MAX_INSTANCE_LENGTH, MAX_SERVICE_NAME
from sbql.engine.broker.far_monologs import end_order
from sbql.engine.broker.monolog_publisher import MAX_RETENTION, begin_monolog
from sbql.engine.broker.monolog_subscription import begin_subscription, end_subscription, publisher_service
from sbql.engine.broker.permissions import Rights
from sbql.engine.broker.system_messages import DEFAULT_CONTRACT
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.conversation.dialogs import argument, broker_call, name_argument, output_argument, text_argument
from sbql.engine.definition.ddl import broker_effect
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import BeginMonologStatement, BeginSubscriptionStatement, EndSubscriptionStatement
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, NVARCHAR_MAX, UNIQUEIDENTIFIER

__all__: list[str] = []

_BEGIN_MONOLOG = "BEGIN MONOLOG"


@handles(BeginMonologStatement)
def compile_begin_monolog(node: BeginMonologStatement, compiler: Compiler) -> Step:
    slot, assign = output_argument(compiler, node.handle.name, node.handle.span, "monolog handle", _BEGIN_MONOLOG)
    from_service = name_argument(compiler, node.from_service, "", "FROM SERVICE", _BEGIN_MONOLOG)
    contract = name_argument(compiler, node.contract, DEFAULT_CONTRACT, "ON CONTRACT", _BEGIN_MONOLOG)
    lifetime = (
        argument(compiler, node.lifetime, BIGINT, "LIFETIME", _BEGIN_MONOLOG) if node.lifetime is not None else None
    )
    retention = None
    if node.retention is not None and not isinstance(node.retention, bool):
        retention = argument(compiler, node.retention, BIGINT, "RETENTION", _BEGIN_MONOLOG)
    related, group = (
        argument(compiler, option, UNIQUEIDENTIFIER, what, _BEGIN_MONOLOG) if option is not None else None
        for option, what in (
            (node.related_conversation, "conversation handle"), (node.related_conversation_group, "conversation group"),
        )
    )  # fmt: skip

    def run(frame: Frame) -> Work:
        session = frame.session
        handle = related(frame) if related is not None else None
        group_id = group(frame) if group is not None else None
        if related is not None and handle is None:
            raise sql_error(8418)
        if group is not None and group_id is None:
            raise sql_error(8420)
        name, agreed = from_service(frame), contract(frame)
        seconds = lifetime(frame) if lifetime is not None else DEFAULT_LIFETIME
        period: int | None = None if node.retention is True else 0
        if retention is not None and (period := retention(frame)) is None:
            raise sql_error(49934, "NULL", 0, MAX_RETENTION)

        def operation(transaction: BrokerTransaction) -> UUID:
            return begin_monolog(
                transaction, session.database_id, name, contract=agreed, related_conversation=handle,
                related_conversation_group=group_id, lifetime=seconds, retention=period, encryption=node.encryption is not False,
            )  # fmt: skip

        frame.variables[slot] = assign((yield from broker_call(session, operation)))
        return 0

    return Step(run, waits=True)


@handles(BeginSubscriptionStatement)
def compile_begin_subscription(node: BeginSubscriptionStatement, compiler: Compiler) -> Step:
    statement = "BEGIN SUBSCRIPTION"
    slot, assign = output_argument(compiler, node.handle.name, node.handle.span, "subscription handle", statement)
    for_service = name_argument(compiler, node.for_service, "", "FOR SERVICE", statement)
    to_service = text_argument(compiler, node.to_service, NVARCHAR_MAX, "TO SERVICE", statement)
    contract = name_argument(compiler, node.contract, DEFAULT_CONTRACT, "ON CONTRACT", statement)
    instance = None
    if node.broker_instance is not None:
        instance = convert_scalar(compiler.scalar(node.broker_instance), NVARCHAR_MAX).run

    def run(frame: Frame) -> Work:
        session = frame.session
        names = for_service(frame), to_service(frame), contract(frame)
        asked = instance(frame) if instance is not None else None
        with session.statement() as transaction:
            yield from transaction.lock_schema()
            record = _subscription(session, *names, asked or "", node.start == "RETAINED")
            _check(session, transaction.broker, record)
            transaction.change_catalog(None, record)
            yield from broker_effect(session, transaction, lambda broker: begin_subscription(broker, record.handle))
        frame.variables[slot] = assign(record.handle)
        return 0

    return Step(run, waits=True)


def _subscription(
    session: Session,
    for_service: str | None,
    far_service: str | None,
    contract: str | None,
    instance: str,
    from_retained: bool,
) -> MonologSubscription:
    """The record. Checks in order: broker 8442, NULL names 8421/8417, service 8423, publisher's name 8412, contract
    8425, offered 8408, instance 8413."""
    session.instance.broker.index(session.catalog).require_broker(session.database_id)
    if for_service is None or far_service is None:
        raise sql_error(8421)
    if contract is None:
        raise sql_error(8417)
    catalog, database_id, host = session.catalog, session.database_id, session.instance.host
    service = catalog.find(Service, database_id, for_service)
    if service is None:
        raise sql_error(8423, for_service)
    if not 0 < len(far_service) <= MAX_SERVICE_NAME:
        raise sql_error(8412, far_service)
    agreed = catalog.find(Contract, database_id, contract)
    if agreed is None:
        raise sql_error(8425, contract)
    if agreed.id not in service.contract_ids:
        raise sql_error(8408, service.name, agreed.name)
    if len(instance) > MAX_INSTANCE_LENGTH:
        raise sql_error(8413, instance)
    handle = host.new_guid()
    return MonologSubscription(
        id=catalog.next_id(), database_id=database_id, name=str(handle).upper(), create_date=host.now(), modify_date=host.now(),
        handle=handle, principal_id=session.user.id, service_id=service.id, contract_id=agreed.id, contract_name=agreed.name,
        far_service=far_service, broker_instance=instance.upper(), from_retained=from_retained,
    )  # fmt: skip


def _check(session: Session, broker: BrokerTransaction, record: MonologSubscription) -> None:
    """Rights (229, and 8494 on the publisher's service when there is one), and 49932 for a second order of the same."""
    index = broker.index
    service = index.service_by_id[record.database_id, record.service_id]
    _require_receive(session.catalog, broker.rights, service)
    broker.rights.require("REFERENCES", index.contract_by_id[record.database_id, record.contract_id])
    for publisher in publisher_service(index, record.database_id, record.far_service, record.broker_instance):
        if not broker.rights.may_send(service.principal_id, service.database_id, publisher):
            raise sql_error(8494, publisher.name)
    for other in session.catalog.all(MonologSubscription, record.database_id):
        same = (other.service_id, other.contract_id, other.far_service, other.broker_instance)
        if same == (record.service_id, record.contract_id, record.far_service, record.broker_instance):
            raise sql_error(49932, service.name, record.far_service, record.contract_name)


def _require_receive(catalog: CatalogSnapshot, rights: Rights, service: Service) -> None:
    queue = catalog.get(Queue, service.database_id, service.queue_id)
    if queue is not None:
        rights.require("RECEIVE", queue)


def _end(broker: BrokerTransaction, subscription: MonologSubscription) -> None:
    end_order(broker, subscription)
    end_subscription(broker, subscription.handle)


@handles(EndSubscriptionStatement)
def compile_end_subscription(node: EndSubscriptionStatement, compiler: Compiler) -> Step:
    given = argument(compiler, node.handle, UNIQUEIDENTIFIER, "subscription handle", "END SUBSCRIPTION")

    def run(frame: Frame) -> Work:
        session = frame.session
        handle = given(frame)
        if handle is None:
            raise sql_error(49935)
        with session.statement() as transaction:
            yield from transaction.lock_schema()
            found = session.catalog.find(MonologSubscription, session.database_id, str(handle))
            if found is None:
                raise sql_error(49933, str(handle).upper())
            service = session.catalog.get(Service, found.database_id, found.service_id)
            if service is not None:
                _require_receive(session.catalog, transaction.broker.rights, service)
            transaction.change_catalog(found, None)
            yield from broker_effect(session, transaction, lambda broker: _end(broker, found))
        return 0

    return Step(run, waits=True)
