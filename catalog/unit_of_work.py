"""The user-table side of one T-SQL transaction over DuckDB, which has neither savepoints nor statement rollback.

Decides when a DuckDB transaction is begun, dropped and begun again. The redo list (row images, in order) is the
truth; what DuckDB holds uncommitted is only its shadow:

- A change goes to the redo list and reaches DuckDB when a query needs it or at commit, in bulk. Images arrive checked,
  so nothing fails late but the machine (disk, memory). Definitions run at once: their errors belong to their statement.
- A change of many rows may name what a query has found (`found_rows.py`), and not row images; DuckDB works on that.
- Rolling back to a mark cuts the list. DuckDB is rolled back only if it has seen what was cut; the rest of the list
  is applied again when next needed. An error in a query does the same with the whole list.
- READ COMMITTED: a unit that wrote nothing reads outside any transaction. One that wrote reads in its own
  transaction, and begins it anew, on a new snapshot, when a table it touches has a newer commit stamp.
- With `is_snapshot` it reads in one DuckDB transaction from the first query on; a row that somebody has changed since
  then is error 3960, a changed definition 3961. A rollback to a mark and a failed query begin a new snapshot.

Queries over broker relations (`broker_messages`, `broker_conversation_endpoints`, `broker_conversation_groups`,
`broker_transmission_queue`) pass the transaction's own broker changes as `broker=`, an empty list if there are none.
The journal is folded first. Where those names are marked, they stand for the stored tables with the changes laid over
them.

It must not know locks, T-SQL or the meaning of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final, TypeVar

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.applied_changes import apply_change, is_one_row
from sbql.catalog.changes import TEMP, CatalogChange, Definition, LocalTable, Page, RowChange, Rows
from sbql.catalog.duckdb_errors import is_conflict
from sbql.catalog.found_rows import FoundTable, found_of
from sbql.catalog.in_place import InPlace
from sbql.catalog.journal import encode
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.overlay import overlay
from sbql.catalog.pending_rows import ImageBatch, PendingRows
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.redo_runs import runs
from sbql.catalog.stamps import ANY_TABLE, BROKER_STAMP, definition_stamp, definition_stamps
from sbql.catalog.store_protocols import StoreConnection
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["UnitOfWork"]

_TRIES: Final = 3
_NO_TABLES: Final[frozenset[str]] = frozenset()
_T = TypeVar("_T")


def _nothing_speaks_against_it() -> None:
    """The usual `may_commit`."""


class UnitOfWork:
    """One transaction. Ends with `commit` or `rollback`; used by one thread at a time."""

    __slots__ = (
        "_applied", "_has_found", "_has_turn", "_is_committing", "_is_open", "_pending", "_redo", "_session",
        "_snapshot", "_store", "_written", "calls_functions", "committed", "database", "is_snapshot", "told",
    )  # fmt: skip

    def __init__(self, session: StoreConnection) -> None:
        self._session = session
        self._store = session.store
        self._redo: list[RowChange] = []
        self._pending: dict[str, PendingRows] | None = None
        self._written: set[str] = set()
        self._applied = 0
        self._has_found = False
        self._is_open = False
        self._has_turn = False
        self._is_committing = False
        self._snapshot = 0
        self.is_snapshot = False
        self.calls_functions = False
        """Functions in queries may read tables under a snapshot: by inner connections, which get the same."""
        self.database = ""
        """For errors: the name of the database that a snapshot is of."""
        self.told: object = None
        """What its owner has found out about its changes before the commit, for those who look on."""
        self.committed: int | None = None
        """What `commit` returns, once all is committed: not None when it raises something behind that."""

    @property
    def has_written(self) -> bool:
        return bool(self._redo)

    @property
    def is_open(self) -> bool:
        """A query sees a snapshot of its own, which may be older than the newest commits."""
        return self._is_open

    def has_newer(self, table: str) -> bool:
        """Somebody has committed changes of this table since the snapshot began."""
        return self._is_open and self._store.is_stale(self._snapshot, (table,))

    @property
    def redo(self) -> Sequence[RowChange]:
        """What survives so far, in order."""
        return self._redo

    def pending(self, table: str) -> tuple[ImageBatch, ...]:
        """What this unit has made of rows of a table and not committed. For other sessions, from any thread."""
        if not self._redo:
            return ()
        if self._pending is None:
            self._pending = {}
        return self._pending.setdefault(table, PendingRows(table)).batches(self._redo)

    def has_pending(self, table: str, row_id: int) -> bool:
        """Whether `pending` has given an image of this row."""
        return self._pending is not None and row_id in self._pending.get(table, ())

    def query(
        self,
        sql: str | MarkedSql,
        params: Sequence[Any] = (),
        *,
        tables: frozenset[str] = _NO_TABLES,
        locals: Iterable[LocalTable] = (),
        broker: Sequence[BrokerChange] | None = None,
        is_parallel: bool = False,
    ) -> Rows:
        """Run a SELECT to its end. `tables`: storage names that it reads; when empty, it may read what this unit wrote.
        `locals`, `broker`: see LocalTable and the module; `is_parallel`: with more threads if its tables are large."""
        text, tables, locals = self._prepared(sql, tables, locals, broker)
        how = (text, params, tables if is_parallel else _NO_TABLES)
        if not (self._redo or self._is_open or self.is_snapshot or locals):
            try:
                return self._session.run(*how)
            except (duckdb.Error, OSError, UnicodeEncodeError) as error:
                if not is_conflict(error):
                    raise self._session.raised(error) from None
        return self._asked(tables, locals, lambda: self._session.run(*how))

    def pages(
        self, sql: str | MarkedSql, params: Sequence[Any] = (), *, is_parallel: bool = False, **how: Any
    ) -> Generator[Page]:
        """As `query`, page by page as asked for; nothing else is asked of the unit before the last, or `close`."""
        text, tables, locals = self._prepared(sql, **how)

        def begin() -> tuple[Generator[Page], Page]:
            self._come_to(tables, locals, self._touches_own(tables))
            pages = self._session.pages(text, params, tables if is_parallel else _NO_TABLES)
            return pages, next(pages)

        pages, page = self._guarded(begin)
        with closing(pages):
            yield page
            while page[1]:
                page = self._guarded(lambda: next(pages), tries=1)
                yield page

    def find(
        self,
        sql: str | MarkedSql,
        types: Sequence[str],
        params: Sequence[Any] = (),
        *,
        tables: frozenset[str] = _NO_TABLES,
        locals: Iterable[LocalTable] = (),
        broker: Sequence[BrokerChange] | None = None,
        is_parallel: bool = False,
    ) -> FoundTable:
        """As `query`, with the rows left in DuckDB's memory. `types` are those of its columns, by DuckDB's names."""
        text, tables, locals = self._prepared(sql, tables, locals, broker)
        large = tables if is_parallel else _NO_TABLES
        return self._asked(
            tables, locals, lambda: self._session.find(text, types, params, large, is_inside=self._is_open)
        )

    def apply(self, change: RowChange) -> None:
        """Add a change. Raises SqlError, the unit as before, for a definition or statement in place that fails."""
        self._redo.append(change)
        if isinstance(change, Definition):
            self._written.update(change.tables or (ANY_TABLE,))
            self._session.lose(change)
            self._apply_at_once()
            return
        self._written.add(change.table)
        found = found_of(change)
        follower = self._session.followed.get(change.table)
        if follower is not None:
            follower.take(change) if found is None else self._session.lose(change)
        self._has_found = self._has_found or found is not None
        if isinstance(found, InPlace):
            self._apply_at_once()
        elif self.is_snapshot and self._is_open:
            self._guarded(lambda: self._synchronise(_NO_TABLES))

    def _apply_at_once(self) -> None:
        try:
            self._guarded(lambda: self._synchronise(_NO_TABLES))
        except BaseException:
            self._cut(len(self._redo) - 1)
            raise

    def mark(self) -> int:
        """A place to roll back to."""
        return len(self._redo)

    def rollback_to(self, mark: int) -> None:
        if mark < len(self._redo):
            self._cut(mark)

    def rollback(self) -> None:
        """Forget everything. The unit may be used again, as if new."""
        self._lose(0)
        self._drop_from(0)

    def suspend(self) -> None:
        """Let go of DuckDB before a long wait; the redo list brings everything back when it is needed."""
        self._drop()

    def commit(
        self,
        catalog: Sequence[CatalogChange] = (),
        broker: Sequence[BrokerChange] = (),
        may_commit: Callable[[], None] = _nothing_speaks_against_it,
    ) -> int:
        """Commit rows, definitions, catalog and broker changes together. Returns the LSN, 0 when there was nothing.

        What wrote nothing but broker changes or temp tables is only submitted: wait for its LSN before showing
        anything. All else is on disk on return; tables alone have no LSN. Raises SqlError with everything of this unit
        rolled back; records of other transactions that were to go along stay queued. `may_commit` raises SqlError when
        what this rests on has been lost; it is called when that can no longer happen.
        """
        self.committed = None
        try:
            if self._goes_to_disk(catalog):
                has_record = bool(catalog or broker or self._has_turn)
                with self.turn_at_disk(catalog, has_record=has_record), self._store.feed.rows.commit_of(self._written):
                    may_commit()
                    return self._commit_durably(catalog, broker, has_record)
            may_commit()
            if self._redo:
                if self._is_open or self._has_found or not self._session.defer(self._redo):
                    self._guarded(self._commit_temporary)
                self.committed = None if broker else 0
                self._store.feed.tell(self._redo, self.told)
            self.committed = self._store.submit(broker) if broker else 0
            return self.committed
        except BaseException:
            if self.committed is None:
                self._lose(0)
            raise
        finally:
            self._drop_from(0)

    def commit_deferred(self, changes: Sequence[RowChange]) -> None:
        """What was committed in temporary tables and DuckDB has not seen. Raises SqlError, nothing done."""
        self._redo.extend(changes)
        try:
            self._guarded(self._commit_temporary)
        finally:
            self._drop_from(0)

    @contextmanager
    def turn_at_disk(self, catalog: Sequence[CatalogChange] = (), *, has_record: bool = True) -> Iterator[None]:
        """Around a `commit` that must happen under somebody's lock: take the lock inside. What may take long is done on
        entering: rows reach DuckDB, and other commits on their way to disk are waited for. Without a record others may
        send meanwhile. Raises SqlError."""
        if self._has_turn or not self._goes_to_disk(catalog):
            yield
            return
        if catalog or not self._is_one_row:
            self._guarded(lambda: self._synchronise(_NO_TABLES, is_last=True))
        journal = self._store.journal
        with journal.pen() if has_record else journal.turn():
            self._has_turn = True
            try:
                yield
            finally:
                self._has_turn = False

    # -- inside ------------------------------------------------------------------------------------------------------

    def _guarded(self, work: Callable[[], _T], *, tries: int = _TRIES) -> _T:
        """Run `work`; an error of DuckDB drops the DuckDB transaction, keeps the redo list, and becomes a SqlError."""
        for attempt in range(tries):
            try:
                return work()
            except (duckdb.Error, OSError, UnicodeEncodeError) as error:
                self._drop()
                if is_conflict(error) and self.is_snapshot:
                    raise sql_error(3960, ", ".join(sorted(self._written)), self.database) from None
                if is_conflict(error) and attempt + 1 < tries:
                    continue
                raise self._session.raised(error) from None
            except BaseException:
                self._drop()
                raise
        raise AssertionError("unreachable")

    def _asked(self, tables: frozenset[str], locals: Iterable[LocalTable], ask: Callable[[], _T]) -> _T:
        """What `ask` asks of DuckDB, when all that it reads is there."""
        touches_own = self._touches_own(tables)

        def work() -> _T:
            self._come_to(tables, locals, touches_own)
            return ask()

        return self._guarded(work)

    def _touches_own(self, tables: frozenset[str]) -> bool:
        return bool(self._redo) and (not tables or not self._written.isdisjoint(tables) or ANY_TABLE in self._written)

    def _prepared(
        self,
        sql: str | MarkedSql,
        tables: frozenset[str] = _NO_TABLES,
        locals: Iterable[LocalTable] = (),
        broker: Sequence[BrokerChange] | None = None,
    ) -> tuple[str, frozenset[str], Iterable[LocalTable]]:
        """The text, what it reads, and the local tables that it needs."""
        if broker is not None:
            self._store.fold()
            tables = tables | {BROKER_STAMP}
        if self.is_snapshot and self._is_open and self._store.is_stale(self._snapshot, map(definition_stamp, tables)):
            raise sql_error(3961, self.database)
        if isinstance(sql, str):
            return sql, tables, locals
        if broker:
            text, overlays = overlay(sql, broker)
            return text, tables, (*locals, *overlays)
        return sql.plain(), tables, locals

    def _come_to(self, tables: frozenset[str], locals: Iterable[LocalTable], touches_own: bool) -> None:
        """Before a query: what it reads is there."""
        if self._is_open or touches_own or self.is_snapshot:
            self._synchronise(tables)
        for table in locals:
            self._session.load_local(table)

    def _synchronise(self, tables: frozenset[str], *, is_last: bool = False) -> None:
        """A DuckDB transaction that has seen the whole redo list, fresh for `tables`. `is_last`: for a commit."""
        if self._is_open and not self.is_snapshot and self._store.is_stale(self._snapshot, tables | self._written):
            self._drop()
        if not self._is_open:
            self._snapshot = self._store.clock
            self._is_open = True  # also for Ctrl+C as DuckDB has begun: what comes next would be in that transaction
            self._session.open(with_inner=self.is_snapshot and self.calls_functions and not is_last)
        redo = self._redo
        if self._applied < len(redo):
            for change in runs(redo[self._applied :]):
                apply_change(self._session, change, may_be_found=self._has_found)
            self._applied = len(redo)

    def _cut(self, mark: int) -> None:
        self._lose(mark)
        self._drop_from(mark)

    def _lose(self, mark: int) -> None:
        """Who follows the rows of temporary tables has seen changes that are not."""
        if self._session.followed:
            for change in self._redo[mark:]:
                self._session.lose(change)

    def _drop_from(self, mark: int) -> None:
        if self._applied > mark:
            self._drop()
        if self._has_found:
            for found in map(found_of, self._redo[mark:]):
                if found is not None:
                    found.drop()
            self._has_found = mark > 0
        if mark == 0:  # as if new
            self._drop()
            self.told = None
            self._redo.clear()
            self._written.clear()
        else:
            del self._redo[mark:]

    def _drop(self) -> None:
        """Roll DuckDB back. The redo list stays."""
        self._applied = 0
        if self._is_open:
            try:
                self._session.roll_back()
            except BaseException:  # Ctrl+C on the way there: DuckDB would stay in the transaction, with all that is told to be committed from then on
                self._session.roll_back()
                raise
            finally:
                self._is_open = False

    def _commit_temporary(self) -> None:
        self._write_and_commit((), [])

    def _commit_one_row(self) -> None:
        if self._session.has_deferred:
            self._session.flush()
        with self._session.whole:
            apply_change(self._session, self._redo[0], may_be_found=self._has_found)

    @property
    def _is_one_row(self) -> bool:
        """Nothing but one row, new to DuckDB: its statement as a transaction by itself is a quarter cheaper."""
        return not self._is_open and len(self._redo) == 1 and is_one_row(self._redo[0])

    def _goes_to_disk(self, catalog: Sequence[CatalogChange]) -> bool:
        return bool(catalog) or bool([table for table in self._written if not table.startswith(TEMP)])

    def _commit_durably(
        self, catalog: Sequence[CatalogChange], broker: Sequence[BrokerChange], has_record: bool
    ) -> int:
        """With the pen; tables alone (no `has_record`) in their turn."""
        record = encode(broker) if broker else None
        journal, losses = self._store.journal, self._store.losses
        lsn, batch = journal.take(record) if has_record else (0, [])
        self._is_committing = False
        try:
            self._guarded(lambda: self._write_and_commit(catalog, batch))
        except BaseException as error:
            last = batch[-1][0] if batch else None
            if not (self._is_committing and losses.has_reached(last, error, has_pen=has_record)):
                if has_record:
                    journal.put_back(batch[:-1] if record is not None else batch)
                elif self._is_committing and not isinstance(error, SqlError):  # Ctrl+C, when DuckDB may have it
                    self._store.doubt(self._written)
                raise
        self.committed = lsn
        try:
            self._store.feed.rows.take_in()
            self._store.committed((*self._written, *definition_stamps(catalog)), batch)
            self._store.feed.publish(self._redo, self.told, clock=self._store.clock)
        except BaseException:  # Ctrl+C
            self._store.doubt(self._written)
            raise
        finally:
            if has_record:
                journal.written(lsn)
        return lsn

    def _write_and_commit(self, catalog: Sequence[CatalogChange], batch: list[tuple[int, bytes]]) -> None:
        if not catalog and not batch and self._is_one_row:
            self._is_committing = True
            self._commit_one_row()
            return
        self._synchronise(_NO_TABLES, is_last=True)
        if catalog:
            self._session.write_catalog(catalog)
        if batch:
            self._session.write_journal(batch)
        self._is_committing = True
        self._session.commit()
        self._is_open = False
