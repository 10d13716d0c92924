"""The file of a store: what is in a new one, what makes a file one that can be read, what is thrown away at the start.

Decides the format version. It must not know what is committed, folded or read later.
"""

from __future__ import annotations

import os
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

import duckdb

from sbql.catalog.bootstrap import FIRST_USER_ID, TEMPDB
from sbql.catalog.duck_types import quote, quote_literal
from sbql.catalog.duckdb_errors import damaged, foreign_file, other_format
from sbql.catalog.fold import BROKER_TABLES
from sbql.catalog.write_ahead_log import bad_place, cut, find_tear, has_lost_its_head

__all__ = ["ALIAS", "FORMAT_VERSION", "attach", "empty_tempdb", "prepare", "spill_folder"]

FORMAT_VERSION: Final = 2
"""2: time(7), datetime2(7) and datetimeoffset(7) in ticks of 100 ns (duck_types)."""

ALIAS: Final = "sbql_store"
"""A name of our own: DuckDB would call the database like its file, and `sbql.db` would hide schema sbql."""


def spill_folder(path: str | Path | None) -> str:
    """Where a query that needs more memory than there is may write. DuckDB makes and removes it."""
    return f"{path}.tmp" if path is not None else str(Path(tempfile.gettempdir(), f"sbql-{os.getpid()}.tmp"))


def attach(connection: duckdb.DuckDBPyConnection, path: str) -> list[str]:
    """Attach the file. What DuckDB calls a damaged log and is only a torn end, the write of a commit that nobody was told
    of, is cut off and kept beside it. Returns what was done, for the error log. Raises duckdb.Error, OSError, and
    SqlError for real damage."""
    statement = f"ATTACH {quote_literal(path)} AS {ALIAS}"
    tear = has_lost_its_head(f"{path}.wal")
    if tear is None:
        try:
            connection.execute(statement)
        except duckdb.Error as error:
            place = bad_place(error)
            if place is None:
                raise
            tear = find_tear(*place)
        else:
            return []
    if not tear.is_torn:
        raise damaged(
            path, f"its log is damaged from byte {tear.place} on, and {tear.whole_after} whole entries follow"
        )
    kept = cut(tear)
    connection.execute(statement)
    return [
        (
            f"The log of the store '{path}' was torn at byte {tear.place}, as a power failure leaves it: the last write, of "
            f"{tear.size - tear.place} bytes, belonged to no acknowledged commit. It was cut off and is kept in '{kept}'."
        )
    ]


def prepare(connection: duckdb.DuckDBPyConnection, path: str) -> None:
    """Create the internal schema in an empty file, or check that the file is a store that we can read."""
    tables = "SELECT DISTINCT schema_name FROM duckdb_tables() WHERE database_name = ?"
    known = {row[0] for row in connection.execute(tables, [ALIAS]).fetchall()}
    if "sbql" not in known:
        if known:
            raise foreign_file(path)
        connection.begin()
        connection.execute(resources.files(__package__).joinpath("sql/schema.sql").read_text(encoding="utf-8"))
        connection.execute(_later_tables())
        connection.commit()
        return
    row = connection.execute("SELECT value FROM sbql.meta WHERE key = 'format_version'").fetchone()
    found = int(row[0]) if row else 0
    if found != FORMAT_VERSION:
        raise other_format(path, found, FORMAT_VERSION)
    connection.execute(_later_tables())


def _later_tables() -> str:
    """What stores of this format had not from the start."""
    scripts = resources.files(__package__)
    return "".join(
        scripts.joinpath(f"sql/{name}.sql").read_text(encoding="utf-8") for name in ("monologs", "error_log")
    )


def empty_tempdb(connection: duckdb.DuckDBPyConnection) -> None:
    """What was made in tempdb ends with the instance; its built-in objects stay."""
    connection.begin()
    schemas = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ? AND schema_name LIKE 'tempdb.%'"
    for (schema,) in connection.execute(schemas, [ALIAS]).fetchall():
        connection.execute(f"DROP SCHEMA {quote(schema)} CASCADE; CREATE SCHEMA {quote(schema)}")
    connection.execute("DELETE FROM sbql.objects WHERE database_id = ? AND id >= ?", [TEMPDB, FIRST_USER_ID])
    for table in BROKER_TABLES:
        connection.execute(f"DELETE FROM sbql.{table} WHERE database_id = ?", [TEMPDB])
    connection.commit()
