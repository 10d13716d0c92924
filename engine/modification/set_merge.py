"""MERGE as a set: DuckDB joins, and says for each row of the join which clause it is for;
it then deletes, updates and inserts.

The row way is taken

- for what `takes_sets` says
- for TOP, READPAST, SET of variables, WRITE and modify()
- where an UPDATE clause names columns of keys or foreign keys
- where a DELETE clause meets a table that others refer to
- where others work on the table
- where a check over the set has found a row that fails.

A target row that would be changed twice is error 8672 in either way: no row is read in Python to find it. It must not
know how the rows of a join are found row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.changes import ROW_ID, DeleteRows, InsertRows, UpdateRows
from sbql.catalog.duck_types import duck_type, quote
from sbql.catalog.found_rows import FoundIds, FoundImages, FoundTable, found_of
from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.identity_values import Identities
from sbql.engine.modification.set_changes import SetValue, found_and_locked, takes_set_update
from sbql.engine.modification.set_checks import are_keys_free, are_rows_right, check_found_parents, is_empty
from sbql.engine.modification.set_columns import Assigned, Beside
from sbql.engine.modification.set_completion import Made, completed_rows, computed_columns, version_text
from sbql.engine.modification.set_insert import Deliver, Left, identity_text, is_one_value, note_given, takes_sets
from sbql.engine.modification.set_rows import SetPart, SetRows, of_joined
from sbql.engine.modification.sources import TargetRows
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.running import find_query
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.typed_sql import TranslatedQuery, has_literals, literal
from sbql.engine.work import Suspend
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error

__all__ = ["SetClause", "SetMerge", "set_merge"]

_INSERTED, _UPDATED, _DELETED = range(3)
"""In which order OUTPUT shows them."""


class SetClause(Struct, frozen=True):
    """One WHEN: `values` are the new ones of the columns that UPDATE or INSERT names or has defaults for, by their
    places among all that the query computes; `test` is the place of its condition."""

    when: str
    action: str
    test: int | None
    values: Sequence[SetValue] = ()


class SetMerge(Struct):
    """`rows` gives row ids, the target's columns, what else the clauses compute, and from `shown_from` on what OUTPUT
    reads of the source; `mark` is the place of what is NULL where the source has no row. `found` is their query with
    what `columns` need, which are by the place of their value and their position."""

    bound: BoundTable
    rows: TargetRows
    mark: int
    shown_from: int
    clauses: Sequence[SetClause]
    columns: dict[tuple[int, int], Assigned]
    found: TranslatedQuery
    expectation: Expectation
    span: Span | None

    def perform(
        self, frame: Frame, txn: Transaction, check_identity: Callable[[], None], deliver: Deliver | None
    ) -> Generator[Suspend, None, tuple[int, ResultSet | None] | Left]:
        """The number of rows, and what `deliver` shows of them; or what the row way has to know. Raises 8672."""
        found = yield from found_and_locked(
            frame, txn, self.bound, self.expectation, lambda: find_query(self.found, frame)
        )
        if found is None:
            return Left([])
        work = _Work(self, frame, txn, StoredRows(self.bound, txn), found)
        is_written = False
        try:
            is_written = yield from work.write(check_identity)
            if not is_written:
                return Left([], work.identities)
            shown = (yield from deliver(SetRows(found, work.parts))) if deliver is not None else None
            if work.last is not None:
                frame.scope_identity = work.last
            return work.count, shown
        finally:
            if not (is_written and work.is_found_kept):
                found.drop()
            if not is_written:
                for made in work.made:
                    made.drop()


class _Work:
    """One execution."""

    def __init__(self, plan: SetMerge, frame: Frame, txn: Transaction, store: StoredRows, found: FoundTable) -> None:
        self.plan = plan
        self.frame = frame
        self.txn = txn
        self.store = store
        self.bound = store.bound
        self.found = found
        self.count = 0
        self.identities: Identities | None = None
        self.last: int | None = None
        self.made: list[FoundTable] = []
        self.parts: list[SetPart] = []
        self.is_found_kept = False
        """A change that the unit of work has rests on what was found."""

    def write(self, check_identity: Callable[[], None]) -> Generator[Suspend, None, bool]:
        """False: the row way has to do it."""
        found, bound, clauses = self.found, self.bound, self.plan.clauses
        conditions = [_condition(clause, self.plan.mark) for clause in clauses]
        chosen = [
            " AND ".join([f"({condition})", *(f"NOT coalesce({earlier}, false)" for earlier in conditions[:number])])
            for number, condition in enumerate(conditions)
        ]
        some = " OR ".join(f"({choice})" for choice in chosen)
        if found.query(
            f"SELECT 1 FROM {found.name} WHERE c1 IS NOT NULL AND ({some}) GROUP BY c1 HAVING count(*) > 1 LIMIT 1"
        ):
            raise sql_error(8672, span=self.plan.span)
        changes: list[Any] = []
        for clause, choice in zip(clauses, chosen, strict=True):
            ((count,),) = found.query(f"SELECT count(*) FROM {found.name} WHERE {choice}")
            if not count:
                continue
            if clause.action == "DELETE":
                ids = FoundIds(found, f"SELECT c1 FROM {found.name} WHERE {choice}", count)
                changes.append(DeleteRows(bound.storage, ids))
                self.parts.append(SetPart(f"{found.name} WHERE {choice}", "rowid", self._others("DELETE"), _DELETED))
            elif clause.action == "UPDATE":
                texts = self._texts(clause, choice)
                if texts is None or not self._update(texts, choice, count, changes):
                    return False
            else:
                check_identity()
                if not (yield from self._insert(clause, choice, count, changes)):
                    return False
            self.count += count
        order: dict[type[Struct], int] = {DeleteRows: 0, UpdateRows: 1, InsertRows: 2}
        for change in sorted(changes, key=lambda change: order[type(change)]):
            self.txn.unit.apply(change)
        self.is_found_kept = any(found_of(change) is found for change in changes)
        return True

    def _others(self, action: str) -> dict[int, str]:
        """The values that OUTPUT may read beside the new ones, by their places."""
        width, plan = self.bound.width, self.plan
        shown = range(plan.shown_from, len(plan.rows.types))
        texts = {} if action == "INSERT" else {width + position: f"c{position + 2}" for position in range(width)}
        texts.update((2 * width + 1 + number, f"c{place + 2}") for number, place in enumerate(shown))
        return {**texts, 2 * width: f"'{action}'"}

    def _texts(self, clause: SetClause, choice: str) -> dict[int, str] | None:
        """The new values by position. None: one does not fit as it is."""
        texts: dict[int, str] = {}
        for value in clause.values:
            sql_type = self.bound.types[value.position]
            if value.extra is None:
                given = value.default(self.frame) if value.default is not None else None
                if given is not None and not has_literals(sql_type):
                    return None
                texts[value.position] = literal(given, sql_type)
                continue
            column = self.plan.columns[value.extra, value.position]
            if column.odd and not is_empty(self.found, self.found.name, [f"{choice} AND ({column.odd})"]):
                return None
            texts[value.position] = column.sql
        return texts

    def _update(self, texts: dict[int, str], choice: str, count: int, changes: list[Any]) -> bool:
        bound, found = self.bound, self.found
        whole = [texts.get(position, f"c{position + 2}") for position in range(bound.width)]
        rest = f" FROM {found.name} WHERE {choice}"
        if bound.row_version is not None:
            whole[bound.row_version] = version_text(self.store, count, "n")
            rest = f" FROM (SELECT *, row_number() OVER (ORDER BY rowid) - 1 AS n{rest})"
        images = _select("c1", range(bound.width), whole, bound) + rest
        made = computed_columns(bound, texts)
        completed = self._completed(images, made)
        if completed is None:
            return False
        rows, images = completed
        changed = dict.fromkeys((*texts, *made, *([] if bound.row_version is None else [bound.row_version])))
        if not are_rows_right(self.frame, bound, rows, images, [p for p in bound.not_null if p in changed]):
            return False
        names = (ROW_ID, *(bound.names[position + 1] for position in changed))
        sql = f"SELECT {', '.join(map(quote, names))} FROM ({images})"
        changes.append(UpdateRows(bound.storage, names, FoundImages(rows, sql, count)))
        if rows is found and bound.row_version is None:
            values = {**dict(enumerate(whole)), **self._others("UPDATE")}
            self.parts.append(SetPart(f"{found.name} WHERE {choice}", "rowid", values, _UPDATED))
        else:
            chosen = f"(SELECT *, rowid FROM {found.name} WHERE {choice})"
            self.parts.append(of_joined(bound, chosen, images, self._others("UPDATE"), _UPDATED))
        return True

    def _completed(self, images: str, made: Made) -> tuple[FoundTable, str] | None:
        completed = completed_rows(self.frame, self.bound, self.found, images, (made,))
        if completed is not None and completed[0] is not self.found:
            self.made.append(completed[0])
        return completed

    def _insert(self, clause: SetClause, choice: str, count: int, changes: list[Any]) -> Generator[Suspend, None, bool]:
        bound, found, store, frame = self.bound, self.found, self.store, self.frame
        given = self._texts(clause, choice)
        if given is None:
            return False
        texts = [given.get(p, f"CAST(NULL AS {duck_type(t)})") for p, t in enumerate(bound.types)]
        if bound.identity is not None and bound.identity not in given:
            self.identities = store.take_identities(count)
            text = identity_text(self.identities[0], bound.types[bound.identity], "n")
            if text is None:
                return False
            texts[bound.identity] = text
        if bound.row_version is not None:
            texts[bound.row_version] = version_text(store, count, "n")
        first = store.states.take_row_ids(store.state, count)
        numbered = f"SELECT *, rowid, row_number() OVER (ORDER BY rowid) - 1 AS n FROM {found.name} WHERE {choice}"
        images = _select(f"CAST({first} + n AS BIGINT)", range(bound.width), texts, bound) + f" FROM ({numbered})"
        beside = f"SELECT * REPLACE ({first} + n AS c1) FROM ({numbered})"
        completed = self._completed(images, computed_columns(bound))
        if completed is None:
            return False
        found, images = completed
        is_fresh = self.identities is not None and self.identities[1]
        if not (are_rows_right(frame, bound, found, images) and are_keys_free(store, found, images, is_fresh=is_fresh)):
            return False
        last = self.identities[0][-1] if self.identities is not None else note_given(store, found, images)
        if last is not None:
            frame.identities = last, frame.scope_identity
        yield from check_found_parents(frame, self.txn, store, found, images, verb="MERGE")
        self.last = last
        changes.append(InsertRows(bound.storage, bound.names, FoundImages(found, images, count)))
        self.parts.append(of_joined(bound, f"({beside})", images, self._others("INSERT"), _INSERTED))
        return True


def _condition(clause: SetClause, mark: int) -> str:
    """Whether a row of the join is one that the clause is about."""
    text = {
        "MATCHED": f"c1 IS NOT NULL AND c{mark + 2} IS NOT NULL",
        "NOT MATCHED": "c1 IS NULL",
        "NOT MATCHED BY SOURCE": f"c1 IS NOT NULL AND c{mark + 2} IS NULL",
    }[clause.when]
    return text if clause.test is None else f"{text} AND c{clause.test + 2} = 1"


def _select(row_id: str, positions: Any, texts: Sequence[str], bound: BoundTable) -> str:
    items = [f"{row_id} AS {quote(ROW_ID)}"]
    items += [f"{text} AS {quote(bound.names[p + 1])}" for p, text in zip(positions, texts, strict=True)]
    return f"SELECT {', '.join(items)}"


def set_merge(
    bound: BoundTable,
    rows: TargetRows,
    mark: int,
    shown_from: int,
    clauses: Sequence[SetClause],
    session: Session,
    expectation: Expectation,
    span: Span | None,
) -> SetMerge | None:
    """The way of a set for a MERGE whose statement has nothing against it; None when its table or its values have."""
    if not takes_sets(bound, session) or sum(clause.action == "INSERT" for clause in clauses) > 1:
        return None
    for clause in clauses:
        if clause.action == "DELETE" and bound.referenced_by:
            return None
        if clause.action == "UPDATE":
            foreign = {p for foreign in bound.foreign_keys for p in foreign.child_positions}
            changed = {v.position for v in clause.values}
            changed.update(computed_columns(bound, changed))
            if not takes_set_update(bound, session, clause.values) or not changed.isdisjoint(foreign):
                return None
        if any(
            v.extra is None and v.default is not None and not is_one_value(bound, v.position) for v in clause.values
        ):
            return None
    beside = Beside(len(rows.query.query.columns), session.options)
    columns = {
        (value.extra, value.position): beside.column(
            value.extra + 2, rows.types[value.extra], bound.types[value.position]
        )
        for clause in clauses
        for value in clause.values
        if value.extra is not None
    }
    return SetMerge(bound, rows, mark, shown_from, clauses, columns, beside.of(rows.query.query), expectation, span)
