"""What the parts of a session ask of the store, and a transaction of its session, which stand above them.

Protocols, so that imports go one way: unit_of_work <- store_session <- store. They decide nothing; the classes are
`store.Store` and `store_session.StoreSession`, which say what each part does.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.bulk_messages import BulkMessages
from sbql.catalog.change_feed import ChangeFeed
from sbql.catalog.changes import CatalogChange, LocalTable, Page, RowChange, Rows
from sbql.catalog.found_rows import FoundTable
from sbql.catalog.functions import StoreFunctions
from sbql.catalog.journal import Batch, Journal
from sbql.catalog.losses import Losses
from sbql.catalog.parallelism import Parallelism
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.row_numbers import RowNumbers
from sbql.catalog.store_port import StorePort

__all__ = ["RowFollower", "StoreAbove", "StoreConnection"]


class StoreAbove(Protocol):
    """The store of a session; the class is `store.Store`."""

    port: StorePort
    journal: Journal
    losses: Losses
    feed: ChangeFeed
    bulk: BulkMessages
    functions: StoreFunctions
    parallelism: Parallelism
    row_numbers: RowNumbers

    @property
    def clock(self) -> int: ...

    def connect(self) -> Any: ...

    def disconnect(self, session: Any) -> None: ...

    def scratch(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]: ...

    def submit(self, changes: Sequence[BrokerChange]) -> int: ...

    def relieve(self) -> None: ...

    def fold(self) -> None: ...

    def is_stale(self, snapshot: int, tables: Iterable[str]) -> bool: ...

    def committed(self, tables: Iterable[str], batch: Batch) -> None: ...

    def doubt(self, tables: Collection[str]) -> None: ...


class RowFollower(Protocol):
    """Who keeps the rows of a temporary table in memory."""

    def take(self, change: RowChange) -> None:
        """A change that a unit of work has just got. If it is undone, the follower is one no longer."""


class StoreConnection(Protocol):
    """The connection of a unit of work; the class is `store_session.StoreSession`."""

    store: StoreAbove
    whole: threading.Lock
    rollbacks: int
    followed: dict[str, RowFollower]

    def lose(self, change: RowChange) -> None: ...

    @property
    def has_deferred(self) -> bool: ...

    def defer(self, changes: Sequence[RowChange]) -> bool: ...

    def flush(self) -> None: ...

    def open(self, *, with_inner: bool = False) -> None: ...

    def run(self, sql: str, params: Sequence[Any], large: Collection[str] = ()) -> Rows: ...

    def pages(self, sql: str, params: Sequence[Any], large: Collection[str] = ()) -> Generator[Page]: ...

    def find(
        self, sql: str, types: Sequence[str], params: Sequence[Any], large: Collection[str] = (), *, is_inside: bool
    ) -> FoundTable: ...

    def run_write(self, sql: str, params: Sequence[Any], large: Collection[str] = ()) -> duckdb.DuckDBPyConnection: ...

    def append(self, table: str, rows: Sequence[Sequence[Any]], **how: Any) -> None: ...

    def define(self, sql: str) -> None: ...

    def load_local(self, table: LocalTable) -> None: ...

    def forget_statements(self) -> None: ...

    def write_catalog(self, changes: Sequence[CatalogChange]) -> None: ...

    def write_journal(self, batch: list[tuple[int, bytes]]) -> None: ...

    def commit(self) -> None: ...

    def roll_back(self) -> None: ...

    def raised(self, error: BaseException) -> BaseException: ...
