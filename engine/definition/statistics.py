"""CREATE, UPDATE and DROP STATISTICS.

No statistics are kept. Decides that the table and the columns that they are of are there; and not whether the
statistics themselves are.
"""

from __future__ import annotations

from sbql.catalog.records import Table
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import check_alter, may_alter
from sbql.engine.security.resolver import resolve_itself
from sbql.engine.steps import Step, handles
from sbql.engine.tables.elements import column_of, fold
from sbql.grammar.ast import ObjectName, StatisticsStatement
from sbql.grammar.errors import sql_error

__all__: list[str] = []


@handles(StatisticsStatement)
def compile_statistics(node: StatisticsStatement, compiler: Compiler) -> Step:
    check = {"CREATE": _check_columns, "UPDATE": _check_table, "DROP": _check_dropped}[node.verb]

    def run(frame: Frame) -> int:
        check(frame.session, node)
        return 0

    return Step(run)


def _check_columns(session: Session, node: StatisticsStatement) -> None:
    """As for an index: 1088 for the table or view, 1911 for a column."""
    (name,) = node.names
    found = resolve_itself(session, name)
    if found is None:
        raise sql_error(1088, str(name), span=name.span)
    check_alter(session, found, name)
    if isinstance(found, Table):
        for column in node.columns:
            if column_of(found, column.value) is None:
                raise sql_error(1911, column.value, span=column.span)


def _check_table(session: Session, node: StatisticsStatement) -> None:
    (name,) = node.names
    found = resolve_itself(session, name)
    if found is None:
        raise sql_error(2706, str(name), span=name.span)
    check_alter(session, found, name)


def _check_dropped(session: Session, node: StatisticsStatement) -> None:
    """Raises 3701 where there is no such table, 3739 for an index."""
    for name in node.names:
        table = resolve_itself(session, ObjectName(name.parts[:-1], span=name.span)) if len(name.parts) > 1 else None
        if table is None or not may_alter(session, table):
            raise sql_error(3701, "drop", "statistics", str(name), span=name.span)
        if isinstance(table, Table) and fold(name.name) in {fold(index.name) for index in table.indexes}:
            raise sql_error(3739, "drop", str(name), span=name.span)
