"""What instances of other processes have in common for those who reach them, whatever carries the requests.

It decides that what was opened through one ends with it, listeners first, which hear what has arisen; and that a child
of a fork leaves it to its parent.
It must not know what a session does.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from typing import Protocol

from sbql.engine.server import forks

__all__ = ["InstanceElsewhere"]


class _Closable(Protocol):
    def close(self) -> None: ...


class InstanceElsewhere:
    """`RemoteInstance` by sbql's own protocol, `TdsInstance` by SQL Server's."""

    def __init__(self) -> None:
        self.is_inherited = False
        """This process is a child that was forked from the client's."""
        self._sessions: weakref.WeakSet[_Closable] = weakref.WeakSet()
        self._stops: list[Callable[[], None]] = []
        forks.holds(self)

    def disown(self) -> None:
        """In the child of a fork."""
        self.is_inherited = True

    def flush_log(self) -> None:
        """Lines that are held back are the owner's to write."""

    def until_closed(self, stop: Callable[[], None]) -> Callable[[], None]:
        """What stops a listener, which `close` does if nobody has."""

        def once() -> None:
            with contextlib.suppress(ValueError):  # a second time
                self._stops.remove(once)
            stop()

        self._stops.append(once)
        return once

    def close(self) -> None:
        """End the listeners and sessions that were opened through it. The server goes on."""
        if not self.is_inherited:
            for stop in list(self._stops):
                stop()
            for session in list(self._sessions):
                session.close()
