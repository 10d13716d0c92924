"""A client's session on the owner's side: requests come in one after the other, outcomes go out as they arise.

It decides what a client may ask of its session (a batch, an operation) and what it is told after each: where the session stands. It must
not know which door the client came through.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import msgspec

from sbql.engine.operations import Call
from sbql.engine.outcomes import Outcome
from sbql.engine.security.database_access import end_session
from sbql.engine.server.loop_thread import LoopThread
from sbql.engine.server.messages import error_to, messages_of, pack, unpack
from sbql.engine.server.operation_calls import find, perform
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError

__all__ = ["ServedSession", "bad_request"]


def bad_request(text: str) -> SqlError:
    """What only a client of another make can cause."""
    return SqlError(
        4002, f"The request is not one that this server understands: {text}. Use the client of the same version."
    )


class ServedSession:
    """Made by the server. One request runs at a time, in the thread of the door that brings it."""

    def __init__(
        self, name: str, session: Session, send: Callable[[bytes], None], forget: Callable[[str], None], loop: LoopThread | None
    ) -> None:  # fmt: skip
        """`name` is what the client calls it when it cancels; nobody can guess it. `forget` hears of its end. `loop` runs the batches
        of a virtual clock."""
        self.name = name
        self.session = session
        self._send = send
        self._forget = forget
        self._loop = loop
        self._send(pack(["opened", {"session": name, "spid": session.spid, **self._state()}]))

    def _state(self) -> dict[str, Any]:
        """What a client knows of its session without asking."""
        session = self.session
        return {
            "is_ended": session.is_ended,
            "database": session.database_name,
            "login": session.login_name,
            "identity": session.identity,
            "trancount": session.trancount,
        }

    @property
    def is_busy(self) -> bool:
        """A request runs, and is more than a wait for messages."""
        waiting = self.session.waiting_for
        return self.session.is_running and not (waiting is not None and waiting.reason == "BROKER_RECEIVE_WAITFOR")

    def handle(self, request: bytes) -> None:
        """Run a request; what it says and then `end` go to the client. Raises OSError when the client is gone."""
        try:
            match unpack(request):
                case ["batch", str(text), dict(parameters)]:
                    self._batch(text, parameters)
                case ["call", str(name), dict(asked)]:
                    self._send(pack(["answer", self._call(name, asked)]))
                case _:
                    raise bad_request("its kind is unknown")
        except SqlError as error:
            self._send(pack(["error", error_to(error)]))
        except msgspec.MsgspecError as error:
            self._send(pack(["error", error_to(bad_request(str(error)))]))
        self._send(pack(["end", self._state()]))

    def _batch(self, text: str, parameters: dict[str, Any]) -> None:
        session = self.session
        if self._loop is not None:
            return self._batch_in_loop(self._loop, text, parameters)
        session.instance.driver.run(session.execute(text, self._show, parameters=parameters or None), session)
        return None

    def _batch_in_loop(self, loop: LoopThread, text: str, parameters: dict[str, Any]) -> None:
        """The loop, in which all sessions run, must not wait for a client that does not read: what it says is sent from here."""
        session, said = self.session, SimpleQueue[Outcome | None]()
        failures: list[BaseException | None] = []

        def done(failure: BaseException | None, result: object) -> None:
            failures.append(failure)
            said.put(None)

        loop.begin(session.execute(text, said.put, parameters=parameters or None), session, done)
        problem: OSError | None = None
        while (outcome := said.get()) is not None:
            try:
                if problem is None:
                    self._show(outcome)
            except OSError as error:
                problem = error
                session.cancel()
        failure = problem or failures[0]
        if failure is not None:
            raise failure

    def _show(self, outcome: Outcome) -> None:
        for message in messages_of(outcome):
            self._send(message)

    def _call(self, name: str, asked: dict[str, Any]) -> Any:
        session = self.session
        return session.instance.driver.run(perform(find(name, "call"), Call(session, asked)), session)

    def cancel(self) -> None:
        """The client's attention: what runs stops. From any thread."""
        self.session.cancel()

    def say_goodbye(self) -> None:
        """The server ends: a client that waits for nothing learns it now. From any thread."""
        with contextlib.suppress(OSError):
            self._send(pack(["ended"]))

    def lost(self) -> None:
        """The client is gone: what runs is cancelled. From any thread."""
        if self._loop is None:
            end_session(self.session)
        else:
            self.session.is_ended = True
            self.session.cancel()

    def close(self) -> None:
        self._forget(self.name)
        if self._loop is None:
            self.session.close()
        else:
            self._loop.ask(self.session.close)
