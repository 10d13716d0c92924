"""Event notifications of trace events: logins, errors, the log, blocked processes, deadlocks, query
notifications, the broker's own trace.

Decides whether anybody has asked for an event, and its document; `catalog.trace_event_types` has the events and their
columns. Sending is the business of `notices`, in a transaction that has nothing to do with what happened: a rollback
takes none back. What the notifications themselves cause is told to nobody, for it would never end. While nobody
listens, an event costs a look into a dictionary.
"""

from __future__ import annotations

import base64
import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from sbql.catalog.event_types import members
from sbql.catalog.records import Database, EventNotification, QuerySubscription, Service
from sbql.catalog.trace_event_types import BROKER_CLASSES, TRACE_EVENTS
from sbql.engine.blocking_reports import blocked_process, deadlock_graph, object_of, session_of
from sbql.engine.broker.event_notifications import SERVICE, posted_at
from sbql.engine.broker.trace import TraceEvent
from sbql.engine.client import NOTIFYING
from sbql.engine.error_log import LogRecord
from sbql.engine.locks import LockOwner, Waits, words_of
from sbql.engine.ports import Instance, Session
from sbql.grammar.errors import SqlError
from sbql.grammar.messages import all_messages
from sbql.grammar.values.xml_text import escape_text

__all__ = ["TraceNotices"]

_OF_NOTICES = frozenset({8355, 17001, 17002, 17003, 17004, 17005})
"""Lines of the log that say how notifications fare."""
_THRESHOLD = "blocked process threshold (s)"
_MODES = {"S": 3, "U": 4, "X": 5, "IS": 6, "IU": 7, "IX": 8}

_SUBSCRIPTION_SCHEMA = "http://schemas.microsoft.com/SQL/Notifications/QueryNotificationProfiler"
_SUBSCRIPTION_EVENTS = {
    1: "subscription registered", 2: "subscription rewound", 3: "subscription fired", 4: "firing failed with broker error",
    7: "subscription deletion attempt", 9: "subscription destroyed",
}  # fmt: skip


class _Markup(str):
    """XML that stands in a document as it is."""


class TraceNotices:
    """Of one instance. All methods are thread safe."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._numbers = itertools.count(1)
        self._stop_trace: Callable[[], None] | None = None
        self._mutex = threading.Lock()
        self._waits: dict[LockOwner, tuple[Waits, float, int]] = {}
        """Who waits for a lock while somebody asks for reports: what for, since when,
        and how many reports there were."""
        instance.error_log.listen(self._logged)
        instance.locks.watch(self)

    # --- who listens ---------------------------------------------------------------------------------------

    def _listeners(self, event: str) -> list[EventNotification]:
        snapshot = self._instance.catalog
        found: dict[str, list[EventNotification]] | None = snapshot.derived.get("trace listeners")
        if found is None:
            found = {}
            for notification in snapshot.all(EventNotification):
                for name in (
                    {m for e in notification.events for m in members(e)} if notification.scope == "SERVER" else ()
                ):
                    if name in TRACE_EVENTS:
                        found.setdefault(name, []).append(notification)
            snapshot.derived["trace listeners"] = found
        return found.get(event, [])

    def catalog_changed(self) -> None:
        """Notifications have come or gone: the broker is traced while somebody asks for that."""
        wanted = any(self._listeners(name) for name in BROKER_CLASSES.values())
        with self._mutex:
            if wanted and self._stop_trace is None:
                self._stop_trace = self._instance.trace(self._traced)
            elif not wanted and self._stop_trace is not None:
                self._stop_trace()
                self._stop_trace = None

    # --- what happens --------------------------------------------------------------------------------------

    def logged_in(self, session: Session, *, is_pooled: bool) -> None:
        if self._listeners("AUDIT_LOGIN"):
            options = session.options
            shown = "".join(
                f"set {name} {'on' if value else 'off'}\n"
                for name, value in (
                    ("quoted_identifier", options.quoted_identifier),
                    ("ansi_nulls", options.ansi_nulls),
                )
            )
            text = f"-- network protocol: {session.client.transport}\n{shown}"
            self._tell("AUDIT_LOGIN", session, {"TextData": text, "EventSubClass": 2 if is_pooled else 1, "Success": 1})

    def logged_out(self, session: Session) -> None:
        if self._listeners("AUDIT_LOGOUT"):
            now = self._instance.host.now()
            times = {
                "StartTime": posted_at(session.login_time),
                "EndTime": posted_at(now),
                "Duration": _microseconds(now - session.login_time),
            }
            self._tell("AUDIT_LOGOUT", session, {**times, "EventSubClass": 1, "Success": 1})

    def login_failed(self, login: str, text: str, error: SqlError) -> None:
        """`text` has the reason, which the client does not learn."""
        if self._listeners("AUDIT_LOGIN_FAILED"):
            found = {"TextData": text, "LoginName": login, "SessionLoginName": login, "Success": 0, "EventSubClass": 1}
            self._tell("AUDIT_LOGIN_FAILED", None, {**found, **_numbers_of(error)})

    def error(self, session: Session, error: SqlError, *, is_told: bool) -> None:
        """An error is over: it `is_told` to the client, or was caught."""
        if self._listeners("EXCEPTION"):
            text = f"Error: {error.number}, Severity: {error.severity}, State: {error.state}"
            self._tell("EXCEPTION", session, {"TextData": text, **_numbers_of(error)})
        if is_told and self._listeners("USER_ERROR_MESSAGE"):
            self._tell("USER_ERROR_MESSAGE", session, {"TextData": error.message, **_numbers_of(error)})

    def _logged(self, record: LogRecord) -> None:
        if record.number not in _OF_NOTICES and self._listeners("ERRORLOG"):
            text = f"{posted_at(record.time).replace('T', ' ')[:-1]} {record.process_info:<11} {record.text}"
            known = all_messages().get(record.number)
            severity = known.severity if known is not None else 0
            self._tell("ERRORLOG", self._current(), {"TextData": text, "Error": record.number, "Severity": severity})

    def _traced(self, event: TraceEvent) -> None:
        """An event of the broker's trace; its mutex may be held."""
        name = BROKER_CLASSES.get(event.number)
        if name is None or not (found := self._listeners(name)):
            return
        session = self._instance.sessions.get(event.spid)
        if SERVICE in (event.service, event.far_service) or (session is not None and session.client is NOTIFYING):
            return
        if name == "BROKER_ACTIVATION" and event.object_id in self._target_queues(found):
            return
        values = {
            key: value
            for key, value in event.columns.items()
            if value is not None and key not in ("EventClass", "SPID", "StartTime")
        }
        if event.database_id == 0:
            values.pop("DatabaseID", None)
        self._tell(name, session, values)

    def _target_queues(self, found: Sequence[EventNotification]) -> set[int]:
        names = {notification.service_name for notification in found}
        return {service.queue_id for service in self._instance.catalog.all(Service) if service.name in names}

    def subscription(
        self, number: int, record: QuerySubscription, message: bytes = b"", dialog: UUID | None = None
    ) -> None:
        """What becomes of who waits for a query notification: `number` is the subclass. `message` was
        sent, or could not be, on `dialog`."""
        if not self._listeners("QN_SUBSCRIPTION"):
            return
        parts = {
            "EventText": _SUBSCRIPTION_EVENTS[number],
            "SubscriptionID": str(record.id),
            "NotificationMsg": message.decode("utf-16"),
        }
        parts["BrokerDialog"] = "" if dialog is None else f"{{{str(dialog).upper()}}}"
        inner = "".join(f"<qnev:{name}>{escape_text(text)}</qnev:{name}>" for name, text in parts.items() if text)
        text = f'<qnev:QNEvent xmlns:qnev="{_SUBSCRIPTION_SCHEMA}">{inner}</qnev:QNEvent>'
        sid = base64.b64encode(record.sid).decode("ascii")
        found = {"TextData": text, "EventSubClass": number, "DatabaseID": record.database_id, "LoginSid": sid}
        self._tell("QN_SUBSCRIPTION", self._current(), found)

    # --- locks ---------------------------------------------------------------------------------------------

    def deadlock(self, cycle: Sequence[Waits]) -> None:
        """Each waits for the next, the last for the first, who is the victim."""
        instance = self._instance
        victim = session_of(instance, cycle[0].owner)
        if self._listeners("DEADLOCK_GRAPH"):
            self._tell("DEADLOCK_GRAPH", victim, {"TextData": _Markup(deadlock_graph(instance, cycle)), "IsSystem": 1})
        if self._listeners("LOCK_DEADLOCK"):
            self._tell("LOCK_DEADLOCK", victim, _locked(cycle[0]))
        if self._listeners("LOCK_DEADLOCK_CHAIN"):
            for one in cycle:
                self._tell("LOCK_DEADLOCK_CHAIN", session_of(instance, one.owner), _locked(one))

    def waits(self, waits: Waits) -> None:
        """Somebody begins to wait, or goes on to."""
        if self._threshold() and waits.owner not in self._waits:
            with self._mutex:
                self._waits.setdefault(waits.owner, (waits, self._instance.host.now(), 0))
            self._instance.scheduler.wake()

    def goes_on(self, owner: LockOwner) -> None:
        """He has waited."""
        if self._waits:
            with self._mutex:
                self._waits.pop(owner, None)

    def _threshold(self) -> int:
        """After how many seconds a wait is reported, each time; 0: nobody wants to know."""
        return self._instance.configuration.get(_THRESHOLD, 0) if self._listeners("BLOCKED_PROCESS_REPORT") else 0

    def next_report(self) -> float | None:
        """When the next report of somebody who is blocked falls due."""
        threshold = self._threshold()
        with self._mutex:
            if not threshold:
                self._waits.clear()
            return min((since + threshold * (count + 1) for _, since, count in self._waits.values()), default=None)

    def report_blocked(self) -> None:
        """The reports that are due."""
        threshold, now = self._threshold(), self._instance.host.now()
        due: list[tuple[Waits, float, int]] = []
        with self._mutex:
            for owner, (waits, since, count) in list(self._waits.items()):
                if threshold and since + threshold * (count + 1) <= now:
                    self._waits[owner] = waits, since, count + 1
                    due.append((waits, since, count + 1))
        for waits, since, count in due:
            holder = self._instance.locks.holder(waits.resource)
            text = _Markup(blocked_process(self._instance, waits, holder, since, count))
            found = {
                **_locked(waits),
                "TextData": text,
                "Duration": _microseconds(now - since),
                "EndTime": posted_at(now),
                "IsSystem": 1,
            }
            self._tell("BLOCKED_PROCESS_REPORT", session_of(self._instance, waits.owner), found)

    # --- documents -----------------------------------------------------------------------------------------

    def _current(self) -> Session | None:
        return self._instance.driver.current_session()

    def _tell(self, event: str, session: Session | None, values: Mapping[str, object]) -> None:
        found = self._listeners(event)
        now = posted_at(self._instance.host.now())
        known = {
            "StartTime": now,
            "ServerName": self._instance.name,
            "EventSequence": next(self._numbers),
            "IsSystem": "",
            **_of_session(session),
            **values,
        }
        if (database := self._instance.catalog.get(Database, 0, _number(known.get("DatabaseID")))) is not None:
            known["DatabaseName"] = database.name
        elements: list[tuple[str, object]] = [
            ("EventType", event),
            ("PostTime", now),
            ("SPID", session.spid if session is not None else ""),
        ]
        elements += [(name, known[name]) for name in TRACE_EVENTS[event].columns if name in known]
        inner = "".join(f"<{name}>{_shown(value)}</{name}>" for name, value in elements)
        self._instance.scheduler.post_event(event, f"<EVENT_INSTANCE>{inner}</EVENT_INSTANCE>", found, None)


def _shown(value: object) -> str:
    return value if isinstance(value, _Markup) else escape_text(str(value))


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _microseconds(seconds: float) -> int:
    return round(seconds * 1_000_000)


def _numbers_of(error: SqlError) -> dict[str, object]:
    return {"Error": error.number, "Severity": error.severity, "State": error.state}


def _locked(waits: Waits) -> dict[str, object]:
    resource = waits.resource
    text = ":".join(words_of(resource))
    return {"TextData": text, "ObjectID": object_of(resource), "Mode": _MODES.get(waits.mode, 0)}


def _of_session(session: Session | None) -> dict[str, object]:
    """What a session says of every event in it."""
    if session is None:
        return {}
    client, login, transaction = session.client, session.login, session.transaction
    found: dict[str, object] = {
        "DatabaseID": session.database_id, "NTUserName": "", "NTDomainName": "", "HostName": client.host_name or session.instance.name,
        "ClientProcessID": client.process_id or "", "ApplicationName": client.program_name, "LoginName": login.name,
        "LoginSid": base64.b64encode(login.sid or b"").decode("ascii"), "RequestID": 0,
        "SessionLoginName": session.contexts[0].login.name, "IsSystem": 1 if session.is_background else "",
    }  # fmt: skip
    if transaction is not None:
        found["TransactionID"] = transaction.id
    return found
