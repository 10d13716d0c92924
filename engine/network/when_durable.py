"""What may be done only when everything that is committed by now is on disk: messages, receipts
and errors leave an instance that way.

Decides when that is so. Must not know what is done then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from sbql.engine.ports import Instance

__all__ = ["WhenDurable"]


class WhenDurable:
    """`wake` is called, from any thread, when there may be something to `release`."""

    def __init__(self, instance: Instance, wake: Callable[[], None]) -> None:
        self._instance = instance
        self._wake = wake
        self._held: deque[tuple[int, Callable[[], None]]] = deque()
        """In the order of LSNs."""

    def hold(self, lsn: int, call: Callable[[], None]) -> None:
        store = self._instance.store
        lsn = max(lsn, store.last_lsn)
        self._held.append((lsn, call))
        if self._instance.loop is None:
            store.journal.when_durable(lsn, self._wake)

    def release(self) -> None:
        """Do what may be done. Raises SqlError when what it rests on was lost."""
        store = self._instance.store
        if self._held and self._instance.loop is not None:  # one thread does everything, in an order that repeats
            store.journal.settle(self._held[-1][0])
        while self._held and self._held[0][0] <= store.durable_lsn:
            lsn, call = self._held.popleft()
            store.journal.require(lsn)
            call()

    def clear(self) -> None:
        self._held.clear()
