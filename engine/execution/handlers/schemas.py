"""CREATE SCHEMA and DROP SCHEMA. A schema of a database is a schema of the DuckDB file too."""

from __future__ import annotations

from typing import Any

from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.changes import Definition
from sbql.catalog.duck_types import quote
from sbql.catalog.records import Schema
from sbql.engine.execution.compiled import Step, handles
from sbql.engine.execution.compiler import Compiler
from sbql.engine.execution.ddl import check_right, ddl_step, owner_id
from sbql.engine.security import may
from sbql.engine.transaction import Transaction
from sbql.grammar.ast import CreateSchemaStatement, DropObjectStatement
from sbql.grammar.errors import sql_error

__all__ = ["drop_schemas"]

_FIRST_ID = 5
_ROLE_SCHEMAS = 16384


@handles(CreateSchemaStatement)
def compile_create_schema(node: CreateSchemaStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        check_right(session, "CREATE SCHEMA")
        name = node.name.value
        if session.catalog.find(Schema, session.database_id, name) is not None:
            raise sql_error(2714, name, span=node.name.span)
        used = [s.id for s in session.catalog.all(Schema, session.database_id) if s.id < _ROLE_SCHEMAS]
        now = session.instance.host.now()
        record = Schema(
            id=max([_FIRST_ID - 1, *used]) + 1,
            database_id=session.database_id,
            name=name,
            create_date=now,
            modify_date=now,
            principal_id=owner_id(session, node.owner),
        )
        transaction.change_catalog(None, record)
        storage = quote(storage_schema(session.database.storage_name, name))
        transaction.unit.apply(Definition(f"CREATE SCHEMA IF NOT EXISTS {storage}", (storage,)))

    return ddl_step(body)


def drop_schemas(node: DropObjectStatement, compiler: Compiler) -> Step:
    """DROP SCHEMA. Raises 15151, and 3729 while anything is in it."""

    def body(session: Any, transaction: Transaction) -> None:
        for name in node.names:
            found = session.catalog.find(Schema, session.database_id, name.name)
            if found is None or not may(session, "CONTROL", found):
                if node.if_exists:
                    continue
                raise sql_error(15151, "drop", "schema", name.name, span=name.span)
            for record in session.catalog.records():
                if record.database_id == found.database_id and getattr(record, "schema_id", None) == found.id:
                    raise sql_error(3729, "drop schema", name.name, record.name, span=name.span)
            transaction.change_catalog(found, None)
            storage = quote(storage_schema(session.database.storage_name, found.name))
            transaction.unit.apply(Definition(f"DROP SCHEMA IF EXISTS {storage} CASCADE", (storage,)))

    return ddl_step(body)
