"""What a client hears from its server over TDS: the messages of sys.sp_sbql_listen, on a
session and in a thread of their own.

It decides when listening has begun, and that whoever stops it waits until nothing comes any more. It must
not know what the messages are about.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome
from sbql.engine.server.remote_listener import tell_lost
from sbql.engine.server.tds_session import TdsSession
from sbql.grammar.errors import SqlError
from sbql.grammar.names import string_literal

__all__ = ["TdsListener"]


class TdsListener:
    """`hear` gets each message that is a JSON object; what it raises is dropped, and ends nothing."""

    def __init__(self, session: TdsSession, to: str, hear: Callable[[dict[str, Any]], None]) -> None:
        self._session = session
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
        """Twice is harmless. In its own thread (a listener that stops itself) it does not wait."""
        self._is_stopped = True
        if not self._session.is_ended:
            self._session.cancel()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._session.close()

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
            self._began.set()
            return
        if "lost" in said:
            tell_lost(said["lost"])
            return
        try:
            self._hear(said)
        except Exception as error:
            self._is_stopped, self._failure = True, repr(error)  # as at the owner's: a listener that fails is dropped
            self._session.cancel()
