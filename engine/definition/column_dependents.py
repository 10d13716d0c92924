"""What keeps a column as it is: constraints, indexes, computed columns, modules bound to it, partitions.

Decides which of them mind which change. It must not know how a column is changed or dropped.
"""

from __future__ import annotations

from dataclasses import replace

from sbql.catalog.records import Column, Table
from sbql.engine.describe.dependents import bound_columns
from sbql.engine.ports import Session
from sbql.engine.tables.elements import fold
from sbql.engine.tables.partitioned import partitioned_by
from sbql.engine.tables.row_expressions import parse_condition, parse_expression
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import columns_in
from sbql.grammar.types import MAX, SqlType

__all__ = ["refuse_dependents"]

_VARYING = frozenset({"varchar", "nvarchar", "varbinary"})


def refuse_dependents(
    session: Session, table: Table, column: Column, statement: str, span: Span, *, new: SqlType | None = None
) -> None:
    """What uses a column keeps it: 5074 says who, 4922 is what the statement fails with. `new` is the type that it is
    to have, None if it goes. A default minds only another type, not another size; CHECK and UNIQUE take another length
    of a variable one, an index a greater one. What is bound to the schema minds any."""
    folded = fold(column.name)
    uses = []
    for_type = new != column.type
    before, after = column.type.length or 0, (new.length if new is not None else None) or 0
    varies = new is not None and new.name in _VARYING and new == replace(column.type, length=new.length)
    grows = varies and MAX not in (before, after) and after >= before
    if column.default_name is not None and (new is None or new.name != column.type.name):
        uses.append(column.default_name)
    for constraint in table.constraints:
        names = {fold(c.name) for c in constraint.columns}
        if constraint.condition is not None:
            names |= {fold(c.name) for c in columns_in(parse_condition(constraint.condition))}
        if folded in names and (
            constraint.type == "PK" or for_type and not (varies and constraint.type in ("UQ", "C"))
        ):
            uses.append(constraint.name)
    if for_type and not grows:
        uses += [i.name for i in table.indexes if folded in {fold(c.name) for c in i.columns}]
    for other in table.columns:
        if other.computed is not None and folded in {
            fold(c.name) for c in columns_in(parse_expression(other.computed))
        }:
            uses.append(other.name)
    if for_type:
        uses += [used.scheme for used in partitioned_by(table) if used.column_id == column.column_id]
    uses += bound_columns(session, table, column.name)
    if uses:
        failed = sql_error(4922, statement, column.name, span=span)
        failed.before = tuple(sql_error(5074, "object", use, "column", column.name) for use in uses)
        raise failed
