"""OUTPUT INTO: the table or table variable that the rows go to.

It decides what may be one (330 to 333), and which item goes into which column. It must not know what the rows are made
of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.catalog.records import Table
from sbql.engine.modification.target import bound_target, find_target, variable_shape
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable, bind_shape
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.row_images import Inserted
from sbql.grammar.ast import Identifier, NamedTable, VariableTable
from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["Into", "bind_into"]


class Into(Struct):
    """To the table variable in a slot, or to the table of that shape. `cells` are (position, item, converter).
    `is_whole`: a row of OUTPUT is a row of the table as it is."""

    slot: int | None
    shape: BoundTable
    cells: list[tuple[int, int, Converter | None]]
    is_whole: bool

    def new_rows(self, frame: Frame, shape: BoundTable, rows: Sequence[Sequence[Any]]) -> list[Inserted]:
        """What is inserted, but for identity values."""
        if self.is_whole:
            return [Inserted(list(row)) for row in checked_rows(rows)]
        given = {position for position, _, _ in self.cells}
        defaults = [(i, default) for i, default in enumerate(shape.defaults) if default is not None and i not in given]

        def made(row: Sequence[Any]) -> Inserted:
            new: list[Any] = [None] * shape.width
            for position, item, convert in self.cells:
                value = row[item]
                new[position] = value if value is None or convert is None else convert(value)
            for position, default in defaults:
                new[position] = default(frame)
            return Inserted(new)

        if shape.shares_values:
            return [frame.of_row(partial(made, row)) for row in checked_rows(rows)]
        return [made(row) for row in checked_rows(rows)]


def bind_into(
    node: NamedTable | VariableTable,
    names: tuple[Identifier, ...],
    columns: Sequence[ResultColumn],
    session: Session,
    scope: Scope,
) -> Into:
    """The target of INTO, for OUTPUT with these columns. Raises 330 to 333 for what may be none, 207, 120, 121, 213."""
    slot = None
    if isinstance(node, VariableTable):
        slot, table = variable_shape(scope, node)
        shape = bind_shape(table, session, display=node.name)
        shape.needs_locks = False
    else:
        if not isinstance(find_target(session, node.name), Table):
            raise sql_error(330, str(node.name), span=node.span)
        shape = bound_target(session, node)
        if shape.triggers:
            raise sql_error(331, str(node.name), span=node.span)
        for key in (*shape.foreign_keys, *shape.referenced_by):
            raise sql_error(332, str(node.name), key.constraint.name, span=node.span)
        for check in shape.all_checks:
            raise sql_error(333, str(node.name), check.constraint.name, span=node.span)
    if names:
        positions = []
        for name in names:
            position = shape.position(name.value)
            if position is None:
                raise sql_error(207, name.value, span=name.span)
            positions.append(position)
        if len(positions) != len(columns):
            raise sql_error(121 if len(columns) > len(positions) else 120, span=node.span)
    else:
        positions = [i for i in range(shape.width) if i in shape.insert_columns]
        if len(positions) != len(columns):
            raise sql_error(213, span=node.span)
    cells = [
        (
            p,
            i,
            assignment(columns[i].type, shape.types[p], shape.full_name, shape.table.columns[p].name, session.options),
        )
        for i, p in enumerate(positions)
    ]
    is_whole = [(i, i, None) for i in range(shape.width)] == cells
    return Into(slot, shape, cells, is_whole)
