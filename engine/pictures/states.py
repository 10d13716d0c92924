"""The states of a conversation as a graph, read from the table that the broker itself works by.

Decides only places and words: which event leads where comes from `broker.conversation_state.TABLE`, so that the picture
cannot tell something else than the code does.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.broker.conversation_state import CLOSED, DISCARD, REMOVED, STATE_DESC, STATES, TABLE, Event
from sbql.engine.pictures.model import Edge, Graph, Node, NodeKind
from sbql.engine.pictures.picture import Picture

__all__ = ["conversation_states"]

_PLACES: Final = {
    "SO": (0, 0), "SI": (0, 10), "CO": (1, 4), "DO": (2, 3), "ER": (2, 5), "DI": (2, 10), CLOSED: (3, 5), REMOVED: (4, 0), "CD": (4, 10),
}  # fmt: skip
"""Column and row. A state that is new in the table stands below the others."""

_REST: Final = (
    "A statement that is not shown is refused with an error, or leaves the state as it is.",
    "What comes from elsewhere and is not shown is dropped.",
)


def conversation_states() -> Picture:
    """States, events and what becomes of the endpoint."""
    everywhere = [
        event
        for event in Event
        if len({TABLE[state, event] for state in STATES}) == 1 and TABLE["CO", event] == REMOVED
    ]
    labels: dict[tuple[str, str], list[str]] = {}
    for state in STATES:
        for event in Event:
            target = TABLE[state, event]
            if isinstance(target, str) and target not in (state, DISCARD) and event not in everywhere:
                labels.setdefault((state, target), []).append(_words(event))
    labels[CLOSED, "CD"], labels[CLOSED, REMOVED] = ["target"], ["initiator"]
    notes = [f"{_words(event)} removes the endpoint in every state." for event in everywhere]
    return Picture(
        Graph(
            "States of a conversation endpoint",
            tuple(_node(state) for state in (*STATES, CLOSED, REMOVED)),
            tuple(Edge(source, target, tuple(names)) for (source, target), names in labels.items()),
            notes=(*notes, *_REST),
        )
    )


def _words(event: Event) -> str:
    return event.value.replace("_", " ")


def _node(state: str) -> Node:
    column, row = _PLACES.get(state, (4, 2 * len(_PLACES)))
    if state == REMOVED:
        return Node(state, "final", "removed", column=column, row=row)
    if state == CLOSED:
        return Node(state, "final", "closed", ("both sides have ended",), column, row)
    kind: NodeKind = "start" if state in ("SO", "SI") else "state"
    return Node(state, kind, state, (STATE_DESC[state],), column, row)
