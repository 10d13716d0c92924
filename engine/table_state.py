"""Row ids, identity values and row versions: the counters of user tables that live outside any transaction.

They only grow: a rolled back INSERT leaves a gap, as on SQL Server. A table's counters are read from its rows when the
table is first touched. It must not know statements or rows, nor how the maximum is queried: the caller hands in `load`.
All methods are thread safe.

So that no value is given twice because its row is gone, identity values and row versions are handed out in blocks: the
end of one is kept on the disk before its first value is used, as SQL Server's identity cache is. When the store is
closed, the last values are kept instead (`kept_counters`): only a crash leaves a gap.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, field

from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES

__all__ = ["ROW_VERSIONS", "Kept", "Loaded", "TableState", "TableStates"]

FIRST_ROW_VERSION = 2000
ROW_VERSIONS = 0
"""Stands for a table where row versions are kept."""
_BLOCKS: Final = {"tinyint": 10, "smallint": 100, "int": 1000}
_LARGE_BLOCK: Final = 10_000
"""Of the other types, of row versions, and of int behind the first block: to keep one takes as long as 200 INSERTs."""


def _block_end(value: int, increment: int, sql_type: SqlType, *, is_first: bool) -> int:
    """The last identity value of a block that begins behind this one."""
    size = _BLOCKS.get(sql_type.name, _LARGE_BLOCK)
    if sql_type.name == "int" and not is_first:
        size = _LARGE_BLOCK
    low, high = INTEGER_RANGES.get(sql_type.name) or (-(10**38), 10**38)
    return min(max(value + increment * size, low), high)


class Kept(Struct, frozen=True):
    """What was kept of each table, by its id: when it was created, and its last value or the end of its block.
    `is_certain`: no value was given beyond it."""

    values: dict[int, tuple[float, int]] = field(default_factory=dict)
    is_certain: bool = False


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


def _has(block_end: int | None, value: int, increment: int) -> bool:
    return block_end is not None and (value <= block_end if increment > 0 else value >= block_end)


class TableState(Struct):
    """Counters of one table. `high_water` bounds every identity value that was ever stored, so that a generated value
    beyond it needs no look-up for duplicates. `block_end`: the end of the block of identity values that is kept on the
    disk, None when there is none that counts. `is_anew`: a TRUNCATE has begun the counter anew, which is not committed.
    `keys` is what is remembered of each key (opaque here), by its id."""

    table_id: int
    created: float
    next_row_id: int = 1
    last_identity: int | None = None
    high_water: int | None = None
    block_end: int | None = None
    is_anew: bool = False
    keys: dict[int, Any] = field(default_factory=dict)


class TableStates:
    """One for the instance. Temp tables and table variables have their states here too, under their own ids.

    `kept` reads what was kept. `keep` stores the end of a block, or the last value, of a table that was created then;
    None in its place: there is none. Both raise SqlError. Without `keep` nothing is stored.
    """

    def __init__(
        self, kept: Callable[[], Kept] = Kept, keep: Callable[[int, float, int | None], None] | None = None
    ) -> None:
        self._kept: Kept | None = None
        self._read_kept = kept
        self._keep = keep
        self._keeping = threading.Lock()
        self._states: dict[int, TableState] = {}
        self._mutex = threading.Lock()
        self._row_version = FIRST_ROW_VERSION
        self._version_block = FIRST_ROW_VERSION
        self._active_versions: dict[int, int] = {}
        self._last_temp_id = 0
        self._bound: dict[int, Any] = {}

    def again(self, of: TableStates | None = None) -> TableStates:
        """The counters of the stored tables as they are now, while nobody counts, for a copy of the store of which `of`
        are the counters so far; compiled forms and remembered keys are not its own."""
        copied = TableStates(self.kept, of._keep if of is not None else None)
        with self._mutex:
            copied._row_version = self._row_version
            for table_id, state in self._states.items():
                if table_id > 0:
                    copied._states[table_id] = TableState(
                        table_id, state.created, state.next_row_id, state.last_identity, state.high_water
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
        elif loaded.identity is not None and not self.kept().is_certain:
            last = _further(last, loaded)
        with self._mutex:
            fresh = TableState(table_id, created, loaded.row_id + 1, last, _further(last, loaded))
            self._row_version = max(self._row_version, loaded.row_version)
            return self._states.setdefault(table_id, fresh)

    def kept(self) -> Kept:
        """What was kept before anybody counted here. Raises SqlError."""
        if self._kept is None:
            found = self._read_kept()
            with self._mutex:
                self._row_version = max(self._row_version, found.values.get(ROW_VERSIONS, (0.0, 0))[1])
                self._kept = self._kept or found
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

    def create(self, table_id: int, created: float) -> TableState:
        """A new, empty table: nothing to load."""
        with self._mutex:
            state = self._states[table_id] = TableState(table_id, created)
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

    def take_identities(
        self, state: TableState, seed: int, increment: int, count: int, sql_type: SqlType
    ) -> tuple[range, bool]:
        """`count` new identity values of a column of that type, and whether none of them can be in the table already.
        Raises SqlError when the disk refuses the end of their block."""
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
        self._reach(state, values[-1], increment, sql_type)
        return values, is_fresh

    def note_identity(self, state: TableState, value: int, increment: int, sql_type: SqlType) -> None:
        """A value given under IDENTITY_INSERT: the counter goes on from it when it is further than the last one. Raises
        SqlError as `take_identities` does."""
        with self._mutex:
            last, mark = state.last_identity, state.high_water
            if is_further := last is None or (value > last if increment > 0 else value < last):
                state.last_identity = value
            if mark is None or (value > mark if increment > 0 else value < mark):
                state.high_water = value
        if is_further:
            self._reach(state, value, increment, sql_type)

    def _reach(self, state: TableState, value: int, increment: int, sql_type: SqlType) -> None:
        """Have the end of a block kept that has this value. What a TRUNCATE has begun anew waits for its commit."""
        if self._keep is None or state.table_id < 0 or _has(state.block_end, value, increment):
            return
        if state.is_anew:
            return
        with self._keeping:
            if _has(state.block_end, value, increment):
                return
            end = _block_end(value, increment, sql_type, is_first=state.block_end is None)
            self.kept()  # before it is another
            self._keep(state.table_id, state.created, end)
            state.block_end = end

    def reseed(self, state: TableState, last: int | None, *, is_open: bool = False) -> Callable[[], None]:
        """TRUNCATE TABLE (`last` None) and DBCC CHECKIDENT; `keep_reset` is called when it stays. `is_open`: a
        transaction may yet roll this back, by what is given back: the counter goes on from where it was."""
        with self._mutex:
            before = state.last_identity, state.is_anew, state.block_end
            state.last_identity, state.is_anew, state.block_end = last, is_open, None

        def undo() -> None:
            with self._mutex:
                state.last_identity, state.is_anew, state.block_end = before

        return undo

    def keep_reset(self, state: TableState) -> None:
        """What `reseed` has set stays: a crash must not bring back the block before, unless one was begun since. Raises
        SqlError."""
        state.is_anew = False
        if self._keep is None or state.table_id < 0:
            return
        with self._keeping:
            if state.block_end is None:
                self.kept()
                self._keep(state.table_id, state.created, state.last_identity)

    def next_row_versions(self, count: int, transaction_id: int | None) -> int:
        """The first of so many, as a number, for rows that a transaction writes. Raises SqlError when the disk refuses
        the end of their block."""
        if self._kept is None:
            self.kept()
        with self._mutex:
            self._row_version += count
            last = self._row_version
            if transaction_id is not None:
                self._active_versions.setdefault(transaction_id, last - count + 1)
        if last > self._version_block and self._keep is not None:
            with self._keeping:
                if last > self._version_block:
                    end = last + _LARGE_BLOCK
                    self._keep(ROW_VERSIONS, 0.0, end)
                    self._version_block = end
        return last - count + 1

    def end_row_versions(self, transaction_id: int) -> None:
        """The rows of a transaction are everybody's, or nobody's."""
        self._active_versions.pop(transaction_id, None)

    @property
    def least_active_row_version(self) -> int:
        """MIN_ACTIVE_ROWVERSION: all rows with lower ones are committed."""
        self.kept()
        with self._mutex:
            return min(self._active_versions.values(), default=self._row_version + 1)

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
