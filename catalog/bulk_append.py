"""A commit that brings a batch of messages: they go into the message table in the transaction of the commit itself.

Decides what is on disk together:

- the batch
- what the transaction has changed besides
- everything that was committed before it (the fold)
- an empty record with the LSN of the commit, by which it is known whether it got there.

So whoever reads the tables finds all of a batch, with its dialogs, or nothing. It must not know what the messages mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_log import Logged
from sbql.catalog.broker_tables import LAST_MESSAGE_KEY, queue_counter
from sbql.catalog.fold import NOTHING, fold_with
from sbql.catalog.journal import Batch, Journal
from sbql.catalog.losses import Losses
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.staged_batch import BulkRows
from sbql.catalog.store_port import StorePort

__all__ = ["BulkAppend"]


class BulkAppend:
    """One for each store. `note_fold(gone, last, folded, left)`: `gone` records of the journal, up to LSN `last`, are
    in the tables now, which got `folded` in all; `left` came into the journal."""

    def __init__(
        self,
        connect: Callable[[], duckdb.DuckDBPyConnection],
        port: StorePort,
        journal: Journal,
        losses: Losses,
        turn: Callable[[], AbstractContextManager[None]],
        note_fold: Callable[[int, int, int, Batch], None],
        log: Logged,
    ) -> None:
        self._connect = connect
        self._port = port
        self._journal = journal
        self._losses = losses
        self.turn = turn
        """Around `append`, which has to happen under somebody's lock: take the lock inside. Nobody
        else commits or folds meanwhile."""
        self._note_fold = note_fold
        self._log = log
        self.committed = 0
        """In `turn`: what `append` returns, as soon as all is committed, whatever it raises behind that."""

    def append(self, changes: Sequence[BrokerChange], rows: BulkRows) -> int:
        """In `turn`: commit `changes` and the messages of `rows`, whose `number` was called. Returns the LSN: it
        is on disk, in the readable tables, with everything before it. Raises SqlError with nothing of it
        committed, and what waited waiting again."""
        self.committed = 0
        lsn, waiting = self._journal.take(None)
        connection = self._connect()
        is_committing = False
        folded = 0
        try:
            connection.begin()
            folded = self._port.call("append", _write, connection, lsn, waiting, changes, self._log, rows)
            is_committing = True
            self._port.call("commit", connection.commit)
        except BaseException as error:
            with suppress(duckdb.Error):
                connection.rollback()
            if not (is_committing and self._losses.has_reached(lsn, error)):
                self._journal.put_back(waiting)
                if isinstance(error, duckdb.Error | OSError):
                    raise self._losses.sql_error(error) from None
                raise
        finally:
            connection.close()
        self.committed = lsn
        try:
            self._log.folded(lsn)
            self._note_fold(folded, lsn - 1, folded + len(waiting), [(lsn, NOTHING)])
        finally:
            self._journal.written(lsn)
        return lsn


def _write(
    connection: duckdb.DuckDBPyConnection,
    lsn: int,
    waiting: Batch,
    changes: Sequence[BrokerChange],
    log: Logged,
    rows: BulkRows,
) -> int:
    counters = {LAST_MESSAGE_KEY: rows.first_key + rows.batch.size - 1}
    for queue_id, last_order in rows.last_orders().items():
        counters[queue_counter(queue_id)] = last_order
    folded = fold_with(connection, lsn, waiting, changes, counters, log)
    rows.batch.insert(connection, rows)
    return folded
