"""INSERT … SELECT and SELECT INTO as a set: what the query finds stays in DuckDB's memory, and DuckDB writes it.

The row way is taken where something needs the rows in Python:

- table variables, triggers, SNAPSHOT, SET ROWCOUNT, SET options that change meanings
- views WITH CHECK OPTION, CHECK by a function that reads tables, IGNORE_DUP_KEY, filtered unique indexes, computed
  columns that are not deterministic or call functions of users, foreign keys of a table to itself
- defaults that differ from row to row, but for NEWID() and NEXT VALUE FOR (functions).

It is also taken where others work on the table, so that it cannot be locked as a whole, and where a check over the set
has found a row that fails: then the error is that of the first such row. The query has run once even then.

It must not know how a table variable is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec import Struct

from sbql.catalog.changes import ROW_ID, InsertRows
from sbql.catalog.duck_types import duck_type, from_store, quote
from sbql.catalog.found_rows import FoundImages, FoundTable
from sbql.catalog.parallelism import AS_FOUND
from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.identity_values import Identities
from sbql.engine.modification.locking import lock_table, try_lock_whole
from sbql.engine.modification.set_checks import are_keys_free, are_rows_right, check_found_parents, is_empty
from sbql.engine.modification.set_columns import Assigned, Beside
from sbql.engine.modification.set_completion import (
    Made,
    completed_rows,
    computed_columns,
    default_of_each_row,
    is_completed,
    version_text,
)
from sbql.engine.modification.set_rows import SetRows, of_inserted
from sbql.engine.modification.set_sequences import default_sequence, take_values
from sbql.engine.modification.sources import QueryRows, RowLimit
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.context import is_one_for_all
from sbql.engine.query.running import find_query, taken_values
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.identity_types import identity_range
from sbql.engine.tables.row_expressions import parse_expression
from sbql.engine.tables.typed_sql import TranslatedQuery, cast_text, has_literals, literal
from sbql.engine.work import Suspend
from sbql.grammar.ast import ObjectName
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind

__all__ = [
    "Deliver",
    "Left",
    "SetInsert",
    "append_found",
    "identity_text",
    "is_one_value",
    "new_rows_text",
    "note_given",
    "set_insert",
    "takes_sets",
]

_MOST = 1 << 62


class Left(Struct, frozen=True):
    """What is left to the row way: the rows that the query found, and identity values that were taken for them."""

    rows: list[tuple[Any, ...]]
    identities: Identities | None = None


Deliver = Callable[[SetRows], Generator[Suspend, None, ResultSet | None]]
"""Gives the rows of a set to OUTPUT, when they are written."""


class _Written(Struct, frozen=True):
    """The rows as a query over a table that the unit of work has now, and the last identity value."""

    found: FoundTable
    images: str
    last: int | None


class SetInsert(Struct):
    """An INSERT … SELECT that may be done as a set. `found` is the query with what its `columns` need, as the target's
    `positions` hold them; `defaults` are the other ones that are not NULL."""

    bound: BoundTable
    positions: tuple[int, ...]
    columns: tuple[Assigned, ...]
    defaults: tuple[tuple[int, Callable[[Frame], Any]], ...]
    query: QueryRows
    found: TranslatedQuery
    steps: tuple[Made, ...]
    sequences: dict[int, ObjectName]
    expectation: Expectation

    def perform(
        self,
        frame: Frame,
        txn: Transaction,
        check_identity: Callable[[], None],
        limit: RowLimit | None = None,
        deliver: Deliver | None = None,
    ) -> Generator[Suspend, None, tuple[int, ResultSet | None] | Left]:
        """The number of rows inserted, and what `deliver` shows of them; or what the row way has to do."""
        found = find_query(self.found, frame)
        written, identities, taken = None, None, None
        try:
            if limit is not None:
                found.keep(limit.of(frame, found.count))
            if self.expectation.note(frame, found.count):
                check_identity()
                store = StoredRows(self.bound, txn)
                taken = take_values(frame.session, self.sequences, found.count)
                new = self._new_rows(frame, store, found, taken.values) if taken is not None else None
                if new is not None:
                    images, identities = new
                    written = yield from self._complete(frame, txn, store, found, images, identities)
            if written is not None:
                shown = None
                if deliver is not None:
                    rows = SetRows(written.found, [of_inserted(self.bound, written.images)])
                    shown = yield from deliver(rows)
                if written.last is not None:
                    frame.scope_identity = written.last
                return found.count, shown
            if taken is not None:
                taken.give_back(frame.session)  # the row way takes them; a statement that fails has used them
            return Left(taken_values(self.query.query, found), identities)
        finally:
            if written is None or any(self.steps):
                found.drop()

    def _new_rows(
        self, frame: Frame, store: StoredRows, found: FoundTable, taken: dict[int, range]
    ) -> tuple[str, Identities | None] | None:
        """The new rows as a query over what was found. None: a value does not fit as it is."""
        bound = self.bound
        if not is_empty(found, found.name, [column.odd for column in self.columns]):
            return None
        texts = [f"CAST(NULL AS {duck_type(t)})" for t in bound.types]
        for position, column in zip(self.positions, self.columns, strict=True):
            texts[position] = column.sql
        for position, default in self.defaults:
            value = default(frame)
            if value is not None and not has_literals(bound.types[position]):
                return None
            texts[position] = literal(value, bound.types[position])
        for position, values in taken.items():
            number = identity_text(values, bound.types[position], "rowid")
            if number is None:
                return None
            texts[position] = number
        identities = None
        if bound.identity is not None and bound.identity not in self.positions:
            identities = store.take_identities(found.count)
            text = identity_text(identities[0], bound.types[bound.identity], "rowid")
            if text is None:
                return None
            texts[bound.identity] = text
        if bound.row_version is not None:
            texts[bound.row_version] = version_text(store, found.count, "rowid")
        return new_rows_text(store, found, texts), identities

    def _complete(
        self,
        frame: Frame,
        txn: Transaction,
        store: StoredRows,
        found: FoundTable,
        images: str,
        identities: Identities | None,
    ) -> Generator[Suspend, None, _Written | None]:
        """None: the row way has to do it."""
        whole = completed_rows(frame, self.bound, found, images, self.steps)
        if whole is None:
            return None
        written = None
        try:
            written = yield from self._write(frame, txn, store, *whole, identities)
        finally:
            if written is None and whole[0] is not found:
                whole[0].drop()
        return written

    def _write(
        self,
        frame: Frame,
        txn: Transaction,
        store: StoredRows,
        found: FoundTable,
        images: str,
        identities: Identities | None,
    ) -> Generator[Suspend, None, _Written | None]:
        """None: the row way has to do it."""
        bound = self.bound
        if not are_rows_right(frame, bound, found, images):
            return None
        if bound.needs_locks:
            yield from lock_table(txn, bound.table.id)
            if not try_lock_whole(txn, bound.table.id):
                return None
        if not are_keys_free(store, found, images, is_fresh=identities is not None and identities[1]):
            return None
        last = identities[0][-1] if identities is not None else note_given(store, found, images)
        if last is not None:
            frame.identities = last, frame.scope_identity
        yield from check_found_parents(frame, txn, store, found, images)
        append_found(txn, store, found, images)
        return _Written(found, images, last)


def set_insert(
    bound: BoundTable,
    positions: tuple[int, ...],
    defaults: tuple[tuple[int, Callable[[Frame], Any]], ...],
    query: QueryRows,
    session: Session,
    expectation: Expectation,
) -> SetInsert | None:
    """The way of a set for an INSERT whose statement has nothing against it; None when its table or its values have."""
    if not takes_sets(bound, session):
        return None
    beside = Beside(len(query.types), session.options)
    columns = [
        beside.column(place, source, bound.types[position])
        for place, (source, position) in enumerate(zip(query.types, positions, strict=True), 1)
    ]
    fresh = {position: default_of_each_row(bound, position) for position, _ in defaults}
    given = {position: tree for position, tree in fresh.items() if tree is not None}
    drawn = {position: default_sequence(bound, position) for position, _ in defaults}
    sequences = {position: name for position, name in drawn.items() if name is not None}
    if any(kind(bound.types[position]) not in ("int", "decimal") for position in sequences):
        return None
    shared = tuple(default for default in defaults if default[0] not in given and default[0] not in sequences)
    if not all(is_one_value(bound, position) for position, _ in shared):
        return None
    steps = (given, computed_columns(bound))
    return SetInsert(
        bound, positions, tuple(columns), shared, query, beside.of(query.query), steps, sequences, expectation
    )


def takes_sets(bound: BoundTable, session: Session) -> bool:
    """Whether new rows of a table can be made and checked as a set."""
    return (
        not session.options.deviations
        and not bound.triggers
        and bound.view_check is None
        and not bound.late_checks
        and is_completed(bound)
        and not bound.ignores_duplicates
        and all(key.filter is None for key in bound.keys)
        and all(foreign.parent.id != bound.table.id for foreign in bound.foreign_keys)
    )


def is_one_value(bound: BoundTable, position: int) -> bool:
    """Whether a default is the same for all rows of a statement."""
    text = bound.table.columns[position].default
    if text is None:
        return True
    return is_one_for_all(parse_expression(text))


def identity_text(values: range, sql_type: SqlType, number: str) -> str | None:
    """The identity value of the row of that number. None: they do not fit their column, or DuckDB's arithmetic."""
    low, high = identity_range(sql_type)
    low, high = max(low, -_MOST), min(high, _MOST)
    if not all(low <= value <= high for value in (values[0], values[-1])):
        return None
    return cast_text(f"{values[0]} + {number} * {values.step}", sql_type)


def new_rows_text(store: StoredRows, found: FoundTable, texts: list[str]) -> str:
    """The new rows: `texts` are their columns, over those of what was found."""
    first = store.states.take_row_ids(store.state, found.count)
    names = store.bound.names
    items = [f"CAST({first} + rowid AS BIGINT) AS {quote(ROW_ID)}"]
    items += [f"{text} AS {quote(name)}" for text, name in zip(texts, names[1:], strict=True)]
    return f"SELECT {', '.join(items)} FROM {found.name}"


def note_given(store: StoredRows, found: FoundTable, images: str) -> int | None:
    """Identity values that the rows bring along: the counter goes on from them. Returns the last one."""
    bound = store.bound
    if bound.identity is None:
        return None
    name, sql_type = quote(bound.table.columns[bound.identity].name), bound.types[bound.identity]
    ((low, high, last),) = found.query(f"SELECT min({name}), max({name}), last({name}){AS_FOUND} FROM ({images})")
    for value in (low, high):
        if value is not None:
            store.note_identity(int(from_store(value, sql_type)))
    return None if last is None else int(last)


def append_found(txn: Transaction, store: StoredRows, found: FoundTable, images: str) -> None:
    """The rows become those of the table, when DuckDB is next asked; the unit of work drops what was found."""
    txn.unit.apply(InsertRows(store.bound.storage, store.bound.names, FoundImages(found, images)))
