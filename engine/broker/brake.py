"""The brake: dialogs may be begun faster than a fold brings them to the tables, and none rests before that.

Decides how long whoever has begun some waits behind the commit: not at all while no fold is under way, or while no more
conversations are in memory than a fold finds there anyhow. It must not know what a fold does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sized
from typing import Final

from sbql.engine.broker.ready_index import Conversation

__all__ = ["Brake"]

MORE: Final = 20_000
"""Twice what the last fold has left in memory is free, but no more than so many more: of that nobody can let go by
waiting."""

PAUSE: Final = 0.000_001
"""Seconds for each endpoint above that. The interpreter is the fold's meanwhile."""

LONGEST: Final = 0.1


class Brake:
    """Every method is called with the state's mutex held; `sleep` is for who has it no more."""

    def __init__(self, endpoints: Sized) -> None:
        self.sleep: Callable[[float], object] = time.sleep
        self._endpoints = endpoints
        self._free = 0
        self.is_folding = False
        """Nobody waits before that."""

    def fold_begins(self, least: int) -> None:
        """`least`: so many endpoints may always be in memory."""
        self._free = max(self._free, least)
        self.is_folding = True

    def fold_is_over(self, least: int) -> None:
        """Those that may rest do, or the disk has refused them."""
        self._free = max(least, len(self._endpoints) + min(len(self._endpoints), MORE))
        self.is_folding = False

    def pause(self, changed: Iterable[Conversation]) -> float:
        """Seconds to wait, without the mutex, behind a commit that is about to be published and has
        changed these conversations."""
        if not self.is_folding or len(self._endpoints) <= self._free:
            return 0.0
        for conversation in changed:
            if not conversation.stored and conversation.endpoint.is_initiator:
                return min((len(self._endpoints) - self._free) * PAUSE, LONGEST)
        return 0.0
