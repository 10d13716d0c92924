"""A broker's log that knows more than the store beside it: the store's own log was lost, or its file is an older copy.

The row that says that there is a broker's log stands in DuckDB's log until the next checkpoint. Without it the store
would open as it was then, and nothing would be said of what is gone. So this is looked at before anything is written,
which would make the lost log useless when it is put back. It must not know what a record says.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.duckdb_errors import damaged
from sbql.catalog.first_row import first_row
from sbql.catalog.log_frames import epoch_of, later_frames, owner_of

__all__ = ["has_commits", "refuse_newer_log"]

_NEWER: Final = (
    "its broker's log '%s' has commits that are newer than the store. DuckDB's log '%s.wal' was removed or emptied, or the file is an older "
    "copy. Put the log back that belongs to it. If the store shall be as it is, move the broker's log away, whose commits are lost then"
)


def has_commits(data: bytes, epoch: str | None) -> bool:
    """Whether this is a log with commits, and not the one of this epoch."""
    found = epoch_of(data)
    return found is not None and found.hex() != epoch and bool(later_frames(found, data, 0))


def refuse_newer_log(connection: duckdb.DuckDBPyConnection, path: str, log: str) -> None:
    """Raises SqlError when commits of the store at `path` stand in `log`, and the store does not know of it. A log that
    does not say whose it is may be its own."""
    try:
        with open(log, "rb") as file:
            data = file.read()
    except OSError:  # none, or who needs it says so
        return
    table = "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'sbql' AND table_name = 'broker_log'"
    row = None
    if first_row(connection, table) is not None:
        row = first_row(connection, "SELECT epoch, is_open FROM sbql.broker_log")
    if (row is not None and row[1]) or not has_commits(data, None if row is None else row[0]):
        return
    own = first_row(connection, "SELECT value FROM sbql.meta WHERE key = 'store_id'")
    if owner_of(data) in (None, None if own is None else own[0]):
        raise damaged(path, _NEWER % (log, path))
