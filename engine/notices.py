"""Event notifications on queues: QUEUE_ACTIVATION and BROKER_QUEUE_DISABLED become messages (reference 2.8, 5.9).

Decides in which transaction they are sent, and what the error log says when that fails. When a notification fires is the queue
monitors' and the poison rule's business; its document and conversation are the broker's.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sbql.catalog.records import Database, EventNotification, Principal, Queue, Schema
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.event_notifications import close, event_instance, notifications_for, post
from sbql.engine.execution.handlers.dialogs import broker_call
from sbql.engine.session import Session
from sbql.engine.steps import Work
from sbql.grammar.errors import SqlError, sql_error

if TYPE_CHECKING:
    from sbql.engine.instance import Instance

__all__ = ["ACTIVATION", "QUEUE_DISABLED", "Notices", "wants_activation"]

ACTIVATION = "QUEUE_ACTIVATION"
QUEUE_DISABLED = "BROKER_QUEUE_DISABLED"


def wants_activation(snapshot: CatalogSnapshot, queue: Queue) -> bool:
    """Whether a QUEUE_ACTIVATION notification exists on the queue."""
    return bool(notifications_for(snapshot.all(EventNotification, queue.database_id), ACTIVATION, queue.id))


class Notices:
    """Events and dropped notifications that the background work has still to send or close."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._events: deque[tuple[str, int]] = deque()
        self._dropped: deque[EventNotification] = deque()
        self._silent: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._events or self._dropped)

    def note(self, event: str, queue_id: int) -> None:
        """Something happened on a queue: to be posted to all notifications that want it."""
        self._events.append((event, queue_id))

    def catalog_changed(self, before: CatalogSnapshot, after: CatalogSnapshot) -> set[int]:
        """Queues with a notification created or dropped by this DDL. The conversations of dropped ones are to end."""
        old = {n.id: n for n in before.all(EventNotification)}
        new = {n.id: n for n in after.all(EventNotification)}
        self._dropped.extend(n for key, n in old.items() if key not in new)
        return {found.parent_id for key, found in (old | new).items() if (key in old) != (key in new)}

    def run(self) -> Work:
        """Send and close what has been noted, each in a transaction of its own."""
        while self._dropped:
            dropped = self._dropped.popleft()
            if dropped.scope == "QUEUE":
                yield from self._in_session(dropped.database_id, partial(self._close, dropped))
        while self._events:
            event, queue_id = self._events.popleft()
            catalog = self.instance.catalog
            queue = next((q for q in catalog.all(Queue) if q.id == queue_id), None)
            if queue is None:
                continue
            for found in notifications_for(catalog.all(EventNotification, queue.database_id), event, queue_id):
                yield from self._in_session(queue.database_id, partial(self._post, event, queue, found))

    def _in_session(self, database_id: int, operation: Callable[[Session], Work]) -> Work:
        login = self.instance.catalog.get(Principal, 0, 1)
        assert login is not None
        session = self.instance.new_session(login, database_id, is_background=True)
        try:
            yield from operation(session)
        finally:
            session.close()

    def _post(self, event: str, queue: Queue, notification: EventNotification, session: Session) -> Work:
        """A failure concerns nobody but the error log. A notification whose target has ended its conversation is silent."""
        if notification.id in self._silent:
            return
        instance, handles = self.instance, self.instance.broker.notification_handles
        body = event_instance(self._values(session, event, queue))
        try:
            sent = yield from broker_call(session, lambda t: post(t, queue.database_id, notification, body))
        except SqlError as error:
            handle = str(handles.pop(notification.id, "")).upper()
            if event == ACTIVATION:
                instance.log(17002, sql_error(17002, f"{error.number:X}").message)
            arguments = (handle, notification.service_name, notification.broker_instance, error.number, error.state)
            instance.log(17001, sql_error(17001, *arguments).message)
            return
        if not sent:
            self._silent.add(notification.id)
            instance.log(17004, sql_error(17004, str(handles.get(notification.id, "")).upper()).message)

    def _close(self, notification: EventNotification, session: Session) -> Work:
        self._silent.discard(notification.id)
        yield from broker_call(session, lambda t: close(t, notification))

    def _values(self, session: Session, event: str, queue: Queue) -> dict[str, object]:
        catalog = self.instance.catalog
        posted = dt.datetime.fromtimestamp(self.instance.host.now(), dt.UTC).replace(tzinfo=None)
        database = catalog.get(Database, 0, queue.database_id)
        schema = catalog.get(Schema, queue.database_id, queue.schema_id)
        return {
            "EventType": event,
            "PostTime": posted.isoformat(timespec="milliseconds"),
            "SPID": session.spid,
            "ServerName": self.instance.name,
            "LoginName": session.login.name,
            "UserName": session.user.name,
            "DatabaseName": database.name if database is not None else "",
            "SchemaName": schema.name if schema is not None else "",
            "ObjectName": queue.name,
            "ObjectType": "QUEUE",
        }
