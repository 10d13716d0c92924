"""Lines that run, told to who measures which of them do.

It decides how a statement that runs is known to stand in a file: by the text that it is a part of. Whoever runs a
script says of each batch where it stands; the same text is met again as the definition of a module, whichever
instance, copy or thread runs it. So nothing is stored with a module, and equal texts of several places are told of
together. While nobody listens, nothing is kept, and what is compiled then has no trace of this. It must not know
who listens, nor what a statement is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeVar

from sbql.grammar.batches import BatchText, Place

__all__ = ["Tell", "are_heard", "came_from", "listen", "made_of", "teller"]

V = TypeVar("V")

Listener = Callable[[str, int, "bool | None"], None]
"""Gets the path of a file and a line in it, each time that what begins there runs; in whatever thread that is. And
again with what a condition has said, of IF and WHILE."""

Tell = Callable[[int, "bool | None"], None]
"""The same within a text: gets a line of it."""

_listener: Listener | None = None
_places: dict[str, list[Place]] = {}
_sources: dict[str, list[str]] = {}
"""Definitions that differ from the batch that made them, with the texts of such batches."""


def listen(listener: Listener | None) -> None:
    """From now on what is compiled tells of its lines; with None, no longer."""
    global _listener
    _listener = listener
    if listener is None:
        _places.clear()
        _sources.clear()


def are_heard() -> bool:
    return _listener is not None


def came_from(batch: BatchText) -> None:
    """A batch is to run, and this is where it stands."""
    if _listener is not None:
        breaks = tuple((line, _path(file), first) for line, file, first in batch.breaks)
        _keep(_places, batch.text, Place(_path(batch.source), batch.first_line, breaks))


def made_of(definition: str, text: str) -> None:
    """A definition has the lines of the batch that makes it, if not its words (ALTER)."""
    if _listener is not None and definition != text:
        _keep(_sources, definition, text)


def teller(text: str) -> Tell | None:
    """What a statement of the text calls with its line when it runs, and a condition with what it has
    said; None while nobody listens."""
    listener = _listener
    if listener is None:
        return None

    def tell(line: int, holds: bool | None = None) -> None:
        for place in _places_of(text):
            file, there = place.at(line)
            if file:
                listener(file, there, holds)

    return tell


def _places_of(text: str) -> Iterator[Place]:
    yield from _places.get(text, ())
    for source in _sources.get(text, ()):
        yield from _places.get(source, ())


def _keep(known: dict[str, list[V]], key: str, value: V) -> None:
    values = known.setdefault(key, [])
    if value not in values:
        values.append(value)


def _path(name: str) -> str:
    """A file as others name it, too; '' for what is no file: a text that was typed, or made by a program."""
    return os.path.realpath(name) if name and os.path.isfile(name) else ""
