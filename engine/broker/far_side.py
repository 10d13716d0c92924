"""The other side of a dialog when it is in another instance: what has come from there, and a stand-in for its endpoint.

The stand-in lets what arrives go the way that it goes inside an instance: its endpoint says what the header of the message says, and an error for the other
side stays with it, for the network to send. It is in no index, no view and no store. Decides nothing.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from sbql.catalog.records import NEVER, NO_GUID, ConversationEndpoint, ConversationGroup
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.ready_index import Conversation, Group, QueueStore, ReadyIndex

__all__ = ["NO_SECURITY", "FarSide", "Incoming", "Security"]

_NOWHERE = Group(ConversationGroup(NO_GUID, 0, 0), QueueStore(ReadyIndex(), 0, 0))


class Security(msgspec.Struct, frozen=True, gc=False):
    """What secures a message that has come. `principal_id`: the user of `database_id` who has sent it, -1 nobody in particular. `session_key`: as an endpoint keeps it."""

    level: str = "NONE"
    database_id: int = 0
    principal_id: int = -1
    session_key: bytes = b""
    key_id: UUID = NO_GUID
    answer_key_id: UUID = NO_GUID


NO_SECURITY: Final = Security()


class Incoming(msgspec.Struct, frozen=True, gc=False):
    """A message from another instance: whole, and as it was sent. `kind` MESSAGE, END, ERROR or BROKER_ERROR (whose `body` is its document).
    `lifetime`: seconds that the dialog has left, None: no end."""

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
    message_id: UUID = NO_GUID
    lifetime: float | None = None
    has_seen_first: bool = False
    body: bytes | None = None
    security: Security = NO_SECURITY
    monolog: tuple[UUID, UUID, int] | None = None
    """Of a leg of a monolog: the subscription, the monolog, the number of the first message."""


class FarSide(Conversation):
    """Stands for the endpoint that has sent something."""

    __slots__ = ("broker_guid", "problem", "service_name")

    is_far = True

    def __init__(self, message: Incoming, now: float) -> None:
        endpoint = ConversationEndpoint(
            conversation_handle=NO_GUID, conversation_id=message.conversation_id, is_initiator=message.from_initiator,
            database_id=0, service_id=0, contract_id=0, conversation_group_id=NO_GUID, state="CO", far_service=message.to_service,
            far_broker_instance=message.to_broker, lifetime=NEVER if message.lifetime is None else now + message.lifetime,
            principal_id=message.security.principal_id, encryption=bool(message.security.session_key), contract_name=message.contract,
            security=message.security.level, session_key=message.security.session_key, outbound_key_id=message.security.key_id,
            inbound_key_id=message.security.answer_key_id,
        )  # fmt: skip
        super().__init__(endpoint, _NOWHERE)
        self.service_name = message.from_service
        self.broker_guid = message.from_broker
        self.problem = (0, "")
        """An error that is to be sent to it."""

    def arrival(self, message: Incoming) -> Arrival:
        """What it has sent."""
        found = Arrival(self, message.kind, message.message_type, message.body, message.sequence, message.message_id)
        found.has_seen_first = message.has_seen_first
        return found
