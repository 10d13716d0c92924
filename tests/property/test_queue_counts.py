"""COUNT(*) of a queue, which is told without a fold, is what a query of its rows counts: at any moment of random
programs of two sessions, in and out of transactions, after rollbacks to savepoints, with retention, moved services,
other isolation levels, hints and folds in between."""

from __future__ import annotations

import contextlib
import os
import random
from pathlib import Path

import pytest

from sbql.catalog.message_counts import MessageCounts
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SEEDS = int(os.environ.get("QUEUE_COUNT_SEEDS", "1"))
STEPS = 60
QUEUES = ("dbo.qa", "dbo.qb", "dbo.qc")

SETUP = """
CREATE QUEUE qa; CREATE QUEUE qb WITH RETENTION = ON; CREATE QUEUE qc;
CREATE SERVICE a ON QUEUE qa ([DEFAULT]); CREATE SERVICE b ON QUEUE qb ([DEFAULT]);
CREATE TABLE h (i int IDENTITY PRIMARY KEY, g uniqueidentifier); CREATE TABLE t (x int);
ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON
"""
BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE {} TO SERVICE '{}' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (0x01); SEND ON CONVERSATION @h (NULL); INSERT h VALUES (@h)"""


def step(rng: random.Random) -> str:
    sender, target = rng.choice([("a", "b"), ("b", "a"), ("a", "a")])
    picked = f"DECLARE @h uniqueidentifier = (SELECT TOP (1) g FROM h ORDER BY (i * {rng.randrange(1, 50)}) % 17)"
    queue = rng.choice(QUEUES)
    return rng.choice([
        BEGIN.format(sender, target),
        BEGIN.format(sender, target),
        f"{picked}; SEND ON CONVERSATION @h (0x02)",
        f"{picked}; END CONVERSATION @h",
        f"{picked}; END CONVERSATION @h WITH CLEANUP",
        f"RECEIVE TOP ({rng.randrange(1, 4)}) * FROM {queue}",
        f"DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM {queue}; IF @h IS NOT NULL END CONVERSATION @h",
        f"ALTER SERVICE b ON QUEUE {rng.choice(['qb', 'qc'])}",
        f"ALTER QUEUE {queue} WITH RETENTION = {rng.choice(['ON', 'OFF'])}",
        f"ALTER QUEUE {queue} WITH STATUS = {rng.choice(['ON', 'ON', 'OFF'])}",
        "IF @@TRANCOUNT = 0 BEGIN TRANSACTION",
        "IF @@TRANCOUNT = 0 BEGIN TRANSACTION",
        "IF @@TRANCOUNT > 0 SAVE TRANSACTION s",
        "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION s",
        "IF @@TRANCOUNT > 0 ROLLBACK",
        "IF @@TRANCOUNT > 0 COMMIT",
        "INSERT t VALUES (1)",
        f"SET TRANSACTION ISOLATION LEVEL {rng.choice(['READ COMMITTED', 'READ COMMITTED', 'READ COMMITTED', 'READ UNCOMMITTED', 'SERIALIZABLE', 'SNAPSHOT'])}",
    ])  # fmt: skip


def first(session: Session, text: str) -> object:
    """The one value of a query, or the number of its error."""
    for outcome in session.run(text):
        if isinstance(outcome, ResultSet):
            return outcome.rows[0][0]
        if isinstance(outcome, ErrorOutcome):
            return ("error", outcome.error.number)
    return None


@pytest.mark.parametrize("seed", range(SEEDS))
def test_counts_are_those_of_the_rows(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    told: list[int | None] = []
    count = MessageCounts.count

    def spy(self: MessageCounts, *given: object) -> int | None:
        told.append(count(self, *given))  # type: ignore[arg-type]
        return told[-1]

    monkeypatch.setattr(MessageCounts, "count", spy)
    with contextlib.closing(Instance.open(str(tmp_path / "s.duckdb"), clock="virtual")) as instance:
        instance.connect().run("CREATE DATABASE Counts")
        sessions = [instance.connect("Counts"), instance.connect("Counts")]
        for statement in SETUP.split(";"):
            assert not isinstance(first(sessions[0], statement), tuple), statement
        for session in sessions:
            session.run("SET LOCK_TIMEOUT 0")
        counted: dict[tuple[Session, str], object] = {}
        for _ in range(STEPS):
            rng.choice(sessions).run(step(rng))
            if rng.random() < 0.15:
                instance.store.fold()
            is_checked = rng.random() < 0.3  # the query of the rows folds: seldom, so that there is something to count
            for session in sessions:
                for queue in QUEUES if is_checked else rng.sample(QUEUES, 1):
                    hint = rng.choice(["", "", "", " WITH (NOLOCK)", " WITH (READPAST)"])
                    counted[session, queue + hint] = first(session, f"SELECT COUNT(*) FROM {queue}{hint}")
            if is_checked:
                for (session, source), found in counted.items():
                    assert found == first(session, f"SELECT COUNT(*) FROM {source} WHERE queuing_order >= 0"), source
            counted.clear()
    assert any(told), "none of them was told without a fold"
