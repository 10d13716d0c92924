"""GroupedRows: the rows of a user table that have given values in columns which are no key, or all rows of a small one,
found without a query where that is possible; of many rows the first ones in an order, or some.

What others have committed comes from the groups that the store keeps (`catalog/row_groups.py`), or by one query, which
fills them. What the session's own transaction has made of it comes from the redo list, as in `keyed_rows`, whose rules
hold here: READ COMMITTED asks for no more than rows of one moment after the statement began. While a commit of the
table is on its way, DuckDB, which somebody may have asked already, knows more; only who passes by what others have
locked needs none of that.

Decides the text of the query, how many rows are worth it, after how many looks, and when DuckDB has to be asked. It
must not know statements, conditions or locks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.catalog.duck_types import quote
from sbql.catalog.row_groups import MOST, Group, GroupedTable, GroupKind
from sbql.catalog.stored_text import to_stored
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import key_normaliser, key_sql
from sbql.engine.tables.keyed_pages import may_be_large
from sbql.engine.tables.own_images import OwnImages, own_images

__all__ = ["GroupedRows"]

Match = tuple[int, Any]

_FEW: Final = 16
"""Rows of a group where values may be large."""
_SMALLER: Final = 4
"""Groups that are too large to be kept have so many times fewer rows from then on, and in the end none."""
_OWN: Final = 512
"""Rows that the transaction has written, through which each look goes: DuckDB knows more of them sooner."""
_IN_VAIN: Final = 200
"""Looks for all rows of a group that has not all before it is read anew: there may be fewer now."""
_PATIENCE = 2
"""Looks by a statement that are left to DuckDB: what runs once needs nothing kept."""
_FAILURES: Final = 4
"""Looks for the first rows in vain, one after the other, for there were too few that fulfil what else is asked. From
then on one in `_WAIT` is tried."""
_TEXTS: Final = frozenset({"char", "varchar", "nchar", "nvarchar"})
_CREDIT: Final = 16
_WAIT: Final = 32
"""By a text, reading a group takes longer than the query. So many groups are read that are not asked for again; then
one in so many."""


class GroupedRows:
    """Of one table, by the values of the columns at `positions`, in the order of those at `order`: numbers, dates and
    times. Made when a statement is bound."""

    __slots__ = (
        "_credit", "_decoders", "_failures", "_is_bit", "_is_dear", "_keys", "_kind", "_looks", "_most", "_normalisers", "_sql",
        "_waited", "bound",
    )  # fmt: skip

    def __init__(
        self, bound: BoundTable, positions: tuple[int, ...], order: tuple[int, ...] = (), *, is_descending: bool = False
    ) -> None:
        self.bound = bound
        self._decoders = {place: decode for place, _, decode in bound.encoded}
        self._normalisers = [key_normaliser(bound.types[place]) for place in positions]
        self._is_bit = [bound.types[place].name == "bit" for place in positions]
        self._is_dear = any(bound.types[place].name in _TEXTS for place in positions)
        self._credit, self._failures, self._looks, self._waited = _CREDIT, 0, 0, 0
        self._most = _FEW if may_be_large(bound) else MOST
        self._kind = GroupKind(
            (positions, order, is_descending), positions, order, is_descending, self._value, self._place
        )
        tests = [f"{key_sql(quote(bound.names[place + 1]), bound.types[place])} = ?" for place in positions]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        way = "DESC NULLS LAST" if is_descending else "ASC NULLS FIRST"
        by = ", ".join(f"{key_sql(quote(bound.names[place + 1]), bound.types[place])} {way}" for place in order)
        ordered = f" ORDER BY {by}, {quote(bound.names[0])} {way}" if order else ""
        self._keys = [(place, key_normaliser(bound.types[place])) for place in order]
        self._sql = f"SELECT {', '.join(map(quote, bound.names))} FROM {bound.storage}{where}{ordered} LIMIT ?"  # fmt: skip

    def _value(self, image: Sequence[Any]) -> tuple[Any, ...]:
        """What the columns of a row are together, as they are compared."""
        pairs = zip(self._kind.positions, self._normalisers, strict=True)
        return tuple([image[p] if n is None or image[p] is None else n(image[p]) for p, n in pairs])

    def _place(self, row_id: int, image: Sequence[Any]) -> Any:
        """NULL comes first."""
        return *[_key(image[place], normalise) for place, normalise in self._keys], row_id

    def all(self, session: Session, given: Sequence[Any], *, passes: bool = False) -> list[Match] | None:
        """(row id, image) of all rows with these values. `passes`: but for those that others had locked before, which
        do not matter. None: ask DuckDB."""
        found = self.first(session, given, None, passes=passes)
        return found[0] if found is not None and found[1] else None

    def first(
        self, session: Session, given: Sequence[Any], count: int | None, *, passes: bool = False
    ) -> tuple[list[Match], bool] | None:
        """The same of so many, if there are, or more of them, in their order, and whether these are all; of all that
        there are if it is None. None: ask DuckDB."""
        if self._looks < _PATIENCE or not self._most:
            self._looks += 1
            return None
        if session.options.isolation_level != "READ COMMITTED" or not session.instance.store.feed.rows.is_on:
            return None
        if None in given or any(b and v not in (0, 1) for b, v in zip(self._is_bit, given, strict=True)):
            return [], True
        value = tuple([v if n is None else n(v) for v, n in zip(given, self._normalisers, strict=True)])
        transaction, own = session.transaction, None
        if transaction is not None and (transaction.is_snapshot or transaction.snapshot is not None):
            return None
        if transaction is not None and transaction.has_unit and transaction.unit.has_written:
            own = own_images(transaction, self.bound)
            if own is None or len(own.changed) + len(own.inserted) + len(own.removed) > _OWN:
                return None
        if not passes and session.instance.store.feed.rows.begun((self.bound.storage,)) is None:
            return None
        group = self._kept(session, value, wants_all=count is None)
        if group is None:
            return None
        if count is not None and self._failures >= _FAILURES and not (group.state[1] or self._has_waited()):
            return None
        found = self._seen(group, value, own)
        if found is None or found[1] or count is None or len(found[0]) >= count:
            return found
        if count > self._most or (group := self._read(session, value, own)) is None:
            return None
        return self._seen(group, value, own)

    def _kept(self, session: Session, value: tuple[Any, ...], *, wants_all: bool) -> Group | None:
        """What is known of it, which may have to be read first; None where that fails."""
        bound = self.bound
        group = session.instance.store.feed.rows.group(bound.storage, bound.table, self._kind.key, value)
        if group is None or group.in_vain >= _IN_VAIN:
            return self._read(session, value, None) if self._is_worth_it() else None
        if self._credit < _CREDIT:
            self._credit += 1
        if wants_all and not group.state[1]:
            group.in_vain += 1
        return group

    def _is_worth_it(self) -> bool:
        """Whether to read a group now."""
        if self._is_dear and self._credit <= 0:
            return self._has_waited()
        self._credit -= 1
        return True

    def _has_waited(self) -> bool:
        self._waited = (self._waited + 1) % _WAIT
        return self._waited == 0

    def note(self, *, enough: bool) -> None:
        """Whether the first rows, not all, were enough for who asked."""
        self._failures = 0 if enough else self._failures + 1

    def _read(self, session: Session, value: tuple[Any, ...], own: OwnImages | None) -> Group | None:
        """From what is committed, with more rows for those that the transaction has written."""
        store, bound, kind = session.instance.store, self.bound, self._kind
        cache = store.feed.rows
        session.check_cancelled()
        most = self._most + (0 if own is None else len(own.changed) + len(own.removed))
        begun = cache.begun((bound.storage,))
        if begun is None:
            return None
        wanted = [
            to_stored(v) if isinstance(v, str) else bool(v) if is_bit else v
            for v, is_bit in zip(value, self._is_bit, strict=True)
        ]
        rows = session.store.look_up(self._sql, [*wanted, most + 1], most + 1)
        if rows is None:
            return None
        is_whole = len(rows) <= most
        if not kind.order:
            rows.sort(key=_row_id)
        decode = bound.decode if bound.encoded else None
        images: dict[int, Sequence[Any]] = {
            row[0]: tuple(row[1:] if decode is None else decode(row[1:])) for row in rows[:most]
        }
        if not cache.put_group(bound.storage, self._new, bound.table, kind, value, images, begun, is_whole=is_whole):
            self._most //= _SMALLER
        return cache.group(bound.storage, bound.table, kind.key, value) or Group(images, None, is_whole=is_whole)

    def _seen(self, group: Group, value: tuple[Any, ...], own: OwnImages | None) -> tuple[list[Match], bool] | None:
        """The rows as the transaction sees them, and whether these are all. None: ask DuckDB."""
        if own is not None and (own.changed or own.inserted or own.removed):
            return self._with_own(group, value, own)
        rows, is_whole = group.state
        return [*rows.items()], is_whole

    def _with_own(self, group: Group, value: tuple[Any, ...], own: OwnImages) -> tuple[list[Match], bool] | None:
        """The rows as the transaction has left them."""
        known, is_whole = group.state
        kind = self._kind
        for row_id, changes in own.changed.items():
            if row_id not in known and self._may_have_come(changes, value, is_whole=is_whole):
                return None
        changed, removed = own.changed, own.removed
        rows = [row for row in known.items() if row[0] not in changed and row[0] not in removed]
        mine = [(row_id, own.over(row_id, known[row_id])) for row_id in changed if row_id in known]
        mine = [row for row in (*mine, *own.inserted.items()) if self._value(row[1]) == value]
        if mine and kind.order and not is_whole:
            mine = [row for row in mine if self._is_known(group, kind.place(*row))]
        if mine:
            rows += mine
            rows.sort(key=lambda row: kind.place(*row), reverse=kind.is_descending)
        return rows, is_whole

    def _may_have_come(self, changes: dict[int, Any], value: tuple[Any, ...], *, is_whole: bool) -> bool:
        """Whether a row that the group has not may be one of it since the transaction has changed these columns."""
        kind = self._kind
        if any(place in changes for place in kind.positions):
            parts = zip(kind.positions, self._normalisers, value, strict=True)
            return all(p not in changes or self._equals(changes[p], n, wanted) for p, n, wanted in parts)
        return not is_whole and any(place in changes for place in kind.order)

    @staticmethod
    def _equals(value: Any, normalise: Any, wanted: Any) -> bool:
        return bool((value if normalise is None or value is None else normalise(value)) == wanted)

    def _is_known(self, group: Group, place: Any) -> bool:
        """Whether all rows that come before it are known."""
        if group.last is None:
            return False
        return bool(place >= group.last if self._kind.is_descending else place <= group.last)

    def _new(self) -> GroupedTable:
        return GroupedTable(self.bound.table, self.bound.names, self._decoders)


def _key(value: Any, normalise: Any) -> tuple[bool, Any]:
    return value is not None, value if value is None or normalise is None else normalise(value)


def _row_id(row: tuple[Any, ...]) -> Any:
    return row[0]
