"""KeyMemory: which values a key may hold, remembered in the process, so that a new value needs no look-up.

It only ever claims too much: every value that a statement is about to add is noted before the row can be committed, and
nothing is taken back when rows are deleted or rolled back. What it does not know cannot be in the table; what it knows
is looked up. Up to `LIMIT` values are kept (as hashes); of a larger key of numbers or dates the lowest and the highest,
so that ascending keys still need no look-up.

It decides when reading a whole key pays: once as much time has gone into look-ups. It must not know locks (a value is
locked before it is asked for) nor how rows are read (`StoredRows` reads them).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import Any

from sbql.grammar.types import SqlType

__all__ = ["LIMIT", "KeyMemory"]

KeyValue = tuple[Any, ...]

LIMIT = 100_000
_ROWS_A_LOOK_UP = 200
"""About so many keys are read in the time of one look-up."""

_ORDERED = frozenset({
    "tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney",
    "date", "time", "datetime", "datetime2", "smalldatetime",
})  # fmt: skip


class KeyMemory:
    """Of one key of one table. `record` is the definition that it belongs to: another one begins anew.

    It exists before the first write of the process to the table, so nothing is committed that is neither noted nor
    there to be read.
    """

    __slots__ = ("_has_range", "_high", "_is_loaded", "_look_ups", "_low", "_mutex", "_seen", "record", "types")

    def __init__(self, record: object, types: tuple[SqlType, ...]) -> None:
        self.record = record
        self.types = types
        self._mutex = threading.Lock()
        self._seen: set[int] | None = set()
        self._has_range = len(types) == 1 and types[0].name in _ORDERED
        self._low: Any = None
        self._high: Any = None
        self._is_loaded = False
        self._look_ups = 0

    def may_hold(self, value: KeyValue) -> bool:
        """False only when no row can have this key."""
        if not self._is_loaded:
            return True
        if self._seen is not None:
            return hash(value) in self._seen
        if self._low is None:
            return True
        given = value[0]
        return given is None or self._low <= given <= self._high

    def note(self, values: Collection[KeyValue]) -> None:
        """These values are about to be added."""
        with self._mutex:
            seen = self._seen
            if seen is not None:
                seen.update(map(hash, values))
                if len(seen) > LIMIT:
                    self._seen = None
            if self._has_range:
                for (given,) in values:
                    self._extend(given)

    def note_range(self, low: Any, high: Any) -> None:
        """More values than are kept, of which these are the lowest and the highest, are about to be added."""
        with self._mutex:
            self._seen = None
            if self._has_range:
                self._extend(low)
                self._extend(high)

    def is_beyond(self, low: Any, high: Any) -> bool:
        """True only when no row can have a key from `low` to `high`."""
        if not (self._is_loaded and self._has_range) or low is None:
            return False
        return bool(self._low is None or low > self._high or high < self._low)

    def wants_to_load(self, most_rows: int) -> bool:
        """Count a look-up. True when it is time to read the key of all rows, of which there are at most so many."""
        if self._is_loaded or not (self._has_range or most_rows <= LIMIT):
            return False
        self._look_ups += 1
        return most_rows > LIMIT or self._look_ups * _ROWS_A_LOOK_UP >= most_rows

    def load(self, most_rows: int, values: Callable[[], Collection[KeyValue]], ends: Callable[[], KeyValue]) -> None:
        """Read what is committed: `values` of all rows, or only the lowest and the highest (None without rows)."""
        if most_rows > LIMIT:
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
