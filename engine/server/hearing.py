"""The end of an answer, waited for by whoever has asked, alone: the same for both protocols.

It decides what becomes of Ctrl-C, and of what whoever takes the answer raises: the request is
cancelled, the answer read to its end, and the exception raised then; a second one is raised at once. It
must not know what an answer is made of.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TypeVar

from sbql.catalog.interrupts import attempt
from sbql.grammar.errors import SqlError

__all__ = ["alone", "hear"]

T = TypeVar("T")
_ONCE = (True,)


@contextmanager
def alone(busy: threading.Lock) -> Iterator[None]:
    """Around the question and its answer. Raises 3988 while another thread of the session waits for one."""
    with attempt(busy) as is_mine:
        if not is_mine:
            raise SqlError(3988, "Another batch runs in this session. Each thread needs a connection of its own.")
        yield


def hear(answers: SimpleQueue[T | None], deal: Callable[[T, bool], bool], cancel: Callable[[], None]) -> bool:
    """Hand each part of an answer to `deal`, which is told whether it is still wanted, until that returns True: it was
    the last. Returns False when None comes instead: no more ever comes, and the None stays for whoever asks next."""
    problem: BaseException | None = None
    heard: list[T | None] = []
    is_there = True
    while True:
        try:
            if not heard:
                # Taken and kept in one step: Ctrl-C in between would lose it, and the end be waited for in vain.
                heard.extend(map(answers.get, _ONCE))
            part = heard[0]
            if part is None:
                is_there = False
                answers.put(None)
                break
            if deal(part, problem is None):
                break
            heard.clear()
        except BaseException as error:
            if problem is not None:
                raise
            problem = error
            cancel()
    if problem is not None:
        raise problem
    return is_there
