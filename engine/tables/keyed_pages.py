"""KeyedPages: the row of a user table by a key of one whole number, from the pages that the
store keeps of it, which are read here.

Decides which tables may be read so (none with values that may be large: a page has thousands of rows), and the texts of
the two queries: how far the keys go, and the rows with keys in a range. When a page is worth its while the store's
`row_pages` says. It must not know transactions: `keyed_rows` says when what is committed is what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sbql.catalog.duck_types import quote
from sbql.catalog.row_cache import CachedTable
from sbql.catalog.row_pages import MOST, PagedTable
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable, Key
from sbql.grammar.types import MAX

__all__ = ["KeyedPages", "may_be_large", "may_have_pages"]

Match = tuple[int, Any]

_LARGE: Final = frozenset({"text", "ntext", "image", "xml", "sql_variant", "geography", "geometry", "json"})
_ENDS: Final = {"tinyint": (0, 255), "smallint": (-(1 << 15), (1 << 15) - 1), "int": (-(1 << 31), (1 << 31) - 1)}
_WIDEST: Final = (-(1 << 63), (1 << 63) - 1)


def may_have_pages(bound: BoundTable, key: Key) -> bool:
    """Whether the rows of a table by this key may come in pages."""
    return (
        len(key.positions) == 1
        and (key.types[0].name in _ENDS or key.types[0].name == "bigint")
        and not may_be_large(bound)
    )


def may_be_large(bound: BoundTable) -> bool:
    """Whether a row of the table may have a value without a limit."""
    return any(kind.length == MAX or kind.name in _LARGE for kind in bound.types)


class KeyedPages:
    """Of one table, by one of its keys. Made when a statement is bound."""

    __slots__ = ("_bound", "_column", "_ends", "_extent", "_new", "_positions", "_range")

    def __init__(self, bound: BoundTable, key: Key, new: Callable[[], CachedTable]) -> None:
        """`new` makes what the store keeps single rows of the table in."""
        self._bound, self._positions, self._new = bound, key.positions, new
        self._ends = _ENDS.get(key.types[0].name, _WIDEST)
        self._column = bound.names[key.positions[0] + 1]
        name = quote(key.columns[0])
        names = ", ".join(map(quote, bound.names))
        self._extent = f"SELECT min({name}), max({name}), count({name}) FROM {bound.storage}"
        self._range = f"SELECT {names} FROM {bound.storage} WHERE {name} >= ? AND {name} <= ? LIMIT {MOST + 1}"

    def find(self, session: Session, number: int) -> Match | None:
        """(row id, image) of the row with this key. None: no page has it, and perhaps there is none."""
        store, bound = session.instance.store, self._bound
        cache = store.feed.rows
        paged = cache.paged(bound.storage, bound.table, self._positions, self._column)
        clock = store.feed.until
        found = paged.find(number)
        if found is None:
            if not (paged.wants(number, cache.pages.patience) and self._read(session, paged, number)):
                return None
            found = paged.find(number)
            if found is None:
                return None
        row, is_again = found
        match = row[0], tuple(bound.decode(row[1:]) if bound.encoded else row[1:])
        if is_again or paged.stale:  # a row of its own is changed by what commits say, one in a page only doubted
            cache.put(bound.storage, self._new, bound.table, self._positions, (number,), match, clock)
        return match

    def wants_whole_row(self, session: Session, number: int) -> bool:
        """Whether all columns of the row, which no page has, are worth reading: it will be asked for again soon."""
        bound = self._bound
        rows = session.instance.store.feed.rows
        return rows.paged(bound.storage, bound.table, self._positions, self._column).wants_whole_row(number)

    def _read(self, session: Session, paged: PagedTable, number: int) -> bool:
        """Its page, from what is committed. False: there is none to look in."""
        store, look_up = session.instance.store, session.store.look_up
        session.check_cancelled()
        if not paged.is_laid_out:
            extent = look_up(self._extent, ())
            if not extent:
                return False
            paged.lay_out(*extent[0])
            if not paged.is_laid_out:
                return False
        clock = store.clock
        first, last = paged.bounds(number)
        lowest, highest = self._ends
        rows = look_up(self._range, (max(first, lowest), min(last, highest)), MOST + 1)
        if rows is None:
            return False
        if len(rows) > MOST:
            paged.start_anew()
            return False
        store.feed.rows.put_page(self._bound.storage, self._positions, paged, rows, number, clock)
        return True
