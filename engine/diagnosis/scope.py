"""What somebody asks about: everything, a conversation, a queue, or a pair of services.

Decides which conversations and queues belong to the question. It must not know causes.
"""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from sbql.engine.broker.ready_index import Conversation
from sbql.engine.diagnosis.world import World

__all__ = ["Scope"]


class Scope(Struct, frozen=True):
    """`conversations`: handles, groups or conversation ids. `queue_id`: a queue and what is on its way there.
    `services`: messages between these two."""

    conversations: frozenset[UUID] = frozenset()
    queue_id: int | None = None
    services: frozenset[str] = frozenset()

    @property
    def is_everything(self) -> bool:
        return not self.conversations and self.queue_id is None and not self.services

    def concerns(self, world: World, conversation: Conversation) -> bool:
        """Whether an endpoint belongs to the question."""
        endpoint = conversation.endpoint
        if self.conversations:
            peer = conversation.peer
            known = {endpoint.conversation_handle, endpoint.conversation_id, endpoint.conversation_group_id}
            if peer is not None:
                known |= {peer.endpoint.conversation_handle, peer.endpoint.conversation_group_id}
            return not self.conversations.isdisjoint(known)
        if self.queue_id is not None:
            return self.queue_id in self._queues(world, conversation)
        if self.services:
            service = world.index.service_by_id.get((endpoint.database_id, endpoint.service_id))
            return {service.name if service is not None else "", endpoint.far_service} == self.services
        return True

    @staticmethod
    def _queues(world: World, conversation: Conversation) -> set[int]:
        """Its own queue, and the one that its messages go to."""
        peer = conversation.peer
        if peer is not None:
            return {conversation.queue.queue_id, peer.queue.queue_id}
        there = world.index.services_by_name.get(conversation.endpoint.far_service, ())
        return {conversation.queue.queue_id, *(service.queue_id for service in there)}
