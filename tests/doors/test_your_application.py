"""Time, trace and error log as a user's own tests use them; docs/testing-your-application.md is run as it stands."""

from __future__ import annotations

import datetime as dt
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.engine.broker.trace import CLASSES, SUBCLASSES, TraceEvent, class_name, event_text
from sbql.engine.instance import Instance

PAGE = Path(__file__).parents[2] / "docs" / "testing-your-application.md"

SETUP = """
CREATE QUEUE Q; CREATE SERVICE A ON QUEUE Q; CREATE QUEUE R; CREATE SERVICE B ON QUEUE R ([DEFAULT]);
"""
DIALOG = """
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'hello');
"""


@pytest.fixture
def connection() -> Iterator[sbql.Connection]:
    with sbql.connect(clock="virtual", database="tempdb") as opened:
        opened.execute(SETUP)
        yield opened


def test_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for language, *names in (
        ("sql", "orders.sql", "refund.sql"), ("ini", "pytest.ini"), ("toml", "pyproject.toml"), ("text", "report.txt"),
        ("python", "test_orders.py", "prepared.py", "test_refund.py"),
    ):  # fmt: skip
        blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)
        for block, name in zip(blocks, names, strict=True):
            (tmp_path / name).write_text(block, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "test_orders.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout
    done = subprocess.run([sys.executable, "prepared.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("[(1, 'cancelled')]\n" * 3, "")
    measured = [*command[:-1], "--cov"]
    done = subprocess.run(measured, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "report.txt").read_text(encoding="utf-8") in done.stdout


# --- time --------------------------------------------------------------------------------------------------


def now(connection: sbql.Connection) -> Any:
    row = connection.execute("SELECT GETUTCDATE()").fetchone()
    assert row is not None
    return row[0]


def test_time_stands_still_until_it_is_moved(connection: sbql.Connection) -> None:
    began = time.monotonic()
    assert now(connection) == now(connection) == dt.datetime(2026, 1, 1)
    connection.advance(90)
    connection.advance(dt.timedelta(days=1, milliseconds=500))
    connection.settle()
    assert now(connection) == dt.datetime(2026, 1, 2, 0, 1, 30, 500_000)
    assert time.monotonic() - began < 60
    with pytest.raises(sbql.InterfaceError, match="back"):
        connection.advance(-1)


@pytest.mark.parametrize("function", ["GETDATE", "GETUTCDATE", "SYSDATETIME", "SYSUTCDATETIME"])
def test_a_loop_that_looks_at_the_clock_ends(connection: sbql.Connection, function: str) -> None:
    """The clock stands for 100,000 looks and creeps from then on; it stands again when it was moved."""
    loop = f"""
    DECLARE @end datetime2 = DATEADD(second, 5, {function}()), @looks int = 1;
    WHILE {function}() < @end SET @looks += 1;
    SELECT @looks"""
    looks = connection.execute(loop).fetchone()
    assert looks is not None
    assert 499 <= looks[0] - 100_000 <= 501  # datetime rounds
    assert now(connection) >= dt.datetime(2026, 1, 1, 0, 0, 5)
    connection.advance(1)
    assert now(connection) == now(connection)


def test_the_clock_stands_while_few_look(connection: sbql.Connection) -> None:
    connection.execute("DECLARE @i int = 0, @d datetime; WHILE @i < 10000 BEGIN SET @d = GETDATE(); SET @i += 1 END")
    assert now(connection) == dt.datetime(2026, 1, 1)


def test_the_systems_clock_is_not_moved() -> None:
    with sbql.connect() as connection:
        for refused in (lambda: connection.advance(1), connection.settle):
            with pytest.raises(sbql.NotSupportedError, match="clock='virtual'"):
                refused()
        with pytest.raises(sbql.Error, match="sp_sbql_advance_clock") as caught:
            connection.execute("EXEC sys.sp_sbql_advance_clock '00:00:01'")
        assert getattr(caught.value, "number", None) == 40517


def test_a_seed_repeats_a_run() -> None:
    def guid(seed: int) -> Any:
        with sbql.connect(clock="virtual", seed=seed) as connection:
            return connection.execute("SELECT NEWID()").fetchone()

    assert guid(1) == guid(1) != guid(2)


def test_a_wait_that_nothing_ends_is_an_error(connection: sbql.Connection) -> None:
    with pytest.raises(sbql.OperationalError, match=r"nothing can ever wake this batch.*BROKER_RECEIVE_WAITFOR"):
        connection.execute("WAITFOR (RECEIVE * FROM R)")
    assert connection.execute("SELECT 1").fetchone() == (1,)


# --- trace -------------------------------------------------------------------------------------------------


def test_numbers_of_classes_and_subclasses() -> None:
    """11.2."""
    assert [CLASSES[f"Broker:{name}"] for name in ("Conversation", "Message Classify", "Activation")] == [124, 141, 163]
    for number, subclass in (
        (1, "SEND Message"),
        (5, "Terminate Dialog"),
        (11, "BEGIN DIALOG"),
        (13, "END CONVERSATION WITH CLEANUP"),
    ):
        assert TraceEvent("Broker:Conversation", subclass).subclass_number == number
    assert TraceEvent("Broker:Message Classify", "Delayed").subclass_number == 3
    assert TraceEvent("Broker:Queue Disabled", "").subclass_number is None
    assert SUBCLASSES.keys() == CLASSES.keys()
    assert class_name("activation") == class_name("BROKER:Activation") == "Broker:Activation"


@pytest.mark.spec("TRACE-1", "TRACE-2", "TRACE-3", "TRACE-4", "TRACE-5")
def test_columns_of_an_event(connection: sbql.Connection) -> None:
    events: list[TraceEvent] = []
    connection.trace(events.append, "Conversation")
    connection.advance(1)
    handle, identity, group = connection.execute(
        DIALOG
        + "SELECT @h, conversation_id, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h"
    ).fetchall()[0]
    sent = next(event for event in events if event.subclass == "SEND Message")
    columns = sent.columns
    assert columns["StartTime"] == dt.datetime(2026, 1, 1, 0, 0, 1)
    assert (columns["EventClass"], columns["EventSubClass"], columns["TextData"]) == (124, 1, "CO")
    assert (columns["GUID"], columns["ObjectName"]) == (identity, str(handle).upper())
    assert columns["MethodName"] == str(group).upper()
    assert (columns["RoleName"], columns["Priority"], columns["DatabaseID"]) == ("initiator", 5, 2)
    assert columns["SPID"] == connection.session.spid
    assert {event.event_class for event in events} == {"Broker:Conversation"}
    assert (
        f"spid {sent.spid} Broker:Conversation SEND Message initiator handle={columns['ObjectName']} CO"
        in event_text(sent)
    )


def test_listening_ends_and_costs_nothing_then(connection: sbql.Connection) -> None:
    events: list[TraceEvent] = []
    stop, stop_other = connection.trace(events.append), connection.trace(lambda event: None)
    stop()
    stop()
    connection.execute(DIALOG)
    assert not events
    assert connection.instance.broker.trace is not None
    stop_other()
    assert connection.instance.broker.trace is None


def test_a_listener_that_fails_is_dropped(connection: sbql.Connection) -> None:
    def fail(event: TraceEvent) -> None:
        raise ValueError("no")

    connection.trace(fail)
    connection.execute(DIALOG)
    assert connection.execute("SELECT COUNT(*) FROM R").fetchone() == (1,)
    assert [record.text for record in connection.instance.error_log] == [
        "A trace listener failed and is dropped: ValueError('no')"
    ]
    with pytest.raises(sbql.InterfaceError, match="Nothing"):
        connection.trace(fail, "Nothing")


def test_an_activated_task_has_its_own_spid_on_threads() -> None:
    """Also with real threads: SPID is the session that caused the event."""
    events: list[TraceEvent] = []
    with sbql.connect(database="tempdb") as connection:
        connection.execute(SETUP)
        connection.execute(
            "CREATE PROCEDURE P AS DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM R; END CONVERSATION @h"
        )
        connection.execute(
            "ALTER QUEUE R WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = P, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
        )
        connection.trace(events.append)
        connection.execute(DIALOG)
        assert connection.wait_idle(30)
        assert "ended" in [event.subclass for event in events]
        mine = connection.session.spid
    (started,) = [event for event in events if event.subclass == "started"]
    (ended,) = [event for event in events if event.subclass == "END CONVERSATION"]
    (begun,) = [event for event in events if event.subclass == "BEGIN DIALOG"]
    assert (begun.spid, ended.spid) == (mine, started.spid)
    assert started.spid != mine


# --- error log ---------------------------------------------------------------------------------------------


def test_the_error_log_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "errorlog.txt"
    path.write_text("before\n", encoding="utf-8")
    instance = Instance.open(None, clock="virtual", error_log=path)
    instance.log(9724, "Grüße", "spid 23s")
    instance.close()
    instance.log(9724, "after the end")
    assert path.read_text(encoding="utf-8") == "before\n2026-01-01 00:00:00.00 spid23s     Grüße\n"


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="folder"):
        Instance.open(None, error_log=tmp_path / "no" / "folder" / "log.txt")
