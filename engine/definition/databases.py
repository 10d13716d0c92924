"""USE, CREATE, ALTER and DROP DATABASE."""

from __future__ import annotations

import msgspec

from sbql.catalog.bootstrap import database_definitions, new_database
from sbql.catalog.records import Database
from sbql.engine.definition.alter_database import refuse_conflicts
from sbql.engine.definition.data_spaces import new_filegroups
from sbql.engine.definition.database_copies import ATTACH_OPTIONS, attach_database, remove_database
from sbql.engine.definition.database_rights import check_may_create, check_options, may_drop_database, owner_of_new
from sbql.engine.definition.ddl import ddl_step
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.database_access import users_of
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import CreateDatabaseStatement, DropObjectStatement, UseStatement
from sbql.grammar.errors import sql_error
from sbql.grammar.values.collation import known_collation

__all__ = ["drop_databases"]

_SYSTEM_DATABASES = 4


@handles(UseStatement)
def compile_use(node: UseStatement, compiler: Compiler) -> Step:
    if compiler.in_module:
        raise sql_error(154, "a USE database statement", "a procedure, function or trigger", span=node.span)
    name = node.database.value
    compiler.scope.used_database = name

    def run(frame: Frame) -> int:
        session = frame.session
        session.use(name)
        session.emit(InfoMessage(f"Changed database context to '{session.database_name}'.", 5701, 0, 2, node.span.line))
        return 0

    return Step(run)


def _outside_transaction(session: Session, words: str) -> None:
    if session.trancount:
        raise sql_error(226, words)


@handles(CreateDatabaseStatement)
def compile_create_database(node: CreateDatabaseStatement, compiler: Compiler) -> Step:
    """Log and filegroup clauses are accepted: all databases live in the one store. FOR ATTACH brings back a detached
    one."""
    name = node.name.value
    words = [option.partition(" ")[0] for option in node.options]

    def body(session: Session, transaction: Transaction) -> None:
        _outside_transaction(session, "CREATE DATABASE")
        refuse_conflicts(words, node.span)
        check_may_create(session)
        check_options(session, words)
        if session.catalog.find(Database, 0, name) is not None:
            raise sql_error(1801, name, span=node.name.span)
        collation = None if node.collation is None else known_collation(node.collation)
        host = session.instance.host
        transaction.snapshot = new_database(session.catalog, name, host.new_guid(), host.now())
        created = transaction.snapshot.find(Database, 0, name)
        assert created is not None
        filegroups = new_filegroups(node.filegroups)
        logical, file = node.files[0] if node.files else (None, None)
        changes = {
            "logical_name": logical or name, "file_name": file or f"{created.storage_name}.mdf", "is_trustworthy_on": "TRUSTWORTHY ON" in node.options,
            "filegroups": filegroups, "owner_sid": owner_of_new(session), "collation_name": collation or created.collation_name,
        }  # fmt: skip
        transaction.change_catalog(created, msgspec.structs.replace(created, **changes))
        for definition in database_definitions(created.storage_name):
            transaction.unit.apply(definition)

    if any(option.startswith("FOR ATTACH") for option in node.options):
        file = next((path for _, path in node.files if path), f"{name}.mdf")
        broker = next((word for word in node.options if word in ATTACH_OPTIONS), None)

        def attach(frame: Frame) -> Work:
            refuse_conflicts(words, node.span)
            return (yield from attach_database(frame.session, name, file, broker))

        return Step(attach, waits=True)
    return ddl_step(body)


def drop_databases(session: Session, transaction: Transaction, node: DropObjectStatement) -> Work:
    """DROP DATABASE [IF EXISTS] a, b. Raises 3701, 3702 (in use), 3708 (system database)."""
    _outside_transaction(session, "DROP DATABASE")
    for name in node.names:
        record = session.catalog.find(Database, 0, name.name)
        if record is None:
            if node.if_exists:
                continue
            raise sql_error(3701, "drop", "database", name.name, span=name.span)
        if record.id <= _SYSTEM_DATABASES:
            raise sql_error(3708, "drop", "database", record.name, "database", span=name.span)
        if not may_drop_database(session, record):
            raise sql_error(3701, "drop", "database", name.name, span=name.span)
        if users_of(session.instance, record.id):
            raise sql_error(3702, "database", record.name, span=name.span)
        yield from remove_database(session, transaction, record)
