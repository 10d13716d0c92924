"""close() while the store fails: errors of the DB-API only, and what was acknowledged is there afterwards."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from faulty_port import FAULTS, FaultyPort

import sbql
from sbql import instances

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
