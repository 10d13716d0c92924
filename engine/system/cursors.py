"""sp_cursor_list, sp_describe_cursor, sp_describe_cursor_columns and sp_describe_cursor_tables: what the cursors of the
caller are, as rows of another cursor, which they return in their first parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sbql.catalog.records import Database, Principal, Schema
from sbql.catalog.type_facets import facets
from sbql.engine.cursors.cursor import Cursor, find_cursor, no_cursor
from sbql.engine.cursors.cursor_plan import Source
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.invocation import run_text
from sbql.engine.scalars.scope import Frame
from sbql.engine.work import Work
from sbql.grammar.ast import ColumnReference
from sbql.grammar.errors import sql_error
from sbql.grammar.names import bracketed, string_literal

_LOCAL, _GLOBAL = 1, 2
_MODELS = {"STATIC": 1, "KEYSET": 2, "DYNAMIC": 3, "FAST_FORWARD": 4}
_CONCURRENCY = {"READ_ONLY": 1, "SCROLL_LOCKS": 2, "OPTIMISTIC": 3}

Reference = tuple[str, int, Cursor]
"""The name or variable that refers to a cursor, 1 or 2 for local and global, the cursor."""


def _references(frame: Frame, scopes: int) -> Iterator[Reference]:
    if scopes & _LOCAL:
        for cursor in frame.cursors.values():
            yield cursor.name, _LOCAL, cursor
        for variable in frame.scope.cursor_variables() if frame.scope is not None else ():
            if frame.variables[variable.slot] is not None:
                yield variable.name, _LOCAL, frame.variables[variable.slot]
    if scopes & _GLOBAL:
        for cursor in frame.session.cursors.values():
            yield cursor.name, _GLOBAL, cursor


_ROW = (
    ("reference_name", "sysname"), ("cursor_name", "sysname"), ("cursor_scope", "tinyint"), ("status", "int"), ("model", "tinyint"),
    ("concurrency", "tinyint"), ("scrollable", "tinyint"), ("open_status", "tinyint"), ("cursor_rows", "decimal(10, 0)"),
    ("fetch_status", "smallint"), ("column_count", "smallint"), ("row_count", "decimal(10, 0)"), ("last_operation", "tinyint"),
    ("cursor_handle", "int"),
)  # fmt: skip


def _row(reference: Reference) -> tuple[Any, ...]:
    name, scope, cursor = reference
    return (
        name, cursor.name, scope, cursor.status, _MODELS[cursor.plan.kind], _CONCURRENCY[cursor.concurrency],
        int(cursor.is_scrollable), int(cursor.rows is not None), cursor.size, cursor.fetch_status, len(cursor.plan.columns),
        cursor.row_count, cursor.last_operation, cursor.handle,
    )  # fmt: skip


def _return(call: ProcedureCall, columns: tuple[tuple[str, str], ...], rows: list[tuple[Any, ...]]) -> Work:
    """Give the caller an open cursor over these rows."""
    selects = [_select(columns, row, "") for row in rows] or [_select(columns, (None,) * len(columns), " WHERE 1 = 0")]
    text = f"DECLARE @c CURSOR; SET @c = CURSOR SCROLL STATIC FOR {' UNION ALL '.join(selects)}; OPEN @c;"
    status, opened = call.session.rowcount, call.session.opened_last
    _, frame, scope = yield from run_text(call.session, text)
    call.session.completed(status)
    call.session.note_opened(opened)
    call.give("@cursor_return", frame.variables[scope.lookup_cursor("@c")])
    return 0


def _select(columns: tuple[tuple[str, str], ...], row: tuple[Any, ...], where: str) -> str:
    items = [f"CAST({_literal(v)} AS {t}) AS {bracketed(n)}" for (n, t), v in zip(columns, row, strict=True)]
    return f"SELECT {', '.join(items)}{where}"


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    return str(int(value)) if isinstance(value, int) else string_literal(str(value), is_national=True)


def _described(call: ProcedureCall) -> Reference:
    """The cursor that @cursor_source and @cursor_identity name. Raises 201, 16902, 16916, 16950."""
    source, name = call.values()[1:]
    if source is None or name is None:
        raise sql_error(201, call.name, "@cursor_identity" if source is not None else "@cursor_source")
    frame, kind = call.frame, source.lower()
    if kind == "variable":
        variable = frame.scope.find(name) if frame.scope is not None else None
        if variable is None or not variable.is_cursor or frame.variables[variable.slot] is None:
            raise no_cursor(name)
        return name, _LOCAL, frame.variables[variable.slot]
    if kind == "local":
        if name.lower() not in frame.cursors:
            raise sql_error(16916, name)
        return name, _LOCAL, frame.cursors[name.lower()]
    if kind != "global":
        raise sql_error(16902, call.name, "@cursor_source")
    return name, _GLOBAL, find_cursor(frame, name, True)


@procedure("sp_cursor_list")
def sp_cursor_list(call: ProcedureCall) -> Work:
    """The cursors that the caller has; @cursor_scope is 1 for local ones, 2 for global ones, 3 for both."""
    scope = call.values()[1]
    if scope is None:
        raise sql_error(201, call.name, "@cursor_scope")
    if scope not in (1, 2, 3):
        raise sql_error(16902, call.name, "@cursor_scope")
    return (yield from _return(call, _ROW, [_row(r) for r in _references(call.frame, scope)]))


@procedure("sp_describe_cursor")
def sp_describe_cursor(call: ProcedureCall) -> Work:
    return (yield from _return(call, _ROW, [_row(_described(call))]))


_TABLES = (
    ("table_owner", "sysname"), ("table_name", "sysname"), ("optimizer_hint", "smallint"), ("lock_type", "smallint"),
    ("server_name", "sysname"), ("objectid", "int"), ("dbid", "int"), ("dbname", "sysname"),
)  # fmt: skip


@procedure("sp_describe_cursor_tables")
def sp_describe_cursor_tables(call: ProcedureCall) -> Work:
    """The tables of a cursor whose rows are rows of tables; none for one that is static from the start."""
    catalog = call.session.catalog
    rows = []
    for source in _described(call)[2].plan.sources:
        table = source.table
        schema = catalog.get(Schema, table.database_id, table.schema_id)
        owner = catalog.get(Principal, table.database_id, schema.principal_id) if schema is not None else None
        database = catalog.get(Database, 0, table.database_id)
        rows.append(
            (
                owner.name if owner is not None else "dbo", table.name, 0, 0, call.session.instance.name, table.id,
                table.database_id, database.name if database is not None else "tempdb",
            )
        )  # fmt: skip
    return (yield from _return(call, _TABLES, rows))


_COLUMNS = (
    ("column_name", "sysname"), ("ordinal_position", "int"), ("column_characteristics_flags", "int"), ("column_size", "int"),
    ("data_type_sql", "smallint"), ("column_precision", "tinyint"), ("column_scale", "tinyint"), ("order_position", "int"),
    ("order_direction", "varchar(1)"), ("hidden_column", "smallint"), ("columnid", "int"), ("objectid", "int"), ("dbid", "int"),
    ("dbname", "sysname"),
)  # fmt: skip
_VARYING = frozenset({"varchar", "nvarchar", "varbinary", "xml", "sql_variant", "text", "ntext", "image"})
_FIXED_LENGTH, _NULLABLE, _ROW_VERSION, _UPDATABLE = 2, 4, 8, 16


def _is_of(source: Source, owner: str) -> bool:
    """Whether a column's owner, an alias or a table's name as written, is this source."""
    return owner.lower() in (source.alias.lower(), str(source.node.name).lower())


@procedure("sp_describe_cursor_columns")
def sp_describe_cursor_columns(call: ProcedureCall) -> Work:
    """The columns of a cursor; those of a table say which column of it they are, computed ones have -1 there."""
    cursor = _described(call)[2]
    plan, catalog = cursor.plan, call.session.catalog
    origins = plan.rows.origins or ((None,) * len(plan.columns))
    ordered = {
        item.expression.name.lower(): (place, "D" if item.descending else "A")
        for place, item in enumerate(cursor.definition.query.query.order_by, 1)
        if isinstance(item.expression, ColumnReference)
    }
    rows = []
    for place, (column, origin) in enumerate(zip(plan.columns, origins, strict=False)):
        source = next((s for s in plan.sources if origin is not None and _is_of(s, origin[0])), None)
        table = source.table if source is not None else None
        own = next((c for c in table.columns if origin is not None and c.name == origin[1]), None) if table else None
        database = catalog.get(Database, 0, table.database_id) if table is not None else None
        shape = facets(column.type)
        flags = (_FIXED_LENGTH if shape.type_name not in _VARYING else 0) + (_NULLABLE if column.nullable else 0)
        flags += _ROW_VERSION if shape.type_name == "timestamp" else 0
        is_updatable = cursor.concurrency != "READ_ONLY" and own is not None and own.computed is None
        order = ordered.get(column.name.lower(), (0, None))
        rows.append(
            (
                column.name, place, flags + (_UPDATABLE if is_updatable else 0), shape.max_length, shape.system_type_id,
                shape.precision, shape.scale, order[0], order[1], 0, own.column_id if own is not None else -1,
                table.id if table is not None else -1, table.database_id if table is not None else 0,
                database.name if database is not None else None,
            )
        )  # fmt: skip
    return (yield from _return(call, _COLUMNS, rows))
