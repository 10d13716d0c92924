"""Own rows for a second connection: what a transaction has written and not committed, for the queries of functions that
its own query calls.

DuckDB runs one query at a time on a connection, so a function that reads tables while a query runs reads on a helper
connection, which sees only what is committed. Here the tables that the transaction has written are copied into temp
tables of the helper, with the redo list applied, and the query reads the copies. Decides when a copy is stale. It must
not know T-SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sbql.catalog.changes import ROW_ID, TEMP, Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.duck_types import quote
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.row_statements import writing_text

if TYPE_CHECKING:
    from sbql.catalog.store_session import StoreSession

__all__ = ["OwnRows"]


class OwnRows:
    """The copies that one helper connection has."""

    def __init__(self, helper: StoreSession) -> None:
        self._helper = helper
        self._made: dict[str, tuple[Any, int, int, int]] = {}

    def over(self, sql: MarkedSql, tables: frozenset[str], redo: Sequence[RowChange]) -> MarkedSql:
        """The query with the copies of the tables that `redo` has changed in place of their marked names."""
        copies: dict[str, str] = {}
        for table in sorted(tables):
            changes = [change for change in redo if _touches(change, table)]
            if changes:
                name = f"own_{''.join(c if c.isalnum() else '_' for c in table)}"
                copy = f"{TEMP}.{quote(name)}"
                state = (changes[-1], len(changes), self._helper.store.clock, self._helper.rollbacks)
                known = self._made.get(table)
                if known is None or known[0] is not state[0] or known[1:] != state[1:]:
                    self._copy(table, copy, changes)
                    self._made[table] = state
                copies[table] = copy
        return sql.with_names(copies)

    def _copy(self, table: str, copy: str, changes: Sequence[RowChange]) -> None:
        connection = self._helper.connection
        connection.execute(f"DROP TABLE IF EXISTS {copy}")
        first = changes[0]
        if not (isinstance(first, Definition) and first.sql.lstrip().upper().startswith("CREATE")):
            connection.execute(f"CREATE TEMP TABLE {copy} AS SELECT * FROM {table}")
        for change in changes:
            self._apply(change, table, copy)
        self._helper.forget_statements()

    def _apply(self, change: RowChange, table: str, copy: str) -> None:
        connection = self._helper.connection
        if isinstance(change, Definition):
            connection.execute(change.sql.replace(table, copy))
        elif (text := writing_text(change, copy)) is not None:
            connection.execute(text)
        elif isinstance(change, InsertRows):
            names = ", ".join(map(quote, change.columns))
            marks = ", ".join("?" * len(change.columns))
            connection.executemany(f"INSERT INTO {copy} ({names}) VALUES ({marks})", [list(row) for row in change.rows])
        elif isinstance(change, UpdateRows):
            sets = ", ".join(f"{quote(name)} = ?" for name in change.columns[1:])
            rows = [[*row[1:], row[0]] for row in change.rows]
            connection.executemany(f'UPDATE {copy} SET {sets} WHERE "{ROW_ID}" = ?', rows)
        elif isinstance(change, DeleteRows) and change.row_ids:
            connection.executemany(f'DELETE FROM {copy} WHERE "{ROW_ID}" = ?', [[i] for i in change.row_ids])


def _touches(change: RowChange, table: str) -> bool:
    if isinstance(change, Definition):
        return table in change.tables
    return change.table == table
