"""Poison messages: five consecutive rollbacks of transactions that received from a queue disable it
(docs/spec: POISON).

Decides when. Must not know how a queue is disabled: listeners of the state get a 'disable' event for the queue.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sbql.engine.broker import trace
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.state import BrokerState

__all__ = ["LIMIT", "count_rollbacks"]

LIMIT: Final = 5


def count_rollbacks(state: BrokerState, queue_ids: Iterable[int], index: CatalogIndex) -> list[int]:
    """A whole transaction that received from these queues was rolled back. When one of them reaches five, all of them
    are to be disabled, except where POISON_MESSAGE_HANDLING is off. Returns those."""
    limit_reached = False
    poisoned: list[int] = []
    for queue_id in sorted(queue_ids):
        queue = index.queues.get(queue_id)
        if queue is None or not queue.is_poison_message_handling_enabled:
            continue
        poisoned.append(queue_id)
        store = state.queues[queue_id]
        store.rollbacks += 1
        limit_reached = limit_reached or store.rollbacks >= LIMIT
    if not limit_reached:
        return []
    for queue_id in poisoned:
        state.queues[queue_id].rollbacks = 0
        trace.emit(
            state.trace, "Broker:Queue Disabled", "", object_id=queue_id, database_id=index.queues[queue_id].database_id
        )
        state.notify("disable", queue_id)
    return poisoned
