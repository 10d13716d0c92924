"""Kill a writer of batches in bulk with SIGKILL at random moments, and open what it leaves:
batches are there whole or not at all.

A batch goes past the journal, in a DuckDB transaction of its own that also says that it was written. Each batch
that was acknowledged is there, at most one more; those of a dialog are in their order, without a gap, and so are
the messages of a session beside them. Dialogs that a batch ends are ended on both sides, behind their last
message. Then the next process goes on.
"""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from killing import column, killed_after

from sbql.engine.instance import Instance

pytest.importorskip("pyarrow", reason="batches are Arrow")

CHILD = Path(__file__).with_name("bulk_child.py")
ROUNDS, ROWS, ENDED = 4, 1200, 20
BODIES = "SELECT CAST(message_body AS nvarchar(40)) + N'|' + CAST(conversation_handle AS nvarchar(36)) FROM back_queue WHERE message_body IS NOT NULL ORDER BY queuing_order"

GAPS = (
    "SELECT conversation_handle FROM back_queue GROUP BY conversation_handle"
    " HAVING COUNT(*) <> MAX(message_sequence_number) + 1 OR MIN(message_sequence_number) <> 0"
)
ENDS = (
    "SELECT COUNT(*) FROM back_queue AS e WHERE message_type_name LIKE '%EndDialog' AND queuing_order ="
    " (SELECT MAX(queuing_order) FROM back_queue AS m WHERE m.conversation_handle = e.conversation_handle)"
)
STATES = "SELECT CONCAT(is_initiator, state, ' ', COUNT(*)) FROM sys.conversation_endpoints GROUP BY is_initiator, state ORDER BY 1"


def check(path: str, acknowledged: int, round_number: int) -> int:
    """What the store holds after a crash. Returns the last batch that is there."""
    instance = Instance.open(path, clock="virtual", seed=round_number + 1)
    try:
        session = instance.connect(database="Crash")
        batches: defaultdict[str, list[int]] = defaultdict(list)
        dialogs: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for text in column(session, BODIES):
            body, _, handle = text.partition("|")
            batch, _, number = body.partition(":")
            batches[batch].append(int(number))
            if batch != "own":
                dialogs[handle].append((int(batch), int(number)))
        own = batches.pop("own", [])
        last = max(map(int, batches), default=0)
        assert acknowledged <= last <= acknowledged + 1, "every acknowledged batch is there"
        assert sorted(map(int, batches)) == list(range(1, last + 1))
        assert all(sorted(numbers) == list(range(ROWS)) for numbers in batches.values()), "whole batches, each row once"
        assert all(rows == sorted(rows) for rows in dialogs.values()), "in order in each dialog"
        assert own[0] == 1 and own[-1] >= acknowledged, "the other session's, one before each try of a batch"
        assert all(later - earlier in (0, 1) for earlier, later in pairwise(own))
        assert column(session, GAPS) == []
        assert column(session, ENDS) == [last * ENDED]
        open_dialogs = ENDED * (last > 0) + 1
        ended = [f"0DI {last * ENDED}", f"1DO {last * ENDED}"] if last else []
        assert column(session, STATES) == sorted([f"0CO {open_dialogs}", f"1CO {open_dialogs}", *ended])
        assert column(session, "SELECT COUNT(*) FROM sys.transmission_queue") == [0]
    finally:
        instance.close()
    return last


@pytest.mark.usefixtures("either_log")
def test_batches_in_bulk_survive_sigkill(tmp_path: Path) -> None:
    path = str(tmp_path / "crash.duckdb")
    chance = random.Random(20261122)
    last = 0
    for round_number in range(ROUNDS):
        acknowledged = killed_after(CHILD, path, last + 1, chance.randrange(1, 6), chance.random() * 0.15)
        last = check(path, acknowledged, round_number)
