"""Where the counters of user tables were when the store was closed last.

It decides nothing: what is counted, and when it is kept, is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.store_protocols import StoreAbove

__all__ = ["KeptCounter", "read_counters", "write_counters"]


_READ: Final = -1
"""Stands for a table: the counters were read."""


class KeptCounter(NamedTuple):
    """The last value of a table that was `created` then, in seconds since 1970."""

    table_id: int
    created: float
    last: int


def read_counters(store: StoreAbove) -> tuple[list[KeptCounter], bool]:
    """What was kept, and whether nobody has read it since, who would have gone on counting: then the store was closed
    in good order. Raises SqlError, also when the disk refuses to note that it was read."""
    try:
        with store.scratch() as connection:
            found = [KeptCounter(*row) for row in store.port.call("read", _read, connection)]
            counters = [one for one in found if one.table_id != _READ]
            is_first = len(counters) == len(found)
            if counters and is_first:
                with store.journal.pen():
                    store.port.call("log", _note_read, connection)
    except (duckdb.Error, OSError) as error:
        raise store.losses.sql_error(error) from None
    return counters, is_first


def write_counters(store: StoreAbove, counters: Iterable[KeptCounter]) -> None:
    """Keep these in the place of what was kept. Raises SqlError when the disk refuses."""
    try:
        with store.scratch() as connection, store.journal.pen():
            store.port.call("log", _write, connection, list(counters))
    except (duckdb.Error, OSError) as error:
        raise store.losses.sql_error(error) from None


def _read(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, float, int]]:
    found: list[tuple[int, float, int]] = connection.execute(
        "SELECT table_id, created, last FROM sbql.kept_counters"
    ).fetchall()
    return found


def _note_read(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("INSERT INTO sbql.kept_counters VALUES (?, 0, 0)", [_READ])


def _write(connection: duckdb.DuckDBPyConnection, counters: list[KeptCounter]) -> None:
    connection.begin()
    try:
        connection.execute("DELETE FROM sbql.kept_counters")
        if counters:
            connection.executemany("INSERT INTO sbql.kept_counters VALUES (?, ?, ?)", counters)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
