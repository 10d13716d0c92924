"""How a batch of journal records gets to the disk: into the broker's log, or in a DuckDB transaction of its own.

Decides which of the two, and what an error of them means. It must not know what a record says, nor who waits for it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_log import BrokerLog
from sbql.catalog.duckdb_errors import to_sql_error
from sbql.catalog.journal import Batch, last_record
from sbql.catalog.losses import Losses
from sbql.catalog.store_port import StorePort
from sbql.grammar.errors import SqlError

__all__ = ["RecordWriter"]

_MOST_BY_ONE_FLUSH: Final = 10_000
"""An appender flushes by itself after 204,800 rows; a batch nearer to that gets an explicit transaction."""


class RecordWriter:
    """One for each store; `connection` is its own. Every method is called with the pen. `written(batch)` is called
    before anybody takes a batch for durable."""

    losses: Losses

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, port: StorePort, log: BrokerLog, written: Callable[[Batch], None]
    ) -> None:
        self._connection, self._port, self._log, self._written = connection, port, log, written
        self._appender: Any = None
        self._first = 0

    def write(self, batch: Batch) -> None:
        """The records alone. Raises SqlError with nothing of them on disk."""
        self._first = batch[0][0]
        if not (self._log.takes(batch) and self._is_logged(batch)):
            try:
                self._port.call("journal", self.append, batch)
            except BaseException as error:
                self._appender = None
                with contextlib.suppress(duckdb.Error):
                    self._connection.rollback()
                if not self.losses.has_reached(batch[-1][0], error):
                    if isinstance(error, duckdb.Error | OSError):
                        raise to_sql_error(error) from None
                    raise
        self._written(batch)

    def refused(self, error: SqlError) -> None:
        """The disk has refused records, and they are lost, also where they stand in part."""
        try:
            self._log.strike_out(self._first)
        except OSError as second:
            self.losses.stop(second)
        else:
            self.losses.refused(error)

    def last_record(self) -> int | None:
        """Of those in DuckDB. Raises its errors."""
        return self._port.call("probe", last_record, self._connection)

    def close(self) -> None:
        """Close the connection, and with it what DuckDB has made for it."""
        self._appender = None
        self._connection.close()
        del self._connection

    def append(self, batch: Batch) -> None:
        """Into DuckDB's table. Raises its errors.

        A flush outside a transaction is one by itself. Each call into DuckDB gives the interpreter's lock away, and
        with many sessions it takes a while to come back: so few calls.
        """
        connection = self._connection
        begins_log = self._log.is_due(connection)
        is_explicit = begins_log or len(batch) > _MOST_BY_ONE_FLUSH
        if is_explicit:
            connection.begin()
        if begins_log:
            self._log.enter(connection)
        if self._appender is None:
            self._appender = connection.appender("sbql.journal")
        self._appender.append_rows(batch)
        self._appender.flush()
        if is_explicit:
            connection.commit()
        if begins_log:
            self._log.begun()

    def _is_logged(self, batch: Batch) -> bool:
        """False when the log has refused it: DuckDB may take it all the same."""
        try:
            self._port.call("journal", self._log.append, batch)
        except (duckdb.Error, OSError):
            return self._log.has(batch[-1][0])
        return True
