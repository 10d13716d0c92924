"""MERGE: target and source joined once, and for each pair of the join the first clause that fits.

The join marks which side is there; conditions and new values of all clauses are computed beside it by the same query. A
target row that two source rows would change is error 8672. What then happens is one set of row images for the write
mechanism.
"""

from __future__ import annotations

import functools
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct, field

from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.identity_values import Identities, identity_value, no_identity
from sbql.engine.modification.insert_targets import InsertTarget, make_target, target_of
from sbql.engine.modification.locking import drop_locks, lock_all, lock_table
from sbql.engine.modification.merge_join import MARK, in_scope, join_kind, marked
from sbql.engine.modification.output import OutputPlan, expand_stars, extra_columns, output_plan, shared_tables
from sbql.engine.modification.row_changes import Triggers, show_and_fire, write
from sbql.engine.modification.search import QUICK_TRIES, assigned
from sbql.engine.modification.set_changes import SetValue
from sbql.engine.modification.set_insert import Left
from sbql.engine.modification.set_merge import SetClause, SetMerge, set_merge
from sbql.engine.modification.set_output import deliver_set
from sbql.engine.modification.set_plan import SetPlan, set_plan, type_setters
from sbql.engine.modification.sources import ImageSearch, RowLimit, TargetRows, over_images, target_rows
from sbql.engine.modification.statement import Writing, writes
from sbql.engine.modification.target import called, check_target_hints, rows_of
from sbql.engine.modification.triggers import events_of, fire_instead_of, has_instead_of, is_instead
from sbql.engine.modification.views import triggered_view
from sbql.engine.modification.writable import Target, common_table_of, view_check, writable
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import LateBound
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.pending_images import others_at_work, wait_for_holders, wait_for_images
from sbql.engine.tables.row_images import Deleted, Inserted, RowImages, Updated
from sbql.engine.work import Suspend
from sbql.grammar.ast import (
    ColumnReference,
    DefaultValue,
    Expression,
    Identifier,
    IntegerLiteral,
    Join,
    MergeAction,
    MergeStatement,
    NamedTable,
    NextValueFor,
    SearchedCase,
    Span,
    WhenClause,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.values.checkpoints import checked_rows


class _Clause(Struct):
    """One WHEN, bound. `test` is the place of its condition among the extra values; `values` of its first new value."""

    node: MergeAction
    test: int | None = None
    values: int = 0
    set: SetPlan | None = None
    insert: InsertTarget | None = None
    cells: list[tuple[int, int | None, Converter | None]] = field(default_factory=list)


class _Plan(Struct):
    """`adds`: a row of the source without a match does something, so a match matters even if it changes nothing."""

    bound: BoundTable
    slot: int | None
    rows: TargetRows
    clauses: list[_Clause]
    output: OutputPlan | None
    shown_from: int
    mark: int
    hints: frozenset[str]
    images: ImageSearch
    adds: bool
    shared: tuple[BoundTable, ...]
    as_set: SetMerge | None = None


@writes(MergeStatement)
def merge(node: MergeStatement, compiler: Compiler) -> Writing:
    compiler.scope.check_writable(node.target)
    check_target_hints(node.target)
    scope = compiler.scope
    limit = RowLimit(node.top, scope)

    expectation = Expectation()

    def perform(frame: Frame, txn: Any, plan: _Plan) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
        is_watched = frame.session.instance.subscriptions.is_watching
        before = txn.unit.mark() if is_watched else 0
        done = yield from chosen(frame, txn, plan)
        if is_watched:
            txn.merged += txn.unit.redo[before:]
        return done

    def chosen(frame: Frame, txn: Any, plan: _Plan) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
        if plan.as_set is not None and expectation.wants_set(frame, txn):
            return _merge_set(frame, txn, plan, plan.as_set, node, limit)
        return _merge(frame, txn, plan, node, limit)

    late = LateBound(lambda session: scope.within(node.with_, lambda: _plan(node, session, scope, expectation)))
    return Writing(late, perform)


# --- binding -----------------------------------------------------------------------------------------------


def _plan(node: MergeStatement, session: Session, scope: Scope, expectation: Expectation) -> _Plan:
    node = replace(node, output=expand_stars(node.output, node.source, node.with_, scope, session))
    target = _target(node, session, scope)
    bound, slot = target.bound, target.slot
    for action in node.actions:
        target.check_permission(session, action.action, node.target.span)
    instead = {has_instead_of(bound, action.action) for action in node.actions}
    if len(instead) > 1:
        raise sql_error(5316, bound.table.name, span=node.target.span)
    sequence = next((part for part in walk(node) if isinstance(part, NextValueFor)), None)
    if sequence is not None:
        raise sql_error(11742, span=sequence.span)
    source = marked(node.source)
    extras = target.images()
    mark = len(extras)
    extras.append(ColumnReference((Identifier(MARK), Identifier(MARK))))
    clauses = [_bind_clause(in_scope(a, target, node.source), target, session, scope, extras) for a in node.actions]
    shown_from = len(extras)
    wanted = extra_columns(node.output)
    extras += wanted
    join = Join(join_kind(node), target.source, source, node.on, span=node.span)
    rows = target_rows(target.source, join, None, extras, scope, session, with_=node.with_)
    for clause in clauses:
        _type_clause(clause, bound, scope, rows)
    output = None
    if node.output is not None:
        shown = list(zip(wanted, rows.types[shown_from:], strict=True))
        output = output_plan(
            node.output, bound, session, scope, shown, target, verb="MERGE", called=called(node.target)
        )
    tests = [extras[clause.test] for clause in clauses if clause.test is not None]
    images = _image_search(node, target, source, [extras[mark], *tests], scope)
    adds = any(action.when == "NOT MATCHED" for action in node.actions)
    as_set = None
    if slot is None and node.top is None and "READPAST" not in target.hints:
        as_set = _as_set(bound, rows, mark, shown_from, clauses, session, expectation, node.span)
    shared = shared_tables(bound if slot is None else None, output)
    return _Plan(bound, slot, rows, clauses, output, shown_from, mark, target.hints, images, adds, shared, as_set)


def _as_set(
    bound: BoundTable,
    rows: TargetRows,
    mark: int,
    shown_from: int,
    clauses: list[_Clause],
    session: Session,
    expectation: Expectation,
    span: Span | None,
) -> SetMerge | None:
    """The way of a set, where the clauses and the table have nothing against it."""
    found = []
    for clause in clauses:
        values: list[SetValue] = []
        if clause.set is not None:
            if any(setter.is_special for setter in clause.set.setters):
                return None
            for s in clause.set.setters:
                extra = None if s.extra is None else clause.values + s.extra
                values.append(SetValue(s.position or 0, extra, s.default))
        elif clause.insert is not None:
            values += [SetValue(position, None, default) for position, default in clause.insert.defaults]
            for position, place, _ in clause.cells:
                values.append(SetValue(position, place, bound.defaults[position] if place is None else None))
        found.append(SetClause(clause.node.when, clause.node.action, clause.test, values))
    return set_merge(bound, rows, mark, shown_from, found, session, expectation, span)


def _image_search(node: MergeStatement, target: Target, source: Join, extras: Any, scope: Scope) -> ImageSearch:
    """The join with what others have written in place of the target: the mark and the conditions beside each row."""

    def translate(session: Session) -> TargetRows:
        own = over_images(target.source, with_rows=False)
        join = Join(join_kind(node), own, source, node.on, span=node.span)
        return target_rows(own, join, None, extras, scope, session, with_=node.with_)

    return ImageSearch(lambda session: scope.within(node.with_, lambda: translate(session)))


def _target(node: MergeStatement, session: Session, scope: Scope) -> Target:
    """What the statement changes: its clauses together name the columns. Raises 40517 for a view with INSTEAD OF
    triggers."""
    source = node.target
    wanted: list[tuple[str, Span]] = []
    has_delete = has_all = False
    for action in node.actions:
        has_delete |= action.action == "DELETE"
        has_all |= action.action == "INSERT" and not action.columns and action.values is not None
        wanted += [(a.column.name, a.column.span) for a in action.assignments if a.column is not None]
        wanted += [(c.value, c.span) for c in action.columns]
        if isinstance(source, NamedTable) and common_table_of(source, node.with_) is None:
            if triggered_view(session, source, action.action) is not None:
                raise sql_error(40517, "MERGE into a view with INSTEAD OF triggers", span=source.span)
    if has_delete:
        writable(source, None, session, scope, node.with_)  # of a join nothing can be deleted
    target = writable(source, wanted, session, scope, node.with_)
    if has_all and target.columns is not None:
        target = writable(source, [(name, source.span) for name in target.names], session, scope, node.with_)
    if target.check is not None:
        target.bound = msgspec.structs.replace(target.bound, view_check=view_check(target, session))
    return target


def _bind_clause(
    action: MergeAction, target: Target, session: Session, scope: Scope, extras: list[Expression]
) -> _Clause:
    """Adds what the clause needs to `extras`."""
    clause = _Clause(action)
    if action.condition is not None:
        clause.test = len(extras)
        extras.append(SearchedCase((WhenClause(action.condition, IntegerLiteral(1)),), IntegerLiteral(0)))
    clause.values = len(extras)
    if action.action == "UPDATE":
        assignments = [assigned(target, item, session) for item in action.assignments]
        clause.set = set_plan(assignments, target.bound, scope, target.parts)
        extras += clause.set.extras
    elif action.action == "INSERT":
        if action.values is None:
            clause.insert = target_of(target.bound, target.slot)
            return clause
        names = action.columns or [Identifier(name) for name in target.names]
        names = [Identifier(target.column(n.value, n.span), span=n.span) for n in names]
        clause.insert = make_target(target.bound, target.slot, names)
        for value in action.values:
            if not isinstance(value, DefaultValue):
                extras.append(value)
    return clause


def _type_clause(clause: _Clause, bound: BoundTable, scope: Scope, rows: TargetRows) -> None:
    if clause.set is not None:
        types = rows.types[clause.values : clause.values + len(clause.set.extras)]
        type_setters(clause.set, clause.node.assignments, bound, scope, types)
    if clause.insert is None or clause.node.values is None:
        return
    positions = clause.insert.positions
    if len(positions) != len(clause.node.values):
        given = bool(clause.node.columns)
        number = 213 if not given else 109 if len(positions) > len(clause.node.values) else 110
        raise sql_error(number, span=clause.node.span)
    assert scope.session is not None
    place = clause.values
    for position, value in zip(positions, clause.node.values, strict=True):
        if isinstance(value, DefaultValue):
            clause.cells.append((position, None, None))
            continue
        column = bound.table.columns[position]
        convert = assignment(rows.types[place], column.type, bound.full_name, column.name, scope.session.options)
        clause.cells.append((position, place, convert))
        place += 1


# --- running -----------------------------------------------------------------------------------------------


def _merge_set(
    frame: Frame, txn: Any, plan: _Plan, as_set: SetMerge, node: MergeStatement, limit: RowLimit
) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    """By DuckDB alone, if it can be."""
    target = next((c.insert for c in plan.clauses if c.insert is not None), None)

    def check_identity() -> None:
        if target is not None:
            target.check_identity(frame.session, node.span)

    deliver = None if plan.output is None else functools.partial(deliver_set, frame, txn, plan.output)
    done = yield from as_set.perform(frame, txn, check_identity, deliver)
    if not isinstance(done, Left):
        return done
    return (yield from _merge(frame, txn, plan, node, limit, done.identities))


def _merge(
    frame: Frame, txn: Any, plan: _Plan, node: MergeStatement, limit: RowLimit, taken: Identities | None = None
) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    bound = plan.bound
    store = rows_of(bound, plan.slot, frame, txn)
    images = yield from _locked_images(frame, txn, store, plan, node, limit)
    if plan.as_set is not None:
        plan.as_set.expectation.note(frame, images.count)
    images.columns = images.columns.union(*(c.set.columns for c in plan.clauses if c.set is not None))
    if any(is_instead(frame.session, bound, event) for event in events_of(images)):
        return images.count, (yield from _instead(frame, txn, plan, images))
    last = None
    if images.inserted and bound.identity is not None:
        last = _fill_identity(frame, store, plan, images, node, taken)
    try:
        if last is not None:
            frame.identities = last, frame.scope_identity
        shown = yield from write(frame, txn, store, images, plan.output)
    except BaseException:
        if plan.slot is not None:
            store.undo(images)
        raise
    if last is not None:
        frame.scope_identity = last
    return images.count, shown


def _instead(frame: Frame, txn: Any, plan: _Plan, images: RowImages) -> Generator[Suspend, None, ResultSet | None]:
    """INSTEAD OF triggers carry out all the actions."""
    bound = plan.bound
    if bound.identity is not None and not any(c.insert is not None and c.insert.gives_identity for c in plan.clauses):
        no_identity(bound, [inserted.new for inserted in images.inserted])

    def fire() -> Triggers:
        for event in events_of(images):
            yield from fire_instead_of(frame, bound, images, event)

    return (yield from show_and_fire(frame, txn, images, plan.output, fire()))


def _locked_images(
    frame: Frame, txn: Any, store: Any, plan: _Plan, node: MergeStatement, limit: RowLimit
) -> Generator[Suspend, None, RowImages]:
    """The images, found with all their target rows locked."""
    bound = plan.bound
    if not bound.needs_locks or plan.slot is not None:
        return _images(frame, plan, node, limit)[0]
    table_id = bound.table.id
    yield from lock_table(txn, table_id)
    shared = frame.session.instance.store
    nowait, skips = "NOWAIT" in plan.hints, "READPAST" in plan.hints
    search = functools.partial(_image_ids, plan)
    looked_at: set[Any] = set()
    tries = 0
    while True:
        clock = shared.clock
        others = [] if skips else others_at_work(txn, table_id)
        if others and (yield from wait_for_images(frame, txn, bound.table, search, nowait=nowait)):
            continue
        images, kept = _images(frame, plan, node, limit)
        if others and (yield from wait_for_holders(txn, table_id, kept, nowait=nowait)):
            continue
        changed = [(u.row_id, u.old) for u in images.updated] + [(d.row_id, d.old) for d in images.deleted]
        wanted = [("row", table_id, row_id) for row_id, _ in changed]
        looked_at.update(resource for resource in wanted if resource not in txn.owner.held)
        waited = yield from lock_all(txn, table_id, wanted, nowait=nowait)
        if txn.is_snapshot and store.changed_since(changed):
            raise sql_error(3960, bound.display, frame.session.database_name)
        if not waited and (txn.is_snapshot or not shared.is_stale(clock, (bound.storage,))):
            drop_locks(frame, txn, looked_at.difference(wanted))
            return images
        tries += 1
        if tries == QUICK_TRIES:
            yield from lock_table(txn, table_id, "X")


def _image_ids(plan: _Plan, frame: Frame) -> Iterator[int]:
    """The rows of others that decide what the statement does: a clause would change them, or their being there keeps a
    row of the source from being added."""
    tested = [c for c in plan.clauses if c.test is not None]
    for row_id, mark, *tests in plan.images.fetch(frame):
        when = "MATCHED" if mark is not None else "NOT MATCHED BY SOURCE"
        acts = any(c.node.when == when and (c.test is None or tests[tested.index(c)] == 1) for c in plan.clauses)
        if row_id is not None and (acts or (mark is not None and plan.adds)):
            yield row_id


def _images(frame: Frame, plan: _Plan, node: MergeStatement, limit: RowLimit) -> tuple[RowImages, list[int]]:
    """What the clauses say to the rows of the join, and the target rows whose match keeps a row from being added though
    no clause changes them. Raises 8672."""
    images = RowImages("MERGE")
    kept: list[int] = []
    touched: set[int] = set()
    width = plan.bound.width
    most = limit.before(frame)
    later: list[tuple[_Clause, int, tuple[Any, ...]]] = []
    for row in checked_rows(plan.rows.fetch(frame)):
        row_id, values = row[0], row[1:]
        if row_id is None:
            when = "NOT MATCHED"
        else:
            when = "MATCHED" if values[plan.mark] is not None else "NOT MATCHED BY SOURCE"
        clause = next(
            (c for c in plan.clauses if c.node.when == when and (c.test is None or values[c.test] == 1)), None
        )
        if clause is None:
            if plan.adds and when == "MATCHED":
                kept.append(row_id)
            continue
        if row_id is not None:
            if row_id in touched:
                raise sql_error(8672, span=node.span)
            touched.add(row_id)
        if most is not None and images.count >= most:
            break
        if limit.is_percent:
            later.append((clause, row_id, values))
        else:
            _act(frame, plan, clause, images, row_id, list(values[:width]), values)
    for clause, row_id, values in later[: limit.of(frame, len(later))]:
        _act(frame, plan, clause, images, row_id, list(values[:width]), values)
    return images, kept


def _act(
    frame: Frame, plan: _Plan, clause: _Clause, images: RowImages, row_id: int, old: list[Any], values: Sequence[Any]
) -> None:
    shown = tuple(values[plan.shown_from :])
    if clause.set is not None:
        extra = values[clause.values : clause.values + len(clause.set.extras)]
        images.updated.append(Updated(row_id, old, clause.set.new_row(frame, old, extra), shown))
    elif clause.insert is not None:
        images.inserted.append(Inserted(clause.insert.new_row(frame, clause.cells, values), shown))
    else:
        images.deleted.append(Deleted(row_id, old, shown))


def _fill_identity(
    frame: Frame, store: Any, plan: _Plan, images: RowImages, node: MergeStatement, taken: Identities | None
) -> Any:
    target = next(c.insert for c in plan.clauses if c.insert is not None)
    target.check_identity(frame.session, node.span)
    position = plan.bound.identity
    assert position is not None
    if target.gives_identity:
        for inserted in images.inserted:
            store.note_identity(int(inserted.new[position]))
        return images.inserted[-1].new[position]
    if taken is None or len(taken[0]) != len(images.inserted):
        taken = store.take_identities(len(images.inserted))
    values, images.is_fresh_identity = taken
    for inserted, value in zip(images.inserted, values, strict=True):
        inserted.new[position] = identity_value(plan.bound, value)
    return values[-1]
