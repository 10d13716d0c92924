"""Trace events of the broker, with the class and subclass names of the trace catalogue (reference 11.2).

Decides names and columns of an event. Must not know who listens: a sink is a callable that takes a `TraceEvent`.
Events go out when they happen; a rollback does not take them back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

if TYPE_CHECKING:
    from sbql.engine.broker.state import BrokerState, Conversation

__all__ = ["CLASSES", "TraceEvent", "TraceSink", "emit", "emit_conversation"]

CLASSES: Final = {
    "Broker:Conversation": 124,
    "Broker:Conversation Group": 136,
    "Broker:Message Classify": 141,
    "Broker:Queue Disabled": 143,
    "Broker:Message Undeliverable": 160,
    "Broker:Activation": 163,
}


class TraceEvent(NamedTuple):
    """One event. `text` is TextData: the state code, the reason, or the queue's activity."""

    event_class: str
    subclass: str
    text: str = ""
    database_id: int = 0
    conversation_id: UUID | None = None
    conversation_handle: UUID | None = None
    conversation_group_id: UUID | None = None
    priority: int = 0
    role: str = ""
    object_id: int = 0
    integer_data: int = 0


TraceSink = Callable[[TraceEvent], None]


def emit(state: BrokerState, event_class: str, subclass: str, **columns: object) -> None:
    """Send an event to the sink, if there is one."""
    if state.trace is not None:
        state.trace(TraceEvent(event_class, subclass, **columns))  # type: ignore[arg-type]


def emit_conversation(
    state: BrokerState, subclass: str, conversation: Conversation, event_class: str = "Broker:Conversation", text: str = ""
) -> None:
    """An event about one endpoint. Callers on the hot path check `state.trace is not None` first."""
    if state.trace is None:
        return
    endpoint = conversation.endpoint
    state.trace(
        TraceEvent(
            event_class,
            subclass,
            text or endpoint.state,
            endpoint.database_id,
            endpoint.conversation_id,
            endpoint.conversation_handle,
            endpoint.conversation_group_id,
            endpoint.priority,
            "initiator" if endpoint.is_initiator else "target",
        )
    )
