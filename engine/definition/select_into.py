"""SELECT INTO: a new table in the shape of a result, filled with it in the same statement.

The handler of SELECT translates the query and hands its columns and a way to its rows over, which stay in DuckDB's
memory when they are many; here the table is made. It must not know queries.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.changes import TEMP
from sbql.catalog.found_rows import FoundTable
from sbql.catalog.records import Column, Schema, Table
from sbql.engine.definition.ddl import check_right
from sbql.engine.definition.temp_tables import keep_temp_table
from sbql.engine.modification.row_changes import write
from sbql.engine.modification.set_checks import are_rows_right
from sbql.engine.modification.set_insert import append_found, new_rows_text, note_given
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.resolver import database_of
from sbql.engine.tables.bound_table import bind
from sbql.engine.tables.definitions import (
    TEMPDB,
    create_definition,
    find_schema,
    free_storage_name,
    make_home,
    name_taken,
    new_object_id,
)
from sbql.engine.tables.elements import MAX_COLUMNS
from sbql.engine.tables.row_images import Inserted, RowImages
from sbql.engine.work import Suspend
from sbql.grammar.ast import ObjectName, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT

__all__ = ["IntoRows", "select_into"]


class IntoRows(Struct, frozen=True):
    """Where the rows come from: `find` runs the query, and leaves the rows in memory when they are many; `texts` are
    then the columns of so many of them, by DuckDB's names, and `fetch` gives them as Python values after all."""

    find: Callable[[Transaction], FoundTable | Sequence[Sequence[Any]]]
    texts: Callable[[int], list[str]]
    fetch: Callable[[FoundTable], Sequence[Sequence[Any]]]


def select_into(
    frame: Frame,
    name: ObjectName,
    columns: Sequence[ResultColumn],
    source: IntoRows,
    span: Span,
    *,
    identity: tuple[str, Column] | None = None,
) -> Generator[Suspend, None, int]:
    """Create the table `name` with these columns and put the rows into it. Returns their number; @@ROWCOUNT is the
    caller's.

    `identity` names the column that keeps the IDENTITY property of a source column, which it gives. Raises 2705,
    2714, 2760, 1702.
    """
    session = frame.session
    with session.statement() as txn:
        rows = source.find(txn)
        try:
            store = yield from _new_table(frame, txn, name, columns, identity, span)
            return (yield from _fill(frame, txn, store, source, rows))
        except BaseException:
            if isinstance(rows, FoundTable):
                rows.drop()
            raise


def _new_table(
    frame: Frame,
    txn: Transaction,
    name: ObjectName,
    columns: Sequence[ResultColumn],
    identity: tuple[str, Column] | None,
    span: Span,
) -> Generator[Suspend, None, StoredRows]:
    session = frame.session
    if name.name.startswith("#"):
        table = _record(session, name, columns, identity, span, temp=True)
        keep_temp_table(frame, txn, table, span)
    else:
        yield from txn.lock_schema()
        check_right(session, "CREATE TABLE")
        table = _record(session, name, columns, identity, span, temp=False)
        txn.change_catalog(None, table)
        home = session.catalog.get(Schema, table.database_id, table.schema_id)
        assert home is not None
        make_home(txn, home, table.storage_schema)
        txn.unit.apply(create_definition(table))
        session.instance.tables.create(table.id, table.create_date)
    return StoredRows(bind(table, session), txn)


def _fill(
    frame: Frame, txn: Transaction, store: StoredRows, source: IntoRows, rows: FoundTable | Sequence[Sequence[Any]]
) -> Generator[Suspend, None, int]:
    """Put the rows into the new table. Returns their number."""
    if isinstance(rows, FoundTable):
        images = new_rows_text(store, rows, source.texts(rows.count))
        if are_rows_right(frame, store.bound, rows, images):
            note_given(store, rows, images)
            append_found(txn, store, rows, images)
            return rows.count
        rows = source.fetch(rows)
    if rows:
        yield from write(frame, txn, store, RowImages("INSERT", [Inserted(list(row)) for row in rows]))
        if store.bound.identity is not None:
            for row in rows:
                store.note_identity(int(row[store.bound.identity]))
    return len(rows)


def _record(
    session: Session,
    name: ObjectName,
    columns: Sequence[ResultColumn],
    identity: tuple[str, Column] | None,
    span: Span,
    *,
    temp: bool,
) -> Table:
    made: list[Column] = []
    seen: set[str] = set()
    if len(columns) > MAX_COLUMNS:
        raise sql_error(1702, columns[MAX_COLUMNS].name, name.name, MAX_COLUMNS, span=span)
    for column in columns:
        folded = column.name.lower()
        if folded in seen:
            raise sql_error(2705, column.name, name.name, span=span)
        seen.add(folded)
        is_identity = identity is not None and folded == identity[0].lower()
        sql_type = INT if column.type.name == "null" else column.type
        made.append(
            Column(
                name=column.name,
                column_id=len(made) + 1,
                type=sql_type,
                is_nullable=column.nullable and not is_identity,
                is_identity=is_identity,
                seed=identity[1].seed if identity is not None else 1,
                increment=identity[1].increment if identity is not None else 1,
            )
        )
    now = session.instance.host.now()
    if temp:
        table_id = session.instance.tables.new_temp_id()
        is_global = name.name.startswith("##")
        return Table(
            id=table_id, database_id=TEMPDB, name=name.name, create_date=now, modify_date=now, schema_id=1, columns=tuple(made),
            storage_schema=storage_schema("tempdb", "dbo") if is_global else TEMP,
            storage_name=name.name if is_global else f"{name.name}_{-table_id}",
            session_id=0 if is_global else session.spid,
        )  # fmt: skip
    database = database_of(session, name)
    schema = find_schema(session, database, name)
    if name_taken(session.catalog, database.id, schema.id, name.name):
        raise sql_error(2714, name.name, state=6, span=name.span)
    table_id, storage = new_object_id(session.catalog)(), storage_schema(database.storage_name, schema.name)
    return Table(
        id=table_id, database_id=database.id, name=name.name, create_date=now, modify_date=now,
        schema_id=schema.id, columns=tuple(made), storage_schema=storage,
        storage_name=free_storage_name(session, storage, name.name, table_id),
    )  # fmt: skip
