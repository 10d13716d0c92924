"""The error log as the store keeps it: lines, and which cycle each belongs to.

It decides nothing: which lines there are, how many are kept and when they are written is the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbql.catalog import duckdb_client as duckdb

__all__ = ["LogLine", "read_log", "write_log"]

LogLine = tuple[int, float, int, str, str]
"""(cycle, seconds since 1970, message number, text, source)."""


def read_log(connection: duckdb.DuckDBPyConnection) -> list[LogLine]:
    """All lines, in the order in which they were written."""
    query = "SELECT cycle, time, number, text, source FROM sbql.error_log ORDER BY cycle, rowid"
    lines: list[LogLine] = connection.execute(query).fetchall()
    return lines


def write_log(connection: duckdb.DuckDBPyConnection, lines: Sequence[LogLine], *, anew: bool) -> None:
    """Add lines, in one transaction; `anew`: they are all that is kept."""
    connection.begin()
    try:
        if anew:
            connection.execute("DELETE FROM sbql.error_log")
        if lines:
            connection.executemany("INSERT INTO sbql.error_log VALUES (?, ?, ?, ?, ?)", list(lines))
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
