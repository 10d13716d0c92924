"""RECEIVE … INTO @table: messages become rows of a table variable, through the one write mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sbql.engine.modification.insert import insert_rows, place
from sbql.engine.modification.insert_targets import make_target
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame, Variable
from sbql.engine.steps import LateBound
from sbql.engine.tables.bound_table import bind_shape
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType

__all__ = ["compile_into"]


def compile_into(
    variable: Variable, types: Sequence[SqlType], span: Span
) -> Callable[[Frame, list[tuple[Any, ...]]], None]:
    """A closure that adds rows of these types to the table variable. Raises 213 when the number of columns differs."""
    shape = variable.table
    assert shape is not None

    def bind(session: Session) -> tuple[Any, list[Converter | None]]:
        bound = bind_shape(shape, session, display=variable.name)
        bound.needs_locks = False
        target = make_target(bound, variable.slot, ())
        if len(target.positions) != len(types):
            raise sql_error(213, span=span)
        columns = shape.columns
        converters = [
            assignment(source, bound.types[position], variable.name, columns[position].name, session.options)
            for source, position in zip(types, target.positions, strict=True)
        ]
        return target, converters

    late = LateBound(bind)

    def insert(frame: Frame, rows: list[tuple[Any, ...]]) -> None:
        target, converters = late.get(frame.session)
        placed = place(rows, target.bound.width, target.positions, converters)
        work = insert_rows(frame, frame.session.transaction, target, placed, None, span)
        for _ in work:
            raise AssertionError("a table variable has nobody to wait for")

    return insert
