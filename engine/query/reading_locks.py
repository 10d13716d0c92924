"""Locks of readers: the table hints and isolation levels that make a SELECT, or a query inside another statement, lock
what it reads.

It decides what is locked before a statement runs. All of it is held until the transaction ends, and only inside one.

- UPDLOCK and XLOCK take the rows that the query will read. They are looked for, locked, and looked for again, until
  nobody was quicker and no other transaction has written a row that would be among them. The statement itself then
  sees no other rows of that table (`held_rows`).
- Where the rows cannot be told beforehand (a correlated subquery, a WHILE condition), and with HOLDLOCK or TABLOCKX,
  the table is locked.
- SERIALIZABLE and REPEATABLE READ take every table shared.

What a write searches is locked by the write itself, under SERIALIZABLE its table. READPAST is not here: the translator
leaves such rows out (`rows_of_others`). It must not know how a statement runs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from msgspec import Struct, field

from sbql.catalog.records import Table
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import EXCLUSIVE_HINTS, hint_names
from sbql.engine.query.modules_below import calls_module, is_reader, named_below
from sbql.engine.query.written_sources import TableWithRowId
from sbql.engine.scalars.scope import QUERIES, Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import LateBound, Step
from sbql.engine.tables.pending_images import wait_for_images
from sbql.engine.tables.snapshot_rows import changed_since_snapshot
from sbql.engine.work import Suspend, Work
from sbql.grammar.ast import (
    ColumnReference,
    DeleteStatement,
    Identifier,
    InsertStatement,
    Join,
    MergeStatement,
    NamedTable,
    Node,
    ObjectName,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    Statement,
    TableSource,
    UpdateStatement,
    WhileStatement,
    WithClause,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import children, walk

__all__ = ["reads_tables", "with_locks"]

_RANGE_HINTS = frozenset({"HOLDLOCK", "SERIALIZABLE"})
_SHARED_HINTS = _RANGE_HINTS | {"REPEATABLEREAD"}
_TABLE_HINTS = frozenset({"TABLOCK", "TABLOCKX"})
_LOCKING = EXCLUSIVE_HINTS | _SHARED_HINTS | _TABLE_HINTS
_PASSING_LEVELS = frozenset({"READ COMMITTED", "REPEATABLE READ"})
_LEVEL_HINTS = {
    "READCOMMITTED": "READ COMMITTED",
    "READCOMMITTEDLOCK": "READ COMMITTED",
    "REPEATABLEREAD": "REPEATABLE READ",
    "HOLDLOCK": "SERIALIZABLE",
    "SERIALIZABLE": "SERIALIZABLE",
    "NOLOCK": "READ UNCOMMITTED",
    "READUNCOMMITTED": "READ UNCOMMITTED",
}
_LOCKING_LEVELS = frozenset({"REPEATABLE READ", "SERIALIZABLE"})


def _parts(node: Statement) -> Iterator[Node]:
    """All nodes of a statement, without those of the statements inside it."""
    yield node
    for child in children(node):
        yield from (part for part in walk(child, closed=Statement) if not isinstance(part, Statement))


def reads_tables(node: Statement) -> bool:
    """Whether the statement reads anything by name, or may by a user function, apart from statements inside it."""
    return any(isinstance(part, NamedTable) or calls_module(part) for part in _parts(node))


class _Reading(Struct):
    """A query with hinted tables. `rows` gives one row id for each of `sources`, the nodes whose rows it locks.
    `translate(session, i)` is the same query over source `i` as it would be if others committed; `images` keeps what it
    made."""

    sources: list[tuple[NamedTable, Table]]
    rows: Any
    translate: Callable[[Session, int], Any]
    images: dict[int, Any] = field(default_factory=dict)


class _Plan(Struct):
    """`tables`: (table id, mode) that the hints ask for; `everything`: all tables that are read, `targets` those that
    are searched to be changed."""

    tables: list[tuple[int, str]]
    readings: list[_Reading]
    everything: list[int]
    targets: list[int]


def with_locks(step: Step, node: Statement, scope: Scope) -> Step:
    """The step with the locks of its readers taken first."""
    plan = LateBound(lambda session: _plan(node, session, scope))
    hints = frozenset().union(*(hint_names(part) for part in _parts(node) if isinstance(part, NamedTable)))
    has_hints = bool(_LOCKING & hints)
    skippers = [part for part in _parts(node) if isinstance(part, NamedTable) and "READPAST" in hint_names(part)]

    def enter(frame: Frame, label: str) -> Work:
        assert step.enter is not None
        return (yield from step.enter(frame, label)) if step.waits else step.enter(frame, label)

    def run(frame: Frame) -> Work:
        session = frame.session
        for source in skippers:
            _check_readpast(source, session.options.isolation_level)
        if session.trancount == 0 or not (has_hints or session.options.isolation_level in _LOCKING_LEVELS):
            return (yield from step.run(frame)) if step.waits else step.run(frame)
        locked = yield from _take(frame, plan.get(session))
        with session.holding(locked):
            return (yield from step.run(frame)) if step.waits else step.run(frame)

    def run_waiting(frame: Frame) -> Work:
        """As `run`: the work of the step itself, where nothing is to be looked at before."""
        session = frame.session
        if may_lock or (session.trancount and session.options.isolation_level in _LOCKING_LEVELS):
            return run(frame)
        work: Work = step.run(frame)
        return work

    may_lock = has_hints or bool(skippers)
    run_it = run_waiting if step.waits else run
    return Step(run_it, waits=True, labels=step.labels, enter=enter if step.labels else None)


def _check_readpast(node: NamedTable, level: str) -> None:
    """Raises 650 where READPAST may not be: rows that are passed by must be locked, and their range must not be. Hints
    beside it may give the table a level of its own; SNAPSHOT asks for one that locks."""
    hints = hint_names(node)
    if level == "SNAPSHOT" and _LOCKING & hints:
        return
    own = {name for hint, name in _LEVEL_HINTS.items() if hint in hints} or {level}
    if own <= _PASSING_LEVELS:
        return
    raise sql_error(650, span=node.span)


# --- binding -----------------------------------------------------------------------------------------------


def _table(session: Session, node: NamedTable) -> Table | None:
    """The user table that a name means; None for anything else, and for temp tables, which nobody else sees."""
    found = resolve(session, node.name, missing_ok=True)
    return found if isinstance(found, Table) and found.session_id == 0 else None


def _targets(node: Statement) -> list[NamedTable]:
    """What a write writes to: its rows are locked by the write itself."""
    if not isinstance(node, InsertStatement | UpdateStatement | DeleteStatement | MergeStatement):
        return []
    target = node.target
    if not isinstance(target, NamedTable):
        return []
    from_ = getattr(node, "from_", None)
    name = target.name.name.lower()
    same = [s for s in _sources(from_) if name in (s.name.name.lower(), s.alias.value.lower() if s.alias else "")]
    return [target, *same]


def _sources(node: TableSource | None) -> list[NamedTable]:
    if isinstance(node, NamedTable):
        return [node]
    if isinstance(node, Join):
        return [*_sources(node.left), *_sources(node.right)]
    return []


def _plan(node: Statement, session: Session, scope: Scope) -> _Plan:
    plan = _Plan([], [], [], [])
    with_ = next((part for part in _parts(node) if isinstance(part, WithClause)), None)
    common = {table.name.value.lower() for table in with_.tables} if with_ is not None else set()
    targets = _targets(node)
    rows_of_query: set[int] = set()
    by_row = not isinstance(node, WhileStatement)
    for part in _parts(node):
        if isinstance(part, QueryExpression) and by_row:
            reading = _reading(part, with_, session, scope)
            if reading is not None:
                plan.readings.append(reading)
                rows_of_query |= {id(source) for source, _ in reading.sources}
    for part in _parts(node):
        if calls_module(part):
            plan.everything += [table.id for table in _tables_below(session, part.name)]
        if not isinstance(part, NamedTable) or (len(part.name.parts) == 1 and part.name.name.lower() in common):
            continue
        table = _table(session, part)
        if table is None:
            _plan_view(session, part, plan)
            continue
        is_target = any(part is target for target in targets)
        if not is_target:
            plan.everything.append(table.id)
        elif not isinstance(node, InsertStatement):
            plan.targets.append(table.id)
        mode = _table_mode(hint_names(part), is_target=is_target, by_row=id(part) in rows_of_query)
        if mode is not None:
            plan.tables.append((table.id, mode))
    plan.tables.sort()
    return plan


def _plan_view(session: Session, node: NamedTable, plan: _Plan) -> None:
    """The tables below a view: they are read like the view, and its hints are theirs. Which of their rows the view
    shows nobody asks: UPDLOCK and XLOCK lock the tables."""
    mode = _table_mode(hint_names(node), is_target=False, by_row=False)
    for table in _tables_below(session, node.name):
        plan.everything.append(table.id)
        if mode is not None:
            plan.tables.append((table.id, mode))


def _tables_below(session: Session, name: ObjectName) -> list[Table]:
    """The tables that a view or a user function reads, through whatever views and functions."""
    module = resolve(session, name, missing_ok=True)
    if not is_reader(module):
        return []
    return [one for one in named_below(module, session) if isinstance(one, Table) and one.session_id == 0]


def _table_mode(hints: frozenset[str], *, is_target: bool, by_row: bool) -> str | None:
    """How the hints lock the table itself."""
    if "TABLOCKX" in hints or (is_target and "TABLOCK" in hints):
        return "X"
    if EXCLUSIVE_HINTS & hints and not is_target and (_RANGE_HINTS & hints or not by_row):
        return "X"
    if is_target:
        return "X" if _RANGE_HINTS & hints else None
    return "S" if (_SHARED_HINTS | {"TABLOCK"}) & hints else None


def _reading(query: QueryExpression, with_: WithClause | None, session: Session, scope: Scope) -> _Reading | None:
    """The rows that a query with UPDLOCK or XLOCK will read; None without such a hint, or when nobody can tell."""
    body = query.query
    if not isinstance(body, QuerySpecification):
        return None
    sources: list[tuple[NamedTable, Table]] = []
    items: list[SelectColumn] = []

    def marked(source: TableSource) -> TableSource:
        if isinstance(source, Join):
            return replace(source, left=marked(source.left), right=marked(source.right))
        if not isinstance(source, NamedTable) or not EXCLUSIVE_HINTS & hint_names(source):
            return source
        if (_RANGE_HINTS | {"TABLOCKX"}) & hint_names(source):
            return source
        table = _table(session, source)
        if table is None:
            return source
        alias = source.alias.value if source.alias is not None else source.name.name
        row_id = f"$rid{len(sources)}"
        items.append(SelectColumn(ColumnReference((Identifier(alias), Identifier(row_id))), Identifier(row_id)))
        sources.append((source, table))
        return TableWithRowId(source, row_id, span=source.span)

    from_ = marked(body.from_) if body.from_ is not None else None
    if not sources:
        return None
    is_plain = not (body.distinct or body.group_by or body.having)
    inner = replace(body, items=tuple(items), from_=from_, distinct=False, group_by=None, having=None, into=None)
    whole = replace(query, query=inner, for_=None)
    attempts = [whole] if is_plain and (body.top or query.offset) else []
    attempts.append(replace(whole, query=replace(inner, top=None), order_by=(), offset=None, fetch=None))
    translate_query = QUERIES["translate_query"]
    for attempt in attempts:
        try:
            rows = translate_query(attempt, scope, session, with_=with_)
        except SqlError:
            continue

        def translate(session: Session, place: int, whole: QueryExpression = attempt) -> Any:
            body = whole.query
            assert isinstance(body, QuerySpecification)
            body = replace(body, from_=_with_images(body.from_, sources[place][0]))
            return translate_query(replace(whole, query=body), scope, session, with_=with_)

        return _Reading(sources, rows, translate)
    return None


def _with_images(node: Any, table: NamedTable) -> Any:
    """FROM with the other reading of one of its tables that have row ids."""
    if isinstance(node, Join):
        return replace(node, left=_with_images(node.left, table), right=_with_images(node.right, table))
    return replace(node, images="with rows") if getattr(node, "table", None) is table else node


# --- taking ------------------------------------------------------------------------------------------------


def _take(frame: Frame, plan: _Plan) -> Generator[Suspend, None, dict[int, list[int]]]:
    """Take the locks. Returns the row ids that the statement may see, by the identity of the source's node."""
    session = frame.session
    transaction = session.transaction
    assert transaction is not None, "a reader with locks runs in a transaction"
    tables = list(plan.tables)
    if session.options.isolation_level in _LOCKING_LEVELS:
        tables += [(table_id, "S") for table_id in sorted(set(plan.everything))]
    if session.options.isolation_level == "SERIALIZABLE":
        tables += [(table_id, "X") for table_id in sorted(set(plan.targets))]
    for table_id, mode in tables:
        yield from transaction.lock(("table", table_id), mode, f"LCK_M_{mode}")
    held: dict[int, list[int]] = {}
    for reading in plan.readings:
        held.update((yield from _take_rows(frame, transaction, reading)))
    return held


def _take_rows(frame: Frame, transaction: Any, reading: _Reading) -> Generator[Suspend, None, dict[int, list[int]]]:
    locks, fetch = frame.session.instance.locks, QUERIES["fetch"]
    skips = [bool({"READPAST"} & hint_names(source)) for source, _ in reading.sources]
    waits_never = any("NOWAIT" in hint_names(source) for source, _ in reading.sources)
    for _, table in reading.sources:
        yield from transaction.lock(("table", table.id), "IX", "LCK_M_IX")

    def images(place: int, frame: Frame) -> list[Any]:
        if place not in reading.images:
            reading.images[place] = reading.translate(frame.session, place)
        would_be = {row[place] for row in fetch(reading.images[place], frame)}
        return [
            row_id for row_id in would_be ^ {row[place] for row in fetch(reading.rows, frame)} if row_id is not None
        ]

    while True:
        was_beaten = waited = False
        for place, (_, table) in enumerate(reading.sources):
            if not (waited or skips[place]):
                search = functools.partial(images, place)
                waited = yield from wait_for_images(frame, transaction, table, search, nowait=waits_never)
        if waited:
            continue
        rows = fetch(reading.rows, frame)
        found = [sorted({row[i] for row in rows if row[i] is not None}) for i in range(len(reading.sources))]
        taken: list[tuple[str, int, int]] = []
        for (_, table), ids, skip in zip(reading.sources, found, skips, strict=True):
            for row_id in ids:
                resource = ("row", table.id, row_id)
                if resource in transaction.owner.held:
                    continue
                if not locks.try_acquire(transaction.owner, resource):
                    if skip:
                        was_beaten = True
                        break
                    waited = True
                    yield from transaction.lock(resource, "X", "LCK_M_U", nowait=waits_never)
                taken.append(resource)
        again = fetch(reading.rows, frame)
        same = [sorted({row[i] for row in again if row[i] is not None}) for i in range(len(reading.sources))] == found
        if transaction.is_snapshot:
            for (_, table), ids in zip(reading.sources, found, strict=True):
                if changed_since_snapshot(transaction, table, ids):
                    raise sql_error(3960, table.name, frame.session.database_name)
        if same and not was_beaten and not waited:
            return {id(source): ids for (source, _), ids in zip(reading.sources, found, strict=True)}
        for resource in taken:
            locks.release(transaction.owner, resource)
