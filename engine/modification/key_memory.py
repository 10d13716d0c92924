"""KeyMemory: which values a key may hold, remembered in the process, so that a new value needs no look-up.

It only ever claims too much: every value that a statement is about to add is noted before the row can be committed, and
nothing is taken back when rows are deleted or rolled back. What it does not know cannot be in the table; what it knows
is looked up. Up to `LIMIT` values are kept (as hashes); of a larger key of numbers or dates the lowest and the highest,
so that ascending keys still need no look-up; of any other up to `MOST`, for a look-up there reads the key of every row.

It decides when reading a whole key pays: once as much time has gone into look-ups. It must not know locks (a value is
locked before it is asked for) nor how rows are read (`StoredRows` reads them).
"""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection
from typing import Any

from sbql.catalog.key_places import in_order
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

_TEXTS = frozenset({"char", "varchar", "nchar", "nvarchar"})
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
        "_has_range",
        "_high",
        "_is_loaded",
        "_look_ups",
        "_low",
        "_many",
        "_mutex",
        "_seen",
        "record",
        "types",
    )

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

    def may_hold(self, value: KeyValue) -> bool:
        """False only when no row can have this key."""
        if not self._is_loaded:
            return True
        seen = self._seen
        if seen is not None:
            wanted = hash(value)
            return wanted in seen or self._is_among_many(wanted) or self._seen is None  # given up meanwhile
        if self._low is None:
            return True
        given = value[0]
        return given is None or self._low <= given <= self._high

    def _is_among_many(self, wanted: int) -> bool:
        many = self._many
        place = bisect_left(many, wanted)
        return place < len(many) and many[place] == wanted

    def note(self, values: Collection[KeyValue]) -> None:
        """These values are about to be added."""
        with self._mutex:
            seen = self._seen
            if seen is not None:
                seen.update(map(hash, values))
                if len(seen) > LIMIT:
                    self._putin_order(seen)
            if self._has_range:
                for (given,) in values:
                    self._extend(given)

    def _putin_order(self, seen: set[int]) -> None:
        if self._has_range or len(seen) + len(self._many) > MOST:
            self._seen, self._many = None, array("q")
        else:
            self._many = in_order(self._many, seen)
            self._seen = set()

    def note_range(self, low: Any, high: Any) -> None:
        """More values than are kept, of which these are the lowest and the highest, are about to be added. Whoever adds them has locked the table: a key without order is read
        again, by somebody who finds them there."""
        with self._mutex:
            if self._has_range:
                self._seen = None
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
        """Count a look-up. True when it is time to read the key of all rows, of which there are at most so many. `is_old`: what would be read now is a snapshot, which may
        lack a large set that was added since."""
        if self._is_loaded or not (self._has_range or (most_rows <= MOST and not is_old)):
            return False
        self._look_ups += 1
        if not self._has_range:
            enough = _LOOK_UPS_OF_TEXT if any(kind.name in _TEXTS for kind in self.types) else _LOOK_UPS
            return self._look_ups >= min(_LOOK_UPS, enough, most_rows / _ROWS_A_LOOK_UP)
        return (most_rows > LIMIT and self._look_ups > 0) or self._look_ups * _ROWS_A_LOOK_UP >= most_rows

    def postpone(self, look_ups: int) -> None:
        """Not now: what can be read lacks rows that may come back. Again after so many look-ups."""
        self._look_ups = -look_ups

    def load(self, most_rows: int, values: Callable[[], Collection[KeyValue]], ends: Callable[[], KeyValue]) -> None:
        """Read what is committed: `values` of all rows, or only the lowest and the highest (None without rows). Rows that the reader's own transaction has taken away count: they come back
        when it is rolled back."""
        if most_rows > LIMIT and self._has_range:
            self._seen = None
            self.note([(given,) for given in ends()])
        else:
            self.note(values())
        self._is_loaded = True

    def _extend(self, given: Any) -> None:
        if given is None:
            return
        if self._low is None or given < self._low:
            self._low = given
        if self._high is None or given > self._high:
            self._high = given
