"""A diagram with its forms: SVG for notebooks and browsers, Mermaid for documents, text for terminals.

Decides which form is shown where: notebooks take the SVG by themselves, `print` the text, `save` asks the file's name.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sbql.engine.pictures import mermaid, text_art
from sbql.engine.pictures.graph_svg import graph_svg
from sbql.engine.pictures.model import Diagram, Graph
from sbql.engine.pictures.sequence_svg import sequence_svg

__all__ = ["Picture"]


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """What the functions of `sbql.engine.pictures` return."""

    diagram: Diagram

    @property
    def svg(self) -> str:
        """A whole SVG document."""
        found = self.diagram
        return graph_svg(found) if isinstance(found, Graph) else sequence_svg(found)

    @property
    def mermaid(self) -> str:
        """The text of a Mermaid diagram."""
        found = self.diagram
        return mermaid.graph(found) if isinstance(found, Graph) else mermaid.sequence(found)

    @property
    def text(self) -> str:
        """For a terminal, in box-drawing characters."""
        found = self.diagram
        return text_art.graph(found) if isinstance(found, Graph) else text_art.sequence(found)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file: .svg, .mmd (Mermaid) or .txt. Raises ValueError for another name."""
        forms = {".svg": "svg", ".mmd": "mermaid", ".txt": "text"}
        form = forms.get(Path(path).suffix.lower())
        if form is None:
            raise ValueError(f"a picture is saved as .svg, .mmd or .txt, not as {os.fspath(path)}")
        Path(path).write_text(getattr(self, form) + "\n", encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        """The text, for whoever looks at it without SVG."""
        return self.text
