"""What dialogs make: conversation endpoints, conversation groups, queued messages, transmission-queue rows.

Field order is the stored order (array_like): append new fields at the end. Times are seconds since 1970-01-01 UTC as
float; `NEVER` stands for a time that does not come. Ids of objects are those of the catalog records.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from sbql.catalog.records.deliveries import DeliveryChange

__all__ = [
    "END_BIT",
    "ERROR_BIT",
    "HELD_BIT",
    "UNSEQUENCED_BIT",
    "NEVER",
    "NO_GUID",
    "NO_MESSAGE_ID",
    "BrokerChange",
    "ConversationEndpoint",
    "ConversationGroup",
    "CounterValue",
    "DeleteEndpoint",
    "DeleteGroup",
    "DeleteMessage",
    "DeleteMonologMember",
    "DeleteMonologMessage",
    "DeleteTransmission",
    "MonologMember",
    "MonologMessage",
    "QueuedMessage",
    "SameBodies",
    "TransmissionMessage",
]

NEVER: Final = 7258118400.0  # 2200-01-01, later than any lifetime that matters
NO_GUID: Final = UUID(int=0)
NO_MESSAGE_ID: Final = bytes(16)
"""A message's id is the 16 bytes of a GUID: hardly anybody reads it, and of a million messages that wait a million
UUIDs would be what Python's collector goes through again and again."""

ERROR_BIT: Final = 2
END_BIT: Final = 4
HELD_BIT: Final = 8
UNSEQUENCED_BIT: Final = 16
"""Of the status of a row of the transmission queue: a conversation error, an end of dialog; it has come from another
instance for a queue that is OFF, or what its endpoint must not be told yet; and the broker has made it, so that it is
not in sequence."""


class ConversationEndpoint(msgspec.Struct, array_like=True, tag="E", gc=False):
    """One side of a dialog: a row of sys.conversation_endpoints.

    `state` is one of SO SI CO DI DO ER CD. `contract_id` belongs to `database_id`. `far_broker_instance` is None until
    the first acknowledgement fixes it. `lifetime` is the absolute expiry. `security_timestamp` and `dialog_timer` are
    0.0 when unset (shown as 1900-01-01).

    `security` is that of the dialog with another instance: NONE, ANONYMOUS or FULL, and empty as long as nobody has
    decided it. With ANONYMOUS and FULL `session_key` is the key of the dialog, encrypted by the master key of the
    database. What this side encrypts has the identifier `outbound_key_id`, what the other side does `inbound_key_id`.
    No key is None, or in older stores the GUID of zeros.

    `last_arrival` is a number made of the sequence number and the id of what came last from another instance; 0: not
    known. Its column is that of SQL Server's system_sequence, which is always 0.
    """

    conversation_handle: UUID
    conversation_id: UUID
    is_initiator: bool
    database_id: int
    service_id: int
    contract_id: int
    conversation_group_id: UUID
    state: str
    far_service: str
    far_broker_instance: UUID | None
    lifetime: float
    priority: int = 5
    principal_id: int = 1
    far_principal_id: int = -1
    encryption: bool = True
    send_sequence: int = 0
    receive_sequence: int = 0
    end_dialog_sequence: int = -1
    last_arrival: int = 0
    security_timestamp: float = 0.0
    dialog_timer: float = 0.0
    is_system: bool = False
    transmission_status: str = ""
    contract_name: str = ""
    asked_broker_instance: str = ""
    security: str = ""
    session_key: bytes = b""
    outbound_key_id: UUID | None = None
    inbound_key_id: UUID | None = None


class ConversationGroup(msgspec.Struct, array_like=True, tag="G", gc=False):
    """A conversation group of one service: a row of sys.conversation_groups."""

    conversation_group_id: UUID
    database_id: int
    service_id: int
    is_system: bool = False


class QueuedMessage(msgspec.Struct, array_like=True, tag="M", gc=False):
    """A message in a queue. `status`: 0 received and retained, 1 ready, 2 incomplete, 3 sent and retained.

    `message_key` is unique in the store and is the key of the stored row; `queuing_order` counts per queue. The
    conversation group is the endpoint's, never stored here: MOVE CONVERSATION changes one place.
    """

    message_key: int
    queue_id: int
    database_id: int
    status: int
    priority: int
    queuing_order: int
    conversation_handle: UUID
    message_sequence_number: int
    service_id: int
    contract_id: int
    message_type_id: int
    message_type_name: str
    validation: str
    message_body: bytes | None
    message_id: bytes
    message_enqueue_time: float


class TransmissionMessage(msgspec.Struct, array_like=True, tag="T", gc=False):
    """A row of sys.transmission_queue of `database_id`. `status`: ERROR_BIT, END_BIT, HELD_BIT, UNSEQUENCED_BIT."""

    message_key: int
    database_id: int
    conversation_handle: UUID
    to_service_name: str
    to_broker_instance: str | None
    from_service_name: str
    service_contract_name: str
    enqueue_time: float
    message_sequence_number: int
    message_type_name: str
    status: int
    message_body: bytes | None
    message_id: bytes
    transmission_status: str = ""
    priority: int = 5
    next_attempt: float = 0.0
    attempts: int = 0


class DeleteEndpoint(msgspec.Struct, array_like=True, tag="e", gc=False):
    conversation_handle: UUID
    database_id: int


class DeleteGroup(msgspec.Struct, array_like=True, tag="g", gc=False):
    conversation_group_id: UUID
    database_id: int


class DeleteMessage(msgspec.Struct, array_like=True, tag="m", gc=False):
    message_key: int


class DeleteTransmission(msgspec.Struct, array_like=True, tag="t", gc=False):
    message_key: int


class MonologMember(msgspec.Struct, array_like=True, tag="P", gc=False):
    """What an endpoint is to a monolog. `role`: P publisher, L leg (the publisher's side of one subscriber, in no view
    of endpoints), S subscriber. `monolog_id` is the publisher's conversation_id, `publisher_handle` its handle.
    Subscribers and legs: `subscription_handle`, and the first message they get. Publishers: `retention` in seconds, 0
    nothing, NEVER until the end.
    """

    conversation_handle: UUID
    database_id: int
    role: str
    monolog_id: UUID
    publisher_handle: UUID
    subscription_handle: UUID = NO_GUID
    start_sequence: int = 0
    retention: float = 0.0


class MonologMessage(msgspec.Struct, array_like=True, tag="R", gc=False):
    """A message that a monolog retains for subscribers who come later. `conversation_handle` is the publisher's."""

    message_key: int
    database_id: int
    conversation_handle: UUID
    message_sequence_number: int
    message_type_name: str
    message_body: bytes | None
    message_id: bytes
    enqueue_time: float


class DeleteMonologMember(msgspec.Struct, array_like=True, tag="p", gc=False):
    conversation_handle: UUID
    database_id: int


class DeleteMonologMessage(msgspec.Struct, array_like=True, tag="r", gc=False):
    message_key: int


class SameBodies(msgspec.Struct, array_like=True, tag="B", gc=False):
    """The last change of a journal record in which messages share bodies: pairs of (the message without, the message
    with the body), by their places. Only the journal's coder knows it."""

    pairs: list[tuple[int, int]]


class CounterValue(msgspec.Struct, array_like=True, tag="K", gc=False):
    """A counter has reached `value`: an identity or sequence block handed out, the last key. The store keeps the
    last."""

    name: str
    value: int


BrokerChange = (
    ConversationEndpoint
    | ConversationGroup
    | QueuedMessage
    | TransmissionMessage
    | DeleteEndpoint
    | DeleteGroup
    | DeleteMessage
    | DeleteTransmission
    | MonologMember
    | MonologMessage
    | DeleteMonologMember
    | DeleteMonologMessage
    | CounterValue
    | DeliveryChange
)
"""One change of broker state: a record stands for "this row is now so" (insert or replace by key)."""
