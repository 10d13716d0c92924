"""What the broker has counted since its instance was opened, for sys.dm_os_performance_counters (reference 11.1).

Decides nothing. The numbers are statistics: nobody takes a lock for them.
"""

from __future__ import annotations

__all__ = ["BrokerCounters"]


class BrokerCounters:
    """`enqueued` by priority 1 to 10: messages put into queues, those of the broker included, without what was rolled
    back."""

    __slots__ = (
        "dequeued_transmissions",
        "dropped",
        "enqueued",
        "enqueued_transmissions",
        "receives",
        "rollbacks",
        "sends",
    )

    def __init__(self) -> None:
        self.sends = 0
        self.receives = 0
        self.rollbacks = 0
        self.dropped = 0
        self.enqueued = [0] * 11
        self.enqueued_transmissions = 0
        self.dequeued_transmissions = 0
