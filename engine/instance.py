"""Instance: everything that one server holds, and its life from open to close.

It owns the store, the catalog, the lock table, the broker state, the driver and the sessions, and hands them to each
other. What they do is theirs; here is only who knows whom, and in which order things start and stop.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from sbql.catalog.first_start import bootstrap
from sbql.catalog.in_turn import in_turn
from sbql.catalog.records import Database, Module, Principal, Schema, Service, Table
from sbql.catalog.row_cache import CACHE_BYTES
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.store import Store
from sbql.catalog.store_image import StoreSource
from sbql.catalog.store_port import PORT, StorePort
from sbql.engine import ending, ports, security
from sbql.engine.batch.compiled_modules import CompiledBatch, ModuleCache
from sbql.engine.broker.folds import page_out
from sbql.engine.broker.ready_index import ERROR_TYPE, TIMER_TYPE
from sbql.engine.broker.resting import IO_ERROR
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.state_loading import fill
from sbql.engine.broker.trace import TraceSink
from sbql.engine.client import ANY_CLIENT, NOTIFYING, Client
from sbql.engine.definition.temp_tables import end_of_frame, end_of_session
from sbql.engine.documents.xml_schemas import fault_of_body
from sbql.engine.drivers import LoopDriver, ThreadDriver
from sbql.engine.entrance import let_in, log_on
from sbql.engine.error_log import ErrorLog, LogFile, LogRecord
from sbql.engine.host import Host, VirtualHost, host_of
from sbql.engine.kept_counters import table_states
from sbql.engine.last_resort import failure_line
from sbql.engine.locks import LockTable
from sbql.engine.patience import Patience, Report, Terms
from sbql.engine.scheduler import Scheduler
from sbql.engine.security.database_access import Departures
from sbql.engine.server_files import ServerFiles
from sbql.engine.session import Session
from sbql.engine.subscriptions.active_subscriptions import Subscriptions
from sbql.engine.system.live_views import live_rows
from sbql.engine.tables.colliding_keys import told_collisions
from sbql.engine.tables.text_functions import announce_text_functions
from sbql.engine.trace_notices import TraceNotices
from sbql.engine.tracing import UNNAMED, Tracing
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.memory import set_limit

__all__ = ["Instance"]

MakeTransmitter = Callable[[ports.Instance], ports.Transmitter]

_FIRST_SPID = 51

_ALWAYS = (TIMER_TYPE, ERROR_TYPE)
"""Types of messages that are in memory whenever they are ready."""


@contextmanager
def _no_collection() -> Iterator[None]:
    """While a million objects that stay are made, Python's collector would look through them again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _quietly(close: Callable[[], None]) -> None:
    """What is raised already says what is wrong."""
    with contextlib.suppress(Exception):
        close()


class Instance:
    """Open with `Instance.open`. All public methods are thread safe.

    Attributes: `store`, `host`, `locks`, `broker` (BrokerState), `tables` (row ids, identities), `modules` (compiled
    code), `driver`, `loop` (the LoopDriver, None on a system clock), `scheduler`, `error_log`, `catalog` (the published
    snapshot).
    """

    def __init__(
        self, store: Store, host: Host, drop_if_exists: bool = False, network: MakeTransmitter | None = None
    ) -> None:
        self.store, self.host = store, host
        store.parallelism.limit(1 if host.repeats else 0)
        self.locks = LockTable()
        self.modules = ModuleCache(drop_if_exists)
        self.error_log = ErrorLog()
        self.global_temp_tables: dict[str, Table] = {}
        self.global_temp_modules: dict[str, Module] = {}
        self.configuration: dict[str, int] = {}
        self.configured: dict[str, int] = {}
        """What sp_configure has set; RECONFIGURE takes it over into `configuration`, which is in use."""
        self.sequences: Any = None
        self.sequential_guid = 0
        self.transaction_ids = itertools.count(1000)
        self.user_messages: dict[int, tuple[int, str, bool]] = {}
        self.name = UNNAMED
        self.start_time = host.now()
        self.sessions: dict[int, Session] = {}
        self.departures = Departures()
        self.files = ServerFiles(store.path)
        self._mutex = threading.Lock()
        self._spids = itertools.count(_FIRST_SPID)
        self._is_closed = False
        """Nobody comes in any more."""
        self._is_ending = False
        """Somebody closes it, or has."""
        self.is_inherited = False
        """This process is a child that was forked from the one that opened the instance: nothing runs here."""
        with _no_collection():
            self._load()
        self.tables = table_states(store)
        self.loop: LoopDriver | None = None
        self.driver: ports.Driver
        if isinstance(host, VirtualHost):
            self.driver = self.loop = LoopDriver(host)
        else:
            self.driver = ThreadDriver(host)
        if store.path is not None:
            self.error_log.load(store.read_log())
        self.owner_rights = security.owner_rights(lambda: self.catalog, host.now)
        """What transactions of the background ask."""
        self.scheduler = Scheduler(self)
        self.terms = Terms()
        if self.loop is not None:
            self.loop.busy, self.loop.terms = self.scheduler.busy, self.terms
        self._tracing = Tracing(self)
        self.notified = TraceNotices(self)
        self.transmitter = network(self) if network is not None else None
        self._log_file: LogFile | None = None

    @classmethod
    def open(
        cls,
        path: str | None = None,
        *,
        clock: str = "system",
        seed: int = 0,
        start: float | None = None,
        error_log: str | os.PathLike[str] | LogFile | None = None,
        drop_if_exists: bool = False,
        port: StorePort = PORT,
        host: Host | None = None,
        network: MakeTransmitter | None = None,
        image: StoreSource | None = None,
        row_cache: int = CACHE_BYTES,
    ) -> Instance:
        """Open the store in `path` (None: in memory), recover it, and start the broker.

        `clock`: "system", or "virtual" (time moves only through `instance.loop`, GUIDs come from `seed`, and it
        begins at `start`, in seconds since 1970-01-01 UTC). `error_log`: a file to which the error log is written
        too, after what it already has. `drop_if_exists`: IF EXISTS is read in every DROP, also where SQL Server has
        none (QUEUE, SERVICE, LOGIN …). `port`: how the store reaches its file (catalog.store_port). `host`: the clock
        and chance of the instance, instead of `clock` and `seed`. `network`: makes what brings messages to other
        instances (None: nothing does). `image`: what a store in memory begins with. `row_cache`: bytes of rows that
        are remembered by key; 0: none, nor those of #temp tables. Raises SqlError when the file is no store, is open
        elsewhere, or cannot be written; OSError for the log.
        """
        host = host or host_of(clock, seed, start)
        log_file = LogFile(error_log, host) if isinstance(error_log, (str, os.PathLike)) else error_log
        with contextlib.ExitStack() as opened:
            if log_file is not None:
                opened.callback(log_file.close)
            store = Store.open(path, port=port) if image is None else image.open()
            opened.callback(_quietly, store.close)
            store.feed.rows.limit(row_cache)
            announce_text_functions(store.functions)
            instance = cls(store, host, drop_if_exists, network)
            opened.pop_all()
            opened.callback(_quietly, instance.close)
            instance._log_file = log_file
            instance._start()
            opened.pop_all()
        return instance

    def _start(self) -> None:
        """Whoever is told of it may come. Raises SqlError, RuntimeError when the computer has no threads."""
        if self._log_file is not None:
            self.error_log.listen(self._log_file.write)
        ending.adopt(self)
        for notice in (*self.store.notices, *told_collisions(self.store, self.catalog)):
            self.log(9004, notice)
        self.scheduler.start()
        if self.transmitter is not None:
            self.transmitter.start()

    def _load(self) -> None:
        """Catalog and broker as the store has them."""
        self.broker = BrokerState(self.locks, fault_of_body)
        state = self.store.load(_ALWAYS, self.broker.resting.at_rest)
        self.catalog = bootstrap(self.store, self.host.now(), self.host.new_guid) if state.is_new else state.snapshot
        self.subscriptions = Subscriptions(self, state.subscriptions)
        fill(self.broker, state, self._queue_of_service)
        self.broker.read_pages_by(self.store.read_rows)
        self.broker.resting.on_failure = partial(self.log, IO_ERROR)
        self.store.around_folds(partial(page_out, self.broker))
        self.store.losses.around(self._reload)
        self.store.losses.on_stop(self._store_stopped)

    def _reload(self, discard: Callable[[], None], error: SqlError) -> None:
        """The disk has refused commits that memory has already: it goes back to what is committed. With the pen."""
        broker = self.broker
        with broker.mutex, _no_collection():
            discard()
            broker.forget(error)
            fill(broker, self.store.reload(_ALWAYS, broker.resting.at_rest), self._queue_of_service)
        self.log(error.number, error.message)
        self.scheduler.broker_reloaded()
        if self.transmitter is not None:
            self.transmitter.reloaded()

    def _store_stopped(self, error: SqlError) -> None:
        """Nobody knows what is on disk: sessions end, and whoever opens the store again finds what is there."""
        self.log(error.number, error.message)
        if hasattr(self, "scheduler"):
            self.scheduler.stop()
        for session in list(self.sessions.values()):
            session.mark_ended()
            session.cancel()

    def _queue_of_service(self, database_id: int, service_id: int) -> int:
        service = self.catalog.get(Service, database_id, service_id)
        return service.queue_id if service is not None else 0

    # --- sessions ------------------------------------------------------------------------------------------

    def connect(
        self, database: str = "master", login: str = "sa", *, admin: bool = False, client: Client = ANY_CLIENT
    ) -> Session:
        """A new session. Raises 911 (unknown database), 18456 (unknown login), 4060 (no entry), 17892 (LOGON trigger).

        `admin`: the dedicated administrator connection, which sees the base tables. It is for members of sysadmin
        (18456 for others), one at a time (17810).
        """
        session = self.let_in(database, login, admin=admin, client=client)
        try:
            log_on(session)
        except BaseException:
            session.close()
            raise
        return session

    def let_in(
        self, database: str = "master", login: str = "sa", *, admin: bool = False, client: Client = ANY_CLIENT
    ) -> Session:
        """`connect` without what a login sets off: for the server's own sessions and for callers of `log_on`."""
        found = let_in(self, database, login, admin=admin, client=client)
        assert isinstance(found, Session)
        return found

    def new_session(
        self, login: Principal, database_id: int, *, is_background: bool = False, is_admin: bool = False, client: Client = ANY_CLIENT
    ) -> Session:  # fmt: skip
        with self._mutex:
            if (self._is_closed and client is not NOTIFYING) or self.is_inherited:
                raise sql_error(6005)
            if self.store.failure is not None:
                raise self.store.failure.again()
            spid = next(self._spids)
        session = Session(self, spid, login, database_id, is_background=is_background, is_admin=is_admin, client=client)
        self.sessions[spid] = session
        return session

    def forget_session(self, session: ports.Session) -> None:
        """Take a session off the list when nothing of it is left: who looks there takes its locks to be free."""
        if self.sessions.get(session.spid) is session:  # another one may stand in its place
            del self.sessions[session.spid]
        if not session.is_background:
            self.notified.logged_out(session)

    # --- what sessions ask ---------------------------------------------------------------------------------

    def compile_batch(
        self, text: str, session: ports.Session, parameters: dict[str, Any] | None = None
    ) -> CompiledBatch:
        types = {name: value.type for name, value in parameters.items()} if parameters else None
        return self.modules.batch(text, session, types)

    def publish_catalog(self, snapshot: CatalogSnapshot) -> None:
        """Make a committed DDL transaction's snapshot everybody's."""
        before, self.catalog = self.catalog, snapshot
        self.scheduler.catalog_changed(before, snapshot)
        self.subscriptions.catalog_changed(before, snapshot)
        if self.transmitter is not None:
            self.transmitter.catalog_changed()

    def transaction_ended(self) -> None:
        """A transaction has ended and its locks are free. What fails now is no error of whoever has ended it."""
        try:
            self.scheduler.after_transaction()
        except Exception as error:
            self.log_failure("in what follows from a transaction", error)

    def drop_frame_objects(self, session: ports.Session) -> None:
        """End of a module or batch: the temp tables and #procedures that it made go, and who waits until a database is
        free looks again."""
        if session.temp_creations:  # not so in most sessions, and every batch ends here
            end_of_frame(session)
        self.departures.note()

    def drop_session_objects(self, session: ports.Session) -> None:
        """End of a session: the ##tables and ##procedures that it made go."""
        end_of_session(session)

    def is_delayed_durable(self, session: ports.Session, asked: bool | None) -> bool:
        """DELAYED_DURABILITY of the database and the COMMIT together."""
        setting = session.database.delayed_durability
        return setting == "FORCED" or (setting == "ALLOWED" and bool(asked))

    def live_rows(self, name: str, session: ports.Session) -> Iterator[tuple[Any, ...]]:
        """Rows of a live relation, for the system views over the engine's memory."""
        return live_rows(self, name, session)

    def user_message(self, number: int) -> str | None:
        found = self.user_messages.get(number)
        return found[1] if found else None

    def is_logged(self, number: int) -> bool:
        """WITH_LOG of sp_addmessage: the message goes to the error log whenever it is raised."""
        found = self.user_messages.get(number)
        return found is not None and found[2]

    def log(
        self, number: int, text: str, source: str = "server", *, cause: Hashable = None, most: int | None = None
    ) -> None:
        """Write a line to the error log. `cause` names what it comes from (None: its number and text): of one cause
        `most` lines a minute are written (None: a few), then how many more there were."""
        self.error_log.write(LogRecord(self.host.now(), number, text, source), cause, most)
        if self.store.path is not None and self.loop is None:
            self.scheduler.log_has_grown()

    def log_failure(self, where: str, error: Exception) -> None:
        """Work that nobody waits for has failed: a line in the error log. It raises nothing."""
        with contextlib.suppress(Exception):
            number, text = failure_line(error)
            self.log(number, f"{where}: {text}", cause=(where, number, type(error)))

    def save_log(self) -> None:
        """Keep the error log in the store. A disk that refuses must not stop the broker: the lines stay in memory."""
        lines, is_anew, mark = self.error_log.unsaved()
        if self.store.path is not None and (lines or is_anew):
            with contextlib.suppress(SqlError):
                self.store.write_log(lines, anew=is_anew)
                self.error_log.saved(len(lines), is_anew, mark)

    def trace(self, sink: TraceSink, *classes: str) -> Callable[[], None]:
        """Call `sink` with each trace event of the broker (or only of `classes`, such as "Broker:Activation"), in the
        thread that causes it. It must return soon and must not run statements. Returns what stops it. Raises KeyError
        for an unknown class."""
        return self._tracing.listen(sink, classes)

    user_of_login = staticmethod(security.user_of_login)
    user_in_database = staticmethod(security.user_in_database)
    check_permission = staticmethod(security.check_permission)
    impersonate = staticmethod(security.impersonate)
    broker_rights = staticmethod(security.broker_rights)
    enter_module_context = staticmethod(security.enter_module_context)

    # --- the end -------------------------------------------------------------------------------------------

    def wait_idle(self, timeout: float | None = None, report: Report | None = None) -> bool:
        """Wait until no activated procedure has anything to do: none is running (waiting in RECEIVE is not running) and
        no queue with activation has a receivable message that will start one. False when `timeout` seconds pass first.

        Every few seconds `report` (None: the logger "sbql") hears who is busy. A virtual clock moves on while only
        sleepers are left, by a day when no `timeout` is given.
        """
        if self.loop is not None:
            return self.loop.rest(self.scheduler.is_idle, timeout, report)
        return self.scheduler.wait_idle(Patience(self.scheduler.busy, self.terms, timeout, report))

    def busy(self) -> list[str]:
        """For people: who keeps the instance from being idle."""
        return self.scheduler.busy()

    @property
    def failures(self) -> int:
        """Activated tasks that have failed, and queues that poison has switched off."""
        return self.scheduler.failures

    def listen_log(self, listener: Callable[[LogRecord], None]) -> Callable[[], None]:
        """Call `listener` for each new line of the error log. Returns what stops it."""
        return self.error_log.listen(listener)

    def flush_log(self) -> None:
        """Say how many lines were held back so far."""
        self.error_log.flush(self.host.now())

    def queue_name(self, queue_id: int) -> str:
        """For log lines and trace: database.schema.queue."""
        catalog = self.catalog
        queue = catalog.queue_of_id(queue_id)
        if queue is None:
            return str(queue_id)
        database = catalog.get(Database, 0, queue.database_id)
        schema = catalog.get(Schema, queue.database_id, queue.schema_id)
        parts = database.name if database else queue.database_id, schema.name if schema else "?", queue.name
        return ".".join(str(part) for part in parts)

    def close(self) -> None:
        """Stop activation, end all sessions (their transactions roll back), fold, close the store. Twice is harmless.

        Raises SqlError when the store cannot write what was committed with delay, or a batch of another thread does not
        stop: then the store is open still, and may be closed later. Whatever else fails, all of it is closed.
        """
        with self._mutex:
            if self._is_ending or self.is_inherited:
                return
            self._is_closed = self._is_ending = True
        in_turn(self.scheduler.stop, *([] if self.transmitter is None else [self.transmitter.stop]), self._end)

    def _end(self) -> None:
        try:
            ending.stop_work(self)
        except BaseException:  # something runs in the store still: it stays open, and may be closed later
            self._is_ending = False
            raise
        in_turn(
            *ending.last_steps(self),
            lambda: self.error_log.flush(self.host.now()),
            self.save_log,
            self.store.close,
            lambda: set_limit(self, None),
            self.files.close,
            *([] if self._log_file is None else [self._log_file.close]),
        )

    def disown(self, driver: ports.Driver) -> None:
        """In the child of a fork: the instance is the parent's. Who holds a lock may be there: hence new ones."""
        self.is_inherited, self.driver, self._mutex = True, driver, threading.Lock()
        self.broker.renew_mutex()
        sessions = list(self.sessions.values())
        self.sessions.clear()
        for session in sessions:
            session.disown()
