"""RowNumbers: where DuckDB has the rows of large tables, by our row ids: a hint, which whoever follows it verifies.

A change of a few hundred rows of ten million goes by `$rid` through all of them, and by DuckDB's own number of a
row (`rowid`) through all of them in a third of the time. Rows come to a table in the order of their ids, so that
id and number lie the same distance apart for long runs of rows. Where that is so of the first and the last of a run,
it is taken to be so of those between them.

Numbers change when DuckDB puts rows together, rows come out of order, tables are emptied and made anew: nothing here
hears of it. So the row at a number is looked at. If it has another id than the one that is wanted, all rows are looked
through as before, and the runs are forgotten. Decides when a table is worth the trouble, and where to look for the
ends of runs. It must not know transactions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Final

from sbql.catalog.changes import ROW_ID
from sbql.catalog.duck_types import quote

__all__ = ["NUMBER", "RowNumbers"]

NUMBER: Final = "rowid"
"""DuckDB's name of it. A column of this name stands before it."""
_FEWEST: Final = 64
"""Rows of a change that are looked for so: of fewer it is only some row groups that DuckDB looks through."""
_LARGE: Final = 2_000_000
"""Ids between the first and the last of them: fewer are looked through in no time."""
_SPARSE: Final = 4096
"""Ids for each row that is looked for: where they lie closer, most of what is read has one of them."""
_OWN: Final = 1 << 50
"""Numbers from here on are of rows that the transaction itself has brought, and end with it."""
_LOOKS: Final = 16
"""Ids that are asked for at once, each in the time of a small query. Where more are needed, the whole table is looked
through for the ends of its runs, in that of three hundred."""
_ROUNDS: Final = 40
_MOST_RUNS: Final = 1024
_LONGEST_WAIT: Final = 1024

Ask = Callable[[str, Sequence[Any]], Sequence[Sequence[Any]]]


class _Runs:
    """Of one table: `firsts` and `lasts` are ids, in order, and `shifts` what comes to an id
    between them to make the number."""

    __slots__ = ("firsts", "is_whole", "lasts", "misses", "shifts", "wait")

    def __init__(self, misses: int = 0) -> None:
        self.misses = misses
        """How often they were wrong, or none were found, since they were right."""
        self.wait = min(1 << misses, _LONGEST_WAIT) // 2
        """So often nothing is looked for here before it is tried again."""
        self.firsts: list[int] = []
        self.lasts: list[int] = []
        self.shifts: list[int] = []
        self.is_whole = False
        """The whole table was looked through for them, and is not again before they are wrong."""

    def at(self, row_id: int) -> int | None:
        """The run of this id."""
        place = bisect_right(self.firsts, row_id) - 1
        return place if place >= 0 and row_id <= self.lasts[place] else None

    def add(self, row_id: int, shift: int) -> None:
        """An id that is in no run: it lengthens one beside it, or joins two, or is a new one."""
        place = bisect_left(self.firsts, row_id)
        joins_left = place > 0 and self.shifts[place - 1] == shift
        joins_right = place < len(self.firsts) and self.shifts[place] == shift
        if joins_left and joins_right:
            self.lasts[place - 1] = self.lasts[place]
            del self.firsts[place], self.lasts[place], self.shifts[place]
        elif joins_left:
            self.lasts[place - 1] = row_id
        elif joins_right:
            self.firsts[place] = row_id
        else:
            self.firsts.insert(place, row_id)
            self.lasts.insert(place, row_id)
            self.shifts.insert(place, shift)

    def take(self, starts: Sequence[Sequence[int]]) -> bool:
        """All runs of the table: the first id and its number, in the order of the table. False: they are too
        many, or not in the order of the ids."""
        self.is_whole = True
        firsts = [row_id for row_id, _ in starts]
        if not firsts or len(firsts) > _MOST_RUNS or firsts != sorted(firsts):
            return False
        self.firsts = firsts
        self.lasts = [*(row_id - 1 for row_id in firsts[1:]), firsts[-1]]
        self.shifts = [number - row_id for row_id, number in starts]
        return True

    def gaps(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Those of the ids, which are in order, that are in no run, by how many runs come before them."""
        found: dict[int, list[int]] = {}
        for row_id in ids:
            if self.at(row_id) is None:
                found.setdefault(bisect_right(self.firsts, row_id), []).append(row_id)
        return found

    def wanted(self, gaps: dict[int, list[int]]) -> set[int]:
        """Of which ids to ask next: beyond all runs of the furthest, for all before them may be of one;
        between two runs of the middle one."""
        found: set[int] = set()
        for place, ids in gaps.items():
            if place == 0:
                found.add(ids[0])
            if place == len(self.firsts):
                found.add(ids[-1])
            if 0 < place < len(self.firsts):
                found.add(ids[len(ids) // 2])
        return found


class RowNumbers:
    """One for the store. For any thread: runs that somebody has got do not change."""

    def __init__(self) -> None:
        self.fewest, self.large, self.sparse = _FEWEST, _LARGE, _SPARSE
        self.followed = self.missed = 0
        """How often numbers were given that were right, and wrong."""
        self._tables: dict[str, _Runs] = {}

    def may_pay(self, row_ids: Sequence[int]) -> bool:
        """Whether these are rows for which `find` is worth its while."""
        if len(row_ids) < self.fewest:
            return False
        return max(row_ids) - min(row_ids) >= max(self.large, self.sparse * len(row_ids))

    def find(self, table: str, row_ids: Sequence[int], ask: Ask) -> list[int] | None:
        """The numbers that rows with these ids are likely to have; None: look for the ids. `ask` puts a
        query. Say `note` what came of it."""
        runs = self._tables.setdefault(table, _Runs())
        if runs.wait > 0:
            runs.wait -= 1
            return None
        copy = _copied(runs)
        if not self._learn(copy, table, sorted(row_ids), ask):
            self.note(table, is_right=False)
            return None
        self._tables[table] = copy  # at once, for others who read
        return [row_id + copy.shifts[bisect_right(copy.firsts, row_id) - 1] for row_id in row_ids]

    def note(self, table: str, *, is_right: bool) -> None:
        """Whether all rows stood where `find` has said."""
        runs = self._tables.setdefault(table, _Runs())
        if is_right:
            self.followed += 1
            runs.misses = max(0, runs.misses - 1)
        else:
            self.missed += 1
            self._tables[table] = _Runs(runs.misses + 2)

    def _learn(self, runs: _Runs, table: str, row_ids: Sequence[int], ask: Ask) -> bool:
        """Ask until each id is in a run. False: one is in none, or there are too many."""
        for _ in range(_ROUNDS):
            gaps = runs.gaps(row_ids)
            if not gaps:
                return True
            wanted = sorted(runs.wanted(gaps))
            if len(wanted) > _LOOKS:
                if runs.is_whole or not runs.take(ask(_starts_text(table), ())):
                    return False
                continue
            found = ask(" UNION ALL ".join([_look_text(table)] * len(wanted)), wanted)
            if len(found) != len(wanted) or any(number >= _OWN for _, number in found):
                return False
            for one, number in found:
                if runs.at(one) is None:
                    runs.add(one, number - one)
        return False


def _look_text(table: str) -> str:
    """One row. An id in a list would be compared with each of them, in all groups of rows that may have one."""
    row_id = quote(ROW_ID)
    return f"SELECT {row_id}, {NUMBER} FROM {table} WHERE {row_id} = ?"


def _starts_text(table: str) -> str:
    """The rows that do not lie as far from their ids as those before them."""
    row_id = quote(ROW_ID)
    shift = f"{NUMBER} - {row_id}"
    rows = f"SELECT {row_id}, {NUMBER} AS number, {shift} AS shift, lag({shift}) OVER () AS before FROM {table}"
    return f"SELECT {row_id}, number FROM ({rows}) WHERE before IS DISTINCT FROM shift LIMIT {_MOST_RUNS + 1}"


def _copied(runs: _Runs) -> _Runs:
    """To be changed, while others read what they have got."""
    copy = _Runs()
    copy.misses, copy.is_whole = runs.misses, runs.is_whole
    copy.firsts, copy.lasts, copy.shifts = list(runs.firsts), list(runs.lasts), list(runs.shifts)
    return copy
