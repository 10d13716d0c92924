"""Table-valued parameters of TDS clients, as arguments of a call.

It decides which table type a parameter is of: the one that the client names, else the one that the procedure declares. How rows become a
table is `modification.client_rows`' business.
"""

from __future__ import annotations

from collections.abc import Generator

from sbql.catalog.records import Module, Table, UserType
from sbql.engine.batch.execute import Argument
from sbql.engine.modification.client_rows import table_of_rows
from sbql.engine.ports import Session
from sbql.engine.security.resolver import in_schema
from sbql.engine.tds.table_values import TableValue
from sbql.engine.work import Suspend
from sbql.grammar.ast import Identifier, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.types import TABLE_TYPE

__all__ = ["table_argument"]


def table_argument(
    session: Session, called: object, place: int, name: str, given: TableValue
) -> Generator[Suspend, None, Argument]:
    """The argument at a place of a call. Raises 2715 for a type that is not there, 206 for a parameter that is no table, and what an INSERT
    of the rows raises."""
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
