"""TdsSession: a session on a server that is reached by TDS, for whoever has a Session or RemoteSession otherwise.

It decides how an answer's events become outcomes, and how a batch is stopped: by an attention, after which the answer
is read to its end. A thread of its own listens, so that Ctrl-C is heard while a batch runs and a server that ends is
noticed at once. Parameters make a batch a call of sp_executesql, as with every driver of SQL Server: what it declares
and what it sets is its own. It must not know how a login goes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultColumn, ResultSet, RowsAffected
from sbql.engine.server import forks
from sbql.engine.server.hearing import alone, hear
from sbql.engine.server.tds_client import TdsConnection, lost
from sbql.engine.server.tds_lookups import LOOKUPS, undeclared_types
from sbql.engine.tds import tokens
from sbql.engine.tds.answers import AnswerReader, Columns, Done, Event, Rows, Said
from sbql.engine.tds.asking import batch_of, call_of, end_of_transaction
from sbql.engine.tds.packets import Kind
from sbql.engine.tds.reading import ProtocolError
from sbql.engine.tds.requests import Parameter
from sbql.grammar.errors import CANCELLED, SqlError, sql_error
from sbql.grammar.types import NULL_TYPE, NVARCHAR_MAX, Variant

__all__ = ["TdsSession"]

_FATAL = 20
"""From this severity on an error ends the session, and the server closes the connection behind it."""
_LEAVING = 5.0
"""Seconds that the server may take to end a session, and the listener to see that the connection is closed."""
_UNDECLARED_MOST = 256
"""Statements whose types of NULLs are remembered."""
_STATEMENTS = {number: word for word, number in tokens.COMMANDS.items()}


class TdsSession:
    """Made by `TdsInstance.connect`. One request at a time; `cancel`, `close` and `end` may come from any thread.

    Attributes: `spid`, `login_name`, `database_name`, `is_ended`.
    """

    def __init__(self, connection: TdsConnection) -> None:
        """Raises SqlError when the server does not say who we are."""
        self._connection = connection
        self._busy = threading.Lock()
        self._mutex = threading.Lock()
        self._is_asking = self._is_sent = self._has_attended = False
        self.is_ended = self._is_closed = False
        self._loss: SqlError | None = None
        self._undeclared: dict[tuple[str, str], dict[str, str]] = {}
        self._heard: SimpleQueue[tuple[list[Event], bool] | None] = SimpleQueue()
        self._listener = threading.Thread(target=self._listen, name="sbql-session", daemon=True)
        forks.holds(self)
        try:
            self._listener.start()
        except BaseException:
            connection.close()
            raise
        self.spid, self.login_name = self._row("SELECT @@SPID, SUSER_SNAME()")

    def _listen(self) -> None:
        """In its own thread: whatever the server says, until it says nothing any more."""
        reader = AnswerReader()
        try:
            while True:
                events, is_end = self._connection.receive(reader)
                self._heard.put((events, is_end))
                if is_end:
                    reader = AnswerReader()
        except (OSError, ProtocolError) as error:
            if not self._is_closed:
                self._loss = lost(self._connection.address, error)
        self.is_ended = True
        self._heard.put(None)

    def disown(self) -> None:
        """In the child of a fork: the session is the parent's."""
        self.is_ended = self._is_closed = True
        self._busy, self._mutex, self._heard = threading.Lock(), threading.Lock(), SimpleQueue()

    @property
    def database_name(self) -> str:
        return self._connection.database

    @property
    def loss(self) -> SqlError | None:
        """Why the server is gone; None while it is there, and for a session that ended by itself."""
        return self._loss.again() if self._loss is not None else None

    @property
    def trancount(self) -> int:
        """1 while a transaction is open; how deep it is only the server knows (@@TRANCOUNT)."""
        return int(self._connection.descriptor != 0)

    @property
    def identity(self) -> Any:
        """@@IDENTITY, which is asked for; None when the session has ended, and when it runs nothing (SET NOEXEC ON)."""
        found = [] if self.is_ended else self._rows("SELECT @@IDENTITY")
        return found[0][0] if found else None

    def _row(self, text: str) -> tuple[Any, ...]:
        """The one row of a query of our own. Raises SqlError."""
        found = self._rows(text)
        return found[0]

    def _rows(self, text: str) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for outcome in self.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
            if isinstance(outcome, ResultSet):
                rows = outcome.rows
        return rows

    # --- requests ------------------------------------------------------------------------------------------

    def run(
        self, text: str, *, sink: Callable[[Outcome], None] | None = None, parameters: dict[str, Any] | None = None
    ) -> list[Outcome]:
        """Run one batch to its end. Returns the outcomes, which also went to `sink` as they came. A server that is gone
        is the last of them, an error 10054 of severity 20. `parameters`: Variants by the names of their variables."""
        outcomes: list[Outcome] = []

        def take(outcome: Outcome) -> None:
            outcomes.append(outcome)
            if sink is not None:
                sink(outcome)

        if not parameters:
            self.stream(text, take)
            return outcomes
        given = self._arguments(text, parameters)
        failed = self._ask(Kind.RPC, call_of("sp_executesql", given, self._connection.descriptor), take)
        if failed is not None:
            take(ErrorOutcome(failed))
        return outcomes

    def stream(self, text: str, sink: Callable[[Outcome], None]) -> None:
        """Run one batch to its end, as `run` does, and keep nothing of what it says: for what goes on and on."""
        failed = self._ask(Kind.BATCH, batch_of(text, self._connection.descriptor), sink)
        if failed is not None:
            sink(ErrorOutcome(failed))

    def _arguments(self, text: str, parameters: Mapping[str, Variant]) -> list[Parameter]:
        """Of sp_executesql. An untyped NULL takes the type that the statement has for it, or
        nvarchar, as from other drivers."""
        declared = {name: str(value.type) for name, value in parameters.items() if value.type != NULL_TYPE}
        untyped = [name for name in parameters if name not in declared]
        if untyped:
            known = self._types_in(text, _declarations(declared))
            declared.update((name, known.get(name.lower(), "nvarchar(1)")) for name in untyped)
        given = [Parameter(name, value.type, value.value) for name, value in parameters.items()]
        inner = _declarations({name: declared[name] for name in parameters})
        return [Parameter("", NVARCHAR_MAX, text), Parameter("", NVARCHAR_MAX, inner), *given]

    def _types_in(self, text: str, declared: str) -> dict[str, str]:
        found = self._undeclared.get((text, declared))
        if found is None:
            if len(self._undeclared) >= _UNDECLARED_MOST:
                self._undeclared.clear()
            found = self._undeclared[text, declared] = undeclared_types(self._rows, text, declared)
        return found

    def call(self, name: str, request: Mapping[str, Any] | None = None) -> Any:
        """What an operation of our own server would answer, looked up in the catalog views, or asked of the transaction
        manager. Raises SqlError for one that cannot be."""
        asked = dict(request or {})
        if name == "transaction.end":
            return self._end_transaction(asked["commits"])
        if name == "transaction.implicit":
            return self._rows(f"SET IMPLICIT_TRANSACTIONS {'ON' if asked['on'] else 'OFF'}")
        if name not in LOOKUPS:
            raise SqlError(
                40510, f"'{name}' is an operation of sbql's own protocol, and TDS has none. Connect with endpoint=."
            )
        return LOOKUPS[name](self._rows, asked)

    def _end_transaction(self, commits: bool) -> None:
        """By requests that are no batches, which NOEXEC would let pass. One commits one level: how many there are only
        the server knows. Raises SqlError."""
        errors: list[SqlError] = []

        def take(outcome: Outcome) -> None:
            if isinstance(outcome, ErrorOutcome):
                errors.append(outcome.error)

        while self.trancount and not self.is_ended:
            asked = end_of_transaction(commits=commits, descriptor=self._connection.descriptor)
            failed = self._ask(Kind.TRANSACTION, asked, take)
            if failed is not None:
                raise failed
            if errors:
                raise errors[0]

    def _ask(self, kind: Kind, data: bytes, take: Callable[[Outcome], None]) -> SqlError | None:
        """Send the request and hand every outcome to `take`, up to the end. Returns
        why the server is gone, if it is."""
        with alone(self._busy):
            try:
                if self._is_closed or self.is_ended:
                    return self._why()
                with self._mutex:
                    self._is_asking, self._is_sent, self._has_attended = True, False, False
                try:
                    self._connection.send(kind, data)
                except OSError as error:
                    self.is_ended = True
                    return self._loss or lost(self._connection.address, error)
                with self._mutex:
                    self._is_sent, is_unwanted = True, self._has_attended
                if is_unwanted:
                    self._attend()
                return self._hear(take)
            except BaseException:
                if self._is_asking:  # nobody knows how much of it the server has, or still says of it
                    self.is_ended = True
                    self._connection.shut()
                raise
            finally:
                self._is_asking = False

    def _hear(self, take: Callable[[Outcome], None]) -> SqlError | None:
        answer = _Answer(take)

        def deal(part: tuple[list[Event], bool], is_wanted: bool) -> bool:
            events, is_end = part
            answer.was_stopped = answer.was_stopped or any(map(_ends_attention, events))
            if is_wanted:
                answer.read(events)
            if not (is_end and self._is_over(answer)):
                return False
            self.is_ended = self.is_ended or answer.is_fatal  # the server closes; we need not wait to hear it
            return True

        if not hear(self._heard, deal, self.cancel):
            return self._why()
        if answer.was_stopped and not answer.has_said_so:
            take(ErrorOutcome(sql_error(CANCELLED)))
        return None

    def _is_over(self, answer: _Answer) -> bool:
        """An attention is answered, too, when it came too late."""
        with self._mutex:
            if self._has_attended and not answer.was_stopped:
                return False
            self._is_asking = False
            return True

    def _why(self) -> SqlError:
        forks.check()
        return self.loss or lost(self._connection.address, "it has ended")

    # --- the end -------------------------------------------------------------------------------------------

    def cancel(self) -> None:
        """Stop what runs. From any thread; a second time while it is being stopped does nothing."""
        with self._mutex:
            if not self._is_asking or self._has_attended or self.is_ended:
                return
            self._has_attended = True
            if (
                not self._is_sent
            ):  # before its request an attention would stop nothing, and its answer be taken for the request's
                return
        self._attend()

    def _attend(self) -> None:
        try:
            self._connection.attention()
        except OSError:
            self._connection.shut()  # whoever listens learns it

    def end(self) -> None:
        """Stop what runs, and no more runs."""
        self.cancel()
        if not self._busy.locked():
            self.close()

    def close(self) -> None:
        """End the session: the server rolls an open transaction back. Twice is harmless. Returns when the server has
        done it, or is gone; what still runs is left to it."""
        self._is_closed = self.is_ended = True
        is_elsewhere = threading.current_thread() is not self._listener
        if is_elsewhere and not self._busy.locked():
            self._connection.leave()
            self._listener.join(_LEAVING)
        self._connection.close()
        if is_elsewhere:
            self._listener.join(_LEAVING)


def _ends_attention(event: Event) -> bool:
    return isinstance(event, Done) and bool(event.status & tokens.ATTENTION)


class _Answer:
    """Events of an answer in, outcomes out."""

    def __init__(self, take: Callable[[Outcome], None]) -> None:
        self._take = take
        self._rows: ResultSet | None = None
        self.was_stopped = False
        self.has_said_so = False
        self.is_fatal = False

    def read(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case Columns(columns):
                    self._end_rows()
                    self._rows = ResultSet([ResultColumn(one.name, one.type, one.nullable) for one in columns], [])
                case Rows(rows) if self._rows is not None:
                    self._rows.rows += rows
                case Done():
                    self._end_rows()
                    if event.status & tokens.COUNT and event.token != tokens.DONEPROC:
                        self._take(RowsAffected(event.count, _STATEMENTS.get(event.command, "")))
                case Said():
                    self._say(event)

    def _end_rows(self) -> None:
        if self._rows is not None:
            found, self._rows = self._rows, None
            self._take(found)

    def _say(self, said: Said) -> None:
        self._end_rows()
        if said.is_error:
            self.has_said_so = self.has_said_so or said.number == CANCELLED
            self.is_fatal = self.is_fatal or said.severity >= _FATAL
            error = SqlError(
                said.number, said.text, severity=said.severity, state=said.state, line=said.line, procedure=said.procedure or None
            )  # fmt: skip
            self._take(ErrorOutcome(error))
        else:
            severity = said.severity or (10 if said.number else 0)
            self._take(InfoMessage(said.text, said.number, severity, said.state, said.line, said.procedure or None))


def _declarations(types: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {sql_type}" for name, sql_type in types.items())
