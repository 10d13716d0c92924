"""How often and how long sessions have waited, by type of wait: what sys.dm_os_wait_stats shows.

Decides which types are listed and how they add up. The drivers tell it of each wait when it is over; it must not know
why they wait. The types of the broker's own threads, of which an instance has none, stay at zero.
"""

from __future__ import annotations

import threading
from typing import Final

from sbql.catalog import live_relations as live

__all__ = ["WaitStats"]

WAIT_TYPES: Final = (
    "BROKER_CONNECTION_RECEIVE_TASK", "BROKER_DISPATCHER", "BROKER_ENDPOINT_STATE_MUTEX", "BROKER_EVENTHANDLER", "BROKER_FORWARDER",
    "BROKER_INIT", "BROKER_MASTERSTART", "BROKER_RECEIVE_WAITFOR", "BROKER_REGISTERALLENDPOINTS", "BROKER_SERVICE", "BROKER_SHUTDOWN",
    "BROKER_START", "BROKER_TASK_SHUTDOWN", "BROKER_TASK_STOP", "BROKER_TASK_SUBMIT", "BROKER_TO_FLUSH", "BROKER_TRANSMISSION_OBJECT",
    "BROKER_TRANSMISSION_TABLE", "BROKER_TRANSMISSION_WORK", "BROKER_TRANSMITTER", "LCK_M_X", "WAITFOR",
)  # fmt: skip
"""Listed from the start; a session that waits for something else adds its type."""


class WaitStats:
    """Thread safe."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waits = {name: [0, 0, 0] for name in WAIT_TYPES}

    def add(self, wait_type: str, seconds: float) -> None:
        """A session has waited so long."""
        milliseconds = max(0, round(seconds * 1000))
        with self._mutex:
            entry = self._waits.setdefault(wait_type, [0, 0, 0])
            entry[0] += 1
            entry[1] += milliseconds
            entry[2] = max(entry[2], milliseconds)

    def rows(self) -> list[live.Wait]:
        """By name."""
        with self._mutex:
            return [
                live.Wait(name, waiting_tasks_count=count, wait_time_ms=total, max_wait_time_ms=longest)
                for name, (count, total, longest) in sorted(self._waits.items())
            ]
