"""One change of a redo list as DuckDB gets it: a statement, or an appender for many rows.

Decides which of them is quicker. It must not know transactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.catalog.changes import ROW_ID, Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.row_statements import insert_text, own_statement, update_text, writing_text
from sbql.catalog.store_ports import StoreConnection

__all__ = ["apply_change", "is_one_row"]

_APPENDED: Final = 4
"""Rows from which on an appender updates them sooner than statements: it looks through the table once."""


def apply_change(session: StoreConnection, change: RowChange, *, may_be_found: bool) -> None:
    """`may_be_found`: it may name what a query has found in place of rows. Raises DuckDB's errors."""
    text = writing_text(change) if may_be_found else None
    if text is not None:
        own = own_statement(change)
        session.run_write(*((text, ()) if own is None else (own.sql, own.values)))
    elif isinstance(change, InsertRows):
        _insert(session, change, change.rows)
    elif isinstance(change, UpdateRows):
        _update(session, change)
    elif isinstance(change, DeleteRows):
        _delete(session, change.table, list(change.row_ids))
    else:
        session.forget_statements()
        session.define(change.sql)


def is_one_row(change: RowChange) -> bool:
    if isinstance(change, DeleteRows):
        return len(change.row_ids) == 1
    return not isinstance(change, Definition) and len(change.rows) == 1


def _insert(session: StoreConnection, change: InsertRows, rows: Sequence[Sequence[Any]]) -> None:
    if len(rows) == 1:
        session.run_write(insert_text(change.table, change.columns), rows[0])
    elif rows:
        session.append(change.table, rows, columns=list(change.columns))


def _update(session: StoreConnection, change: UpdateRows) -> None:
    assert change.columns[0] == ROW_ID, "the row id comes first"
    if len(change.rows) < _APPENDED:
        for row in change.rows:
            session.run_write(update_text(change.table, change.columns), (*row[1:], row[0]))
    else:
        columns = list(change.columns)
        session.append(change.table, change.rows, columns=columns, action="update", key=[ROW_ID])


def _delete(session: StoreConnection, table: str, ids: list[int]) -> None:
    if len(ids) == 1:
        session.run_write(f'DELETE FROM {table} WHERE "{ROW_ID}" = ?', ids)
    elif ids:
        session.append(table, [(i,) for i in ids], action="delete", key=[ROW_ID])
