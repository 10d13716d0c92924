"""A client's session on the owner's side: requests come in one after the other, outcomes go out as they arise.

It decides what a client may ask of its session (a batch, an operation) and what it is told after each: where the
session stands. It must not know which door the client came through.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from sbql.engine.outcomes import InParts, Outcome
from sbql.engine.server.loop_thread import LoopThread
from sbql.engine.server.messages import error_to, messages_of, pack, unpack
from sbql.engine.server.operation_calls import call
from sbql.engine.server.owned_session import OwnedSession
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError

__all__ = ["ServedSession", "bad_request"]


def bad_request(text: str) -> SqlError:
    """What only a client of another make can cause."""
    return SqlError(
        4002, f"The request is not one that this server understands: {text}. Use the client of the same version."
    )


class ServedSession(OwnedSession):
    """The session of a client that speaks in messages."""

    def __init__(
        self, name: str, session: Session, send: Callable[[bytes], None], forget: Callable[[str], None], loop: LoopThread | None
    ) -> None:  # fmt: skip
        """`name` is what the client calls it when it cancels; nobody can guess it. `forget` hears of its end. `loop`
        runs the batches of a virtual clock."""
        super().__init__(name, session, forget, loop)
        self._send = send
        self._mutex = threading.Lock()
        self._is_handling = self._says_goodbye = False
        self._number = self._given_up = 0

    def greet(self) -> None:
        """Tell the client that it is in. Raises OSError when it is gone."""
        self._send(pack(["opened", {"session": self.name, "spid": self.session.spid, **self._state()}]))

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

    def handle(self, request: bytes) -> None:
        """Run a request; what it says and then `end` go to the client. Raises OSError when the client is gone."""
        with self._mutex:
            self._is_handling = True
            self._number += 1
            self.session.wants()
            if self._given_up >= self._number:
                self.session.gives_up_next()
        self._perform(request)
        self._send(pack(["end", self._state()]))
        with self._mutex:
            self._is_handling = False
        if self._says_goodbye:
            self._send(pack(["ended"]))

    def cancel(self, request: int = 0) -> None:
        """It comes on a way of its own, and may overtake the request, or meet the one behind it. 0 is whatever runs."""
        with self._mutex:
            if request > self._number:
                self._given_up = request
            elif self._is_handling and request in (0, self._number) and not self.session.gives_up_next():
                self.session.cancel()

    def _perform(self, request: bytes) -> None:
        try:
            match unpack(request):
                case ["batch", str(text), dict(parameters)]:
                    self._batch(text, parameters)
                case ["call", str(name), dict(asked)]:
                    self._send(pack(["answer", call(self.session, name, asked)]))
                case _:
                    raise bad_request("its kind is unknown")
        except SqlError as error:
            self._send(pack(["error", error_to(error)]))
        except msgspec.MsgspecError as error:
            self._send(pack(["error", error_to(bad_request(str(error)))]))

    def _batch(self, text: str, parameters: dict[str, Any]) -> None:
        self.run(lambda sink: self.session.execute(text, sink, parameters=parameters or None), InParts(self._show))

    def _show(self, outcome: Outcome) -> None:
        for message in messages_of(outcome):
            self._send(message)

    def say_goodbye(self) -> None:
        """The server ends: a client that waits for nothing learns it now, one whose request
        ends after that. From any thread."""
        with self._mutex:
            self._says_goodbye = True
            if self._is_handling:
                return
        with contextlib.suppress(OSError):
            self._send(pack(["ended"]))
