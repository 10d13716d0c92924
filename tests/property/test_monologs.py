"""Monologs against a small model: two sessions, random publishers, subscriptions, receivers, rollbacks, slow queues and
restarts.

At the end everything is received. Each subscriber's endpoint must have got exactly what the model says, in order:
nothing twice, nothing lost, nothing of a transaction that was rolled back, and nobody may have waited for anybody.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from monolog_model import END, Model, ModelMonolog, ModelTransaction, Subscription

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

PUBLISHERS, SUBSCRIBERS = 2, 3
STEPS = 70
SEEDS = 25
LOCK_TIMEOUT = 1222

WEIGHTS = {
    "begin_transaction": 5, "commit": 5, "rollback": 2, "save": 2, "rollback_to_savepoint": 1, "begin_monolog": 3, "send": 12, "end": 2,
    "subscribe": 3, "unsubscribe": 2, "receive": 10, "switch_queue": 2, "pass_time": 2, "restart": 1,
}  # fmt: skip
ACTIONS = [action for action, weight in WEIGHTS.items() for _ in range(weight)]

SETUP = [
    "CREATE DATABASE P", "USE P",
    *(f"CREATE QUEUE PQ{n}; CREATE SERVICE Pub{n} ON QUEUE PQ{n}" for n in range(PUBLISHERS)),
    *(f"CREATE QUEUE Q{n}; CREATE SERVICE Sub{n} ON QUEUE Q{n} ([DEFAULT])" for n in range(SUBSCRIBERS)),
]  # fmt: skip


class Worker:
    """One session, what its open transaction has done, and what it has received in it."""

    def __init__(self, instance: Instance) -> None:
        self.session: Session = instance.connect(database="P")
        self.session.run("SET LOCK_TIMEOUT 0")
        self.done: ModelTransaction | None = None
        self.received: list[tuple[Any, int, int]] = []
        self.savepoint: tuple[tuple[int, ...], int] | None = None


class World:
    def __init__(self, path: Path, seed: int) -> None:
        self.path = str(path)
        self.chance = random.Random(seed)
        self.model = Model()
        self.instance = Instance.open(self.path, clock="virtual", seed=seed)
        session = self.instance.connect()
        for batch in SETUP:
            rows(session, batch)
        self.workers = [Worker(self.instance) for _ in range(2)]
        self.handles: dict[ModelMonolog, Any] = {}
        self.orders: dict[Subscription, Any] = {}
        self.got: dict[Any, list[int]] = {}
        self.subscriber_of: dict[Any, int] = {}
        self.is_off: set[int] = set()
        self.number = 0

    # Each action returns nothing; one that a lock refuses has done nothing.

    def act(self) -> None:
        worker = self.chance.choice(self.workers)
        action = self.chance.choice(ACTIONS)
        getattr(self, action)(worker)

    def begin_transaction(self, worker: Worker) -> None:
        if worker.done is None:
            rows(worker.session, "BEGIN TRANSACTION")
            worker.done, worker.savepoint = ModelTransaction(), None

    def commit(self, worker: Worker) -> None:
        if worker.done is not None:
            rows(worker.session, "COMMIT")
            self._committed(worker, worker.done)

    def _committed(self, worker: Worker, done: ModelTransaction) -> None:
        self.model.commit(done, [w.done for w in self.workers if w.done is not None and w.done is not done])
        for handle, subscriber, number in worker.received:
            self.got.setdefault(handle, []).append(number)
            self.subscriber_of[handle] = subscriber
        worker.done, worker.received = None, []

    def rollback(self, worker: Worker) -> None:
        if worker.done is not None:
            rows(worker.session, "ROLLBACK")
            self.model.rollback(worker.done)
            worker.done, worker.received = None, []

    def save(self, worker: Worker) -> None:
        if worker.done is not None:
            rows(worker.session, "SAVE TRANSACTION s")
            worker.savepoint = worker.done.mark(), len(worker.received)

    def rollback_to_savepoint(self, worker: Worker) -> None:
        if worker.done is not None and worker.savepoint is not None:
            rows(worker.session, "ROLLBACK TRANSACTION s")
            mark, received = worker.savepoint
            worker.done.rollback_to(mark)
            del worker.received[received:]

    def _do(self, worker: Worker, text: str) -> tuple[bool, list[tuple[Any, ...]], ModelTransaction]:
        """(whether it ran, its rows, the transaction to note it in)."""
        errors: list[int] = []
        found = rows(worker.session, text, errors)
        assert set(errors) <= {LOCK_TIMEOUT}, (text, errors)
        return not errors, found, worker.done or ModelTransaction()

    def _note(self, worker: Worker, done: ModelTransaction) -> None:
        if worker.done is None:
            self._committed(worker, done)

    def begin_monolog(self, worker: Worker) -> None:
        publisher, retains = self.chance.randrange(PUBLISHERS), self.chance.random() < 0.7
        ran, found, done = self._do(
            worker,
            f"DECLARE @h uniqueidentifier; BEGIN MONOLOG @h FROM SERVICE Pub{publisher} WITH RETENTION = {'ON' if retains else 'OFF'};"
            "SELECT @h",
        )
        assert ran
        monolog = ModelMonolog(publisher, retains)
        self.handles[monolog] = found[0][0]
        done.begun.append(monolog)
        self._note(worker, done)

    def _a_monolog(self, worker: Worker) -> ModelMonolog | None:
        done = worker.done or ModelTransaction()
        over = {monolog for monolog, number in done.sent if number == END}
        others = {m for w in self.workers if w is not worker and w.done for m, number in w.done.sent if number == END}
        choices = [
            m for m in [*self.model.monologs, *done.begun] if not m.is_over and m not in over and m not in others
        ]
        return self.chance.choice(choices) if choices else None

    def send(self, worker: Worker) -> None:
        monolog = self._a_monolog(worker)
        if monolog is not None:
            self.number += 1
            ran, _, done = self._do(worker, f"SEND ON CONVERSATION '{self.handles[monolog]}' (N'{self.number}')")
            if ran:
                done.locked.add(monolog)
                done.sent.append((monolog, self.number))
                self._note(worker, done)

    def end(self, worker: Worker) -> None:
        monolog = self._a_monolog(worker)
        if monolog is not None:
            ran, _, done = self._do(worker, f"END CONVERSATION '{self.handles[monolog]}'")
            if ran:
                done.locked.add(monolog)
                done.sent.append((monolog, END))
                self._note(worker, done)

    def subscribe(self, worker: Worker) -> None:
        subscription = Subscription(
            self.chance.randrange(SUBSCRIBERS), self.chance.randrange(PUBLISHERS), self.chance.random() < 0.5
        )
        done = worker.done or ModelTransaction()
        known = [s for s in [*self.model.subscriptions, *done.subscribed] if s not in done.unsubscribed]
        if any((s.subscriber, s.publisher) == (subscription.subscriber, subscription.publisher) for s in known):
            return
        start = "RETAINED" if subscription.from_retained else "NOW"
        ran, found, done = self._do(
            worker,
            f"DECLARE @s uniqueidentifier; BEGIN SUBSCRIPTION @s FOR SERVICE Sub{subscription.subscriber} "
            f"TO SERVICE 'Pub{subscription.publisher}' WITH START = {start}; SELECT @s",
        )
        if ran:
            self.orders[subscription] = found[0][0]
            done.subscribed.append(subscription)
            self._note(worker, done)

    def unsubscribe(self, worker: Worker) -> None:
        done = worker.done or ModelTransaction()
        choices = [s for s in [*self.model.subscriptions, *done.subscribed] if s not in done.unsubscribed]
        if choices:
            subscription = self.chance.choice(choices)
            ran, _, done = self._do(worker, f"END SUBSCRIPTION '{self.orders[subscription]}'")
            if ran:
                done.unsubscribed.append(subscription)
                self._note(worker, done)

    def receive(self, worker: Worker, subscriber: int | None = None) -> int:
        number = self.chance.randrange(SUBSCRIBERS) if subscriber is None else subscriber
        if number in self.is_off:
            return 0
        ran, found, done = self._do(
            worker,
            f"RECEIVE TOP (3) conversation_handle, message_type_name, CAST(message_body AS nvarchar(20)) FROM Q{number}",
        )
        assert ran, "RECEIVE waits for nobody"
        for handle, type_name, body in found:
            worker.received.append((handle, number, END if type_name.endswith("EndDialog") else int(body)))
        self._note(worker, done)
        return len(found)

    def switch_queue(self, worker: Worker) -> None:
        if worker.done is None:
            number = self.chance.randrange(SUBSCRIBERS)
            ran, _, _ = self._do(
                worker, f"ALTER QUEUE Q{number} WITH STATUS = {'ON' if number in self.is_off else 'OFF'}"
            )
            if ran:
                self.is_off ^= {number}

    def pass_time(self, worker: Worker) -> None:
        assert self.instance.loop is not None
        self.instance.loop.advance(self.chance.choice((1, 5, 70)))

    def restart(self, worker: Worker) -> None:
        """Open transactions are gone with their sessions."""
        self.instance.close()
        for other in self.workers:
            if other.done is not None:
                self.model.rollback(other.done)
        self.instance = Instance.open(self.path, clock="virtual", seed=self.chance.getrandbits(60))
        self.workers = [Worker(self.instance) for _ in range(2)]

    def finish(self) -> None:
        """Everything ends, all queues are on, and all is received."""
        for worker in self.workers:
            self.chance.choice((self.commit, self.rollback))(worker)
        last = self.workers[0]
        for number in sorted(self.is_off):
            rows(last.session, f"ALTER QUEUE Q{number} WITH STATUS = ON")
        self.is_off.clear()
        assert self.instance.loop is not None
        self.instance.loop.advance(70)
        for number in range(SUBSCRIBERS):
            while self.receive(last, number):
                pass
        assert rows(last.session, "SELECT * FROM sys.transmission_queue") == []

    def check(self) -> None:
        expected = Counter((e.subscriber, tuple(e.expected)) for e in self.model.heard if e.expected)
        got = Counter((self.subscriber_of[handle], tuple(numbers)) for handle, numbers in self.got.items())
        assert got == expected
        session = self.workers[0].session
        open_monologs = sum(not m.is_over for m in self.model.monologs)
        assert rows(session, "SELECT COUNT(*) FROM sys.monologs") == [(open_monologs,)]
        assert rows(session, "SELECT COUNT(*) FROM sys.monolog_subscriptions") == [(len(self.model.subscriptions),)]
        serving = sum(not e.is_over for e in self.model.heard)
        assert rows(session, "SELECT COUNT(*) FROM sys.monolog_subscribers") == [(serving,)]
        retained = sum(len(m.sent) for m in self.model.monologs if m.retains and not m.is_over)
        assert rows(session, "SELECT COUNT(*) FROM sys.monolog_messages") == [(retained,)]


def rows(session: Session, text: str, errors: list[int] | None = None) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            if errors is None:
                raise AssertionError(f"{text}: {outcome.error}")
            errors.append(outcome.error.number)
        elif isinstance(outcome, ResultSet):
            found += outcome.rows
    return found


@pytest.mark.spec("MONOLOG-6", "MONOLOG-13", "MONOLOG-17", "MONOLOG-31")
@pytest.mark.parametrize("seed", range(SEEDS))
def test_everybody_hears_what_the_model_says(tmp_path: Path, seed: int) -> None:
    world = World(tmp_path / "monologs.duckdb", seed)
    try:
        for _ in range(STEPS):
            world.act()
        world.finish()
        world.check()
    finally:
        world.instance.close()
