"""sp_helptext: the text of a module, a constraint or a computed column, in lines of at most 255 characters."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Module, Table
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.describe.system_modules import system_module
from sbql.engine.describe.system_objects import find_system_object
from sbql.engine.outcomes import InfoMessage, ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.security import may
from sbql.engine.security.resolver import resolve
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import nvarchar

_WIDTH = 255


@procedure("sp_helptext")
def sp_helptext(call: ProcedureCall) -> Work:
    """@objname [, @columnname]. Raises 15009, 15197 (no text), 15218, 15645, 15646 (of a column)."""
    name, column = call.values(required=1)
    session = call.session
    parsed = parse_object_name(name)
    record = resolve(session, parsed, missing_ok=True)
    if isinstance(record, Module) and record.is_encrypted and may(session, "VIEW DEFINITION", record):
        told = message(15471)
        session.emit(InfoMessage(told.format(name), told.number, told.severity))
        return 0
    if column is not None:
        text = _of_column(record, name, column)
    else:
        text = _of_object(session, parsed, record, name)
    session.emit(ResultSet([ResultColumn("Text", nvarchar(_WIDTH))], [(line,) for line in _lines(text)]))
    return 0
    yield


def _of_object(session: Session, parsed: Any, record: Any, name: Any) -> str:
    if isinstance(record, Module) and may(session, "VIEW DEFINITION", record):
        return str(record.definition)
    if record is None:
        for table in session.catalog.all(Table, session.database_id):
            texts = {c.name.lower(): c.condition for c in table.constraints}
            texts |= {c.default_name.lower(): c.default for c in table.columns if c.default_name is not None}
            if parsed.name.lower() in texts and may(session, "VIEW DEFINITION", table):
                found = texts[parsed.name.lower()]
                if found is None:
                    raise sql_error(15197, name)
                return str(found)
    elif not isinstance(record, Module):
        raise sql_error(15197, name)
    system = find_system_object(parsed) if record is None else None
    if system is not None:
        module = system_module(system.name.lower(), session.database_id)
        if module is None:
            raise sql_error(15197, name)
        return module.definition
    raise sql_error(15009, name, session.database_name)


def _of_column(record: Any, name: Any, column: Any) -> str:
    if not isinstance(record, Table):
        raise sql_error(15218, name)
    found = next((c for c in record.columns if c.name.lower() == str(column).lower()), None)
    if found is None:
        raise sql_error(15645, column)
    if found.computed is None:
        raise sql_error(15646, column)
    return str(found.computed)


def _lines(text: str) -> list[str]:
    """The lines with their ends, longer ones in pieces."""
    return [line[i : i + _WIDTH] for line in text.splitlines(keepends=True) for i in range(0, len(line), _WIDTH)]
