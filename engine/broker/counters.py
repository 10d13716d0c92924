"""What the broker has counted since its instance was opened, for sys.dm_os_performance_counters (docs/spec: COUNTER).

Decides nothing. The numbers are statistics: nobody takes a lock for them.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = ["BrokerCounters", "TransportTotals"]


class TransportTotals(Struct):
    """What has gone over all connections with other instances since this one was opened.

    The last six say what is there at this moment: connections; bytes that were given to them and have not gone
    (`current_bytes`); what is to be given to them (`pending_…`); what has come of messages that are not complete
    (`incomplete_…`)."""

    bytes_sent: int = 0
    bytes_received: int = 0
    sends: int = 0
    receives: int = 0
    fragments_sent: int = 0
    fragments_received: int = 0
    fragment_bytes_sent: int = 0
    fragment_bytes_received: int = 0
    connections: int = 0
    current_bytes: int = 0
    pending_bytes: int = 0
    pending_fragments: int = 0
    incomplete_bytes: int = 0
    incomplete_fragments: int = 0


class BrokerCounters:
    """`enqueued` by priority 1 to 10: messages put into queues, those of the broker included, without what was rolled
    back; `transport_messages` of them, in `transport_fragments`, came from other instances. `sent_fragments` by
    priority: what went to them. `dialog_lookups`: how often the network has asked for what it keeps of a dialog."""

    __slots__ = (
        "corrupted",
        "dequeued_transmissions",
        "dialog_lookups",
        "dropped",
        "enqueued",
        "enqueued_transmissions",
        "forwarded",
        "forwarded_bytes",
        "forwarded_discarded",
        "receives",
        "rollbacks",
        "sends",
        "sent_fragments",
        "transport_fragments",
        "transport_messages",
    )

    def __init__(self) -> None:
        self.sends = 0
        self.receives = 0
        self.rollbacks = 0
        self.dropped = 0
        self.enqueued = [0] * 11
        self.enqueued_transmissions = 0
        self.dequeued_transmissions = 0
        self.corrupted = 0
        self.transport_messages = self.transport_fragments = 0
        self.forwarded = self.forwarded_bytes = self.forwarded_discarded = 0
        self.sent_fragments = [0] * 11
        self.dialog_lookups = 0
