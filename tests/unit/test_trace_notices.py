"""Event notifications of trace events: which come, once each, with which columns; and that what they
cause themselves is told to nobody."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sbql.catalog.event_types import EVENT_TYPES, UNKNOWN_TRACE_EVENTS, members
from sbql.catalog.trace_event_types import TRACE_EVENTS, TRACE_GROUPS
from sbql.engine.client import Client
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError

SETUP = (
    "CREATE DATABASE D",
    "USE D",
    "CREATE QUEUE N",
    "CREATE SERVICE NS ON QUEUE N ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    "CREATE TABLE A (n int PRIMARY KEY, v int)",
    "CREATE TABLE B (n int PRIMARY KEY, v int)",
    "INSERT A VALUES (1, 1); INSERT B VALUES (1, 1)",
    "CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT])",
    "CREATE LOGIN Ann WITH PASSWORD = 'Secret-1234'; CREATE LOGIN Shut WITH PASSWORD = 'Secret-1234'; ALTER LOGIN Shut DISABLE",
    "CREATE USER Ann FOR LOGIN Ann",
)


_RECEIVE = "DECLARE @t TABLE (x nvarchar(max)); RECEIVE CAST(message_body AS nvarchar(max)) AS x FROM N INTO @t; SELECT x FROM @t"


class Watched:
    """An instance, a session that looks at what was told, and a session for what is done."""

    def __init__(self) -> None:
        self.instance = Instance.open(clock="virtual")
        self.reader = self.instance.connect()
        for text in SETUP:
            self.read(text)
        self.worker = self.session()

    def begin(self) -> None:
        """As it was at first: one instance serves all tests."""
        for session in list(self.instance.sessions.values()):
            if session is not self.reader and not session.is_background:
                session.close()
        for (name,) in self.read("SELECT name FROM sys.server_event_notifications"):
            self.read(f"DROP EVENT NOTIFICATION {name} ON SERVER")
        self.read("ALTER QUEUE Q WITH ACTIVATION (DROP); DROP PROCEDURE IF EXISTS P")
        self.instance.configuration.pop("blocked process threshold (s)", None)
        self.told()
        self.worker = self.session()

    def session(self) -> Session:
        return self.instance.connect(database="D")

    def read(self, text: str) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for outcome in self.reader.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
            if isinstance(outcome, ResultSet):
                rows = outcome.rows
        return rows

    def listen(self, *events: str) -> None:
        self.read(f"CREATE EVENT NOTIFICATION E ON SERVER FOR {', '.join(events)} TO SERVICE 'NS', 'current database'")

    def told(self) -> list[ET.Element]:
        """What has come since the last look, all of it well formed."""
        self.instance.wait_idle()
        found: list[ET.Element] = []
        while rows := self.read(_RECEIVE):
            found += [ET.fromstring(text.lstrip("\ufeff")) for (text,) in rows if text]
        return found


@pytest.fixture(scope="module")
def shared() -> Iterator[Watched]:
    found = Watched()
    yield found
    found.instance.close()


@pytest.fixture
def watched(shared: Watched) -> Watched:
    shared.begin()
    return shared


def columns(document: ET.Element) -> dict[str, str]:
    return {child.tag: child.text or "" for child in document}


def deadlock(watched: Watched) -> tuple[Session, Session]:
    one, two = watched.session(), watched.session()
    one.run("BEGIN TRANSACTION; UPDATE A SET v = 2")
    two.run("BEGIN TRANSACTION; UPDATE B SET v = 2")
    loop = watched.instance.loop
    assert loop is not None
    loop.start(one, "UPDATE B SET v = 3")
    loop.settle()
    two.run("UPDATE A SET v = 3")
    return one, two


def dialog(watched: Watched) -> None:
    watched.worker.run(
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x'); END CONVERSATION @h"
    )


def refused(watched: Watched) -> None:
    with pytest.raises(SqlError):
        watched.instance.connect(login="Shut", client=Client(address="10.0.0.9"))


def activation(watched: Watched) -> None:
    watched.read("CREATE PROCEDURE P AS RECEIVE * FROM Q")
    watched.read(
        "ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = P, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
    )
    dialog(watched)


DEEDS: dict[str, tuple[Callable[[Watched], Any], int | None]] = {
    "AUDIT_LOGIN": (lambda w: w.instance.connect(login="Ann", database="D"), 1),
    "AUDIT_LOGOUT": (lambda w: w.worker.close(), 1),
    "AUDIT_LOGIN_FAILED": (refused, 1),
    "ERRORLOG": (lambda w: w.worker.run("RAISERROR('written down', 10, 1) WITH LOG"), 1),
    "EXCEPTION": (lambda w: w.worker.run("SELECT 1 / 0"), 1),
    "USER_ERROR_MESSAGE": (lambda w: w.worker.run("SELECT 1 / 0"), 1),
    "DEADLOCK_GRAPH": (deadlock, 1),
    "LOCK_DEADLOCK": (deadlock, 1),
    "LOCK_DEADLOCK_CHAIN": (deadlock, 2),
    "BROKER_CONVERSATION": (dialog, None),
    "BROKER_CONVERSATION_GROUP": (dialog, None),
    "BROKER_MESSAGE_CLASSIFY": (dialog, None),
    "BROKER_ACTIVATION": (activation, None),
}
"""Event -> what makes it happen, and how often it comes then (None: at least once)."""

OF_A_NETWORK = {
    "AUDIT_BROKER_CONVERSATION", "AUDIT_BROKER_LOGIN", "BROKER_CONNECTION", "BROKER_FORWARDED_MESSAGE_SENT", "BROKER_FORWARDED_MESSAGE_DROPPED",
    "BROKER_TRANSMISSION", "BROKER_REMOTE_MESSAGE_ACK", "BROKER_MESSAGE_DROP", "BROKER_CORRUPTED_MESSAGE",
}  # fmt: skip


def test_every_event_is_tried() -> None:
    known = {name for name, event in TRACE_EVENTS.items() if event.columns}
    of_a_client = {"QN_SUBSCRIPTION"}  # tests/doors/test_query_notifications.py
    assert known == {*DEEDS, *OF_A_NETWORK, *of_a_client, "BLOCKED_PROCESS_REPORT"}


@pytest.mark.parametrize("event", DEEDS)
@pytest.mark.spec("TRACED-1", "TRACED-5")
def test_an_event_comes_as_often_as_it_happens(watched: Watched, event: str) -> None:
    deed, count = DEEDS[event]
    watched.listen(event)
    watched.instance.wait_idle()
    watched.told()
    deed(watched)
    told = watched.told()
    assert len(told) == count if count is not None else told
    for document in told:
        found = columns(document)
        names = list(found)
        assert names[:3] == ["EventType", "PostTime", "SPID"] and found["EventType"] == event
        wanted = TRACE_EVENTS[event].columns
        assert [n for n in wanted if n in names] == names[3:], "its columns, in their order"
        assert found["ServerName"] == "SBQL"
    watched.instance.loop.advance(60)  # type: ignore[union-attr]
    assert watched.told() == [], "and none of what the notification itself has caused"


@pytest.mark.parametrize(
    ("event", "wanted"),
    [
        ("AUDIT_LOGIN", {"LoginName": "Ann", "SessionLoginName": "Ann", "Success": "1", "EventSubClass": "1", "DatabaseName": "D", "ApplicationName": "sbql"}),
        ("AUDIT_LOGIN_FAILED", {"LoginName": "Shut", "Success": "0", "Error": "18456", "Severity": "14", "TextData": "Login failed for user 'Shut'. [CLIENT: 10.0.0.9]"}),
        ("EXCEPTION", {"Error": "8134", "Severity": "16", "State": "1", "TextData": "Error: 8134, Severity: 16, State: 1", "DatabaseName": "D"}),
        ("USER_ERROR_MESSAGE", {"Error": "8134", "LoginName": "sa"}),
        ("LOCK_DEADLOCK", {"Mode": "5"}),
    ],
)  # fmt: skip
def test_what_an_event_says(watched: Watched, event: str, wanted: dict[str, str]) -> None:
    watched.listen(event)
    DEEDS[event][0](watched)
    found = columns(watched.told()[0])
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.spec("TRACED-2")
def test_a_rollback_takes_no_event_back_and_a_caught_error_is_an_exception(watched: Watched) -> None:
    watched.listen("EXCEPTION", "USER_ERROR_MESSAGE")
    watched.worker.run("BEGIN TRANSACTION; BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH END CATCH; ROLLBACK")
    assert [columns(one)["EventType"] for one in watched.told()] == ["EXCEPTION"]


@pytest.mark.spec("TRACED-3")
def test_the_graph_of_a_deadlock(watched: Watched) -> None:
    watched.listen("DEADLOCK_GRAPH")
    one, two = deadlock(watched)
    graph = watched.told()[0].find("TextData/deadlock-list/deadlock")
    assert graph is not None
    processes = {p.get("id"): p for p in graph.findall("process-list/process")}
    victim = processes[graph.get("victim")]
    assert victim.get("spid") == str(two.spid) and victim.findtext("inputbuf") == "UPDATE A SET v = 3"
    assert {p.get("spid") for p in processes.values()} == {str(one.spid), str(two.spid)}
    assert {p.get("trancount") for p in processes.values()} == {"1"}
    locks = list(graph.find("resource-list"))  # type: ignore[arg-type]
    assert {lock.get("objectname") for lock in locks} == {"A", "B"}
    for lock in locks:
        owner, waiter = lock.find("owner-list/owner"), lock.find("waiter-list/waiter")
        assert owner is not None and waiter is not None
        assert {owner.get("id"), waiter.get("id")} == set(processes), "a ring: each holds what the other waits for"


@pytest.mark.spec("TRACED-4")
def test_reports_of_a_blocked_process(watched: Watched) -> None:
    """One each time that the threshold has passed, until the wait is over; none while the threshold is 0."""
    watched.listen("BLOCKED_PROCESS_REPORT")
    loop = watched.instance.loop
    assert loop is not None
    blocked = watched.session()
    watched.worker.run("BEGIN TRANSACTION; UPDATE A SET v = 2")
    loop.start(blocked, "SET LOCK_TIMEOUT 40000; UPDATE A SET v = 3")
    loop.advance(30)
    assert watched.told() == []
    loop.advance(30)
    watched.read(
        "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'blocked process threshold (s)', 10; RECONFIGURE"
    )
    loop.start(blocked, "SET LOCK_TIMEOUT -1; UPDATE A SET v = 3")
    loop.advance(9)
    assert watched.told() == []
    loop.advance(21)
    reports = watched.told()
    assert [columns(one)["Duration"] for one in reports] == ["10000000", "20000000", "30000000"]
    report = reports[0].find("TextData/blocked-process-report")
    assert report is not None
    waiting, holding = report.find("blocked-process/process"), report.find("blocking-process/process")
    assert waiting is not None and holding is not None
    assert (waiting.get("spid"), holding.get("spid")) == (str(blocked.spid), str(watched.worker.spid))
    assert waiting.get("waittime") == "10000" and holding.get("status") == "sleeping"
    assert waiting.findtext("inputbuf") == "SET LOCK_TIMEOUT -1; UPDATE A SET v = 3"
    watched.worker.run("COMMIT")
    loop.advance(60)
    assert watched.told() == []


@pytest.mark.spec("NOTIFY-5")
def test_where_trace_events_may_be_asked_for(watched: Watched) -> None:
    for name in sorted({*TRACE_EVENTS, *TRACE_GROUPS}):
        ask_for(watched, name)


def ask_for(watched: Watched, name: str) -> None:
    if name in UNKNOWN_TRACE_EVENTS:
        with pytest.raises(SqlError) as raised:
            watched.listen(name)
        assert raised.value.number == 40517 and name in raised.value.message
    else:
        watched.listen(name)
        number, parent = EVENT_TYPES[name]
        assert watched.read(
            f"SELECT type, parent_type FROM sys.event_notification_event_types WHERE type_name = '{name}'"
        ) == [(number, parent)]
        shown = watched.read(
            "SELECT e.type_desc FROM sys.server_events e JOIN sys.server_event_notifications n ON n.object_id = e.object_id"
        )
        assert {row[0] for row in shown} == members(name)
        watched.read("DROP EVENT NOTIFICATION E ON SERVER")
    for text in (
        f"CREATE EVENT NOTIFICATION X ON DATABASE FOR {name} TO SERVICE 'NS', 'current database'",
        f"CREATE TRIGGER X ON ALL SERVER FOR {name} AS RETURN",
    ):
        with pytest.raises(SqlError) as raised:
            watched.read(text)
        assert raised.value.number == 1084
    assert watched.read(f"SELECT COUNT(*) FROM sys.trigger_event_types WHERE type_name = '{name}'") == [(0,)]


@pytest.mark.spec("NOTIFY-10")
def test_who_may_ask_for_trace_events(watched: Watched) -> None:
    ann = watched.instance.connect(login="Ann", database="D")
    text = "CREATE EVENT NOTIFICATION X ON SERVER FOR AUDIT_LOGIN TO SERVICE 'NS', 'current database'"

    def number() -> int:
        return next((o.error.number for o in ann.run(text) if isinstance(o, ErrorOutcome)), 0)

    assert number() == 300
    watched.read("USE master; GRANT CREATE DDL EVENT NOTIFICATION TO Ann; USE D")
    assert number() == 300
    watched.read("USE master; GRANT CREATE TRACE EVENT NOTIFICATION TO Ann; USE D")
    assert number() == 0
