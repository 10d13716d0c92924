"""Silence: how long a client waits for a server that says nothing.

A server gives each session a sign of life every ten seconds, whatever runs there, and answers a ping beside a call that
takes long. If it does neither, it is stopped, or the network between is broken and nobody was told. This module decides
how long that may last, and looks at all that listens from one thread. Silence is counted in looks, not by the clock: a
client that was itself stopped has not waited. It must not know what is listened to.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol, TypeVar, cast

from sbql.grammar.errors import SqlError

__all__ = ["NUMBER", "VARIABLE", "limit", "patiently", "silent", "watch"]

T = TypeVar("T")

VARIABLE: Final = "SBQL_SILENCE"
NUMBER: Final = 10060
USUAL: Final = 60.0
LEAST: Final = 30.0
"""Three signs of life."""
_LOOK: Final = 1.0
_PARTS: Final = 6
"""A call that takes long is asked after for the sixth part of the patience, and again after another: three pings
without an answer are a silence."""


class Listening(Protocol):
    """What waits for a server, from time to time. Both are asked and called from another thread."""

    patience: float
    """Seconds that it may wait for one message."""

    def waits_for(self) -> int:
        """The number of the message that it waits for now; -1 when it does not wait."""
        ...

    def give_up(self) -> None:
        """The server has been silent for too long."""
        ...


def limit() -> float:
    """Seconds of silence after which a server counts as gone; 0 for any. Raises SqlError
    for a setting that is no number."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return USUAL
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < threading.TIMEOUT_MAX:
        raise SqlError(
            40517,
            f"{VARIABLE} is '{text}'. Give it seconds, {LEAST:.0f} or more, or 0 to wait for a silent server for ever.",
        )
    return max(seconds, LEAST) if seconds else 0.0


def silent(url: str, seconds: float) -> SqlError:
    return SqlError(
        NUMBER,
        f"The server at {url} has given no sign of life for {seconds:g} seconds: its process is stopped, its machine is overloaded, or the network does not reach it. "
        "Look with sbql ping, and connect again when it answers. A session there counts as ended: what was not committed is undone once the server notices; whether a "
        f"COMMIT that was running is done, only a look at the data can tell. The environment variable {VARIABLE} sets the seconds that a session waits.",
        severity=20,
    )


_over = threading.Event()
"""The process ends: nobody is listened to any more."""
_mutex = threading.Lock()
_listening: weakref.WeakSet[Listening] = weakref.WeakSet()
_watcher: threading.Thread | None = None


def watch(one: Listening) -> None:
    """Look at it from now on, until it is gone."""
    global _watcher
    if not one.patience:
        return
    with _mutex:
        _listening.add(one)
        if _watcher is None or not _watcher.is_alive():
            _watcher = threading.Thread(target=_look, name="sbql-silence", daemon=True)
            with suppress(RuntimeError):  # the computer has no thread for it: the next session tries again
                _watcher.start()


def _look() -> None:
    """Until nobody listens any more."""
    global _watcher
    seen: weakref.WeakKeyDictionary[Listening, tuple[int, float]] = weakref.WeakKeyDictionary()
    while True:
        with _mutex:
            found = list(_listening)
            if not found or _over.is_set():
                _watcher = None
                return
        step = min(_LOOK, *(one.patience / 4 for one in found))
        for one in found:
            number = one.waits_for()
            before, seconds = seen.get(one, (-1, 0.0))
            seconds = seconds + step if number == before and number >= 0 else 0.0
            seen[one] = number, seconds
            if seconds >= one.patience:
                one.give_up()
        del found, one
        _over.wait(step)


_Answers = SimpleQueue[tuple[Any, BaseException | None]]


class _Worker:
    """A thread that makes one call after the other; None ends it."""

    def __init__(self) -> None:
        self.calls: SimpleQueue[tuple[Callable[[], Any], _Answers] | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="sbql-call", daemon=True)
        self.thread.start()

    def _work(self) -> None:
        while (given := self.calls.get()) is not None:
            call, answers = given
            try:
                answer: tuple[Any, BaseException | None] = call(), None
            except BaseException as error:
                answer = None, error
            _idle.append(self)
            answers.put(answer)
            del given, call, answers, answer


_idle: list[_Worker] = []
"""Those that have nothing to do: to start a thread takes longer than most calls."""


def patiently(call: Callable[[], T], ping: Callable[[float], object], url: str, patience: float) -> T:
    """The answer of a call that nobody can break off, as long as the server answers pings (within seconds) beside it. A
    call that is given up is left to its thread."""
    if _over.is_set():
        return call()
    answers: _Answers = SimpleQueue()
    try:
        worker = _idle.pop()
    except IndexError:
        try:
            worker = _Worker()
        except RuntimeError:  # the computer has no thread for it
            return call()
    worker.calls.put((call, answers))
    missed, part = 0, patience / _PARTS
    while True:
        try:
            found, error = answers.get(timeout=part)
        except Empty:
            try:
                ping(part)
                missed = 0
            except SqlError:
                missed += 2
            if missed >= _PARTS:
                raise silent(url, patience) from None
            continue
        if error is not None:
            raise error
        return cast(T, found)


@atexit.register
def _finish() -> None:
    """No thread that has nothing to do is left when Python stops; one in a call that was given up is."""
    _over.set()
    if (watcher := _watcher) is not None:
        watcher.join(_LOOK)
    while _idle:
        worker = _idle.pop()
        worker.calls.put(None)
        worker.thread.join(_LOOK)


def _after_fork() -> None:
    """In the child: the threads are not there."""
    global _mutex, _watcher
    _mutex, _watcher = threading.Lock(), None
    _listening.clear()
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
