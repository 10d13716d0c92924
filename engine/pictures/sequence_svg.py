"""A sequence diagram as SVG: heads, life lines, arrows with type and number, notes beside a line, times at the left.

Decides the geometry: lines are so far apart that every text between two of them has room, and steps are one below the
other, so that nothing covers anything.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.pictures.model import Arrow, ArrowKind, Note, NoteKind, Participant, SequenceDiagram
from sbql.engine.pictures.svg import FONT, INK, LINE, QUIET, RED, Svg, shortened, text_width

__all__ = ["sequence_svg"]

_MARGIN: Final = 16.0
_TITLE: Final = 34.0
_SMALL: Final = 10.5
_NOTES: Final[dict[NoteKind, tuple[str, str]]] = {
    "begin": ("#e3f8ff", "#0c6cb3"), "state": ("#f5f7fa", "#7b8794"), "timer": ("#fffbea", "#b7791f"),
    "error": ("#ffeeee", RED), "end": ("#f5f7fa", INK),
}  # fmt: skip
_COLOURS: Final[dict[ArrowKind, str]] = {
    "message": INK, "earlier": QUIET, "waiting": "#0c6cb3", "delayed": "#b7791f", "end": INK, "error": RED,
}  # fmt: skip
_SUFFIX: Final = {"waiting": "not received yet", "delayed": "in the transmission queue"}


def sequence_svg(diagram: SequenceDiagram) -> str:
    """The document."""
    return _Drawing(diagram).draw()


def _head_width(participant: Participant) -> float:
    texts = [text_width(shortened(participant.name), FONT), text_width(participant.role, _SMALL)]
    return max([*texts, *(text_width(line, _SMALL) for line in participant.lines), 90.0]) + 20


def _second_line(step: Arrow) -> str:
    return shortened("; ".join(filter(None, [_SUFFIX.get(step.kind, ""), step.detail])), 90)


class _Drawing:
    def __init__(self, diagram: SequenceDiagram) -> None:
        self.diagram = diagram
        self.people = diagram.participants
        self.place = {p.key: index for index, p in enumerate(self.people)}
        self.times = max((text_width(step.time, _SMALL) for step in diagram.steps), default=0.0)
        self.x = self._columns()
        kinds = sum(isinstance(step, Arrow) for step in diagram.steps)
        self.svg = Svg(diagram.title, f"{len(self.people)} participants, {kinds} messages")

    def _columns(self) -> list[float]:
        """The x of each life line."""
        if not self.people:
            return []
        heads = [_head_width(p) for p in self.people]
        gaps = [(heads[i] + heads[i + 1]) / 2 + 24 for i in range(len(heads) - 1)]
        left = heads[0] / 2
        for step in self.diagram.steps:
            wide = self._width(step)
            ends = self._ends(step)
            if ends[0] == ends[1]:  # a note, or a message to oneself: it hangs right of its line
                if ends[0] < len(gaps):
                    gaps[ends[0]] = max(gaps[ends[0]], wide + 30)
            else:
                share = (wide + 30) / (ends[1] - ends[0])
                for index in range(*ends):
                    gaps[index] = max(gaps[index], share)
        x = [_MARGIN + self.times + (12 if self.times else 0) + left]
        for gap in gaps:
            x.append(x[-1] + gap)
        return x

    def _ends(self, step: Arrow | Note) -> tuple[int, int]:
        if isinstance(step, Note):
            return self.place[step.over], self.place[step.over]
        one, other = self.place[step.source], self.place[step.target]
        return min(one, other), max(one, other)

    def _width(self, step: Arrow | Note) -> float:
        if isinstance(step, Note):
            return text_width(shortened(step.text, 90), FONT) + 22
        return max(text_width(shortened(step.text)), text_width(_second_line(step), _SMALL)) + 16

    def draw(self) -> str:
        svg, top = self.svg, _TITLE
        svg.text(_MARGIN, 22, self.diagram.title, anchor="start", bold=True)
        high = 30 + _SMALL * 1.35 * max((len(p.lines) for p in self.people), default=0) + 14
        below = top + high
        rows = [self._height(step) for step in self.diagram.steps]
        bottom = below + 18 + sum(rows) + 6
        for x in self.x:
            svg.path(f"M{x:.1f} {below:.1f} V{bottom:.1f}", colour="#9aa5b1", dashed=True, width=1)
        for participant, x in zip(self.people, self.x, strict=True):
            self._head(participant, x, top, high)
        y = below + 18
        for step, height in zip(self.diagram.steps, rows, strict=True):
            if step.time:
                svg.text(_MARGIN, y + 12, step.time, anchor="start", colour=QUIET, size=_SMALL)
            self._note(step, y) if isinstance(step, Note) else self._arrow(step, y)
            y += height
        return svg.document(self._right(), bottom + 14)

    def _right(self) -> float:
        ends = [x + _head_width(p) / 2 for p, x in zip(self.people, self.x, strict=True)]
        for step in self.diagram.steps:
            one, other = self._ends(step)
            if one == other:
                ends.append(self.x[one] + 8 + self._width(step))
        return max([*ends, text_width(self.diagram.title) * 1.08 + _MARGIN]) + _MARGIN

    def _height(self, step: Arrow | Note) -> float:
        if isinstance(step, Note):
            return 32.0
        return 34.0 + (LINE - 2 if _second_line(step) else 0)

    def _head(self, participant: Participant, x: float, y: float, height: float) -> None:
        width = _head_width(participant)
        self.svg.box(x - width / 2, y, width, height, fill="#f0f4f8")
        self.svg.text(x, y + 18, shortened(participant.name), bold=True)
        below = y + 32
        for line in (participant.role, *participant.lines):
            self.svg.text(x, below, line, colour=QUIET, size=_SMALL)
            below += _SMALL * 1.35

    def _note(self, note: Note, y: float) -> None:
        fill, stroke = _NOTES[note.kind]
        x = self.x[self.place[note.over]]
        self.svg.box(x + 8, y - 3, self._width(note), 22, fill=fill, stroke=stroke, radius=3)
        self.svg.path(f"M{x:.1f} {y + 8:.1f} H{x + 8:.1f}", colour=stroke)
        self.svg.text(x + 18, y + 12, shortened(note.text, 90), anchor="start")

    def _arrow(self, arrow: Arrow, y: float) -> None:
        svg, colour = self.svg, _COLOURS[arrow.kind]
        start, end = self.x[self.place[arrow.source]], self.x[self.place[arrow.target]]
        second = _second_line(arrow)
        line = y + 18
        is_broken = arrow.kind == "delayed"
        if start == end:  # the same service is both sides under one head: a loop
            svg.path(f"M{start:.1f} {line - 6:.1f} h14 v12 h-6", colour=colour, dashed=is_broken)
            svg.head(start, line + 6, -1, 0, colour)
            svg.text(start + 20, line + 4, shortened(arrow.text), anchor="start", colour=colour)
            return
        side = 1 if end > start else -1
        stop = start + (end - start) * 0.8 if is_broken else end
        svg.path(f"M{start:.1f} {line:.1f} H{stop:.1f}", colour=colour, dashed=is_broken or arrow.kind == "earlier")
        if is_broken:  # it has not arrived
            svg.path(f"M{stop - 5:.1f} {line - 5:.1f} l10 10 m0 -10 l-10 10", colour=colour, width=1.8)
        else:
            svg.head(end, line, side, 0, colour, is_open=arrow.kind == "waiting")
        middle = (start + end) / 2
        svg.text(middle, line - 5, shortened(arrow.text), colour=colour, bold=arrow.kind == "error")
        if second:
            svg.text(middle, line + 13, second, colour=QUIET, size=_SMALL)
