"""Runs of messages that are only in the store: two numbers for each.

Decides how they are kept. Must not know when messages leave the memory and come back (`paging` does).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from sbql.catalog.records import QueuedMessage

__all__ = ["StoredRun", "in_turn", "numbers_of"]


class StoredRun:
    """Ready messages of one conversation that are only in the store, and after them the messages that came later."""

    __slots__ = ("later", "numbers", "start")

    def __init__(self, numbers: array[int] | None = None) -> None:
        self.numbers = array("q") if numbers is None else numbers
        """Message key and queuing order, in turn."""
        self.start = 0
        self.later: Any = ()
        """Messages that came after them: a deque, once there have been some. An empty one would be the largest
        part of a conversation that waits."""

    def __len__(self) -> int:
        return (len(self.numbers) - self.start) // 2

    @property
    def first_order(self) -> int:
        return self.numbers[self.start + 1]

    def message_keys(self, most: int | None = None) -> array[int]:
        """Those of the first messages, of all of them for None."""
        end = len(self.numbers) if most is None else self.start + 2 * most
        return self.numbers[self.start : end : 2]

    def add_later(self, messages: Iterable[QueuedMessage]) -> None:
        """They came after all others."""
        if not isinstance(self.later, deque):
            self.later = deque()
        self.later.extend(messages)

    def append(self, message: QueuedMessage) -> None:
        self.numbers.append(message.message_key)
        self.numbers.append(message.queuing_order)

    def extend(self, keys: Sequence[int], orders: Sequence[int]) -> None:
        """More at the end, as the store has them."""
        self.numbers += in_turn(array("q", keys), array("q", orders))

    def put_later_behind(self, last_folded: int | None) -> bool:
        """Let go of what came later, when the last of it is that message, and so in the store. False when it is not."""
        if self.later and self.later[-1].message_key != last_folded:
            return False
        self.numbers += numbers_of(self.later)
        self.later = ()
        return True

    def put_first(self, messages: Iterable[QueuedMessage]) -> None:
        """Put these before all others."""
        self.put_numbers_first(numbers_of(messages))

    def put_numbers_first(self, first: array[int]) -> None:
        """The same with keys and orders in turn."""
        if first:
            self.numbers = first + self.numbers[self.start :]
            self.start = 0

    def drop_first(self, count: int) -> None:
        self.start += 2 * count
        if self.start > 4096 and self.start > len(self.numbers) // 2:
            del self.numbers[: self.start]
            self.start = 0


def in_turn(keys: array[int], orders: array[int]) -> array[int]:
    """Both as `StoredRun.numbers` has them."""
    found = array("q", bytes(16 * len(keys)))
    found[::2], found[1::2] = keys, orders
    return found


def numbers_of(messages: Iterable[QueuedMessage]) -> array[int]:
    """Key and queuing order of each, in turn."""
    return array("q", (n for m in messages for n in (m.message_key, m.queuing_order)))
