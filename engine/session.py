"""Session: one connection's state, and the running of its batches.

It keeps the transaction, the SET options, the execution context and the @@ values, and decides what an error does to
statement, batch and transaction. What a statement does is its handler's; who waits and how is the driver's.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator
from typing import Any

from sbql.catalog.changes import Page
from sbql.catalog.interrupts import held, raise_kept
from sbql.catalog.records import Database, Principal
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine import ports
from sbql.engine.cancelling import insist
from sbql.engine.client import ANY_CLIENT, Client
from sbql.engine.client_sink import ClientSink
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.durability import drop_lost_transaction, refused_before, wait_durable, why_ended
from sbql.engine.execution_context import ExecutionContext
from sbql.engine.last_resort import UnexpectedError, details, report_unexpected
from sbql.engine.locks import LockOwner
from sbql.engine.outcomes import ErrorOutcome, ErrorSet, InfoMessage, Outcome, RowsAffected
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.database_access import allows_snapshot, check_open
from sbql.engine.security.similar_names import advise_name, similar_database
from sbql.engine.session_state import SessionState
from sbql.engine.steps import Return, Step
from sbql.engine.transaction.own_transaction import OwnTransaction
from sbql.engine.transaction.statement_scope import FormatOnly, StatementScope
from sbql.engine.transaction.transaction import Transaction
from sbql.engine.work import Cancelled, Suspend, Work
from sbql.grammar.ast import NO_SPAN, Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.values.languages import US_ENGLISH, language_named

__all__ = ["Session"]

_TEMP_VERSIONS = itertools.count(1)
Prepare = Callable[[], tuple[Step, ports.Frame] | None]
_FIRST_LINE = Span(1, 1, 1, 1, 0, 0)
_FUNCTIONS = frozenset({"FN", "TF", "IF"})


class Session(SessionState):
    """Made by `Instance.connect`. Attributes that handlers use are listed in docs/session-interface.md."""

    def __init__(
        self, instance: ports.Instance, spid: int, login: Principal, database_id: int, *, is_background: bool = False,
        is_admin: bool = False, client: Client = ANY_CLIENT,
    ) -> None:  # fmt: skip
        super().__init__(spid, database_id, is_background=is_background, is_admin=is_admin, client=client)
        language = language_named(client.language) or language_named(login.default_language)
        if language is not None and language is not US_ENGLISH:
            self.options.speak(language)
        self.instance = instance
        self.login_name = login.name
        self.login_time = instance.host.now()
        self.store = instance.store.connect()
        self._reader = self.store.begin()
        self.applocks = LockOwner(f"session {spid}", self)
        self.rights = instance.broker_rights(self)
        self.temp_names_changed()
        user = instance.user_of_login(self.catalog, login, database_id)
        self.contexts.append(ExecutionContext(login, user, database_id))

    # --- names ---------------------------------------------------------------------------------------------

    @property
    def catalog(self) -> CatalogSnapshot:
        """The catalog as this session sees it."""
        if (transaction := self.transaction) is not None and transaction.snapshot is not None:
            return transaction.snapshot
        return self.instance.catalog

    def temp_names_changed(self) -> None:
        """Bind names anew. A version is never given twice: sessions share what is bound, but not their temp tables."""
        instance = self.instance
        has_any = self.temp_tables or self.temp_modules or instance.global_temp_tables or instance.global_temp_modules
        self.temp_version = next(_TEMP_VERSIONS) if has_any else 0

    @property
    def binding_key(self) -> tuple[Any, ...]:
        """Changes whenever a name may mean something else, a constant date, or an operator."""
        context, transaction = self.contexts[-1].binding, self.transaction
        return (  # `catalog` first, without a call
            (self.instance.catalog if transaction is None else transaction.snapshot or self.instance.catalog).version,
            self.database_id,
            self.temp_version,
            self.is_admin,
            context,
            self.instead_of,
            self.options.dates,
            self.options.deviations,
        )

    @property
    def database(self) -> Database:
        found = self.catalog.get(Database, 0, self.database_id)
        assert found is not None, "a session's database cannot be dropped"
        return found

    @property
    def database_name(self) -> str:
        return self.database.name

    @property
    def login(self) -> Principal:
        return self.contexts[-1].login

    @property
    def user(self) -> Principal:
        return self.contexts[-1].user

    def use(self, name: str) -> None:
        """USE. Raises 911 for an unknown database, 916 when the login has no user there."""
        found = self.catalog.find(Database, 0, name)
        if found is None:
            raise sql_error(911, name).advise(similar_database(self, name))
        check_open(self, found)
        user = self.instance.user_in_database(self, found)
        self.database_id = found.id
        self.contexts[-1] = self.contexts[-1].moved(user, found.id)
        self.instance.departures.note()

    # --- transactions --------------------------------------------------------------------------------------

    def new_transaction(self) -> Transaction:
        found = Transaction(self.instance, self.store, self.applocks.name, self, self.rights, self.pending_lsn)
        if self.options.isolation_level == "SNAPSHOT":
            found.is_snapshot, found.database_name = True, self.database_name
            found.refuses_snapshot = None if allows_snapshot(self.database) else found.database_name
        return found

    def statement(self, *, is_own: bool = False, is_begun: bool = True) -> StatementScope:
        """Around everything that changes data or messages: `with session.statement() as transaction:`. Opens an
        autocommit transaction when none is open and commits it at the end. An exception undoes this statement, or that
        transaction. Raises 3930. `is_own`: a #temp table alone; not `is_begun`: IMPLICIT_TRANSACTIONS begins none."""
        return StatementScope(self, is_own, is_begun)

    def open_statement(self, *, is_own: bool = False, is_begun: bool = True) -> Transaction:
        """A transaction for a statement that meets none: its own, or that of IMPLICIT_TRANSACTIONS, @@TRANCOUNT 1."""
        if is_own and not self.options.implicit_transactions and self.options.isolation_level != "SNAPSHOT":
            own = self.taken_own() or OwnTransaction(self.instance, self.store, self.applocks.name, self, self.rights)
            self.transaction = own.begin_again(self.pending_lsn)
            return self.transaction
        self.transaction = found = self.new_transaction()
        if self.options.implicit_transactions and is_begun:
            self.trancount = 1
        return found

    def close_statement(self) -> None:
        """The statement's own transaction is over; whoever opened it commits it or rolls it back."""
        self.transaction = None

    def begin_implicitly(self) -> None:
        """In front of what IMPLICIT_TRANSACTIONS lets begin a transaction, apart from what changes data."""
        if self.options.implicit_transactions and self.trancount == 0 and self.transaction is None:
            self.begin_transaction()

    def begin_transaction(self, name: str = "") -> None:
        """`name` counts for the outermost one."""
        if self.transaction is None:
            self.transaction = self.new_transaction()
        if self.trancount == 0:
            self.transaction_name = name
        self.trancount += 1

    def commit_transaction(self, *, delayed: bool = False) -> None:
        """COMMIT: counts down, and commits at the outermost level. Raises 3902, 3930."""
        if self.trancount == 0 or self.transaction is None:
            raise sql_error(3902)
        if self.transaction.is_doomed:
            raise sql_error(3930)
        if self.trancount > 1:
            self.trancount -= 1
            return
        with held:
            transaction, self.transaction, self.trancount = self.transaction, None, 0
            try:
                transaction.commit()
            except SqlError as error:
                error.batch_aborting = True  # what follows in the batch counts on the commit
                raise
            finally:  # an interrupt comes behind it
                self.note_commit(0 if delayed else transaction.lsn)
                self.close_cursors(self.instance.log_failure)

    def rollback_transaction(self) -> None:
        """ROLLBACK without a savepoint: to the outermost level."""
        with held:
            transaction, self.transaction, self.trancount, self.least_trancount = self.transaction, None, 0, None
            if transaction is not None:
                self.rollbacks += 1
                transaction.rollback()
                self.close_cursors(self.instance.log_failure)

    def note_commit(self, lsn: int) -> None:
        """External synchrony: remember what must be on disk before anything is shown."""
        if lsn:
            self.pending_lsn = lsn

    def read(self, sql: Any, params: Any = (), **how: Any) -> Any:
        """Run a translated query: in the open unit of work, or outside any transaction."""
        return self._reading_unit().query(sql, params, **how)

    def read_pages(self, sql: Any, params: Any = (), **how: Any) -> Generator[Page]:
        """As `read`, a page for each that is asked for."""
        return self._reading_unit().pages(sql, params, **how)

    def _reading_unit(self) -> UnitOfWork:
        self.check_cancelled()
        if (transaction := self.transaction) is not None and (transaction.has_unit or self.trancount > 0):
            return transaction.unit
        return self._reader

    # --- output and errors ---------------------------------------------------------------------------------

    def emit(self, outcome: Outcome) -> None:
        """Hand an outcome to the client, after everything it may rest on is on disk."""
        if self.sink is not None:
            if self.pending_lsn:
                wait_durable(self)
            self.sink(outcome)
            self.check_cancelled()

    def print(self, text: str) -> None:
        self.emit(InfoMessage(text))

    def completed(self, done: int | RowsAffected | ErrorSet) -> None:
        """What a statement has done: @@ROWCOUNT, @@ERROR of SETERROR, and "rows affected" unless NOCOUNT is ON."""
        if isinstance(done, int):
            self.rowcount = done
        elif isinstance(done, RowsAffected):
            self.rowcount = done.count
            if not self.options.nocount:
                self.emit(done)
        else:
            self.error_number, self.rowcount = done.number, 0

    def statement_failed(self, error: SqlError, frame: ports.Frame, span: Span) -> None:
        """What an error of a statement does: it is raised further, or reported, and the next statement follows."""
        if isinstance(error, FormatOnly):
            return
        raise_kept()
        drop_lost_transaction(self)
        if error.number == 3617 and self.cancel_requested:
            raise Cancelled  # the query was interrupted because the batch is to end
        advise_name(self, error)
        error.of_definition(frame.defines, span.line)
        error.tell_place(span.line, frame.module_name or None, is_nested=self.nest_level > 0)
        if error.is_binding and error.ends_module is None:
            error.ends_module = frame
        self.error_number = error.number
        self.rowcount = 0
        if frame.module is not None and frame.module.type in _FUNCTIONS:
            raise error  # it ends the function and the statement that called it
        transaction = self.transaction
        aborts = self.options.xact_abort and not error.ignores_xact_abort
        if self.try_depth > 0:
            if transaction is not None and self.trancount and (self.options.xact_abort or error.dooms_transaction):
                transaction.is_doomed = True
            raise error
        if error.batch_aborting or aborts or error.severity >= 20 or error.ends_module is not None:
            # XACT_ABORT of a procedure holds for its callers too, whatever their own says.
            error.rolls_back = error.rolls_back or aborts or error.dooms_transaction or error.severity >= 20
            error.batch_aborting = error.batch_aborting or aborts
            raise error
        self.report(error)
        self.check_cancelled()
        frame.worst_severity = max(frame.worst_severity, error.severity)
        if error.ends_write:
            ended = sql_error(3621)
            self.emit(InfoMessage(ended.message, 3621, 0, 0, error.line, error.procedure))

    def report(self, error: SqlError) -> None:
        """Tell the client. If the disk refuses what was committed before, that is told first."""
        if self.sink is not None:
            if (refused := refused_before(self)) is not None and refused.number != error.number:
                self.sink(ErrorOutcome(refused))
            for told in error.with_causes():
                self.sink(ErrorOutcome(told))
        self.instance.notified.error(self, error, is_told=self.sink is not None)
        if isinstance(error, UnexpectedError) and error.__cause__ is not None:
            self.instance.log(error.number, details(error.__cause__), f"spid {self.spid}")
        elif error.severity >= 20 and not error.is_logged:
            self.instance.log(error.number, str(error))

    # --- batches -------------------------------------------------------------------------------------------

    def execute(
        self, text: str, sink: Callable[[Outcome], None], *, parameters: dict[str, Any] | None = None
    ) -> Generator[Suspend, None, None]:
        """Run one batch. Everything it has to say goes to `sink`, errors too, even those that only a bug can cause."""

        def prepare() -> tuple[Step, ports.Frame] | None:
            compiled = self.instance.compile_batch(text, self, parameters)
            if compiled.parseonly is not None:
                self.options.parseonly = compiled.parseonly
            if self.options.parseonly or self.options.noexec and not compiled.switches_noexec:
                return None
            values = {name: v.value for name, v in parameters.items()} if parameters else None
            return compiled.step, compiled.new_frame(self, values)

        return self.perform(text, sink, prepare)

    def perform(self, text: str, sink: Callable[[Outcome], None], prepare: Prepare) -> Generator[Suspend, None, None]:
        """Run what a client asks for, shown as `text`, the way a batch runs: `prepare` says what; None is nothing.

        Raises, when the batch has stopped, what `sink` has raised."""
        told = ClientSink(sink, self.stop_soon)
        self.asked(text, told.sink, self.instance.host.now())
        if not self.begin_batch():
            self.report(why_ended(self))
        elif (lost := drop_lost_transaction(self)) is not None:
            self.report(lost)
            self.batch_ends()
        else:
            yield from self._perform(prepare)
        told.check()

    def _perform(self, prepare: Prepare) -> Generator[Suspend, None, None]:
        try:
            if (prepared := prepare()) is not None:
                yield from self._run(*prepared)
        except SqlError as error:
            raise_kept()
            self.error_number = error.number
            self.report(error)
            self.is_ended = self.is_ended or (error.severity >= 20 and not isinstance(error, UnexpectedError))
            if self.sink is not None and error.before and error.before[0].number == 2745:
                self.sink(ErrorOutcome(why_ended(self)))  # of RAISERROR alone
        except Cancelled as stopped:
            if self.options.xact_abort if stopped.rolls_back is None else stopped.rolls_back:
                self.rollback_transaction()
            self.report(why_ended(self) if self.is_ended else sql_error(3617))
        except Exception as error:
            self.error_number = report_unexpected(self, error)
        finally:
            self.end_batch()

    def execute_activated(self, procedure: str, sink: Callable[[Outcome], None]) -> Work:
        """Run the activation procedure of a queue. Raises SqlError when it cannot start or ends with an error."""
        from sbql.engine.batch.execute import call_procedure

        self.asked(f"EXEC {procedure}", sink, self.instance.host.now())
        frame = Frame(self, 0)
        try:
            target = find_procedure(self, parse_object_name(procedure))
            yield from call_procedure(target, [], frame)
        except SqlError as error:
            if error.rolls_back:
                self.rollback_transaction()
            raise
        finally:
            self.nest_level = self.try_depth = 0
            self.errors.clear()
            wait_durable(self)

    def _run(self, step: Step, frame: ports.Frame) -> Generator[Suspend, None, None]:
        frame.scope_identity = self.scope_identity  # batches of a session are one scope to SCOPE_IDENTITY()
        try:
            signal = (yield from step.run(frame)) if step.waits else step.run(frame)
            assert signal is None or isinstance(signal, Return)
        except SqlError as error:
            if error.procedure is None and error.line == 0:
                error.at(NO_SPAN)
            if error.rolls_back:
                self.rollback_transaction()
            raise
        except BaseException:
            self.nest_level = 0
            raise
        finally:
            self.note_scope_identity(frame.scope_identity)
            self.instance.drop_frame_objects(self)

    def end_batch(self) -> None:
        transaction = self.transaction
        if transaction is not None and transaction.is_doomed:
            self.rollback_transaction()
            if self.sink is not None:
                self.report(sql_error(3998).at(_FIRST_LINE))
        elif transaction is not None and self.trancount == 0:
            self.rollback_transaction()
        self.nest_level = self.try_depth = 0
        self.errors.clear()
        self.waiting_for = None
        if (refused := refused_before(self)) is not None:
            if self.sink is not None and self.error_number != refused.number:
                self.sink(ErrorOutcome(refused.at(_FIRST_LINE)))
            drop_lost_transaction(self)
        self.batch_ends()

    def check_cancelled(self) -> None:
        if self.cancel_requested:
            raise Cancelled

    def run(
        self, text: str, *, sink: Callable[[Outcome], None] | None = None, parameters: dict[str, Any] | None = None
    ) -> list[Outcome]:
        """Run one batch to its end in the calling thread. Returns the outcomes, which `sink` had as they came."""
        outcomes: list[Outcome] = []

        def both(outcome: Outcome) -> None:
            outcomes.append(outcome)
            if sink is not None:
                sink(outcome)

        self.instance.driver.run(self.execute(text, both, parameters=parameters), self)
        return outcomes

    def cancel(self) -> None:
        """Stop the running batch: its query, its wait, its computation, or before its next statement. Thread safe."""
        self.cancel_requested = True
        insist(self)
        if (waiting := self.waiting_for) is not None:
            waiting.waiter.wake()

    def batch_ends(self) -> None:
        """The batch is over; a session that was ended meanwhile is closed now."""
        self.batch_is_over()
        if self.is_ended:
            self.close()

    def end(self) -> None:
        """KILL, from another session: the transaction is rolled back, the connection ends."""
        if self.mark_ended():
            self.cancel()
        else:
            self.close()

    def close(self) -> None:
        """End the session: an open transaction is rolled back, temp tables go. Twice is harmless."""
        if not self.leaves():
            return
        try:
            self.rollback_transaction()
            if self.temp_creations:
                self.instance.drop_session_objects(self)
            self.instance.locks.release_all(self.applocks)
            self.store.close()
        finally:
            self.instance.forget_session(self)
            self.instance.departures.note()
