"""Trace events that event notifications can ask for: name -> number, group, columns; in one place, whoever raises them.

Decides nothing; a table of facts. A trace event's number is 1000 and that of its class in SQL Trace, a
group's 11000 and that of its category. What the engine has no such happening for has no columns, and is
refused when somebody asks for it (40517).
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["BROKER_CLASSES", "TRACE_EVENTS", "TRACE_GROUPS"]


class TraceEventType(NamedTuple):
    """`columns` as they stand in EVENT_INSTANCE, behind EventType, PostTime and SPID; none:
    the engine does not know the event."""

    number: int
    group: int
    columns: tuple[str, ...] = ()


_ALL = 11000
TRACE_GROUPS: Final = {
    "TRC_ALL_EVENTS": (_ALL, None), "TRC_DATABASE": (11002, _ALL), "TRC_ERRORS_AND_WARNINGS": (11003, _ALL), "TRC_LOCKS": (11004, _ALL),
    "TRC_OBJECTS": (11005, _ALL), "TRC_PERFORMANCE": (11006, _ALL), "TRC_SECURITY_AUDIT": (11008, _ALL), "TRC_SERVER": (11009, _ALL),
    "TRC_STORED_PROCEDURES": (11011, _ALL), "TRC_TSQL": (11013, _ALL), "TRC_USER_CONFIGURABLE": (11014, _ALL), "TRC_OLEDB": (11015, _ALL),
    "TRC_BROKER": (11016, _ALL), "TRC_FULL_TEXT": (11017, _ALL), "TRC_DEPRECATION": (11018, _ALL), "TRC_CLR": (11020, _ALL),
    "TRC_QUERY_NOTIFICATIONS": (11021, _ALL),
}  # fmt: skip
"""name -> (number, the group above)."""

_DATABASE, _ERRORS, _LOCKS, _OBJECTS, _AUDIT, _SERVER, _BROKER = 11002, 11003, 11004, 11005, 11008, 11009, 11016
_NOTIFICATIONS = 11021

_WHO = ("NTUserName", "NTDomainName", "HostName", "ClientProcessID", "ApplicationName", "LoginName")
_END = ("RequestID", "EventSequence", "IsSystem", "SessionLoginName")
_LOGIN = (
    "TextData",
    "DatabaseID",
    *_WHO,
    "StartTime",
    "EventSubClass",
    "Success",
    "ServerName",
    "DatabaseName",
    "LoginSid",
    *_END,
)
_LOGOUT = (
    "DatabaseID",
    *_WHO,
    "Duration",
    "StartTime",
    "EndTime",
    "EventSubClass",
    "Success",
    "ServerName",
    "DatabaseName",
    "LoginSid",
    *_END,
)
_FAILED = (
    "TextData",
    "DatabaseID",
    *_WHO,
    "StartTime",
    "EventSubClass",
    "Success",
    "ServerName",
    "State",
    "Error",
    "Severity",
    "DatabaseName",
    *_END,
)
_ERROR = (
    "TextData",
    "DatabaseID",
    *_WHO,
    "StartTime",
    "Severity",
    "ServerName",
    "State",
    "Error",
    "DatabaseName",
    "LoginSid",
    *_END,
)
_LINE = (
    "TextData",
    "DatabaseID",
    *_WHO,
    "StartTime",
    "Severity",
    "ServerName",
    "Error",
    "DatabaseName",
    "EventSequence",
    "IsSystem",
    "SessionLoginName",
)
_BLOCKED = (
    "TextData", "DatabaseID", "TransactionID", "Duration", "EndTime", "ObjectID", "ServerName", "Mode", "LoginSid", "EventSequence", "IsSystem",
    "SessionLoginName",
)  # fmt: skip
_GRAPH = (
    "TextData",
    "TransactionID",
    "LoginName",
    "StartTime",
    "ServerName",
    "LoginSid",
    "EventSequence",
    "IsSystem",
    "SessionLoginName",
)
_VICTIM = (
    "TextData",
    "DatabaseID",
    "TransactionID",
    *_WHO,
    "Duration",
    "StartTime",
    "EndTime",
    "ObjectID",
    "ServerName",
    "Mode",
    "DatabaseName",
    "LoginSid",
    *_END,
)
_CHAIN = (
    "TextData",
    "DatabaseID",
    "TransactionID",
    "StartTime",
    "ObjectID",
    "ServerName",
    "Mode",
    "DatabaseName",
    "EventSequence",
    "IsSystem",
    "SessionLoginName",
)
_DIALOG = (
    "TextData", "DatabaseID", *_WHO, "StartTime", "EventSubClass", "ObjectID", "IntegerData", "ServerName", "ObjectName", "MethodName", "RoleName", "Priority", "GUID",
    "EventSequence", "IsSystem", "SessionLoginName",
)  # fmt: skip
_SUBSCRIPTION = (
    "TextData", "DatabaseID", "TransactionID", *_WHO, "StartTime", "EventSubClass", "ServerName", "DatabaseName", "LoginSid", *_END,
)  # fmt: skip

TRACE_EVENTS: Final[dict[str, TraceEventType]] = {
    "AUDIT_LOGIN": TraceEventType(1014, _AUDIT, _LOGIN),
    "AUDIT_LOGOUT": TraceEventType(1015, _AUDIT, _LOGOUT),
    "AUDIT_LOGIN_FAILED": TraceEventType(1020, _AUDIT, _FAILED),
    "AUDIT_SERVER_STARTS_AND_STOPS": TraceEventType(1018, _AUDIT),
    "AUDIT_BROKER_CONVERSATION": TraceEventType(1158, _AUDIT, _DIALOG),
    "AUDIT_BROKER_LOGIN": TraceEventType(1159, _AUDIT, _DIALOG),
    "ERRORLOG": TraceEventType(1022, _ERRORS, _LINE),
    "EVENTLOG": TraceEventType(1021, _ERRORS),
    "EXCEPTION": TraceEventType(1033, _ERRORS, _ERROR),
    "USER_ERROR_MESSAGE": TraceEventType(1162, _ERRORS, _ERROR),
    "BLOCKED_PROCESS_REPORT": TraceEventType(1137, _ERRORS, _BLOCKED),
    "LOCK_DEADLOCK": TraceEventType(1025, _LOCKS, _VICTIM),
    "LOCK_DEADLOCK_CHAIN": TraceEventType(1059, _LOCKS, _CHAIN),
    "LOCK_ESCALATION": TraceEventType(1060, _LOCKS),
    "DEADLOCK_GRAPH": TraceEventType(1148, _LOCKS, _GRAPH),
    "BROKER_CONVERSATION": TraceEventType(1124, _BROKER, _DIALOG),
    "BROKER_CONVERSATION_GROUP": TraceEventType(1136, _BROKER, _DIALOG),
    "BROKER_CONNECTION": TraceEventType(1138, _BROKER, _DIALOG),
    "BROKER_FORWARDED_MESSAGE_SENT": TraceEventType(1139, _BROKER, _DIALOG),
    "BROKER_FORWARDED_MESSAGE_DROPPED": TraceEventType(1140, _BROKER, _DIALOG),
    "BROKER_MESSAGE_CLASSIFY": TraceEventType(1141, _BROKER, _DIALOG),
    "BROKER_TRANSMISSION": TraceEventType(1142, _BROKER, _DIALOG),
    "BROKER_REMOTE_MESSAGE_ACK": TraceEventType(1149, _BROKER, _DIALOG),
    "BROKER_MESSAGE_DROP": TraceEventType(1160, _BROKER, _DIALOG),
    "BROKER_CORRUPTED_MESSAGE": TraceEventType(1161, _BROKER, _DIALOG),
    "BROKER_ACTIVATION": TraceEventType(1163, _BROKER, _DIALOG),
    "DATA_FILE_AUTO_GROW": TraceEventType(1092, _DATABASE),
    "LOG_FILE_AUTO_GROW": TraceEventType(1093, _DATABASE),
    "OBJECT_CREATED": TraceEventType(1046, _OBJECTS),
    "OBJECT_DELETED": TraceEventType(1047, _OBJECTS),
    "OBJECT_ALTERED": TraceEventType(1164, _OBJECTS),
    "SERVER_MEMORY_CHANGE": TraceEventType(1081, _SERVER),
    "QN_SUBSCRIPTION": TraceEventType(1199, _NOTIFICATIONS, _SUBSCRIPTION),
    "QN_PARAMETER_TABLE": TraceEventType(1200, _NOTIFICATIONS),
    "QN_TEMPLATE": TraceEventType(1201, _NOTIFICATIONS),
    "QN_DYNAMICS": TraceEventType(1202, _NOTIFICATIONS),
}

BROKER_CLASSES: Final = {event.number - 1000: name for name, event in TRACE_EVENTS.items() if event.columns == _DIALOG}
"""The number of a class of the broker's trace -> the event."""
