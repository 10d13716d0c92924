"""Threads that commit at the same time while the disk refuses now and then: an error means not
committed, and nothing else goes wrong.

The simulation (tests/simulation/test_faults.py) runs everything in one thread, and so never meets what happens
between two steps of a commit that fails. Here sessions, activated procedures and the committer are real
threads, switched as often as Python can.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from faulty_port import FaultyPort

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SEEDS = int(os.environ.get("FAULT_THREAD_SEEDS", "1"))
FIRST = int(os.environ.get("FAULT_FIRST", "0"))
SENDERS, BATCHES = 3, 25
REFUSED = {701, 823, 1105}
EXPECTED = REFUSED | {1205}
"""One that makes a table and holds a group may meet another that does it the other way round."""

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop",
    """CREATE QUEUE answers; CREATE QUEUE orders; CREATE SERVICE client ON QUEUE answers; CREATE SERVICE shop ON QUEUE orders ([DEFAULT]);
       CREATE TABLE dialogs (k int, h uniqueidentifier); CREATE TABLE done (n int, at int IDENTITY); CREATE TABLE own (n int)""",
    """CREATE PROCEDURE work AS BEGIN
         DECLARE @got TABLE (h uniqueidentifier, n int, s bigint); DECLARE @h uniqueidentifier;
         BEGIN TRAN;
         RECEIVE TOP (2) conversation_handle, CAST(CAST(message_body AS varchar(20)) AS int), message_sequence_number FROM orders INTO @got;
         SELECT @h = MAX(h) FROM @got;
         INSERT done SELECT n FROM @got ORDER BY s;
         IF @h IS NOT NULL SEND ON CONVERSATION @h ('seen');
         COMMIT
       END""",
    """ALTER QUEUE orders WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = work, MAX_QUEUE_READERS = 2, EXECUTE AS SELF),
       POISON_MESSAGE_HANDLING (STATUS = OFF)""",
    """DECLARE @k int = 0, @h uniqueidentifier;
       WHILE @k < 3 BEGIN BEGIN DIALOG @h FROM SERVICE client TO SERVICE 'shop' WITH ENCRYPTION = OFF; INSERT dialogs VALUES (@k, @h); SET @k += 1 END""",
)  # fmt: skip

SEND = "DECLARE @h uniqueidentifier = (SELECT h FROM dialogs WHERE k = {k}); SEND ON CONVERSATION @h ('{n}');"
KINDS = (
    "{send}",
    "BEGIN TRAN; INSERT own VALUES ({n}); {send} COMMIT",
    "BEGIN TRAN; {send} CREATE TABLE made{n} (i int); INSERT own VALUES ({n}); COMMIT",
    "BEGIN TRAN; INSERT own VALUES ({n}); SAVE TRAN here; INSERT own VALUES (-{n}); ROLLBACK TRAN here; {send} COMMIT",
    "BEGIN TRAN; RECEIVE TOP (3) message_body FROM answers; INSERT own VALUES ({n}); {send} COMMIT",
    "BEGIN TRAN; RECEIVE TOP (3) message_body FROM answers; INSERT own VALUES ({n}); COMMIT",
)
SILENT = frozenset({5})
"""Kinds without a SEND, and (0) without a row."""


@dataclass
class Sender:
    """A session in a thread of its own, and what it was told."""

    k: int
    session: Session
    chance: random.Random
    sent: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    errors: Counter[int] = field(default_factory=Counter)
    open: list[int] = field(default_factory=list)

    def run(self) -> None:
        for number in range(BATCHES):
            n, kind = self.k * 1000 + number + 1, self.chance.randrange(len(KINDS))
            errors = numbers(self.session, KINDS[kind].format(n=n, send=SEND.format(k=self.k, n=n)))
            self.errors.update(errors)
            if not errors:
                self.sent += [n] * (kind not in SILENT)
                self.written += [n] * (kind != 0)
            self.open += [n] * bool(self.session.transaction)
            if 823 in errors:  # of severity 24, which ends the session
                self.session = connected(self.session.instance)


def connected(instance: Instance) -> Session:
    session = instance.connect()
    session.use("Shop")
    return session


def numbers(session: Session, text: str) -> list[int]:
    return [outcome.error.number for outcome in session.run(text) if isinstance(outcome, ErrorOutcome)]


def log(session: Session) -> list[str]:
    outcomes = session.run("EXEC sp_readerrorlog")
    return [str(row[2]) for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]


def column(session: Session, text: str) -> list[object]:
    return [row[0] for outcome in session.run(text) if isinstance(outcome, ResultSet) for row in outcome.rows]


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads change places a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
@pytest.mark.usefixtures("switching")
def test_threads_on_a_disk_that_refuses(tmp_path: Path, seed: int) -> None:
    chance, port = random.Random(seed), FaultyPort()
    instance = Instance.open(str(tmp_path / "s.duckdb"), port=port)
    main = instance.connect()
    for text in SETUP:
        assert not numbers(main, text)
    senders = [Sender(k, connected(instance), random.Random(f"{seed} {k}")) for k in range(SENDERS)]
    threads = [threading.Thread(target=sender.run) for sender in senders]
    for thread in threads:
        thread.start()
    hits: Counter[str] = Counter()
    while working := [thread for thread in threads if thread.is_alive()]:
        port.fail_at(chance.randint(1, 12), chance.choice(("full", "input/output", "memory", "commit fails")), 1)
        working[0].join(0.02)  # one that is done returns at once, and this loop would starve the others
        hits[str(port.hit)] += 1
        port.heal()
    for thread in threads:
        thread.join()
    assert instance.wait_idle(timeout=60)
    # A task that the disk did not let RECEIVE leaves its activation standing still (docs/administration.md).
    for status in ("OFF", "ON"):
        assert not numbers(main, f"ALTER QUEUE orders WITH ACTIVATION (STATUS = {status})")
    assert instance.wait_idle(timeout=60)
    told = sum((sender.errors for sender in senders), Counter[int]())
    assert set(told) <= EXPECTED, told
    assert not any(sender.open for sender in senders), "a transaction stays open behind an error"
    assert not [line for line in log(main) if "internal error" in line.lower() or "MustWait" in line]
    done = column(main, "SELECT n FROM done ORDER BY at")
    for sender in senders:
        assert [n for n in done if n // 1000 == sender.k] == sender.sent
    assert sorted(column(main, "SELECT n FROM own")) == sorted(n for sender in senders for n in sender.written)
    instance.close()
    assert sum(told[number] for number in REFUSED) > 5, (told, hits)
