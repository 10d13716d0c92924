"""How a store comes to be: under another name, whole and synced before it gets its own.

A power failure while a store is made leaves no file of its name, or a store that opens. Decides the name that stands in
until then (`shop.duckdb.new`) and what becomes of the one that a failure left. It must not know what is in a store.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.duck_types import quote_literal
from sbql.catalog.duckdb_errors import is_in_use
from sbql.catalog.first_row import first_row
from sbql.catalog.synced_file import sync_folder

__all__ = ["ALIAS", "is_there", "making", "stored_id"]

ALIAS: Final = "sbql_store"
"""A name of our own: DuckDB would call the database like its file, and `sbql.db` would hide schema sbql."""


def is_there(path: str) -> bool:
    """Is there a file that may be a store? An empty one holds nothing: it is taken for the name of a store to be."""
    return os.path.lexists(path) and not (os.path.isfile(path) and os.path.getsize(path) == 0)


@contextlib.contextmanager
def making(connection: duckdb.DuckDBPyConnection, path: str) -> Iterator[None]:
    """Around the filling of a new file, attached and in use as ALIAS. Afterwards it is called `path`, and detached.

    DuckDB's lock on the file keeps out whoever makes the same store at the same time, until it has its name; a store
    that somebody put there by other means stays. Raises duckdb.Error and OSError, and then leaves nothing behind.
    """
    new = f"{path}.new"
    _throw_away(connection, new)
    try:
        connection.execute(f"ATTACH {quote_literal(new)} AS {ALIAS}")
        connection.execute(f"USE {ALIAS}")
        yield
        connection.execute(f"CHECKPOINT {ALIAS}")  # syncs
        if os.name == "nt":
            _detach(connection)  # a file that is open cannot be renamed there
        if is_there(path):
            _detach(connection)
            _remove(new)
        else:
            os.replace(new, path)
            sync_folder(os.path.dirname(path))
            _detach(connection)  # only now: whoever comes next finds the store
    except BaseException:
        _detach(connection)
        _remove(new)
        raise


def _detach(connection: duckdb.DuckDBPyConnection) -> None:
    with contextlib.suppress(duckdb.Error):
        connection.execute("USE memory")
        connection.execute(f"DETACH {ALIAS}")


def _throw_away(connection: duckdb.DuckDBPyConnection, new: str) -> None:
    """What a failure left under that name: nobody was told of it. Raises
    duckdb.Error when somebody is at work on it."""
    if not os.path.isfile(new):
        return
    try:
        connection.execute(f"ATTACH {quote_literal(new)} AS {ALIAS}")
        connection.execute(f"DETACH {ALIAS}")
    except duckdb.Error as error:
        if is_in_use(error):
            raise
    _remove(new)


def _remove(new: str) -> None:
    for name in (f"{new}.wal", new):
        with contextlib.suppress(FileNotFoundError):
            os.remove(name)


def stored_id(connection: duckdb.DuckDBPyConnection) -> str:
    """The id of the store, which it was given when it was made."""
    row = first_row(connection, "SELECT value FROM sbql.meta WHERE key = 'store_id'")
    assert row is not None, "prepare sees to it"
    return str(row[0])
