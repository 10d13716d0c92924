"""What a consumer chooses: one conversation or one group of its queue, as RECEIVE does with WHERE.

It decides whether what is wanted is there and free. It must not know what is delivered then. Its
functions work under the state's mutex.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from sbql.catalog.records import Queue
from sbql.engine.broker.delivery_log import DeliveryLog
from sbql.engine.broker.state import BrokerState, Conversation, Group, QueueStore

__all__ = ["Wanted", "free_choice", "waiting_for", "wanted_in"]


class Wanted(NamedTuple):
    """What RECEIVE says with WHERE: one conversation, or one group."""

    conversation_handle: UUID | None = None
    conversation_group_id: UUID | None = None


def wanted_in(
    state: BrokerState, queue_id: int, database_id: int, wanted: Wanted
) -> tuple[Group, Conversation | None] | None:
    """The group that is meant, and the conversation if one is; None when the queue has no such thing (any more)."""
    conversation: Conversation | None = None
    if wanted.conversation_handle is not None:
        conversation = state.find(database_id, wanted.conversation_handle)
        group = None if conversation is None or conversation.removed else conversation.group
    else:
        assert wanted.conversation_group_id is not None
        group = state.find_group(database_id, wanted.conversation_group_id)
    return None if group is None or group.queue.queue_id != queue_id else (group, conversation)


def waiting_for(state: BrokerState, queue: Queue, wanted: Wanted) -> int:
    """So many messages of what is wanted are in the queue and not delivered to anybody."""
    found = wanted_in(state, queue.id, queue.database_id, wanted)
    if found is None:
        return 0
    conversations = [found[1]] if found[1] is not None else found[0].members
    return sum(
        len(one.urgent) + len(one.messages) + (0 if one.run is None else len(one.run) + len(one.run.later))
        for one in conversations
    )


def free_choice(
    state: BrokerState, log: DeliveryLog, store: QueueStore, wanted: Wanted
) -> tuple[Group, Conversation | None] | None:
    """What is wanted, unless a transaction has locked it or another consumer holds it: the next call looks again."""
    found = wanted_in(state, store.queue_id, store.database_id, wanted)
    if found is None or found[0].held_by not in (None, log) or state.locks.holder(found[0].resource) is not None:
        return None
    return found
