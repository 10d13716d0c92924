"""Store: one DuckDB file, opened, recovered, committed to, folded and closed.

Decides what a store file is (its internal schema and format version), and puts the parts together: the journal
(order and durability), the fold (readable tables), sessions (user tables). Opening recovers: what a crash left in the
journal is folded before anyone reads. It must not know clocks, chance, T-SQL or the meaning of what it keeps.

    store = Store.open("shop.duckdb")
    state = store.load()                      # state.is_new: see bootstrap.py
    lsn = store.submit([message]); store.wait_durable(lsn)
    unit = store.connect().begin()
    store.close()
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, ParamSpec, Self, TypeVar

from sbql.catalog import duckdb_client as duckdb, open_stores
from sbql.catalog.broker_log import BrokerLog, left_log
from sbql.catalog.bulk_append import BulkAppend
from sbql.catalog.bulk_messages import BulkMessages
from sbql.catalog.change_feed import ChangeFeed
from sbql.catalog.changes import StoredState
from sbql.catalog.checkpoint_room import with_room
from sbql.catalog.duckdb_errors import open_error, to_sql_error
from sbql.catalog.first_row import first_row
from sbql.catalog.fold import fold_once
from sbql.catalog.functions import StoreFunctions
from sbql.catalog.in_turn import in_turn
from sbql.catalog.journal import Batch, Journal, encode
from sbql.catalog.losses import Losses
from sbql.catalog.message_counts import MessageCounts
from sbql.catalog.new_store import stored_id
from sbql.catalog.parallelism import Parallelism
from sbql.catalog.record_writer import RecordWriter
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.row_cache import RowCache
from sbql.catalog.row_numbers import RowNumbers
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stamps import ANY_TABLE, BROKER_STAMP
from sbql.catalog.store_file import ALIAS, attach, create, empty_tempdb, engine_for, prepare
from sbql.catalog.store_port import PORT, StorePort
from sbql.catalog.store_session import StoreSession
from sbql.catalog.stored_log import LogLine, read_log, write_log
from sbql.catalog.stored_messages import Row
from sbql.catalog.stored_state import load_state, unfolded_state
from sbql.catalog.unfolded import FOLD_AT, Unfolded
from sbql.catalog.unread_endpoints import AtRest, EndpointRows
from sbql.grammar.errors import SqlError

__all__ = ["Store", "StoreSession"]

_USE: Final = f"USE {ALIAS}"
_PAGE_BYTES: Final = 16 << 20
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Store:
    """See the module. Every method may be called from any thread."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str | None, port: StorePort = PORT) -> None:
        self.path, self._connection, self.id = path, connection, stored_id(connection)
        self.notices: list[str] = []
        """What opening had to do to the file, for the error log."""
        self._folder, self._reader, self._looker = (self._new_connection() for _ in range(3))
        port = self.port = with_room(port, path, ALIAS, self._new_connection)
        self._mutex, self._fold_wanted = threading.Lock(), threading.Event()
        self._sessions: weakref.WeakSet[StoreSession] = weakref.WeakSet()
        self.functions, self.parallelism = StoreFunctions(connection), Parallelism(self._new_connection())
        self._stamps: dict[str, int] = {}
        self.feed, self.row_numbers = ChangeFeed(RowCache(self.is_stale)), RowNumbers()
        self._clock = self._folded = 0
        self._unfolded = Unfolded()
        self._around_fold: Callable[[], Callable[[bool], object]] | None = None
        self._fold_mutex, self._tables_mutex = threading.Lock(), threading.RLock()
        """A fold has the first all the time, the second while its commit brings records into the tables
        and `_unfolded` lets go of them."""
        self._is_closed = self._was_made = False
        """`_was_made`: it is in memory, and was empty when it was opened."""
        self._released: Callable[[], object] | None = None
        self._fold_thread: threading.Thread | None = None
        left = left_log(self._folder, path)
        port.call("fold", fold_once, self._folder, 1 << 62, log=left)
        self.notices += left.notices
        self.log = BrokerLog(path)
        self._records = self._record_writer()
        self.journal = Journal(self._records.write, self._records.refused)
        self.losses = self._records.losses = Losses(self.journal, self._records.last_record)
        appending = BulkAppend(
            self._new_connection, port, self.journal, self.losses, self.standing_still, self._note_fold, self.log
        )
        self.counts = MessageCounts(
            self.journal, self._unfolded, self._new_connection(), self._tables_mutex, port, self.losses
        )
        self.bulk = BulkMessages(self._new_connection, port, self.losses.sql_error, appending)

    @classmethod
    def open(cls, path: str | Path | None = None, *, port: StorePort = PORT) -> Self:
        """Open or create the store at `path` (None: in memory). Raises SqlError saying what to do."""
        if path is None:
            return cls._open(None, port)
        with open_stores.opening(str(path)) as name:
            return cls._open(name, port)

    @classmethod
    def _open(cls, path: str | None, port: StorePort) -> Self:
        name = path or ":memory:"
        connection = engine_for(path)
        try:
            notices = port.call("open", create, connection, path) if path is not None else []
            notices += port.call("open", attach, connection, name)
            connection.execute(_USE)
            was_empty = port.call("open", prepare, connection, name)
            store = cls(connection, path, port)
            store.notices[:0] = notices
            store._was_made = was_empty
            if not was_empty:
                port.call("open", empty_tempdb, connection)
        except (duckdb.Error, OSError) as error:
            _let_go(connection)
            raise open_error(error, name) from None
        except BaseException:
            _let_go(connection)
            raise
        return store._begun()

    @classmethod
    def over(cls, connection: duckdb.DuckDBPyConnection, released: Callable[[], object]) -> Self:
        """A store over a database that is attached as ALIAS and whole already (`store_image`).
        `released` is called when it has let go."""
        connection.execute(_USE)
        store = cls(connection, None)
        store._released = released
        return store._begun()

    @property
    def failure(self) -> SqlError | None:
        """Why the store has stopped (see `losses`), None while it works."""
        return self.losses.failure

    # -- broker changes ----------------------------------------------------------------------------------------------

    @property
    def last_lsn(self) -> int:
        """LSN of the last commit, durable or not."""
        return self.journal.last_lsn

    @property
    def durable_lsn(self) -> int:
        return self.journal.durable_lsn

    def submit(self, changes: Sequence[BrokerChange]) -> int:
        """Commit broker changes alone. Returns the LSN at once; the records may be changed again afterwards. What the
        disk then refuses is lost: `wait_durable` says so."""
        return self.journal.submit(encode(changes))

    def relieve(self) -> None:
        """After `submit`, when no lock is held: wait if memory is full of what the disk has not taken yet."""
        self.journal.relieve()

    def wait_durable(self, lsn: int) -> None:
        """Return when everything up to `lsn` is on disk. Raises SqlError when the disk refused `lsn`: it is lost."""
        self.journal.wait_durable(lsn)

    def fold(self) -> None:
        """Move everything committed so far into the readable tables. Raises SqlError with nothing lost."""
        self.journal.settle(self.journal.last_lsn)
        with self._fold_mutex:
            if self._unfolded.count:
                self._fold(self.journal.durable_lsn)

    def load(self, always: Sequence[int] = (), at_rest: AtRest | None = None) -> StoredState:
        """Everything but user rows, as last committed. Of many ready messages only the numbers come, but for those of
        the message types `always`, and of many endpoints those `at_rest`. Raises SqlError when the file is damaged."""
        if (
            self._was_made
            and not self.journal.last_lsn
            and first_row(self._folder, "FROM sbql.objects LIMIT 1") is None
        ):
            return StoredState(CatalogSnapshot.of(()), is_new=True)
        self.fold()
        rows = self._endpoint_rows()
        with self._fold_mutex:
            try:
                return self.port.call("reload", load_state, self._folder, self._reader, always, rows, at_rest)
            except (duckdb.Error, OSError) as error:
                raise open_error(error, self.path or ":memory:") from None

    def reload(self, always: Sequence[int] = (), at_rest: AtRest | None = None) -> StoredState:
        """As `load`, with the pen, after records were lost: what is committed, also when the disk is too full to fold
        it; then all messages and endpoints come. Raises SqlError."""
        rows = self._endpoint_rows()
        with self._fold_mutex:
            try:
                self._fold(self.journal.durable_lsn)
                return self.port.call("reload", load_state, self._folder, self._folder, always, rows, at_rest)
            except (duckdb.Error, OSError, SqlError):
                pass
            try:
                return self.port.call("reload", unfolded_state, self._folder, self.log, rows)
            except (duckdb.Error, OSError) as error:
                raise to_sql_error(error) from None

    def fold_and_release(self) -> None:
        """Fold, as the background does when there is much to fold: memory lets go of what it need not keep then."""
        after = self._around_fold() if self._around_fold is not None else None
        lsn, is_folded = self.journal.last_lsn, False
        try:
            self.journal.settle(lsn)
            with self._fold_mutex:
                self._fold(lsn)
                self._folded = 0
            is_folded = True
        finally:
            if after is not None:
                after(is_folded)

    def around_folds(self, before: Callable[[], Callable[[bool], object]]) -> None:
        """`before` is called before each fold_and_release, and what it returns after it, with whether all that was
        committed when `before` was called stands in the readable tables now."""
        self._around_fold = before

    def read_rows(self, read: Callable[..., dict[int, Row]], keys: Sequence[int]) -> dict[int, Row]:
        """Folded messages, or rows of transmission queues, by their keys, by `read` of `stored_messages`: as
        many of the first as are a page of memory, one at least. One caller at a time. Raises SqlError when
        there is not even memory for that."""
        return self._read(read, self._reader, keys, _PAGE_BYTES)

    def read_log(self) -> list[LogLine]:
        """The lines of the error log that were written by `write_log`. Raises SqlError when they cannot be read."""
        with self.scratch() as connection:
            return self._read(read_log, connection)

    def write_log(self, lines: Sequence[LogLine], *, anew: bool = False) -> None:
        """Keep lines of the error log; `anew`: these alone. Raises SqlError when the disk refuses."""
        try:
            with self.scratch() as connection, self.journal.pen():
                self.port.call("log", write_log, connection, lines, anew=anew)
        except (duckdb.Error, OSError) as error:
            raise self.losses.sql_error(error) from None

    # -- sessions ----------------------------------------------------------------------------------------------------

    def connect(self) -> StoreSession:
        with self._mutex:
            session = StoreSession(self, self._new_connection())
            self._sessions.add(session)
        return session

    def disconnect(self, session: StoreSession) -> None:
        with self._mutex:
            if session not in self._sessions:
                return
            self._sessions.discard(session)
        session.connection.close()
        del session.connection

    # -- for backup files --------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def scratch(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection for one piece of work, which leaves nothing behind."""
        connection = self._new_connection()
        try:
            yield connection
        finally:
            connection.close()

    def begin_frozen(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Begin a transaction that finds all that was committed so far in the readable tables, and nothing later."""
        with self.journal.pen():
            self.journal.flush_with_pen()
            with self._fold_mutex:
                if self._unfolded.count:
                    self._fold(self.journal.durable_lsn)
            connection.begin()
            connection.execute("SELECT count(*) FROM sbql.meta").fetchall()

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Nobody commits or folds meanwhile: what the files hold then is what is durable."""
        with self.journal.pen(), self._fold_mutex, self._tables_mutex:
            yield

    # -- for UnitOfWork ----------------------------------------------------------------------------------------------

    @property
    def clock(self) -> int:
        """Counts commits that moved a stamp."""
        return self._clock

    def is_stale(self, snapshot: int, tables: Iterable[str]) -> bool:
        """Has one of `tables` a newer stamp than `snapshot`?"""
        if self._clock == snapshot:
            return False
        stamps = self._stamps
        return stamps.get(ANY_TABLE, 0) > snapshot or any(stamps.get(table, 0) > snapshot for table in tables)

    def committed(self, tables: Iterable[str], batch: Batch) -> None:
        """With the pen: a commit that wrote `tables` and these journal records has reached the disk."""
        with self._mutex:
            self._clock += 1
            for table in tables:
                self._stamps[table] = self._clock
        self._count(batch)

    def doubt(self, tables: Collection[str]) -> None:
        """A commit of these tables may be on disk, and not everybody has been told of it:
        nobody goes by what he knew of them."""
        self.committed(tables, [])
        self.feed.doubt(tables, self.clock)

    # -- life --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Make everything durable, fold, and let go of the file. Safe to call twice. Raises SqlError when records were
        lost now; a fold that fails is made up for when the store is opened again."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            if self.failure is None:
                told = self.journal.durable_lsn
                self.journal.settle(self.journal.last_lsn)
                self.journal.require_since(told)
                with contextlib.suppress(SqlError, duckdb.Error, OSError):
                    self.fold()
                    with self.standing_still():
                        self.port.call("fold", self.log.end, self._folder)
        finally:
            in_turn(self.journal.close, self._stop_folding, self._release)

    def _stop_folding(self) -> None:
        self._fold_wanted.set()
        if self._fold_thread is not None:
            self._fold_thread.join()

    def sessions(self) -> list[StoreSession]:
        """Those that are open."""
        return list(self._sessions)

    def disown(self) -> None:
        """In the child of a fork: the store is its parent's, and there is nothing to close."""
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begun(self) -> Self:
        open_stores.adopt(self)
        try:
            self.journal.start()
            folding = threading.Thread(target=self._fold_in_background, name="sbql-fold", daemon=True)
            folding.start()
            self._fold_thread = folding
        except BaseException:  # no thread for it
            self.close()
            raise
        return self

    def _endpoint_rows(self) -> EndpointRows:
        return EndpointRows(self._read, self._looker, self.scratch)

    def _read(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return self.port.call("read", work, *args, **kwargs)
        except (duckdb.Error, OSError) as error:
            raise self.losses.sql_error(error) from None

    def _record_writer(self) -> RecordWriter:
        return RecordWriter(self._new_connection(), self.port, self.log, self._count)

    def _new_connection(self) -> duckdb.DuckDBPyConnection:
        connection = self._connection.cursor()
        connection.execute(_USE)
        return connection

    def _release(self) -> None:
        """Close every DuckDB object, so that none outlives the module."""
        closed = (self.port, self._folder, self._reader, self._looker, self._connection)
        try:
            in_turn(
                self.functions.release,
                *(session.close for session in list(self._sessions)),
                self._records.close,
                self.log.close,
                self.counts.close,
                self.parallelism.close,
                *(one.close for one in closed),
                lambda: open_stores.forget(self),
            )
        finally:
            del self._folder, self._reader, self._looker, self._connection, closed
            if self._released is not None:
                self._released()

    def _count(self, batch: Batch) -> None:
        """With the pen, before the records are called durable: a fold never meets records that were not counted."""
        if batch and self._unfolded.add(batch):
            self._fold_wanted.set()

    def _fold(self, through: int) -> None:
        """With the fold mutex."""
        records, committing = self._unfolded.through(through), self._tables_mutex.acquire
        try:
            count, _ = self.port.call("fold", fold_once, self._folder, through, records, self.log, committing)
            self._note_fold(count, through, count)
        except (duckdb.Error, OSError) as error:
            raise self.losses.sql_error(error) from None
        finally:
            with contextlib.suppress(RuntimeError):  # it did not come so far
                self._tables_mutex.release()

    def _note_fold(self, gone: int, last: int, folded: int, left: Batch | None = None) -> None:
        """With both mutexes: `gone` records of the journal, up to LSN `last`, are in the tables, which got
        `folded` in all; `left` came into it."""
        self._unfolded.folded(gone, last)
        self._count(left or [])
        with self._mutex:
            self._folded += folded
            self._clock += 1
            self._stamps[BROKER_STAMP] = self._clock
        if self._folded >= FOLD_AT:
            self._fold_wanted.set()

    def _fold_in_background(self) -> None:
        while True:
            self._fold_wanted.wait()
            self._fold_wanted.clear()
            if self._is_closed:
                return
            with contextlib.suppress(SqlError):  # whoever folds next gets it; the journal keeps everything
                self.fold_and_release()


def _let_go(connection: duckdb.DuckDBPyConnection) -> None:
    """Close the file, whatever other connections to it a half-made store still has."""
    with contextlib.suppress(duckdb.Error):
        connection.execute("USE memory")
        connection.execute(f"DETACH {ALIAS}")
    connection.close()
