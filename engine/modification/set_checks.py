"""What the new rows of a set must satisfy, asked by queries over all of them: NOT NULL, CHECK, keys, parents.

Each question is only whether there is a row that fails: then the statement is done row by row from
the rows that were found, and `checks`, `keys` and `foreign_keys` raise the error that it deserves. It
must not know how the rows came to be.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from functools import partial
from typing import Any

from sbql.catalog.changes import ROW_ID
from sbql.catalog.duck_types import from_store, quote
from sbql.catalog.found_rows import FoundTable
from sbql.engine.modification.foreign_keys import check_parents, is_as_planned
from sbql.engine.modification.locking import lock_table, try_lock_whole
from sbql.engine.modification.stored_rows import StoredRows, keys_by
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.running import run_query
from sbql.engine.query.translation import translate_query
from sbql.engine.query.written_sources import NewRows
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable, Check, ForeignKey, Key, bind
from sbql.engine.tables.column_conversion import key_sql
from sbql.engine.tables.row_expressions import parse_condition
from sbql.engine.tables.row_images import Inserted, RowImages
from sbql.engine.work import Suspend
from sbql.grammar.ast import Condition, IntegerLiteral, Not, QueryExpression, QuerySpecification, SelectColumn
from sbql.grammar.errors import CANCELLED, SqlError

__all__ = ["are_keys_free", "are_rows_right", "check_found_parents", "have_no_children", "is_empty"]


def is_empty(found: FoundTable, rows: str, tests: Sequence[str]) -> bool:
    """Whether no row of `rows`, a table or query over `found`, passes one of the tests."""
    some = " OR ".join(f"({test})" for test in tests if test)
    return not some or not found.query(f"SELECT 1 FROM {rows} WHERE {some} LIMIT 1")


def are_rows_right(
    frame: Frame, bound: BoundTable, found: FoundTable, images: str, not_null: Sequence[int] | None = None
) -> bool:
    """NOT NULL of these columns, or of all that are, and CHECK."""
    positions = bound.not_null if not_null is None else not_null
    nulls = [f"{quote(bound.table.columns[position].name)} IS NULL" for position in positions]
    return is_empty(found, f"({images})", nulls) and all(_holds(frame, bound, c, images) for c in bound.checks)


def _holds(frame: Frame, bound: BoundTable, check: Check, images: str) -> bool:
    """Whether a CHECK is false for none of the rows. One that fails for a value is for the rows to tell."""
    assert check.constraint.condition is not None
    session, table = frame.session, bound.table
    try:
        with session.in_database(session.database_id if table.name.startswith("#") else table.database_id):
            query = _failing(session, bound, parse_condition(check.constraint.condition), images)
        return not run_query(query, frame)
    except SqlError as error:
        if error.number == CANCELLED or error.severity > 16:
            raise
        return False


def _failing(session: Session, bound: BoundTable, condition: Condition, images: str) -> Any:
    items = (SelectColumn(IntegerLiteral(1)),)
    query = QueryExpression(QuerySpecification(items, from_=NewRows(bound.table, images), where=Not(condition)))
    is_of_session = bound.table.name.startswith(("#", "@"))
    scope = Scope(session) if is_of_session else Scope.in_database_of(bound.table, session)
    scope.is_definition = True
    return translate_query(query, scope, session).limited()


# --- keys --------------------------------------------------------------------------------------------------


def are_keys_free(store: StoredRows, found: FoundTable, images: str, *, is_fresh: bool) -> bool:
    """Whether no two new rows have one key, and none has that of a row of the table, which is locked as a whole.
    `is_fresh`: identity values were generated just now. The keys are remembered."""
    for key in store.bound.keys:
        if not (is_fresh and key.is_identity):
            names = ", ".join(_key_texts(key))
            if found.query(f"SELECT 1 FROM ({images}) GROUP BY {names} HAVING count(*) > 1 LIMIT 1"):
                return False
        ends = _ends(found, key, images)
        if not (is_fresh and key.is_identity) and not store.is_beyond(key, ends):
            pairs = [f"k{place}" for place in range(len(key.columns))]
            texts = ", ".join(f"{text} AS {name}" for text, name in zip(_key_texts(key), pairs, strict=True))
            both = " AND ".join(f"added.{name} IS NOT DISTINCT FROM known.{name}" for name in pairs)
            if store.has_rows(
                f"(SELECT {texts} FROM {store.bound.storage}) AS known JOIN (SELECT {texts} FROM ({images})) AS added ON {both}"
            ):
                return False
        store.note_keys(key, found.count, partial(_values, found, key, images), ends)
    return True


def _key_texts(key: Key) -> list[str]:
    return [key_sql(quote(name), sql_type) for name, sql_type in zip(key.columns, key.types, strict=True)]


def _values(found: FoundTable, key: Key, images: str) -> list[tuple[Any, ...]]:
    return keys_by(key, lambda items: found.query(f"SELECT {items} FROM ({images})"))


def _ends(found: FoundTable, key: Key, images: str) -> tuple[Any, Any]:
    """The lowest and the highest value of the first column of a key, as the key memory compares them."""
    name = quote(key.columns[0])
    ((low, high),) = found.query(f"SELECT min({name}), max({name}) FROM ({images})")
    normalise = key.normalisers[0]
    ends = from_store(low, key.types[0]), from_store(high, key.types[0])
    return ends if normalise is None or low is None else (normalise(ends[0]), normalise(ends[1]))


# --- parents -----------------------------------------------------------------------------------------------


def check_found_parents(
    frame: Frame,
    txn: Transaction,
    store: StoredRows,
    found: FoundTable,
    images: str,
    changed: Collection[int] | None = None,
    verb: str = "INSERT",
) -> Generator[Suspend, None, None]:
    """Every value of a foreign key has a parent, which stays; of those keys alone that have one of the `changed`
    columns. Raises 547."""
    bound = store.bound
    most = frame.session.instance.locks.sets_from
    for foreign in bound.foreign_keys:
        if changed is not None and set(changed).isdisjoint(foreign.child_positions):
            continue
        names = [quote(bound.table.columns[p].name) for p in foreign.child_positions]
        some = found.query(f"SELECT DISTINCT {', '.join(names)} FROM ({images}) LIMIT {most}")
        if len(some) >= most:
            if (yield from _have_parents(frame, txn, bound, foreign, images)):
                continue
            some = found.query(f"SELECT DISTINCT {', '.join(names)} FROM ({images})")
        children = []
        for values in some:
            row: list[Any] = [None] * bound.width
            for position, value in zip(foreign.child_positions, values, strict=True):
                row[position] = from_store(value, bound.types[position])
            children.append(Inserted(row))
        yield from check_parents(frame, txn, store, RowImages(verb, children))


def _have_parents(
    frame: Frame, txn: Transaction, bound: BoundTable, foreign: ForeignKey, images: str
) -> Generator[Suspend, None, bool]:
    """Whether all new rows have a parent, in a table that nobody else may write any more. False: that is to be asked
    for each value."""
    parent = bind(foreign.parent, frame.session)
    if parent.needs_locks:
        yield from lock_table(txn, parent.table.id)
        if not try_lock_whole(txn, parent.table.id):
            return False
    if not is_as_planned(frame, bound, foreign):
        return False
    both = _paired(foreign)
    if both is None:
        return False
    child_keys, parent_keys, equal = both
    known = " AND ".join(f"{quote(bound.table.columns[p].name)} IS NOT NULL" for p in foreign.child_positions)
    children = f"(SELECT {child_keys} FROM ({images}) WHERE {known}) AS one"
    return not StoredRows(parent, txn).has_rows(
        f"{children} ANTI JOIN (SELECT {parent_keys} FROM {parent.storage}) AS other ON {equal}"
    )


def _paired(foreign: ForeignKey) -> tuple[str, str, str] | None:
    """The keys of children and of parents as k0, k1 …, and what makes `one` and `other` equal. None: they are not of
    one type."""
    children, parents = [], []
    for place, (child, parent) in enumerate(zip(foreign.child_positions, foreign.parent_positions, strict=True)):
        here, there = foreign.child.columns[child], foreign.parent.columns[parent]
        if here.type.name != there.type.name or here.type.collation != there.type.collation:
            return None
        children.append(f"{key_sql(quote(here.name), here.type)} AS k{place}")
        parents.append(f"{key_sql(quote(there.name), there.type)} AS k{place}")
    equal = " AND ".join(f"one.k{place} = other.k{place}" for place in range(len(children)))
    return ", ".join(children), ", ".join(parents), equal


def have_no_children(
    frame: Frame, txn: Transaction, bound: BoundTable, found: FoundTable
) -> Generator[Suspend, None, bool]:
    """Whether no row of another table refers to the rows with the ids at c1 of what was found, of a table that nobody
    else may write any more: who adds such a row now waits for its parent."""
    for foreign in bound.referenced_by:
        yield from lock_table(txn, foreign.child.id)
        both = _paired(foreign)
        if both is None or not is_as_planned(frame, bound, foreign):
            return False
        child = bind(foreign.child, frame.session)
        child_keys, parent_keys, equal = both
        parents = f"SELECT {parent_keys} FROM {bound.storage} WHERE {quote(ROW_ID)} IN (SELECT c1 FROM {found.name})"
        tables = frozenset((bound.storage, child.storage))
        if StoredRows(child, txn).has_rows(
            f"(SELECT {child_keys} FROM {child.storage}) AS one SEMI JOIN ({parents}) AS other ON {equal}", tables
        ):
            return False
    return True
