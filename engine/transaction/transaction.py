"""Transaction: one T-SQL transaction, explicit or autocommit, over user tables, messages and the catalog.

It owns a LockOwner, and begins its unit of work (tables) and its broker transaction (messages) on first use. It decides
the order of a commit: messages are prepared, everything is made one record of the store, and only then published. It
must not know statements or sessions beyond the little protocol below.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from typing import Any, NamedTuple

from sbql.catalog.changes import CatalogChange, RowChange, snapshot_changes
from sbql.catalog.records import BrokerChange, CatalogRecord, Database, Module, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.store import StoreSession
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.broker.arrival import Bulk, NotInBulk
from sbql.engine.broker.permissions import Rights
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.locks import LockOwner, WaitsByOptions
from sbql.engine.ports import Instance
from sbql.engine.security.permissions import lost_parts, orphans
from sbql.engine.work import Suspend
from sbql.grammar.errors import sql_error

__all__ = ["Transaction"]

_DDL_LOCK = ("ddl",)
_READING = frozenset({"FN", "TF"})
"""Functions that run while a query does; those of one SELECT are a part of it."""


class Mark(NamedTuple):
    """A point to roll back to: a savepoint or the start of a statement."""

    unit: int | None
    broker: int | None
    snapshot: CatalogSnapshot | None
    undo: int
    savepoints: int


class Transaction:
    """Not thread safe: one session at a time works on it (a bound session in turn with its owner)."""

    # What most transactions never change stands in the class: each statement makes one.
    is_doomed: bool = False
    is_handed_over: bool = False
    """It was begun for the locks of a statement, which comes now, and ends it."""
    is_snapshot: bool = False
    has_row_versions: bool = False
    database_name: str = ""
    """That in which a snapshot transaction begins."""
    refuses_snapshot: str | None = None
    snapshot: CatalogSnapshot | None = None
    is_committed: bool = False
    """Nothing may undo it any more: its record is on the way to the disk."""
    lsn: int = 0
    """That of its record, if it has one, as soon as it is committed."""
    _interrupt: BaseException | None = None
    """Came when it was committed, and is raised when all that belongs to the commit is done."""
    _pause: float = 0.0
    """Seconds to wait when all is done: see `Brake`."""
    _unit: UnitOfWork | None = None
    _broker: BrokerTransaction | None = None

    def __init__(
        self,
        instance: Instance,
        store: StoreSession,
        name: str,
        session: WaitsByOptions | None = None,
        rights: Rights | None = None,
        rests_on: int = 0,
    ) -> None:
        self.instance = instance
        self.rests_on = rests_on
        """LSN of the session's commit before it, which may not be on disk yet."""
        self.store = store
        self.id = next(instance.transaction_ids)
        self.owner = LockOwner(name, session)
        self.rights = rights if rights is not None else instance.owner_rights
        self._savepoints: list[tuple[str, Mark]] = []
        self.begin_time = instance.host.now()
        self.own_keys: dict[Any, Any] = {}
        self.merged: list[RowChange] = []
        """Changes that a MERGE has made, while somebody subscribes to queries."""
        self._undo: list[Callable[[], Any]] = []
        self._before: list[Callable[[], None]] = []
        self._after: list[Callable[[], None]] = []

    # --- parts, begun on first use -------------------------------------------------------------------------

    @property
    def unit(self) -> UnitOfWork:
        """The unit of work over user tables. Raises 3952 under SNAPSHOT where the database does not allow it."""
        if self._unit is None:
            if self.refuses_snapshot is not None:
                raise sql_error(3952, self.refuses_snapshot)
            self._unit = self.owner.work = self.store.begin()
            if self.is_snapshot:
                self._unit.is_snapshot, self._unit.database = True, self.database_name
                self._unit.calls_functions = any(one.type in _READING for one in self._catalog().all(Module))
        return self._unit

    @property
    def has_unit(self) -> bool:
        return self._unit is not None

    @property
    def broker(self) -> BrokerTransaction:
        """The transaction over endpoints, groups and messages. Raises SqlError when it is lost."""
        if self._broker is None:
            self._broker = self._begin_broker()
        elif self._broker.lost is not None:
            raise self._broker.lost.again()
        return self._broker

    def _begin_broker(self) -> BrokerTransaction:
        """The last that was published, if there is one, for making it costs more than a SEND: it is empty."""
        instance = self.instance
        try:
            found: BrokerTransaction = instance.broker.spare_transactions.pop()
        except IndexError:
            return BrokerTransaction(instance.broker, self.owner, instance.host, self._catalog, rights=self.rights)
        found.begin(self.owner, self._catalog, self.rights)
        return found

    def _catalog(self) -> CatalogSnapshot:
        """What it sees."""
        return self.snapshot or self.instance.catalog

    @property
    def has_broker(self) -> bool:
        return self._broker is not None

    @property
    def is_lost(self) -> bool:
        """It was rolled back underneath, which its session learns with its next statement."""
        return self._broker is not None and self._broker.lost is not None

    def check_kept(self) -> None:
        """Raise SqlError when the store has lost commits that this transaction may rest on: it cannot be committed any
        more. Final while the broker's mutex or the pen of the journal is held."""
        if self._broker is not None and self._broker.lost is not None:
            raise self._broker.lost.again()
        self.store.store.journal.require(self.rests_on)

    # --- locks and the catalog -----------------------------------------------------------------------------

    def lock(
        self, resource: Hashable, mode: str = "X", reason: str = "LCK_M_X", *, nowait: bool = False
    ) -> Generator[Suspend, None, None]:
        """Take a lock until the end of the transaction. Raises 1222 after LOCK_TIMEOUT (`nowait`: at once), 1205 for a
        deadlock victim."""
        locks = self.instance.locks
        if locks.try_acquire(self.owner, resource, mode):
            return
        if nowait:
            raise sql_error(1222)
        timeout = self.owner.lock_timeout
        deadline = None if timeout is None else self.instance.host.now() + timeout
        granted = yield from locks.acquire(self.owner, resource, mode, deadline, reason)
        if not granted:
            raise sql_error(1222)

    def lock_schema(self) -> Generator[Suspend, None, None]:
        """Become the one transaction that may change the catalog; from now on it sees its own snapshot."""
        if self.snapshot is None:
            yield from self.lock(_DDL_LOCK, "X", "LCK_M_SCH_M")
            self.snapshot = self.instance.catalog

    def try_lock_schema(self) -> bool:
        """As lock_schema, but False instead of waiting."""
        if not self.instance.locks.try_acquire(self.owner, _DDL_LOCK):
            return False
        self.snapshot = self.instance.catalog
        return True

    def change_catalog(self, old: CatalogRecord | None, new: CatalogRecord | None) -> None:
        """Add (`old` None), replace, or remove (`new` None) a record in this transaction's snapshot."""
        assert self.snapshot is not None, "lock_schema first"
        changed = new or old
        database = self.snapshot.get(Database, 0, changed.database_id) if changed is not None else None
        if database is not None and database.is_read_only:
            raise sql_error(3906, database.name)
        if new is not None:
            self.snapshot = self.snapshot.with_record(new, old=old)
            if isinstance(old, Table) and isinstance(new, Table):
                self._forget(lost_parts(self.snapshot, old, new))
        elif old is not None:
            self.snapshot = self.snapshot.without(old)
            self._forget(orphans(self.snapshot, old))

    def _forget(self, records: Iterable[CatalogRecord]) -> None:
        assert self.snapshot is not None
        for record in list(records):
            self.snapshot = self.snapshot.without(record)

    # --- marks ---------------------------------------------------------------------------------------------

    def mark(self) -> Mark:
        return Mark(
            self._unit.mark() if self._unit is not None else None,
            self._broker.mark() if self._broker is not None else None,
            self.snapshot,
            len(self._undo),
            len(self._savepoints),
        )

    def save(self, name: str) -> None:
        """Set a savepoint. Names may repeat; the newest one counts."""
        mark = self.mark()._replace(savepoints=len(self._savepoints) + 1)  # its own is not after it
        self._savepoints.append((name, mark))

    def savepoint(self, name: str) -> Mark | None:
        """The newest savepoint of that name which no rollback has undone."""
        return next((mark for known, mark in reversed(self._savepoints) if known == name), None)

    def on_commit(self, call: Callable[[], None]) -> None:
        """Have `call` called when what happens now is committed."""
        self._after.append(call)
        self._undo.append(self._after.pop)

    def before_commit(self, call: Callable[[], None]) -> None:
        """Have `call` called when what happens now is about to be committed: what it does is committed with it."""
        self._before.append(call)
        self._undo.append(self._before.pop)

    def on_rollback(self, undo: Callable[[], None]) -> None:
        """Have `undo` called when what happens now is rolled back: for what a session keeps outside the store."""
        self._undo.append(undo)

    def rollback_to(self, mark: Mark) -> None:
        """Undo everything after `mark`. Locks stay, as on SQL Server; the transaction goes on."""
        if self._unit is not None:
            self._unit.rollback_to(mark.unit if mark.unit is not None else 0)
        if self._broker is not None and self._broker.lost is None:
            with self.instance.broker.mutex:
                self._broker.rollback_to(mark.broker if mark.broker is not None else 0)
        if self.snapshot is not None:
            self.snapshot = mark.snapshot or self.instance.catalog
        self._run_undo(mark.undo)
        del self._savepoints[mark.savepoints :]

    def _run_undo(self, down_to: int) -> None:
        while len(self._undo) > down_to:
            self._undo.pop()()

    # --- the end -------------------------------------------------------------------------------------------

    def commit(self) -> int:
        """Make everything one record of the store and publish it. Returns the LSN (`lsn` has
        it, too), 0 when nothing was changed.

        Raises SqlError when the store refuses; the transaction is then rolled back. Once it is committed nothing undoes
        it, and it is no error of whoever has committed what fails in the work behind that: the error log tells. Only an
        interrupt is raised, when all is done.
        """
        is_heard = True
        try:
            is_heard = self._commit()
        except BaseException as error:
            if not self.is_committed:
                self.rollback()
                raise
            self._failed_behind(error)
        self._go_on(is_heard)
        if self._interrupt is not None:
            raise self._interrupt
        return self.lsn

    def _commit(self) -> bool:
        """Up to where all see it. Returns whether anybody but those who wait for its locks is to hear of it."""
        for call in self._before:
            call()
        subscriptions = self.instance.subscriptions
        if subscriptions.is_watching and self._unit is not None and self._unit.has_written:
            unit = self._unit
            unit.told = subscriptions.judge(unit.redo, {id(change) for change in self.merged}, self.snapshot)
        catalog: list[CatalogChange] = []
        if self.snapshot is not None:
            catalog = snapshot_changes(self.instance.catalog, self.snapshot)
        if self._broker is None and self.snapshot is None:
            if self._unit is not None:
                self._write(self._unit, [], [], self.check_kept)
            self.is_committed = True
            return False
        writes = self._unit is not None and self._unit.has_written
        if writes and self.snapshot is None and self._broker is not None and self._broker.only_receives:
            self._commit_received(self._broker)
        elif self._broker is not None and self._broker.bulk is not None:
            assert not (catalog or writes), "rows in bulk are a transaction of their own"
            self._commit_in_bulk(self._broker, self._broker.bulk)
        elif catalog or writes:
            with self.unit.turn_at_disk(catalog):
                self._commit_in_order(catalog)
        else:
            self._commit_in_order(catalog)
        return True

    def _write(
        self,
        unit: UnitOfWork,
        catalog: list[CatalogChange],
        changes: list[BrokerChange],
        may_commit: Callable[[], None] | None = None,
    ) -> None:
        try:
            self.lsn = (
                unit.commit(catalog, changes) if may_commit is None else unit.commit(catalog, changes, may_commit)
            )
            self.is_committed = True
        except BaseException as error:
            if unit.committed is None:
                raise
            self.lsn, self.is_committed = unit.committed, True
            self._failed_behind(error)
        self._unit = None

    def _commit_in_order(self, catalog: list[CatalogChange]) -> None:
        """Visible means ordered: nobody may see these messages before the record has its place in the journal."""
        with self.instance.broker.mutex:
            try:
                self._write_with_mutex(catalog)
            except BaseException:
                self._undo_rows_and_messages()  # before anybody meets what was prepared and is not to be
                raise
            self._publish()

    def _write_with_mutex(self, catalog: list[CatalogChange]) -> None:
        self.check_kept()
        changes = self._broker.prepare() if self._broker is not None else []
        if catalog or (self._unit is not None and self._unit.has_written):
            self._write(self.unit, catalog, changes)
            return
        if self._unit is not None:
            self._unit.rollback()
            self._unit = None
        if changes:
            self.lsn = self.store.store.submit(changes)
        self.is_committed = True

    def _publish(self) -> None:
        """With the broker's mutex: what is committed is everybody's, every part of it."""
        if self.snapshot is not None:
            try:
                self.instance.publish_catalog(self.snapshot)
            except BaseException as error:
                self._failed_behind(error)
        broker = self._broker
        if broker is not None:
            self._broker = None
            try:
                brake = self.instance.broker.brake
                if brake.is_folding:
                    self._pause = brake.pause(broker.endpoints)
                broker.publish()
                broker.set_aside()
            except BaseException as error:
                self._failed_behind(error)

    def _commit_in_bulk(self, broker: BrokerTransaction, bulk: Bulk) -> None:
        """The messages are in the message table when they are shown: on disk, as all that was committed before. Raises
        NotInBulk with everything undone."""
        appending = self.store.store.bulk.appending
        with appending.turn(), self.instance.broker.mutex:
            self.check_kept()
            try:
                changes = broker.prepare()
                rows = bulk.rows()
                appending.append(changes, rows)
            except NotInBulk:
                broker.rollback_to(0)
                raise
            except BaseException as error:
                if not appending.committed:
                    self._undo_rows_and_messages()
                    raise
                self._failed_behind(error)
            self.lsn, self.is_committed = appending.committed, True
            self._publish()

    def _commit_received(self, broker: BrokerTransaction) -> None:
        """What only took messages, and wrote tables, depends on nobody and nobody on it while it holds its groups: the
        disk is waited for without the broker's mutex, and others go on sending and receiving."""
        with self.instance.broker.mutex:
            self.check_kept()
            changes = broker.prepare()
        self._write(self.unit, [], changes, self.check_kept)
        with self.instance.broker.mutex:
            if broker.lost is None:
                self._publish()
            else:  # by others after its own commit: memory has been read anew since then
                self._broker = None

    def _go_on(self, is_heard: bool) -> None:
        """What follows from a commit, every part of it."""
        self._attempt(self._release)
        for call in self._after:
            self._attempt(call)
        if is_heard:
            self._attempt(self._relieve)
            self._attempt(self.instance.transaction_ended)

    def _attempt(self, call: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as error:
            self._failed_behind(error)

    def _relieve(self) -> None:
        self.store.store.relieve()
        if self._pause:
            self.instance.broker.brake.sleep(self._pause)

    def _release(self) -> None:
        if self.has_row_versions:
            self.instance.tables.end_row_versions(self.id)
        self.instance.locks.release_all(self.owner)

    def _failed_behind(self, error: BaseException) -> None:
        """The commit stands; whoever looks after the instance reads of it."""
        if isinstance(error, Exception):
            self.instance.log_failure(f"behind the commit of a transaction of {self.owner.name}", error)
        else:
            self._interrupt = self._interrupt or error

    def rollback(self) -> None:
        """Undo everything and release the locks. Never raises a SqlError."""
        assert not self.is_committed, "nothing undoes a commit"
        try:
            self._undo_rows_and_messages()
            self.snapshot = None
            self._run_undo(0)
        finally:
            self._savepoints.clear()
            self._release()
            self.instance.transaction_ended()

    def _undo_rows_and_messages(self) -> None:
        if self._unit is not None:
            self._unit.rollback()
            self._unit = None
        if self._broker is not None:
            with self.instance.broker.mutex:
                if self._broker.lost is None:
                    self._broker.rollback()
                self._broker = None
