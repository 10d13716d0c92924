"""Kill a process that sends, receives and writes tables with SIGKILL, at random moments, and open what it leaves.

Every message that was sent was received exactly once (its row is there) or is still in the queue, in order; what was
sent is a prefix, and no turn that was acknowledged is missing. Then the next process goes on from there.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from killing import column, killed_after

from sbql.engine.instance import Instance

CHILD = Path(__file__).with_name("workload_child.py")
ROUNDS = 5


def check(path: str, acknowledged: int) -> int:
    """What the store holds after a crash, nobody reading. Returns the last message that was sent."""
    instance = Instance.open(path, clock="virtual")  # its loop is not run: no reader starts
    try:
        session = instance.connect(database="Crash")
        got = column(session, "SELECT n FROM got ORDER BY place")
        queued = column(
            session, "SELECT CAST(CAST(message_body AS nvarchar(20)) AS int) FROM reader_queue ORDER BY queuing_order"
        )
        turns = column(session, "SELECT n FROM turns ORDER BY n")
        sent = column(session, "SELECT send_sequence FROM sys.conversation_endpoints WHERE is_initiator = 1")[0]
    finally:
        instance.close()
    assert sent >= acknowledged, "an acknowledged message was lost"
    assert got + queued == list(range(1, sent + 1)), "each message once, in order, received or queued"
    assert turns == list(range(1, len(turns) + 1)), "the user's rows are a prefix"
    assert acknowledged <= len(turns) <= sent <= len(turns) + 1
    assert len(turns) == sent or sent % 2, "a transaction was split"
    return sent


@pytest.mark.spec("DURABLE-3")
@pytest.mark.usefixtures("either_log")
def test_each_message_is_received_once_whenever_the_process_dies(tmp_path: Path) -> None:
    chance = random.Random(7)
    path = str(tmp_path / "crash.duckdb")
    first = 1
    for _ in range(ROUNDS):
        acknowledged = killed_after(CHILD, path, first, chance.randrange(1, 60), chance.random() * 0.05)
        first = check(path, acknowledged) + 1


def test_what_was_queued_is_read_by_the_next_process(tmp_path: Path) -> None:
    path = str(tmp_path / "crash.duckdb")
    sent = check(path, killed_after(CHILD, path, 1, 30, 0.0))
    instance = Instance.open(path)
    try:
        assert instance.wait_idle(30)
        assert column(instance.connect(database="Crash"), "SELECT n FROM got ORDER BY place") == list(
            range(1, sent + 1)
        )
    finally:
        instance.close()
