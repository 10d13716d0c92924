"""Event types and event groups of DDL triggers and event notifications: name -> number, number of the parent group.

Decides nothing; a table of facts (sys.event_notification_event_types). Only events that sbql can raise are here, and
the groups above them; the names of trace events are listed so that they can be told from words that mean nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from sbql.catalog.kinds import KINDS

__all__ = ["EVENT_TYPES", "QUEUE_EVENTS", "SERVER_LEVEL", "TRACE_EVENTS", "members"]

QUEUE_EVENTS: Final = ("QUEUE_ACTIVATION", "BROKER_QUEUE_DISABLED")
SERVER_LEVEL: Final = "DDL_SERVER_LEVEL_EVENTS"

_GROUPS: Final = (
    ("DDL_EVENTS", 10001, None), ("DDL_SERVER_LEVEL_EVENTS", 10002, 10001), ("DDL_SERVER_SECURITY_EVENTS", 10005, 10002),
    ("DDL_GDR_SERVER_EVENTS", 10007, 10005), ("DDL_AUTHORIZATION_SERVER_EVENTS", 10008, 10005),
    ("DDL_DATABASE_LEVEL_EVENTS", 10016, 10001), ("DDL_TABLE_VIEW_EVENTS", 10017, 10016), ("DDL_INDEX_EVENTS", 10020, 10017),
    ("DDL_DATABASE_SECURITY_EVENTS", 10029, 10016), ("DDL_GDR_DATABASE_EVENTS", 10035, 10029),
    ("DDL_AUTHORIZATION_DATABASE_EVENTS", 10036, 10029), ("DDL_CRYPTO_SIGNATURE_EVENTS", 10039, 10029), ("DDL_SSB_EVENTS", 10041, 10016),
    ("DDL_PARTITION_EVENTS", 10049, 10016),
)  # fmt: skip
"""The groups above several kinds of objects, and of what is no kind; each kind has a group of its own."""

_OTHERS: Final = (
    ("CREATE_INDEX", 24, 10020), ("DROP_INDEX", 26, 10020), ("GRANT_SERVER", 167, 10007), ("DENY_SERVER", 168, 10007), ("REVOKE_SERVER", 169, 10007), ("GRANT_DATABASE", 170, 10035),
    ("DENY_DATABASE", 171, 10035), ("REVOKE_DATABASE", 172, 10035), ("ALTER_AUTHORIZATION_SERVER", 204, 10008),
    ("ALTER_AUTHORIZATION_DATABASE", 205, 10036), ("ADD_ROLE_MEMBER", 207, 10032), ("DROP_ROLE_MEMBER", 208, 10032),
    ("ADD_SERVER_ROLE_MEMBER", 209, 10005), ("DROP_SERVER_ROLE_MEMBER", 210, 10005), ("ADD_SIGNATURE_SCHEMA_OBJECT", 255, 10039),
    ("DROP_SIGNATURE_SCHEMA_OBJECT", 256, 10039), ("RENAME", 241, 10016), ("BROKER_QUEUE_DISABLED", 1171, None), ("QUEUE_ACTIVATION", 1172, None),
)  # fmt: skip


def _table() -> dict[str, tuple[int, int | None]]:
    found: dict[str, tuple[int, int | None]] = {name: (number, parent) for name, number, parent in (*_GROUPS, *_OTHERS)}
    groups = {number for number, _ in found.values()}
    for kind in KINDS:
        if not kind.events:
            continue
        group, above, *numbers = kind.events
        assert group is not None
        if group not in groups:
            found[f"DDL_{kind.family}_EVENTS"] = (group, above)
        for verb, number in zip(("CREATE", "ALTER", "DROP"), numbers, strict=True):
            if number is not None:
                found[f"{verb}_{kind.family}"] = (number, group)
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


EVENT_TYPES: Final = _table()
"""name -> (type, parent_type)."""

TRACE_EVENTS: Final = frozenset({
    "TRC_ALL_EVENTS", "TRC_BROKER", "TRC_CLR", "TRC_DATABASE", "TRC_DEPRECATION", "TRC_ERRORS_AND_WARNINGS", "TRC_FULL_TEXT", "TRC_LOCKS",
    "TRC_OBJECTS", "TRC_OLEDB", "TRC_PERFORMANCE", "TRC_QUERY_NOTIFICATIONS", "TRC_SECURITY_AUDIT", "TRC_SERVER", "TRC_STORED_PROCEDURES",
    "TRC_TSQL", "TRC_USER_CONFIGURABLE", "AUDIT_LOGIN", "AUDIT_LOGOUT", "AUDIT_LOGIN_FAILED", "AUDIT_BROKER_CONVERSATION",
    "AUDIT_BROKER_LOGIN", "AUDIT_SERVER_STARTS_AND_STOPS", "BLOCKED_PROCESS_REPORT", "BROKER_ACTIVATION", "BROKER_CONNECTION",
    "BROKER_CONVERSATION", "BROKER_CONVERSATION_GROUP", "BROKER_CORRUPTED_MESSAGE", "BROKER_FORWARDED_MESSAGE_DROPPED",
    "BROKER_FORWARDED_MESSAGE_SENT", "BROKER_MESSAGE_CLASSIFY", "BROKER_MESSAGE_DROP", "BROKER_REMOTE_MESSAGE_ACK", "BROKER_TRANSMISSION",
    "DATA_FILE_AUTO_GROW", "DEADLOCK_GRAPH", "ERRORLOG", "EVENTLOG", "EXCEPTION", "LOCK_DEADLOCK", "LOCK_DEADLOCK_CHAIN",
    "LOCK_ESCALATION", "LOG_FILE_AUTO_GROW", "OBJECT_ALTERED", "OBJECT_CREATED", "OBJECT_DELETED", "SERVER_MEMORY_CHANGE",
    "USER_ERROR_MESSAGE",
})  # fmt: skip
"""Events of SQL Trace, which SQL Server can notify of and sbql cannot: 40517."""


@cache
def members(name: str) -> frozenset[str]:
    """The event types that `name` stands for: itself, or all below a group."""
    number = EVENT_TYPES[name][0]
    below = [child for child, (_, parent) in EVENT_TYPES.items() if parent == number]
    return frozenset(event for child in below for event in members(child)) if below else frozenset({name})
