"""INSERT: VALUES, DEFAULT VALUES, SELECT and EXEC, into tables, temp tables, table variables and simple views.

It decides which value goes into which column; what a row must satisfy is the write mechanism's. One row of VALUES into
a table without triggers and OUTPUT is the hot path: no images, no query but the look-up of a key.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from sbql.engine.direct.form import is_in_memory
from sbql.engine.documents.for_xml_checks import refuse_clause
from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.identity_values import Identities, fill_identity, identity_value, no_identity
from sbql.engine.modification.insert_targets import InsertTarget, make_target, target_of
from sbql.engine.modification.nested import NestedRows, check_outer_target, nested_rows
from sbql.engine.modification.output import OutputPlan, output_plan, refuse_extra_columns, shared_tables
from sbql.engine.modification.private_writes import is_own, is_private
from sbql.engine.modification.row_changes import insert_one, insert_private, show_and_fire, write
from sbql.engine.modification.set_insert import Left, SetInsert, set_insert
from sbql.engine.modification.set_output import deliver_set
from sbql.engine.modification.sources import QueryRows, RowLimit, query_rows, run_procedure
from sbql.engine.modification.statement import Writing, writes
from sbql.engine.modification.target import check_target_hints, rows_of, variable_shape
from sbql.engine.modification.triggers import fire_instead_of, is_instead
from sbql.engine.modification.views import insert_target
from sbql.engine.modification.writable import Target
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.one_row import plain_values
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.session_options import SessionOptions
from sbql.engine.steps import LateBound, Step
from sbql.engine.tables.bound_table import BoundTable, bind_shape
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.row_expressions import parse_expression
from sbql.engine.tables.row_images import Inserted, RowImages
from sbql.engine.work import Suspend, at_once
from sbql.grammar.ast import (
    DefaultValue,
    DefaultValuesSource,
    ExecuteSource,
    Identifier,
    InsertStatement,
    NamedTable,
    NextValueFor,
    NullLiteral,
    QuerySource,
    Span,
    ValuesSource,
    VariableTable,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["insert_rows", "place"]

Cell = tuple[int, Callable[[Frame], Any], Converter | None]

_MOST_ROWS: Final = 1_000
"""Of VALUES behind INSERT."""


class _Plan(Struct):
    target: InsertTarget
    rows: list[list[Cell]]
    query: QueryRows | None
    converters: list[Converter | None]
    output: OutputPlan | None
    is_simple: bool
    shares_values: bool
    shared: tuple[BoundTable, ...]
    as_set: SetInsert | None = None


@writes(InsertStatement)
def insert(node: InsertStatement, compiler: Compiler) -> Writing:
    compiler.scope.check_writable(node.target)
    check_target_hints(node.target)
    node = _with_values(node)
    source = node.source
    scope = compiler.scope
    slot = scope.lookup_table(node.target.name, node.target.span)[0] if isinstance(node.target, VariableTable) else None
    scalars: list[list[Any]] = []
    execute: Step | None = None
    nested: NestedRows | None = None
    if isinstance(source, ValuesSource):
        scalars = [[None if isinstance(c, DefaultValue) else compiler.scalar(c) for c in row] for row in source.rows]
        _check_widths(node, source)
    elif isinstance(source, ExecuteSource):
        if node.output is not None:
            raise sql_error(483, span=node.output.span)
        execute = compiler.statement(source.statement)
    elif isinstance(source, QuerySource):
        refuse_clause(source.query.for_, "INSERT")
        nested = nested_rows(source.query, compiler)
    limit = RowLimit(node.top, compiler.scope)

    expectation = Expectation()

    def perform(frame: Frame, txn: Any, plan: _Plan) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
        if plan.is_simple:
            return _insert_simple(frame, txn, plan, node.span)
        if plan.as_set is not None and expectation.wants_set(frame, txn):
            return _insert_set(frame, txn, plan, plan.as_set, limit, node.span)
        return _insert(frame, txn, plan, node, execute, nested, limit)

    def perform_privately(frame: Frame, plan: _Plan) -> tuple[int, ResultSet | None]:
        if plan.is_simple:
            return _insert_into_variable(frame, plan, node.span)
        done: tuple[int, ResultSet | None] = at_once(_insert(frame, None, plan, node, None, None, limit))
        return done

    late = LateBound(lambda session: _plan(node, session, scope, slot, scalars, nested, expectation))
    return Writing(late, perform, perform_privately if is_private(node) else None, is_own(node))


def _with_values(node: InsertStatement) -> InsertStatement:
    """SELECT of one row without FROM as VALUES, if it says the same: a number of values that does not fit, and a
    NULL that may be meant for an identity column, have errors of their own there."""
    source = node.source
    values = plain_values(source.query, node.with_) if isinstance(source, QuerySource) else None
    if values is None or (node.columns and len(node.columns) != len(values)):
        return node
    if node.columns and any(isinstance(value, NullLiteral) for value in values):
        return node
    return replace(node, source=ValuesSource((values,), span=source.span))


def _insert(
    frame: Frame, txn: Any, plan: _Plan, node: InsertStatement, execute: Step | None, nested: NestedRows | None, limit: RowLimit,
) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:  # fmt: skip
    if nested is not None:
        yield from nested.perform(frame, txn)
    identities = frame.identities
    rows = yield from _source_rows(frame, plan, execute)
    most = limit.of(frame, len(rows))
    if most < len(rows):
        rows = rows[:most]
    if plan.as_set is not None:
        plan.as_set.expectation.note(frame, len(rows))
    done = yield from insert_rows(frame, txn, plan.target, rows, plan.output, node.span)
    if nested is not None:  # the identities that count are those of the statement in FROM
        frame.identities = identities
    return done


def _insert_set(
    frame: Frame, txn: Any, plan: _Plan, as_set: SetInsert, limit: RowLimit, span: Span
) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    """INSERT … SELECT by DuckDB alone, if it can be."""
    target = plan.target
    deliver = None if plan.output is None else partial(deliver_set, frame, txn, plan.output)
    done = yield from as_set.perform(frame, txn, lambda: target.check_identity(frame.session, span), limit, deliver)
    if not isinstance(done, Left):
        return done
    rows = place(done.rows, target.bound.width, target.positions, plan.converters)
    return (yield from insert_rows(frame, txn, target, rows, plan.output, span, identities=done.identities))


def _check_widths(node: InsertStatement, source: ValuesSource) -> None:
    """Raises 10738, 10709, 109, 110. A table of values in FROM may have any number of rows."""
    if len(source.rows) > _MOST_ROWS:
        raise sql_error(10738, f"{_MOST_ROWS:,}", span=source.span)
    width = len(source.rows[0])
    if any(len(row) != width for row in source.rows):
        raise sql_error(10709, span=source.span)
    if node.columns and len(node.columns) != width:
        raise sql_error(109 if len(node.columns) > width else 110, span=node.span)


def _plan(
    node: InsertStatement,
    session: Session,
    scope: Scope,
    slot: int | None,
    scalars: list[list[Any]],
    nested: NestedRows | None,
    expectation: Expectation,
) -> _Plan:
    names: Sequence[Identifier] = node.columns
    into: Target | None = None
    if isinstance(node.target, VariableTable):
        _, shape = variable_shape(scope, node.target)
        bound = bind_shape(shape, session, display=node.target.name)
        bound.needs_locks = False
    else:
        assert isinstance(node.target, NamedTable)
        if nested is not None:
            check_outer_target(session, node)
        into, names = insert_target(session, scope, node)
        bound, slot = into.bound, into.slot
        into.check_permission(session, "INSERT", node.target.span)
    source = node.source
    query = None
    if isinstance(source, DefaultValuesSource):
        target = target_of(bound, slot)
        rows: list[list[Cell]] = [[]]
        types: Sequence[SqlType] = ()
    else:
        target = make_target(bound, slot, names)
        if isinstance(source, QuerySource):
            select = source.query if nested is None else nested.query_over_rows(session)
            query = query_rows(select, node.with_, scope, session)
            types = query.types
            _check_count(target, len(types), node)
        elif scalars:
            _check_count(target, len(scalars[0]), node)
        if bound.row_version in target.positions:
            place = target.positions.index(bound.row_version)
            if not scalars or any(row[place] is not None for row in scalars):
                raise sql_error(273, span=node.span)
        if target.gives_identity and isinstance(source, ValuesSource):
            _check_given_identity(source, target.positions.index(bound.identity))
        rows = [_cells(target, row, session.options) for row in scalars]
    converters: list[Converter | None] = []
    if query is not None:
        converters = [
            _column_converter(bound, t, p, session.options) for t, p in zip(query.types, target.positions, strict=True)
        ]
    output = None
    if node.output is not None:
        refuse_extra_columns(node.output)
        output = output_plan(node.output, bound, session, scope, (), into, verb="INSERT")
    is_plain = not (bound.triggers or bound.view_check is not None or bound.late_checks or bound.ignores_duplicates)
    is_simple = len(rows) == 1 and query is None and output is None and is_plain and node.top is None
    sequences = [str(n.sequence).lower() for n in find_all(getattr(source, "rows", ()), NextValueFor)]
    if sequences:
        _check_sequence_defaults(target, sequences, node.span)
        is_simple = is_simple and len(sequences) == 1 and all(scalar is not None for scalar in scalars[0])
    if bound.shares_values and not isinstance(source, QuerySource | ExecuteSource):
        rows = [[*cells, *((position, default, None) for position, default in target.defaults)] for cells in rows]
        target, is_simple = msgspec.structs.replace(target, defaults=()), False
    as_set = None
    if query is not None and nested is None and slot is None and not is_in_memory(query.query):
        as_set = set_insert(bound, target.positions, target.defaults, query, session, expectation)
    shared = shared_tables(bound if slot is None else None, output) + (nested.tables(session) if nested else ())
    return _Plan(
        target, rows, query, converters, output, is_simple, bool(sequences) or bound.shares_values, shared, as_set
    )


def _check_given_identity(source: ValuesSource, place: int) -> None:
    """Raises 339 where VALUES writes NULL or DEFAULT for the identity column. (A
    NULL that is computed is error 515.)"""
    for row in source.rows:
        if isinstance(row[place], NullLiteral | DefaultValue):
            raise sql_error(339, span=row[place].span)


def _check_sequence_defaults(target: InsertTarget, sequences: list[str], span: Span) -> None:
    """A column whose default asks a sequence that VALUES asks too has to be in the column list. Raises 11731."""
    for position, _ in target.defaults:
        text = target.bound.table.columns[position].default
        for part in find_all(parse_expression(text), NextValueFor) if text is not None else ():
            if part.sequence.name.lower() in {s.split(".")[-1] for s in sequences}:
                raise sql_error(11731, span=span)


def _check_count(target: InsertTarget, width: int, node: InsertStatement) -> None:
    """The number of values against the columns. Raises 213, 120, 121, 8101."""
    if width == len(target.positions):
        return
    if node.columns:
        raise sql_error(120 if width < len(target.positions) else 121, span=node.span)
    bound = target.bound
    if bound.identity is not None and width == len(target.positions) + 1:
        raise sql_error(8101, bound.table.name, span=node.span)
    raise sql_error(213, span=node.span)


def _column_converter(bound: BoundTable, source: SqlType, position: int, options: SessionOptions) -> Converter | None:
    return assignment(source, bound.types[position], bound.full_name, bound.table.columns[position].name, options)


def _cells(target: InsertTarget, scalars: list[Any], options: SessionOptions) -> list[Cell]:
    """One row of VALUES as closures. DEFAULT is the column's default, or NULL."""
    cells: list[Cell] = []
    for position, scalar in zip(target.positions, scalars, strict=True):
        if scalar is None:
            default = target.bound.defaults[position]
            if default is not None:
                cells.append((position, default, None))
        else:
            cells.append((position, scalar.run, _column_converter(target.bound, scalar.type, position, options)))
    return cells


def _build(frame: Frame, width: int, cells: list[Cell]) -> list[Any]:
    row: list[Any] = [None] * width
    for position, run, convert in cells:
        value = run(frame)
        row[position] = value if value is None or convert is None else convert(value)
    return row


def _source_rows(frame: Frame, plan: _Plan, execute: Step | None) -> Generator[Suspend, None, list[list[Any]]]:
    """New rows with the given columns filled in."""
    width = plan.target.bound.width
    positions = plan.target.positions
    if execute is not None:
        found: list[list[Any]] = []
        for result in (yield from run_procedure(frame, execute, len(positions))):
            options = frame.session.options
            columns = zip(result.columns, positions, strict=True)
            converters = [_column_converter(plan.target.bound, c.type, p, options) for c, p in columns]
            found += place(result.rows, width, positions, converters)
        return found
    if plan.query is not None:
        return place(plan.query.fetch(frame), width, positions, plan.converters)
    if plan.shares_values:
        return [frame.of_row(partial(_build, frame, width, cells)) for cells in plan.rows]
    return [_build(frame, width, cells) for cells in plan.rows]


def place(
    rows: Sequence[Sequence[Any]], width: int, positions: Sequence[int], converters: Sequence[Converter | None]
) -> list[list[Any]]:
    """Values in the order of the column list to rows in the order of the table."""
    if tuple(positions) == tuple(range(width)):
        placed = [list(values) for values in checked_rows(rows)]
    else:
        placed = []
        for values in checked_rows(rows):
            row: list[Any] = [None] * width
            for position, value in zip(positions, values, strict=True):
                row[position] = value
            placed.append(row)
    if steps := [(p, convert) for p, convert in zip(positions, converters, strict=True) if convert is not None]:
        for row in checked_rows(placed):
            for position, convert in steps:
                value = row[position]
                if value is not None:
                    row[position] = convert(value)
    return placed


# --- doing it ----------------------------------------------------------------------------------------------


def _insert_simple(
    frame: Frame, txn: Any, plan: _Plan, span: Span
) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    store = rows_of(plan.target.bound, plan.target.slot, frame, txn)
    row, is_fresh = _only_row(frame, plan, store, span)
    yield from insert_one(frame, txn, store, row, is_fresh)
    _note_identity(frame, plan.target.bound, row)
    return 1, None


def _insert_into_variable(frame: Frame, plan: _Plan, span: Span) -> tuple[int, ResultSet | None]:
    store = rows_of(plan.target.bound, plan.target.slot, frame, None)
    row, is_fresh = _only_row(frame, plan, store, span)
    insert_private(frame, store, row, is_fresh)
    _note_identity(frame, plan.target.bound, row)
    return 1, None


def _only_row(frame: Frame, plan: _Plan, store: Any, span: Span) -> tuple[list[Any], bool]:
    """The row of VALUES, and whether its identity value is a new one."""
    target = plan.target
    bound = target.bound
    row = _build(frame, bound.width, plan.rows[0])
    for position, default in target.defaults:
        row[position] = default(frame)
    if bound.identity is None:
        return row, False
    target.check_identity(frame.session, span)
    if target.gives_identity:
        store.note_identity(int(row[bound.identity]))
        return row, False
    values, is_fresh = store.take_identities(1)
    row[bound.identity] = identity_value(bound, values[0])
    return row, is_fresh


def _note_identity(frame: Frame, bound: BoundTable, row: list[Any]) -> None:
    if bound.identity is not None:
        frame.identities = row[bound.identity], row[bound.identity]


def _fill(frame: Frame, row: list[Any], defaults: Sequence[tuple[int, Callable[[Frame], Any]]]) -> None:
    for position, default in defaults:
        row[position] = default(frame)


def insert_rows(
    frame: Frame,
    txn: Any,
    target: InsertTarget,
    rows: list[list[Any]],
    output: OutputPlan | None,
    span: Span,
    *,
    identities: Identities | None = None,
) -> Generator[Suspend, None, tuple[int, ResultSet | None]]:
    """Insert rows whose given columns are filled in: defaults, identity, the mechanism, OUTPUT. Returns the count and
    the result set. `identities` were taken for them already."""
    bound = target.bound
    if target.defaults:
        for row in checked_rows(rows):
            if bound.shares_values:
                frame.of_row(partial(_fill, frame, row, target.defaults))
            else:
                _fill(frame, row, target.defaults)
    images = RowImages("INSERT", [Inserted(row) for row in rows])
    if is_instead(frame.session, bound, "INSERT"):
        if bound.identity is not None and not target.gives_identity:
            no_identity(bound, rows)
        triggers = fire_instead_of(frame, bound, images, "INSERT")
        return len(rows), (yield from show_and_fire(frame, txn, images, output, triggers))
    store = rows_of(bound, target.slot, frame, txn)
    last = None
    if bound.identity is not None:
        target.check_identity(frame.session, span)
        last = fill_identity(store, target.gives_identity, rows, images, identities)
    try:
        if last is not None:  # for triggers, before the statement is over
            frame.identities = last, frame.scope_identity
        shown = yield from write(frame, txn, store, images, output)
    except BaseException:
        if target.slot is not None:
            store.undo(images)
        raise
    if last is not None:
        frame.scope_identity = last
    return len(images.inserted), shown
