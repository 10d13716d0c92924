"""Room for checkpoints: a store port that lets DuckDB begin one only where the disk has room for it.

A checkpoint writes anew what has changed, whole groups of rows, beside what stands there, before it lets go of the log.
When it finds no room DuckDB gives the file up, although every commit is in the log: nothing can be read then before the
store is opened again. A log that finds no room is an error of one commit, after which all goes on. So while the disk is
short the log grows, and DuckDB is asked for a checkpoint only when there is certainly room.

Decides when there is. It must not know what a call is for beyond its kind.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.first_row import first_row
from sbql.catalog.interrupts import attempt, held
from sbql.catalog.store_port import Call, StorePort

__all__ = ["NO_CHECKPOINTS", "with_room"]

NO_CHECKPOINTS: Final = "1TiB"
"""The size of the log at which DuckDB begins a checkpoint by itself, while nobody has looked for room."""
_USUAL: Final = 16 << 20
"""The same while there is room: DuckDB's own."""
_PLENTY: Final = 1280 << 20
"""So many bytes are room enough whatever a checkpoint rewrites: but for a gigabyte of changed groups of rows it is."""
_MARGIN: Final = 2 << 20
"""Bytes of blocks that are filled in part."""
_LOOKS: Final = 8
"""Where there is plenty each so-many-th commit looks."""
_WRITES: Final = frozenset(("commit", "journal", "fold", "log", "write"))
"""Calls that may end in a commit of DuckDB's."""
_BLOCKS: Final = "SELECT block_size, used_blocks, free_blocks FROM pragma_database_size() WHERE database_name = ?"

_P = ParamSpec("_P")
_T = TypeVar("_T")


def with_room(
    port: StorePort, path: str | None, alias: str, connect: Callable[[], duckdb.DuckDBPyConnection]
) -> StorePort:
    """The port of the store at `path` that is attached as `alias`. A store in memory (None) has no checkpoints."""
    return port if path is None else _CheckpointRoom(port, path, alias, connect())


class _CheckpointRoom(StorePort):
    """Around the port of one store; `connection` is its own."""

    def __init__(self, port: StorePort, path: str, alias: str, connection: duckdb.DuckDBPyConnection) -> None:
        self._port, self._path, self._alias, self._connection = port, path, alias, connection
        self._folder = os.path.dirname(path) or "."
        self._mutex = threading.Lock()
        self._has_plenty = False
        """DuckDB begins checkpoints by itself."""
        self._calls = 0
        self._known: tuple[tuple[int, int], int, int] = ((-1, 0), 0, 0)
        """Size and time of the file, and the bytes of its blocks, used and free, then."""

    def call(self, kind: Call, work: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if kind in _WRITES:
            self._calls += 1
            if not self._has_plenty or self._calls % _LOOKS == 0:
                self._look()
        return self._port.call(kind, work, *args, **kwargs)

    def close(self) -> None:
        with self._mutex:
            self._connection.close()

    def _look(self) -> None:
        with (
            held,
            attempt(self._mutex) as is_mine,
            contextlib.suppress(duckdb.Error, OSError),  # whoever commits next meets it, too
        ):
            if not is_mine:  # somebody looks
                return
            free = shutil.disk_usage(self._folder).free
            if (free >= _PLENTY) != self._has_plenty:
                self._set(has_plenty=free >= _PLENTY)
            if not self._has_plenty and (log := os.stat(f"{self._path}.wal").st_size) >= _USUAL:
                self._checkpoint_if_it_fits(log, free)

    def _set(self, *, has_plenty: bool) -> None:
        size = f"{_USUAL}B" if has_plenty else NO_CHECKPOINTS
        self._connection.execute(f"SET GLOBAL wal_autocheckpoint = '{size}'")
        self._has_plenty = has_plenty

    def _checkpoint_if_it_fits(self, log: int, free: int) -> None:
        """At the worst it writes everything anew that is used, and what is in the log."""
        used, unused = self._blocks()
        if free + unused >= used + log + _MARGIN:
            self._connection.execute(f"CHECKPOINT {self._alias}")

    def _blocks(self) -> tuple[int, int]:
        found = os.stat(self._path)
        as_found = (found.st_size, found.st_mtime_ns)
        if self._known[0] != as_found:
            row = first_row(self._connection, _BLOCKS, [self._alias])
            assert row is not None, "the store is attached"
            self._known = (as_found, row[0] * row[1], row[0] * row[2])
        return self._known[1], self._known[2]
