"""Event notifications: events of queues and of definitions become messages.

Decides in which transaction they are sent (each in one of its own, so that a failure concerns nobody), which
notifications share a message (FAN_IN), and what the error log says when sending fails. When a notification fires is
told from outside; its conversation is the broker's.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from uuid import UUID

from sbql.catalog.records import Database, EventNotification, Principal, Queue, Schema
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.event_notifications import (
    Outcome,
    close,
    encoded,
    event_instance,
    home_of,
    notifications_for,
    one_message_each,
    open_databases,
    post,
    posted_at,
    strays,
)
from sbql.engine.client import NOTIFYING
from sbql.engine.conversation.dialogs import broker_call
from sbql.engine.ports import Instance, Session, Transaction
from sbql.engine.work import Cancelled, Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["ACTIVATION", "QUEUE_DISABLED", "Notices", "wants_activation"]

_Job = Callable[[Session], Work]

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
        self._posts: deque[tuple[str, bytes, EventNotification]] = deque()
        self._dropped: deque[EventNotification] = deque()
        self._waiting: dict[int, deque[_Job]] = {}
        self._left: deque[tuple[EventNotification, _Job]] = deque()
        """What a task was to do that could not be started, or was killed: it comes before all else."""
        self._silent: set[int] = set()
        self._is_last = False
        self._has_looked: bool | None = False
        """Whether conversations have been looked for whose notifications are gone: since the instance was started, and
        since a database has come back (from a backup, say, with other ids) or its broker has. None: they are ended."""
        self._at_work = self._asked_of = 0
        """The notification for which the background work is about to send; the queue about which it asks who hears."""
        self._taken_over = 0
        """The queue whose events go with a commit: the background work leaves them alone."""
        self._behind: Counter[int] = Counter()
        """By notification: what comes behind commits that are on their way."""

    def __bool__(self) -> bool:
        return bool(self._events or self._dropped or self._posts or self._left or not self._has_looked)

    def note(self, event: str, queue_id: int) -> None:
        """Something happened on a queue: to be posted to all notifications that want it."""
        self._events.append((event, queue_id))

    def take_over(self, queue: Queue, transaction: Transaction) -> bool:
        """What has been noted of a queue is sent with a commit of `transaction`, ahead of what `note_within` is about
        to say. False when the background work sends some of it just now."""
        state = self.instance.broker
        with state.mutex:
            at_work = self.instance.catalog.get(EventNotification, queue.database_id, self._at_work)
            if self._asked_of == queue.id or (at_work is not None and at_work.parent_id == queue.id):
                return False
            self._taken_over = queue.id
        transaction.before_commit(partial(self._noted_within, queue, transaction))
        transaction.on_rollback(self._let_go)
        transaction.on_commit(self._let_go)
        return True

    def _let_go(self) -> None:
        self._taken_over = 0

    def _noted_within(self, queue: Queue, transaction: Transaction) -> None:
        with self.instance.broker.mutex:
            posts = [found for found in list(self._posts) if found[2].parent_id == queue.id]
            events = [found for found in list(self._events) if found[1] == queue.id]
            for waiting in posts:
                self._posts.remove(waiting)
            for noted in events:
                self._events.remove(noted)
        transaction.on_rollback(partial(self._put_back, posts, events))
        for event, body, notification in posts:
            self._post_within(transaction, event, body, notification)
        for event, _ in events:
            self.note_within(event, queue, transaction)

    def _put_back(self, posts: list[tuple[str, bytes, EventNotification]], events: list[tuple[str, int]]) -> None:
        self._posts.extendleft(reversed(posts))
        self._events.extendleft(reversed(events))

    def note_within(self, event: str, queue: Queue, transaction: Transaction) -> None:
        """Something happens on a queue in a transaction that is about to be committed: it is sent as `post_event` does
        it."""
        if found := self._listeners(event, queue):
            session = self._session(queue.database_id)
            try:
                body = event_instance(self._values(session, event, queue))
            finally:
                session.close()
            for notification in found:
                self._post_within(transaction, event, body, notification)

    def post_event(
        self, event: str, document: str, notifications: list[EventNotification], within: Transaction | None
    ) -> None:
        """To be posted to these notifications. The event of a definition is sent in the transaction that is committing
        it, so that both are on disk, or neither. What cannot be sent so, because of somebody's lock or a mistake, is
        left to the background work, which logs it."""
        body = encoded(document)
        for found in one_message_each(notifications):
            if within is None:
                self.note_event(event, body, found)
            else:
                self._post_within(within, event, body, found)

    def _post_within(self, transaction: Transaction, event: str, body: bytes, notification: EventNotification) -> None:
        if self._is_sent(transaction, notification, body):
            return
        self._count_behind(notification, 1)  # whatever the transaction says next to it comes behind that
        transaction.on_rollback(partial(self._count_behind, notification, -1))
        transaction.on_commit(partial(self._note_behind, event, body, notification))

    def _note_behind(self, event: str, body: bytes, notification: EventNotification) -> None:
        self.note_event(event, body, notification)
        self._count_behind(notification, -1)

    def _count_behind(self, notification: EventNotification, change: int) -> None:
        with self.instance.broker.mutex:
            self._behind[notification.id] += change
            if not self._behind[notification.id]:
                del self._behind[notification.id]

    def note_event(self, event: str, body: bytes, notification: EventNotification) -> None:
        """Leave it to the background work."""
        self._posts.append((event, body, notification))
        self.instance.scheduler.wake()

    def _is_sent(self, transaction: Transaction, notification: EventNotification, body: bytes) -> bool:
        state = self.instance.broker
        with state.mutex:
            if self._is_behind(notification) or not self._may_send(transaction, notification):
                return False
            broker, handle = transaction.broker, state.notification_handles.get(notification.id)
            transaction.on_rollback(partial(_put_back, state.notification_handles, notification.id, handle))
            rights, broker.rights = broker.rights, self.instance.owner_rights
            mark = broker.mark()
            try:
                if post(broker, notification, body) is Outcome.SENT:
                    return True
            except Exception:  # somebody's lock, or a failure: the background work meets it again, and logs it
                pass
            finally:
                broker.rights = rights
            broker.rollback_to(mark)
            _put_back(state.notification_handles, notification.id, handle)
            return False

    def _may_send(self, transaction: Transaction, notification: EventNotification) -> bool:
        """It is there still, and nothing is known that the background work would have to say."""
        catalog = transaction.snapshot or self.instance.catalog
        home = catalog.get(Database, 0, home_of(notification))
        return (
            notification.id not in self._silent
            and catalog.get(EventNotification, notification.database_id, notification.id) is not None
            and home is not None
            and home.is_broker_enabled
            and not home.is_read_only
        )

    def _is_behind(self, notification: EventNotification) -> bool:
        """Something that has happened before has not been sent to it yet."""
        waits = (found for _, _, found in self._posts), (found for found, _ in self._left)
        return (
            notification.id in self._waiting
            or notification.id == self._at_work
            or notification.id in self._behind
            or any(found.id == notification.id for several in waits for found in list(several))
        )

    def catalog_changed(self, before: CatalogSnapshot, after: CatalogSnapshot) -> set[int]:
        """Queues with a notification created or dropped by this DDL. The conversations of dropped ones are to end."""
        old = {n.id: n for n in before.all(EventNotification)}
        new = {n.id: n for n in after.all(EventNotification)}
        self._dropped.extend(n for key, n in old.items() if key not in new)
        for key in [key for key, n in new.items() if old.get(key) is not n]:  # perhaps it has come back from a backup
            self._silent.discard(key)
            self.instance.broker.notification_handles.pop(key, None)
        if open_databases(after.all(Database)) - open_databases(before.all(Database)):
            self._has_looked = False
        return {found.parent_id for key, found in (old | new).items() if (key in old) != (key in new)}

    def run(self) -> Work:
        """Send and close what has been noted, each in a transaction of its own; what fails is logged."""
        if not self._has_looked:
            self._has_looked = None
            catalog = self.instance.catalog
            with self.instance.broker.mutex:
                found = strays(self.instance.broker, catalog.all(EventNotification), catalog.all(Database))
            for database_id, handle in found:
                yield from self._in_session(database_id, partial(self._end, database_id, handle))
            if self._has_looked is None:
                self._has_looked = True
        while self._left:
            with self.instance.broker.mutex:
                left, job = self._left.popleft()
                self._at_work = left.id
            yield from self._do(left, job)
        while self._dropped:
            dropped = self._dropped.popleft()
            yield from self._do(dropped, partial(self._close, dropped))
        while (noted := self._next_event()) is not None:
            try:
                yield from self._ask(*noted)
            except BaseException:
                self._events.appendleft(noted)
                raise
            finally:
                self._asked_of = 0
        while (next_post := self._next_post()) is not None:
            event, body, notification = next_post
            if self.instance.catalog.get(EventNotification, notification.database_id, notification.id) is not None:
                yield from self._do(notification, partial(self._post, event, body, notification))
            self._at_work = 0

    def _next_event(self) -> tuple[str, int] | None:
        with self.instance.broker.mutex:
            if not self._events or self._events[0][1] == self._taken_over:
                return None
            noted = self._events.popleft()
            self._asked_of = noted[1]
            return noted

    def _next_post(self) -> tuple[str, bytes, EventNotification] | None:
        with self.instance.broker.mutex:
            if not self._posts or (self._taken_over and self._posts[0][2].parent_id == self._taken_over):
                return None
            found = self._posts.popleft()
            self._at_work = found[2].id
            return found

    def finish(self) -> None:
        """The instance ends, and nobody holds anything any more: what is left to be sent is sent now."""
        self._is_last = True
        try:
            for _ in self.run():
                return  # somebody does
        except Exception as error:
            self.instance.log_failure("in sending event notifications at the end", error)

    def _ask(self, event: str, queue_id: int) -> Work:
        queue = self.instance.catalog.queue_of_id(queue_id)
        if queue is None or (event == ACTIVATION and not queue.is_enabled):  # it went off meanwhile, and has said so
            return
        if found := self._listeners(event, queue):
            yield from self._in_session(queue.database_id, partial(self._note_queue, event, queue, found))

    def _listeners(self, event: str, queue: Queue) -> list[EventNotification]:
        """Who gets a message of an event of a queue."""
        known = self.instance.catalog.all(EventNotification, queue.database_id)
        return one_message_each(notifications_for(known, event, queue.id))

    def _do(self, notification: EventNotification, job: _Job) -> Work:
        """Do a job for a notification now or, when somebody holds its conversation group, in a task of its own: the
        background work waits for nobody. Jobs of one notification keep their order. One that was not done comes
        again."""
        with self.instance.broker.mutex:
            waiting = self._waiting.get(notification.id)
            if waiting is not None:
                waiting.append(job)
                return
            self._at_work = notification.id
        try:
            if self._is_last or self._is_free(notification):
                yield from self._in_session(home_of(notification), job)
                return
            session = self._session(home_of(notification))
            jobs = self._waiting[notification.id] = deque([job])
        except BaseException:
            self._left.appendleft((notification, job))
            raise
        finally:
            self._at_work = 0

        def ended(failure: BaseException | None) -> None:
            """Killed, it leaves what it has not done to the background work."""
            self._leave(notification, jobs)
            session.close()
            if self._left:
                self.instance.scheduler.wake()

        work = self._do_waiting(notification, jobs, session)
        try:
            self.instance.driver.spawn(work, session, f"notification {notification.name}", ended)
        except BaseException:  # no thread for it: the background work logs it, and comes back after a pause
            self._leave(notification, jobs)
            session.close()
            raise

    def _leave(self, notification: EventNotification, jobs: deque[_Job]) -> None:
        with self.instance.broker.mutex:
            if self._waiting.get(notification.id) is jobs:
                del self._waiting[notification.id]
                self._left.extendleft((notification, job) for job in reversed(jobs))

    def _is_free(self, notification: EventNotification) -> bool:
        state = self.instance.broker
        handle = state.notification_handles.get(notification.id)
        with state.mutex:
            found = state.find(home_of(notification), handle) if handle is not None else None
            return found is None or state.locks.holder(found.group.resource) is None

    def _do_waiting(self, notification: EventNotification, jobs: deque[_Job], session: Session) -> Work:
        while True:
            with self.instance.broker.mutex:
                if not jobs:
                    del self._waiting[notification.id]
                    return
            yield from self._attempt(jobs[0], session)
            jobs.popleft()

    def _attempt(self, job: _Job, session: Session) -> Work:
        """A failure concerns nobody but the error log, and the next job least of all."""
        try:
            yield from job(session)
        except Cancelled:
            raise  # the session was killed, or all ends: the job has not been done
        except Exception as error:
            self.instance.log_failure("in sending an event notification", error)

    def _note_queue(self, event: str, queue: Queue, found: list[EventNotification], session: Session) -> Work:
        body = event_instance(self._values(session, event, queue))
        self._posts.extend((event, body, notification) for notification in found)
        return
        yield

    def _session(self, database_id: int) -> Session:
        login = self.instance.catalog.get(Principal, 0, 1)
        assert login is not None
        return self.instance.new_session(login, database_id, is_background=True, client=NOTIFYING)

    def _in_session(self, database_id: int, operation: _Job) -> Work:
        session = self._session(database_id)
        try:
            yield from self._attempt(operation, session)
        finally:
            session.close()

    def _post(self, event: str, body: bytes, notification: EventNotification, session: Session) -> Work:
        """A failure concerns nobody but the error log. A notification whose target has ended its conversation is
        silent, one whose target ended it with an error is dropped."""
        instance = self.instance
        handles = instance.broker.notification_handles
        msdb = instance.catalog.get(Database, 0, home_of(notification))
        if notification.id in self._silent:
            return
        if notification.scope == "SERVER" and (msdb is None or not msdb.is_broker_enabled):
            instance.log(8355, sql_error(8355).message)
            return
        try:
            outcome = yield from broker_call(session, lambda broker: post(broker, notification, body))
        except SqlError as error:
            handle = str(handles.pop(notification.id, "")).upper()
            if event == ACTIVATION:
                instance.log(17002, sql_error(17002, f"{error.number:X}").message)
            arguments = (handle, notification.service_name, notification.broker_instance, error.number, error.state)
            instance.log(17001, sql_error(17001, *arguments).message)
            return
        handle = str(handles.get(notification.id, "")).upper()
        if outcome is Outcome.ENDED:
            self._silent.add(notification.id)
            instance.log(17004, sql_error(17004, handle).message)
        elif outcome is Outcome.FAILED:
            where = (handle, notification.service_name, notification.broker_instance)
            instance.log(17003, sql_error(17003, *where).message)
            yield from self._drop(notification, session)

    def _drop(self, notification: EventNotification, session: Session) -> Work:
        """The target has ended the conversation with an error: the notification goes (17005)."""
        with session.statement() as transaction:
            yield from transaction.lock_schema()
            found = session.catalog.get(EventNotification, notification.database_id, notification.id)
            if found is not None:
                transaction.change_catalog(found, None)
        database = self.instance.catalog.get(Database, 0, notification.database_id)
        arguments = (notification.name, database.name if database is not None else "")
        self.instance.log(17005, sql_error(17005, *arguments).message)

    def _close(self, notification: EventNotification, session: Session) -> Work:
        self._silent.discard(notification.id)
        if self.instance.catalog.get(EventNotification, notification.database_id, notification.id) is None:
            yield from broker_call(session, lambda broker: close(broker, notification))

    def _end(self, database_id: int, handle: UUID, session: Session) -> Work:
        yield from broker_call(session, lambda broker: end_conversation(broker, database_id, handle))

    def _values(self, session: Session, event: str, queue: Queue) -> dict[str, object]:
        catalog = self.instance.catalog
        database = catalog.get(Database, 0, queue.database_id)
        schema = catalog.get(Schema, queue.database_id, queue.schema_id)
        return {
            "EventType": event,
            "PostTime": posted_at(self.instance.host.now()),
            "SPID": session.spid,
            "ServerName": self.instance.name,
            "LoginName": session.login.name,
            "UserName": session.user.name,
            "DatabaseName": database.name if database is not None else "",
            "SchemaName": schema.name if schema is not None else "",
            "ObjectName": queue.name,
            "ObjectType": "QUEUE",
        }


def _put_back(handles: dict[int, UUID], notification_id: int, handle: UUID | None) -> None:
    if handle is None:
        handles.pop(notification_id, None)
    else:
        handles[notification_id] = handle
