"""StoreSession: one session's own DuckDB connection, with its temp tables, local tables and prepared statements.

Decides how SQL text reaches DuckDB: statements are parsed once and kept, local tables are loaded when their version
changes, errors become SqlErrors. It must not know transactions beyond "the connection was rolled back".

Functions registered with DuckDB are visible to every session of the store, and to transactions that began before
(functions.py). What a function raises reaches the caller of the query as that same exception (function_errors.py).
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.changes import (
    ROW_ID,
    TEMP,
    CatalogChange,
    Definition,
    DeleteRows,
    InsertRows,
    LocalTable,
    Page,
    RowChange,
    Rows,
    UpdateRows,
)
from sbql.catalog.duck_types import quote, quote_literal
from sbql.catalog.found_rows import FoundTable, cast_columns, column_names, new_name
from sbql.catalog.function_errors import raise_stop, raised_in_function
from sbql.catalog.inner_connections import InnerConnections
from sbql.catalog.interrupts import attempt
from sbql.catalog.object_table import write_catalog
from sbql.catalog.redo_runs import runs
from sbql.catalog.statements import Statements
from sbql.catalog.store_protocols import RowFollower, StoreAbove
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.grammar.values.checkpoints import checkpoint
from sbql.grammar.values.memory import LARGE, reserve_room

__all__ = ["StoreSession"]


def _size(row: Sequence[Any]) -> int:
    """About the bytes that a row takes."""
    return sys.getsizeof(row) + sum(map(sys.getsizeof, row))


def _weight(change: InsertRows | UpdateRows | DeleteRows) -> tuple[int, int]:
    """Rows, and about their bytes."""
    if isinstance(change, DeleteRows):
        return len(change.row_ids), 0
    rows = change.rows
    return (1, _size(rows[0])) if len(rows) == 1 else (len(rows), sum(map(_size, rows)))


def _wanted_behind(page: Sequence[tuple[Any, ...]]) -> int:
    """How many rows the page behind this one shall have. Raises 701 when there is no room for another."""
    size = sum(map(_size, page[::_SAMPLE])) * _SAMPLE
    reserve_room(max(size, LARGE))
    return max(1, min(_FETCHED, len(page) * _PAGE // size))


_FETCHED: Final = 2048
"""Rows of a result that come at once, at most: what DuckDB computes at once."""
_FIRST: Final = 256
"""Rows of the first page, where each page goes to somebody at once."""
_PAGE: Final = 4 * LARGE
"""About the bytes of a page."""
_AHEAD: Final = "SET SESSION streaming_buffer_size = '64KiB'"
"""What DuckDB computes before somebody asks for it: with its 10 MB the first rows are late,
and those before an error are lost."""

_MOST_DEFERRED: Final = 1024
_MOST_DEFERRED_BYTES: Final = _PAGE
"""Rows of temporary tables that wait for the next statement that DuckDB has to see: what cannot be in memory is
DuckDB's, which writes it to the disk."""

_SAMPLE: Final = 64
_INSERT_RECORD: Final = "INSERT INTO sbql.journal VALUES (?, ?)"


class StoreSession:
    """Made by Store.connect(). Used by one thread at a time, except `interrupt`."""

    def __init__(self, store: StoreAbove, connection: duckdb.DuckDBPyConnection) -> None:
        self.store = store
        self.connection = connection
        self.whole = threading.Lock()
        """Held by what no interrupt may cut in two: BEGIN, COMMIT, ROLLBACK, and a statement that is a transaction by
        itself. DuckDB takes interrupts there too, and does not say what has been done by then."""
        self._call = store.port.call
        self._statements = Statements(store, connection)
        self._locals: dict[str, tuple[tuple[tuple[str, str], ...], object]] = {}
        self.inner = InnerConnections(store)
        """Where functions read while a query of this one runs. They are stopped and closed with it."""
        self._is_open = False
        self.looks = 0  # see look_up
        self.rollbacks = 0
        """Of DuckDB's transactions: each takes away the temporary tables that were made in it."""
        self._scratches: dict[int, duckdb.DuckDBPyConnection] = {}
        self._is_frugal = False
        self.followed: dict[str, RowFollower] = {}
        """Temporary tables, by their storage names, whose rows somebody keeps in memory: who gets each change
        that a unit of work makes there."""
        self._deferred: list[RowChange] = []
        self._deferred_rows = self._deferred_bytes = 0
        self.rows_coming = 0
        """Of a large result that is being fetched; 0 when none is."""

    def begin(self) -> UnitOfWork:
        """The user-table side of a new transaction. Costs nothing until it is used; one at a time."""
        return UnitOfWork(self)

    def interrupt(self) -> None:
        """Stop the query that runs now, from another thread. The query raises SqlError 3617. After `close` nothing
        runs. It does nothing while something must be `whole`: who needs it asks again."""
        connection = getattr(self, "connection", None)
        if connection is not None:
            with attempt(self.whole) as is_mine, contextlib.suppress(duckdb.Error):  # closed at this moment
                if is_mine:
                    connection.interrupt()
        for scratch in list(self._scratches.values()):
            with contextlib.suppress(duckdb.Error):
                scratch.interrupt()
        self.inner.interrupt()

    @contextlib.contextmanager
    def scratch(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """As the store's, and `interrupt` stops its query, too."""
        with self.store.scratch() as connection:
            self._scratches[id(connection)] = connection
            try:
                yield connection
            finally:
                del self._scratches[id(connection)]

    def register_function(
        self,
        name: str,
        function: Callable[..., Any],
        parameter_types: Sequence[str],
        return_type: str,
        *,
        is_volatile: bool = False,
        is_bare: bool = False,
    ) -> None:
        """See `StoreFunctions.register`."""
        self.store.functions.register(
            name, function, parameter_types, return_type, is_volatile=is_volatile, is_bare=is_bare
        )

    def close(self) -> None:
        self._deferred.clear()
        self.followed.clear()
        self._statements.forget()
        self._locals.clear()
        self.inner.close()
        self.store.disconnect(self)

    # -- for UnitOfWork ----------------------------------------------------------------------------------------------

    def lose(self, change: RowChange) -> None:
        """Who follows the rows of a table that this change is of follows them no longer: it has not
        been told of it, or it is undone."""
        if isinstance(change, Definition) and not change.tables:
            self.followed.clear()
        elif self.followed:
            for table in change.tables if isinstance(change, Definition) else (change.table,):
                self.followed.pop(table, None)

    def defer(self, changes: Sequence[RowChange]) -> bool:
        """Committed changes of rows in temporary tables, of rows in memory, which nobody else sees: DuckDB gets them,
        many at once, when anything is asked of it. False: it is to get them now, with those before them."""
        if self._deferred_rows >= _MOST_DEFERRED:
            self._condense()
        rows, size = self._deferred_rows, self._deferred_bytes
        for change in changes:
            if isinstance(change, Definition):
                return False
            count, weight = _weight(change)
            rows, size = rows + count, size + weight
            if not count or rows > _MOST_DEFERRED:
                return False
        if size > _MOST_DEFERRED_BYTES:
            return False
        self._deferred += changes
        self._deferred_rows, self._deferred_bytes = rows, size
        return True

    def _condense(self) -> None:
        """Keep of deferred changes what has become of each row: often the same few are changed again and again."""
        self._deferred = list(runs(self._deferred))
        weights = [_weight(change) for change in self._deferred if not isinstance(change, Definition)]
        rows, size = sum(count for count, _ in weights), sum(weight for _, weight in weights)
        if rows <= _MOST_DEFERRED // 2:  # otherwise DuckDB gets them with the next change
            self._deferred_rows, self._deferred_bytes = rows, size

    @property
    def has_deferred(self) -> bool:
        return bool(self._deferred)

    def flush(self) -> None:
        """DuckDB gets what was deferred. Not while anything must be `whole`. Raises what DuckDB
        raises; it is deferred then as before."""
        changes, rows, size = list(runs(self._deferred)), self._deferred_rows, self._deferred_bytes
        self._deferred, self._deferred_rows, self._deferred_bytes = [], 0, 0
        try:
            self.begin().commit_deferred(changes)
        except BaseException as error:
            self._deferred, self._deferred_rows, self._deferred_bytes = changes, rows, size
            if not isinstance(error, Exception) and self._have(changes):  # Ctrl+C, behind the commit
                self._deferred, self._deferred_rows, self._deferred_bytes = [], 0, 0
            raise

    def _have(self, changes: Sequence[RowChange]) -> bool:
        """Are the rows in DuckDB that these changes bring? They get there together. Where they bring none, it is all
        one: the others can be done again."""
        found = next(((one.table, one.rows[0]) for one in changes if isinstance(one, InsertRows) and one.rows), None)
        if found is None:
            return False
        table, row = found
        return bool(self.connection.execute(f'SELECT 1 FROM {table} WHERE "{ROW_ID}" = ?', [row[0]]).fetchall())

    def run(self, sql: str, params: Sequence[Any], large: Collection[str] = ()) -> Rows:
        """The rows of a query. `large`: tables which, if they are, it may read with more than one thread."""
        if self._deferred:
            self.flush()
        return self._call("read", self._fetch, sql, params, large)

    def _fetch(self, sql: str, params: Sequence[Any], large: Collection[str]) -> Rows:
        statement = self._statements.find(sql)
        with self._statements.around(statement, large):
            result = self._statements.execute(statement, params)
            rows = result.fetchmany(_FETCHED)
            if len(rows) == _FETCHED:
                pages, rows = self._pages(result, _FETCHED, rows), []
                for page, _ in pages:
                    rows += page
        raise_stop()
        return Rows(rows)

    def look_up(self, sql: str, params: Sequence[Any], most: int = _FETCHED) -> list[tuple[Any, ...]] | None:
        """The few rows, at most so many, that a query gives as they were committed last: by another connection
        while the transaction of this one is open. None when it fails: a `UnitOfWork` says why, or tries again."""
        self.looks += 1
        rows: list[tuple[Any, ...]] | None
        try:
            if self._is_open:
                rows = self.inner.aside().look_up(sql, params, most)
            else:
                rows = self._call("read", self._look, sql, params, most)
        except (duckdb.Error, OSError, UnicodeEncodeError):
            return None
        return rows

    def _look(self, sql: str, params: Sequence[Any], most: int) -> list[tuple[Any, ...]]:
        statement = self._statements.find(sql)
        with self._statements.around(statement):
            rows: list[tuple[Any, ...]] = self._statements.execute(statement, params).fetchmany(most)
            return rows

    def pages(self, sql: str, params: Sequence[Any], large: Collection[str] = ()) -> Generator[Page]:
        """The rows of a query, a page for each that is asked for: in memory is no more than one, and
        what DuckDB computes at once. All are of one snapshot, and the connection is busy until the end.
        Closed before that, it ends the query."""
        if self._deferred:
            self.flush()
        if not self._is_frugal:
            self.connection.execute(_AHEAD)
            self._is_frugal = True
        statement = self._statements.find(sql)
        with self._statements.around(statement, large):
            yield from self._pages(self._call("read", self._statements.execute, statement, params), _FIRST)

    def _pages(
        self, result: duckdb.DuckDBPyConnection, wanted: int, rows: list[tuple[Any, ...]] | None = None
    ) -> Generator[Page]:
        """A result, from its first page of `wanted` rows on, as long as there is memory; `rows`: that
        page, if it has come. Raises 701."""
        goes_on, count = True, 0
        try:
            while goes_on:
                self.rows_coming = count
                if rows is None:
                    rows = self._call("read", result.fetchmany, wanted)
                goes_on, count = len(rows) == wanted, count + len(rows)
                if goes_on:
                    wanted = _wanted_behind(rows)
                else:
                    raise_stop()
                yield rows, goes_on
                rows = None
                checkpoint()
        except BaseException:
            if goes_on:
                result.abort()
            raise
        finally:
            self.rows_coming = 0

    def find(
        self, sql: str, types: Sequence[str], params: Sequence[Any], large: Collection[str] = (), *, is_inside: bool
    ) -> FoundTable:
        """What a query finds, as a table in memory. `is_inside`: the connection is in a transaction that
        has written, in which DuckDB writes no other database and sees no newer table: the rows go through a
        file into a database of their own."""
        if self._deferred:
            self.flush()
        find = self._find_inside if is_inside else self._find
        with self._statements.around(self._statements.find(sql), large):
            found: FoundTable = self._call("write", find, sql, types, params)
        try:
            raise_stop()
        except BaseException:
            found.drop()
            raise
        return found

    def _find(self, sql: str, types: Sequence[str], params: Sequence[Any]) -> FoundTable:
        name = f"memory.main.{new_name()}"
        text = f"CREATE TABLE {name} AS SELECT {cast_columns(types)} FROM ({sql}) AS q({column_names(types)})"
        found = FoundTable(self.store, self.scratch, name, 0, f"DROP TABLE IF EXISTS {name}")
        try:
            ((found.count,),) = self.connection.execute(text, params).fetchall()
        except BaseException:
            found.drop()  # who is interrupted does not learn whether it is there
            raise
        return found

    def _find_inside(self, sql: str, types: Sequence[str], params: Sequence[Any]) -> FoundTable:
        database = new_name()
        name = f"{database}.main.rows_found"
        with tempfile.TemporaryDirectory(prefix="sbql-") as folder:
            file = quote_literal(str(Path(folder, "found.parquet")))
            query = f"SELECT * FROM ({sql}) AS q({column_names(types)})"
            self.connection.execute(f"COPY ({query}) TO {file} (FORMAT parquet, COMPRESSION uncompressed)", params)
            found = FoundTable(self.store, self.scratch, name, 0, f"DETACH DATABASE IF EXISTS {database}")
            try:
                with self.scratch() as connection:
                    connection.execute(f"ATTACH ':memory:' AS {database}")
                    text = f"CREATE TABLE {name} AS SELECT {cast_columns(types)} FROM read_parquet({file})"
                    ((found.count,),) = connection.execute(text).fetchall()
            except BaseException:
                found.drop()
                raise
        return found

    def run_write(self, sql: str, params: Sequence[Any], large: Collection[str] = ()) -> duckdb.DuckDBPyConnection:
        return self._call("write", self._write, sql, params, large)

    def _write(self, sql: str, params: Sequence[Any], large: Collection[str]) -> duckdb.DuckDBPyConnection:
        statement = self._statements.find(sql)
        with self._statements.around(statement, large):
            return self.connection.execute(statement.parsed, params)

    def append(self, table: str, rows: Sequence[Sequence[Any]], **how: Any) -> None:
        """Many rows by an appender: inserted, or what `action` says to those with the same `key`."""
        self._call("write", self._append, table, rows, how)

    def _append(self, table: str, rows: Sequence[Sequence[Any]], how: dict[str, Any]) -> None:
        with self.connection.appender(table, **how) as appender:
            appender.append_rows(rows)

    def write_journal(self, batch: list[tuple[int, bytes]]) -> None:
        if len(batch) == 1:
            self.run_write(_INSERT_RECORD, batch[0])
        else:
            self.append("sbql.journal", batch)

    def write_catalog(self, changes: Sequence[CatalogChange]) -> None:
        self._call("write", write_catalog, self.connection, changes)

    def define(self, sql: str) -> None:
        self._call("write", self.connection.execute, sql)

    def open(self, *, with_inner: bool = False) -> None:
        """Begin DuckDB's transaction. `with_inner`: inner connections get one on the same snapshot."""
        if self._deferred:
            self.flush()
        if not with_inner:
            self._open()
            return
        self.inner.is_on_snapshot = True
        try:
            with self.store.journal.pen():  # nobody commits between them
                for one in (*self.inner.of_snapshot(), self):
                    one._open()
                    one.connection.execute("SELECT count(*) FROM sbql.meta").fetchall()
        except BaseException:
            self.roll_back()
            raise

    def _open(self) -> None:
        with self.whole:
            known = self.store.functions.count
            self.connection.begin()
            self._is_open = True
            self._statements.functions.begin(known)

    def commit(self) -> None:
        with self.whole:
            self._call("commit", self.connection.commit)
        self._ended()

    def load_local(self, table: LocalTable) -> None:
        columns, version = self._locals.get(table.name, ((), None))
        if columns and version == table.version and columns == table.columns:
            return
        self._locals.pop(table.name, None)  # filled in part when that fails
        self._call("write", self._fill_local, table, columns == table.columns)
        self._locals[table.name] = (table.columns, table.version)

    def _fill_local(self, table: LocalTable, is_made: bool) -> None:
        name = f"{TEMP}.{quote(table.name)}"
        if is_made:
            self.connection.execute(f"TRUNCATE {name}")
        else:
            body = ", ".join(f"{quote(column)} {kind}" for column, kind in table.columns)
            self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote(table.name)} ({body})")
        if table.rows:
            with self.connection.appender(name) as appender:
                appender.append_rows(table.rows)

    def forget_statements(self) -> None:
        """A definition may change what cached statements mean: parse them again."""
        self._statements.forget()

    def roll_back(self) -> None:
        self._locals.clear()
        with self.whole, contextlib.suppress(duckdb.Error):  # a failed COMMIT has ended the transaction already
            self.connection.rollback()
        self.rollbacks += 1
        self._ended()

    def _ended(self) -> None:
        self._is_open = False
        self._statements.functions.end()
        self.inner.leave_snapshot()

    def raised(self, error: BaseException) -> BaseException:
        """What an error of DuckDB is for the caller: what a registered function raised, or a SqlError."""
        return raised_in_function(error) or self.store.losses.sql_error(error)
