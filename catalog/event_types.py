"""Event types and event groups of DDL triggers and event notifications: name -> number, number of the parent group.

Decides nothing; a table of facts (sys.event_notification_event_types). Only events that sbql can raise are here.
"""

from __future__ import annotations

from typing import Final

__all__ = ["EVENT_TYPES", "members"]


def _table() -> dict[str, tuple[int, int | None]]:
    found: dict[str, tuple[int, int | None]] = {
        "DDL_EVENTS": (10001, None), "DDL_SERVER_LEVEL_EVENTS": (10002, 10001), "DDL_DATABASE_EVENTS": (10003, 10002),
        "DDL_ENDPOINT_EVENTS": (10011, 10002), "DDL_DATABASE_LEVEL_EVENTS": (10016, 10001),
        "DDL_TABLE_VIEW_EVENTS": (10017, 10016), "DDL_TABLE_EVENTS": (10018, 10017), "DDL_VIEW_EVENTS": (10019, 10017),
        "DDL_INDEX_EVENTS": (10020, 10017), "DDL_SYNONYM_EVENTS": (10022, 10016), "DDL_FUNCTION_EVENTS": (10023, 10016),
        "DDL_PROCEDURE_EVENTS": (10024, 10016), "DDL_TRIGGER_EVENTS": (10025, 10016),
        "DDL_EVENT_NOTIFICATION_EVENTS": (10026, 10016), "DDL_TYPE_EVENTS": (10028, 10016),
        "DDL_DATABASE_SECURITY_EVENTS": (10029, 10016), "DDL_CERTIFICATE_EVENTS": (10030, 10029),
        "DDL_USER_EVENTS": (10031, 10029), "DDL_ROLE_EVENTS": (10032, 10029), "DDL_SCHEMA_EVENTS": (10034, 10029),
        "DDL_GDR_DATABASE_EVENTS": (10035, 10029), "DDL_SSB_EVENTS": (10041, 10016),
        "DDL_MESSAGE_TYPE_EVENTS": (10042, 10041), "DDL_CONTRACT_EVENTS": (10043, 10041),
        "DDL_QUEUE_EVENTS": (10044, 10041), "DDL_SERVICE_EVENTS": (10045, 10041), "DDL_ROUTE_EVENTS": (10046, 10041),
        "DDL_REMOTE_SERVICE_BINDING_EVENTS": (10047, 10041), "DDL_XML_SCHEMA_COLLECTION_EVENTS": (10048, 10016),
        "DDL_BROKER_PRIORITY_EVENTS": (10063, 10041), "BROKER_QUEUE_DISABLED": (1171, None),
        "QUEUE_ACTIVATION": (1172, None),
    }  # fmt: skip
    verbs = ("CREATE", "ALTER", "DROP")
    families = (
        ("TABLE", 10018, (21, 22, 23)), ("INDEX", 10020, (24, 25, 26)), ("SYNONYM", 10022, (34, None, 36)),
        ("VIEW", 10019, (41, 42, 43)), ("PROCEDURE", 10024, (51, 52, 53)), ("FUNCTION", 10023, (61, 62, 63)),
        ("TRIGGER", 10025, (71, 72, 73)), ("EVENT_NOTIFICATION", 10026, (74, None, 76)), ("TYPE", 10028, (91, None, 93)),
        ("USER", 10031, (131, 132, 133)), ("ROLE", 10032, (134, 135, 136)), ("SCHEMA", 10034, (141, 142, 143)),
        ("MESSAGE_TYPE", 10042, (151, 152, 153)), ("CONTRACT", 10043, (154, None, 156)), ("QUEUE", 10044, (157, 158, 159)),
        ("SERVICE", 10045, (161, 162, 163)), ("ROUTE", 10046, (164, 165, 166)),
        ("REMOTE_SERVICE_BINDING", 10047, (174, 175, 176)), ("XML_SCHEMA_COLLECTION", 10048, (177, 178, 179)),
        ("ENDPOINT", 10011, (181, 182, 183)), ("CERTIFICATE", 10030, (197, 198, 199)), ("DATABASE", 10003, (201, 202, 203)),
        ("BROKER_PRIORITY", 10063, (281, 282, 283)),
    )  # fmt: skip
    for family, group, numbers in families:
        for verb, number in zip(verbs, numbers, strict=True):
            if number is not None:
                found[f"{verb}_{family}"] = (number, group)
    for verb, number in (("GRANT", 170), ("DENY", 171), ("REVOKE", 172)):
        found[f"{verb}_DATABASE"] = (number, 10035)
    return found


EVENT_TYPES: Final = _table()
"""name -> (type, parent_type)."""


def members(name: str) -> list[str]:
    """The event types that `name` stands for: itself, or all below a group."""
    number = EVENT_TYPES[name][0]
    below = [child for child, (_, parent) in EVENT_TYPES.items() if parent == number]
    return [event for child in below for event in members(child)] if below else [name]
