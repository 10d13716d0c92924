"""Journal records as the fold reads them: of each change its key, and whole rows only of those that last.

Decides nothing: a change stays the bytes that it is until somebody asks for its row, and identifiers stay bytes in it,
since making a UUID of each costs more than all the rest. It must not know what becomes of keys and rows.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec

from sbql.catalog.broker_tables import BROKER_TABLES
from sbql.catalog.records.broker import (
    CounterValue,
    DeleteMessage,
    DeleteMonologMessage,
    DeleteTransmission,
    SameBodies,
)
from sbql.catalog.records.deliveries import DeleteMessages, DeliveryChange

__all__ = ["NO_QUEUE", "Head", "heads_and_rows", "messages_of", "row_values"]


class _EndpointHead(msgspec.Struct, array_like=True, tag="E", gc=False):
    """The first fields of a record are its head; the decoder passes over the others."""

    conversation_handle: bytes
    conversation_id: bytes
    is_initiator: bool
    database_id: int


class _GroupHead(msgspec.Struct, array_like=True, tag="G", gc=False):
    conversation_group_id: bytes
    database_id: int


class _MessageHead(msgspec.Struct, array_like=True, tag="M", gc=False):
    message_key: int
    queue_id: int
    database_id: int
    status: int
    priority: int
    queuing_order: int


class _TransmissionHead(msgspec.Struct, array_like=True, tag="T", gc=False):
    message_key: int


class _MemberHead(msgspec.Struct, array_like=True, tag="P", gc=False):
    conversation_handle: bytes
    database_id: int


class _RetainedHead(msgspec.Struct, array_like=True, tag="R", gc=False):
    message_key: int


class _EndpointGone(msgspec.Struct, array_like=True, tag="e", gc=False):
    conversation_handle: bytes
    database_id: int


class _GroupGone(msgspec.Struct, array_like=True, tag="g", gc=False):
    conversation_group_id: bytes
    database_id: int


class _MemberGone(msgspec.Struct, array_like=True, tag="p", gc=False):
    conversation_handle: bytes
    database_id: int


Head = (
    _EndpointHead
    | _GroupHead
    | _MessageHead
    | _TransmissionHead
    | _MemberHead
    | _RetainedHead
    | _EndpointGone
    | _GroupGone
    | _MemberGone
    | DeleteMessage
    | DeleteTransmission
    | DeleteMonologMessage
    | CounterValue
    | DeliveryChange
)
"""A change as far as its key. What has no row in BROKER_TABLES is whole."""

StoredRow = Any
"""A change that `row_values` can read: its record and its place there, its bytes, or what `_STORED` makes of them."""

_FEW: Final = 8
"""Of a record with so many changes one is quickly found when it is wanted: as those
of a busy dialog hardly ever are."""

NO_QUEUE: Final = 0
"""In place of a queue's id: the message is in none."""

_split: Final = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_heads: Final = msgspec.msgpack.Decoder(list[Head | SameBodies]).decode


def _stored_form(record: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The record with bytes in place of each UUID."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(record):
        kind = {UUID: bytes, UUID | None: bytes | None}.get(field.type, field.type)
        default = field.default.bytes if isinstance(field.default, UUID) else field.default
        fields.append((field.name, kind) if field.required else (field.name, kind, default))
    tag = record.__struct_config__.tag
    return msgspec.defstruct(record.__name__, fields, array_like=True, tag=tag, gc=False)


_STORED: Final = {
    table: msgspec.msgpack.Decoder(_stored_form(record)).decode for table, (record, _) in BROKER_TABLES.items()
}
_WITH_BODY: Final[dict[Any, Any]] = {
    _MessageHead: _STORED["messages"],
    _TransmissionHead: _STORED["transmission_queue"],
    _RetainedHead: _STORED["monolog_messages"],
}


def heads_and_rows(record: bytes) -> tuple[list[Any], list[StoredRow]]:
    """The changes of a journal record (see `journal.encode`): the head of each, and its row unread."""
    heads: list[Any] = _heads(record)
    if len(heads) <= _FEW and type(heads[-1] if heads else None) is not SameBodies:
        return heads, [(record, place) for place in range(len(heads))]
    rows: list[Any] = _split(record)
    if type(heads[-1]) is SameBodies:
        pairs = heads.pop().pairs
        rows.pop()
        for place in {place for pair in pairs for place in pair}:
            rows[place] = _WITH_BODY[type(heads[place])](rows[place])
        for place, source in pairs:
            rows[place].message_body = rows[source].message_body
    return heads, rows


def messages_of(record: bytes) -> dict[int, int] | None:
    """The queue of each message that a journal record says something of, by its key; NO_QUEUE for those that go. None
    when messages go that it does not name one by one."""
    queues: dict[int, int] = {}
    for head in _heads(record):
        if type(head) is _MessageHead:
            queues[head.message_key] = head.queue_id
        elif type(head) is DeleteMessage:
            queues[head.message_key] = NO_QUEUE
        elif type(head) is DeleteMessages:
            return None
    return queues


def row_values(table: str, row: StoredRow) -> tuple[Any, ...]:
    """The values of the columns of one of BROKER_TABLES, identifiers as 16 bytes."""
    if type(row) is tuple:
        record, place = row
        row = _split(record)[place]
    return msgspec.structs.astuple(_STORED[table](row) if isinstance(row, msgspec.Raw) else row)
