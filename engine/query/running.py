"""Running a translated query: parameters, local tables, registered functions, and values on their way out.

It decides nothing about SQL. A query whose column types are all stored as they are gives DuckDB's own rows to the
caller.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from math import isfinite
from typing import Any, TypeVar

from sbql.catalog.changes import Page
from sbql.catalog.duck_types import decoder, duck_type, is_units, to_store
from sbql.catalog.found_rows import FoundTable, OwnStatement
from sbql.catalog.inner_connections import SNAPSHOT_LEVELS
from sbql.catalog.records import BrokerChange
from sbql.engine.ports import Session
from sbql.engine.query.registered import running
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.reads import check_reads
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar.errors import CANCELLED, SqlError, sql_error
from sbql.grammar.values.checkpoints import checked_rows

__all__ = [
    "find_query",
    "found_values",
    "matches_at_hand",
    "own_broker_changes",
    "run_query",
    "run_query_by_pages",
    "sees_last_commits",
    "statement_now",
    "taken_values",
]

T = TypeVar("T")


def run_query(query: TranslatedQuery, frame: Frame) -> list[tuple[Any, ...]]:
    """The rows of a query, as Python values of its column types. Raises 229 and its like for what the user may not
    read."""
    if query.direct is not None and not frame.session.store.inner.depth:
        _begin(query, frame)
        found = query.direct(frame)
        if found is not None:
            return found
    query, values = _with_values(query, frame)
    if query.is_simple and not frame.session.store.inner.depth:
        run = _run_simple
    elif frame.session.store.inner.depth:
        run = _run_inside
    else:
        run = _run_with_parts
    try:
        return _checked(run(query, values, frame), query)
    except SqlError as error:
        return run_query(_with_bodies(query, error), frame)


def _with_bodies(query: TranslatedQuery, error: SqlError) -> TranslatedQuery:
    """The query whose functions run their bodies, which say where in them something fails. Raises the error if there is
    none, and where nothing in a body can be the cause."""
    if not query.inlines or error.number in _NEVER_AGAIN or error.severity > 16 or not query.lazily:
        raise error
    return query.lazily[0]()


_NEVER_AGAIN = frozenset({CANCELLED, 1205, 1222, 3960})
"""Somebody does not want to wait any longer, or the transaction is at its end."""


def matches_at_hand(
    query: TranslatedQuery, find: Callable[[Frame, int | None], T | None], frame: Frame, most: int | None
) -> T | None:
    """What `find`, the direct form of a write's search for so many rows, gives; None: ask `run_query`. Raises 229 and
    its like."""
    if frame.session.store.inner.depth:
        return None
    found = find(frame, most)
    if found is not None:
        _begin(query, frame)
    return found


def run_query_by_pages(query: TranslatedQuery, frame: Frame) -> Generator[Page]:
    """As `run_query` for the query of a statement, a page for each that is asked for. To
    be closed by who asks for no more."""
    if query.direct is not None:
        _begin(query, frame)
        found = query.direct(frame)
        if found is not None:
            yield found, False
            return
    query, values = _with_values(query, frame)
    if query.is_simple:
        pages = frame.session.read_pages(query.sql, values, tables=query.tables, is_parallel=True)
    else:
        pages = _pages_with_parts(query, values, frame)
    is_begun = False
    try:
        with closing(pages):
            for rows, goes_on in pages:
                checked = _checked(rows, query)
                is_begun = True
                yield checked, goes_on
    except SqlError as error:
        if is_begun:
            raise
        yield from run_query_by_pages(_with_bodies(query, error), frame)


def _pages_with_parts(query: TranslatedQuery, values: list[Any], frame: Frame) -> Generator[Page]:
    how = _parts(query, frame)
    text = query.marked if query.reads_broker else query.sql
    with _calling(query, frame), closing(frame.session.read_pages(text, values, **how)) as pages:
        yield from pages


def _checked(rows: list[tuple[Any, ...]], query: TranslatedQuery) -> list[tuple[Any, ...]]:
    """Rows of DuckDB as they are seen. Raises 8115."""
    if query.floats and any(not isfinite(row[i] or 0.0) for i in query.floats for row in rows):
        raise sql_error(8115, "expression", "float")
    return rows if query.is_plain else _decoded(rows, query)


def find_query(query: TranslatedQuery, frame: Frame, own: TranslatedQuery | None = None) -> FoundTable:
    """As `run_query` in a statement that writes, with the rows left in DuckDB's memory, for whoever drops them. `own`
    is the statement that changes them, with parameters of the query."""
    frame.session.check_cancelled()
    assert frame.session.transaction is not None
    unit = frame.session.transaction.unit
    asked = query
    query, values = _with_values(asked, frame)
    types = [duck_type(column.type) for column in query.columns]
    text = query.marked if query.reads_broker else query.sql
    try:
        with _calling(query, frame):
            found: FoundTable = unit.find(text, types, values, **_parts(query, frame))
    except SqlError as error:
        return find_query(_with_bodies(query, error), frame)
    infinite = " OR ".join(f"NOT isfinite(c{i + 1})" for i in query.floats)
    if infinite and found.query(f"SELECT 1 FROM {found.name} WHERE {infinite} LIMIT 1"):
        found.drop()
        raise sql_error(8115, "expression", "float")
    if own is not None and query is asked:
        given = {id(parameter): value for parameter, value in zip(query.parameters, values, strict=True)}
        found.own = OwnStatement(own.sql, [given[id(parameter)] for parameter in own.parameters])
    return found


def statement_now(query: TranslatedQuery, frame: Frame) -> OwnStatement | None:
    """A statement that changes rows where they stand, with its values. None: a part of it fails, which must do so only
    where a row needs it. Raises 229 and its like."""
    frame.session.check_cancelled()
    if query.inlines:
        return None  # what fails in the body of a function is said by that
    found, values = _with_values(query, frame)
    return OwnStatement(query.sql, values) if found is query else None


def taken_values(query: TranslatedQuery, found: FoundTable) -> list[tuple[Any, ...]]:
    """What `run_query` would have given, after `find_query` of the query or of one with columns behind its own; the
    table is dropped."""
    names = ", ".join(f"c{place}" for place in range(1, len(query.columns) + 1))
    try:
        rows = found.query(f"SELECT {names} FROM {found.name} ORDER BY rowid")
    finally:
        found.drop()
    return rows if query.is_plain else _decoded(rows, query)


def found_values(query: TranslatedQuery, found: FoundTable) -> list[tuple[Any, ...]]:
    """The rows of a query of nothing but found rows, as Python values of its column types."""
    rows = found.query(query.sql)
    return rows if query.is_plain else _decoded(rows, query)


def _begin(query: TranslatedQuery, frame: Frame) -> None:
    for tell in query.tell_lines:
        tell()
    if query.reads and not frame.session.contexts[-1].is_sa:
        check_reads(frame.session, query.reads)


def _with_values(query: TranslatedQuery, frame: Frame) -> tuple[TranslatedQuery, list[Any]]:
    """The query that runs now, and its parameters: a constant part that fails must fail only where a row needs it."""
    _begin(query, frame)
    if not query.parameters:
        return query, []
    try:
        return query, [to_store(p.run(frame), p.type) for p in query.parameters]
    except SqlError:
        if not query.lazily:
            raise
        return _with_values(query.lazily[0](), frame)


def _parts(query: TranslatedQuery, frame: Frame) -> dict[str, Any]:
    """What a query needs beside its text; its functions are registered."""
    how: dict[str, Any] = {"tables": query.tables or _SOME_TABLE, "is_parallel": True}
    for function in query.functions:
        frame.session.store.register_function(
            function.name,
            function.function,
            function.arguments,
            function.result,
            is_volatile=function.is_volatile,
            is_bare=function.is_bare,
        )
    if query.locals:
        how["locals"] = [local.load(frame) for local in query.locals]
    if query.reads_broker:
        how["broker"] = own_broker_changes(frame.session)
    return how


def _run_simple(query: TranslatedQuery, values: list[Any], frame: Frame) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = frame.session.read(query.sql, values, tables=query.tables, is_parallel=True).rows
    return rows


def sees_last_commits(session: Session) -> bool:
    """Whether the session reads what is committed by now: READ COMMITTED, and no snapshot of before."""
    transaction = session.transaction
    return session.options.isolation_level == "READ COMMITTED" and (
        transaction is None or not (transaction.is_snapshot or transaction.snapshot is not None)
    )


def own_broker_changes(session: Session) -> list[BrokerChange]:
    """What the session's open transaction has changed in queues and endpoints: the overlay of a reader."""
    transaction = session.transaction
    if transaction is None or not transaction.has_broker:
        return []
    with session.instance.broker.mutex:
        return transaction.broker.changes_so_far()


def _run_with_parts(query: TranslatedQuery, values: list[Any], frame: Frame) -> list[tuple[Any, ...]]:
    session = frame.session
    how = _parts(query, frame)
    with _calling(query, frame):
        rows: list[tuple[Any, ...]] = session.read(
            query.marked if query.reads_broker else query.sql, values, **how
        ).rows
    return rows


def _run_inside(query: TranslatedQuery, values: list[Any], frame: Frame) -> list[tuple[Any, ...]]:
    """For a function that a running query calls: the session's connection is busy. What it reads is
    committed, or the session's own."""
    session = frame.session
    session.check_cancelled()
    inner, transaction = session.store.inner, session.transaction
    if transaction is not None and transaction.is_snapshot:
        if not inner.is_on_snapshot:
            raise sql_error(3961, session.database_name)  # a function that came after the snapshot
        if inner.depth > SNAPSHOT_LEVELS:
            raise sql_error(40517, f"{inner.depth} functions that read, one within the other, under SNAPSHOT")
    connection, own = inner.free()
    how = _parts(query, frame)
    redo = transaction.unit.redo if transaction is not None and transaction.has_unit else ()
    sql = own.over(query.marked, how["tables"], redo) if redo else query.marked
    with _calling(query, frame):
        rows: list[tuple[Any, ...]] = connection.begin().query(sql, values, **how).rows
    return rows


@contextmanager
def _calling(query: TranslatedQuery, frame: Frame) -> Generator[None]:
    """While a query runs: its functions find the frame, and what they read is read on another connection."""
    with running(frame), frame.session.store.inner.querying(calls=bool(query.functions)):
        yield


_SOME_TABLE = frozenset({"-"})
"""No stored table is read: an empty set would mean any."""


def _decoded(rows: list[tuple[Any, ...]], query: TranslatedQuery) -> list[tuple[Any, ...]]:
    """Text of ASCII is what it is, and a result of nothing else comes out as DuckDB gave it."""
    if not rows:
        return rows
    changed = {}
    for i, column in enumerate(query.columns):
        decode = decoder(column.type)
        if decode is not None and not (is_units(column.type) and _is_ascii(rows, i)):
            changed[i] = decode
    if not changed:
        return rows
    columns: list[Any] = list(zip(*rows, strict=True))
    for i, decode in changed.items():
        columns[i] = [None if value is None else decode(value) for value in checked_rows(columns[i])]
    return list(zip(*columns, strict=True))


_PIECE = 1000
"""Rows whose texts are looked at together."""


def _is_ascii(rows: list[tuple[Any, ...]], i: int) -> bool:
    for start in range(0, len(rows), _PIECE):
        if not "".join([row[i] or "" for row in rows[start : start + _PIECE]]).isascii():
            return False
    return True
