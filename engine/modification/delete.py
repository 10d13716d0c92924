"""DELETE: rows found by WHERE, FROM joins, TOP or a cursor, with OUTPUT of what went."""

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
from sbql.engine.modification.row_changes import show_and_fire
from sbql.engine.modification.search import Search, make_search
from sbql.engine.modification.set_changes import SetChange
from sbql.engine.modification.set_output import deliver_set
from sbql.engine.modification.sources import TargetRows
from sbql.engine.modification.statement import Writing, writes
from sbql.engine.modification.target import called, check_target_hints, rows_of
from sbql.engine.modification.triggers import fire_instead_of, is_instead
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.translation import Beginning
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import LateBound
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_images import Deleted, RowImages
from sbql.engine.work import Suspend, at_once
from sbql.grammar.ast import ColumnReference, DeleteStatement


class _Plan(Struct):
    search: Search
    output: OutputPlan | None
    shared: tuple[BoundTable, ...]
    as_set: SetChange | None = None


@writes(DeleteStatement)
def delete(node: DeleteStatement, compiler: Compiler) -> Writing:
    compiler.scope.check_writable(node.target)
    check_target_hints(node.target)
    scope = compiler.scope
    expectation = Expectation()
    late = LateBound(lambda session: _plan(node, session, scope, expectation))
    return Writing(late, _delete, _delete_privately if is_private(node) else None, is_own(node))


def _plan(node: DeleteStatement, session: Session, scope: Scope, expectation: Expectation) -> _Plan:
    node = replace(node, output=expand_stars(node.output, node.from_, node.with_, scope, session))
    wanted = extra_columns(node.output)
    search = make_search(node, session, scope)
    search.target.check_permission(session, "DELETE", node.target.span)
    types = search.finish(wanted, session, scope)
    output = None
    if node.output is not None:
        output = output_plan(
            node.output,
            search.bound,
            session,
            scope,
            list(zip(wanted, types, strict=True)),
            search.target,
            verb="DELETE",
            called=called(node.target),
        )
    as_set = _as_set(node, search, output, wanted, scope, expectation)
    return _Plan(search, output, shared_tables(search.shared, output), as_set)


def _as_set(
    node: DeleteStatement,
    search: Search,
    output: OutputPlan | None,
    wanted: Sequence[ColumnReference],
    scope: Scope,
    expectation: Expectation,
) -> SetChange | None:
    """The way of a set, where the statement and the table have nothing against it."""
    bound = search.bound
    itself = any(foreign.child.id == bound.table.id for foreign in bound.referenced_by)
    if not search.may_be_set or bound.triggers or itself:
        return None
    kept = [] if output is None else output.columns_read({})
    images = search.target.images()
    extras = [*(images[position] for position in kept), *wanted]

    def translate(session: Session, beginning: Beginning) -> TargetRows:
        found: TargetRows = scope.within(node.with_, lambda: search.translated(extras, scope, session, beginning))
        return found

    may_repeat = search.from_ is not None or search.target.columns is not None
    return SetChange(bound, expectation, translate, may_repeat, search.limit, kept=kept)


def _delete_privately(frame: Frame, plan: _Plan) -> tuple[int, ResultSet | None]:
    """Out of a table variable."""
    search = plan.search
    store: Any = rows_of(search.bound, search.slot, frame, None)
    images = RowImages("DELETE", deleted=[Deleted(*match) for match in search.matches(frame, store)])
    if plan.output is None:
        store.delete(images.deleted)
        return len(images.deleted), None
    return len(images.deleted), at_once(write_found(frame, None, search, store, images, plan.output))


def _delete(frame: Frame, txn: Any, plan: _Plan) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    search = plan.search
    bound = search.bound
    store: Any = rows_of(bound, search.slot, frame, txn) if not search.is_triggered else None
    if plan.as_set is not None and plan.as_set.expectation.wants_set(frame, txn):
        deliver = None if plan.output is None else partial(deliver_set, frame, txn, plan.output)
        done = yield from plan.as_set.perform(frame, txn, deliver)
        if done is not None:
            return done
    matches = yield from search.locked_rows(frame, txn, store)
    if plan.as_set is not None:
        plan.as_set.expectation.note(frame, len(matches))
    images = RowImages("DELETE", deleted=[Deleted(row_id, old, extra) for row_id, old, extra in matches])
    if is_instead(frame.session, bound, "DELETE"):
        triggers = fire_instead_of(frame, bound, images, "DELETE")
        return images.count, (yield from show_and_fire(frame, txn, images, plan.output, triggers))
    return images.count, (yield from write_found(frame, txn, search, store, images, plan.output))
