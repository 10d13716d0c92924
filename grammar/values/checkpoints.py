"""Checkpoints: where a computation over values that may take long asks whether it is to go on.

Whoever runs code for a client says what to ask (`set_check`); a computation calls `checkpoint` every few milliseconds
of its work. It decides nothing: what the question raises goes through.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeVar

__all__ = ["checked", "checked_rows", "checkpoint", "set_check"]

T = TypeVar("T")


class _Asked(threading.local):
    check: Callable[[], None] | None = None


_asked = _Asked()


def checkpoint() -> None:
    """Raises what the thread's client wants raised, as when it has cancelled."""
    check = _asked.check
    if check is not None:
        check()


def checked(items: Iterable[T], every: int = 256) -> Iterator[T]:
    """The items, with a checkpoint before each `every` of them."""
    return chain.from_iterable(_parts(iter(items), every))


def _parts(items: Iterator[T], every: int) -> Iterator[Iterator[T]]:
    """`items` in turns: whoever goes through them goes on with the next only behind the last."""
    for first in items:
        checkpoint()
        yield chain((first,), islice(items, every - 1))


def checked_rows(rows: Sequence[T], every: int = 256) -> Iterable[T]:
    """As `checked`, for the rows of a statement: a few need none, for each statement has one of its own."""
    return rows if len(rows) <= every else checked(rows, every)


def set_check(check: Callable[[], None] | None) -> Callable[[], None] | None:
    """What this thread's checkpoints call from now on. Returns what they called before."""
    before, _asked.check = _asked.check, check
    return before
