"""The statements that do to a table what a change of the redo list says. It must not know when they run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from sbql.catalog.changes import ROW_ID, Definition, DeleteRows, InsertRows, RowChange
from sbql.catalog.duck_types import quote
from sbql.catalog.found_rows import FoundIds, FoundImages, OwnStatement
from sbql.catalog.row_numbers import NUMBER

__all__ = [
    "NUMBERED",
    "insert_text",
    "listed_rows",
    "numbered_delete_text",
    "numbered_update_text",
    "own_statement",
    "update_text",
    "writing_text",
]

NUMBERED: Final = "numbered_rows"
"""The local table of rows that are written by DuckDB's numbers: number, row id, and values c1, c2, …"""


@lru_cache(maxsize=1024)
def insert_text(table: str, columns: tuple[str, ...]) -> str:
    """INSERT of one row."""
    return f"INSERT INTO {table} ({', '.join(map(quote, columns))}) VALUES ({', '.join('?' * len(columns))})"


@lru_cache(maxsize=1024)
def update_text(table: str, columns: tuple[str, ...]) -> str:
    """UPDATE of one row, found by its id, the first of `columns`."""
    sets = ", ".join(f"{quote(name)} = ?" for name in columns[1:])
    return f'UPDATE {table} SET {sets} WHERE "{ROW_ID}" = ?'


def listed_rows(columns: Sequence[tuple[str, str]]) -> str:
    """In FROM: rows that come as a parameter for each of the `columns`, a list of its values, in place of NUMBERED."""
    return f"(SELECT {', '.join(f'unnest(CAST(? AS {kind}[])) AS {name}' for name, kind in columns)})"


@lru_cache(maxsize=1024)
def numbered_update_text(table: str, columns: tuple[str, ...], source: str) -> str:
    """UPDATE of the rows in `source`, NUMBERED or what is like it. `columns`: the row id first."""
    sets = ", ".join(f"{quote(name)} = f.c{place}" for place, name in enumerate(columns[1:], 1))
    return f"UPDATE {table} SET {sets} FROM {source} AS f WHERE {_numbered(table)}"


@lru_cache(maxsize=1024)
def numbered_delete_text(table: str, source: str) -> str:
    """DELETE of these rows."""
    return f"DELETE FROM {table} USING {source} AS f WHERE {_numbered(table)}"


def _numbered(table: str) -> str:
    """The row at a number, if it has the id. As an equation the second would be a part of the join, and DuckDB
    would not look for the numbers alone."""
    return f"{table}.{NUMBER} = f.number AND {table}.{quote(ROW_ID)} - f.row_id = 0"


def writing_text(change: RowChange, table: str = "") -> str | None:
    """The statement that does what a change says which rests on found rows, to `table` in place of
    its own; None for any other change."""
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
