"""CREATE, ALTER, DROP of message types, contracts, and XML schema collections."""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import (
    BrokerPriority,
    Contract,
    ContractMessageUsage,
    MessageType,
    MonologSubscription,
    Service,
    Table,
    XmlSchemaCollection,
)
from sbql.engine.broker import ddl_effects
from sbql.engine.definition.ddl import (
    broker_effect,
    check_record,
    check_right,
    ddl_step,
    may_drop,
    owner_id,
    refuse_bound,
    refuse_system_object,
)
from sbql.engine.documents.xml_schema_documents import check_schema_documents
from sbql.engine.documents.xml_schemas import bound_type, collection_named
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.security.resolver import database_of, schema_of
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterMessageTypeStatement,
    CreateContractStatement,
    CreateMessageTypeStatement,
    Identifier,
    MessageValidation,
    ObjectName,
    XmlSchemaCollectionStatement,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX, XML
from sbql.grammar.values.typed_xml import collection_id

__all__ = ["drop_contract", "drop_message_type", "drop_xml_schema_collection", "find_collection"]

_VALIDATION = {"NONE": "N", "EMPTY": "E", "WELL_FORMED_XML": "X", "VALID_XML": "X"}


def find_collection(session: Session, name: ObjectName) -> XmlSchemaCollection:
    """An XML schema collection by name. Raises 2775-like 15151 when there is none."""
    found = collection_named(session, name)
    if found is None:
        raise sql_error(15151, "find", "XML schema collection", str(name), span=name.span)
    return found


def _validation(session: Session, node: MessageValidation | None) -> tuple[str, int | None]:
    if node is None:
        return "N", None
    if node.collection is None:
        return _VALIDATION[node.kind], None
    collection = find_collection(session, node.collection)
    check_record(session, "REFERENCES", collection, "find", "XML schema collection", node.collection.span)
    return _VALIDATION[node.kind], collection.id


@handles(CreateMessageTypeStatement)
def compile_create_message_type(node: CreateMessageTypeStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE MESSAGE TYPE")
        if session.catalog.find(MessageType, session.database_id, node.name.value) is not None:
            raise sql_error(2714, node.name.value, span=node.name.span)
        validation, collection = _validation(session, node.validation)
        now = session.instance.host.now()
        record = MessageType(
            id=session.catalog.next_id(), database_id=session.database_id, name=node.name.value, create_date=now,
            modify_date=now, principal_id=owner_id(session, node.owner), validation=validation, xml_collection_id=collection,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _message_type(session: Session, name: Identifier) -> MessageType:
    found = session.catalog.find(MessageType, session.database_id, name.value)
    if found is None:
        raise sql_error(15151, "find", "message type", name.value, span=name.span)
    return found


@handles(AlterMessageTypeStatement)
def compile_alter_message_type(node: AlterMessageTypeStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        record = _message_type(session, node.name)
        refuse_system_object(record, "ALTER", "message type", node.span)
        check_right(
            session, "ALTER ANY MESSAGE TYPE", owner=record.principal_id, named=("alter", "message type", record.name)
        )
        validation, collection = _validation(session, node.validation)
        new = msgspec.structs.replace(
            record, validation=validation, xml_collection_id=collection, modify_date=session.instance.host.now()
        )
        transaction.change_catalog(record, new)

    return ddl_step(body)


def drop_message_type(session: Session, transaction: Transaction, name: ObjectName) -> bool:
    """False when there is no such message type. Raises 3708, 3716."""
    record = session.catalog.find(MessageType, session.database_id, name.name)
    if record is None:
        return False
    refuse_system_object(record, "DROP", "message type", name.span)
    check_right(
        session, "ALTER ANY MESSAGE TYPE", owner=record.principal_id, named=("drop", "message type", record.name)
    )
    contracts = (
        contract
        for contract in session.catalog.all(Contract, session.database_id)
        if any(usage.message_type_id == record.id for usage in contract.messages)
    )
    refuse_bound(session, ("message type", record.name), "contracts", contracts, name.span)
    transaction.change_catalog(record, None)
    return True


@handles(CreateContractStatement)
def compile_create_contract(node: CreateContractStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE CONTRACT")
        if session.catalog.find(Contract, session.database_id, node.name.value) is not None:
            raise sql_error(2714, node.name.value, span=node.name.span)
        usages: dict[int, ContractMessageUsage] = {}
        for message in node.messages:
            record = _message_type(session, message.message_type)
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


@handles(XmlSchemaCollectionStatement)
def compile_xml_schema_collection(node: XmlSchemaCollectionStatement, compiler: Compiler) -> Step:
    """CREATE XML SCHEMA COLLECTION … AS, ALTER … ADD: the text may hold several schema documents."""
    scalar = compiler.scalar(node.schema)
    if scalar.type.name in ("binary", "varbinary"):  # bytes are XML in the encoding that they name
        scalar = convert_scalar(scalar, XML, explicit=True)
    value = convert_scalar(scalar, NVARCHAR_MAX, explicit=scalar.type.name == "xml").run

    def run(frame: Any) -> Any:
        text = value(frame)
        yield from ddl_step(lambda session, transaction: body(session, transaction, text)).run(frame)

    def body(session: Session, transaction: Transaction, text: str | None) -> None:
        check_right(session, f"{node.verb} XML SCHEMA COLLECTION")
        database = database_of(session, node.name)
        schema = schema_of(session, database, node.name)
        existing = session.catalog.find(XmlSchemaCollection, database.id, node.name.name, schema.id)
        if node.verb == "CREATE" and existing is not None:
            raise sql_error(6348, node.name.name, span=node.name.span)
        if node.verb == "ALTER" and existing is None:
            raise sql_error(6347, str(node.name), span=node.name.span)
        now = session.instance.host.now()
        documents = check_schema_documents(text, existing.documents if existing else ())
        if existing is not None:
            changed = msgspec.structs.replace(existing, documents=documents, modify_date=now)
            transaction.change_catalog(existing, changed)
            _retype_columns(session, transaction, changed)
            return
        record = XmlSchemaCollection(
            id=session.catalog.next_id(), database_id=database.id, name=node.name.name, schema_id=schema.id,
            documents=documents, create_date=now, modify_date=now,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return Step(run, waits=True)


def _retype_columns(session: Session, transaction: Transaction, collection: XmlSchemaCollection) -> None:
    """Columns of a collection that grew take its new type. What is in them stays valid: schemas are only added."""
    for table in list(session.catalog.all(Table, collection.database_id)):
        if not any(collection_id(c.type) == collection.id for c in table.columns):
            continue
        columns = []
        for column in table.columns:
            if collection_id(column.type) == collection.id:
                is_document = "#DOCUMENT#" in (column.type.collection or "")
                column = msgspec.structs.replace(column, type=bound_type(collection, is_document=is_document))
            columns.append(column)
        transaction.change_catalog(table, msgspec.structs.replace(table, columns=tuple(columns)))


def drop_xml_schema_collection(session: Session, transaction: Transaction, name: ObjectName) -> bool:
    """False when there is no such collection. Raises 6328 while a message type or a table uses it."""
    database = database_of(session, name)
    schema = schema_of(session, database, name)
    record = session.catalog.find(XmlSchemaCollection, database.id, name.name, schema.id)
    if record is None or not may_drop(session, record):
        return False
    for message_type in session.catalog.all(MessageType, database.id):
        if message_type.xml_collection_id == record.id:
            raise sql_error(6328, record.name, "message type", message_type.name, span=name.span)
    for table in session.catalog.all(Table, database.id):
        if any(collection_id(c.type) == record.id for c in table.columns):
            raise sql_error(6328, record.name, "table", table.name, span=name.span)
    transaction.change_catalog(record, None)
    return True
