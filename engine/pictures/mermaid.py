"""Diagrams as Mermaid text, which GitHub, GitLab and many editors draw.

Decides how a text of the user is written where Mermaid would read it as syntax: as one of its #entities;.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.pictures.model import Arrow, ArrowKind, Graph, NodeKind, SequenceDiagram
from sbql.engine.pictures.svg import clean

__all__ = ["graph", "sequence"]

_SYNTAX: Final = '#;"<>%{}[]()|`:&'
_ARROWS: Final[dict[ArrowKind, str]] = {
    "message": "->>", "earlier": "-->>", "waiting": "-)", "delayed": "--x", "end": "->>", "error": "-x",
}  # fmt: skip
_SHAPES: Final[dict[NodeKind, tuple[str, str]]] = {
    "service": ("(", ")"), "queue": ("[(", ")]"), "contract": ("[/", "/]"), "route": (">", "]"), "procedure": ("[[", "]]"),
    "state": ("(", ")"), "start": ("([", "])"), "final": ("((", "))"),
}  # fmt: skip


def _escaped(text: str) -> str:
    return "".join(f"#{ord(char)};" if char in _SYNTAX else char for char in clean(text))


def sequence(diagram: SequenceDiagram) -> str:
    """A sequenceDiagram."""
    names = {p.key: f"p{index}" for index, p in enumerate(diagram.participants, 1)}
    lines = ["sequenceDiagram", f"    title {_escaped(diagram.title)}"]
    for participant in diagram.participants:
        about = [participant.name, participant.role, *participant.lines]
        text = "<br/>".join(_escaped(part) for part in about if part)
        lines.append(f"    participant {names[participant.key]} as {text}")
    for step in diagram.steps:
        time = f"{_escaped(step.time)} " if step.time else ""
        if isinstance(step, Arrow):
            text = _escaped(step.text) + (f"<br/>{_escaped(step.detail)}" if step.detail else "")
            lines.append(f"    {names[step.source]}{_ARROWS[step.kind]}{names[step.target]}: {time}{text}")
        else:
            lines.append(f"    Note over {names[step.over]}: {time}{_escaped(step.text)}")
    return "\n".join(lines)


def graph(diagram: Graph) -> str:
    """A flowchart from left to right."""
    names = {node.key: f"n{index}" for index, node in enumerate(diagram.nodes, 1)}
    lines = ["---", f'title: "{_escaped(diagram.title)}"', "---", "flowchart LR"]
    for node in diagram.nodes:
        before, after = _SHAPES[node.kind]
        text = "<br/>".join(_escaped(part) for part in (node.title, *node.lines))
        lines.append(f'    {names[node.key]}{before}"{text}"{after}')
    for edge in diagram.edges:
        label = f'|"{"<br/>".join(map(_escaped, edge.labels))}"|' if edge.labels else ""
        lines.append(f"    {names[edge.source]} {'-.->' if edge.dashed else '-->'}{label} {names[edge.target]}")
    lines += [f"    %% {clean(note)}" for note in diagram.notes]
    return "\n".join(lines)
