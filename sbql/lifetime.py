"""The life of a connection: who may run something on it now, and how it ends.

It decides that

- one batch runs at a time
- close() stops the batch of another thread and waits for it
- a batch whose own callback closes the connection ends first
- a connection dropped without close() is ended all the same.

It must not know what a batch is.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import TypeVar

from sbql import exceptions, instances
from sbql.engine.durability import refused_before
from sbql.engine.ending import INHERITED, PATIENCE
from sbql.engine.session import Session
from sbql.exceptions import from_sql_errors
from sbql.grammar.errors import SqlError

__all__ = ["Lifetime"]

_AGAIN = 0.02
"""Seconds between two requests to stop."""

_T = TypeVar("_T")


def _stop(session: instances.AnySession) -> None:
    """No more batches, and an end to the one that runs."""
    session.end()


class Lifetime:
    """Of one connection. All methods are thread safe."""

    def __init__(self, connection: object, session: instances.AnySession, instance: instances.AnyInstance) -> None:
        self._session = session
        self._instance = instance
        self._busy = threading.Lock()
        self._thread = 0
        """Who runs a batch."""
        self.is_closed = False
        self._dropped = weakref.finalize(connection, instances.abandon, session, instance)
        self._dropped.atexit = False  # everything that is open ends then

    def check_open(self) -> None:
        """Raises InterfaceError for a closed connection and for one of the process that this one was forked from,
        OperationalError for a session that has ended."""
        if self.is_closed:
            raise exceptions.InterfaceError("the connection is closed")
        if self._session.is_ended:
            if self._instance.is_inherited:
                raise exceptions.InterfaceError(INHERITED)
            if not isinstance(self._session, Session) and (loss := self._session.loss) is not None:
                raise from_sql_errors([loss], exceptions.OperationalError)
            if isinstance(self._session, Session) and (failure := self._session.instance.store.failure) is not None:
                raise from_sql_errors([failure.again()], exceptions.OperationalError)
            raise exceptions.OperationalError("the session has ended, by KILL or a fatal error; connect again")

    def run(self, batch: Callable[[], _T]) -> _T:
        """Run `batch` alone. Raises ProgrammingError when one runs already, else as `check_open` does."""
        if not self._busy.acquire(blocking=False):
            self.check_open()
            if self._thread == threading.get_ident():
                raise exceptions.ProgrammingError(
                    "the batch that runs on this connection calls this: what it calls needs a connection of its own"
                )
            raise exceptions.ProgrammingError(
                "a batch runs on this connection in another thread: give each thread a connection of its own"
            )
        try:
            self.check_open()
            self._thread = threading.get_ident()
            return batch()
        finally:
            self._thread = 0
            try:
                if self.is_closed:
                    self._end()
            finally:
                self._busy.release()

    def close(self) -> None:
        """End the session; a batch that runs in another thread is stopped. Twice is harmless.

        Raises OperationalError when the batch does not stop, when something is lost that a batch which was stopped had
        committed, or when the store that closes with its last connection cannot write.
        """
        self.is_closed = True
        if self._instance.is_inherited:
            self._dropped.detach()
            return
        if self._thread == threading.get_ident():
            _stop(self._session)
            return
        end = time.monotonic() + PATIENCE
        while not self._busy.acquire(timeout=_AGAIN):
            _stop(self._session)
            if time.monotonic() > end:
                raise exceptions.OperationalError(
                    "the batch that runs on the connection does not stop; it is closed then"
                )
        try:
            self._end()
        finally:
            self._busy.release()

    def give_up(self) -> None:
        """The connection could not be made: end its session. Who made it releases the instance."""
        self.is_closed = True
        self._dropped.detach()
        self._session.close()

    def _end(self) -> None:
        """With the lock. Whoever comes second does nothing."""
        if self._dropped.detach() is None:
            return
        try:
            # What a batch that was stopped had committed, and nobody was told of
            # yet. An owner tells its clients itself.
            refused = refused_before(self._session) if isinstance(self._session, Session) else None
            try:
                self._session.close()
            finally:
                instances.release(self._instance)
            if refused is not None:
                raise refused
        except SqlError as error:
            raise from_sql_errors([error], exceptions.OperationalError) from None
