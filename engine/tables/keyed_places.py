"""KeyedPlaces: the rows that may have a text as their key, found by their places in the table, which the store
remembers (`catalog/key_places.py`).

Decides which keys are remembered so, those of one text column, and the texts of the queries. Whoever asks compares the
key of what comes. It must not know transactions.
"""

from __future__ import annotations

from array import array
from typing import Any, Final

from sbql.catalog.duck_types import quote
from sbql.catalog.key_places import HASH, MOST, KeyPlaces
from sbql.catalog.stored_text import to_stored
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable, Key
from sbql.engine.tables.column_conversion import key_sql

__all__ = ["KeyedPlaces", "may_have_places"]

_TEXTS: Final = frozenset({"char", "varchar", "nchar", "nvarchar"})
_ROW = "rowid"
"""DuckDB's number of a row. A column of this name stands before it."""
_TOGETHER: Final = 1 << 16
"""Rows that are read together: they need not be of one moment."""


def may_have_places(bound: BoundTable, key: Key) -> bool:
    names = {name.lower() for name in bound.names}
    return len(key.positions) == 1 and key.types[0].name in _TEXTS and _ROW not in names


class KeyedPlaces:
    """Of one table by one of its keys. Made when a statement is bound; `select` reads the rows of the table."""

    __slots__ = ("_all", "_count", "_one", "_positions", "_shape", "_storage")

    def __init__(self, bound: BoundTable, key: Key, select: str) -> None:
        self._storage, self._shape, self._positions = bound.storage, bound.table, key.positions
        text = key_sql(quote(key.columns[0]), key.types[0])
        self._one = f"{select}{_ROW} = ?"
        self._count = f"SELECT count(*), max({_ROW}) FROM {bound.storage}"
        self._all = f"SELECT {HASH}({text}) AS h, {_ROW} AS p FROM {bound.storage} WHERE {text} IS NOT NULL AND {_ROW} BETWEEN ? AND ?"

    def _known(self, session: Session) -> KeyPlaces:
        found: KeyPlaces = session.instance.store.feed.rows.places(self._storage, self._shape, self._positions)
        return found

    def note_look(self, session: Session, *, with_keys: bool) -> None:
        """All rows were looked at for want of a place: at their texts, or at the keys of these."""
        self._known(session).note_look(with_keys=with_keys)

    def rows(self, session: Session, text: str) -> list[tuple[Any, ...]]:
        """Rows with this key, or with others."""
        places = self._known(session)
        if places.wants(session.instance.store.feed.rows.patience_for_places):
            self._read(session, places)
        found: list[tuple[Any, ...]] = []
        for place in places.find(to_stored(text)):
            found += session.store.look_up(self._one, (place,)) or ()
        return found

    def _read(self, session: Session, places: KeyPlaces) -> None:
        count = session.store.look_up(self._count, ())
        if not count or count[0][0] > MOST:
            places.is_refused = True
            return
        if count[0][0] < session.instance.store.feed.rows.fewest_for_places:
            places.wait()
            return
        session.check_cancelled()
        hashes, rows = array("Q"), array("q")
        for first in range(0, count[0][1] + 1, _TOGETHER):
            part = session.store.look_up(self._all, (first, first + _TOGETHER - 1), _TOGETHER)
            if part is None:
                places.is_refused = True
                return
            hashes.extend([row[0] for row in part])
            rows.extend([row[1] for row in part])
        session.instance.store.feed.rows.put_places(places, hashes, rows)
