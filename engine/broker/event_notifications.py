"""Event notifications of the broker: QUEUE_ACTIVATION and BROKER_QUEUE_DISABLED (reference 2.8, 5.9).

Decides the EVENT_INSTANCE document and the internal conversation that carries it. Must not know queue monitors (they say
when) nor sessions: whatever stands in the document is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID
from xml.sax.saxutils import escape

from sbql.catalog.records import EventNotification
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.send import send
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import SqlError

__all__ = ["close", "event_instance", "notifications_for", "post"]

_BASE: Final = "http://schemas.microsoft.com/SQL/Notifications/"
SERVICE: Final = _BASE + "EventNotificationService"
CONTRACT: Final = _BASE + "PostEventNotification"
MESSAGE_TYPE: Final = _BASE + "EventNotification"

ELEMENTS: Final = (
    "EventType", "PostTime", "SPID", "ServerName", "LoginName", "UserName", "DatabaseName", "SchemaName", "ObjectName",
    "ObjectType",
)


def event_instance(values: Mapping[str, object]) -> bytes:
    """The EVENT_INSTANCE document, its elements in the documented order; further keys follow. UTF-16 with a mark."""
    names = [*ELEMENTS, *(name for name in values if name not in ELEMENTS)]
    inner = "".join(f"<{name}>{escape(str(values[name]))}</{name}>" for name in names if name in values)
    return b"\xff\xfe" + f"<EVENT_INSTANCE>{inner}</EVENT_INSTANCE>".encode("utf-16-le", "surrogatepass")


def notifications_for(found: Iterable[EventNotification], event: str, queue_id: int) -> list[EventNotification]:
    """Those on a queue for QUEUE_ACTIVATION or BROKER_QUEUE_DISABLED. All of them fire."""
    return [n for n in found if n.scope == "QUEUE" and n.parent_id == queue_id and event in n.events]


def post(transaction: BrokerTransaction, database_id: int, notification: EventNotification, body: bytes) -> bool:
    """Send an event on the notification's own conversation, which is begun when there is none yet. False when the
    target has ended it: the notification no longer works (17004). Raises the SqlError of a failing BEGIN or SEND."""
    handles = transaction.state.notification_handles
    handle = handles.get(notification.id) or _adopt(transaction, database_id, notification)
    if handle is None:
        instance: str | None = notification.broker_instance
        handle = begin_dialog(
            transaction, database_id, SERVICE, notification.service_name, instance, contract=CONTRACT, encryption=False,
            is_system=True,
        )
    handles[notification.id] = handle
    try:
        send(transaction, database_id, handle, MESSAGE_TYPE, body)
    except SqlError as problem:
        if problem.number in (8426, 8429):
            return False
        raise
    return True


def close(transaction: BrokerTransaction, notification: EventNotification) -> None:
    """DROP EVENT NOTIFICATION: its conversation ends."""
    database_id = notification.database_id
    handle = transaction.state.notification_handles.pop(notification.id, None) or _adopt(transaction, database_id, notification)
    if handle is None:
        return
    try:
        end_conversation(transaction, database_id, handle)
    except SqlError as problem:
        if problem.number not in (8426, 8427):
            raise


def _adopt(transaction: BrokerTransaction, database_id: int, notification: EventNotification) -> UUID | None:
    """After a restart: an internal conversation to the notification's service that no other notification uses."""
    taken = set(transaction.state.notification_handles.values())
    for conversation in transaction.state.endpoints.values():
        endpoint = conversation.endpoint
        if not (endpoint.is_system and endpoint.is_initiator and endpoint.database_id == database_id):
            continue
        if endpoint.far_service == notification.service_name and endpoint.conversation_handle not in taken:
            return endpoint.conversation_handle
    return None
