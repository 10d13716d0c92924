"""DeliveryLog: what a consumer was delivered and has not acknowledged, as ranges.

A consumer is a reader outside of T-SQL whose RECEIVE outlives crashes: a delivered message stays in its
table, and nobody else receives it, until the consumer says that it is done. In memory a delivered range is an
array of numbers, as in paging. It must not know queues, groups or transactions: operations (`consumers`)
change it, with the state's mutex held.
"""

from __future__ import annotations

from array import array
from collections import deque
from uuid import UUID

from sbql.catalog.records import Consumer, Delivery
from sbql.catalog.stored_messages import HeldNumbers
from sbql.engine.work import Waiter

__all__ = ["DeliveryLog", "HeldRun"]


class HeldRun:
    """A delivered range: messages of one conversation. `numbers` has message key and queuing order in turn."""

    __slots__ = ("database_id", "delivery_time", "first", "group_id", "handle", "is_folded", "is_urgent", "numbers")

    def __init__(
        self, first: int, database_id: int, handle: UUID, group_id: UUID, numbers: array[int], delivery_time: float
    ) -> None:
        self.first = first
        self.database_id = database_id
        self.handle = handle
        self.group_id = group_id
        self.numbers = numbers
        self.delivery_time = delivery_time
        self.is_folded = True
        self.is_urgent = False

    @classmethod
    def stored(cls, part: HeldNumbers) -> HeldRun:
        """As the store has it."""
        r = part.range
        numbers = array("q", bytes(16 * len(part.keys)))
        numbers[::2], numbers[1::2] = array("q", part.keys), array("q", part.orders)
        run = cls(
            r.first_sequence, r.database_id, r.conversation_handle, r.conversation_group_id, numbers, r.delivery_time
        )
        run.is_urgent = r.is_urgent
        return run

    def __len__(self) -> int:
        return len(self.numbers) // 2

    @property
    def last(self) -> int:
        """The number of its last message in the log."""
        return self.first + len(self) - 1

    def keys(self, first: int, last: int) -> tuple[int, int]:
        """The keys of the messages with these numbers in the log, as far as they are here."""
        start, end = max(first, self.first) - self.first, min(last, self.last) - self.first
        return self.numbers[2 * start], self.numbers[2 * end]

    def cut(self, through: int) -> None:
        """Drop the messages up to a number."""
        count = through - self.first + 1
        del self.numbers[: 2 * count]
        self.first = through + 1

    def record(self, log_id: UUID) -> Delivery:
        return Delivery(
            log_id,
            self.first,
            self.database_id,
            self.handle,
            self.group_id,
            self.numbers[0],
            self.numbers[-2],
            len(self),
            self.delivery_time,
            self.is_urgent,
        )


class DeliveryLog:
    """A consumer with what it holds. `groups` counts the ranges of each group, by the key of
    `BrokerState.groups`."""

    __slots__ = ("groups", "record", "runs", "waiters")

    def __init__(self, record: Consumer) -> None:
        self.record = record
        self.runs: deque[HeldRun] = deque()
        self.groups: dict[int, int] = {}
        self.waiters: dict[Waiter, None] = {}

    @property
    def held(self) -> int:
        """So many messages are delivered and not acknowledged."""
        return sum(len(run) for run in self.runs)

    def wake(self) -> None:
        """A message has come for a group of which it holds others."""
        waiters = list(self.waiters)
        self.waiters.clear()
        for waiter in waiters:
            waiter.wake()
