"""The end of an instance: all that runs in it is told to stop, and has stopped before the store below it closes.

Decides how long that may take, and that an instance which the program leaves open ends in the same way when the process
does: Python stops its other threads in the middle of whatever they do, and one that is inside of DuckDB then would take
the process down with it. In a child made by fork nothing ends, for nothing was begun there: the instance is its
parent's, and everything that is asked of it is refused. It must not know what runs.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
import weakref
from typing import TYPE_CHECKING, NoReturn

from sbql.engine import cancelling
from sbql.engine.kept_counters import keep_counters
from sbql.engine.ports import Instance, Session
from sbql.engine.wait_stats import WaitStats
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["INHERITED", "PATIENCE", "adopt", "last_steps", "stop_work"]

PATIENCE = 30.0
"""Seconds that a batch or a task may take to stop."""
_AGAIN = 0.02
"""Seconds between two requests to stop: DuckDB forgets one that comes just before a query starts."""

INHERITED = (
    "this process was forked from the one that opened the store, and the store is not its own: connect in the process that "
    "is to use it, after the fork"
)

_instances: weakref.WeakSet[Instance] = weakref.WeakSet()
_process_ends = False


def adopt(instance: Instance) -> None:
    """See to the end of `instance` when its program does not. Raises 6005 when the process is ending already."""
    if _process_ends:
        raise sql_error(6005)
    _instances.add(instance)


def stop_work(instance: Instance) -> None:
    """End all sessions, but those whose batch runs in this thread, and wait for all that runs in other threads.

    Raises 6005 with the sessions that do not stop.
    """
    end = time.monotonic() + PATIENCE
    while True:
        sessions = list(instance.sessions.values())
        for session in sessions:
            try:
                session.end()
            except Exception as error:  # it is closed once more when all is quiet
                instance.log_failure(f"in ending session {session.spid}", error)
        busy = [session for session in sessions if _is_busy(instance, session)]
        is_quiet = instance.driver.join(_AGAIN)
        if is_quiet and not busy:
            return
        if time.monotonic() > end:
            names = ", ".join(f"session {session.spid}" for session in busy) or "background work"
            raise SqlError(
                6005, f"The store stays open until the process ends, for {names} does not stop.", severity=17
            )
        if busy:
            time.sleep(_AGAIN)


def last_steps(instance: Instance) -> list[Callable[[], None]]:
    """What is left when all has stopped: sessions, then events that nobody has been told of, and what was counted."""
    sessions = list(instance.sessions.values())
    return [*(session.close for session in sessions), instance.scheduler.finish, lambda: keep_counters(instance)]


def _is_busy(instance: Instance, session: Session) -> bool:
    """A batch of the session is being run by another thread."""
    is_driven = instance.loop is None or instance.loop.current is not None
    return session.is_running and is_driven and session.running_in != threading.get_ident()


@atexit.register
def _close_all() -> None:
    global _process_ends
    _process_ends = True
    for instance in list(_instances):
        with contextlib.suppress(SqlError):  # what was committed is in the store, whatever could not be stopped
            instance.close()
    cancelling.finish()


# --- in the child of a fork ----------------------------------------------------------------------------------


class NobodyDrives:
    """The driver of an instance in a child: it refuses before anything looks for a lock, whose holder may be a
    thread that is not in this process."""

    wait_stats = WaitStats()

    def current_session(self) -> None:
        return None

    def run(self, work: Work, session: Session | None = None) -> NoReturn:
        work.close()
        raise SqlError(596, f"{INHERITED[0].upper()}{INHERITED[1:]}.", severity=21)

    def spawn(
        self, work: Work, session: Session | None, name: str, done: Callable[[BaseException | None], None]
    ) -> None:
        work.close()

    def join(self, timeout: float) -> bool:
        return True


def _after_fork() -> None:
    for instance in list(_instances):
        instance.disown(NobodyDrives())
    _instances.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
