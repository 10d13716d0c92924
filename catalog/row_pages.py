"""RowPages: rows of tables that are read by a key of whole numbers, in pages: a query that
looks for one row brings its neighbours.

A query costs half a millisecond whatever it finds, and half a microsecond more for each row. So where rows of one table
are asked for again and again, they come by ranges of the key. Each range is a page of up to `ROWS` rows, packed: a row
takes some thirty bytes. In the RowCache, where it goes when it is asked for again, it takes five hundred.

Decides which tables are read so, how wide a page is, and which pages go. A table all of whose pages fit in the budget
is read so from the `patience`-th look on. A larger one is read so as long as pages are asked for more than once
(`_credit`), and again when looks come close together.

What is in a page counts like a row in the cache: no commit on the table has overtaken the read that it came by (`put`),
and when a commit has written a row, its page is not believed for that row any more (`note`). That a row is not in its
page says nothing. It must not know transactions, values or the texts of queries.
"""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, Final

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of

__all__ = ["MOST", "PagedTable", "RowPages"]

ROWS: Final = 4096
"""Of a page, usually."""
MOST: Final = 4 * ROWS
"""Rows in the range of a page that is kept: where keys lie that unevenly, nothing is read so."""
_TRIED: Final = 256
"""Rows of the first page of a table, which tells how large rows are."""
_PAGE: Final = 1 << 17
"""About the bytes of a page."""
_SHARE: Final = 8
"""A page is no larger than this part of the budget."""
_FEWEST: Final = 16
"""Rows for which a page is worth its while."""
_TOGETHER: Final = 32
"""Rows that are packed together: one is found by unpacking them all."""
_STALE_BYTES: Final = 90
"""Of the number of a row that pages have and are not believed in. All pages of a table go when its numbers
take a quarter of what they take."""
_WHOLE: Final = 1.1
"""A table that is so much larger than the budget counts as one that fits."""
_IN_VAIN: Final = 64
"""Looks for what a page does not have before it is read anew."""
_COST, _DEAR = 4, 64
"""A page takes the time of so many looks for one row. Where another has to go for it, it is read only if pages are
asked for far more often than that."""
_FIRST_CREDIT, _MOST_CREDIT = 16, 256
_RECENT: Final = 16
_REMEMBERED: Final = 4096
"""Keys that were asked for once, of a table that is too large for its pages: they are remembered until so
many others were, and so many again."""
_ATTEMPTS: Final = 3

Row = tuple[Any, ...]


class _Page:
    """The rows with keys in a range. `firsts` are the first keys of each packed part; `asked` has a bit
    for each row that was asked for."""

    __slots__ = ("asked", "firsts", "in_vain", "parts", "size")

    def __init__(self, rows: Sequence[Row], place: int) -> None:
        starts = range(0, len(rows), _TOGETHER)
        self.parts = [pickle.dumps(rows[start : start + _TOGETHER], 5) for start in starts]
        self.firsts = [rows[start][place] for start in starts]
        self.asked = bytearray((len(rows) + 7) // 8)
        self.in_vain = 0
        self.size = 400 + len(self.asked) + sum(map(len, self.parts)) + 90 * len(self.parts)


class PagedTable:
    """Pages of one table by one key. `shape` is whatever the rows were read for, `place` that of the key in a row, the
    row id first, `column` its name."""

    __slots__ = (
        "_attempts", "_cost", "_count", "_credit", "_is_sized", "_is_whole", "_looks", "_once", "_once_before", "_pages",
        "_recent", "column", "is_laid_out", "is_refused", "place", "shape", "size", "span", "stale",
    )  # fmt: skip

    def __init__(self, shape: object, place: int, column: str) -> None:
        self.shape, self.place, self.column = shape, place, column
        self.span = 1
        """How many values of the key a page is for."""
        self.is_laid_out = False
        self.is_refused = False
        self.size = 0
        self.stale: set[int] = set()
        self._pages: dict[int, _Page] = {}
        self._is_sized = self._is_whole = False
        self._count = self._attempts = 0
        self._looks, self._credit, self._cost = 0, _FIRST_CREDIT, _COST
        self._recent: deque[int] = deque(maxlen=_RECENT)
        self._once: set[int] = set()
        self._once_before: set[int] = set()

    def find(self, number: int) -> tuple[Row, bool] | None:
        """The row with this key, if a page has it, and whether it was asked for before. Without a lock."""
        stale = self.stale  # before the page, which may be replaced by one that is believed
        page = self._pages.get(number // self.span)
        if page is None:
            return None
        part = bisect_right(page.firsts, number) - 1
        for at, row in enumerate(pickle.loads(page.parts[part]) if part >= 0 else ()):
            if row[self.place] == number and row[0] not in stale:
                at += part * _TOGETHER
                is_again = bool(page.asked[at >> 3] & 1 << (at & 7))
                page.asked[at >> 3] |= 1 << (at & 7)
                if not self._is_whole and self._credit < _MOST_CREDIT:
                    self._credit += 1
                return row, is_again
        page.in_vain += 1
        return None

    def wants(self, number: int, patience: int) -> bool:
        """Whether to read the page of this key now, which `find` has not found."""
        self._looks += 1
        if self.is_refused or self._looks <= patience:
            return False
        if not self.is_laid_out:
            return True
        where = number // self.span
        page = self._pages.get(where)
        if page is not None and page.in_vain < _IN_VAIN:
            return False
        if self._is_whole or self._credit >= self._cost:
            return True
        if where in self._recent:  # a page would have been asked for once more
            self._credit += 1 if self._cost == _COST else _DEAR // 2
        self._recent.append(where)
        return False

    def wants_whole_row(self, number: int) -> bool:
        """Whether the row with this key, which no page has, is likely to be asked for again: where all rows fit, and of
        the others when it was asked for a short while ago."""
        if self._is_whole or not (self._is_sized or self.is_refused):
            return True
        if number in self._once or number in self._once_before:
            return True
        if len(self._once) >= _REMEMBERED:
            self._once, self._once_before = set(), self._once
        self._once.add(number)
        return False

    def lay_out(self, low: int | None, high: int | None, count: int) -> None:
        """The keys of the table lie between these, `count` of them."""
        self._count = count
        if low is None or high is None:
            self._looks = 0
        else:
            self.span, self.is_laid_out = max(1, (high - low + 1) * _TRIED // count), True

    def bounds(self, number: int) -> tuple[int, int]:
        """The first and the last key of its page."""
        first = number // self.span * self.span
        return first, first + self.span - 1

    def start_anew(self) -> None:
        """There are far too many rows in the range of a page: the table has grown, or its keys lie unevenly,
        which is so if it happens again."""
        self._attempts += 1
        self.is_refused = self._attempts >= _ATTEMPTS
        self._pages, self.size, self._looks, self._is_sized, self.is_laid_out = {}, 0, 0, False, False

    # -- for RowPages, under its mutex -------------------------------------------------------------------------------

    def page(self, rows: list[Row], budget: int) -> _Page | None:
        """Of these rows. None: they are the first of the table, and only say how large its rows are, how wide therefore
        its pages shall be, and whether all of them fit."""
        rows.sort(key=itemgetter(self.place))
        page = _Page(rows, self.place)
        if self._is_sized:
            return page
        self._is_sized = True
        each = max(1, page.size // max(len(rows), 1))
        wanted = min(ROWS, min(_PAGE, budget // _SHARE) // each)
        self.is_refused = wanted < _FEWEST
        self._is_whole = self._count * each <= budget * _WHOLE
        self.span = max(1, self.span * wanted // _TRIED)
        return None

    def take(self, page: _Page, rows: Sequence[Row], number: int) -> None:
        """Keep the page of this key."""
        where = number // self.span
        self.shed(where)
        self._pages[where] = page
        self.size += page.size
        if self.stale:
            self.stale = self.stale.difference(map(itemgetter(0), rows))
        if not self._is_whole:
            self._credit -= self._cost

    def shed(self, where: int) -> None:
        """Let go of a page."""
        page = self._pages.pop(where, None)
        if page is not None:
            self.size -= page.size

    def shed_oldest(self) -> bool:
        """False: there is no page."""
        where = next(iter(self._pages), None)
        if where is None:
            return False
        self._is_whole, self._cost = False, _DEAR
        self.shed(where)
        return True

    def doubt(self, row_ids: Iterator[int]) -> int:
        """These rows were written. Bytes that this takes."""
        before = len(self.stale)
        self.stale.update(row_ids)
        if len(self.stale) * _STALE_BYTES > self.size // 4:
            self.shed_all()
            return 0
        return (len(self.stale) - before) * _STALE_BYTES

    def shed_all(self) -> None:
        self._pages, self._cost = {}, _COST
        self.stale, self.size = set(), 0


class RowPages:
    """One for the RowCache, under whose mutex it is changed."""

    def __init__(self) -> None:
        self.patience = 16
        """Looks for rows of a table before its pages are read."""
        self._tables: dict[str, dict[tuple[int, ...], PagedTable]] = {}

    def __bool__(self) -> bool:
        return bool(self._tables)

    @property
    def size(self) -> int:
        """About the bytes that are kept."""
        return sum(paged.size + len(paged.stale) * _STALE_BYTES for paged in self._all())

    def _all(self) -> Iterator[PagedTable]:
        for kinds in list(self._tables.values()):
            yield from list(kinds.values())

    def of(self, name: str, shape: object, positions: tuple[int, ...]) -> PagedTable | None:
        kinds = self._tables.get(name)
        paged = kinds.get(positions) if kinds is not None else None
        return paged if paged is not None and paged.shape is shape else None

    def begin(self, name: str, shape: object, positions: tuple[int, ...], column: str) -> PagedTable:
        """Those of a table none of whose rows has been asked for by this key."""
        paged = self._tables.setdefault(name, {})[positions] = PagedTable(shape, positions[0] + 1, column)
        return paged

    def shed(self) -> bool:
        """Let go of one page of the table that takes most. False: there is none."""
        largest = max(self._all(), key=lambda paged: paged.size, default=None)
        return largest is not None and largest.shed_oldest()

    def clear(self) -> None:
        self._tables.clear()

    def note(self, change: RowChange) -> int:
        """A commit made this change; the stamp of its table has moved. Bytes that this takes."""
        if isinstance(change, Definition):
            for name in change.tables or list(self._tables):
                self._tables.pop(name, None)
            return 0
        kinds = self._tables.get(change.table)
        if kinds is None or isinstance(change, InsertRows):
            return 0
        if found_of(change) is not None:
            del self._tables[change.table]
            return 0
        ids = change.row_ids if isinstance(change, DeleteRows) else [row[0] for row in change.rows]
        taken = 0
        for paged in kinds.values():
            if isinstance(change, UpdateRows) and paged.column in change.columns:
                paged.shed_all()  # a row that moves to another page would be doubted in the old one only until it is read in the new one
            elif paged.size:
                taken += paged.doubt(iter(ids))
        return taken
