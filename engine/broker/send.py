"""SEND: a message on one or several conversations (docs/spec: SEND).

Decides whether the endpoints and the message type allow it, and numbers the message. Must not know the target: what
arrives there is delivery's business, and the target validates the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from uuid import UUID

from sbql.catalog.records import ConversationEndpoint
from sbql.engine.broker import monolog_publisher, trace
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.conversation_state import Event, outcome, refusal
from sbql.engine.broker.endpoint_changes import queued_message
from sbql.engine.broker.outgoing import send_out
from sbql.engine.broker.system_messages import DEFAULT_TYPE
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean

if TYPE_CHECKING:
    from sbql.engine.broker.catalog_index import CatalogIndex, MessageUsage
    from sbql.engine.broker.state import Conversation

__all__ = ["HEADER", "MAX_MESSAGE", "check_send", "send", "send_to_all"]

MAX_MESSAGE: Final = 2**31 - 1
HEADER: Final = 2048
"""What a header takes at most: two service names, contract and message type of 128 characters each, ids and numbers."""


def send(
    transaction: BrokerTransaction,
    database_id: int,
    handle: UUID,
    message_type: str = DEFAULT_TYPE,
    body: bytes | None = None,
    *,
    is_null: bool = False,
) -> None:
    """Send one message. An empty body is NULL; `is_null` says that NULL was asked for, which is not allowed. Checks in
    order: handle 8426, state 8429, type 8428, contract 8431, direction 8432/8434, size 8459, disabled queue with
    retention 9618, NULL body 8433."""
    index = transaction.index
    conversation = transaction.conversation(handle, database_id)
    usage = check_send(transaction, index, conversation, message_type, body)
    if is_null:
        raise sql_error(8433)
    _send_one(transaction, index, conversation, usage, message_type, body or None)


def send_to_all(
    transaction: BrokerTransaction,
    database_id: int,
    handles: Sequence[UUID | None],
    message_type: str = DEFAULT_TYPE,
    body: bytes | None = None,
    *,
    is_null: bool = False,
) -> None:
    """SEND ON CONVERSATION (h1, h2, …): all or none. 8441 names a missing element, 8435 an unknown one by position; the
    same handle twice is 8451."""
    index = transaction.index
    index.require_broker(database_id)
    checked: list[tuple[Conversation, MessageUsage]] = []
    seen: set[int] = set()
    for position, handle in enumerate(handles, start=1):
        if handle is None:
            raise sql_error(8441, position)
        if handle.int in seen:
            raise sql_error(8451, str(handle).upper(), position)
        seen.add(handle.int)
        if transaction.state.find(database_id, handle) is None:
            raise sql_error(8435, str(handle).upper(), position)
        conversation = transaction.conversation(handle, database_id)
        checked.append((conversation, check_send(transaction, index, conversation, message_type, body)))
    if is_null:
        raise sql_error(8433)
    for conversation, usage in checked:
        _send_one(transaction, index, conversation, usage, message_type, body or None)


def check_send(
    transaction: BrokerTransaction,
    index: CatalogIndex,
    conversation: Conversation,
    message_type: str,
    body: bytes | None,
) -> MessageUsage:
    """The checks of SEND on a conversation whose group is locked."""
    endpoint = conversation.endpoint
    state = endpoint.state
    if conversation.monolog is not None and not endpoint.is_initiator:
        raise sql_error(49931, str(endpoint.conversation_handle).upper())
    if state != "CO":
        found = outcome(state, Event.SEND)
        if isinstance(found, int):
            raise refusal(found, state, endpoint.conversation_handle)
    usage = index.usages.get((endpoint.database_id, endpoint.contract_id), {}).get(message_type)
    if usage is None:
        known = (endpoint.database_id, message_type) in index.message_types
        raise sql_error(8431 if known else 8428, message_type).advise(_may_send(index, endpoint, message_type))
    if endpoint.is_initiator:
        if not usage.by_initiator:
            raise sql_error(8432, message_type).advise(_may_send(index, endpoint, message_type))
    elif not usage.by_target:
        raise sql_error(8434, message_type).advise(_may_send(index, endpoint, message_type))
    if body is not None and len(body) + HEADER > MAX_MESSAGE:
        raise sql_error(8459, MAX_MESSAGE)
    queue = index.queues.get(conversation.queue.queue_id)
    if queue is not None:
        transaction.rights.require("RECEIVE", queue)
        if queue.is_retention_enabled and not queue.is_enabled:
            raise sql_error(9618, queue.name)
    return usage


def _may_send(index: CatalogIndex, endpoint: ConversationEndpoint, wrong: str) -> str:
    """What this side may send: the type whose name looks like the wrong one, else all."""
    usages = index.usages.get((endpoint.database_id, endpoint.contract_id), {}).values()
    names = [u.type.name for u in usages if (u.by_initiator if endpoint.is_initiator else u.by_target)]
    for name in names:
        if name.lower() == wrong.lower():
            return f"Did you mean {name}? Names of message types are case sensitive."
    close = did_you_mean(wrong, names)
    if close or not names:
        return close
    default = "SEND without MESSAGE TYPE sends DEFAULT. " if wrong == DEFAULT_TYPE else ""
    return f"{default}The contract {endpoint.contract_name} lets this side send {', '.join(names)}."


def _send_one(
    transaction: BrokerTransaction,
    index: CatalogIndex,
    conversation: Conversation,
    usage: MessageUsage,
    message_type: str,
    body: bytes | None,
) -> None:
    transaction.state.counters.sends += 1
    endpoint = conversation.endpoint
    sequence = endpoint.send_sequence
    transaction.set(conversation, "send_sequence", sequence + 1)
    if endpoint.state != "CO":
        transaction.set(conversation, "state", "CO")
    message_id = transaction.host.new_message_id()
    queue = index.queues.get(conversation.queue.queue_id)
    if queue is not None and queue.is_retention_enabled:
        _retain(transaction, conversation, usage, sequence, body, message_id)
    if conversation.monolog is None:
        send_out(transaction, Arrival(conversation, Kind.MESSAGE, message_type, body, sequence, message_id))
    else:
        monolog_publisher.publish(transaction, conversation, message_type, body, sequence, message_id)
    if transaction.state.trace is not None:
        trace.emit_conversation(
            transaction.state.trace, "SEND Message", conversation, message_type=message_type, message_number=sequence
        )


def _retain(
    transaction: BrokerTransaction,
    conversation: Conversation,
    usage: MessageUsage,
    sequence: int,
    body: bytes | None,
    message_id: bytes,
) -> None:
    """RETENTION: a copy with status 3 in the sender's own queue, kept until the conversation ends."""
    kind = (usage.type.id, usage.type.name, usage.type.validation)
    message = queued_message(transaction, conversation, kind, body, sequence, message_id, status=3)
    transaction.save_message(message, new=True)
    conversation.retain(message)
    transaction.undo.append((conversation.retained.pop,))
