"""Signals in the thread that runs a batch, Ctrl+C first of all: their handlers may come between any two lines, but not
in the middle of a commit or a rollback, and what they raise is neither an error of the batch nor a bug.

Python calls the handler of a signal in the main thread, wherever that is. The usual one of SIGINT raises
KeyboardInterrupt there; those of programs raise what they like (a time limit of SIGALRM or SIGUSR1: an Exception).
Between the moment in which a commit is on disk and the one in which memory shows it that would leave the two apart:
messages that were received would come again. So the handler that was there is called when that is over. What it raises
may meet a line that takes any exception for one of its own (`except ValueError`), and DuckDB makes a RuntimeError of it
or lets it fall: so it is kept, for whoever finds an error (`raise_kept`). It must not know what a commit is.

In other threads Python calls no handler. There, and in the main one, another thread may set an exception
(PyThreadState_SetAsyncExc), as time limits of notebooks and debuggers do. Nobody can hold that back: it is told by its
looks (`is_from_outside`), and one that comes in the middle of a commit that is on disk all the same is left for
later (`leave`).
"""

from __future__ import annotations

import _signal  # what is below `signal`, which makes enums of numbers and handlers: eight microseconds a batch
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

__all__ = [
    "Heeding",
    "Taken",
    "attempt",
    "forget",
    "heed",
    "held",
    "is_from_outside",
    "leave",
    "raise_kept",
    "raise_left",
    "stop_heeding",
]

Handler = Callable[[int, Any], Any]
Taken = list[tuple[int, Handler, Handler | None]]
"""Signals, the handlers that were there, and those that ours has called before."""

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGBREAK")  # fmt: skip
_NUMBERS: Final = tuple(int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name))
"""Those that ask a program for something, as far as the system has them."""

_main = threading.main_thread().ident
_depth = 0
"""How many in the main thread hold signals back."""
_come: Final[list[int]] = []
"""Signals that are held back."""
_handlers: Final[dict[int, Handler]] = {}
"""Whose places ours has, or had."""
_seen: tuple[list[Any], list[tuple[int, Handler]]] = ([], [])
"""The handlers that were there when a batch began last, and those among them that a batch calls: asking each of them
anew is a fifth of a small batch."""
_kept: BaseException | None = None
"""What a handler has raised, and nobody has seen yet."""
_BELOW: Final = sys.stdlib_module_names | {
    "sbql", "duckdb", "_duckdb", "lark", "msgspec", "numpy", "pyarrow", "pandas", "cryptography", "elementpath", "xmlschema",
    "wcwidth", "builtins",
}  # fmt: skip
"""Whose exceptions a bug of ours may raise."""
_BARE: Final = (Exception, TimeoutError)
"""What others set into a thread, too, and nobody here raises without a word."""


class _Left(threading.local):
    error: BaseException | None = None


_left: Final = _Left()


def heed(taken: Taken) -> None:
    """A batch begins. `taken` is filled, for `stop_heeding` at its end, whatever comes in between."""
    global _kept, _seen
    if threading.get_ident() != _main:
        return
    _kept = None  # a signal may have kept `stop_heeding` from it
    there_now = list(map(_signal.getsignal, _NUMBERS))
    seen, heeded = _seen
    if there_now != seen:
        # Others than ours, as in a batch in a batch, and than what is ignored, ends the process, or is not Python's.
        found = zip(_NUMBERS, there_now, strict=True)
        heeded = [(number, there) for number, there in found if there is not _take and callable(there)]
        _seen = (there_now, heeded)
    for number, there in heeded:
        taken.append((number, there, _handlers.get(number)))
        _handlers[number] = there
        _signal.signal(number, _take)


def stop_heeding(taken: Taken) -> None:
    """The batch is over, and what a handler has raised has come out of it. In the thread of `heed`."""
    global _depth, _kept
    if not taken:  # another thread, or a batch in a batch
        return
    _depth += 1  # at once: a signal that kept us from the rest would leave our handler there
    try:
        while taken:
            number, there, before = taken[-1]
            if before is not None and number not in _come:  # of the batch around this one, in whose callback we are
                _handlers[number] = before
            if _signal.getsignal(number) is _take:
                _signal.signal(number, there)
            taken.pop()
    finally:
        _depth -= 1
        if taken:
            stop_heeding(taken)  # a handler that is there again has raised something
        else:
            try:
                _let_come()
            finally:
                _kept = None  # it is raised here, and nowhere again


def raise_kept() -> None:
    """An error was found, or the end is reached: if a handler has raised something meanwhile, that is what comes
    out, and the error was made of it. It is kept until the batch is over, for on its way out it may meet the same. So
    does what was left."""
    raise_left()
    if _kept is not None and threading.get_ident() == _main:
        raise _kept


def is_from_outside(error: BaseException) -> bool:
    """Whether another thread has set it into this one. It comes between any two lines, and nothing marks it: its class
    asks the program to stop, or is a stranger's, or it has no arguments, for Python makes it of the class."""
    if not isinstance(error, Exception):
        return True
    home = type(error).__module__.partition(".")[0]
    return home not in _BELOW or (type(error) in _BARE and not error.args)


def leave(error: BaseException) -> None:
    """What was being done is done: `raise_left` raises it, in this thread."""
    _left.error = error


def raise_left() -> None:
    error = _left.error
    if error is not None:
        _left.error = None
        raise error


def forget() -> None:
    """A callback of the program has ended well: what a handler has raised in there, the program has caught."""
    global _kept
    if _kept is not None and threading.get_ident() == _main:
        _kept = None


class Heeding:
    """A context in which signals are heeded as in a batch; what a handler has raised in there comes out of it."""

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken: Taken = []

    def __enter__(self) -> None:
        try:
            heed(self._taken)
        except BaseException:
            stop_heeding(self._taken)
            raise

    def __exit__(self, *_: object) -> None:
        try:
            raise_kept()
        finally:
            stop_heeding(self._taken)


class _Held:
    """Within it signals wait, and come at its end: KeyboardInterrupt, or what else the
    handler raises. It may be nested."""

    __slots__ = ()

    def __enter__(self) -> None:
        global _depth
        if threading.get_ident() == _main:
            _depth += 1

    def __exit__(self, *_: object) -> None:
        global _depth
        if threading.get_ident() != _main:
            return
        _depth -= 1
        if _come and not _depth:
            _let_come()


held: Final = _Held()


class attempt:
    """`with attempt(mutex) as is_mine:` takes a mutex if nobody has it, and gives it back at the end. It stays nobody's
    when a signal comes in between: one right behind `acquire(blocking=False)` left it taken for good."""

    __slots__ = ("_is_mine", "_mutex")

    def __init__(self, mutex: threading.Lock) -> None:
        self._mutex, self._is_mine = mutex, False

    def __enter__(self) -> bool:
        try:
            with held:
                self._is_mine = self._mutex.acquire(blocking=False)
        except BaseException:
            self.__exit__()
            raise
        return self._is_mine

    def __exit__(self, *_: object) -> None:
        if self._is_mine:
            self._is_mine = False
            self._mutex.release()


def _take(number: int, frame: Any) -> None:
    if not _depth:
        _call(number, frame)
    elif number not in _come:  # as the system does, which knows of each signal once that it has come
        _come.append(number)


def _let_come() -> None:
    """Call the handlers of what was held back."""
    while _come and not _depth:
        _call(_come.pop(0), sys._getframe())


def _call(number: int, frame: Any) -> None:
    global _kept
    handler = _handlers.get(number)
    if handler is None:
        return
    try:
        handler(number, frame)
    except BaseException as error:
        _kept = error
        raise
