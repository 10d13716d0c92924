"""What the broker has done since the prompt began, for whoever asks later; and trace lines as they come.

It decides what a line of the trace says to people: what happened to which message of which conversation. It keeps the
last events and forgets the first. It must not know who asks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final
from uuid import UUID

from sbql.engine.broker.trace import TraceEvent
from sbql.grammar.errors import SqlError

if TYPE_CHECKING:
    from sbql.repl.sessions import AnyInstance

__all__ = ["Recorder"]

_KEPT: Final = 20_000


class Recorder:
    """Listens from `start` to `close`. A server that tells no events, or not to this login, leaves it empty."""

    def __init__(self) -> None:
        self._events: deque[TraceEvent] = deque(maxlen=_KEPT)
        self._stops: list[Callable[[], None]] = []
        self._watch: Callable[[], None] | None = None

    def start(self, instance: AnyInstance) -> None:
        try:
            self._stops.append(instance.trace(self._events.append))
        except SqlError:
            return

    def of(self, conversation_id: UUID) -> Iterator[TraceEvent]:
        """The events of a conversation, in their order."""
        return (event for event in list(self._events) if event.conversation_id == conversation_id)

    def conversations(self) -> list[UUID]:
        """The conversations that something has happened to, the first that did first."""
        return list(
            dict.fromkeys(event.conversation_id for event in list(self._events) if event.conversation_id is not None)
        )

    def show(self, instance: AnyInstance, say: Callable[[str], None], *classes: str) -> None:
        """Say each event as it comes, until `hide`. Raises KeyError for an unknown class,
        SqlError where there is no trace."""
        self.hide()
        self._watch = instance.trace(lambda event: say(trace_line(event)), *classes)

    def hide(self) -> bool:
        """Whether there was something to end."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch()
        return watch is not None

    def close(self) -> None:
        self.hide()
        for stop in self._stops:
            stop()


def trace_line(event: TraceEvent) -> str:
    """`[trace] 10:15:02.118 spid 51 SEND Message [OrderType] 0 initiator Shop -> Orders CO conversation 8856AF1E`,
    whose beginning \\conversation takes."""
    time = event.start_time.strftime("%H:%M:%S.%f")[:-3] if event.start_time is not None else ""
    parts = [time, f"spid {event.spid}" if event.spid else "broker"]
    if event.event_class != "Broker:Conversation":
        parts.append(event.event_class.removeprefix("Broker:"))
    parts.append(event.subclass)
    if event.message_type:
        number = "" if event.message_number is None else f" {event.message_number}"
        parts.append(f"[{event.message_type}]{number}")
    if event.service or event.far_service:
        parts.append(f"{event.role} {event.service or '?'} -> {event.far_service or '?'}".strip())
    if event.event_class == "Broker:Activation":
        parts.append(f"tasks={event.integer_data}")
    parts += [event.text, event.detail]
    if event.conversation_id is not None:
        parts.append(f"conversation {str(event.conversation_id).upper()[:8]}")
    return "[trace] " + " ".join(part for part in parts if part)
