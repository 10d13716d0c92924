"""How many threads of DuckDB a query has: one for all that is small, as many as are wanted for a query of large tables.

DuckDB knows one number for all of its connections, and each small statement takes a quarter more time beside a second
thread, for it is woken for each. So there is one thread until a query wants more, and again one when the first
statement comes behind it that does not. Decides that, and which queries want more: those of large tables whose text is
new or took long when it ran last.

Some texts must have one thread: those that call a function which looks at the query that its thread runs, and those
whose result depends on the order of rows that nobody has named. They have `SERIAL` in them: the name of such a function
begins with it. While one runs there is one thread for all. It must not know what a query means.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.changes import TEMP
from sbql.catalog.first_row import first_row

__all__ = ["AS_FOUND", "SERIAL", "Parallelism", "Statement"]

SERIAL: Final = "sbql_serial"
"""In texts that need one thread."""
AS_FOUND: Final = f" /* {SERIAL} */"
"""In place of ORDER BY in an aggregate: the order in which one thread finds the rows."""

_LARGE: Final = 250_000
"""Rows of a table: DuckDB shares tables out by pieces of 122,880."""
_LONG: Final = 0.004
"""Seconds that a query takes at least to be worth the change."""
_COMMITS: Final = 1000
"""Commits behind which the rows of a table are counted again."""
_MANY: Final = 1024
"""Rows of one change behind which they are."""
_NOT_COUNTED: Final = (-1, 0)
_NOTHING: Final = contextlib.nullcontext()


class Statement(Struct):
    """A text that a session has run: `parsed` is DuckDB's."""

    parsed: Any
    is_serial: bool
    seconds: float | None = None
    """Of processor time, about, that it took when it ran last, if somebody has measured it."""


class Parallelism:
    """Of one store. For any thread."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.large, self.long = _LARGE, _LONG
        self.there: int | None = None
        """Threads that there may be; None: DuckDB is asked how many processors this process has."""
        self.is_raised = False
        """DuckDB has more than one thread now."""
        self._connection = connection
        self._mutex = threading.RLock()  # a query whose rows nobody wants any longer may end where memory is tidied up
        self._most = self._limit = 0
        """Threads of a query that wants more than one, 0 before the first; as many at most, 0: all that there are."""
        self._wide = self._serial = 0
        self._counts: dict[str, tuple[int, int]] = {}

    def limit(self, most: int) -> None:
        """No query has more threads from now on; 0: as many as there are processors."""
        with self._mutex:
            self._most, self._limit = int(most == 1), most
            if self.is_raised:  # to what it was until now
                self._lower()

    def close(self) -> None:
        self._most = 1
        self._connection.close()

    def is_large(self, tables: Collection[str], clock: int, count: Callable[[str], int]) -> bool:
        """Whether one of these tables has many rows, and more threads may be had. `count` gives the rows of one. A name
        without a point is of what is no table."""
        return self._most != 1 and any(
            self._rows(table, clock, count) >= self.large for table in tables if "." in table
        )

    def _rows(self, table: str, clock: int, count: Callable[[str], int]) -> int:
        known, at = self._counts.get(table, _NOT_COUNTED)
        if known < 0 and table.startswith(TEMP) and table not in self._counts:
            return 0  # many come and go, and few become large: `note_change` tells
        if known < 0 or clock - at > _COMMITS:
            known = count(table)
            self._keep(table, (known, clock))
        return known

    def _keep(self, table: str, found: tuple[int, int]) -> None:
        if len(self._counts) >= _COMMITS:  # of tables that are no longer there, mostly
            self._counts.clear()
        self._counts[table] = found

    def note_change(self, table: str, rows: int = _MANY) -> None:
        """So many rows of a table have come or gone at once."""
        if rows >= _MANY:
            self._keep(table, _NOT_COUNTED)

    def around(self, *, is_serial: bool) -> AbstractContextManager[None]:
        """What is to be around a statement that wants no more than one thread; `is_serial`: it must have one."""
        if is_serial:
            return self._serially()
        if self.is_raised:
            self._settle()
        return _NOTHING

    @contextlib.contextmanager
    def measured(self, statement: Statement) -> Iterator[None]:
        """While a query of large tables runs. It has more threads, if it is new or took long when it ran last."""
        if statement.seconds is not None and statement.seconds < self.long:
            with self.around(is_serial=False):
                begin = time.thread_time()
                yield
                statement.seconds = time.thread_time() - begin
            return
        with self._mutex:
            self._wide += 1
        try:
            with self._mutex:
                if not (self._serial or self.is_raised):
                    self._raise()
            begin = time.thread_time()
            yield
            statement.seconds = (time.thread_time() - begin) * max(self._most, 1)
        finally:
            with self._mutex:
                self._wide -= 1

    @contextlib.contextmanager
    def _serially(self) -> Iterator[None]:
        with self._mutex:
            self._serial += 1
        try:
            with self._mutex:
                if self.is_raised:
                    self._lower()
            yield
        finally:
            with self._mutex:
                self._serial -= 1

    def _settle(self) -> None:
        if self._wide:
            return
        with self._mutex:
            if self.is_raised and not self._wide:
                self._lower()

    def _raise(self) -> None:
        """With the mutex. Without more threads everything goes on, only later."""
        with contextlib.suppress(duckdb.Error):
            self.is_raised = True
            if not self._most:
                there = self.there or self._processors()
                self._most = min(there, self._limit or there)
            self._connection.execute(f"SET GLOBAL threads = {self._most}")
            self.is_raised = self._most > 1

    def _processors(self) -> int:
        self._connection.execute("RESET GLOBAL threads")
        (found,) = first_row(self._connection, "SELECT current_setting('threads')") or (1,)
        return int(found)

    def _lower(self) -> None:
        """With the mutex."""
        self._connection.execute("SET GLOBAL threads = 1")
        self.is_raised = False
