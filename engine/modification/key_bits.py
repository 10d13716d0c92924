"""KeyBits: which whole numbers a key may hold, a bit for each remainder by a modulus; and
NotedNumbers, those that were about to be added.

Where the keys of a table lie close together each has a bit of its own, and the answer is exact; where they
do not, several numbers share one, and some are looked up in vain. Either way a table of any size takes no
more than eight megabytes. DuckDB makes the bits of a whole table (`sql`), ten nanoseconds a row. It must
not know when they are read, nor locks.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection
from typing import Final

__all__ = ["KeyBits", "NotedNumbers", "modulus_for"]

_MOST: Final = (1 << 26) - 5
"""Bits, a prime: numbers that lie far apart, by the same step, do not fall on a few of them."""
_PRIMES: Final = ((1 << 22) - 3, (1 << 24) - 3, _MOST)
_THIN: Final = 32
"""So many bits for a row, where numbers share them, let one look-up in as many be in vain."""
_SLACK: Final = 1 << 16
"""Beside a quarter: numbers above the highest, which come later."""
_MOST_RUNS: Final = 1 << 19


def modulus_for(low: int, high: int, most_rows: int) -> int | None:
    """For keys from `low` to `high`, of which there are no more than so many. None:
    too many for bits to tell anything."""
    span = high - low + 1
    if span <= _MOST:
        return min(span + span // 4 + _SLACK, _MOST)
    if most_rows > _MOST // 2:
        return None
    return next((prime for prime in _PRIMES if prime >= _THIN * most_rows), _MOST)


class KeyBits:
    """Bits are only ever added."""

    __slots__ = ("_bits", "modulus")

    def __init__(self, modulus: int, bits: bytes | None = None) -> None:
        """`bits` as `sql` gives them; None: no row has a key."""
        self.modulus = modulus
        self._bits = bytearray(_bytes_for(modulus) if bits is None else bits)
        assert len(self._bits) == _bytes_for(modulus), "as many as were asked for"

    @staticmethod
    def sql(name: str, modulus: int) -> str:
        """The aggregate of a column, quoted, that gives `bits`."""
        place = f"(CAST({name} AS BIGINT) % {modulus} + {modulus}) % {modulus}"
        return f"CAST(bitstring_agg(CAST({place} AS INTEGER), 0, {8 * _bytes_for(modulus) - 1}) AS BLOB)"

    def may_hold(self, number: int) -> bool:
        place = number % self.modulus
        return bool(self._bits[place >> 3] & 128 >> (place & 7))

    def add(self, number: int) -> None:
        place = number % self.modulus
        self._bits[place >> 3] |= 128 >> (place & 7)

    def add_run(self, first: int, last: int) -> None:
        """All from `first` to `last`."""
        modulus = self.modulus
        if last - first + 1 >= modulus:
            self._fill(0, modulus - 1)
            return
        low, high = first % modulus, last % modulus
        if low <= high:
            self._fill(low, high)
        else:
            self._fill(low, modulus - 1)
            self._fill(0, high)

    def _fill(self, low: int, high: int) -> None:
        bits, first, last = self._bits, low >> 3, high >> 3
        head, tail = 255 >> (low & 7), 255 & ~(127 >> (high & 7))
        if first == last:
            bits[first] |= head & tail
            return
        bits[first] |= head
        bits[first + 1 : last] = b"\xff" * (last - first - 1)
        bits[last] |= tail


def _bytes_for(modulus: int) -> int:
    return (modulus + 7) // 8


class NotedNumbers:
    """As runs of numbers that follow each other, sixteen bytes each."""

    __slots__ = ("_firsts", "_lasts")

    def __init__(self) -> None:
        self._firsts, self._lasts = array("q"), array("q")

    def __len__(self) -> int:
        return len(self._firsts)

    @property
    def is_full(self) -> bool:
        return len(self._firsts) >= _MOST_RUNS

    def note(self, numbers: Collection[int]) -> None:
        firsts, lasts = self._firsts, self._lasts
        for number in sorted(numbers) if len(numbers) > 1 else numbers:
            if lasts and firsts[-1] <= number <= lasts[-1] + 1:
                lasts[-1] = max(number, lasts[-1])
            else:
                firsts.append(number)
                lasts.append(number)

    def put_into(self, bits: KeyBits) -> None:
        for first, last in zip(self._firsts, self._lasts, strict=True):
            bits.add_run(first, last)
