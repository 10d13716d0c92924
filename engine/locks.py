"""The lock table: one for the whole instance, for conversation groups, rows, keys, tables, schema and applocks.

Locks are exclusive (X), shared (S) or those of writers on their table (IX, shared among themselves), owned by a
transaction (or a session, for applocks), and kept until `release_all`. Of those whose waits close a cycle the one with
the lowest DEADLOCK_PRIORITY is refused with 1205, the one who asks last if it is his. The table does no waiting itself:
it hands out a `Waiter`, which the statement yields in a `Suspend`. All methods are thread safe.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator, Hashable, Sequence
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from sbql.engine.work import Suspend, Waiter
from sbql.grammar.errors import sql_error

__all__ = ["ESCALATION_LIMIT", "LockOwner", "LockTable", "Waits", "WaitsByOptions", "words_of"]

ESCALATION_LIMIT = 5000
"""So many locks of rows become one of their table, as on SQL Server."""


class WaitOptions(Protocol):
    """SET options about waits: milliseconds, below 0 for ever, and -10 to 10."""

    @property
    def lock_timeout(self) -> int: ...

    @property
    def deadlock_priority(self) -> int: ...


class WaitsByOptions(Protocol):
    """A session: its options may change in the middle of a transaction."""

    @property
    def options(self) -> WaitOptions: ...


class LockOwner:
    """Whoever holds locks: a transaction. `name` is for people ("session 52"). `session` says how long he waits,
    and how readily he gives way. `work` is the unit of work over tables, opaque here: a search asks the holders
    of a table what they have written."""

    __slots__ = ("held", "is_refused", "name", "session", "waits_as", "waits_for", "work")

    def __init__(self, name: str = "", session: WaitsByOptions | None = None) -> None:
        self.name = name
        self.session = session
        self.held: dict[Hashable, str] = {}
        self.waits_for: Hashable | None = None
        self.waits_as = "X"
        self.is_refused = False
        """While he waits: another one has found a deadlock, of which he is the victim."""
        self.work: Any = None

    @property
    def lock_timeout(self) -> float | None:
        """Seconds, None for ever."""
        timeout = -1 if self.session is None else self.session.options.lock_timeout
        return None if timeout < 0 else timeout / 1000

    @property
    def priority(self) -> int:
        """The lowest of a deadlock is its victim."""
        return 0 if self.session is None else self.session.options.deadlock_priority


class Waits(NamedTuple):
    """Somebody waits for a resource, or would."""

    owner: LockOwner
    resource: Hashable
    mode: str


def words_of(resource: Hashable) -> list[str]:
    """The parts of a resource as people read them. That of a conversation group has its id as a number."""
    if not isinstance(resource, tuple):
        return [str(resource)]
    if resource[0] == "group" and isinstance(resource[-1], int):
        return [*map(str, resource[:-1]), str(UUID(int=resource[-1]))]
    return [str(part) for part in resource]


class WatchesLocks(Protocol):
    """Who is told of waits; called without a mutex."""

    def deadlock(self, cycle: Sequence[Waits]) -> None:
        """Each waits for the next, the last for the first, who is refused: the victim."""
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
        """Who would share the lock stands behind whoever came before and would not share it with him, or those who
        share would follow one another for ever. Whoever holds it already goes first."""
        others = [m for o, m in self.holders.items() if o is not owner]
        if mode == "X" or not self.queue or owner in self.holders:
            return not others or (mode != "X" and all(m == mode for m in others))
        return all(m == mode for m in others) and not self.ahead_of(owner, mode)

    def ahead_of(self, owner: LockOwner, mode: str) -> list[LockOwner]:
        """Those in the queue for whom one who asks for `mode` has to wait: nobody for who wants it alone, as he may
        find it free, nor for who holds it."""
        found: list[LockOwner] = []
        if mode == "X" or owner in self.holders:
            return found
        for waiting in self.queue:
            if waiting is owner:
                break
            if waiting.waits_as != mode and not waiting.is_refused:
                found.append(waiting)
        return found


class LockTable:
    """`sets_from`: a write of so many rows locks its table as a whole if it can, and is done as a
    set (`modification.expectation`)."""

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

        Raises SqlError 1205 for the victim of a deadlock.
        """
        waiter: Waiter | None = None
        while not self.try_acquire(owner, resource, mode):
            if waiter is not None and deadline is not None and not waiter.woken:
                self._leave(owner, resource)
                return False
            try:
                waiter = self._enter(owner, resource, mode)
                yield Suspend(waiter, deadline, reason)
                if owner.is_refused:
                    raise sql_error(1205, owner.name, "lock")
            except BaseException:
                self._leave(owner, resource)
                raise
        self._leave(owner, resource)
        return True

    def _enter(self, owner: LockOwner, resource: Hashable, mode: str) -> Waiter:
        waiter = Waiter()
        cycles: list[list[Waits]] = []
        victims: list[Waiter] = []
        with self._mutex:
            wanted = mode if owner.held.get(resource, mode) == mode else "X"
            before, owner.waits_for, owner.waits_as = owner.waits_for, resource, wanted
            while not owner.is_refused and (cycle := self._cycle(owner)):
                cycles.append(_from_victim(cycle))
                victims += self._refuse(cycles[-1][0].owner)
            lock = self._locks.get(resource)
            if owner.is_refused:
                owner.waits_for = before
            elif lock is None or lock.admits(owner, wanted):
                waiter.woken = True
            else:
                lock.queue[owner] = waiter
        if self._watch is not None:
            for cycle in cycles:
                self._watch.deadlock(cycle)
        for victim in victims:
            victim.wake()
        if owner.is_refused:
            raise sql_error(1205, owner.name, "lock")
        if waiter.woken:
            waiter.wake()
        elif self._watch is not None:
            self._watch.waits(Waits(owner, resource, mode))
        return waiter

    def _refuse(self, victim: LockOwner) -> list[Waiter]:
        """With the mutex: he waits no more. Returns what wakes him, if he sleeps."""
        victim.is_refused = True
        lock = self._locks.get(victim.waits_for)
        waiter = lock.queue.get(victim) if lock is not None else None
        return [] if waiter is None else [waiter]

    def _leave(self, owner: LockOwner, resource: Hashable) -> None:
        with self._mutex:
            has_waited = owner.waits_for is not None
            owner.waits_for, owner.is_refused = None, False
            lock = self._locks.get(resource)
            behind: list[Waiter] = []
            if lock is not None:
                if lock.queue.pop(owner, None) is not None and owner not in lock.holders:
                    behind = list(lock.queue.values())
                if not lock.holders and not lock.queue:
                    del self._locks[resource]
        for waiter in behind:
            waiter.wake()
        if has_waited and self._watch is not None:
            self._watch.goes_on(owner)

    def _cycle(self, start: LockOwner) -> list[Waits]:
        """With the mutex: who waits for whom, from `start` back to him; empty when his wait closes no cycle."""
        reached: dict[int, LockOwner | None] = {id(start): None}
        stack = [start]
        while stack:
            current = stack.pop()
            waits = current.waits_for is not None and not current.is_refused
            lock = self._locks.get(current.waits_for) if waits else None
            for blocker in (*lock.holders, *lock.ahead_of(current, current.waits_as)) if lock else ():
                if blocker is current:
                    continue
                if blocker is start:
                    return _path(current, reached)
                if id(blocker) not in reached:
                    reached[id(blocker)] = current
                    stack.append(blocker)
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
        """Give `owner`, at work on `table`, the exclusive lock of a row that it has written: whoever inserts a row
        takes none for it as long as nobody asks. False: the owner has ended."""
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
        _wake(waiters)

    def release_all(self, owner: LockOwner) -> None:
        """End of transaction: everything goes, waiters are woken in the order they came."""
        if not owner.held:  # who writes no table that others see
            return
        woken: list[Waiter] = []
        with self._mutex:
            for resource in owner.held:
                woken += self._free(owner, resource)
            owner.held.clear()
        if woken:
            _wake(woken)

    def _free(self, owner: LockOwner, resource: Hashable) -> list[Waiter]:
        lock = self._locks.get(resource)
        if lock is None:
            return []
        lock.holders.pop(owner, None)
        if not lock.holders and not lock.queue:
            del self._locks[resource]
        return list(lock.queue.values())


def _wake(waiters: list[Waiter]) -> None:
    """Every one of them, whatever happens: nobody wakes them again."""
    failure: BaseException | None = None
    for waiter in waiters:
        try:
            waiter.wake()
        except BaseException as error:
            failure = error
    if failure is not None:
        raise failure


def _path(last: LockOwner, reached: dict[int, LockOwner | None]) -> list[Waits]:
    found: list[Waits] = []
    owner: LockOwner | None = last
    while owner is not None:
        assert owner.waits_for is not None, "who is in a cycle waits"
        found.append(Waits(owner, owner.waits_for, owner.waits_as))
        owner = reached[id(owner)]
    return found[::-1]


def _from_victim(cycle: list[Waits]) -> list[Waits]:
    """The same cycle, beginning with the one of the lowest priority: the first, who asks last, if it is his."""
    lowest = min(waits.owner.priority for waits in cycle)
    first = next(place for place, waits in enumerate(cycle) if waits.owner.priority == lowest)
    return cycle[first:] + cycle[:first]
