"""How the broker's mutex is waited for: beside it, so that no convoy forms.

A lock of Python's goes to whoever has slept in it longest. That thread has the lock then, but not the interpreter: the
thread that let go of the lock keeps it for the rest of its turn, some milliseconds. Soon that thread wants the lock
again, and falls asleep in it. From then on every use of the lock is a change of threads.

So whoever finds the mutex taken sleeps beside it, and takes it when it is awake, has the interpreter, and finds it
free. Who has had no luck several times sleeps in the lock after all: nobody waits for ever.

It must not know what the mutex guards. A Ctrl-C may come between any two of its lines and leaves the mutex as it was.
"""

from __future__ import annotations

import time
from contextlib import suppress
from threading import RLock
from types import TracebackType
from typing import Final, Protocol

__all__ = ["Mutex", "approach", "new_mutex"]

_PAUSE: Final = 0.0001
"""Seconds to sleep after the first try that found the mutex taken, twice as long after the next, …"""
_LONGEST: Final = 0.0008
"""… up to this."""
_TRIES: Final = 20
"""So many after the first. With four, fifty threads soon met in the lock all the same, and stayed there."""


class Mutex(Protocol):
    """What is asked of a reentrant lock. Its `with` is C, which no interrupt divides."""

    def acquire(self, blocking: bool = True) -> bool: ...

    def release(self) -> None: ...

    def __enter__(self) -> bool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


def new_mutex() -> Mutex:
    return RLock()


def approach(mutex: Mutex) -> Mutex:
    """The mutex, for a `with` that follows at once: seen free or, with bad luck, after the last pause.
    Whoever has it already goes through."""
    pause, left = _PAUSE, _TRIES
    while not _is_free(mutex) and left:
        time.sleep(pause)
        pause, left = min(pause * 2, _LONGEST), left - 1
    return mutex


def _is_free(mutex: Mutex) -> bool:
    """Whether the calling thread would get it now."""
    take = mutex.acquire
    try:
        is_free = take(False)
    except BaseException:  # an interrupt, which comes behind a call: the mutex may have been taken in it
        with suppress(RuntimeError):
            mutex.release()
        raise
    if is_free:
        mutex.release()
    return is_free
