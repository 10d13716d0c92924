"""The bytes of an endpoint at rest: what it has for itself. What many have alike is
said once, and a number stands for it.

Decides which fields are which. Must not know where the bytes are kept.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from sbql.catalog.records import ConversationEndpoint
from sbql.engine.broker.idle_endpoint import IdleEndpoint

__all__ = ["Common", "common_of", "endpoint_of", "own_of"]


class Common(NamedTuple):
    """What all dialogs of two services have alike, on one side and in one state."""

    queue_id: int
    is_alone: bool
    is_initiator: bool
    database_id: int
    service_id: int
    contract_id: int
    state: str
    far_service: str
    far_broker_instance: int | None
    """As a number: UUIDs compare by calls of Python's."""
    priority: int
    principal_id: int
    far_principal_id: int
    encryption: bool
    is_system: bool
    transmission_status: str
    contract_name: str
    asked_broker_instance: str
    security: str
    session_key: bytes
    outbound_key_id: UUID | None
    inbound_key_id: UUID | None


class _Own(msgspec.Struct, array_like=True, gc=False):
    """What differs from one to the next. A moment that is not set is 0 in place of
    0.0, which takes one byte for nine."""

    conversation_handle: UUID
    conversation_id: UUID
    conversation_group_id: UUID
    lifetime: float
    send_sequence: int
    receive_sequence: int
    end_dialog_sequence: int
    last_arrival: int
    security_timestamp: float
    dialog_timer: float


_encode: Final = msgspec.msgpack.Encoder(uuid_format="bytes").encode
_decode: Final = msgspec.msgpack.Decoder(_Own).decode


def common_of(row: IdleEndpoint) -> Common:
    e = row.endpoint
    far = e.far_broker_instance
    return Common(
        row.queue_id, row.is_alone, e.is_initiator, e.database_id, e.service_id, e.contract_id, e.state, e.far_service,
        None if far is None else far.int, e.priority, e.principal_id, e.far_principal_id, e.encryption, e.is_system,
        e.transmission_status, e.contract_name, e.asked_broker_instance, e.security, e.session_key, e.outbound_key_id,
        e.inbound_key_id,
    )  # fmt: skip


def own_of(e: ConversationEndpoint) -> bytes:
    return _encode(
        _Own(
            e.conversation_handle, e.conversation_id, e.conversation_group_id, e.lifetime, e.send_sequence,
            e.receive_sequence, e.end_dialog_sequence, e.last_arrival, e.security_timestamp or 0, e.dialog_timer or 0,
        )
    )  # fmt: skip


def endpoint_of(own: Any, common: Common, far_broker_instance: UUID | None) -> ConversationEndpoint:
    """`far_broker_instance` as a UUID: one object for all that have it."""
    o, c = _decode(own), common
    return ConversationEndpoint(
        o.conversation_handle, o.conversation_id, c.is_initiator, c.database_id, c.service_id, c.contract_id,
        o.conversation_group_id, c.state, c.far_service, far_broker_instance, o.lifetime, c.priority, c.principal_id,
        c.far_principal_id, c.encryption, o.send_sequence, o.receive_sequence, o.end_dialog_sequence, o.last_arrival,
        o.security_timestamp, o.dialog_timer, c.is_system, c.transmission_status, c.contract_name,
        c.asked_broker_instance, c.security, c.session_key, c.outbound_key_id, c.inbound_key_id,
    )  # fmt: skip
