"""How many of a program run: what a notification starts, and what the end of one does.

It decides numbers, and what becomes of a notification that comes while as many run as may: it is kept, and starts one
when one ends, for the queue says nothing again before somebody has received from it. It must not know how a program is
started (a port is handed in) nor who notifies.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from sbql.repl.activator.configuration import Application

__all__ = ["RETRY", "Programs", "Start"]

RETRY = 30.0
"""Seconds after which a program that could not be started is tried again."""


class Process(Protocol):
    """One that was started."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        ...


Start = Callable[[Application], Process]
Log = Callable[[str, str], None]
"""Called with a level (Error, Warning, Information, Verbose) and a text."""


class Programs:
    """Those of one application. Thread safe."""

    def __init__(self, application: Application, start: Start, log: Log, now: Callable[[], float]) -> None:
        """`start` raises OSError. `now`: seconds that only grow."""
        self.application = application
        self._start, self._log, self._now = start, log, now
        self._running: list[Process] = []
        self._is_pending = False
        self._not_before = 0.0
        self._mutex = threading.Lock()

    @property
    def running(self) -> list[int]:
        """The ids of the processes."""
        with self._mutex:
            return [process.pid for process in self._running]

    def notified(self) -> None:
        """The queue has messages: as many programs as there are to be at least, or one more."""
        self.look()
        one = self.application
        with self._mutex:
            missing = max(1, one.least - len(self._running))
            for _ in range(missing):
                self._begin()

    def look(self) -> None:
        """Take note of programs that have ended, and start what is due."""
        with self._mutex:
            for process in list(self._running):
                code = process.poll()
                if code is not None:
                    self._running.remove(process)
                    self._log(
                        "Warning" if code else "Information",
                        f"{self.application.name}: process {process.pid} has ended with code {code}.",
                    )
            if self._is_pending and len(self._running) < self.application.most and self._now() >= self._not_before:
                self._begin()

    def _begin(self) -> None:
        one = self.application
        if len(self._running) >= one.most:
            self._is_pending = True
            self._log(
                "Verbose",
                f"{one.name}: {one.most} processes run, as many as may; another one starts when one of them ends.",
            )
            return
        try:
            process = self._start(one)
        except OSError as error:
            self._is_pending, self._not_before = True, self._now() + RETRY
            self._log(
                "Error",
                f"{one.name}: {one.program} cannot be started: {error.strerror or error}. It is tried again in {RETRY:g} seconds.",
            )
            return
        self._is_pending = False
        self._running.append(process)
        self._log("Information", f"{one.name}: process {process.pid} was started, {len(self._running)} of {one.most}.")
