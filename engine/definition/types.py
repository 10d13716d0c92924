"""CREATE TYPE and DROP TYPE (alias types and table types), CREATE SYNONYM and DROP SYNONYM."""

from __future__ import annotations

import msgspec

from sbql.catalog.records import Column, Module, Schema, Synonym, Table, UserType
from sbql.engine.definition.ddl import Drop, basics, check_right, ddl_step, in_new_place
from sbql.engine.describe.dependents import dependents
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security.resolver import database_of
from sbql.engine.steps import Step, handles
from sbql.engine.tables.definitions import find_schema, new_object_id, shape_of
from sbql.grammar.ast import CreateFunctionStatement, CreateSynonymStatement, CreateTypeStatement, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.names import dotted
from sbql.grammar.values.type_names import is_system_type

__all__ = ["DROP_SYNONYM", "DROP_TYPE"]


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
        base = scope.resolve_type(node.base) if node.base is not None else None
        table = shape_of(node.name.name, node.elements, session) if base is None else None
        new_id = new_object_id(session.catalog)
        if table is not None:
            table = msgspec.structs.replace(table, id=new_id())
        fields = basics(session, node.name.name, database.id) | {"id": new_id(), "schema_id": schema.id}
        record = UserType(**fields, base=base, is_nullable=node.nullable is not False, table=table)
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _refuse_used(session: Session, record: UserType, name: ObjectName) -> None:
    """Raises 3732 while a column, of a table type too, or a parameter of a module is of the type, or
    a schema-bound module names it."""
    for table in session.catalog.all(Table, record.database_id):
        if any(_is_of(c, record) for c in table.columns):
            raise sql_error(3732, str(name), table.name, span=name.span)
    for other in session.catalog.all(UserType, record.database_id):
        if other.table is not None and any(_is_of(c, record) for c in other.table.columns):
            raise sql_error(3732, str(name), other.name, span=name.span)
    for module in session.catalog.all(Module, record.database_id):
        if module.type in _WITH_PARAMETERS and _has_parameter_of(session, module, record):
            raise sql_error(3732, str(name), module.name, span=name.span)
    for module_name in dependents(session, record):
        raise sql_error(3732, str(name), module_name, span=name.span)


def _is_of(column: Column, record: UserType) -> bool:
    return column.user_type is not None and column.user_type.lower() == record.name.lower()


def _has_parameter_of(session: Session, module: Module, record: UserType) -> bool:
    """Whether a parameter, or what a function returns, is of the type; what a body declares is not looked at."""
    (node,) = session.instance.modules.parse(
        module.definition, quoted_identifiers=module.uses_quoted_identifier
    ).statements
    types = [parameter.type.name for parameter in getattr(node, "parameters", ())]
    types += [node.returns.name] if isinstance(node, CreateFunctionStatement) and node.returns is not None else []
    schema = session.catalog.get(Schema, record.database_id, record.schema_id)
    schemas = (None, schema.name.lower() if schema is not None else None)
    return any(t.name.lower() == record.name.lower() and (t.schema and t.schema.lower()) in schemas for t in types)


_WITH_PARAMETERS = ("P", "FN", "IF", "TF")
DROP_TYPE = Drop(missing=3701, refuse=_refuse_used)


# --- synonyms ----------------------------------------------------------------------------------------------


@handles(CreateSynonymStatement)
def compile_create_synonym(node: CreateSynonymStatement, compiler: Compiler) -> Step:
    """The target need not exist yet: it is looked up when the synonym is used."""

    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE SYNONYM")
        record = Synonym(
            **in_new_place(session, node.name),
            base_object_name=dotted(*(None if part is None else part.value for part in node.target.parts)),
        )
        transaction.change_catalog(None, record)

    return ddl_step(body)


DROP_SYNONYM = Drop(missing=3701)
