"""close() while the store fails: errors of the DB-API only, and what was acknowledged is there afterwards."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest
from faulty_port import FAULTS, FaultyPort

import sbql
from sbql import instances
from sbql.engine.instance import Instance

MOST_CALLS = 30


def close_with(path: str, fault: str, call: int) -> str | None:
    """Close the last connection while the store fails from its `call`-th call on. Returns the kind of the call that was
    hit."""
    port = FaultyPort()
    instance = instances.acquire(path, "virtual", 0, port=port)
    connection = sbql.connect(instance=instance, database="msdb", autocommit=True)
    instances.release(instance)  # the connection is the last to use it
    run = connection.cursor().execute
    run("CREATE TABLE t (n int); INSERT t VALUES (1); CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])")
    run("DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF")
    run("BEGIN TRAN; INSERT t VALUES (2)")
    port.fail_at(call, fault, 1000)
    with contextlib.suppress(sbql.OperationalError):
        connection.close()
    hit = port.hit
    connection.close()  # twice is harmless
    port.heal()
    with sbql.connect(path, database="msdb", clock="virtual", autocommit=True) as again:
        cursor = again.cursor()
        assert cursor.execute("SELECT n FROM t").fetchall() == [(1,)], "the open transaction ends with its connection"
        assert cursor.execute("SELECT COUNT(*) FROM sys.conversation_endpoints").fetchone()[0] > 0
    return hit


@pytest.mark.parametrize("fault", FAULTS)
def test_close_raises_errors_of_the_db_api_only(tmp_path: Path, fault: str) -> None:
    for call in range(1, MOST_CALLS):
        if close_with(str(tmp_path / f"{call}.duckdb"), fault, call) is None:
            assert call > 1, "closing calls the store"
            return
    raise AssertionError("closing makes more calls than that")


@pytest.mark.parametrize("others", [0, 1], ids=["the last connection", "one of two"])
@pytest.mark.parametrize("fault", ["full", "input/output", "commit fails"])
def test_what_a_stopped_batch_has_lost_is_told(tmp_path: Path, fault: str, others: int) -> None:
    """Its SEND was committed and waits for the disk, which refuses it: whoever
    runs or closes the connection is told."""
    port = FaultyPort()
    instance = Instance.open(str(tmp_path / "s.duckdb"), port=port)
    watch = [sbql.connect(instance=instance, autocommit=True) for _ in range(others)]
    connection = sbql.connect(instance=instance, database="msdb", autocommit=True)
    run = connection.execute
    run("CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])")
    run("DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF")
    sending = threading.Event()
    port.fail_at(1, fault, 1)
    text = (
        "DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1); "
        "SEND ON CONVERSATION @h (N'lost'); WHILE 1 = 1 SET @h = @h"
    )

    told: list[int] = []

    def batch() -> None:
        sending.set()
        try:
            connection.execute(text)
        except sbql.OperationalError as error:
            told.append(error.number)

    thread = threading.Thread(target=batch)
    thread.start()
    assert sending.wait(60)
    while port.hit is None:
        thread.join(0.01)
        assert thread.is_alive() or port.hit is not None
    try:
        connection.close()
    except sbql.OperationalError as error:
        told.append(error.number)
    thread.join(60)
    assert len(set(told) & {1105, 823}) == 1, told
    connection.close()  # it was told
    for other in watch:
        other.close()
    instance.close()
    with sbql.connect(tmp_path / "s.duckdb", database="msdb") as again:
        assert again.execute("SELECT COUNT(*) FROM q").fetchone() == (0,)
