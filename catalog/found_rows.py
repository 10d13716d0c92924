"""Found rows: what the query of a big write has found, as a table in DuckDB's memory beside the store's file.

Such a table belongs to no transaction: every connection reads it, a rollback leaves it, and what needs more memory than
there is DuckDB spills to its folder. So the redo list may name it where it would hold a row image for each row, and
bring the same rows back as often as DuckDB's transaction is begun anew. It must not know what the rows are for.

`FoundImages` and `FoundIds` stand in a RowChange where lists of rows and ids stand otherwise. Whoever iterates over
them gets the rows page by page; whoever writes them asks for their text, and DuckDB does the work.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, Protocol, TypeVar, overload

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.changes import Definition, DeleteRows, RowChange
from sbql.catalog.functions import StoreFunctions
from sbql.catalog.losses import Losses
from sbql.catalog.parallelism import SERIAL, Parallelism
from sbql.catalog.store_port import StorePort

__all__ = [
    "FoundIds", "FoundImages", "FoundTable", "OwnStatement", "cast_columns", "column_names", "distinct_text", "found_of",
    "new_name",
]  # fmt: skip

T = TypeVar("T")

_PAGE: Final = 8192
_FEW: Final = 100_000
_SPARSE: Final = 64
"""Bits for each row id: so many are the memory of the ids themselves."""
_MOST_BITS: Final = 900_000_000
"""DuckDB takes 1,000,000,000."""
_numbers: Final = itertools.count(1)


def column_names(types: Sequence[str]) -> str:
    """Those of a FoundTable with columns of these types."""
    return ", ".join(f"c{place}" for place in range(1, len(types) + 1))


def cast_columns(types: Sequence[str]) -> str:
    """What such columns are, as a list of SELECT that makes them."""
    return ", ".join(f"CAST(c{place} AS {kind}) AS c{place}" for place, kind in enumerate(types, 1))


def new_name() -> str:
    """Of a table, or of a database in memory, that no other has had."""
    return f"found_{next(_numbers)}"


class _Store(Protocol):
    port: StorePort
    losses: Losses
    functions: StoreFunctions
    parallelism: Parallelism

    def scratch(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]: ...


Scratch = Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]
"""A connection for a while, whose query stops when its session's batch is cancelled."""


class OwnStatement(Struct, frozen=True):
    """What does to a table, in the state in which rows of it were found, just what was found: DuckDB then changes
    rows as it scans them, in a fifth of the time that looking them up by their ids takes. Nobody else may write
    the table between the search and the end of the transaction; changes of its own come before it in the redo
    list, and are done again in that order."""

    sql: str
    values: Sequence[Any] = ()


def distinct_text(column: str, low: int | None, high: int | None, count: int) -> str:
    """How many values a column of whole numbers has, of which `count` lie between `low` and `high`."""
    if low is None or high is None or high - low > min(max(count, _FEW) * _SPARSE, _MOST_BITS):
        return f"count(DISTINCT {column})"
    return f"bit_count(bitstring_agg({column}, {low}, {high}))"


class FoundTable:
    """`count` rows of columns c1, c2, …, in the order in which they were found, which is that of DuckDB's `rowid` from
    0 on. `own`: the statement that changes just these rows, if there is one. Whoever made it drops it, or hands it to a
    unit of work with a change (`found_of`), which drops it at its end."""

    __slots__ = ("_dropping", "_scratch", "_store", "count", "name", "own")

    def __init__(self, store: _Store, scratch: Scratch, name: str, count: int, dropping: str) -> None:
        self._store = store
        self._scratch = scratch
        self._dropping = dropping
        self.name = name
        self.count = count
        self.own: OwnStatement | None = None

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """A query that reads nothing else, to its end. Raises SqlError."""
        return [row for page in self.pages(sql) for row in page]

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """The same, page by page."""
        self._store.functions.make_known(sql)
        try:
            around = self._store.parallelism.around(is_serial=SERIAL in sql)
            with around, self._scratch() as connection:
                result = self._store.port.call("read", connection.execute, sql)
                while page := result.fetchmany(_PAGE):
                    yield page
        except (duckdb.Error, OSError) as error:
            raise self._store.losses.sql_error(error) from None

    def keep_first(self) -> None:
        """Of the rows with one value of c1 the first alone, and none without a value. Raises SqlError."""
        if self._is_each_once():
            return
        self._delete(f"c1 IS NULL OR rowid NOT IN (SELECT min(rowid) FROM {self.name} GROUP BY c1)")

    def keep(self, count: int) -> None:
        """The first `count` rows alone. Raises SqlError."""
        if count >= self.count:
            return
        first = f"SELECT rowid FROM {self.name} ORDER BY rowid LIMIT 1 OFFSET {count}"
        self._delete(f"rowid >= ({first})")
        self.own = None

    def _delete(self, condition: str) -> None:
        text = f"DELETE FROM {self.name} WHERE {condition}"
        try:
            with self._scratch() as connection:
                ((gone,),) = self._store.port.call("write", connection.execute, text).fetchall()
        except (duckdb.Error, OSError) as error:
            raise self._store.losses.sql_error(error) from None
        self.count -= gone

    def _is_each_once(self) -> bool:
        """Whether every row has a value of c1, and no two the same: as usual, and seen in a fraction of the time that
        looking for the first ones takes. Row ids are mostly near each other: a bit for each, then."""
        ((low, high),) = self.query(f"SELECT min(c1), max(c1) FROM {self.name}")
        return self.query(f"SELECT {distinct_text('c1', low, high, self.count)} FROM {self.name}") == [(self.count,)]

    def drop(self) -> None:
        """Safe to call twice. No cancel stops it."""
        with suppress(duckdb.Error, OSError), self._store.scratch() as connection:
            connection.execute(self._dropping)


class _Found(Sequence[T]):
    """What `sql`, a query of `table` alone, gives: one for each of its rows, or
    `count`. `own` does the whole change."""

    __slots__ = ("_count", "own", "sql", "table")

    def __init__(
        self, table: FoundTable, sql: str, count: int | None = None, *, own: OwnStatement | None = None
    ) -> None:
        self.table = table
        self.sql = sql
        self.own = own
        self._count = count

    def __len__(self) -> int:
        return self.table.count if self._count is None else self._count

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return list(self)[place]


class FoundImages(_Found[tuple[Any, ...]]):
    """Row images, the row id first."""

    __slots__ = ()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for page in self.table.pages(self.sql):
            yield from page


class FoundIds(_Found[int]):
    """Row ids, each once."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        for page in self.table.pages(self.sql):
            yield from (row[0] for row in page)


def found_of(change: RowChange) -> FoundTable | None:
    """The table that a change rests on, if it has no rows of its own."""
    if isinstance(change, Definition):
        return None
    rows = change.row_ids if isinstance(change, DeleteRows) else change.rows
    if type(rows) is list:  # the usual answer, without a question to an abstract class
        return None
    return rows.table if isinstance(rows, FoundImages | FoundIds) else None
