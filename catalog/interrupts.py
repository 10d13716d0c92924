"""Ctrl+C in the thread that runs a batch: it may come between any two lines, but not in
the middle of a commit or a rollback.

Python calls the handler of SIGINT in the main thread, wherever that is, and the usual one raises
KeyboardInterrupt there. Between the moment in which a commit is on disk and the one in which memory shows it that
would leave the two apart: messages that were received would come again. So the handler that was there is called
when that is over. It must not know what a commit is.

Nothing of this is for other threads, in which Python raises no KeyboardInterrupt.
"""

from __future__ import annotations

import _signal  # what is below `signal`, which makes enums of numbers and handlers: eight microseconds a batch
import threading
from collections.abc import Callable
from signal import SIGINT
from typing import Any, Final

__all__ = ["heed", "held", "stop_heeding"]

_NUMBER: Final = int(SIGINT)

_main = threading.main_thread().ident
_depth = 0
"""How many in the main thread hold an interrupt back."""
_has_come = False
_handler: Callable[[int, Any], Any] | None = None
"""Whose place ours has."""


def heed() -> bool:
    """A batch begins. Returns whether `stop_heeding` is to be called at its end."""
    global _handler
    if threading.get_ident() != _main:
        return False
    there = _signal.getsignal(_NUMBER)
    # A batch in a batch; or it is ignored, ends the process, or is not Python's.
    if there is _take or not callable(there):
        return False
    _handler = there
    _signal.signal(_NUMBER, _take)
    return True


def stop_heeding() -> None:
    if _signal.getsignal(_NUMBER) is _take:
        _signal.signal(_NUMBER, _handler)


class _Held:
    """Within it an interrupt waits, and comes at its end: KeyboardInterrupt, or what else the
    handler raises. It may be nested."""

    __slots__ = ()

    def __enter__(self) -> None:
        global _depth
        if threading.get_ident() == _main:
            _depth += 1

    def __exit__(self, *_: object) -> None:
        global _depth, _has_come
        if threading.get_ident() != _main:
            return
        _depth -= 1
        if _has_come and not _depth:
            _has_come = False
            if _handler is not None:
                _handler(_NUMBER, None)


held: Final = _Held()


def _take(number: int, frame: Any) -> None:
    global _has_come
    if _depth:
        _has_come = True
    elif _handler is not None:
        _handler(number, frame)
