"""Query notifications of a process that is killed: whoever was told that his query is watched, or was answered one that
cannot be, hears of it, once, and nothing is left."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from killing import column
from test_killed_notices import lines_until_killed

from sbql.engine.instance import Instance

CHILD = Path(__file__).with_name("subscriptions_child.py")
HEARD = """SELECT text FROM dbo.heard UNION ALL SELECT CAST(message_body AS nvarchar(max)) FROM Told WHERE message_type_name LIKE '%/QueryNotification'"""
LEFT = """SELECT CAST(id AS nvarchar(400)) FROM sys.dm_qn_subscriptions
UNION ALL SELECT CONCAT('conversation ', CAST(conversation_id AS nvarchar(50))) FROM sys.conversation_endpoints WHERE is_initiator = 1 AND state <> 'CD' AND conversation_id NOT IN
(SELECT e.conversation_id FROM sys.conversation_endpoints e JOIN Told q ON q.conversation_handle = e.conversation_handle)
UNION ALL SELECT 'waits' FROM sys.transmission_queue"""


@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_subscribed_is_told_once(tmp_path: Path, seed: int, either_log: None) -> None:
    path, chance, acknowledged = tmp_path / "shop.duckdb", random.Random(seed), set[str]()
    reasons: Counter[str] = Counter()
    for life in range(3):
        acknowledged |= lines_until_killed(path, life * 100_000, chance, CHILD)
        instance = Instance.open(str(path))
        try:
            assert instance.wait_idle()
            session = instance.connect(database="Shop")
            bodies = column(session, HEARD)
            left = column(session, LEFT)
        finally:
            instance.close()
        told = Counter(re.findall(r' id="(\d+)".*?<qn:Message>(\d+)</qn:Message>', " ".join(bodies)))
        assert acknowledged - {request for _, request in told} == set(), "nobody has told them"
        assert set(told.values()) == {1}
        assert left == []
        reasons = Counter(re.findall(r' info="([^"]+)"', " ".join(bodies)))
    assert reasons.keys() >= {"update", "restart", "invalid"}, "something was not tried"
