"""What fell due while nobody ran the instance is done when it is opened again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.catalog.store import Store
from sbql.engine.host import VirtualHost
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet

DIALOG = """
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE SERVICE S1 ON QUEUE Q1; CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 7200;
SEND ON CONVERSATION @h (N'unread');
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60;
"""


def closed_with_a_dialog(folder: Path) -> str:
    """The path of a store."""
    path = str(folder / "late.duckdb")
    instance = Instance.open(path, clock="virtual")
    instance.connect().run("CREATE DATABASE Late")
    instance.connect("Late").run(DIALOG)
    instance.close()
    return path


@pytest.mark.spec("TIMER-17", "LIFETIME-8")
def test_timers_and_lifetimes_that_ended_while_it_was_closed(tmp_path: Path) -> None:
    path = closed_with_a_dialog(tmp_path)
    assert received(path, 59, "Q1") == []
    assert received(path, 3600, "Q1") == [5]
    assert received(path, 3 * 3600, "Q1") == [1]
    assert received(path, 3 * 3600, "Q2") == [1, 14]


@pytest.mark.spec("TIMER-17", "LIFETIME-8")
def test_a_timer_comes_before_the_end_of_a_lifetime_that_is_over_as_well(tmp_path: Path) -> None:
    path = closed_with_a_dialog(tmp_path)
    assert received(path, 3 * 3600, "Q1") == [5, 1]
    assert received(path, 9 * 3600, "Q1") == []


@pytest.mark.spec("ALTERDB-9", "TIMER-17", "LIFETIME-8")
def test_the_same_while_the_broker_was_disabled() -> None:
    instance = Instance.open(clock="virtual")
    instance.connect().run("CREATE DATABASE Late")
    session = instance.connect("Late")
    session.run(DIALOG + "ALTER DATABASE Late SET DISABLE_BROKER")
    session.run("WAITFOR DELAY '03:00:00'; ALTER DATABASE Late SET ENABLE_BROKER")
    instance.wait_idle()
    (found,) = (o for o in session.run("RECEIVE message_type_id FROM Q1") if isinstance(o, ResultSet))
    assert [number for (number,) in found.rows] == [5, 1]
    instance.close()


def received(path: str, later: float, queue: str) -> list[int]:
    """The message types that a RECEIVE gives in an instance opened `later` seconds after the first."""
    instance = Instance(Store.open(path), VirtualHost(1, VirtualHost.START + later))
    instance.scheduler.start()
    try:
        instance.driver.settle()
        (result,) = [
            o for o in instance.connect("Late").run(f"RECEIVE message_type_id FROM {queue}") if isinstance(o, ResultSet)
        ]
        return [row[0] for row in result.rows]
    finally:
        instance.close()
