"""Who waits for messages of a queue.

Decides who is woken, and in which order. Must not know what is in the queue.
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.engine.work import Waiter

__all__ = ["QueueWaiters"]


class QueueWaiters:
    """What `ready_index.QueueStore` has of them."""

    __slots__ = ("waiters",)

    def __init__(self) -> None:
        self.waiters: dict[Waiter, Callable[[], bool] | None] = {}
        """Who waits in RECEIVE, in the order they came, each with what it waits for when that is not just any
        message."""

    def wake(self, count: int = 1) -> None:
        """Wake waiting receivers in the order they came, each once. One who wants a certain conversation or group is
        passed over while that has nothing: two of them would wake each other without end."""
        while count > 0:
            waiter = next((w for w, is_wanted in self.waiters.items() if is_wanted is None or is_wanted()), None)
            if waiter is None:
                return
            del self.waiters[waiter]
            count -= 1
            waiter.wake()

    def wake_for_what_is_gone(self) -> None:
        """Conversations have ended: who waits for one of them, or for its group, is told so."""
        gone = [waiter for waiter, is_wanted in self.waiters.items() if is_wanted is not None and is_wanted()]
        for waiter in gone:
            del self.waiters[waiter]
            waiter.wake()

    def wake_all(self) -> None:
        """Something happened to the queue itself: everybody looks again."""
        waiters = list(self.waiters)
        self.waiters.clear()
        for waiter in waiters:
            waiter.wake()
