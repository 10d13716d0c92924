"""What both kinds of SVG are made of: measured and escaped text, boxes, arrows.

Decides colours, sizes and what of a text can be in an XML document. Everything is said in attributes, as style sheets
of several SVGs in one notebook would meet; the ground is light whatever the theme of the page is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape, quoteattr

__all__ = ["FONT", "INK", "LINE", "PAPER", "QUIET", "RED", "Svg", "clean", "shortened", "text_width"]

FONT: Final = 12.0
LINE: Final = 16.0
INK, QUIET, RED, PAPER = "#1f2933", "#52606d", "#b42318", "#ffffff"
_FACE: Final = "'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif"
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]/ ")
_BROAD: Final = frozenset("mwMW@%—–·")


def clean(text: str) -> str:
    """`text` with what XML cannot carry, and line ends, made visible."""
    return "".join(char if char >= " " and char not in "\ufffe\uffff\x7f" and not "\ud800" <= char <= "\udfff" else "�" for char in text)  # fmt: skip


def shortened(text: str, most: int = 60) -> str:
    """`text`, or its two ends with a mark between them: names of types differ at the end."""
    if len(text) <= most:
        return text
    return f"{text[: most // 3]}…{text[-(most - most // 3 - 1) :]}"


def text_width(text: str, size: float = FONT) -> float:
    """How wide `text` is, rather too wide than too narrow: nobody knows the font."""
    return sum(_char_width(char) for char in clean(text)) * size


def _char_width(char: str) -> float:
    if char in _NARROW:
        return 0.4
    if char in _BROAD or unicodedata.east_asian_width(char) in "WF":
        return 1.02
    return 0.74 if char.isupper() or not char.isascii() else 0.62


class Svg:
    """Parts of a document, in the order in which they cover each other."""

    def __init__(self, title: str, description: str) -> None:
        self._title, self._description = title, description
        self._parts: list[str] = []

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "middle", bold: bool = False, colour: str = INK,
        size: float = FONT,
    ) -> None:  # fmt: skip
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="{colour}"{weight}>'
            f"{escape(clean(text))}</text>"
        )

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = PAPER, stroke: str = INK, radius: float = 4,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self._parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}" fill="{fill}" '
            f'stroke="{stroke}"{dash}/>'
        )

    def path(self, commands: str, *, colour: str = INK, dashed: bool = False, width: float = 1.3) -> None:
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self._parts.append(f'<path d="{commands}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}/>')

    def head(self, x: float, y: float, dx: float, dy: float, colour: str = INK, *, is_open: bool = False) -> None:
        """The head of an arrow that ends in (x, y), coming along the unit vector (dx, dy)."""
        back_x, back_y = x - 9 * dx, y - 9 * dy
        left = f"{back_x - 4 * dy:.1f} {back_y + 4 * dx:.1f}"
        right = f"{back_x + 4 * dy:.1f} {back_y - 4 * dx:.1f}"
        fill = "none" if is_open else colour
        end = "" if is_open else " Z"
        self._parts.append(f'<path d="M{left} L{x:.1f} {y:.1f} L{right}{end}" fill="{fill}" stroke="{colour}" stroke-width="1.3"/>')  # fmt: skip

    def document(self, width: float, height: float) -> str:
        label = quoteattr(clean(self._title))
        parts: Iterable[str] = self._parts
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label={label} font-family="{_FACE}">'
            f"<title>{escape(clean(self._title))}</title><desc>{escape(clean(self._description))}</desc>"
            f'<rect x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8" fill="{PAPER}" stroke="#cbd2d9"/>'
            + "".join(parts)
            + "</svg>"
        )
