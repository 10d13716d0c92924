"""What fails behind a commit, wherever and however: the commit stands, for its session, for others and on disk; its
statement has no error; the error log has a line, and an interrupt is raised when all is done."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from told import told

from sbql.engine import notices
from sbql.engine.instance import Instance
from sbql.engine.session import Session

pytestmark = pytest.mark.matrix

SETUP = (
    "CREATE DATABASE shop",
    "USE shop; CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE QUEUE n; CREATE SERVICE ns ON QUEUE n ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    "CREATE TABLE h (h uniqueidentifier); CREATE TABLE t (id int IDENTITY, n int NOT NULL); INSERT t VALUES (0), (0)",
    "CREATE TABLE taken (n int)",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)",
    "CREATE EVENT NOTIFICATION e ON DATABASE FOR CREATE_TABLE TO SERVICE 'ns', 'current database'",
    "CREATE PROCEDURE p AS SELECT 1 WHERE 1 = 0",
    "ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)",
    "CREATE TABLE #old (n int)",
)
SEND = "DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h (0x01)"
TABLES = "BEGIN TRAN; TRUNCATE TABLE t; INSERT t VALUES (7); INSERT taken VALUES (1); CREATE TABLE #x (n int); INSERT #x VALUES (1); DROP TABLE #old"
SHAPES = {
    "SEND": ("", SEND),
    "tables": (TABLES, "COMMIT"),
    "all in one": (f"{TABLES}; {SEND}", "COMMIT"),
    "RECEIVE and tables": (f"{SEND}; {TABLES}; RECEIVE * FROM q", "COMMIT"),
    "DDL": (f"BEGIN TRAN; INSERT taken VALUES (1); CREATE TABLE u (n int); DROP TABLE #old; {SEND}", "COMMIT"),
}
"""What runs before the commit, and what commits."""
WITH_TABLES = {"tables", "all in one", "RECEIVE and tables"}
STEPS = {
    "clock": "of the tables: who has read them looks again",
    "feed": "who is told of rows",
    "catalog": "who is told of definitions",
    "event": "notifications of definitions",
    "callback": "what a statement has left for the end",
    "lock": "who waits for a table",
    "memory": "waiting for the disk, when it is full",
    "scheduler": "whatever follows from transactions",
    "thread": "that of an activated task",
}
KINDS = {
    "RuntimeError": RuntimeError("can't start new thread"),
    "KeyboardInterrupt": KeyboardInterrupt(),
    "OSError": OSError(28, "No space left on device"),
    "ValueError": ValueError("a bug"),
}


def has(shape: str, step: str) -> bool:
    if step in ("catalog", "event"):
        return shape == "DDL"
    if step in ("memory", "scheduler", "thread"):
        return shape != "tables" and not (step == "thread" and shape == "RECEIVE and tables")
    return shape != "SEND"


CASES = [(shape, step, kind) for shape in SHAPES for step in STEPS for kind in KINDS if has(shape, step)]


class Failing:
    """Stands in the place of a call, which is made; then, once and in the thread of the test, it fails."""

    def __init__(self, real: Callable[..., Any], error: BaseException) -> None:
        self.real, self.error, self.has_failed = real, error, False
        self.thread = threading.get_ident()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        found = self.real(*arguments, **named)
        if not self.has_failed and threading.get_ident() == self.thread:
            self.has_failed = True
            raise self.error
        return found


def put(
    monkeypatch: pytest.MonkeyPatch, instance: Instance, waiting: Session, step: str, error: BaseException
) -> Failing:
    owners: dict[str, tuple[object, str]] = {
        "clock": (instance.store, "committed"),
        "feed": (instance.store.feed, "publish"),
        "catalog": (instance.subscriptions, "catalog_changed"),
        "event": (instance.scheduler._notices, "note_event"),
        "callback": (instance.tables, "forget"),
        "memory": (instance.store, "relieve"),
        "scheduler": (instance.scheduler, "after_transaction"),
    }
    if step == "lock":
        assert waiting.waiting_for is not None
        waiter = waiting.waiting_for.waiter
        assert waiter.on_wake is not None
        waiter.on_wake = failing = Failing(waiter.on_wake, error)
    elif step == "thread":
        start, launch_all = threading.Thread.start, instance.scheduler._launch_all
        failing = Failing(lambda: None, error)

        def begin(self: threading.Thread) -> None:
            if self.name.startswith("activated"):
                failing()
            start(self)

        def launch_here() -> None:
            """Whoever comes first, a session or the background work, starts what is to be started."""
            if threading.get_ident() == failing.thread:
                launch_all()

        monkeypatch.setattr(threading.Thread, "start", begin)
        monkeypatch.setattr(instance.scheduler, "_launch_all", launch_here)
    else:
        if step == "event":  # what could not be sent with the definition
            monkeypatch.setattr(notices.Notices, "_is_sent", lambda *_: False)
        owner, name = owners[step]
        failing = Failing(getattr(owner, name), error)
        monkeypatch.setattr(owner, name, failing)
    return failing


@contextlib.contextmanager
def two_waiting(instance: Instance) -> Iterator[Session]:
    """Two sessions wait for the table `taken`, and come to it in the end. Yields the first of them."""
    sessions = [instance.connect("shop"), instance.connect("shop")]
    threads = []
    for session in sessions:
        threads.append(threading.Thread(target=told, args=(session, "TRUNCATE TABLE taken"), daemon=True))
        threads[-1].start()
        while session.waiting_for is None or session.waiting_for.waiter.on_wake is None:
            assert threads[-1].is_alive()
    yield sessions[0]
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive(), "both were woken"


def there(session: Session, shape: str) -> None:
    """What was committed, for anybody."""
    sent = 0 if shape in ("tables", "RECEIVE and tables") else 1
    assert told(session, "SELECT COUNT(*) FROM q WITH (NOLOCK)") == [(sent,)]
    if shape in WITH_TABLES:
        assert told(session, "SELECT id, n FROM t") == [(1, 7)]
    if shape == "DDL":
        assert told(session, "SELECT COUNT(*) FROM u") == [(0,)]


@contextlib.contextmanager
def opened(path: str) -> Iterator[tuple[Instance, Session, Session]]:
    with contextlib.closing(Instance.open(path)) as instance:
        session = instance.connect()
        for text in SETUP:
            assert not told(session, text)
        yield instance, session, instance.connect("shop")


@pytest.mark.parametrize(("shape", "step", "kind"), CASES)
def test_a_commit_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, step: str, kind: str) -> None:
    path, error, (body, last) = str(tmp_path / "s.duckdb"), KINDS[kind], SHAPES[shape]
    with opened(path) as (instance, session, other):
        assert shape == "RECEIVE and tables" or not body or not told(session, body)
        if shape == "RECEIVE and tables":
            assert len(told(session, body)) == 1
        with two_waiting(instance) if step == "lock" else contextlib.nullcontext(session) as waiting:
            failing = put(monkeypatch, instance, waiting, step, error)
            if isinstance(error, Exception):
                assert told(session, last) == []
            else:
                with pytest.raises(KeyboardInterrupt):
                    told(session, last)
            assert failing.has_failed
            monkeypatch.undo()
        if isinstance(error, Exception):
            assert [record.text for record in instance.error_log if str(error) in record.text]
        assert told(session, "SELECT @@TRANCOUNT, XACT_STATE()") == [(0, 0)]
        there(other, shape)
        there(session, shape)
        if shape in WITH_TABLES:
            assert told(
                session, "SELECT n FROM #x; INSERT t VALUES (8); SELECT MAX(id) FROM t; DELETE t WHERE n = 8"
            ) == [(1,), (2,)]
        assert told(session, "SELECT COUNT(*) FROM #old") == ([208] if body else [(0,)])
        assert told(other, "SET LOCK_TIMEOUT 0; TRUNCATE TABLE taken; CREATE TABLE v (n int); DROP TABLE v") == []
    with contextlib.closing(Instance.open(path)) as instance:
        there(instance.connect("shop"), shape)
