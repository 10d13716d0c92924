"""The fold: what the journal says, moved into the readable tables.

Decides the net effect of a stretch of the journal (the last word on each key wins) and writes it in one DuckDB
transaction together with the deletion of that stretch, so a crash finds either all of it or none. A message that
was sent and received within the stretch never touches a table. It must not know who reads the tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_tables import BROKER_TABLES, COLUMN_TYPES, LAST_MESSAGE_KEY, queue_counter
from sbql.catalog.journal import encode
from sbql.catalog.journal_rows import row_values
from sbql.catalog.net_effect import NetEffect
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.row_columns import delete_keys, insert_rows

__all__ = ["NOTHING", "Records", "fold_once", "fold_uncommitted", "fold_with"]

Records = Sequence[tuple[int, bytes]]
"""Journal records with their LSNs, in order."""

NOTHING: Final = encode([])
"""A record without changes."""

_CHUNK: Final = 1000
_COUNTERS: Final = (("name", "VARCHAR"), ("value", "BIGINT"))


def fold_once(
    connection: duckdb.DuckDBPyConnection, through: int, remembered: Records | None = None
) -> tuple[int, int]:
    """Fold every journal row up to LSN `through`. `remembered`: these rows, when they are still in memory; they are taken only if the journal has
    exactly as many. Returns (rows folded, last LSN folded or 0).

    Raises the DuckDB error with the transaction rolled back.
    """
    connection.begin()
    try:
        if remembered is None or not _fold_remembered(connection, through, remembered):
            count, last = fold_uncommitted(connection, through)
        else:
            count, last = len(remembered), remembered[-1][0] if remembered else 0
        connection.commit()
    except BaseException:
        _roll_back(connection)
        raise
    return count, last


def fold_uncommitted(connection: duckdb.DuckDBPyConnection, through: int) -> tuple[int, int]:
    """The same in a transaction that the caller has begun and ends."""
    effect, count, last = _read(connection, through)
    if count:
        _apply(connection, effect)
        connection.execute("DELETE FROM sbql.journal WHERE lsn <= ?", [last])
    return count, last


def fold_with(
    connection: duckdb.DuckDBPyConnection,
    lsn: int,
    waiting: Records,
    changes: Sequence[BrokerChange],
    counters: Mapping[str, int],
) -> int:
    """In the caller's transaction: the journal, records that wait for the disk, and `changes` that have no record, into the tables; `counters` have
    reached these values. Of `lsn` an empty record is left, which shows that this was committed. Returns how many rows the journal had."""
    effect, count, _ = _read(connection, lsn)
    for _, record in waiting:
        effect.add_record(record)
    effect.add_record(encode(changes))
    for name, value in counters.items():
        effect.at_least(name, value)
    _apply(connection, effect)
    if count:
        connection.execute("DELETE FROM sbql.journal WHERE lsn < ?", [lsn])
    connection.execute("INSERT INTO sbql.journal VALUES (?, ?)", [lsn, NOTHING])
    return count


def _fold_remembered(connection: duckdb.DuckDBPyConnection, through: int, remembered: Records) -> bool:
    """False with nothing done when the journal has other rows than memory thinks."""
    ((count,),) = connection.execute("SELECT count(*) FROM sbql.journal WHERE lsn <= ?", [through]).fetchall()
    if count != len(remembered):
        return False
    effect = NetEffect()
    for _, record in remembered:
        effect.add_record(record)
    if count:
        _apply(connection, effect)
        connection.execute("DELETE FROM sbql.journal WHERE lsn <= ?", [through])
    return True


def _read(connection: duckdb.DuckDBPyConnection, through: int) -> tuple[NetEffect, int, int]:
    effect = NetEffect()
    count = last = 0
    result = connection.execute("SELECT lsn, record FROM sbql.journal WHERE lsn <= ? ORDER BY lsn", [through])
    while rows := result.fetchmany(_CHUNK):
        for lsn, record in rows:
            effect.add_record(record)
            last = lsn
        count += len(rows)
    return effect, count, last


def _apply(connection: duckdb.DuckDBPyConnection, effect: NetEffect) -> None:
    stored = dict(connection.execute("SELECT name, value FROM sbql.counters").fetchall())
    watermark = stored.get(LAST_MESSAGE_KEY, -1)
    for table, (_, key) in BROKER_TABLES.items():
        changes = effect.tables[table]
        if not changes:
            continue
        columns = COLUMN_TYPES[table]
        has_serial_key = key == ("message_key",)
        gone = [(k,) for k in changes if k <= watermark] if has_serial_key else list(changes)
        delete_keys(connection, table, [column for column in columns if column[0] in key], gone)
        rows = [row_values(table, row) for row in changes.values() if row is not None]
        insert_rows(connection, table, columns, rows)
    if effect.deliveries is not None:
        effect.deliveries.apply(connection)
    if counters := effect.counters():
        rows = [(n, max(v, stored.get(n, v)) if _only_grows(n) else v) for n, v in counters.items()]
        delete_keys(connection, "counters", _COUNTERS[:1], [(name,) for name, _ in rows])
        insert_rows(connection, "counters", _COUNTERS, rows)


def _only_grows(counter: str) -> bool:
    return counter == LAST_MESSAGE_KEY or counter.startswith(queue_counter(0)[:-1])


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.rollback()
    except duckdb.Error:  # the failed COMMIT has ended the transaction already
        pass
