"""Ports: what the rooms of the engine may ask of the session, the instance and the compiler that stand above them.

Protocols, so that a room imports nothing that is further up; the classes are `session.Session`, `instance.Instance`, `batch.compiler.Compiler`,
and mypy holds them against this. It decides nothing. It must not know how any of it is done; what only the broker needs stays with the broker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sbql.catalog.live_relations import BrokerConnection, ForwardedMessage
from sbql.catalog.records import CatalogRecord, Database, EventNotification, Module, Principal, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.store import Store, StoreSession
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.broker.permissions import Rights
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.client import ANY_CLIENT, Client
from sbql.engine.error_log import ErrorLog
from sbql.engine.host import Host
from sbql.engine.locks import LockOwner, LockTable
from sbql.engine.outcomes import ErrorSet, Outcome, RowsAffected
from sbql.engine.server_files import ServerFiles
from sbql.engine.session_values import SessionValues
from sbql.engine.table_state import TableStates
from sbql.engine.wait_stats import WaitStats
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.ast import Batch, Span
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType

__all__ = [
    "ActivatedTask", "Compiled", "CompiledModule", "CompiledModules", "Departures", "Driver", "Frame", "Instance",
    "Scheduler", "Session", "Transaction", "Transmitter",
]  # fmt: skip


class Frame(Protocol):
    """One execution of a batch or module; the class is `scalars.scope.Frame`, which says what its parts are."""

    session: Session
    variables: list[Any]
    module_name: str
    module: Module | None
    is_trigger: bool
    trigger: Any
    scope_identity: Any
    event_data: str | None
    cursors: dict[str, Any]
    worst_severity: int


class Transaction(Protocol):
    """One T-SQL transaction; the class is `transaction.Transaction`."""

    id: int
    owner: LockOwner
    rights: Rights
    is_doomed: bool
    is_snapshot: bool
    snapshot: CatalogSnapshot | None
    begin_time: float
    own_keys: dict[Any, Any]
    lock_timeout: float | None
    refuses_snapshot: str | None

    @property
    def instance(self) -> Instance: ...

    @property
    def store(self) -> StoreSession: ...

    @property
    def unit(self) -> UnitOfWork: ...

    def check_kept(self) -> None: ...

    @property
    def has_unit(self) -> bool: ...

    @property
    def broker(self) -> BrokerTransaction: ...

    @property
    def has_broker(self) -> bool: ...

    def lock(
        self, resource: Hashable, mode: str = "X", reason: str = "LCK_M_X", *, nowait: bool = False
    ) -> Generator[Suspend, None, None]: ...

    def lock_schema(self) -> Generator[Suspend, None, None]: ...

    def try_lock_schema(self) -> bool: ...

    def change_catalog(self, old: CatalogRecord | None, new: CatalogRecord | None) -> None: ...

    def mark(self) -> Any: ...

    def save(self, name: str) -> None: ...

    def savepoint(self, name: str) -> Any: ...

    def after_commit(self, call: Callable[[], None]) -> None: ...

    def on_rollback(self, undo: Callable[[], None]) -> None: ...

    def rollback_to(self, mark: Any) -> None: ...

    def commit(self) -> int: ...

    def rollback(self) -> None: ...


class Compiled(Protocol):
    """A batch that is ready to run; the class is `modules.CompiledBatch`."""

    @property
    def step(self) -> Any: ...

    @property
    def scope(self) -> Any: ...

    @property
    def switches_noexec(self) -> bool: ...

    @property
    def parseonly(self) -> bool | None: ...

    def new_frame(self, session: Session, parameters: dict[str, Any] | None = None) -> Frame: ...


class CompiledModule(Protocol):
    """A procedure, function or trigger that is ready to run; the class is `modules.CompiledModule`."""

    @property
    def record(self) -> Module: ...

    @property
    def step(self) -> Any: ...

    @property
    def scope(self) -> Any: ...

    @property
    def parameters(self) -> Sequence[Any]: ...

    @property
    def returns(self) -> SqlType | None: ...

    @property
    def node(self) -> Any: ...

    def new_frame(self, session: Session) -> Frame: ...


class CompiledModules(Protocol):
    """Parsed and compiled texts; the class is `modules.ModuleCache`."""

    def parse(self, text: str, *, quoted_identifiers: bool = True) -> Batch: ...

    def batch(self, text: str, session: Session, parameter_types: dict[str, Any] | None = None) -> Compiled: ...

    def declared(self, text: str, session: Session) -> Any: ...

    def module(self, record: Module, session: Session) -> CompiledModule: ...

    def returns(self, record: Module, session: Session) -> SqlType | None: ...

    def compiled(self, record: Module, node: Any, session: Session) -> CompiledModule: ...


class Departures(Protocol):
    """Who waits until a database is empty; the class is in `database_access`."""

    def claim(self, database_id: int) -> None: ...

    def release(self, database_id: int) -> None: ...

    def is_claimed(self, database_id: int) -> bool: ...

    def wait(self) -> Waiter: ...

    def forget(self, waiter: Waiter) -> None: ...

    def note(self) -> None: ...


class Driver(Protocol):
    """Who runs a Work; the classes are in `drivers`."""

    @property
    def wait_stats(self) -> WaitStats: ...

    def current_session(self) -> Session | None: ...

    def run(self, work: Work, session: Session | None = None) -> Any: ...

    def spawn(
        self, work: Work, session: Session | None, name: str, done: Callable[[BaseException | None], None]
    ) -> None: ...

    def join(self, timeout: float) -> bool: ...


class ActivatedTask(Protocol):
    """A running activated procedure; the class is `activated_task.ActivatedTask`."""

    @property
    def session(self) -> Session: ...

    queue: Any
    procedure: str
    execute_as: int
    is_aborted: bool


class Scheduler(Protocol):
    """Activation and the broker's background work."""

    @property
    def tasks(self) -> Mapping[int, ActivatedTask]: ...

    @property
    def tasks_started(self) -> Counter[int]: ...

    @property
    def tasks_aborted(self) -> Counter[int]: ...

    def resume(self, database_id: int) -> None: ...

    def reader_waits(self) -> None: ...

    def post_event(self, event: str, document: str, notifications: list[EventNotification]) -> None: ...


class Transmitter(Protocol):
    """What brings messages to other instances and takes theirs in: `network.transmitter`, which says what the calls mean."""

    def start(self) -> None: ...
    def catalog_changed(self) -> None: ...
    def reloaded(self) -> None: ...
    def connections(self) -> list[BrokerConnection]: ...
    def forwarded(self) -> list[ForwardedMessage]: ...
    def stop(self) -> None: ...


class Instance(Protocol):
    """Everything that one server holds; the class is `instance.Instance`, which says what the parts are."""

    store: Store
    host: Host
    locks: LockTable
    error_log: ErrorLog
    catalog: CatalogSnapshot
    broker: BrokerState
    tables: TableStates
    files: ServerFiles
    name: str
    start_time: float
    configuration: dict[str, int]
    configured: dict[str, int]
    sequences: Any
    sequential_guid: int
    user_messages: dict[int, tuple[int, str, bool]]
    global_temp_tables: dict[str, Table]
    global_temp_modules: dict[str, Module]
    loop: Any
    transmitter: Transmitter | None

    @property
    def transaction_ids(self) -> Iterator[int]: ...

    @property
    def sessions(self) -> Mapping[int, Session]: ...

    @property
    def modules(self) -> CompiledModules: ...

    @property
    def departures(self) -> Departures: ...

    @property
    def driver(self) -> Driver: ...

    @property
    def scheduler(self) -> Scheduler: ...

    def connect(
        self, database: str = "master", login: str = "sa", *, admin: bool = False, client: Client = ANY_CLIENT
    ) -> Session: ...

    def new_session(
        self,
        login: Principal,
        database_id: int,
        *,
        is_background: bool = False,
        is_admin: bool = False,
        client: Client = ANY_CLIENT,
    ) -> Session: ...

    def forget_session(self, session: Session) -> bool: ...
    def compile_batch(self, text: str, session: Session, parameters: dict[str, Any] | None = None) -> Compiled: ...
    def begin_broker_transaction(self, transaction: Transaction) -> BrokerTransaction: ...
    def publish_catalog(self, snapshot: CatalogSnapshot) -> None: ...
    def after_commit(self) -> None: ...
    def drop_frame_objects(self, session: Session, frame: Frame) -> None: ...
    def drop_session_objects(self, session: Session) -> None: ...
    def is_delayed_durable(self, session: Session, asked: bool | None) -> bool: ...
    def live_rows(self, name: str, session: Session) -> Iterator[tuple[Any, ...]]: ...
    def user_message(self, number: int) -> str | None: ...
    def is_logged(self, number: int) -> bool: ...
    def log(
        self, number: int, text: str, source: str = "server", *, cause: Hashable = None, most: int | None = None
    ) -> None: ...

    def save_log(self) -> None: ...
    def trace(self, sink: Any, *classes: str) -> Callable[[], None]: ...
    def queue_name(self, queue_id: int) -> str: ...
    def close(self) -> None: ...
    def disown(self, driver: Driver) -> None: ...
    def user_of_login(self, snapshot: CatalogSnapshot, login: Principal, database_id: int) -> Principal: ...
    def user_in_database(self, session: Session, database: Database) -> Principal: ...

    @property
    def check_permission(self) -> Callable[[Session, str, CatalogRecord, Module | None], None]: ...
    def impersonate(self, session: Session, kind: str, name: str | None) -> None: ...
    def broker_rights(self, session: Session) -> Rights: ...
    def enter_module_context(self, session: Session, record: Module) -> None: ...


class Session(SessionValues, Protocol):
    """One connection; the class is `session.Session`. docs/session-interface.md says what each part is for."""

    store: StoreSession
    rights: Rights
    applocks: LockOwner
    login_time: float

    @property
    def transaction(self) -> Transaction | None: ...

    @property
    def instance(self) -> Instance: ...

    @property
    def catalog(self) -> CatalogSnapshot: ...

    @property
    def binding_key(self) -> tuple[Any, ...]: ...

    @property
    def database(self) -> Database: ...

    @property
    def database_name(self) -> str: ...

    @property
    def login(self) -> Principal: ...

    @property
    def user(self) -> Principal: ...

    def use(self, name: str) -> None: ...

    def temp_names_changed(self) -> None: ...

    def new_transaction(self) -> Transaction: ...

    def statement(self) -> AbstractContextManager[Transaction]: ...

    def open_statement(self) -> Transaction: ...

    def close_statement(self) -> None: ...

    def begin_implicitly(self) -> None: ...

    def begin_transaction(self, name: str = "") -> None: ...

    def commit_transaction(self, *, delayed: bool = False) -> None: ...

    def rollback_transaction(self) -> None: ...

    def note_commit(self, lsn: int) -> None: ...

    def read(self, sql: Any, params: Any = (), **how: Any) -> Any: ...

    def emit(self, outcome: Outcome) -> None: ...

    def print(self, text: str) -> None: ...

    def completed(self, done: int | RowsAffected | ErrorSet) -> None: ...

    def statement_failed(self, error: SqlError, frame: Frame, span: Span) -> None: ...

    def report(self, error: SqlError) -> None: ...

    def execute(
        self, text: str, sink: Callable[[Outcome], None], *, parameters: dict[str, Any] | None = None
    ) -> Generator[Suspend, None, None]: ...

    def execute_activated(self, procedure: str, sink: Callable[[Outcome], None]) -> Work: ...

    def check_cancelled(self) -> None: ...

    def cancel(self) -> None: ...

    def end(self) -> None: ...

    def batch_ends(self) -> None: ...

    def close(self) -> None: ...
