"""Diagrams for a terminal: life lines and arrows in box-drawing characters; a graph as a list of what leads where.

Decides widths in the columns of a terminal, where East Asian characters take two. Names are shortened rather than
wrapped: whoever wants all of them asks the views.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.pictures.model import Arrow, Graph, Note, Participant, SequenceDiagram
from sbql.engine.pictures.svg import clean, shortened
from sbql.engine.result_text import text_width

__all__ = ["graph", "sequence"]

_NAME: Final = 34
_WAITS: Final = {"waiting": "not received yet", "delayed": "in the transmission queue"}


def _wide(text: str) -> int:
    return text_width(clean(text))


def _centred(text: str, at: int, canvas: list[str]) -> None:
    _put(text, at - _wide(text) // 2, canvas)


def _put(text: str, at: int, canvas: list[str]) -> None:
    """Write `text` over the canvas from column `at`; a wide character takes two cells."""
    for char in clean(text):
        width = _wide(char)
        while len(canvas) < at + width:
            canvas.append(" ")
        if width == 0 and at > 0:
            canvas[at - 1] += char
            continue
        canvas[at] = char
        if width == 2:
            canvas[at + 1] = ""
        at += width


def sequence(diagram: SequenceDiagram) -> str:
    """Life lines from top to bottom."""
    return _Sequence(diagram).text()


class _Sequence:
    def __init__(self, diagram: SequenceDiagram) -> None:
        self.diagram = diagram
        self.place = {p.key: index for index, p in enumerate(diagram.participants)}
        self.columns = self._columns()

    def _columns(self) -> list[int]:
        people = self.diagram.participants
        if not people:
            return []
        heads = [max(map(_wide, self._head(p))) + 2 for p in people]
        gaps = [(heads[i] + heads[i + 1]) // 2 + 2 for i in range(len(people) - 1)]
        for step in self.diagram.steps:
            if isinstance(step, Note):
                low = high = self.place[step.over]
                need = _wide(shortened(step.text, 60)) + 6
            else:
                low, high = sorted((self.place[step.source], self.place[step.target]))
                need = max(map(_wide, self._labels(step))) + 6
            if low == high and low < len(gaps):
                gaps[low] = max(gaps[low], need)
            for index in range(low, high):
                gaps[index] = max(gaps[index], -(-need // (high - low)))
        times = max((len(step.time) for step in self.diagram.steps), default=0)
        at = [times + 2 + heads[0] // 2]
        for gap in gaps:
            at.append(at[-1] + gap)
        return at

    def _head(self, participant: Participant) -> list[str]:
        return [text for text in (shortened(participant.name, _NAME), participant.role, *participant.lines) if text]

    def _labels(self, arrow: Arrow) -> list[str]:
        detail = "; ".join(filter(None, [_WAITS.get(arrow.kind, ""), arrow.detail]))
        return [shortened(arrow.text, 60), *([shortened(detail, 60)] if detail else [])]

    def text(self) -> str:
        lines = [clean(self.diagram.title), ""]
        heads = [self._head(p) for p in self.diagram.participants]
        for row in range(max(map(len, heads), default=0)):
            canvas: list[str] = []
            for at, head in zip(self.columns, heads, strict=True):
                if row < len(head):
                    _centred(head[row], at, canvas)
            lines.append("".join(canvas))
        lines.append(self._blank())
        for step in self.diagram.steps:
            lines += self._note(step) if isinstance(step, Note) else self._arrow(step)
        lines.append(self._blank())
        return "\n".join(line.rstrip() for line in lines)

    def _canvas(self) -> list[str]:
        canvas: list[str] = []
        for at in self.columns:
            _put("│", at, canvas)
        return canvas

    def _blank(self) -> str:
        return "".join(self._canvas())

    def _note(self, note: Note) -> list[str]:
        canvas = self._canvas()
        _put(note.time, 0, canvas)
        mark = {"error": "! ", "timer": "◷ "}.get(note.kind, "")
        _put(f"├╴{mark}{shortened(note.text, 60)}", self.columns[self.place[note.over]], canvas)
        return ["".join(canvas)]

    def _arrow(self, arrow: Arrow) -> list[str]:
        start, end = self.columns[self.place[arrow.source]], self.columns[self.place[arrow.target]]
        low, high = min(start, end), max(start, end)
        shown = []
        for index, label in enumerate(self._labels(arrow)):
            canvas = self._canvas()
            if index == 0:
                _put(arrow.time, 0, canvas)
            _put(label, low + 3 if low == high else max(low + 2, (low + high - _wide(label)) // 2), canvas)
            shown.append("".join(canvas))
        canvas = self._canvas()
        if low == high:
            _put("├─╮◄╯"[:4], low, canvas)
        else:
            dash = "╌" if arrow.kind in ("delayed", "earlier") else "─"
            _put(dash * (high - low - 1), low + 1, canvas)
            tip = "×" if arrow.kind == "delayed" else ("▷" if arrow.kind == "waiting" else "►")
            back = "×" if arrow.kind == "delayed" else ("◁" if arrow.kind == "waiting" else "◄")
            _put(tip if end > start else back, end - 1 if end > start else end + 1, canvas)
        return [*shown, "".join(canvas)]


def graph(diagram: Graph) -> str:
    """Each box with its lines, and below it where its edges lead."""
    titles = {node.key: node.title for node in diagram.nodes}
    lines = [clean(diagram.title)]
    for column in sorted({node.column for node in diagram.nodes}):
        if column < len(diagram.headings):
            lines += ["", clean(diagram.headings[column])]
        for node in (n for n in diagram.nodes if n.column == column):
            about = f"  ({', '.join(map(clean, node.lines))})" if node.lines else ""
            lines.append(f"  {clean(node.title)}{about}")
            for edge in (e for e in diagram.edges if e.source == node.key):
                label = f"  {', '.join(edge.labels)}" if edge.labels else ""
                lines.append(f"    {'╌' if edge.dashed else '─'}► {clean(titles[edge.target])}{clean(label)}")
    return "\n".join([*lines, *([""] if diagram.notes else []), *map(clean, diagram.notes)])
