"""Connections and cursors of PEP 249 over sessions.

It decides how the outcomes of a batch become fetchable results (`results`). Every batch runs to its end inside
`execute`. Its result sets are then there to fetch, one after the other with `nextset`. A T-SQL batch goes on after most
errors, so `execute` raises an error of the batch when the batch has ended, wherever in it the error happened.

Surprising: a connection is in autocommit mode unless told otherwise, as T-SQL programs say BEGIN TRANSACTION
themselves. It must not know how statements run.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from sbql import exceptions, instances
from sbql.arguments import (
    Parameters,
    parameters_in,
    seconds_in,
    sequence_of,
    sets_of,
    text_of,
)
from sbql.engine.broker.trace import TraceSink
from sbql.engine.client_sink import ClientSink
from sbql.engine.drivers import LoopDriver
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet, RowsAffected
from sbql.engine.patience import NeverWakes, NotAtRest
from sbql.engine.server.remote_instance import RemoteLoop
from sbql.engine.work import Cancelled
from sbql.exceptions import from_sql_errors
from sbql.grammar.errors import SqlError
from sbql.html import cursor_html
from sbql.lifetime import Lifetime
from sbql.markers import bind_markers
from sbql.procedures import Output, ask, call_text, outputs_of
from sbql.results import Results
from sbql.values import parameters_of, plain

__all__ = ["Connection", "Cursor", "Output"]

_T = TypeVar("_T")


class Connection:
    """A session. Made by `sbql.connect`. As a context manager it commits (or rolls
    back after an exception) and closes."""

    Warning = exceptions.Warning
    Error = exceptions.Error
    InterfaceError = exceptions.InterfaceError
    DatabaseError = exceptions.DatabaseError
    DataError = exceptions.DataError
    OperationalError = exceptions.OperationalError
    IntegrityError = exceptions.IntegrityError
    InternalError = exceptions.InternalError
    ProgrammingError = exceptions.ProgrammingError
    NotSupportedError = exceptions.NotSupportedError

    def __init__(
        self, instance: instances.AnyInstance, database: str, login: str | None, autocommit: bool, admin: bool = False
    ) -> None:
        self.instance = instance
        self.session: instances.AnySession = (
            instance.connect(database, admin=admin) if login is None else instance.connect(database, login, admin=admin)
        )
        self._life = Lifetime(self, self.session, instance)
        self._autocommit = True
        try:
            self.autocommit = autocommit
        except BaseException:
            self._life.give_up()
            raise

    @property
    def autocommit(self) -> bool:
        """False: a statement begins a transaction, which commit() or rollback() ends. Settable at any time: where it
        becomes True, what is open is committed, as ODBC and Python's sqlite3 do. Raises InterfaceError for anything
        but a bool and when the connection is closed, and what `commit` raises; nothing has changed then."""
        return self._autocommit

    @autocommit.setter
    def autocommit(self, value: bool) -> None:
        self.check_open()
        if not isinstance(value, bool):
            raise exceptions.InterfaceError(f"autocommit is True or False, not {value!r}")
        if value != self._autocommit:
            if value:  # left open, it would take all that is done from now on, and be rolled back at close
                self.commit()
            self._ask("transaction.implicit", {"on": not value})
            self._autocommit = value

    def check_open(self) -> None:
        """Raises InterfaceError when the connection is closed or belongs to the process that this one was forked from,
        OperationalError when its session has ended."""
        self._life.check_open()

    def run(
        self, text: str, parameters: Mapping[str, Any] | None = None, sink: Callable[[Outcome], None] | None = None
    ) -> list[Outcome]:
        """Run the batch `text` and return everything it produced, in order: result sets, numbers of rows,
        messages and errors (`sbql.engine.outcomes`). `parameters` gives values to its @variables, by name;
        `sink` gets each outcome as it comes.

        Raises only for a cancelled batch, a closed connection, and one on which a batch runs. What `sink` raises stops
        the batch as `cancel` does, and is raised when it has stopped; an open transaction stays open."""
        text = text_of(text)
        values = parameters_of(parameters) if parameters else None
        if sink is None:
            return self._run(text, values, None)
        told = ClientSink(sink, self.session.cancel)
        try:
            return self._run(text, values, told.sink)
        finally:
            told.check()

    def _run(self, text: str, values: dict[str, Any] | None, sink: Callable[[Outcome], None] | None) -> list[Outcome]:
        return self._alone(lambda: self.session.run(text, sink=sink, parameters=values), exceptions.OperationalError)

    def _ask(self, operation: str, request: dict[str, Any]) -> None:
        """What is no batch, and is done under every SET option."""
        self._alone(lambda: ask(self.session, operation, request))

    def _alone(self, request: Callable[[], _T], kind: type[exceptions.DatabaseError] | None = None) -> _T:
        try:
            return self._life.run(request)
        except Cancelled:
            raise exceptions.OperationalError("the batch was cancelled") from None
        except NeverWakes as error:
            raise exceptions.OperationalError(str(error)) from None
        except SqlError as error:
            raise from_sql_errors([error], kind) from None

    def cursor(self) -> Cursor:
        """A new cursor. Raises InterfaceError when the connection is closed."""
        self.check_open()
        return Cursor(self)

    def execute(self, operation: str, parameters: Parameters | None = None) -> Cursor:
        """A new cursor that has executed `operation`. Raises what `Cursor.execute` raises."""
        return self.cursor().execute(operation, parameters)

    def commit(self) -> None:
        """Commit the open transaction, if there is one, whatever the SET options are. Raises
        InterfaceError when the connection is closed, and the exception of the T-SQL error when the commit
        fails, such as 3930 for a doomed transaction."""
        self._ask("transaction.end", {"commits": True})

    def rollback(self) -> None:
        """Roll the open transaction back, if there is one, whatever the SET options are. Raises
        InterfaceError when the connection is closed."""
        self._ask("transaction.end", {"commits": False})

    def cancel(self) -> None:
        """Stop the running batch, whose `execute` raises OperationalError then. From another thread;
        nothing happens when no batch runs."""
        self.session.cancel()

    def wait_idle(self, timeout: float | None = None, report: Callable[[str], None] | None = None) -> bool:
        """Wait until activated procedures have nothing left to do (timers that run do not count).
        False: `timeout` seconds were not enough.

        Every five seconds `report` is told who is busy; without it a warning goes to the logger "sbql". A virtual clock
        moves on as long as only sleepers are left, for `timeout` seconds of its own, a day when that is None. Raises
        InterfaceError when the connection is closed.
        """
        self.check_open()
        return self.instance.wait_idle(timeout, report)

    def advance(self, time: float | dt.timedelta) -> None:
        """Move a virtual clock on by seconds or a timedelta: everything that falls due on the way happens, each at its
        moment.

        Raises NotSupportedError when the clock is the system's.
        """
        seconds = seconds_in(time)
        try:
            self._loop().advance(seconds)
        except NotAtRest as error:
            raise exceptions.OperationalError(str(error)) from None

    def settle(self, timeout: float | None = None, report: Callable[[str], None] | None = None) -> None:
        """Let activated procedures and background work run until they have nothing left to do now; a virtual clock
        stands still. `report` as for `wait_idle`.

        Raises OperationalError when they go on for `timeout` seconds of the computer's clock (None:
        600); it says which, and the one that runs is cancelled. NotSupportedError when the clock is
        the system's: `wait_idle` is for that.
        """
        try:
            self._loop().settle(limit=timeout, report=report)
        except NotAtRest as error:
            raise exceptions.OperationalError(str(error)) from None

    def _loop(self) -> LoopDriver | RemoteLoop:
        self.check_open()
        if self.instance.loop is None:
            raise exceptions.NotSupportedError("the clock is the system's; connect with clock='virtual'")
        return self.instance.loop

    def trace(self, sink: TraceSink, *classes: str) -> Callable[[], None]:
        """Call `sink` with each trace event of the broker, or only of `classes`, such as "Broker:Activation". It is
        called in the thread that causes the event (over a server in one of its own, later), must return soon and must
        not use connections. Returns what stops it."""
        self.check_open()
        if not callable(sink):
            raise exceptions.InterfaceError(f"events go to what can be called, not to {sink!r}")
        try:
            return self.instance.trace(sink, *classes)
        except KeyError as error:
            raise exceptions.InterfaceError(f"there is no event class {error}") from None
        except SqlError as error:
            raise from_sql_errors([error]) from None

    def close(self) -> None:
        """Roll back what is open and end the session. The instance closes with its last connection.

        A batch that another thread runs is cancelled; one that calls this itself, in a callback, ends first. Raises
        OperationalError when the batch does not stop or the store cannot be written.
        """
        self._life.close()

    def __enter__(self) -> Connection:
        self.check_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._life.is_closed:
            return
        if self.session.is_ended:
            self.close()
            return
        try:
            if kind is None:
                self.commit()
            else:
                self.rollback()
        finally:
            self.close()


class Cursor(Results):
    """Runs batches and fetches their results. All cursors of a connection share its session."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self.messages: list[tuple[type[exceptions.Warning], exceptions.Warning]] = []
        self.return_value: int | None = None
        """Return code of the procedure that `callproc` has run."""
        self._closed = False

    # --- running -------------------------------------------------------------------------------------------

    def execute(self, operation: str, parameters: Parameters | None = None) -> Cursor:
        """Run one batch. A sequence fills its `?`, a mapping gives values to its @variables (names without the @).

        Returns the cursor itself. Raises the exception of the batch's first error after the batch has ended (what it
        produced can be fetched); ProgrammingError for a text or parameters that are none, InterfaceError when the
        cursor or its connection is closed, OperationalError when the batch was cancelled.
        """
        self._start()
        self._keep(self._run(operation, parameters))
        return self

    def executemany(self, operation: str, seq_of_parameters: Iterable[Parameters]) -> Cursor:
        """Run the batch once for each set of parameters. Stops at the first error, which is raised; `rowcount` is the
        sum, then too, and -1 where none of them told a number (SET NOCOUNT ON). No results are kept."""
        self._start()
        total, is_told = 0, True
        try:
            for parameters in sets_of(seq_of_parameters):
                self._count = -1
                try:
                    self._keep(self._run(operation, parameters))
                    is_told = self._count >= 0 or total > 0
                finally:
                    total += max(self._count, 0)
        finally:
            self._results, self._count = [], total if is_told else -1
        return self

    def callproc(self, procname: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run a stored procedure. Returns the parameters, those that are OUTPUT replaced by what came back.

        Which ones are OUTPUT is found out; `Output(type, value)` says so explicitly. `return_value` has its return
        code. Raises what `execute` raises.
        """
        self._start()
        procname, parameters = text_of(procname, "the name of the procedure"), sequence_of(parameters)
        text, values, returned = call_text(procname, parameters, outputs_of(self.connection.session, procname))
        outcomes = self._run(text, values)
        result = list(parameters)
        last = next((index for index in reversed(range(len(outcomes))) if isinstance(outcomes[index], ResultSet)), None)
        if last is not None:
            final = outcomes[last]
            assert isinstance(final, ResultSet)
            if final.columns and final.columns[0].name == "sbql_return_value":
                del outcomes[last:]
                self.return_value = final.rows[0][0]
                for index, value in zip(returned, final.rows[0][1:], strict=True):
                    result[index] = plain(value)
        self._keep(outcomes)
        return result

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Does nothing: values carry their types."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Does nothing: values are never cut."""

    def _start(self) -> None:
        self._check_open()
        self.messages = []
        self.return_value = None
        self._forget()

    def _run(self, operation: str, parameters: Parameters | None) -> list[Outcome]:
        if parameters is None:
            return self.connection.run(operation)
        given = parameters_in(parameters)
        if isinstance(given, list):
            text, values = bind_markers(text_of(operation), given)
            return self.connection.run(text, values)
        return self.connection.run(operation, given)

    def _keep(self, outcomes: list[Outcome]) -> None:
        errors: list[SqlError] = []
        self._forget()
        for outcome in outcomes:
            match outcome:
                case ResultSet():
                    self._results.append(outcome)
                case RowsAffected(count):
                    self._count = count
                case InfoMessage(text):
                    self.messages.append((exceptions.Warning, exceptions.Warning(text)))
                case ErrorOutcome(error):
                    errors.append(error)
        if errors:
            raise from_sql_errors(errors)

    @property
    def lastrowid(self) -> Any:
        """@@IDENTITY: the last identity value of the session."""
        return self.connection.session.identity

    _repr_html_ = cursor_html

    def close(self) -> None:
        """Its results are gone, and everything else raises InterfaceError from now on. Twice is
        harmless; the connection stays open."""
        self._closed = True
        self._forget()

    def _check_open(self) -> None:
        if self._closed:
            raise exceptions.InterfaceError("the cursor is closed")
        self.connection.check_open()

    def __enter__(self) -> Cursor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
