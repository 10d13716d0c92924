"""One TDS connection: its requests, one after the other, and the attention that ends one of them.

It decides which request is answered how: batches, procedure calls, transactions, a session that is to be as
new. A request that cannot be read is an error of its own (4002), and the connection goes on. While a
request runs, `look` (called by the door's watcher) hears an attention, and whether the client is gone. It
must not know how tokens are written.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable

from sbql.engine.last_resort import details, unexpected_error
from sbql.engine.server.doors import Host
from sbql.engine.server.owned_session import DirectSession
from sbql.engine.server.tds_answer import Answer, Wire
from sbql.engine.server.tds_bulk import bulk_work
from sbql.engine.server.tds_calls import ProcedureCall
from sbql.engine.server.tds_channel import Channel
from sbql.engine.server.tds_login import Refused, Settings, log_in
from sbql.engine.server.tds_transactions import transaction_texts, transaction_work
from sbql.engine.subscriptions.request import QueryRequest
from sbql.engine.tds import tokens
from sbql.engine.tds.packets import Kind, Message, MessageReader
from sbql.engine.tds.reading import ProtocolError, unreadable
from sbql.engine.tds.requests import read_batch, read_calls, read_notification, read_transaction
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import message as message_of

__all__ = ["Connection"]

LOGIN_SECONDS = 15.0
LARGEST_MESSAGE = 512 * 1024 * 1024
_LARGEST_LOGIN = 128 * 1024
_AHEAD = 1024 * 1024
"""Bytes of coming requests that are taken while one runs."""
_RESET = "sp_reset_connection"
_LAST_WORDS = 2.0
_FATAL = 20
_ENDED = 2.0
"""Seconds after which a client that does not take what its killed session says is cut off."""


def _subscribing(message: Message, version: int) -> QueryRequest | None:
    """What its header asks for. Raises SqlError for options that say nothing."""
    asked = read_notification(message.data, version) if message.kind in (Kind.BATCH, Kind.RPC) else None
    return None if asked is None else QueryRequest(asked.message, asked.options, asked.timeout)


class Connection:
    """`serve` is called in a thread of its own; `look`, `say_goodbye` by others. `take_place` raises SqlError
    when the door has no room for it."""

    def __init__(
        self, sock: socket.socket, address: str, host: Host, settings: Settings, server: str, take_place: Callable[[Connection], None]
    ) -> None:  # fmt: skip
        self._channel = Channel(sock, time.monotonic() + LOGIN_SECONDS)
        self._host = host
        self._settings = settings
        self._take_place = take_place
        self.address = address
        self._reader = MessageReader(_LARGEST_LOGIN)
        self._wire = Wire(self._channel.send, server)
        self._session: DirectSession | None = None
        self._answer: Answer | None = None
        self._mutex = threading.Lock()
        self._is_running = False
        self._owes_answer = False
        """From a request that was read to the end of its answer, its last word to a
        session that ends with it included."""
        self._is_gone = False
        self._ended_since: float | None = None

    def serve(self) -> None:
        """The whole life of the connection, but for `hang_up`. Raises nothing that a client can cause."""
        try:
            self._session = log_in(
                self._channel, self._reader, self._wire, self._host, self._settings, self.address, self.say_goodbye,
                lambda: self._take_place(self),
            )  # fmt: skip
            self._channel.logged_in()
            self._reader.largest = LARGEST_MESSAGE
            while (message := self._next()) is not None:
                self._owes_answer = True
                if not self._handle(message):
                    break
                self._owes_answer = False
        except Refused:
            self._channel.linger(_LAST_WORDS)
        except ProtocolError as error:  # who sends on hears no answer, so the log has it
            if self._session is not None:
                session = self._session.session
                session.instance.log(4014, f"{message_of(4014).text} {error}", f"spid {session.spid}")
        except OSError:
            pass
        finally:
            if self._session is not None:
                with contextlib.suppress(SqlError):
                    self._session.close()

    def hang_up(self) -> None:
        """The client learns that it is over: nothing of it may be left by then."""
        self._channel.close()

    def _next(self) -> Message | None:
        while (message := self._reader.next()) is None:
            data = self._channel.receive()
            if not data:
                return None
            self._reader.feed(data)
        return message

    # --- requests ------------------------------------------------------------------------------------------

    def _handle(self, message: Message) -> bool:
        """Answer a message. False when the connection ends with it."""
        assert self._session is not None
        answer = Answer(self._wire, self._session.session, is_call=message.kind == Kind.RPC)
        if message.kind == Kind.ATTENTION or message.is_ignored:
            self._session.session.bulk.take()  # rows that were announced do not come any more
            answer.done(tokens.DONE, tokens.ATTENTION if message.kind == Kind.ATTENTION else tokens.ERROR)
            answer.end()
            return True
        try:
            if message.resets:
                answer = self._reset(message)
            self._begin(answer)
            try:
                self._perform(message, answer)
            finally:
                self._finish()
        except ProtocolError as error:
            answer.error(unreadable(error))
        except SqlError as error:
            answer.error(error)
        except OSError:
            raise  # the client is gone
        except Exception as error:
            self._host.log(3624, f"a request of {self.address}: {details(error)}")
            answer.error(unexpected_error(error))
        answer.end()
        return self._goes_on(answer)

    def _goes_on(self, answer: Answer) -> bool:
        assert self._session is not None
        if answer.worst_severity < _FATAL and not self._session.session.is_ended:
            return not self._is_gone
        self._channel.linger(_LAST_WORDS)
        return False

    def _perform(self, message: Message, answer: Answer) -> None:
        session = self._session
        assert session is not None
        version = self._wire.version
        if message.kind != Kind.BULK and session.session.bulk.take() is not None:
            raise sql_error(4022)
        with session.session.subscribing_to(_subscribing(message, version)):
            self._run(message, answer, session, version)

    def _run(self, message: Message, answer: Answer, session: DirectSession, version: int) -> None:
        match message.kind:
            case Kind.BATCH:
                text = read_batch(message.data, version)
                session.run(lambda sink: session.session.execute(text, sink), answer.sink)
            case Kind.RPC:
                for one in read_calls(message.data, version):
                    if one.procedure.lower() == _RESET:
                        self._reset_by_call(answer, session)
                        continue
                    call = ProcedureCall(one)
                    answer.shows_metadata = call.shows_metadata
                    session.run(lambda sink, call=call: call.work(session.session, sink), answer.sink)  # type: ignore[misc]
                    if answer.is_cancelled:
                        break
                    call.finish(answer, self._wire)
            case Kind.TRANSACTION:
                for text in transaction_texts(read_transaction(message.data, version)):
                    session.run(lambda sink, text=text: transaction_work(session.session, text, sink), answer.sink)  # type: ignore[misc]
                    answer.tell_changes()
                    if answer.has_failed:
                        break
            case Kind.BULK:
                work = bulk_work(session.session, message.data, version)
                session.run(work, answer.sink)
            case _:
                raise ProtocolError(f"a message of type {message.kind} is not awaited")

    def _reset(self, message: Message) -> Answer:
        """The session is to be as it was at first. Raises SqlError."""
        session = self._session
        assert session is not None
        if message.keeps_transaction and session.session.trancount:
            raise SqlError(40517, "A connection that is reset in the middle of a transaction is not supported.")
        session.renew()
        answer = Answer(self._wire, session.session, is_call=message.kind == Kind.RPC)
        answer.starts_anew(session.session)
        answer.add(tokens.transaction_change(18, b""))
        return answer

    @staticmethod
    def _reset_by_call(answer: Answer, session: DirectSession) -> None:
        """The same for pools that call a procedure, which is none of T-SQL. Raises SqlError."""
        session.renew()
        answer.starts_anew(session.session)
        answer.add(tokens.return_status(0))
        answer.done(tokens.DONEPROC, 0, tokens.COMMANDS["EXECUTE"])

    # --- from the watcher's thread -------------------------------------------------------------------------

    def _begin(self, answer: Answer) -> None:
        with self._mutex:
            self._answer, self._is_running = answer, True

    def _finish(self) -> None:
        with self._mutex:
            self._is_running = False

    def look(self) -> None:
        """While a request runs: an attention, a client that is gone."""
        if not self._is_running:
            self._look_at_end()
            return
        with self._mutex:
            session, answer = self._session, self._answer
            if not self._is_running or session is None or answer is None:
                return
            if self._reader.buffered < _AHEAD and not self._is_gone and (data := self._channel.look()) is not None:
                self._is_gone = not data
                self._reader.feed(data)
            inner = session.session
            if self._is_gone:
                if not inner.is_ended:
                    session.lost()
            elif self._reader.sees_attention():
                answer.is_cancelled = True
                if not inner.cancel_requested:
                    session.cancel()
            self._look_at_end()

    def _look_at_end(self) -> None:
        """A session that has ended: its client learns it, even if it reads nothing, but not
        before the answer that says why."""
        session = self._session
        if session is None or not session.session.is_ended:
            self._ended_since = None
            return
        if self._ended_since is None:
            self._ended_since = time.monotonic()
        if not self._owes_answer or time.monotonic() - self._ended_since > _ENDED:
            self._channel.shut()

    def say_goodbye(self) -> None:
        """The server ends: what waits for the client stops waiting."""
        self._channel.shut()
