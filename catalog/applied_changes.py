"""One change of a redo list as DuckDB gets it: a statement, or an appender for many rows.

Decides which of them is quicker. It must not know transactions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from sbql.catalog.changes import ROW_ID, TEMP, Definition, DeleteRows, InsertRows, LocalTable, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of
from sbql.catalog.in_place import InPlace
from sbql.catalog.row_numbers import NUMBER
from sbql.catalog.row_statements import (
    NUMBERED,
    insert_text,
    listed_rows,
    numbered_delete_text,
    numbered_update_text,
    own_statement,
    update_text,
    writing_text,
)
from sbql.catalog.store_protocols import StoreConnection

__all__ = ["apply_change", "is_one_row"]

_APPENDED: Final = 4
"""Rows from which on an appender updates them sooner than statements: it looks through the table once."""
_LISTED: Final = 2048
"""Rows up to which DuckDB takes whole numbers sooner as lists than through an appender into a local table."""
_WHOLE_NUMBERS: Final = frozenset({"BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UTINYINT"})


def apply_change(session: StoreConnection, change: RowChange, *, may_be_found: bool) -> None:
    """`may_be_found`: it may name what a query has found in place of rows. Raises DuckDB's errors."""
    if isinstance(change, Definition):
        session.forget_statements()
        session.define(change.marked.plain())
        for table in change.tables:
            session.store.parallelism.note_change(table)
        return
    found = found_of(change) if may_be_found else None
    text = writing_text(change) if found is not None else None
    if isinstance(found, InPlace):
        found.perform(session, change.table)
    elif text is not None:
        own = own_statement(change)
        session.run_write(*((text, ()) if own is None else (own.sql, own.values)), (change.table,))
    elif isinstance(change, InsertRows):
        _insert(session, change, change.rows)
    elif isinstance(change, UpdateRows):
        _update(session, change)
    else:
        _delete(session, change.table, list(change.row_ids))
    if found is not None:
        session.store.parallelism.note_change(change.table)


def is_one_row(change: RowChange) -> bool:
    if isinstance(change, DeleteRows):
        return len(change.row_ids) == 1
    return not isinstance(change, Definition) and len(change.rows) == 1


def _insert(session: StoreConnection, change: InsertRows, rows: Sequence[Sequence[Any]]) -> None:
    if len(rows) == 1:
        session.run_write(insert_text(change.table, change.columns), rows[0])
    elif rows:
        session.append(change.table, rows, columns=list(change.columns))
        session.store.parallelism.note_change(change.table, len(rows))


def _update(session: StoreConnection, change: UpdateRows) -> None:
    assert change.columns[0] == ROW_ID, "the row id comes first"
    if len(change.rows) < _APPENDED:
        for row in change.rows:
            session.run_write(update_text(change.table, change.columns), (*row[1:], row[0]))
    elif not _update_by_numbers(session, change):
        columns = list(change.columns)
        session.append(change.table, change.rows, columns=columns, action="update", key=[ROW_ID])


def _delete(session: StoreConnection, table: str, ids: list[int]) -> None:
    if len(ids) == 1:
        session.run_write(f'DELETE FROM {table} WHERE "{ROW_ID}" = ?', ids)
    elif ids and not _delete_by_numbers(session, table, ids):
        session.append(table, [(i,) for i in ids], action="delete", key=[ROW_ID])


# --- by DuckDB's numbers of rows ---------------------------------------------------------------------------------


def _update_by_numbers(session: StoreConnection, change: UpdateRows) -> bool:
    """Update the rows where they are likely to stand. False: nothing was done, or not to all of them, and it
    has to be done again by their ids."""
    ids = [row[0] for row in change.rows]
    numbers, kinds = _numbers(session, change.table, ids)
    if numbers is None:
        return False
    rows = [(number, *row) for number, row in zip(numbers, change.rows, strict=True)]
    columns = [(f"c{place}", kinds[name]) for place, name in enumerate(change.columns[1:], 1)]
    text = partial(numbered_update_text, change.table, change.columns)
    return _write_numbered(session, change.table, text, columns, rows)


def _delete_by_numbers(session: StoreConnection, table: str, ids: list[int]) -> bool:
    """The same, to delete them."""
    numbers, _ = _numbers(session, table, ids)
    if numbers is None:
        return False
    rows = list(zip(numbers, ids, strict=True))
    return _write_numbered(session, table, partial(numbered_delete_text, table), [], rows)


def _numbers(session: StoreConnection, table: str, ids: list[int]) -> tuple[list[int] | None, dict[str, str]]:
    """Where these rows are likely to stand, and the types of the table's columns."""
    if table.startswith(TEMP) or not session.store.row_numbers.may_pay(ids):
        return None, {}
    kinds = {row[0]: row[1] for row in session.run(f"DESCRIBE {table}", ())}
    if NUMBER in map(str.lower, kinds):
        return None, {}
    return session.store.row_numbers.find(table, ids, lambda sql, params: session.run(sql, params).rows), kinds


def _write_numbered(
    session: StoreConnection,
    table: str,
    text: Callable[[str], str],
    columns: list[tuple[str, str]],
    rows: list[tuple[Any, ...]],
) -> bool:
    """Do `text`, made for where the rows are, to those that have these numbers and, at them, these ids."""
    described = (("number", "BIGINT"), ("row_id", "BIGINT"), *columns)
    source = f"{TEMP}.{NUMBERED}"
    lists: list[list[Any]] = []
    if len(rows) <= _LISTED and all(kind in _WHOLE_NUMBERS for _, kind in columns):
        source, lists = listed_rows(described), [list(values) for values in zip(*rows, strict=True)]
    else:
        session.load_local(LocalTable(NUMBERED, described, rows, object()))
    ((count,),) = session.run_write(text(source), lists).fetchall()
    session.store.row_numbers.note(table, is_right=count == len(rows))
    return bool(count == len(rows))
