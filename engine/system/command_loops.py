"""sp_MSforeachtable and sp_MSforeachdb: commands run for each table or database, its name in the place of a mark."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Database, Module, Schema, Table
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.invocation import run_text
from sbql.engine.ports import Session
from sbql.engine.query.translation import fetch, translate_query
from sbql.engine.scalars.scope import Scope
from sbql.engine.security import has_right, may, user_in_database
from sbql.engine.security.database_access import check_open
from sbql.engine.security.resolver import resolve
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import dotted, parse_object_name


def _commands(call: ProcedureCall) -> tuple[list[str], str, list[str | None]]:
    """The commands, the mark in them, the other arguments."""
    first, mark, second, third, *rest = call.values(required=1)
    return [c for c in (first, second, third) if c is not None], mark or "?", rest


def _run(call: ProcedureCall, commands: list[str], mark: str, name: str) -> Work:
    for command in commands:
        yield from run_text(call.session, command.replace(mark, name))


@procedure("sp_msforeachtable")
def sp_msforeachtable(call: ProcedureCall) -> Work:
    """@command1 [, @replacechar, @command2, @command3, @whereand, @precommand, @postcommand]. @whereand is about the
    alias o of sys.sysobjects, as `AND o.name LIKE '…'`."""
    commands, mark, (where, before, after) = _commands(call)
    session = call.session
    if before is not None:
        yield from run_text(session, before)
    wanted = None if where is None else (yield from _ids(call, where))
    for table in list(session.catalog.all(Table, session.database_id)):
        schema = session.catalog.get(Schema, table.database_id, table.schema_id)
        if (wanted is None or table.id in wanted) and may(session, "SELECT", table) and schema is not None:
            yield from _run(call, commands, mark, dotted(schema.name, table.name))
    if after is not None:
        yield from run_text(session, after)
    return 0


def _ids(call: ProcedureCall, where: str) -> Work:
    """The tables that @whereand leaves."""
    text = (
        "SELECT o.id FROM sys.sysobjects AS o JOIN sys.all_objects AS syso ON syso.object_id = o.id WHERE o.type = 'U' "
        + where
    )
    statement: Any = call.session.instance.modules.parse(text).statements[0]
    query = translate_query(statement.query, Scope(call.session), call.session)
    return {row[0] for row in fetch(query, call.frame)}
    yield


@procedure("sp_msforeachdb")
def sp_msforeachdb(call: ProcedureCall) -> Work:
    """@command1 [, @replacechar, @command2, @command3, @precommand, @postcommand]: for each database that is open to
    the session. The command itself decides (USE) where it runs."""
    commands, mark, (before, after) = _commands(call)
    session = call.session
    if before is not None:
        yield from run_text(session, before)
    for database in list(session.catalog.all(Database)):
        if _is_open(session, database):
            yield from _run(call, commands, mark, database.name)
    if after is not None:
        yield from run_text(session, after)
    return 0


def _is_open(session: Session, database: Database) -> bool:
    try:
        check_open(session, database)
        user_in_database(session, database)
    except SqlError:
        return False
    return True


@procedure("sp_ms_marksystemobject")
def sp_ms_marksystemobject(call: ProcedureCall) -> Work:
    """Mark a procedure of master: called from another database it works there, on that
    database's objects. Raises 15001, 15247."""
    import msgspec

    name, _ = call.values(required=1)
    session = call.session
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        record = resolve(session, parse_object_name(name), Module, missing_ok=True)
        if record is None:
            raise sql_error(15001, name)
        if not has_right(session, "CONTROL SERVER", "SERVER"):
            raise sql_error(15247)
        transaction.change_catalog(record, msgspec.structs.replace(record, is_ms_shipped=True))
    return 0
