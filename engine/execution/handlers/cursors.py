"""Cursors: DECLARE, OPEN, FETCH, CLOSE, DEALLOCATE, cursor variables, and the row that WHERE CURRENT OF means.

The rows of every cursor are read when it is opened. What differs: KEYSET and DYNAMIC cursors do not see later changes
of other sessions' or the session's own statements, except that a row deleted since is skipped (DYNAMIC) or fetched with
status -2 (KEYSET) when the cursor is over one table.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from sbql.catalog.records import Table
from sbql.engine.execution.compiled import LateBound, Step, handles
from sbql.engine.execution.compiler import Compiler
from sbql.engine.execution.scope import Frame, Scope
from sbql.engine.execution.writes.bound import bind
from sbql.engine.execution.writes.sources import CursorRows, bound_for, cursor_rows
from sbql.engine.outcomes import ResultColumn, ResultSet, RowsAffected
from sbql.grammar.ast import (
    CloseCursorStatement,
    CursorDefinition,
    DeallocateCursorStatement,
    DeclareCursorStatement,
    FetchCursorStatement,
    OpenCursorStatement,
    SetCursorVariableStatement,
    SetVariableStatement,
    Span,
    VariableReference,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import BIGINT
from sbql.grammar.values.conversions import converter

__all__ = ["Cursor", "compile_cursor_assignment", "current_row_id"]

FETCHED, NO_ROW, ROW_GONE = 0, -1, -2


class Cursor:
    """One declared cursor. `position` counts from 1; 0 is before the first row, len(rows) + 1 behind the last."""

    def __init__(
        self, name: str, late: LateBound[CursorRows], frame: Frame, options: frozenset[str], for_update: bool
    ) -> None:
        self.name = name
        self.late = late
        # Variables in the query keep the values they have now, whatever becomes of them later.
        self.frame = copy.copy(frame)
        self.frame.variables = list(frame.variables)
        self.options = options
        self.for_update = for_update
        self.is_open = False
        self.rows: list[tuple[Any, ...]] = []
        self.row_ids: list[int] | None = None
        self.table: Table | None = None
        self.columns: Sequence[ResultColumn] = ()
        self.position = 0
        self.fetch_status = -9
        self.references = 0

    @property
    def is_scrollable(self) -> bool:
        if "SCROLL" in self.options:
            return True
        return not self.options & {"FORWARD_ONLY", "FAST_FORWARD", "INSENSITIVE"} and bool(
            self.options & {"STATIC", "KEYSET", "DYNAMIC"}
        )

    @property
    def is_read_only(self) -> bool:
        return bool(self.options & {"READ_ONLY", "STATIC", "INSENSITIVE", "FAST_FORWARD"}) or self.row_ids is None

    @property
    def status(self) -> int:
        """As CURSOR_STATUS: 1 open with rows, 0 open without, -1 closed."""
        if not self.is_open:
            return -1
        return 1 if self.rows or "DYNAMIC" in self.options else 0

    @property
    def row_count(self) -> int:
        """@@CURSOR_ROWS."""
        if not self.is_open:
            return 0
        return -1 if "DYNAMIC" in self.options else len(self.rows)

    def open(self, session: Any) -> None:
        """Read the rows. Raises 16905."""
        if self.is_open:
            raise sql_error(16905)
        self.frame.session = session
        source = bound_for(self.late, self.frame)
        self.rows, self.row_ids = source.fetch(self.frame)
        self.columns, self.table = source.columns, source.table
        self.position = 0
        self.is_open = True

    def close(self) -> None:
        """Raises 16917."""
        if not self.is_open:
            raise sql_error(16917)
        self.is_open = False
        self.rows, self.row_ids = [], None
        self.position = 0


# --- finding -----------------------------------------------------------------------------------------------


Finder = Callable[[Frame], Cursor]


def _finder(compiler: Compiler, name: str, is_global: bool, span: Span) -> Finder:
    """How a statement finds its cursor at run time: a variable, a local name, a global name. Raises 16950, 16916."""
    if name.startswith("@"):
        slot = compiler.scope.lookup_cursor(name, span)

        def from_variable(frame: Frame) -> Cursor:
            found = frame.variables[slot]
            if found is None:
                raise _error(16950, name, span)
            assert isinstance(found, Cursor)
            return found

        return from_variable
    return lambda frame: find_cursor(frame, name, is_global, span)


def find_cursor(frame: Frame, name: str, is_global: bool, span: Span) -> Cursor:
    """A cursor by name, the local one first. Raises 16916."""
    key = name.lower()
    found: Cursor | None = None if is_global else frame.cursors.get(key)
    if found is None:
        found = frame.session.cursors.get(key)
    if found is None:
        raise sql_error(16916, name, span=span)
    return found


def _error(number: int, name: str, span: Span) -> SqlError:
    """16950 is an information message in the catalogue, yet it fails the statement."""
    error = sql_error(number, name, span=span)
    error.severity = 16
    return error


# --- DECLARE, SET ------------------------------------------------------------------------------------------


def _definition(definition: CursorDefinition, scope: Scope, name: str) -> Callable[[Frame], Cursor]:
    """Raises 16957 for FOR UPDATE on a cursor that cannot be updated."""
    options = frozenset(definition.options)
    for_update = definition.update_of is not None
    if for_update and options & {"READ_ONLY", "STATIC", "INSENSITIVE", "FAST_FORWARD"}:
        raise sql_error(16957, span=definition.span)
    query = definition.query
    late = LateBound(lambda session: cursor_rows(query, scope, session))
    return lambda frame: Cursor(name, late, frame, options, for_update)


@handles(DeclareCursorStatement)
def compile_declare_cursor(node: DeclareCursorStatement, compiler: Compiler) -> Step:
    """GLOBAL unless LOCAL is said, as SQL Server's default is."""
    make = _definition(node.definition, compiler.scope, node.name.value)
    name = node.name.value
    is_local = "LOCAL" in node.definition.options

    def run(frame: Frame) -> None:
        cursors = frame.cursors if is_local else frame.session.cursors
        if name.lower() in cursors:
            raise sql_error(16915, name, span=node.span)
        cursors[name.lower()] = make(frame)
        frame.session.rowcount = 0

    return Step(run)


@handles(SetCursorVariableStatement)
def compile_set_cursor(node: SetCursorVariableStatement, compiler: Compiler) -> Step:
    slot = compiler.scope.lookup_cursor(node.name, node.span)
    make = _definition(node.definition, compiler.scope, node.name)

    def run(frame: Frame) -> None:
        frame.variables[slot] = make(frame)

    return Step(run)


def compile_cursor_assignment(node: SetVariableStatement, compiler: Compiler) -> Step:
    """SET @c = @other or SET @c = name: both mean one cursor from now on."""
    slot = compiler.scope.lookup_cursor(node.name, node.span)
    value: Any = node.value
    name = getattr(value, "name", None)
    if node.op != "=" or not isinstance(name, str):
        raise sql_error(206, "the expression", "cursor", span=node.span)
    find = _finder(compiler, name, False, node.span)

    def run(frame: Frame) -> None:
        if isinstance(value, VariableReference):
            other = compiler.scope.lookup_cursor(name, node.span)
            frame.variables[slot] = frame.variables[other]
        else:
            frame.variables[slot] = find(frame)

    return Step(run)


# --- OPEN, CLOSE, DEALLOCATE -------------------------------------------------------------------------------


@handles(OpenCursorStatement)
def compile_open(node: OpenCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global, node.span)

    def run(frame: Frame) -> None:
        cursor = find(frame)
        cursor.open(frame.session)
        frame.session.cursor_rows = cursor.row_count
        frame.session.rowcount = 0

    return Step(run)


@handles(CloseCursorStatement)
def compile_close(node: CloseCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global, node.span)

    def run(frame: Frame) -> None:
        find(frame).close()
        frame.session.cursor_rows = 0
        frame.session.rowcount = 0

    return Step(run)


@handles(DeallocateCursorStatement)
def compile_deallocate(node: DeallocateCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global, node.span)
    key = node.cursor.lower()
    slot = compiler.scope.lookup_cursor(node.cursor, node.span) if key.startswith("@") else None

    def run(frame: Frame) -> None:
        cursor = find(frame)
        if slot is not None:
            frame.variables[slot] = None
            return
        local = frame.cursors
        if not node.is_global and local.get(key) is cursor:
            del local[key]
        else:
            del frame.session.cursors[key]
        frame.session.rowcount = 0

    return Step(run)


# --- FETCH -------------------------------------------------------------------------------------------------


@handles(FetchCursorStatement)
def compile_fetch(node: FetchCursorStatement, compiler: Compiler) -> Step:
    find = _finder(compiler, node.cursor, node.is_global, node.span)
    targets = [compiler.scope.lookup(name, node.span) for name in node.into]
    offset = compiler.scalar(node.offset) if node.offset is not None else None
    to_number = converter(offset.type, BIGINT) if offset is not None else None

    def run(frame: Frame) -> None:
        session = frame.session
        cursor = find(frame)
        if not cursor.is_open:
            raise sql_error(16917, span=node.span)
        _check_orientation(cursor, node)
        if targets and len(targets) != len(cursor.columns):
            raise sql_error(16924, span=node.span)
        distance = offset.run(frame) if offset is not None else None
        if distance is not None and to_number is not None:
            distance = to_number(distance)
        status = _move(cursor, node.orientation, distance, session)
        row = cursor.rows[cursor.position - 1] if status == FETCHED else None
        cursor.fetch_status = session.fetch_status = status
        session.rowcount = 1 if row is not None else 0
        if not targets:
            session.emit(ResultSet(cursor.columns, [row] if row is not None else []))
            if not session.options.nocount:
                session.emit(RowsAffected(session.rowcount))
        elif row is not None:
            for value, column, (slot, target) in zip(row, cursor.columns, targets, strict=True):
                convert = converter(column.type, target)
                frame.variables[slot] = value if value is None or convert is None else convert(value)

    return Step(run)


def _check_orientation(cursor: Cursor, node: FetchCursorStatement) -> None:
    """Raises 16911 (forward only), 16925 (ABSOLUTE on a dynamic cursor)."""
    if node.orientation != "NEXT" and not cursor.is_scrollable:
        raise sql_error(16911, "fetch", node.orientation.lower(), span=node.span)
    if node.orientation == "ABSOLUTE" and "DYNAMIC" in cursor.options:
        raise sql_error(16925, "absolute", span=node.span)


def _move(cursor: Cursor, orientation: str, offset: int | None, session: Any) -> int:
    """Move, and say what is there: a row, nothing, or a row that somebody deleted since."""
    size = len(cursor.rows)
    position = cursor.position
    wanted = {
        "NEXT": position + 1,
        "PRIOR": position - 1,
        "FIRST": 1,
        "LAST": size,
        "ABSOLUTE": (offset or 0) if (offset or 0) >= 0 else size + 1 + (offset or 0),
        "RELATIVE": position + (offset or 0),
    }[orientation]
    step = -1 if orientation in ("PRIOR", "LAST") else 1
    while True:
        cursor.position = max(0, min(wanted, size + 1))
        if not 1 <= wanted <= size:
            return NO_ROW
        if not _is_gone(cursor, session):
            return FETCHED
        if "KEYSET" in cursor.options:
            return ROW_GONE
        wanted += step


def _is_gone(cursor: Cursor, session: Any) -> bool:
    """Whether the row has been deleted since OPEN; only cursors that could be updated look."""
    if cursor.row_ids is None or cursor.table is None or not cursor.options & {"KEYSET", "DYNAMIC"}:
        return False
    bound = bind(cursor.table, session)
    row_id = cursor.row_ids[cursor.position - 1]
    sql = f'SELECT 1 FROM {bound.storage} WHERE "$rid" = ?'
    return not session.read(sql, (row_id,), tables=frozenset((bound.storage,))).rows


def current_row_id(frame: Frame, name: str, table: Table, span: Span) -> int:
    """The row id that WHERE CURRENT OF means. Raises 16916, 16917, 16929, 16931, 16933."""
    if name.startswith("@"):
        found = [v for v in frame.variables if isinstance(v, Cursor) and v.name.lower() == name.lower()]
        cursor = found[0] if found else None
        if cursor is None:
            raise _error(16950, name, span)
    else:
        cursor = find_cursor(frame, name, False, span)
    if not cursor.is_open:
        raise sql_error(16917, span=span)
    if cursor.is_read_only:
        raise sql_error(16929, span=span)
    if cursor.table is None or cursor.table.id != table.id:
        raise sql_error(16933, span=span)
    if not 1 <= cursor.position <= len(cursor.rows):
        raise sql_error(16931, span=span)
    assert cursor.row_ids is not None
    return cursor.row_ids[cursor.position - 1]
