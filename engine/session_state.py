"""What a session holds, and the only ways in which it changes.

A step returns what it has done and sets nothing; whoever has to change a session for a while, or to note something in
it, calls a method here. So each attribute has one writer, which is this class, its heir `Session`, or, for @@ROWCOUNT
and @@ERROR on the way of every statement, `batch.running`. For everybody else they are read-only (`session_values`,
which mypy holds them to). It must not know what a batch is, nor what an error does.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from sbql.catalog.journal import Journal
from sbql.catalog.records import Module, Table
from sbql.engine.client import ANY_CLIENT, Client
from sbql.engine.execution_context import ExecutionContext
from sbql.engine.noted_warnings import NotedWarnings
from sbql.engine.outcomes import Outcome
from sbql.engine.ports import Transaction
from sbql.engine.session_options import SessionOptions
from sbql.engine.session_values import Outside
from sbql.engine.statement_moment import StatementMoment
from sbql.engine.transaction.own_transaction import OwnTransaction
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["SessionState"]

_FUNCTIONS: Final = frozenset({"FN", "TF"})
"""Bodies in which no SET stands: the settings of their callers are theirs."""
_gate = threading.Lock()
"""Between who begins or ends a batch and who ends the session."""


class SessionState:
    """`docs/session-interface.md` says what each attribute is for."""

    def __init__(
        self,
        spid: int,
        database_id: int,
        *,
        is_background: bool = False,
        is_admin: bool = False,
        client: Client = ANY_CLIENT,
    ) -> None:
        self.spid, self.client = spid, client
        self.is_background, self.is_admin = is_background, is_admin
        self.database_id = self.original_database_id = database_id
        self.options = SessionOptions()
        self.contexts: list[ExecutionContext] = []
        self.transaction: Transaction | None = None
        self.trancount = self.rowcount = self.error_number = 0
        self.transaction_name = ""
        self.own_transaction: OwnTransaction | None = None
        self.insert_exec: int | None = None
        self.least_trancount: int | None = None
        self.pending_lsn = self.rollbacks = 0
        self.fetch_status = 0
        self.opened_last: Callable[[], Any] = lambda: None
        self.identity: Any = None
        self.scope_identity: Any = None
        self.random_state: tuple[int, int] | None = None
        self.warnings = NotedWarnings()
        self.errors: list[SqlError] = []
        self.try_depth = self.nest_level = 0
        self.moment: StatementMoment | None = None
        self.running_module: Module | None = None
        self.names_in: str | None = None
        self.context_floor = 1
        self.running_triggers: tuple[int, ...] = ()
        self.instead_of: tuple[int, ...] = ()
        self.held_rows: dict[int, list[int]] = {}
        self.temp_tables: dict[str, Table] = {}
        self.temp_modules: dict[str, Module] = {}
        self.temp_creations: list[tuple[Any, int, Table | None]] = []
        self.open_keys: dict[tuple[int, int], bytes] = {}
        self.context_info: bytes | None = None
        self.context_values: dict[str, Any] = {}
        self.cursors: dict[str, Any] = {}
        self.open_cursors: weakref.WeakSet[Any] = weakref.WeakSet()
        self.prepared: dict[int, tuple[str | None, str]] = {}
        self.client_cursors: dict[int, Any] = {}
        self.bulk: Any = None
        self.subscribing: Any = None
        self.hears_transactions: Callable[[Transaction], None] | None = None
        self.sink: Callable[[Outcome], None] | None = None
        self.current_statement = ""
        self.is_running = self.is_ended = self.is_leaving = self.cancel_requested = self.is_unwanted = False
        self.running_in = 0
        self.waiting_for: Suspend | None = None
        self.asked_at = self.waiting_since = 0.0
        self.percent_complete = 0

    # --- its life ------------------------------------------------------------------------------------------

    def asked(self, text: str, sink: Callable[[Outcome], None] | None, now: float) -> None:
        """A client asks for `text`; what it gives goes to `sink`."""
        self.asked_at = now
        self.sink, self.current_statement, self.try_depth, self.percent_complete = sink, text, 0, 0

    def begin_batch(self) -> bool:
        """Note that a batch runs in the session. False when the session has been ended."""
        with _gate:
            self.is_running, self.cancel_requested = not self.is_ended, self.is_unwanted
            self.is_unwanted = False
            self.running_in = threading.get_ident()
        return self.is_running

    def wants(self) -> None:
        """Whoever asks for the next batch has not given it up."""
        self.is_unwanted = False

    def gives_up_next(self) -> bool:
        """The batch that is about to begin is cancelled as it begins. False when one runs already."""
        with _gate:
            self.is_unwanted = not self.is_running
        return self.is_unwanted

    def stop_soon(self) -> None:
        """The batch that runs stops, as if it were cancelled. From within it, where nothing has to be interrupted."""
        self.cancel_requested = True

    def batch_is_over(self) -> None:
        with _gate:
            self.is_running = False

    def while_it_stops(self, act: Callable[[], None]) -> bool:
        """Do something to a batch that was cancelled and still runs: no other batch begins
        meanwhile. False when there is none."""
        with _gate:
            if not (self.is_running and self.cancel_requested):
                return False
            act()
            return True

    def mark_ended(self) -> bool:
        """It runs nothing any more. True when something runs now, which has to be cancelled."""
        with _gate:
            self.is_ended = True
            return self.is_running or self.is_background

    def leaves(self) -> bool:
        """Its end begins. False when somebody has begun it already."""
        with _gate:
            is_first, self.is_leaving = not self.is_leaving, True
        return is_first

    def stands_for(self, spid: int) -> None:
        """It goes on under the number of a session that is closed."""
        self.spid = spid
        self.own_transaction = None  # it has the name of the other

    def disown(self) -> None:
        """In the child of a fork: it is the parent's."""
        self.is_ended = self.is_leaving = self.cancel_requested = True

    def waits_for(self, suspend: Suspend | None, since: float = 0.0) -> None:
        """Its driver says what it waits for, and since when; None: for nothing any more."""
        self.waiting_for, self.waiting_since = suspend, since

    def gets_on(self, percent: int) -> None:
        """So much of a BACKUP, RESTORE or BULK INSERT is done; 100: nobody needs to know any more."""
        self.percent_complete = percent % 100

    def settles(self) -> int:
        """The LSN that has to be on disk before anything is shown, 0 for none; whoever asks sees to it."""
        lsn, self.pending_lsn = self.pending_lsn, 0
        return lsn

    def rests_on_memory(self, journal: Journal) -> None:
        """It has looked at what is committed in memory, of which the last may not be on disk: nothing is shown before
        that is, and the open transaction goes when that gets lost. Raises SqlError when something that it rested on
        before has been lost; it goes on resting on that, and is told."""
        journal.require(self.pending_lsn)
        if self.transaction is not None:
            self.transaction.check_kept()
            self.transaction.rests_on = journal.last_lsn
        self.pending_lsn = journal.last_lsn

    def attach_bulk(self, channel: Any) -> None:
        """Its client sends rows of INSERT BULK through `channel`."""
        self.bulk = channel

    @contextmanager
    def subscribing_to(self, request: Any) -> Iterator[None]:
        """While a request runs whose client wants to hear of changes; None: one that does not."""
        self.subscribing = request
        try:
            yield
        finally:
            self.subscribing = None

    @contextmanager
    def hearing_transactions(self, hear: Callable[[Transaction], None]) -> Iterator[None]:
        """While a statement runs that opens its transactions itself: `hear` is told of each."""
        self.hears_transactions = hear
        try:
            yield
        finally:
            self.hears_transactions = None

    # --- what bodies are run in ----------------------------------------------------------------------------

    def enter_body(self, record: Module | None) -> Outside:
        """A module's body begins, or that of a dynamic batch. Returns what `leave_body` brings back."""
        outside: Outside = (
            self.options, len(self.contexts), self.contexts[-1], self.database_id, self.context_floor, self.running_module, self.names_in,
        )  # fmt: skip
        if record is None:
            self.options = self.options.copy()
        elif record.type not in _FUNCTIONS or record.uses_ansi_nulls != self.options.ansi_nulls:
            self.options = self.options.for_module(record.uses_ansi_nulls)
        self.nest_level += 1
        return outside

    def in_body(self, record: Module | None, names_in: str | None) -> None:
        """Its execution context stands. `names_in`: the schema in which it looks names up first."""
        if record is not None:
            self.database_id = record.database_id
        self.context_floor, self.running_module, self.names_in = len(self.contexts), record, names_in

    def begin_moment(self) -> StatementMoment | None:
        """A statement begins, in which the clock stands still. Returns what `end_moment` brings back."""
        outer = self.moment
        self.moment = StatementMoment(self.nest_level)
        return outer

    def end_moment(self, outer: StatementMoment | None) -> None:
        self.moment = outer

    def leave_body(self, outside: Outside) -> None:
        self.nest_level -= 1
        self.options, depth, context, self.database_id, self.context_floor, self.running_module, self.names_in = outside
        del self.contexts[depth:]
        self.contexts[-1] = context

    def deeper(self) -> Deeper:
        """`with session.deeper():` a system procedure that runs the text of its caller counts as a level of its own."""
        return Deeper(self)

    @contextmanager
    def keeping_context(self) -> Iterator[None]:
        """Whoever it is and wherever it goes inside, afterwards it is who and where it was."""
        home, depth, context = self.database_id, len(self.contexts), self.contexts[-1]
        try:
            yield
        finally:
            self.database_id = home
            del self.contexts[depth:]
            self.contexts[-1] = context

    @contextmanager
    def under(self, options: SessionOptions) -> Iterator[None]:
        """While something runs under options of its own."""
        before, self.options = self.options, options
        try:
            yield
        finally:
            self.options = before

    @contextmanager
    def as_created(self, uses_ansi_nulls: bool) -> Iterator[None]:
        """While a module's text is compiled or translated: ANSI_NULLS is as it was when the module was created."""
        options = self.options
        with self.under(options if options.ansi_nulls == uses_ansi_nulls else options.for_module(uses_ansi_nulls)):
            yield

    @contextmanager
    def names_meant(self, database_id: int, names_in: str | None) -> Iterator[None]:
        """While the text of another database or schema is looked at, names mean what they mean there."""
        before = self.database_id, self.names_in
        self.database_id, self.names_in = database_id, names_in
        try:
            yield
        finally:
            self.database_id, self.names_in = before

    def in_database(self, database_id: int) -> Any:
        """`with session.in_database(id):` the same for another database alone."""
        return self.names_meant(database_id, self.names_in)

    def names_of_user(self) -> Any:
        """`with session.names_of_user():` while something looks names up for the caller of a module: DDL
        statements, names in strings, dynamic SQL."""
        return self.names_meant(self.database_id, None)

    def told_to(self, sink: Callable[[Outcome], None] | None) -> ToldTo:
        """`with session.told_to(sink):` what is emitted meanwhile goes to `sink`; None: to nobody."""
        return ToldTo(self, sink)

    def keep_own(self, transaction: OwnTransaction) -> None:
        """It is over, and may serve the next statement that writes a #temp table."""
        self.own_transaction = transaction

    def taken_own(self) -> OwnTransaction | None:
        """The one that was kept, which is nobody else's from now on."""
        found, self.own_transaction = self.own_transaction, None
        return found

    def enter_try(self) -> None:
        self.try_depth += 1

    def leave_try(self) -> None:
        self.try_depth -= 1

    @contextmanager
    def catching(self, error: SqlError) -> Iterator[None]:
        """A CATCH block runs: what ERROR_NUMBER() and its like tell of."""
        self.errors.append(error)
        try:
            yield
        finally:
            self.errors.pop()

    # --- transactions --------------------------------------------------------------------------------------

    @contextmanager
    def in_transaction(self) -> Iterator[bool]:
        """What runs is in a transaction: @@TRANCOUNT is 1 in that of an autocommit statement."""
        transaction, is_autocommit = self.transaction, self.trancount == 0
        if is_autocommit:
            self.trancount = 1
        try:
            yield is_autocommit
        finally:
            if is_autocommit and self.transaction is transaction:
                self.trancount = 0

    @contextmanager
    def in_trigger(self) -> Iterator[None]:
        """A trigger always runs in a transaction. Raises 3609 when the trigger has ended it."""
        transaction = self.transaction
        with self.in_transaction():
            yield
        if self.transaction is not transaction:
            raise sql_error(3609)

    @contextmanager
    def firing(self, trigger: Module) -> Iterator[None]:
        """The trigger runs for rows of its table: `in_trigger`, and it does not fire itself."""
        before = self.running_triggers, self.instead_of
        self.running_triggers = (*self.running_triggers, trigger.id)
        if trigger.timing == "INSTEAD OF":
            self.instead_of = (*self.instead_of, trigger.id)
        try:
            with self.in_trigger():
                yield
        finally:
            self.running_triggers, self.instead_of = before

    @contextmanager
    def in_insert_exec(self, sink: Callable[[Outcome], None]) -> Iterator[None]:
        """The procedure of INSERT … EXEC runs, in a transaction, and what it tells goes to
        `sink`. Raises 8164 inside of another."""
        if self.insert_exec is not None:
            raise sql_error(8164)
        try:
            with self.in_transaction(), self.told_to(sink):
                self.insert_exec = self.trancount
                yield
        finally:
            self.insert_exec = None

    def keep_open(self, least: int | None) -> None:
        """The transaction of a request that is run once does not end in its text: @@TRANCOUNT stays
        at `least`; None: no such request."""
        self.least_trancount = least

    @contextmanager
    def holding(self, rows: dict[int, list[int]]) -> Iterator[None]:
        """While a statement runs that has locked these rows, by the node of their
        source, and may see no others there."""
        before = self.held_rows
        self.held_rows = {**before, **rows}
        try:
            yield
        finally:
            self.held_rows = before

    # --- what functions tell of it --------------------------------------------------------------------------

    def close_cursors(self, log_failure: Callable[[str, Exception], None]) -> None:
        """The end of a transaction under CURSOR_CLOSE_ON_COMMIT: it has ended, and no cursor can make that an error."""
        for cursor in list(self.open_cursors) if self.options.cursor_close_on_commit else ():
            try:
                cursor.close(self)
            except Exception as error:
                self.open_cursors.discard(cursor)
                log_failure(f"in closing the cursors of session {self.spid}", error)

    def note_opened(self, cursor: Callable[[], Any]) -> None:
        """What gives the cursor of @@CURSOR_ROWS, and None when nothing refers to it any more."""
        self.opened_last = cursor

    def note_fetch(self, status: int) -> None:
        """@@FETCH_STATUS."""
        self.fetch_status = status

    def note_identity(self, value: Any) -> None:
        """@@IDENTITY."""
        self.identity = value

    def note_scope_identity(self, value: Any) -> None:
        """SCOPE_IDENTITY() at the end of a batch, with which the next one begins."""
        self.scope_identity = value

    def note_random(self, state: tuple[int, int]) -> None:
        """Where RAND() goes on, after a seed."""
        self.random_state = state

    def set_context_info(self, value: bytes | None) -> None:
        self.context_info = value


class ToldTo:
    """See `SessionState.told_to`. A class, because functions go this way for every row."""

    __slots__ = ("_before", "_sink", "_state")

    def __init__(self, state: SessionState, sink: Callable[[Outcome], None] | None) -> None:
        self._state, self._sink = state, sink

    def __enter__(self) -> None:
        self._before = self._state.sink
        self._state.sink = self._sink

    def __exit__(self, *raised: object) -> None:
        self._state.sink = self._before


class Deeper:
    """See `SessionState.deeper`. A class, because each call of sp_executesql goes this way."""

    __slots__ = ("_state",)

    def __init__(self, state: SessionState) -> None:
        self._state = state

    def __enter__(self) -> None:
        self._state.nest_level += 1

    def __exit__(self, *raised: object) -> None:
        self._state.nest_level -= 1
