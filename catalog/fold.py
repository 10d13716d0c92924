"""The fold: what the journal says, moved into the readable tables.

Decides the net effect of a stretch of the journal: the last word on each key wins. It is written, and the stretch
deleted, in one DuckDB transaction, so that a crash finds either all of it or none. A message that
was sent and received within the stretch never touches a table. It must not know who reads the tables.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_log import NO_LOG, Logged
from sbql.catalog.broker_tables import BROKER_TABLES, COLUMN_TYPES, LAST_MESSAGE_KEY, queue_counter
from sbql.catalog.journal import encode
from sbql.catalog.journal_rows import row_values
from sbql.catalog.net_effect import NetEffect
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.row_columns import delete_keys, insert_rows

__all__ = ["NOTHING", "fold_once", "fold_uncommitted", "fold_with"]

Records = Sequence[tuple[int, bytes]]
"""Journal records with their LSNs, in order."""

NOTHING: Final = encode([])
"""A record without changes."""

_CHUNK: Final = 1000
_COUNTERS: Final = (("name", "VARCHAR"), ("value", "BIGINT"))


def fold_once(
    connection: duckdb.DuckDBPyConnection,
    through: int,
    remembered: Records | None = None,
    log: Logged = NO_LOG,
    committing: Callable[[], object] = lambda: None,
) -> tuple[int, int]:
    """Fold every record of the journal up to LSN `through`, those in DuckDB and those in the broker's `log`.
    `remembered`: these records, when they are still in memory; they are taken only if there are exactly as many.
    `committing` is called when all is written and will now be seen. Returns (records folded, last LSN folded or 0).

    Raises the DuckDB error or OSError with the transaction rolled back.
    """
    connection.begin()
    try:
        log.catch_up(connection)
        if remembered is None or not _fold_remembered(connection, through, remembered, log):
            count, last = fold_uncommitted(connection, through, log)
        else:
            count, last = len(remembered), remembered[-1][0] if remembered else 0
        log.note(connection, through)
        committing()
        connection.commit()
    except BaseException:
        _roll_back(connection)
        raise
    log.folded(through)
    return count, last


def fold_uncommitted(connection: duckdb.DuckDBPyConnection, through: int, log: Logged = NO_LOG) -> tuple[int, int]:
    """The same in a transaction that the caller has begun and ends, and that says nothing of the log."""
    effect, count, last, _ = _read(connection, through, log)
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
    log: Logged = NO_LOG,
) -> int:
    """In the caller's transaction: the journal, records that wait for the disk, and `changes` that have no record, into
    the tables; `counters` have reached these values. Of `lsn` an empty record is left, which shows that this was
    committed. Returns how many records the journal had; the log is to be told when it is committed."""
    log.catch_up(connection)
    effect, count, _, stored = _read(connection, lsn, log)
    for _, record in waiting:
        effect.add_record(record)
    effect.add_record(encode(changes))
    for name, value in counters.items():
        effect.at_least(name, value)
    _apply(connection, effect)
    if stored:
        connection.execute("DELETE FROM sbql.journal WHERE lsn < ?", [lsn])
    log.note(connection, lsn)
    connection.execute("INSERT INTO sbql.journal VALUES (?, ?)", [lsn, NOTHING])
    return count


def _fold_remembered(connection: duckdb.DuckDBPyConnection, through: int, remembered: Records, log: Logged) -> bool:
    """False with nothing done when the journal has other records than memory thinks."""
    ((count,),) = connection.execute("SELECT count(*) FROM sbql.journal WHERE lsn <= ?", [through]).fetchall()
    if count + log.count(through) != len(remembered):
        return False
    effect = NetEffect()
    for _, record in remembered:
        effect.add_record(record)
    if remembered:
        _apply(connection, effect)
    if count:
        connection.execute("DELETE FROM sbql.journal WHERE lsn <= ?", [through])
    return True


def _read(connection: duckdb.DuckDBPyConnection, through: int, log: Logged) -> tuple[NetEffect, int, int, int]:
    """(what they come to, how many they are, the last LSN, how many are in DuckDB)."""
    effect = NetEffect()
    count = last = stored = 0

    def in_duckdb() -> Iterator[tuple[int, bytes]]:
        nonlocal stored
        result = connection.execute("SELECT lsn, record FROM sbql.journal WHERE lsn <= ? ORDER BY lsn", [through])
        while rows := result.fetchmany(_CHUNK):
            stored += len(rows)
            yield from rows

    for lsn, record in heapq.merge(in_duckdb(), log.read(through), key=itemgetter(0)):
        if lsn > last:  # in both: the log could not say whether it had it, and DuckDB took it, too
            effect.add_record(record)
            last = lsn
            count += 1
    return effect, count, last, stored


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
