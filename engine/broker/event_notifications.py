"""Event notifications of the broker: the conversation that carries an event to its service.

Decides the EVENT_INSTANCE document of queue events, which conversation is used, and what its end means. Must not know
queue monitors (they say when) nor sessions: whatever stands in the document is handed in.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final
from uuid import UUID

from sbql.catalog.records import Database, EventNotification
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.send import send
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import SqlError
from sbql.grammar.values.xml_text import escape_text

__all__ = [
    "SERVICE",
    "Outcome",
    "close",
    "encoded",
    "event_instance",
    "home_of",
    "notifications_for",
    "one_message_each",
    "open_databases",
    "post",
    "posted_at",
    "strays",
]

MSDB: Final = 4

_BASE: Final = "http://schemas.microsoft.com/SQL/Notifications/"
SERVICE: Final = _BASE + "EventNotificationService"
CONTRACT: Final = _BASE + "PostEventNotification"
MESSAGE_TYPE: Final = _BASE + "EventNotification"

ELEMENTS: Final = (
    "EventType",
    "PostTime",
    "SPID",
    "ServerName",
    "LoginName",
    "UserName",
    "DatabaseName",
    "SchemaName",
    "ObjectName",
    "ObjectType",
)


def event_instance(values: Mapping[str, object]) -> bytes:
    """The EVENT_INSTANCE document, its elements in the documented order; further keys follow."""
    names = [*ELEMENTS, *(name for name in values if name not in ELEMENTS)]
    inner = "".join(f"<{name}>{escape_text(str(values[name]))}</{name}>" for name in names if name in values)
    return encoded(f"<EVENT_INSTANCE>{inner}</EVENT_INSTANCE>")


def posted_at(moment: float) -> str:
    """A moment as documents have it."""
    return dt.datetime.fromtimestamp(moment, dt.UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")


def encoded(document: str) -> bytes:
    """A document as a message body: UTF-16 with a mark, as xml is sent."""
    return b"\xff\xfe" + document.encode("utf-16-le", "surrogatepass")


def notifications_for(found: Iterable[EventNotification], event: str, queue_id: int) -> list[EventNotification]:
    """Those on a queue for QUEUE_ACTIVATION or BROKER_QUEUE_DISABLED. All of them fire."""
    return [n for n in found if n.scope == "QUEUE" and n.parent_id == queue_id and event in n.events]


def one_message_each(found: list[EventNotification]) -> list[EventNotification]:
    """Those that get a message of their own: of notifications WITH FAN_IN of one creator for one service, the first."""
    seen: set[tuple[bytes, str, str]] = set()
    kept = []
    for notification in found:
        if notification.creator_sid is not None:
            key = (notification.creator_sid, notification.service_name, notification.broker_instance)
            if key in seen:
                continue
            seen.add(key)
        kept.append(notification)
    return kept


class Outcome(Enum):
    """What became of a post. ENDED and FAILED: the target has ended the conversation, plainly or with an error."""

    SENT = 0
    ENDED = 1
    FAILED = 2


def home_of(notification: EventNotification) -> int:
    """The database whose EventNotificationService begins the conversation: msdb for notifications of the server."""
    return MSDB if notification.scope == "SERVER" else notification.database_id


def post(transaction: BrokerTransaction, notification: EventNotification, body: bytes) -> Outcome:
    """Send an event on the notification's own conversation, which is begun when there is none yet. Raises the SqlError
    of a failing BEGIN or SEND, MustWait when somebody holds the conversation's group."""
    database_id = home_of(notification)
    handles = transaction.state.notification_handles
    handle = handles.get(notification.id) or _adopt(transaction, database_id, notification)
    if handle is None:
        instance: str | None = notification.broker_instance
        handle = begin_dialog(
            transaction,
            database_id,
            SERVICE,
            notification.service_name,
            instance,
            contract=CONTRACT,
            related_conversation_group=_group_of(notification),
            encryption=False,
            is_system=True,
        )
    handles[notification.id] = handle
    found = transaction.state.endpoint(database_id, handle)
    if found is not None and found.state == "ER":
        return Outcome.FAILED
    try:
        send(transaction, database_id, handle, MESSAGE_TYPE, body)
    except SqlError as problem:
        if problem.number in (8426, 8429):
            return Outcome.ENDED
        raise
    return Outcome.SENT


def close(transaction: BrokerTransaction, notification: EventNotification) -> None:
    """DROP EVENT NOTIFICATION: its conversation ends."""
    database_id = home_of(notification)
    handle = transaction.state.notification_handles.pop(notification.id, None) or _adopt(
        transaction, database_id, notification
    )
    if handle is None:
        return
    try:
        end_conversation(transaction, database_id, handle)
    except SqlError as problem:
        if problem.number not in (8426, 8427):
            raise


def open_databases(found: Iterable[Database]) -> set[int]:
    """Those in which conversations may be ended."""
    return {database.id for database in found if not database.broker_problem and not database.is_read_only}


def strays(
    state: BrokerState, notifications: Iterable[EventNotification], databases: Iterable[Database]
) -> list[tuple[int, UUID]]:
    """Databases and handles of open conversations whose notification is gone: its instance ended before it could end
    them, or it has come back from a backup under another id. The mutex is held."""
    places = open_databases(databases)
    groups = {_group_of(notification) for notification in notifications}
    return [
        (found.endpoint.database_id, found.endpoint.conversation_handle)
        for found in state.endpoints.values()
        if found.endpoint.database_id in places
        and found.stored
        and found.toucher is None
        and found.endpoint.is_system
        and found.endpoint.is_initiator
        and found.endpoint.contract_name == CONTRACT
        and found.endpoint.state not in ("DO", "CD")
        and found.endpoint.conversation_group_id not in groups
    ]


def _group_of(notification: EventNotification) -> UUID:
    """The conversation group of a notification's conversation: what tells it from all others after a restart."""
    text = f"{notification.database_id} {notification.id} {notification.create_date}"
    return UUID(bytes=hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16], version=4)


def _adopt(transaction: BrokerTransaction, database_id: int, notification: EventNotification) -> UUID | None:
    """After a restart: the conversation that was begun for the notification."""
    group = _group_of(notification)
    for conversation in transaction.state.endpoints.values():
        endpoint = conversation.endpoint
        if endpoint.conversation_group_id == group and endpoint.database_id == database_id and endpoint.is_initiator:
            return endpoint.conversation_handle
    return None
