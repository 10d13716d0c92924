"""Reading queued messages and rows of transmission queues back from the store: all of them
at the start, or some by their keys.

Decides which come as records and which as numbers only when there are many. It must not know what makes a message
receivable: who asks says which kinds have to come as records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar
from uuid import UUID

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_tables import record_of
from sbql.catalog.first_row import first_row
from sbql.catalog.records.broker import HELD_BIT, QueuedMessage, TransmissionMessage
from sbql.catalog.records.deliveries import Delivery

__all__ = [
    "HeldNumbers",
    "Row",
    "TransmissionNumbers",
    "held_numbers",
    "read_messages",
    "read_transmissions",
    "stored_messages",
    "stored_transmissions",
    "too_many_ready",
    "waiting_numbers",
]

Row = TypeVar("Row", QueuedMessage, TransmissionMessage)

MOST_AS_RECORDS: Final = 50_000
"""Of more ready messages than this, only keys and queuing orders are read when a store is opened."""

_READY: Final = "status = 1 AND message_type_id NOT IN ({})"
_NOT_HELD: Final = "message_key NOT IN (SELECT message_key FROM main.held_messages)"
_CHUNK: Final = 1_000
_PART: Final = 100_000


class TransmissionNumbers(Struct, frozen=True):
    """Rows of the transmission queue of one endpoint in one direction, in their order. Many come in several parts."""

    database_id: int
    conversation_handle: UUID
    is_held: bool
    keys: list[int]
    numbers: list[int]
    next_attempt: float


class HeldNumbers(Struct, frozen=True):
    """A range that was delivered to a consumer, and its messages: their keys and queuing orders, in their order."""

    range: Delivery
    keys: list[int]
    orders: list[int]


def stored_messages(connection: duckdb.DuckDBPyConnection, left_out: str | None) -> list[QueuedMessage]:
    """The stored messages in the order of their queues; not those that consumers hold, nor those `left_out`."""
    which = f"{_free(connection)} AND NOT ({left_out or 'false'})"
    rows = connection.execute(f"SELECT * FROM sbql.messages WHERE {which} ORDER BY queue_id, queuing_order").fetchall()
    return [record_of(QueuedMessage, row) for row in rows]


def too_many_ready(connection: duckdb.DuckDBPyConnection, always: Sequence[int]) -> str | None:
    """Which messages are ready and held by no consumer, but for those of the types `always`, as SQL over the columns of
    their table, when there are more than MOST_AS_RECORDS: they are not for `stored_messages`."""
    ready = f"{_READY.format(', '.join(map(str, always)))} AND {_free(connection)}"
    (count,) = _one(connection, f"SELECT count(*) FROM sbql.messages WHERE {ready}")
    return ready if count > MOST_AS_RECORDS else None


def _free(connection: duckdb.DuckDBPyConnection) -> str:
    return _NOT_HELD if _is_any_held(connection) else "true"


def stored_transmissions(
    connection: duckdb.DuckDBPyConnection, *, all_as_records: bool = False
) -> tuple[list[TransmissionMessage], bool]:
    """The rows of transmission queues by their keys, and whether these are all: of more than MOST_AS_RECORDS, unless
    `all_as_records`, none come (see `waiting_numbers`)."""
    (count,) = _one(connection, "SELECT count(*) FROM sbql.transmission_queue")
    if count > MOST_AS_RECORDS and not all_as_records:
        return [], False
    rows = connection.execute("SELECT * FROM sbql.transmission_queue ORDER BY message_key").fetchall()
    return [record_of(TransmissionMessage, row) for row in rows], True


def waiting_numbers(connection: duckdb.DuckDBPyConnection) -> Iterator[TransmissionNumbers]:
    """The rows that `stored_transmissions` has left out, each endpoint's in order."""
    result = connection.execute(
        f"SELECT database_id, conversation_handle, (status & {HELD_BIT}) <> 0 AS is_held, list(message_key ORDER BY message_sequence_number), "
        "list(message_sequence_number ORDER BY message_sequence_number), arg_min(next_attempt, message_sequence_number), "
        f"message_sequence_number // {_PART} AS part FROM sbql.transmission_queue GROUP BY database_id, conversation_handle, is_held, part ORDER BY part"
    )
    while rows := result.fetchmany(_CHUNK):
        for row in rows:
            yield TransmissionNumbers(*row[:6])


def held_numbers(connection: duckdb.DuckDBPyConnection) -> list[HeldNumbers]:
    """What consumers hold, by the order of their logs."""
    if not _is_any_held(connection):
        return []
    rows = connection.execute(
        "SELECT d.*, h.keys, h.orders FROM sbql.deliveries d LEFT JOIN (SELECT log_id, first_sequence,"
        " list(message_key ORDER BY message_key) AS keys, list(queuing_order ORDER BY message_key) AS orders"
        " FROM main.held_messages GROUP BY ALL) h USING (log_id, first_sequence) ORDER BY d.log_id, d.first_sequence"
    ).fetchall()
    return [HeldNumbers(Delivery(*row[:-2]), row[-2] or [], row[-1] or []) for row in rows]


def _is_any_held(connection: duckdb.DuckDBPyConnection) -> bool:
    return bool(_one(connection, "SELECT count(*) FROM sbql.deliveries")[0])


def read_messages(
    connection: duckdb.DuckDBPyConnection, keys: Sequence[int], most_bytes: int
) -> dict[int, QueuedMessage]:
    """Messages by their keys, the first ones of `keys` whose bodies have
    `most_bytes` together, and always the first."""
    return {row[0]: record_of(QueuedMessage, row) for row in _read(connection, "messages", keys, most_bytes)}


def read_transmissions(
    connection: duckdb.DuckDBPyConnection, keys: Sequence[int], most_bytes: int
) -> dict[int, TransmissionMessage]:
    """Rows of transmission queues in the same way."""
    return {
        row[0]: record_of(TransmissionMessage, row) for row in _read(connection, "transmission_queue", keys, most_bytes)
    }


def _read(
    connection: duckdb.DuckDBPyConnection, table: str, keys: Sequence[int], most_bytes: int
) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = connection.execute(
        "WITH wanted AS (SELECT unnest(?::BIGINT[]) AS key, generate_subscripts(?::BIGINT[], 1) AS place) "
        f"SELECT {table}.* FROM sbql.{table} JOIN wanted ON message_key = key WHERE message_key BETWEEN ? AND ? "
        "QUALIFY place = 1 OR sum(coalesce(octet_length(message_body), 0)) OVER (ORDER BY place) <= ?",
        [keys, keys, min(keys), max(keys), most_bytes],
    ).fetchall()
    return rows


def _one(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    row = first_row(connection, sql)
    assert row is not None
    return row
