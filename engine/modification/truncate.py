"""TRUNCATE TABLE: all rows at once, without triggers; the identity starts again.

Few rows of a #temp table, if they are in memory, go as DELETE takes them: rows of it that DuckDB has not been told of
stay so, where a statement for DuckDB sends them first.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.changes import Definition
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Queue, Table
from sbql.engine.modification.foreign_keys import children_of
from sbql.engine.modification.locking import locked
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import check_alter
from sbql.engine.security.database_access import check_writable
from sbql.engine.security.resolver import resolve_itself
from sbql.engine.steps import LateBound, Step, handles
from sbql.engine.tables.bound_table import BoundTable, bind
from sbql.engine.tables.row_images import Deleted
from sbql.engine.tables.temp_rows import rows_at_hand
from sbql.engine.work import Work
from sbql.grammar.ast import TruncateTableStatement
from sbql.grammar.errors import sql_error

_FEW: Final = 256
"""Rows that are taken away one by one."""


@handles(TruncateTableStatement)
def compile_truncate(node: TruncateTableStatement, compiler: Compiler) -> Step:
    late = LateBound(lambda session: _target(session, node))

    def run(frame: Frame) -> Work:
        session = frame.session
        with session.statement() as txn:
            version, bound = session.catalog.version, late.get(session)
            bound = yield from locked(
                session, txn, version, bound, lambda: _target(session, node), lambda found: (found,), "X"
            )
            stored = StoredRows(bound, txn)
            state, kept = stored.state, rows_at_hand(session.store, bound)
            if kept is None or len(kept) > _FEW:
                txn.unit.apply(Definition(f"DELETE FROM {mark(bound.storage)}", (bound.storage,)))
            elif len(kept):
                stored.delete([Deleted(row_id, image) for row_id, image in kept.rows.items()])
            if bound.identity is not None:
                states = stored.states
                txn.on_rollback(states.reseed(state, None, is_open=True))
                txn.on_commit(lambda: states.keep_reset(state))
        return 0

    return Step(run, waits=True)


def _target(session: Session, node: TruncateTableStatement) -> BoundTable:
    """Raises 4701, 416, 4708, 4712, 1088."""
    with session.names_of_user():
        table = resolve_itself(session, node.name)
    if table is None:
        raise sql_error(4701, str(node.name), span=node.name.span)
    if isinstance(table, Queue):
        raise sql_error(416, str(node.name), span=node.name.span)
    if not isinstance(table, Table):
        raise sql_error(4708, str(node.name), span=node.name.span)
    if children_of(table, session.catalog):
        raise sql_error(4712, str(node.name), span=node.name.span)
    check_writable(session, table.database_id)
    check_alter(session, table, node.name)
    return bind(table, session)
