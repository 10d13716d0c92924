"""How much memory DuckDB may take. It must not know who asks, nor what else the process holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbql.catalog import duckdb_client as duckdb

if TYPE_CHECKING:
    from sbql.catalog.store import Store

__all__ = ["limit_memory"]


def limit_memory(store: Store, megabytes: int | None) -> None:
    """No more for DuckDB than that; None: as much as it takes by itself. Raises SqlError 701 when it needs more at this
    moment."""
    text = "RESET GLOBAL memory_limit" if megabytes is None else f"SET GLOBAL memory_limit = '{megabytes}MiB'"
    try:
        with store.scratch() as connection:
            connection.execute(text)
    except duckdb.Error as error:
        raise store.losses.sql_error(error) from None
