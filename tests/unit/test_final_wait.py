"""Nothing waits for ever without a word: `settle`, `wait_idle`, and the end of a script with activated procedures that
sleep, loop, or stand still. The loops here never pause, so their waits are of real time, and short."""

from __future__ import annotations

import datetime as dt

import pytest

import sbql
from sbql.engine.error_log import MOST_A_MINUTE
from sbql.grammar.messages import message

SETUP = """
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Asks; CREATE SERVICE Asks ON QUEUE Asks;
CREATE QUEUE Work; CREATE SERVICE Work ON QUEUE Work ([DEFAULT]);
CREATE TABLE Done (at datetime);
GO
CREATE PROCEDURE Ask AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Work' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'<no xml');
END;
GO
"""
ACTIVATE = (
    "ALTER QUEUE Work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Busy, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
)
CAUGHT = """
WHILE 1 = 1
BEGIN
    BEGIN TRY
        BEGIN TRANSACTION;
        DECLARE @b xml;
        RECEIVE TOP (1) @b = CAST(message_body AS xml) FROM Work;
        COMMIT;
    END TRY
    BEGIN CATCH
        IF @@TRANCOUNT > 0 ROLLBACK;
        {then}
    END CATCH;
END
"""
LOOPS = {
    "plain": "DECLARE @i bigint = 0; WHILE 1 = 1 SET @i += 1",
    "goto": "DECLARE @i bigint = 0; again: SET @i += 1; GOTO again",
    "caught": CAUGHT.format(then=""),
    "caught and printed": CAUGHT.format(then="PRINT ERROR_MESSAGE();"),
    "caught and told": CAUGHT.format(then="RAISERROR (N'again', 16, 1);"),
}
ENDED = {
    "queue off": "WHILE 1 = 1 BEGIN TRY RECEIVE * FROM Work; ALTER QUEUE Work WITH STATUS = OFF END TRY BEGIN CATCH PRINT 1 END CATCH",
    "given back": "WHILE 1 = 1 BEGIN BEGIN TRANSACTION; BEGIN TRY RECEIVE * FROM Work END TRY BEGIN CATCH END CATCH; ROLLBACK END",
}  # fmt: skip


def shop(body: str, **how: object) -> sbql.Connection:
    connection = sbql.connect(**how)  # type: ignore[arg-type]
    sbql.run_script(connection, SETUP)
    connection.execute(f"CREATE PROCEDURE Busy AS {body}")
    connection.execute(ACTIVATE)
    return connection


@pytest.mark.parametrize("name", LOOPS)
def test_settle_ends_a_loop_that_never_does_and_says_which(name: str) -> None:
    with shop(LOOPS[name], clock="virtual") as connection:
        starts: list[object] = []
        connection.trace(
            lambda event: starts.append(event) if event.subclass == "started" else None, "Broker:Activation"
        )
        connection.execute("EXEC Ask")
        with pytest.raises(
            sbql.OperationalError, match=r"\[?Busy\]? of the queue Shop\.dbo\.Work, spid \d+, for 0 s, running"
        ):
            connection.settle(timeout=0.3)
        assert connection.execute("SELECT 1").fetchone() == (1,)
        assert len(starts) == 1
        lines = [record.text for record in connection.instance.error_log]
        assert len(lines) <= 1000 + 5 * MOST_A_MINUTE


@pytest.mark.parametrize("name", ENDED)
def test_a_loop_over_a_queue_that_is_off_is_ended(name: str) -> None:
    """Whoever switched it off: the task itself, or five rollbacks."""
    with shop(ENDED[name], clock="virtual") as connection:
        connection.execute("EXEC Ask")
        connection.settle(timeout=30)
        assert connection.execute(
            "SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'Work'"
        ).fetchone() == (False,)
        assert connection.execute("SELECT COUNT(*) FROM sys.dm_broker_activated_tasks").fetchone() == (0,)
        assert message(28086).text in [record.text for record in connection.instance.error_log]


def test_wait_idle_ends_it_too() -> None:
    with shop(LOOPS["plain"], clock="virtual") as connection:
        connection.execute("EXEC Ask")
        assert not connection.wait_idle(0.3)
    with shop(LOOPS["plain"]) as connection:
        connection.execute("EXEC Ask")
        assert not connection.wait_idle(0.3)


def test_a_batch_that_waits_is_not_kept_for_ever_by_a_loop() -> None:
    with shop(LOOPS["plain"], clock="virtual") as connection:
        connection.instance.terms.limit = 0.3
        with pytest.raises(sbql.OperationalError, match="do not come to rest"):
            connection.execute("EXEC Ask; WAITFOR DELAY '00:00:05'")
        assert connection.execute("SELECT 1").fetchone() == (1,)
        connection.execute(
            "ALTER QUEUE Work WITH ACTIVATION (STATUS = OFF); ALTER QUEUE Work WITH ACTIVATION (STATUS = ON)"
        )
        with pytest.raises(sbql.OperationalError, match="do not come to rest"):
            connection.advance(1)


@pytest.mark.parametrize("clock", ["virtual", "system"])
def test_who_is_busy_is_told_again_and_again(clock: str) -> None:
    with shop("RECEIVE * FROM Work; " + LOOPS["plain"], clock=clock) as connection:
        connection.instance.terms.every = 0.05
        connection.execute("EXEC Ask")
        told: list[str] = []
        assert not connection.wait_idle(0.5, told.append)
        assert len(told) >= 2
        assert "Busy of the queue Shop.dbo.Work" in told[-1].replace("[", "").replace("]", "")


def test_without_a_listener_the_logger_hears_it(caplog: pytest.LogCaptureFixture) -> None:
    with shop(LOOPS["plain"], clock="virtual") as connection:
        connection.instance.terms.every = 0.05
        connection.execute("EXEC Ask")
        assert not connection.wait_idle(0.3)
    assert any("Shop.dbo.Work" in record.message for record in caplog.records if record.name == "sbql")


@pytest.mark.parametrize("delay", ["00:00:05", "10:00:00"])
def test_a_virtual_clock_moves_on_when_only_sleepers_are_left(delay: str) -> None:
    with shop(
        f"RECEIVE * FROM Work; WAITFOR DELAY '{delay}'; INSERT Done VALUES (GETDATE())", clock="virtual"
    ) as connection:
        connection.execute("EXEC Ask")
        assert connection.wait_idle()
        began = dt.datetime(2026, 1, 1)
        hours, minutes, seconds = map(int, delay.split(":"))
        assert connection.execute("SELECT at FROM Done").fetchall() == [
            (began + dt.timedelta(hours=hours, minutes=minutes, seconds=seconds),)
        ]


def test_a_virtual_clock_moves_no_further_than_it_may() -> None:
    with shop("RECEIVE * FROM Work; WHILE 1 = 1 WAITFOR DELAY '00:00:10'", clock="virtual") as connection:
        connection.execute("EXEC Ask")
        assert not connection.wait_idle(60)
        assert connection.execute("SELECT GETDATE()").fetchone() == (dt.datetime(2026, 1, 1, 0, 1),)
        (line,) = connection.instance.scheduler.busy()
        assert "sleeping in WAITFOR DELAY" in line


def test_a_task_that_waits_for_a_lock_is_named() -> None:
    with shop("RECEIVE * FROM Work; DELETE Done", clock="virtual") as connection:
        connection.execute("INSERT Done VALUES (GETDATE()); BEGIN TRANSACTION; DELETE Done")
        with sbql.connect(instance=connection.instance, database="Shop") as other:
            other.execute("EXEC Ask")
            assert not other.wait_idle(60)
            (line,) = connection.instance.scheduler.busy()
            assert "waiting for LCK_M" in line


def test_messages_that_no_task_takes_are_not_waited_for() -> None:
    with shop("BEGIN TRANSACTION; RECEIVE * FROM Work; ROLLBACK", clock="virtual") as connection:
        connection.execute("ALTER QUEUE Work WITH POISON_MESSAGE_HANDLING (STATUS = OFF)")
        connection.execute("EXEC Ask")
        assert connection.wait_idle(60)
        assert connection.execute("SELECT GETDATE()").fetchone() == (dt.datetime(2026, 1, 1),)
