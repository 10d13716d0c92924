"""What comes from another instance: a message, whole and as it was sent, and what secures it. Decides nothing."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from sbql.catalog.records import NO_GUID, NO_MESSAGE_ID
from sbql.engine.broker.arrival import Kind

__all__ = ["NO_SECURITY", "Incoming", "Security"]


class Security(msgspec.Struct, frozen=True, gc=False):
    """What secures a message that has come. `principal_id`: the user of `database_id` who has sent it, -1 nobody in
    particular. `session_key`: as an endpoint keeps it."""

    level: str = "NONE"
    database_id: int = 0
    principal_id: int = -1
    session_key: bytes = b""
    key_id: UUID = NO_GUID
    answer_key_id: UUID = NO_GUID


NO_SECURITY: Final = Security()


class Incoming(msgspec.Struct, frozen=True, gc=False):
    """A message from another instance: whole, and as it was sent. `kind` MESSAGE, END, ERROR or BROKER_ERROR (whose
    `body` is its document). `lifetime`: seconds that the dialog has left, None: no end."""

    conversation_id: UUID
    from_initiator: bool
    to_service: str
    to_broker: UUID | None
    from_service: str
    from_broker: UUID
    kind: Kind
    sequence: int = 0
    message_type: str = ""
    contract: str = ""
    message_id: bytes = NO_MESSAGE_ID
    lifetime: float | None = None
    has_seen_first: bool = False
    body: bytes | None = None
    security: Security = NO_SECURITY
    monolog: tuple[UUID, UUID, int] | None = None
    """Of a leg of a monolog: the subscription, the monolog, the number of the first message."""
