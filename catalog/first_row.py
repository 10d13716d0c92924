"""The first row of a query, with nothing left open behind it.

`fetchone()` of DuckDB keeps the result until the connection runs something else, and with it the transaction in which
it was read. A connection that then rests holds back checkpoints and old versions of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.catalog import duckdb_client as duckdb

__all__ = ["first_row"]


def first_row(connection: duckdb.DuckDBPyConnection, sql: str, params: Sequence[object] = ()) -> tuple[Any, ...] | None:
    """The first row of a query that gives few, None where there is none. Raises duckdb.Error."""
    rows = connection.execute(sql, list(params)).fetchall()
    return rows[0] if rows else None
