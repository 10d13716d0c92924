"""The lock table: one for the whole instance, for conversation groups, rows, keys, tables, schema and applocks.

Locks are exclusive (X), shared (S) or those of writers on their table (IX, shared among themselves), owned by a
transaction (or a session, for applocks), and kept until `release_all`. A wait that would close a cycle is refused with
1205 to the one who asks last. The table does no waiting itself: it hands out a `Waiter`, which the statement yields in
a `Suspend`. All methods are thread safe.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator, Hashable, Sequence
from typing import Any, NamedTuple, Protocol

from sbql.engine.work import Suspend, Waiter
from sbql.grammar.errors import sql_error

__all__ = ["ESCALATION_LIMIT", "LockOwner", "LockTable", "Waits", "WatchesLocks"]

ESCALATION_LIMIT = 5000
"""So many locks of rows become one of their table, as on SQL Server."""


class LockOwner:
    """Whoever holds locks: a transaction. `name` is for people ("session 52"). `work` is the unit of work over tables,
    opaque here: a search asks the holders of a table what they have written."""

    __slots__ = ("held", "name", "waits_as", "waits_for", "work")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.held: dict[Hashable, str] = {}
        self.waits_for: Hashable | None = None
        self.waits_as = "X"
        self.work: Any = None


class Waits(NamedTuple):
    """Somebody waits for a resource, or would."""

    owner: LockOwner
    resource: Hashable
    mode: str


class WatchesLocks(Protocol):
    """Who is told of waits; called without a mutex."""

    def deadlock(self, cycle: Sequence[Waits]) -> None:
        """Each waits for the next, the last for the first, who is refused."""
        ...

    def waits(self, waits: Waits) -> None:
        """Somebody begins to wait, or goes on to."""
        ...

    def goes_on(self, owner: LockOwner) -> None:
        """He has his lock, or waits no longer."""
        ...


class _Lock:
    __slots__ = ("holders", "queue")

    def __init__(self) -> None:
        self.holders: dict[LockOwner, str] = {}
        self.queue: OrderedDict[LockOwner, Waiter] = OrderedDict()

    def admits(self, owner: LockOwner, mode: str) -> bool:
        others = [m for o, m in self.holders.items() if o is not owner]
        return not others or (mode != "X" and all(m == mode for m in others))


class LockTable:
    """`sets_from`: a write of so many rows locks its table as a whole if it can, and is done as a set (`modification.expectation`)."""

    def __init__(self) -> None:
        self.sets_from = ESCALATION_LIMIT
        self._locks: dict[Hashable, _Lock] = {}
        self._mutex = threading.Lock()
        self._watch: WatchesLocks | None = None

    def watch(self, watch: WatchesLocks) -> None:
        """Have somebody told of waits and deadlocks."""
        self._watch = watch

    def try_acquire(self, owner: LockOwner, resource: Hashable, mode: str = "X") -> bool:
        """Take the lock if it is free (or held by `owner`, or shared and asked shared). Never waits."""
        held = owner.held.get(resource)
        if held is not None:
            if held == "X" or held == mode:
                return True
            mode = "X"  # reading and writing the whole of it
        with self._mutex:
            lock = self._locks.get(resource)
            if lock is None:
                lock = self._locks[resource] = _Lock()
            elif not lock.admits(owner, mode):
                return False
            lock.holders[owner] = mode
            owner.held[resource] = mode
            return True

    def would_grant(self, owner: LockOwner, resource: Hashable, mode: str) -> bool:
        """Whether `try_acquire` would take the lock; nothing changes."""
        with self._mutex:
            lock = self._locks.get(resource)
            return lock is None or lock.admits(owner, mode)

    def acquire(
        self,
        owner: LockOwner,
        resource: Hashable,
        mode: str = "X",
        deadline: float | None = None,
        reason: str = "LCK_M_X",
    ) -> Generator[Suspend, None, bool]:
        """Take the lock, waiting for it: `yield from locks.acquire(…)`. False when `deadline` passed first.

        Raises SqlError 1205 when waiting would close a cycle.
        """
        waiter: Waiter | None = None
        while not self.try_acquire(owner, resource, mode):
            if waiter is not None and deadline is not None and not waiter.woken:
                self._leave(owner, resource)
                return False
            waiter = self._enter(owner, resource, mode)
            try:
                yield Suspend(waiter, deadline, reason)
            except BaseException:
                self._leave(owner, resource)
                raise
        self._leave(owner, resource)
        return True

    def _enter(self, owner: LockOwner, resource: Hashable, mode: str) -> Waiter:
        waiter = Waiter()
        with self._mutex:
            owner.waits_for, owner.waits_as = resource, mode
            if cycle := self._cycle(owner):
                owner.waits_for = None
            lock = self._locks.get(resource) if not cycle else None
            if lock is None or lock.admits(owner, "X" if owner.held.get(resource, mode) != mode else mode):
                waiter.woken = True
            else:
                lock.queue[owner] = waiter
        if cycle:
            if self._watch is not None:
                self._watch.deadlock(cycle)
            raise sql_error(1205, owner.name, "lock")
        if waiter.woken:
            waiter.wake()
        elif self._watch is not None:
            self._watch.waits(Waits(owner, resource, mode))
        return waiter

    def _leave(self, owner: LockOwner, resource: Hashable) -> None:
        with self._mutex:
            has_waited = owner.waits_for is not None
            owner.waits_for = None
            lock = self._locks.get(resource)
            if lock is not None:
                lock.queue.pop(owner, None)
                if not lock.holders and not lock.queue:
                    del self._locks[resource]
        if has_waited and self._watch is not None:
            self._watch.goes_on(owner)

    def _cycle(self, start: LockOwner) -> list[Waits]:
        """With the mutex: who waits for whom, from `start` back to him; empty when his wait closes no cycle."""
        reached: dict[int, LockOwner | None] = {id(start): None}
        stack = [start]
        while stack:
            current = stack.pop()
            lock = self._locks.get(current.waits_for) if current.waits_for is not None else None
            for holder in lock.holders if lock else ():
                if holder is current:
                    continue
                if holder is start:
                    return _path(current, reached)
                if id(holder) not in reached:
                    reached[id(holder)] = current
                    stack.append(holder)
        return []

    def holder(self, resource: Hashable) -> LockOwner | None:
        """Who holds it, or None."""
        lock = self._locks.get(resource)
        if lock is None:  # the usual case needs no mutex
            return None
        with self._mutex:
            return next(iter(lock.holders), None)

    def others(self, owner: LockOwner, resource: Hashable) -> list[LockOwner]:
        """Who else holds it."""
        lock = self._locks.get(resource)
        if lock is None or len(lock.holders) < 2:  # the usual case needs no mutex
            return []
        with self._mutex:
            return [other for other in lock.holders if other is not owner]

    def make_explicit(self, owner: LockOwner, resource: Hashable, table: Hashable) -> bool:
        """Give `owner`, at work on `table`, the exclusive lock of a row that it has written: whoever inserts a row takes
        none for it as long as nobody asks. False: the owner has ended."""
        with self._mutex:
            if table not in owner.held:
                return False
            if resource not in owner.held:
                lock = self._locks.get(resource)
                if lock is None:
                    lock = self._locks[resource] = _Lock()
                lock.holders[owner] = owner.held[resource] = "X"
            return True

    def rows_of_others(self, owner: LockOwner | None, table_id: int) -> list[int]:
        """The rows of a table that somebody else has locked."""
        with self._mutex:
            return [
                key[2]
                for key, lock in self._locks.items()
                if isinstance(key, tuple) and key[:2] == ("row", table_id) and any(o is not owner for o in lock.holders)
            ]

    def release(self, owner: LockOwner, resource: Hashable) -> None:
        if owner.held.pop(resource, None) is None:
            return
        with self._mutex:
            waiters = self._free(owner, resource)
        for waiter in waiters:
            waiter.wake()

    def release_all(self, owner: LockOwner) -> None:
        """End of transaction: everything goes, waiters are woken in the order they came."""
        woken: list[Waiter] = []
        with self._mutex:
            for resource in owner.held:
                woken += self._free(owner, resource)
            owner.held.clear()
        for waiter in woken:
            waiter.wake()

    def _free(self, owner: LockOwner, resource: Hashable) -> list[Waiter]:
        lock = self._locks.get(resource)
        if lock is None:
            return []
        lock.holders.pop(owner, None)
        if not lock.holders and not lock.queue:
            del self._locks[resource]
        return list(lock.queue.values())


def _path(last: LockOwner, reached: dict[int, LockOwner | None]) -> list[Waits]:
    found: list[Waits] = []
    owner: LockOwner | None = last
    while owner is not None:
        assert owner.waits_for is not None, "who is in a cycle waits"
        found.append(Waits(owner, owner.waits_for, owner.waits_as))
        owner = reached[id(owner)]
    return found[::-1]
