"""How work waits: a step that has to wait yields a `Suspend`; whoever drives it decides how to wait.

The driver of production is a thread that blocks on the waiter's event. The driver of tests is one loop over all
tasks with a virtual clock. Neither the broker nor the execution knows which one it runs under.
A batch that its client stops learns it as `Cancelled`, at a wait or at the next statement.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec import Struct

__all__ = ["Cancelled", "Suspend", "Waiter", "Work", "at_once"]


class Cancelled(Exception):
    """The client asked to stop the batch (an attention).

    `rolls_back`: XACT_ABORT is ON where it stops, and the transaction goes with it. None
    until the innermost body has said so.
    """

    rolls_back: bool | None = None


class Waiter:
    """Something that can be woken once, from any thread. `on_wake` belongs to the driver."""

    __slots__ = ("on_wake", "woken")

    def __init__(self) -> None:
        self.woken = False
        self.on_wake: Callable[[], None] | None = None

    def wake(self) -> None:
        self.woken = True
        callback = self.on_wake
        if callback is not None:
            callback()


class Suspend(Struct):
    """Wait until `waiter` is woken or the clock reaches `deadline` (host time, None: no deadline).

    After either, the driver resumes the generator, which looks again at what it waits for: a wake-up is a hint, not a
    promise. `reason` is for people and for sys.dm_exec_requests (wait type, such as BROKER_RECEIVE_WAITFOR, LCK_M_X).
    """

    waiter: Waiter
    deadline: float | None
    reason: str


Work = Generator[Suspend, None, Any]
"""A step that may wait. Its return value is the step's result."""


def at_once(work: Work) -> Any:
    """The result of work that never waits."""
    try:
        next(work)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")
