"""Seeded runs of sessions, activated tasks, DDL and clock jumps keep their promises, with and without restarts.

Every test run tries 24 seeds; `make simulate SIMULATION_SEEDS=5000 SIMULATION_FIRST=1000` tries others. A
seed that fails fails again: `python tests/simulation/simulation.py SEED` prints its story.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from acts import DATABASES
from promises import broken_promises
from simulation import Simulation

FIRST = int(os.environ.get("SIMULATION_FIRST", "0"))
SEEDS = int(os.environ.get("SIMULATION_SEEDS", "24"))
EVERY = 5
"""Each fifth seed runs on a file and restarts."""


def run(seed: int, store: Path | None = None) -> Simulation:
    simulation = Simulation(seed, store=None if store is None else str(store))
    try:
        simulation.run()
    finally:
        simulation.instance.close()
    return simulation


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_promises_hold(seed: int, tmp_path: Path) -> None:
    run(seed, tmp_path / "simulation.duckdb" if seed % EVERY == 0 else None)


def test_a_seed_repeats_exactly() -> None:
    assert run(7).events == run(7).events


def test_the_runs_meet_what_they_are_meant_to_meet() -> None:
    """A simulation in which nothing happens would hold every promise."""
    wanted = {
        ("Broker:Activation", "started"),
        ("Broker:Activation", "ended"),
        ("Broker:Activation", "aborted"),
        ("Broker:Conversation", "Received Sequenced Message"),
        ("Broker:Conversation", "Received END CONVERSATION"),
        ("Broker:Conversation", "END CONVERSATION WITH ERROR"),
        ("Broker:Message Classify", "Delayed"),
        "error 8426", "error 8429", "error 9617", "error 3617",
    }  # fmt: skip
    met: set[object] = set()
    for seed in range(30):
        simulation = run(seed)
        met.update((event.event_class, event.subclass) for event in simulation.traced)
        met.update(simulation.counts)
        if wanted <= met:
            break
    assert wanted <= met


TAMPERED: dict[str, Callable[[str], str]] = {
    "a message was lost": lambda db: f"DELETE TOP (1) FROM {db}.dbo.received WHERE kind = 'DEFAULT'",
    "a message came twice": lambda db: (
        f"INSERT {db}.dbo.received (handle, kind, body) SELECT TOP (1) handle, kind, body FROM {db}.dbo.received WHERE kind = 'DEFAULT'"
    ),
    "a message came that nobody sent": lambda db: f"DELETE TOP (1) FROM {db}.dbo.sent",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_broken_promise_is_noticed(what: str) -> None:
    simulation = Simulation(3)
    simulation.run()
    assert not list(broken_promises(simulation))
    for database in DATABASES:
        simulation.ask(TAMPERED[what](database))
    assert list(broken_promises(simulation)), what
    simulation.instance.close()
