"""Cursor: one declared cursor of a session, how statements find it, and the row that WHERE CURRENT OF means.

Decides what its options allow (fetch types, updates, which columns) and what OPTIMISTIC refuses. It must not know how
its rows are read (`cursor_rows`) nor which kind its query can be (`cursor_plan`).
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

from sbql.catalog.records import Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.cursors.cursor_plan import (
    FAST_FORWARD,
    KEYSET,
    STATIC,
    CursorPlan,
    cursor_plan,
    wanted_kind,
)
from sbql.engine.cursors.cursor_rows import FixedRows, KeysetRows
from sbql.engine.cursors.dynamic_rows import DynamicRows
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.query.registered import bound_for
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import LateBound
from sbql.grammar.ast import CursorDefinition, QuerySpecification, SelectAssign, SelectStatement, Span, VariableTable
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.suggestions import did_you_mean

__all__ = ["Cursor", "cursor_maker", "find_cursor", "no_cursor", "positioned_row", "row_has_changed"]

READ_ONLY_OPTIONS = frozenset({"READ_ONLY", "STATIC", "INSENSITIVE", "FAST_FORWARD"})
_KINDS = ("STATIC", "KEYSET", "DYNAMIC", "FAST_FORWARD")
_LOCKINGS = ("READ_ONLY", "SCROLL_LOCKS", "OPTIMISTIC")

_HANDLES = itertools.count(180150003, 2)


class Cursor:
    """`plan` is made at DECLARE and again at OPEN if names mean something else by then; `rows` is there while it is
    open."""

    def __init__(
        self, name: str, definition: CursorDefinition, late: LateBound[CursorPlan], scope: Scope, frame: Frame
    ) -> None:
        self.name = name
        self.handle = next(_HANDLES)
        self.definition = definition
        self.late = late
        self.scope = scope
        # Variables in the query keep the values they have now, whatever becomes of them later.
        self.frame = copy.copy(frame)
        self.frame.variables = list(frame.variables)
        self.frame.cursors = {}
        self.options = frozenset(definition.options)
        self.plan = bound_for(late, self.frame)
        self.rows: FixedRows | KeysetRows | DynamicRows | None = None
        self.fetch_status = -9
        self.is_on_row = False
        self.row_count = 0
        """Rows that the last FETCH gave."""
        self.last_operation = 0
        """As sp_cursor_list shows it: 1 OPEN, 2 FETCH, 6 CLOSE, 0 none."""
        self._catalog: CatalogSnapshot | None = None

    # --- what it is ----------------------------------------------------------------------------------------

    @property
    def is_converted(self) -> bool:
        return self.plan.kind != wanted_kind(self.definition.options)

    @property
    def is_scrollable(self) -> bool:
        if "SCROLL" in self.options:
            return True
        return not self.options & {"FORWARD_ONLY", "FAST_FORWARD", "INSENSITIVE"} and bool(
            self.options & {"STATIC", "KEYSET", "DYNAMIC"}
        )

    @property
    def concurrency(self) -> str:
        if self.options & READ_ONLY_OPTIONS or self.plan.kind in (STATIC, FAST_FORWARD) or not self.plan.sources:
            return "READ_ONLY"
        return "SCROLL_LOCKS" if "SCROLL_LOCKS" in self.options else "OPTIMISTIC"

    @property
    def status(self) -> int:
        """As CURSOR_STATUS: 1 open with rows, 0 open without, -1 closed."""
        if self.rows is None:
            return -1
        return 1 if self.rows.has_rows else 0

    @property
    def size(self) -> int:
        """@@CURSOR_ROWS: -1 when nobody knows."""
        return 0 if self.rows is None else self.rows.count

    # --- open and close ------------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Raises 16905, and whatever is wrong with the query."""
        if self.rows is not None:
            raise sql_error(16905)
        self.frame.session = session
        self.plan = plan = bound_for(self.late, self.frame)
        variables = [
            self.frame.variables[self.scope.lookup_table(s.node.name)[0]]
            for s in plan.sources
            if isinstance(s.node, VariableTable)
        ]
        if plan.kind == KEYSET:
            self.rows = KeysetRows(plan, self.frame, variables)
        elif plan.reads_on:
            self.rows = DynamicRows(plan, self.frame, variables)
        else:
            self.rows = FixedRows(plan, self.frame)
        self._catalog = session.catalog
        self.last_operation, self.row_count, self.fetch_status = 1, 0, -9
        session.open_cursors.add(self)

    def close(self, session: Session) -> None:
        """Raises 16917."""
        if self.rows is None:
            raise sql_error(16917)
        self.rows.end()
        self.rows = None
        self.last_operation, self.row_count = 6, 0
        session.open_cursors.discard(self)

    def fetch(self, orientation: str, offset: int) -> tuple[Any, ...] | None:
        """Move, and give the row that is there; `fetch_status` says why there is none."""
        rows = self.rows
        assert rows is not None
        status, row = rows.next() if orientation == "NEXT" else rows.move(orientation, offset)
        self.fetch_status = status
        self.is_on_row = status == 0
        self.row_count = 1 if self.is_on_row else 0
        self.last_operation = 2
        return row

    def written(self) -> None:
        """Its row was written by WHERE CURRENT OF."""
        rows = self.rows
        if isinstance(rows, KeysetRows | DynamicRows):
            rows.changed_by_cursor()
            self.is_on_row = not rows.is_deleted()

    def check_schema(self, session: Session) -> None:
        """Raises 16943 when a table of the query is another one by now."""
        if session.catalog is self._catalog:
            return
        for source in self.plan.sources:
            table = source.table
            if table.session_id == 0 and not source.storage.startswith("@"):
                if session.catalog.get(Table, table.database_id, table.id) is not table:
                    raise sql_error(16943)
        self._catalog = session.catalog


def _checked_plan(definition: CursorDefinition, scope: Scope, session: Session) -> CursorPlan:
    """Raises 16957 for FOR UPDATE of a query that can only be read, 207 for a column of it that no table has."""
    plan = cursor_plan(definition, scope, session)
    if definition.update_of is not None and plan.kind == STATIC:
        raise sql_error(16957, span=definition.span)
    known = {c.name.lower() for s in plan.sources for c in s.table.columns}
    for name in definition.update_of or ():
        if name.value.lower() not in known:
            raise sql_error(207, name.value, span=name.span)
    return plan


# --- declaring and finding ---------------------------------------------------------------------------------


def cursor_maker(definition: CursorDefinition, scope: Scope, name: str) -> Callable[[Frame], Cursor]:
    """What makes the cursor of a DECLARE or SET when it runs. Raises 1048, 1049, 16957, 16907, 6819."""
    _check_options(definition)
    _check_query(definition.query)
    late = LateBound(lambda session: _checked_plan(definition, scope, session))

    def make(frame: Frame) -> Cursor:
        cursor = Cursor(name, definition, late, scope, frame)
        if "TYPE_WARNING" in cursor.options and cursor.is_converted:
            text = sql_error(16956)
            frame.session.emit(InfoMessage(text.message, 16956, text.severity, 1, definition.span.line))
        return cursor

    return make


def _check_query(statement: SelectStatement) -> None:
    """Raises 16907 for INTO and for assignments, 6819 for FOR XML and FOR JSON."""
    if statement.query.for_ is not None:
        raise sql_error(6819, "DECLARE CURSOR", span=statement.span)
    query = statement.query.query
    if isinstance(query, QuerySpecification):
        if query.into is not None:
            raise sql_error(16907, "INTO", span=statement.span)
        if any(isinstance(item, SelectAssign) for item in query.items):
            raise sql_error(16907, "Variable assignment", span=statement.span)


def _check_options(definition: CursorDefinition) -> None:
    """Raises 1048 for two options that exclude each other, 16957 for FOR UPDATE beside one that reads only."""
    options = definition.options
    given = set(options)
    exclusive = [_KINDS, _LOCKINGS, ("LOCAL", "GLOBAL"), ("FORWARD_ONLY", "SCROLL"), ("FAST_FORWARD", "SCROLL")]
    exclusive += [("FAST_FORWARD", "SCROLL_LOCKS"), ("FAST_FORWARD", "OPTIMISTIC"), ("STATIC", "SCROLL_LOCKS")]
    for group in exclusive:
        found = [o for o in options if o in group]
        if len(set(found)) > 1:
            raise sql_error(1048, found[0], next(o for o in found if o != found[0]), span=definition.span)
    if definition.update_of is not None and given & READ_ONLY_OPTIONS:
        raise sql_error(16957, span=definition.span)


def find_cursor(frame: Frame, name: str, is_global: bool) -> Cursor:
    """A cursor by name, the local one first. Raises 16916."""
    key = name.lower()
    found: Cursor | None = None if is_global else frame.cursors.get(key)
    if found is None:
        found = frame.session.cursors.get(key)
    if found is None:
        meant = did_you_mean(name, [*frame.cursors, *frame.session.cursors])
        raise sql_error(16916, name).advise(meant or "DECLARE … CURSOR makes one; a LOCAL one ends with its batch.")
    return found


def no_cursor(name: str) -> SqlError:
    """16950: an information message in the catalogue, yet it fails the statement."""
    error = sql_error(16950, name)
    error.severity = 16
    return error


# --- WHERE CURRENT OF --------------------------------------------------------------------------------------


def positioned_row(cursor: Cursor, target: Table | str, columns: frozenset[str], span: Span) -> tuple[int, int]:
    """The row of `target` (a table, or the name of a table variable) that the cursor stands on: its place among the
    sources, and its row id. Raises 16917, 16929, 16932, 16933, 16931."""
    rows = cursor.rows
    if rows is None:
        raise sql_error(16917, span=span)
    if cursor.concurrency == "READ_ONLY":
        raise sql_error(16929, span=span)
    places = [
        i
        for i, s in enumerate(cursor.plan.sources)
        if (s.storage == target.lower() if isinstance(target, str) else s.table.id == target.id)
    ]
    if not places:
        raise sql_error(16933, span=span)
    allowed = {name.value.lower() for name in cursor.definition.update_of or ()}
    if allowed and columns - allowed:
        raise sql_error(16932, span=span)
    ids = rows.row_ids
    row_id = ids[places[0]] if ids is not None and cursor.is_on_row else None
    if row_id is None:
        raise sql_error(16931, span=span)
    if cursor.concurrency == "OPTIMISTIC":
        assert isinstance(rows, KeysetRows | DynamicRows)
        rows.look()
        if rows.is_outdated:
            raise row_has_changed(cursor.frame.session, span)
    return places[0], row_id


def row_has_changed(session: Session, span: Span) -> SqlError:
    """The row is not as it was fetched: 16934 is told, 16947 fails the statement."""
    told = sql_error(16934)
    session.emit(InfoMessage(told.message, 16934, told.severity, 1, span.line))
    return sql_error(16947, span=span)
