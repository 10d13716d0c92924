"""Conversations from a recorded trace: the JSON lines that `TraceFile` writes (`broker.trace.event_line`).

Decides how events become steps: a message that was sent and arrived is one arrow, at the time it was sent;
what was sent and never arrived is drawn as delayed; what has no message is a note. A rolled back
transaction's events are in a trace, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from sbql.engine.broker.system_messages import END_DIALOG, ERROR
from sbql.engine.pictures.model import Arrow, ArrowKind, Note, NoteKind, Participant, SequenceDiagram
from sbql.engine.pictures.picture import Picture
from sbql.engine.pictures.trace_lines import Event, arrival_key, other_role, read_trace, sent_key, those_of

__all__ = ["recorded"]

_NOTES: Final[dict[str, NoteKind]] = {
    "BEGIN DIALOG": "begin", "BEGIN MONOLOG": "begin", "BEGIN CONVERSATION TIMER": "timer", "Conversation Timer Expired": "timer",
    "Broker Initiated Error": "error", "Terminate Dialog": "error", "END CONVERSATION WITH CLEANUP": "end",
    "Received Broker Error Message": "error",
}  # fmt: skip
_SENDS: Final[dict[str, tuple[str, ArrowKind]]] = {
    "SEND Message": ("", "message"),
    "END CONVERSATION": (END_DIALOG, "end"),
    "END CONVERSATION WITH ERROR": (ERROR, "error"),
}
"""What is sent: its type (here: as in the event), and how it is drawn."""


def recorded(trace: str | os.PathLike[str] | Iterable[str], id: str | UUID | None = None) -> Picture:
    """The conversations of a trace, or of one conversation_id, handle or conversation group of it.

    `trace` is a file or its lines. Raises LookupError when nothing in it has that id, ValueError with the
    number of a line that is no JSON object.
    """
    events = [event for event in read_trace(trace) if "conversation_id" in event]
    title = "Recorded conversations"
    if id is not None:
        events = those_of(events, id)
        title = f"Recorded conversation {str(id).strip().upper()}"
    return Picture(_Recording(title, events).diagram())


class _Recording:
    def __init__(self, title: str, events: list[Event]) -> None:
        self.title = title
        self.events = [e for e in events if e.get("event") in ("Broker:Conversation", "Broker:Message Undeliverable",
                                                               "Broker:Message Classify")]  # fmt: skip
        self.dialogs = {c: n for n, c in enumerate(dict.fromkeys(e["conversation_id"] for e in self.events), 1)}
        self.names = self._names()
        self.arrived = {arrival_key(e) for e in self.events if str(e.get("subclass", "")).startswith("Received")}
        self.participants: dict[str, Participant] = {}

    def _names(self) -> dict[tuple[str, str], str]:
        """Service names by conversation and role; what one side does not know of itself, the other one does."""
        found: dict[tuple[str, str], str] = {}
        for event in self.events:
            dialog, role = event["conversation_id"], event.get("role", "initiator")
            far = other_role(role)
            if event.get("service"):
                found[dialog, role] = event["service"]
            if event.get("far_service"):
                found.setdefault((dialog, far), event["far_service"])
        return found

    def diagram(self) -> SequenceDiagram:
        steps = [step for event in self.events if (step := self._step(event)) is not None]
        ordered = sorted(self.participants.values(), key=lambda p: p.role != "initiator")
        return SequenceDiagram(self.title, tuple(ordered), tuple(steps))

    def _side(self, event: Event, other: bool = False) -> str:
        role = event.get("role", "initiator")
        if other:
            role = other_role(role)
        name = self.names.get((event["conversation_id"], role), "(unknown service)")
        key = f"{role}/{name}"
        self.participants.setdefault(key, Participant(key, name, role))
        return key

    def _step(self, event: Event) -> Arrow | Note | None:
        subclass, time = event.get("subclass", ""), str(event.get("time", ""))[11:23]
        prefix = f"dialog {self.dialogs[event['conversation_id']]}: " if len(self.dialogs) > 1 else ""
        if event["event"] == "Broker:Message Undeliverable":
            return Note(self._side(event), f"{prefix}dropped: {event.get('text', '')}", "error", time)
        if event["event"] == "Broker:Message Classify":
            if subclass != "Delayed":
                return None
            return Note(self._side(event), f"{prefix}delayed: {event.get('text', '')}", "error", time)
        if subclass in _SENDS:
            return self._sent(event, prefix, time)
        if subclass in _NOTES:
            text = " ".join(filter(None, [subclass, self._about(event, subclass)]))
            return Note(self._side(event), prefix + text, _NOTES[subclass], time)
        return None

    @staticmethod
    def _about(event: Event, subclass: str) -> str:
        detail = str(event.get("detail", ""))
        if subclass == "BEGIN DIALOG":
            return f"contract {detail}" if detail else ""
        return f"{event.get('text', '')}: {detail}" if subclass == "Broker Initiated Error" else detail

    def _sent(self, event: Event, prefix: str, time: str) -> Arrow | Note:
        name, kind = _SENDS[event["subclass"]]
        label = (name or event.get("message_type", "")).removeprefix("http://schemas.microsoft.com/SQL/ServiceBroker/")
        number = event.get("message_number")
        has_arrived = sent_key(event) in self.arrived
        if kind != "message" and not has_arrived:  # the other side had ended already, or was never there
            return Note(self._side(event), prefix + event["subclass"], "end", time)
        numbers = "" if number is None else str(number)
        kind = kind if has_arrived else "delayed"
        detail = str(event.get("detail", ""))
        return Arrow(self._side(event), self._side(event, other=True), prefix + label, kind, numbers, time, detail)
