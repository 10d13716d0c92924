"""Seeded runs of monologs among dialogs, activated tasks, DDL and clock jumps keep their
promises, with and without restarts.

`MONOLOG_SEEDS` and `MONOLOG_FIRST` say how many seeds are tried, and which. A seed that fails fails again:
`python tests/simulation/monolog_simulation.py SEED` prints its story.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from acts import DATABASES
from monolog_simulation import EXPECTED_OF_MONOLOGS, MonologSimulation

FIRST = int(os.environ.get("MONOLOG_FIRST", "0"))
SEEDS = int(os.environ.get("MONOLOG_SEEDS", "12"))
EVERY = 5
"""Each fifth seed runs on a file and restarts."""


def run(seed: int, store: Path | None = None) -> MonologSimulation:
    simulation = MonologSimulation(seed, store=None if store is None else str(store), expected=EXPECTED_OF_MONOLOGS)
    simulation.run()
    return simulation


@pytest.mark.spec("MONOLOG-6", "MONOLOG-13", "MONOLOG-19", "MONOLOG-31")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_promises_hold(seed: int, tmp_path: Path) -> None:
    run(seed, tmp_path / "simulation.duckdb" if seed % EVERY == 0 else None).instance.close()


HEARD = "body LIKE '%:M:%'"
TAMPERED: dict[str, Callable[[str], str]] = {
    "a message was lost": lambda db: (
        f"DELETE r FROM {db}.dbo.received r WHERE {HEARD} AND id = (SELECT MIN(id) FROM {db}.dbo.received x WHERE {HEARD} AND x.handle = r.handle)"
    ),
    "the last message was lost": lambda db: (
        f"DELETE r FROM {db}.dbo.received r WHERE {HEARD} AND id = (SELECT MAX(id) FROM {db}.dbo.received x WHERE {HEARD} AND x.handle = r.handle)"
    ),
    "a message came twice": lambda db: (
        f"INSERT {db}.dbo.received (handle, kind, body) SELECT handle, kind, body FROM {db}.dbo.received WHERE {HEARD}"
    ),
    "a message came that nobody sent": lambda db: f"UPDATE {db}.dbo.spoken SET number = -1 - number",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_broken_promise_is_noticed(what: str) -> None:
    """And the runs meet what they are meant to meet: messages that were heard."""
    for seed in range(10):
        simulation = run(seed)
        heard = sum(len(simulation.ask(f"SELECT 1 FROM {db}.dbo.received WHERE {HEARD}")) for db in DATABASES)
        if heard >= 10:
            break
        simulation.instance.close()
    assert heard >= 10
    assert not list(simulation.broken_monologs())
    for database in DATABASES:
        simulation.ask(TAMPERED[what](database))
    assert list(simulation.broken_monologs()), what
    simulation.instance.close()
