"""The columns of a queue: names, types, and how each is read from a received message.

`SELECT * FROM queue` shows all of them; `RECEIVE *` those up to message_body, as its page lists them
(docs/differences.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from sbql.catalog.records import CatalogRecord, Contract, MessageType, QueuedMessage, Service
from sbql.engine.broker.receive import Received
from sbql.engine.ports import Session
from sbql.grammar.types import (
    BIGINT,
    DATETIME,
    INT,
    TINYINT,
    UNIQUEIDENTIFIER,
    VARBINARY_MAX,
    SqlType,
    nchar,
    nvarchar,
)
from sbql.grammar.values.dates import datetime_from_seconds

__all__ = ["QUEUE_COLUMNS", "RECEIVE_COLUMNS", "column_reader", "column_values"]

QUEUE_COLUMNS: dict[str, SqlType] = {
    "status": TINYINT,
    "priority": TINYINT,
    "queuing_order": BIGINT,
    "conversation_group_id": UNIQUEIDENTIFIER,
    "conversation_handle": UNIQUEIDENTIFIER,
    "message_sequence_number": BIGINT,
    "service_name": nvarchar(512),
    "service_id": INT,
    "service_contract_name": nvarchar(256),
    "service_contract_id": INT,
    "message_type_name": nvarchar(256),
    "message_type_id": INT,
    "validation": nchar(2),
    "message_body": VARBINARY_MAX,
    "message_id": UNIQUEIDENTIFIER,
    "message_enqueue_time": DATETIME,
}

RECEIVE_COLUMNS = tuple(QUEUE_COLUMNS)[:14]

_OF_MESSAGE: dict[str, Callable[[QueuedMessage], Any]] = {
    "priority": attrgetter("priority"),
    "queuing_order": attrgetter("queuing_order"),
    "conversation_handle": attrgetter("conversation_handle"),
    "message_sequence_number": attrgetter("message_sequence_number"),
    "service_id": attrgetter("service_id"),
    "service_contract_id": attrgetter("contract_id"),
    "message_type_id": attrgetter("message_type_id"),
    "message_body": attrgetter("message_body"),
}
_READERS: dict[str, Callable[[Received, Any], Any]] = {
    # RECEIVE's own result shows status 0 for every row (docs/spec: STATUS).
    "status": lambda r, s: 0,
    "conversation_group_id": lambda r, s: r[2].conversation_group_id,
    "validation": lambda r, s: r[0].validation.ljust(2),
    "message_id": lambda r, s: UUID(bytes=r[0].message_id),
    "message_enqueue_time": lambda r, s: datetime_from_seconds(r[0].message_enqueue_time),
}


_NAMES: dict[str, tuple[type[CatalogRecord], Callable[[QueuedMessage], int]]] = {
    # Looked up when they are read: what was dropped meanwhile has none (docs/spec: QUEUE).
    "service_name": (Service, attrgetter("service_id")),
    "service_contract_name": (Contract, attrgetter("contract_id")),
    "message_type_name": (MessageType, attrgetter("message_type_id")),
}


def _name_reader(name: str) -> Callable[[Received, Any], str | None]:
    kind, id_of = _NAMES[name]

    def read(received: Received, session: Session) -> str | None:
        message = received[0]
        found = session.catalog.get(kind, message.database_id, id_of(message))
        return found.name if found is not None else None

    return read


def _names_reader(name: str) -> Callable[[Sequence[Received], Any], list[str | None]]:
    """The same of many messages, which are all of one database."""
    kind, id_of = _NAMES[name]

    def read(received: Sequence[Received], session: Session) -> list[str | None]:
        ids = [id_of(message) for message, _, _ in received]
        names: dict[int, str | None] = {}
        for number in set(ids):
            found = session.catalog.get(kind, received[0][0].database_id, number)
            names[number] = found.name if found is not None else None
        return [names[number] for number in ids]

    return read


def column_reader(name: str) -> Callable[[Received, Any], Any]:
    """The value of a column of `QUEUE_COLUMNS` in a received message, for a session."""
    if name in _NAMES:
        return _name_reader(name)
    own = _OF_MESSAGE.get(name)
    return _READERS[name] if own is None else lambda received, session: own(received[0])


def column_values(name: str) -> Callable[[Sequence[Received], Any], list[Any]]:
    """The same of many messages."""
    if name in _NAMES:
        return _names_reader(name)
    own = _OF_MESSAGE.get(name)
    if own is not None:
        return lambda found, session: [own(message) for message, _, _ in found]
    read = _READERS[name]
    return lambda found, session: [read(received, session) for received in found]
