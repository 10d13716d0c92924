"""NEXT VALUE FOR as a default, in a set: as many values as there are rows are taken at once.

It decides for which sequences that gives the rows what they would get one after the other: those that do not begin
anew, and have so many values left. It must not know the columns that the values go to.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from sbql.catalog.records import Sequence
from sbql.engine.describe.sequence_values import SequenceState, find_sequence, give_back, sequence_states, take_range
from sbql.engine.modification.checks import database_name
from sbql.engine.ports import Session
from sbql.engine.security import check_permission
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_expressions import in_own_database, parse_expression
from sbql.grammar.ast import NextValueFor, ObjectName
from sbql.grammar.errors import SqlError

__all__ = ["default_sequence", "take_values"]


class TakenValues(Struct):
    """Values by the position of their column, and what gives them back as long as nobody has taken more."""

    values: dict[int, range]
    taken: list[tuple[Sequence, range, SequenceState]]

    def give_back(self, session: Session) -> None:
        for sequence, values, state in reversed(self.taken):
            give_back(session, sequence, values, state)


def default_sequence(bound: BoundTable, position: int) -> ObjectName | None:
    """The sequence whose next value is the default of a column, if it is nothing else."""
    text = bound.table.columns[position].default
    if text is None:
        return None
    database = "" if bound.table.name.startswith("#") else database_name(bound)
    tree = in_own_database(parse_expression(text), database)
    return tree.sequence if isinstance(tree, NextValueFor) and tree.over is None else None


def take_values(session: Session, names: Mapping[int, ObjectName], count: int) -> TakenValues | None:
    """The next `count` values of each sequence, by the positions of the columns, which are the same for
    columns with one sequence. None, nothing taken: not so. Raises 229, 208."""
    sequences = {position: find_sequence(session, name) for position, name in names.items()}
    for sequence in sequences.values():
        if not session.contexts[-1].is_sa:
            check_permission(session, "UPDATE", sequence, session.running_module)
    found = TakenValues({}, [])
    for sequence in {sequence.id: sequence for sequence in sequences.values()}.values():
        if sequence.is_cycling:
            found.give_back(session)
            return None
        try:
            first, last, _ = take_range(session, sequence, count)
        except SqlError:
            found.give_back(session)
            return None
        values = range(first, last + (1 if sequence.increment > 0 else -1), sequence.increment)
        found.values.update((position, values) for position, one in sequences.items() if one.id == sequence.id)
        found.taken.append((sequence, values, sequence_states(session.instance).states[sequence.id]))
    return found
