"""What of a transmission queue is one endpoint's: its rows in the order of their
numbers, of which not all are in memory.

Decides how they are kept: two numbers for each row, and the records that are in memory beside them. Must not know when
records leave the memory and come back (`row_paging` does), nor who sends them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sbql.catalog.records import TransmissionMessage

__all__ = ["KeptRow", "TransmissionRows"]


class KeptRow(NamedTuple):
    """A row that was taken out: its key, its number and, when it was in memory, its record."""

    key: int
    number: int
    record: TransmissionMessage | None


class TransmissionRows:
    """Rows by their message sequence numbers. `records`: those in memory.
    `next_attempt`: when the first is tried again."""

    __slots__ = ("_keys", "_numbers", "_start", "next_attempt", "records")

    def __init__(self) -> None:
        self._keys = array("q")
        self._numbers = array("q")
        self._start = 0
        self.records: dict[int, TransmissionMessage] = {}
        self.next_attempt = 0.0

    def __len__(self) -> int:
        return len(self._keys) - self._start

    def __contains__(self, number: int) -> bool:
        place = self._place(number)
        return place < len(self._numbers) and self._numbers[place] == number

    def __iter__(self) -> Iterator[TransmissionMessage]:
        """Those in memory, in order."""
        return (self.records[number] for number in sorted(self.records))

    @property
    def last_number(self) -> int:
        return self._numbers[-1]

    def key(self, number: int) -> int:
        """The key of a row that is here."""
        return self._keys[self._place(number)]

    def keys(self) -> Sequence[int]:
        return self._keys[self._start :]

    def after(self, number: int, most: int, last: int | None = None) -> Sequence[int]:
        """Numbers of the first rows behind `number`, `most` of them, and none behind `last`."""
        first = self._place(number + 1)
        found = self._numbers[first : first + most]
        return found if last is None else found[: bisect_left(found, last + 1)]

    def add(self, row: TransmissionMessage) -> None:
        """A new row, normally the last."""
        if not self:
            self.next_attempt = row.next_attempt
        self.put_back(KeptRow(row.message_key, row.message_sequence_number, row))

    def extend(self, keys: Sequence[int], numbers: Sequence[int], next_attempt: float) -> None:
        """More at the end that are only in the store."""
        if not self:
            self.next_attempt = next_attempt
        self._keys.extend(keys)
        self._numbers.extend(numbers)

    def put_back(self, kept: KeptRow) -> None:
        """Undo `take`: to its place by number, for others may have gone meanwhile."""
        place = self._place(kept.number)
        self._keys.insert(place, kept.key)
        self._numbers.insert(place, kept.number)
        if kept.record is not None:
            self.records[kept.number] = kept.record

    def take(self, number: int) -> KeptRow:
        """Take a row out, normally one of the first."""
        place, start = self._place(number), self._start
        kept = KeptRow(self._keys[place], number, self.records.pop(number, None))
        if place > start:  # what stands before it is moved: that is less than what stands behind it
            self._keys[start + 1 : place + 1] = self._keys[start:place]
            self._numbers[start + 1 : place + 1] = self._numbers[start:place]
        self._start += 1
        if self._start > 4096 and self._start > len(self._keys) // 2:
            del self._keys[: self._start], self._numbers[: self._start]
            self._start = 0
        return kept

    def take_all(self) -> TransmissionRows:
        """Take everything out; what is returned has it."""
        taken = TransmissionRows()
        self._swap(taken)
        return taken

    def put_all_back(self, taken: TransmissionRows) -> None:
        """Undo `take_all`. What has come since then stays."""
        self._swap(taken)
        for number in taken.after(-1, len(taken)):
            self.put_back(taken.take(number))

    def _swap(self, other: TransmissionRows) -> None:
        self._keys, other._keys = other._keys, self._keys
        self._numbers, other._numbers = other._numbers, self._numbers
        self._start, other._start = other._start, self._start
        self.records, other.records = other.records, self.records
        self.next_attempt, other.next_attempt = other.next_attempt, self.next_attempt

    def _place(self, number: int) -> int:
        numbers = self._numbers
        if self._start < len(numbers) and numbers[self._start] == number:  # nearly always
            return self._start
        return bisect_left(numbers, number, self._start)
