"""Staging: rows that a writer has brought and not committed, in tables in memory.

Decides where they wait and what is dropped. A table belongs to a key, which its writer names when it commits; a restart
forgets them all, and the writer brings them again. It must not know what rows mean.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.duck_types import quote
from sbql.catalog.staged_batch import StagedBatch
from sbql.catalog.store_port import StorePort
from sbql.grammar.errors import SqlError

__all__ = ["STAGED_COLUMNS", "Staging"]

STAGED_COLUMNS: Final = (
    ("conversation_handle", "VARCHAR"),
    ("conversation_key", "VARCHAR"),
    ("message_type_name", "VARCHAR"),
    ("message_body", "BLOB"),
    ("end_conversation", "BOOLEAN"),
)
"""What a row of a sink has."""

_CHUNK: Final = 2_000


class Staging:
    """Every method may be called from any thread, and raises SqlError."""

    def __init__(
        self,
        connect: Callable[[], duckdb.DuckDBPyConnection],
        port: StorePort,
        sql_error: Callable[[duckdb.Error | OSError], SqlError],
    ) -> None:
        self._connect = connect
        self._port = port
        self._sql_error = sql_error
        self._mutex = threading.Lock()
        self._numbers = itertools.count(1)
        self._tables: dict[str, tuple[str, float, int]] = {}
        """Of each key the batch, when it came, and how many rows it has."""

    def put(self, batch: str, rows: Any, now: float) -> tuple[str, int]:
        """Keep `rows`, an Arrow stream with STAGED_COLUMNS, for a batch. Returns their key and how many there are. An
        upload that breaks off leaves nothing."""
        with self._mutex:
            key = f"staged_{next(self._numbers)}"
        duckdb.load_arrow()
        columns = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in STAGED_COLUMNS)
        connection = self._connect()
        try:
            connection.register("arriving_rows", rows)
            sql = f"CREATE TABLE memory.main.{quote(key)} AS SELECT {columns} FROM arriving_rows"
            self._port.call("write", connection.execute, sql)
            ((count,),) = connection.execute(f"SELECT count(*) FROM memory.main.{quote(key)}").fetchall()
        except (duckdb.Error, OSError) as error:
            raise self._sql_error(error) from None
        finally:
            connection.close()
        with self._mutex:
            self._tables[key] = batch, now, int(count)
        return key, int(count)

    def has(self, key: str) -> bool:
        return key in self._tables

    def count(self, keys: Sequence[str]) -> int:
        """So many rows the keys have, those that are there."""
        return sum(self._tables[key][2] for key in keys if key in self._tables)

    @contextmanager
    def batch(self, keys: Sequence[str]) -> Iterator[StagedBatch]:
        """The rows of keys that are there, as a whole, for as long as the block lasts."""
        with self._mutex:
            name = f"batch_{next(self._numbers)}"
            tables = [(quote(key), self._tables[key][2]) for key in keys]
        batch = StagedBatch(self._connect, self._port, self._sql_error, name, tables)
        try:
            yield batch
        finally:
            batch.drop()

    def rows(self, key: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a key in their order, in pieces."""
        connection = self._connect()
        try:
            result = connection.execute(f"SELECT * FROM memory.main.{quote(key)}")
            while found := result.fetchmany(_CHUNK):
                yield found
        except (duckdb.Error, OSError) as error:
            raise self._sql_error(error) from None
        finally:
            connection.close()

    def drop(self, batch: str, older_than: float) -> None:
        """Forget what was brought for a batch, and what anybody brought before a moment."""
        with self._mutex:
            gone = [key for key, (owner, when, _) in self._tables.items() if owner == batch or when < older_than]
            for key in gone:
                del self._tables[key]
        connection = self._connect()
        try:
            for key in gone:
                connection.execute(f"DROP TABLE IF EXISTS memory.main.{quote(key)}")
        except (duckdb.Error, OSError) as error:
            raise self._sql_error(error) from None
        finally:
            connection.close()
