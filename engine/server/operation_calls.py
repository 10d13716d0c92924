"""Operations that come through a door: found by name, run in a session as if they were a batch.

It decides which session runs a call that comes without one (an idle one of the same login, kept for the next) and that
nothing is answered before it is durable. It must not know what an operation does.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Generator
from typing import Any

from sbql.engine.client import Client
from sbql.engine.durability import wait_durable, why_ended
from sbql.engine.instance import Instance
from sbql.engine.last_resort import details, unexpected_error
from sbql.engine.operations import OPERATIONS, Call, Kind, Operation
from sbql.engine.session import Session
from sbql.engine.work import Cancelled, Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["OperationCalls", "call"]

_OPERATIONS = Client("sbql operations")
_IDLE = 4
"""Sessions that are kept for the next call of a login."""


def find(name: str, kind: Kind) -> Operation:
    """Raises SqlError 4002."""
    found = OPERATIONS.find(name)
    if found is None or found.kind != kind:
        known = ", ".join(sorted(word for word, one in OPERATIONS.items() if one.kind == kind)) or "none"
        raise SqlError(4002, f"The server has no operation '{name}' of the kind {kind}; it has: {known}.")
    return found


def perform(operation: Operation, call: Call) -> Work:
    """Run it in the call's session, which runs nothing else. Raises SqlError."""
    session = call.session
    assert isinstance(session, Session)
    session.asked(f"-- {operation.name}", None, session.instance.host.now())
    if not session.begin_batch():
        raise why_ended(session)
    try:
        answer = operation.run(call)
        if isinstance(answer, Generator):
            answer = yield from answer
        wait_durable(session)
        return answer
    except Cancelled:
        raise (why_ended(session) if session.is_ended else sql_error(3617)) from None
    except (SqlError, OSError):
        raise
    except Exception as error:
        session.rollback_transaction()
        session.instance.log(3624, f"operation {operation.name}: {details(error)}", f"spid {session.spid}")
        raise unexpected_error(error, is_undone=True) from error
    finally:
        session.end_batch()


def call(session: Session, name: str, request: dict[str, Any]) -> Any:
    """Run an operation of kind "call" in a session, in the calling thread; its answer. Raises SqlError."""
    return session.instance.driver.run(perform(find(name, "call"), Call(session, request)), session)


class OperationCalls:
    """Calls without a session of their client's."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._mutex = threading.Lock()
        self._idle: defaultdict[str, list[Session]] = defaultdict(list)

    def run(self, login: str, name: str, kind: Kind, request: dict[str, Any], rows: Any = None) -> Any:
        """Raises SqlError, and whatever reading `rows` raises."""
        answer, done = self.begin(login, name, kind, request, rows)
        done()
        return answer

    def begin(
        self, login: str, name: str, kind: Kind, request: dict[str, Any], rows: Any = None
    ) -> tuple[Any, Callable[[], None]]:
        """The same; the session is free again when the second thing is called, for an answer that is read from it."""
        operation = find(name, kind)
        session = self._take(login)
        try:
            work = perform(operation, Call(session, request, rows))
            return self._instance.driver.run(work, session), lambda: self._give_back(login, session)
        except BaseException:
            self._give_back(login, session)
            raise

    def _take(self, login: str) -> Session:
        with self._mutex:
            idle = self._idle[login]
            while idle:
                session = idle.pop()
                if not session.is_ended:
                    return session
        session = self._instance.connect(login=login, client=_OPERATIONS)
        return session

    def _give_back(self, login: str, session: Session) -> None:
        with self._mutex:
            if not session.is_ended and session.transaction is None and len(self._idle[login]) < _IDLE:
                self._idle[login].append(session)
                return
        session.close()

    def close(self) -> None:
        """End the sessions that are kept."""
        with self._mutex:
            kept = [session for idle in self._idle.values() for session in idle]
            self._idle.clear()
        for session in kept:
            session.close()
