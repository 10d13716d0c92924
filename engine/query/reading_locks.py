"""Locks of readers: the table hints and isolation levels that make a SELECT, or a query inside another statement, lock
what it reads.

It decides when a statement, or the condition of IF and WHILE, takes the locks of its plan (`lock_plans.py`): before it
runs. They are held until the transaction ends. Outside one the statement is a transaction of its own, and a condition
is one each time that it is asked.

- UPDLOCK and XLOCK take the rows that the query will read. They are looked for, locked, and looked for again, until
  nobody was quicker and no other transaction has written a row that would be among them. The statement itself then
  sees no other rows of that table (`held_rows`). Past the limit of escalation the table is locked, if nobody else
  works on it.
- Where the rows cannot be told beforehand (a correlated subquery), and with HOLDLOCK or TABLOCKX, the table is locked.
- SERIALIZABLE and REPEATABLE READ take every table shared.

What a write searches is locked by the write itself, under SERIALIZABLE its table. READPAST is not here: the translator
leaves such rows out (`rows_of_others`). It must not know how a statement runs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from sbql.engine.locks import ESCALATION_LIMIT
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import hint_names
from sbql.engine.query.lock_plans import (
    LOCKING_LEVELS,
    LockPlan,
    Reading,
    has_locking_hints,
    locks_by_hint,
    may_hide_hints,
    parts_of,
    plan_locks,
)
from sbql.engine.query.modules_below import calls_module
from sbql.engine.scalars.scope import QUERIES, Frame, Scope
from sbql.engine.steps import LateBound, Step
from sbql.engine.tables.pending_images import wait_for_images
from sbql.engine.tables.snapshot_rows import changed_since_snapshot
from sbql.engine.work import Suspend, Work
from sbql.grammar.ast import (
    DeleteStatement,
    IfStatement,
    InsertStatement,
    MergeStatement,
    NamedTable,
    Node,
    SelectStatement,
    Statement,
    UpdateStatement,
    WhileStatement,
)
from sbql.grammar.errors import sql_error

__all__ = ["condition_with_locks", "with_locks"]

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
_WRITES = (InsertStatement, UpdateStatement, DeleteStatement, MergeStatement)
_BEGINNERS = (SelectStatement, *_WRITES)
"""What begins the transaction of IMPLICIT_TRANSACTIONS, of the statements that read."""

Run = Callable[[Frame], Any]


class _Locks:
    """What one statement, or one condition, locks. `in_function`: its locks are taken by whoever calls the function."""

    def __init__(self, node: Statement, parts: list[Node], scope: Scope, session: Session, in_function: bool) -> None:
        self.plan = LateBound(lambda session: plan_locks(node, session, scope))
        self.skippers = [p for p in parts if isinstance(p, NamedTable) and p.hints and "READPAST" in hint_names(p)]
        self.in_function = in_function
        self.has_hints = not in_function and has_locking_hints(node, parts)
        self.hides_hints = not (in_function or self.has_hints) and may_hide_hints(parts, session)
        self.is_simple = not (self.has_hints or self.hides_hints or self.skippers)
        """It names tables and nothing else, and has no hint that matters."""
        self._clear: tuple[Any, Any] | None = None
        self.begins = isinstance(node, _BEGINNERS)
        self.has_own_end = isinstance(node, _WRITES)

    def is_clear(self, session: Session) -> bool:
        """Whether nothing that the statement names holds a hint, as was seen at this version of the catalog for whoever
        means the same by a name."""
        clear, transaction = self._clear, session.transaction
        return (
            clear is not None
            and clear[0] == session.instance.catalog.version
            and clear[1] == session.contexts[-1].binding
            and (transaction is None or transaction.snapshot is None)
        )

    def wanted(self, session: Session) -> LockPlan | None:
        """What is to be locked now, if anything is. Raises 650."""
        level = session.options.isolation_level
        for source in self.skippers:
            _check_readpast(source, level)
        if self.in_function or not (self.has_hints or self.hides_hints or level in LOCKING_LEVELS):
            return None
        catalog = session.catalog
        plan = self.plan.get(session)
        if not (self.has_hints or self.skippers or plan.has_hints) and catalog is session.instance.catalog:
            self._clear = catalog.version, session.contexts[-1].binding
        is_alone = session.trancount == 0 and not (self.begins and session.options.implicit_transactions)
        return plan if not session.options.fmtonly and plan.locked_at(level, is_alone=is_alone) else None

    def run(self, frame: Frame, plan: LockPlan, run: Run, *, waits: bool) -> Work:
        """`run` with the locks, and in a transaction. A write commits by itself, before it shows its OUTPUT."""
        session = frame.session
        is_new = session.transaction is None
        around: AbstractContextManager[Any] = session.statement(is_begun=self.begins) if is_new else nullcontext()
        with around as transaction:
            locked = yield from _take(frame, plan)
            if is_new and self.has_own_end:
                transaction.is_handed_over = True
            with session.holding(locked):
                return (yield from run(frame)) if waits else run(frame)


def _locks_of(node: Statement, scope: Scope, session: Session, in_module: str) -> _Locks | None:
    """None where nothing is read by name, or by a user function, apart from statements inside it; and where whoever
    calls a function sees to it."""
    parts = list(parts_of(node))
    if not any(isinstance(part, NamedTable) or calls_module(part) for part in parts):
        return None
    locks = _Locks(node, parts, scope, session, in_module in _FUNCTIONS)
    return locks if locks.skippers or not locks.in_function else None


_FUNCTIONS = frozenset({"FN", "TF"})


def with_locks(node: Statement, step: Step, scope: Scope, session: Session, in_module: str) -> Step:
    """The step with the locks of its readers taken first; of IF and WHILE only the condition reads
    (`condition_with_locks`)."""
    locks = None if isinstance(node, IfStatement | WhileStatement) else _locks_of(node, scope, session, in_module)
    if locks is None:
        return step
    assert not step.labels, "a statement that reads holds no others"
    run_step, is_simple, is_clear = step.run, locks.is_simple, locks.is_clear

    def run(frame: Frame) -> Work:
        session = frame.session
        if session.options.isolation_level not in LOCKING_LEVELS and (is_simple or is_clear(session)):
            return run_step(frame)
        plan = locks.wanted(session)
        return run_step(frame) if plan is None else (yield from locks.run(frame, plan, run_step, waits=False))

    def run_waiting(frame: Frame) -> Work:
        """As `run`: the work of the step itself, where nothing is to be looked at before."""
        session = frame.session
        if session.options.isolation_level not in LOCKING_LEVELS and (is_simple or is_clear(session)):
            work: Work = run_step(frame)
            return work
        return run_locked(frame)

    def run_locked(frame: Frame) -> Work:
        plan = locks.wanted(frame.session)
        if plan is None:
            return (yield from run_step(frame))
        return (yield from locks.run(frame, plan, run_step, waits=True))

    return Step(run_waiting if step.waits else run, waits=True)


def condition_with_locks(
    node: IfStatement | WhileStatement, condition: Run, scope: Scope, session: Session, in_module: str
) -> Callable[[Frame], Work | None] | None:
    """For a condition that reads tables: what asks it with its locks taken first, or gives None where there are none to
    take and the condition may be asked as it is."""
    locks = _locks_of(node, scope, session, in_module)
    if locks is None:
        return None
    is_simple, is_clear = locks.is_simple, locks.is_clear

    def ask(frame: Frame) -> Work | None:
        session = frame.session
        if session.options.isolation_level not in LOCKING_LEVELS and (is_simple or is_clear(session)):
            return None
        plan = locks.wanted(session)
        return None if plan is None else locks.run(frame, plan, condition, waits=False)

    return ask


def _check_readpast(node: NamedTable, level: str) -> None:
    """Raises 650 where READPAST may not be: rows that are passed by must be locked, and their range must not be. Hints
    beside it may give the table a level of its own; SNAPSHOT asks for one that locks."""
    if level == "SNAPSHOT" and locks_by_hint(node):
        return
    own = {name for hint, name in _LEVEL_HINTS.items() if hint in hint_names(node)} or {level}
    if own <= _PASSING_LEVELS:
        return
    raise sql_error(650, span=node.span)


# --- taking ------------------------------------------------------------------------------------------------


def _take(frame: Frame, plan: LockPlan) -> Generator[Suspend, None, dict[int, list[int]]]:
    """Take the locks. Returns the row ids that the statement may see, by the identity of the source's node."""
    session = frame.session
    transaction = session.transaction
    assert transaction is not None, "a reader with locks runs in a transaction"
    level, is_alone = session.options.isolation_level, session.trancount == 0
    if transaction.is_snapshot and is_alone:
        _ = transaction.unit  # the snapshot of the statement is that of its beginning
    for table_id, mode, nowait in plan.locked_at(level, is_alone=is_alone):
        yield from transaction.lock(("table", table_id), mode, f"LCK_M_{mode}", nowait=nowait)
    held: dict[int, list[int]] = {}
    for reading in plan.readings:
        held.update((yield from _RowLocks(frame, transaction, reading).take()))
    return held


class _RowLocks:
    """The rows of one reading, for one run of it. `is_whole`: the lock of the table stands for those of its rows."""

    def __init__(self, frame: Frame, transaction: Any, reading: Reading) -> None:
        self.frame, self.transaction, self.reading = frame, transaction, reading
        self.locks = frame.session.instance.locks
        hints = [hint_names(source) for source, _ in reading.sources]
        self.skips = ["READPAST" in names for names in hints]
        self.waits_never = any("NOWAIT" in names for names in hints)
        held = transaction.owner.held
        # At SNAPSHOT the rows are looked at all the same: they may have changed since.
        self.is_whole = [not transaction.is_snapshot and held.get(("table", t.id)) == "X" for _, t in reading.sources]

    def take(self) -> Generator[Suspend, None, dict[int, list[int]]]:
        """Lock the rows. Returns the row ids of each source, but for whole tables."""
        sources = self.reading.sources
        while not all(self.is_whole):
            if (yield from self._wait_for_writers()):
                continue
            found = self._find()
            taken: list[tuple[str, int, int]] = []
            is_first = yield from self._lock(found, taken)
            same = self._find() == found
            if self.transaction.is_snapshot:
                for (_, table), ids in zip(sources, found, strict=True):
                    if changed_since_snapshot(self.transaction, table, ids):
                        raise sql_error(3960, table.name, self.frame.session.database_name)
            if same and is_first:
                pairs = zip(sources, found, self.is_whole, strict=True)
                return {id(source): ids for (source, _), ids, is_whole in pairs if not is_whole}
            for resource in taken:
                self.locks.release(self.transaction.owner, resource)
        return {}

    def _find(self) -> list[list[int]]:
        rows = QUERIES["fetch"](self.reading.rows, self.frame)
        return [sorted({row[i] for row in rows if row[i] is not None}) for i in range(len(self.reading.sources))]

    def _wait_for_writers(self) -> Generator[Suspend, None, bool]:
        """Wait for somebody who has written a row that would be among those found. Returns whether it had to."""
        for place, (_, table) in enumerate(self.reading.sources):
            if not self.skips[place]:
                search = functools.partial(self._images, place)
                if (yield from wait_for_images(self.frame, self.transaction, table, search, nowait=self.waits_never)):
                    return True
        return False

    def _images(self, place: int, frame: Frame) -> list[Any]:
        reading, fetch = self.reading, QUERIES["fetch"]
        if place not in reading.images:
            reading.images[place] = reading.translate(frame.session, place)
        would_be = {row[place] for row in fetch(reading.images[place], frame)}
        now = {row[place] for row in fetch(reading.rows, frame)}
        return [row_id for row_id in would_be ^ now if row_id is not None]

    def _lock(self, found: list[list[int]], taken: list[tuple[str, int, int]]) -> Generator[Suspend, None, bool]:
        """Returns whether nobody was quicker."""
        locks, owner = self.locks, self.transaction.owner
        is_first = True
        for place, ((_, table), ids) in enumerate(zip(self.reading.sources, found, strict=True)):
            if len(ids) >= ESCALATION_LIMIT and not (self.skips[place] or self.transaction.is_snapshot):
                self.is_whole[place] = self.is_whole[place] or locks.try_acquire(owner, ("table", table.id))
            for row_id in ids if not self.is_whole[place] else ():
                resource = ("row", table.id, row_id)
                if resource in owner.held:
                    continue
                if not locks.try_acquire(owner, resource):
                    is_first = False
                    if self.skips[place]:
                        break
                    yield from self.transaction.lock(resource, "X", "LCK_M_U", nowait=self.waits_never)
                taken.append(resource)
        return is_first
