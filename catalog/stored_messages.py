"""Reading queued messages back from the store: all of them at the start, or some by their keys.

Decides which come as records and which as numbers only when there are many. It must not know what makes a message
receivable: who asks says which kinds have to come as records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import duckdb

from sbql.catalog.records.broker import QueuedMessage

__all__ = ["MOST_AS_RECORDS", "MessageNumbers", "read_messages", "stored_messages", "stored_numbers"]

MOST_AS_RECORDS: Final = 50_000
"""Of more ready messages than this, only keys and queuing orders are read when a store is opened."""

_READY: Final = "status = 1 AND message_type_id NOT IN ({})"
_CHUNK: Final = 1_000
_PART: Final = 100_000


@dataclass(frozen=True, slots=True)
class MessageNumbers:
    """Ready messages of one conversation, in their order. A long one comes in several parts."""

    database_id: int
    conversation_handle: UUID
    keys: list[int]
    orders: list[int]


def stored_messages(
    connection: duckdb.DuckDBPyConnection, always: Sequence[int], *, all_as_records: bool = False
) -> tuple[list[QueuedMessage], bool]:
    """The stored messages in the order of their queues, and whether these are all. With more ready ones than
    MOST_AS_RECORDS, unless `all_as_records`, they are left out (see `stored_numbers`) but for the types `always`."""
    if all_as_records:
        rows = connection.execute("SELECT * FROM sbql.messages ORDER BY queue_id, queuing_order").fetchall()
        return [QueuedMessage(*row) for row in rows], True
    ready = _READY.format(", ".join(map(str, always)))
    (count,) = _one(connection, f"SELECT count(*) FROM sbql.messages WHERE {ready}")
    which = "" if count <= MOST_AS_RECORDS else f"WHERE NOT ({ready})"
    rows = connection.execute(f"SELECT * FROM sbql.messages {which} ORDER BY queue_id, queuing_order").fetchall()
    return [QueuedMessage(*row) for row in rows], not which


def stored_numbers(connection: duckdb.DuckDBPyConnection, always: Sequence[int]) -> Iterator[MessageNumbers]:
    """The ready messages that `stored_messages` has left out, each conversation's in order."""
    order = "ORDER BY message_sequence_number, message_key"
    result = connection.execute(
        f"SELECT database_id, conversation_handle, list(message_key {order}), list(queuing_order {order}), "
        f"min(message_sequence_number) // {_PART} AS part FROM sbql.messages "
        f"WHERE {_READY.format(', '.join(map(str, always)))} "
        f"GROUP BY database_id, conversation_handle, message_sequence_number // {_PART} ORDER BY part"
    )
    while rows := result.fetchmany(_CHUNK):
        for database_id, handle, keys, orders, _ in rows:
            yield MessageNumbers(database_id, handle, keys, orders)


def read_messages(
    connection: duckdb.DuckDBPyConnection, keys: Sequence[int], most_bytes: int
) -> dict[int, QueuedMessage]:
    """Messages by their keys, the first ones of `keys` whose bodies have `most_bytes` together, and always the first."""
    rows = connection.execute(
        "WITH wanted AS (SELECT unnest(?::BIGINT[]) AS key, generate_subscripts(?::BIGINT[], 1) AS place) "
        "SELECT messages.* FROM sbql.messages JOIN wanted ON message_key = key WHERE message_key BETWEEN ? AND ? "
        "QUALIFY place = 1 OR sum(coalesce(octet_length(message_body), 0)) OVER (ORDER BY place) <= ?",
        [keys, keys, min(keys), max(keys), most_bytes],
    ).fetchall()
    return {row[0]: QueuedMessage(*row) for row in rows}


def _one(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = connection.execute(sql).fetchone()
    assert row is not None
    return row
