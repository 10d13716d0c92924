"""The statements that do to a table what a change of the redo list says. It must not know when they run."""

from __future__ import annotations

from functools import lru_cache

from sbql.catalog.changes import ROW_ID, Definition, DeleteRows, InsertRows, RowChange
from sbql.catalog.duck_types import quote
from sbql.catalog.found_rows import FoundIds, FoundImages, OwnStatement

__all__ = ["insert_text", "own_statement", "update_text", "writing_text"]


@lru_cache(maxsize=1024)
def insert_text(table: str, columns: tuple[str, ...]) -> str:
    """INSERT of one row."""
    return f"INSERT INTO {table} ({', '.join(map(quote, columns))}) VALUES ({', '.join('?' * len(columns))})"


@lru_cache(maxsize=1024)
def update_text(table: str, columns: tuple[str, ...]) -> str:
    """UPDATE of one row, found by its id, the first of `columns`."""
    sets = ", ".join(f"{quote(name)} = ?" for name in columns[1:])
    return f'UPDATE {table} SET {sets} WHERE "{ROW_ID}" = ?'


def writing_text(change: RowChange, table: str = "") -> str | None:
    """The statement that does what a change says which rests on found rows, to `table` in place of its own; None for any
    other change."""
    if isinstance(change, Definition):
        return None
    table = table or change.table
    row_id = quote(ROW_ID)
    if isinstance(change, DeleteRows):
        ids = change.row_ids
        return f"DELETE FROM {table} WHERE {row_id} IN ({ids.sql})" if isinstance(ids, FoundIds) else None
    if not isinstance(change.rows, FoundImages):
        return None
    names = ", ".join(map(quote, change.columns))
    if isinstance(change, InsertRows):
        return f"INSERT INTO {table} ({names}) {change.rows.sql}"
    sets = ", ".join(f"{quote(name)} = found.{quote(name)}" for name in change.columns[1:])
    found = f"({change.rows.sql}) AS found({names})"
    return f"UPDATE {table} SET {sets} FROM {found} WHERE {table}.{row_id} = found.{row_id}"


def own_statement(change: RowChange) -> OwnStatement | None:
    """The quicker one for the table itself, where a change that rests on found rows has one."""
    if isinstance(change, Definition):
        return None
    rows = change.row_ids if isinstance(change, DeleteRows) else change.rows
    return rows.own if isinstance(rows, FoundImages | FoundIds) else None
