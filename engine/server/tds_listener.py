"""What a client hears from its server over TDS: the messages of sys.sp_sbql_listen, on a
session and in a thread of their own.

It decides when listening has begun, and that whoever stops it waits until what has arisen is heard and nothing comes
any more. It must not know what the messages are about.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome
from sbql.engine.server.remote_listener import join_last_words, tell_lost
from sbql.engine.server.tds_session import TdsSession
from sbql.grammar.errors import SqlError
from sbql.grammar.names import string_literal

__all__ = ["TdsListener"]


class TdsListener:
    """`hear` gets each message that is a JSON object; if it raises, the listener is dropped. `connect` gives another
    session, which tells the server to end the listening of this one."""

    def __init__(
        self, session: TdsSession, connect: Callable[[], TdsSession], to: str, hear: Callable[[dict[str, Any]], None]
    ) -> None:
        self._session = session
        self._connect = connect
        self._spid: int | None = None
        self._heard = 0
        self._to = to
        self._hear = hear
        self._began = threading.Event()
        self._error: SqlError | None = None
        self._is_stopped, self._failure = False, ""
        self._thread = threading.Thread(target=self._run, name="sbql-listener", daemon=True)

    def start(self) -> None:
        """Returns when it listens. Raises the SqlError of a server that does not
        have it, or does not let this login."""
        try:
            self._thread.start()
        except BaseException:
            self._session.close()
            raise
        self._began.wait()
        if self._error is not None:
            self._session.close()
            raise self._error

    def stop(self) -> None:
        """What has arisen until now is heard first, for as long as it comes. Twice is harmless. In its own thread (a
        listener that stops itself) it does not wait."""
        if self._thread.is_alive() and threading.current_thread() is not self._thread and self._ends():
            join_last_words(self._thread, lambda: self._heard)
        self._is_stopped = True
        if not self._session.is_ended:
            self._session.cancel()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._session.close()

    def _ends(self) -> bool:
        """Ask the server to end it. False where that is not to be had."""
        if self._spid is None or self._session.is_ended:
            return False
        try:
            session = self._connect()
        except SqlError:
            return False
        try:
            said = session.run(f"EXEC sys.sp_sbql_listen @ends = {self._spid}")
            return not any(isinstance(outcome, ErrorOutcome) for outcome in said)
        finally:
            session.close()

    def _run(self) -> None:
        try:
            self._session.stream(f"EXEC sys.sp_sbql_listen @to = N'{self._to}'", self._take)
        finally:
            self._began.set()
        if self._failure and not self._session.is_ended:
            said = string_literal(f"A listener of a client failed and is dropped: {self._failure}", is_national=True)
            self._session.stream(f"RAISERROR (N'%s', 10, 1, {said}) WITH LOG", lambda outcome: None)

    def _take(self, outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            if not self._began.is_set():
                self._error = outcome.error
            return
        if not isinstance(outcome, InfoMessage) or self._is_stopped:
            return
        try:
            said = json.loads(outcome.text)
        except ValueError:
            return
        if "listening" in said:
            self._spid = said.get("session")
            self._began.set()
            return
        self._heard += 1
        if "lost" in said:
            tell_lost(said["lost"])
            return
        try:
            self._hear(said)
        except Exception as error:
            self._is_stopped, self._failure = True, repr(error)  # as at the owner's: a listener that fails is dropped
            self._session.cancel()
