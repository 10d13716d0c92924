"""How many rows the tables have, for views: what is committed, and what the own transaction has made of it.

Decides when a count still holds: until a commit writes the table, which the store knows of all tables without asking
DuckDB. Many tables are counted by one query. It must not know the views.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sbql.catalog.changes import Definition, storage_name
from sbql.catalog.live_counts import TableRows
from sbql.catalog.marked_sql import MarkedSql, mark
from sbql.catalog.records import Table
from sbql.catalog.stamps import ANY_TABLE, definition_stamp
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.ports import Session
from sbql.engine.security import visible_catalog
from sbql.grammar.errors import SqlError

__all__ = ["table_rows"]

_TOGETHER: Final = 100
"""Tables that one query counts. With one a query it takes three times as long, with 500 half as long again."""
_IS_NOT_THERE: Final = 50
"""What DuckDB does not know."""


def table_rows(session: Session) -> Iterator[TableRows]:
    """Of the tables that the session sees, but for temporary tables of other sessions, which nobody else can read.
    Raises SqlError."""
    found = {table.id: table for table in visible_catalog(session).all(Table)}
    for temporary in (session.instance.global_temp_tables, session.temp_tables):
        found.update((table.id, table) for table in list(temporary.values()))
    counts = _counts(session, found.values())
    for table in found.values():
        yield TableRows(table.database_id, object_id=table.id, rows=counts.get(_storage(table), 0))


def _storage(table: Table) -> str:
    return storage_name(table.storage_schema, table.storage_name)


def _counts(session: Session, tables: Iterable[Table]) -> dict[str, int]:
    """By storage name. A table that the transaction's snapshot does not know has none."""
    store = session.instance.store
    kept, clock = store.feed.counts, store.clock
    transaction = session.transaction
    unit = transaction.unit if transaction is not None and transaction.has_unit else None
    own = {} if unit is None else dict.fromkeys(_written(unit))
    counts: dict[str, int] = {}
    shared, asked = set[str](), list[str]()
    for table in tables:
        storage, known = _storage(table), None
        is_old = unit is not None and unit.is_snapshot and unit.has_newer(storage)
        if not (table.session_id or storage in own or ANY_TABLE in own or is_old):
            shared.add(storage)
            known = kept.get(storage)
        if known is not None and not store.is_stale(known[0], (storage,)):
            counts[storage] = known[1]
        elif not ((table.session_id and session.store.inner.depth) or _is_unknown(unit, storage)):
            asked.append(storage)
    for first in range(0, len(asked), _TOGETHER):
        for storage, count in _counted(session, asked[first : first + _TOGETHER]):
            counts[storage] = count
            if storage in shared and not (unit is not None and unit.is_snapshot):
                kept[storage] = clock, count
    return counts


def _is_unknown(unit: UnitOfWork | None, storage: str) -> bool:
    """To the snapshot, which began before the table was as it is."""
    return unit is not None and unit.is_snapshot and unit.has_newer(definition_stamp(storage))


def _written(unit: UnitOfWork) -> Iterator[str]:
    for change in unit.redo:
        if isinstance(change, Definition):
            yield from change.tables or (ANY_TABLE,)
        else:
            yield change.table


def _counted(session: Session, storages: Sequence[str]) -> list[tuple[str, int]]:
    """A table that somebody has dropped meanwhile is left out. Raises SqlError."""
    text = " UNION ALL ".join(f"SELECT {n}, count(*) FROM {mark(storage)}" for n, storage in enumerate(storages))
    try:
        return [(storages[n], count) for n, count in _read(session, MarkedSql.of(text), frozenset(storages))]
    except SqlError as error:
        if error.number != _IS_NOT_THERE:
            raise
        return [found for storage in storages for found in _counted(session, (storage,))] if len(storages) > 1 else []


def _read(session: Session, sql: MarkedSql, tables: frozenset[str]) -> list[tuple[int, int]]:
    """By the connection that is free: the session's own, or, in a function that a running query calls, another one."""
    inner, transaction = session.store.inner, session.transaction
    if not inner.depth:
        rows: list[tuple[int, int]] = session.read(sql.plain(), tables=tables).rows
        return rows
    connection, own = inner.free()
    redo = transaction.unit.redo if transaction is not None and transaction.has_unit else ()
    rows = connection.begin().query(own.over(sql, tables, redo) if redo else sql, tables=tables).rows
    return rows
