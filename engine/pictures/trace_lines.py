"""A recorded trace as events: the JSON lines that `TraceFile` writes (`broker.trace.event_line`).

Decides how a trace is read, which events belong to an id, and which event is the arrival of what another one
sent. It must not know what is drawn.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import UUID

__all__ = ["ARRIVALS", "Event", "arrival_key", "other_role", "read_trace", "sent_key", "those_of"]

Event = Mapping[str, Any]

ARRIVALS: Final = {
    "SEND Message": "Received Sequenced Message",
    "END CONVERSATION": "Received END CONVERSATION",
    "END CONVERSATION WITH ERROR": "Received END CONVERSATION WITH ERROR",
}
"""What is sent, and the event of its arrival on the other side."""

_IDS: Final = ("conversation_id", "conversation_handle", "conversation_group_id")


def read_trace(trace: str | os.PathLike[str] | Iterable[str]) -> list[Event]:
    """The events of a file or of its lines. Raises ValueError with the number of a line that is no
    JSON object, OSError as `open` does."""
    if isinstance(trace, str | os.PathLike):
        with Path(trace).open(encoding="utf-8") as lines:
            return list(_events(lines))
    return list(_events(trace))


def _events(lines: Iterable[str]) -> Iterable[Event]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise ValueError(f"line {number} of the trace is no JSON object: {line.strip()[:60]!r}")
        yield event


def those_of(events: Iterable[Event], id: str | UUID) -> list[Event]:
    """The events of a conversation, by its id or a handle, or of a conversation group. Raises LookupError when there
    are none, ValueError when `id` is no guid."""
    known = [event for event in events if "conversation_id" in event]
    try:
        wanted = str(UUID(str(id).strip())).upper()
    except ValueError:
        raise ValueError(
            f"'{id}' is no id: give a conversation id, a handle or the id of a group, as 7C5F0E1A-1D5E-4C0B-9F6B-0A8E3F6D2C11"
        ) from None
    ids = {event["conversation_id"] for event in known if wanted in (event.get(key) for key in _IDS)}
    if not ids:
        raise LookupError(f"nothing in the trace has the id {wanted}")
    return [event for event in known if event["conversation_id"] in ids]


def other_role(role: str) -> str:
    return "target" if role == "initiator" else "initiator"


def arrival_key(event: Event) -> tuple[str, str, str, Any]:
    """conversation, receiving side, subclass, number: equal to the `sent_key` of what has arrived."""
    subclass = event.get("subclass", "")
    number = event.get("message_number") if subclass == ARRIVALS["SEND Message"] else None
    return event.get("conversation_id", ""), event.get("role", ""), subclass, number


def sent_key(event: Event) -> tuple[str, str, str, Any]:
    """The `arrival_key` that the arrival of what `event` sent has."""
    subclass = event["subclass"]
    number = event.get("message_number") if subclass == "SEND Message" else None
    return event.get("conversation_id", ""), other_role(event.get("role", "initiator")), ARRIVALS[subclass], number
