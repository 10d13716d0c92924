"""UPDATE: SET of columns and variables, FROM, TOP, OUTPUT, WHERE CURRENT OF.

New values are computed by the query that finds the rows, so that they see the rows before the change. Only when a
variable that SET assigns is read in SET too are the values computed row by row here. Rows are locked, and if that took
a wait or somebody was quicker, the query is run again: READ COMMITTED.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.output import (
    OutputPlan,
    expand_stars,
    extra_columns,
    output_plan,
    shared_tables,
    write_found,
)
from sbql.engine.modification.private_writes import is_own, is_private
from sbql.engine.modification.row_changes import is_plain_update, show_and_fire, update_one
from sbql.engine.modification.search import Search, assigned, make_search
from sbql.engine.modification.set_changes import SetChange, SetValue, takes_set_update
from sbql.engine.modification.set_completion import computed_columns, read_by_computed
from sbql.engine.modification.set_joins import SetJoin
from sbql.engine.modification.set_output import deliver_set
from sbql.engine.modification.set_plan import Compute, SetPlan, is_sequential, set_plan, type_setters
from sbql.engine.modification.sources import TargetRows
from sbql.engine.modification.statement import Writing, writes
from sbql.engine.modification.target import called, check_permission, check_target_hints, rows_of
from sbql.engine.modification.triggers import fire_instead_of, is_instead
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.joined_updates import joined_tables, translate_joined_update
from sbql.engine.query.statement import unsupported
from sbql.engine.query.translation import Beginning
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import LateBound
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.row_images import RowImages, Updated
from sbql.engine.work import Suspend, at_once
from sbql.grammar.ast import (
    Assignment,
    ColumnReference,
    QueryExpression,
    UpdateStatement,
)
from sbql.grammar.tree import columns_in, find_all
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked_rows


class _Plan(Struct):
    search: Search
    set: SetPlan
    output: OutputPlan | None
    shared: tuple[BoundTable, ...]
    as_set: SetChange | None = None
    as_join: SetJoin | None = None
    is_plain: bool = False
    """One row that is found is all the work."""
    is_alone: bool = False
    """Nobody else sees the table."""


@writes(UpdateStatement)
def update(node: UpdateStatement, compiler: Compiler) -> Writing:
    compiler.scope.check_writable(node.target)
    check_target_hints(node.target)
    scope = compiler.scope
    for item in node.assignments:
        if item.variable is not None:
            scope.lookup(item.variable, item.span)
    expectation = Expectation()
    late = LateBound(lambda session: scope.within(node.with_, lambda: _plan(node, session, scope, expectation)))
    return Writing(late, _update, _update_privately if is_private(node) else None, is_own(node))


def _plan(node: UpdateStatement, session: Session, scope: Scope, expectation: Expectation) -> _Plan:
    node = replace(node, output=expand_stars(node.output, node.from_, node.with_, scope, session))
    wanted = extra_columns(node.output)
    search = make_search(node, session, scope)
    bound = search.bound
    assignments = [assigned(search.target, a, session) for a in node.assignments]
    written = [a.column.name.lower() for a in assignments if a.column is not None]
    search.target.check_permission(session, "UPDATE", node.target.span, written)
    if node.from_ is None and search.target.columns is None:
        read = {c.name.lower() for a in assignments if a.expression is not None for c in columns_in(a.expression)}
        if read:
            check_permission(session, bound.table, "SELECT", node.target.span, read)
    sequential = is_sequential(assignments) or node.current_of is not None
    plan = set_plan(assignments, bound, scope, search.target.parts)
    if sequential:
        references = list(dict.fromkeys(c for e in plan.extras for c in columns_in(e)))
        if node.current_of is not None:
            references = []
        types = search.finish([*references, *wanted], session, scope)
        _row_by_row(plan, assignments, search, scope, session, references, types)
        shown_from = len(references)
    else:
        types = search.finish([*plan.extras, *wanted], session, scope)
        type_setters(plan, assignments, bound, scope, types)
        shown_from = len(plan.extras)
    search.shown_from = shown_from
    output = None
    if node.output is not None:
        output = output_plan(
            node.output,
            bound,
            session,
            scope,
            list(zip(wanted, types[shown_from:], strict=True)),
            search.target,
            verb="UPDATE",
            called=called(node.target),
        )
    as_set = None if sequential else _as_set(node, search, plan, output, wanted, scope, session, expectation)
    is_plain = (
        output is None and not search.is_triggered and bool(plan.columns) and is_plain_update(bound, plan.columns)
    )
    as_join = None
    if as_set is not None and output is None and node.top is None:
        as_join = _as_join(node, search, plan, session, scope, expectation)
    return _Plan(
        search, plan, output, shared_tables(search.shared, output), as_set, as_join, is_plain, search.is_private
    )


def _as_set(
    node: UpdateStatement,
    search: Search,
    plan: SetPlan,
    output: OutputPlan | None,
    wanted: Sequence[ColumnReference],
    scope: Scope,
    session: Session,
    expectation: Expectation,
) -> SetChange | None:
    """The way of a set, where SET and the table have nothing against it."""
    bound = search.bound
    if not search.may_be_set or any(setter.is_special for setter in plan.setters):
        return None
    values = [SetValue(s.position, s.extra, s.default) for s in plan.setters if s.position is not None]
    if not takes_set_update(bound, session, values):
        return None
    read = {name.lower() for check in bound.checks for name in check.columns}
    changed = {value.position for value in values}
    computed = computed_columns(bound, changed).keys()
    if any(len(f.child_positions) > 1 and not computed.isdisjoint(f.child_positions) for f in bound.foreign_keys):
        return None  # the other columns of such a key may be computed of columns that nobody reads
    foreign = (f.child_positions for f in bound.foreign_keys if not changed.isdisjoint(f.child_positions))
    versions = () if bound.row_version is None else (bound.row_version,)
    shown = () if output is None else output.columns_read(changed.union(computed, versions))
    known = read_by_computed(bound, changed).union(*foreign, shown)
    kept = [i for i, column in enumerate(bound.table.columns) if i in known or column.name.lower() in read - {""}]
    images = search.target.images()
    extras = [*plan.extras, *(images[position] for position in kept), *wanted]

    def translate(session: Session, beginning: Beginning) -> TargetRows:
        found: TargetRows = scope.within(node.with_, lambda: search.translated(extras, scope, session, beginning))
        return found

    may_repeat = search.from_ is not None or search.target.columns is not None
    return SetChange(bound, expectation, translate, may_repeat, search.limit, values, len(plan.extras), kept)


def _as_join(
    node: UpdateStatement, search: Search, plan: SetPlan, session: Session, scope: Scope, expectation: Expectation
) -> SetJoin | None:
    """The way of one step, for what has the way of a set and is a join of tables."""
    bound = search.bound
    values = [setter for setter in plan.setters if setter.position is not None]
    if search.from_ is None or search.target.columns is not None or node.with_ is not None or bound.checks:
        return None
    if bound.row_version is not None or computed_columns(bound, plan.columns):
        return None
    if any(not plan.columns.isdisjoint(foreign.child_positions) for foreign in bound.foreign_keys):
        return None
    tables = joined_tables(search.from_, search.target.source, node.where)
    if tables is None or any(setter.extra is None for setter in values):
        return None
    if any(True for extra in plan.extras for _ in find_all(extra, QueryExpression)):
        return None
    positions = [setter.position for setter in values if setter.position is not None]
    return SetJoin(
        bound,
        expectation,
        positions,
        session.binding_key,
        lambda session, beginning: translate_joined_update(tables, plan.extras, beginning, scope, session),
    )


def _row_by_row(
    plan: SetPlan,
    assignments: Sequence[Assignment],
    search: Search,
    scope: Scope,
    session: Session,
    references: Sequence[ColumnReference],
    types: Sequence[SqlType],
) -> None:
    """SET in order, each row after the other, as `SET @n = c = @n + 1` wants it."""
    for setter in plan.setters:
        if setter.modify is not None and setter.columns:
            raise unsupported("sql:column() in modify() where SET reads a variable that it assigns", setter.modify.span)
    bound = search.bound
    own = zip(search.target.image_names(), bound.types, strict=True)
    layout = [RowColumn(search.alias.lower(), name, sql_type) for name, sql_type in own]
    for reference, sql_type in zip(references, types, strict=False):
        qualifier = reference.parts[-2] if len(reference.parts) > 1 else None
        layout.append(RowColumn(qualifier.value.lower() if qualifier is not None else "", reference.name, sql_type))
    rows = RowScope(layout, session, scope)
    found: list[SqlType] = []
    for setter in plan.setters:
        if setter.extra is not None:
            run, sql_type = rows.scalar(plan.extras[setter.extra])
            setter.compute = _first(run, len(layout))
            if setter.part is not None:
                runs = [rows.scalar(end)[0] for end in setter.part]
                setter.ends = _first(runs[0], len(layout)), _first(runs[1], len(layout))
            found.append(sql_type)
    kept, plan.extras = plan.extras, []
    for setter in plan.setters:
        if setter.extra is not None:
            setter.extra = len(plan.extras)
            plan.extras.append(kept[setter.extra])
    type_setters(plan, assignments, bound, scope, found)
    for setter in plan.setters:
        setter.extra = None


def _first(run: Compute, width: int) -> Compute:
    """Behind the values that SET reads come those that only OUTPUT wants."""
    return lambda frame, values: run(frame, values[:width])


def _update_privately(frame: Frame, plan: _Plan) -> tuple[int, ResultSet | None]:
    """In a table variable."""
    done: tuple[int, ResultSet | None] = at_once(_update(frame, None, plan))
    return done


def _update(frame: Frame, txn: Any, plan: _Plan) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    search = plan.search
    bound = search.bound
    store: Any = rows_of(bound, search.slot, frame, txn) if not search.is_triggered else None
    if plan.as_set is not None and plan.as_set.expectation.wants_set(frame, txn):
        count = (yield from plan.as_join.perform(frame, txn)) if plan.as_join is not None else None
        if count is not None:
            return count, None
        deliver = None if plan.output is None else partial(deliver_set, frame, txn, plan.output)
        done = yield from plan.as_set.perform(frame, txn, deliver)
        if done is not None:
            return done
    matches = search.matches(frame, store) if plan.is_alone else (yield from search.locked_rows(frame, txn, store))
    if plan.is_plain and len(matches) == 1:
        row_id, old, extra = matches[0]
        update_one(frame, store, Updated(row_id, old, plan.set.new_row(frame, old, extra)))
        search.written(frame)
        if plan.as_set is not None:
            plan.as_set.expectation.note(frame, 1)
        return 1, None
    images = RowImages("UPDATE", columns=plan.set.columns)
    for row_id, old, extra in checked_rows(matches):
        new = plan.set.new_row(frame, old, extra)
        images.updated.append(Updated(row_id, old, new, tuple(extra[search.shown_from :])))
    if plan.as_set is not None:
        plan.as_set.expectation.note(frame, len(images.updated))
    if not plan.set.columns:
        return len(images.updated), None
    if is_instead(frame.session, bound, "UPDATE"):
        triggers = fire_instead_of(frame, bound, images, "UPDATE")
        return images.count, (yield from show_and_fire(frame, txn, images, plan.output, triggers))
    return len(images.updated), (yield from write_found(frame, txn, search, store, images, plan.output))
