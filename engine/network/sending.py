"""Sending: which fragment of a dialog goes out next, and which goes out again because
no receipt came (docs/spec: NETWORK).

Decides order, repetition and how much may be on its way. A dialog has one `Sender` for each side that
has something to send. It knows messages as sequence numbers and sizes. Must not know bodies,
connections or clocks: the time is an argument.
"""

from __future__ import annotations

from collections import deque
from itertools import takewhile
from math import inf
from typing import Final

from sbql.engine.network.frames import Receipt, fragment_count

__all__ = ["FIRST_RETRY", "MOST_FRAGMENTS", "MOST_MESSAGES", "Sender"]

FIRST_RETRY: Final = 4.0
LAST_RETRY: Final = 64.0
MOST_MESSAGES: Final = 1000
MOST_FRAGMENTS: Final = 1000
"""Of one dialog, on their way without a receipt; one message is always allowed."""


def retry_delay(attempts: int) -> float:
    """Seconds from the attempt of this number to the next: 4, 8, 16, 32, 64, then always 64."""
    return min(LAST_RETRY, FIRST_RETRY * 2.0 ** min(attempts - 1, 10))


_NONE: Final[frozenset[int]] = frozenset()


class _Pending:
    """A message on its way. `held`: fragments that the other side has in its memory."""

    __slots__ = ("attempts", "count", "due", "held", "sent", "sequence")

    def __init__(self, sequence: int, count: int) -> None:
        self.sequence = sequence
        self.count = count
        self.attempts = 0
        self.due = 0.0
        self.sent = 0.0
        """When it went last; 0: it is not on the way in fact."""
        self.held: frozenset[int] | set[int] = _NONE


class Sender:
    """What one side of a dialog still has to bring over."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, int]] = deque()
        self._on_the_way: dict[int, _Pending] = {}
        self._fragments = 0
        self._current: _Pending | None = None
        self._next_fragment = 0
        self._earliest = 0.0
        """No message on its way is due before."""
        self._last = -1
        """The highest number that was offered."""
        self._in_order = True
        """Those on their way stand in the order of their numbers."""
        self.last_sent = 0.0
        """When the last of those went that are acknowledged."""

    def __len__(self) -> int:
        return len(self._waiting) + len(self._on_the_way)

    def __contains__(self, sequence: int) -> bool:
        return sequence in self._on_the_way or any(waiting == sequence for waiting, _ in self._waiting)

    def offer(self, sequence: int, size: int) -> None:
        """A message is to be sent after those that were offered before. Again: nothing changes."""
        if sequence > self._last or sequence not in self:
            self._waiting.append((sequence, fragment_count(size)))
            self._in_order = self._in_order and sequence > self._last
            self._last = max(self._last, sequence)

    def postpone(self, sequence: int, count: int, due: float) -> None:
        """A message of `count` fragments that has arrived, but cannot be taken out here yet: it is sent again at
        `due`, to get its receipt again."""
        pending = self._on_the_way[sequence] = _Pending(sequence, count)
        pending.attempts, pending.due = 1, due
        self._in_order = False
        self._fragments += pending.count
        self._earliest = min(self._earliest, due) if len(self._on_the_way) > 1 else due

    def withdraw(self, sequence: int) -> None:
        """A message that is not to be sent any more."""
        found = self._on_the_way.pop(sequence, None)
        if found is None:
            self._waiting = deque(entry for entry in self._waiting if entry[0] != sequence)
            return
        self._fragments -= found.count
        if self._current is found:
            self._current = None

    def next(self, now: float, arrived_until: float = inf) -> tuple[int, int, bool] | None:
        """(sequence, fragment, whether it is sent again) of what goes next, None when nothing is due. It
        counts as sent. `arrived_until`: receipts come, for what went until then; what went later is not
        lost, its receiver has much to do."""
        while True:
            current = self._current
            if current is None:
                current = self._choose(now, arrived_until)
                if current is None:
                    return None
                self._current, self._next_fragment = current, 0
                current.attempts += 1
            number = self._next_fragment
            while number < current.count and number in current.held:
                number += 1
            self._next_fragment = number + 1
            if self._next_fragment >= current.count:
                self._current = None
                current.sent, current.due = now, now + retry_delay(current.attempts)
                current.held = _NONE  # it may lose them: the next time all of it goes, unless a receipt says it again
                self._earliest = min(self._earliest, current.due)
            if number < current.count:
                return current.sequence, number, current.attempts > 1
            current.held = _NONE  # it has them all and does not say that they are on its disk: perhaps it lost them

    def _choose(self, now: float, arrived_until: float) -> _Pending | None:
        if self._on_the_way and self._earliest <= now:
            for pending in self._on_the_way.values():
                if pending.due > now:
                    continue
                if pending.sent <= arrived_until:
                    return pending
                pending.due = now + retry_delay(pending.attempts)
            self._earliest = min(pending.due for pending in self._on_the_way.values())
        if not self._waiting:
            return None
        sequence, count = self._waiting[0]
        is_full = len(self._on_the_way) >= MOST_MESSAGES or self._fragments + count > MOST_FRAGMENTS
        if is_full and self._on_the_way:
            return None
        self._waiting.popleft()
        if not self._on_the_way:
            self._earliest = now + FIRST_RETRY
        pending = self._on_the_way[sequence] = _Pending(sequence, count)
        self._fragments += count
        return pending

    def acknowledged(self, receipt: Receipt) -> dict[int, int]:
        """What the other side has on its disk now and had not before, in the order in which it was offered, with the
        fragments of each. What it merely holds is not sent again so soon."""
        done = {sequence: self._on_the_way[sequence].count for sequence in self._done(receipt)}
        for sequence in done:
            self.last_sent = max(self.last_sent, self._on_the_way[sequence].sent)
            self.withdraw(sequence)
        while self._waiting and self._waiting[0][0] < receipt.next_sequence:  # it went before a restart
            sequence, count = self._waiting.popleft()
            done[sequence] = count
        for sequence, first, last in receipt.held:
            pending = self._on_the_way.get(sequence)
            if pending is not None:
                pending.held = {*pending.held, *range(first, min(last, pending.count - 1) + 1)}
        return done

    def _done(self, receipt: Receipt) -> list[int]:
        if self._in_order and not receipt.later:  # nothing behind the first that is not acknowledged is looked at
            return list(takewhile(receipt.next_sequence.__gt__, self._on_the_way))
        return [
            sequence
            for sequence in self._on_the_way
            if sequence < receipt.next_sequence or any(first <= sequence <= last for first, last in receipt.later)
        ]

    @property
    def has_waiting(self) -> bool:
        """Something was offered and never sent."""
        return bool(self._waiting)

    def first_wanted(self, now: float) -> int:
        """What goes next: the first that is due again, or the first that never went. Behind all
        that was offered when there is none."""
        if self._on_the_way and self._earliest <= now:
            found = next((pending.sequence for pending in self._on_the_way.values() if pending.due <= now), None)
            if found is not None:
                return found
        return self._waiting[0][0] if self._waiting else self._last + 1

    def way_lost(self, now: float) -> None:
        """The connection broke: nobody knows what of it arrived. Everything on its way is due again
        as soon as there is another one."""
        self._current = None
        for pending in self._on_the_way.values():
            pending.due, pending.sent, pending.held = now, 0.0, _NONE
        self._earliest = now

    def is_overdue(self, now: float) -> bool:
        """Something has gone, and its receipt has not come in time."""
        return bool(self._on_the_way) and self._earliest <= now

    def next_time(self) -> float | None:
        """The moment before which nothing is due again. None: nothing is on its way."""
        return self._earliest if self._on_the_way else None
