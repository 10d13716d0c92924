"""Rows that somebody else has changed after a transaction's snapshot was taken: update conflicts under SNAPSHOT (3960).

It decides what counts as changed: another value in a stored column, or the row gone.
It must not know who asks, nor why.
"""

from __future__ import annotations

from collections.abc import Iterable

from sbql.catalog.changes import ROW_ID, storage_name
from sbql.catalog.duck_types import quote
from sbql.catalog.records import Table
from sbql.engine.ports import Transaction
from sbql.grammar.values.compare import is_same_value

__all__ = ["changed_since_snapshot"]


def changed_since_snapshot(txn: Transaction, table: Table, row_ids: Iterable[int]) -> bool:
    """Whether one of these rows, which the snapshot of `txn` has, is not so any more. Its own changes do not count."""
    unit, storage = txn.unit, storage_name(table.storage_schema, table.storage_name)
    if not unit.has_newer(storage):
        return False
    own = {r[0] for c in unit.redo if getattr(c, "table", "") == storage for r in getattr(c, "rows", ())}
    wanted = sorted(set(row_ids) - own)
    names = ", ".join(quote(n) for n in (ROW_ID, *(c.name for c in table.columns if c.is_deterministic)))
    sql = f"SELECT {names} FROM {storage} WHERE {quote(ROW_ID)} IN (SELECT unnest(CAST(? AS BIGINT[])))"
    reader = txn.store.store.connect()
    try:
        newest = {row[0]: row for row in reader.begin().query(sql, [wanted]).rows}
    finally:
        reader.close()
    for row in unit.query(sql, [wanted]).rows:
        now = newest.get(row[0])
        if now is None or not all(map(is_same_value, now, row)):
            return True
    return False
