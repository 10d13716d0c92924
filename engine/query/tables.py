"""Named row sources: stored tables, views, queues, system views, table variables, inserted and deleted.

Decides what a table name reads from. Names are resolved by the session; a view is translated in place of its name, a
system view and a queue are SQL of the catalog room over relations that are handed over as local tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import msgspec

from sbql.catalog.bootstrap import MASTER, TEMPDB
from sbql.catalog.changes import TEMP, LocalTable, storage_name
from sbql.catalog.duck_types import duck_type
from sbql.catalog.live_relations import LIVE_RELATIONS, live_relation
from sbql.catalog.records import Database, Module, Queue, Synonym, Table
from sbql.catalog.relations import CATALOG_RELATIONS, catalog_relation
from sbql.catalog.views import SystemView, queue_contents, queue_messages, system_view
from sbql.engine.describe.temp_objects import catalog_with_temp
from sbql.engine.query.binding_failures import in_text_of_module
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import convert
from sbql.engine.query.index_hints import check_index_hints
from sbql.engine.query.kept_keys import with_keys
from sbql.engine.query.lock_hints import EXCLUSIVE_HINTS, held_rows, hint_names, rows_of_others
from sbql.engine.query.names import CommonTable, Relation, RelationColumn, qualifier_of
from sbql.engine.query.queries import translate_inner
from sbql.engine.query.query_text import derived_relation
from sbql.engine.query.registered import running_frame
from sbql.engine.query.set_operations import with_clause
from sbql.engine.query.statement import MAX_VIEW_DEPTH
from sbql.engine.query.unsupported_views import unknown_object
from sbql.engine.security import visible_catalog
from sbql.engine.security.reads import ServerState, SystemRead
from sbql.engine.security.resolver import database_of, resolve
from sbql.engine.security.similar_names import similar_object
from sbql.engine.tables.pending_images import image_table, image_text
from sbql.engine.tables.row_expressions import parse_expression
from sbql.engine.tables.table_variables import new_table_variable
from sbql.engine.tables.typed_sql import LocalSource, quote
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.parser import parse_batch

__all__ = ["common_table", "named_table", "relation_of_rows", "variable_table"]

ROW_ID = "$rid"
_OWN_ROWS = frozenset({"dm_exec_sessions", "dm_exec_requests", "dm_qn_subscriptions"})
"""Dynamic views that show everybody his own rows: the engine leaves out the others."""
SYSTEM_SCHEMAS = ("sys", "information_schema")
_FIXED = frozenset({"live_system_objects", "live_system_columns", "live_securable_classes"})
"""Live relations that never change, so that a connection loads them once."""
_INTERNAL_TABLE = "queue_messages_"


def common_table(common: CommonTable, node: ast.NamedTable, cx: Context) -> str:
    """A common table expression in FROM: its text, and its columns as a relation of the level."""
    alias = cx.statement.alias()
    common.references.append(alias)
    columns = tuple(RelationColumn(c.name, c.type, f"{alias}.{c.sql}", c.nullable, rank=c.rank) for c in common.columns)
    cx.level.add(Relation(_exposed(node), columns), node.span)
    if common.numbers_rows:
        cx.level.row_key = f"{alias}.n"
        return f"(SELECT *, row_number() OVER () AS n FROM {common.sql_name}) AS {alias}"
    return f"{common.sql_name} AS {alias}"


def _exposed(node: ast.NamedTable) -> str:
    return node.alias.value if node.alias is not None else node.name.name


def named_table(node: ast.NamedTable, cx: Context) -> str:
    """A name that is no common table. Raises 208."""
    name = node.name
    if len(name.parts) == 1 and name.name.lower() in ("inserted", "deleted"):
        pseudo = _pseudo_table(node, cx)
        if pseudo is not None:
            return pseudo
    schema = (name.schema or "").lower()
    found = None
    if schema not in SYSTEM_SCHEMAS:
        found = resolve(cx.session, name, missing_ok=True)
    if found is None:
        view = system_view(schema or "dbo", name.name)
        if view is not None and (not view.is_base_table or cx.session.is_admin):
            return _system_view(view, node, cx)
        number = name.name.lower().removeprefix(_INTERNAL_TABLE)
        if cx.session.is_admin and schema == "sys" and number != name.name.lower() and number.isdecimal():
            return _internal_table(int(number), node, cx)
        synonym = resolve(cx.session, name, Synonym, missing_ok=True) if schema not in SYSTEM_SCHEMAS else None
        if synonym is not None:
            return _synonym(synonym, node, cx)
        raise unknown_object(name, name.span).advise(similar_object(cx.session, name))
    handler = _HANDLERS.get(type(found))
    if handler is None or (isinstance(found, Module) and found.type != "V"):
        raise sql_error(208, _spelled(name), span=name.span).advise(similar_object(cx.session, name))
    return handler(found, node, cx)


def _synonym(synonym: Synonym, node: ast.NamedTable, cx: Context) -> str:
    """One whose base is no object of a user: a system view, or nothing (5313)."""
    base = parse_object_name(synonym.base_object_name)
    schema = (base.schema or "dbo").lower()
    view = system_view(schema, base.name)
    if view is None or view.is_base_table:
        raise sql_error(5313, synonym.name, span=node.span)
    alias = node.alias or ast.Identifier(synonym.name, span=node.name.span)
    return _system_view(view, replace(node, name=replace(base, span=node.name.span), alias=alias), cx)


def _spelled(name: ast.ObjectName) -> str:
    return str(name)


# --- stored tables -----------------------------------------------------------------------------------------


def _stored_table(table: Table, node: ast.NamedTable, cx: Context) -> str:
    check_index_hints(table, node)
    stored = storage_name(table.storage_schema, table.storage_name)
    storage = cx.statement.use_table(stored)
    alias = cx.statement.alias()
    qualifier = () if node.alias is not None else qualifier_of(node.name, cx.session.database_name)
    relation = Relation(
        _exposed(node), read_columns(table, alias, cx), qualifier, f"{alias}.{quote(ROW_ID)}", table.name.lower()
    )
    relation.address = str(node.name), _primary_key(table)
    for shown, column in zip(relation.columns, table.columns, strict=False):
        if column.is_identity or column.is_rowguidcol:
            relation.by_name.setdefault("$identity" if column.is_identity else "$rowguid", []).append(shown)
    if not table.session_id and not table.name.startswith("#"):
        cx.statement.read(table, relation.used)
    cx.level.add(relation, node.span)
    visible = _visible_rows(table, storage, node, cx)
    relation.storage = stored if visible == storage else None
    return with_keys(visible, alias, relation, cx)


def _primary_key(table: Table) -> tuple[str, ...]:
    return next((tuple(c.name for c in k.columns) for k in table.constraints if k.type == "PK"), ())


def _visible_rows(table: Table, storage: str, node: ast.NamedTable, cx: Context) -> str:
    """READPAST leaves out rows that others have locked; what UPDLOCK has locked beforehand is all that is seen. The
    search of a write may ask for the images of others instead."""
    images = cx.statement.images_of
    if images is not None and images[0] is node:
        cx.statement.use_local(LocalSource(f"images_{table.id}", partial(image_table, table)))
        storage = image_text(table, storage, with_rows=images[1])
    passes_locked = _passes_locked(node, cx)
    if not (node.hints or passes_locked) or table.session_id:
        return storage
    hints = hint_names(node)
    tests = []
    if passes_locked:
        tests.append(f"NOT list_contains({cx.statement.row_ids(rows_of_others(table.id))}, {quote(ROW_ID)})")
    if EXCLUSIVE_HINTS & hints:
        held = cx.statement.row_ids(held_rows(node))
        tests.append(f"coalesce(list_contains({held}, {quote(ROW_ID)}), true)")
    return f"(SELECT * FROM {storage} WHERE {' AND '.join(tests)})" if tests else storage


def _passes_locked(node: ast.NamedTable, cx: Context) -> bool:
    return cx.statement.passes_locked or "READPAST" in hint_names(node)


def table_columns(table: Table, alias: str) -> tuple[RelationColumn, ...]:
    return tuple(RelationColumn(c.name, c.type, f"{alias}.{quote(c.name)}", c.is_nullable) for c in table.columns)


def read_columns(table: Table, alias: str, cx: Context) -> tuple[RelationColumn, ...]:
    """The columns as a query reads them: a computed one that is not deterministic is worked out for each row. That is
    said when it is read, and not before: its function may read other columns of the same table."""
    columns = table_columns(table, alias)
    if all(column.is_deterministic for column in table.columns):
        return columns
    own = cx.alone()
    own.level.add(Relation(table.name, columns), ast.NO_SPAN)
    database_id = table.database_id if table.storage_schema != TEMP else cx.session.database_id

    @cache
    def worked_out(place: int) -> str:
        column = table.columns[place]
        assert column.computed is not None
        with cx.session.in_database(database_id):
            return f"({convert(own.expression(_expression(column.computed)), column.type, own).sql})"

    return tuple(
        columns[place]
        if column.computed is None or column.is_deterministic
        else msgspec.structs.replace(columns[place], work_out=partial(worked_out, place))
        for place, column in enumerate(table.columns)
    )


def _expression(text: str) -> ast.Expression:
    return parse_expression(text)


# --- rows in memory ----------------------------------------------------------------------------------------


def relation_of_rows(
    table: Table, exposed: str, local: str, load: Callable[[Any, str], Any], cx: Context, span: ast.Span
) -> str:
    """Rows that live in memory, as a relation called `exposed`: `load(frame, name)` gives the LocalTable."""
    cx.statement.use_local(LocalSource(local, lambda frame: load(frame, local)))
    alias = cx.statement.alias()
    cx.level.add(Relation(exposed, read_columns(table, alias, cx), (), f"{alias}.{quote(ROW_ID)}"), span)
    return f"temp.main.{quote(local)} AS {alias}"


def variable_table(node: ast.VariableTable, cx: Context) -> str:
    """A table variable. Raises 1087."""
    slot, table = cx.statement.table_arguments.get(node.name.lower()) or cx.statement.scope.lookup_table(
        node.name, node.span
    )
    exposed = node.alias.value if node.alias is not None else node.name
    # Two scopes may have a variable of one name: the shape's id keeps their DuckDB tables apart.
    shape = "_".join(duck_type(c.type)[:3] for c in table.columns)[:40]
    local = f"var_{slot}_{len(table.columns)}_{_plain(shape)}_{_plain(node.name)}"

    def load(frame: Any, name: str) -> LocalTable:
        rows = frame.variables[slot]
        if rows is None:  # its DECLARE was jumped over; T-SQL variables exist all the same
            rows = frame.variables[slot] = new_table_variable(node.name, table, frame.session)
        found: LocalTable = rows.local(name)
        return found

    return relation_of_rows(table, exposed, local, load, cx, node.span)


def _plain(name: str) -> str:
    return "".join(c for c in name if c.isalnum() or c == "_").lower()


def _pseudo_table(node: ast.NamedTable, cx: Context) -> str | None:
    """inserted and deleted, inside a trigger: the frame that runs knows the trigger's table."""
    frame = running_frame()
    trigger = getattr(frame, "trigger", None)
    if trigger is None:
        return None
    name, table = node.name.name.lower(), trigger.table

    def load(frame: Any, local: str) -> LocalTable:
        found: LocalTable = frame.trigger.local(name, local)
        return found

    local = f"pseudo_{name}_{table.id}"
    cx.statement.use_local(LocalSource(local, lambda frame: load(frame, local)))
    alias = cx.statement.alias()
    columns = table_columns(table, alias)
    if trigger.is_after:
        columns = tuple(msgspec.structs.replace(c, refused=311) if c.type.name in _OUT_OF_ROW else c for c in columns)
    cx.level.add(Relation(_exposed(node), columns), node.span)
    return f"temp.main.{quote(local)} AS {alias}"


_OUT_OF_ROW = frozenset({"text", "ntext", "image"})


# --- queues and system views -------------------------------------------------------------------------------


def _queue(queue: Queue, node: ast.NamedTable, cx: Context) -> str:
    view = queue_contents()
    cx.statement.read(queue, set())
    return _catalog_query(view, view.text(queue.database_id, queue.id), node, cx)


def _system_view(view: SystemView, node: ast.NamedTable, cx: Context) -> str:
    database: Database = database_of(cx.session, node.name)
    if view.name == "spt_values" and database.id != MASTER:
        raise unknown_object(node.name, node.name.span)
    if node.name.database:
        cx.statement.reads.append(SystemRead(database))
    if view.name.startswith("dm_") and view.name.lower() not in _OWN_ROWS:
        cx.statement.reads.append(
            ServerState("VIEW DATABASE STATE" if view.name.startswith("dm_db_") else "VIEW SERVER STATE")
        )
    return _catalog_query(view, view.text(database.id), node, cx, database.id)


def _internal_table(queue_id: int, node: ast.NamedTable, cx: Context) -> str:
    """sys.queue_messages_<id>, for the administrator's connection. Raises 208."""
    database: Database = database_of(cx.session, node.name)
    if cx.session.catalog.get(Queue, database.id, queue_id) is None:
        raise sql_error(208, _spelled(node.name), span=node.name.span)
    view = queue_messages()
    return _catalog_query(view, view.text(database.id, queue_id), node, cx)


def _catalog_query(view: SystemView, sql: str, node: ast.NamedTable, cx: Context, database_id: int = 0) -> str:
    """SQL of the catalog room, with the relations that it reads handed over."""
    statement = cx.statement
    for name in view.relations:
        if name in CATALOG_RELATIONS:
            statement.use_local(LocalSource(name, partial(_catalog_rows, name)), replaces=False)
            if database_id == TEMPDB:
                statement.use_local(LocalSource(name, partial(_tempdb_rows, name)))
        elif name in LIVE_RELATIONS:
            statement.use_local(LocalSource(name, partial(_live_rows, name)))
    statement.reads_broker = statement.reads_broker or view.reads_broker
    alias = statement.alias()
    collated = statement.scope.collated
    columns = tuple(
        RelationColumn(name, collated(kind), f"{alias}.{quote(name)}", nullable)
        for name, kind, nullable in view.columns
    )
    cx.level.add(
        Relation(
            _exposed(node), columns, () if node.alias is not None else qualifier_of(node.name, cx.session.database_name)
        ),
        node.span,
    )
    return f"({sql}) AS {alias}"


def _catalog_rows(name: str, frame: Any) -> LocalTable:
    return catalog_relation(name, visible_catalog(frame.session))


def _tempdb_rows(name: str, frame: Any) -> LocalTable:
    """tempdb's own views show the temp tables that the session may see."""
    return catalog_relation(name, catalog_with_temp(frame.session))


def _live_rows(name: str, frame: Any) -> LocalTable:
    """What lives in the engine's memory: the instance lists it (`live_rows(name, session)`)."""
    version = name if name in _FIXED else None
    return live_relation(name, list(frame.session.instance.live_rows(name, frame.session)), version)


# --- views -------------------------------------------------------------------------------------------------


def _view(module: Module, node: ast.NamedTable, cx: Context) -> str:
    """A view is its query, translated where its name stands. Errors of its text name the view as their procedure."""
    statement = cx.statement
    if statement.view_depth >= MAX_VIEW_DEPTH:
        raise sql_error(4431, node.name.name, span=node.span)
    definition = parse_batch(module.definition, quoted_identifiers=module.uses_quoted_identifier).statements[0]
    assert isinstance(definition, ast.CreateViewStatement)
    inner = cx.alone()
    known = statement.common_tables
    statement.common_tables = []
    statement.view_depth += 1
    passes_locked, statement.passes_locked = statement.passes_locked, _passes_locked(node, cx)
    try:
        with (
            in_text_of_module(module, node.name, node.span),
            statement.within(module),
            statement.session.as_created(module.uses_ansi_nulls),
        ):
            prefix = with_clause(definition.query.with_, inner)
            query = translate_inner(definition.query.query, inner)
    finally:
        statement.view_depth -= 1
        statement.common_tables = known
        statement.passes_locked = passes_locked
    alias = statement.alias()
    relation = derived_relation(query, _exposed(node), definition.columns, alias, node.span)
    relation.qualifier = () if node.alias is not None else qualifier_of(node.name, cx.session.database_name)
    statement.read(module, relation.used)
    cx.level.add(relation, node.span)
    return f"({prefix}{query.sql}) AS {alias}"


_HANDLERS: dict[type, Callable[[Any, ast.NamedTable, Context], str]] = {
    Table: _stored_table, Queue: _queue, Module: _view,
}  # fmt: skip
