"""One notification service: receives what its queue has, and says which queue is to be looked after.

It decides the T-SQL, what is said of messages of other types, and when a connection that is lost is
made anew. A notification is taken out of the queue when whoever hears it has done so: after a crash it
comes again. It must not know programs.
"""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.grammar.errors import SqlError
from sbql.grammar.names import bracketed, string_literal
from sbql.repl.activator.configuration import NotificationService, QueueName
from sbql.repl.sessions import AnySession

__all__ = ["Receiver"]

_EVENT = "http://schemas.microsoft.com/SQL/Notifications/EventNotification"
_QUEUE_OF = """SELECT s.name, q.name FROM sys.services v JOIN sys.service_queues q ON q.object_id = v.service_queue_id
    JOIN sys.schemas s ON s.schema_id = q.schema_id WHERE v.name = {name}"""
_RECEIVE = """SET NOCOUNT ON; BEGIN TRANSACTION; WAITFOR (RECEIVE TOP (1) conversation_handle, message_type_name, CAST(message_body AS nvarchar(max))
    FROM {queue}), TIMEOUT {timeout}"""
_TIMEOUT = 10_000
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0


class Receiver:
    """`run` is for a thread of its own."""

    def __init__(
        self, service: NotificationService, connect: Callable[[], AnySession], hear: Callable[[QueueName], None], log: Callable[[str, str], None],
    ) -> None:  # fmt: skip
        """`connect`: a session in the service's database; raises SqlError. `hear` is
        called for each QUEUE_ACTIVATION."""
        self.service = service
        self._connect, self._hear, self._log = connect, hear, log
        self._stopping = threading.Event()
        self._session: AnySession | None = None

    def stop(self) -> None:
        """End `run` soon. From any thread."""
        self._stopping.set()
        if (session := self._session) is not None:
            session.cancel()

    def run(self) -> None:
        """Until `stop`."""
        pause = _FIRST_PAUSE
        while not self._stopping.is_set():
            try:
                self._session = self._connect()
                queue = self._queue(self._session)
                self._log("Information", f"{self.service.name}: waits for notifications in {queue}.")
                while not self._stopping.is_set():
                    self._receive(self._session, queue)
                    pause = _FIRST_PAUSE
            except SqlError as error:
                if self._stopping.is_set():
                    break
                self._log(
                    "Error",
                    f"{self.service.name}: error {error.number}: {error.message} It is tried again in {pause:g} seconds.",
                )
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            finally:
                if self._session is not None:
                    self._session.close()
                    self._session = None

    def _queue(self, session: AnySession) -> str:
        """The queue of the service. Raises SqlError 8425 when there is no such service."""
        rows = _rows(session, _QUEUE_OF.format(name=string_literal(self.service.name, is_national=True)))
        if not rows:
            raise SqlError(8425, f"There is no service '{self.service.name}' in the database {self.service.database}.")
        return ".".join(bracketed(part) for part in rows[0])

    def _receive(self, session: AnySession, queue: str) -> None:
        rows = _rows(session, _RECEIVE.format(queue=queue, timeout=_TIMEOUT))
        for handle, kind, body in rows:
            if kind == _EVENT:
                if (named := self._queue_in(body or "")) is not None:
                    self._hear(named)
            else:
                self._log(
                    "Warning", f"{self.service.name}: a message of type {kind} has come, and its conversation is ended."
                )
                _rows(session, f"END CONVERSATION '{handle}'")
        _rows(session, "COMMIT")

    def _queue_in(self, body: str) -> QueueName | None:
        """Which queue a QUEUE_ACTIVATION is about; None for other events."""
        try:
            document = ET.fromstring(body.lstrip("\ufeff"))
        except ET.ParseError as error:
            self._log("Error", f"{self.service.name}: a notification is no XML: {error}.")
            return None
        event = document.findtext("EventType", "")
        if event != "QUEUE_ACTIVATION":
            self._log(
                "Warning",
                f"{self.service.name}: a notification of {event} has come; only QUEUE_ACTIVATION starts anything.",
            )
            return None
        return QueueName(
            *(document.findtext(name, "") for name in ("ServerName", "DatabaseName", "SchemaName", "ObjectName"))
        )


def _rows(session: AnySession, text: str) -> list[tuple[Any, ...]]:
    """Of the last result. Raises the first SqlError."""
    rows: list[tuple[Any, ...]] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
        if isinstance(outcome, ResultSet):
            rows = outcome.rows
    return rows
