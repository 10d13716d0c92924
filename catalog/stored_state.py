"""Reading what the store keeps of catalog and broker: at the start, and again when records were lost.

Decides what comes as records and what as numbers. It must not know why somebody asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_log import Logged
from sbql.catalog.broker_tables import BROKER_TABLES, record_of
from sbql.catalog.changes import StoredState
from sbql.catalog.fold import fold_uncommitted
from sbql.catalog.fold_deliveries import DELIVERY_TABLES
from sbql.catalog.object_codec import decode_object
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stored_messages import (
    held_numbers,
    stored_messages,
    stored_transmissions,
    too_many_ready,
    waiting_numbers,
)
from sbql.catalog.unread_endpoints import AtRest, EndpointRows, stored_endpoints
from sbql.catalog.unread_messages import unread_messages

__all__ = ["load_state", "unfolded_state"]


_CONVERSATIONS: Final = ("conversation_groups", "conversation_endpoints")


def load_state(
    connection: duckdb.DuckDBPyConnection,
    reader: duckdb.DuckDBPyConnection,
    always: Sequence[int],
    rows: EndpointRows,
    at_rest: AtRest | None = None,
    *,
    all_as_records: bool = False,
) -> StoredState:
    """The readable tables. Of many conversations those `at_rest` stay there, to be read as `rows`. Of very many ready
    messages only the numbers come, but for those of the message types `always`; of very many that wait for
    transmission, too, read by `reader` while they are wanted. `all_as_records`: never."""
    objects = connection.execute("SELECT record FROM sbql.objects").fetchall()
    snapshot = CatalogSnapshot.of(decode_object(text) for (text,) in objects)
    tables: dict[str, list[Any]] = {
        name: [record_of(record, row) for row in connection.execute(f"SELECT * FROM sbql.{name}").fetchall()]
        for name, (record, _) in {**BROKER_TABLES, **DELIVERY_TABLES}.items()
        if name not in ("messages", "transmission_queue", "deliveries", *_CONVERSATIONS)
    }
    many = None if all_as_records else too_many_ready(connection, always)
    found = stored_endpoints(connection, rows, None if all_as_records else at_rest, many)
    transmissions, are_all_waiting = stored_transmissions(connection, all_as_records=all_as_records)
    counters = dict(connection.execute("SELECT name, value FROM sbql.counters").fetchall())
    return StoredState(
        snapshot,
        found.endpoints,
        found.groups,
        stored_messages(connection, many),
        transmissions,
        counters,
        is_new=not objects,
        members=tables["monolog_members"],
        retained=sorted(tables["monolog_messages"], key=lambda m: m.message_key),
        consumers=tables["consumers"],
        held=held_numbers(connection),
        sent_batches=tables["sent_batches"],
        sink_dialogs=tables["sink_dialogs"],
        requests=tables["answered_requests"],
        subscriptions=tables["query_subscriptions"],
        waiting=() if are_all_waiting else waiting_numbers(reader),
        places=found.places,
        unread=found.unread,
        unread_messages=None if many is None else unread_messages(connection, many),
    )


def unfolded_state(connection: duckdb.DuckDBPyConnection, log: Logged, rows: EndpointRows) -> StoredState:
    """What `load_state` would find after a fold, all messages as records, with nothing written: the fold is rolled
    back."""
    connection.begin()
    try:
        log.catch_up(connection)
        fold_uncommitted(connection, 1 << 62, log)
        return load_state(connection, connection, (), rows, all_as_records=True)
    finally:
        connection.rollback()
