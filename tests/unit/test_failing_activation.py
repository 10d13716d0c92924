"""Every way in which an activated procedure can fail: how often it is started, that the tasks come
to rest, and what the error log says.

A task that ended without a successful RECEIVE leaves its monitor NOTIFIED: one start, then nothing. One
that received and gave everything back is started at once as often as poison handling needs, then every 5 seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import duckdb
import pytest

import sbql
from sbql.catalog.store_port import Call, StorePort
from sbql.engine.broker.queue_monitor import AT_ONCE, THRESHOLD
from sbql.engine.error_log import MOST_A_MINUTE
from sbql.engine.instance import Instance

MINUTES = 3
KILL_EVERY = 0.5
FIRST = AT_ONCE + 1
A_MINUTE = 60 / THRESHOLD
"""Starts a minute of a queue whose tasks take nothing."""

WORLD = """
CREATE SCHEMA Post;
GO
CREATE QUEUE Post.Work;
CREATE QUEUE Asks;
CREATE SERVICE Asks ON QUEUE Asks;
CREATE SERVICE Work ON QUEUE Post.Work ([DEFAULT]);
CREATE USER Worker WITHOUT LOGIN;
CREATE TABLE Seen (id int PRIMARY KEY);
CREATE TABLE Handles (handle uniqueidentifier);
GO
CREATE PROCEDURE Ask AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Work' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'<no xml');
    INSERT Handles VALUES (@h);
END;
GO
"""
RECEIVE = "DECLARE @b varbinary(max), @h uniqueidentifier; RECEIVE TOP (1) @b = message_body, @h = conversation_handle FROM Post.Work;"


class Case(NamedTuple):
    """A procedure that fails. `starts`: how often it is started in all when poison handling is on; None:
    until the queue is off, or slowed."""

    name: str
    body: str
    starts: int | None = 1
    before: str = ""
    """Batches in front of the messages, with GO between them."""
    execute_as: str = "OWNER"


NEVER_RECEIVED = [
    Case("missing", "", before="DROP PROCEDURE Fails"),
    Case("missing table", "SELECT * FROM NoSuchTable; " + RECEIVE),
    Case("missing column", "SELECT nothing FROM Later; " + RECEIVE, before="CREATE TABLE Later (id int)"),
    Case("missing queue", "RECEIVE TOP (1) * FROM Post.NoSuchQueue"),
    Case("parameter", RECEIVE, before="ALTER PROCEDURE Fails @must int AS SELECT @must"),
    Case("EXECUTE denied", RECEIVE, execute_as="'Worker'"),
    Case("user gone", RECEIVE, execute_as="'Worker'", before="DROP USER Worker"),
    Case("RECEIVE denied", "EXEC (N'RECEIVE TOP (1) * FROM Post.Work')", execute_as="'Worker'", before="GRANT EXECUTE ON Fails TO Worker"),
    Case("no RECEIVE", "PRINT 'stub'"),
    Case("wrong queue", "RECEIVE TOP (1) * FROM Asks"),
    Case("THROW before", "THROW 50001, N'before', 1; " + RECEIVE),
    Case("fatal before", "RAISERROR (N'fatal', 20, 1) WITH LOG; " + RECEIVE),
    Case("arithmetic before", "SET XACT_ABORT ON; SELECT 1 / 0; " + RECEIVE),
    Case("recursion", "EXEC Fails"),
    Case("CAST to xml", "DECLARE @b xml; RECEIVE TOP (1) @b = CAST(message_body AS xml) FROM Post.Work"),
    Case("CAST to date", "RECEIVE TOP (1) CAST(CAST(message_body AS varchar(10)) AS date) FROM Post.Work"),
    Case("division", "DECLARE @n int; RECEIVE TOP (1) @n = 1 / (status - status) FROM Post.Work"),
    Case("all of them", "DECLARE @b xml; RECEIVE @b = CAST(message_body AS xml) FROM Post.Work"),
    Case(
        "WAITFOR",
        "DECLARE @b xml; WAITFOR (RECEIVE TOP (1) @b = CAST(message_body AS xml) FROM Post.Work), TIMEOUT 1000",
    ),
    Case("INTO", "DECLARE @t TABLE (b bit NOT NULL); RECEIVE TOP (1) CAST(NULL AS bit) FROM Post.Work INTO @t"),
    Case("TOP", "DECLARE @n int = -1; RECEIVE TOP (@n) * FROM Post.Work"),
    Case("unknown handle", "DECLARE @h uniqueidentifier = NEWID(); RECEIVE * FROM Post.Work WHERE conversation_handle = @h"),
    Case("unknown group", "DECLARE @g uniqueidentifier = NEWID(); RECEIVE * FROM Post.Work WHERE conversation_group_id = @g"),
    Case("group, no RECEIVE", "DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM Post.Work"),
    Case(
        "group, then CAST",
        "DECLARE @g uniqueidentifier, @b xml; GET CONVERSATION GROUP @g FROM Post.Work; "
        "RECEIVE @b = CAST(message_body AS xml) FROM Post.Work WHERE conversation_group_id = @g",
    ),
    Case("caught", "BEGIN TRY DECLARE @b xml; RECEIVE @b = CAST(message_body AS xml) FROM Post.Work END TRY BEGIN CATCH IF @@TRANCOUNT > 0 ROLLBACK END CATCH"),
    Case("queue off", "ALTER QUEUE Post.Work WITH STATUS = OFF"),
]  # fmt: skip

IN_TRANSACTION = [
    Case("THROW", "THROW 50002, N'after', 1;", None),
    Case("fatal", "RAISERROR (N'fatal', 20, 1) WITH LOG;", None),
    Case("missing table", "INSERT NoSuchTable VALUES (1);", None),
    Case("key", "SET XACT_ABORT ON; INSERT Seen VALUES (1), (1);", None),
    Case("CAST", "SELECT CAST(@b AS xml);", None),
    Case("second CAST", "DECLARE @x xml; RECEIVE TOP (1) @x = CAST(message_body AS xml) FROM Post.Work;", None),
    Case("doomed COMMIT", "BEGIN TRY SELECT CAST(@b AS xml) END TRY BEGIN CATCH COMMIT END CATCH;", None),
    Case("ROLLBACK", "ROLLBACK; RETURN;", None),
    Case("left open", "RETURN;", None),
    Case("caught", "BEGIN TRY THROW 50003, N'caught', 1 END TRY BEGIN CATCH ROLLBACK; RETURN END CATCH;", None),
]  # fmt: skip

TAKES_NOTHING = [
    Case("savepoint, COMMIT", f"BEGIN TRANSACTION; SAVE TRANSACTION s; {RECEIVE} ROLLBACK TRANSACTION s; COMMIT", None),
    Case("savepoint, ROLLBACK", f"BEGIN TRANSACTION; SAVE TRANSACTION s; {RECEIVE} ROLLBACK TRANSACTION s; ROLLBACK", None),
    Case("TOP (0)", "RECEIVE TOP (0) * FROM Post.Work", None),
    Case("other handle", "DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Handled); RECEIVE * FROM Post.Work WHERE conversation_handle = @h",
         None, before="CREATE TABLE Handled (conversation_handle uniqueidentifier); GO EXEC Ask; INSERT Handled SELECT conversation_handle FROM Post.Work; RECEIVE * FROM Post.Work; GO ALTER QUEUE Post.Work WITH ACTIVATION (STATUS = OFF); GO ALTER QUEUE Post.Work WITH ACTIVATION (STATUS = ON)"),
    Case("restless", f"BEGIN TRANSACTION; {RECEIVE} ROLLBACK", None, before="ALTER QUEUE Post.Work WITH POISON_MESSAGE_HANDLING (STATUS = OFF)"),
]  # fmt: skip

TAKES_ALL = [
    Case("THROW", RECEIVE + " THROW 50004, N'gone', 1", 3),
    Case("fatal", RECEIVE + " RAISERROR (N'fatal', 20, 1) WITH LOG", 3),
    Case("transaction behind it", RECEIVE + " BEGIN TRANSACTION; INSERT Seen VALUES (1), (1)", 3),
]
"""Without a transaction a message is gone, whatever happens afterwards."""


class World:
    """An instance with a queue whose activated procedure fails, three messages in it, and what was started when."""

    def __init__(self, connection: sbql.Connection, case: Case, body: str, poison: str = "ON") -> None:
        self.connection = connection
        self.starts: list[float] = []
        sbql.run_script(connection, WORLD)
        connection.execute(f"CREATE PROCEDURE Fails AS {body or 'SELECT 1'}")
        connection.execute(
            "ALTER QUEUE Post.Work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Fails, MAX_QUEUE_READERS = 1, "
            f"EXECUTE AS {case.execute_as}), POISON_MESSAGE_HANDLING (STATUS = {poison})"
        )
        for batch in filter(None, case.before.split(" GO ")):
            connection.execute(batch)
        connection.trace(self._started, "Broker:Activation")
        self.log: list[Any] = []
        connection.instance.error_log.listen(self.log.append)
        connection.execute("BEGIN TRANSACTION; EXEC Ask; EXEC Ask; EXEC Ask; COMMIT")

    def _started(self, event: Any) -> None:
        if event.subclass == "started":
            self.starts.append(self.now)

    @property
    def now(self) -> float:
        return self.connection.instance.host.now()

    def run(self) -> None:
        """Come to rest, then let the minutes pass."""
        self.connection.settle()
        for _ in range(MINUTES):
            self.connection.advance(60)

    def one(self, query: str) -> Any:
        row = self.connection.execute(query).fetchone()
        return row and row[0]

    @property
    def is_on(self) -> bool:
        return bool(self.one("SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'Work'"))

    @property
    def state(self) -> Any:
        return self.one(
            "SELECT m.state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id AND q.name = 'Work'"
        )

    def lines(self, number: int) -> list[str]:
        return [record.text for record in self.log if record.number == number]

    def check_bounds(self) -> None:
        """What holds of every procedure, however it fails."""
        began = self.starts[0]
        by_minute = Counter(int((start - began) // 60) for start in self.starts)
        assert all(count <= FIRST + A_MINUTE for count in by_minute.values()), by_minute
        lines = Counter((record.number, record.text) for record in self.log)
        assert all(count <= MOST_A_MINUTE * (MINUTES + 1) for count in lines.values())


class RefusingPort(StorePort):
    """A store that refuses every commit while `refuses` is set."""

    refuses = is_healed = False

    def fail(self, event: object) -> None:
        self.refuses = not self.is_healed

    def heal(self) -> None:
        self.refuses, self.is_healed = False, True

    def call(self, kind: Call, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        if self.refuses and kind in ("commit", "journal"):
            raise duckdb.IOException('IO Error: Could not write file "store.wal": No space left on device')
        return work(*args, **kwargs)


@pytest.fixture
def connection() -> Iterator[sbql.Connection]:
    with sbql.connect(clock="virtual") as opened:
        opened.execute("CREATE DATABASE Shop")
        opened.execute("USE Shop")
        yield opened


def bodies(case: Case) -> dict[str, str]:
    return {"alone": case.body, "in a transaction": f"BEGIN TRANSACTION; {case.body}; COMMIT"}


@pytest.mark.matrix
@pytest.mark.spec("MONITOR-17", "MONITOR-24")
@pytest.mark.parametrize("where", ["alone", "in a transaction"])
@pytest.mark.parametrize("case", NEVER_RECEIVED, ids=lambda case: case.name)
def test_without_a_successful_receive_there_is_one_start(connection: sbql.Connection, case: Case, where: str) -> None:
    world = World(connection, case, bodies(case)[where])
    world.run()
    world.check_bounds()
    assert len(world.starts) == 1
    if case.name == "queue off":
        assert not world.is_on
        return
    assert world.is_on
    assert world.state == "NOTIFIED"
    (line,) = world.lines(28087)
    assert "Shop.Post.Work" in line
    assert "STATUS = OFF" in line
    connection.execute("CREATE OR ALTER PROCEDURE Fails AS RECEIVE * FROM Post.Work")
    connection.execute("IF USER_ID('Worker') IS NULL CREATE USER Worker WITHOUT LOGIN")
    connection.execute("GRANT EXECUTE ON Fails TO Worker; GRANT RECEIVE ON Post.Work TO Worker")
    connection.execute(
        "ALTER QUEUE Post.Work WITH ACTIVATION (STATUS = OFF); "
        "ALTER QUEUE Post.Work WITH ACTIVATION (STATUS = ON, EXECUTE AS OWNER)"
    )
    connection.settle()
    assert (world.one("SELECT COUNT(*) FROM Post.Work"), world.state) == (0, "INACTIVE")


@pytest.mark.spec("POISON-18", "POISON-10")
@pytest.mark.parametrize("poison", ["ON", "OFF"])
@pytest.mark.parametrize("case", IN_TRANSACTION, ids=lambda case: case.name)
def test_a_transaction_that_gives_back_what_it_received(connection: sbql.Connection, case: Case, poison: str) -> None:
    world = World(connection, case, f"BEGIN TRANSACTION; {RECEIVE} {case.body} COMMIT", poison)
    world.run()
    world.check_bounds()
    assert world.is_on is (poison == "OFF")
    if poison == "ON":
        assert len(world.starts) == AT_ONCE
    else:
        assert len(world.starts) == FIRST + A_MINUTE * MINUTES
        assert any("Shop.Post.Work" in line and "every 5 seconds" in line for line in world.lines(0))
    assert world.one("SELECT COUNT(*) FROM Post.Work") == 3


@pytest.mark.spec("MONITOR-25")
@pytest.mark.parametrize("case", TAKES_NOTHING, ids=lambda case: case.name)
def test_a_task_that_takes_nothing(connection: sbql.Connection, case: Case) -> None:
    world = World(connection, case, case.body, "OFF")
    world.run()
    world.check_bounds()
    assert world.is_on
    assert len(world.starts) == FIRST + A_MINUTE * MINUTES
    connection.execute("CREATE OR ALTER PROCEDURE Fails AS RECEIVE * FROM Post.Work")
    connection.advance(THRESHOLD)
    assert (world.one("SELECT COUNT(*) FROM Post.Work"), world.state) == (0, "INACTIVE")


@pytest.mark.parametrize("case", TAKES_ALL, ids=lambda case: case.name)
def test_without_a_transaction_the_message_is_gone(connection: sbql.Connection, case: Case) -> None:
    world = World(connection, case, case.body)
    world.run()
    world.check_bounds()
    assert len(world.starts) == case.starts
    assert (world.one("SELECT COUNT(*) FROM Post.Work"), world.is_on) == (0, True)


REFUSED = [
    Case("rows and messages", f"BEGIN TRANSACTION; {RECEIVE} INSERT Seen SELECT COUNT(*) FROM Seen; COMMIT", FIRST),
    Case("messages", f"BEGIN TRANSACTION; {RECEIVE} COMMIT"),
    Case("no transaction", RECEIVE),
    Case("one after the other", f"BEGIN TRANSACTION; {RECEIVE} COMMIT; PRINT N'shown'; BEGIN TRANSACTION; RECEIVE TOP (1) @b = message_body FROM Post.Work; COMMIT"),
    Case("caught", f"BEGIN TRY BEGIN TRANSACTION; {RECEIVE} INSERT Seen VALUES (1); COMMIT END TRY BEGIN CATCH IF @@TRANCOUNT > 0 ROLLBACK END CATCH", FIRST),
]  # fmt: skip
"""`starts`: with poison handling, which stops nothing while its own commit is refused too: the queue stays on."""


@pytest.mark.parametrize("poison", ["ON", "OFF"])
@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_commits_that_the_store_refuses(case: Case, poison: str) -> None:
    """Nobody gets on by a commit that is lost, whether it failed at once or later, as those of messages alone do."""
    port = RefusingPort()
    instance = Instance.open(port=port, clock="virtual")
    connection = sbql.connect(instance=instance)
    try:
        connection.execute("CREATE DATABASE Shop")
        connection.execute("USE Shop")
        connection.execute("SELECT 1")
        connection.trace(port.fail, "Broker:Activation")
        world = World(connection, case, case.body, poison)
        world.run()
        world.check_bounds()
        assert len(world.starts) in (FIRST, FIRST + A_MINUTE * MINUTES)
        if poison == "OFF" or case.starts is not FIRST:
            assert len(world.starts) == FIRST + A_MINUTE * MINUTES
            assert any("every 5 seconds" in line for line in world.lines(0))
        assert case.name == "caught" or instance.scheduler.failures == len(world.starts)
        port.heal()
        assert world.one("SELECT COUNT(*) FROM Post.Work") == 3
        connection.execute("CREATE OR ALTER PROCEDURE Fails AS RECEIVE * FROM Post.Work")
        connection.advance(THRESHOLD)
        assert world.one("SELECT COUNT(*) FROM Post.Work") == (0 if world.is_on else 3)
    finally:
        port.heal()
        instance.close()


KILLED = [
    Case("before RECEIVE", f"WAITFOR DELAY '1:00'; {RECEIVE}"),
    Case("before, in a transaction", f"BEGIN TRANSACTION; WAITFOR DELAY '1:00'; {RECEIVE} COMMIT"),
    Case("after RECEIVE, in a transaction", f"BEGIN TRANSACTION; {RECEIVE} WAITFOR DELAY '1:00'; COMMIT", None),
    Case("it catches", f"BEGIN TRANSACTION; {RECEIVE} BEGIN TRY WAITFOR DELAY '1:00' END TRY BEGIN CATCH COMMIT END CATCH", None),
    Case("after RECEIVE, without one", f"{RECEIVE} WAITFOR DELAY '1:00'", 3),
    Case("in a RECEIVE that finds nothing", "WAITFOR (RECEIVE TOP (0) * FROM Post.Work), TIMEOUT 60000", -1),
]  # fmt: skip
"""`starts` None: one that gives back what it received; -1: one that takes nothing and gives nothing back."""


@pytest.mark.parametrize("poison", ["ON", "OFF"])
@pytest.mark.parametrize("case", KILLED, ids=lambda case: case.name)
def test_tasks_that_are_killed(connection: sbql.Connection, case: Case, poison: str) -> None:
    """Whoever kills each task as soon as it is there does not make it start faster."""
    world = World(connection, case, case.body, poison)
    kills = 0
    end = world.now + 60 * MINUTES
    while world.now < end:
        connection.settle()
        for (spid,) in connection.execute("SELECT spid FROM sys.dm_broker_activated_tasks").fetchall():
            connection.execute(f"KILL {spid}")
            kills += 1
        connection.advance(KILL_EVERY)
    world.check_bounds()
    assert kills == len(world.starts)
    assert connection.instance.scheduler.failures == kills + (not world.is_on)
    if case.starts is None and poison == "ON":
        assert (kills, world.is_on) == (AT_ONCE, False)
    elif case.starts in (None, -1):
        assert FIRST + A_MINUTE < kills <= FIRST + A_MINUTE * MINUTES
        assert world.is_on
    else:
        assert (kills, world.is_on) == (case.starts, True)
    assert world.lines(18100)
