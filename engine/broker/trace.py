"""Trace events of the broker, with the classes, subclasses and columns of the trace catalogue.

Decides names, numbers and columns of an event. Must not know who listens: a sink is a callable that takes a
`TraceEvent`; without one an event costs a comparison with None. Events go out when they happen; a rollback does not
take them back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from sbql.catalog import live_relations as live
from sbql.engine.broker.ready_index import Conversation

__all__ = [
    "ACKNOWLEDGEMENT", "CLASSES", "SUBCLASSES", "TraceEvent", "TraceSink", "class_name", "emit", "emit_conversation", "event_line", "event_of",
    "event_record", "event_text", "trace_events", "trace_subclasses",
]  # fmt: skip

CLASSES: Final = {
    "Broker:Conversation": 124,
    "Broker:Conversation Group": 136,
    "Broker:Connection": 138,
    "Broker:Forwarded Message Sent": 139,
    "Broker:Forwarded Message Dropped": 140,
    "Broker:Message Classify": 141,
    "Broker:Transmission": 142,
    "Broker:Queue Disabled": 143,
    "Broker:Remote Message Acknowledgement": 149,
    "Audit Broker Conversation": 158,
    "Audit Broker Login": 159,
    "Broker:Message Undeliverable": 160,
    "Broker:Corrupted Message": 161,
    "Broker:Activation": 163,
}
"""Those of connections, transmission, forwarding, acknowledgements, damage and logins are of a network."""

ACKNOWLEDGEMENT: Final = "Broker:Remote Message Acknowledgement"

SUBCLASSES: Final[dict[str, tuple[str, ...]]] = {
    "Broker:Conversation": (
        "SEND Message", "END CONVERSATION", "END CONVERSATION WITH ERROR", "Broker Initiated Error", "Terminate Dialog",
        "Received Sequenced Message", "Received END CONVERSATION", "Received END CONVERSATION WITH ERROR",
        "Received Broker Error Message", "Received END CONVERSATION Ack", "BEGIN DIALOG", "Dialog Created",
        "END CONVERSATION WITH CLEANUP", "BEGIN MONOLOG", "Subscriber Joined", "Subscriber Left",
        "BEGIN CONVERSATION TIMER", "Conversation Timer Expired",
    ),
    "Broker:Conversation Group": ("Create", "Drop"),
    "Broker:Connection": (
        "Connecting", "Connected", "Connect Failed", "Closing", "Closed", "Accept", "Send IO Error", "Receive IO Error",
    ),
    "Broker:Forwarded Message Sent": (),
    "Broker:Forwarded Message Dropped": (),
    "Broker:Message Classify": ("Local", "Remote", "Delayed"),
    "Broker:Transmission": (),
    "Broker:Queue Disabled": (),
    "Broker:Remote Message Acknowledgement": (
        "Message With Acknowledgement Sent", "Acknowledgement Sent", "Message With Acknowledgement Received",
        "Acknowledgement Received",
    ),
    "Audit Broker Conversation": ("No Security Header", "No Certificate", "Invalid Signature", "Run As Target Failure"),
    "Audit Broker Login": (
        "Login Success", "Login Protocol Error", "Message Format Error", "Negotiate Failure", "Authentication Failure",
        "Authorization Failure",
    ),
    "Broker:Message Undeliverable": ("sequenced", "unsequenced"),
    "Broker:Corrupted Message": (),
    "Broker:Activation": ("started", "ended", "aborted"),
}  # fmt: skip
"""The subclasses of each class, in the order of their numbers, which begin at 1."""

_BROKER_CATEGORY: Final = 16
_AUDIT_CATEGORY: Final = 8


def trace_events() -> Iterator[live.TraceEventClass]:
    """The rows of sys.trace_events."""
    for name, number in CLASSES.items():
        category = _AUDIT_CATEGORY if name.startswith("Audit ") else _BROKER_CATEGORY
        yield live.TraceEventClass(trace_event_id=number, category_id=category, name=name)


def trace_subclasses() -> Iterator[live.TraceSubclass]:
    """The rows of sys.trace_subclass_values."""
    for name, subclasses in SUBCLASSES.items():
        for value, subclass in enumerate(subclasses, 1):
            yield live.TraceSubclass(trace_event_id=CLASSES[name], subclass_name=subclass, subclass_value=value)


class TraceEvent(NamedTuple):
    """One event. `text` is TextData: the state code of the endpoint, or a reason. `integer_data`: tasks running
    (activation).

    `spid` and `start_time` (the server's local time) are filled in on the way to who listens; spid 0 is the
    broker itself. What stands behind it is in no column of the trace: `service` and `far_service` are the two
    ends, `message_type` and `message_number` say which message, `detail` the contract of a new dialog, the
    code and text of an error, the seconds of a timer; `database` and `queue` (schema and name) are those of
    the service or of `object_id`; `instance` is whose trace it is. `service`, `database`, `queue` and
    `instance` are filled in on the way, too.
    """

    event_class: str
    subclass: str
    text: str = ""
    database_id: int = 0
    conversation_id: UUID | None = None
    conversation_handle: UUID | None = None
    conversation_group_id: UUID | None = None
    priority: int = 0
    role: str = ""
    object_id: int = 0
    integer_data: int = 0
    spid: int = 0
    start_time: datetime | None = None
    service_id: int = 0
    service: str = ""
    far_service: str = ""
    message_type: str = ""
    message_number: int | None = None
    detail: str = ""
    database: str = ""
    queue: str = ""
    instance: str = ""

    @property
    def number(self) -> int:
        """The number of the class, such as 124."""
        return CLASSES[self.event_class]

    @property
    def subclass_number(self) -> int | None:
        """The number of the subclass; None for a class without subclasses."""
        names = SUBCLASSES[self.event_class]
        return names.index(self.subclass) + 1 if self.subclass in names else None

    @property
    def columns(self) -> dict[str, Any]:
        """The event as SQL Server's trace has it: column names to values, those that the event does not have as
        None."""
        return {
            "EventClass": self.number,
            "EventSubClass": self.subclass_number,
            "TextData": self.text or None,
            "DatabaseID": self.database_id or None,
            "SPID": self.spid,
            "StartTime": self.start_time,
            "GUID": self.conversation_id,
            "ObjectName": _upper(self.conversation_handle),
            "MethodName": _upper(self.conversation_group_id),
            "RoleName": self.role or None,
            "Priority": self.priority or None,
            "ObjectID": self.object_id or None,
            "IntegerData": self.integer_data if self.event_class == "Broker:Activation" else None,
        }


TraceSink = Callable[[TraceEvent], None]


def _upper(value: UUID | None) -> str | None:
    return None if value is None else str(value).upper()


def class_name(text: str) -> str:
    """The class that people call `text`, in any case and with or without 'Broker:'. Raises KeyError."""
    wanted = text.strip().lower().removeprefix("broker:")
    for name in CLASSES:
        if name.lower().removeprefix("broker:") == wanted:
            return name
    raise KeyError(text)


def event_text(event: TraceEvent) -> str:
    """One line for people."""
    parts = [event.start_time.strftime("%H:%M:%S.%f")[:-3]] if event.start_time is not None else []
    parts += [f"spid {event.spid}" if event.spid else "broker", f"{event.event_class} {event.subclass}".strip()]
    if event.conversation_handle is not None:
        parts += [event.role, f"handle={_upper(event.conversation_handle)}"]
    if event.object_id:
        parts.append(f"object_id={event.object_id}")
    if event.event_class == "Broker:Activation":
        parts.append(f"tasks={event.integer_data}")
    return " ".join([*parts, event.text]).rstrip()


_LINE: Final = (
    ("time", "start_time"), ("spid", "spid"), ("event", "event_class"), ("subclass", "subclass"), ("text", "text"),
    ("database_id", "database_id"), ("conversation_id", "conversation_id"), ("conversation_handle", "conversation_handle"),
    ("conversation_group_id", "conversation_group_id"), ("role", "role"), ("service", "service"), ("far_service", "far_service"),
    ("priority", "priority"), ("object_id", "object_id"), ("message_type", "message_type"), ("message_number", "message_number"),
    ("detail", "detail"), ("database", "database"), ("queue", "queue"), ("instance", "instance"),
)  # fmt: skip


def event_line(event: TraceEvent) -> str:
    """The event as one line of JSON, without a newline: what it does not have is left out, guids are in upper case,
    times in ISO 8601. `sbql.engine.pictures` draws conversations from such lines."""
    return json.dumps(event_record(event), ensure_ascii=False)


def event_record(event: TraceEvent) -> dict[str, Any]:
    """What stands in the line of an event, by its keys."""
    record: dict[str, Any] = {}
    for key, field in _LINE:
        value = getattr(event, field)
        if isinstance(value, UUID):
            value = str(value).upper()
        elif isinstance(value, datetime):
            value = value.isoformat(timespec="milliseconds")
        if value is not None and value != "" and (value != 0 or key == "message_number"):
            record[key] = value
    if event.event_class == "Broker:Activation":
        record["tasks"] = event.integer_data
    return record


def event_of(record: Mapping[str, Any]) -> TraceEvent:
    """The event of a line, but for `service_id`, which no line has."""
    found: dict[str, Any] = {field: record[key] for key, field in _LINE if key in record}
    for field in ("conversation_id", "conversation_handle", "conversation_group_id"):
        if field in found:
            found[field] = UUID(found[field])
    if "start_time" in found:
        found["start_time"] = datetime.fromisoformat(found["start_time"])
    return TraceEvent(**{"subclass": "", **found, "integer_data": record.get("tasks", 0)})


def emit(sink: TraceSink | None, event_class: str, subclass: str, **columns: Any) -> None:
    """Send an event to the sink of the broker's state (`BrokerState.trace`), if there is one."""
    if sink is not None:
        sink(TraceEvent(event_class, subclass, **columns))


def emit_conversation(
    sink: TraceSink | None,
    subclass: str,
    conversation: Conversation,
    event_class: str = "Broker:Conversation",
    text: str = "",
    *,
    message_type: str = "",
    message_number: int | None = None,
    detail: str = "",
) -> None:
    """An event about one endpoint. Callers on the hot path check that there is a sink first."""
    if sink is None:
        return
    endpoint, member = conversation.endpoint, conversation.monolog
    sink(
        TraceEvent(
            event_class,
            subclass,
            text or endpoint.state,
            endpoint.database_id,
            endpoint.conversation_id if member is None else member.monolog_id,
            endpoint.conversation_handle if member is None or not member.is_leg else member.record.publisher_handle,
            endpoint.conversation_group_id,
            endpoint.priority,
            "initiator" if endpoint.is_initiator else "target",
            service_id=endpoint.service_id,
            far_service=endpoint.far_service,
            message_type=message_type,
            message_number=message_number,
            detail=detail,
        )
    )
