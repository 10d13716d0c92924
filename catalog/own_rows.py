"""Own rows for a second connection: what a transaction has written and not committed, for the queries of functions that
its own query calls.

A function that reads tables while a query runs reads on an inner connection, which sees only what is committed. Here
the tables that the transaction has written are copied into temp tables of that connection, with the redo list applied,
and the query reads the copies. Decides when a copy is stale. It must not know T-SQL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sbql.catalog.applied_changes import apply_change
from sbql.catalog.change_feed import touches
from sbql.catalog.changes import TEMP, Definition, RowChange, creation_of
from sbql.catalog.duck_types import quote
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.redo_runs import runs
from sbql.catalog.row_statements import writing_text
from sbql.catalog.store_protocols import StoreConnection

__all__ = ["OwnRows"]

_State = tuple[RowChange, int, int, int]
"""The last change in a copy, how many there are, the store's clock, and how many transactions of the
connection have been rolled back."""


class OwnRows:
    """The copies that one inner connection has."""

    def __init__(self, connection: StoreConnection) -> None:
        self._connection = connection
        self._made: dict[str, _State] = {}

    def over(self, sql: MarkedSql, tables: frozenset[str], redo: Sequence[RowChange]) -> MarkedSql:
        """The query with the copies of the tables that `redo` has changed in place of their marked names."""
        together = _together(tables, redo)
        changes = [change for change in redo if touches(change, together)]
        if not changes:
            return sql
        copies = {table: _copy_name(table) for table in together if any(_is_of(c, table) for c in changes)}
        state = (changes[-1], len(changes), self._connection.store.clock, self._connection.rollbacks)
        if any(not _is_same(self._made.get(table), state) for table in copies):
            self._copy(copies, changes)
            self._made.update(dict.fromkeys(copies, state))
        return sql.with_names(copies)

    def _copy(self, copies: Mapping[str, str], changes: Sequence[RowChange]) -> None:
        connection = self._connection
        connection.forget_statements()
        for table, copy in copies.items():
            connection.define(f"DROP TABLE IF EXISTS {copy}")
            first = next(change for change in changes if _is_of(change, table))
            if not (isinstance(first, Definition) and creation_of(table) in first.marked.names):
                connection.define(f"CREATE TEMP TABLE {copy} AS SELECT * FROM {table}")
        for change in runs(changes):
            self._apply(change, copies)

    def _apply(self, change: RowChange, copies: Mapping[str, str]) -> None:
        if isinstance(change, Definition):
            created = {creation_of(table): f"TEMP TABLE {copy}" for table, copy in copies.items()}
            names = {**copies, **created}
            assert not change.marked.names.isdisjoint(names), "it would change the table itself"
            self._connection.define(change.marked.with_names(names).plain())
        elif (text := writing_text(change, copies[change.table])) is not None:
            self._connection.run_write(text, ())
        else:
            moved = msgspec.structs.replace(change, table=copies[change.table])
            apply_change(self._connection, moved, may_be_found=False)


def _together(tables: frozenset[str], redo: Sequence[RowChange]) -> frozenset[str]:
    """The tables, and those that definitions have made of them or them of: their changes are done in turn."""
    found = set(tables)
    definitions = [set(change.tables) for change in redo if isinstance(change, Definition) and len(change.tables) > 1]
    while any(not group.isdisjoint(found) and not group <= found for group in definitions):
        for group in definitions:
            if not group.isdisjoint(found):
                found |= group
    return frozenset(found)


def _is_of(change: RowChange, table: str) -> bool:
    return table in change.tables if isinstance(change, Definition) else change.table == table


def _is_same(known: _State | None, state: _State) -> bool:
    return known is not None and known[0] is state[0] and known[1:] == state[1:]


def _copy_name(table: str) -> str:
    return f"{TEMP}.{quote(f'own {table}')}"
