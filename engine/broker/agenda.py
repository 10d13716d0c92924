"""Agendas: many places by when their turns come, in sixteen bytes for each.

Decides which is next. Must not know what a turn is: a number. Places whose turn has changed, or that have gone, stay on
an agenda until they are met, and are passed over then: whoever has the agenda says which they are.

What is far off is kept in buckets, each with the turns of one width. Only the first bucket is in order, as a heap.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Final

__all__ = ["Agenda"]

_SLACK: Final = 1_000
"""So many entries that do not count may stand on an agenda, and as many as others."""


class Agenda:
    """`width`: of turns that are in one bucket. `counts` tells whether a place has that turn."""

    def __init__(self, width: int, counts: Callable[[int, int], bool]) -> None:
        self._width, self._counts = width, counts
        self._buckets: dict[int, tuple[array[int], array[int]]] = {}
        """Turns and places."""
        self._numbers: list[int] = []
        """Of the buckets, a heap."""
        self._first: list[tuple[int, int]] = []
        """What was in the lowest bucket when it was met, and what has come before its end since: a heap."""
        self._end = -1
        """The number of that bucket."""
        self._entries = 0
        self.live = 0
        """Places that are on it and count."""

    def put(self, turn: int, place: int) -> None:
        number = turn // self._width
        if number <= self._end:
            heappush(self._first, (turn, place))
        else:
            bucket = self._buckets.get(number)
            if bucket is None:
                bucket = self._buckets[number] = array("q"), array("I")
                heappush(self._numbers, number)
            bucket[0].append(turn)
            bucket[1].append(place)
        self.live += 1
        self._entries += 1
        if self._entries > 2 * self.live + _SLACK:
            self._sweep()

    def remove(self) -> None:
        """A place does not count any more."""
        self.live -= 1

    def first(self) -> tuple[int, int] | None:
        """The lowest turn and its place."""
        while True:
            while self._first:
                turn, place = entry = self._first[0]
                if self._counts(turn, place):
                    return entry
                heappop(self._first)
                self._entries -= 1
            if not self._numbers:
                return None
            self._end = heappop(self._numbers)
            self._first = list(zip(*self._buckets.pop(self._end), strict=True))
            heapify(self._first)

    def _sweep(self) -> None:
        """Only what counts stays, once."""
        entries = {*self._first}
        for bucket in self._buckets.values():
            entries.update(zip(*bucket, strict=True))
        counted = [entry for entry in entries if self._counts(*entry)]
        self._buckets, self._numbers, self._first, self._end = {}, [], [], -1
        self._entries = self.live = 0
        for turn, place in counted:
            self.put(turn, place)
