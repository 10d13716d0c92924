"""Rows that a client sends beside its text: those of a table-valued parameter.

It decides which columns they fill and converts them as INSERT does, with all constraints of the table
type. It must not know how rows travel.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from sbql.catalog.records import Table
from sbql.engine.modification.insert import insert_rows
from sbql.engine.modification.insert_targets import target_of
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import assignment
from sbql.engine.tables.table_variables import TableVariable, new_table_variable
from sbql.engine.work import Suspend
from sbql.grammar.ast import Span
from sbql.grammar.errors import SqlError
from sbql.grammar.types import NULL_TYPE, SqlType

__all__ = ["table_of_rows"]

_FIRST_LINE = Span(1, 1, 1, 1, 0, 0)


def table_of_rows(
    session: Session, shape: Table, name: str, types: Sequence[SqlType], defaults: Sequence[bool], rows: Sequence[Sequence[Any]]
) -> Generator[Suspend, None, TableVariable]:  # fmt: skip
    """A table variable of this shape with the rows in it. `types` are of all columns that the client
    names, `defaults` says which of them have no values in the rows. Raises 500 when there are others than
    the type has, and what an INSERT raises."""
    variable = new_table_variable(name, shape, session)
    bound = variable.bound
    if not types:
        return variable
    places = _places(bound, len(types))
    positions = [place for place, by_default in zip(places, defaults, strict=True) if not by_default]
    converters = [
        assignment(source, bound.types[place], bound.full_name, bound.table.columns[place].name, session.options)
        for source, place, by_default in zip(types, places, defaults, strict=True)
        if not by_default and source is not NULL_TYPE
    ]
    placed = []
    for values in rows:
        row: list[Any] = [None] * bound.width
        for value, place, convert in zip(values, positions, converters, strict=True):
            row[place] = value if value is None or convert is None else convert(value)
        placed.append(row)
    frame = Frame(session, 1)
    frame.variables[0] = variable
    target = target_of(bound, 0, tuple(positions))
    with session.statement() as transaction:
        yield from insert_rows(frame, transaction, target, placed, None, _FIRST_LINE)
    return variable


def _places(bound: BoundTable, count: int) -> list[int]:
    """Which columns the client means: all, or all that can be given. Raises 500."""
    columns = range(bound.width)
    if count == bound.width:
        return list(columns)
    settable = [
        i for i in columns if bound.table.columns[i].computed is None and i not in (bound.identity, bound.row_version)
    ]
    if count != len(settable):
        raise SqlError(
            500,
            f"A table-valued parameter with {count} columns was sent for the table type '{bound.table.name}', which has {bound.width}. Send them all, in "
            "the order of the type.",
        )
    return settable
