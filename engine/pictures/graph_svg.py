"""Boxes and edges as SVG, in columns from left to right.

Decides places. A box stands in its column: in the row that was asked for, else near its neighbours in the column before
it. An edge is a curve, and its label goes to the first place along it where nothing else stands.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from sbql.engine.pictures.model import Edge, Graph, Node, NodeKind
from sbql.engine.pictures.svg import INK, LINE, PAPER, QUIET, Svg, shortened, text_width

__all__ = ["Rectangle", "curves", "graph_svg", "layout"]

_MARGIN: Final = 18.0
_TOP: Final = 40.0
_SMALL: Final = 10.5
_FILLS: Final[dict[NodeKind, str]] = {
    "service": "#e3f8ff", "queue": "#e6fcf5", "contract": "#f5f0ff", "route": "#fffbea", "procedure": "#f0f4f8",
    "state": "#f0f4f8", "start": "#e3f8ff", "final": "#ffffff",
}  # fmt: skip


class Rectangle(Struct, frozen=True):
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def meets(self, other: Rectangle, gap: float = 0.0) -> bool:
        return (
            self.x - gap < other.x + other.width
            and other.x - gap < self.x + self.width
            and self.y - gap < other.y + other.height
            and other.y - gap < self.y + self.height
        )


def _size(node: Node) -> tuple[float, float]:
    lines = [text_width(line, _SMALL) for line in node.lines]
    return max([text_width(shortened(node.title)) * 1.06, *lines, 60.0]) + 20, 30 + 14.5 * len(node.lines)


def layout(graph: Graph) -> dict[str, Rectangle]:
    """Where each box stands, by its key."""
    columns: dict[int, list[Node]] = {}
    for node in graph.nodes:
        columns.setdefault(node.column, []).append(node)
    is_placed = any(node.row is not None for node in graph.nodes)
    gap_x, gap_y = (150.0, 66.0) if is_placed else (70.0, 18.0)
    high = max((_size(node)[1] for node in graph.nodes), default=0.0)
    places: dict[str, Rectangle] = {}
    x = _MARGIN
    top = _TOP + (20 if graph.headings else 0)
    for column in sorted(columns):
        nodes = columns[column] if is_placed else _ordered(columns[column], graph, places)
        width = max([_size(node)[0] for node in nodes] + [_heading_width(graph, column)])
        y = top
        for node in nodes:
            own, height = _size(node)
            if node.row is not None:
                y = top + node.row * (high + gap_y) / 2
            places[node.key] = Rectangle(x + (width - own) / 2 if is_placed else x, y, own if is_placed else width, height)  # fmt: skip
            y += height + gap_y
        x += width + gap_x
    return places


def _heading_width(graph: Graph, column: int) -> float:
    return text_width(graph.headings[column], _SMALL) * 1.1 if column < len(graph.headings) else 0.0


def _ordered(nodes: list[Node], graph: Graph, places: dict[str, Rectangle]) -> list[Node]:
    """Those of one column by the middle of their neighbours that stand already; who has none keeps its place."""

    def rank(item: tuple[int, Node]) -> tuple[float, int]:
        index, node = item
        near = [places[e.source].middle[1] for e in graph.edges if e.target == node.key and e.source in places]
        near += [places[e.target].middle[1] for e in graph.edges if e.source == node.key and e.target in places]
        return (sum(near) / len(near) if near else 1e9, index)

    return [node for _, node in sorted(enumerate(nodes), key=rank)]


class _Curve(Struct, frozen=True):
    points: tuple[tuple[float, float], ...]

    def at(self, t: float) -> tuple[float, float]:
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = self.points
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


def _side(one: Rectangle, other: Rectangle) -> tuple[int, int]:
    """On which side of the two boxes an edge leaves and arrives: sideways between columns, and inside of one column
    round the right border downward, round the left one upward."""
    (x0, y0), (x1, y1) = one.middle, other.middle
    if abs(x0 - x1) < (one.width + other.width) / 2:
        side = 1 if y1 > y0 else -1
        return side, side
    return (1, -1) if x1 > x0 else (-1, 1)


def curves(graph: Graph, places: dict[str, Rectangle]) -> list[tuple[Edge, _Curve]]:
    """Edges that share a side of a box are spread over it, in the order of where they lead."""
    ports: dict[tuple[str, int], list[tuple[float, int, bool]]] = {}
    sides = [_side(places[edge.source], places[edge.target]) for edge in graph.edges]
    for index, (edge, (out, into)) in enumerate(zip(graph.edges, sides, strict=True)):
        far, near = places[edge.target].middle[1], places[edge.source].middle[1]
        ports.setdefault((edge.source, out), []).append((far, index, True))
        ports.setdefault((edge.target, into), []).append((near, index, False))
    heights: dict[tuple[int, bool], float] = {}
    for (key, _), users in ports.items():
        place = places[key]
        for position, (_, index, is_start) in enumerate(sorted(users), 1):
            heights[index, is_start] = place.y + place.height * position / (len(users) + 1)
    found = []
    for index, (edge, (out, into)) in enumerate(zip(graph.edges, sides, strict=True)):
        one, other = places[edge.source], places[edge.target]
        start = (one.middle[0] + out * one.width / 2, heights[index, True])
        end = (other.middle[0] + into * other.width / 2, heights[index, False])
        found.append((edge, _curve(start, end, out, into)))
    return found


def _curve(start: tuple[float, float], end: tuple[float, float], out: int, into: int) -> _Curve:
    (x0, y0), (x3, y3) = start, end
    if out == into:
        far = max(x0 * out, x3 * out) * out + out * (26 + abs(y3 - y0) * 0.18)
        return _Curve((start, (far, y0), (far, y3), end))
    bend = abs(x3 - x0) / 2
    return _Curve((start, (x0 + out * bend, y0), (x3 + into * bend, y3), end))


def graph_svg(graph: Graph) -> str:
    """The document."""
    svg = Svg(graph.title, f"{len(graph.nodes)} boxes, {len(graph.edges)} edges")
    svg.text(_MARGIN, 24, graph.title, anchor="start", bold=True)
    places = layout(graph)
    for column, heading in enumerate(graph.headings):
        inside = [places[n.key].x for n in graph.nodes if n.column == column]
        if inside:
            svg.text(min(inside), _TOP + 8, heading, anchor="start", colour=QUIET, size=_SMALL, bold=True)
    taken = list(places.values())
    found = curves(graph, places)
    for edge, curve in found:
        _draw_edge(svg, edge, curve)
    for node in graph.nodes:
        _draw_node(svg, node, places[node.key])
    for edge, curve in found:
        if edge.labels:
            taken.append(_draw_label(svg, edge, curve, taken))
    bottom = max([r.y + r.height for r in taken], default=_TOP) + 22
    for note in graph.notes:
        svg.text(_MARGIN, bottom, note, anchor="start", colour=QUIET, size=_SMALL)
        bottom += LINE
    right = max([r.x + r.width for r in taken] + [x for _, c in found for x, _ in (c.at(0.5),)], default=0.0)
    texts = [text_width(graph.title) * 1.08, *(text_width(note, _SMALL) for note in graph.notes)]
    return svg.document(max(right, *(_MARGIN + wide for wide in texts)) + _MARGIN, bottom)


def _draw_edge(svg: Svg, edge: Edge, curve: _Curve) -> None:
    p = curve.points
    path = f"M{p[0][0]:.1f} {p[0][1]:.1f} C{p[1][0]:.1f} {p[1][1]:.1f} {p[2][0]:.1f} {p[2][1]:.1f} {p[3][0]:.1f} {p[3][1]:.1f}"
    svg.path(path, colour=QUIET, dashed=edge.dashed)
    svg.head(*p[3], 1 if p[3][0] >= p[2][0] else -1, 0, QUIET)


def _draw_node(svg: Svg, node: Node, place: Rectangle) -> None:
    is_final = node.kind == "final"
    radius = 14 if node.kind in ("state", "start", "final") else 4
    svg.box(place.x, place.y, place.width, place.height, fill=_FILLS[node.kind], radius=radius, dashed=is_final)
    middle = place.middle[0]
    svg.text(middle, place.y + 20, shortened(node.title), bold=True)
    for index, line in enumerate(node.lines):
        svg.text(middle, place.y + 35 + 14.5 * index, line, colour=QUIET, size=_SMALL)


def _draw_label(svg: Svg, edge: Edge, curve: _Curve, taken: list[Rectangle]) -> Rectangle:
    width = max(text_width(label, _SMALL) for label in edge.labels) + 6
    height = 13.0 * len(edge.labels) + 2
    places = []
    for step in sorted(range(10, 91, 2), key=lambda s: abs(s - 50)):
        x, y = curve.at(step / 100)
        places.append(Rectangle(x - width / 2, y - height / 2, width, height))
    place = next((p for p in places if not any(p.meets(t, 2.0) for t in taken)), places[0])
    svg.box(place.x, place.y, width, height, fill=PAPER, stroke=PAPER, radius=2)
    for index, label in enumerate(edge.labels):
        svg.text(place.middle[0], place.y + 11 + 13 * index, label, colour=INK, size=_SMALL)
    return place
