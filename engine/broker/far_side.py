"""The other side of a dialog when it is in another instance: a stand-in for its endpoint.

The stand-in lets what arrives go the way that it goes inside an instance: its endpoint says what the header of
the message says, and an error for the other side stays with it, for the network to send. It is in no index, no
view and no store. Decides nothing.
"""

from __future__ import annotations

from sbql.catalog.records import NEVER, NO_GUID, ConversationEndpoint, ConversationGroup
from sbql.engine.broker.arrival import Arrival
from sbql.engine.broker.incoming import Incoming
from sbql.engine.broker.ready_index import Conversation, Group, QueueStore, ReadyIndex

__all__ = ["FarSide"]

_NOWHERE = Group(ConversationGroup(NO_GUID, 0, 0), QueueStore(ReadyIndex(), 0, 0))


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
