"""The fold of what consumers and writers left in the journal: logs, ranges, batches sent, dialogs by key,
requests, subscriptions of queries.

Decides the net effect on their tables, and deletes the messages of acknowledged ranges where they stand: a range is a
line of the journal, however many messages it has. It must not know what a consumer is allowed to do.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.records.deliveries import (
    OUT_OF_TURN,
    AnsweredRequest,
    Consumer,
    DeleteConsumer,
    DeleteDelivery,
    DeleteMessages,
    DeleteQuerySubscription,
    DeleteRequest,
    DeleteSinkDialog,
    Delivery,
    DeliveryChange,
    QuerySubscription,
    SentBatch,
    SinkDialog,
)

__all__ = ["DELIVERY_TABLES", "OF_RANGES", "RANGES", "DeliveryEffect", "range_parameters"]

DELIVERY_TABLES: Final[dict[str, tuple[type, tuple[str, ...]]]] = {
    "consumers": (Consumer, ("log_id",)),
    "deliveries": (Delivery, ("log_id", "first_sequence")),
    "sent_batches": (SentBatch, ("database_id", "writer")),
    "sink_dialogs": (SinkDialog, ("database_id", "writer", "dialog_key")),
    "answered_requests": (AnsweredRequest, ("database_id", "name")),
    "query_subscriptions": (QuerySubscription, ("id",)),
}
"""Table in schema sbql -> the record of a row, the columns of its key."""

_GONE: Final[dict[type, str]] = {
    DeleteConsumer: "consumers",
    DeleteDelivery: "deliveries",
    DeleteSinkDialog: "sink_dialogs",
    DeleteRequest: "answered_requests",
    DeleteQuerySubscription: "query_subscriptions",
}
_TABLE_OF: Final = {record: table for table, (record, _) in DELIVERY_TABLES.items()}

RANGES: Final = (
    "(SELECT unnest(?::INTEGER[]) AS database_id, unnest(?::UUID[]) AS conversation_handle,"
    " unnest(?::BIGINT[]) AS first_key, unnest(?::BIGINT[]) AS last_key, unnest(?::BIGINT[]) AS first_sequence)"
)
"""Ranges as a relation: see `range_parameters`."""

OF_RANGES: Final = (
    "m.conversation_handle = r.conversation_handle AND m.database_id = r.database_id"
    " AND m.message_key BETWEEN r.first_key AND r.last_key AND m.message_key BETWEEN ? AND ? AND m.status = 1"
    f" AND (r.first_key = r.last_key OR m.message_type_id NOT IN ({', '.join(map(str, OUT_OF_TURN))}))"
)
"""Which messages `m` belong to ranges `r`; its parameters are the lowest and the highest key of all."""


def range_parameters(ranges: list[tuple[int, Any, int, int, int]]) -> list[Any]:
    """For RANGES and then OF_RANGES: (database_id, handle, first key, last key, first number) of each."""
    databases, handles, first, last, numbers = zip(*ranges, strict=True)
    keys = [list(databases), [str(handle) for handle in handles], list(first), list(last), list(numbers)]
    return [*keys, min(first), max(last)]


class DeliveryEffect:
    """The last word on every key of DELIVERY_TABLES, and the ranges whose messages are gone."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[tuple[Any, ...], Any]] = {}
        self.ranges: list[tuple[int, Any, int, int, int]] = []

    def add(self, change: DeliveryChange) -> None:
        if isinstance(change, DeleteMessages):
            self.ranges.append((change.database_id, change.conversation_handle, change.first_key, change.last_key, 0))
            return
        gone = _GONE.get(type(change))
        table = gone or _TABLE_OF[type(change)]
        key = tuple(getattr(change, name) for name in DELIVERY_TABLES[table][1])
        self.tables.setdefault(table, {})[key] = None if gone else change

    def apply(self, connection: duckdb.DuckDBPyConnection) -> None:
        """After the messages of the same stretch, in the caller's transaction."""
        if self.ranges:
            connection.execute(
                "DELETE FROM sbql.messages WHERE message_key IN ("
                f"SELECT m.message_key FROM {RANGES} r JOIN sbql.messages m ON {OF_RANGES})",
                range_parameters(self.ranges),
            )
        for table, rows in self.tables.items():
            _replace(connection, table, DELIVERY_TABLES[table][1], rows)


def _replace(
    connection: duckdb.DuckDBPyConnection, table: str, key: tuple[str, ...], rows: dict[tuple[Any, ...], Any]
) -> None:
    with connection.appender(f"sbql.{table}", action="delete", key=list(key)) as appender:
        appender.append_rows(list(rows))
    new = [msgspec.structs.astuple(record) for record in rows.values() if record is not None]
    if new:
        with connection.appender(f"sbql.{table}") as appender:
            appender.append_rows(new)
