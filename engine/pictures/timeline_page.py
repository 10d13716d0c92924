"""A timeline as one HTML page that needs nothing else: no network, no other file.

Decides how data come into the page, so that nothing in a trace can end the script or become markup.
What the page does is in timeline.html.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from uuid import UUID

import msgspec

from sbql.engine.pictures.timeline import Timeline, timeline
from sbql.engine.pictures.trace_lines import Event, read_trace, those_of

__all__ = ["recorded_timeline", "timeline_page"]


@cache
def _template() -> str:
    return files(__package__).joinpath("timeline.html").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True, repr=False)
class TimelinePage:
    """What `recorded_timeline` returns. `timeline`: the lanes and what is on them, as data."""

    timeline: Timeline

    @property
    def html(self) -> str:
        """The page."""
        data = msgspec.json.encode(self.timeline).decode().replace("<", "\\u003c")
        head, _, rest = _template().partition("@TITLE@")
        middle, _, tail = rest.partition("@DATA@")
        return f"{head}{escape(self.timeline.title)}{middle}{data}{tail}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. Raises OSError."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<timeline of {len(self.timeline.events)} events on {len(self.timeline.lanes)} lanes>"


def timeline_page(events: Sequence[Event], title: str) -> TimelinePage:
    """The page of events that were read. Raises ValueError for an event without a time."""
    return TimelinePage(timeline(events, title))


def recorded_timeline(trace: str | os.PathLike[str] | Iterable[str], id: str | UUID | None = None) -> TimelinePage:
    """The timeline of a recorded trace, or of one conversation_id, handle or conversation group of it.

    `trace` is a file or its lines. Raises LookupError when nothing in it has that id, ValueError for a line that is no
    event or an `id` that is no guid, OSError when the file cannot be read.
    """
    events = read_trace(trace)
    name = os.path.basename(os.fspath(trace)) if isinstance(trace, str | os.PathLike) else "Recorded trace"
    if id is not None:
        events, name = those_of(events, id), f"{name}, {str(id).strip().upper()}"
    return timeline_page(events, name)
