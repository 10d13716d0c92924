"""The broker's readable tables: which record is a row of which, what its key is, and the types of its columns.

Decides nothing else. It must not know when they are written, nor who reads them.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec

from sbql.catalog.records.broker import (
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)

__all__ = ["BROKER_TABLES", "COLUMN_TYPES", "LAST_MESSAGE_KEY", "queue_counter", "record_of", "row_of"]

Record = TypeVar("Record", bound=msgspec.Struct)

LAST_MESSAGE_KEY: Final = "message_key"
"""Counter: the highest message key ever stored."""

BROKER_TABLES: Final[dict[str, tuple[type, tuple[str, ...]]]] = {
    "conversation_endpoints": (ConversationEndpoint, ("conversation_handle", "database_id")),
    "conversation_groups": (ConversationGroup, ("conversation_group_id", "database_id")),
    "messages": (QueuedMessage, ("message_key",)),
    "transmission_queue": (TransmissionMessage, ("message_key",)),
    "monolog_members": (MonologMember, ("conversation_handle", "database_id")),
    "monolog_messages": (MonologMessage, ("message_key",)),
}
"""Table in schema sbql -> the record of a row, the columns of its key."""

COLUMN_TYPES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "conversation_endpoints": (
        ("conversation_handle", "UUID"), ("conversation_id", "UUID"), ("is_initiator", "BOOLEAN"),
        ("database_id", "INTEGER"), ("service_id", "INTEGER"), ("contract_id", "INTEGER"),
        ("conversation_group_id", "UUID"), ("state", "VARCHAR"), ("far_service", "VARCHAR"),
        ("far_broker_instance", "UUID"), ("lifetime", "DOUBLE"), ("priority", "UTINYINT"),
        ("principal_id", "INTEGER"), ("far_principal_id", "INTEGER"), ("encryption", "BOOLEAN"),
        ("send_sequence", "BIGINT"), ("receive_sequence", "BIGINT"), ("end_dialog_sequence", "BIGINT"),
        ("system_sequence", "BIGINT"), ("security_timestamp", "DOUBLE"), ("dialog_timer", "DOUBLE"),
        ("is_system", "BOOLEAN"), ("transmission_status", "VARCHAR"), ("contract_name", "VARCHAR"),
        ("asked_broker_instance", "VARCHAR"), ("security", "VARCHAR"), ("session_key", "BLOB"), ("outbound_key_id", "UUID"),
        ("inbound_key_id", "UUID"),
    ),
    "conversation_groups": (
        ("conversation_group_id", "UUID"), ("database_id", "INTEGER"), ("service_id", "INTEGER"), ("is_system", "BOOLEAN"),
    ),
    "messages": (
        ("message_key", "BIGINT"), ("queue_id", "INTEGER"), ("database_id", "INTEGER"), ("status", "UTINYINT"),
        ("priority", "UTINYINT"), ("queuing_order", "BIGINT"), ("conversation_handle", "UUID"),
        ("message_sequence_number", "BIGINT"), ("service_id", "INTEGER"), ("contract_id", "INTEGER"),
        ("message_type_id", "INTEGER"), ("message_type_name", "VARCHAR"), ("validation", "VARCHAR"),
        ("message_body", "BLOB"), ("message_id", "UUID"), ("message_enqueue_time", "DOUBLE"),
    ),
    "transmission_queue": (
        ("message_key", "BIGINT"), ("database_id", "INTEGER"), ("conversation_handle", "UUID"),
        ("to_service_name", "VARCHAR"), ("to_broker_instance", "VARCHAR"), ("from_service_name", "VARCHAR"),
        ("service_contract_name", "VARCHAR"), ("enqueue_time", "DOUBLE"), ("message_sequence_number", "BIGINT"),
        ("message_type_name", "VARCHAR"), ("status", "INTEGER"), ("message_body", "BLOB"), ("message_id", "UUID"),
        ("transmission_status", "VARCHAR"), ("priority", "UTINYINT"), ("next_attempt", "DOUBLE"), ("attempts", "INTEGER"),
    ),
    "monolog_members": (
        ("conversation_handle", "UUID"), ("database_id", "INTEGER"), ("role", "VARCHAR"), ("monolog_id", "UUID"),
        ("publisher_handle", "UUID"), ("subscription_handle", "UUID"), ("start_sequence", "BIGINT"), ("retention", "DOUBLE"),
    ),
    "monolog_messages": (
        ("message_key", "BIGINT"), ("database_id", "INTEGER"), ("conversation_handle", "UUID"),
        ("message_sequence_number", "BIGINT"), ("message_type_name", "VARCHAR"), ("message_body", "BLOB"),
        ("message_id", "UUID"), ("enqueue_time", "DOUBLE"),
    ),
}  # fmt: skip
"""Table in schema sbql -> its columns, in their order, with DuckDB's types."""

_ID_PLACES: Final[dict[type, int]] = {
    record: place
    for table, (record, _) in BROKER_TABLES.items()
    for place, (name, _) in enumerate(COLUMN_TYPES[table])
    if name == "message_id"
}
"""Where a row has the UUID of which the record has the bytes."""


def record_of(record: type[Record], row: tuple[Any, ...]) -> Record:
    """The record of a row that DuckDB has given."""
    place = _ID_PLACES.get(record)
    return record(*row) if place is None else record(*row[:place], row[place].bytes, *row[place + 1 :])


def row_of(record: msgspec.Struct) -> tuple[Any, ...]:
    """The row of a record, as DuckDB takes it."""
    row = msgspec.structs.astuple(record)
    place = _ID_PLACES.get(type(record))
    return row if place is None else (*row[:place], UUID(bytes=row[place]), *row[place + 1 :])


def queue_counter(queue_id: int) -> str:
    """Name of the counter that holds the highest queuing order ever given in a queue."""
    return f"queuing_order:{queue_id}"
