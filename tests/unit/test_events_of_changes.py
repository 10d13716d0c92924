"""Which event each statement that changes something is to DDL triggers and event notifications: after the pages "DDL
Events" and "DDL Event Groups" of SQL Server's documentation, where an event has the words of its statement.
"""

from __future__ import annotations

import re

import pytest
from changes import CHANGES, prepare, settle
from told import told

from sbql.catalog.event_types import EVENT_TYPES
from sbql.engine.instance import Instance
from sbql.engine.prepared import PreparedInstance
from sbql.engine.session import Session
from sbql.grammar import ast
from sbql.grammar.parser import parse_batch

OTHER_WORDS: dict[str, str] = {
    r"CREATE (UNIQUE |CLUSTERED |NONCLUSTERED |COLUMNSTORE )+INDEX": "CREATE_INDEX",
    r"CREATE (PRIMARY )?XML INDEX": "CREATE_XML_INDEX",
    r"CREATE OR ALTER PROCEDURE": "ALTER_PROCEDURE",
    r"(EN|DIS)ABLE TRIGGER": "ALTER_TRIGGER",
    r"ALTER SCHEMA \w+ TRANSFER": "ALTER_SCHEMA",
    r"ALTER AUTHORIZATION": "ALTER_AUTHORIZATION_DATABASE",
    r"ALTER ROLE \w+ ADD MEMBER": "ADD_ROLE_MEMBER",
    r"ALTER ROLE \w+ DROP MEMBER": "DROP_ROLE_MEMBER",
    r"ALTER SERVER ROLE \w+ ADD MEMBER": "ADD_SERVER_ROLE_MEMBER",
    r"ALTER SERVER ROLE \w+ DROP MEMBER": "DROP_SERVER_ROLE_MEMBER",
    r"ADD (COUNTER )?SIGNATURE": "ADD_SIGNATURE_SCHEMA_OBJECT",
    r"DROP (COUNTER )?SIGNATURE": "DROP_SIGNATURE_SCHEMA_OBJECT",
    r"(GRANT|DENY|REVOKE)\b": r"\1_DATABASE",
    r"EXEC master.sys.sp_executesql N'(GRANT|DENY|REVOKE)\b": r"\1_SERVER",
    r"EXEC sp_rename\b": "RENAME",
    r"EXEC sp_addextendedproperty\b": "CREATE_EXTENDED_PROPERTY",
    r"EXEC sp_updateextendedproperty\b": "ALTER_EXTENDED_PROPERTY",
    r"EXEC sp_dropextendedproperty\b": "DROP_EXTENDED_PROPERTY",
    r"EXEC sp_addmessage\b": "CREATE_MESSAGE",
    r"EXEC sp_altermessage\b": "ALTER_MESSAGE",
    r"EXEC sp_dropmessage\b": "DROP_MESSAGE",
    r"EXEC sp_configure\b": "ALTER_INSTANCE",
    r"EXEC sp_addtype\b": "CREATE_TYPE",
    r"EXEC sp_droptype\b": "DROP_TYPE",
    r"EXEC sp_changedbowner\b": "ALTER_AUTHORIZATION_DATABASE",
    r"EXEC sp_settriggerorder\b": "ALTER_TRIGGER",
}
"""Beginnings of statements whose event has other words."""
SEVERAL = {
    "DISABLE TRIGGER ALL ON w": ["ALTER_TRIGGER"] * 4,
    "DROP FUNCTION f2, tf": ["DROP_FUNCTION"] * 2,
}
NOT_HERE = (
    "ALTER QUEUE q REBUILD", "ALTER QUEUE q REORGANIZE", "SELECT * INTO", "EXEC sp_recompile", "EXEC sp_refresh", "EXEC sp_ms_marksystemobject",
    "TRUNCATE TABLE", "CREATE DATABASE SCOPED", "ALTER DATABASE SCOPED", "DROP DATABASE SCOPED",
)  # fmt: skip
"""Without an event here."""
NO_DEFINITIONS = (
    ast.SelectStatement, ast.InsertStatement, ast.UpdateStatement, ast.DeleteStatement, ast.MergeStatement, ast.DeclareStatement,
)  # fmt: skip


@pytest.fixture(scope="module")
def image() -> PreparedInstance:
    instance = Instance.open(clock="virtual", seed=1)
    prepare(instance)
    session = instance.connect(database="D")
    event = "EVENTDATA().value('(/EVENT_INSTANCE/EventType)[1]', 'varchar(100)')"
    for text in (
        "CREATE TABLE master.dbo.heard (n int IDENTITY, event varchar(100))",
        f"CREATE TRIGGER zz_s ON ALL SERVER FOR DDL_EVENTS AS INSERT master.dbo.heard SELECT {event}",
    ):
        assert told(session, text) == []
    return PreparedInstance(instance)


def event_of(text: str) -> list[str]:
    for words, event in OTHER_WORDS.items():
        if found := re.match(words, text):
            return [found.expand(event)]
    words = re.findall(r"[A-Z]+(?= |$)", text)
    while words and "_".join(words) not in EVENT_TYPES:
        del words[-1]
    return ["_".join(words)] if words else []


def wanted(change: str) -> list[str]:
    if change in SEVERAL:
        return SEVERAL[change]
    statements = parse_batch(change).statements
    found: list[str] = []
    for node in statements:
        text = change[node.span.start : node.span.end]
        if not isinstance(node, NO_DEFINITIONS) and not text.startswith(NOT_HERE):
            found += event_of(text)
    return found


def heard(session: Session) -> list[str]:
    events = [row[0] for row in told(session, "SELECT event FROM master.dbo.heard ORDER BY n")]  # type: ignore[index]
    told(session, "TRUNCATE TABLE master.dbo.heard")
    return events


@pytest.mark.matrix
@pytest.mark.spec(
    "DDLEVENT-93", "DDLEVENT-94", "DDLEVENT-95", "DDLEVENT-96", "DDLEVENT-97", "DDLEVENT-98", "DDLEVENT-99",
    "DDLEVENT-100", "DDLEVENT-101", "DDLEVENT-102", "DDLEVENT-103", "DDLEVENT-104", "DDLEVENT-105",
)  # fmt: skip
@pytest.mark.parametrize("topic", CHANGES)
def test_each_statement_is_the_event_of_its_words(image: PreparedInstance, topic: str) -> None:
    instance = image.open()
    session = instance.connect(database="D")
    wrong = []
    for change in CHANGES[topic]:
        assert told(session, change) == [], change
        events = heard(session)
        if events != wanted(change):
            wrong.append((change, events, wanted(change)))
        settle(instance)
    assert wrong == []
    instance.close()
