"""What is kept of counters when an instance closes: last identity values, last row version, where sequences are.

Decides when that is: once all sessions have ended, and only if something was counted. It must not know how a counter
counts.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.kept_counters import KeptCounter, keep_counter, read_counters, write_counters
from sbql.catalog.records import Table
from sbql.engine.describe.sequence_values import keep_values
from sbql.engine.ports import Instance
from sbql.engine.table_state import ROW_VERSIONS, Kept, TableStates
from sbql.grammar.errors import SqlError

__all__ = ["keep_counters", "table_states"]


def table_states(store: Any) -> TableStates:
    """The counters of a store's tables, which go on from what was kept, and keep the ends of their blocks."""
    if store.path is None:
        return TableStates()

    def kept() -> Kept:
        counters, is_certain = read_counters(store)
        return Kept({one.table_id: (one.created, one.last) for one in counters}, is_certain)

    def keep(table_id: int, created: float, last: int | None) -> None:
        keep_counter(store, table_id, created, last)

    return TableStates(kept, keep)


def keep_counters(instance: Instance) -> None:
    """A disk that refuses must not stop the end of an instance: it is told, and the next one goes by the rows."""
    if instance.store.path is None:
        return
    try:
        keep_values(instance)
        _keep(instance)
    except SqlError as error:
        instance.log_failure("in keeping the counters of tables", error)


def _keep(instance: Instance) -> None:
    if not instance.tables.was_asked:
        return
    kept = instance.tables.kept()
    found = {
        table.id: (table.create_date, last)
        for table in instance.catalog.all(Table)
        if any(column.is_identity for column in table.columns)
        and (last := instance.tables.last_identity(table.id, table.create_date)) is not None
    }
    version = instance.tables.last_version
    if version is not None:
        found[ROW_VERSIONS] = (0.0, version)
    if found or kept.values:
        write_counters(instance.store, (KeptCounter(number, *counter) for number, counter in found.items()))
