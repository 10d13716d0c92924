"""Event types and event groups of DDL triggers and event notifications: name -> number, number of the parent group.

Decides nothing; a table of facts (sys.event_notification_event_types). Only events that sbql can raise are here, and
the groups above them; those of SQL Trace come from `trace_event_types`.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from sbql.catalog.kinds import KINDS
from sbql.catalog.trace_event_types import TRACE_EVENTS, TRACE_GROUPS

__all__ = ["EVENT_TYPES", "LOGON", "QUEUE_EVENTS", "SERVER_LEVEL", "UNKNOWN_TRACE_EVENTS", "is_trace", "members"]

LOGON: Final = "LOGON"
"""A login: the one event that triggers can ask for and notifications cannot (theirs is AUDIT_LOGIN)."""
QUEUE_EVENTS: Final = ("QUEUE_ACTIVATION", "BROKER_QUEUE_DISABLED")
SERVER_LEVEL: Final = "DDL_SERVER_LEVEL_EVENTS"

_GROUPS: Final = (
    ("DDL_EVENTS", 10001, None), ("DDL_SERVER_LEVEL_EVENTS", 10002, 10001), ("DDL_SERVER_SECURITY_EVENTS", 10005, 10002),
    ("DDL_GDR_SERVER_EVENTS", 10007, 10005), ("DDL_AUTHORIZATION_SERVER_EVENTS", 10008, 10005),
    ("DDL_DATABASE_LEVEL_EVENTS", 10016, 10001), ("DDL_TABLE_VIEW_EVENTS", 10017, 10016), ("DDL_INDEX_EVENTS", 10020, 10017), ("DDL_STATISTICS_EVENTS", 10021, 10017),
    ("DDL_DATABASE_SECURITY_EVENTS", 10029, 10016), ("DDL_GDR_DATABASE_EVENTS", 10035, 10029),
    ("DDL_AUTHORIZATION_DATABASE_EVENTS", 10036, 10029), ("DDL_CRYPTO_SIGNATURE_EVENTS", 10039, 10029), ("DDL_SSB_EVENTS", 10041, 10016),
    ("DDL_PARTITION_EVENTS", 10049, 10016), ("DDL_EXTENDED_PROPERTY_EVENTS", 10053, 10016), ("DDL_MESSAGE_EVENTS", 10014, 10002),
)  # fmt: skip
"""The groups above several kinds of objects, and of what is no kind; each kind has a group of its own."""

_OTHERS: Final = (
    ("CREATE_INDEX", 24, 10020), ("ALTER_INDEX", 25, 10020), ("DROP_INDEX", 26, 10020), ("CREATE_XML_INDEX", 206, 10020),
    ("CREATE_STATISTICS", 27, 10021), ("UPDATE_STATISTICS", 28, 10021), ("DROP_STATISTICS", 29, 10021),
    ("CREATE_EXTENDED_PROPERTY", 222, 10053), ("ALTER_EXTENDED_PROPERTY", 211, 10053), ("DROP_EXTENDED_PROPERTY", 233, 10053),
    ("CREATE_MESSAGE", 227, 10014), ("ALTER_MESSAGE", 215, 10014), ("DROP_MESSAGE", 237, 10014), ("ALTER_INSTANCE", 214, 10002),
    ("GRANT_SERVER", 167, 10007), ("DENY_SERVER", 168, 10007), ("REVOKE_SERVER", 169, 10007), ("GRANT_DATABASE", 170, 10035),
    ("DENY_DATABASE", 171, 10035), ("REVOKE_DATABASE", 172, 10035), ("ALTER_AUTHORIZATION_SERVER", 204, 10008),
    ("ALTER_AUTHORIZATION_DATABASE", 205, 10036), ("ADD_ROLE_MEMBER", 207, 10032), ("DROP_ROLE_MEMBER", 208, 10032),
    ("ADD_SERVER_ROLE_MEMBER", 209, 10005), ("DROP_SERVER_ROLE_MEMBER", 210, 10005), ("ADD_SIGNATURE_SCHEMA_OBJECT", 255, 10039),
    ("DROP_SIGNATURE_SCHEMA_OBJECT", 256, 10039), ("RENAME", 241, 10016), (LOGON, 147, None), ("BROKER_QUEUE_DISABLED", 1171, None), ("QUEUE_ACTIVATION", 1172, None),
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
    raised = {name: event for name, event in TRACE_EVENTS.items() if event.columns}
    found |= {name: (event.number, event.group) for name, event in raised.items()}
    asked = {event.group for event in raised.values()}
    found |= {name: place for name, place in TRACE_GROUPS.items() if place[0] in asked or place[1] is None}
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


EVENT_TYPES: Final = _table()
"""name -> (type, parent_type)."""

UNKNOWN_TRACE_EVENTS: Final = frozenset({*TRACE_EVENTS, *TRACE_GROUPS} - EVENT_TYPES.keys())
"""Events of SQL Trace, which SQL Server can notify of and sbql cannot, for they do not happen here: 40517."""


def is_trace(name: str) -> bool:
    """Whether an event or group is of SQL Trace: for notifications of the server only, and sent
    whatever becomes of a transaction."""
    return name in TRACE_EVENTS or name in TRACE_GROUPS


@cache
def members(name: str) -> frozenset[str]:
    """The event types that `name` stands for: itself, or all below a group."""
    number = EVENT_TYPES[name][0]
    below = [child for child, (_, parent) in EVENT_TYPES.items() if parent == number]
    return frozenset(event for child in below for event in members(child)) if below else frozenset({name})
