"""Procedures that bring databases in and out of the instance, and rename them."""

from __future__ import annotations

from sbql.catalog.records import Database
from sbql.engine.definition.alter_database import refuse_system_name, rename_database
from sbql.engine.definition.database_copies import attach_database, detach_database
from sbql.engine.definition.database_rights import check_may_alter
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.ports import Session
from sbql.engine.security.database_access import have_alone, refuse_others, users_of
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error

__all__ = ["rename_when_alone"]


@procedure("sp_attach_db")
def sp_attach_db(call: ProcedureCall) -> Work:
    """@dbname, @filename1 … @filename16. The first file is the data file; the others mean nothing here."""
    name, first, *_ = call.values(required=2)
    yield from attach_database(call.session, name, first, None)
    return 0


@procedure("sp_attach_single_file_db")
def sp_attach_single_file_db(call: ProcedureCall) -> Work:
    """@dbname, @physname."""
    name, file = call.values(required=2)
    yield from attach_database(call.session, name, file, None)
    return 0


@procedure("sp_detach_db")
def sp_detach_db(call: ProcedureCall) -> Work:
    """@dbname; @skipchecks and @keepfulltextindexfile are about statistics and full-text files, which are not here."""
    name, *_ = call.values(required=1)
    yield from detach_database(call.session, name)
    return 0


@procedure("sp_renamedb")
def sp_renamedb(call: ProcedureCall) -> Work:
    """@dbname, @newname: as ALTER DATABASE … MODIFY NAME. Raises 15010 and what that raises."""
    yield from rename_when_alone(call.session, *call.values(required=2))
    return 0


def rename_when_alone(session: Session, name: str, new: str) -> Work:
    """Raises 15004 (no new name), 226, 15010, 5011, 5016 and what `rename_database` raises."""
    if not new:
        raise sql_error(15004)
    while not (yield from _renamed(session, name, new)):
        pass


def _renamed(session: Session, name: str, new: str) -> Work:
    if session.trancount:
        raise sql_error(226, "sp_renamedb")
    record = session.catalog.find(Database, 0, name)
    if record is None:
        raise sql_error(15010, name)
    check_may_alter(session, record)
    refuse_system_name(record)
    refuse_others(session, record)
    yield from have_alone(session, record, None)
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        check_may_alter(session, record)
        if (
            users_of(session.instance, record.id, but=session)
            or session.catalog.get(Database, 0, record.id) is not record
        ):
            return False
        rename_database(session, transaction, record, new)
    return True
