"""What a picture shows, without any drawing: sequence diagrams and graphs.

Decides the vocabulary that those who fill pictures and those who draw them share. Every text is as the user wrote it;
whoever draws escapes it. Times are texts already.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["Arrow", "ArrowKind", "Diagram", "Edge", "Graph", "Node", "NodeKind", "Note", "NoteKind", "Participant", "SequenceDiagram"]  # fmt: skip

ArrowKind = Literal["message", "earlier", "waiting", "delayed", "end", "error"]
"""message: arrived; earlier: several that nobody can describe any more; waiting: arrived and not received yet; delayed:
in the transmission queue; end and error: what END CONVERSATION sends."""

NoteKind = Literal["begin", "state", "timer", "error", "end"]

NodeKind = Literal["service", "queue", "contract", "route", "procedure", "state", "start", "final"]


class Participant(Struct, frozen=True):
    """One side: a service (`name`), `role` initiator or target, and what else is to be said of it, a line each."""

    key: str
    name: str
    role: str = ""
    lines: tuple[str, ...] = ()


class Arrow(Struct, frozen=True):
    """A message from `source` to `target`. `numbers` is its message_sequence_number, or a range of them such as 0–4;
    `label` its type, `detail` what a second line says (the status of a delayed message, the text of an error)."""

    source: str
    target: str
    label: str
    kind: ArrowKind = "message"
    numbers: str = ""
    time: str = ""
    detail: str = ""

    @property
    def text(self) -> str:
        return f"{self.numbers} · {self.label}" if self.numbers else self.label


class Note(Struct, frozen=True):
    """Something that happens on one side only."""

    over: str
    text: str
    kind: NoteKind = "state"
    time: str = ""


class SequenceDiagram(Struct, frozen=True):
    """Participants from left to right, steps from top to bottom."""

    title: str
    participants: tuple[Participant, ...]
    steps: tuple[Arrow | Note, ...]


class Node(Struct, frozen=True):
    """A box. `column` is its place from left to right; with a `row`, it stands just there, else where its neighbours
    are."""

    key: str
    kind: NodeKind
    title: str
    lines: tuple[str, ...] = ()
    column: int = 0
    row: int | None = None


class Edge(Struct, frozen=True):
    """From one box to another. `dashed`: it is there, but off."""

    source: str
    target: str
    labels: tuple[str, ...] = ()
    dashed: bool = False


class Graph(Struct, frozen=True):
    """Boxes and edges; `headings` are those of the columns, `notes` stand below."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    headings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Diagram = SequenceDiagram | Graph
