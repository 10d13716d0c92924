"""What is seen of work that takes long: one line at the foot of the terminal, which is gone when the work is done.

It decides when there is such a line: where a person looks on, and when nothing has come for a second, of which
`TAKES_LONG` is the measure. Whoever writes to the terminal meanwhile does it inside of `cleared`. It must not know what
works, nor how the line is drawn: `progress_line` does that, and is loaded when there is a line.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import IO, TYPE_CHECKING, Final, NamedTuple, TextIO

if TYPE_CHECKING:
    from rich.text import Text

    from sbql.repl.progress_line import ProgressLine

__all__ = ["FOOT", "TAKES_LONG", "Foot", "Told", "is_watched"]

TAKES_LONG: Final = 1.0
"""Seconds without anything new, after which somebody begins to wonder."""

_EVERY: Final = 0.125
"""Seconds between two looks."""


class Told(NamedTuple):
    """What a work says of itself: in words, and `done` of so many when it knows that. `hint`: what to do about it.
    `before`: what is in the line where the cursor stands, for a work that has not ended it."""

    text: str
    done: int = 0
    of: int = 0
    hint: str = ""
    before: Text | None = None


def is_watched(stream: TextIO, out: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether a person looks at `stream` while it is written: not in CI, and not where `out` is a pipe, whose reader
    (`| less`) may have the terminal for itself."""
    if not stream.isatty() or environ.get("TERM") in ("dumb", "unknown") or environ.get("CI", "") not in ("", "false"):
        return False
    try:
        return not stat.S_ISFIFO(os.fstat(out.fileno()).st_mode)
    except (OSError, ValueError):  # it is no file
        return True


class Foot:
    """The foot of a terminal. All methods are thread safe."""

    def __init__(self, stream: TextIO | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`stream`: where the line is drawn, looked at by `look`; None: standard error if somebody
        watches it, by a thread of its own."""
        self._given = stream
        self._clock = clock
        self._lock = threading.RLock()
        self._works: list[Callable[[], Told]] = []
        """From the outermost on."""
        self._began = self._last = 0.0
        """When the outermost began, and when something was written last."""
        self._line: ProgressLine | None = None
        """While there is something to be seen."""

    @property
    def is_watched(self) -> bool:
        return self._given is not None or is_watched(sys.stderr, sys.stdout, os.environ)

    @contextlib.contextmanager
    def during(self, told: Callable[[], Told] | str) -> Iterator[None]:
        """A work, perhaps as a part of another one, and what it tells: always the same, or what it says when it is
        asked, from another thread; it must neither wait nor write then."""
        if not self.is_watched:
            yield
            return
        tell = told if callable(told) else partial(Told, told)
        with self._lock:
            is_outermost = not self._works
            if is_outermost:
                self._began = self._last = self._clock()
            self._works.append(tell)
        try:
            with self._looking() if is_outermost and self._given is None else contextlib.nullcontext():
                yield
        finally:
            with self._lock:
                self._works.remove(tell)
                if not self._works:
                    self._clear()

    @contextlib.contextmanager
    def cleared(self, stream: IO[str]) -> Iterator[None]:
        """Something is written to `stream`: the line makes room if that is the terminal, and
        comes back when nothing follows."""
        if not self._works or not stream.isatty():
            yield
            return
        with self._lock:
            self._clear()
            try:
                yield
            finally:
                self._last = self._clock()

    def look(self) -> None:
        """Draw the line, if it is time to."""
        with self._lock:
            works = list(self._works)
            if not works or not self._is_due():
                return
        told = [tell() for tell in works]  # not with the lock: who tells may wait for somebody who writes
        with self._lock:
            if not self._works or not self._is_due():
                return
            from sbql.repl.progress_line import ProgressLine

            if self._line is None:
                self._line = ProgressLine(self._given or sys.stderr, self._began, self._clock)
            measure = next((one for one in told if one.of), Told(""))
            text = " | ".join(one.text for one in told if one.text) or "running"
            text = ", ".join([text, *(one.hint for one in told if one.hint)])
            self._line.draw(text, measure.done, measure.of, next((one.before for one in told if one.before), None))

    def _is_due(self) -> bool:
        return self._line is not None or self._clock() - self._last >= TAKES_LONG

    def _clear(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.clear()

    @contextlib.contextmanager
    def _looking(self) -> Iterator[None]:
        """A thread looks again and again."""
        ended = threading.Event()

        def body() -> None:
            with contextlib.suppress(OSError):  # the terminal is gone, and with it who looked
                while not ended.wait(_EVERY):
                    self.look()

        thread = threading.Thread(target=body, name="sbql-progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


FOOT: Final = Foot()
"""That of the process: it has one terminal."""
