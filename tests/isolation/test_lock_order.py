"""Who waits for a lock has it in his turn: those who share it do not go past one who came before and wants it alone
(documentation: "Transaction locking and row versioning guide"; a starved ALTER TABLE would never run)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.locks import LockOwner, LockTable
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError

ALONE = {
    "ALTER TABLE": "ALTER TABLE t ADD c{n} int",
    "TRUNCATE": "TRUNCATE TABLE t",
    "TABLOCKX": "BEGIN TRAN; SELECT COUNT(*) FROM t WITH (TABLOCKX); COMMIT",
    "DROP TABLE": "DROP TABLE t",
}
SHARED = {
    "INSERT": "INSERT t (v) VALUES (7)",
    "UPDATE": "UPDATE t SET v += 1 WHERE v = -1",
    "HOLDLOCK": "BEGIN TRAN; SELECT COUNT(*) FROM t WITH (TABLOCK, HOLDLOCK); COMMIT",
}


class World:
    def __init__(self, sessions: int) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        admin = self.instance.connect()
        told(admin, "CREATE DATABASE D")
        told(
            admin,
            "USE D; CREATE TABLE t (v int); INSERT t VALUES (1); CREATE TABLE other (v int); INSERT other VALUES (1)",
        )
        self.sessions: list[Any] = [self.instance.connect(database="D") for _ in range(sessions)]

    def start(self, number: int, text: str) -> Any:
        task = self.instance.loop.start(self.sessions[number], text)
        self.instance.loop.settle()
        return task


def numbers(task: Any) -> list[int]:
    return [outcome.error.number for outcome in task.outcomes if hasattr(outcome, "error")]


@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("alone", ALONE)
def test_newcomers_stand_behind_who_waits(alone: str, shared: str) -> None:
    """One works on a table, one waits to have it alone; whoever comes then waits for both, but the first goes on."""
    world = World(4)
    first = world.start(0, f"BEGIN TRAN; {SHARED[shared]}")
    waits = world.start(1, ALONE[alone].format(n=1))
    newcomers = [world.start(n, SHARED[shared]) for n in (2, 3)]
    assert first.done and not waits.done and not any(task.done for task in newcomers)
    again = world.start(0, f"{SHARED[shared]}; WHILE @@TRANCOUNT > 0 COMMIT")
    assert again.done and not numbers(again)
    assert waits.done and not numbers(waits)
    assert all(task.done for task in newcomers)
    assert [numbers(task) for task in newcomers] == [[208] if alone == "DROP TABLE" else []] * 2


@pytest.mark.parametrize("how", ["time-out", "cancelled"])
def test_who_waits_no_longer_holds_up_nobody(how: str) -> None:
    world = World(3)
    world.start(0, f"BEGIN TRAN; {SHARED['INSERT']}")
    waits = world.start(1, f"SET LOCK_TIMEOUT 500; {ALONE['ALTER TABLE'].format(n=1)}")
    newcomer = world.start(2, SHARED["INSERT"])
    assert not waits.done and not newcomer.done
    if how == "time-out":
        world.instance.loop.advance(1)
    else:
        world.sessions[1].cancel()
        world.instance.loop.settle()
    assert waits.done and (how == "cancelled" or numbers(waits) == [1222])
    assert newcomer.done and not numbers(newcomer)


def test_a_ring_over_the_queue_is_a_deadlock() -> None:
    """A works on t and wants `other`, which C has; C wants t and stands behind B, who
    waits for A: nobody would ever go on."""
    world = World(3)
    world.start(0, f"BEGIN TRAN; {SHARED['INSERT']}")
    world.start(2, "BEGIN TRAN; UPDATE other WITH (TABLOCKX) SET v = 2")
    alter = world.start(1, ALONE["ALTER TABLE"].format(n=1))
    behind = world.start(2, SHARED["INSERT"])
    assert not alter.done and not behind.done
    last = world.start(0, "UPDATE other SET v = 3; COMMIT")
    assert last.done and numbers(last) == [1205]
    assert alter.done and not numbers(alter)
    assert behind.done and not numbers(behind)


@pytest.mark.parametrize("seed", range(60))
def test_everybody_has_his_turn(seed: int) -> None:
    """Random askers over a few locks, against what must hold: holders fit together, whoever waits is kept from his lock
    by a holder or by one who came before, no ring goes unnoticed, and when all have ended nobody waits."""
    chance = random.Random(seed)
    locks, modes = LockTable(), ("X", "S", "IX")
    running: dict[int, tuple[LockOwner, Any, Any]] = {}
    owners = [LockOwner(str(n)) for n in range(6)]
    came: dict[LockOwner, int] = {}
    wanted: dict[LockOwner, tuple[int, str]] = {}

    def step(number: int) -> None:
        owner, asking, _ = running.pop(number)
        suspended = next(asking, None)
        if isinstance(suspended, Suspend):
            running[number] = (owner, asking, suspended.waiter)
        else:
            earlier = [o for o in owners if o.waits_for == wanted[owner][0] and o.waits_as != wanted[owner][1]]
            assert wanted[owner][1] == "X" or not any(came[o] < came[owner] for o in earlier), "out of turn"

    def step_or_lose(number: int) -> None:
        owner = running[number][0]
        try:
            step(number)
        except SqlError as error:
            if error.number != 1205:
                raise
            locks.release_all(owner)

    for moment in range(150):
        number = chance.randrange(len(owners))
        owner = owners[number]
        if number not in running:
            if chance.random() < 0.25:
                locks.release_all(owner)
            else:
                resource, mode = chance.randrange(3), chance.choice(modes)
                came[owner] = moment
                wanted[owner] = resource, "X" if resource in owner.held else mode
                running[number] = (owner, locks.acquire(owner, resource, mode), None)
                step_or_lose(number)
        while woken := [n for n, (_, _, waiter) in running.items() if waiter.woken]:
            step_or_lose(chance.choice(woken))
        holding = {o: dict(o.held) for o in owners}
        for resource in range(3):
            held = [h[resource] for h in holding.values() if resource in h]
            assert len(held) < 2 or (len(set(held)) == 1 and "X" not in held)
        for waiting, _, _ in running.values():
            assert keeps_waiting(waiting, owners, came), (seed, moment)
    for number in [n for n in range(len(owners)) if n not in running]:
        locks.release_all(owners[number])
    while running:
        woken = [n for n, (_, _, waiter) in running.items() if waiter.woken]
        assert woken, "somebody waits for ever"
        done = chance.choice(woken)
        step_or_lose(done)
        if done not in running:
            locks.release_all(owners[done])


def keeps_waiting(waiting: LockOwner, owners: list[LockOwner], came: dict[Any, int]) -> bool:
    resource, mode = waiting.waits_for, waiting.waits_as
    others = [o for o in owners if o is not waiting]
    if any(resource in o.held and ("X" in (mode, o.held[resource]) or o.held[resource] != mode) for o in others):
        return True
    return any(o.waits_for == resource and o.waits_as != mode and came[o] < came[waiting] for o in others)
