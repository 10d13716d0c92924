"""Messages in bulk: delivered ranges read as Arrow, without a Python object a message.

Decides how ranges become rows. It must not know what a consumer is: it is told ranges of
keys, and the names that stand for ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.bulk_append import BulkAppend
from sbql.catalog.fold_deliveries import OF_RANGES, RANGES, range_parameters
from sbql.catalog.staging import Staging
from sbql.catalog.store_port import StorePort
from sbql.grammar.errors import SqlError

__all__ = ["BulkMessages", "MessageRange"]

MessageRange = tuple[int, UUID, int, int, int, UUID]
"""database_id, conversation_handle, first key, last key, number of the first message, conversation_group_id
(which the store does not need)."""

BATCH_ROWS: Final = 10_000
"""Rows in one record batch."""

MANY: Final = 500
"""So many messages that are sent together are worth a transaction of their own with the message table: that
costs as much as a hundred SENDs."""

_COLUMNS: Final = """
    r.first_sequence, CAST(m.priority AS SMALLINT) AS priority, m.queuing_order, m.message_sequence_number, m.service_id,
    m.contract_id AS service_contract_id, m.message_type_name, m.message_type_id, m.validation, m.message_body,
    sbql.at(m.message_enqueue_time) AS message_enqueue_time
"""
"""What differs from message to message. What all messages of a range share (handle, group) and the names that stand for
ids are texts. To sort and send these a million times takes three times as long as everything else, so whoever reads
puts them in."""

_NUMBER: Final = (
    "r.first_sequence + row_number() OVER (PARTITION BY r.first_sequence ORDER BY m.message_key) - 1 AS _seq"
)


class ArrowRows:
    """A result that is read once, as Arrow, in batches: a stream (`__arrow_c_stream__`), or batch by batch. It keeps
    its connection until it is read to its end or closed."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, result: Any) -> None:
        self._connection = connection
        self._reader = result.to_arrow_reader(BATCH_ROWS)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._reader.__arrow_c_stream__(requested_schema)

    @property
    def schema(self) -> Any:
        return self._reader.schema

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._reader
        finally:
            self.close()

    def close(self) -> None:
        self._connection.close()


class BulkMessages:
    """The messages of a store by ranges, which have to be folded. Every method raises SqlError
    and may be called from any thread."""

    def __init__(
        self,
        connect: Callable[[], duckdb.DuckDBPyConnection],
        port: StorePort,
        sql_error: Callable[[duckdb.Error | OSError], SqlError],
        appending: BulkAppend,
    ) -> None:
        self._connect = connect
        self._port = port
        self._sql_error = sql_error
        self.staging = Staging(connect, port, sql_error)
        self.many = MANY
        self.appending = appending

    def read(
        self,
        ranges: Sequence[MessageRange],
        *,
        with_numbers: bool = False,
    ) -> ArrowRows:
        """The messages in the order of their numbers. `first_sequence` says which range each is of; with
        `with_numbers`, `_seq` is its own."""
        connection = self._connect()
        try:
            return self._port.call("read", _read, connection, ranges, with_numbers)
        except BaseException as error:
            connection.close()
            if isinstance(error, duckdb.Error | OSError):
                raise self._sql_error(error) from None
            raise

    def count_within(self, ranges: Sequence[MessageRange], most_bytes: int) -> int:
        """So many of the first messages have bodies of `most_bytes` together; the first one counts in any case."""
        return self._number(_count_within, ranges, most_bytes)

    def count(self, database_id: int, queue_id: int) -> int:
        """Messages of a queue that are ready or delivered."""
        return self._number(_count, database_id, queue_id)

    def _number(self, query: Callable[..., int], *arguments: Any) -> int:
        connection = self._connect()
        try:
            return self._port.call("read", query, connection, *arguments)
        except (duckdb.Error, OSError) as error:
            raise self._sql_error(error) from None
        finally:
            connection.close()


def _read(
    connection: duckdb.DuckDBPyConnection,
    ranges: Sequence[MessageRange],
    with_numbers: bool,
) -> ArrowRows:
    duckdb.load_arrow()
    columns = f"{_COLUMNS}, {_NUMBER}" if with_numbers else _COLUMNS
    *keys, low, high = range_parameters([r[:5] for r in ranges] or [(0, UUID(int=0), 0, -1, 0)])
    result = connection.sql(
        f"SELECT {columns} FROM {RANGES} r"
        f" JOIN sbql.messages m ON {OF_RANGES}"
        " ORDER BY r.first_sequence, m.message_key",
        params=[*keys, low, high],
    )
    return ArrowRows(connection, result)


def _count_within(connection: duckdb.DuckDBPyConnection, ranges: Sequence[MessageRange], most_bytes: int) -> int:
    *keys, low, high = range_parameters([r[:5] for r in ranges])
    ((count,),) = connection.execute(
        "SELECT count(*) FROM (SELECT row_number() OVER w AS place, sum(coalesce(octet_length(m.message_body), 0)) OVER w AS size"
        f" FROM {RANGES} r JOIN sbql.messages m ON {OF_RANGES} WINDOW w AS (ORDER BY r.first_sequence, m.message_key"
        " ROWS UNBOUNDED PRECEDING)) WHERE place = 1 OR size <= ?",
        [*keys, low, high, most_bytes],
    ).fetchall()
    return int(count)


def _count(connection: duckdb.DuckDBPyConnection, database_id: int, queue_id: int) -> int:
    sql = "SELECT count(*) FROM sbql.messages WHERE queue_id = ? AND database_id = ? AND status = 1"
    ((count,),) = connection.execute(sql, [queue_id, database_id]).fetchall()
    return int(count)
