"""Two sessions of one instance that do things at random, for tests that compare what both see in between."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

__all__ = ["NONE", "at_random"]

NONE = "00000000-0000-0000-0000-000000000001"
"""The handle of no conversation."""


def at_random(
    instance: Instance, chance: random.Random, doings: Sequence[str], steps: int, *, rests: bool
) -> Iterator[tuple[int, list[Session], list[str]]]:
    """After each of the steps its number, the sessions, and handles of conversations. `rests`: all that can be is at
    rest after a fold, which comes now and then."""
    sessions = [instance.connect("shop"), instance.connect("shop")]
    for session in sessions:
        told(session, "SET LOCK_TIMEOUT 0")
    if rests:
        instance.broker.resting.most = 0
    for step in range(steps):
        handles = [str(e.conversation_handle) for e in instance.broker.records()] or [NONE]
        chance.choice(sessions).run(chance.choice(doings).format(handle=chance.choice(handles)))
        if rests and step % 20 == 19:
            instance.store.fold()
        yield step, sessions, handles
