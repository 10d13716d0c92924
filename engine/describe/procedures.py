"""What a name means where a procedure is called: a record, or a system procedure.

It must not know how any of them runs.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from sbql.catalog.bootstrap import DBO, MASTER
from sbql.catalog.procedures import procedure_names
from sbql.catalog.records import Module, Synonym
from sbql.engine.describe.procedure_registry import SYSTEM_PROCEDURES, SystemProcedure
from sbql.engine.describe.system_modules import system_module
from sbql.engine.ports import Session
from sbql.engine.security.resolver import database_of, resolve
from sbql.engine.security.similar_names import similar_procedure
from sbql.grammar.ast import ObjectName
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.keywords import STATEMENT_STARTS
from sbql.grammar.names import parse_object_name

__all__ = ["find_procedure"]


def find_procedure(session: Session, name: ObjectName, *, is_bare: bool = False) -> Module | SystemProcedure:
    """The procedure or scalar function that a name means: a record, or a system
    procedure with the database to run it in.

    A user's own sp_… procedure of the current database comes before the system's, as scripts expect; then one of
    master, found from everywhere. `is_bare`: no EXEC is before it, so that it may be a misspelled statement. Raises
    2812, and 911 for an unknown database.
    """
    found = resolve(session, name, Module, missing_ok=True)
    if found is not None and found.type in ("P", "FN"):
        return found
    plain, schema = name.name.lower(), (name.schema or "sys").lower()
    if schema in ("sys", "dbo"):
        if plain in SYSTEM_PROCEDURES:
            return SystemProcedure(plain, database_of(session, name).id if name.database else None)
        written = system_module(plain, database_of(session, name).id if name.database else session.database_id)
        if written is not None:
            return written
        if plain.startswith("sp_"):
            found = _of_master(session, name, plain)
            if found is not None:
                return found
    synonym = resolve(session, name, Synonym, missing_ok=True)
    if synonym is not None:
        return _behind(session, synonym, name)
    others = [*SYSTEM_PROCEDURES, *procedure_names(), *(STATEMENT_STARTS if is_bare else ())]
    raise sql_error(2812, str(name), span=name.span).advise(similar_procedure(session, name, others))


def _behind(session: Session, synonym: Synonym, name: ObjectName) -> Module | SystemProcedure:
    """What a synonym of a system procedure stands for; the names of a user's procedures are
    resolved with its own. Raises 2812."""
    base = parse_object_name(synonym.base_object_name)
    if base.database is None and name.database is not None:
        database = name.parts[-3]
        base = replace(base, parts=(database, *base.parts) if len(base.parts) > 1 else (database, None, *base.parts))
    again = resolve(session, base, Synonym, missing_ok=True)
    if again is not None:  # one synonym may not be the base of another
        raise sql_error(2812, str(name), span=name.span)
    try:
        return find_procedure(session, replace(base, span=name.span))
    except SqlError as error:
        if error.number != 2812:
            raise
    raise sql_error(2812, str(name), span=name.span).advise(
        f"It is a synonym of {synonym.base_object_name}, which is not there."
    )


def _of_master(session: Session, name: ObjectName, plain: str) -> Module | None:
    """A procedure that somebody has put into master. It runs there, or, when sp_MS_marksystemobject has marked it, as
    one of the database that it is called from."""
    catalog = session.catalog
    found = catalog.find_object(MASTER, DBO, plain)
    if not isinstance(found, Module) or found.type != "P":
        return None
    if not found.is_ms_shipped:
        return found
    return msgspec.structs.replace(found, database_id=database_of(session, name).id)
