"""A session that its owner runs for a client, whatever door the client came through.

It decides in which thread requests run and what happens when the client goes. It must not know how outcomes travel.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import cast

from sbql.engine.last_resort import details, unexpected_error
from sbql.engine.modification.insert_bulk import BulkChannel
from sbql.engine.outcomes import Outcome
from sbql.engine.server.loop_thread import LoopThread
from sbql.engine.session import Session
from sbql.engine.tds.reading import ProtocolError
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError

__all__ = ["DirectSession", "OwnedSession"]

Sink = Callable[[Outcome], None]


class OwnedSession:
    """Made by the server. One request runs at a time, in the thread of the door that brings it."""

    def __init__(self, name: str, session: Session, forget: Callable[[str], None], loop: LoopThread | None) -> None:
        """Nobody can guess its name. `forget` hears of its end. `loop` runs the requests of a virtual clock."""
        self.name = name
        self.session = session
        self._forget = forget
        self._loop = loop

    @property
    def is_busy(self) -> bool:
        """A request runs, and is more than a wait for messages."""
        waiting = self.session.waiting_for
        return self.session.is_running and not (waiting is not None and waiting.reason == "BROKER_RECEIVE_WAITFOR")

    def run(self, begin: Callable[[Sink], Work], show: Sink) -> None:
        """Run what `begin` makes for a sink; `show` gets the outcomes. What it raises, an OSError when the client is
        gone, ends the request; what only a bug of the door can raise is SqlError 3624, which rolls back."""
        session = self.session
        try:
            if self._loop is None:
                session.instance.driver.run(begin(show), session)
            else:
                self._run_in(self._loop, begin, show)
        except (SqlError, OSError, ProtocolError):
            raise
        except Exception as error:
            self._between(session.rollback_transaction)
            session.instance.log(3624, f"an answer: {details(error)}", f"spid {session.spid}")
            raise unexpected_error(error) from error

    def _run_in(self, loop: LoopThread, begin: Callable[[Sink], Work], show: Sink) -> None:
        session = self.session
        # The loop, in which all sessions run, must not wait for a client that does not
        # read: what it says is sent from here.
        said = SimpleQueue[Outcome | None]()
        failures: list[BaseException | None] = []

        def done(failure: BaseException | None, result: object) -> None:
            failures.append(failure)
            said.put(None)

        loop.begin(begin(said.put), session, done)
        problem: BaseException | None = None
        while (outcome := said.get()) is not None:
            try:
                if problem is None:
                    show(outcome)
            except BaseException as error:
                problem = error
                session.cancel()
        failure = problem or failures[0]
        if failure is not None:
            raise failure

    def cancel(self, request: int = 0) -> None:
        """The client's attention: what runs stops. From any thread. `request`: which one is
        meant, for a client that counts them."""
        self.session.cancel()

    def say_goodbye(self) -> None:
        """The server ends: a client that waits for nothing learns it now. From any thread."""

    def lost(self) -> None:
        """The client is gone: what runs is cancelled. From any thread."""
        if self._loop is None:
            self.session.end()
        else:
            self.session.mark_ended()
            self.session.cancel()

    def close(self) -> None:
        self._forget(self.name)
        self._close(self.session)

    def _close(self, session: Session) -> None:
        self._between(session.close)

    def _between(self, call: Callable[[], None]) -> None:
        """While nothing of the session runs."""
        if self._loop is None:
            call()
        else:
            self._loop.ask(call)


class DirectSession(OwnedSession):
    """The session of a client whose door takes outcomes as they are."""

    def __init__(
        self, name: str, session: Session, forget: Callable[[str], None], loop: LoopThread | None, anew: Callable[[], Session],
        goodbye: Callable[[], None],
    ) -> None:  # fmt: skip
        """`anew` opens a session like this one was at first; `goodbye` is called, from
        any thread, when the server ends."""
        super().__init__(name, session, forget, loop)
        session.attach_bulk(BulkChannel())
        self._anew = anew
        self._goodbye = goodbye

    def renew(self) -> None:
        """The session is as it was at first: its transaction is rolled back, temp tables, SET options and what was
        prepared are gone. Raises SqlError, 17892 when a LOGON trigger refuses; the session has ended then."""
        before = self.session
        try:
            session = self._anew()
        except SqlError:
            self.lost()
            raise
        session.attach_bulk(BulkChannel())
        self.session = session
        self._close(before)
        _take_place(session, before.spid)

    def say_goodbye(self) -> None:
        self._goodbye()


def _take_place(session: Session, spid: int) -> None:
    """It gets the number of a session that has been closed, and in whose place it
    stands; numbers are given out once."""
    sessions = cast("dict[int, Session]", session.instance.sessions)  # which others only read
    if sessions.pop(session.spid, None) is not None:  # unless somebody has ended it
        session.stands_for(spid)
        sessions[spid] = session
    session.applocks.name = f"session {spid}"
