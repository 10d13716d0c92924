"""The simulation on a disk that fails: what was acknowledged is there, what failed is not, and the books agree.

Beside the books in the store stands an account outside of it: each dialog that a client began, and whether its batch
was acknowledged. `make faults` tries 10,000 seeds; `FAULT_FIRST` and `FAULT_SEEDS` say which.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from acts import DATABASES, Client
from simulation import EXPECTED, Simulation

from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
from faulty_port import FAULTS, FaultyPort

FIRST = int(os.environ.get("FAULT_FIRST", "0"))
SEEDS = int(os.environ.get("FAULT_SEEDS", "16"))
STEPS = 120

REFUSED = frozenset({701, 823, 1105})
UNKNOWN = frozenset({9001})
ENDED = frozenset({596, 3617})
"""Cancelled or ended from outside: at the very end of a batch that may be after its commit."""


@dataclass
class FaultySimulation(Simulation):
    """A simulation whose store port fails now and then. `begun`: what became of the batch that began a dialog: True
    acknowledged, False refused, None nobody knows."""

    expected: frozenset[int] = EXPECTED | REFUSED | UNKNOWN
    begun: dict[int, bool | None] = field(default_factory=dict)
    hits: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.port = self.faults = FaultyPort()
        self.batches: dict[str, tuple[str, int]] = {}
        super().__post_init__()

    def _next(self) -> None:
        if self.faults.hit is not None:
            self.hits[self.faults.hit], self.faults.hit = self.hits[self.faults.hit] + 1, None
        if self.chance.random() < 0.06:
            fault = self.chance.choice(FAULTS)
            call, length = self.chance.randint(1, 12), self.chance.choice((1, 1, 5))
            self.note(f"the disk will fail ({fault}) at call {call}, {length} times")
            self.faults.fail_at(call, fault, length)
        try:
            super()._next()
        except SqlError as error:
            if error.number not in UNKNOWN:  # a client that connects to an instance that has just stopped
                raise
        failure = self.instance.store.failure
        if failure is not None:
            assert failure.number in UNKNOWN
            self.counts["stopped"] += 1
            self._restart()

    def _restart(self) -> None:
        for client in self.clients:
            if client.task is not None and client.name in self.batches:
                self.begun[self.batches.pop(client.name)[1]] = None
        self.note("the instance restarts")
        now = self.instance.host.now()
        try:
            self.instance.close()
        except SqlError as error:
            if error.number not in REFUSED | UNKNOWN:
                raise
        self.faults.heal()
        self.traced.clear()
        self.admin_task = None
        self.instance = self._open(self.chance.getrandbits(32))
        self.instance.host.advance_to(now)
        self.clients = [self._client(index) for index in range(len(self.clients))]

    def _fold(self) -> None:
        try:
            super()._fold()
        except SqlError as error:
            if error.number not in REFUSED | UNKNOWN:
                raise

    def _administrate(self) -> None:
        if not self.admin.is_ended:
            super()._administrate()
        elif self.instance.store.failure is None:
            self.admin_task = None
            self.admin = self.instance.connect()

    def _begin(self, client: Client, text: str, what: str) -> None:
        self.batches.pop(client.name, None)
        if what.startswith("begins dialog") and text.startswith("BEGIN TRANSACTION;"):
            self.batches[client.name] = (text.rsplit(maxsplit=1)[1], int(what.split()[2]))
        super()._begin(client, text, what)

    def _finished(self, client: Client) -> None:
        errors = {outcome.error.number for outcome in client.task.outcomes if isinstance(outcome, ErrorOutcome)}
        how, dialog = self.batches.pop(client.name, ("", 0))
        if dialog:
            self.begun[dialog] = None if errors & (UNKNOWN | ENDED) else how == "COMMIT" and not errors
        super()._finished(client)

    def _come_to_rest(self) -> None:
        self.faults.heal()
        if self.instance.store.failure is not None or self.admin.is_ended:
            self._restart()
        super()._come_to_rest()

    def check_account(self) -> None:
        sides = {
            n
            for database in DATABASES
            for (n,) in self.ask(f"SELECT dialog FROM {database}.dbo.sides WHERE side = 'I'")
        }
        for dialog, outcome in self.begun.items():
            if outcome is not None and (dialog in sides) != outcome:
                raise self.broken(
                    f"dialog {dialog} was {'acknowledged and is gone' if outcome else 'refused and is there'}"
                )


def run(seed: int, folder: Path) -> FaultySimulation:
    simulation = FaultySimulation(seed, STEPS, store=str(folder / "faults.duckdb"))
    try:
        simulation.run()
        simulation.check_account()
    finally:
        simulation.instance.close()
    return simulation


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_promises_hold_whatever_the_disk_does(seed: int, tmp_path: Path) -> None:
    run(seed, tmp_path)


def test_the_runs_meet_faults_of_every_kind(tmp_path: Path) -> None:
    hits: Counter[str] = Counter()
    answers: Counter[Any] = Counter()
    met: set[str] = set()
    wanted = {"read", "write", "commit", "journal", "fold"}
    for seed in range(14, 60):
        (tmp_path / str(seed)).mkdir()
        simulation = run(seed, tmp_path / str(seed))
        hits += simulation.hits
        answers.update(simulation.begun.values())
        met.update(name for name in simulation.counts if name in ("error 1105", "stopped"))
        if wanted <= set(hits) and answers[False] and len(met) == 2:
            break
    assert wanted <= set(hits)
    assert answers[True] and answers[False]
    assert met == {"error 1105", "stopped"}
