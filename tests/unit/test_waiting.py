"""Waiting in threads: late wake-ups, shared locks, what a running session says of itself, idleness, and the end of an
instance."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from sbql.engine.drivers import ThreadDriver
from sbql.engine.host import SystemHost
from sbql.engine.instance import Instance
from sbql.engine.locks import LockOwner, LockTable, Waits
from sbql.engine.outcomes import ResultSet
from sbql.engine.session import Session
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.build import is_compiled
from sbql.grammar.errors import sql_error

POISONED = """
CREATE MESSAGE TYPE m; CREATE CONTRACT c (m SENT BY ANY); CREATE QUEUE q; CREATE SERVICE s ON QUEUE q (c);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT c WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE m (0x01);
GO
DECLARE @i int = 0;
WHILE @i < 5 BEGIN BEGIN TRAN; RECEIVE * FROM q; ROLLBACK; SET @i += 1 END
"""


@pytest.fixture
def instance() -> Iterator[Instance]:
    opened = Instance.open()
    session = opened.connect()
    session.run("CREATE DATABASE Shop")
    session.close()
    yield opened
    opened.close()


def run(session: Session, script: str) -> None:
    for batch in script.split("\nGO\n"):
        session.run(batch)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        threading.Event().wait(0.002)


def test_a_late_wake_up_of_an_earlier_wait_does_not_end_this_one() -> None:
    driver = ThreadDriver(SystemHost())
    first = Waiter()

    def work() -> Work:
        threading.Timer(0.01, first.wake).start()
        yield Suspend(first, None, "first")
        began = time.monotonic()
        threading.Timer(0.02, first.wake).start()
        yield Suspend(Waiter(), driver.host.now() + 0.1, "second")
        return time.monotonic() - began

    assert driver.run(work()) >= 0.09


@pytest.mark.skipif(is_compiled(), reason="nothing can be put between two steps of machine code")
def test_a_shared_request_goes_on_beside_a_shared_holder_that_came_in_between() -> None:
    locks, writer, reader, late = LockTable(), LockOwner("writer"), LockOwner("reader"), LockOwner("late")
    assert locks.try_acquire(writer, "row")
    real, taken = locks._cycle, []

    def meanwhile(start: LockOwner) -> list[Waits]:
        if not taken:
            taken.append(locks._free(writer, "row"))
            locks._locks.setdefault("row", type(lock)()).holders[reader] = "S"
        return real(start)

    lock = locks._locks["row"]
    locks._cycle = meanwhile  # type: ignore[method-assign]
    waiting = locks.acquire(late, "row", "S")
    assert next(waiting).waiter.woken
    with pytest.raises(StopIteration):
        next(waiting)


def test_a_lock_that_nobody_holds_or_waits_for_is_forgotten() -> None:
    locks, holder, other = LockTable(), LockOwner("holder"), LockOwner("other")
    locks.try_acquire(holder, "row")
    waiting = locks.acquire(other, "row")
    next(waiting)
    locks.release_all(holder)
    waiting.close()
    assert not locks._locks


def test_a_reader_whose_wait_timed_out_is_running(instance: Instance) -> None:
    session = instance.connect("Shop")
    run(session, "CREATE QUEUE q")
    seen: list[object] = []
    session.run(
        "WAITFOR (RECEIVE * FROM q), TIMEOUT 1; PRINT 'on';", sink=lambda outcome: seen.append(session.waiting_for)
    )
    assert seen
    assert all(waiting is None for waiting in seen)


def test_an_instance_is_not_idle_while_a_launched_task_gets_its_session(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = instance.connect("Shop")
    idle: list[bool] = []
    real = instance.new_session

    def look(*args: object, **how: object) -> Session:
        idle.append(instance.scheduler.is_idle())
        return real(*args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(instance, "new_session", look)
    run(
        session,
        "CREATE MESSAGE TYPE m; CREATE CONTRACT c (m SENT BY ANY)\nGO\nCREATE PROCEDURE p AS RECEIVE * FROM q\nGO\n"
        "CREATE QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)\n"
        "CREATE SERVICE s ON QUEUE q (c)\nGO\nDECLARE @h uniqueidentifier\n"
        "BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT c WITH ENCRYPTION = OFF\n"
        "SEND ON CONVERSATION @h MESSAGE TYPE m (0x01)",
    )
    assert instance.wait_idle(10)
    assert idle
    assert not any(idle)


def test_an_instance_closes_although_a_poisoned_queue_waits_for_the_schema_lock() -> None:
    before = set(threading.enumerate())
    instance = Instance.open()
    session, other = instance.connect(), instance.connect()
    session.run("CREATE DATABASE Shop")
    for one in (session, other):
        one.run("USE Shop")
    run(session, POISONED.rpartition("\nGO\n")[0])
    other.run("BEGIN TRAN; CREATE TABLE Blocks (a int)")
    run(session, POISONED.rpartition("\nGO\n")[2])
    until(lambda: any(lock.queue for lock in list(instance.locks._locks.values())))
    assert instance.scheduler._disables
    began = time.monotonic()
    instance.close()
    assert time.monotonic() - began < 4
    assert not [t for t in set(threading.enumerate()) - before if t.is_alive()]


def test_the_brokers_background_work_survives_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    real, refusals = instance.scheduler._run_deadlines, [sql_error(1105, "q", "Shop", "PRIMARY")]

    def refuse_once() -> None:
        if refusals:
            raise refusals.pop()
        real()

    session.run("CREATE DATABASE Shop")
    session.run("USE Shop")
    run(session, POISONED.rpartition("\nGO\n")[0])
    session.run(
        "BEGIN CONVERSATION TIMER ((SELECT TOP 1 conversation_handle FROM sys.conversation_endpoints)) TIMEOUT = 1"
    )
    monkeypatch.setattr(instance.scheduler, "_run_deadlines", refuse_once)
    assert instance.loop is not None
    instance.loop.advance(1.5)
    assert not refusals
    assert _queued(session) == 1
    instance.loop.advance(5)
    assert _queued(session) == 2
    instance.close()


def _queued(session: Session) -> int:
    (result,) = (o for o in session.run("SELECT COUNT(*) FROM q") if isinstance(o, ResultSet))
    count: int = result.rows[0][0]
    return count
