"""The target of a write: from the name in the statement to the rows it stands for.

It decides what may be written to: tables, temp tables, table variables, synonyms of tables, and views over one table; a
queue (416) or an object of the system (259) may not. It must not know which statement asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbql.catalog.records import Module, Queue, Table
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import same_owner
from sbql.engine.security.database_access import check_writable
from sbql.engine.security.reads import check_columns
from sbql.engine.security.resolver import is_system_view, resolve
from sbql.engine.tables.bound_table import BoundTable, bind
from sbql.engine.tables.table_variables import TableVariable
from sbql.grammar.ast import NamedTable, ObjectName, Span, VariableTable
from sbql.grammar.errors import sql_error

__all__ = [
    "bound_target",
    "called",
    "check_permission",
    "check_target_hints",
    "find_target",
    "rows_of",
    "variable_shape",
]


def find_target(session: Session, name: ObjectName, place: Span | None = None) -> Table | Module:
    """The table or view that a write names. Raises 208, 259, 416, 5313: at `place` where the name stands in another
    text, that of a view."""
    place = place or name.span
    found = resolve(session, name, missing_ok=True)
    if found is None:
        if is_system_view(session, name):
            raise sql_error(259, span=place)
        found = resolve(session, name)  # says what is missing
    if isinstance(found, Queue):
        raise sql_error(416, str(name), span=place)
    if isinstance(found, Table) or (isinstance(found, Module) and found.type == "V"):
        return found
    raise sql_error(208, str(name), span=place)


def called(node: NamedTable | VariableTable) -> str:
    """What a statement calls its target: the alias, else the name."""
    if node.alias is not None:
        return node.alias.value
    return node.name.name if isinstance(node, NamedTable) else node.name


def check_target_hints(node: NamedTable | VariableTable) -> None:
    """Behind the target itself; in FROM they are passed over. Raises 1065."""
    for hint in node.hints if isinstance(node, NamedTable) else ():
        if hint.name.upper() in ("NOLOCK", "READUNCOMMITTED"):
            raise sql_error(1065, span=hint.span)


def bound_target(session: Session, node: NamedTable) -> BoundTable:
    """The BoundTable of a named table. Views come as their base table through `views.py` before this."""
    found = find_target(session, node.name)
    if not isinstance(found, Table):
        raise sql_error(4406, str(node.name), span=node.span)
    if found.is_ms_shipped:
        raise sql_error(259, span=node.span)
    return bind(found, session)


def variable_shape(scope: Scope, node: VariableTable) -> tuple[int, Table]:
    """Slot and shape of a table variable. Raises 1087, and 10700 for a READONLY parameter."""
    slot, shape = scope.lookup_table(node.name, node.span)
    return slot, shape


def rows_of(bound: BoundTable | None, slot: int | None, frame: Frame, txn: Any) -> Any:
    """The row store: StoredRows of a table, or the TableVariable itself."""
    if slot is None:
        assert bound is not None
        return StoredRows(bound, txn)
    variable = frame.variables[slot]
    if variable is None:  # DECLARE was jumped over, or stands in the head of a function
        assert bound is not None
        variable = frame.variables[slot] = TableVariable(bound.display, bound)
    assert isinstance(variable, TableVariable)
    if variable.is_readonly:
        raise sql_error(10700, variable.name)
    return variable


def check_permission(session: Session, table: Table, permission: str, span: Span, columns: Iterable[str] = ()) -> None:
    """Raises 229 when the current user may not do this to the table."""
    check_writable(session, table.database_id)
    if session.contexts[-1].is_sa or table.session_id or table.name.startswith("#"):
        return
    if not same_owner(session.catalog, session.running_module, table):
        check_columns(session, permission, table, columns, span)
