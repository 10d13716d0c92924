"""Cursors: DECLARE, OPEN, FETCH, CLOSE, DEALLOCATE and cursor variables.

What a cursor is stands in `cursors/cursor.py`, what its query can be in `cursor_plan.py`, how its rows are found in
`cursor_rows.py`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from sbql.engine.cursors.cursor import Cursor, cursor_maker, find_cursor, no_cursor
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.query.shown_rows import show_rows
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import (
    CloseCursorStatement,
    ColumnReference,
    DeallocateCursorStatement,
    DeclareCursorStatement,
    FetchCursorStatement,
    Identifier,
    OpenCursorStatement,
    SetCursorVariableStatement,
    SetVariableStatement,
    Span,
    VariableReference,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import BIGINT, SqlType
from sbql.grammar.values.conversions import converter

__all__ = ["compile_cursor_assignment"]

# --- finding -----------------------------------------------------------------------------------------------


Finder = Callable[[Frame], Cursor]


def _finder(compiler: Compiler, cursor: Identifier | VariableReference, is_global: bool) -> Finder:
    """How a statement finds its cursor at run time: a variable, a local name, a global name. Raises 16950, 16916."""
    if isinstance(cursor, VariableReference):
        name = cursor.name
        slot = compiler.scope.lookup_cursor(name)

        def from_variable(frame: Frame) -> Cursor:
            found = frame.variables[slot]
            if found is None:
                raise no_cursor(name)
            assert isinstance(found, Cursor)
            return found

        return from_variable
    plain, key = cursor.value, cursor.value.lower()

    def by_name(frame: Frame) -> Cursor:
        found: Cursor | None = None if is_global else frame.cursors.get(key)
        if found is None:
            found = frame.session.cursors.get(key)
        return find_cursor(frame, plain, is_global) if found is None else found

    return by_name


# --- DECLARE, SET ------------------------------------------------------------------------------------------


@handles(DeclareCursorStatement)
def compile_declare_cursor(node: DeclareCursorStatement, compiler: Compiler) -> Step:
    """GLOBAL unless LOCAL is said, here or as CURSOR_DEFAULT of the database."""
    name = node.name.value
    make = cursor_maker(node.definition, compiler.scope, name)
    scope = {"LOCAL", "GLOBAL"} & set(node.definition.options)

    def run(frame: Frame) -> int:
        is_local = "LOCAL" in scope or (not scope and frame.session.database.options.get("CURSOR_DEFAULT") == "LOCAL")
        cursors = frame.cursors if is_local else frame.session.cursors
        if name.lower() in cursors:
            raise sql_error(16915, name, span=node.span)
        cursors[name.lower()] = make(frame)
        return 0

    return Step(run)


@handles(SetCursorVariableStatement)
def compile_set_cursor(node: SetCursorVariableStatement, compiler: Compiler) -> Step:
    slot = compiler.scope.lookup_cursor(node.name)
    make = cursor_maker(node.definition, compiler.scope, node.name)

    def run(frame: Frame) -> None:
        frame.variables[slot] = make(frame)

    return Step(run)


def compile_cursor_assignment(node: SetVariableStatement, compiler: Compiler) -> Step:
    """SET @c = @other or SET @c = name: both mean one cursor from now on."""
    slot = compiler.scope.lookup_cursor(node.name, node.span)
    value: Any = node.value
    if node.op != "=" or not isinstance(value, ColumnReference | VariableReference):
        raise sql_error(206, "the expression", "cursor", span=node.span)
    if isinstance(value, VariableReference):
        other = compiler.scope.lookup_cursor(value.name)

        def share(frame: Frame) -> None:
            frame.variables[slot] = frame.variables[other]

        return Step(share)

    def run(frame: Frame) -> None:
        frame.variables[slot] = find_cursor(frame, value.name, False)

    return Step(run)


# --- OPEN, CLOSE, DEALLOCATE -------------------------------------------------------------------------------


@handles(OpenCursorStatement)
def compile_open(node: OpenCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global)

    def run(frame: Frame) -> int:
        cursor = find(frame)
        frame.session.begin_implicitly()
        cursor.open(frame.session)
        frame.session.note_opened(weakref.ref(cursor))
        return 0

    return Step(run)


@handles(CloseCursorStatement)
def compile_close(node: CloseCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global)

    def run(frame: Frame) -> int:
        find(frame).close(frame.session)
        return 0

    return Step(run)


@handles(DeallocateCursorStatement)
def compile_deallocate(node: DeallocateCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global)
    key, slot = "", None
    if isinstance(node.cursor, Identifier):
        key = node.cursor.value.lower()
    else:
        slot = compiler.scope.lookup_cursor(node.cursor.name)

    def run(frame: Frame) -> int:
        cursor = find(frame)
        if slot is not None:
            frame.variables[slot] = None
            return 0
        local = frame.cursors
        if not node.is_global and local.get(key) is cursor:
            del local[key]
        else:
            del frame.session.cursors[key]
        return 0

    return Step(run)


# --- FETCH -------------------------------------------------------------------------------------------------


@handles(FetchCursorStatement)
def compile_fetch(node: FetchCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global)
    targets = [compiler.scope.lookup(variable.name) for variable in node.into]
    offset = convert_scalar(compiler.scalar(node.offset), BIGINT).run if node.offset is not None else _nowhere

    orientation, wanted = node.orientation, len(targets)
    is_next = orientation == "NEXT"
    kept: tuple[tuple[ResultColumn, ...], list[tuple[int, Callable[[Any], Any] | None]]] = (), []
    """The converters for the columns that were met last. One tuple: other threads run this step, too."""

    def run(frame: Frame) -> Work:
        nonlocal kept
        session = frame.session
        cursor = find(frame)
        if cursor.rows is None:
            raise sql_error(16917, span=node.span)
        if session.options.implicit_transactions:
            session.begin_implicitly()
        if cursor.plan.sources:
            cursor.check_schema(session)
        distance = 0
        if not is_next:
            _check_orientation(cursor, node)
            distance = offset(frame) or 0
        columns = cursor.plan.columns
        if wanted and wanted != len(columns):
            raise sql_error(16924, span=node.span)
        row = cursor.fetch(orientation, distance)
        if row is not None and session.trancount and cursor.concurrency == "SCROLL_LOCKS":
            row = yield from _locked(cursor, session, row)
        session.note_fetch(cursor.fetch_status)
        if not wanted:
            return show_rows(session, columns, [row[: len(columns)]] if row is not None else [])
        if row is not None:
            known, into = kept
            if known is not columns:
                into = _converters(targets, columns, node.span)
                kept = columns, into
            variables = frame.variables
            for value, (slot, convert) in zip(row, into, strict=False):
                variables[slot] = value if value is None or convert is None else convert(value)
        return cursor.row_count

    return Step(run, waits=True)


def _nowhere(frame: Frame) -> int:
    return 0


def _converters(
    targets: list[tuple[int, SqlType]], columns: tuple[ResultColumn, ...], span: Span
) -> list[tuple[int, Callable[[Any], Any] | None]]:
    """Where the columns of a row go and how they become the variables' types. Raises 16922."""
    found = []
    for column, (slot, target) in zip(columns, targets, strict=True):
        try:
            found.append((slot, converter(column.type, target)))
        except SqlError:
            raise sql_error(16922, column.type.name, target.name, span=span) from None
    return found


def _locked(cursor: Cursor, session: Session, row: tuple[Any, ...]) -> Work:
    """SCROLL_LOCKS: lock the row until the transaction ends, and give it as it is then."""
    transaction = session.transaction
    assert transaction is not None, "a cursor with SCROLL_LOCKS is read in a transaction"
    sources = cursor.plan.sources
    ids = row[len(cursor.plan.columns) :]
    has_waited = False
    for source, row_id in zip(sources, ids, strict=False):
        if source.table.session_id or row_id is None or source.storage.startswith("@"):
            continue
        yield from transaction.lock(("table", source.table.id), "IX", "LCK_M_IX")
        resource = ("row", source.table.id, row_id)
        if not session.instance.locks.try_acquire(transaction.owner, resource):
            has_waited = True
            yield from transaction.lock(resource, "X", "LCK_M_U")
    return cursor.fetch("RELATIVE", 0) if has_waited else row


def _check_orientation(cursor: Cursor, node: FetchCursorStatement) -> None:
    """Raises 16911 (forward only), 16925 (ABSOLUTE on a dynamic cursor)."""
    if not cursor.is_scrollable:
        raise sql_error(16911, "fetch", node.orientation.lower(), span=node.span)
    if node.orientation == "ABSOLUTE" and cursor.plan.reads_on:
        raise sql_error(16925, "absolute", span=node.span)
