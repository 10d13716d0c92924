"""CREATE, ALTER and DROP MESSAGE TYPE (docs/spec: TYPE)."""

from __future__ import annotations

import msgspec

from sbql.catalog.records import (
    Contract,
    MessageType,
)
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    check_record,
    check_right,
    ddl_step,
    existing,
    may_alter_any,
    owner_id,
    refuse_bound,
    refuse_existing,
    refuse_system_object,
)
from sbql.engine.definition.xml_schema_collections import find_collection
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    AlterMessageTypeStatement,
    CreateMessageTypeStatement,
    MessageValidation,
    ObjectName,
)

__all__ = ["DROP"]

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
        refuse_existing(session, MessageType, node.name)
        validation, collection = _validation(session, node.validation)
        record = MessageType(
            **basics(session, node.name.value), principal_id=owner_id(session, node.owner), validation=validation,
            xml_collection_id=collection,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


@handles(AlterMessageTypeStatement)
def compile_alter_message_type(node: AlterMessageTypeStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        record = existing(session, MessageType, node.name)
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


def _refuse_used(session: Session, record: MessageType, name: ObjectName) -> None:
    contracts = (
        contract
        for contract in session.catalog.all(Contract, session.database_id)
        if any(usage.message_type_id == record.id for usage in contract.messages)
    )
    refuse_bound(session, ("message type", record.name), "contracts", contracts, name.span)


DROP = Drop(may=may_alter_any, refuse=_refuse_used)
