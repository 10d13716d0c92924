"""A task that cannot be started, for the computer has no thread for it: everything is as before, the error
log says so, and it is tried again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from told import told

from sbql.engine import cancelling, notices, scheduler
from sbql.engine.instance import Instance
from sbql.engine.patience import Patience, Terms, Watch
from sbql.engine.session import Cancelled

SETUP = (
    "CREATE DATABASE shop",
    "USE shop; CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE TABLE h (h uniqueidentifier); CREATE TABLE got (n int)",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)",
    "CREATE QUEUE n; CREATE SERVICE ns ON QUEUE n ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    "CREATE EVENT NOTIFICATION e ON DATABASE FOR CREATE_TABLE TO SERVICE 'ns', 'current database'",
    "CREATE PROCEDURE p AS DECLARE @n int = 1; WHILE @n > 0 BEGIN RECEIVE TOP (1) * FROM q; SET @n = @@ROWCOUNT; IF @n > 0 INSERT got VALUES (1) END",
    "ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)",
)
SEND = "DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h (0x01)"
NO_THREAD = "can't start new thread"


def prepared(instance: Instance) -> Any:
    session = instance.connect()
    for text in SETUP:
        assert not told(session, text)
    return session


def refusing(real: Callable[..., Any], name: str, times: int) -> Callable[..., Any]:
    """`spawn`, without a thread for so many works of this name."""
    left = [times]

    def spawn(work: Any, session: Any, called: str, done: Any) -> None:
        if called.startswith(name) and left[0]:
            left[0] -= 1
            raise RuntimeError(NO_THREAD)
        real(work, session, called, done)

    return spawn


def lines(instance: Instance) -> list[str]:
    return [record.text for record in instance.error_log if NO_THREAD in record.text]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("messages", [1, 3])
def test_a_task_is_started_later(
    monkeypatch: pytest.MonkeyPatch, instance: Instance, times: int, messages: int
) -> None:
    session = prepared(instance)
    sessions = list(instance.sessions)
    monkeypatch.setattr(instance.driver, "spawn", refusing(instance.driver.spawn, "activated", times))
    assert not told(session, SEND)
    assert list(instance.sessions) == sessions and not instance.scheduler.tasks
    assert told(session, "SELECT state FROM sys.dm_broker_queue_monitors WHERE queue_id = OBJECT_ID('q')") == [
        ("INACTIVE",)
    ]
    assert told(session, "SELECT COUNT(*) FROM sys.dm_broker_activated_tasks") == [(0,)]
    for _ in range(messages - 1):
        assert not told(session, SEND)
    assert instance.wait_idle()
    assert told(session, "SELECT COUNT(*) FROM got") == [(messages,)]
    assert list(instance.sessions) == sessions and len(lines(instance)) == times


def test_in_threads_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of the one that does not start, and closing waits for none."""
    monkeypatch.setattr(scheduler, "_PAUSE", 0.01)
    instance = Instance.open()
    session = prepared(instance)
    start, refused = threading.Thread.start, []

    def begin(self: threading.Thread) -> None:
        if self.name.startswith("activated") and len(refused) < 3:
            refused.append(self)
            raise RuntimeError(NO_THREAD)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", begin)
    assert not told(session, SEND)
    assert instance.wait_idle(30)
    assert told(session, "SELECT COUNT(*) FROM got") == [(1,)] and len(refused) == 3 == len(lines(instance))
    refused.clear()
    monkeypatch.setattr(scheduler, "_PAUSE", 3600.0)
    assert not told(session, SEND)
    instance.close()


@pytest.mark.parametrize("times", [1, 3])
def test_a_notification_is_sent_later(monkeypatch: pytest.MonkeyPatch, instance: Instance, times: int) -> None:
    """While somebody holds its conversation group it has a task of its own."""
    session = prepared(instance)
    leave_to_the_background(monkeypatch, is_free=False)
    monkeypatch.setattr(instance.driver, "spawn", refusing(instance.driver.spawn, "notification", times))
    for number in range(4):
        assert not told(session, f"CREATE TABLE t{number} (n int)")
    assert instance.wait_idle()
    assert order(session) == [f"t{number}" for number in range(4)]
    assert len(lines(instance)) == times


def leave_to_the_background(monkeypatch: pytest.MonkeyPatch, *, is_free: bool) -> None:
    """As if somebody held the conversation group when the definition was committed, and, unless `is_free`, still."""
    monkeypatch.setattr(notices.Notices, "_is_sent", lambda *_: False)
    monkeypatch.setattr(notices.Notices, "_is_free", lambda *_: is_free)


def order(session: Any) -> list[Any]:
    text = "SELECT CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM n WHERE message_type_name LIKE '%EventNotification' ORDER BY queuing_order"
    return [name for (name,) in told(session, text)]  # type: ignore[misc]


@pytest.mark.parametrize("is_free", [True, False])
@pytest.mark.parametrize("error", [ValueError("a bug"), OSError(28, "full"), RuntimeError("no thread")])
def test_a_job_that_fails_takes_no_other_along(
    monkeypatch: pytest.MonkeyPatch, instance: Instance, is_free: bool, error: Exception
) -> None:
    session = prepared(instance)
    post, failed = notices.post, []

    def broken(broker: Any, notification: Any, body: bytes) -> Any:
        if b"t\x001\x00" in body:
            failed.append(body)
            raise error
        return post(broker, notification, body)

    monkeypatch.setattr(notices, "post", broken)
    leave_to_the_background(monkeypatch, is_free=is_free)
    text = "; ".join(f"CREATE TABLE t{number} (n int)" for number in range(4))
    assert not told(session, text)
    assert instance.wait_idle()
    assert order(session) == ["t0", "t2", "t3"] and len(failed) == 1
    assert [record.text for record in instance.error_log if str(error) in record.text]


def test_a_killed_task_leaves_its_jobs(monkeypatch: pytest.MonkeyPatch, instance: Instance) -> None:
    """Whoever comes next does them, in their order."""
    session = prepared(instance)
    post, killed = notices.post, []

    def cancelled(broker: Any, notification: Any, body: bytes) -> Any:
        if b"t\x001\x00" in body and not killed:
            killed.append(body)
            raise Cancelled
        return post(broker, notification, body)

    monkeypatch.setattr(notices, "post", cancelled)
    leave_to_the_background(monkeypatch, is_free=False)
    assert not told(session, "; ".join(f"CREATE TABLE t{number} (n int)" for number in range(4)))
    assert instance.wait_idle()
    assert order(session) == [f"t{number}" for number in range(4)] and killed


def test_a_wait_goes_on_without_its_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError(NO_THREAD)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    Watch(Patience(list, Terms(), 1.0), lambda: None).stop()


def test_a_cancel_asks_once_at_least(monkeypatch: pytest.MonkeyPatch, instance: Instance) -> None:
    session = instance.connect()
    session.is_running = session.cancel_requested = True

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError(NO_THREAD)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    cancelling.insist(session)
    assert session not in cancelling._asking
    session.is_running = False
