"""MOVE CONVERSATION: an endpoint goes to another group of the same service (docs/spec: MOVE).

Decides whether it may, and takes its messages along (they stand at the endpoint). Must not know statements.
"""

from __future__ import annotations

from uuid import UUID

from sbql.engine.broker.conversation_state import Event, outcome, refusal
from sbql.engine.broker.state import Conversation, Group
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import sql_error

__all__ = ["move_conversation"]


def move_conversation(transaction: BrokerTransaction, database_id: int, handle: UUID, group_id: UUID) -> None:
    """Errors in order: 8426 handle, 8438 state, 229 no right, 8436 group unknown, 8439 group of another service, 49942
    while a consumer holds messages of the group. An emptied group goes."""
    conversation = transaction.conversation(handle, database_id)
    state = conversation.endpoint.state
    number = outcome(state, Event.MOVE)
    if isinstance(number, int):
        raise refusal(number, state, handle)
    transaction.require_owner(conversation)
    target = transaction.state.find_group(database_id, group_id)
    if target is None:
        raise sql_error(8436, str(group_id).upper())
    transaction.lock(target)
    if not target.is_alive():
        raise sql_error(8436, str(group_id).upper())
    if target.record.service_id != conversation.endpoint.service_id:
        raise sql_error(8439, str(group_id).upper())
    if target is conversation.group:
        return
    log = conversation.group.held_by
    if log is not None:
        raise sql_error(49942, "conversation", str(handle).upper(), "moved", log.record.name, log.held)
    source = conversation.group
    for moved in (conversation, *_legs(conversation)):
        transaction.set(moved, "conversation_group_id", group_id)
        _move(moved, target)
        transaction.undo.append((_move, moved, source))
    transaction.groups[source] = None
    transaction.groups[target] = None
    transaction.emptied[source] = None


def _legs(conversation: Conversation) -> tuple[Conversation, ...]:
    """A monolog's publisher takes its legs along."""
    member = conversation.monolog
    return (
        tuple(member.monolog.legs) if member is not None and member.is_publisher and member.monolog is not None else ()
    )


def _move(conversation: Conversation, group: Group) -> None:
    conversation.group.let_out(conversation)
    conversation.group = group
    group.take_in(conversation)
    conversation.entry = None
    group.queue.index(conversation)
