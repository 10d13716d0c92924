"""KeyMemory: which values a key may hold, remembered in the process, so that a new value needs no look-up.

It only ever claims too much: every value that a statement is about to add is noted before the row can be committed,
and nothing is taken back when rows are deleted or rolled back. What it does not know cannot be in the table; what it
knows is looked up. When many look-ups were in vain, and nobody else is at work in the table, the key is read anew; the
memory then has what is there and what others note while it reads.

What is kept depends on the key:

- Up to `LIMIT` values of any key are kept, as hashes.
- Of a larger key of numbers or dates the lowest and the highest value are kept, so that ascending keys still need no
  look-up.
- Of a larger key of whole numbers a bit tells besides, for each number between the two, whether it may be there
  (`key_bits.py`). The bits are read when look-ups between the two were in vain. Rows that were deleted keep their
  bits, so they are read again when that happens again.
- Of any other larger key up to `MOST` values are kept, for a look-up there reads the key of every row.

It decides when reading a whole key pays: once as much time has gone into look-ups. It must not know locks (a value is
locked before it is asked for) nor how rows are read (`StoredRows` reads them).
"""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from sbql.catalog.key_places import in_order
from sbql.engine.modification.key_bits import KeyBits, NotedNumbers, modulus_for
from sbql.grammar.types import SqlType

__all__ = ["LIMIT", "KeyMemory"]

KeyValue = tuple[Any, ...]

LIMIT = 100_000
MOST = 1 << 20
"""Hashes of eight bytes: ten times LIMIT takes 8 MB, and 150 MB while the key of all rows is read."""
_ROWS_A_LOOK_UP = 200
"""About so many keys are read in the time of one look-up, where it need not read them all."""
_LOOK_UPS = 50
"""Where it has to, so many take the time of reading the key into memory."""

_LOOK_UPS_OF_TEXT = 16
"""The same for texts, whose keys a look-up computes for every row."""

_IN_VAIN = 16
_ROWS_OF_BITS, _RUNS = 150_000, 500
"""Look-ups in vain before the bits of a key are read: no fewer, and one for so many rows or runs of noted numbers,
which take the same time. Bits that have spared fewer than they let pass wait for twice as many."""
_LONGEST = 1 << 12
"""So many times as many at most."""

_TEXTS = frozenset({"char", "varchar", "nchar", "nvarchar"})
_WHOLE_NUMBERS = frozenset({"tinyint", "smallint", "int", "bigint"})
_ORDERED = frozenset({
    "tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney",
    "date", "time", "datetime", "datetime2", "smalldatetime",
})  # fmt: skip


class KeyMemory:
    """Of one key of one table. `record` is the definition that it belongs to: another one begins anew.

    It exists before the first write of the process to the table, so nothing is committed that is neither noted nor
    there to be read.
    """

    __slots__ = (
        "_bits", "_generation", "_has_range", "_high", "_in_vain", "_is_loaded", "_look_ups", "_low", "_many", "_meanwhile",
        "_mutex", "_noted", "_patience", "_seen", "_spared", "record", "types",
    )  # fmt: skip

    def __init__(self, record: object, types: tuple[SqlType, ...]) -> None:
        self.record = record
        self.types = types
        self._mutex = threading.Lock()
        self._seen: set[int] | None = set()
        self._many: array[int] = array("q")
        """Hashes in order, beside those in `_seen`. Whoever asks looks there first: from there they come."""
        self._has_range = len(types) == 1 and types[0].name in _ORDERED
        self._low: Any = None
        self._high: Any = None
        self._is_loaded = False
        self._look_ups = 0
        self._bits: KeyBits | None = None
        self._noted = NotedNumbers() if self._has_range and types[0].name in _WHOLE_NUMBERS else None
        """All that was noted: a reader of the table may not see it. None: bits cannot be read."""
        self._meanwhile: list[KeyValue] | None = None
        """What is noted while somebody reads the table to begin anew; None: nobody does."""
        self._generation = 0
        """Of the large sets, which are noted by their ends alone."""
        self._in_vain = self._spared = 0
        self._patience = 1

    def may_hold(self, value: KeyValue) -> bool:
        """False only when no row can have this key."""
        if not self._is_loaded:
            return True
        seen = self._seen
        if seen is not None:
            wanted = hash(value)
            return (
                wanted in seen or self._is_among_many(wanted) or self._seen is not seen
            )  # given up, or in other places, meanwhile
        if self._low is None:
            return True
        given = value[0]
        if given is None:
            return True
        if not self._low <= given <= self._high:
            return False
        bits = self._bits
        if bits is None or bits.may_hold(given):
            return True
        self._spared += 1
        return False

    def _is_among_many(self, wanted: int) -> bool:
        many = self._many
        place = bisect_left(many, wanted)
        return place < len(many) and many[place] == wanted

    def note(self, values: Collection[KeyValue]) -> None:
        """These values are about to be added."""
        with self._mutex:
            if self._meanwhile is not None:
                self._meanwhile.extend(values)
            self._remember(values)
            if self._noted is not None or self._bits is not None:
                self._note_numbers([given for (given,) in values if given is not None])

    def _remember(self, values: Collection[KeyValue]) -> None:
        seen = self._seen
        if seen is not None:
            seen.update(map(hash, values))
            if len(seen) > LIMIT:
                self._putin_order(seen)
        if self._has_range:
            for (given,) in values:
                self._extend(given)

    def _note_numbers(self, numbers: list[int]) -> None:
        if self._bits is not None:
            for number in numbers:
                self._bits.add(number)
        if self._noted is not None:
            self._noted.note(numbers)
            if self._noted.is_full:
                self._noted = None

    def _putin_order(self, seen: set[int]) -> None:
        if self._has_range or len(seen) + len(self._many) > MOST:
            self._seen, self._many = None, array("q")
        else:
            self._many = in_order(self._many, seen)
            self._seen = set()

    def note_range(self, low: Any, high: Any) -> None:
        """More values than are kept, of which these are the lowest and the highest, are about to be added. Whoever adds
        them has locked the table: a key without order is read again, by somebody who finds them there."""
        with self._mutex:
            self._generation += 1
            if self._has_range:
                self._seen = self._bits = None
                self._extend(low)
                self._extend(high)
            else:
                self._is_loaded, self._look_ups = False, 0

    def is_beyond(self, low: Any, high: Any) -> bool:
        """True only when no row can have a key from `low` to `high`."""
        if not (self._is_loaded and self._has_range) or low is None:
            return False
        return bool(self._low is None or low > self._high or high < self._low)

    def wants_to_load(self, most_rows: int, *, is_old: bool = False) -> bool:
        """Count a look-up. True when it is time to read the key of all rows, of which there are at most so many.
        `is_old`: what would be read now is a snapshot, which may lack a large set that was added since."""
        if self._is_loaded or not (self._has_range or (most_rows <= MOST and not is_old)):
            return False
        self._look_ups += 1
        if not self._has_range:
            enough = _LOOK_UPS_OF_TEXT if any(kind.name in _TEXTS for kind in self.types) else _LOOK_UPS
            return self._look_ups >= min(_LOOK_UPS, enough, most_rows / _ROWS_A_LOOK_UP)
        return (most_rows > LIMIT and self._look_ups > 0) or self._look_ups * _ROWS_A_LOOK_UP >= most_rows

    def postpone(self, look_ups: int) -> None:
        """Not now: what can be read lacks rows that may come back. Again after so many look-ups."""
        self._look_ups = self._in_vain = -look_ups

    def load(self, most_rows: int, values: Callable[[], Collection[KeyValue]], ends: Callable[[], KeyValue]) -> None:
        """Read what is committed: `values` of all rows, or only the lowest and the highest (None without rows). Rows
        that the reader's own transaction has taken away count: they come back when it is rolled back."""
        known = ends() if most_rows > LIMIT and self._has_range else None
        found = values() if known is None else [(given,) for given in known]
        with self._mutex:
            if known is not None:
                self._seen = None
            self._remember(found)
        self._is_loaded = True

    def note_in_vain(self, look_ups: int) -> None:
        """So many of the values that may have been there were not."""
        self._in_vain += look_ups

    def wants_to_begin_anew(self, most_rows: int) -> bool:
        """True when look-ups in vain have taken the time of reading the key of all rows, of
        which there are at most so many."""
        if self._in_vain < _IN_VAIN or not self._is_loaded or self._seen is None:
            return False
        enough = most_rows / _ROWS_A_LOOK_UP
        return self._in_vain >= self._patience * (enough if self._has_range else min(_LOOK_UPS, enough))

    def wants_bits(self, most_rows: int) -> bool:
        """True when it is time to read the bits of all rows, of which there are at most so many."""
        noted = self._noted
        if noted is None or not self._is_loaded or self._seen is not None or self._low is None:
            return False
        return self._in_vain >= self._patience * (max(_IN_VAIN, most_rows // _ROWS_OF_BITS) + len(noted) // _RUNS)

    @contextmanager
    def beginning_anew(self, *, is_alone: Callable[[], bool]) -> Iterator[bool]:
        """Around a reading of all that is committed, and of what the reader has added. True: what was noted before and
        is not found may be forgotten. For that no other thread may be in here, and nobody else at work in the table:
        `is_alone` is asked as soon as what is noted from now on is kept apart."""
        with self._mutex:
            mine = self._meanwhile is None
            if mine:
                self._meanwhile = []
        try:
            yield mine and is_alone()
        finally:
            if mine:
                self._meanwhile = None

    def load_anew(self, values: Callable[[], Collection[KeyValue]]) -> None:
        """Inside `beginning_anew`, which said True: hold no more than these, and what is noted meanwhile."""
        generation = self._generation
        found = in_order(array("q"), set(map(hash, values())))
        with self._mutex:
            seen = self._seen
            if self._generation == generation and seen is not None and self._meanwhile is not None:
                forgotten = len(seen) + len(self._many) - len(found)
                self._patience = 1 if forgotten >= self._in_vain else min(2 * self._patience, _LONGEST)
                self._many = found  # first: whoever has looked at the old ones in `_seen` looks here next
                self._seen = set(map(hash, self._meanwhile))
            self._in_vain = 0

    def load_bits(self, most_rows: int, read: Callable[[int], bytes | None], *, forgets: bool = False) -> None:
        """`read` gives the bits of what is committed, by a modulus; see `load`. `forgets`: inside
        `beginning_anew`, which said True."""
        modulus, generation = modulus_for(self._low, self._high, most_rows), self._generation
        if modulus is None:
            self._noted = None
            return
        bits = KeyBits(modulus, read(modulus))
        with self._mutex:
            if generation == self._generation and self._noted is not None:
                if forgets and self._meanwhile is not None:
                    self._noted = NotedNumbers()
                    self._noted.note([given for (given,) in self._meanwhile if given is not None])
                self._noted.put_into(bits)
                if self._bits is not None:
                    self._patience = 1 if self._spared >= self._in_vain else min(2 * self._patience, _LONGEST)
                self._bits = bits
                self._in_vain = self._spared = 0

    def _extend(self, given: Any) -> None:
        if given is None:
            return
        if self._low is None or given < self._low:
            self._low = given
        if self._high is None or given > self._high:
            self._high = given
