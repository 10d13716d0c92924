"""BEGIN CONVERSATION TIMER: one timer for each endpoint (docs/spec: TIMER).

Decides when it expires. Must not know what happens then: see deadlines.
"""

from __future__ import annotations

from uuid import UUID

from sbql.engine.broker import trace
from sbql.engine.broker.conversation_state import Event, outcome, refusal
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import sql_error

__all__ = ["begin_conversation_timer"]


def begin_conversation_timer(transaction: BrokerTransaction, database_id: int, handle: UUID, seconds: int) -> None:
    """Set or reset the timer. Errors in order: 8426 handle, 8458 state, 8410 beyond the lifetime. A TIMEOUT of 0 or
    less expires at once."""
    conversation = transaction.conversation(handle, database_id)
    endpoint = conversation.endpoint
    number = outcome(endpoint.state, Event.TIMER)
    if isinstance(number, int):
        raise refusal(number, endpoint.state, handle)
    service = transaction.index.service_by_id.get((database_id, endpoint.service_id))
    if service is not None:
        transaction.rights.require("SEND", service)
    expiry = transaction.host.now() + max(seconds, 0)
    if expiry > endpoint.lifetime:
        raise sql_error(8410)
    transaction.set(conversation, "dialog_timer", expiry)
    transaction.reschedule[conversation] = None
    if transaction.state.trace is not None:
        detail = f"{max(seconds, 0)} s"
        trace.emit_conversation(transaction.state.trace, "BEGIN CONVERSATION TIMER", conversation, detail=detail)
