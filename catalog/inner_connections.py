"""Inner connections: what functions read while a query of their session runs that calls them, and what was committed
last while a transaction of their session is open.

DuckDB runs one query at a time on a connection. A function that reads tables has another one, and where what it runs
calls functions that read, these have one more: a level each. Decides which connection is free, and how many levels a
snapshot has. It must not know T-SQL.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final

from sbql.catalog.own_rows import OwnRows
from sbql.catalog.store_protocols import StoreAbove

__all__ = ["SNAPSHOT_LEVELS", "InnerConnections"]

SNAPSHOT_LEVELS: Final = 4
"""Levels that read on the snapshot of a transaction: each is a transaction of DuckDB's, begun with it."""


class InnerConnections:
    """Those of one session, each made when it is first needed."""

    def __init__(self, store: StoreAbove) -> None:
        self.depth = 0
        """Queries of the session that run now and call functions, one within the
        other; 0: its own connection is free."""
        self.is_on_snapshot = False
        """The first SNAPSHOT_LEVELS have the snapshot of the session's transaction."""
        self._store = store
        self._levels: list[tuple[Any, OwnRows]] = []

    @contextmanager
    def querying(self, *, calls: bool) -> Generator[None]:
        """While a query runs which, if it `calls` functions, keeps the connection that is free now."""
        self.depth += calls
        try:
            yield
        finally:
            self.depth -= calls

    def free(self) -> tuple[Any, OwnRows]:
        """The session's own connection is busy: the StoreSession of the level that is
        free, and the copies that it has."""
        self._make(self.depth)
        return self._levels[self.depth - 1]

    def aside(self) -> Any:
        """The session's own connection is in a transaction, under READ COMMITTED, and runs nothing: a StoreSession
        that is in none."""
        self._make(1)
        return self._levels[0][0]

    def of_snapshot(self) -> list[Any]:
        """The StoreSessions that are to begin on the snapshot of the session's transaction."""
        self._make(SNAPSHOT_LEVELS)
        return [connection for connection, _ in self._levels[:SNAPSHOT_LEVELS]]

    def leave_snapshot(self) -> None:
        """The transaction of the session has ended."""
        if self.is_on_snapshot:
            for connection in self.of_snapshot():
                connection.roll_back()
            self.is_on_snapshot = False

    def interrupt(self) -> None:
        """Stop what runs on any of them, from another thread."""
        for connection in self._connections():
            connection.interrupt()

    def close(self) -> None:
        for connection in self._connections():
            connection.close()

    def _connections(self) -> Iterator[Any]:
        return (connection for connection, _ in list(self._levels))

    def _make(self, levels: int) -> None:
        while len(self._levels) < levels:
            connection = self._store.connect()
            self._levels.append((connection, OwnRows(connection)))
