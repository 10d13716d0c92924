"""How many messages a queue has, without a fold: the rows of its table, and what the
journal says that no fold has moved yet.

Decides when that can be told from memory. Each record of the journal is looked at once, by the first count after it was
written, and only as far as the keys of its messages. It must not know what a queue is, nor who may read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import Any, Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_tables import LAST_MESSAGE_KEY
from sbql.catalog.journal import Journal
from sbql.catalog.journal_rows import NO_QUEUE, messages_of
from sbql.catalog.losses import Losses
from sbql.catalog.records.broker import BrokerChange, DeleteMessage, QueuedMessage
from sbql.catalog.store_port import StorePort
from sbql.catalog.unfolded import Unfolded

__all__ = ["MessageCounts"]

_STORED: Final = "SELECT count(*) FROM sbql.messages WHERE queue_id = ?"


class MessageCounts:
    """One for each store, with a `connection` of its own. Whoever has `tables_mutex` finds each record either in the
    tables or among the unfolded: a fold takes it for its commit alone, so that nobody waits for more of one."""

    def __init__(
        self,
        journal: Journal,
        unfolded: Unfolded,
        connection: duckdb.DuckDBPyConnection,
        tables_mutex: AbstractContextManager[Any],
        port: StorePort,
        losses: Losses,
    ) -> None:
        self._journal, self._unfolded, self._connection = journal, unfolded, connection
        self._tables_mutex, self._port, self._losses = tables_mutex, port, losses
        self._folds = -1
        self._seen = 0
        self._queues: dict[int, int] = {}
        """The queue that each message of the unfolded records is in now."""
        self._counts: Counter[int] = Counter()
        """How many of these there are in each queue."""
        self._has_ranges = False

    def count(self, queue_id: int, own: Sequence[BrokerChange] = ()) -> int | None:
        """The messages of a queue as committed by now, with a transaction's `own` changes on top, as a query finds
        them; None when it takes a fold to know. Raises SqlError as `Store.fold` does."""
        self._journal.settle(self._journal.last_lsn)
        with self._tables_mutex:
            if not self._look():
                return None
            try:
                found: int = self._port.call("read", self._count, queue_id, _queues_of(own))
            except (duckdb.Error, OSError) as error:
                raise self._losses.sql_error(error) from None
            return found

    def _look(self) -> bool:
        """Look at the records that have come. False when that does not tell where each message is."""
        folds, records = self._unfolded.folds, self._unfolded.through(self._journal.durable_lsn)
        if folds != self._folds:
            self._folds, self._seen, self._has_ranges = folds, 0, False
            self._queues.clear()
            self._counts.clear()
        if records is None:
            return False
        for lsn, record in records:
            if lsn > self._seen:
                self._add(messages_of(record))
                self._seen = lsn
        return not self._has_ranges

    def _add(self, found: dict[int, int] | None) -> None:
        queues, counts = self._queues, self._counts
        if found is None:
            self._has_ranges = True
            return
        for key, queue in found.items():
            before = queues.get(key)
            if before is not None:
                counts[before] -= 1
            counts[queue] += 1
            queues[key] = queue

    def close(self) -> None:
        self._connection.close()

    def _count(self, queue_id: int, mine: Mapping[int, int]) -> int:
        queues, run = self._queues, self._connection.execute
        counters = run("SELECT value FROM sbql.counters WHERE name = ?", [LAST_MESSAGE_KEY]).fetchall()
        last = counters[0][0] if counters else -1
        ((count,),) = run(_STORED, [queue_id]).fetchall()
        stored = {key for key in chain(queues, mine) if key <= last}
        if stored:
            text = f"{_STORED} AND message_key IN (SELECT unnest(?::BIGINT[]))"
            ((replaced,),) = run(text, [queue_id, list(stored)]).fetchall()
            count -= replaced
        count += self._counts[queue_id] - sum(queues.get(key) == queue_id for key in mine)
        return int(count) + sum(queue == queue_id for queue in mine.values())


def _queues_of(changes: Sequence[BrokerChange]) -> dict[int, int]:
    queues: dict[int, int] = {}
    for change in changes:
        if isinstance(change, QueuedMessage):
            queues[change.message_key] = change.queue_id
        elif isinstance(change, DeleteMessage):
            queues[change.message_key] = NO_QUEUE
    return queues
