"""Where the counters of user tables were when the store was closed last, and the ends of blocks that were begun since.

It decides nothing: what is counted, and when it is kept, is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.store_protocols import StoreAbove

__all__ = ["KeptCounter", "keep_counter", "read_counters", "write_counters"]


_COUNTED: Final = -1
"""Stands for a table: somebody who kept no ends of blocks has gone on counting behind what was kept."""


class KeptCounter(NamedTuple):
    """The last value of a table that was `created` then, in seconds since 1970, or the end of the block that it has
    begun."""

    table_id: int
    created: float
    last: int


def read_counters(store: StoreAbove) -> tuple[list[KeptCounter], bool]:
    """What was kept, and whether no value beyond it was given. Raises SqlError."""
    try:
        with store.scratch() as connection:
            found = [KeptCounter(*row) for row in store.port.call("read", _read, connection)]
    except (duckdb.Error, OSError) as error:
        raise store.losses.sql_error(error) from None
    counters = [one for one in found if one.table_id != _COUNTED]
    return counters, len(counters) == len(found)


def write_counters(store: StoreAbove, counters: Iterable[KeptCounter]) -> None:
    """Keep these in the place of what was kept. Raises SqlError when the disk refuses."""
    try:
        with store.scratch() as connection, store.journal.pen():
            store.port.call("log", _write, connection, list(counters))
    except (duckdb.Error, OSError) as error:
        raise store.losses.sql_error(error) from None


def keep_counter(store: StoreAbove, table_id: int, created: float, last: int | None) -> None:
    """Keep this of one table, outside any transaction. None: nothing is kept of it. Raises SqlError when the disk
    refuses."""
    try:
        with store.scratch() as connection, store.journal.pen():
            counters = [] if last is None else [KeptCounter(table_id, created, last)]
            store.port.call("log", _replace, connection, table_id, counters)
    except (duckdb.Error, OSError) as error:
        raise store.losses.sql_error(error) from None


def _read(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, float, int]]:
    found: list[tuple[int, float, int]] = connection.execute(
        "SELECT table_id, created, last FROM sbql.kept_counters"
    ).fetchall()
    return found


def _write(connection: duckdb.DuckDBPyConnection, counters: list[KeptCounter]) -> None:
    with _transaction(connection):
        connection.execute("DELETE FROM sbql.kept_counters")
        if counters:
            connection.executemany("INSERT INTO sbql.kept_counters VALUES (?, ?, ?)", counters)


def _replace(connection: duckdb.DuckDBPyConnection, table_id: int, counters: list[KeptCounter]) -> None:
    with _transaction(connection):
        connection.execute("DELETE FROM sbql.kept_counters WHERE table_id = ?", [table_id])
        for counter in counters:
            connection.execute("INSERT INTO sbql.kept_counters VALUES (?, ?, ?)", counter)


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    connection.begin()
    try:
        yield
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
