"""KeyedRows: the row of a user table that has a value of a unique key, found without a query where that is possible.

What others have committed comes from the store's row cache, from its pages (`keyed_pages`), or by one query of that
row, which fills the cache. What the session's own transaction has made of it comes from the redo list.

Decides when neither can tell, and the caller has to ask DuckDB as for any query: SNAPSHOT and the levels that lock,
definitions and sets in the transaction. READ COMMITTED asks for no more than that: the row as it was committed last, at
some moment after the statement began. It must not know statements, conditions or locks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sbql.catalog.duck_types import quote
from sbql.catalog.row_cache import CachedTable
from sbql.catalog.stored_text import to_stored
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable, Key
from sbql.engine.tables.column_conversion import key_sql
from sbql.engine.tables.keyed_pages import KeyedPages, may_have_pages
from sbql.engine.tables.keyed_places import KeyedPlaces, may_have_places
from sbql.engine.tables.own_images import own_images
from sbql.engine.tables.own_keys import own_keys
from sbql.grammar.types import SqlType
from sbql.grammar.values.utf16 import padded

__all__ = ["KeyedRows", "key_conversion"]

Match = tuple[int, Any]

_WHOLE_NUMBERS: Final = frozenset({"tinyint", "smallint", "int", "bigint"})
_TEXT: Final = frozenset({"char", "varchar"})
_NATIONAL: Final = frozenset({"nchar", "nvarchar"})
_TEXTS: Final = _TEXT | _NATIONAL
_EXACT: Final = frozenset({"uniqueidentifier", "date", "datetime", "smalldatetime"})


def key_conversion(column: SqlType, value: SqlType) -> bool:
    """Whether a value of this type, compared with such a column, is equal to what the
    column's own rule of keys makes equal."""
    if column.name in _WHOLE_NUMBERS or column.name == "bit":
        return value.name in _WHOLE_NUMBERS or value.name == "bit"
    if column.name in _TEXT:
        return value.name in _TEXT and value.collation in (None, column.collation)
    if column.name in _NATIONAL:
        return value.name in _TEXT | _NATIONAL and value.collation in (None, column.collation)
    return column.name in _EXACT and value == column


def _spelt(text: str, kind: SqlType) -> str:
    """A text as a column of this type has it."""
    return to_stored(padded(text, kind.length or 0) if kind.name in ("char", "nchar") else text)


class _Part:
    """Some columns of a row by a key of one whole number, which are not kept: each column costs DuckDB an eighth of
    the query. So are rows of a table read that is too large for the budget, when they are asked for by a query of
    these columns for the first time."""

    __slots__ = ("_blank", "_bound", "_key", "_places", "_sql", "_sql_with_id")

    def __init__(self, bound: BoundTable, key: Key, needed: frozenset[int]) -> None:
        self._bound, self._key = bound, key.positions[0]
        self._places = sorted(needed - {self._key}) or [self._key]
        self._blank: list[Any] = [None] * bound.width
        names = ", ".join(quote(bound.names[place + 1]) for place in self._places)
        found = f"FROM {bound.storage} WHERE {quote(key.columns[0])} = ?"
        self._sql, self._sql_with_id = f"SELECT {names} {found}", f"SELECT {names}, {quote(bound.names[0])} {found}"

    def find(self, session: Session, number: int, *, with_id: bool) -> list[Match] | None:
        """As `KeyedRows.find`; the row id is 0 if nobody asks for it."""
        session.check_cancelled()
        rows = session.store.look_up(self._sql_with_id if with_id else self._sql, (number,))
        if not rows or len(rows) > 1:
            return [] if rows == [] else None
        image = self._blank.copy()
        image[self._key] = number
        for place, value in zip(self._places, rows[0], strict=False):
            image[place] = value
        return [(rows[0][-1] if with_id else 0, tuple(self._bound.decode(image) if self._bound.encoded else image))]


class KeyedRows:
    """Of one table, by one of its keys. Made when a statement is bound."""

    __slots__ = (
        "_as_given", "_decoders", "_may_be_text", "_order", "_pages", "_part", "_places", "_sql", "bound", "key",
    )  # fmt: skip

    def __init__(self, bound: BoundTable, key: Key, needed: frozenset[int] | None = None) -> None:
        """`needed`: the positions of columns that whoever asks looks at, if not all.
        The others may be None in an image."""
        self.bound, self.key = bound, key
        self._may_be_text = any(kind.name not in _WHOLE_NUMBERS for kind in key.types)
        self._decoders: dict[int, Callable[[Any], Any]] = {place: decode for place, _, decode in bound.encoded}
        # A whole number is known already, and each column that is read costs DuckDB a fortieth of the query.
        known = () if self._may_be_text else key.positions
        read = [place for place in range(len(bound.names) - 1) if place not in known]
        origin = [*known, *read]
        self._order = [origin.index(place) for place in range(len(origin))] if origin != sorted(origin) else None
        names = ", ".join(quote(name) for name in (bound.names[0], *(bound.names[place + 1] for place in read)))
        keys = [key_sql(quote(name), kind) for name, kind in zip(key.columns, key.types, strict=True)]
        plain = [
            quote(name) if kind.name in _TEXTS else text
            for name, kind, text in zip(key.columns, key.types, keys, strict=True)
        ]
        select = f"SELECT {names} FROM {bound.storage} WHERE "
        self._places = KeyedPlaces(bound, key, select) if may_have_places(bound, key) else None
        self._sql = select + " AND ".join(f"{k} = ?" for k in keys)
        self._pages = KeyedPages(bound, key, self._new) if may_have_pages(bound, key) else None
        self._as_given = select + " AND ".join(f"{k} = ?" for k in plain) if plain != keys else ""
        is_part = needed is not None and self._pages is not None and len(needed | {*key.positions}) < bound.width
        self._part = _Part(bound, key, needed or frozenset()) if is_part else None

    def find(self, session: Session, value: tuple[Any, ...], given: Sequence[Any]) -> list[Match] | None:
        """(row id, image) of the row whose key is this normalised value, which was `given`
        so, or nothing. None: ask DuckDB."""
        if session.options.isolation_level != "READ COMMITTED" or not session.instance.store.feed.rows.is_on:
            return None
        transaction = session.transaction
        if transaction is None or not transaction.has_unit:
            if transaction is not None and transaction.is_snapshot:
                return None
            return self._committed(session, value, given)
        unit = transaction.unit
        if transaction.is_snapshot or transaction.snapshot is not None:
            return None
        if not unit.has_written:
            return self._committed(session, value, given)
        own, images = own_keys(transaction, self.bound, self.key.positions), own_images(transaction, self.bound)
        if own is None or images is None:
            return None
        row_id = own.added.get(value)
        if row_id is not None:
            new = images.inserted.get(row_id)
            return None if new is None else [(row_id, new)]
        found = self._committed(session, value, given, has_own=True)
        if not found:
            return found
        row_id, image = found[0]
        return [] if row_id in own.removed else [(row_id, images.over(row_id, image))]

    def _committed(
        self,
        session: Session,
        value: tuple[Any, ...],
        given: Sequence[Any],
        *,
        has_own: bool = False,
    ) -> list[Match] | None:
        """The same of what was committed last. `has_own`: what the transaction has made of the row comes over it."""
        store, bound = session.instance.store, self.bound
        cache, positions = store.feed.rows, self.key.positions
        found = cache.find(bound.storage, bound.table, positions, value)
        if found is not None:
            return [found]
        if self._pages is not None:
            found = self._pages.find(session, value[0])
            if found is not None:
                return [found]
        if self._is_absent(session, value):
            return []
        if self._part is not None and self._pages is not None and not self._pages.wants_whole_row(session, value[0]):
            return self._part.find(session, value[0], with_id=has_own)
        clock = store.clock
        session.check_cancelled()
        rows = self._placed(session, value) or self._looked_up(session, value, given)
        if rows and self._may_be_text:
            rows = self._equal(rows, value)
        if not rows or len(rows) > 1:
            return [] if rows == [] else None
        row_id, *image = rows[0]
        if not self._may_be_text:
            image = [*value, *image]
            if self._order is not None:
                image = [image[place] for place in self._order]
        match = row_id, tuple(bound.decode(image) if bound.encoded else image)
        cache.put(bound.storage, self._new, bound.table, positions, value, match, clock)
        return [match]

    def _is_absent(self, session: Session, value: tuple[Any, ...]) -> bool:
        """Whether those who write the table, and note each value before they do, know that no row has this key."""
        state = session.instance.tables.peek(self.bound.table.id)
        memory = None if state is None else state.keys.get(self.key.id)
        if memory is None or memory.record is not self.key.record or memory.types != self.key.types:
            return False
        return not memory.may_hold(value)

    def _equal(self, rows: list[tuple[Any, ...]], value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Those of the rows that have this key."""
        return [row for row in rows if self.key.value(self.bound.decode(row[1:])) == value]

    def _placed(self, session: Session, value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """The row at the place where one with this key is known to have stood, if it has the key."""
        if self._places is None:
            return []
        return self._equal(self._places.rows(session, value[0]), value)

    def _looked_up(
        self, session: Session, value: tuple[Any, ...], given: Sequence[Any]
    ) -> list[tuple[Any, ...]] | None:
        """What DuckDB has. Text is looked for first as it was given, which takes a fifteenth of a look at the keys of
        all rows: what is so spelt is the one row that is equal."""
        look_up = session.store.look_up
        if not self._may_be_text:
            return look_up(self._sql, value)
        if self._as_given:
            parts = zip(given, value, self.key.types, strict=True)
            rows = look_up(
                self._as_given, [_spelt(text, kind) if kind.name in _TEXTS else part for text, part, kind in parts]
            )
            self._note_look(session)
            if rows:
                return rows
            self._note_look(session, with_keys=True)
        return look_up(self._sql, [to_stored(part) if isinstance(part, str) else part for part in value])

    def _note_look(self, session: Session, *, with_keys: bool = False) -> None:
        if self._places is not None:
            self._places.note_look(session, with_keys=with_keys)

    def _new(self) -> CachedTable:
        return CachedTable(self.bound.table, self.bound.names[1:], self._decoders)
