"""Statements that need a database for themselves, with real threads: who waits is woken, who is in the way is ended."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session


@pytest.fixture
def instance() -> Iterator[Instance]:
    opened = Instance.open()
    opened.connect().run("CREATE DATABASE Shop")
    opened.connect("Shop").run("CREATE TABLE T (id int); CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT])")
    for session in list(opened.sessions.values()):
        session.close()
    yield opened
    opened.close()


class Runner:
    """A batch in a thread of its own."""

    def __init__(self, session: Session, text: str) -> None:
        self.outcomes: list[Outcome] = []
        self.thread = threading.Thread(target=lambda: self.outcomes.extend(session.run(text)))
        self.thread.start()

    def errors(self) -> list[int]:
        self.thread.join(30)
        assert not self.thread.is_alive()
        return [o.error.number for o in self.outcomes if isinstance(o, ErrorOutcome)]


def until(runner: Runner, condition: Callable[[], bool]) -> None:
    """Wait for something that a running batch does."""
    end = time.monotonic() + 30
    while not condition():
        assert runner.thread.is_alive(), runner.outcomes
        assert time.monotonic() < end
        threading.Event().wait(0.002)


def count(session: Session) -> int:
    (result,) = (o for o in session.run("SELECT COUNT(*) FROM Shop.dbo.T") if isinstance(o, ResultSet))
    found: int = result.rows[0][0]
    return found


@pytest.mark.spec("ALTERDB-14")
def test_sessions_in_the_way_are_ended(instance: Instance) -> None:
    admin, waiting, idle = instance.connect(), instance.connect("Shop"), instance.connect("Shop")
    idle.run("BEGIN TRANSACTION; INSERT INTO T VALUES (1)")
    receiver = Runner(waiting, "WAITFOR (RECEIVE * FROM Q)")
    until(receiver, lambda: waiting.waiting_for is not None)
    assert Runner(admin, "ALTER DATABASE Shop SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE").errors() == []
    assert receiver.errors() == [596]
    assert Runner(idle, "SELECT 1").errors() == [596]
    assert count(admin) == 0
    assert {s.database_id for s in instance.sessions.values()} == {1}


@pytest.mark.spec("ALTERDB-10")
def test_who_waits_goes_on_when_the_last_has_left(instance: Instance) -> None:
    admin, first, second = instance.connect(), instance.connect("Shop"), instance.connect("Shop")
    alter = Runner(admin, "ALTER DATABASE Shop SET NEW_BROKER")
    until(alter, lambda: admin.waiting_for is not None)
    first.close()
    assert alter.thread.is_alive()
    second.run("INSERT INTO T VALUES (1); CREATE TABLE MadeMeanwhile (id int); USE master")
    assert alter.errors() == []
    assert count(admin) == 1


def test_a_running_batch_ends_at_its_next_statement(instance: Instance) -> None:
    admin, busy = instance.connect(), instance.connect("Shop")
    loop = Runner(busy, "BEGIN TRANSACTION; WHILE 1 = 1 INSERT INTO T VALUES (1)")
    until(loop, lambda: busy.transaction is not None)
    assert Runner(admin, f"KILL {busy.spid}").errors() == []
    assert loop.errors() == [596]
    assert count(admin) == 0
    assert busy.spid not in instance.sessions


def test_a_backup_never_overwrites_the_store(tmp_path: Path) -> None:
    store = tmp_path / "store.duckdb"
    instance = Instance.open(str(store))
    session = instance.connect()
    session.run("CREATE DATABASE Shop")
    assert Runner(session, f"BACKUP DATABASE Shop TO DISK = '{store}' WITH FORMAT").errors() == [3201]
    foreign = tmp_path / "letter.txt"
    foreign.write_text("Dear reader")
    assert Runner(session, f"BACKUP DATABASE Shop TO DISK = '{foreign}' WITH INIT").errors() == [3241]
    assert Runner(session, f"RESTORE HEADERONLY FROM DISK = '{foreign}'").errors() == [3241]
    assert Runner(session, f"CREATE DATABASE Letter ON (FILENAME = '{foreign}')").errors() == []
    assert Runner(session, "EXEC sp_detach_db 'Letter'").errors() == [3241]
    assert foreign.read_text() == "Dear reader"
    instance.close()
    again = Instance.open(str(store))
    assert again.connect("Shop").database_name == "Shop"
    again.close()


def test_a_backup_is_one_moment(tmp_path: Path) -> None:
    """Taken while others commit rows and messages together: the copy has as many of the ones as of the others."""
    instance = Instance.open(str(tmp_path / "store.duckdb"))
    instance.connect().run("CREATE DATABASE Shop")
    writer = instance.connect("Shop")
    writer.run("CREATE TABLE T (id int IDENTITY); CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT])")
    loop = Runner(
        writer,
        """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
        WHILE 1 = 1 BEGIN BEGIN TRANSACTION; INSERT INTO T DEFAULT VALUES; SEND ON CONVERSATION @h (N'x'); COMMIT;
        END""",
    )
    admin = instance.connect()
    for number in range(5):
        admin.run(f"BACKUP DATABASE Shop TO DISK = 'moment{number}.bak'")
    admin.run(f"KILL {writer.spid}")
    assert loop.errors() == [596]
    for number in range(5):
        admin.run(
            f"RESTORE DATABASE Copy{number} FROM DISK = 'moment{number}.bak' WITH MOVE 'Shop' TO 'copy{number}.mdf'"
        )
        query = f"SELECT (SELECT COUNT(*) FROM Copy{number}.dbo.T), (SELECT COUNT(*) FROM Copy{number}.dbo.Q)"
        (result,) = (o for o in admin.run(query) if isinstance(o, ResultSet))
        assert result.rows[0][0] == result.rows[0][1]
    assert result.rows[0][0] > 0
    instance.close()


def test_nothing_keeps_sessions_that_have_ended(instance: Instance) -> None:
    """Not what they did in the broker last, either, which later transactions go on with: there is one such thing for
    each that was at work at a time."""
    sessions = [instance.connect("Shop") for _ in range(8)]
    dialog = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x')"
    for text in (f"BEGIN TRAN; {dialog}", "COMMIT", "BEGIN TRAN; RECEIVE TOP (1) * FROM Q", "COMMIT"):
        for session in sessions:
            assert not [o for o in session.run(text) if isinstance(o, ErrorOutcome)]
    for session in sessions:
        session.close()
    gone = [weakref.ref(session) for session in sessions]
    del session, sessions
    instance.connect("Shop").run("SELECT 1")
    gc.collect()
    kept = [ref for ref in gone if ref() is not None]
    assert len(kept) <= 1, "the text of a batch knows one of those who ran it"


ENDS: dict[str, Callable[[Instance, Session], object]] = {
    "close": lambda instance, session: session.close(),
    "KILL": lambda instance, session: instance.connect().run(f"KILL {session.spid}"),
    "an error": lambda instance, session: session.run("RAISERROR ('x', 20, 1) WITH LOG"),
}


@pytest.mark.parametrize("how", ENDS)
def test_who_sees_that_a_session_is_gone_finds_its_locks_free(
    instance: Instance, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long its transaction takes to be rolled back: until then it is in the way, and ends once."""
    admin, leaving = instance.connect(), instance.connect("Shop")
    leaving.run("EXEC sp_getapplock 'a', 'Exclusive', 'Session'; BEGIN TRANSACTION; INSERT INTO T VALUES (1)")
    is_in, goes_on, roll_back = threading.Event(), threading.Event(), Session.rollback_transaction

    def slowly(session: Session) -> None:
        if session is leaving:
            is_in.set()
            assert goes_on.wait(30)
        roll_back(session)

    monkeypatch.setattr(Session, "rollback_transaction", slowly)
    ending = threading.Thread(target=ENDS[how], args=(instance, leaving))
    ending.start()
    assert is_in.wait(30)
    assert is_listed(admin, leaving)
    if leaving.is_leaving:
        leaving.close()  # a second time: it waits for nothing
    assert Runner(admin, "ALTER DATABASE Shop SET SINGLE_USER WITH NO_WAIT").errors() == [5070]
    alter = Runner(admin, "ALTER DATABASE Shop SET SINGLE_USER")
    until(alter, lambda: admin.waiting_for is not None)
    goes_on.set()
    assert alter.errors() == []
    ending.join(30)
    assert not is_listed(admin, leaving)
    taken = "SET LOCK_TIMEOUT 0; USE Shop; DECLARE @r int; EXEC @r = sp_getapplock 'a', 'Exclusive', 'Session', 0; IF @r < 0 THROW 50000, 'held', 1; DELETE T WITH (TABLOCKX)"
    assert Runner(admin, taken).errors() == []
    assert count(admin) == 0


def is_listed(session: Session, other: Session) -> bool:
    (found,) = (o for o in session.run(f"SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE session_id = {other.spid}") if isinstance(o, ResultSet))  # fmt: skip
    return found.rows == [(1,)]
