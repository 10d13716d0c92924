"""RemoteSession: a session that runs in the process of the store's owner.

It decides how a batch is run from here: the request goes out, outcomes are handed on as they come, and an error that
ends the way to the server is an outcome like any other. A thread of its own listens, so that Ctrl-C is heard while a
batch runs and an owner that dies is noticed at once. It must not know what carries the messages.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.server import forks
from sbql.engine.server.hearing import alone, hear
from sbql.engine.server.messages import ALIVE, OutcomeReader, error_from, pack, unpack
from sbql.engine.server.transport import Stream, gone
from sbql.grammar.errors import SqlError

__all__ = ["RemoteSession"]

_LEAVING = 5.0
"""Seconds that the server may take to say that a session has ended."""


class RemoteSession:
    """Made by `Client.session`. One request at a time; `cancel`, `close` and `end` may come from any thread.

    Attributes: `spid`, `database_name`, `login_name`, `identity` (@@IDENTITY), `trancount`, `is_ended`,
    as they were after the last request.
    """

    def __init__(self, url: str, stream: Stream, cancel: Callable[[str, int], None]) -> None:
        """`stream` has been opened; `cancel` asks the server at `url` to stop a request, by the name of its session and
        its number. Raises SqlError when the server refuses."""
        self._url = url
        self._cancel = cancel
        self._stream = stream
        self._busy = threading.Lock()
        self._mutex = threading.Lock()
        self._asked, self._is_asking = 0, False
        self.is_ended = False
        self._is_closed = False
        self._loss: SqlError | None = None
        self._answers: SimpleQueue[list[Any] | None] = SimpleQueue()
        self._listener = threading.Thread(target=self._listen, name="sbql-session", daemon=True)
        forks.holds(self)
        try:
            self._listener.start()
        except BaseException:
            stream.abandon()
            raise
        first = self._answers.get()
        match first:
            case ["opened", dict(state)]:
                self._name, self.spid = str(state["session"]), int(state["spid"])
                self._note(state)
            case ["refused", dict(error)]:
                self.close()
                raise error_from(error)
            case _:
                self.close()
                raise self._loss or gone(self._url)

    def _note(self, state: Mapping[str, Any]) -> None:
        self.is_ended = self.is_ended or bool(state["is_ended"])
        self.database_name, self.login_name = str(state["database"]), str(state["login"])
        self.identity, self.trancount = state["identity"], int(state["trancount"])

    def _listen(self) -> None:
        """In its own thread: whatever the server says, until it says nothing any more."""
        try:
            while (message := self._stream.receive()) is not None:
                if message == ALIVE:
                    continue
                found = unpack(message)
                if found[0] == "ended":
                    break
                self._answers.put(found)
        except SqlError as error:
            self._loss = error
        except Exception as error:
            self._loss = SqlError(10054, f"What the server says cannot be read: {error}", severity=20)
        if not self.is_ended and not self._is_closed and self._loss is None:
            self._loss = gone(self._url)
        self.is_ended = True
        self._stream.finish()
        self._answers.put(None)

    def disown(self) -> None:
        """In the child of a fork: the session is the parent's."""
        self.is_ended = self._is_closed = True
        self._busy, self._mutex, self._answers = threading.Lock(), threading.Lock(), SimpleQueue()

    @property
    def loss(self) -> SqlError | None:
        """Why the server is gone; None while it is there, and for a session that ended by itself."""
        return self._loss.again() if self._loss is not None else None

    # --- requests ------------------------------------------------------------------------------------------

    def run(
        self, text: str, *, sink: Callable[[Outcome], None] | None = None, parameters: dict[str, Any] | None = None
    ) -> list[Outcome]:
        """Run one batch to its end. Returns the outcomes, which also went to `sink` as they came. A server that is gone
        is the last of them, an error 10054 of severity 20."""
        outcomes: list[Outcome] = []
        reader = OutcomeReader()

        def take(message: list[Any]) -> None:
            outcome = reader.read(message)
            if outcome is not None:
                outcomes.append(outcome)
                if sink is not None:
                    sink(outcome)

        lost = self._ask(["batch", text, parameters or {}], take)
        if lost is not None:
            outcomes.append(ErrorOutcome(lost))
            if sink is not None:
                sink(outcomes[-1])
        return outcomes

    def call(self, name: str, request: Mapping[str, Any] | None = None) -> Any:
        """Run an operation of the server in this session, in its open transaction if there is one. Raises SqlError."""
        found: list[Any] = []

        def take(message: list[Any]) -> None:
            if message[0] == "error":
                found.append(error_from(message[1]))
            else:
                found.append(message[1])

        lost = self._ask(["call", name, dict(request or {})], take)
        if lost is not None:
            raise lost
        if isinstance(found[0], SqlError):
            raise found[0]
        return found[0]

    def _ask(self, request: list[Any], take: Callable[[list[Any]], None]) -> SqlError | None:
        """Send the request and hand every answer to `take`, up to the end. Returns why the server is gone, if it is."""
        with alone(self._busy):
            try:
                if self._is_closed or self.is_ended:
                    return self._why()
                return self._hear(pack(request), take)
            except BaseException:
                if self._is_asking:  # nobody knows how much of it the server has, or still says of it
                    self.is_ended = True
                    self._stream.abandon()
                raise
            finally:
                self._is_asking = False

    def _hear(self, request: bytes, take: Callable[[list[Any]], None]) -> SqlError | None:
        with self._mutex:
            self._asked, self._is_asking = self._asked + 1, True
        try:
            self._stream.send(request)
        except SqlError as error:
            self.is_ended = True
            return self._loss or error

        def deal(message: list[Any], is_wanted: bool) -> bool:
            if message[0] == "end":
                self._is_asking = False
                self._note(message[1])
                return True
            if is_wanted:
                take(message)
            return False

        return None if hear(self._answers, deal, self.cancel) else self._why()

    def _why(self) -> SqlError:
        forks.check()
        return self.loss or gone(self._url)

    # --- the end -------------------------------------------------------------------------------------------

    def cancel(self) -> None:
        """Stop what runs, or is on its way to the server. From any thread."""
        with self._mutex:
            number = self._asked if self._is_asking and not self.is_ended else 0
        if number:
            self._cancel(self._name, number)

    def end(self) -> None:
        """Stop what runs, and no more runs."""
        self.cancel()
        if not self._busy.locked():
            self.close()

    def close(self) -> None:
        """End the session: an open transaction is rolled back. Twice is harmless. Returns when
        the server has done it, or is gone."""
        self._is_closed = True
        self._stream.close()
        if threading.current_thread() is not self._listener and not self.is_ended:
            self._listener.join(_LEAVING)
        self.is_ended = True
