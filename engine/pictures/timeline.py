"""A recorded trace as a timeline: a lane for each queue, reader and conversation, with what happened on it when.

Decides which lanes there are, on which of them an event is a mark, from when to when a reader or a conversation was
there, and which mark is the arrival of which. How it looks is `timeline_page`'s. A trace has no event of RECEIVE, as
SQL Server's has none: lanes of queues show what arrived and who was started to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

import msgspec

from sbql.engine.pictures.trace_lines import ARRIVALS, Event, arrival_key, sent_key

__all__ = ["Timeline", "timeline"]

LaneKind = Literal["queue", "reader", "conversation"]
MarkKind = Literal["begin", "send", "arrival", "end", "error", "timer", "activation", "other"]

_KINDS: Final[dict[str, MarkKind]] = {
    "BEGIN DIALOG": "begin", "BEGIN MONOLOG": "begin", "Dialog Created": "begin", "Subscriber Joined": "begin",
    "SEND Message": "send", "Received Sequenced Message": "arrival",
    "END CONVERSATION": "end", "Received END CONVERSATION": "end", "Received END CONVERSATION Ack": "end", "Subscriber Left": "end",
    "END CONVERSATION WITH CLEANUP": "end",
    "END CONVERSATION WITH ERROR": "error", "Broker Initiated Error": "error", "Terminate Dialog": "error", "Delayed": "error",
    "Received END CONVERSATION WITH ERROR": "error", "Received Broker Error Message": "error", "aborted": "error",
    "BEGIN CONVERSATION TIMER": "timer", "Conversation Timer Expired": "timer",
    "started": "activation", "ended": "activation",
}  # fmt: skip
"""How events are marked, by their subclass."""

_FAULTS: Final = frozenset({
    "Broker:Queue Disabled", "Broker:Message Undeliverable", "Broker:Corrupted Message", "Broker:Forwarded Message Dropped", "Audit Broker Conversation",
})  # fmt: skip
"""Classes whose every event is something that went wrong."""


class Mark(msgspec.Struct, frozen=True):
    """An event on a lane. `row`: 0, or 1 for the target's side of a conversation."""

    event: int
    lane: int
    kind: MarkKind
    row: int = 0


class Bar(msgspec.Struct, frozen=True):
    """Something that was there from an event to another one; to the end of the trace if `last` is None."""

    lane: int
    first: int
    last: int | None
    label: str
    row: int = 0
    has_failed: bool = False


class Link(msgspec.Struct, frozen=True):
    """What the event `sent` has sent arrived by the event `arrived`."""

    sent: int
    arrived: int


class Lane(msgspec.Struct, frozen=True):
    """`about`: a second line, for conversations both services. `id`: what it is looked up by."""

    kind: LaneKind
    name: str
    about: str
    id: str


class Timeline(msgspec.Struct, frozen=True):
    """`times`: milliseconds since the first event, one for each event; `start` is that moment in
    milliseconds since 1970, of the server's clock.

    Events, lanes are meant by their index.
    """

    title: str
    start: float
    times: tuple[float, ...]
    lanes: tuple[Lane, ...]
    marks: tuple[Mark, ...]
    bars: tuple[Bar, ...]
    links: tuple[Link, ...]
    events: tuple[Event, ...]


def timeline(events: Sequence[Event], title: str) -> Timeline:
    """The timeline of the events of a trace, in their order. Raises ValueError for an event without a time."""
    made = _Making()
    for index, event in enumerate(events):
        made.add(index, event)
    moments = [_moment(event, number) for number, event in enumerate(events, 1)]
    start = min(moments, default=0.0)
    order = {"queue": 0, "reader": 1, "conversation": 2}
    places = sorted(range(len(made.lanes)), key=lambda place: order[made.lanes[place].kind])
    now = {old: new for new, old in enumerate(places)}
    return Timeline(
        title,
        start,
        tuple(round(moment - start, 3) for moment in moments),
        tuple(made.lanes[place] for place in places),
        tuple(msgspec.structs.replace(mark, lane=now[mark.lane]) for mark in made.marks),
        tuple(msgspec.structs.replace(bar, lane=now[bar.lane]) for bar in made.bars()),
        tuple(made.links),
        tuple(events),
    )


def _moment(event: Event, number: int) -> float:
    """In milliseconds. The server's local time is taken as it stands, so that the page
    shows it so wherever it is opened."""
    try:
        found = datetime.fromisoformat(str(event["time"])).replace(tzinfo=None)
    except (KeyError, ValueError):
        raise ValueError(f"event {number} of the trace has no time") from None
    return (found - datetime(1970, 1, 1)).total_seconds() * 1000


class _Making:
    """Lanes in the order in which they are met, while events are added."""

    def __init__(self) -> None:
        self.lanes: list[Lane] = []
        self.marks: list[Mark] = []
        self.links: list[Link] = []
        self._places: dict[tuple[LaneKind, str], int] = {}
        self._sent: dict[tuple[object, ...], int] = {}
        self._sides: dict[tuple[int, int], list[int]] = {}
        """First and last event of each side of a conversation, by lane and row."""
        self._tasks: dict[int, list[tuple[int, int | None, str, bool]]] = {}
        """The activated tasks of a reader's lane: first and last event, queue, whether it was aborted."""

    def add(self, index: int, event: Event) -> None:
        kind = self._kind(event)
        is_activation = event.get("event") == "Broker:Activation"
        if "conversation_id" in event:
            self._conversation(index, event, kind)
        queue = f"{event.get('database', '?')}.{event['queue']}" if event.get("queue") else ""
        if queue and (
            is_activation
            or "conversation_id" not in event
            or kind in ("arrival", "error", "timer")
            or self._arrives(event)
        ):
            self.marks.append(Mark(index, self._lane("queue", queue, queue, ""), kind))
        spid = event.get("spid", 0)
        reader = self._lane("reader", str(spid), f"spid {spid}" if spid else "broker", "")
        self.marks.append(Mark(index, reader, kind))
        if is_activation:
            self._task(index, event, reader, queue or f"object {event.get('object_id', '?')}")

    @staticmethod
    def _kind(event: Event) -> MarkKind:
        return "error" if event.get("event") in _FAULTS else _KINDS.get(str(event.get("subclass", "")), "other")

    @staticmethod
    def _arrives(event: Event) -> bool:
        return event.get("subclass") in ARRIVALS.values()

    def _lane(self, kind: LaneKind, key: str, name: str, about: str) -> int:
        place = self._places.setdefault((kind, key), len(self.lanes))
        if place == len(self.lanes):
            self.lanes.append(Lane(kind, name, about, key))
        return place

    def _conversation(self, index: int, event: Event, kind: MarkKind) -> None:
        id, role = str(event["conversation_id"]), event.get("role") or "initiator"
        own, far = event.get("service") or "?", event.get("far_service") or "?"
        about = f"{own} → {far}" if role == "initiator" else f"{far} → {own}"
        lane, row = self._lane("conversation", id, id[:8], about), int(role != "initiator")
        if "?" in self.lanes[lane].about and "?" not in about:
            self.lanes[lane] = msgspec.structs.replace(self.lanes[lane], about=about)
        self.marks.append(Mark(index, lane, kind, row))
        self._sides.setdefault((lane, row), [index, index])[1] = index
        if event.get("subclass") in ARRIVALS:
            self._sent[sent_key(event)] = index
        elif self._arrives(event) and (sent := self._sent.pop(arrival_key(event), None)) is not None:
            self.links.append(Link(sent, index))

    def _task(self, index: int, event: Event, reader: int, queue: str) -> None:
        tasks = self._tasks.setdefault(reader, [])
        if event.get("subclass") == "started":
            tasks.append((index, None, queue, False))
            return
        has_failed = event.get("subclass") == "aborted"
        if tasks and tasks[-1][1] is None:
            tasks[-1] = (tasks[-1][0], index, queue, has_failed)
        else:  # it began before the trace did
            tasks.append((0, index, queue, has_failed))

    def bars(self) -> list[Bar]:
        """What was there for a while: tasks of readers, sides of conversations."""
        tasks = [Bar(lane, first, last, queue, has_failed=failed) for lane, found in self._tasks.items() for first, last, queue, failed in found]  # fmt: skip
        sides = [
            Bar(lane, first, last, ("initiator", "target")[row], row)
            for (lane, row), (first, last) in self._sides.items()
        ]
        return tasks + sides
