"""Kill a publisher with SIGKILL at random moments, and open what it leaves: subscribers, what waits, and what is
retained agree.

Each message is at every subscriber exactly once, in order: received, in its queue, or waiting for the one that is off.
One who subscribes after the crash gets all that is retained. Then the next process goes on from there.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from killing import column, killed_after

from sbql.engine.instance import Instance

CHILD = Path(__file__).with_name("monolog_child.py")
ROUNDS = 4
NUMBER = "CAST(CAST(message_body AS nvarchar(20)) AS int)"
READER = (
    "SELECT n FROM (SELECT 0 AS part, place, n FROM got"
    f" UNION ALL SELECT 1, queuing_order, {NUMBER} FROM reader_queue) AS all_of_it ORDER BY part, place"
)
"""One statement: the activated procedure may begin to read while we look."""


def check(path: str, acknowledged: int, round_number: int) -> int:
    """What the store holds after a crash. Returns the last message that was sent."""
    instance = Instance.open(path, clock="virtual", seed=round_number + 1)
    try:
        session = instance.connect(database="Crash")
        sent = column(session, "SELECT send_sequence FROM sys.monologs")[0]
        everything = list(range(1, sent + 1))
        assert sent >= acknowledged, "an acknowledged message was lost"
        assert column(session, READER) == everything, "each message once, in order, received or queued"
        assert column(session, f"SELECT {NUMBER} FROM heap_queue ORDER BY queuing_order") == everything
        waiting = column(
            session,
            f"SELECT {NUMBER} FROM sys.transmission_queue WHERE to_service_name = 'slow' ORDER BY message_sequence_number",
        )
        assert waiting == everything, "the slow subscriber loses nothing"
        assert (
            column(session, f"SELECT {NUMBER} FROM sys.monolog_messages ORDER BY message_sequence_number") == everything
        )
        assert column(session, "SELECT COUNT(*) FROM sys.monolog_subscriptions") == [3 + round_number]
        assert column(session, "SELECT subscribers FROM sys.monologs") == [3 + round_number]
        late = f"late{round_number}"
        column(session, f"CREATE QUEUE {late}; CREATE SERVICE {late} ON QUEUE {late} ([DEFAULT]); SELECT 1")
        subscribe = f"BEGIN SUBSCRIPTION @s FOR SERVICE {late} TO SERVICE 'pub' WITH START = RETAINED"
        assert column(
            session,
            f"DECLARE @s uniqueidentifier; {subscribe}; SELECT joined FROM sys.monolog_subscriptions WHERE subscription_handle = @s",
        ) == [1]
        assert column(session, f"SELECT {NUMBER} FROM {late} ORDER BY queuing_order") == everything
    finally:
        instance.close()
    return int(sent)


@pytest.mark.spec("MONOLOG-31")
@pytest.mark.usefixtures("either_log")
def test_monologs_survive_sigkill(tmp_path: Path) -> None:
    path = str(tmp_path / "crash.duckdb")
    chance = random.Random(20260101)
    sent = 0
    for round_number in range(ROUNDS):
        acknowledged = killed_after(CHILD, path, sent + 1, chance.randrange(5, 60), chance.random() * 0.05)
        sent = check(path, acknowledged, round_number)
