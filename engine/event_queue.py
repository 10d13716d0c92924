"""Events on their way to a listener that is slower than they arise: so many wait, the oldest make room for
new ones, and what is lost is counted.

It decides that whoever causes an event never waits and that memory stays bounded however slow a listener is. It must
not know what events are, nor who listens.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

__all__ = ["MOST_EVENTS", "EventQueue"]

MOST_EVENTS: Final = 10_000
"""Events that wait for a listener that does not take them."""

_T = TypeVar("_T")


class EventQueue(Generic[_T]):
    """All methods may be called from any thread."""

    def __init__(self, wake: Callable[[], object], most: int = MOST_EVENTS) -> None:
        """`wake` is called after each event; it returns at once."""
        self._wake = wake
        self._most = most
        self._mutex = threading.Lock()
        self._events: deque[_T] = deque()
        self._lost = 0

    def __len__(self) -> int:
        return len(self._events)

    def put(self, event: _T) -> None:
        with self._mutex:
            if len(self._events) >= self._most:
                self._events.popleft()
                self._lost += 1
            self._events.append(event)
        self._wake()

    def take(self) -> Iterator[tuple[int, _T]]:
        """What waits, oldest first, each with the number of events that were lost since the one
        before; also what arises meanwhile."""
        while True:
            with self._mutex:
                if not self._events:
                    return
                found, lost = self._events.popleft(), self._lost
                self._lost = 0
            yield lost, found
