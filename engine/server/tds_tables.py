"""Table-valued parameters of TDS clients, as arguments of a call.

It decides which table type a parameter is of: the one that the client names, else the one that the procedure declares.
How rows become a table is `modification.client_rows`' business.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from sbql.catalog.records import Module, Table, UserType
from sbql.engine.batch.execute import Argument
from sbql.engine.describe.procedure_registry import SystemProcedure
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.modification.client_rows import table_of_rows
from sbql.engine.ports import Session
from sbql.engine.security.resolver import in_schema
from sbql.engine.system.prepared import PreparedCall
from sbql.engine.tds.requests import Parameter
from sbql.engine.tds.table_values import TableValue
from sbql.engine.work import Suspend
from sbql.grammar.ast import Identifier, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import TABLE_TYPE

__all__ = ["table_argument", "taker"]


def taker(session: Session, called: object, given: Sequence[Parameter]) -> tuple[object, int]:
    """What in the end takes the arguments of a call, and how many of them are not for it: a procedure that was
    prepared by its name, or is now."""
    word = called.name if isinstance(called, SystemProcedure) else ""
    known: Any = None
    first = 0
    if word == "sp_prepexecrpc" and len(given) > 1:
        known, first = PreparedCall(None, str(given[1].value or "")), 2
    elif word == "sp_execute" and given:
        known, first = session.prepared.get(given[0].value), 1
    if not isinstance(known, PreparedCall):
        return called, 0
    return find_procedure(session, parse_object_name(known.name)), first


def table_argument(
    session: Session, called: object, place: int, name: str, given: TableValue
) -> Generator[Suspend, None, Argument]:
    """The argument at a place of a call. Raises 2715 for a type that is not there, 206 for a parameter that is no
    table, and what an INSERT of the rows raises."""
    shape = _named(session, given) if given.type_name[2] else _declared(session, called, place, name)
    values = yield from table_of_rows(
        session, shape, name or f"@{place}", given.types, given.defaults or (False,) * len(given.types), given.rows
    )
    return Argument(values, TABLE_TYPE, name or None)


def _named(session: Session, given: TableValue) -> Table:
    parts = [part for part in given.type_name if part]
    found = in_schema(session, UserType, ObjectName(tuple(Identifier(part, True) for part in parts[-2:])))
    if found is None or found.table is None:
        raise sql_error(2715, 1, ".".join(parts))
    return found.table


def _declared(session: Session, called: object, place: int, name: str) -> Table:
    """Raises 206."""
    if isinstance(called, Module):
        parameters = session.instance.modules.module(called, session).parameters
        for index, parameter in enumerate(parameters):
            if parameter.table is not None and (parameter.name.lower() == name.lower() if name else index == place):
                found: Table = parameter.table
                return found
    raise sql_error(206, "table", "parameter")
