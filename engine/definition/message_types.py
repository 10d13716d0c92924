"""CREATE, ALTER and DROP MESSAGE TYPE (reference 2.1)."""

from __future__ import annotations

import msgspec

from sbql.catalog.records import (
    Contract,
    MessageType,
)
from sbql.engine.definition.ddl import (
    check_record,
    check_right,
    ddl_step,
    owner_id,
    refuse_bound,
    refuse_system_object,
)
from sbql.engine.definition.xml_schema_collections import find_collection
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    AlterMessageTypeStatement,
    CreateMessageTypeStatement,
    Identifier,
    MessageValidation,
    ObjectName,
)
from sbql.grammar.errors import sql_error

__all__ = ["drop_message_type", "find_message_type"]

_VALIDATION = {"NONE": "N", "EMPTY": "E", "WELL_FORMED_XML": "X", "VALID_XML": "X"}


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


def find_message_type(session: Session, name: Identifier) -> MessageType:
    """Raises 15151."""
    found = session.catalog.find(MessageType, session.database_id, name.value)
    if found is None:
        raise sql_error(15151, "find", "message type", name.value, span=name.span)
    return found


@handles(AlterMessageTypeStatement)
def compile_alter_message_type(node: AlterMessageTypeStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        record = find_message_type(session, node.name)
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
