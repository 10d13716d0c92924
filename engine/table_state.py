"""Row ids, identity values and row versions: the counters of user tables that live outside any transaction.

They only grow: a rolled back INSERT leaves a gap, as on SQL Server. A table's counters are read from its rows when the
table is first touched, so nothing is stored. It must not know statements or rows, nor how the maximum is queried: the
caller hands in `load`. All methods are thread safe.

When the store is closed, the last identity values and the last row version are kept (`kept_counters`), so that none is
given twice because its row is gone. What differs: after a crash IDENTITY goes on from the further of what was kept last
and the highest value still in the table, not from the highest ever given out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

__all__ = ["ROW_VERSIONS", "Kept", "Loaded", "TableState", "TableStates"]

FIRST_ROW_VERSION = 2000
ROW_VERSIONS = 0
"""Stands for a table where row versions are kept."""


class Kept(Struct, frozen=True):
    """What was kept of each table, by its id: when it was created, and its last value. `is_whole`: nothing was counted
    since."""

    values: dict[int, tuple[float, int]] = field(default_factory=dict)
    is_whole: bool = False


class Loaded(Struct, frozen=True):
    """What the rows of a table say: highest row id, the last identity value (highest, or lowest with a negative
    increment; None without rows), highest row version. `increment`: of its identity column, 0 without one."""

    row_id: int = 0
    identity: int | None = None
    row_version: int = 0
    increment: int = 0


def _further(last: int | None, loaded: Loaded) -> int | None:
    """The value or that of the rows, whichever is further."""
    known = [value for value in (last, loaded.identity) if value is not None]
    return (min if loaded.increment < 0 else max)(known, default=None)


class TableState(Struct):
    """Counters of one table. `high_water` bounds every identity value that was ever stored, so that a generated value
    beyond it needs no look-up for duplicates. `keys` is what is remembered of each key (opaque here), by its id."""

    next_row_id: int = 1
    last_identity: int | None = None
    high_water: int | None = None
    reset_by: Any = None
    keys: dict[int, Any] = field(default_factory=dict)


class TableStates:
    """One for the instance. Temp tables and table variables have their states here too, under their own ids."""

    def __init__(self, kept: Callable[[], Kept] = Kept) -> None:
        self._kept: Kept | None = None
        self._read_kept = kept
        self._reading = threading.Lock()  # reading notes that it was done: twice would say that somebody did before
        self._states: dict[int, TableState] = {}
        self._mutex = threading.Lock()
        self._row_version = FIRST_ROW_VERSION
        self._last_temp_id = 0
        self._bound: dict[int, Any] = {}

    def again(self) -> TableStates:
        """The counters of the stored tables as they are now, for a copy of the store; compiled forms and
        remembered keys are not its own."""
        copied = TableStates(self.kept)
        with self._mutex:
            copied._row_version = self._row_version
            for table_id, state in self._states.items():
                if table_id > 0:
                    reset_by = None if state.reset_by is None else True  # somebody who is no transaction of the copy
                    copied._states[table_id] = TableState(
                        state.next_row_id, state.last_identity, state.high_water, reset_by
                    )
        return copied

    def state(self, table_id: int, load: Callable[[], Loaded], created: float) -> TableState:
        """The state of a table that was `created` then, loaded on first touch."""
        found = self._states.get(table_id)
        if found is not None:
            return found
        loaded, last = load(), self.kept_identity(table_id, created)
        if last is None or not loaded.increment:
            last = loaded.identity
        elif loaded.identity is not None and not self.kept().is_whole:
            last = _further(last, loaded)
        with self._mutex:
            fresh = TableState(loaded.row_id + 1, last, _further(last, loaded))
            self._row_version = max(self._row_version, loaded.row_version)
            return self._states.setdefault(table_id, fresh)

    def kept(self) -> Kept:
        """What was kept when the store was closed last. Raises SqlError."""
        if self._kept is None:
            with self._reading:
                if self._kept is None:
                    found = self._read_kept()
                    with self._mutex:
                        self._row_version = max(self._row_version, found.values.get(ROW_VERSIONS, (0.0, 0))[1])
                    self._kept = found
        return self._kept

    @property
    def was_asked(self) -> bool:
        """Whether somebody may have counted."""
        return self._kept is not None or any(table_id > 0 for table_id in list(self._states))

    def kept_identity(self, table_id: int, created: float) -> int | None:
        """The last identity value that was kept of a table; None where there is none."""
        found = self.kept().values.get(table_id)
        return found[1] if found is not None and found[0] == created else None

    def last_identity(self, table_id: int, created: float) -> int | None:
        """The last identity value, as far as it is known without the table's rows."""
        state = self._states.get(table_id)
        return state.last_identity if state is not None else self.kept_identity(table_id, created)

    def peek(self, table_id: int) -> TableState | None:
        """The state if it is loaded."""
        return self._states.get(table_id)

    def bound(self, table_id: int) -> Any:
        """What `keep_bound` kept: the compiled form of the table, opaque here."""
        return self._bound.get(table_id)

    def keep_bound(self, table_id: int, value: Any) -> None:
        self._bound[table_id] = value

    def keep_key(self, state: TableState, key_id: int, memory: Any) -> Any:
        """Keep what is remembered of a key; two that come at once share the first."""
        with self._mutex:
            known = state.keys.get(key_id)
            if known is not None and known.record is memory.record and known.types == memory.types:
                return known
            state.keys[key_id] = memory
            return memory

    def create(self, table_id: int) -> TableState:
        """A new, empty table: nothing to load."""
        with self._mutex:
            state = self._states[table_id] = TableState()
            return state

    def new_temp_id(self) -> int:
        """An object id for a temp table or one of its constraints: negative, never used again."""
        with self._mutex:
            self._last_temp_id -= 1
            return self._last_temp_id

    def forget(self, table_id: int) -> None:
        self._states.pop(table_id, None)
        self._bound.pop(table_id, None)

    def take_row_ids(self, state: TableState, count: int) -> int:
        """The first of `count` consecutive new row ids."""
        with self._mutex:
            first = state.next_row_id
            state.next_row_id = first + count
            return first

    def take_identities(self, state: TableState, seed: int, increment: int, count: int) -> tuple[range, bool]:
        """`count` new identity values, and whether none of them can be in the table already."""
        with self._mutex:
            last = state.last_identity
            first = seed if last is None else last + increment
            values = range(first, first + count * increment, increment)
            if not values:
                return values, True
            mark = state.high_water
            is_fresh = mark is None or (first > mark if increment > 0 else first < mark)
            state.last_identity = values[-1]
            if is_fresh:
                state.high_water = values[-1]
            return values, is_fresh

    def note_identity(self, state: TableState, value: int, increment: int) -> None:
        """A value given under IDENTITY_INSERT: the counter goes on from it when it is further than the last one."""
        with self._mutex:
            last, mark = state.last_identity, state.high_water
            if last is None or (value > last if increment > 0 else value < last):
                state.last_identity = value
            if mark is None or (value > mark if increment > 0 else value < mark):
                state.high_water = value

    def reseed(self, state: TableState, last: int | None, owner: Any = None) -> Callable[[], None]:
        """TRUNCATE TABLE (`last` None) and DBCC CHECKIDENT. `owner`: the transaction that may yet roll this back, by
        what is given back: the counter goes on from where it was."""
        with self._mutex:
            before = state.last_identity, state.reset_by
            state.last_identity = last
            state.reset_by = owner

        def undo() -> None:
            with self._mutex:
                state.last_identity, state.reset_by = before

        return undo

    def settle_reset(self, state: TableState, owner: Any, load: Callable[[], Loaded]) -> None:
        """After a TRUNCATE of another transaction, which has ended: what the rows say counts."""
        if state.reset_by is None or state.reset_by is owner:
            return
        loaded = load()
        with self._mutex:
            state.last_identity = loaded.identity
            state.reset_by = None

    def next_row_version(self) -> bytes:
        with self._mutex:
            self._row_version += 1
            return self._row_version.to_bytes(8, "big")

    def next_row_versions(self, count: int) -> int:
        """The first of so many, as a number."""
        with self._mutex:
            self._row_version += count
            return self._row_version - count + 1

    @property
    def last_version(self) -> int | None:
        """The last row version as a number; None before the first."""
        self.kept()
        return self._row_version if self._row_version > FIRST_ROW_VERSION else None

    @property
    def last_row_version(self) -> bytes:
        """@@DBTS."""
        self.kept()
        return self._row_version.to_bytes(8, "big")
