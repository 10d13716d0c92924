"""CREATE TYPE and DROP TYPE (alias types and table types), CREATE SYNONYM and DROP SYNONYM."""

from __future__ import annotations

import msgspec

from sbql.catalog.records import Schema, Synonym, Table, UserType
from sbql.engine.definition.ddl import check_right, ddl_step, may_drop
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security.resolver import database_of
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import find_schema, find_user_type, new_object_id, shape_of
from sbql.grammar.ast import CreateSynonymStatement, CreateTypeStatement, DropObjectStatement, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.values.type_names import is_system_type

__all__ = ["drop_synonyms", "drop_types"]


@handles(CreateTypeStatement)
def compile_create_type(node: CreateTypeStatement, compiler: Compiler) -> Step:
    scope = compiler.scope

    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE TYPE")
        database = database_of(session, node.name)
        schema = find_schema(session, database, node.name)
        taken = session.catalog.find(UserType, database.id, node.name.name, schema.id) is not None
        if taken or (is_system_type(node.name.name) and not node.name.schema):
            raise sql_error(219, str(node.name), span=node.name.span)
        now = session.instance.host.now()
        base = scope.resolve_type(node.base) if node.base is not None else None
        table = shape_of(node.name.name, node.elements, session) if base is None else None
        new_id = new_object_id(session.catalog)
        if table is not None:
            table = msgspec.structs.replace(table, id=new_id())
        record = UserType(
            id=new_id(),
            database_id=database.id,
            name=node.name.name,
            create_date=now,
            modify_date=now,
            schema_id=schema.id,
            base=base,
            is_nullable=node.nullable is not False,
            table=table,
        )
        transaction.change_catalog(None, record)

    return ddl_step(body)


def drop_types(node: DropObjectStatement, compiler: Compiler) -> Step:
    """DROP TYPE. Raises 3701, and 3732 while a column is of the type."""

    def body(session: Session, transaction: Transaction) -> None:
        for name in node.names:
            found = find_user_type(session, name)
            if found is None or not may_drop(session, found):
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", "type", str(name), state=7, span=name.span)
            for table in session.catalog.all(Table, found.database_id):
                if any(c.user_type is not None and c.user_type.lower() == found.name.lower() for c in table.columns):
                    raise sql_error(3732, str(name), table.name, span=name.span)
            transaction.change_catalog(found, None)

    return ddl_step(body)


# --- synonyms ----------------------------------------------------------------------------------------------


@handles(CreateSynonymStatement)
def compile_create_synonym(node: CreateSynonymStatement, compiler: Compiler) -> Step:
    """The target need not exist yet: it is looked up when the synonym is used."""

    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE SYNONYM")
        database = database_of(session, node.name)
        schema = find_schema(session, database, node.name)
        if session.catalog.find_object(database.id, schema.id, node.name.name) is not None:
            raise sql_error(2714, node.name.name, span=node.name.span)
        now = session.instance.host.now()
        record = Synonym(
            id=new_object_id(session.catalog)(),
            database_id=database.id,
            name=node.name.name,
            create_date=now,
            modify_date=now,
            schema_id=schema.id,
            base_object_name=_bracketed(node.target),
        )
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _bracketed(name: ObjectName) -> str:
    return ".".join("" if p is None else "[" + p.value.replace("]", "]]") + "]" for p in name.parts)


def drop_synonyms(node: DropObjectStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        for name in node.names:
            found = _find_synonym(session, name)
            if found is None or not may_drop(session, found):
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", "synonym", str(name), span=name.span)
            transaction.change_catalog(found, None)

    return ddl_step(body)


def _find_synonym(session: Session, name: ObjectName) -> Synonym | None:
    database = database_of(session, name)
    schemas = [name.schema] if name.schema else [session.user.default_schema or "dbo", "dbo"]
    for schema_name in schemas:
        schema = session.catalog.find(Schema, database.id, schema_name)
        found = session.catalog.find(Synonym, database.id, name.name, schema.id) if schema is not None else None
        if found is not None:
            return found
    return None
