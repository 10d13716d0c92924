"""GET CONVERSATION GROUP: lock the next group with messages and tell its id (docs/spec: GETGROUP).

Decides which group. Must not know variables or WAITFOR.
"""

from __future__ import annotations

from uuid import UUID

from sbql.engine.broker.receive import enabled_queue
from sbql.engine.broker.transaction import BrokerTransaction

__all__ = ["get_conversation_group"]


def get_conversation_group(transaction: BrokerTransaction, queue_id: int) -> UUID | None:
    """The group that a RECEIVE without WHERE would choose, locked; None when there is none. Errors as for RECEIVE."""
    queue = enabled_queue(transaction, queue_id)
    group = transaction.next_group(transaction.state.queue(queue_id, queue.database_id))
    return None if group is None else group.record.conversation_group_id
