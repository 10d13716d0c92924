"""UPDATE and DELETE as a set: DuckDB finds the rows and computes their new values, and writes them.

The row way is taken

- for what `takes_sets` says
- for WHERE CURRENT OF, views with INSTEAD OF triggers, READPAST, SET of variables, WRITE, modify() and sequences
- where SET names columns of keys, or columns that other tables refer to
- for DELETE of rows that others refer to, and from a table that refers to itself
- where others work on the table
- where a check over the set has found a row that fails.

It must not know how rows are found row by row (`search`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.catalog.changes import ROW_ID, DeleteRows, UpdateRows
from sbql.catalog.duck_types import duck_type, quote
from sbql.catalog.found_rows import FoundIds, FoundImages, FoundTable
from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.locking import lock_table, try_lock_whole
from sbql.engine.modification.set_checks import are_rows_right, check_found_parents, have_no_children, is_empty
from sbql.engine.modification.set_columns import Assigned, Beside, assigned_sql
from sbql.engine.modification.set_completion import completed_rows, computed_columns, version_text
from sbql.engine.modification.set_insert import Deliver, is_one_value, takes_sets
from sbql.engine.modification.set_rows import SetPart, SetRows, of_joined
from sbql.engine.modification.sources import RowLimit, TargetRows
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.registered import running
from sbql.engine.query.running import find_query
from sbql.engine.query.translation import Beginning
from sbql.engine.scalars.scope import Frame
from sbql.engine.session_options import SessionOptions
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.pending_images import others_at_work
from sbql.engine.tables.typed_sql import TranslatedQuery, Typed, has_literals, literal
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError

__all__ = ["SetChange", "SetValue", "found_and_locked", "takes_set_update"]


class SetValue(Struct, frozen=True):
    """What SET gives the column at `position`: the value at place `extra` of those that the search
    computes, or the column's `default`."""

    position: int
    extra: int | None = None
    default: Callable[[Frame], Any] | None = None


class _Search(Struct, frozen=True):
    """The search as it is translated, the columns that SET names, by position, and the query that has them."""

    rows: TargetRows
    columns: dict[int, Assigned]
    found: TranslatedQuery


class _Written(Struct, frozen=True):
    """The table that the unit of work has now, a query of it that gives the new images, and their texts over what was
    found."""

    rows: FoundTable
    images: str = ""
    new: Sequence[str] = ()


class SetChange(Struct):
    """An UPDATE, or a DELETE (`values` None), that may be done as a set. `translate` makes the search that gives row
    ids, then `extras` values, then those of the columns at `kept`, which CHECK and OUTPUT read beside the new ones,
    then those of FROM that OUTPUT reads. `may_repeat`: a row may be found several times, of which the first counts."""

    bound: BoundTable
    expectation: Expectation
    translate: Callable[[Session, Beginning], TargetRows]
    may_repeat: bool
    limit: RowLimit
    values: Sequence[SetValue] | None = None
    extras: int = 0
    kept: Sequence[int] = ()
    search: _Search | None = None

    def perform(
        self, frame: Frame, txn: Transaction, deliver: Deliver | None
    ) -> Generator[Suspend, None, tuple[int, ResultSet | None] | None]:
        """The number of rows, and what `deliver` shows of them; None when the row way has to do it."""
        store, few = StoredRows(self.bound, txn), frame.session.instance.locks.sets_from
        most = self.limit.before(frame)
        if store.most_rows < few or (most is not None and most < few):
            return None
        find = partial(self._find, frame)
        found = yield from found_and_locked(frame, txn, self.bound, self.expectation, find)
        if found is None:
            return None
        written = None
        try:
            written = yield from self._write(frame, txn, found)
            if written is None:
                return None
            shown = (yield from deliver(self._rows(found, written))) if deliver is not None else None
            return found.count, shown
        finally:
            if written is None or written.rows is not found:
                found.drop()

    def _find(self, frame: Frame) -> FoundTable:
        if self.search is None:
            with running(frame):
                self.search = self._translated(frame.session)
        query = self.search.rows.query
        found = find_query(self.search.found, frame, query.own)
        if self.may_repeat and not query.is_single:
            found.keep_first()
        found.keep(self.limit.of(frame, found.count))
        return found

    def _translated(self, session: Session) -> _Search:
        rows = self.translate(session, partial(self._beginning, session.options))
        beside = Beside(len(rows.query.query.columns), session.options)
        columns = {
            value.position: beside.column(value.extra + 2, rows.types[value.extra], self.bound.types[value.position])
            for value in self.values or ()
            if value.extra is not None
        }
        return _Search(rows, columns, beside.of(rows.query.query))

    def _beginning(self, options: SessionOptions, source: str, values: Sequence[Typed]) -> str | None:
        """The statement as DuckDB's own, up to WHERE, where each column gets a value that was computed."""
        if self.values is None:
            return f"DELETE FROM {source}"
        items = []
        for value in self.values:
            given = values[value.extra] if value.extra is not None else None
            target = self.bound.types[value.position]
            column = assigned_sql(given, target, options) if given is not None else None
            if column is None:
                return None
            items.append(f"{quote(self.bound.names[value.position + 1])} = {column.sql}")
        return f"UPDATE {source} SET {', '.join(items)}"

    def _rows(self, found: FoundTable, written: _Written) -> SetRows:
        """For OUTPUT."""
        assert self.search is not None
        width, first = self.bound.width, self.extras + 2
        others = {width + position: f"c{place}" for place, position in enumerate(self.kept, first)}
        shown = len(self.search.rows.types) - self.extras - len(self.kept)
        others.update((2 * width + 1 + number, f"c{first + len(self.kept) + number}") for number in range(shown))
        if written.rows is not found:
            return SetRows(found, [of_joined(self.bound, found.name, written.images, others)])
        return SetRows(found, [SetPart(found.name, "rowid", {**dict(enumerate(written.new)), **others})])

    def _write(self, frame: Frame, txn: Transaction, found: FoundTable) -> Generator[Suspend, None, _Written | None]:
        """None: the row way has to do it."""
        bound = self.bound
        if self.values is None:
            if not (yield from have_no_children(frame, txn, bound, found)):
                return None
            ids = FoundIds(found, f"SELECT c1 FROM {found.name}", own=found.own)
            txn.unit.apply(DeleteRows(bound.storage, ids))
            return _Written(found)
        texts = self._texts(frame, found)
        if texts is None:
            return None
        whole = [f"CAST(NULL AS {duck_type(t)})" for t in bound.types]
        for place, position in enumerate(self.kept, self.extras + 2):
            whole[position] = f"c{place}"
        if bound.row_version is not None:
            found.own = None
            ((last,),) = found.query(f"SELECT max(rowid) FROM {found.name}")
            texts[bound.row_version] = version_text(StoredRows(bound, txn), last + 1, "rowid")
        for position, text in texts.items():
            whole[position] = text
        images = _select(range(bound.width), whole, bound, found)
        made = computed_columns(bound, texts)
        completed = completed_rows(frame, bound, found, images, (made,))
        if completed is None:
            return None
        rows, images = completed
        written = None
        try:
            changed = [*texts, *(position for position in made if position not in texts)]
            is_right = are_rows_right(frame, bound, rows, images, [p for p in bound.not_null if p in changed])
            if is_right and (yield from self._have_parents(frame, txn, rows, images, changed)):
                names = (ROW_ID, *(bound.names[position + 1] for position in changed))
                if made:
                    text = f"SELECT {', '.join(map(quote, names))} FROM ({images})"
                else:
                    text = _select(texts, list(texts.values()), bound, found)
                txn.unit.apply(UpdateRows(bound.storage, names, FoundImages(rows, text, own=rows.own)))
                written = _Written(rows, images, whole)
        finally:
            if written is None and rows is not found:
                rows.drop()
        return written

    def _have_parents(
        self, frame: Frame, txn: Transaction, rows: FoundTable, images: str, changed: Sequence[int]
    ) -> Generator[Suspend, None, bool]:
        """Whether the new values of foreign keys have parents. A value that has none may be an old one, of before the
        key was: the rows tell."""
        try:
            yield from check_found_parents(frame, txn, StoredRows(self.bound, txn), rows, images, changed)
        except SqlError as error:
            if error.number != 547:
                raise
            return False
        return True

    def _texts(self, frame: Frame, found: FoundTable) -> dict[int, str] | None:
        """The new values by position. None: one does not fit as it is."""
        assert self.search is not None and self.values is not None
        columns = self.search.columns
        texts: dict[int, str] = {}
        for value in self.values:
            sql_type = self.bound.types[value.position]
            if value.extra is not None:
                texts[value.position] = columns[value.position].sql
                continue
            given = value.default(frame) if value.default is not None else None
            if given is not None and not has_literals(sql_type):
                return None
            texts[value.position] = literal(given, sql_type)
        if not is_empty(found, found.name, [column.odd for column in columns.values()]):
            return None
        if found.own is not None and not is_empty(found, found.name, [column.unlike for column in columns.values()]):
            found.own = None
        return texts


def found_and_locked(
    frame: Frame, txn: Transaction, bound: BoundTable, expectation: Expectation, find: Callable[[], FoundTable]
) -> Generator[Suspend, None, FoundTable | None]:
    """What `find` finds, in a table that nobody else may write any more. None: the
    rows are few, or others are at work."""
    table_id, storage = bound.table.id, (bound.storage,)
    if bound.needs_locks:
        yield from lock_table(txn, table_id)
        if others_at_work(txn, table_id):
            return None
    shared = frame.session.instance.store
    while True:
        clock = shared.clock
        found = find()
        if expectation.note(frame, found.count):
            if not bound.needs_locks:
                return found
            if try_lock_whole(txn, table_id) and not shared.is_stale(clock, storage):
                return found
        found.drop()
        if not expectation.is_big or txn.owner.held.get(("table", table_id)) != "X":
            return None


def _select(positions: Any, texts: Sequence[str], bound: BoundTable, found: FoundTable) -> str:
    items = [f"c1 AS {quote(ROW_ID)}"]
    items += [f"{text} AS {quote(bound.names[p + 1])}" for p, text in zip(positions, texts, strict=True)]
    return f"SELECT {', '.join(items)} FROM {found.name}"


def takes_set_update(bound: BoundTable, session: Session, values: Sequence[SetValue]) -> bool:
    """Whether these columns can be changed as a set."""
    changed = {value.position for value in values}
    changed.update(computed_columns(bound, changed), [bound.row_version] if bound.row_version is not None else [])
    fixed = {p for key in bound.keys for p in key.positions}
    fixed.update(p for foreign in bound.referenced_by for p in foreign.parent_positions)
    return (
        takes_sets(bound, session)
        and not changed & fixed
        and all(value.default is None or is_one_value(bound, value.position) for value in values)
    )
