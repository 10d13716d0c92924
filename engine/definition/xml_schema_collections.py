"""CREATE, ALTER and DROP XML SCHEMA COLLECTION."""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import (
    MessageType,
    Table,
    UserType,
    XmlSchemaCollection,
)
from sbql.engine.definition.ddl import Drop, basics, check_record, check_right, ddl_step
from sbql.engine.describe.dependents import users_of_collection
from sbql.engine.documents.xml_schema_documents import check_schema_documents
from sbql.engine.documents.xml_schemas import bound_type, collection_named
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.security.resolver import database_of, schema_of
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    ObjectName,
    XmlSchemaCollectionStatement,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX, XML
from sbql.grammar.values.typed_xml import collection_id

__all__ = ["DROP", "find_collection"]


def find_collection(session: Session, name: ObjectName) -> XmlSchemaCollection:
    """An XML schema collection by name. Raises 2775-like 15151 when there is none."""
    found = collection_named(session, name)
    if found is None:
        raise sql_error(15151, "find", "XML schema collection", str(name), span=name.span)
    return found


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
        if node.verb == "CREATE":
            check_right(session, "CREATE XML SCHEMA COLLECTION")
        database = database_of(session, node.name)
        schema = schema_of(session, database, node.name)
        existing = session.catalog.find(XmlSchemaCollection, database.id, node.name.name, schema.id)
        if node.verb == "CREATE" and existing is not None:
            raise sql_error(6348, node.name.name, span=node.name.span)
        if node.verb == "ALTER" and existing is None:
            raise sql_error(6347, str(node.name), span=node.name.span)
        if node.verb == "ALTER" and existing is not None:
            check_record(session, "ALTER", existing, "alter", "XML schema collection", node.name.span)
        now = session.instance.host.now()
        documents = check_schema_documents(text, existing.documents if existing else ())
        if existing is not None:
            changed = msgspec.structs.replace(existing, documents=documents, modify_date=now)
            transaction.change_catalog(existing, changed)
            _retype_columns(session, transaction, changed)
            return
        record = XmlSchemaCollection(
            **basics(session, node.name.name, database.id), schema_id=schema.id, documents=documents
        )
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


def _refuse_used(session: Session, record: XmlSchemaCollection, name: ObjectName) -> None:
    """Raises 6328 while a message type, a table or table type, a parameter or a schema-bound module uses it."""
    for message_type in session.catalog.all(MessageType, record.database_id):
        if message_type.xml_collection_id == record.id:
            raise sql_error(6328, record.name, "message type", message_type.name, span=name.span)
    for table in session.catalog.all(Table, record.database_id):
        if any(collection_id(c.type) == record.id for c in table.columns):
            raise sql_error(6328, record.name, "table", table.name, span=name.span)
    for user_type in session.catalog.all(UserType, record.database_id):
        if user_type.table is not None and any(collection_id(c.type) == record.id for c in user_type.table.columns):
            raise sql_error(6328, record.name, "type", user_type.name, span=name.span)
    for kind, user in users_of_collection(session, record):
        raise sql_error(6328, record.name, kind, user, span=name.span)


DROP = Drop(refuse=_refuse_used)
