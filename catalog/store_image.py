"""What a store in memory holds at one moment, kept as a file, and any number of stores that begin with it.

A test suite sets its application up once and gives each test a store of its own. Making a DuckDB takes longer
than all else, so a DuckDB whose store was closed takes the next one: attaching a copy of a small file costs least
of all ways that there are (docs/decisions). The copies lie where nothing is synced, if the system has such a
place, and are thrown away: by the next one who makes an image, if their process was killed. It must not know what
is in a store, nor whether it is at rest.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import threading
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_log import forget_log
from sbql.catalog.duck_types import quote_literal
from sbql.catalog.duckdb_errors import to_sql_error
from sbql.catalog.kept_folders import kept_folder, let_go
from sbql.catalog.store import Store
from sbql.catalog.store_file import ALIAS, engine_for

__all__ = ["StoreImage", "StoreSource"]

_IMAGE: Final = "sbql_image"
_PREFIX: Final = "sbql-image-"
_IN_MEMORY: Final = "/dev/shm"

MakeStore = Callable[[duckdb.DuckDBPyConnection, Callable[[], object]], Store]
"""Makes a store over an attached database, as `Store.over` does."""


class StoreSource(Protocol):
    """What an instance gets its store from, when not from a file of that name."""

    def open(self) -> Store: ...


class StoreImage:
    """Made of an open store, which may be closed afterwards. Every method may be called from any thread. Raises
    SqlError when there is no room for it."""

    def __init__(self, store: Store) -> None:
        self._folder = kept_folder(_PREFIX, _folder())
        self._image = self._folder / "image.duckdb"
        self._numbers = itertools.count()
        self._mutex = threading.Lock()
        self._free: list[duckdb.DuckDBPyConnection] = []
        self._end = weakref.finalize(self, _end, self._free, self._folder)
        try:
            with store.scratch() as connection:
                connection.execute(f"ATTACH {quote_literal(str(self._image))} AS {_IMAGE}")
                store.begin_frozen(connection)  # of one moment, also where a part is in the broker's log
                connection.execute(f"COPY FROM DATABASE {ALIAS} TO {_IMAGE}")
                forget_log(connection, _IMAGE)
                connection.commit()
                connection.execute(f"CHECKPOINT {_IMAGE}")
                connection.execute(f"DETACH {_IMAGE}")
        except duckdb.Error as error:
            raise to_sql_error(error) from None

    def open(self) -> Store:
        """A store with what the image has. It counts as one in memory: nothing of it is left when it is closed."""
        return self.attach(self.copy())

    def copy(self) -> Path:
        """The image as a file of its own, where those of the image lie. Raises SqlError."""
        path = self._folder / f"{next(self._numbers)}.duckdb"
        try:
            shutil.copyfile(self._image, path)
        except OSError as error:
            raise to_sql_error(error) from None
        return path

    def attach(self, path: Path, make: MakeStore = Store.over) -> Store:
        """A store over such a file, whose end is the end of the store."""
        with self._mutex:
            engine = self._free.pop() if self._free else None
        if engine is None:
            engine = engine_for(None)
            engine.execute("PRAGMA disable_checkpoint_on_shutdown")
        try:
            engine.execute(f"ATTACH {quote_literal(str(path))} AS {ALIAS}")
            return make(engine.cursor(), partial(self._take_back, engine, path))
        except (duckdb.Error, OSError) as error:
            engine.close()
            raise to_sql_error(error) from None

    def save(self, path: str) -> None:
        """Write the image as the file of a store. Raises OSError."""
        shutil.copyfile(self._image, path)

    def close(self) -> None:
        """Let go of what is kept for the next stores. Those that are open stay so."""
        with self._mutex:
            self._end()

    def _take_back(self, engine: duckdb.DuckDBPyConnection, path: Path) -> None:
        """The store over `path` was closed; its DuckDB takes another one."""
        try:
            engine.execute(f"DETACH {ALIAS}")
        except duckdb.Error:  # somebody holds on to a connection of the store: the next one gets a DuckDB of its own
            engine.close()
            return
        finally:
            for name in (path, Path(f"{path}.wal")):
                with contextlib.suppress(OSError):
                    name.unlink()
        with self._mutex:
            if self._end.alive:
                self._free.append(engine)
            else:
                engine.close()


def _end(free: list[duckdb.DuckDBPyConnection], folder: Path) -> None:
    """At the latest when the process ends: DuckDB reports what outlives its module as leaked."""
    while free:
        free.pop().close()
    let_go(folder)


def _folder() -> str | None:
    """Where files are memory; None: the usual place of temporary files."""
    return _IN_MEMORY if os.path.isdir(_IN_MEMORY) and os.access(_IN_MEMORY, os.W_OK) else None
